/*
 * byte_stream.c - the decoding thread and its ring of buffers.
 *
 * gzip is decoded by zlib (gzip_reader.c), everything else, and what lies inside gzip, by
 * libarchive (archive_reader.c).
 */
#include "byte_stream.h"
#include "base/macros.h"
#include "gzip_reader.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_COUNT 8
#define BUFFER_SIZE  ((size_t)256 << 10)
#define INNER_SIZE   512 /* enough to see a tar */

struct byte_stream {
    int fd;
    bool threaded; /* else the reader decodes */
    char *front;
    size_t front_length, front_used;
    struct archive_reader *archive; /* NULL: nothing for libarchive */
    bool is_gzip;
    struct gzip_reader gzip;
    char inner[INNER_SIZE]; /* the first bytes inside gzip, read to see whether it is packed */
    size_t inner_length, inner_used;
    atomic_uint_least64_t *bytes_done;

    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    char *buffers; /* BUFFER_COUNT of BUFFER_SIZE */
    size_t lengths[BUFFER_COUNT];
    unsigned filled, taken; /* buffers ever filled, ever taken */
    bool ended, failed, stopped;
    char error[400];

    size_t read_position; /* in the buffer being taken; the reader's own */
    size_t fill_length;   /* in the buffer being filled; the thread's own */
};

bool byte_stream_is_packed(const char *bytes, size_t length)
{
    static const struct {
        const char *magic;
        size_t length, offset;
    } kinds[] = {{"\x1f\x8b", 2, 0},
                 {"BZh", 3, 0},
                 {"\xfd"
                  "7zXZ\0",
                  6, 0},
                 {"\x28\xb5\x2f\xfd", 4, 0},
                 {"ustar", 5, 257}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (length >= kinds[i].offset + kinds[i].length &&
            memcmp(bytes + kinds[i].offset, kinds[i].magic, kinds[i].length) == 0) {
            return true;
        }
    }
    return false;
}

static void fail(struct byte_stream *stream, const char *text)
{
    pthread_mutex_lock(&stream->mutex);
    if (!stream->failed) {
        stream->failed = true;
        snprintf(stream->error, sizeof(stream->error), "%.380s",
                 text != NULL ? text : "unknown error");
    }
    pthread_mutex_unlock(&stream->mutex);
}

/* Bytes from the front, then from the file. */
static ssize_t take_input(void *context, char *to, size_t length)
{
    struct byte_stream *stream = context;
    size_t left = stream->front_length - stream->front_used;
    ssize_t got;
    if (left > 0) {
        got = (ssize_t)(length < left ? length : left);
        memcpy(to, stream->front + stream->front_used, (size_t)got);
        stream->front_used += (size_t)got;
    } else {
        do {
            got = read(stream->fd, to, length);
        } while (got < 0 && errno == EINTR);
    }
    if (got > 0) {
        atomic_fetch_add_explicit(stream->bytes_done, (uint64_t)got, memory_order_relaxed);
    }
    return got;
}

/* Bytes of the file, or of what gzip holds; negative, with error telling, when there are none. */
static ssize_t take_bytes(void *context, char *to, size_t length, const char **error)
{
    struct byte_stream *stream = context;
    size_t left = stream->inner_length - stream->inner_used;
    if (left > 0) {
        length = length < left ? length : left;
        memcpy(to, stream->inner + stream->inner_used, length);
        stream->inner_used += length;
        return (ssize_t)length;
    }
    ssize_t got = stream->is_gzip ? gzip_reader_read(&stream->gzip, to, length)
                                  : take_input(stream, to, length);
    if (got < 0) {
        *error = stream->is_gzip ? stream->gzip.error : strerror(errno);
    }
    return got;
}

/* Decoded bytes; 0 at the end; negative, with error telling, when decoding failed. */
static ssize_t decode(struct byte_stream *stream, char *to, size_t length, const char **error)
{
    if (stream->archive == NULL) {
        return take_bytes(stream, to, length, error);
    }
    ssize_t got = archive_reader_read(stream->archive, to, length);
    if (got < 0) {
        *error = archive_reader_error(stream->archive);
    }
    return got;
}

/* Room in the buffer being filled, waiting for a free one; NULL when the reader has stopped. */
static char *fill_room(struct byte_stream *stream, size_t *room)
{
    pthread_mutex_lock(&stream->mutex);
    while (stream->filled - stream->taken == BUFFER_COUNT && !stream->stopped) {
        pthread_cond_wait(&stream->changed, &stream->mutex);
    }
    bool stopped = stream->stopped;
    pthread_mutex_unlock(&stream->mutex);
    *room = BUFFER_SIZE - stream->fill_length;
    return stopped ? NULL
                   : stream->buffers + stream->filled % BUFFER_COUNT * BUFFER_SIZE +
                         stream->fill_length;
}

static void hand_over(struct byte_stream *stream)
{
    pthread_mutex_lock(&stream->mutex);
    stream->lengths[stream->filled % BUFFER_COUNT] = stream->fill_length;
    stream->filled++;
    stream->fill_length = 0;
    pthread_cond_broadcast(&stream->changed);
    pthread_mutex_unlock(&stream->mutex);
}

static void *stream_run(void *argument)
{
    struct byte_stream *stream = argument;
    ssize_t got;
    do {
        size_t room;
        const char *error = NULL;
        char *to = fill_room(stream, &room);
        got = to != NULL ? decode(stream, to, room, &error) : 0;
        if (got > 0) {
            stream->fill_length += (size_t)got;
            if (stream->fill_length == BUFFER_SIZE) {
                hand_over(stream);
            }
        } else if (got < 0) {
            fail(stream, error);
        }
    } while (got > 0);
    if (stream->fill_length > 0) {
        hand_over(stream);
    }
    pthread_mutex_lock(&stream->mutex);
    stream->ended = true;
    pthread_cond_broadcast(&stream->changed);
    pthread_mutex_unlock(&stream->mutex);
    return NULL;
}

/* Decode the start of gzip, to see whether its content is packed too. False when out of memory. */
static bool open_gzip(struct byte_stream *stream, bool *packed)
{
    if (!gzip_reader_init(&stream->gzip, take_input, stream)) {
        return false;
    }
    stream->is_gzip = true;
    ssize_t got = gzip_reader_read(&stream->gzip, stream->inner, INNER_SIZE);
    stream->inner_length = got > 0 ? (size_t)got : 0; /* a failure is told by the next read */
    *packed = byte_stream_is_packed(stream->inner, stream->inner_length);
    return true;
}

static void free_stream(struct byte_stream *stream)
{
    archive_reader_close(stream->archive);
    gzip_reader_free(&stream->gzip);
    free(stream->buffers);
    free(stream->front);
    free(stream);
}

struct byte_stream *byte_stream_open(int fd, const char *front, size_t front_length, bool packed,
                                     archive_reader_accept *accept, bool threaded,
                                     atomic_uint_least64_t *bytes_done)
{
    struct byte_stream *stream = calloc(1, sizeof(*stream));
    if (stream == NULL) {
        return NULL;
    }
    stream->fd = fd;
    stream->front_length = front_length;
    stream->bytes_done = bytes_done;
    stream->front = malloc(front_length + 1);
    if (stream->front == NULL) {
        free_stream(stream);
        return NULL;
    }
    memcpy(stream->front, front, front_length);
    bool is_gzip = packed && front_length >= 2 && memcmp(front, "\x1f\x8b", 2) == 0;
    if (is_gzip && !open_gzip(stream, &packed)) {
        free_stream(stream);
        return NULL;
    }
    if (packed && (stream->archive = archive_reader_open(take_bytes, stream, accept)) == NULL) {
        free_stream(stream);
        return NULL;
    }
    stream->threaded = threaded;
    if (!stream->threaded) {
        return stream;
    }
    stream->buffers = malloc(BUFFER_COUNT * BUFFER_SIZE);
    pthread_mutex_init(&stream->mutex, NULL);
    pthread_cond_init(&stream->changed, NULL);
    if (stream->buffers == NULL || pthread_create(&stream->thread, NULL, stream_run, stream) != 0) {
        free_stream(stream);
        return NULL;
    }
    return stream;
}

/* Wait for a full buffer. False at the end or after a failure. */
static bool wait_filled(struct byte_stream *stream)
{
    pthread_mutex_lock(&stream->mutex);
    while (stream->filled == stream->taken && !stream->ended) {
        pthread_cond_wait(&stream->changed, &stream->mutex);
    }
    bool has = stream->filled != stream->taken;
    pthread_mutex_unlock(&stream->mutex);
    return has;
}

/* Without a thread: read and decode now. */
static size_t read_directly(struct byte_stream *stream, char *to, size_t length)
{
    size_t done = 0;
    while (done < length && !stream->ended && !stream->failed) {
        const char *error = NULL;
        ssize_t got = decode(stream, to + done, length - done, &error);
        if (got < 0) {
            stream->failed = true;
            snprintf(stream->error, sizeof(stream->error), "%.380s", error);
        }
        stream->ended = got == 0;
        done += got > 0 ? (size_t)got : 0;
    }
    return done == 0 && length > 0 && stream->failed ? SIZE_MAX : done;
}

size_t byte_stream_read(struct byte_stream *stream, char *to, size_t length)
{
    if (!stream->threaded) {
        return read_directly(stream, to, length);
    }
    size_t done = 0;
    while (done < length && wait_filled(stream)) {
        unsigned slot = stream->taken % BUFFER_COUNT;
        size_t left = stream->lengths[slot] - stream->read_position;
        size_t now = length - done < left ? length - done : left;
        memcpy(to + done, stream->buffers + slot * BUFFER_SIZE + stream->read_position, now);
        done += now;
        stream->read_position += now;
        if (stream->read_position == stream->lengths[slot]) {
            pthread_mutex_lock(&stream->mutex);
            stream->taken++;
            stream->read_position = 0;
            pthread_cond_broadcast(&stream->changed);
            pthread_mutex_unlock(&stream->mutex);
        }
    }
    /* What was decoded before a failure goes out first, so that an error in that text wins. */
    return done == 0 && length > 0 && stream->failed ? SIZE_MAX : done;
}

const char *byte_stream_error(const struct byte_stream *stream)
{
    return stream->error;
}

void byte_stream_close(struct byte_stream *stream)
{
    if (stream == NULL) {
        return;
    }
    if (stream->threaded) {
        pthread_mutex_lock(&stream->mutex);
        stream->stopped = true;
        pthread_cond_broadcast(&stream->changed);
        pthread_mutex_unlock(&stream->mutex);
        pthread_join(stream->thread, NULL);
        pthread_mutex_destroy(&stream->mutex);
        pthread_cond_destroy(&stream->changed);
    }
    free_stream(stream);
}
