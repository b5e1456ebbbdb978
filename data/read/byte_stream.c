/*
 * byte_stream.c - the decoding thread and its ring of buffers.
 *
 * gzip is decoded by zlib (gzip_reader.c), everything else, and what lies inside gzip, by
 * libarchive (archive_reader.c).
 */
#include "byte_stream.h"
#include "base/macros.h"
#include "base/pw_assert.h"
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
    bool is_threaded; /* else the reader decodes */
    char *front;
    size_t front_length, front_used;
    struct archive_reader *archive; /* NULL: nothing for libarchive */
    bool is_gzip;
    struct gzip_reader gzip;
    char inner[INNER_SIZE]; /* the first bytes inside gzip, read to see whether it is packed */
    size_t inner_length, inner_used;
    atomic_uint_least64_t *bytes_done;

    /* What decode_into has come to. With a thread they are its own until has_closed. */
    bool has_ended, has_failed;
    char error[400];

    pthread_t thread;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t changed;
    char *buffers; /* BUFFER_COUNT of BUFFER_SIZE */
    size_t lengths[BUFFER_COUNT];
    unsigned filled, taken;      /* buffers ever filled, ever taken */
    bool has_closed, is_stopped; /* no buffer follows; no reader is left */
    size_t read_position;        /* in the buffer being taken; the reader's own */
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

/* Fill to as far as possible. What was decoded before a failure counts; the next call fails. */
static size_t decode_into(struct byte_stream *stream, char *to, size_t length)
{
    size_t done = 0;
    while (done < length && !stream->has_ended && !stream->has_failed) {
        const char *error = NULL;
        ssize_t got = decode(stream, to + done, length - done, &error);
        if (got < 0) {
            stream->has_failed = true;
            snprintf(stream->error, sizeof(stream->error), "%.380s",
                     error != NULL ? error : "unknown error");
        }
        stream->has_ended = got == 0;
        done += got > 0 ? (size_t)got : 0;
    }
    return done;
}

/* The thread: fill one buffer after the other, waiting while all are full. */
static void *stream_run(void *argument)
{
    struct byte_stream *stream = argument;
    size_t got = BUFFER_SIZE;
    while (got == BUFFER_SIZE) {
        pthread_mutex_lock(&stream->mutex);
        while (stream->filled - stream->taken == BUFFER_COUNT && !stream->is_stopped) {
            pthread_cond_wait(&stream->changed, &stream->mutex);
        }
        bool is_stopped = stream->is_stopped;
        pthread_mutex_unlock(&stream->mutex);
        unsigned slot = stream->filled % BUFFER_COUNT;
        got =
            is_stopped ? 0 : decode_into(stream, stream->buffers + slot * BUFFER_SIZE, BUFFER_SIZE);
        pthread_mutex_lock(&stream->mutex);
        stream->lengths[slot] = got;
        stream->filled += got > 0;
        stream->has_closed = got < BUFFER_SIZE;
        pw_assert(stream->filled - stream->taken <= BUFFER_COUNT);
        pthread_cond_broadcast(&stream->changed);
        pthread_mutex_unlock(&stream->mutex);
    }
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
    stream->is_threaded = threaded;
    if (!stream->is_threaded) {
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
    while (stream->filled == stream->taken && !stream->has_closed) {
        pthread_cond_wait(&stream->changed, &stream->mutex);
    }
    bool has = stream->filled != stream->taken;
    pthread_mutex_unlock(&stream->mutex);
    return has;
}

static size_t take_from_buffers(struct byte_stream *stream, char *to, size_t length)
{
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
    return done;
}

size_t byte_stream_read(struct byte_stream *stream, char *to, size_t length)
{
    size_t done = stream->is_threaded ? take_from_buffers(stream, to, length)
                                      : decode_into(stream, to, length);
    return done == 0 && length > 0 && stream->has_failed ? SIZE_MAX : done;
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
    if (stream->is_threaded) {
        pthread_mutex_lock(&stream->mutex);
        stream->is_stopped = true;
        pthread_cond_broadcast(&stream->changed);
        pthread_mutex_unlock(&stream->mutex);
        pthread_join(stream->thread, NULL);
        pthread_mutex_destroy(&stream->mutex);
        pthread_cond_destroy(&stream->changed);
    }
    free_stream(stream);
}
