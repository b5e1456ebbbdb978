/*
 * marks.c - making the marks, and taking them off again.
 */
#include "marks.h"
#include "large_block.h"

uint64_t *marks_create(const struct graph *graph)
{
    return large_block_create(marks_words(graph) * sizeof(uint64_t));
}

void marks_free(uint64_t *marks)
{
    large_block_free(marks);
}

uint64_t *marks_create_sinks(const struct graph *graph)
{
    uint64_t *marks = marks_create(graph);
    if (marks == NULL) {
        return NULL;
    }
    for (uint32_t node = 0; node < graph->node_limit; node++) {
        if (graph_out_degree(graph, node) == 0) {
            marks_set(marks, node);
        }
    }
    return marks;
}

uint64_t *marks_create_inner(const struct graph *graph)
{
    uint64_t *marks = marks_create(graph);
    if (marks == NULL) {
        return NULL;
    }
    for (uint32_t node = 0; node < graph->node_limit; node++) {
        if (graph_out_degree(graph, node) > 0 &&
            graph->in_offsets[node + 1] > graph->in_offsets[node]) {
            marks_set(marks, node);
        }
    }
    return marks;
}

void marks_reset(uint64_t *marks, const uint64_t *template, size_t words, const uint32_t *nodes,
                 size_t count)
{
    if (count >= words / 8) { /* a copied word costs about an eighth of a scattered one */
        memcpy(marks, template, words * sizeof(*marks));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        marks[nodes[i] / 64] = template[nodes[i] / 64];
    }
}
