/*
 * random_graph.h - small random graphs of many shapes, and an independent answer to every search.
 *
 * The answer does not use rows at all: distances spread along the plain list of edges until none
 * changes (Bellman and Ford's way), which no engine does.
 */
#pragma once

#include "bfs/search/search.h"
#include "data/reverse/graph_reverse.h"
#include "random.h"
#include "require.h"
#include <stdlib.h>
#include <string.h>

struct random_graph {
    struct graph graph;
    uint32_t *sources; /* edge_count entries, beside graph.neighbours */
};

/* The state for random graphs and pairs; a test sets it, mostly by random_start. */
static struct rng graph_rng;

static inline uint32_t draw(uint32_t limit)
{
    return (uint32_t)random_below(&graph_rng, limit);
}

/* An edge's end: uniform, or drawn to the low ids so that there are hubs. */
static inline uint32_t random_node(const struct graph *graph, bool hubs)
{
    uint32_t count = graph_node_count(graph);
    uint32_t offset = draw(count);
    return graph->first_node + (hubs ? draw(offset + 1) : offset);
}

/* A graph of that many nodes; the lengths of its rows will be counted in offsets[node + 1]. */
static inline struct random_graph random_graph_begin(uint32_t first_node, uint32_t nodes,
                                                     uint32_t edges)
{
    struct random_graph made = {0};
    struct graph *graph = &made.graph;
    graph->first_node = first_node;
    graph->node_limit = first_node + nodes;
    graph->edge_count = edges;
    graph->offsets = calloc((size_t)graph->node_limit + 1, sizeof(*graph->offsets));
    graph->neighbours = calloc((size_t)edges + 1, sizeof(*graph->neighbours));
    made.sources = calloc((size_t)edges + 1, sizeof(*made.sources));
    require(graph->offsets && graph->neighbours && made.sources);
    return made;
}

/* The reverse adjacency of the rows as they are now. */
static inline void random_graph_add_reverse(struct random_graph *made)
{
    struct graph_error error = {0};
    free(made->graph.in_offsets);
    free(made->graph.in_neighbours);
    made->graph.in_offsets = NULL;
    made->graph.in_neighbours = NULL;
    require_msg(graph_add_reverse(&made->graph, 0, NULL, &error), "%s", error.message);
}

/* Fill the rows, whose lengths have been counted, in a random order. */
static inline void random_graph_end(struct random_graph *made, bool hubs)
{
    struct graph *graph = &made->graph;
    for (uint32_t u = 0; u < graph->node_limit; u++) {
        graph->offsets[u + 1] += graph->offsets[u];
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            made->sources[i] = u;
            graph->neighbours[i] = draw(16) == 0 ? u : random_node(graph, hubs);
        }
    }
    require(graph->offsets[graph->node_limit] == graph->edge_count);
    random_graph_add_reverse(made);
}

/* A graph of that many nodes and edges; freed by random_graph_free. */
static inline struct random_graph random_graph_create(uint32_t first_node, uint32_t nodes,
                                                      uint32_t edges, bool hubs)
{
    struct random_graph made = random_graph_begin(first_node, nodes, edges);
    for (uint32_t i = 0; i < edges; i++) {
        made.graph.offsets[random_node(&made.graph, hubs) + 1]++;
    }
    random_graph_end(&made, hubs);
    return made;
}

/* The graph with these edges, whose nodes count from 0; its own count from first_node. An adjacency
 * list has the order of the edges. Freed by random_graph_free. */
static inline struct random_graph graph_of_edges(uint32_t first_node, uint32_t nodes,
                                                 const uint32_t *sources, const uint32_t *targets,
                                                 uint64_t count)
{
    struct random_graph made = random_graph_begin(first_node, nodes, (uint32_t)count);
    struct graph *graph = &made.graph;
    for (uint64_t i = 0; i < count; i++) {
        graph->offsets[sources[i] + first_node + 1]++;
    }
    for (uint32_t u = 0; u < graph->node_limit; u++) {
        graph->offsets[u + 1] += graph->offsets[u];
    }
    uint64_t *next = malloc(((size_t)graph->node_limit + 1) * sizeof(*next));
    require(next != NULL);
    memcpy(next, graph->offsets, ((size_t)graph->node_limit + 1) * sizeof(*next));
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t from = sources[i] + first_node;
        made.sources[next[from]] = from;
        graph->neighbours[next[from]++] = targets[i] + first_node;
    }
    free(next);
    random_graph_add_reverse(&made);
    return made;
}

/* Layers of that many nodes: each leads to two of the next layer, the one at its place and the one
 * after it, around the end. */
static inline struct random_graph layered_graph(uint32_t width, uint32_t layers)
{
    const uint32_t leading = (layers - 1) * width;
    struct random_graph made = random_graph_begin(0, leading + width, 2 * leading);
    for (uint32_t node = 0; node < leading; node++) {
        made.graph.offsets[node + 1] = 2;
    }
    random_graph_end(&made, false);
    for (uint32_t node = 0; node < leading; node++) {
        made.graph.neighbours[2 * node] = node + width;
        made.graph.neighbours[2 * node + 1] = (node / width + 1) * width + (node + 1) % width;
    }
    random_graph_add_reverse(&made);
    return made;
}

static inline void random_graph_free(struct random_graph *made)
{
    graph_free(&made->graph);
    free(made->sources);
}

/*
 * The length of the shortest path with at least one edge from source to every node;
 * SEARCH_HOPS_NONE if there is no path. The caller frees it.
 */
static inline uint32_t *distances_from(const struct random_graph *made, uint32_t source)
{
    size_t limit = made->graph.node_limit;
    uint32_t *hops = malloc(limit * sizeof(*hops));
    require(hops != NULL);
    memset(hops, 0xff, limit * sizeof(*hops));
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t i = 0; i < made->graph.edge_count; i++) {
            uint32_t from = made->sources[i];
            uint32_t to = made->graph.neighbours[i];
            uint32_t base = from == source ? 0 : hops[from];
            if (base != SEARCH_HOPS_NONE && base + 1 < hops[to]) {
                hops[to] = base + 1;
                changed = true;
            }
        }
    }
    return hops;
}

/* Assert that nodes is a path of that many edges from source to target. */
static inline void assert_path(const struct graph *graph, uint32_t source, uint32_t target,
                               uint32_t hops, const uint32_t *nodes)
{
    require_msg(nodes[0] == source && nodes[hops] == target, "from %u to %u instead of %u to %u",
                nodes[0], nodes[hops], source, target);
    for (uint32_t i = 0; i < hops; i++) {
        uint64_t edge = graph->offsets[nodes[i]];
        while (edge < graph->offsets[nodes[i] + 1] && graph->neighbours[edge] != nodes[i + 1]) {
            edge++;
        }
        require_msg(edge < graph->offsets[nodes[i] + 1], "no edge from %u to %u", nodes[i],
                    nodes[i + 1]);
    }
}
