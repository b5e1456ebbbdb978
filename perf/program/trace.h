/*
 * trace.h - requests and releases in the order in which a program made them, for any allocator.
 *
 * A trace is read from a recording (recording.h), or from the text that glibc's mtrace(3) writes:
 *
 *     = Start
 *     @ ./program:[0x401156] + 0x4052a0 0x10       a request of 16 bytes
 *     @ ./program:[0x401163] < 0x4052a0            a realloc of this block,
 *     @ ./program:[0x401163] > 0x4052c0 0x20         which gave that one
 *     @ ./program:[0x401170] - 0x4052c0            a release
 *     = End
 *
 * The words before the sign may be missing. A realloc is a request and then a release; a release of
 * a block that the trace has not requested is left out, and so is a request that failed.
 */
#pragma once

#include "base/program/command_error.h"
#include <stddef.h>
#include <stdint.h>

/* A step is two words: a slot, and the size of the request (at least 1) or 0 for the release of the
 * block in the slot. A slot holds one block at a time. */
struct trace {
    uint32_t *words; /* from malloc */
    size_t steps, capacity;
    uint64_t requests, releases;
    uint64_t left_out;  /* calls without a step */
    uint64_t live_peak; /* bytes */
    uint32_t slots;
    char program[64]; /* "": not known */
};

/* Read a file of either kind. False with error set; close it in either case. */
bool trace_read(struct trace *trace, const char *path, struct command_error *error);
void trace_close(struct trace *trace);
