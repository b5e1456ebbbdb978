/*
 * text_output.h - writes text to a file through a buffer; the file appears when it is complete.
 *
 * Devices, pipes and "-" (standard output) are written directly; see base/program/file_replace.h.
 */
#pragma once

#include "base/program/file_replace.h"
#include "data/graph/graph_error.h"
#include <signal.h>
#include <string.h>

#define TEXT_OUTPUT_SIZE ((size_t)1 << 20)

struct text_output {
    const char *path;
    struct graph_error *error;
    const volatile sig_atomic_t *cancel; /* not zero: writing fails; or NULL */
    struct file_replace file;
    char *buffer; /* TEXT_OUTPUT_SIZE */
    size_t used;
};

/* Open a zeroed output with path, error and cancel set. False with error set. */
bool text_output_open(struct text_output *output);

/* Finish; after a failure (ok false) undo. Returns true if the file is complete and in place. */
bool text_output_close(struct text_output *output, bool ok);

/* Write out the buffer. False with error set. */
bool text_output_flush(struct text_output *output);

/* Add any number of bytes. False with error set. */
bool text_output_bytes(struct text_output *output, const char *bytes, size_t length);

static inline bool text_output_text(struct text_output *output, const char *text)
{
    return text_output_bytes(output, text, strlen(text));
}

/* Add a short formatted text, at most 1,000 bytes long. False with error set. */
__attribute__((format(printf, 2, 3))) bool text_output_format(struct text_output *output,
                                                              const char *format, ...);

/* Reserve bytes in the buffer; the caller writes them. */
static inline bool text_output_reserve(struct text_output *output, size_t length)
{
    return output->used + length <= TEXT_OUTPUT_SIZE || text_output_flush(output);
}

/* Write a number in decimal, at most 20 bytes; returns the end. */
static inline char *text_put_number(char *text, uint64_t number)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char digits[20];
    size_t at = sizeof(digits);
    while (number >= 100) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * (number % 100), 2);
        number /= 100;
    }
    if (number >= 10) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * number, 2);
    } else {
        digits[--at] = (char)('0' + number);
    }
    memcpy(text, digits + at, sizeof(digits) - at);
    return text + (sizeof(digits) - at);
}

/* Add a line of two numbers. False with error set. */
static inline bool text_output_pair(struct text_output *output, uint64_t first, uint64_t second)
{
    if (!text_output_reserve(output, 2 * 20 + 2)) {
        return false;
    }
    char *text = text_put_number(output->buffer + output->used, first);
    *text++ = ' ';
    text = text_put_number(text, second);
    *text++ = '\n';
    output->used = (size_t)(text - output->buffer);
    return true;
}
