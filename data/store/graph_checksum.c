/*
 * graph_checksum.c - four lanes, so that the multiplications overlap.
 */
#include "graph_checksum.h"

#define LANES  4
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

struct checksum {
    uint64_t lanes[LANES];
    unsigned next; /* lane of the next word */
};

static inline uint64_t mix(uint64_t lane, uint64_t word)
{
    uint64_t x = lane ^ word;
    return (x << 29 | x >> 35) * FACTOR;
}

static inline void add(struct checksum *sum, uint64_t word)
{
    sum->lanes[sum->next] = mix(sum->lanes[sum->next], word);
    sum->next = (sum->next + 1) % LANES;
}

uint64_t graph_checksum(const struct graph *graph)
{
    struct checksum sum = {.lanes = {0, 1, 2, 3}};
    const uint32_t *neighbours = graph->neighbours;
    uint64_t i = 0;
    add(&sum, graph->first_node);
    add(&sum, graph->node_limit);
    add(&sum, graph->edge_count);
    for (uint32_t node = 0; node < graph->node_limit; node++) {
        add(&sum, graph_out_degree(graph, node));
    }
    for (; i + 2 * LANES <= graph->edge_count; i += 2 * LANES) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint64_t word = neighbours[i + 2 * lane] | (uint64_t)neighbours[i + 2 * lane + 1] << 32;
            unsigned at = (sum.next + lane) % LANES;
            sum.lanes[at] = mix(sum.lanes[at], word);
        }
    }
    for (; i < graph->edge_count; i += 2) {
        uint64_t high = i + 1 < graph->edge_count ? neighbours[i + 1] : 0;
        add(&sum, neighbours[i] | high << 32);
    }
    uint64_t x = LANES;
    for (unsigned lane = 0; lane < LANES; lane++) {
        x = mix(x, sum.lanes[lane]);
    }
    x ^= x >> 32;
    x *= FACTOR;
    return x ^ x >> 32;
}
