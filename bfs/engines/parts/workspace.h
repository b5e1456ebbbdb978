/*
 * workspace.h - the state that engines searching from the source keep between searches.
 *
 * Invariant: from workspace_start to the next one, a bit of marks differs from sinks only for nodes
 * in the visit order and for the target; an engine that marks others sets marked_more. So clearing
 * the marks costs what the search touched, or one copy if that is cheaper.
 */
#pragma once

#include "marks.h"
#include "visit_order.h"

struct workspace {
    const struct graph *graph;
    uint64_t *marks;              /* visited, or nothing to visit */
    const uint64_t *sinks;        /* the marks before a search: nodes without out-edges */
    const struct workspace *from; /* the owner of sinks; NULL: this */
    struct visit_order order;
    bool marked_more; /* nodes that are not in the order are marked, too */
    uint32_t target;  /* of the last search, and its outcome; node_limit: it had no target */
    uint32_t hops;
};

/*
 * Prepare a workspace in a larger struct that is all zero, except for sinks: marks that the caller
 * made to start with, or NULL. They are freed with the workspace. from: another workspace whose
 * sinks serve this one, too, or NULL. When out of memory: false, and there is nothing to close.
 */
bool workspace_open(struct workspace *workspace, const struct graph *graph,
                    const struct workspace *from);
void workspace_close(struct workspace *workspace);

/* Clear the traces of the last search; the visit order gets empty, with its first level started. */
void workspace_start(struct workspace *workspace, uint32_t target);

/* As in struct search_engine, for engines with no other state, or that begin with this one. */
void *workspace_create(const struct graph *graph, const void *from);
bool workspace_path(void *workspace, uint32_t *nodes, size_t capacity);
bool workspace_check(const void *workspace);
void workspace_destroy(void *workspace);
