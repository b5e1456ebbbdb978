/*
 * answer_report.c - all shortest paths of a pair, and the nodes at each distance from one.
 */
#include "answer_report.h"
#include "bfs/run/answer_check.h"
#include "perf/program/output.h"
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void emit_path(void *context, const uint32_t *nodes, uint32_t hops)
{
    struct search_report *search_report = context;
    struct answer_check words = {.graph = &search_report->inputs->graph};
    words.nodes = (uint32_t *)(uintptr_t)nodes; /* only read */
    char *text = answer_check_path_text(&words, hops);
    const struct report_value value = report_text(text);
    report_table_row(&search_report->report, NULL, &value);
    free(text);
}

void shortest_report_write(struct search_report *search_report)
{
    static const struct report_column columns[] = {{"path", "shortest paths", NULL, 0, 0}};
    const struct graph *graph = &search_report->inputs->graph;
    const struct pair pair = search_report->inputs->pairs.items[0];
    struct report *report = &search_report->report;
    struct distances distances;
    uint64_t count = 0;
    report->lines = true;
    report->blocks = false;
    report_table_begin(report, "shortest_paths", columns, COUNT_OF(columns));
    bool known = distances_open(&distances, graph);
    if (known) {
        distances_find(&distances, pair.source);
        known = shortest_paths(&distances, pair.target, search_report->options->answers.list_limit,
                               emit_path, search_report, &count);
        distances_close(&distances);
    }
    report_table_end(report);
    const struct report_field fields[] = {
        {"shortest_path_count",
         count == UINT64_MAX ? "shortest paths, at least" : "shortest paths in all",
         known ? report_integer(count) : report_unknown()},
    };
    report_section(report, "paths", NULL, fields, COUNT_OF(fields));
}

bool histogram_write(struct search_report *search_report, FILE *out, struct command_error *error)
{
    static const struct report_column columns[] = {
        {"hops", "hops", NULL, 6, 0},
        {"nodes", "nodes", NULL, 12, 0},
        {"nodes_so_far", "so far", NULL, 12, 0},
    };
    const struct graph *graph = &search_report->inputs->graph;
    const uint32_t source = search_report->inputs->pairs.items[0].source;
    struct report *report = &search_report->report;
    struct distances distances;
    char label[GRAPH_LABEL_SIZE];
    if (!distances_open(&distances, graph)) {
        return command_fail(error, "out of memory for the distances");
    }
    distances_find(&distances, source);
    report_open(report, out, search_report->options->format, "pointer-wars-histogram/1");
    report->lines = true;
    report_table_begin(report, "histogram", columns, COUNT_OF(columns));
    for (size_t i = 0; i < distances.reached;) {
        size_t begin = i;
        uint32_t hops = distances.hops[distances.order[i]];
        while (i < distances.reached && distances.hops[distances.order[i]] == hops) {
            i++;
        }
        const struct report_value values[] = {report_integer(hops), report_integer(i - begin),
                                              report_integer(i)};
        report_table_row(report, NULL, values);
    }
    report_table_end(report);
    const struct report_field fields[] = {
        {"from", "from", report_text(graph_label(graph, source, label))},
        {"reached", "nodes reached", report_integer(distances.reached)},
        {"not_reached", "nodes not reached",
         report_integer(graph_node_count(graph) - distances.reached)},
        {"around_hops", "hops back to itself",
         distances.around_hops != SEARCH_HOPS_NONE ? report_integer(distances.around_hops)
                                                   : report_unknown()},
    };
    report_section(report, "summary", NULL, fields, COUNT_OF(fields));
    distances_close(&distances);
    return report_close(report) ||
           output_fail(search_report->options->output, report_failed(report), error);
}
