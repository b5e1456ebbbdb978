/*
 * graph_checksum.h - a number that identifies a graph: equal for equal graphs only.
 *
 * 1. The graph is a sequence of 64-bit words: first_node, node_limit, edge_count, the out-degree of
 *    each node from 0, then the neighbours, two per word (the first in the low half, an odd last
 *    one alone).
 * 2. Word i goes to lane i mod 4: lane = rotate_left(lane xor word, 29) * 0x9e3779b97f4a7c15. Lane
 *    k starts as k.
 * 3. The lanes go through the same step one after the other into a fifth, which starts as 4; then
 *    x ^= x >> 32, twice around one more multiplication.
 * The number is the same on every machine and in every version, so that reports can be compared.
 * Cost: some 0.1 ns per byte. Not for defence against forgery.
 */
#pragma once

#include "data/graph/graph.h"

uint64_t graph_checksum(const struct graph *graph);

/* Piece by piece, if only parts of the graph are at hand: words, then ids, in that order. */
#define GRAPH_SUM_LANES 4
struct graph_sum {
    uint64_t lanes[GRAPH_SUM_LANES];
    uint32_t next;     /* lane of the next word */
    uint32_t has_half; /* half is an id; the other half of its word is missing */
    uint64_t half;
};

void graph_sum_start(struct graph_sum *sum);
void graph_sum_add(struct graph_sum *sum, uint64_t word);
void graph_sum_add_ids(struct graph_sum *sum, const uint32_t *ids, uint64_t count);
uint64_t graph_sum_end(struct graph_sum *sum);
