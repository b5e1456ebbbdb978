/*
 * run_report.c - see run_report.h.
 */
#include "run_report.h"
#include "base/macros.h"
#include "base/text/text_stream.h"
#include "bfs/answers/answer.h"
#include "bfs/pwgraph/pwgraph_hold.h"
#include "bfs/run/answer_check.h"
#include "build_info.h"
#include "counters/resources.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CELLS (SEARCH_ROW_CELLS + 2)

static const char *const engine_names[] = {SEARCH_ENGINE_NAMES};

/* The cells of a search: bfs's, the path, and how many searches shared the pass. labels: of the
 * nodes of the path, and line: all of them; NULL: there is no path. */
static size_t search_cells(const struct run_report *shown, const struct search_row *row,
                           const char *line, size_t together, struct search_row_texts *texts,
                           struct report_cell cells[CELLS])
{
    size_t count = SEARCH_ROW_CELLS;
    search_row_cells(&shown->look, row, false, texts, cells);
    if (shown->run->path) {
        cells[count++] =
            (struct report_cell){{"path", "path", NULL, REPORT_BELOW, 0},
                                 shown->format == REPORT_FORMAT_JSON
                                     ? report_array(row->path, (size_t)row->result.hops + 1)
                                     : report_text(line)};
    }
    cells[count++] = REPORT_DATA("pass_searches", report_integer(together));
    return count;
}

/* The answer to the only search, in the words of bfs. */
static void write_answer(const struct run_report *shown, const struct search_row *row)
{
    const struct search_result *result = &row->result;
    const struct answer answer = {.question = {row->pair.source, row->pair.target},
                                  .found = result->found,
                                  .hops = result->hops,
                                  .counts = {.nanoseconds = result->elapsed_ns},
                                  .path = row->path,
                                  .hops_back = PWGRAPH_NONE};
    struct pwgraph *nodes = pwgraph_hold(&shown->run->graph->nodes, NULL, NULL);
    if (nodes != NULL && result->status == SEARCH_DONE && (!result->found || row->path != NULL)) {
        answer_write(shown->out, nodes, &answer, text_columns_if_read(shown->out));
    }
    pwgraph_free(nodes);
}

static bool show_row(void *context, size_t index, const struct search_result *result,
                     const uint32_t *path, size_t together)
{
    struct run_report *shown = context;
    struct report_cell cells[CELLS];
    struct search_row_texts texts;
    struct search_row row = {.trial = 1,
                             .position = index,
                             .search = index + 1,
                             .pair = shown->run->pairs[index],
                             .result = *result};
    row.path =
        path != NULL ? answer_path_labels(&shown->run->graph->nodes, path, result->hops) : NULL;
    search_totals_add(&shown->totals, &row);
    shown->is_shared |= together > 1;
    if (shown->in_words) {
        write_answer(shown, &row);
    } else {
        char *line = row.path != NULL ? text_path(row.path, (size_t)result->hops + 1) : NULL;
        const size_t count = search_cells(shown, &row, line, together, &texts, cells);
        report_table_row(&shown->report, NULL, cells, count);
        free(line);
    }
    free(row.path);
    return report_failed(&shown->report) == 0;
}

static void show_context(struct run_report *shown)
{
    const struct search_run *run = shown->run;
    const struct mpi_graph *graph = run->graph;
    const uint64_t timeout_ns = run->limits.timeout_ns;
    char checksum[17];
    snprintf(checksum, sizeof(checksum), "%016" PRIx64, graph->checksum);
    const struct report_field fields[] = {
        PROGRAM_FIELDS(shown->program),
        COMPILER_FIELDS,
        MACHINE_FIELDS,
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
    static const struct search_row any_row;
    const struct search_run *run = shown->run;
    struct report_cell cells[CELLS];
    struct search_row_texts texts;
    report_open(&shown->report, shown->out, shown->format, "pointer-wars-bfs/1");
    if (shown->in_words) {
        return;
    }
    show_context(shown);
    shown->report.lines = !shown->quiet;
    shown->look = (struct search_row_look){.graph = &run->graph->nodes};
    search_row_measure(&shown->look, run->pairs, NULL, run->pair_count, run->graph->edge_count);
    const size_t count = search_cells(shown, &any_row, NULL, 1, &texts, cells);
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
            {{"nodes", "frontier", NULL, shown->look.count_width, 0}, report_integer(cost->nodes)},
            {{"edges", "edges", NULL, shown->look.count_width, 0}, report_integer(cost->edges)},
            {{"seconds", "time", NULL, SEARCH_ROW_TIME, 0}, report_seconds(cost->elapsed_ns)},
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
    const uint64_t peak = resources_peak_rss_bytes();
    struct level_cost all = {0};
    for (size_t i = 0; i < run->level_count; i++) {
        all.bytes += run->levels[i].bytes;
        all.messages += run->levels[i].messages;
        all.edges += run->levels[i].edges;
        all.edges_max += run->levels[i].edges_max;
    }
    const struct report_field times[] = {
        {"load_seconds", "loading", report_seconds(shown->load_ns)},
        {"setup_seconds", NULL, report_seconds(run->setup_ns)},
        {"search_seconds", "wall time of the searches", report_seconds(totals->elapsed_ns)},
        {"run_seconds", "wall time of the run", report_seconds(run->wall_ns)},
    };
    const struct report_field costs[] = {
        {"peak_rss_bytes", label_if(peak > 0, "peak memory of rank 0"),
         report_if(peak > 0, report_bytes(peak))},
        {"bytes", "sent between ranks", report_bytes(all.bytes)},
        {"messages", "messages between ranks", report_integer(all.messages)},
        {"imbalance", "imbalance of the ranks", imbalance(run, &all)},
    };
    struct report_field
        fields[1 + SEARCH_ENDED_FIELDS + COUNT_OF(times) + SEARCH_COUNT_FIELDS + COUNT_OF(costs)];
    struct report_field *next = fields;
    *next++ = (struct report_field){"status", "run", report_text(status[end])};
    search_ended_fields(totals, next);
    next = memcpy(next + SEARCH_ENDED_FIELDS, times, sizeof(times));
    search_count_fields(totals, shown->is_shared, next + COUNT_OF(times));
    memcpy(next + COUNT_OF(times) + SEARCH_COUNT_FIELDS, costs, sizeof(costs));
    report_section(&shown->report, "summary", "Summary", fields, COUNT_OF(fields));
}

static void finish(struct run_report *shown, enum run_outcome end)
{
    shown->report.footnote = shown->is_shared ? "Times are shares: up to 64 searches went on at "
                                                "once, and each has its part of it."
                                              : NULL;
    report_table_end(&shown->report);
    show_levels(shown);
    show_summary(shown, end);
}

enum run_outcome run_report(struct run_report *run_report, struct search_run *run, bool *written)
{
    const bool is_writer = run->graph->partition.rank == 0;
    run->row = show_row;
    run->context = run_report;
    run_report->run = run;
    run_report->totals = (struct search_totals){0};
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
