/*
 * text_source.c - opens input, detects packed files, reads parts.
 */
#include "text_source.h"
#include "base/cancel.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD_SIZE      ((size_t)64 << 10)
#define CANCEL_LOOK_MS 100 /* a signal may go to another thread and wake nobody here */

static bool open_file(struct text_source *source, const char *path, struct graph_error *error)
{
    bool is_standard = strcmp(path, "-") == 0;
    source->name = is_standard ? "standard input" : path;
    source->fd = is_standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (source->fd < 0 || fstat(source->fd, &source->opened) != 0) {
        return graph_fail(error, source->name, "cannot be opened: %s", strerror(errno));
    }
    if (S_ISDIR(source->opened.st_mode)) {
        return graph_fail(error, source->name, "is a directory, not a file");
    }
    return true;
}

/* Wait for bytes of the open file, and read up to length. Returns how many; 0 at its end; SIZE_MAX
 * with error set. */
static size_t read_some(const struct text_source *source, char *to, size_t length,
                        struct graph_error *error)
{
    struct pollfd ready = {.fd = source->fd, .events = POLLIN};
    ssize_t got;
    do {
        while (source->cancel != NULL && poll(&ready, 1, CANCEL_LOOK_MS) <= 0) {
            if (cancel_is_set(source->cancel)) {
                graph_fail(error, source->name, "interrupted");
                return SIZE_MAX;
            }
        }
        got = read(source->fd, to, length);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        graph_fail(error, source->name, "cannot be read: %s", strerror(errno));
        return SIZE_MAX;
    }
    return (size_t)got;
}

/* Read length bytes, or to the end, at an offset of the file. Returns how many; SIZE_MAX with error
 * set. */
static size_t read_file(const struct text_source *source, off_t offset, char *to, size_t length,
                        struct graph_error *error)
{
    size_t done = 0;
    while (done < length) {
        ssize_t got = pread(source->fd, to + done, length - done, offset + (off_t)done);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            graph_fail(error, source->name, "cannot be read: %s", strerror(errno));
            return SIZE_MAX;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    pw_assert(done <= length);
    return done;
}

/* Read the first bytes of a file: as many as fit, or as come with its first line. As read_file. */
static size_t read_front(const struct text_source *source, char front[TEXT_FRONT],
                         struct graph_error *error)
{
    size_t done = 0, got = 1;
    while (done < TEXT_FRONT && got > 0 && memchr(front, '\n', done) == NULL) {
        got = read_some(source, front + done, TEXT_FRONT - done, error);
        if (got == SIZE_MAX) {
            return SIZE_MAX;
        }
        done += got;
    }
    return done;
}

/*
 * The text begins after a UTF-8 byte-order mark, which some editors write. UTF-16 text, in which
 * every second byte is NUL, is refused.
 */
static bool drop_mark(struct text_source *source, struct graph_error *error)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    if (memcmp(source->head, "\xff\xfe", 2) == 0 || memcmp(source->head, "\xfe\xff", 2) == 0) {
        return graph_fail(error, source->name,
                          "is UTF-16 text: iconv -f UTF-16 -t UTF-8 converts it");
    }
    if (source->head_length < sizeof(mark) || memcmp(source->head, mark, sizeof(mark)) != 0) {
        return true;
    }
    pw_assert(!source->is_plain || source->size >= sizeof(mark));
    source->head_length -= sizeof(mark);
    memmove(source->head, source->head + sizeof(mark), source->head_length + 1);
    if (source->is_plain) {
        source->start += sizeof(mark);
        source->size -= sizeof(mark);
    }
    return source->head_length > 0 || graph_fail(error, source->name, "is empty");
}

/* A pipe that is read as it comes: its front is its head. */
static bool keep_front(struct text_source *source, const char *front, size_t length,
                       struct graph_error *error)
{
    source->head = malloc(length + 1);
    if (source->head == NULL) {
        return graph_fail(error, source->name, "out of memory");
    }
    memcpy(source->head, front, length);
    source->head[length] = '\0';
    source->head_length = length;
    return true;
}

/* Read the first bytes of text of the open file. False with error set; the caller closes. */
static bool open_text(struct text_source *source, bool threaded, struct graph_error *error)
{
    const struct text_decoder *decoder = source->decoder;
    char front[TEXT_FRONT];
    bool regular = S_ISREG(source->opened.st_mode);
    off_t start = regular ? lseek(source->fd, 0, SEEK_CUR) : 0;
    source->start = start > 0 ? (uint64_t)start : 0;
    size_t length = read_front(source, front, error);
    if (length == SIZE_MAX) {
        return false;
    }
    if (length == 0) {
        return graph_fail(error, source->name, "is empty");
    }
    bool packed = decoder != NULL && decoder->is_packed(front, length);
    source->is_plain = regular && source->opened.st_size > start && !packed;
    source->size = regular ? (uint64_t)(source->opened.st_size - start) : 0;
    if (!regular && !packed && !threaded && decoder != NULL) {
        return keep_front(source, front, length, error) && drop_mark(source, error);
    }
    if (!source->is_plain) {
        source->stream = decoder == NULL
                             ? NULL
                             : decoder->open(source->fd, front, length, packed, decoder->choice,
                                             threaded, &source->bytes_done);
        if (source->stream == NULL) {
            return graph_fail(error, source->name, "%s",
                              decoder == NULL ? "is not a plain file"
                                              : "no memory or thread to read it with");
        }
    }
    if (!text_source_grow_head(source, error)) {
        return false;
    }
    if (source->head_length == 0) { /* a packed file that holds nothing */
        return graph_fail(error, source->name, "is empty");
    }
    return drop_mark(source, error);
}

bool text_source_open(struct text_source *source, const char *path,
                      const struct text_decoder *decoder, bool threaded, struct graph_error *error)
{
    *source = (struct text_source){.fd = -1, .decoder = decoder};
    bool done = open_file(source, path, error) && open_text(source, threaded, error);
    if (!done) {
        text_source_close(source, error);
    }
    return done;
}

/* The bytes at an offset of a plain text, or the next ones of a stream; as text_source_read. */
static size_t read_text(const struct text_source *source, uint64_t offset, char *to, size_t length,
                        struct graph_error *error)
{
    const char *why;
    if (source->is_plain) {
        return read_file(source, (off_t)(source->start + offset), to, length, error);
    }
    if (source->stream == NULL) {
        return read_some(source, to, length, error);
    }
    size_t got = source->decoder->read(source->stream, to, length, &why);
    if (got == SIZE_MAX) {
        graph_fail(error, source->name, "cannot be read: %s", why);
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
    size_t got = 1;
    while (source->head_length < wanted && got > 0) { /* a pipe may give less at once */
        const size_t length = source->head_length;
        got = read_text(source, length, head + length, wanted - length, error);
        if (got == SIZE_MAX) {
            return false;
        }
        pw_assert(got <= wanted - length);
        source->head_length += got;
    }
    source->head_is_all = source->head_length < wanted;
    head[source->head_length] = '\0';
    return true;
}

size_t text_source_read(struct text_source *source, uint64_t offset, char *to, size_t length,
                        struct graph_error *error)
{
    if (cancel_is_set(source->cancel)) {
        graph_fail(error, source->name, "interrupted");
        return SIZE_MAX;
    }
    if (!source->is_plain && offset < source->head_length) {
        size_t left = source->head_length - (size_t)offset;
        pw_assert(left > 0);
        length = length < left ? length : left;
        memcpy(to, source->head + offset, length);
        return length;
    }
    size_t got = read_text(source, offset, to, length, error);
    if (source->is_plain && got != SIZE_MAX) {
        atomic_fetch_add_explicit(&source->bytes_done, got, memory_order_relaxed);
    }
    return got;
}

/* True if the file is unchanged since it was opened. False with error set. */
static bool is_unchanged(const struct text_source *source, struct graph_error *error)
{
    struct stat now;
    const struct stat *old = &source->opened;
    if (source->fd < 0 || !S_ISREG(old->st_mode)) {
        return true;
    }
    if (fstat(source->fd, &now) != 0) {
        return graph_fail(error, source->name, "cannot be read: %s", strerror(errno));
    }
    return (now.st_size == old->st_size && now.st_mtim.tv_sec == old->st_mtim.tv_sec &&
            now.st_mtim.tv_nsec == old->st_mtim.tv_nsec) ||
           graph_fail(error, source->name, "changed while it was read");
}

bool text_source_close(struct text_source *source, struct graph_error *error)
{
    bool unchanged = is_unchanged(source, error);
    if (source->stream != NULL) {
        source->decoder->close(source->stream);
    }
    if (source->fd >= 0) {
        close(source->fd);
    }
    free(source->head);
    *source = (struct text_source){.fd = -1};
    return unchanged;
}
