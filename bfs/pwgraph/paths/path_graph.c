/*
 * path_graph.c - finds the nodes on paths; path_links.c links them.
 *
 * Paths that are one edge longer. Let d be the edges of a shortest path. Take a walk of d + 1 edges
 * from source to target that has a node twice, not only at its ends. Without the part between the
 * two it still has d edges or more, so that part is one edge, a self-loop. All other walks of d + 1
 * edges are paths: self-loops are left out, and walks are counted. After i edges such a walk has
 * a node that is i or i - 1 edges from the source; it is late if i - 1. A node can be reached late
 * from a node of the same distance, or from a nearer one that can be reached late. The same holds
 * from the target's end. The search has reached all nodes up to two depths whose sum is d, and one
 * edge joins them.
 */
#include "path_graph.h"
#include "base/array_reserve.h"
#include "base/pw_assert.h"
#include "path_making.h"
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS   11 /* three digits are a node */
#define DIGIT_VALUES ((size_t)1 << DIGIT_BITS)

/* Append a node of a level to the list unless it is there. */
static bool take(struct path_making *making, struct path_place place, uint32_t node)
{
    struct path_graph *paths = making->paths;
    bool late;
    struct path_state *state = path_state_at(place, node, &late);
    if (state == NULL || state->is_listed[late]) {
        return true;
    }
    if (paths->node_count == UINT32_MAX ||
        !array_reserve((void **)&paths->nodes, &making->node_capacity, paths->node_count + 1,
                       sizeof(*paths->nodes))) {
        return false;
    }
    state->is_listed[late] = true;
    paths->nodes[paths->node_count++] = node;
    return true;
}

/* The first place of a side's order with a depth, which ascends after the nodes to avoid. */
static size_t level_begin(const struct path_count_side *side, uint32_t depth)
{
    size_t low = side->avoided, high = side->end;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (side->items[middle].depth < depth) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Where the items begin that may be at a place; late ones are one level nearer to the side's end.
 * *end: where they end. */
static size_t items_at(const struct path_making *making, struct path_place place, size_t *end)
{
    const uint32_t nearest = place.depth - (place.depth > 0 ? making->longer : 0);
    *end = level_begin(place.side, place.depth + 1);
    return level_begin(place.side, nearest);
}

/* Mark the nodes with a depth to which a node leads, itself left out. */
static void mark_from(const struct path_count_side *side, struct path_state *states, uint32_t node,
                      uint32_t depth)
{
    const struct graph *graph = &side->graph;
    for (uint64_t edge = graph->offsets[node]; edge < graph->offsets[node + 1]; edge++) {
        const uint32_t next = graph->neighbours[edge];
        const struct path_count_node *reached = path_count_at(side, next);
        if (next != node && reached != NULL && reached->depth == depth) {
            states[reached - side->items].can_be_late = true;
        }
    }
}

/* Mark the nodes nearer than a side's depth that can be reached late: level by level, first over
 * the edges within the level. The search has read the same lists. False if the limits say to
 * stop. */
static bool mark_late(struct path_making *making, unsigned which)
{
    const struct path_count_side *side = &making->search->sides[which];
    struct path_state *states = making->states[which];
    size_t begin = side->avoided;
    while (begin < side->end && side->items[begin].depth < side->depth) {
        const uint32_t depth = side->items[begin].depth;
        const size_t end = level_begin(side, depth + 1);
        for (size_t i = begin; i < end; i++) {
            mark_from(side, states, side->order[i], depth);
            if (!path_may_go_on(making, graph_out_degree(&side->graph, side->order[i]))) {
                return false;
            }
        }
        for (size_t i = begin; i < end && depth + 1 < side->depth; i++) {
            const bool is_late = states[i].can_be_late;
            if (is_late) {
                mark_from(side, states, side->order[i], depth + 1);
            }
            if (!path_may_go_on(making,
                                is_late ? graph_out_degree(&side->graph, side->order[i]) : 0)) {
                return false;
            }
        }
        begin = end;
    }
    return true;
}

/*
 * The nodes of the join, the last forward level: by its edges into the backward level beyond, or,
 * if the backward side has fewer edges, by the edges of that level into this.
 */
static bool take_join(struct path_making *making)
{
    const uint32_t join = making->join;
    const bool is_forward = making->join_side == FORWARD;
    const struct path_place here = path_place_of(making, join),
                            beyond = path_place_of(making, join + 1);
    const struct path_place from = is_forward ? here : beyond, to = is_forward ? beyond : here;
    const struct path_count_side *side = from.side;
    const struct graph *graph = &side->graph;
    size_t end;
    for (size_t i = items_at(making, from, &end); i < end; i++) {
        const uint32_t node = side->order[i];
        bool late;
        if (!path_may_go_on(making, 0)) {
            return false;
        }
        if (!path_fits(from, i, &late)) {
            continue;
        }
        if (!path_may_read(making, graph, node)) {
            return false;
        }
        for (uint64_t edge = graph->offsets[node]; edge < graph->offsets[node + 1]; edge++) {
            const uint32_t next = graph->neighbours[edge];
            if (!path_is_loop(making, node, next) && path_state_at(to, next, &late) != NULL &&
                !take(making, here, is_forward ? node : next)) {
                return false;
            }
        }
    }
    return true;
}

/* A part of the list: the nodes of a level, as they were found. */
struct part {
    uint32_t level;
    size_t begin, end;
};

/* Take the nodes of a level to which a part leads, over an adjacency. */
static bool take_led(struct path_making *making, struct path_place place, struct part part,
                     const struct graph *over)
{
    for (size_t i = part.begin; i < part.end; i++) {
        const uint32_t node = making->paths->nodes[i];
        if (!path_may_read(making, over, node)) {
            return false;
        }
        for (uint64_t edge = over->offsets[node]; edge < over->offsets[node + 1]; edge++) {
            const uint32_t next = over->neighbours[edge];
            if (!path_is_loop(making, node, next) && !take(making, place, next)) {
                return false;
            }
        }
    }
    return true;
}

/* Take the nodes of a level that lead to a part, by the edges of the level's side, from its items
 * begin to end. */
static bool take_leading(struct path_making *making, struct path_place place, struct part part,
                         size_t begin, size_t end)
{
    const struct path_place there = path_place_of(making, part.level);
    const struct graph *graph = &place.side->graph;
    for (size_t i = begin; i < end; i++) {
        const uint32_t node = place.side->order[i];
        bool late, leads = false;
        if (!path_may_go_on(making, 0)) {
            return false;
        }
        if (!path_fits(place, i, &late)) {
            continue;
        }
        if (!path_may_read(making, graph, node)) {
            return false;
        }
        for (uint64_t edge = graph->offsets[node]; edge < graph->offsets[node + 1] && !leads;
             edge++) {
            const uint32_t next = graph->neighbours[edge];
            const struct path_state *state = path_state_at(there, next, &late);
            leads = state != NULL && state->is_listed[late] && !path_is_loop(making, node, next);
        }
        if (leads && !take(making, place, node)) {
            return false;
        }
    }
    return true;
}

/* The nodes of a level next to a part, by the adjacency in which there are fewer edges to look at:
 * a node on a path may have a hundred thousand edges that the search had no need to follow. */
static bool take_next(struct path_making *making, uint32_t level, struct part part)
{
    const struct path_place place = path_place_of(making, level);
    const struct path_count_side *side = place.side;
    const struct graph *over =
        &making->search->sides[level < part.level ? BACKWARD : FORWARD].graph;
    uint64_t led, leading;
    size_t end;
    const size_t begin = items_at(making, place, &end);
    if (!path_edges_of(making, over, making->paths->nodes + part.begin, part.end - part.begin,
                       &led) ||
        !path_edges_of(making, &side->graph, side->order + begin, end - begin, &leading)) {
        return false;
    }
    return led <= leading ? take_led(making, place, part, over)
                          : take_leading(making, place, part, begin, end);
}

static int compare_nodes(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

/* Copy nodes in the order of some of their bits. */
static void sort_by_digit(uint32_t *to, const uint32_t *from, size_t count, unsigned shift)
{
    size_t begins[DIGIT_VALUES + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        begins[(from[i] >> shift) % DIGIT_VALUES + 1]++;
    }
    for (size_t i = 1; i < DIGIT_VALUES; i++) {
        begins[i] += begins[i - 1];
    }
    for (size_t i = 0; i < count; i++) {
        to[begins[(from[i] >> shift) % DIGIT_VALUES]++] = from[i];
    }
}

/* Copy nodes in ascending order; what they were copied from is lost. False if the limits say to
 * stop: qsort of many nodes cannot be stopped. */
static bool sort_nodes(struct path_making *making, uint32_t *to, uint32_t *from, size_t count)
{
    if (count < DIGIT_VALUES) {
        memcpy(to, from, count * sizeof(*to));
        qsort(to, count, sizeof(*to), compare_nodes);
        return true;
    }
    sort_by_digit(to, from, count, 0);
    if (!path_may_go_on(making, count)) {
        return false;
    }
    sort_by_digit(from, to, count, DIGIT_BITS);
    if (!path_may_go_on(making, count)) {
        return false;
    }
    sort_by_digit(to, from, count, 2 * DIGIT_BITS);
    return true;
}

/* Move a part of the list to its place in the order of the levels. False if the limits say to
 * stop. */
static bool place_level(struct path_making *making, uint32_t *sorted, uint32_t level, size_t begin,
                        size_t end, size_t at)
{
    const struct path_place place = path_place_of(making, level);
    if (!sort_nodes(making, sorted + at, making->paths->nodes + begin, end - begin)) {
        return false;
    }
    for (size_t i = at; i < at + (end - begin) && path_may_go_on(making, 0); i++) {
        bool late;
        struct path_state *state = path_state_at(place, sorted[i], &late);
        state->places[late] = (uint32_t)i;
    }
    making->paths->levels[level] = at;
    return making->status == SEARCH_DONE;
}

/*
 * List the nodes on paths: from the join back to the source, then on to the target. found: room for
 * hops + 2, where each of these levels ends in the list as it was found.
 */
static bool find_nodes(struct path_making *making, size_t *found)
{
    struct path_graph *paths = making->paths;
    const uint32_t join = making->join;
    struct part part = {.level = join};
    if (!take_join(making)) {
        return false;
    }
    if (paths->node_count == 0) {
        return true; /* there is no list to go on from */
    }
    part.end = found[join] = paths->node_count;
    for (uint32_t level = join; level-- > 0;) {
        if (!take_next(making, level, part)) {
            return false;
        }
        part = (struct part){level, part.end, paths->node_count};
        found[level] = part.end;
    }
    part = (struct part){join, 0, found[join]};
    for (uint32_t level = join + 1; level <= paths->hops; level++) {
        const size_t begin = paths->node_count;
        if (!take_next(making, level, part)) {
            return false;
        }
        part = (struct part){level, begin, paths->node_count};
        found[level] = part.end;
    }
    return true;
}

/* Bring the list into the order of the levels. */
static bool order_nodes(struct path_making *making, const size_t *found)
{
    struct path_graph *paths = making->paths;
    const uint32_t join = making->join, hops = paths->hops;
    uint32_t *sorted = malloc((paths->node_count + 1) * sizeof(*sorted));
    size_t at = 0;
    bool placed = sorted != NULL;
    for (uint32_t level = 0; level <= hops && placed; level++) {
        const size_t begin = level == join       ? 0
                             : level < join      ? found[level + 1]
                             : level == join + 1 ? found[0]
                                                 : found[level - 1];
        placed = place_level(making, sorted, level, begin, found[level], at);
        at += found[level] - begin;
    }
    if (!placed) {
        free(sorted);
        return false;
    }
    pw_assert(at == paths->node_count);
    paths->levels[hops + 1] = at;
    free(paths->nodes);
    paths->nodes = sorted;
    return true;
}

/* Make ---------------------------------------------------------------------------------- */

/* Begin with a list that is empty. False when out of memory, or if status is not SEARCH_DONE. */
static bool start_making(struct path_making *making)
{
    struct path_count *search = making->search;
    making->join_side = search->last_side;
    if (making->longer > 0) {
        const enum search_status status = path_count_deepen(search, making->clock);
        if (status != SEARCH_DONE) {
            making->status = status != SEARCH_NO_MEMORY ? status : making->status;
            return false;
        }
        making->join_side =
            search->sides[FORWARD].level_edges <= search->sides[BACKWARD].level_edges ? FORWARD
                                                                                      : BACKWARD;
    }
    making->join = search->sides[FORWARD].depth;
    for (unsigned which = FORWARD; which <= BACKWARD; which++) {
        const size_t items = search->sides[which].end; /* also the nodes to avoid */
        making->states[which] = calloc(items, sizeof(*making->states[which]));
        if (making->states[which] == NULL || (making->longer > 0 && !mark_late(making, which))) {
            return false;
        }
    }
    return true;
}

/* The graph, unless it has no nodes: there may be no longer paths. */
static enum path_graph_outcome make_found(struct path_making *making)
{
    struct path_graph *paths = making->paths;
    const size_t levels = (size_t)paths->hops + 2;
    size_t *found = calloc(levels, sizeof(*found));
    paths->levels = calloc(levels, sizeof(*paths->levels));
    const bool listed =
        found != NULL && paths->levels != NULL && start_making(making) && find_nodes(making, found);
    const bool is_none = listed && paths->node_count == 0;
    const bool ordered = listed && !is_none && order_nodes(making, found);
    free(found);
    if (is_none) {
        return making->longer > 0 ? PATH_GRAPH_DONE : PATH_GRAPH_CONTRADICTS;
    }
    if (!ordered) {
        return PATH_GRAPH_NO_MEMORY;
    }
    if (paths->levels[1] != 1 || paths->levels[paths->hops + 1] - paths->levels[paths->hops] != 1) {
        return PATH_GRAPH_CONTRADICTS; /* the source or the target is not there */
    }
    if (!path_link_nodes(making)) {
        return PATH_GRAPH_NO_MEMORY;
    }
    for (size_t at = 1; at < paths->node_count; at++) {
        if (paths->begins[at] == paths->begins[at + 1]) {
            return PATH_GRAPH_CONTRADICTS; /* nothing leads there */
        }
    }
    return path_count_links(making) ? PATH_GRAPH_DONE : PATH_GRAPH_NO_MEMORY;
}

enum path_graph_outcome path_graph_make_longer(struct path_graph *paths, struct path_count *search,
                                               uint32_t source, uint32_t target, uint32_t longer,
                                               const struct search_limits *limits,
                                               struct search_result *result)
{
    struct search_clock clock; /* of the whole; its region is the search's */
    struct search_limits whole = limits != NULL ? *limits : (struct search_limits){0};
    whole.region = NULL;
    search_start(&clock, &whole, result);
    struct path_making making = {
        .paths = paths, .search = search, .longer = longer, .clock = &clock, .status = SEARCH_DONE};
    pw_assert(longer <= PATH_LONGER_MAX);
    *paths = (struct path_graph){.hops = SEARCH_HOPS_NONE, .count = "0"};
    path_count_search(search, source, target, limits, result);
    if (result->status != SEARCH_DONE) {
        return result->status == SEARCH_NO_MEMORY ? PATH_GRAPH_NO_MEMORY : PATH_GRAPH_ENDED;
    }
    enum path_graph_outcome outcome = PATH_GRAPH_DONE;
    if (result->found) {
        paths->hops = making.hops = result->hops + longer;
        outcome = make_found(&making);
        free(making.states[FORWARD]);
        free(making.states[BACKWARD]);
    }
    if (making.status != SEARCH_DONE) {
        result->status = making.status;
        result->found = false;
        result->hops = SEARCH_HOPS_NONE;
        outcome = PATH_GRAPH_ENDED;
    }
    if (outcome != PATH_GRAPH_DONE || paths->node_count == 0) {
        path_graph_free(paths);
    }
    return outcome;
}

enum path_graph_outcome path_graph_make(struct path_graph *paths, struct path_count *search,
                                        uint32_t source, uint32_t target,
                                        const struct search_limits *limits,
                                        struct search_result *result)
{
    return path_graph_make_longer(paths, search, source, target, 0, limits, result);
}

void path_graph_free(struct path_graph *paths)
{
    free(paths->nodes);
    free(paths->levels);
    free(paths->begins);
    free(paths->links);
    *paths = (struct path_graph){.hops = SEARCH_HOPS_NONE, .count = "0"};
}
