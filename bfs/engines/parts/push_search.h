/*
 * push_search.h - the search that marks nodes as it pushes them, for the engines on a queue; they
 * differ in the queue alone.
 *
 * 1. Nodes of one level are popped many at a time, and their offsets, then their rows fetched while
 *    the rows of those before are read.
 * 2. The rows are copied into a buffer (row_buffer.h), and what is not marked of the buffer is
 *    marked and pushed with one call: the order is that of one by one.
 * 3. The search stops at the end of the buffer in which it met the target.
 */
#ifndef PW_PUSH_SEARCH_H
#define PW_PUSH_SEARCH_H

#include "bfs/search/search.h"
#include "libqueue/queue.h"

/* As in struct search_engine. */
void *push_search_create(const struct graph *graph);
void *push_search_share(void *workspace);
void push_search_destroy(void *workspace);
bool push_search_path(void *workspace, uint32_t *nodes);

/* A search on a queue that make_queue gives. */
void push_search_search(void *workspace, uint32_t source, uint32_t target,
                        const struct search_limits *limits, struct queue *(*make_queue)(void),
                        struct search_result *result);

#endif
