/*
 * graph_program.c - the parts of a program that reads a graph.
 */
#include "graph_program.h"

#include "data/read/graph_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

static void clear_line(struct graph_program *program)
{
    if (program->shown) {
        fputs("\r\033[K", stderr);
        program->shown = false;
    }
}

static void show_progress(void *context, const struct graph_progress *now)
{
    struct graph_program *program = context;
    if (!program->show_progress || (now->elapsed_s < 0.1 && !program->shown)) {
        return;
    }
    double rate = now->elapsed_s > 0 ? (double)now->edge_count / now->elapsed_s / 1e6 : 0;
    double share = now->bytes_total ? (double)now->bytes_done / (double)now->bytes_total : 0;
    fprintf(stderr, "\r\033[K%s: %s, %.0f MB, %.1f million edges/s", program->name, now->phase,
            (double)now->bytes_done / 1e6, rate);
    if (share > 0 && share < 1) {
        fprintf(stderr, ", %.0f %%, %.1f s left", share * 100,
                now->elapsed_s * (1 - share) / share);
    }
    fflush(stderr);
    program->shown = true;
}

/* Which flag helps against what the reader says. */
static const char *const advice[] = {
    [GRAPH_REMEDY_NONE] = "",
    [GRAPH_REMEDY_COMPACT] = " (--compact renumbers sparse ids)",
    [GRAPH_REMEDY_UNDIRECTED] = " (--undirected adds the other direction)",
    [GRAPH_REMEDY_NO_NAMES] = "; --names is for a graph of ids",
};

static void show_note(void *context, const char *text, enum graph_remedy remedy)
{
    struct graph_program *program = context;
    if (!program->quiet) {
        clear_line(program);
        fprintf(stderr, "%s: note: %s%s\n", program->name, text, advice[remedy]);
    }
}

void graph_program_init(struct graph_program *program, const char *name)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    *program = (struct graph_program){.name = name};
    program->options.progress = show_progress;
    program->options.note = show_note;
    program->options.context = program;
    program->options.cancel = &interrupted;
    program->show_progress = isatty(STDERR_FILENO) == 1;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int graph_program_fail(struct graph_program *program, int status, const char *message)
{
    clear_line(program);
    fprintf(stderr, "%s: %s\n", program->name, message);
    return status;
}

int graph_program_finish(struct graph_program *program, int status)
{
    char message[256];
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status != PROGRAM_OK) {
        return status;
    }
    snprintf(message, sizeof message, "standard output cannot be written: %s",
             strerror(errno ? errno : EIO));
    return graph_program_fail(program, PROGRAM_FAILED, message);
}

int graph_program_failed_status(void)
{
    return interrupted ? 128 + (int)interrupted : PROGRAM_FAILED;
}

bool graph_program_number(struct graph_program *program, const char *option, const char *value,
                          uint64_t max, uint64_t *number)
{
    char message[256];
    char *end;
    *number = value[0] >= '0' && value[0] <= '9' ? strtoull(value, &end, 10) : UINT64_MAX;
    if (*number > max || *end) {
        snprintf(message, sizeof message, "--%s takes 0 to %llu, found \"%.60s\"", option,
                 (unsigned long long)max, value);
        graph_program_fail(program, PROGRAM_USAGE, message);
        return false;
    }
    return true;
}

static bool read_bytes(struct graph_program *program, const char *value)
{
    static const char units[] = "KMGT";
    char *end = NULL;
    uint64_t bytes = value[0] >= '0' && value[0] <= '9' ? strtoull(value, &end, 10) : 0;
    const char *unit = end && *end ? strchr(units, *end) : NULL;
    bool good = bytes > 0;
    for (const char *u = units; good && unit && u <= unit; u++) {
        good = !__builtin_mul_overflow(bytes, 1024, &bytes);
    }
    if (!good || end[unit != NULL]) {
        char message[256];
        snprintf(message, sizeof message,
                 "--memory-limit takes bytes such as 8G or 512M, found \"%.60s\"", value);
        graph_program_fail(program, PROGRAM_USAGE, message);
        return false;
    }
    program->options.memory_limit = bytes;
    return true;
}

static bool read_progress(struct graph_program *program, const char *value)
{
    if (strcmp(value, "always") == 0) {
        program->show_progress = true;
    } else if (strcmp(value, "never") == 0) {
        program->show_progress = false;
    } else if (strcmp(value, "auto") != 0) {
        graph_program_fail(program, PROGRAM_USAGE, "--progress takes auto, always or never");
        return false;
    }
    return true;
}

static bool read_format(struct graph_program *program, const char *value)
{
    char message[256];
    if (!graph_format_is_known(value)) {
        snprintf(message, sizeof(message), "--input-format knows no \"%.60s\"; there are %s", value,
                 graph_format_names);
        graph_program_fail(program, PROGRAM_USAGE, message);
        return false;
    }
    program->options.format = value;
    return true;
}

bool graph_program_option(struct graph_program *program, int option, const char *value)
{
    uint64_t number;
    switch (option) {
    case OPTION_INPUT_FORMAT:
        return read_format(program, value);
    case OPTION_NAMES:
        program->options.names_path = value;
        return true;
    case OPTION_COMPACT:
        program->options.compact = true;
        return true;
    case OPTION_REVERSE:
        program->options.reverse = true;
        return true;
    case OPTION_UNDIRECTED:
        program->options.undirected = true;
        return true;
    case OPTION_VERIFY:
        program->options.verify = true;
        return true;
    case OPTION_THREADS:
        if (!graph_program_number(program, "threads", value, 256, &number)) {
            return false;
        }
        program->options.threads = (unsigned)number;
        return true;
    case OPTION_MEMORY_LIMIT:
        return read_bytes(program, value);
    case OPTION_PROGRESS:
        return read_progress(program, value);
    case OPTION_QUIET:
        program->quiet = true;
        program->show_progress = false;
        return true;
    default:
        return false;
    }
}

bool graph_program_load(struct graph_program *program, const char *path, struct graph *graph)
{
    struct graph_error error = {0};
    if (!graph_load(path, &program->options, graph, &error)) {
        char message[sizeof(error.message) + 64];
        snprintf(message, sizeof(message), "%s%s", error.message, advice[error.remedy]);
        graph_program_fail(program, PROGRAM_FAILED, message);
        return false;
    }
    clear_line(program);
    return true;
}
