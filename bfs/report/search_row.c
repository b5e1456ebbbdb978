/*
 * search_row.c - see search_row.h.
 */
#include "search_row.h"
#include "base/macros.h"
#include <string.h>

/* The cell of a node, by name or by id in the graph's file; unknown before the graph is loaded. */
static struct report_value node_cell(const struct graph *graph, uint32_t node,
                                     char label[GRAPH_LABEL_SIZE])
{
    if (!graph_has_node(graph, node)) {
        return report_unknown();
    }
    return graph->names != NULL ? report_text(graph_label(graph, node, label))
                                : report_id(graph_original_id(graph, node));
}

/* The hops of a search that is done and knows them. */
static struct report_value hops_cell(const struct search_result *result)
{
    const bool known = result->status == SEARCH_DONE && result->hops != SEARCH_HOPS_NONE;
    return report_if(known, report_integer(result->hops));
}

/* The larger of a width and the width of a node's label. */
static size_t widen(size_t width, const struct graph *graph, uint32_t node)
{
    char label[GRAPH_LABEL_SIZE];
    const size_t own = text_width(graph_label(graph, node, label));
    return own > width ? own : width;
}

void search_row_measure(struct search_row_look *look, const struct pair *pairs,
                        const size_t *numbers, size_t count, uint64_t edge_count)
{
    const unsigned side = look->graph->names != NULL ? REPORT_LEFT : 0; /* ids: to the right */
    char most[TEXT_FORM_SIZE];
    size_t source = 1, target = 1;
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &pairs[numbers != NULL ? numbers[i] - 1 : i];
        source = widen(source, look->graph, pair->source);
        target = widen(target, look->graph, pair->target);
    }
    look->source_width = side + (unsigned)source;
    look->target_width = side + (unsigned)target;
    look->count_width = (unsigned)strlen(text_count(most, edge_count));
}

void search_row_cells(const struct search_row_look *look, const struct search_row *row,
                      bool disturbed, struct search_row_texts *texts,
                      struct report_cell cells[SEARCH_ROW_CELLS])
{
    const struct search_result *result = &row->result;
    const bool has_pushes = result->pushed != SEARCH_COUNT_UNKNOWN;
    const bool has_time = result->elapsed_ns != SEARCH_COUNT_UNKNOWN;
    const unsigned count = look->count_width;
    search_outcome(texts->outcome, result, disturbed);
    const struct report_cell all[] = {
        {{"trial", label_if(look->has_trials, "trial"), NULL, 5, 0}, report_id(row->trial)},
        {{"search", "search", NULL, 6, 0}, report_id(row->search)},
        {{"source", "source", NULL, look->source_width, 0},
         node_cell(look->graph, row->pair.source, texts->source)},
        {{"target", "target", NULL, look->target_width, 0},
         node_cell(look->graph, row->pair.target, texts->target)},
        {{NULL, "outcome", "outcome", REPORT_LEFT + OUTCOME_WIDTH, 0}, report_text(texts->outcome)},
        REPORT_DATA("found",
                    report_if(result->status == SEARCH_DONE, report_integer(result->found))),
        REPORT_DATA("hops", hops_cell(result)),
        {{"visited", "visited", "nodes visited", count, 0}, report_count(result->visited)},
        {{"expanded", NULL, "nodes expanded", 0, 0}, report_count(result->expanded)},
        {{"pushed", label_if(has_pushes, "pushed"), label_if(has_pushes, "queue pushes"), count, 0},
         report_count(result->pushed)},
        {{"peak_queue", label_if(has_pushes, "peak queue"), label_if(has_pushes, "queue peak"),
          count, 0},
         report_count(result->peak_queue)},
        {{"seconds", label_if(has_time, "time"), label_if(has_time, "wall time"), SEARCH_ROW_TIME,
          0},
         report_if(has_time, report_seconds(result->elapsed_ns))},
        {{"nodes_per_second", label_if(has_time, "nodes/s"), label_if(has_time, "nodes/s"),
          SEARCH_ROW_TIME, REPORT_SHORT},
         nodes_per_second(result->visited, result->elapsed_ns)},
        {{"malloc_calls", label_if(look->has_list, "mallocs"),
          label_if(look->has_list, "malloc calls"), count, 0},
         report_if(look->sees_calls, report_integer(result->malloc_calls))},
        {{"free_calls", label_if(look->has_list, "frees"), label_if(look->has_list, "free calls"),
          count, 0},
         report_if(look->sees_calls, report_integer(result->free_calls))},
        REPORT_DATA("status", report_text(search_status_name(result->status))),
    };
    _Static_assert(COUNT_OF(all) == SEARCH_ROW_CELLS, "room for each");
    memcpy(cells, all, sizeof(all));
}

void search_ended_fields(const struct search_totals *totals,
                         struct report_field fields[SEARCH_ENDED_FIELDS])
{
    const uint64_t *ended = totals->ended;
    const struct report_field all[] = {
        {"searches", "searches", report_integer(totals->rows)},
        {"found", "found", report_integer(totals->found)},
        {"not_found", "not found", report_integer(ended[SEARCH_DONE] - totals->found)},
        {"timed_out", label_if(ended[SEARCH_TIMED_OUT] > 0, "timed out"),
         report_integer(ended[SEARCH_TIMED_OUT])},
        {"cancelled", label_if(ended[SEARCH_CANCELLED] > 0, "cancelled"),
         report_integer(ended[SEARCH_CANCELLED])},
        {"no_memory", label_if(ended[SEARCH_NO_MEMORY] > 0, "out of memory"),
         report_integer(ended[SEARCH_NO_MEMORY])},
        {"diverged", label_if(ended[SEARCH_DIVERGED] > 0, "diverged"),
         report_integer(ended[SEARCH_DIVERGED])},
    };
    _Static_assert(COUNT_OF(all) == SEARCH_ENDED_FIELDS, "room for each");
    memcpy(fields, all, sizeof(all));
}

void search_count_fields(const struct search_totals *totals, bool is_shared,
                         struct report_field fields[SEARCH_COUNT_FIELDS])
{
    const struct report_field all[] = {
        {"nodes_per_second_max", label_if(totals->rate_max > 0 && !is_shared, "highest nodes/s"),
         report_if(totals->rate_max > 0, report_decimal(totals->rate_max, 3))},
        {"nodes_per_second", label_if(totals->rate_max > 0, "overall nodes/s"),
         nodes_per_second(totals->visited, totals->elapsed_ns)},
        {"visited", "nodes visited", report_integer(totals->visited)},
        {"expanded", "nodes expanded", report_integer(totals->expanded)},
        {"pushed", label_if(totals->pushed > 0, "queue pushes"), report_integer(totals->pushed)},
        {"peak_queue_max", label_if(totals->peak_queue_max > 0, "highest queue peak"),
         report_integer(totals->peak_queue_max)},
    };
    _Static_assert(COUNT_OF(all) == SEARCH_COUNT_FIELDS, "room for each");
    memcpy(fields, all, sizeof(all));
}
