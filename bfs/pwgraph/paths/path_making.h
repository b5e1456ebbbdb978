/*
 * path_making.h - what is known while a graph of paths is made: path_graph.c finds the nodes,
 * path_links.c links them.
 *
 * A node is at a level in time, if the search has reached it at the level's distance. Longer paths
 * may also have it late, one level further from its end. It may be in the list once for each.
 */
#pragma once

#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include "path_count.h"

struct path_graph;

/* What is known while the graph is made. */
struct path_making {
    struct path_graph *paths;
    struct path_count *search;
    struct path_state *states[2]; /* of each side, one for each of its items */
    uint32_t hops;                /* of every path */
    uint32_t longer;              /* edges more than a shortest path has: 0 or 1 */
    uint32_t join;      /* the last level of the forward side; its edges lead to the other one */
    unsigned join_side; /* whose edges are looked at for the join */
    size_t node_capacity, link_capacity;
    struct path_mark *marks;          /* of each place, while links are made */
    const struct search_clock *clock; /* of the call; never NULL */
    enum search_status status;        /* SEARCH_DONE to go on; else why to stop: the limits, or
                                         SEARCH_DAMAGED, a bad block in the way */
};

/* While links are made by the nodes before: the last of them with a link, plus 1; and how many. */
struct path_mark {
    uint32_t last, filled;
};

/* What is found out of a node that a side has reached; [0]: in time, [1]: late. */
struct path_state {
    uint32_t places[2]; /* where the node is in the list, if it is listed */
    bool is_listed[2];
    bool can_be_late; /* on longer paths */
};

/* Where a level lies: on which side, and how many edges from the side's end. */
struct path_place {
    const struct path_count_side *side;
    struct path_state *states; /* of the side's items */
    uint32_t depth;
    bool has_late; /* only for longer paths */
};

/* True if an item of a side may be at a place. *late: if it is late. */
static inline bool path_fits(struct path_place place, size_t item, bool *late)
{
    const uint32_t depth = place.side->items[item].depth;
    pw_assert(place.states != NULL || !place.has_late);
    *late = depth != place.depth;
    return !*late || (place.has_late && depth + 1 == place.depth && place.states[item].can_be_late);
}

/* What is known of a node that may be at a place; NULL if it may not. */
static inline struct path_state *path_state_at(struct path_place place, uint32_t node, bool *late)
{
    const uint32_t reached = path_count_slot_of(place.side, node)->place;
    *late = false;
    return reached > 0 && path_fits(place, reached - 1, late) ? &place.states[reached - 1] : NULL;
}

static inline struct path_place path_place_of(const struct path_making *making, uint32_t level)
{
    const bool is_forward = level <= making->join;
    const unsigned which = is_forward ? FORWARD : BACKWARD;
    return (struct path_place){.side = &making->search->sides[which],
                               .states = making->states[which],
                               .depth = is_forward ? level : making->hops - level,
                               .has_late = making->longer > 0};
}

/* Account for work that is done. False if the limits say to stop. */
static inline bool path_may_go_on(struct path_making *making, uint64_t work)
{
    if (making->status == SEARCH_DONE) {
        making->status = path_count_look(making->search, making->clock, work);
    }
    return making->status == SEARCH_DONE;
}

/* True if the list of a node may be read: the limits allow it, and no bad block is in the way. */
static inline bool path_may_read(struct path_making *making, const struct graph *graph,
                                 uint32_t node)
{
    if (!graph_allows_list(graph, node)) {
        making->status = SEARCH_DAMAGED;
        return false;
    }
    return path_may_go_on(making, graph_out_degree(graph, node));
}

/* *edges: of all these nodes. False if the limits or a bad block are in the way. */
static inline bool path_edges_of(struct path_making *making, const struct graph *graph,
                                 const uint32_t *nodes, size_t count, uint64_t *edges)
{
    *edges = 0;
    if (!graph_allows_offsets(graph, nodes, count, 1)) {
        making->status = SEARCH_DAMAGED;
        return false;
    }
    for (size_t i = 0; i < count && path_may_go_on(making, 0); i++) {
        *edges += graph_out_degree(graph, nodes[i]);
    }
    return making->status == SEARCH_DONE;
}

/* True for a self-loop, which longer paths must not have. Shortest paths have none, except from a
 * node to itself. */
static inline bool path_is_loop(const struct path_making *making, uint32_t from, uint32_t to)
{
    return making->longer > 0 && from == to;
}

/* Link each node of the list, which is in the order of the levels, with the nodes before it. False
 * when out of memory, or if status is not SEARCH_DONE. */
bool path_link_nodes(struct path_making *making);

/* Count the paths, when all but their number is made. False when out of memory, or if status is
 * not SEARCH_DONE. */
bool path_count_links(struct path_making *making);
