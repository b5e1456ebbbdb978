/*
 * row_fetch.h - ask for a node's row before it is needed: its offsets, and, once these are there,
 * the row's first two cache lines, which hold most rows whole.
 */
#ifndef PW_ROW_FETCH_H
#define PW_ROW_FETCH_H

#include "data/graph/graph.h"

static inline void row_fetch_offsets(const struct graph *rows, uint32_t node)
{
    __builtin_prefetch(&rows->offsets[node]);
}

static inline void row_fetch(const struct graph *rows, uint32_t node)
{
    const uint32_t *row = rows->neighbours + rows->offsets[node];
    __builtin_prefetch(row);
    __builtin_prefetch(row + 16);
}

#endif
