/*
 * marks.c - see marks.h.
 */
#include "marks.h"
#include "base/pw_assert.h"
#include "large_block.h"

uint64_t *marks_create(const struct graph *graph)
{
    return large_block_create(marks_words(graph) * sizeof(uint64_t));
}

uint64_t *marks_create_sinks(const struct graph *graph)
{
    uint64_t *marks = marks_create(graph);
    for (uint32_t node = 0; marks != NULL && node < graph->node_limit; node++) {
        if (graph_out_degree(graph, node) == 0) {
            marks_set(marks, node);
        }
    }
    return marks;
}

uint64_t *marks_create_inner(const struct graph *graph)
{
    uint64_t *marks = marks_create(graph);
    pw_assert(graph->in_offsets != NULL);
    for (uint32_t node = 0; marks != NULL && node < graph->node_limit; node++) {
        if (graph_out_degree(graph, node) > 0 &&
            graph->in_offsets[node + 1] > graph->in_offsets[node]) {
            marks_set(marks, node);
        }
    }
    return marks;
}

size_t marks_count(const uint64_t *marks, size_t words)
{
    size_t count = 0;
    for (size_t word = 0; word < words; word++) {
        count += (size_t)__builtin_popcountll(marks[word]);
    }
    return count;
}
