/*
 * memory_watch.h - memory held from the system compared with memory alive, over time.
 *
 * Held is memory of this process that belongs to no file and was written to (smaps_rollup:
 * Anonymous less LazyFree), above its size at the start. It is exact, for every allocator alike, in
 * a process that has allocated nothing before: free memory of an earlier heap would not be counted.
 * Reading it takes up to a millisecond, so it is read a few times only.
 * Peak fragmentation is the most held over the most alive: the fourth measure of Johnstone and
 * Wilson, "The Memory Fragmentation Problem: Solved?" (1998).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MEMORY_TIMES 64 /* looks during a run */

/* The values of a run, in bytes except the fragmentation; NaN if not known. */
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
    uint64_t looked; /* readings so far */
    double before;   /* held at the start */
    double room;     /* of that, free in malloc: blocks there take no more memory */
    int file;        /* -1: this system does not report it */
};

/*
 * Anonymous memory of a process, less what it gave up lazily, in bytes; NaN if not known. file: its
 * smaps_rollup, open for reading, or -1. Takes no memory.
 */
double memory_anonymous_bytes(int file);

/* The same, and what is resident, with the pages of files. */
double memory_bytes(int file, double *resident);

/* Before the allocator is opened. */
void memory_watch_start(struct memory_watch *watch, uint64_t steps, double *values);

/* True if the memory should be read at a step (from 0): at the first step of each interval, and
 * whenever more is alive than at any reading before. */
bool memory_watch_is_due(const struct memory_watch *watch, uint64_t step, double live);

/* Read the memory held at a step; live: the bytes alive then. */
void memory_watch_look(struct memory_watch *watch, uint64_t step, double live);

/* Record a reading. */
void memory_watch_note(struct memory_watch *watch, uint64_t step, double live, double held);

/* After the last step: the last reading. */
void memory_watch_end(struct memory_watch *watch, double live);

/* False if less was held than was alive: the memory came from where it is not counted. */
bool memory_watch_is_possible(const struct memory_watch *watch);
