/*
 * gzip_reader.c - zlib, member after member.
 *
 * zlib checks the CRC-32 and the length at the end of each member, which libarchive's gzip filter
 * does not, and decodes straight into the caller's buffer. Zeros may follow the last member, as
 * tapes leave them; anything else must be another member.
 */
#include "gzip_reader.h"
#include <stdlib.h>
#include <string.h>

#define INPUT_SIZE    ((size_t)128 << 10)
#define GZIP_WINDOW   (15 + 16) /* zlib's way to say: the largest window, and a gzip header */
#define READ_SIZE_MAX ((size_t)1 << 30)

bool gzip_reader_init(struct gzip_reader *reader, byte_take *take, void *context)
{
    memset(reader, 0, sizeof(*reader));
    reader->take = take;
    reader->context = context;
    reader->input = malloc(INPUT_SIZE);
    reader->started = reader->input != NULL && inflateInit2(&reader->decoder, GZIP_WINDOW) == Z_OK;
    return reader->started;
}

void gzip_reader_free(struct gzip_reader *reader)
{
    if (reader->started) {
        inflateEnd(&reader->decoder);
    }
    free(reader->input);
    memset(reader, 0, sizeof(*reader));
}

/* More input when there is none. False at its end and after a failure. */
static bool has_input(struct gzip_reader *reader)
{
    if (reader->decoder.avail_in > 0) {
        return true;
    }
    ssize_t got = reader->take(reader->context, reader->input, INPUT_SIZE, &reader->error);
    if (got == 0 && !reader->between) {
        reader->error = "truncated gzip input";
    }
    reader->decoder.next_in = (unsigned char *)reader->input;
    reader->decoder.avail_in = got > 0 ? (unsigned)got : 0;
    return got > 0;
}

/* Behind a member: true when another one begins; else the end, or a failure. */
static bool begin_member(struct gzip_reader *reader)
{
    bool padded = false;
    while (has_input(reader)) {
        if (*reader->decoder.next_in != 0) {
            if (padded) {
                reader->error = "damaged gzip input: not only zeros behind its end";
                return false;
            }
            reader->between = false;
            inflateReset(&reader->decoder);
            return true;
        }
        padded = true;
        reader->decoder.next_in++;
        reader->decoder.avail_in--;
    }
    reader->ended = true;
    return false;
}

ssize_t gzip_reader_read(void *context, char *to, size_t length, const char **error)
{
    struct gzip_reader *reader = context;
    z_stream *decoder = &reader->decoder;
    length = length < READ_SIZE_MAX ? length : READ_SIZE_MAX;
    decoder->next_out = (unsigned char *)to;
    decoder->avail_out = (unsigned)length;
    while (decoder->avail_out > 0 && !reader->ended && reader->error == NULL) {
        if ((reader->between && !begin_member(reader)) || !has_input(reader)) {
            break;
        }
        int status = inflate(decoder, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            reader->between = true;
        } else if (status == Z_MEM_ERROR) {
            reader->error = "out of memory";
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            reader->error =
                decoder->msg != NULL && strcmp(decoder->msg, "incorrect data check") == 0
                    ? "damaged gzip input: its checksum does not match"
                    : "damaged gzip input";
        }
    }
    size_t done = length - decoder->avail_out;
    *error = done == 0 ? reader->error : NULL;
    return *error != NULL ? -1 : (ssize_t)done;
}
