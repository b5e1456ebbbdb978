/*
 * graph_checksum.c - four lanes, so that the multiplications overlap.
 */
#include "graph_checksum.h"

#define LANES  GRAPH_SUM_LANES
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t mix(uint64_t lane, uint64_t word)
{
    uint64_t x = lane ^ word;
    return (x << 29 | x >> 35) * FACTOR;
}

void graph_sum_start(struct graph_sum *sum)
{
    *sum = (struct graph_sum){.lanes = {0, 1, 2, 3}};
}

void graph_sum_add(struct graph_sum *sum, uint64_t word)
{
    sum->lanes[sum->next] = mix(sum->lanes[sum->next], word);
    sum->next = (sum->next + 1) % LANES;
}

void graph_sum_add_ids(struct graph_sum *sum, const uint32_t *ids, uint64_t count)
{
    uint64_t i = 0;
    if (sum->has_half && count > 0) {
        sum->has_half = 0;
        graph_sum_add(sum, sum->half | (uint64_t)ids[i++] << 32);
    }
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint64_t word = ids[i + 2 * lane] | (uint64_t)ids[i + 2 * lane + 1] << 32;
            unsigned at = (sum->next + lane) % LANES;
            sum->lanes[at] = mix(sum->lanes[at], word);
        }
    }
    for (; i + 2 <= count; i += 2) {
        graph_sum_add(sum, ids[i] | (uint64_t)ids[i + 1] << 32);
    }
    if (i < count) {
        sum->half = ids[i];
        sum->has_half = 1;
    }
}

uint64_t graph_sum_end(struct graph_sum *sum)
{
    if (sum->has_half) {
        sum->has_half = 0;
        graph_sum_add(sum, sum->half);
    }
    uint64_t x = LANES;
    for (unsigned lane = 0; lane < LANES; lane++) {
        x = mix(x, sum->lanes[lane]);
    }
    x ^= x >> 32;
    x *= FACTOR;
    return x ^ x >> 32;
}

uint64_t graph_checksum(const struct graph *graph)
{
    struct graph_sum sum;
    graph_sum_start(&sum);
    graph_sum_add(&sum, graph->first_node);
    graph_sum_add(&sum, graph->node_limit);
    graph_sum_add(&sum, graph->edge_count);
    for (uint32_t node = 0; node < graph->node_limit; node++) {
        graph_sum_add(&sum, graph_out_degree(graph, node));
    }
    graph_sum_add_ids(&sum, graph->neighbours, graph->edge_count);
    return graph_sum_end(&sum);
}
