/*
 * level.h - the level that a search is expanding, and its division among the members of a team.
 *
 * The work of a level is a number of items (nodes, or words of a bitmap). Members take pieces of
 * them until all are taken, the target was met, or the search must stop.
 */
#pragma once

#include "bfs/search/search_limits.h"
#include "bfs/search/team.h"
#include <stdatomic.h>

struct level {
    size_t begin, end;         /* the frontier: a stretch of the visit order */
    bool found;                /* the target was met */
    struct team *team;         /* NULL: one thread */
    struct search_clock clock; /* of the search */

    size_t items;       /* of the current work */
    atomic_size_t next; /* the first item that nobody has taken */
    atomic_bool stop;
    atomic_int status;          /* enum search_status */
    atomic_uint_fast64_t edges; /* entries examined */
};

/* Divide the work among that many threads. When out of memory: false, and nothing changed. */
bool level_set_threads(struct level *level, unsigned threads);

/* Let every member take pieces of the items from first on. Returns why it stopped, or
 * SEARCH_DONE. */
enum search_status level_work(struct level *level, size_t first, size_t items, team_work *work,
                              void *argument);

/* Take the next piece, of at most size items. False when the member has no more to do. */
bool level_take(struct level *level, size_t size, size_t *begin, size_t *end);

/* Let the members stop: one has found the goal. */
static inline void level_stop(struct level *level)
{
    atomic_store_explicit(&level->stop, true, memory_order_relaxed);
}

static inline void level_add_edges(struct level *level, uint64_t edges)
{
    atomic_fetch_add_explicit(&level->edges, edges, memory_order_relaxed);
}

/* True if the search must stop; the reason stays in status. */
bool level_must_stop(struct level *level);
