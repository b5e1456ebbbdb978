/*
 * hand_loop.c - rows prefetched, copied into a buffer, their marks looked up; and nothing else.
 */
#include "hand_loop.h"
#include "perf/report/clock.h"
#include <stdlib.h>
#include <string.h>

enum { FULL = 2048, ROOM = 4096, FAR = 64, NEAR = 32, CHUNK = 16 };

struct hand_loop {
    const struct graph *graph;
    size_t words;
    uint64_t *marks, *sinks;
    uint32_t *queue;
};

void hand_loop_destroy(struct hand_loop *loop)
{
    if (loop != NULL) {
        free(loop->marks);
        free(loop->sinks);
        free(loop->queue);
        free(loop);
    }
}

struct hand_loop *hand_loop_create(const struct graph *graph)
{
    struct hand_loop *loop = calloc(1, sizeof(*loop));
    if (loop == NULL) {
        return NULL;
    }
    loop->graph = graph;
    loop->words = (size_t)graph->node_limit / 64 + 1;
    loop->marks = calloc(loop->words, sizeof(uint64_t));
    loop->sinks = calloc(loop->words, sizeof(uint64_t));
    loop->queue = calloc((size_t)graph->node_limit + FAR + 2, sizeof(uint32_t));
    if (loop->marks == NULL || loop->sinks == NULL || loop->queue == NULL) {
        hand_loop_destroy(loop);
        return NULL;
    }
    for (uint32_t node = 0; node < graph->node_limit; node++) {
        if (graph_out_degree(graph, node) == 0) {
            loop->sinks[node / 64] |= (uint64_t)1 << node % 64;
        }
    }
    return loop;
}

void hand_loop_search(struct hand_loop *loop, uint32_t source, uint32_t target,
                      struct search_result *result)
{
    const uint64_t *offsets = loop->graph->offsets;
    const uint32_t *neighbours = loop->graph->neighbours;
    const uint32_t *last_chunk = neighbours + loop->graph->edge_count;
    uint32_t *queue = loop->queue;
    uint64_t *marks = loop->marks;
    uint32_t buffer[ROOM + CHUNK];
    size_t head = 0, tail = 1, level_end = 1;
    memcpy(marks, loop->sinks, loop->words * sizeof(*marks));
    *result = (struct search_result){.hops = 1};
    uint64_t start_ns = clock_now_ns();
    queue[0] = source;
    marks[source / 64] |= (uint64_t)1 << source % 64;
    marks[target / 64] &= ~((uint64_t)1 << target % 64);
    while (head < tail && !(marks[target / 64] >> target % 64 & 1)) {
        size_t count = 0;
        result->hops += head == level_end;
        level_end = head == level_end ? tail : level_end;
        while (head < level_end && count < FULL) {
            __builtin_prefetch(&offsets[queue[head + FAR]]);
            const uint32_t *near = neighbours + offsets[queue[head + NEAR]];
            __builtin_prefetch(near);
            __builtin_prefetch(near + CHUNK);
            const uint32_t *row = neighbours + offsets[queue[head]];
            size_t degree = (size_t)(offsets[queue[head] + 1] - offsets[queue[head]]);
            if (degree > ROOM - count || (size_t)(last_chunk - row) < degree + CHUNK) {
                if (count > 0) {
                    break;
                }
                for (size_t i = 0; i < degree; i++) { /* a row longer than the buffer */
                    if (!(marks[row[i] / 64] >> row[i] % 64 & 1)) {
                        marks[row[i] / 64] |= (uint64_t)1 << row[i] % 64;
                        queue[tail++] = row[i];
                    }
                }
            } else {
                for (size_t i = 0; i < degree; i += CHUNK) {
                    memcpy(buffer + count + i, row + i, CHUNK * sizeof(*row));
                }
                count += degree;
            }
            result->edges += degree;
            head++;
        }
        for (size_t i = 0; i < count; i++) {
            const uint32_t node = buffer[i];
            if (!(marks[node / 64] >> node % 64 & 1)) {
                marks[node / 64] |= (uint64_t)1 << node % 64;
                queue[tail++] = node;
            }
        }
    }
    result->found = marks[target / 64] >> target % 64 & 1 && head > 0;
    result->elapsed_ns = clock_now_ns() - start_ns;
    result->expanded = head;
    result->hops = result->found ? result->hops : SEARCH_HOPS_NONE;
}
