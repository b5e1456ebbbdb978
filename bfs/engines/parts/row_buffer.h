/*
 * row_buffer.h - the rows of many nodes, copied one behind the other into a small buffer.
 *
 * A row is short and its length cannot be predicted, so looking a row's marks up as it arrives from
 * memory stops the processor at the end of every row. Copying rows has nothing to wait for, and the
 * buffer, in the nearest cache, is one long loop: half the time for the same looks.
 */
#ifndef PW_ROW_BUFFER_H
#define PW_ROW_BUFFER_H

#include "data/graph/graph.h"
#include <string.h>

#define ROW_BUFFER_FULL  2048 /* entries from which on it is to be emptied */
#define ROW_BUFFER_CHUNK 16   /* entries copied at a time, a cache line */
#define ROW_BUFFER_SIZE  4096

struct row_buffer {
    const uint32_t *copy_end; /* whole chunks may be read up to here */
    size_t count;
    uint32_t entries[ROW_BUFFER_SIZE + ROW_BUFFER_CHUNK];
};

static inline void row_buffer_open(struct row_buffer *buffer, const struct graph *graph)
{
    buffer->copy_end = graph->neighbours + graph->edge_count;
    buffer->count = 0;
}

/*
 * Add up to the rest of the buffer of a row that begins at row; how many entries were added. The
 * buffer must not be full.
 */
static inline size_t row_buffer_add(struct row_buffer *buffer, const uint32_t *row, size_t count)
{
    const size_t room = ROW_BUFFER_SIZE - buffer->count;
    uint32_t *to = buffer->entries + buffer->count;
    count = count < room ? count : room;
    if (__builtin_expect((size_t)(buffer->copy_end - row) >= count + ROW_BUFFER_CHUNK, 1)) {
        for (size_t i = 0; i < count; i += ROW_BUFFER_CHUNK) {
            memcpy(to + i, row + i, ROW_BUFFER_CHUNK * sizeof(*to));
        }
    } else {
        memcpy(to, row, count * sizeof(*to));
    }
    buffer->count += count;
    return count;
}

#endif
