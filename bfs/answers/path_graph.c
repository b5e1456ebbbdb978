/*
 * path_graph.c - marks the nodes on paths, and links them.
 *
 * The search no longer needs the ways and the stamp of a node. Here a node on a shortest path has
 * ways 0, and its stamp is its place in the list; for longer paths see enum mark.
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
#include "data/graph/graph_blocks.h"
#include <stdlib.h>
#include <string.h>

enum { FORWARD, BACKWARD };

/* What is known while the graph is made. */
struct making {
    struct path_graph *paths;
    struct path_count *search;
    uint32_t longer;    /* edges more than a shortest path has: 0 or 1 */
    uint32_t join;      /* the last level of the forward side; its edges lead to the other one */
    unsigned join_side; /* whose edges are looked at for the join */
    size_t node_capacity, link_capacity;
};

/* For longer paths, marks in the ways of a node: it can be reached late; it is in the list in time;
 * and late. The lower half of the ways is its place if late; the stamp is its place in time. */
enum mark { IS_LATE = 1, IS_TAKEN = 2, IS_TAKEN_LATE = 4 };
#define MARK_SHIFT 32

static bool has_mark(const struct path_count_node *state, enum mark mark)
{
    return (state->ways >> MARK_SHIFT & (uint64_t)mark) != 0;
}

static void set_mark(struct path_count_node *state, enum mark mark)
{
    state->ways |= (uint64_t)mark << MARK_SHIFT;
}

static bool is_taken(const struct making *making, const struct path_count_node *state, bool late)
{
    return making->longer == 0 ? state->ways == 0
                               : has_mark(state, late ? IS_TAKEN_LATE : IS_TAKEN);
}

/* Where a level lies: on which side, and how many edges from the side's end. */
struct place {
    const struct path_count_side *side;
    uint32_t depth;
    bool has_late; /* only for longer paths */
};

/* True if a node may be at a place. *late: if it is late. */
static inline bool fits(struct place place, const struct path_count_node *state, bool *late)
{
    *late = state->depth != place.depth;
    return !*late ||
           (place.has_late && state->depth + 1 == place.depth && has_mark(state, IS_LATE));
}

/* What a side knows of a node that may be at a place; NULL if it may not. */
static inline struct path_count_node *state_at(struct place place, uint32_t node, bool *late)
{
    struct path_count_node *state = path_count_at(place.side, node);
    *late = false;
    return state != NULL && fits(place, state, late) ? state : NULL;
}

static struct place place_of(const struct making *making, uint32_t level)
{
    const bool is_forward = level <= making->join;
    const unsigned which = is_forward ? FORWARD : BACKWARD;
    return (struct place){&making->search->sides[which],
                          is_forward ? level : making->paths->hops - level, making->longer > 0};
}

/* Append a node of a level to the list unless it is there. */
static bool take(struct making *making, struct place place, uint32_t node)
{
    struct path_graph *paths = making->paths;
    bool late;
    struct path_count_node *state = state_at(place, node, &late);
    if (state == NULL || is_taken(making, state, late)) {
        return true;
    }
    if (paths->node_count == UINT32_MAX ||
        !array_reserve((void **)&paths->nodes, &making->node_capacity, paths->node_count + 1,
                       sizeof(*paths->nodes))) {
        return false;
    }
    if (making->longer == 0) {
        state->ways = 0;
    } else {
        set_mark(state, late ? IS_TAKEN_LATE : IS_TAKEN);
    }
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

/* True for a self-loop, which longer paths must not have. Shortest paths have none, except from a
 * node to itself. */
static bool is_loop(const struct making *making, uint32_t from, uint32_t to)
{
    return making->longer > 0 && from == to;
}

/* Mark the nodes with a depth to which a node leads, itself left out. */
static void mark_from(const struct path_count_side *side, uint32_t node, uint32_t depth)
{
    const struct graph *graph = &side->graph;
    for (uint64_t edge = graph->offsets[node]; edge < graph->offsets[node + 1]; edge++) {
        const uint32_t next = graph->neighbours[edge];
        struct path_count_node *state = path_count_at(side, next);
        if (next != node && state != NULL && state->depth == depth) {
            set_mark(state, IS_LATE);
        }
    }
}

/* Mark the nodes nearer than a side's depth that can be reached late: level by level, first over
 * the edges within the level. The search has read the same lists. */
static void mark_late(const struct path_count_side *side)
{
    size_t begin = side->avoided;
    while (begin < side->end && side->items[begin].depth < side->depth) {
        const uint32_t depth = side->items[begin].depth;
        const size_t end = level_begin(side, depth + 1);
        for (size_t i = begin; i < end; i++) {
            mark_from(side, side->order[i], depth);
        }
        for (size_t i = begin; i < end && depth + 1 < side->depth; i++) {
            if (has_mark(&side->items[i], IS_LATE)) {
                mark_from(side, side->order[i], depth + 1);
            }
        }
        begin = end;
    }
}

/*
 * The nodes of the join, the last forward level: by its edges into the backward level beyond, or,
 * if the backward side has fewer edges, by the edges of that level into this.
 */
static bool take_join(struct making *making)
{
    const uint32_t join = making->join;
    const bool is_forward = making->join_side == FORWARD;
    const struct place here = place_of(making, join), beyond = place_of(making, join + 1);
    const struct place from = is_forward ? here : beyond, to = is_forward ? beyond : here;
    const struct path_count_side *side = from.side;
    const struct graph *graph = &side->graph;
    const uint32_t nearest = from.depth - (from.depth > 0 ? making->longer : 0);
    for (size_t i = level_begin(side, nearest); i < side->end; i++) {
        const uint32_t node = side->order[i];
        bool late;
        if (side->items[i].depth > from.depth) {
            break;
        }
        if (!fits(from, &side->items[i], &late)) {
            continue;
        }
        for (uint64_t edge = graph->offsets[node]; edge < graph->offsets[node + 1]; edge++) {
            const uint32_t next = graph->neighbours[edge];
            if (!is_loop(making, node, next) && state_at(to, next, &late) != NULL &&
                !take(making, here, is_forward ? node : next)) {
                return false;
            }
        }
    }
    return true;
}

/* The nodes of a level to which the nodes of the list from begin to end lead, over an adjacency. */
static bool take_next(struct making *making, uint32_t level, const struct graph *over, size_t begin,
                      size_t end)
{
    const struct place place = place_of(making, level);
    for (size_t i = begin; i < end; i++) {
        const uint32_t node = making->paths->nodes[i];
        for (uint64_t edge = over->offsets[node]; edge < over->offsets[node + 1]; edge++) {
            const uint32_t next = over->neighbours[edge];
            if (!is_loop(making, node, next) && !take(making, place, next)) {
                return false;
            }
        }
    }
    return true;
}

static int compare_nodes(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

/* Move a part of the list to its place in the order of the levels. */
static void place_level(struct making *making, uint32_t *sorted, uint32_t level, size_t begin,
                        size_t end, size_t at)
{
    const struct place place = place_of(making, level);
    const uint32_t *from = making->paths->nodes + begin;
    memcpy(sorted + at, from, (end - begin) * sizeof(*sorted));
    qsort(sorted + at, end - begin, sizeof(*sorted), compare_nodes);
    for (size_t i = at; i < at + (end - begin); i++) {
        bool late;
        struct path_count_node *state = state_at(place, sorted[i], &late);
        if (late) {
            state->ways |= (uint32_t)i;
        } else {
            state->stamp = (uint32_t)i;
        }
    }
    making->paths->levels[level] = at;
}

/*
 * List the nodes on paths: from the join back to the source, then on to the target. found: room for
 * hops + 2, where each of these levels ends in the list as it was found.
 */
static bool find_nodes(struct making *making, size_t *found)
{
    struct path_graph *paths = making->paths;
    const struct path_count_side *sides = making->search->sides;
    const uint32_t join = making->join, hops = paths->hops;
    size_t begin = 0;
    for (uint32_t level = join + 1; level-- > 0;) {
        const size_t end = paths->node_count;
        if (level == join ? !take_join(making)
                          : !take_next(making, level, &sides[BACKWARD].graph, begin, end)) {
            return false;
        }
        begin = end;
        found[level] = paths->node_count;
    }
    for (uint32_t level = join + 1; level <= hops; level++) {
        const size_t end = paths->node_count;
        if (level == join + 1 ? !take_next(making, level, &sides[FORWARD].graph, 0, found[join])
                              : !take_next(making, level, &sides[FORWARD].graph, begin, end)) {
            return false;
        }
        begin = end;
        found[level] = paths->node_count;
    }
    return true;
}

/* Bring the list into the order of the levels. */
static bool order_nodes(struct making *making, const size_t *found)
{
    struct path_graph *paths = making->paths;
    const uint32_t join = making->join, hops = paths->hops;
    uint32_t *sorted = malloc((paths->node_count + 1) * sizeof(*sorted));
    size_t at = 0;
    if (sorted == NULL) {
        return false;
    }
    for (uint32_t level = 0; level <= hops; level++) {
        const size_t begin = level == join       ? 0
                             : level < join      ? found[level + 1]
                             : level == join + 1 ? found[0]
                                                 : found[level - 1];
        place_level(making, sorted, level, begin, found[level], at);
        at += found[level] - begin;
    }
    pw_assert(at == paths->node_count);
    paths->levels[hops + 1] = at;
    free(paths->nodes);
    paths->nodes = sorted;
    return true;
}

/* Append the links to a place from the level before. */
static bool link_place(struct making *making, struct place before, size_t at)
{
    struct path_graph *paths = making->paths;
    const struct graph *in = &making->search->sides[BACKWARD].graph;
    const uint32_t node = paths->nodes[at];
    size_t count = paths->begins[at];
    for (uint64_t edge = in->offsets[node]; edge < in->offsets[node + 1]; edge++) {
        const uint32_t from = in->neighbours[edge];
        bool late;
        const struct path_count_node *state = state_at(before, from, &late);
        const bool is_repeated = edge > in->offsets[node] && in->neighbours[edge - 1] == from;
        if (state == NULL || !is_taken(making, state, late) || is_repeated ||
            is_loop(making, from, node)) {
            continue;
        }
        if (!array_reserve((void **)&paths->links, &making->link_capacity, count + 1,
                           sizeof(*paths->links))) {
            return false;
        }
        paths->links[count++] = late ? (uint32_t)state->ways : state->stamp;
    }
    paths->begins[at + 1] = count;
    return true;
}

/* Link each node with those before it. A node without any is a contradiction. */
static enum path_graph_outcome link_nodes(struct making *making)
{
    struct path_graph *paths = making->paths;
    paths->begins = calloc(paths->node_count + 1, sizeof(*paths->begins));
    if (paths->begins == NULL) {
        return PATH_GRAPH_NO_MEMORY;
    }
    for (uint32_t level = 1; level <= paths->hops; level++) {
        const struct place before = place_of(making, level - 1);
        for (size_t at = paths->levels[level]; at < paths->levels[level + 1]; at++) {
            if (!link_place(making, before, at)) {
                return PATH_GRAPH_NO_MEMORY;
            }
            if (paths->begins[at + 1] == paths->begins[at]) {
                return PATH_GRAPH_CONTRADICTS;
            }
        }
    }
    return PATH_GRAPH_DONE;
}

/* Make and walk ------------------------------------------------------------------------ */

/* Make it the graph of no paths. False when out of memory. */
static bool set_none(struct path_graph *paths)
{
    path_graph_free(paths);
    paths->count = strdup("0");
    return paths->count != NULL;
}

/* Begin with a list that is empty: clear the marks, and choose the join. */
static void start_making(struct making *making)
{
    struct path_count *search = making->search;
    making->join = making->longer > 0 ? search->sides[FORWARD].depth : search->depths[FORWARD];
    making->join_side = search->last_side;
    if (making->longer > 0) {
        making->join_side =
            search->sides[FORWARD].level_edges <= search->sides[BACKWARD].level_edges ? FORWARD
                                                                                      : BACKWARD;
    }
    for (unsigned which = FORWARD; making->longer > 0 && which <= BACKWARD; which++) {
        struct path_count_side *side = &search->sides[which];
        for (size_t i = side->avoided; i < side->end; i++) {
            side->items[i].ways = 0;
        }
        mark_late(side);
    }
}

static enum path_graph_outcome make_found(struct making *making)
{
    struct path_graph *paths = making->paths;
    const size_t levels = (size_t)paths->hops + 2;
    size_t *found = calloc(levels, sizeof(*found));
    paths->levels = calloc(levels, sizeof(*paths->levels));
    start_making(making);
    const bool listed = found != NULL && paths->levels != NULL && find_nodes(making, found);
    const bool is_none = listed && making->longer > 0 && paths->node_count == 0;
    const bool ordered = listed && !is_none && order_nodes(making, found);
    free(found);
    if (is_none) {
        return set_none(paths) ? PATH_GRAPH_DONE : PATH_GRAPH_NO_MEMORY;
    }
    if (!ordered) {
        return PATH_GRAPH_NO_MEMORY;
    }
    if (paths->levels[1] != 1 || paths->levels[paths->hops + 1] - paths->levels[paths->hops] != 1) {
        return PATH_GRAPH_CONTRADICTS; /* the source or the target is not there */
    }
    const enum path_graph_outcome linked = link_nodes(making);
    return linked != PATH_GRAPH_DONE || path_graph_count(paths) ? linked : PATH_GRAPH_NO_MEMORY;
}

enum path_graph_outcome path_graph_make_longer(struct path_graph *paths, struct path_count *search,
                                               uint32_t source, uint32_t target, uint32_t longer,
                                               const struct search_limits *limits,
                                               struct search_result *result)
{
    struct making making = {.paths = paths, .search = search, .longer = longer};
    pw_assert(longer <= PATH_LONGER_MAX);
    *paths = (struct path_graph){.hops = SEARCH_HOPS_NONE};
    if (!graph_allows_all(&search->sides[FORWARD].graph)) { /* all below reads many lists */
        *result = (struct search_result){.status = SEARCH_DAMAGED, .hops = SEARCH_HOPS_NONE};
        return PATH_GRAPH_ENDED;
    }
    path_count_search(search, source, target, limits, result);
    if (result->status != SEARCH_DONE) {
        return result->status == SEARCH_NO_MEMORY ? PATH_GRAPH_NO_MEMORY : PATH_GRAPH_ENDED;
    }
    if (!result->found) {
        return set_none(paths) ? PATH_GRAPH_DONE : PATH_GRAPH_NO_MEMORY;
    }
    paths->hops = result->hops + longer;
    const enum path_graph_outcome outcome = make_found(&making);
    if (outcome != PATH_GRAPH_DONE) {
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
    free(paths->count);
    *paths = (struct path_graph){.hops = SEARCH_HOPS_NONE};
}

bool path_graph_walk(const struct path_graph *paths, uint64_t limit, path_graph_emit *emit,
                     void *context)
{
    const uint32_t hops = paths->hops;
    if (hops == SEARCH_HOPS_NONE || limit == 0) {
        return true;
    }
    size_t *next = malloc(((size_t)hops + 1) * sizeof(*next)); /* the link to take at each level */
    size_t *places = malloc(((size_t)hops + 1) * sizeof(*places));
    uint32_t *nodes = malloc(((size_t)hops + 1) * sizeof(*nodes));
    const bool ready = next != NULL && places != NULL && nodes != NULL;
    if (ready) {
        uint32_t level = hops;
        places[hops] = paths->node_count - 1;
        nodes[hops] = paths->nodes[places[hops]];
        next[hops] = paths->begins[places[hops]];
        while (limit > 0) {
            if (level == 0) {
                emit(context, nodes, hops);
                limit--;
                level++;
            } else if (next[level] < paths->begins[places[level] + 1]) {
                places[level - 1] = paths->links[next[level]++];
                level--;
                nodes[level] = paths->nodes[places[level]];
                next[level] = paths->begins[places[level]];
            } else if (level++ == hops) {
                break;
            }
        }
    }
    free(next);
    free(places);
    free(nodes);
    return ready;
}
