/*
 * gzip_decoder.c - ISA-L or zlib, whichever is built in, for gzip_decoder.h.
 */
#include "gzip_decoder.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define STEP_MAX ((size_t)1 << 30)

static size_t at_most(size_t length)
{
    return length < STEP_MAX ? length : STEP_MAX;
}

#ifdef PW_HAVE_ISAL
#include <isa-l/igzip_lib.h>

struct gzip_decoder {
    struct inflate_state state;
};

struct gzip_decoder *gzip_decoder_open(void)
{
    struct gzip_decoder *decoder = calloc(1, sizeof(*decoder));
    if (decoder != NULL) {
        isal_inflate_init(&decoder->state);
        gzip_decoder_restart(decoder);
    }
    return decoder;
}

void gzip_decoder_close(struct gzip_decoder *decoder)
{
    free(decoder);
}

void gzip_decoder_restart(struct gzip_decoder *decoder)
{
    isal_inflate_reset(&decoder->state);
    decoder->state.crc_flag = ISAL_GZIP;
}

enum gzip_step gzip_decoder_step(struct gzip_decoder *decoder, const char *input, size_t length,
                                 size_t *used, char *output, size_t room, size_t *made)
{
    struct inflate_state *state = &decoder->state;
    length = at_most(length);
    room = at_most(room);
    state->next_in = (uint8_t *)(uintptr_t)input; /* it is not written to */
    state->avail_in = (uint32_t)length;
    state->next_out = (uint8_t *)output;
    state->avail_out = (uint32_t)room;
    const int status = isal_inflate(state);
    /* After a failure ISA-L may count more input than there was. */
    *used = status < 0 ? 0 : length - state->avail_in;
    *made = room - state->avail_out;
    return status == ISAL_INCORRECT_CHECKSUM         ? GZIP_WRONG_SUM
           : status < 0                              ? GZIP_DAMAGED
           : state->block_state == ISAL_BLOCK_FINISH ? GZIP_END
                                                     : GZIP_MORE;
}
#else
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* for zlib: the largest window, and a gzip header */

struct gzip_decoder {
    z_stream stream;
};

struct gzip_decoder *gzip_decoder_open(void)
{
    struct gzip_decoder *decoder = calloc(1, sizeof(*decoder));
    if (decoder != NULL && inflateInit2(&decoder->stream, GZIP_WINDOW) != Z_OK) {
        free(decoder);
        return NULL;
    }
    return decoder;
}

void gzip_decoder_close(struct gzip_decoder *decoder)
{
    if (decoder != NULL) {
        inflateEnd(&decoder->stream);
        free(decoder);
    }
}

void gzip_decoder_restart(struct gzip_decoder *decoder)
{
    inflateReset(&decoder->stream);
}

enum gzip_step gzip_decoder_step(struct gzip_decoder *decoder, const char *input, size_t length,
                                 size_t *used, char *output, size_t room, size_t *made)
{
    z_stream *stream = &decoder->stream;
    length = at_most(length);
    room = at_most(room);
    stream->next_in = (unsigned char *)(uintptr_t)input; /* it is not written to */
    stream->avail_in = (unsigned)length;
    stream->next_out = (unsigned char *)output;
    stream->avail_out = (unsigned)room;
    const int status = inflate(stream, Z_NO_FLUSH);
    *used = length - stream->avail_in;
    *made = room - stream->avail_out;
    if (status == Z_OK || status == Z_BUF_ERROR || status == Z_STREAM_END) {
        return status == Z_STREAM_END ? GZIP_END : GZIP_MORE;
    }
    return status == Z_MEM_ERROR ? GZIP_NO_MEMORY
           : stream->msg != NULL && (strcmp(stream->msg, "incorrect data check") == 0 ||
                                     strcmp(stream->msg, "incorrect length check") == 0)
               ? GZIP_WRONG_SUM
               : GZIP_DAMAGED;
}
#endif
