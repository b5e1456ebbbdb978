/*
 * trace.h - requests and releases in the order in which a program made them, for any allocator.
 *
 * A realloc is a request and then a release; a release of a block that the recording (recording.h)
 * has not requested is left out, and so is a request that failed.
 */
#pragma once

#include "base/program/command_error.h"
#include <stddef.h>
#include <stdint.h>

/* A step is two words: a slot, and the size of the request (at least 1) or 0 for the release of the
 * block in the slot. A slot holds one block at a time. */
struct trace {
    uint32_t *words; /* from malloc */
    uint32_t *marks; /* two per step: the thread, and of a request its site; 0: not known */
    size_t steps, capacity, marks_capacity;
    char **sites; /* the text of each call site, from site 1 on */
    size_t site_count, sites_capacity;
    uint64_t requests, releases;
    uint64_t left_out;            /* calls without a step */
    uint64_t live_peak, live_end; /* bytes */
    uint32_t slots;
    char program[64];       /* "": not known */
    uint64_t resident_most; /* bytes that the program had in memory; 0: not known */
};

/* Read a recording. False with error set; close it in either case. */
bool trace_read(struct trace *trace, const char *path, struct command_error *error);
void trace_close(struct trace *trace);
