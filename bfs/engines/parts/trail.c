/*
 * trail.c - the levels of a trail, and the path read backwards from it.
 */
#include "trail.h"
#include "large_block.h"
#include <stdlib.h>

#define FIRST_LEVELS 64

bool trail_open(struct trail *trail, const struct graph *graph)
{
    *trail = (struct trail){.level_capacity = FIRST_LEVELS};
    size_t entries = (size_t)graph->node_limit + TRAIL_SLACK;
    trail->nodes = large_block_create(entries * sizeof(*trail->nodes));
    trail->level_starts = malloc(FIRST_LEVELS * sizeof(*trail->level_starts));
    if (trail->nodes == NULL || trail->level_starts == NULL) {
        trail_close(trail);
        return false;
    }
    return true;
}

void trail_close(struct trail *trail)
{
    large_block_free(trail->nodes);
    free(trail->level_starts);
    *trail = (struct trail){0};
}

bool trail_begin_level(struct trail *trail, size_t start)
{
    if (trail->level_count == trail->level_capacity) {
        size_t capacity = trail->level_capacity * 2; /* at most twice the nodes: cannot overflow */
        size_t *starts = realloc(trail->level_starts, capacity * sizeof(*starts));
        if (starts == NULL) {
            return false;
        }
        trail->level_starts = starts;
        trail->level_capacity = capacity;
    }
    trail->level_starts[trail->level_count++] = start;
    trail->last_end = start < trail->count ? trail->count : SIZE_MAX;
    return true;
}

static bool row_has(const struct graph *rows, uint32_t node, uint32_t wanted)
{
    const uint32_t *end = rows->neighbours + rows->offsets[node + 1];
    for (const uint32_t *next = rows->neighbours + rows->offsets[node]; next < end; next++) {
        if (*next == wanted) {
            return true;
        }
    }
    return false;
}

/* Behind the last node of a level; behind the level begun last the next may stand already. */
static size_t level_end(const struct trail *trail, size_t level)
{
    if (level == 0) {
        return 1; /* the source */
    }
    if (level + 1 < trail->level_count) {
        return trail->level_starts[level + 1];
    }
    return trail->last_end < trail->count ? trail->last_end : trail->count;
}

bool trail_path(const struct trail *trail, const struct graph *rows, uint32_t target, uint32_t hops,
                uint32_t *nodes)
{
    if (hops > trail->level_count) {
        return false;
    }
    nodes[hops] = target;
    for (uint32_t level = hops; level-- > 0;) {
        const size_t end = level_end(trail, level);
        uint32_t before = GRAPH_NODE_NONE;
        for (size_t i = trail->level_starts[level]; i < end; i++) {
            const uint32_t node = trail->nodes[i];
            if (node < before && row_has(rows, node, nodes[level + 1])) {
                before = node;
            }
        }
        if (before == GRAPH_NODE_NONE) {
            return false;
        }
        nodes[level] = before;
    }
    return true;
}
