/*
 * search_totals.c - adds up rows.
 */
#include "search_totals.h"
#include "base/pw_assert.h"

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
    pw_assert(row->trial >= 1);
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
    pw_assert(totals->found <= totals->ended[SEARCH_DONE]);
}
