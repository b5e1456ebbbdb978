/*
 * progress.h - what a program says on standard error: what it is doing, notes, and why it failed.
 *
 * What it is doing is one line on a terminal, overwritten at most ten times per second; elsewhere,
 * when asked for, one line after the other, at most one per second.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct progress {
    const char *program; /* its name; the only field that must be set before progress_open */
    bool on;
    bool quiet; /* no notes */
    bool terminal;
    bool shown; /* a line is on the terminal */
    uint64_t next_ns;
};

/* quiet: no notes, and no progress that mode does not ask for. */
void progress_open(struct progress *progress, enum progress_mode mode, bool quiet);

/* Show a line. important: now, however short ago the last one was. */
__attribute__((format(printf, 3, 4))) void progress_show(struct progress *progress, bool important,
                                                         const char *format, ...);

/* Take the line off the terminal, before anything else is written there. */
void progress_clear(struct progress *progress);

/* Write "PROGRAM: note: ..." on a line of its own, unless the program is quiet. */
__attribute__((format(printf, 2, 3))) void progress_note(struct progress *progress,
                                                         const char *format, ...);

/* Write "PROGRAM: ..." on a line of its own, a '?' in place of every control character. Returns
 * status, for `return progress_fail(...)`. */
__attribute__((format(printf, 3, 4))) int progress_fail(struct progress *progress, int status,
                                                        const char *format, ...);
