/*
 * gzip_reader.c - gzip, member after member, by gzip_decoder.h.
 *
 * The decoder checks the CRC-32 and the length at the end of each member, which libarchive's gzip
 * filter does not, and decodes straight into the caller's buffer. Zeros may follow the last member,
 * as tapes leave them; anything else must be another member.
 */
#include "gzip_reader.h"
#include "base/pw_assert.h"
#include "gzip_decoder.h"
#include <stdlib.h>
#include <string.h>

#define INPUT_SIZE ((size_t)128 << 10)
#define MAGIC_BYTE 0x1f /* the first one of a member */

bool gzip_reader_init(struct gzip_reader *reader, byte_take *take, void *context)
{
    memset(reader, 0, sizeof(*reader));
    reader->take = take;
    reader->context = context;
    reader->input = malloc(INPUT_SIZE);
    reader->decoder = gzip_decoder_open();
    return reader->input != NULL && reader->decoder != NULL;
}

void gzip_reader_free(struct gzip_reader *reader)
{
    gzip_decoder_close(reader->decoder);
    free(reader->input);
    memset(reader, 0, sizeof(*reader));
}

/* Take more input if none is left. False at its end and after a failure. */
static bool has_input(struct gzip_reader *reader)
{
    if (reader->next < reader->length) {
        return true;
    }
    const ssize_t got = reader->take(reader->context, reader->input, INPUT_SIZE, &reader->error);
    if (got == 0 && !reader->between) {
        reader->error = "truncated gzip input";
    }
    reader->next = 0;
    reader->length = got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* After a member: true if another one begins; else the end, or a failure. */
static bool begin_member(struct gzip_reader *reader)
{
    bool padded = false;
    while (has_input(reader)) {
        if (reader->input[reader->next] != 0) {
            if (padded || reader->input[reader->next] != MAGIC_BYTE) {
                reader->error = "damaged gzip input: not only zeros after its end";
                return false;
            }
            reader->between = false;
            gzip_decoder_restart(reader->decoder);
            return true;
        }
        padded = true;
        reader->next++;
    }
    reader->ended = true;
    return false;
}

ssize_t gzip_reader_read(void *context, char *to, size_t length, const char **error)
{
    static const char *const reasons[] = {
        [GZIP_DAMAGED] = "damaged gzip input",
        [GZIP_WRONG_SUM] = "damaged gzip input: its checksum does not match",
        [GZIP_NO_MEMORY] = "out of memory",
    };
    struct gzip_reader *reader = context;
    size_t done = 0;
    /* First empty the decoder, then take more input. */
    bool is_holding = !reader->between && reader->length > 0;
    while (done < length && !reader->ended && reader->error == NULL) {
        if ((reader->between && !begin_member(reader)) || (!is_holding && !has_input(reader))) {
            break;
        }
        size_t used, made;
        const enum gzip_step step = gzip_decoder_step(reader->decoder, reader->input + reader->next,
                                                      reader->length - reader->next, &used,
                                                      to + done, length - done, &made);
        pw_assert(used <= reader->length - reader->next && made <= length - done);
        reader->next += used;
        done += made;
        is_holding = done == length;
        reader->between = step == GZIP_END;
        if (step > GZIP_END) {
            reader->error = reasons[step];
        }
    }
    *error = done == 0 ? reader->error : NULL;
    return *error != NULL ? -1 : (ssize_t)done;
}
