/*
 * progress.h - a line on standard error that says what the program is doing.
 *
 * On a terminal one line that is overwritten, at most ten times a second; elsewhere, when asked
 * for, one line after the other, at most one a second.
 */
#ifndef PW_PROGRESS_H
#define PW_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct progress {
    const char *program; /* its name, for lines that are not on a terminal */
    bool on;
    bool terminal;
    bool shown; /* a line is on the terminal */
    uint64_t next_ns;
};

void progress_open(struct progress *progress, const char *program, enum progress_mode mode,
                   bool quiet);

/* Show a line. important: now, however short ago the last one was. */
__attribute__((format(printf, 3, 4))) void progress_show(struct progress *progress, bool important,
                                                         const char *format, ...);

/* Take the line off the terminal, before anything else is written there. */
void progress_clear(struct progress *progress);

#endif
