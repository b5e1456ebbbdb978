/*
 * graph_arrays.h - a graph from arrays in memory, instead of a file.
 *
 * Ids have 32 or 64 bits and count from 0. Errors are of the place "edges" or "lists". Of the
 * options, what a file needs is ignored; used are memory_limit, threads, cancel, and for edges
 * undirected, reverse and compact. The reverse adjacency is not built.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/graph/graph_options.h"

struct graph_edge_arrays {
    const void *sources; /* count ids each */
    const void *targets;
    uint64_t count;
    unsigned id_bits;    /* 32 or 64 */
    uint64_t node_count; /* every id is less; 0: one past the largest. Ignored if compact */
};

/*
 * Sort edges into adjacency lists, which keep the order of the arrays; the result does not depend
 * on the number of threads. False with error set: an id is too large, no memory, or cancelled;
 * graph is zeroed then. Cost: two passes, at most 6 bytes per edge on the way.
 */
bool graph_from_edges(const struct graph_edge_arrays *edges, const struct graph_options *options,
                      struct graph *graph, struct graph_error *error);

struct graph_csr_arrays {
    const void *offsets; /* node_count + 1, ascending from 0 */
    unsigned offset_bits;
    const void *neighbours; /* as many as the last offset says */
    unsigned id_bits;
    uint64_t node_count;
    bool is_borrowed; /* arrays that have the graph's own types are used in place, and must outlive
                         it: offsets of 64 bits, neighbours of 32 */
};

/* Take lists as they are, once they are checked. False as graph_from_edges. */
bool graph_from_csr(const struct graph_csr_arrays *csr, const struct graph_options *options,
                    struct graph *graph, struct graph_error *error);
