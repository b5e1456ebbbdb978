/*
 * child.c - see child.h.
 */
#include "child.h"
#include "interrupt.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void child_words_add(struct child_words *words, char *word)
{
    words->too_many |= words->count == CHILD_WORDS_MAX;
    if (!words->too_many) {
        words->list[words->count++] = word;
    }
}

void child_words_print(struct child_words *words, const char *format, ...)
{
    char *word = words->text + words->used;
    const size_t room = sizeof(words->text) - words->used;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(word, room, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= room) {
        words->too_many = true;
        return;
    }
    words->used += (size_t)length + 1;
    child_words_add(words, word);
}

/* For the signal handler, which must know the child. */
static volatile pid_t waited_for;
static volatile sig_atomic_t is_watched;

static void pass_on(void)
{
    const int ending = *interrupt_flag();
    if (waited_for > 0 && (ending == SIGTERM || (ending != 0 && is_watched))) {
        kill(waited_for, SIGTERM);
    }
}

static void start_passing_on(pid_t child, bool watched)
{
    is_watched = watched;
    waited_for = child;
    interrupt_before(pass_on);
    pass_on(); /* a signal that came earlier */
}

void child_watch(pid_t child)
{
    start_passing_on(child, true);
}

int child_start(pid_t *child, const char *program, char *const *words, int out, int err)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t ignored; /* by interrupt_install, which is no matter of the child's */
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGXFSZ);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (out >= 0) {
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    }
    if (err >= 0) {
        posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    }
    const int failure = posix_spawnp(child, program, &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure == 0) {
        child_watch(*child);
    }
    return failure;
}

int child_wait(pid_t child, struct rusage *usage)
{
    int status = 0;
    if (waited_for != child) {
        start_passing_on(child, false);
    }
    while (wait4(child, &status, 0, usage) < 0 && errno == EINTR) {
    }
    interrupt_before(NULL);
    waited_for = 0;
    return status;
}
