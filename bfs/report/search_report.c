/*
 * search_report.c - the table of searches.
 */
#include "search_report.h"
#include "answer_report.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/text/text_stream.h"
#include "bfs/answers/answer_fields.h"
#include "bfs/run/answer_check.h"
#include "counter_report.h"
#include "data/graph/graph_origin.h"
#include "search_context.h"
#include "search_summary.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEARCH_CELLS_MAX (COUNTER_CELLS_MAX + 28)

/* Columns for nodes that are not known before their rows. */
#define NAME_WIDTH 20
#define ID_WIDTH   9

/* The texts that the cells of a row point to. */
struct row_texts {
    struct search_row_texts row;
    char *path;      /* "a -> b", in text and CSV */
    uint32_t *pages; /* the ids of its pages */
};

static void free_texts(struct row_texts *texts)
{
    free(texts->path);
    free(texts->pages);
}

/* The number of all shortest paths; NULL: not known, as in the head of a table. */
static struct report_value path_count_value(const struct pwgraph_paths *paths)
{
    return paths == NULL ? report_unknown() : answer_path_count(paths->count_at_most, paths->count);
}

/* The page of a node; 0 if it is not known. */
static uint32_t page_of(const struct graph *graph, uint32_t node)
{
    return graph_page(graph, graph_original_id(graph, node));
}

static bool has_pages(const struct graph *graph)
{
    return graph->names != NULL && graph->origin != NULL && graph->origin->page_ids != NULL;
}

/* The pages of a path, for free(3). NULL when out of memory. */
static uint32_t *path_pages(const struct graph *graph, const struct search_row *row)
{
    const size_t count = (size_t)row->result.hops + 1;
    uint32_t *pages = malloc(count * sizeof(*pages));
    for (size_t i = 0; pages != NULL && i < count; i++) {
        pages[i] = page_of(graph, row->nodes[i]);
    }
    return pages;
}

/* What a row has of the answer's details: the path, the pages. Returns how many cells. */
static size_t answer_cells(const struct search_report *search_report, const struct search_row *row,
                           struct row_texts *texts, struct report_cell *cells)
{
    const struct answer_options *answers = &search_report->options->answers;
    const enum report_format format = search_report->options->report.format;
    /* In text the answer to one question has its path in words. */
    const bool has_path = answers->path && (format != REPORT_FORMAT_TEXT || answers->to == NULL);
    const size_t together = search_report_pass_searches(search_report);
    const struct graph *graph = &search_report->inputs->graph;
    size_t cell_count = 0;
    if (answers->all_shortest && format == REPORT_FORMAT_CSV) { /* a line per path */
        cells[cell_count++] =
            REPORT_DATA("shortest_path_count", path_count_value(search_report->paths));
    }
    if (has_path) {
        const size_t nodes = (size_t)row->result.hops + 1;
        texts->path =
            row->path != NULL && format != REPORT_FORMAT_JSON ? text_path(row->path, nodes) : NULL;
        cells[cell_count++] =
            (struct report_cell){{"path", "path", "path", REPORT_BELOW, 0},
                                 format == REPORT_FORMAT_JSON ? report_array(row->path, nodes)
                                                              : report_text(texts->path)};
    }
    if (has_path && format != REPORT_FORMAT_TEXT && has_pages(graph)) {
        texts->pages = row->nodes != NULL ? path_pages(graph, row) : NULL;
        cells[cell_count++] =
            REPORT_DATA("page_ids", report_ids(texts->pages, (size_t)row->result.hops + 1));
    }
    const struct pairs *pairs = &search_report->inputs->pairs;
    const bool has_notes = pairs->note_count > 0 || search_report->inputs->stream != NULL;
    for (unsigned side = 0; has_notes && side < 2; side++) {
        cells[cell_count++] = REPORT_DATA(side == 0 ? "source_note" : "target_note",
                                          report_text(pairs_note(pairs, row->search - 1, side)));
    }
    cells[cell_count++] = (struct report_cell){
        {"pass_searches", NULL, together > 1 ? "searches of the pass" : NULL, 0, 0},
        report_integer(together)};
    if (has_pages(graph)) {
        cells[cell_count++] =
            REPORT_DATA("source_page_id", report_id(page_of(graph, row->pair.source)));
        cells[cell_count++] =
            REPORT_DATA("target_page_id", report_id(page_of(graph, row->pair.target)));
    }
    return cell_count;
}

/* The row of a search. */
static size_t search_cells(const struct search_report *search_report, const struct search_row *row,
                           struct row_texts *texts, struct report_cell cells[SEARCH_CELLS_MAX])
{
    size_t cell_count = SEARCH_ROW_CELLS;
    search_row_cells(&search_report->lines.look, row,
                     region_counters_disturbed(search_report->counters), &texts->row, cells);
    cell_count += counter_report_cells(search_report->counters,
                                       search_report_is_alone(search_report), cells + cell_count);
    cell_count += answer_cells(search_report, row, texts, cells + cell_count);
    pw_assert(cell_count <= SEARCH_CELLS_MAX);
    return cell_count;
}

void search_report_begin(struct search_report *search_report, FILE *out)
{
    static const struct search_row any_row;
    struct report *report = &search_report->report;
    const struct options *options = search_report->options;
    struct report_cell cells[SEARCH_CELLS_MAX];
    struct row_texts texts = {.path = NULL};
    const struct inputs *inputs = search_report->inputs;
    report_open(report, out, options->report.format, "pointer-wars-bfs/1");
    search_report_context(search_report);
    report->lines = !options->report.quiet;
    report->blocks = !options->report.quiet && options->report.verbose;
    search_report->lines.look =
        (struct search_row_look){.graph = &inputs->graph,
                                 .has_trials = options->trials > 1,
                                 .has_list = search_report_uses_list(search_report),
                                 .sees_calls = search_report_sees_calls(search_report)};
    search_row_measure(&search_report->lines.look, inputs->pairs.items, search_report->numbers,
                       search_report->search_count, inputs->graph.edge_count);
    if (inputs->stream != NULL) {
        const unsigned width = inputs->graph.names != NULL ? REPORT_LEFT + NAME_WIDTH : ID_WIDTH;
        search_report->lines.look.source_width = search_report->lines.look.target_width = width;
    }
    size_t count = search_cells(search_report, &any_row, &texts, cells);
    report_table_begin(report, "searches", cells, count);
}

/* As much of a name as fits a heading: whole characters. */
static int bytes_in_heading(const char *name)
{
    const size_t bytes = text_fitting(name, 40);
    return bytes < 80 ? (int)bytes : 80;
}

static void write_row(struct search_report *search_report, const struct search_row *row)
{
    const struct graph *graph = &search_report->inputs->graph;
    struct report_cell cells[SEARCH_CELLS_MAX];
    struct row_texts texts = {.path = NULL};
    char heading[256];
    const struct report *report = &search_report->report;
    if (report->format == REPORT_FORMAT_TEXT && !report->lines && !report->blocks) {
        return; /* making the cells takes as long as a short search */
    }
    size_t count = search_cells(search_report, row, &texts, cells);
    const char *from = graph_label(graph, row->pair.source, texts.row.source);
    const char *to = graph_label(graph, row->pair.target, texts.row.target);
    int length = snprintf(heading, sizeof(heading), "(%zu / %zu) search %zu: from %.*s to %.*s",
                          row->position + 1, search_report->search_count, row->search,
                          bytes_in_heading(from), from, bytes_in_heading(to), to);
    if (search_report->options->trials > 1) {
        snprintf(heading + length, sizeof(heading) - (size_t)length, ", trial %llu",
                 (unsigned long long)row->trial);
    }
    report_table_row(&search_report->report, heading, cells, count);
    search_report->paths_missing |= row->path != NULL && texts.path == NULL &&
                                    search_report->options->report.format == REPORT_FORMAT_CSV;
    search_report->paths_missing |= row->nodes != NULL && texts.pages == NULL &&
                                    report->format != REPORT_FORMAT_TEXT && has_pages(graph);
    free_texts(&texts);
}

/* A row of CSV for each of all shortest paths. */
struct path_row {
    struct search_report *report;
    const struct search_row *row;
};

static bool write_path_row(void *context, const uint32_t *nodes, uint32_t hops)
{
    const struct path_row *path_row = context;
    struct search_report *search_report = path_row->report;
    struct search_row row = *path_row->row;
    const size_t bytes = ((size_t)hops + 1) * sizeof(*nodes);
    row.path = answer_path_labels(&search_report->inputs->graph, nodes, hops);
    row.nodes = malloc(bytes);
    if (row.nodes != NULL) {
        memcpy(row.nodes, nodes, bytes);
    }
    search_report->paths_missing |= row.path == NULL || row.nodes == NULL;
    write_row(search_report, &row);
    free(row.path);
    free(row.nodes);
    return true;
}

bool search_report_row(struct search_report *search_report, const struct search_row *row)
{
    const struct options *options = search_report->options;
    const struct answer_options *answers = &options->answers;
    const struct inputs *inputs = search_report->inputs;
    struct pwgraph_paths *paths = NULL;
    if (answers->all_shortest && options->report.format == REPORT_FORMAT_CSV && row->result.found) {
        struct path_row path_row = {search_report, row};
        search_report->paths = paths = answer_paths_of_row(inputs, row);
        search_report->paths_missing |=
            paths == NULL ||
            !pwgraph_paths_walk(paths, answers->list_limit, write_path_row, &path_row);
    }
    if (paths == NULL || answers->list_limit == 0) {
        write_row(search_report, row);
    }
    search_report->paths = NULL;
    pwgraph_paths_free(paths);
    if (answers->to != NULL && options->report.format != REPORT_FORMAT_CSV &&
        row->trial == options->trials && row->result.status == SEARCH_DONE) {
        search_report->answer =
            answer_of_row(options, inputs, row, text_columns_if_read(search_report->report.out));
        search_report->paths_missing |= search_report->answer == NULL;
    }
    return report_failed(&search_report->report) == 0;
}

/* The notes that apply, for a reader of the lines of text. */
static const char *footnote(struct search_report *search_report)
{
    char searches[TEXT_FORM_SIZE];
    const size_t together = search_report_pass_searches(search_report);
    const uint64_t disturbed = search_report->counters->disturbed;
    const size_t size = sizeof(search_report->lines.footnote);
    search_report->lines.footnote[0] = '\0';
    if (together > 1) {
        snprintf(search_report->lines.footnote, size,
                 "Times and counts are shares: one pass answered all %s searches, and each has its "
                 "part of it.",
                 text_count(searches, together));
    } else if (disturbed > 0) {
        snprintf(search_report->lines.footnote, size,
                 "* a context switch fell into the measured time (%s search%s)",
                 text_count(searches, disturbed), disturbed == 1 ? "" : "es");
    }
    return search_report->lines.footnote[0] != '\0' ? search_report->lines.footnote : NULL;
}

bool search_report_end(struct search_report *search_report, const struct search_totals *totals)
{
    struct report *report = &search_report->report;
    report->footnote = footnote(search_report);
    report_table_end(report);
    if (search_report->paths_missing && report->format == REPORT_FORMAT_JSON) {
        search_report->status = "failed";
    }
    search_report_summary(search_report, totals);
    counter_report_summary(search_report->counters, search_report_is_alone(search_report),
                           search_report->options->report.verbose, report);
    if (report->format == REPORT_FORMAT_TEXT && search_report->answer != NULL) {
        fprintf(report->out, "\n%s", search_report->answer);
    } else if (search_report->options->answers.to != NULL) {
        report_json(report, "answer",
                    search_report->answer != NULL ? search_report->answer : "null");
    }
    free(search_report->answer);
    search_report->answer = NULL;
    return report_close(report);
}
