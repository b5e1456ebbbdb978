/*
 * fault_state.h - what libfaults.so reports to its driver, in a file that both map; see
 * interpose.c.
 *
 * tests/faults/faultlib.py knows the same layout.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum fault_group {
    FAULT_ALLOC,     /* no memory: malloc and its kin, mmap */
    FAULT_SYSTEM,    /* a call of the system fails with an error that it may have */
    FAULT_SHORT,     /* a read or write does less than asked */
    FAULT_INTERRUPT, /* EINTR */
    FAULT_GROUPS
};

#define FAULT_PLACES 64 /* more than what a library that stays open has */

/* A place in a program: for addr2line. */
struct fault_place {
    uint64_t offset;
    char file[248];
};

struct fault_state {
    _Atomic uint64_t calls[FAULT_GROUPS];
    _Atomic uint64_t failed;  /* how many calls failed */
    int64_t error;            /* errno of the first */
    char call[32];            /* its name */
    struct fault_place place; /* its caller */
    struct fault_place crash; /* what crashed (SIGSEGV), or the caller of libc */
    uint64_t is_finished;     /* the rest is written, by exit or the end of main */
    uint64_t live;            /* blocks and mappings not released */
    uint64_t descriptors;     /* not closed, but for 0, 1 and 2 */
    uint64_t live_bytes[FAULT_PLACES];
    struct fault_place live_places[FAULT_PLACES];
};

/* crash_place.c: the object file and the offset of an address. */
void fault_note_place(struct fault_place *place, const void *address);

/* From now on, note in *crash who crashed. */
void fault_watch_crashes(struct fault_place *crash);
