/*
 * search_report.c - the table of searches: each column is a description and a function of the row.
 */
#include "search_report.h"
#include "answer_report.h"
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

const char *search_report_status(const struct search_result *result)
{
    switch (result->status) {
    case SEARCH_DONE:
        return "done";
    case SEARCH_TIMED_OUT:
        return "timed-out";
    case SEARCH_CANCELLED:
        return "cancelled";
    case SEARCH_NO_MEMORY:
        return "no-memory";
    }
    return NULL;
}

const char *search_report_outcome(const struct search_result *result)
{
    switch (result->status) {
    case SEARCH_DONE:
        return result->found ? "found" : "not found";
    case SEARCH_TIMED_OUT:
        return "timed out";
    case SEARCH_CANCELLED:
        return "cancelled";
    case SEARCH_NO_MEMORY:
        return "out of memory";
    }
    return NULL;
}

struct report_value search_report_hops(const struct search_result *result)
{
    bool known = result->status == SEARCH_DONE && result->hops != SEARCH_HOPS_NONE;
    return known ? report_integer(result->hops) : report_unknown();
}

struct report_value search_report_count(uint64_t count)
{
    return count != UINT64_MAX ? report_integer(count) : report_unknown();
}

static struct report_value trial(const struct search_row *row)
{
    return report_integer(row->trial);
}

static struct report_value search(const struct search_row *row)
{
    return report_integer(row->search);
}

static struct report_value source(const struct search_row *row)
{
    return report_integer(row->pair.source);
}

static struct report_value target(const struct search_row *row)
{
    return report_integer(row->pair.target);
}

static struct report_value found(const struct search_row *row)
{
    return row->result.status == SEARCH_DONE ? report_integer(row->result.found) : report_unknown();
}

static struct report_value hops(const struct search_row *row)
{
    return search_report_hops(&row->result);
}

static struct report_value visited(const struct search_row *row)
{
    return search_report_count(row->result.visited);
}

static struct report_value expanded(const struct search_row *row)
{
    return search_report_count(row->result.expanded);
}

static struct report_value pushed(const struct search_row *row)
{
    return search_report_count(row->result.pushed);
}

static struct report_value peak_queue(const struct search_row *row)
{
    return search_report_count(row->result.peak_queue);
}

static struct report_value seconds(const struct search_row *row)
{
    return row->result.elapsed_ns != SEARCH_COUNT_UNKNOWN ? report_seconds(row->result.elapsed_ns)
                                                          : report_unknown();
}

static struct report_value nodes_per_second(const struct search_row *row)
{
    return row->result.elapsed_ns != SEARCH_COUNT_UNKNOWN && row->result.visited != UINT64_MAX
               ? report_rate(row->result.visited, row->result.elapsed_ns)
               : report_unknown();
}

static struct report_value malloc_calls(const struct search_row *row)
{
    return report_integer(row->result.malloc_calls);
}

static struct report_value free_calls(const struct search_row *row)
{
    return report_integer(row->result.free_calls);
}

static struct report_value status(const struct search_row *row)
{
    return report_text(search_report_status(&row->result));
}

/* The first fourteen names and their order are the interface of the CSV: append, never insert. */
static const struct report_column columns[] = {
    {"trial", NULL, NULL, 0, 0},
    {"search", "search", NULL, 6, 0},
    {"source", "source", NULL, 8, 0},
    {"target", "target", NULL, 8, 0},
    {"found", NULL, NULL, 0, 0},
    {"hops", "hops", "hops", 4, 0},
    {"visited", "visited", "nodes visited", 10, 0},
    {"expanded", NULL, "nodes expanded", 0, 0},
    {"pushed", "pushed", "queue pushes", 10, 0},
    {"peak_queue", "peak queue", "queue peak", 10, 0},
    {"seconds", "seconds", "wall time [s]", 10, 6},
    {"nodes_per_second", "nodes/s", "nodes/s", 10, 0},
    {"malloc_calls", "mallocs", "malloc calls", 10, 0},
    {"free_calls", "frees", "free calls", 10, 0},
    {"status", NULL, NULL, 0, 0},
};

#define SOURCE_COLUMN 2 /* where the source stands; the target follows */

/* The last, after those of the counters: words, aligned to the left. */
static const struct report_column outcome_column = {NULL, "outcome", "outcome", 0, 0};
static const struct report_column path_column = {"path", "path", "path", 0, 0};
static const struct report_column padded_outcome_column = {NULL, "outcome", "outcome", 9, 0};

static struct report_value (*const values[])(const struct search_row *row) = {
    trial,  search,     source,  target,           found,        hops,       visited, expanded,
    pushed, peak_queue, seconds, nodes_per_second, malloc_calls, free_calls, status,
};

_Static_assert(COUNT_OF(columns) == COUNT_OF(values), "a function for every column");

void search_report_begin(struct search_report *search_report, FILE *out)
{
    struct report *report = &search_report->report;
    const struct options *options = search_report->options;
    report_open(report, out, options->format, "pointer-wars-bfs/1");
    search_report_context(search_report);
    /* With several trials a line a search comes at the end: its median, minimum and maximum. */
    report->lines = !options->quiet && options->trials == 1;
    report->blocks = !options->quiet && options->verbose;
    size_t count = COUNT_OF(columns);
    memcpy(search_report->columns, columns, sizeof(columns));
    count += search_counters_columns(search_report->counters, search_report->columns + count);
    if (options->answers.path) {
        search_report->columns[count++] = padded_outcome_column;
        search_report->columns[count++] = path_column;
    } else {
        search_report->columns[count++] = outcome_column;
    }
    search_report->column_count = count;
    report_table_begin(report, "searches", search_report->columns, count);
}

struct report_value search_report_node(const struct search_report *search_report, uint32_t node)
{
    static char numbers[4][GRAPH_LABEL_SIZE]; /* a row has two nodes */
    static unsigned next;
    const struct graph *graph = search_report->inputs ? &search_report->inputs->graph : NULL;
    if (!graph || !graph->names) {
        return report_integer(graph ? graph_original_id(graph, node) : node);
    }
    return report_text(graph_label(graph, node, numbers[next++ % 4]));
}

bool search_report_row(struct search_report *search_report, const struct search_row *row)
{
    char heading[160];
    char source_text[GRAPH_LABEL_SIZE], target_text[GRAPH_LABEL_SIZE];
    const struct graph *graph = &search_report->inputs->graph;
    char outcome[64];
    struct report_value cells[COUNT_OF(search_report->columns)];
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        cells[i] = values[i](row);
    }
    cells[SOURCE_COLUMN] = search_report_node(search_report, row->pair.source);
    cells[SOURCE_COLUMN + 1] = search_report_node(search_report, row->pair.target);
    search_counters_values(search_report->counters, cells + COUNT_OF(columns));
    snprintf(outcome, sizeof(outcome), "%s%s", search_report_outcome(&row->result),
             search_counters_disturbed(search_report->counters) ? " *" : "");
    size_t last = search_report->column_count - 1;
    if (search_report->options->answers.path) {
        cells[last--] = report_text(row->path);
    }
    cells[last] = report_text(outcome);
    int length = snprintf(heading, sizeof(heading), "(%zu / %zu) search %zu: from %.40s to %.40s",
                          row->position + 1, search_report->search_count, row->search,
                          graph_label(graph, row->pair.source, source_text),
                          graph_label(graph, row->pair.target, target_text));
    if (search_report->options->trials > 1) {
        snprintf(heading + length, sizeof(heading) - (size_t)length, ", trial %llu",
                 (unsigned long long)row->trial);
    }
    report_table_row(&search_report->report, heading, cells);
    return report_failed(&search_report->report) == 0;
}

bool search_report_end(struct search_report *search_report, const struct search_totals *totals)
{
    report_table_end(&search_report->report);
    if (search_report->options->answers.all_shortest && search_report->inputs != NULL) {
        shortest_report_write(search_report);
    }
    if (search_report->options->trials > 1) {
        search_report_statistics(search_report, totals);
    }
    search_report_summary(search_report, totals);
    search_counters_summary(search_report->counters, &search_report->report);
    return report_close(&search_report->report);
}
