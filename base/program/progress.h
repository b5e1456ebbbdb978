/*
 * progress.h - a program's messages on standard error: progress, notes, and why it failed.
 *
 * Progress is one line on a terminal, overwritten at most ten times per second; elsewhere, when
 * asked for, one line after the other, at most one per second.
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

/* quiet: no notes, and progress only if mode asks for it. */
void progress_open(struct progress *progress, enum progress_mode mode, bool quiet);

/* Show a line. important: at once, even right after another one. */
__attribute__((format(printf, 3, 4))) void progress_show(struct progress *progress, bool important,
                                                         const char *format, ...);

/* Clear the line on the terminal, before anything else is written there. */
void progress_clear(struct progress *progress);

/* Write "PROGRAM: note: ..." as a separate line, unless the program is quiet. */
__attribute__((format(printf, 2, 3))) void progress_note(struct progress *progress,
                                                         const char *format, ...);

/* Write "PROGRAM: ..." as a separate line, with '?' for every control character. Returns status,
 * for `return progress_fail(...)`. */
__attribute__((format(printf, 3, 4))) int progress_fail(struct progress *progress, int status,
                                                        const char *format, ...);
