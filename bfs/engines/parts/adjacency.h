/*
 * adjacency.h - read the neighbours of many nodes ahead, and copy them into a small buffer.
 *
 * 1. A node's offsets are prefetched first; once they are there, its neighbours.
 * 2. An adjacency list is short, and its length cannot be predicted. Looking marks up while a list
 *    arrives from memory stops the processor at the end of every list. Copying waits for nothing,
 *    and the buffer, in the nearest cache, is one long loop: half the time for the same work.
 * Source: Ainsworth & Jones, "Graph Prefetching Using Data Structure Knowledge", ICS 2016.
 */
#pragma once

#include "base/macros.h"
#include "base/pw_assert.h"
#include "data/graph/graph.h"
#include "visit_order.h"
#include <string.h>

static inline void adjacency_fetch_offsets(const struct graph *graph, uint32_t node)
{
    __builtin_prefetch(&graph->offsets[node]);
}

/* The first two cache lines of the neighbours; they hold most lists whole. */
static inline void adjacency_fetch(const struct graph *graph, uint32_t node)
{
    const uint32_t *neighbours = graph->neighbours + graph->offsets[node];
    __builtin_prefetch(neighbours);
    __builtin_prefetch(neighbours + CACHE_LINE_BYTES / sizeof(*neighbours));
}

#define FETCH_LINES 8 /* of a list; the processor then continues by itself */

/*
 * Prefetch the neighbours of a node, all to be read soon. Always inline: gcc drops the call of a
 * function that only prefetches.
 */
static inline __attribute__((always_inline)) void adjacency_fetch_list(const struct graph *graph,
                                                                       uint32_t node)
{
    const size_t line = CACHE_LINE_BYTES / sizeof(*graph->neighbours);
    const uint32_t *neighbours = graph->neighbours + graph->offsets[node];
    const size_t degree = (size_t)graph_out_degree(graph, node);
    adjacency_fetch(graph, node);
    for (size_t i = 2; i < FETCH_LINES && i * line < degree; i++) {
        __builtin_prefetch(neighbours + i * line);
    }
}

#define NEIGHBOUR_BUFFER_FULL 2048 /* with this number of entries, empty it */
#define NEIGHBOUR_BUFFER_SIZE 4096
#define NEIGHBOUR_CHUNK       16 /* entries copied at a time, a cache line */

/* The neighbours of many nodes, one list after the other. */
struct neighbour_buffer {
    const uint32_t *copy_end; /* whole chunks may be read up to here */
    size_t count;
    uint32_t entries[NEIGHBOUR_BUFFER_SIZE + NEIGHBOUR_CHUNK];
};

static inline void neighbour_buffer_open(struct neighbour_buffer *buffer, const struct graph *graph)
{
    buffer->copy_end = graph->neighbours + graph->edge_count;
    buffer->count = 0;
}

/* Add as many of count neighbours as fit; returns how many. */
static inline size_t neighbour_buffer_add(struct neighbour_buffer *buffer,
                                          const uint32_t *neighbours, size_t count)
{
    pw_assert(buffer->count < NEIGHBOUR_BUFFER_SIZE);
    const size_t room = NEIGHBOUR_BUFFER_SIZE - buffer->count;
    uint32_t *to = buffer->entries + buffer->count;
    count = count < room ? count : room;
    if (LIKELY((size_t)(buffer->copy_end - neighbours) >= count + NEIGHBOUR_CHUNK)) {
        for (size_t i = 0; i < count; i += NEIGHBOUR_CHUNK) {
            memcpy(to + i, neighbours + i, NEIGHBOUR_CHUNK * sizeof(*to));
        }
    } else {
        memcpy(to, neighbours, count * sizeof(*to));
    }
    buffer->count += count;
    return count;
}

#define FAR_DISTANCE  64 /* places ahead in the level at which offsets are prefetched */
#define NEAR_DISTANCE 32 /* and neighbours */
_Static_assert(FAR_DISTANCE <= VISIT_ORDER_SLACK, "what is fetched ahead must be readable");

/* The position of a search in a stretch of a level. */
struct level_reader {
    size_t head, end;
    size_t entry; /* neighbours of head that were read already */
    uint64_t edges;
};

/*
 * Fill the buffer with the neighbours of the next nodes, and prefetch for the nodes after them. The
 * visit order ends with nodes of earlier searches: prefetching for these is useless but harmless.
 * by_block is a constant. If it is true, lists from reader->end on are not even prefetched.
 */
static inline __attribute__((always_inline)) void
level_reader_fill_as(const struct graph *graph, const uint32_t *nodes, struct level_reader *reader,
                     struct neighbour_buffer *buffer, bool by_block)
{
    const uint64_t *offsets = graph->offsets;
    const uint32_t *neighbours = graph->neighbours;
    const size_t end = reader->end;
    size_t head = reader->head;
    buffer->count = 0;
    while (head < end && buffer->count < NEIGHBOUR_BUFFER_FULL) {
        adjacency_fetch_offsets(graph, nodes[head + FAR_DISTANCE]);
        if (!by_block || head + NEAR_DISTANCE < end) {
            adjacency_fetch(graph, nodes[head + NEAR_DISTANCE]);
        }

        const uint32_t node = nodes[head];
        const size_t degree = (size_t)(offsets[node + 1] - offsets[node]);
        const size_t left = degree - reader->entry;
        pw_assert(reader->entry <= degree);
        const uint32_t *next = neighbours + offsets[node] + reader->entry;
        const size_t added = neighbour_buffer_add(buffer, next, left);
        if (UNLIKELY(added < left)) {
            reader->entry += added; /* a long list: the buffer is full */
            break;
        }
        reader->edges += degree;
        reader->entry = 0;
        head++;
    }
    reader->head = head;
}

static inline void level_reader_fill(const struct graph *graph, const uint32_t *nodes,
                                     struct level_reader *reader, struct neighbour_buffer *buffer)
{
    level_reader_fill_as(graph, nodes, reader, buffer, false);
}

/*
 * The node in whose list each of some entries of a buffer is. reader: as it was before the buffer
 * was filled. found_at: the places of these entries, ascending; so one pass over the lengths of the
 * lists finds them all. owners: room for count nodes.
 */
static inline void level_reader_owners(const struct graph *graph, const uint32_t *nodes,
                                       struct level_reader reader, const uint16_t *found_at,
                                       size_t count, uint32_t *owners)
{
    size_t head = reader.head;
    size_t list_end = (size_t)graph_out_degree(graph, nodes[head]) - reader.entry;
    for (size_t i = 0; i < count; i++) {
        while (found_at[i] >= list_end) {
            list_end += (size_t)graph_out_degree(graph, nodes[++head]);
        }
        pw_assert(head < reader.end);
        owners[i] = nodes[head];
    }
}
