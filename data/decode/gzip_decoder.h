/*
 * gzip_decoder.h - one member of gzip: ISA-L where it is installed, two to three times as fast as
 * zlib, else zlib. Both check the CRC-32 and the length at the end of the member.
 */
#pragma once

#include <stddef.h>

struct gzip_decoder;

/* What a step has come to. */
enum gzip_step { GZIP_MORE, GZIP_END, GZIP_DAMAGED, GZIP_WRONG_SUM, GZIP_NO_MEMORY };

/* NULL when out of memory. */
struct gzip_decoder *gzip_decoder_open(void);

/* NULL is fine. */
void gzip_decoder_close(struct gzip_decoder *decoder);

/* Another member begins. */
void gzip_decoder_restart(struct gzip_decoder *decoder);

/* Decode from input to output; *used and *made: how many bytes of each are done. */
enum gzip_step gzip_decoder_step(struct gzip_decoder *decoder, const char *input, size_t length,
                                 size_t *used, char *output, size_t room, size_t *made);
