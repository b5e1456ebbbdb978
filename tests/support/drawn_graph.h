/*
 * drawn_graph.h - a random graph in libpwgraph, and a judge that knows its list of edges only.
 */
#pragma once

#include "library_fixture.h"
#include "path_questions.h"
#include "suite.h"

/* The graph of `drawn` in libpwgraph. */
static inline struct pwgraph *drawn_graph(void)
{
    struct pwgraph *graph = pwgraph_from_edges(drawn.sources, drawn.targets, drawn.count, 32,
                                               drawn.nodes, NULL, &error);
    ck_assert_msg(graph != NULL, "%s", error.text);
    return graph;
}

static inline struct pwgraph *draw_graph(struct rng *rng, uint32_t nodes, uint64_t count)
{
    draw_edges(rng, nodes, count, false);
    return drawn_graph();
}
