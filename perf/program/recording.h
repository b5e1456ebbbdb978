/*
 * recording.h - reads a recording: what one process asked of malloc, call by call.
 *
 * A recording is what `allocbench record` writes, see program_format.h. It is mapped, not copied.
 * A file that is cut, changed or of another version is refused, or ends at its last whole call.
 */
#pragma once

#include "base/program/command_error.h"
#include "program_format.h"

#define SIZE_BUCKETS 35 /* powers of two: bucket i holds 2^i to 2^(i+1) - 1 */

struct recording {
    struct recording_header header;
    const uint8_t *events, *end;
    void *mapped;
    size_t mapped_bytes;
};

/* A position in a recording; all zero but at before the first call. */
struct recording_cursor {
    const uint8_t *at;
    uint64_t last;
    uint32_t thread;  /* of the last call read, from 1 */
    uint64_t site;    /* of the last request read, from 1; 0: not known */
    uint64_t sites;   /* so far */
    const char *text; /* of the newest site */
    size_t text_bytes;
};

/* The calls of a recording, counted. */
struct recording_summary {
    uint64_t requests, callocs, reallocs, aligned, releases;
    uint64_t failed; /* requests answered with NULL */
    uint64_t requested_bytes;
    uint64_t live_peak, live_end; /* bytes as they were asked for */
    uint64_t buckets[SIZE_BUCKETS];
};

/* Open a file; every call in it can then be read. False with error set. */
bool recording_open(struct recording *recording, const char *path, struct command_error *error);
void recording_close(struct recording *recording);

/* True if a file begins as a recording does. */
bool recording_is_one(const char *path);

/* Read the next call; changes of thread and call site show in the cursor. False: none is left. */
bool recording_next(const struct recording *recording, struct recording_cursor *cursor,
                    struct program_event *event);

/* Count the calls. False: out of memory. */
bool recording_summarize(const struct recording *recording, struct recording_summary *summary);

/*
 * Write what a check and a replay need into a folder: `pages` and `table`. *requests: words of the
 * table. False with error set.
 */
bool recording_write_replay(const struct recording *recording, const char *folder,
                            uint64_t *requests, struct command_error *error);
