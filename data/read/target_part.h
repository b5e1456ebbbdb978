/*
 * target_part.h - the sources of a part of a file in file order, while it is sorted by target.
 *
 * Such a file lists the in-neighbours of one node after the other, so its sources are the reverse
 * adjacency already. data/reverse/target_order.h uses the parts; a scan only adds edges. A part
 * that is not sorted shows it in its first lines, and costs nothing after that.
 */
#pragma once

#include "data/graph/edge_buckets.h"

/* The result of a segment of the file. */
struct target_part {
    bool is_sorted; /* so far: by target, then by source */
    bool is_empty;
    size_t index;
    struct edge_writer *writer;
    uint64_t *degrees; /* of all targets but the first, which other parts may share */
    uint64_t first_degree;
    uint32_t first_source, first_target;
    uint32_t source, target; /* the last */
    uint64_t run;            /* repeats of the last target that are not counted yet */
};

/* Take the first edge, or the first one with a new target. */
void target_part_turn(struct target_part *part, uint32_t source, uint32_t target);

/* Count the run of the last target. */
void target_part_end_run(struct target_part *part);

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
