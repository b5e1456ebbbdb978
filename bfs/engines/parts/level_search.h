/*
 * level_search.h - a search that advances level by level in one array; the workspace of the engines
 * "array", "bitmap" and "direction-optimizing", and of walks (walk.h); and their steps from a
 * dense level to the next.
 *
 * The visit order is the queue: the nodes reached, with a level as a stretch of it. Exactly these
 * are marked, with two exceptions: nodes that are marked before any search (for an engine, those
 * without out-edges), and the target, which is not marked until it is reached. A sparse frontier is
 * expanded node after node; several threads divide it if it is not small. A dense one is expanded
 * as bits (dense_frontier.h), if the engine does so or several threads work together.
 */
#pragma once

#include "dense_frontier.h"
#include "level.h"
#include "workspace.h"

enum level_kind {
    LEVEL_SPARSE, /* every frontier is sparse, unless several threads work together */
    LEVEL_DENSE,  /* dense frontiers as bits */
};

struct level_search;

/*
 * Expand the frontier from level.begin to level.end, a dense one, by one level, and fill in found,
 * status and edges of the level.
 */
typedef void level_step(struct level_search *search);

struct level_search {
    struct workspace base;
    struct level level;
    enum level_kind kind;
    level_step *dense_step; /* NULL: every frontier is sparse, so that the visit order is the order
                               of a queue: neighbours in the order of their list */
    struct dense_frontier *dense; /* NULL: every frontier is sparse */
    uint64_t *candidates; /* nodes that may be reached bottom up; shared as base.sinks are */
    size_t candidate_count;
    uint32_t *parents;    /* by node: filled in for the nodes reached; NULL: not wanted */
    uint32_t *found_from; /* by place in the visit order: the parent, for sparse frontiers only */
    bool by_block;        /* ask before a list is read; for sparse frontiers only */
    struct team_share
        *shares;    /* of the members, when they divide a sparse frontier; NULL: no team */
    unsigned alone; /* sparse frontiers that are not divided before the next one is */
};

/* As in struct search_engine, except for kind and dense_step. */
void *level_search_create(const struct graph *graph, const void *from, enum level_kind kind,
                          level_step *dense_step);
void level_search_search(void *workspace, uint32_t source, uint32_t target,
                         const struct search_limits *limits, struct search_result *result);
bool level_search_set_threads(void *workspace, unsigned threads);
bool level_search_check(const void *workspace);
void level_search_destroy(void *workspace);

/* The same within a larger struct, as workspace_open. When out of memory: false, and there is
 * nothing to close. */
bool level_search_open(struct level_search *search, const struct graph *graph, const void *from,
                       enum level_kind kind, level_step *dense_step);
void level_search_close(struct level_search *search);

/*
 * The parts of a search. begin forgets the last search; target is the graph's node_limit if there
 * is no target. add puts the search at a source; several sources must differ. run needs level.clock
 * to be running. It advances until the target is met, no node is left or hops_max levels are
 * expanded, and fills in all of result but the time.
 */
void level_search_begin(struct level_search *search, uint32_t target);
void level_search_add(struct level_search *search, uint32_t source);
void level_search_run(struct level_search *search, uint32_t hops_max, struct search_result *result);

/* True if the frontier is to be expanded node after node, by a team or by one thread: it has few
 * nodes, and no large share of the edges. */
bool level_search_is_sparse(const struct level_search *search, bool for_team);

/* The step from each node of the frontier to its neighbours. */
level_step level_search_top_down;

/* The step in either direction (level_direction.c): the nodes of the frontier to their neighbours,
 * or, if this seems cheaper, the nodes not yet reached to theirs. */
level_step level_search_either_way;
