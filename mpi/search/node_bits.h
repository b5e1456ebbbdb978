/*
 * node_bits.h - one bit per node of the whole graph, gathered from the ranks that own the nodes.
 *
 * A word holds 64 consecutive ids and has one owner, in either partition. Own words are numbered
 * from 0, as the rank's own nodes are. Cost: n / 8 bytes per bitmap, and per gathering or
 * scattering n / 8 bytes on the wire per rank, less the rank's own part.
 */
#pragma once

#include "exchange.h"

struct node_bits {
    const struct mpi_graph *graph;
    size_t all_words, own_words;
    size_t own_first, own_stride; /* own word i is word own_first + i * own_stride of all */
    int *counts, *starts;         /* words of each rank, and where they are gathered */
    uint64_t *dealt;              /* room for dealt words, rank by rank; NULL: they are in order */
};

/* False when out of memory, or when an int cannot number the words. Not collective. */
bool node_bits_open(struct node_bits *bits, const struct mpi_graph *graph);
void node_bits_close(struct node_bits *bits);

/* Gather the own words of all ranks in all. Collective. */
void node_bits_gather(const struct node_bits *bits, const uint64_t *own, uint64_t *all,
                      struct level_cost *cost);

/* The reverse: join all ranks' words for this rank in own. Collective. */
void node_bits_scatter(const struct node_bits *bits, const uint64_t *all, uint64_t *own,
                       struct level_cost *cost);
