/*
 * search_summary.c - the summary of a run.
 */
#include "alloc/node_allocator.h"
#include "base/macros.h"
#include "liblist/linked_list.h"
#include "perf/counters/resources.h"
#include "search_report.h"

_Static_assert(NODE_STATISTIC_UNKNOWN == UINT64_MAX, "report_count knows it");

static struct report_value byte_count(uint64_t number)
{
    return report_if(number != NODE_STATISTIC_UNKNOWN, report_bytes(number));
}

/* The label of what an allocator does not always know. */
static const char *if_known(uint64_t number, const char *label)
{
    return number != NODE_STATISTIC_UNKNOWN ? label : NULL;
}

/* The label of a count that has a line in text only where it is not zero. */
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
    const char *note = nodes.note[0] != '\0' ? nodes.note : NULL;
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
        {"setup_seconds", NULL, report_if(timed, report_seconds(search_report->setup_ns))},
        {"search_seconds",
         search_report->threads > 1 ? "searches together [s]" : "wall time of the searches [s]",
         report_if(timed, report_seconds(totals->elapsed_ns))},
        {"run_seconds", search_report->threads > 1 ? "wall time of the run [s]" : NULL,
         report_if(timed, report_seconds(search_report->wall_ns))},
        {"nodes_per_second_max", "highest nodes/s",
         report_if(totals->rate_max > 0, report_decimal(totals->rate_max, 3))},
        {"nodes_per_second", "overall nodes/s",
         nodes_per_second(totals->visited, totals->elapsed_ns)},
        {"visited", "nodes visited", report_integer(totals->visited)},
        {"expanded", "nodes expanded", report_integer(totals->expanded)},
        {"pushed", "queue pushes", report_integer(totals->pushed)},
        {"peak_queue_max", "highest queue peak", report_integer(totals->peak_queue_max)},
        {"malloc_calls", "malloc calls", report_integer(totals->malloc_calls)},
        {"free_calls", "free calls", report_integer(totals->free_calls)},
        {"peak_rss_bytes", "peak resident memory", report_if(peak > 0, report_bytes(peak))},
        {"hooks.node_bytes", "hooks: bytes per node", report_integer(sizeof(struct node))},
        {"hooks.live_nodes", "hooks: nodes alive", report_integer(linked_list_live_nodes())},
        {"allocator.kept_nodes", "allocator: nodes kept", report_count(nodes.kept_blocks)},
        {"allocator.held_bytes", "allocator: bytes held", byte_count(nodes.held_bytes)},
        {"allocator.held_bytes_max", "allocator: most bytes held",
         byte_count(nodes.held_bytes_max)},
        {"allocator.requests", if_known(nodes.requests, "allocator: requests"),
         report_count(nodes.requests)},
        {"allocator.releases", if_known(nodes.releases, "allocator: releases"),
         report_count(nodes.releases)},
        {"allocator.note", note != NULL ? "allocator: note" : NULL, report_text(note)},
        {"allocator.enlarged", search_report->enlarged != NULL ? "allocator: heap enlarged" : NULL,
         report_text(search_report->enlarged)},
        {"allocator.heap_bytes_needed", if_known(nodes.heap_bytes_needed, "allocator: heap needed"),
         byte_count(nodes.heap_bytes_needed)},
    };
    report_section(&search_report->report, "summary", "Summary", fields, COUNT_OF(fields));
}
