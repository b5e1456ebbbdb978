/*
 * heap_enlarge.h - what to do when a search does not fit in the one region of its allocator.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct heap_enlarge {
    char specification[256]; /* the one in use since */
    bool is_recording;       /* a script must hold the run from its beginning */
};

/*
 * After a search that ran out of memory: if the list's allocator lives in a region, choose the same
 * one with a region twice as large. False when it does not, or when that cannot be had. what: room
 * for a sentence about it.
 */
bool heap_enlarge(struct heap_enlarge *state, char *what, size_t what_size);
