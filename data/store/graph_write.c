/*
 * graph_write.c - write a graph as Matrix Market or edge list, and pairs, fast and all or nothing.
 *
 * 1. The file is opened without a name (O_TMPFILE) beside its place; where the file system has no
 *    such files, under a temporary name.
 * 2. Lines are put together in a buffer, two digits at a time, a row's source once.
 * 3. When all is written and the disk has said so, the file gets its name, by rename(2).
 * Cost: about 8 ns an edge, some 16 bytes of text an edge, 1 MiB of memory.
 */
#include "graph_write.h"

#include "data/graph/graph_error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE   (1 << 20)
#define NAME_ATTEMPTS 100
#define LINE_SIZE     32 /* two ids of 10 digits, space and newline, and room to spare */

struct writer {
    const char *path;
    struct graph_error *error;
    int fd;
    bool straight; /* not a regular file: no name to give at the end */
    char *named;   /* the temporary name, or NULL while the file has none */
    char *buffer;
    size_t used;
};

static bool fail_errno(struct writer *writer, const char *what)
{
    return graph_fail(writer->error, writer->path, "%s: %s", what, strerror(errno));
}

static bool flush(struct writer *writer)
{
    for (size_t done = 0; done < writer->used;) {
        ssize_t count = write(writer->fd, writer->buffer + done, writer->used - done);
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
    static const char PAIRS[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char digits[20];
    size_t at = sizeof(digits);
    while (id >= 100) {
        at -= 2;
        memcpy(digits + at, PAIRS + 2 * (id % 100), 2);
        id /= 100;
    }
    if (id >= 10) {
        at -= 2;
        memcpy(digits + at, PAIRS + 2 * id, 2);
    } else {
        digits[--at] = (char)('0' + id);
    }
    memcpy(text, digits + at, sizeof(digits) - at);
    return text + (sizeof(digits) - at);
}

/* The attempt-th temporary name for a path, "PATH.tmp-PID-ATTEMPT", for the caller to free. */
static char *temporary_name(const char *path, int attempt)
{
    size_t size = strlen(path) + 40;
    char *name = malloc(size);
    if (name != NULL) {
        snprintf(name, size, "%s.tmp-%ld-%d", path, (long)getpid(), attempt);
    }
    return name;
}

static int open_unnamed(const char *path)
{
    int fd = -1;
#ifdef O_TMPFILE
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (folder != NULL) {
        fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    }
    free(folder);
#else
    (void)path;
#endif
    return fd;
}

/*
 * Give the file a temporary name: that of the unnamed file, or, when there is none, of a new one.
 * Never that of an existing file: link(2) and O_EXCL do not replace.
 */
static bool name_file(struct writer *writer)
{
    char source[64];
    bool create = writer->fd < 0;
    snprintf(source, sizeof(source), "/proc/self/fd/%d", writer->fd);
    for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
        char *name = temporary_name(writer->path, attempt);
        if (name == NULL) {
            return graph_fail(writer->error, writer->path, "out of memory");
        }
        bool done;
        if (create) {
            writer->fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
            done = writer->fd >= 0;
        } else {
            done = linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
        }
        if (done) {
            writer->named = name;
            return true;
        }
        int reason = errno;
        free(name);
        errno = reason;
        if (reason != EEXIST) {
            break;
        }
    }
    return fail_errno(writer, "cannot create");
}

static bool open_writer(struct writer *writer)
{
    struct stat status;
    writer->buffer = malloc(BUFFER_SIZE);
    if (writer->buffer == NULL) {
        return graph_fail(writer->error, writer->path, "out of memory");
    }
    if (strcmp(writer->path, "-") == 0) {
        writer->fd = STDOUT_FILENO;
        writer->straight = true;
        return true;
    }
    if (stat(writer->path, &status) == 0 && !S_ISREG(status.st_mode)) {
        writer->straight = true;
        writer->fd = open(writer->path, O_WRONLY | O_CLOEXEC);
        return writer->fd >= 0 || fail_errno(writer, "cannot open for writing");
    }
    writer->fd = open_unnamed(writer->path);
    return writer->fd >= 0 || name_file(writer);
}

/* Finish, or after a failure (ok false) undo. Returns whether the file is complete and in place. */
static bool close_writer(struct writer *writer, bool ok)
{
    ok = ok && flush(writer);
    if (ok && !writer->straight && writer->named == NULL) {
        ok = name_file(writer);
    }
    if (writer->fd >= 0 && writer->fd != STDOUT_FILENO && close(writer->fd) != 0 && ok) {
        ok = fail_errno(writer, "cannot write");
    }
    if (ok && writer->named != NULL && rename(writer->named, writer->path) != 0) {
        ok = fail_errno(writer, "cannot give the file its name");
    }
    if (!ok && writer->named != NULL) {
        unlink(writer->named);
    }
    free(writer->named);
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

static bool put_rows(struct writer *writer, const struct graph *graph, uint64_t shift)
{
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        char source[LINE_SIZE] = {0};
        char *source_end = put_id(source, node + shift);
        *source_end++ = ' ';
        size_t source_length = (size_t)(source_end - source);
        for (uint64_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
            if (!reserve(writer)) {
                return false;
            }
            char *text = writer->buffer + writer->used;
            memcpy(text, source, 16); /* a fixed size is faster; the rest is written over */
            text = put_id(text + source_length, graph->neighbours[e] + shift);
            *text++ = '\n';
            writer->used = (size_t)(text - writer->buffer);
        }
    }
    return true;
}

/* Sort the edges by target: a counting sort, sources of a target in ascending order. */
static bool transpose(const struct graph *graph, struct graph *transposed)
{
    size_t limit = graph->node_limit, edges = (size_t)graph->edge_count;
    *transposed = *graph;
    transposed->offsets = calloc(limit + 2, sizeof(*transposed->offsets));
    transposed->neighbours = malloc((edges > 0 ? edges : 1) * sizeof(*transposed->neighbours));
    if (transposed->offsets == NULL || transposed->neighbours == NULL) {
        return false;
    }
    uint64_t *next = transposed->offsets + 1; /* where the next source of a target goes */
    for (size_t e = 0; e < edges; e++) {
        next[graph->neighbours[e] + (size_t)1]++;
    }
    for (size_t node = 1; node <= limit; node++) {
        next[node] += next[node - 1];
    }
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        for (uint64_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
            transposed->neighbours[next[graph->neighbours[e]]++] = node;
        }
    }
    return true;
}

/* The edges by target: the transposed graph's rows with the two ids of a line swapped. */
static bool put_columns(struct writer *writer, const struct graph *graph, uint64_t shift)
{
    struct graph transposed;
    bool ok = transpose(graph, &transposed) ||
              graph_fail(writer->error, writer->path, "out of memory for sorting the edges");
    for (uint32_t node = graph->first_node; ok && node < graph->node_limit; node++) {
        uint64_t end = transposed.offsets[node + 1];
        for (uint64_t e = transposed.offsets[node]; ok && e < end; e++) {
            ok = reserve(writer);
            if (ok) {
                char *text = writer->buffer + writer->used;
                text = put_id(text, transposed.neighbours[e] + shift);
                *text++ = ' ';
                text = put_id(text, node + shift);
                *text++ = '\n';
                writer->used = (size_t)(text - writer->buffer);
            }
        }
    }
    free(transposed.offsets);
    free(transposed.neighbours);
    return ok;
}

bool graph_write(const struct graph *graph, const struct graph_write_options *options,
                 const char *path, struct graph_error *error)
{
    struct writer writer = {.path = path, .error = error, .fd = -1};
    bool matrix = options->format == GRAPH_FORMAT_MATRIX_MARKET;
    uint64_t shift = matrix ? 1 - graph->first_node : 0;
    *error = (struct graph_error){0};
    bool ok =
        open_writer(&writer) && put_head(&writer, graph, options->format, options->comment) &&
        (options->by_target ? put_columns(&writer, graph, shift) : put_rows(&writer, graph, shift));
    return close_writer(&writer, ok);
}

bool pairs_write(const struct pairs *pairs, const char *comment, const char *path,
                 struct graph_error *error)
{
    struct writer writer = {.path = path, .error = error, .fd = -1};
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
