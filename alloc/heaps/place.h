/*
 * place.h - a place in the program: a few return addresses, and their text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PLACE_FRAMES 5

struct place {
    void *frames[PLACE_FRAMES]; /* innermost first; NULL ends them early */
};

/* The callers of the running allocator, without itself. Takes memory at the first call only. */
void place_here(struct place *place);

/* "linked_list_insert_end+0x1a < main+0x40" into text, cut to fit. */
void place_write(const struct place *place, char *text, size_t size);
