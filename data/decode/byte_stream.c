/*
 * byte_stream.c - the decoding thread and its ring of buffers.
 *
 * gzip is decoded by ISA-L or zlib (gzip_reader.c); everything else, and any layer inside gzip, by
 * libarchive (archive_reader.c).
 */
#include "byte_stream.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "gzip_reader.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_COUNT 8
#define BUFFER_SIZE  ((size_t)256 << 10)

/* A step of decoding. Its first bytes were read before, to see whether they are packed. */
struct layer {
    byte_take *take;
    void *from;
    size_t length, used; /* bytes of front; those given */
    char front[BYTE_STREAM_FRONT];
};

struct byte_stream {
    int fd;
    struct layer file;
    struct layer unzipped;          /* what gzip holds */
    struct gzip_reader gzip;        /* reads the file */
    struct archive_reader *archive; /* reads either layer; NULL: not needed */
    byte_take *take;                /* the last step */
    void *from;
    atomic_uint_least64_t *bytes_done;

    /* The state of decode_into. If there is a thread, it owns them until has_closed. */
    bool has_ended;
    const char *error; /* NULL: none */

    pthread_t thread;
    pthread_mutex_t mutex; /* guards the members below */
    pthread_cond_t changed;
    char *buffers; /* BUFFER_COUNT of BUFFER_SIZE; NULL: no thread, the reader decodes */
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

static ssize_t take_file(void *context, char *to, size_t length, const char **error)
{
    struct byte_stream *stream = context;
    ssize_t got;
    do {
        got = read(stream->fd, to, length);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        *error = strerror(errno);
    } else {
        atomic_fetch_add_explicit(stream->bytes_done, (uint64_t)got, memory_order_relaxed);
    }
    return got;
}

/* Bytes from the front, then from the layer's source. */
static ssize_t take_layer(void *context, char *to, size_t length, const char **error)
{
    struct layer *layer = context;
    size_t left = layer->length - layer->used;
    if (left == 0) {
        return layer->take(layer->from, to, length, error);
    }
    length = length < left ? length : left;
    memcpy(to, layer->front + layer->used, length);
    layer->used += length;
    return (ssize_t)length;
}

/* Fill to as far as possible. Bytes decoded before a failure count; the next call fails. */
static size_t decode_into(struct byte_stream *stream, char *to, size_t length)
{
    size_t done = 0;
    while (done < length && !stream->has_ended && stream->error == NULL) {
        ssize_t got = stream->take(stream->from, to + done, length - done, &stream->error);
        stream->has_ended = got == 0;
        done += got > 0 ? (size_t)got : 0;
    }
    return done;
}

/* The thread: fill one buffer after the other, waiting while all are full. */
static void *stream_run(void *argument)
{
    struct byte_stream *stream = argument;
    pthread_mutex_lock(&stream->mutex);
    while (!stream->has_closed) {
        while (stream->filled - stream->taken == BUFFER_COUNT && !stream->is_stopped) {
            pthread_cond_wait(&stream->changed, &stream->mutex);
        }
        unsigned slot = stream->filled % BUFFER_COUNT;
        size_t length = stream->is_stopped ? 0 : BUFFER_SIZE;
        pthread_mutex_unlock(&stream->mutex);
        size_t got = decode_into(stream, stream->buffers + slot * BUFFER_SIZE, length);
        pthread_mutex_lock(&stream->mutex);
        stream->lengths[slot] = got;
        stream->filled += got > 0;
        stream->has_closed = got < BUFFER_SIZE;
        pw_assert(stream->filled - stream->taken <= BUFFER_COUNT);
        pthread_cond_broadcast(&stream->changed);
    }
    pthread_mutex_unlock(&stream->mutex);
    return NULL;
}

static void free_stream(struct byte_stream *stream)
{
    archive_reader_close(stream->archive);
    gzip_reader_free(&stream->gzip);
    free(stream->buffers);
    free(stream);
}

/* Choose the steps that decode the file, by its front. False when out of memory. */
static bool open_steps(struct byte_stream *stream, bool packed, const struct archive_choice *choice)
{
    struct layer *layer = &stream->file;
    if (packed && layer->length >= 2 && memcmp(layer->front, "\x1f\x8b", 2) == 0) {
        if (!gzip_reader_init(&stream->gzip, take_layer, layer)) {
            return false;
        }
        layer = &stream->unzipped;
        layer->take = gzip_reader_read;
        layer->from = &stream->gzip;
        const char *error; /* the next read reports a failure */
        ssize_t got = gzip_reader_read(&stream->gzip, layer->front, sizeof(layer->front), &error);
        layer->length = got > 0 ? (size_t)got : 0;
        packed = byte_stream_is_packed(layer->front, layer->length);
    }
    stream->take = take_layer;
    stream->from = layer;
    if (packed) {
        stream->archive = archive_reader_open(take_layer, layer, choice);
        stream->take = archive_reader_read;
        stream->from = stream->archive;
    }
    return stream->from != NULL;
}

struct byte_stream *byte_stream_open(int fd, const char *front, size_t front_length, bool packed,
                                     const struct archive_choice *choice, bool threaded,
                                     atomic_uint_least64_t *bytes_done)
{
    struct byte_stream *stream = calloc(1, sizeof(*stream));
    if (stream == NULL) {
        return NULL;
    }
    pw_assert(front_length <= BYTE_STREAM_FRONT);
    stream->fd = fd;
    stream->bytes_done = bytes_done;
    atomic_store(bytes_done, front_length);
    stream->file.take = take_file;
    stream->file.from = stream;
    stream->file.length = front_length;
    memcpy(stream->file.front, front, front_length);
    bool done = open_steps(stream, packed, choice);
    if (done && threaded) {
        stream->buffers = malloc(BUFFER_COUNT * BUFFER_SIZE);
        pthread_mutex_init(&stream->mutex, NULL);
        pthread_cond_init(&stream->changed, NULL);
        done = stream->buffers != NULL &&
               pthread_create(&stream->thread, NULL, stream_run, stream) == 0;
    }
    if (!done) {
        free_stream(stream);
        return NULL;
    }
    return stream;
}

static size_t take_from_buffers(struct byte_stream *stream, char *to, size_t length)
{
    size_t done = 0;
    while (done < length) {
        pthread_mutex_lock(&stream->mutex);
        while (stream->filled == stream->taken && !stream->has_closed) {
            pthread_cond_wait(&stream->changed, &stream->mutex);
        }
        bool is_filled = stream->filled != stream->taken;
        pthread_mutex_unlock(&stream->mutex);
        if (!is_filled) {
            break;
        }
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

size_t byte_stream_read(struct byte_stream *stream, char *to, size_t length, const char **error)
{
    size_t done = stream->buffers != NULL ? take_from_buffers(stream, to, length)
                                          : decode_into(stream, to, length);
    if (done == 0 && length > 0 && stream->error != NULL) {
        *error = stream->error;
        return SIZE_MAX;
    }
    return done;
}

void byte_stream_close(struct byte_stream *stream)
{
    if (stream == NULL) {
        return;
    }
    if (stream->buffers != NULL) {
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
