/*
 * progress.c - overwrite a line on a terminal, or add one in a file.
 */
#include "progress.h"
#include "perf/report/clock.h"
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define TERMINAL_INTERVAL_NS 100000000
#define FILE_INTERVAL_NS     1000000000

void progress_open(struct progress *progress, const char *program, enum progress_mode mode,
                   bool quiet)
{
    bool terminal = isatty(STDERR_FILENO) == 1;
    *progress = (struct progress){
        .program = program,
        .on = mode == PROGRESS_ALWAYS || (mode == PROGRESS_AUTO && terminal && !quiet),
        .terminal = terminal,
    };
}

void progress_show(struct progress *progress, bool important, const char *format, ...)
{
    if (!progress->on) {
        return;
    }
    uint64_t now_ns = clock_now_ns();
    if (!important && now_ns < progress->next_ns) {
        return;
    }
    progress->next_ns = now_ns + (progress->terminal ? TERMINAL_INTERVAL_NS : FILE_INTERVAL_NS);
    va_list arguments;
    va_start(arguments, format);
    fputs(progress->terminal ? "\r\033[K" : progress->program, stderr);
    fputs(progress->terminal ? "" : ": ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (!progress->terminal) {
        fputc('\n', stderr);
    }
    fflush(stderr);
    progress->shown = true;
}

void progress_clear(struct progress *progress)
{
    if (progress->shown && progress->terminal) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->shown = false;
}
