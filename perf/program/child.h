/*
 * child.h - the words that a child process is started with, and the wait for its end.
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
    char text[8192]; /* those that were put together */
    size_t used;
};

/* Add a word: of the caller's, which must stay, or put together. */
void child_words_add(struct child_words *words, char *word);
__attribute__((format(printf, 2, 3))) void child_words_print(struct child_words *words,
                                                             const char *format, ...);

/*
 * Until child_wait has returned: a signal that asks the program to end ends the child, with
 * SIGTERM, instead of interrupt_before. For a child that is read, which is otherwise known to
 * child_wait only at its end.
 */
void child_watch(pid_t child);

/*
 * Wait for the child's end; its status as of wait(2). To one that is not watched, a SIGTERM that
 * comes meanwhile is passed on (Ctrl-C reaches it by itself). interrupt_before is NULL at the end.
 * usage: what it took, or NULL.
 */
int child_wait(pid_t child, struct rusage *usage);
