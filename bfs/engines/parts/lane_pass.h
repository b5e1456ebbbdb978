/*
 * lane_pass.h - one level of up to 512 searches at once, one bit (a lane) per search and node.
 *
 * "multi-source" is the engine around it; reach.h counts what each level reaches. The kernels push
 * from the active nodes, or let every candidate pull from its in-neighbours; there is one for each
 * number of words per node.
 */
#pragma once

#include "level.h"

#define LANE_WORDS_MAX 8 /* 512 lanes */

/* Every node has lane_words words of one bit per lane in each of seen, frontier and next. */
struct lane_pass {
    const struct graph *graph;
    uint64_t *candidates; /* nodes with edges in and out, as bits */
    size_t lane_words;    /* per node, in this pass */
    uint64_t *seen;       /* reached in this level or before */
    uint64_t *frontier;   /* reached in the level before this */
    uint64_t *next;       /* reached in this level; all zero between levels */
    uint32_t *active;     /* the nodes whose frontier is not zero */
    uint32_t *active_next;
    size_t active_count;
    uint64_t *active_bits; /* the active nodes as bits while few are active and the others pull */
    bool few_active;
    uint32_t *touched; /* the nodes whose seen is not zero, to clear it again */
    size_t touched_count;
    size_t left_count;             /* nodes of active_next, after a level that was not finished */
    uint64_t live[LANE_WORDS_MAX]; /* the lanes that still search */
    struct level level;            /* of the pass: team, limits, status and edges examined */
    atomic_uint_fast64_t lists;    /* adjacency lists examined in this pass */

    /* Of a level. */
    atomic_size_t active_tail;
    atomic_size_t touched_tail;
    _Atomic uint64_t any[LANE_WORDS_MAX]; /* the lanes that reached a node */
};

/* What a pass does in a level. It appends to active_next and touched, and moves their tails. */
struct lane_kernel {
    /* From every active node to its neighbours. */
    void (*push)(struct lane_pass *pass);
    /* Every candidate not seen by all live lanes looks at its in-neighbours; work for a team. */
    team_work *pull;
};

/* True if all words are 0. words: how many there are. */
bool lane_all_zero(const uint64_t *lanes, size_t words);

/* Forget the last pass; the next one has lane_words words per node. */
void lane_pass_begin(struct lane_pass *pass, size_t lane_words);

/* Put a search at its source. */
void lane_pass_add(struct lane_pass *pass, size_t lane, uint32_t source);

/* Go one level further with all searches: frontier and active are then of the new level. A search
 * that reached nothing is no longer live. If the level's status says that it is not whole, nothing
 * of it counts: the same searches are live as before. */
void lane_pass_level(struct lane_pass *pass, const struct lane_kernel *kernel);

/* The kernel for 1, 2, 4 or 8 words per node on this processor. */
const struct lane_kernel *lane_kernel_for(size_t lane_words);
