/*
 * answer_report.c - all shortest paths of a pair, and the nodes at each distance from one.
 */
#include "answer_report.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "bfs/run/answer_check.h"
#include <stdlib.h>

struct path_list {
    struct report *report;
    const struct graph *graph;
    bool is_complete;
};

static struct report_cell path_cell(const char *path)
{
    return (struct report_cell){{"path", "shortest paths", NULL, 0, 0}, report_text(path)};
}

static void emit_path(void *context, const uint32_t *nodes, uint32_t hops)
{
    struct path_list *list = context;
    char *text = answer_path_text(list->graph, nodes, hops);
    const struct report_cell cell = path_cell(text);
    report_table_row(list->report, NULL, &cell, 1);
    list->is_complete &= text != NULL;
    free(text);
}

bool shortest_paths_report(struct report *report, const struct graph *graph, struct pair pair,
                           uint64_t list_limit)
{
    struct path_list list = {report, graph, true};
    const struct report_cell cell = path_cell(NULL);
    struct distances distances;
    uint64_t count = 0;
    report->lines = true;
    report->blocks = false;
    report_table_begin(report, "shortest_paths", &cell, 1);
    bool known = distances_open(&distances, graph);
    if (known) {
        distances_find(&distances, pair.source);
        known = shortest_paths(&distances, pair.target, list_limit, emit_path, &list, &count);
        distances_close(&distances);
    }
    report_table_end(report);
    const struct report_field fields[] = {
        {"shortest_path_count",
         count == UINT64_MAX ? "shortest paths, at least" : "shortest paths in all",
         report_if(known, report_integer(count))},
    };
    report_section(report, "paths", NULL, fields, COUNT_OF(fields));
    return known && list.is_complete;
}

#define HISTOGRAM_CELLS 3

static void histogram_cells(struct report_cell cells[HISTOGRAM_CELLS], uint32_t hops, size_t nodes,
                            size_t nodes_so_far)
{
    cells[0] = (struct report_cell){{"hops", "hops", NULL, 6, 0}, report_integer(hops)};
    cells[1] = (struct report_cell){{"nodes", "nodes", NULL, 12, 0}, report_integer(nodes)};
    cells[2] =
        (struct report_cell){{"nodes_so_far", "so far", NULL, 12, 0}, report_integer(nodes_so_far)};
}

bool histogram_report(struct report *report, FILE *out, enum report_format format,
                      const struct graph *graph, uint32_t source)
{
    struct distances distances;
    char label[GRAPH_LABEL_SIZE];
    struct report_cell cells[HISTOGRAM_CELLS];
    if (!distances_open(&distances, graph)) {
        return false;
    }
    distances_find(&distances, source);
    report_open(report, out, format, "pointer-wars-histogram/1");
    histogram_cells(cells, 0, 0, 0);
    report_table_begin(report, "histogram", cells, HISTOGRAM_CELLS);
    for (size_t i = 0; i < distances.reached;) {
        size_t start = i;
        uint32_t hops = distances.hops[distances.order[i]];
        while (i < distances.reached && distances.hops[distances.order[i]] == hops) {
            i++;
        }
        histogram_cells(cells, hops, i - start, i);
        report_table_row(report, NULL, cells, HISTOGRAM_CELLS);
    }
    report_table_end(report);
    pw_assert(distances.reached <= graph_node_count(graph));
    const struct report_field fields[] = {
        {"from", "from", report_text(graph_label(graph, source, label))},
        {"reached", "nodes reached", report_integer(distances.reached)},
        {"not_reached", "nodes not reached",
         report_integer(graph_node_count(graph) - distances.reached)},
        {"around_hops", "hops back to itself",
         report_if(distances.around_hops != SEARCH_HOPS_NONE,
                   report_integer(distances.around_hops))},
    };
    report_section(report, "summary", NULL, fields, COUNT_OF(fields));
    distances_close(&distances);
    return true;
}
