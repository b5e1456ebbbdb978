/*
 * level_search.h - a search that advances level by level in one array; the workspace of the engines
 * "array", "bitmap" and "direction-optimizing", and their step from a level to the next.
 *
 * The trail is the queue: the nodes reached, in order, a level being a stretch of it. Every node in
 * it but the first is marked, and no other; except that nodes without out-edges are always marked,
 * and the target is not until it is reached. Narrow levels are searched by the caller alone, node
 * after node; wide ones, where there is a wide_level, as bits (wide_level.h).
 */
#ifndef PW_LEVEL_SEARCH_H
#define PW_LEVEL_SEARCH_H

#include "bfs/search/search.h"
#include "bfs/search/team.h"
#include "marks.h"
#include "trail.h"
#include <stdatomic.h>

#define LEVEL_WIDE_SHARE 64 /* levels of less than this share of the nodes are narrow */

struct wide_level;

struct level_search {
    const struct graph *graph;
    uint64_t *marks;
    const uint64_t *sinks;           /* the marks before a search */
    const struct level_search *from; /* whose sinks these are; NULL: its own */
    struct trail trail;
    size_t begin, end;       /* the current level in the trail */
    bool wide_alone;         /* search wide levels as bits with one thread too */
    struct wide_level *wide; /* NULL: all levels are searched node after node */
    struct team *team;       /* NULL: one thread */
    uint32_t target;
    uint32_t hops; /* outcome of the last search */
    const struct search_limits *limits;
    uint64_t deadline_ns;

    /* Of the level being searched. */
    bool found;
    enum search_status status;
    uint64_t edges;     /* entries examined */
    atomic_size_t next; /* the piece that a member takes next */
    atomic_bool stop;   /* found, or must stop */
    atomic_uint_fast64_t edges_together;
    atomic_int status_together;
};

/*
 * The functions of an engine whose workspace is a level_search, as in struct search_engine; it has
 * no other step than top down. wide: search wide levels as bits.
 */
struct level_search *level_search_create(const struct graph *graph, const struct level_search *from,
                                         bool wide);
void level_search_search(void *workspace, uint32_t source, uint32_t target,
                         const struct search_limits *limits, struct search_result *result);
bool level_search_path(void *workspace, uint32_t *nodes);
bool level_search_set_threads(void *workspace, unsigned threads);
void level_search_destroy(void *workspace);

/* For a level_search within a larger workspace; all zero before. False when out of memory. */
bool level_search_open(struct level_search *search, const struct graph *graph,
                       const struct level_search *from, bool wide);
void level_search_close(struct level_search *search);

/* Take off the marks of the search before; the source is the first level. */
void level_search_begin(struct level_search *search, uint32_t source, uint32_t target,
                        const struct search_limits *limits, uint64_t start_ns);

/* From each node of the level to its neighbours. Fills found, status, edges. */
void level_search_top_down(struct level_search *search);

/* Count the level that was searched and go on to the next. False when the search is over. */
bool level_search_advance(struct level_search *search, struct search_result *result);

/* Let every member of the team work, or the caller alone. */
void level_search_all_work(struct level_search *search, team_work *work, void *argument);

/* Before and after members that count in edges_together and stop by check_stop. */
void level_search_begin_together(struct level_search *search, size_t first);
void level_search_end_together(struct level_search *search);

/* Record why to stop, if there is a reason; whether there is. For members of a team. */
bool level_search_check_stop(struct level_search *search);

#endif
