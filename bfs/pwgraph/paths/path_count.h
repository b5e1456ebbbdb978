/*
 * path_count.h - counts the shortest paths between two nodes, and finds them where some nodes must
 * be avoided.
 *
 * It goes level by level from both ends, each time on the side with fewer edges, until one edge is
 * left between the two depths. The ways to a node are the sum of the ways to its predecessors; the
 * paths are the products over the edges that join the sides. So it takes about twice as long as the
 * bidirectional search (15 us instead of 7 in a generated graph of a million nodes), not as long as
 * a search of the whole graph.
 * The nodes reached lie in a hash table, 36 to 72 bytes for each. An array with an entry per node
 * of the graph took longer: of 8,000 edges nearly each met a page that the system had to clear.
 * A node to avoid is in the table with a depth that no level has: it is neither new nor on a path.
 */
#pragma once

#include "base/pw_assert.h"
#include "bfs/search/search_limits.h"

/*
 * The search that avoids nodes, as an engine whose workspace is a struct path_count. It is no
 * choice of its own and not among search_engines: its create takes the nodes to avoid from the
 * workspace that it is given.
 */
extern const struct search_engine avoiding_engine;

#define PATH_AVOIDED       UINT32_MAX
#define PATH_WORK_PER_LOOK 16384 /* edges and nodes between two looks at the limits: < 1 ms */

/* What the search knows of a node. */
struct path_count_node {
    uint64_t ways;  /* shortest paths between the end and this node */
    uint32_t depth; /* or PATH_AVOIDED */
    uint32_t stamp; /* the last node with an edge to this one, plus 1 */
};

struct path_count_slot {
    uint32_t node;
    uint32_t place; /* in items, plus 1; 0: the slot is empty */
};

struct path_count_side {
    struct graph graph;            /* of the graph, or of its reverse; borrowed */
    struct path_count_node *items; /* the nodes to avoid, then the nodes reached, in that order */
    uint32_t *order;               /* the ids of the items */
    size_t capacity;               /* of both */
    struct path_count_slot *slots; /* by id */
    uint64_t slot_count;           /* a power of two, at least twice the items */
    size_t avoided;                /* the items that are to avoid */
    size_t begin, end;             /* the last level in items */
    uint64_t level_edges;          /* of the last level; UINT64_MAX: a bad block is in the way */
    uint32_t depth;
};

enum { FORWARD, BACKWARD }; /* the sides */

struct path_count {
    struct path_count_side sides[2]; /* forwards from the source, backwards from the target */
    uint64_t edges_left;
    uint64_t work;     /* edges and nodes since the last look at the limits */
    uint32_t *avoided; /* the nodes to avoid, as they were given */
    size_t avoided_count;
    bool has_path; /* the last path_count_search found one: */
    /* the depths at which an edge joins the sides, and such an edge. */
    uint32_t depths[2];
    uint32_t ends[2];
    unsigned last_side; /* the side that found them */
};

/* The graph must have its reverse adjacency and outlive this. False when out of memory. An all-zero
 * struct may be closed. */
bool path_count_open(struct path_count *count, const struct graph *graph);
void path_count_close(struct path_count *count);

/*
 * *paths: the number of shortest paths that have hops edges and differ in at least a node; at most
 * UINT64_MAX. It is 0 if more than edges_max edges would be needed, if the two adjacencies
 * contradict each other, or if the graph turns out to be damaged (graph_is_damaged). False when out
 * of memory.
 */
bool path_count_find(struct path_count *count, uint32_t source, uint32_t target, uint32_t hops,
                     uint64_t edges_max, uint64_t *paths);

/*
 * *reached: the number of nodes that the source reaches around the nodes to avoid, itself included.
 * The source must not be a node to avoid. 0: as path_count_find. False when out of memory.
 */
bool path_count_reach(struct path_count *count, uint32_t source, uint64_t edges_max,
                      uint64_t *reached);

/*
 * From now on no path passes, begins or ends at one of these nodes, which are the graph's; repeats
 * are fine; so is an empty list. False when out of memory; then the nodes to avoid are as before.
 */
bool path_count_avoid(struct path_count *count, const uint32_t *nodes, size_t node_count);

/*
 * Search for the shortest paths, as an engine does (search.h). result: as an engine's; the number
 * of paths, at most UINT64_MAX, is returned. 0: no path, or the search ended early.
 */
uint64_t path_count_search(struct path_count *count, uint32_t source, uint32_t target,
                           const struct search_limits *limits, struct search_result *result);

/* After a path_count_search that found paths: go one level further from the side whose edges joined
 * them, so that one of the sides has reached each node on them. For paths that are longer.
 * SEARCH_DONE, SEARCH_NO_MEMORY, or why the clock says to stop. */
enum search_status path_count_deepen(struct path_count *count, const struct search_clock *clock);

/* One of the paths that the last search found: hops + 1 nodes into nodes. False if it found none,
 * if capacity is too small, if the two adjacencies contradict each other, or if the graph turns out
 * to be damaged. */
bool path_count_path(const struct path_count *count, uint32_t *nodes, size_t capacity);

/* Account for work that is done, and look at the limits now and then. SEARCH_DONE to go on, or why
 * to stop. No limits: NULL. */
static inline enum search_status path_count_look(struct path_count *count,
                                                 const struct search_clock *clock, uint64_t work)
{
    count->work += work + 1;
    if (count->work < PATH_WORK_PER_LOOK || clock == NULL) {
        return SEARCH_DONE;
    }
    count->work = 0;
    return search_stop_reason(clock);
}

/* The slot of a node, or the empty slot for it. */
static inline struct path_count_slot *path_count_slot_of(const struct path_count_side *side,
                                                         uint32_t node)
{
    uint64_t i = node * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (side->slot_count - 1);
    pw_assert(side->end < side->slot_count);
    while (side->slots[i].place != 0 && side->slots[i].node != node) {
        i = (i + 1) & (side->slot_count - 1);
    }
    return &side->slots[i];
}

/* What a side knows of a node; NULL if it has not reached it. */
static inline const struct path_count_node *path_count_at(const struct path_count_side *side,
                                                          uint32_t node)
{
    const uint32_t place = path_count_slot_of(side, node)->place;
    return place > 0 ? &side->items[place - 1] : NULL;
}
