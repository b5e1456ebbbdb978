/*
 * gzip_decoder.h - decodes one member of gzip. ISA-L, if it is installed, is two to three times as
 * fast as zlib. Both check the CRC-32 and the length at the end of the member.
 */
#pragma once

#include <stddef.h>

struct gzip_decoder;

/* The outcome of a step. */
enum gzip_step { GZIP_MORE, GZIP_END, GZIP_DAMAGED, GZIP_WRONG_SUM, GZIP_NO_MEMORY };

/* NULL when out of memory. */
struct gzip_decoder *gzip_decoder_open(void);

/* NULL is fine. */
void gzip_decoder_close(struct gzip_decoder *decoder);

/* Prepare for another member. */
void gzip_decoder_restart(struct gzip_decoder *decoder);

/* Decode from input to output; *used and *made: how many bytes of each are done. */
enum gzip_step gzip_decoder_step(struct gzip_decoder *decoder, const char *input, size_t length,
                                 size_t *used, char *output, size_t room, size_t *made);
