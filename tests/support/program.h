/*
 * program.h - runs a built program in a test: its exit status, standard output and error.
 */
#pragma once

#include "fixture_file.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>

#define PROGRAM_ARGUMENTS_MAX 24

struct program_result {
    int status; /* exit status; 128 + the signal that ended it */
    char *out;  /* both freed by program_free */
    char *err;
};

extern char **environ;

/* The text of a file, with a NUL; freed by the caller. */
static inline char *program_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    char *text = NULL;
    ck_assert_ptr_nonnull(file);
    for (;;) {
        text = realloc(text, size + 65536);
        ck_assert_ptr_nonnull(text);
        size_t got = fread(text + size, 1, 65535, file);
        size += got;
        if (got == 0) {
            break;
        }
    }
    text[size] = '\0';
    fclose(file);
    return text;
}

/* Start a program with the given arguments (ended by NULL); out: the file for its output. */
static inline pid_t program_start(const char *const *arguments, const char *out, const char *err)
{
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ck_assert_int_eq(posix_spawn(&child, arguments[0], &actions, NULL,
                                 (char *const *)(uintptr_t)arguments, environ),
                     0);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

/* Assert that a program has not ended, and so may still do what the test waits for. */
static inline void program_runs(pid_t child)
{
    siginfo_t ended = {0};
    ck_assert_int_eq(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
    ck_assert_msg(ended.si_pid == 0, "it has ended, with %d", ended.si_status);
}

static inline int program_wait(pid_t child)
{
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Run a program to its end. out_path: the file for its standard output; NULL: to result.out. */
static inline struct program_result program_run_to(const char *out_path,
                                                   const char *const *arguments)
{
    struct program_result result = {0, NULL, NULL};
    const char *out = fixture_path("program.out");
    const char *err = fixture_path("program.err");
    result.status = program_wait(program_start(arguments, out_path ? out_path : out, err));
    result.out = out_path ? strdup("") : program_read(out);
    result.err = program_read(err);
    return result;
}

static inline void program_free(struct program_result *result)
{
    free(result->out);
    free(result->err);
    *result = (struct program_result){0, NULL, NULL};
}

/* How many lines a text has; all must end in a newline. */
static inline size_t program_line_count(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += *text == '\n';
    }
    return count;
}
