/*
 * text_stream.c - see text_stream.h.
 */
#include "text_stream.h"
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct text_stream {
    char **text;    /* the caller's */
    size_t *length; /* the caller's */
    char *bytes;    /* used, and a NUL; NULL once memory was short */
    size_t used;
};

static ssize_t append(void *cookie, const char *bytes, size_t count)
{
    struct text_stream *stream = cookie;
    char *grown = stream->bytes != NULL ? realloc(stream->bytes, stream->used + count + 1) : NULL;
    if (grown == NULL) {
        free(stream->bytes);
        stream->bytes = NULL;
        return 0; /* to a stream, an error */
    }
    memcpy(grown + stream->used, bytes, count);
    stream->bytes = grown;
    stream->used += count;
    grown[stream->used] = '\0';
    return (ssize_t)count;
}

static int finish(void *cookie)
{
    struct text_stream *stream = cookie;
    const int status = stream->bytes != NULL ? 0 : EOF;
    *stream->text = stream->bytes;
    *stream->length = stream->used;
    free(stream);
    return status;
}

FILE *text_stream_open(char **text, size_t *length)
{
    struct text_stream *stream = malloc(sizeof(*stream));
    FILE *out = NULL;
    if (stream != NULL) {
        *stream = (struct text_stream){text, length, calloc(1, 1), 0};
        out = fopencookie(stream, "w", (cookie_io_functions_t){.write = append, .close = finish});
    }
    if (stream != NULL && out == NULL) {
        free(stream->bytes);
        free(stream);
    }
    return out;
}

char *text_path(const char *const *texts, size_t count)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = text_stream_open(&text, &length);
    if (out == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? " -> " : "", out);
        fputs(texts[i], out);
    }
    fclose(out);
    return text;
}
