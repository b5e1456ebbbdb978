/*
 * direction.h - the rule that chooses top down or bottom up for a dense frontier.
 *
 * 1. The unit is a look at an entry of an adjacency list. The first look at a list costs more: it
 *    comes from anywhere in memory. So does an entry top down, which may mark and send.
 * 2. Bottom up, an entry leads into the frontier with about the frontier's share of all edges. The
 *    nodes that are in many lists are reached early, so half as many looks as by chance are enough.
 * 3. Bottom-up must look at least 20 % cheaper, because the estimate is not more precise than that.
 * A sparse frontier always goes top down: the caller compares it with DIRECTION_DENSE_SHARE.
 * Source: Beamer, Asanovic & Patterson, "Direction-Optimizing Breadth-First Search", SC 2012.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define DIRECTION_DENSE_SHARE 64  /* a frontier of less than this share of the nodes is sparse */
#define DIRECTION_LIST_COST   7   /* of the first look at a list */
#define DIRECTION_EDGE_COST   1.3 /* of an entry top down */
#define DIRECTION_PARENT_COST 1.8 /* if it writes parents, too: anywhere in memory */
#define DIRECTION_CLEARLY     1.2

struct direction_state {
    uint64_t nodes, edges; /* of the frontier, and out of it; the edges may be estimated */
    uint64_t reached;      /* nodes, the frontier included */
    uint64_t candidates;   /* nodes with edges in and out */
    uint64_t all_edges;    /* of the graph */
    bool wants_parents;    /* bottom up writes them in order, nearly for nothing */
    double gathering;      /* extra cost of making the frontier's bits; 0 for one process */
};

static inline bool direction_is_bottom_up(const struct direction_state *state)
{
    const uint64_t left =
        state->candidates > state->reached ? state->candidates - state->reached : 0;
    const double edges = (double)state->edges + 1;
    const double degree = (double)state->all_edges / (double)(state->candidates + 1);
    const double chance = (double)state->all_edges / edges;
    const double looks = (chance < degree ? chance : degree) / 2;
    const double edge_cost = state->wants_parents ? DIRECTION_PARENT_COST : DIRECTION_EDGE_COST;
    const double top_down = (double)state->nodes * DIRECTION_LIST_COST + edges * edge_cost;
    const double bottom_up = (double)left * (DIRECTION_LIST_COST + looks) + state->gathering;
    return bottom_up * DIRECTION_CLEARLY < top_down;
}
