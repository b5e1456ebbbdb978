/*
 * path_count.c - counts ways from both ends.
 */
#include "path_count.h"
#include "data/graph/graph_blocks.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 1024
#define NOT_COUNTED    (UINT64_MAX - 1) /* edges of a level */

/* The nodes reached --------------------------------------------------------------------------- */

/* Enter the first items into slots that are empty. */
static void fill_slots(struct path_count_side *side, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *path_count_slot_of(side, side->order[i]) =
            (struct path_count_slot){side->order[i], (uint32_t)i + 1};
    }
}

/* Make room for more nodes. False when out of memory; everything is as before then. */
static bool enlarge(struct path_count_side *side)
{
    const size_t capacity = side->capacity > 0 ? 2 * side->capacity : FIRST_CAPACITY;
    struct path_count_node *items = realloc(side->items, capacity * sizeof(*items));
    side->items = items != NULL ? items : side->items;
    uint32_t *order = realloc(side->order, capacity * sizeof(*order));
    side->order = order != NULL ? order : side->order;
    struct path_count_slot *slots = calloc(2 * capacity, sizeof(*slots));
    if (items == NULL || order == NULL || slots == NULL) {
        free(slots);
        return false;
    }
    free(side->slots);
    side->slots = slots;
    side->slot_count = 2 * capacity;
    side->capacity = capacity;
    fill_slots(side, side->end);
    return true;
}

/* The item of a node, which is added with the depth of the side if it is new. NULL when out of
 * memory. */
static inline struct path_count_node *reach(struct path_count_side *side, uint32_t node)
{
    struct path_count_slot *slot = path_count_slot_of(side, node);
    if (slot->place == 0) {
        if (side->end == side->capacity) {
            if (!enlarge(side)) {
                return NULL;
            }
            slot = path_count_slot_of(side, node);
        }
        side->items[side->end] = (struct path_count_node){.depth = side->depth};
        side->order[side->end] = node;
        *slot = (struct path_count_slot){node, (uint32_t)++side->end};
    }
    return &side->items[slot->place - 1];
}

/* Forget the nodes reached, and not the nodes to avoid. */
static void forget(struct path_count_side *side)
{
    if (side->end - side->avoided > side->avoided + side->slot_count / 16) {
        memset(side->slots, 0, (size_t)side->slot_count * sizeof(*side->slots));
        side->end = side->avoided;
        fill_slots(side, side->avoided);
    }
    for (; side->end > side->avoided; side->end--) { /* in reverse, so that each is found */
        path_count_slot_of(side, side->order[side->end - 1])->place = 0;
    }
}

bool path_count_open(struct path_count *count, const struct graph *graph)
{
    bool made = graph->in_offsets != NULL;
    *count = (struct path_count){.edges_left = 0};
    for (unsigned i = FORWARD; made && i <= BACKWARD; i++) {
        struct path_count_side *side = &count->sides[i];
        side->graph = i == BACKWARD ? graph_backwards(graph) : *graph;
        made = enlarge(side);
    }
    if (!made) {
        path_count_close(count);
    }
    return made;
}

void path_count_close(struct path_count *count)
{
    for (unsigned i = FORWARD; i <= BACKWARD; i++) {
        free(count->sides[i].items);
        free(count->sides[i].order);
        free(count->sides[i].slots);
    }
    free(count->avoided);
    *count = (struct path_count){.edges_left = 0};
}

/* Levels -------------------------------------------------------------------------------------- */

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
    if (!graph_allows_offsets(&side->graph, side->order + side->begin, side->end - side->begin,
                              1)) {
        return UINT64_MAX;
    }
    for (size_t i = side->begin; i < side->end; i++) {
        edges += graph_out_degree(&side->graph, side->order[i]);
    }
    return edges;
}

/* The last level is now the items from a place on. Its edges are not counted yet, and its stamps
 * are for the join. */
static void start_level(struct path_count_side *side, size_t begin)
{
    side->begin = begin;
    side->level_edges = NOT_COUNTED;
    for (size_t i = begin; i < side->end; i++) {
        side->items[i].stamp = 0;
    }
    pw_assert(side->avoided <= side->begin && side->begin <= side->end &&
              side->end <= side->capacity);
}

/* Forget the last search, and start at a node, which is not to be avoided. */
static void start(struct path_count_side *side, uint32_t node)
{
    forget(side);
    pw_assert(side->end < side->capacity);
    side->depth = 0;
    reach(side, node)->ways = 1; /* there is room for it */
    start_level(side, side->avoided);
}

/* The edges of the last level, which are counted now if they were not. */
static uint64_t count_level(struct path_count_side *side)
{
    if (side->level_edges == NOT_COUNTED) {
        side->level_edges = edges_of_level(side);
    }
    return side->level_edges;
}

/* True if the lists of the last level may be read. */
static bool allows_level(const struct path_count_side *side)
{
    return side->level_edges != UINT64_MAX &&
           graph_allows_lists(&side->graph, side->order + side->begin, side->end - side->begin);
}

/* Follow an edge from an item of the last level, unless it is a repeated one. False when out of
 * memory. */
static inline bool follow(struct path_count_side *side, size_t from, uint32_t node, uint32_t to)
{
    struct path_count_node *next = reach(side, to);
    if (next == NULL) {
        return false;
    }
    if (next->depth == side->depth && next->stamp != node + 1) {
        next->ways = add(next->ways, side->items[from].ways);
    }
    next->stamp = node + 1;
    return true;
}

/* Searches of a known length ------------------------------------------------------------------ */

/* Subtract the edges of a side's last level from the edges left. False: too many, or a bad
 * block. */
static bool spend(struct path_count *count, unsigned which)
{
    struct path_count_side *side = &count->sides[which];
    if (count_level(side) > count->edges_left) {
        return false;
    }
    count->edges_left -= side->level_edges;
    return allows_level(side);
}

/*
 * What it costs to go on with a side: the edges of its last level. In a snapshot that is read by
 * block it is rather the blocks: one per list, and one per offset that was not read to count the
 * edges.
 */
static uint64_t cost_of(const struct path_count_side *side)
{
    const uint64_t nodes = side->end - side->begin;
    const bool is_counted = side->level_edges != NOT_COUNTED;
    if (side->graph.blocks == NULL) {
        return is_counted ? side->level_edges : 0;
    }
    return is_counted ? nodes + side->level_edges * sizeof(uint32_t) / GRAPH_BLOCK_BYTES
                      : 2 * nodes;
}

/* The side to go on with. Its edges are counted, which may show that the other one is cheaper. */
static unsigned choose_side(struct path_count *count)
{
    for (;;) {
        const unsigned which = cost_of(&count->sides[FORWARD]) <= cost_of(&count->sides[BACKWARD])
                                   ? FORWARD
                                   : BACKWARD;
        struct path_count_side *side = &count->sides[which];
        if (side->level_edges != NOT_COUNTED) {
            return which;
        }
        count_level(side);
    }
}

/* The end of the edges that are followed before the next look at the limits. */
static uint64_t end_of_piece(uint64_t edge, uint64_t end)
{
    return end - edge > PATH_WORK_PER_LOOK ? edge + PATH_WORK_PER_LOOK : end;
}

/* Follow the edges from an item of the last level. SEARCH_DONE, or why to stop. */
static enum search_status deepen_from(struct path_count *count, unsigned which, size_t from,
                                      const struct search_clock *clock)
{
    struct path_count_side *side = &count->sides[which];
    const struct graph *graph = &side->graph;
    const uint32_t node = side->order[from];
    const uint64_t end = graph->offsets[node + 1];
    enum search_status status = SEARCH_DONE;
    for (uint64_t edge = graph->offsets[node]; edge < end && status == SEARCH_DONE;) {
        const uint64_t begin = edge, stop = end_of_piece(edge, end);
        for (; edge < stop; edge++) {
            if (!follow(side, from, node, graph->neighbours[edge])) {
                return SEARCH_NO_MEMORY;
            }
        }
        status = path_count_look(count, clock, stop - begin);
    }
    return status;
}

/* Go one level further, unless a clock says to stop; none: NULL. The level is not complete if the
 * status is not SEARCH_DONE. */
static enum search_status deepen(struct path_count *count, unsigned which,
                                 const struct search_clock *clock)
{
    struct path_count_side *side = &count->sides[which];
    const size_t end = side->end;
    enum search_status status = SEARCH_DONE;
    side->depth++;
    for (size_t i = side->begin; i < end && status == SEARCH_DONE; i++) {
        status = deepen_from(count, which, i, clock);
    }
    if (status != SEARCH_NO_MEMORY) {
        start_level(side, end);
    }
    return status;
}

/* Add the paths over the edges from an item of a side's last level to the last level of the other
 * side. Such an edge is kept. */
static inline void join_from(struct path_count *count, unsigned which, size_t from, uint64_t *paths)
{
    const struct path_count_side *side = &count->sides[which];
    const struct path_count_side *other = &count->sides[!which];
    const struct graph *graph = &side->graph;
    const uint32_t node = side->order[from];
    for (uint64_t edge = graph->offsets[node]; edge < graph->offsets[node + 1]; edge++) {
        const uint32_t to = graph->neighbours[edge];
        const uint32_t place = path_count_slot_of(other, to)->place;
        if (place > other->begin && other->items[place - 1].stamp != node + 1) {
            other->items[place - 1].stamp = node + 1;
            *paths = add(*paths, multiply(side->items[from].ways, other->items[place - 1].ways));
            count->ends[which] = node;
            count->ends[!which] = to;
        }
    }
}

bool path_count_find(struct path_count *count, uint32_t source, uint32_t target, uint32_t hops,
                     uint64_t edges_max, uint64_t *paths)
{
    struct path_count_side *forward = &count->sides[FORWARD];
    struct path_count_side *backward = &count->sides[BACKWARD];
    pw_assert(hops > 0);
    *paths = 0;
    count->has_path = false;
    start(forward, source);
    start(backward, target);
    count->edges_left = edges_max;
    while (forward->depth + backward->depth + 1 < hops) {
        const unsigned which = choose_side(count);
        if (!spend(count, which)) {
            return true;
        }
        if (deepen(count, which, NULL) != SEARCH_DONE) {
            return false;
        }
    }
    const unsigned which = choose_side(count);
    const bool allowed = spend(count, which);
    for (size_t i = count->sides[which].begin; i < count->sides[which].end && allowed; i++) {
        join_from(count, which, i, paths);
    }
    return true;
}

bool path_count_reach(struct path_count *count, uint32_t source, uint64_t edges_max,
                      uint64_t *reached)
{
    struct path_count_side *side = &count->sides[FORWARD];
    *reached = 0;
    count->has_path = false;
    start(side, source);
    count->edges_left = edges_max;
    while (side->begin < side->end) {
        if (!spend(count, FORWARD)) {
            return true;
        }
        if (deepen(count, FORWARD, NULL) != SEARCH_DONE) {
            return false;
        }
    }
    *reached = side->end - side->avoided;
    return true;
}

/* Searches that avoid nodes ------------------------------------------------------------------- */

bool path_count_avoid(struct path_count *count, const uint32_t *nodes, size_t node_count)
{
    uint32_t *copy = malloc((node_count > 0 ? node_count : 1) * sizeof(*copy));
    bool has_room = copy != NULL;
    for (unsigned i = FORWARD; i <= BACKWARD; i++) {
        while (has_room && count->sides[i].capacity <= node_count) { /* room for an end, too */
            has_room = enlarge(&count->sides[i]);
        }
    }
    if (!has_room) {
        free(copy);
        return false;
    }
    if (node_count > 0) {
        memcpy(copy, nodes, node_count * sizeof(*copy));
    }
    for (unsigned i = FORWARD; i <= BACKWARD; i++) {
        struct path_count_side *side = &count->sides[i];
        side->avoided = 0;
        forget(side);
        side->depth = PATH_AVOIDED;
        for (size_t k = 0; k < node_count; k++) {
            reach(side, copy[k]);
        }
        side->avoided = side->end;
        pw_assert(side->avoided <= node_count);
    }
    free(count->avoided);
    count->avoided = copy;
    count->avoided_count = node_count;
    count->has_path = false;
    return true;
}

/* True if a node is to be avoided. */
static bool avoids(const struct path_count *count, uint32_t node)
{
    const uint32_t place = path_count_slot_of(&count->sides[FORWARD], node)->place;
    return place > 0 && place <= count->sides[FORWARD].avoided;
}

/* Count the paths over the edges of a side's last level into the last level of the other side. They
 * are not all if the status is not SEARCH_DONE afterwards. */
static uint64_t join(struct path_count *count, unsigned which, const struct search_clock *clock,
                     struct search_result *result)
{
    struct path_count_side *side = &count->sides[which];
    uint64_t paths = 0;
    if (!allows_level(side)) {
        result->status = SEARCH_DAMAGED;
    }
    for (size_t i = side->begin; i < side->end && result->status == SEARCH_DONE; i++) {
        join_from(count, which, i, &paths);
        const uint64_t edges = graph_out_degree(&side->graph, side->order[i]);
        result->edges += edges;
        result->expanded++;
        result->status = path_count_look(count, clock, edges);
    }
    return result->status == SEARCH_DONE ? paths : 0;
}

uint64_t path_count_search(struct path_count *count, uint32_t source, uint32_t target,
                           const struct search_limits *limits, struct search_result *result)
{
    struct path_count_side *forward = &count->sides[FORWARD];
    struct path_count_side *backward = &count->sides[BACKWARD];
    struct search_clock clock;
    uint64_t paths = 0;
    search_start(&clock, limits, result);
    if (!avoids(count, source) && !avoids(count, target)) {
        start(forward, source);
        start(backward, target);
        result->status = search_stop_reason(&clock);
        while (result->status == SEARCH_DONE && count_level(forward) > 0 &&
               count_level(backward) > 0) {
            const unsigned which =
                forward->level_edges <= backward->level_edges ? FORWARD : BACKWARD;
            paths = join(count, which, &clock, result);
            if (paths > 0) {
                count->last_side = which;
                count->depths[FORWARD] = forward->depth;
                count->depths[BACKWARD] = backward->depth;
                break;
            }
            if (result->status == SEARCH_DONE) {
                result->status = deepen(count, which, &clock);
            }
        }
        result->pushed = forward->end - forward->avoided + backward->end - backward->avoided - 2;
    }
    if (graph_is_damaged(&forward->graph, NULL)) { /* also if another search has met it */
        result->status = SEARCH_DAMAGED;
        paths = 0;
    }
    result->visited = result->expanded;
    result->found = paths > 0;
    result->hops =
        paths > 0 ? count->depths[FORWARD] + count->depths[BACKWARD] + 1 : SEARCH_HOPS_NONE;
    count->has_path = result->found;
    search_finish(&clock, result);
    result->peak_queue = SEARCH_COUNT_UNKNOWN;
    return paths;
}

enum search_status path_count_deepen(struct path_count *count, const struct search_clock *clock)
{
    pw_assert(count->has_path);
    const enum search_status status = deepen(count, count->last_side, clock);
    if (status == SEARCH_DONE) {
        count_level(&count->sides[FORWARD]);
        count_level(&count->sides[BACKWARD]);
    }
    return status;
}

/* Go from a node that a side has reached to the side's end, writing the nodes; step: 1 or -1. */
static bool write_way(const struct path_count_side *side, const struct graph *opposite,
                      uint32_t node, uint32_t depth, uint32_t *to, ptrdiff_t step)
{
    *to = node;
    while (depth-- > 0) {
        if (!graph_allows_list(opposite, node)) {
            return false;
        }
        uint64_t edge = opposite->offsets[node];
        const uint64_t end = opposite->offsets[node + 1];
        for (; edge < end; edge++) {
            const struct path_count_node *before = path_count_at(side, opposite->neighbours[edge]);
            if (before != NULL && before->depth == depth) {
                break;
            }
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
           write_way(forward, &backward->graph, count->ends[FORWARD], before, nodes + before, -1) &&
           write_way(backward, &forward->graph, count->ends[BACKWARD], count->depths[BACKWARD],
                     nodes + before + 1, 1);
}
