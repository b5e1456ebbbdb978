/*
 * drawn_graph.h - a random graph in libpwgraph, and a judge that knows its list of edges only.
 */
#pragma once

#include "library_fixture.h"
#include "random.h"
#include "suite.h"

#define NODES_MAX 200
#define EDGES_MAX 1000

static struct {
    uint32_t nodes;
    uint64_t count;
    uint32_t sources[EDGES_MAX], targets[EDGES_MAX];
    bool avoided[NODES_MAX];
} drawn;

static inline struct pwgraph *draw_graph(struct rng *rng, uint32_t nodes, uint64_t count)
{
    drawn.nodes = nodes;
    drawn.count = count;
    memset(drawn.avoided, 0, sizeof(drawn.avoided));
    for (uint64_t i = 0; i < count; i++) {
        drawn.sources[i] = (uint32_t)random_below(rng, nodes);
        drawn.targets[i] = (uint32_t)random_below(rng, nodes);
    }
    struct pwgraph *graph =
        pwgraph_from_edges(drawn.sources, drawn.targets, count, 32, nodes, NULL, &error);
    ck_assert_msg(graph != NULL, "%s", error.text);
    return graph;
}

/* The hops of paths with at least one edge, by spreading along the edges until nothing changes. */
static inline void judge(uint32_t from, bool backwards, uint32_t hops[NODES_MAX])
{
    memset(hops, 0xff, NODES_MAX * sizeof(*hops));
    for (bool changed = !drawn.avoided[from]; changed;) {
        changed = false;
        for (uint64_t i = 0; i < drawn.count; i++) {
            const uint32_t a = backwards ? drawn.targets[i] : drawn.sources[i];
            const uint32_t b = backwards ? drawn.sources[i] : drawn.targets[i];
            const uint32_t before = a == from ? 0 : hops[a];
            if (!drawn.avoided[a] && !drawn.avoided[b] && before != PWGRAPH_NONE &&
                before + 1 < hops[b]) {
                hops[b] = before + 1;
                changed = true;
            }
        }
    }
}
