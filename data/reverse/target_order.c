/*
 * target_order.c - see target_order.h.
 */
#include "target_order.h"
#include "data/graph/edge_lists.h"
#include "data/graph/graph_memory.h"
#include "graph_reverse.h"
#include <stdlib.h>

static size_t offsets_bytes(const struct target_order *order)
{
    return (size_t)(order->node_limit + 1) * sizeof(*order->offsets);
}

bool target_order_init(struct target_order *order, size_t part_count, unsigned writer_count,
                       uint64_t node_limit, uint64_t edge_count, atomic_int_least64_t *memory_left)
{
    *order = (struct target_order){
        .part_count = part_count, .writer_count = writer_count, .node_limit = node_limit};
    order->parts = calloc(part_count, sizeof(*order->parts));
    order->segments = calloc(part_count, sizeof(*order->segments));
    order->writers = calloc(writer_count, sizeof(*order->writers));
    order->offsets = memory_map(offsets_bytes(order), true);
    bool done = order->parts != NULL && order->segments != NULL && order->writers != NULL &&
                order->offsets != NULL;
    for (unsigned i = 0; done && i < writer_count; i++) {
        done = edge_writer_init(&order->writers[i], TARGET_PART_LAYOUT, part_count,
                                edge_count / writer_count);
        order->writers[i].memory_left = memory_left;
    }
    return done;
}

void target_order_free(struct target_order *order)
{
    for (unsigned i = 0; order->writers != NULL && i < order->writer_count; i++) {
        edge_writer_free(&order->writers[i]);
    }
    for (size_t i = 0; order->segments != NULL && i < order->part_count; i++) {
        free(order->segments[i].counts);
    }
    free(order->parts);
    free(order->segments);
    free(order->writers);
    memory_unmap(order->offsets, offsets_bytes(order));
    *order = (struct target_order){0};
}

struct target_part *target_order_open(struct target_order *order, size_t index, unsigned number)
{
    if (order->part_count == 0) {
        return NULL;
    }
    struct target_part *part = &order->parts[index];
    *part = (struct target_part){.is_sorted = true,
                                 .is_empty = true,
                                 .index = index,
                                 .writer = &order->writers[number],
                                 .degrees = order->offsets + 1};
    order->segments[index].writer = number;
    return part;
}

void target_order_close(struct target_order *order, struct target_part *part)
{
    if (part != NULL) {
        target_part_end_run(part);
        part->is_sorted &= edge_writer_close_segment(part->writer, &order->segments[part->index]);
    }
}

bool target_order_holds(const struct target_order *order)
{
    uint32_t source = 0, target = 0;
    for (size_t i = 0; i < order->part_count; i++) {
        const struct target_part *part = &order->parts[i];
        if (!part->is_empty) {
            bool follows = part->first_target > target ||
                           (part->first_target == target && part->first_source >= source);
            if (!part->is_sorted || !follows) {
                return false;
            }
            source = part->source;
            target = part->target;
        }
    }
    return order->part_count > 0;
}

bool target_order_build(struct target_order *order, struct edge_writer *used, struct graph *graph)
{
    uint64_t *begins = calloc(order->part_count + 1, sizeof(*begins)); /* of the parts */
    uint32_t *sources = graph_map_array(graph, graph->edge_count, sizeof(*sources));
    struct edge_rows rows = {graph->edge_count, order->part_count, begins, sources, true, NULL};
    for (unsigned i = 0; i < order->writer_count; i++) {
        edge_writer_hand_over(&used[i], &order->writers[i]);
    }
    bool done = begins != NULL && sources != NULL &&
                edge_writers_build(order->writers, order->writer_count, order->segments,
                                   order->part_count, NULL, &rows);
    free(begins);
    for (size_t i = 0; i < order->part_count; i++) {
        const struct target_part *part = &order->parts[i];
        order->offsets[1 + part->first_target] += part->first_degree;
    }
    for (uint64_t node = 0; node < order->node_limit; node++) {
        order->offsets[node + 1] += order->offsets[node];
    }
    uint64_t *offsets = order->offsets;
    order->offsets = NULL; /* now the graph's */
    if (!graph_adopt(graph, offsets, offsets_bytes(order)) || !done) {
        return false;
    }
    pw_assert(offsets[order->node_limit] == graph->edge_count);
    graph->in_offsets = offsets;
    graph->in_neighbours = sources;
    pw_assert(graph_check(graph));
    return true;
}

bool target_order_finish(struct target_order *order, struct edge_writer *writers,
                         unsigned writer_count, struct graph *graph, struct graph_error *error)
{
    if (target_order_holds(order)) {
        pw_assert(order->writer_count == writer_count);
        return target_order_build(order, writers, graph) ||
               graph_fail(error, "graph", "out of memory");
    }
    target_order_free(order); /* before the lists need its memory */
    return graph_reverse_build(graph, writers, writer_count, NULL, error);
}
