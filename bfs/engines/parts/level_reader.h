/*
 * level_reader.h - the rows of a stretch of a level, read ahead and copied into a buffer.
 *
 * The offsets of a row are prefetched FAR_DISTANCE places ahead in the level, the row itself
 * NEAR_DISTANCE places ahead. Source: Ainsworth & Jones, "Graph Prefetching Using Data Structure
 * Knowledge", ICS 2016.
 */
#ifndef PW_LEVEL_READER_H
#define PW_LEVEL_READER_H

#include "row_buffer.h"
#include "row_fetch.h"
#include "trail.h"

#define FAR_DISTANCE  64
#define NEAR_DISTANCE 32
_Static_assert(FAR_DISTANCE <= TRAIL_SLACK, "what is fetched ahead must be there to be read");

/* Where a search stands in a stretch of the level. */
struct level_reader {
    size_t head, end;
    size_t entry; /* entries of head's row that were read already */
    uint64_t edges;
};

/*
 * Fill the buffer with the rows of the next nodes, and fetch those behind them; behind the trail's
 * end stand nodes of searches before, whose rows are fetched in vain and harmlessly.
 */
static inline void level_reader_fill(const struct graph *graph, const uint32_t *nodes,
                                     struct level_reader *reader, struct row_buffer *rows)
{
    const uint64_t *offsets = graph->offsets;
    const uint32_t *neighbours = graph->neighbours;
    const size_t end = reader->end;
    size_t head = reader->head;
    rows->count = 0;
    while (head < end && rows->count < ROW_BUFFER_FULL) {
        row_fetch_offsets(graph, nodes[head + FAR_DISTANCE]);
        row_fetch(graph, nodes[head + NEAR_DISTANCE]);

        const uint32_t node = nodes[head];
        const size_t degree = (size_t)(offsets[node + 1] - offsets[node]);
        const size_t left = degree - reader->entry;
        const size_t added = row_buffer_add(rows, neighbours + offsets[node] + reader->entry, left);
        if (__builtin_expect(added < left, 0)) {
            reader->entry += added; /* a long row: the buffer is full */
            break;
        }
        reader->edges += degree;
        reader->entry = 0;
        head++;
    }
    reader->head = head;
}

#endif
