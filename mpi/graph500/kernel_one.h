/*
 * kernel_one.h - Graph500's edges, the graph made of them, and the keys to search from.
 */
#pragma once

#include "graph500_options.h"

/* The edges that a rank drew: a share of all, in order of their numbers. */
struct edge_share {
    struct mpi_edge *edges;
    uint64_t count;
};

/* Collective. Draw the edges. False with error set when out of memory; else free share->edges. */
bool edge_share_draw(MPI_Comm comm, const struct graph500_options *options,
                     struct edge_share *share, struct graph_error *error);

/* Collective. The graph of the edges, both directions, without loops: `in` shares with `out`. */
bool edge_share_build(MPI_Comm comm, const struct graph500_options *options,
                      const struct edge_share *share, struct mpi_graph *graph,
                      struct graph_error *error);

/* Collective. True if the lists hold every edge that was drawn, and nothing else. */
bool edge_share_check(const struct mpi_graph *graph, const struct edge_share *share,
                      struct graph_error *error);

/*
 * Collective. Put the neighbour of highest degree first in each list: a search from below meets it
 * soonest. False with error set when out of memory.
 */
bool put_hubs_first(struct mpi_graph *graph, struct graph_error *error);

/* Collective. Draw at most count different nodes that have a neighbour; returns how many. */
size_t draw_keys(const struct mpi_graph *graph, const struct graph500_options *options,
                 uint64_t *keys, size_t count);
