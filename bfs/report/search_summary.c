/*
 * search_summary.c - see search_summary.h.
 */
#include "search_summary.h"
#include "alloc/node_allocator.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "counters/resources.h"
#include "liblist/linked_list_more.h"
#include <string.h>

_Static_assert(NODE_STATISTIC_UNKNOWN == UINT64_MAX, "report_count knows it");

static struct report_value byte_count(uint64_t number)
{
    return report_if(number != NODE_STATISTIC_UNKNOWN, report_bytes(number));
}

/* The label of a value that an allocator may not know; used: it served the searches. */
static const char *if_known(bool used, uint64_t number, const char *label)
{
    return label_if(used && number != NODE_STATISTIC_UNKNOWN, label);
}

/* "100 of 100 answers verified". Every reported answer was: a wrong one ends the run. */
static void write_verified(char text[3 * TEXT_FORM_SIZE], const struct search_report *report,
                           const struct search_totals *totals)
{
    char verified[TEXT_FORM_SIZE], all[TEXT_FORM_SIZE];
    const uint64_t wanted = report->search_count * report->options->trials;
    snprintf(text, (size_t)3 * TEXT_FORM_SIZE, "%s of %s answer%s verified",
             text_count(verified, totals->ended[SEARCH_DONE]), text_count(all, wanted),
             wanted == 1 ? "" : "s");
}

/* The time that this many per cent of the searches do not exceed. Unknown if fewer than least were
 * timed, or if a pass divided its time evenly among its searches. */
static struct report_value time_percentile(const struct search_report *report, unsigned percent,
                                           uint64_t least)
{
    const struct time_histogram *times = report->times;
    bool known = times != NULL && times->total >= least && search_report_pass_searches(report) == 1;
    return known ? report_seconds(time_histogram_percentile(times, percent)) : report_unknown();
}

#define ALLOCATOR_FIELDS 9

/* The final statistics of the list and the allocator. nodes: must outlive the fields. */
static size_t allocator_fields(const struct search_report *search_report,
                               const struct node_allocator_statistics *nodes,
                               struct report_field fields[ALLOCATOR_FIELDS])
{
    const bool has_list = search_report_uses_list(search_report);
    const char *note = nodes->note[0] != '\0' ? nodes->note : NULL;
    const struct report_field all[] = {
        {"hooks.node_bytes", label_if(has_list, "hooks: bytes per node"),
         report_integer(sizeof(struct node))},
        {"hooks.live_nodes", label_if(has_list, "hooks: nodes alive"),
         report_integer(linked_list_live_nodes())},
        {"allocator.kept_nodes", if_known(has_list, nodes->kept_blocks, "allocator: nodes kept"),
         report_count(nodes->kept_blocks)},
        {"allocator.held_bytes", if_known(has_list, nodes->held_bytes, "allocator: memory held"),
         byte_count(nodes->held_bytes)},
        {"allocator.held_bytes_max",
         if_known(has_list, nodes->held_bytes_max, "allocator: most memory held"),
         byte_count(nodes->held_bytes_max)},
        {"allocator.requests", if_known(has_list, nodes->requests, "allocator: requests"),
         report_count(nodes->requests)},
        {"allocator.releases", if_known(has_list, nodes->releases, "allocator: releases"),
         report_count(nodes->releases)},
        {"allocator.note", label_if(has_list && note != NULL, "allocator: note"),
         report_text(note)},
        {"allocator.heap_bytes_needed",
         if_known(has_list, nodes->heap_bytes_needed, "allocator: heap needed"),
         byte_count(nodes->heap_bytes_needed)},
    };
    _Static_assert(COUNT_OF(all) == ALLOCATOR_FIELDS, "room for each");
    memcpy(fields, all, sizeof(all));
    return COUNT_OF(all);
}

static struct report_field calls(const struct search_report *search_report, const char *name,
                                 const char *title, uint64_t count)
{
    return (struct report_field){
        name, label_if(search_report_uses_list(search_report), title),
        report_if(search_report_sees_calls(search_report), report_integer(count))};
}

void search_report_summary(struct search_report *search_report, const struct search_totals *totals)
{
    const struct inputs *inputs = search_report->inputs;
    const uint64_t *ended = totals->ended;
    struct node_allocator_statistics nodes;
    linked_list_statistics(&nodes);
    /* Under a simulator neither the times nor the process's memory describe the program. */
    const bool timed = !region_counters_simulated(search_report->counters);
    const uint64_t peak = timed ? resources_peak_rss_bytes() : 0;
    const bool verify = search_report->options->answers.verify;
    const struct report_value median = time_percentile(search_report, 50, 2);
    const struct report_value highest = time_percentile(search_report, 99, 100);
    const bool loaded = search_report_is_loaded(search_report);
    const bool load_known = timed && inputs->load_peak_bytes > 0;
    const bool verbose = search_report->options->report.verbose;
    const bool one_batch = search_report_pass_searches(search_report) > 1;
    char verified[3 * TEXT_FORM_SIZE];
    write_verified(verified, search_report, totals);
    const struct report_field times[] = {
        {NULL, label_if(verify, "check"), report_text(verified)},
        {"load_seconds", label_if(loaded, "loading"),
         report_if(loaded, report_seconds(inputs->load_ns))},
        {"load_faults_minor", label_if(load_known && verbose, "loading: page faults"),
         report_if(load_known, report_integer(inputs->load_faults))},
        {"load_peak_rss_bytes", label_if(load_known && verbose, "loading: peak memory"),
         report_if(load_known, report_bytes(inputs->load_peak_bytes))},
        {"setup_seconds", NULL, report_if(timed, report_seconds(search_report->setup_ns))},
        {"search_seconds",
         label_if(timed, search_report->threads > 1 ? "searches, of all threads"
                                                    : "wall time of the searches"),
         report_if(timed, report_seconds(totals->elapsed_ns))},
        {"run_seconds", label_if(timed, "wall time of the run"),
         report_if(timed, report_seconds(search_report->wall_ns))},
        {"seconds_median", label_if(median.kind != REPORT_UNKNOWN, "time of a search, median"),
         median},
        {"seconds_p99", label_if(highest.kind != REPORT_UNKNOWN, "99 % of the searches within"),
         highest},
    };
    const struct report_field costs[] = {
        calls(search_report, "malloc_calls", "malloc calls", totals->malloc_calls),
        calls(search_report, "free_calls", "free calls", totals->free_calls),
        {"peak_rss_bytes", label_if(peak > 0, "peak resident memory"),
         report_if(peak > 0, report_bytes(peak))},
    };
    struct report_field fields[1 + SEARCH_ENDED_FIELDS + COUNT_OF(times) + SEARCH_COUNT_FIELDS +
                               COUNT_OF(costs) + ALLOCATOR_FIELDS + 1];
    size_t count = 0;
    fields[count++] = (struct report_field){"status", "run", report_text(search_report->status)};
    search_ended_fields(totals, fields + count);
    count += SEARCH_ENDED_FIELDS;
    memcpy(fields + count, times, sizeof(times));
    count += COUNT_OF(times);
    search_count_fields(totals, one_batch, fields + count);
    count += SEARCH_COUNT_FIELDS;
    memcpy(fields + count, costs, sizeof(costs));
    count += COUNT_OF(costs);
    count += allocator_fields(search_report, &nodes, fields + count);
    fields[count++] = (struct report_field){"verified", NULL,
                                            report_if(verify, report_integer(ended[SEARCH_DONE]))};
    pw_assert(count == COUNT_OF(fields));
    report_section(&search_report->report, "summary", "Summary", fields, count);
}
