/*
 * trail.h - the nodes that a search has reached, in order, level by level; the path from it.
 *
 * 1. An engine appends each node it expands (or queues) once, and says when a level begins.
 * 2. The path is read backwards: the node before v is the smallest of the level before v's that has
 * v in its row, whatever the order of the level, which depends on the number of threads. So a
 * search keeps no parents, and pays one store in address order a node. Cost: 4 bytes a node, 8 a
 * level. A path costs at most one more pass over the rows searched.
 */
#ifndef PW_TRAIL_H
#define PW_TRAIL_H

#include "data/graph/graph.h"

struct trail {
    uint32_t *nodes; /* one entry a node of the graph, and TRAIL_SLACK more */
    size_t count;
    size_t *level_starts; /* index of the first node of each level */
    size_t level_count;
    size_t level_capacity;
    size_t last_end; /* of the level begun last, where it was complete then; else SIZE_MAX */
};

#define TRAIL_SLACK 64 /* entries that may be read (they are nodes) or overwritten past the end */

/* An empty trail; false when out of memory. An all-zero trail may be closed. */
bool trail_open(struct trail *trail, const struct graph *graph);
void trail_close(struct trail *trail);

/* Empty, as after open; costs nothing. */
static inline void trail_clear(struct trail *trail)
{
    trail->count = 0;
    trail->level_count = 0;
}

static inline void trail_add(struct trail *trail, uint32_t node)
{
    trail->nodes[trail->count++] = node;
}

/* The nodes from index start on are a new level. False when out of memory; never for the first. */
bool trail_begin_level(struct trail *trail, size_t start);

/*
 * The path of that many hops to target that begins at the trail's first node: hops + 1 nodes into
 * nodes. rows: the graph whose rows the search followed. False when the trail does not hold it.
 */
bool trail_path(const struct trail *trail, const struct graph *rows, uint32_t target, uint32_t hops,
                uint32_t *nodes);

#endif
