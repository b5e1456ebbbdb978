/*
 * text_source.c - open input, see whether it is packed, read parts of it.
 */
#include "text_source.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_SIZE  ((size_t)64 << 10)
#define FRONT_SIZE 512 /* enough to see a tar */

static bool open_file(struct text_source *source, const char *path, struct stat *status,
                      struct graph_error *error)
{
    bool is_standard = strcmp(path, "-") == 0;
    source->name = is_standard ? "standard input" : path;
    source->fd = is_standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (source->fd < 0 || fstat(source->fd, status) != 0) {
        return graph_fail(error, source->name, "cannot be opened: %s", strerror(errno));
    }
    if (S_ISDIR(status->st_mode)) {
        return graph_fail(error, source->name, "is a directory, not a file");
    }
    return true;
}

/*
 * Read length bytes, or to the end, at an offset of the file, or where it stands if offset is -1.
 * Returns how many; SIZE_MAX with error set.
 */
static size_t read_file(const struct text_source *source, off_t offset, char *to, size_t length,
                        struct graph_error *error)
{
    size_t done = 0;
    while (done < length) {
        ssize_t got = offset < 0
                          ? read(source->fd, to + done, length - done)
                          : pread(source->fd, to + done, length - done, offset + (off_t)done);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            graph_fail(error, source->name, "cannot be read: %s", strerror(errno));
            return SIZE_MAX;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return done;
}

bool text_source_open(struct text_source *source, const char *path, archive_reader_accept *accept,
                      bool threaded, struct graph_error *error)
{
    struct stat status = {0};
    char front[FRONT_SIZE];
    memset(source, 0, sizeof(*source));
    source->fd = -1;
    if (!open_file(source, path, &status, error)) {
        goto fail;
    }
    off_t start = S_ISREG(status.st_mode) ? lseek(source->fd, 0, SEEK_CUR) : 0;
    source->start = start > 0 ? (uint64_t)start : 0;
    size_t length = read_file(source, -1, front, sizeof(front), error);
    if (length == SIZE_MAX) {
        goto fail;
    }
    if (length == 0) {
        graph_fail(error, source->name, "is empty");
        goto fail;
    }
    bool packed = byte_stream_is_packed(front, length);
    source->is_plain = S_ISREG(status.st_mode) && status.st_size > start && !packed;
    source->size = S_ISREG(status.st_mode) ? (uint64_t)(status.st_size - start) : 0;
    if (!source->is_plain) {
        source->stream = byte_stream_open(source->fd, front, length, packed, accept, threaded,
                                          &source->bytes_done);
        if (source->stream == NULL) {
            graph_fail(error, source->name, "no memory or thread to read it with");
            goto fail;
        }
    }
    if (!text_source_grow_head(source, error)) {
        goto fail;
    }
    if (source->head_length == 0) {
        graph_fail(error, source->name, "is empty");
        goto fail;
    }
    return true;
fail:
    text_source_close(source);
    return false;
}

static size_t read_plain(const struct text_source *source, uint64_t offset, char *to, size_t length,
                         struct graph_error *error)
{
    return read_file(source, (off_t)(source->start + offset), to, length, error);
}

static size_t read_stream(struct text_source *source, char *to, size_t length,
                          struct graph_error *error)
{
    size_t got = byte_stream_read(source->stream, to, length);
    if (got == SIZE_MAX) {
        graph_fail(error, source->name, "cannot be read: %s", byte_stream_error(source->stream));
    }
    return got;
}

bool text_source_grow_head(struct text_source *source, struct graph_error *error)
{
    size_t wanted = source->head_length ? source->head_length * 2 : HEAD_SIZE;
    char *head = realloc(source->head, wanted + 1);
    if (head == NULL) {
        return graph_fail(error, source->name, "out of memory");
    }
    source->head = head;
    size_t missing = wanted - source->head_length;
    char *to = head + source->head_length;
    size_t got = source->is_plain ? read_plain(source, source->head_length, to, missing, error)
                                  : read_stream(source, to, missing, error);
    if (got == SIZE_MAX) {
        return false;
    }
    source->head_length += got;
    source->head_is_all = got < missing;
    head[source->head_length] = '\0';
    return true;
}

bool text_source_open_whole(struct text_source *source, const char *path, struct graph_error *error)
{
    if (!text_source_open(source, path, NULL, false, error)) {
        return false;
    }
    while (!source->head_is_all) {
        if (!text_source_grow_head(source, error)) {
            text_source_close(source);
            return false;
        }
    }
    return true;
}

const char *text_line_end(const char *p, const char *end)
{
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline != NULL ? newline : end;
}

size_t text_source_read(struct text_source *source, uint64_t offset, char *to, size_t length,
                        struct graph_error *error)
{
    if (source->is_plain) {
        size_t got = read_plain(source, offset, to, length, error);
        if (got != SIZE_MAX) {
            atomic_fetch_add_explicit(&source->bytes_done, got, memory_order_relaxed);
        }
        return got;
    }
    size_t done = 0;
    if (offset < source->head_length) {
        size_t left = source->head_length - (size_t)offset;
        done = length < left ? length : left;
        memcpy(to, source->head + offset, done);
    }
    if (done == length || (source->head_is_all && offset + done >= source->head_length)) {
        /* At the end of a failed stream the failure comes now. */
        if (done == 0 && length > 0) {
            return read_stream(source, to, length, error);
        }
        return done;
    }
    size_t got = read_stream(source, to + done, length - done, error);
    return got == SIZE_MAX ? (done ? done : SIZE_MAX) : done + got;
}

void text_source_close(struct text_source *source)
{
    byte_stream_close(source->stream);
    if (source->fd >= 0) {
        close(source->fd);
    }
    free(source->head);
    memset(source, 0, sizeof(*source));
    source->fd = -1;
}
