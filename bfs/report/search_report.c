/*
 * search_report.c - the table of searches, and that of their times over several trials.
 */
#include "search_report.h"
#include "answer_report.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "counter_report.h"
#include <stdio.h>
#include <string.h>

#define SEARCH_CELLS_MAX (COUNTER_CELLS_MAX + 24)

/* How a search ended: its status in CSV and JSON, and in words. */
static const struct {
    const char *name, *words;
} outcomes[] = {
    [SEARCH_DONE] = {"done", "not found"},
    [SEARCH_TIMED_OUT] = {"timed-out", "timed out"},
    [SEARCH_CANCELLED] = {"cancelled", "cancelled"},
    [SEARCH_NO_MEMORY] = {"no-memory", "out of memory"},
};

static const char *outcome_words(const struct search_result *result)
{
    bool found = result->status == SEARCH_DONE && result->found;
    return found ? "found" : outcomes[result->status].words;
}

static struct report_value hops_value(const struct search_result *result)
{
    bool known = result->status == SEARCH_DONE && result->hops != SEARCH_HOPS_NONE;
    return report_if(known, report_integer(result->hops));
}

/* A node by its name, or by its id in the graph's file. */
static struct report_value node_value(const struct search_report *search_report, uint32_t node,
                                      char label[GRAPH_LABEL_SIZE])
{
    const struct graph *graph =
        search_report->inputs != NULL ? &search_report->inputs->graph : NULL;
    if (graph == NULL || graph->names == NULL) {
        return report_integer(graph != NULL ? graph_original_id(graph, node) : node);
    }
    return report_text(graph_label(graph, node, label));
}

/* What the cells of a row point at. */
struct row_texts {
    char source[GRAPH_LABEL_SIZE], target[GRAPH_LABEL_SIZE];
    char outcome[64];
};

/* The row of a search. The first fourteen names and their order are the interface of the CSV: add
 * behind them, never among them. */
static size_t search_cells(const struct search_report *search_report, const struct search_row *row,
                           struct row_texts *texts, struct report_cell cells[SEARCH_CELLS_MAX])
{
    const struct search_result *result = &row->result;
    const bool has_path = search_report->options->answers.path;
    snprintf(texts->outcome, sizeof(texts->outcome), "%s%s", outcome_words(result),
             search_counters_disturbed(search_report->counters) ? " *" : "");
    const struct report_cell fixed[] = {
        {{"trial", NULL, NULL, 0, 0}, report_integer(row->trial)},
        {{"search", "search", NULL, 6, 0}, report_integer(row->search)},
        {{"source", "source", NULL, 8, 0},
         node_value(search_report, row->pair.source, texts->source)},
        {{"target", "target", NULL, 8, 0},
         node_value(search_report, row->pair.target, texts->target)},
        {{"found", NULL, NULL, 0, 0},
         report_if(result->status == SEARCH_DONE, report_integer(result->found))},
        {{"hops", "hops", "hops", 4, 0}, hops_value(result)},
        {{"visited", "visited", "nodes visited", 10, 0}, report_count(result->visited)},
        {{"expanded", NULL, "nodes expanded", 0, 0}, report_count(result->expanded)},
        {{"pushed", "pushed", "queue pushes", 10, 0}, report_count(result->pushed)},
        {{"peak_queue", "peak queue", "queue peak", 10, 0}, report_count(result->peak_queue)},
        {{"seconds", "seconds", "wall time [s]", 10, 6},
         report_if(result->elapsed_ns != SEARCH_COUNT_UNKNOWN, report_seconds(result->elapsed_ns))},
        {{"nodes_per_second", "nodes/s", "nodes/s", 10, 0},
         nodes_per_second(result->visited, result->elapsed_ns)},
        {{"malloc_calls", "mallocs", "malloc calls", 10, 0}, report_integer(result->malloc_calls)},
        {{"free_calls", "frees", "free calls", 10, 0}, report_integer(result->free_calls)},
        {{"status", NULL, NULL, 0, 0}, report_text(outcomes[result->status].name)},
    };
    memcpy(cells, fixed, sizeof(fixed));
    size_t count = COUNT_OF(fixed);
    count += counter_report_cells(search_report->counters, cells + count);
    /* The last are words. What stands last in a line is aligned to the left. */
    cells[count++] = (struct report_cell){{NULL, "outcome", "outcome", has_path ? 9 : 0, 0},
                                          report_text(texts->outcome)};
    if (has_path) {
        cells[count++] =
            (struct report_cell){{"path", "path", "path", 0, 0}, report_text(row->path)};
    }
    pw_assert(count <= SEARCH_CELLS_MAX);
    return count;
}

void search_report_begin(struct search_report *search_report, FILE *out)
{
    static const struct search_row any_row;
    struct report *report = &search_report->report;
    const struct options *options = search_report->options;
    struct report_cell cells[SEARCH_CELLS_MAX];
    struct row_texts texts;
    report_open(report, out, options->format, "pointer-wars-bfs/1");
    search_report_context(search_report);
    /* With several trials a line per search comes at the end: its median, minimum and maximum. */
    report->lines = !options->quiet && options->trials == 1;
    report->blocks = !options->quiet && options->verbose;
    size_t count = search_cells(search_report, &any_row, &texts, cells);
    report_table_begin(report, "searches", cells, count);
}

bool search_report_row(struct search_report *search_report, const struct search_row *row)
{
    const struct graph *graph = &search_report->inputs->graph;
    struct report_cell cells[SEARCH_CELLS_MAX];
    struct row_texts texts;
    char heading[160];
    size_t count = search_cells(search_report, row, &texts, cells);
    int length = snprintf(heading, sizeof(heading), "(%zu / %zu) search %zu: from %.40s to %.40s",
                          row->position + 1, search_report->search_count, row->search,
                          graph_label(graph, row->pair.source, texts.source),
                          graph_label(graph, row->pair.target, texts.target));
    if (search_report->options->trials > 1) {
        snprintf(heading + length, sizeof(heading) - (size_t)length, ", trial %llu",
                 (unsigned long long)row->trial);
    }
    report_table_row(&search_report->report, heading, cells, count);
    return report_failed(&search_report->report) == 0;
}

#define STATISTICS_CELLS 11

/* The times of a search over the trials. */
static void statistics_cells(const struct search_report *search_report,
                             const struct search_row *row, struct search_times times,
                             struct row_texts *texts, struct report_cell cells[STATISTICS_CELLS])
{
    const struct search_result *result = &row->result;
    const bool known = times.count > 0;
    const struct report_cell all[STATISTICS_CELLS] = {
        {{"search", "search", NULL, 6, 0}, report_integer(row->search)},
        {{"source", "source", NULL, 8, 0},
         node_value(search_report, row->pair.source, texts->source)},
        {{"target", "target", NULL, 8, 0},
         node_value(search_report, row->pair.target, texts->target)},
        {{"hops", "hops", NULL, 4, 0}, hops_value(result)},
        {{"visited", "visited", NULL, 10, 0}, report_count(result->visited)},
        {{"trials", "trials", NULL, 6, 0}, report_integer(times.count)},
        {{"seconds_median", "median [s]", NULL, 10, 6},
         report_if(known, report_seconds(times.median_ns))},
        {{"seconds_min", "min [s]", NULL, 10, 6}, report_if(known, report_seconds(times.min_ns))},
        {{"seconds_max", "max [s]", NULL, 10, 6}, report_if(known, report_seconds(times.max_ns))},
        {{"nodes_per_second_median", "nodes/s", NULL, 10, 0},
         report_if(known, nodes_per_second(result->visited, times.median_ns))},
        {{NULL, "outcome", NULL, 0, 0}, report_text(outcome_words(result))},
    };
    memcpy(cells, all, sizeof(all));
}

static void write_statistics(struct search_report *search_report,
                             const struct search_totals *totals)
{
    static const struct search_row any_row;
    struct report *report = &search_report->report;
    struct report_cell cells[STATISTICS_CELLS];
    struct row_texts texts;
    report->blocks = false;
    report->lines = !search_report->options->quiet;
    statistics_cells(search_report, &any_row, (struct search_times){0}, &texts, cells);
    report_table_begin(report, "statistics", cells, STATISTICS_CELLS);
    for (size_t position = 0; position < search_report->search_count; position++) {
        const struct search_row *row = search_totals_last(totals, position);
        if (row->trial > 0) {
            statistics_cells(search_report, row, search_totals_times(totals, position), &texts,
                             cells);
            report_table_row(report, NULL, cells, STATISTICS_CELLS);
        }
    }
    report_table_end(report);
}

bool search_report_end(struct search_report *search_report, const struct search_totals *totals)
{
    struct report *report = &search_report->report;
    const struct inputs *inputs = search_report->inputs;
    const struct answer_options *answers = &search_report->options->answers;
    report_table_end(report);
    if (answers->all_shortest && inputs != NULL) {
        search_report->paths_missing = !shortest_paths_report(
            report, &inputs->graph, inputs->pairs.items[0], answers->list_limit);
        search_report->status = search_report->paths_missing ? "failed" : search_report->status;
    }
    if (search_report->options->trials > 1) {
        write_statistics(search_report, totals);
    }
    search_report_summary(search_report, totals);
    counter_report_summary(search_report->counters, report);
    return report_close(report);
}
