/*
 * levels_state.h - the workspace of levels.h, for the two files that search: levels.c, level after
 * level, and level_ways.c, over one level.
 */
#pragma once

#include "base/macros.h"
#include "bfs/search/search_limits.h"
#include "bfs/search/team.h"
#include "exchange.h"
#include "level_costs.h"
#include "node_bits.h"
#include <stdatomic.h>

#define LEVELS_FAR_AHEAD 24 /* places ahead in the frontier at which offsets are fetched */

/* What each thread has for itself. */
struct level_member {
    _Alignas(CACHE_LINE_BYTES) uint32_t *found; /* ids met for the first time in this round */
    size_t count;
    size_t begin, end; /* what is left of the piece that it took */
    uint64_t entry;    /* neighbours of begin that were read already */
    uint64_t edges;
};

/* One bit per node. */
struct level_maps {
    uint64_t *sinks;      /* of all nodes: those without out-edges */
    uint64_t *seen;       /* of all nodes: reached, or sent, or not to be followed */
    uint64_t *frontier;   /* of all nodes: the gathered frontier */
    uint64_t *own;        /* of own nodes: the frontier to gather, then the next */
    uint64_t *candidates; /* of own nodes: those with in-edges */
    bool own_is_frontier; /* own has the bits of the current frontier */
};

struct levels {
    const struct mpi_graph *graph;
    struct node_bits bits;
    struct exchange exchange;
    struct team *team;
    struct level_member *members;
    unsigned threads;
    size_t room; /* ids that a member may find per round */
    struct level_maps maps;
    uint64_t inner_count; /* of all ranks: nodes with edges in and out */
    uint32_t *order;      /* own nodes reached, by local number, level after level */
    size_t order_count;
    size_t *starts; /* of each level in order; one more than there are levels */
    size_t level_count, level_room;
    struct level_costs *costs;
    uint32_t target; /* of the last search */
    /* Of a level. */
    struct search_clock clock;
    atomic_size_t next; /* the first node or word that no member has taken */
    atomic_int status;  /* enum search_status of this rank */
};

/* How to go on from a frontier: each sets the next one, after the frontier in order. */
enum level_way { SPARSE, DENSE_TOP_DOWN, BOTTOM_UP };

void level_top_down_sparse(struct levels *levels);
void level_top_down_dense(struct levels *levels);
void level_bottom_up(struct levels *levels);
