/*
 * multi_source.h - the state of a pass of the engine "multi-source"; private to it.
 */
#ifndef PW_MULTI_SOURCE_H
#define PW_MULTI_SOURCE_H

#include "bfs/search/search.h"
#include "bfs/search/team.h"
#include "data/graph/graph.h"
#include <stdatomic.h>

#define LANE_WORDS_MAX 8 /* 512 lanes */

/*
 * A lane is one search of the pass. Every node has lane_words words of one bit a lane in each of
 * the arrays seen, front and next.
 */
struct multi_source {
    const struct graph *graph;
    struct multi_source *from; /* whose candidates these are; NULL: its own */
    uint64_t *candidates;      /* nodes with edges in and out, as bits */
    size_t capacity_words;     /* a node, that the arrays have room for */
    size_t lane_words;         /* a node, in this pass */
    uint64_t *seen;            /* reached in this level or before */
    uint64_t *front;           /* reached in the level before this */
    uint64_t *next;            /* reached in this level; all zero between levels */
    uint32_t *active;          /* the nodes whose front is not zero */
    uint32_t *active_next;
    size_t active_count;
    uint32_t *touched; /* the nodes whose seen is not zero, to clear it again */
    size_t touched_count;
    uint64_t live[LANE_WORDS_MAX]; /* the lanes that still search */
    uint64_t any[LANE_WORDS_MAX];  /* the lanes that reached a node in this level */
    uint64_t edges;                /* entries of rows examined in this pass */
    uint64_t rows;                 /* rows examined */
    struct team *team;             /* NULL: one thread */
    const struct search_limits *limits;
    uint64_t deadline_ns;

    /* Of a level searched by the team. */
    atomic_size_t piece;
    atomic_size_t active_tail;
    atomic_size_t touched_tail;
    atomic_uint_fast64_t edges_together;
    atomic_uint_fast64_t rows_together;
    _Atomic uint64_t any_together[LANE_WORDS_MAX];
    atomic_int status;
    void *bidirectional; /* workspace that reads paths; NULL until the first */
    uint32_t source, target;
    bool found; /* by the last search */
};

/* What a pass does, compiled for each number of words a node. */
struct lane_kernel {
    /* From every active node to its neighbours. */
    void (*push)(struct multi_source *pass);
    /* Every candidate not seen by all live lanes looks at its in-neighbours; work for a team. */
    team_work *pull;
};

#endif
