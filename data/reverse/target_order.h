/*
 * target_order.h - the reverse adjacency of a file that is sorted by target, as SuiteSparse sorts.
 *
 * 1. Such a file lists the in-neighbours of one node after the other. So its sources, as they come,
 *    are in_neighbours, and the lengths of the runs of one target are the in-degrees.
 * 2. Each segment of the file is a part, whose sources a thread keeps in memory of its own.
 * 3. In the end the parts are put together, in memory that other parts and the forward pass had.
 * A file that is not sorted shows it in its first lines, and costs nothing then.
 * Cost: 4 bytes per edge on the way, and one copy of them.
 */
#pragma once

#include "data/graph/edge_buckets.h"
#include "data/graph/graph.h"

/* What a segment of the file gives. */
struct target_part {
    bool is_sorted; /* so far: by target, then by source */
    bool is_empty;
    size_t index;
    struct edge_writer *writer;
    uint64_t *degrees; /* of the targets but the first, which may be that of other parts too */
    uint64_t first_degree;
    uint32_t first_source, first_target;
    uint32_t source, target; /* the last */
    uint64_t run;            /* how often the last target came, but for what is counted already */
};

struct target_order {
    size_t part_count;
    struct target_part *parts;
    unsigned writer_count;
    struct edge_writer *writers;
    struct edge_segment *segments; /* one more than parts, for a repeated entry */
    uint64_t node_limit;
    uint64_t *offsets; /* of the reverse adjacency */
};

/*
 * Prepare for a file of part_count parts and about edge_count edges, read by writer_count threads.
 * memory_left: as that of an edge_writer. False when out of memory; free it all the same.
 */
bool target_order_init(struct target_order *order, size_t part_count, unsigned writer_count,
                       uint64_t node_limit, uint64_t edge_count, atomic_int_least64_t *memory_left);
void target_order_free(struct target_order *order);

/* The part for a segment's edges, by the thread with that number; NULL when order is zeroed. */
struct target_part *target_order_open(struct target_order *order, size_t index, unsigned number);

/* The end of a segment; of none where part is NULL. */
void target_order_close(struct target_order *order, struct target_part *part, size_t segment);

/* Add to a part again, in the segment behind all others, whose thread is the first; or to none. */
void target_order_reopen(struct target_order *order, struct target_part *part);

/* Whether the whole file is sorted, once all parts are closed. */
bool target_order_holds(const struct target_order *order);

/*
 * Give a graph, whose other arrays are done, its reverse adjacency; once, and if the order holds.
 * used: as many writers as order has, whose memory is not needed any more. False when out of
 * memory.
 */
bool target_order_build(struct target_order *order, struct edge_writer *used, struct graph *graph);

/* Take the first edge, or the first with another target than the edge before. */
void target_part_turn(struct target_part *part, uint32_t source, uint32_t target);

/* The bucket of a part holds its sources and nothing else. */
#define TARGET_PART_LAYOUT ((struct edge_layout){.shift = 0, .target_bits = 32, .record_bytes = 4})

static inline void target_part_add(struct target_part *part, uint32_t source, uint32_t target)
{
    if (UNLIKELY(target != part->target || part->is_empty)) {
        target_part_turn(part, source, target);
    }
    part->is_sorted &= source >= part->source;
    part->source = source;
    part->run++;
    edge_writer_put(part->writer, TARGET_PART_LAYOUT, (uint32_t)part->index, source);
}
