/*
 * path_count.c - counts ways from both ends.
 */
#include "path_count.h"
#include "base/pw_assert.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/search/search_limits.h"
#include <stdlib.h>
#include <string.h>

#define NODES_PER_CHECK 1024 /* between two looks at the clock and the flag to cancel */

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
    free(count->avoided);
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

static uint64_t edges_of_level(const struct path_count_side *side)
{
    uint64_t edges = 0;
    for (size_t i = side->begin; i < side->end; i++) {
        const uint32_t node = side->order[i];
        edges += side->offsets[node + 1] - side->offsets[node];
    }
    return edges;
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
    side->level_edges = edges_of_level(side);
}

/* The side whose last level has fewer edges. */
static unsigned cheaper_side(const struct path_count *count)
{
    return count->sides[FORWARD].level_edges <= count->sides[BACKWARD].level_edges ? FORWARD
                                                                                   : BACKWARD;
}

/* Subtract the edges of a side's last level from the edges left. False: too many. */
static bool spend(struct path_count *count, unsigned which)
{
    const uint64_t edges = count->sides[which].level_edges;
    if (edges > count->edges_left) {
        return false;
    }
    count->edges_left -= edges;
    return true;
}

/* Follow an edge from a node of the last level; repeated edges count once. */
static inline void follow(struct path_count_side *side, uint32_t node, uint32_t to)
{
    struct path_count_node *next = &side->nodes[to];
    if (next->depth == 0) {
        next->depth = side->depth + 1;
        side->order[side->end++] = to;
    }
    if (next->depth == side->depth + 1) {
        next->ways = add(next->ways, side->nodes[node].ways);
    }
    next->stamp = node + 1;
}

/* The last level is now the nodes from a place in the order on. */
static void end_level(struct path_count_side *side, size_t end)
{
    side->begin = end;
    side->level_edges = edges_of_level(side);
    pw_assert(side->begin <= side->end);
}

/* Go one level further. */
static void deepen(struct path_count_side *side)
{
    const size_t end = side->end;
    side->depth++;
    for (size_t i = side->begin; i < end; i++) {
        const uint32_t node = side->order[i];
        for (uint64_t edge = side->offsets[node]; edge < side->offsets[node + 1]; edge++) {
            if (side->nodes[side->neighbours[edge]].stamp != node + 1) {
                follow(side, node, side->neighbours[edge]);
            }
        }
    }
    end_level(side, end);
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
    pw_assert(hops > 0 && count->avoided_count == 0);
    count->has_path = false;
    start(forward, source);
    start(backward, target);
    count->edges_left = edges_max;
    while (forward->depth + backward->depth + 1 < hops) {
        const unsigned which = cheaper_side(count);
        if (!spend(count, which)) {
            return 0;
        }
        deepen(&count->sides[which]);
    }
    const unsigned which = cheaper_side(count);
    return spend(count, which) ? join(&count->sides[which], &count->sides[!which]) : 0;
}

/* Searches that avoid nodes ------------------------------------------------------------------ */

bool path_count_avoid(struct path_count *count, const uint32_t *nodes, size_t node_count)
{
    uint32_t *copy = malloc((node_count > 0 ? node_count : 1) * sizeof(*copy));
    if (copy == NULL) {
        return false;
    }
    if (node_count > 0) {
        memcpy(copy, nodes, node_count * sizeof(*copy));
    }
    for (unsigned i = FORWARD; i <= BACKWARD; i++) {
        struct path_count_side *side = &count->sides[i];
        for (size_t k = 0; k < side->end; k++) { /* forget the last search */
            side->nodes[side->order[k]] = (struct path_count_node){0};
        }
        side->end = 0;
        for (size_t k = 0; k < count->avoided_count; k++) {
            side->nodes[count->avoided[k]] = (struct path_count_node){0};
        }
        for (size_t k = 0; k < node_count; k++) {
            side->nodes[copy[k]] = (struct path_count_node){.depth = PATH_AVOIDED};
        }
    }
    free(count->avoided);
    count->has_path = false;
    count->avoided = copy;
    count->avoided_count = node_count;
    return true;
}

/*
 * Go one level further, and count the paths over the edges into the last level of the other side.
 * Such an edge is kept. The level is not complete if the status is not SEARCH_DONE afterwards.
 */
static uint64_t deepen_and_meet(struct path_count *count, unsigned which,
                                const struct search_clock *clock, struct search_result *result)
{
    struct path_count_side *side = &count->sides[which];
    const struct path_count_side *other = &count->sides[!which];
    const size_t end = side->end;
    uint64_t paths = 0;
    side->depth++;
    for (size_t i = side->begin; i < end; i++) {
        const uint32_t node = side->order[i];
        for (uint64_t edge = side->offsets[node]; edge < side->offsets[node + 1]; edge++) {
            const uint32_t to = side->neighbours[edge];
            if (side->nodes[to].stamp == node + 1) {
                continue;
            }
            if (other->nodes[to].depth == other->depth + 1) {
                paths = add(paths, multiply(side->nodes[node].ways, other->nodes[to].ways));
                count->ends[which] = node;
                count->ends[!which] = to;
            }
            follow(side, node, to);
        }
        result->edges += side->offsets[node + 1] - side->offsets[node];
        if (++result->expanded % NODES_PER_CHECK == 0) {
            result->status = search_must_stop(clock);
            if (result->status != SEARCH_DONE) {
                return 0;
            }
        }
    }
    end_level(side, end);
    return paths;
}

uint64_t path_count_search(struct path_count *count, uint32_t source, uint32_t target,
                           const struct search_limits *limits, struct search_result *result)
{
    struct path_count_side *forward = &count->sides[FORWARD];
    struct path_count_side *backward = &count->sides[BACKWARD];
    struct search_clock clock;
    uint64_t paths = 0;
    search_start(&clock, limits, result);
    if (!path_count_avoids(count, source) && !path_count_avoids(count, target)) {
        start(forward, source);
        start(backward, target);
        result->status = search_must_stop(&clock);
        while (paths == 0 && result->status == SEARCH_DONE && forward->level_edges > 0 &&
               backward->level_edges > 0) {
            const unsigned which = cheaper_side(count);
            count->last_side = which;
            count->depths[which] = count->sides[which].depth;
            count->depths[!which] = count->sides[!which].depth;
            paths = deepen_and_meet(count, which, &clock, result);
        }
        result->pushed = forward->end + backward->end - 2;
    }
    result->visited = result->expanded;
    result->found = paths > 0;
    result->hops =
        paths > 0 ? count->depths[FORWARD] + count->depths[BACKWARD] + 1 : SEARCH_HOPS_NONE;
    count->has_path = result->found;
    search_finish(&clock, result);
    return paths;
}

/* Go from a node that a side has reached to the side's end, writing the nodes; step: 1 or -1. */
static bool write_way(const struct path_count_side *side, const struct path_count_side *opposite,
                      uint32_t node, uint32_t depth, uint32_t *to, ptrdiff_t step)
{
    *to = node;
    for (; depth > 0; depth--) {
        uint64_t edge = opposite->offsets[node];
        const uint64_t end = opposite->offsets[node + 1];
        while (edge < end && side->nodes[opposite->neighbours[edge]].depth != depth) {
            edge++;
        }
        if (edge == end) {
            return false;
        }
        node = opposite->neighbours[edge];
        to += step;
        *to = node;
    }
    return true;
}

bool path_count_path(const struct path_count *count, uint32_t *nodes, size_t capacity)
{
    const struct path_count_side *forward = &count->sides[FORWARD];
    const struct path_count_side *backward = &count->sides[BACKWARD];
    const uint32_t before = count->depths[FORWARD];
    return count->has_path && capacity >= (size_t)before + count->depths[BACKWARD] + 2 &&
           write_way(forward, backward, count->ends[FORWARD], before, nodes + before, -1) &&
           write_way(backward, forward, count->ends[BACKWARD], count->depths[BACKWARD],
                     nodes + before + 1, 1);
}
