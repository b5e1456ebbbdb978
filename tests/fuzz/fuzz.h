/*
 * fuzz.h - what the fuzz targets share: reading an input, files in memory, and checks.
 *
 * A target defines fuzz_setup, which runs once, and fuzz_one, which runs once per input and frees
 * everything. fuzz_main.c calls them: by libFuzzer if PW_FUZZ is defined, else for the files
 * named on the command line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void fuzz_setup(void);
void fuzz_one(const uint8_t *bytes, size_t length);

/* Check what must hold for every input. If it does not, says where, and aborts. */
#define fuzz_require(condition)                                                                    \
    ((condition) ? (void)0 : fuzz_failed(__FILE__, __LINE__, #condition, ""))

/* The same, with a text about the finding. */
#define fuzz_require_for(condition, text)                                                          \
    ((condition) ? (void)0 : fuzz_failed(__FILE__, __LINE__, #condition, text))
__attribute__((noreturn)) void fuzz_failed(const char *file, int line, const char *condition,
                                           const char *text);

/* A message to a user: one line of printable bytes, not empty. UTF-8 counts as printable. */
void fuzz_require_line(const char *message);

/* The rest of an input. */
struct fuzz_input {
    const uint8_t *next, *end;
};

static inline size_t fuzz_left(const struct fuzz_input *input)
{
    return (size_t)(input->end - input->next);
}

/* The next byte; 0 when no byte is left. */
static inline uint8_t fuzz_take(struct fuzz_input *input)
{
    return input->next < input->end ? *input->next++ : 0;
}

/* The last byte; 0 if no byte is left. Options come after a text, which so stays readable. */
static inline uint8_t fuzz_take_last(struct fuzz_input *input)
{
    return input->next < input->end ? *--input->end : 0;
}

/* The next two bytes, low first. */
static inline unsigned fuzz_take_16(struct fuzz_input *input)
{
    unsigned low = fuzz_take(input);
    return low | (unsigned)fuzz_take(input) << 8;
}

/* The next four bytes, low first. */
static inline uint32_t fuzz_take_32(struct fuzz_input *input)
{
    uint32_t low = fuzz_take_16(input);
    return low | (uint32_t)fuzz_take_16(input) << 16;
}

/* A file in memory that the product can open by its path. */
struct fuzz_file {
    int fd;
    char path[40];
};

void fuzz_file_create(struct fuzz_file *file);
void fuzz_file_fill(const struct fuzz_file *file, const void *bytes, size_t length);

/* A copy of a text with a NUL after it and nothing else, for free(3). */
char *fuzz_text(struct fuzz_input input);

/*
 * A malloc and a free that count. Call number fuzz_memory.fail_in fails (1: the next; 0: no call).
 * A block of more than size_max bytes is refused.
 */
extern struct fuzz_memory {
    size_t live;
    size_t fail_in;
    size_t size_max;
} fuzz_memory;
void *fuzz_malloc(size_t size);
void fuzz_free(void *block);
