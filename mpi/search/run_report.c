/*
 * run_report.c - see run_report.h.
 */
#include "run_report.h"
#include "base/macros.h"
#include "base/text/text_stream.h"
#include "bfs/answers/answer.h"
#include "bfs/report/search_words.h"
#include "build_info.h"
#include "counters/resources.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TIME_WIDTH 7
#define CELLS      18

static const char *const engine_names[] = {SEARCH_ENGINE_NAMES};

/* What a node is called: its name, or its id. */
static const char *label_of(const struct run_report *shown, uint32_t node,
                            char text[GRAPH_LABEL_SIZE])
{
    return graph_label(&shown->run->graph->nodes, node, text);
}

/* The labels of a path, one per node, and for text and CSV all in a line, "a -> b". */
struct path_texts {
    const char **texts; /* for free(3); NULL: the path is left out */
    char *line;
};

#define ID_SIZE 16

static void path_texts_make(struct path_texts *made, const struct run_report *shown,
                            const uint32_t *path, size_t count)
{
    char *at, label[GRAPH_LABEL_SIZE];
    size_t length;
    made->texts = malloc(count * (sizeof(*made->texts) + ID_SIZE));
    if (made->texts == NULL) {
        return;
    }
    at = (char *)(made->texts + count);
    for (size_t i = 0; i < count; i++, at += ID_SIZE) {
        made->texts[i] = label_of(shown, path[i], label);
        if (made->texts[i] == label) {
            made->texts[i] = at;
            snprintf(at, ID_SIZE, "%.15s", label);
        }
    }
    FILE *out = text_stream_open(&made->line, &length);
    for (size_t i = 0; out != NULL && i < count; i++) {
        fprintf(out, "%s%s", i > 0 ? " -> " : "", made->texts[i]);
    }
    if (out != NULL) {
        fclose(out);
    }
}

static void path_texts_free(struct path_texts *made)
{
    free(made->texts);
    free(made->line);
}

/* A node of a pair; text: room for its label. */
static struct report_value node_value(const struct run_report *shown, uint32_t node,
                                      char text[GRAPH_LABEL_SIZE])
{
    return shown->run->graph->nodes.names != NULL ? report_text(label_of(shown, node, text))
                                                  : report_id(node);
}

/* The texts that the cells of a row point to. */
struct row_texts {
    char source[GRAPH_LABEL_SIZE], target[GRAPH_LABEL_SIZE], outcome[OUTCOME_SIZE];
    struct path_texts path;
};

/* The cells of a search, with the names and the order of bfs. */
static size_t search_cells(const struct run_report *shown, size_t index,
                           const struct search_result *result, size_t together,
                           struct row_texts *texts, struct report_cell cells[CELLS])
{
    const struct pair *pair = &shown->run->pairs[index];
    const bool is_done = result->status == SEARCH_DONE;
    search_outcome(texts->outcome, result, false);
    const unsigned count = shown->count_width;
    const struct report_cell all[] = {
        REPORT_DATA("trial", report_id(1)),
        {{"search", "search", NULL, 6, 0}, report_id(index + 1)},
        {{"source", "source", NULL, shown->source_width, 0},
         node_value(shown, pair->source, texts->source)},
        {{"target", "target", NULL, shown->target_width, 0},
         node_value(shown, pair->target, texts->target)},
        {{NULL, "outcome", NULL, REPORT_LEFT + OUTCOME_WIDTH, 0}, report_text(texts->outcome)},
        REPORT_DATA("found", report_if(is_done, report_integer(result->found))),
        REPORT_DATA("hops", report_if(is_done && result->found, report_integer(result->hops))),
        {{"visited", "visited", NULL, count, 0}, report_integer(result->visited)},
        REPORT_DATA("expanded", report_integer(result->expanded)),
        {{"pushed", "pushed", NULL, count, 0}, report_count(result->pushed)},
        REPORT_DATA("peak_queue", report_count(result->peak_queue)),
        {{"seconds", "time", NULL, TIME_WIDTH, 0}, report_seconds(result->elapsed_ns)},
        {{"nodes_per_second", "nodes/s", NULL, TIME_WIDTH, REPORT_SHORT},
         report_rate(result->visited, result->elapsed_ns)},
        REPORT_DATA("malloc_calls", report_unknown()),
        REPORT_DATA("free_calls", report_unknown()),
        REPORT_DATA("status", report_text(search_status_name(result->status))),
    };
    memcpy(cells, all, sizeof(all));
    size_t cell_count = COUNT_OF(all);
    if (shown->run->path) {
        const struct path_texts *path = &texts->path;
        cells[cell_count++] =
            (struct report_cell){{"path", "path", NULL, REPORT_BELOW, 0},
                                 shown->format == REPORT_FORMAT_JSON && path->texts != NULL
                                     ? report_array(path->texts, (size_t)result->hops + 1)
                                     : report_text(path->line)};
    }
    cells[cell_count++] = REPORT_DATA("pass_searches", report_integer(together));
    return cell_count;
}

/* The answer to the only search, in the words of bfs. */
static void write_answer(const struct run_report *shown, const struct search_result *result,
                         const struct path_texts *path)
{
    const struct answer answer = {.pair = shown->run->pairs[0],
                                  .result = *result,
                                  .path = path->texts,
                                  .hops_back = SEARCH_HOPS_NONE};
    if (result->status == SEARCH_DONE && (!result->found || path->texts != NULL)) {
        answer_write(shown->out, &shown->run->graph->nodes, &answer,
                     text_columns_if_read(shown->out));
    }
}

static bool show_row(void *context, size_t index, const struct search_result *result,
                     const uint32_t *path, size_t together)
{
    struct run_report *shown = context;
    struct report_cell cells[CELLS];
    struct row_texts texts = {.path = {.texts = NULL}};
    if (path != NULL) {
        path_texts_make(&texts.path, shown, path, (size_t)result->hops + 1);
    }
    search_totals_add(&shown->totals,
                      &(struct search_row){.trial = 1, .position = index, .result = *result});
    shown->is_shared |= together > 1;
    if (shown->in_words) {
        write_answer(shown, result, &texts.path);
    } else {
        const size_t count = search_cells(shown, index, result, together, &texts, cells);
        report_table_row(&shown->report, NULL, cells, count);
    }
    path_texts_free(&texts.path);
    return report_failed(&shown->report) == 0;
}

/* The column of the sources or targets: as wide as the widest label; names are left-aligned. */
static unsigned node_width(const struct run_report *shown, bool targets)
{
    const struct search_run *run = shown->run;
    size_t widest = 1;
    for (size_t i = 0; i < run->pair_count; i++) {
        char label[GRAPH_LABEL_SIZE];
        const uint32_t node = targets ? run->pairs[i].target : run->pairs[i].source;
        const size_t width = text_width(label_of(shown, node, label));
        widest = width > widest ? width : widest;
    }
    return (unsigned)widest + (run->graph->nodes.names != NULL ? REPORT_LEFT : 0);
}

static void show_context(struct run_report *shown)
{
    const struct search_run *run = shown->run;
    const struct mpi_graph *graph = run->graph;
    const uint64_t timeout_ns = run->limits.timeout_ns;
    char checksum[17];
    snprintf(checksum, sizeof(checksum), "%016" PRIx64, graph->checksum);
    const struct report_field fields[] = {
        {"program", NULL, report_text(shown->program)},
        {"program_version", NULL, report_text(BUILD_VERSION)},
        {"compiler", NULL, report_text(BUILD_COMPILER)},
        {"compiler_flags", NULL, report_text(BUILD_FLAGS)},
        {"cpu", NULL, report_text(resources_cpu())},
        {"kernel", NULL, report_text(resources_kernel())},
        {"graph.name", "graph", report_text(shown->graph_name)},
        {"graph.nodes", "nodes",
         report_integer(graph->partition.node_limit - graph->partition.first_node)},
        {"graph.edges", "edges", report_integer(graph->edge_count)},
        {"graph.checksum", NULL, report_text(graph->checksum != 0 ? checksum : NULL)},
        {"pairs.name", shown->pairs_name != NULL ? "pairs" : NULL, report_text(shown->pairs_name)},
        {"pairs.count", NULL, report_integer(run->pair_count)},
        {"pairs.selected", "searches", report_integer(run->pair_count)},
        {"engine", "engine", report_text(engine_names[run->engine])},
        {"ranks", "ranks", report_integer((uint64_t)graph->partition.ranks)},
        {"threads", run->threads > 1 ? "threads of each rank" : NULL, report_integer(run->threads)},
        {"partition", "nodes of a rank",
         report_text(graph->partition.dealt ? "dealt, 64 at a time" : "a block of ids")},
        {"rank_bytes", shown->rank_bytes > 0 ? "memory of a rank" : NULL,
         report_if(shown->rank_bytes > 0, report_bytes(shown->rank_bytes))},
        {"timeout_seconds", timeout_ns > 0 ? "timeout" : NULL,
         report_if(timeout_ns > 0, report_seconds(timeout_ns))},
    };
    if (shown->format != REPORT_FORMAT_TEXT || !shown->quiet) {
        report_section(&shown->report, "context", NULL, fields, COUNT_OF(fields));
        if (shown->format == REPORT_FORMAT_TEXT) {
            fputc('\n', shown->out);
        }
    }
}

static void begin(struct run_report *shown)
{
    static const char *const expendable[] = {"pushed", "nodes_per_second", NULL};
    static const struct search_result none;
    struct report_cell cells[CELLS];
    struct row_texts texts = {.path = {.texts = NULL}};
    char most[TEXT_FORM_SIZE];
    report_open(&shown->report, shown->out, shown->format, "pointer-wars-bfs/1");
    if (shown->in_words) {
        return;
    }
    show_context(shown);
    shown->report.lines = !shown->quiet;
    shown->report.expendable = expendable;
    shown->report.elsewhere = "--format=csv has them";
    shown->source_width = node_width(shown, false);
    shown->target_width = node_width(shown, true);
    shown->count_width = (unsigned)strlen(text_count(most, shown->run->graph->edge_count));
    const size_t count = search_cells(shown, 0, &none, 1, &texts, cells);
    report_table_begin(&shown->report, "searches", cells, count);
}

/* The most that a rank did, over the mean: 1 is even. */
static struct report_value imbalance(const struct search_run *run, const struct level_cost *cost)
{
    const double mean = (double)cost->edges / run->graph->partition.ranks;
    return report_if(cost->edges > 0, report_real((double)cost->edges_max / mean, 3));
}

/* The costs of the levels (of pairs in flight: of the rounds), over all searches. */
static void show_levels(struct run_report *shown)
{
    const struct search_run *run = shown->run;
    for (size_t i = 0; i <= run->level_count; i++) {
        const struct level_cost *cost = &run->levels[i > 0 ? i - 1 : 0];
        const struct report_cell cells[] = {
            {{"level", run->engine == SEARCH_BY_BIDIRECTIONAL ? "round" : "level", NULL, 5, 0},
             report_id(i)},
            {{"searches", "searches", NULL, 8, 0},
             report_integer(run->level_searches[i > 0 ? i - 1 : 0])},
            {{"bottom_up", run->engine == SEARCH_BY_LEVELS ? "bottom up" : NULL, NULL, 9, 0},
             report_integer(cost->bottom_up)},
            {{"nodes", "frontier", NULL, shown->count_width, 0}, report_integer(cost->nodes)},
            {{"edges", "edges", NULL, shown->count_width, 0}, report_integer(cost->edges)},
            {{"seconds", "time", NULL, TIME_WIDTH, 0}, report_seconds(cost->elapsed_ns)},
            {{"bytes", "sent", NULL, 9, 0}, report_bytes(cost->bytes)},
            REPORT_DATA("bytes_max", report_bytes(cost->bytes_max)),
            {{"messages", "messages", NULL, 8, 0}, report_integer(cost->messages)},
            {{"imbalance", "imbalance", NULL, 9, 2}, imbalance(run, cost)},
        };
        if (i == 0) {
            report_table_begin(&shown->report, "levels", cells, COUNT_OF(cells));
        } else {
            report_table_row(&shown->report, NULL, cells, COUNT_OF(cells));
        }
    }
    report_table_end(&shown->report);
}

static void show_summary(struct run_report *shown, enum run_outcome end)
{
    static const char *const status[] = {[RUN_COMPLETE] = "complete",
                                         [RUN_INTERRUPTED] = "interrupted",
                                         [RUN_STOPPED] = "failed",
                                         [RUN_NO_MEMORY] = "failed"};
    const struct search_run *run = shown->run;
    const struct search_totals *totals = &shown->totals;
    const uint64_t *ended = totals->ended;
    const uint64_t peak = resources_peak_rss_bytes();
    struct level_cost all = {0};
    for (size_t i = 0; i < run->level_count; i++) {
        all.bytes += run->levels[i].bytes;
        all.messages += run->levels[i].messages;
        all.edges += run->levels[i].edges;
        all.edges_max += run->levels[i].edges_max;
    }
    const struct report_field fields[] = {
        {"status", "run", report_text(status[end])},
        {"searches", "searches", report_integer(totals->rows)},
        {"found", "found", report_integer(totals->found)},
        {"not_found", "not found", report_integer(ended[SEARCH_DONE] - totals->found)},
        {"timed_out", ended[SEARCH_TIMED_OUT] > 0 ? "timed out" : NULL,
         report_integer(ended[SEARCH_TIMED_OUT])},
        {"cancelled", ended[SEARCH_CANCELLED] > 0 ? "cancelled" : NULL,
         report_integer(ended[SEARCH_CANCELLED])},
        {"no_memory", ended[SEARCH_NO_MEMORY] > 0 ? "out of memory" : NULL,
         report_integer(ended[SEARCH_NO_MEMORY])},
        {"load_seconds", "loading", report_seconds(shown->load_ns)},
        {"setup_seconds", NULL, report_seconds(run->setup_ns)},
        {"search_seconds", "wall time of the searches", report_seconds(totals->elapsed_ns)},
        {"run_seconds", "wall time of the run", report_seconds(run->wall_ns)},
        {"nodes_per_second_max",
         totals->rate_max > 0 && !shown->is_shared ? "highest nodes/s" : NULL,
         report_if(totals->rate_max > 0, report_decimal(totals->rate_max, 3))},
        {"nodes_per_second", totals->rate_max > 0 ? "overall nodes/s" : NULL,
         report_rate(totals->visited, totals->elapsed_ns)},
        {"visited", "nodes visited", report_integer(totals->visited)},
        {"expanded", "nodes expanded", report_integer(totals->expanded)},
        {"pushed", totals->pushed > 0 ? "queue pushes" : NULL, report_integer(totals->pushed)},
        {"peak_queue_max", totals->peak_queue_max > 0 ? "highest queue peak" : NULL,
         report_integer(totals->peak_queue_max)},
        {"peak_rss_bytes", peak > 0 ? "peak memory of rank 0" : NULL,
         report_if(peak > 0, report_bytes(peak))},
        {"bytes", "sent between ranks", report_bytes(all.bytes)},
        {"messages", "messages between ranks", report_integer(all.messages)},
        {"imbalance", "imbalance of the ranks", imbalance(run, &all)},
    };
    report_section(&shown->report, "summary", "Summary", fields, COUNT_OF(fields));
}

static void finish(struct run_report *shown, enum run_outcome end)
{
    shown->report.footnote = shown->is_shared ? "Times are shares: up to 64 searches went on at "
                                                "once, and each has its part of it."
                                              : NULL;
    report_table_end(&shown->report);
    shown->report.expendable = NULL;
    show_levels(shown);
    show_summary(shown, end);
}

enum run_outcome run_report(struct run_report *run_report, struct search_run *run, bool *written)
{
    const bool is_writer = run->graph->partition.rank == 0;
    run->row = show_row;
    run->context = run_report;
    run_report->run = run;
    /* Of one trial they take no memory. */
    search_totals_create(&run_report->totals, run->pair_count, 1);
    if (is_writer) {
        begin(run_report);
    }
    const enum run_outcome end = search_run(run);
    *written = true;
    if (is_writer && !run_report->in_words) {
        finish(run_report, end);
    }
    if (is_writer) {
        *written = report_close(&run_report->report);
    }
    return end;
}
