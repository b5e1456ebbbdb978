/*
 * path_links.c - links the nodes of a graph of paths, level by level.
 *
 * A link is an edge between nodes of two levels that are both in the list. It is found by the edges
 * into the one level or by the edges out of the other, whichever are fewer, because nodes on paths
 * may have a hundred thousand edges that the search had no need to follow. The links to a node are
 * in the order of the list in either case.
 */
#include "base/array_reserve.h"
#include "path_graph.h"
#include "path_making.h"
#include <stdlib.h>

/* Append the links to a place from the level before. */
static bool link_place(struct path_making *making, struct path_place before, size_t at)
{
    struct path_graph *paths = making->paths;
    const struct graph *in = &making->search->sides[BACKWARD].graph;
    const uint32_t node = paths->nodes[at];
    size_t count = paths->begins[at];
    if (!path_may_read(making, in, node)) {
        return false;
    }
    for (uint64_t edge = in->offsets[node]; edge < in->offsets[node + 1]; edge++) {
        const uint32_t from = in->neighbours[edge];
        bool late;
        const struct path_state *state = path_state_at(before, from, &late);
        const bool is_repeated = edge > in->offsets[node] && in->neighbours[edge - 1] == from;
        if (state == NULL || !state->is_listed[late] || is_repeated ||
            path_is_loop(making, from, node)) {
            continue;
        }
        if (!array_reserve((void **)&paths->links, &making->link_capacity, count + 1,
                           sizeof(*paths->links))) {
            return false;
        }
        paths->links[count++] = state->places[late];
    }
    paths->begins[at + 1] = count;
    return true;
}

/* Count the links from a place to the next level, or write them where these begin. */
static bool link_from(struct path_making *making, struct path_place next, size_t at, bool writes)
{
    struct path_graph *paths = making->paths;
    const struct graph *out = &making->search->sides[FORWARD].graph;
    const uint32_t node = paths->nodes[at];
    if (!path_may_read(making, out, node)) {
        return false;
    }
    for (uint64_t edge = out->offsets[node]; edge < out->offsets[node + 1]; edge++) {
        const uint32_t to = out->neighbours[edge];
        bool late;
        const struct path_state *state = path_state_at(next, to, &late);
        if (state == NULL || !state->is_listed[late] || path_is_loop(making, node, to)) {
            continue;
        }
        const uint32_t place = state->places[late];
        struct path_mark *mark = &making->marks[place];
        if (mark->last == at + 1) {
            continue; /* a repeated edge */
        }
        mark->last = (uint32_t)at + 1;
        if (writes) {
            paths->links[paths->begins[place] + mark->filled++] = (uint32_t)at;
        } else {
            paths->begins[place + 1]++;
        }
    }
    return true;
}

/* Link the places of a level by the edges of the places before. */
static bool link_forward(struct path_making *making, uint32_t level)
{
    struct path_graph *paths = making->paths;
    const size_t *levels = paths->levels;
    const struct path_place here = path_place_of(making, level);
    for (unsigned writes = 0; writes < 2; writes++) {
        for (size_t at = levels[level - 1]; at < levels[level]; at++) {
            if (!link_from(making, here, at, writes)) {
                return false;
            }
        }
        for (size_t at = levels[level]; at < levels[level + 1] && !writes; at++) {
            paths->begins[at + 1] += paths->begins[at];
            making->marks[at].last = 0;
        }
        if (!array_reserve((void **)&paths->links, &making->link_capacity,
                           paths->begins[levels[level + 1]], sizeof(*paths->links))) {
            return false;
        }
    }
    return true;
}

/* Link the places of a level with the places before, by the adjacency with fewer edges. */
static bool link_level(struct path_making *making, uint32_t level)
{
    const struct path_count_side *sides = making->search->sides;
    const uint32_t *nodes = making->paths->nodes;
    const size_t *levels = making->paths->levels;
    const size_t begin = levels[level - 1], middle = levels[level], end = levels[level + 1];
    uint64_t in, out;
    if (!path_edges_of(making, &sides[BACKWARD].graph, nodes + middle, end - middle, &in) ||
        !path_edges_of(making, &sides[FORWARD].graph, nodes + begin, middle - begin, &out)) {
        return false;
    }
    if (in > out) {
        return link_forward(making, level);
    }
    for (size_t at = middle; at < end; at++) {
        if (!link_place(making, path_place_of(making, level - 1), at)) {
            return false;
        }
    }
    return true;
}

bool path_link_nodes(struct path_making *making)
{
    struct path_graph *paths = making->paths;
    paths->begins = calloc(paths->node_count + 1, sizeof(*paths->begins));
    making->marks = calloc(paths->node_count, sizeof(*making->marks));
    bool linked = paths->begins != NULL && making->marks != NULL;
    for (uint32_t level = 1; level <= paths->hops && linked; level++) {
        linked = link_level(making, level);
    }
    free(making->marks);
    return linked;
}
