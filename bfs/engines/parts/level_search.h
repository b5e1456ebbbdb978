/*
 * level_search.h - a search that advances level by level in one array; the workspace of the engines
 * "array", "bitmap" and "direction-optimizing", and their step from a level to the next.
 *
 * The visit order is the queue: the nodes reached, with a level as a stretch of it. Exactly these
 * are marked, with two exceptions: nodes without out-edges are always marked, and the target is not
 * until it is reached. One thread expands a sparse frontier node after node. A dense one is
 * expanded as bits (dense_frontier.h), if the engine does so or several threads work together.
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
 * Expand the frontier from level.begin to level.end by one level, and fill in found, status and
 * edges of the level.
 */
typedef void level_step(struct level_search *search);

struct level_search {
    struct workspace base;
    struct level level;
    enum level_kind kind;
    level_step *step;
    struct dense_frontier *dense; /* NULL: every frontier is sparse */
    uint64_t *candidates; /* nodes that may be reached bottom up; shared as base.sinks are */
    size_t candidate_count;
};

/* As in struct search_engine, except for kind and step. */
void *level_search_create(const struct graph *graph, const void *from, enum level_kind kind,
                          level_step *step);
void level_search_search(void *workspace, uint32_t source, uint32_t target,
                         const struct search_limits *limits, struct search_result *result);
bool level_search_set_threads(void *workspace, unsigned threads);
bool level_search_check(const void *workspace);
void level_search_destroy(void *workspace);

/* The step from each node of the frontier to its neighbours. */
level_step level_search_top_down;
