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

bool trail_path(const struct trail *trail, const struct graph *rows, uint32_t target, uint32_t hops,
                uint32_t *nodes)
{
    if (hops > trail->level_count) {
        return false;
    }
    nodes[hops] = target;
    for (uint32_t level = hops; level-- > 0;) {
        size_t i = trail->level_starts[level];
        size_t end = level + 1 < trail->level_count ? trail->level_starts[level + 1] : trail->count;
        while (i < end && !row_has(rows, trail->nodes[i], nodes[level + 1])) {
            i++;
        }
        if (i == end) {
            return false;
        }
        nodes[level] = trail->nodes[i];
    }
    return true;
}
