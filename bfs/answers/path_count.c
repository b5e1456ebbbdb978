/*
 * path_count.c - counts ways from both ends.
 */
#include "path_count.h"
#include "base/pw_assert.h"
#include "bfs/engines/parts/large_block.h"

enum { FORWARD, BACKWARD };

bool path_count_open(struct path_count *count, const struct graph *graph)
{
    const size_t limit = (size_t)graph->node_limit + 1;
    bool made = graph->in_offsets != NULL;
    *count = (struct path_count){.edges_left = 0};
    for (unsigned i = FORWARD; made && i <= BACKWARD; i++) {
        struct path_count_side *side = &count->sides[i];
        side->offsets = i == FORWARD ? graph->offsets : graph->in_offsets;
        side->neighbours = i == FORWARD ? graph->neighbours : graph->in_neighbours;
        side->nodes = large_block_create(limit * sizeof(*side->nodes));
        side->order = large_block_create(limit * sizeof(*side->order));
        made = side->nodes != NULL && side->order != NULL;
    }
    if (!made) {
        path_count_close(count);
    }
    return made;
}

void path_count_close(struct path_count *count)
{
    for (unsigned i = FORWARD; i <= BACKWARD; i++) {
        large_block_free(count->sides[i].nodes);
        large_block_free(count->sides[i].order);
    }
    *count = (struct path_count){.edges_left = 0};
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Forget the last search, and start at a node. */
static void start(struct path_count_side *side, uint32_t node)
{
    for (size_t i = 0; i < side->end; i++) {
        side->nodes[side->order[i]] = (struct path_count_node){0};
    }
    side->order[0] = node;
    side->nodes[node] = (struct path_count_node){.depth = 1, .ways = 1};
    side->begin = 0;
    side->end = 1;
    side->depth = 0;
}

static uint64_t edges_of_level(const struct path_count_side *side)
{
    uint64_t edges = 0;
    for (size_t i = side->begin; i < side->end; i++) {
        const uint32_t node = side->order[i];
        edges += side->offsets[node + 1] - side->offsets[node];
    }
    return edges;
}

/* The side whose last level has fewer edges; subtracts them from the edges left. NULL: too many. */
static struct path_count_side *cheaper_side(struct path_count *count)
{
    const uint64_t forward = edges_of_level(&count->sides[FORWARD]);
    const uint64_t backward = edges_of_level(&count->sides[BACKWARD]);
    const uint64_t edges = forward <= backward ? forward : backward;
    if (edges > count->edges_left) {
        return NULL;
    }
    count->edges_left -= edges;
    return &count->sides[forward <= backward ? FORWARD : BACKWARD];
}

/* Go one level further; repeated edges count once. */
static void deepen(struct path_count_side *side)
{
    const size_t end = side->end;
    side->depth++;
    for (size_t i = side->begin; i < end; i++) {
        const uint32_t node = side->order[i];
        for (uint64_t edge = side->offsets[node]; edge < side->offsets[node + 1]; edge++) {
            struct path_count_node *next = &side->nodes[side->neighbours[edge]];
            if (next->stamp == node + 1) {
                continue;
            }
            if (next->depth == 0) {
                next->depth = side->depth + 1;
                side->order[side->end++] = side->neighbours[edge];
            }
            if (next->depth == side->depth + 1) {
                next->ways = add(next->ways, side->nodes[node].ways);
            }
            next->stamp = node + 1;
        }
    }
    side->begin = end;
    pw_assert(side->begin <= side->end);
}

/* The number of paths over the edges from the last level of one side to the last of the other. */
static uint64_t join(const struct path_count_side *from, const struct path_count_side *to)
{
    uint64_t paths = 0;
    for (size_t i = to->begin; i < to->end; i++) {
        to->nodes[to->order[i]].stamp = 0;
    }
    for (size_t i = from->begin; i < from->end; i++) {
        const uint32_t node = from->order[i];
        for (uint64_t edge = from->offsets[node]; edge < from->offsets[node + 1]; edge++) {
            struct path_count_node *next = &to->nodes[from->neighbours[edge]];
            if (next->depth == to->depth + 1 && next->stamp != node + 1) {
                next->stamp = node + 1;
                paths = add(paths, multiply(from->nodes[node].ways, next->ways));
            }
        }
    }
    return paths;
}

uint64_t path_count_find(struct path_count *count, uint32_t source, uint32_t target, uint32_t hops,
                         uint64_t edges_max)
{
    struct path_count_side *forward = &count->sides[FORWARD];
    struct path_count_side *backward = &count->sides[BACKWARD];
    struct path_count_side *side;
    pw_assert(hops > 0);
    start(forward, source);
    start(backward, target);
    count->edges_left = edges_max;
    while (forward->depth + backward->depth + 1 < hops) {
        side = cheaper_side(count);
        if (side == NULL) {
            return 0;
        }
        deepen(side);
    }
    side = cheaper_side(count);
    return side == NULL ? 0 : join(side, side == forward ? backward : forward);
}
