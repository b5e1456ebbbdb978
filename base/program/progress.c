/*
 * progress.c - overwrites a line on a terminal, or adds one to a file.
 */
#include "progress.h"
#include "base/one_line.h"
#include "base/report/clock.h"
#include "base/report/report_value.h"
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define TERMINAL_INTERVAL_NS 100000000
#define FILE_INTERVAL_NS     1000000000

void progress_open(struct progress *progress, enum progress_mode mode, bool quiet)
{
    bool terminal = isatty(STDERR_FILENO) == 1;
    *progress = (struct progress){
        .program = progress->program,
        .on = mode == PROGRESS_ALWAYS || (mode == PROGRESS_AUTO && terminal && !quiet),
        .quiet = quiet,
        .terminal = terminal,
    };
}

/* Exactly one line: a name may hold any byte. */
static void write_text(const char *format, va_list arguments)
{
    char line[4096];
    vsnprintf(line, sizeof(line), format, arguments);
    one_line(line);
    report_write_value(stderr, REPORT_FORMAT_TEXT, report_text(line));
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
    write_text(format, arguments);
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

/* kind: the text after the program's name. */
static void write_line(struct progress *progress, const char *kind, const char *format,
                       va_list arguments)
{
    progress_clear(progress);
    fprintf(stderr, "%s: %s", progress->program, kind);
    write_text(format, arguments);
    fputc('\n', stderr);
}

void progress_note(struct progress *progress, const char *format, ...)
{
    if (!progress->quiet) {
        va_list arguments;
        va_start(arguments, format);
        write_line(progress, "note: ", format, arguments);
        va_end(arguments);
    }
}

int progress_fail(struct progress *progress, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(progress, "", format, arguments);
    va_end(arguments);
    return status;
}
