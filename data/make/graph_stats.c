/*
 * graph_stats.c - one pass for degrees, Tarjan's algorithm for strong components (without
 * recursion), a forest of sets for weak ones, and breadth-first searches for the reach.
 *
 * Sources: R. Tarjan, "Depth-first search and linear graph algorithms" (1972); union by index with
 * path halving.
 */
#include "graph_stats.h"
#include "base/pw_assert.h"
#include "graph_reach.h"
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

/* Tarjan's state: nodes are numbered from 1, in the order of the search. */
struct strong {
    const struct graph *graph;
    uint32_t *numbers; /* 0: not met; UINT32_MAX: in a component already */
    uint32_t *lowest;  /* the smallest number that the node reaches */
    uint64_t *edges;   /* the next edge of a node on the path */
    uint32_t *path, *open;
    size_t path_length, open_count;
    uint32_t met;
};

static void strong_enter(struct strong *strong, uint32_t node)
{
    strong->numbers[node] = strong->lowest[node] = ++strong->met;
    strong->edges[node] = strong->graph->offsets[node];
    strong->path[strong->path_length++] = node;
    strong->open[strong->open_count++] = node;
}

/* All edges of the path's last node are done: close its component if it is the root of one. */
static void strong_leave(struct strong *strong, struct graph_stats *stats)
{
    uint32_t node = strong->path[--strong->path_length];
    uint32_t lowest = strong->lowest[node];
    if (lowest == strong->numbers[node]) {
        uint64_t size = 0;
        uint32_t member;
        do {
            member = strong->open[--strong->open_count];
            strong->numbers[member] = UINT32_MAX;
            size++;
        } while (member != node);
        stats->strong_components++;
        stats->strong_component_max = larger(stats->strong_component_max, size);
    }
    if (strong->path_length > 0) {
        uint32_t parent = strong->path[strong->path_length - 1];
        strong->lowest[parent] = lowest < strong->lowest[parent] ? lowest : strong->lowest[parent];
    }
}

static void strong_search(struct strong *strong, uint32_t root, struct graph_stats *stats)
{
    strong_enter(strong, root);
    while (strong->path_length > 0) {
        uint32_t node = strong->path[strong->path_length - 1];
        if (strong->edges[node] == strong->graph->offsets[node + 1]) {
            strong_leave(strong, stats);
            continue;
        }
        uint32_t next = strong->graph->neighbours[strong->edges[node]++];
        if (strong->numbers[next] == 0) {
            strong_enter(strong, next);
        } else if (strong->numbers[next] < strong->lowest[node]) {
            strong->lowest[node] = strong->numbers[next];
        }
    }
}

static bool collect_strong(const struct graph *graph, struct graph_stats *stats)
{
    size_t count = (size_t)graph->node_limit + 1;
    struct strong strong = {.graph = graph};
    strong.numbers = calloc(count, sizeof(*strong.numbers));
    strong.lowest = calloc(count, sizeof(*strong.lowest));
    strong.edges = calloc(count, sizeof(*strong.edges));
    strong.path = calloc(count, sizeof(*strong.path));
    strong.open = calloc(count, sizeof(*strong.open));
    bool done = strong.numbers != NULL && strong.lowest != NULL && strong.edges != NULL &&
                strong.path != NULL && strong.open != NULL;
    for (uint32_t u = graph->first_node; done && u < graph->node_limit; u++) {
        if (strong.numbers[u] == 0) {
            strong_search(&strong, u, stats);
        }
    }
    pw_assert(!done || (strong.met == graph_node_count(graph) && strong.open_count == 0));
    free(strong.numbers);
    free(strong.lowest);
    free(strong.edges);
    free(strong.path);
    free(strong.open);
    return done;
}

static uint32_t set_of(uint32_t *parents, uint32_t node)
{
    while (parents[node] != node) {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    return node;
}

static bool collect_weak(const struct graph *graph, struct graph_stats *stats)
{
    size_t count = (size_t)graph->node_limit + 1;
    uint32_t *parents = calloc(count, sizeof(*parents));
    uint32_t *sizes = calloc(count, sizeof(*sizes));
    bool done = parents != NULL && sizes != NULL;
    for (uint32_t u = 0; done && u < graph->node_limit; u++) {
        parents[u] = u;
    }
    for (uint32_t u = graph->first_node; done && u < graph->node_limit; u++) {
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            uint32_t a = set_of(parents, u), b = set_of(parents, graph->neighbours[i]);
            parents[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (uint32_t u = graph->first_node; done && u < graph->node_limit; u++) {
        stats->weak_components += parents[u] == u;
        stats->weak_component_max = larger(stats->weak_component_max, ++sizes[set_of(parents, u)]);
    }
    free(parents);
    free(sizes);
    return done;
}

static bool collect_reach(const struct graph *graph, unsigned samples, uint64_t seed,
                          struct graph_stats *stats)
{
    size_t count = (size_t)graph->node_limit + 1;
    uint32_t *queue = calloc(count, sizeof(*queue));
    bool *seen = calloc(count, sizeof(*seen));
    bool done = queue != NULL && seen != NULL;
    uint64_t nodes = graph_node_count(graph), tries = 0;
    while (done && graph->edge_count > 0 && stats->samples < samples && tries++ < 1000u * samples) {
        seed = seed * 6364136223846793005 + 1442695040888963407;
        uint32_t source = graph->first_node + (uint32_t)((seed >> 32) * nodes >> 32);
        if (graph_out_degree(graph, source) == 0) {
            continue;
        }
        memset(seen, 0, graph->node_limit);
        double share = (double)graph_reach(graph, source, seen, queue, 0) / (double)nodes;
        stats->reach_mean += share;
        stats->reach_max = share > stats->reach_max ? share : stats->reach_max;
        stats->samples++;
    }
    stats->reach_mean /= stats->samples ? (double)stats->samples : 1;
    free(queue);
    free(seen);
    return done;
}

bool graph_stats_collect(const struct graph *graph, unsigned samples, uint64_t seed,
                         struct graph_stats *stats, struct graph_error *error)
{
    memset(stats, 0, sizeof(*stats));
    return (graph_stats_degrees(graph, stats) && collect_strong(graph, stats) &&
            collect_weak(graph, stats) && collect_reach(graph, samples, seed, stats)) ||
           graph_fail(error, "graph", "out of memory for the statistics");
}
