/*
 * path_making.h - what is known while a graph of paths is made: path_graph.c finds the nodes,
 * path_links.c links them.
 *
 * The search no longer needs the ways and the stamp of a node. Here a node on a shortest path has
 * ways 0, and its stamp is its place in the list; for longer paths see enum mark.
 */
#pragma once

#include "data/graph/graph_blocks.h"
#include "path_count.h"

struct path_graph;

/* What is known while the graph is made. */
struct path_making {
    struct path_graph *paths;
    struct path_count *search;
    uint32_t hops;      /* of every path */
    uint32_t longer;    /* edges more than a shortest path has: 0 or 1 */
    uint32_t join;      /* the last level of the forward side; its edges lead to the other one */
    unsigned join_side; /* whose edges are looked at for the join */
    size_t node_capacity, link_capacity;
    struct path_mark *marks;          /* of each place, while links are made */
    const struct search_clock *clock; /* of the call; never NULL */
    enum search_status status;        /* SEARCH_DONE to go on; else why to stop: the limits, or
                                         SEARCH_DAMAGED, a bad block in the way */
    uint64_t words_left;              /* that may be added to count the paths */
};

/* While links are made by the nodes before: the last of them with a link, plus 1; and how many. */
struct path_mark {
    uint32_t last, filled;
};

/* For longer paths, marks in the ways of a node: it can be reached late; it is in the list in time;
 * and late. The lower half of the ways is its place if late; the stamp is its place in time. */
enum mark { IS_LATE = 1, IS_TAKEN = 2, IS_TAKEN_LATE = 4 };
#define MARK_SHIFT 32

static inline bool path_has_mark(const struct path_count_node *state, enum mark mark)
{
    return (state->ways >> MARK_SHIFT & (uint64_t)mark) != 0;
}

static inline void path_set_mark(struct path_count_node *state, enum mark mark)
{
    state->ways |= (uint64_t)mark << MARK_SHIFT;
}

static inline bool path_is_taken(const struct path_making *making,
                                 const struct path_count_node *state, bool late)
{
    return making->longer == 0 ? state->ways == 0
                               : path_has_mark(state, late ? IS_TAKEN_LATE : IS_TAKEN);
}

/* Where a level lies: on which side, and how many edges from the side's end. */
struct path_place {
    const struct path_count_side *side;
    uint32_t depth;
    bool has_late; /* only for longer paths */
};

/* True if a node may be at a place. *late: if it is late. */
static inline bool path_fits(struct path_place place, const struct path_count_node *state,
                             bool *late)
{
    *late = state->depth != place.depth;
    return !*late ||
           (place.has_late && state->depth + 1 == place.depth && path_has_mark(state, IS_LATE));
}

/* What a side knows of a node that may be at a place; NULL if it may not. */
static inline struct path_count_node *path_state_at(struct path_place place, uint32_t node,
                                                    bool *late)
{
    struct path_count_node *state = path_count_at(place.side, node);
    *late = false;
    return state != NULL && path_fits(place, state, late) ? state : NULL;
}

static inline struct path_place path_place_of(const struct path_making *making, uint32_t level)
{
    const bool is_forward = level <= making->join;
    const unsigned which = is_forward ? FORWARD : BACKWARD;
    return (struct path_place){&making->search->sides[which],
                               is_forward ? level : making->hops - level, making->longer > 0};
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

/* Count the paths, when all but their number is made; but not if that would need more than
 * words_left additions of a word. False when out of memory, or if status is not SEARCH_DONE. */
bool path_count_links(struct path_making *making);
