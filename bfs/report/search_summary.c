/*
 * search_summary.c - the end of the report: medians over trials, and the summary of the run.
 */
#include "alloc/node_allocator.h"
#include "liblist/linked_list.h"
#include "perf/report/resources.h"
#include "search_report.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct report_column statistics_columns[] = {
    {"search", "search", NULL, 6, 0},
    {"source", "source", NULL, 8, 0},
    {"target", "target", NULL, 8, 0},
    {"hops", "hops", NULL, 4, 0},
    {"visited", "visited", NULL, 10, 0},
    {"trials", "trials", NULL, 6, 0},
    {"seconds_median", "median [s]", NULL, 10, 6},
    {"seconds_min", "min [s]", NULL, 10, 6},
    {"seconds_max", "max [s]", NULL, 10, 6},
    {"nodes_per_second_median", "nodes/s", NULL, 10, 0},
    {NULL, "outcome", NULL, 0, 0},
};

void search_report_statistics(struct search_report *search_report,
                              const struct search_totals *totals)
{
    struct report *report = &search_report->report;
    report->blocks = false;
    report->lines = !search_report->options->quiet;
    report_table_begin(report, "statistics", statistics_columns, COUNT_OF(statistics_columns));
    for (size_t position = 0; position < search_report->search_count; position++) {
        const struct search_row *row = search_totals_last(totals, position);
        if (row->trial == 0) {
            continue;
        }
        struct search_times times = search_totals_times(totals, position);
        bool known = times.count > 0;
        const struct report_value values[COUNT_OF(statistics_columns)] = {
            report_integer(row->search),
            search_report_node(search_report, row->pair.source),
            search_report_node(search_report, row->pair.target),
            search_report_hops(&row->result),
            search_report_count(row->result.visited),
            report_integer(times.count),
            known ? report_seconds(times.median_ns) : report_unknown(),
            known ? report_seconds(times.min_ns) : report_unknown(),
            known ? report_seconds(times.max_ns) : report_unknown(),
            known ? report_rate(row->result.visited, times.median_ns) : report_unknown(),
            report_text(search_report_outcome(&row->result)),
        };
        report_table_row(report, NULL, values);
    }
    report_table_end(report);
}

static struct report_value statistic(uint64_t number)
{
    return number != NODE_STATISTIC_UNKNOWN ? report_integer(number) : report_unknown();
}

static struct report_value statistic_bytes(uint64_t number)
{
    return number != NODE_STATISTIC_UNKNOWN ? report_bytes(number) : report_unknown();
}

/* The label of what is worth a line in text only where it is not zero. */
static const char *unless_zero(uint64_t number, const char *label)
{
    return number > 0 ? label : NULL;
}

void search_report_summary(struct search_report *search_report, const struct search_totals *totals)
{
    const struct inputs *inputs = search_report->inputs;
    struct node_allocator_statistics nodes;
    linked_list_statistics(&nodes);
    /* Under a simulator neither times nor the process's memory are those of the program. */
    const bool timed = !search_counters_simulated(search_report->counters);
    const uint64_t peak = timed ? resources_peak_rss_bytes() : 0;
    const struct report_field fields[] = {
        {"status", "run", report_text(search_report->status)},
        {"searches", "searches", report_integer(totals->rows)},
        {"found", "found", report_integer(totals->found)},
        {"not_found", "not found", report_integer(totals->not_found)},
        {"timed_out", unless_zero(totals->timed_out, "timed out"),
         report_integer(totals->timed_out)},
        {"cancelled", unless_zero(totals->cancelled, "cancelled"),
         report_integer(totals->cancelled)},
        {"no_memory", unless_zero(totals->no_memory, "out of memory"),
         report_integer(totals->no_memory)},
        {"load_seconds", "loading [s]",
         inputs != NULL ? report_seconds(inputs->load_ns) : report_unknown()},
        {"setup_seconds", NULL, timed ? report_seconds(search_report->setup_ns) : report_unknown()},
        {"search_seconds",
         search_report->threads > 1 ? "searches together [s]" : "wall time of the searches [s]",
         timed ? report_seconds(totals->elapsed_ns) : report_unknown()},
        {"run_seconds", search_report->threads > 1 ? "wall time of the run [s]" : NULL,
         timed ? report_seconds(search_report->wall_ns) : report_unknown()},
        {"nodes_per_second_max", "highest nodes/s",
         totals->rate_max > 0 ? report_decimal(totals->rate_max, 3) : report_unknown()},
        {"nodes_per_second", "overall nodes/s", report_rate(totals->visited, totals->elapsed_ns)},
        {"visited", "nodes visited", report_integer(totals->visited)},
        {"expanded", "nodes expanded", report_integer(totals->expanded)},
        {"pushed", "queue pushes", report_integer(totals->pushed)},
        {"peak_queue_max", "highest queue peak", report_integer(totals->peak_queue_max)},
        {"malloc_calls", "malloc calls", report_integer(totals->malloc_calls)},
        {"free_calls", "free calls", report_integer(totals->free_calls)},
        {"peak_rss_bytes", "peak resident memory",
         peak > 0 ? report_bytes(peak) : report_unknown()},
        {"hooks.node_bytes", "hooks: bytes a node", report_integer(sizeof(struct node))},
        {"hooks.live_nodes", "hooks: nodes alive", report_integer(linked_list_live_nodes())},
        {"allocator.kept_nodes", "allocator: nodes kept", statistic(nodes.kept_blocks)},
        {"allocator.held_bytes", "allocator: bytes held", statistic_bytes(nodes.held_bytes)},
        {"allocator.held_bytes_max", "allocator: most bytes held",
         statistic_bytes(nodes.held_bytes_max)},
        {"allocator.requests",
         nodes.requests != NODE_STATISTIC_UNKNOWN ? "allocator: requests" : NULL,
         statistic(nodes.requests)},
        {"allocator.releases",
         nodes.releases != NODE_STATISTIC_UNKNOWN ? "allocator: releases" : NULL,
         statistic(nodes.releases)},
        {"allocator.note", nodes.note[0] != '\0' ? "allocator: note" : NULL,
         report_text(nodes.note[0] != '\0' ? nodes.note : NULL)},
        {"allocator.enlarged", search_report->enlarged != NULL ? "allocator: heap enlarged" : NULL,
         report_text(search_report->enlarged)},
        {"allocator.heap_bytes_needed",
         nodes.heap_bytes_needed != NODE_STATISTIC_UNKNOWN ? "allocator: heap needed" : NULL,
         statistic_bytes(nodes.heap_bytes_needed)},
    };
    report_section(&search_report->report, "summary", "Summary", fields, COUNT_OF(fields));
}
