/*
 * memory_watch.h - what a program holds of the system's memory against what is alive, over time.
 *
 * Held is memory of this process that is no file's and was written to (smaps_rollup: Anonymous less
 * LazyFree), above what it was at the start. It is exact, for every allocator alike, and takes
 * up to a millisecond to read, so it is looked at a few times only.
 * Peak fragmentation is the most held over the most alive: the fourth measure of Johnstone and
 * Wilson, "The Memory Fragmentation Problem: Solved?" (1998).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MEMORY_TIMES 64 /* looks during a run */

/* The values of a run; NaN where nothing is known. Bytes, but for the fragmentation. */
enum {
    MEMORY_LIVE_PEAK,
    MEMORY_HELD_PEAK,
    MEMORY_FRAGMENTATION,
    MEMORY_LIVE_END,
    MEMORY_HELD_END,
    MEMORY_STEPS,                              /* done, at each time */
    MEMORY_LIVE = MEMORY_STEPS + MEMORY_TIMES, /* the same */
    MEMORY_HELD = MEMORY_LIVE + MEMORY_TIMES,  /* the same */
    MEMORY_VALUES = MEMORY_HELD + MEMORY_TIMES
};

struct memory_watch {
    double *values;  /* MEMORY_VALUES */
    uint64_t steps;  /* of the whole run */
    uint64_t looked; /* times that are over */
    double before;   /* held at the start */
    int file;        /* -1: this system does not say what a process holds */
};

/* Before the allocator is opened. */
void memory_watch_start(struct memory_watch *watch, uint64_t steps, double *values);

/* Whether to look at a step, of those from 0 on: at the first of each time, and wherever more is
 * alive than at any look before. */
bool memory_watch_is_due(const struct memory_watch *watch, uint64_t step, double live);

/* See what is held at a step; live: the bytes alive then. */
void memory_watch_look(struct memory_watch *watch, uint64_t step, double live);

/* What a look does with what it saw. */
void memory_watch_note(struct memory_watch *watch, uint64_t step, double live, double held);

/* Behind the last step: the last look. */
void memory_watch_end(struct memory_watch *watch, double live);
