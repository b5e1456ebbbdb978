/*
 * graph_stats.c - one pass for degrees, graph_components for components.
 */
#include "graph_stats.h"
#include "graph_components.h"
#include <stdlib.h>
#include <string.h>

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static unsigned degree_class(uint64_t degree)
{
    unsigned bits = degree ? 64 - (unsigned)__builtin_clzll(degree) : 0;
    return bits < GRAPH_DEGREE_CLASSES ? bits : GRAPH_DEGREE_CLASSES - 1;
}

bool graph_stats_degrees(const struct graph *graph, struct graph_stats *stats)
{
    size_t limit = graph->node_limit;
    uint64_t *in_degrees = calloc(limit + 1, sizeof(*in_degrees));
    uint32_t *last_row =
        calloc(limit + 1, sizeof(*last_row)); /* the node + 1 whose list held it last */
    bool done = in_degrees != NULL && last_row != NULL;
    for (uint32_t u = graph->first_node; done && u < limit; u++) {
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            uint32_t v = graph->neighbours[i];
            in_degrees[v]++;
            stats->self_loops += v == u;
            stats->duplicates += last_row[v] == u + 1;
            last_row[v] = u + 1;
        }
    }
    for (uint32_t u = graph->first_node; done && u < limit; u++) {
        uint64_t out = graph_out_degree(graph, u), in = in_degrees[u];
        stats->out_degree_max = larger(stats->out_degree_max, out);
        stats->in_degree_max = larger(stats->in_degree_max, in);
        stats->out_degrees[degree_class(out)]++;
        stats->in_degrees[degree_class(in)]++;
        stats->sources += in == 0;
        stats->sinks += out == 0;
        stats->isolated += in == 0 && out == 0;
    }
    free(in_degrees);
    free(last_row);
    return done;
}

/* Count the components, and the nodes of the largest. False when out of memory. */
static bool collect_components(const struct graph *graph, enum graph_connection connection,
                               uint64_t *largest, uint64_t *found)
{
    uint32_t count = 0;
    uint32_t *components = calloc((size_t)graph->node_limit + 1, sizeof(*components));
    bool done = components != NULL && graph_components(graph, connection, components, &count,
                                                       NULL) == GRAPH_COMPONENTS_DONE;
    uint32_t *sizes = done ? calloc((size_t)count + 1, sizeof(*sizes)) : NULL;
    done = sizes != NULL;
    for (uint32_t u = graph->first_node; done && u < graph->node_limit; u++) {
        *largest = larger(*largest, ++sizes[components[u]]);
    }
    *found = count;
    free(components);
    free(sizes);
    return done;
}

bool graph_stats_collect(const struct graph *graph, struct graph_stats *stats,
                         struct graph_error *error)
{
    memset(stats, 0, sizeof(*stats));
    return (graph_stats_degrees(graph, stats) &&
            collect_components(graph, GRAPH_STRONG, &stats->strong_component_max,
                               &stats->strong_components) &&
            collect_components(graph, GRAPH_WEAK, &stats->weak_component_max,
                               &stats->weak_components)) ||
           graph_fail(error, "graph", "out of memory for the statistics");
}
