/*
 * workspace.h - what the engines that search from the source keep between searches.
 *
 * Invariant: between workspace_start and the next one, a bit of marks differs from sinks only for
 * nodes in the visit order and for the target; an engine that marks others sets marked_more. So to
 * clear the marks costs what the search touched, or one copy where that is less.
 */
#pragma once

#include "marks.h"
#include "visit_order.h"

struct workspace {
    const struct graph *graph;
    uint64_t *marks;              /* visited, or nothing to visit */
    const uint64_t *sinks;        /* the marks before a search: nodes without out-edges */
    const struct workspace *from; /* whose sinks these are; NULL: its own */
    struct visit_order order;
    bool marked_more; /* marks stand on nodes that are not in the order */
    uint32_t target;  /* of the last search, and its outcome */
    uint32_t hops;
};

/*
 * Prepare one within a larger struct, all zero before; from: another whose sinks serve this one
 * too, or NULL. False when out of memory, and nothing to close.
 */
bool workspace_open(struct workspace *workspace, const struct graph *graph,
                    const struct workspace *from);
void workspace_close(struct workspace *workspace);

/* Clear what the search before left; the visit order is empty, its first level started. */
void workspace_start(struct workspace *workspace, uint32_t target);

/* As in struct search_engine, for engines that keep nothing else, or begin with one. */
void *workspace_create(const struct graph *graph, const void *from);
bool workspace_path(void *workspace, uint32_t *nodes, size_t capacity);
bool workspace_check(const void *workspace);
void workspace_destroy(void *workspace);
