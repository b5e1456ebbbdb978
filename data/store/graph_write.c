/*
 * graph_write.c - write a graph as Matrix Market or edge list, and pairs, fast and all or nothing.
 *
 * Lines are put together in a buffer, two digits at a time, the id that a run of lines shares only
 * once. base/file_replace.h gives the complete file its name.
 * Cost: about 8 ns per edge, some 16 bytes of text per edge, 1 MiB of memory.
 */
#include "graph_write.h"
#include "base/file_replace.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE (1 << 20)
#define LINE_SIZE   40 /* two ids of 10 digits, space and newline, and room to spare */
#define OWN_SIZE    16 /* an id of 10 digits and what follows it, copied at once */

struct writer {
    const char *path;
    struct graph_error *error;
    struct file_replace file;
    char *buffer;
    size_t used;
};

static bool fail_errno(struct writer *writer, const char *what)
{
    return graph_fail(writer->error, writer->path, "%s: %s", what, strerror(errno));
}

static bool flush(struct writer *writer)
{
    pw_assert(writer->used <= BUFFER_SIZE);
    for (size_t done = 0; done < writer->used;) {
        ssize_t count = write(writer->file.fd, writer->buffer + done, writer->used - done);
        if (count < 0 && errno != EINTR) {
            return fail_errno(writer, "cannot write");
        }
        done += count > 0 ? (size_t)count : 0;
    }
    writer->used = 0;
    return true;
}

/* Room for one more line. */
static inline bool reserve(struct writer *writer)
{
    return writer->used + LINE_SIZE <= BUFFER_SIZE || flush(writer);
}

/* Write an id in decimal; returns the end. */
static inline char *put_id(char *text, uint64_t id)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char digits[20];
    size_t at = sizeof(digits);
    while (id >= 100) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * (id % 100), 2);
        id /= 100;
    }
    if (id >= 10) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * id, 2);
    } else {
        digits[--at] = (char)('0' + id);
    }
    memcpy(text, digits + at, sizeof(digits) - at);
    return text + (sizeof(digits) - at);
}

static bool open_writer(struct writer *writer)
{
    writer->file = (struct file_replace){.fd = -1, .direct = true};
    writer->buffer = malloc(BUFFER_SIZE);
    if (writer->buffer == NULL) {
        return graph_fail(writer->error, writer->path, "out of memory");
    }
    if (strcmp(writer->path, "-") == 0) {
        writer->file.fd = dup(STDOUT_FILENO);
        return writer->file.fd >= 0 || fail_errno(writer, "cannot write");
    }
    return file_replace_open(&writer->file, writer->path) ||
           fail_errno(writer, writer->file.direct ? "cannot open for writing" : "cannot create");
}

/* Finish, or after a failure (ok false) undo. Returns whether the file is complete and in place. */
static bool close_writer(struct writer *writer, bool ok)
{
    ok = ok && flush(writer) &&
         (file_replace_commit(&writer->file) || fail_errno(writer, "cannot write"));
    file_replace_abandon(&writer->file);
    free(writer->buffer);
    return ok;
}

/* One line of the head of the file, at most as long as the buffer. */
static bool put_text(struct writer *writer, const char *prefix, const char *text)
{
    size_t room = BUFFER_SIZE - writer->used;
    int length = snprintf(writer->buffer + writer->used, room, "%s%s\n", prefix, text);
    if (length < 0 || (size_t)length >= room) {
        return graph_fail(writer->error, writer->path, "the comment is too long");
    }
    writer->used += (size_t)length;
    return true;
}

static bool put_head(struct writer *writer, const struct graph *graph, enum graph_format format,
                     const char *comment)
{
    char sizes[80];
    bool matrix = format == GRAPH_FORMAT_MATRIX_MARKET;
    bool ok = !matrix || put_text(writer, "", "%%MatrixMarket matrix coordinate pattern general");
    ok = ok && (comment == NULL || put_text(writer, matrix ? "% " : "# ", comment));
    if (matrix) {
        snprintf(sizes, sizeof(sizes), "%lu %lu %llu", (unsigned long)graph_node_count(graph),
                 (unsigned long)graph_node_count(graph), (unsigned long long)graph->edge_count);
        ok = ok && put_text(writer, "", sizes);
    }
    return ok;
}

/*
 * The edges of each node's list, a line each. by_target: the lists are those of in-neighbours, so a
 * line starts with the neighbour. shift is added to all ids.
 */
static bool put_lists(struct writer *writer, const struct graph *graph, bool by_target,
                      uint64_t shift)
{
    const uint64_t *offsets = by_target ? graph->in_offsets : graph->offsets;
    const uint32_t *neighbours = by_target ? graph->in_neighbours : graph->neighbours;
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        char own[LINE_SIZE] = {0};
        char *own_end = put_id(own, node + shift);
        *own_end++ = by_target ? '\n' : ' ';
        size_t own_length = (size_t)(own_end - own);
        for (uint64_t e = offsets[node]; e < offsets[node + 1]; e++) {
            if (!reserve(writer)) {
                return false;
            }
            char *text = writer->buffer + writer->used;
            if (by_target) {
                text = put_id(text, neighbours[e] + shift);
                *text++ = ' ';
            }
            memcpy(text, own, OWN_SIZE); /* a fixed size is faster; the rest is written over */
            text += own_length;
            if (!by_target) {
                text = put_id(text, neighbours[e] + shift);
                *text++ = '\n';
            }
            writer->used = (size_t)(text - writer->buffer);
        }
    }
    return true;
}

/* The edges by target, from the reverse adjacency, which is made for it where it is not there. */
static bool put_by_target(struct writer *writer, const struct graph *graph, uint64_t shift)
{
    struct graph reversed = *graph;
    reversed.storage = NULL; /* what is added comes from malloc */
    bool ok = graph_add_reverse(&reversed, 0, writer->error)
                  ? put_lists(writer, &reversed, true, shift)
                  : graph_fail_at(writer->error, writer->path);
    if (graph->in_offsets == NULL) {
        free(reversed.in_offsets);
        free(reversed.in_neighbours);
    }
    return ok;
}

bool graph_write(const struct graph *graph, const struct graph_write_options *options,
                 const char *path, struct graph_error *error)
{
    struct writer writer = {.path = path, .error = error};
    bool matrix = options->format == GRAPH_FORMAT_MATRIX_MARKET;
    uint64_t shift = matrix ? 1 - graph->first_node : 0;
    *error = (struct graph_error){0};
    bool ok = open_writer(&writer) && put_head(&writer, graph, options->format, options->comment) &&
              (options->by_target ? put_by_target(&writer, graph, shift)
                                  : put_lists(&writer, graph, false, shift));
    return close_writer(&writer, ok);
}

bool pairs_write(const struct pairs *pairs, const char *comment, const char *path,
                 struct graph_error *error)
{
    struct writer writer = {.path = path, .error = error};
    *error = (struct graph_error){0};
    bool ok = open_writer(&writer) && (comment == NULL || put_text(&writer, "# ", comment));
    for (size_t i = 0; ok && i < pairs->count; i++) {
        ok = reserve(&writer);
        if (ok) {
            char *text = put_id(writer.buffer + writer.used, pairs->items[i].source);
            *text++ = ' ';
            text = put_id(text, pairs->items[i].target);
            *text++ = '\n';
            writer.used = (size_t)(text - writer.buffer);
        }
    }
    return close_writer(&writer, ok);
}
