/*
 * search_totals.c - adds up rows; takes medians from kept samples.
 */
#include "search_totals.h"
#include "base/pw_assert.h"
#include "base/report/samples.h"
#include <stdlib.h>

bool search_totals_create(struct search_totals *totals, size_t search_count, uint64_t trials)
{
    pw_assert(trials >= 1);
    *totals = (struct search_totals){.search_count = search_count, .trials = trials};
    if (trials == 1) {
        return true;
    }
    if (trials > SIZE_MAX / sizeof(uint64_t) / (search_count + 1)) {
        return false;
    }
    totals->last = calloc(search_count + 1, sizeof(*totals->last));
    totals->samples = calloc((search_count + 1) * (size_t)trials, sizeof(*totals->samples));
    totals->sample_counts = calloc(search_count + 1, sizeof(*totals->sample_counts));
    if (totals->last == NULL || totals->samples == NULL || totals->sample_counts == NULL) {
        search_totals_free(totals);
        return false;
    }
    return true;
}

void search_totals_free(struct search_totals *totals)
{
    free(totals->last);
    free(totals->samples);
    free(totals->sample_counts);
    *totals = (struct search_totals){0};
}

struct report_value nodes_per_second(uint64_t visited, uint64_t elapsed_ns)
{
    bool known = visited != SEARCH_COUNT_UNKNOWN && elapsed_ns != SEARCH_COUNT_UNKNOWN;
    return report_if(known, report_rate(visited, elapsed_ns));
}

/* A count that an engine does not keep adds nothing. */
static uint64_t counted(uint64_t count)
{
    return count != UINT64_MAX ? count : 0;
}

void search_totals_add(struct search_totals *totals, const struct search_row *row)
{
    const struct search_result *result = &row->result;
    pw_assert(row->position < totals->search_count && row->trial >= 1);
    totals->rows++;
    totals->ended[result->status]++;
    totals->found += result->status == SEARCH_DONE && result->found;
    totals->visited += counted(result->visited);
    totals->expanded += counted(result->expanded);
    totals->pushed += counted(result->pushed);
    if (counted(result->peak_queue) > totals->peak_queue_max) {
        totals->peak_queue_max = result->peak_queue;
    }
    totals->elapsed_ns += counted(result->elapsed_ns);
    totals->malloc_calls += result->malloc_calls;
    totals->free_calls += result->free_calls;
    const bool is_timed =
        result->status == SEARCH_DONE && result->elapsed_ns != SEARCH_COUNT_UNKNOWN;
    if (is_timed) {
        struct report_value rate = nodes_per_second(result->visited, result->elapsed_ns);
        totals->rate_max = rate.number > totals->rate_max ? rate.number : totals->rate_max;
    }
    if (totals->trials > 1) {
        totals->last[row->position] = *row;
        size_t *count = &totals->sample_counts[row->position];
        pw_assert(*count < totals->trials);
        totals->samples[row->position * totals->trials + *count] = (double)result->elapsed_ns;
        *count += is_timed;
    }
    pw_assert(totals->found <= totals->ended[SEARCH_DONE]);
}

struct search_times search_totals_times(const struct search_totals *totals, size_t position)
{
    pw_assert(totals->trials > 1 && position < totals->search_count);
    size_t count = totals->sample_counts[position];
    pw_assert(count <= totals->trials);
    if (count == 0) {
        return (struct search_times){0};
    }
    struct samples_summary times =
        samples_summarize(totals->samples + position * totals->trials, count);
    return (struct search_times){
        .count = count,
        .median_ns = (uint64_t)times.median,
        .min_ns = (uint64_t)times.low,
        .max_ns = (uint64_t)times.high,
        .spread = times.spread,
    };
}
