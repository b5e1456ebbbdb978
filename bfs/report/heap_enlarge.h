/*
 * heap_enlarge.h - enlarges the region of an allocator when a search does not fit in it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct heap_enlarge {
    char specification[256]; /* in use since then */
    bool is_recording;       /* a script must cover the run from its start */
};

/*
 * Call after a search that ran out of memory. If the list's allocator lives in a region, the same
 * one is chosen with a region twice as large. False if it does not, or if that is impossible. what:
 * room for a sentence about it.
 */
bool heap_enlarge(struct heap_enlarge *state, char *what, size_t what_size);
