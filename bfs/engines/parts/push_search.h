/*
 * push_search.h - the search that marks nodes as it pushes them, for the engines on a queue; they
 * differ in the queue alone.
 *
 * 1. Nodes of one level are popped many at a time. Their offsets, then their neighbours are fetched
 *    while the neighbours of those before are read.
 * 2. The neighbours are copied into a buffer (adjacency.h), and what is not marked of the buffer is
 *    marked and pushed with one call: the order is that of one by one.
 * 3. The search stops at the end of the buffer in which it met the target.
 */
#pragma once

#include "bfs/search/search.h"
#include "libqueue/queue.h"

/* A search on a queue that make_queue gives; workspace: of workspace_create. */
void push_search_search(void *workspace, uint32_t source, uint32_t target,
                        const struct search_limits *limits, struct queue *(*make_queue)(void),
                        struct search_result *result);
