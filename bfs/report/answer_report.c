/*
 * answer_report.c - all shortest paths of a pair, and the nodes at each distance from one.
 */
#include "answer_report.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/text/text_stream.h"
#include "bfs/engines/engines.h"
#include <errno.h>
#include <stdlib.h>

struct path_list {
    struct report *report;
    const struct graph *graph;
    bool is_complete;
};

static void emit_path(void *context, const uint32_t *nodes, uint32_t hops)
{
    struct path_list *list = context;
    const char **path = answer_path_labels(list->graph, nodes, hops);
    const struct report_cell cell = REPORT_DATA("path", report_array(path, (size_t)hops + 1));
    report_table_row(list->report, NULL, &cell, 1);
    list->is_complete &= path != NULL;
    free(path);
}

struct report_value path_count_value(const struct path_graph *paths)
{
    return paths == NULL                        ? report_unknown() /* the head of a table */
           : paths->count_at_most == UINT64_MAX ? report_text(paths->count)
                                                : report_integer(paths->count_at_most);
}

struct answer answer_asked(const struct inputs *inputs, struct pair pair)
{
    return (struct answer){.pair = pair,
                           .hops_back = SEARCH_HOPS_NONE,
                           .avoided = inputs->avoided,
                           .avoided_count = inputs->avoided_count};
}

bool shortest_paths_report(struct report *report, const struct inputs *inputs, struct pair pair,
                           uint64_t list_limit)
{
    const struct graph *graph = &inputs->graph;
    const struct answer asked = answer_asked(inputs, pair);
    struct path_list list = {report, graph, true};
    const struct report_cell cell = REPORT_DATA("path", report_unknown());
    struct path_graph paths;
    report_table_begin(report, "shortest_paths", &cell, 1);
    const bool known = answer_shortest_paths(graph, &asked, &paths) &&
                       path_graph_walk(&paths, list_limit, emit_path, &list);
    report_table_end(report);
    const struct report_field fields[] = {
        {"shortest_path_count", NULL, report_if(known, path_count_value(&paths))},
    };
    report_section(report, "paths", NULL, fields, COUNT_OF(fields));
    path_graph_free(&paths);
    return known && list.is_complete;
}

#define HISTOGRAM_CELLS 3

static void histogram_cells(struct report_cell cells[HISTOGRAM_CELLS], uint32_t hops, size_t nodes,
                            size_t nodes_so_far)
{
    cells[0] = REPORT_DATA("hops", report_integer(hops));
    cells[1] = REPORT_DATA("nodes", report_integer(nodes));
    cells[2] = REPORT_DATA("nodes_so_far", report_integer(nodes_so_far));
}

bool histogram_report(FILE *out, enum report_format format, const struct graph *graph,
                      uint32_t source)
{
    struct report report;
    struct distances distances;
    char label[GRAPH_LABEL_SIZE];
    struct report_cell cells[HISTOGRAM_CELLS];
    if (!distances_open(&distances, graph)) {
        errno = ENOMEM;
        return false;
    }
    distances_find(&distances, source);
    report_open(&report, out, format, "pointer-wars-histogram/1");
    histogram_cells(cells, 0, 0, 0);
    report_table_begin(&report, "histogram", cells, HISTOGRAM_CELLS);
    for (size_t i = 0, end; i < distances.reached; i = end) {
        end = distances_level_end(&distances, i);
        histogram_cells(cells, distances.hops[distances.order[i]], end - i, end);
        report_table_row(&report, NULL, cells, HISTOGRAM_CELLS);
    }
    report_table_end(&report);
    pw_assert(distances.reached <= graph_node_count(graph));
    const struct report_field fields[] = {
        {"from", NULL, report_text(graph_label(graph, source, label))},
        {"reached", NULL, report_integer(distances.reached)},
        {"not_reached", NULL, report_integer(graph_node_count(graph) - distances.reached)},
        {"around_hops", NULL,
         report_if(distances.around_hops != SEARCH_HOPS_NONE,
                   report_integer(distances.around_hops))},
    };
    report_section(&report, "summary", NULL, fields, COUNT_OF(fields));
    const bool done = report_close(&report);
    distances_close(&distances);
    errno = report_failed(&report);
    return done;
}

char *answer_in_words(const struct options *options, const struct inputs *inputs,
                      const struct search_row *row, unsigned columns)
{
    const struct answer_options *answers = &options->answers;
    const struct search_limits limits = {.timeout_ns = options->timeout_ns};
    const struct graph *graph = &inputs->graph;
    struct answer answer = answer_asked(inputs, row->pair);
    struct asker asker;
    struct command_error unused;
    answer.result = row->result;
    answer.path = row->path;
    answer.is_verified = answers->verify;
    char *words = NULL;
    size_t length = 0;
    FILE *out = text_stream_open(&words, &length);
    bool done = out != NULL;
    if (done && answers->all_shortest) {
        done = answer_write_all(out, graph, &answer, answers->list_limit, columns);
    } else if (done) {
        /* The details beside the path may be missing: no memory, or they took too long. */
        if (graph->in_offsets != NULL &&
            asker_open(&asker, graph, &bidirectional_engine, &limits, false)) {
            if (answer.avoided_count == 0 ||
                asker_avoid(&asker, answer.avoided, answer.avoided_count)) {
                asker_complete(&asker, &answer, &unused);
            }
            asker_close(&asker);
        }
        answer_write(out, graph, &answer, columns);
    }
    if (out != NULL && (fclose(out) != 0 || !done)) {
        free(words);
        words = NULL;
    }
    return words;
}
