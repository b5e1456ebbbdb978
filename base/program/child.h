/*
 * child.h - the command line and environment of a child process, and the wait for its end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

#define CHILD_WORDS_MAX 250

/* A command line or an environment; all zero to start with. */
struct child_words {
    char *list[CHILD_WORDS_MAX + 1]; /* ended by NULL */
    size_t count;
    bool too_many;   /* a word found no room */
    char text[8192]; /* the words that were put together */
    size_t used;
};

/* Add a word: the caller's own, which must stay, or one put together. */
void child_words_add(struct child_words *words, char *word);
__attribute__((format(printf, 2, 3))) void child_words_print(struct child_words *words,
                                                             const char *format, ...);

/*
 * Start a program, which is looked for in PATH unless it has a slash, with these words (ended by
 * NULL), and watch it. It gets no standard input; out and err become its standard output and error,
 * -1: it has ours. Returns 0, or an errno.
 */
int child_start(pid_t *child, const char *program, char *const *words, int out, int err);

/*
 * Until child_wait has returned: a signal that asks the program to end ends the child, with
 * SIGTERM, instead of calling interrupt_before. For a child whose output is read; otherwise
 * child_wait learns of it only at its end.
 */
void child_watch(pid_t child);

/*
 * Wait for the child's end; returns its status as wait(2) does. An unwatched child gets a SIGTERM
 * that comes meanwhile (Ctrl-C reaches it by itself). interrupt_before is NULL at the end. usage:
 * the child's resources, or NULL.
 */
int child_wait(pid_t child, struct rusage *usage);
