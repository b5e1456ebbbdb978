/*
 * level_search.h - a search that advances level by level in one array; the workspace of the engines
 * "array" and "direction-optimizing", and their step from a level to the next.
 *
 * The trail is the queue: the nodes reached, in order, a level being a stretch of it. Every node in
 * it but the first is marked, and no other; except that nodes without out-edges are always marked,
 * and the target is not until it is reached.
 */
#ifndef PW_LEVEL_SEARCH_H
#define PW_LEVEL_SEARCH_H

#include "engines.h"
#include "marks.h"
#include "team.h"
#include "trail.h"
#include <stdatomic.h>

struct level_search {
    const struct graph *graph;
    uint64_t *marks;
    const uint64_t *sinks;           /* the marks before a search */
    const struct level_search *from; /* whose sinks these are; NULL: its own */
    struct trail trail;
    size_t begin, end; /* the current level in the trail */
    struct team *team; /* NULL: one thread */
    uint32_t target;
    uint32_t hops; /* outcome of the last search */
    const struct search_limits *limits;
    uint64_t deadline_ns;

    /* Of the level being searched. */
    bool found;
    enum search_status status;
    uint64_t edges;     /* entries examined */
    atomic_size_t next; /* the piece that a member takes next */
    atomic_size_t tail; /* end of the trail while it grows */
    atomic_bool stop;   /* found, or must stop */
    atomic_uint_fast64_t edges_together;
    atomic_int status_together;
};

bool level_search_open(struct level_search *search, const struct graph *graph,
                       const struct level_search *from);
void level_search_close(struct level_search *search);
bool level_search_set_threads(struct level_search *search, unsigned threads);
bool level_search_path(const struct level_search *search, uint32_t *nodes);

/* Take off the marks of the search before; the source is the first level. */
void level_search_begin(struct level_search *search, uint32_t source, uint32_t target,
                        const struct search_limits *limits, uint64_t start_ns);

/* From each node of the level to its neighbours, with one thread or all. Fills found, status. */
void level_search_top_down(struct level_search *search);

/* Count the level that was searched and go on to the next. False when the search is over. */
bool level_search_advance(struct level_search *search, struct search_result *result);

/*
 * Let the team search the level, its pieces counted by search->next from first on; then take over
 * what the members appended to the trail and counted.
 */
void level_search_together(struct level_search *search, team_work *work, size_t first);

/* Room in which a member collects nodes before they go behind the trail, a stretch at a time. */
#define LEVEL_BUFFER 1024
struct level_buffer {
    size_t count;
    uint32_t nodes[LEVEL_BUFFER];
};
void level_buffer_flush(struct level_buffer *buffer, struct level_search *search);

static inline void level_buffer_add(struct level_buffer *buffer, struct level_search *search,
                                    uint32_t node)
{
    buffer->nodes[buffer->count++] = node;
    if (buffer->count == LEVEL_BUFFER) {
        level_buffer_flush(buffer, search);
    }
}

/* Record why to stop, if there is a reason; whether there is. For members of a team. */
bool level_search_check_stop(struct level_search *search);

#endif
