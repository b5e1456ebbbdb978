/*
 * path_graph.c - marks the nodes on shortest paths, links them, and counts in large numbers.
 *
 * The search no longer needs the ways and the stamp of a node. Here a node on a path has ways 0,
 * and its stamp is its place in the list.
 */
#include "path_graph.h"
#include "base/array_reserve.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_PER_PART 19 /* a part of a decimal text is a word */
#define PART            UINT64_C(10000000000000000000)

enum { FORWARD, BACKWARD };

__extension__ typedef unsigned __int128 uint128;

/* What is known while the graph is made. */
struct making {
    struct path_graph *paths;
    struct path_count *search;
    size_t node_capacity, link_capacity;
};

/* Where a distance from the source lies: on which side, and its depth there. */
struct place {
    const struct path_count_side *side;
    uint32_t depth;
};

static struct place place_of(const struct making *making, uint32_t level)
{
    const struct path_count *search = making->search;
    const bool is_forward = level <= search->depths[FORWARD];
    const unsigned which = is_forward ? FORWARD : BACKWARD;
    return (struct place){&search->sides[which], is_forward ? level : making->paths->hops - level};
}

/* Append a node of a level to the list unless it is there. */
static bool take(struct making *making, struct place place, uint32_t node)
{
    struct path_graph *paths = making->paths;
    struct path_count_node *state = path_count_at(place.side, node);
    if (state == NULL || state->depth != place.depth || state->ways == 0) {
        return true;
    }
    if (!array_reserve((void **)&paths->nodes, &making->node_capacity, paths->node_count + 1,
                       sizeof(*paths->nodes))) {
        return false;
    }
    state->ways = 0;
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

/*
 * The nodes of the join, the last forward level: by its edges into the backward level beyond, or,
 * if the backward side found the join because it had fewer edges, by the edges of that level into
 * this.
 */
static bool take_join(struct making *making, uint32_t join)
{
    const bool is_forward = making->search->last_side == FORWARD;
    const struct place here = place_of(making, join), beyond = place_of(making, join + 1);
    const struct place from = is_forward ? here : beyond, to = is_forward ? beyond : here;
    const struct path_count_side *side = from.side;
    const struct graph *graph = &side->graph;
    for (size_t i = level_begin(side, from.depth); i < side->end; i++) {
        const uint32_t node = side->order[i];
        if (side->items[i].depth != from.depth) {
            break;
        }
        for (uint64_t edge = graph->offsets[node]; edge < graph->offsets[node + 1]; edge++) {
            const uint32_t next = graph->neighbours[edge];
            const struct path_count_node *met = path_count_at(to.side, next);
            if (met != NULL && met->depth == to.depth &&
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
            if (!take(making, place, over->neighbours[edge])) {
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
        path_count_at(place.side, sorted[i])->stamp = (uint32_t)i;
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
    const uint32_t join = making->search->depths[FORWARD], hops = paths->hops;
    size_t begin = 0;
    for (uint32_t level = join + 1; level-- > 0;) {
        const size_t end = paths->node_count;
        if (level == join ? !take_join(making, join)
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
    const uint32_t join = making->search->depths[FORWARD], hops = paths->hops;
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
        const struct path_count_node *state = path_count_at(before.side, from);
        const bool is_repeated = edge > in->offsets[node] && in->neighbours[edge - 1] == from;
        if (state == NULL || state->depth != before.depth || state->ways != 0 || is_repeated) {
            continue;
        }
        if (!array_reserve((void **)&paths->links, &making->link_capacity, count + 1,
                           sizeof(*paths->links))) {
            return false;
        }
        paths->links[count++] = state->stamp;
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

/* Numbers ------------------------------------------------------------------------ */

/* Write a number of several words, lowest first, as a decimal text; the words are lost. */
static char *decimal(uint64_t *words, size_t count)
{
    const size_t size = count * 20 + DIGITS_PER_PART + 2;
    char *text = malloc(size), part[DIGITS_PER_PART + 2];
    size_t at = size;
    if (text == NULL) {
        return NULL;
    }
    text[--at] = '\0';
    do {
        uint64_t rest = 0;
        for (size_t i = count; i-- > 0;) {
            const uint128 value = (uint128)rest << 64 | words[i];
            words[i] = (uint64_t)(value / PART);
            rest = (uint64_t)(value % PART);
        }
        while (count > 0 && words[count - 1] == 0) {
            count--;
        }
        const int length =
            snprintf(part, sizeof(part), count > 0 ? "%019llu" : "%llu", (unsigned long long)rest);
        pw_assert(length > 0 && (size_t)length <= at);
        at -= (size_t)length;
        memcpy(text + at, part, (size_t)length);
    } while (count > 0);
    memmove(text, text + at, size - at);
    return text;
}

/* Add a number of `count` words to one that has at least as many, and room for the carry. */
static void add_number(uint64_t *sum, const uint64_t *number, size_t count)
{
    bool carry = false;
    for (size_t i = 0; i < count || carry; i++) {
        const uint128 total = (uint128)sum[i] + (i < count ? number[i] : 0) + carry;
        sum[i] = (uint64_t)total;
        carry = total >> 64 != 0;
    }
}

/*
 * The numbers of ways to the nodes of a level, from the numbers of the level before, `width` words
 * each. Returns words of *next_width each: one more if a number might not fit. NULL: out of memory.
 */
static uint64_t *ways_of_level(const struct path_graph *paths, uint32_t level,
                               const uint64_t *before, size_t width, size_t *next_width)
{
    const size_t first = paths->levels[level - 1], begin = paths->levels[level];
    const size_t count = paths->levels[level + 1] - begin;
    bool is_full = false; /* 2^32 numbers whose last word is 0 fit in the same width */
    for (size_t i = 0; i < begin - first; i++) {
        is_full = is_full || before[i * width + width - 1] != 0;
    }
    *next_width = width + is_full;
    uint64_t *ways = calloc(count, *next_width * sizeof(*ways));
    for (size_t i = 0; ways != NULL && i < count; i++) {
        for (size_t link = paths->begins[begin + i]; link < paths->begins[begin + i + 1]; link++) {
            add_number(ways + i * *next_width, before + (paths->links[link] - first) * width,
                       width);
        }
    }
    return ways;
}

/* Count the paths. False when out of memory. */
static bool count_paths(struct path_graph *paths)
{
    size_t width = 2; /* the upper word is 0 */
    uint64_t *ways = calloc(1, width * sizeof(*ways));
    if (ways != NULL) {
        ways[0] = 1;
    }
    for (uint32_t level = 1; ways != NULL && level <= paths->hops; level++) {
        size_t next_width;
        uint64_t *next = ways_of_level(paths, level, ways, width, &next_width);
        free(ways);
        ways = next;
        width = next_width;
    }
    if (ways == NULL) {
        return false;
    }
    paths->count_at_most = ways[0];
    for (size_t i = 1; i < width; i++) {
        paths->count_at_most = ways[i] != 0 ? UINT64_MAX : paths->count_at_most;
    }
    paths->count = decimal(ways, width);
    free(ways);
    return paths->count != NULL;
}

/* Make and walk ------------------------------------------------------------------------ */

static enum path_graph_outcome make_found(struct making *making)
{
    struct path_graph *paths = making->paths;
    const size_t levels = (size_t)paths->hops + 2;
    size_t *found = calloc(levels, sizeof(*found));
    paths->levels = calloc(levels, sizeof(*paths->levels));
    const bool listed = found != NULL && paths->levels != NULL && find_nodes(making, found) &&
                        order_nodes(making, found);
    free(found);
    if (!listed) {
        return PATH_GRAPH_NO_MEMORY;
    }
    if (paths->levels[1] != 1 || paths->levels[paths->hops + 1] - paths->levels[paths->hops] != 1) {
        return PATH_GRAPH_CONTRADICTS; /* the source or the target is not there */
    }
    const enum path_graph_outcome linked = link_nodes(making);
    return linked != PATH_GRAPH_DONE || count_paths(paths) ? linked : PATH_GRAPH_NO_MEMORY;
}

enum path_graph_outcome path_graph_make(struct path_graph *paths, struct path_count *search,
                                        uint32_t source, uint32_t target,
                                        const struct search_limits *limits,
                                        struct search_result *result)
{
    struct making making = {.paths = paths, .search = search};
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
        paths->count = strdup("0");
        return paths->count != NULL ? PATH_GRAPH_DONE : PATH_GRAPH_NO_MEMORY;
    }
    paths->hops = result->hops;
    const enum path_graph_outcome outcome = make_found(&making);
    if (outcome != PATH_GRAPH_DONE) {
        path_graph_free(paths);
    }
    return outcome;
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
