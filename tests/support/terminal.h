/*
 * terminal.h - a program on a separate terminal, for a test: see what it shows until it ends.
 */
#pragma once

#include "program.h"
#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>

#define TERMINAL_DEADLINE_MS 45000 /* a generous one: nothing here waits for a time */

struct terminal {
    int keyboard_and_screen; /* the end of the pseudo-terminal that a person sits at */
    int line;                /* the program's end, held open: its settings can be read after it */
    const char *path;
    struct termios before;
    pid_t program;
    char *seen; /* all that was shown, with a NUL */
    size_t length;
};

/* Open a terminal of that width and start a program on it as leader of a session; arguments end
 * with NULL. */
static inline void terminal_start(struct terminal *terminal, unsigned short columns,
                                  const char *const *arguments)
{
    const struct winsize size = {.ws_row = 24, .ws_col = columns};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    *terminal = (struct terminal){.keyboard_and_screen = posix_openpt(O_RDWR | O_NOCTTY)};
    ck_assert_int_ge(terminal->keyboard_and_screen, 0);
    fcntl(terminal->keyboard_and_screen, F_SETFD, FD_CLOEXEC);
    ck_assert_int_eq(grantpt(terminal->keyboard_and_screen), 0);
    ck_assert_int_eq(unlockpt(terminal->keyboard_and_screen), 0);
    terminal->path = ptsname(terminal->keyboard_and_screen);
    ck_assert_ptr_nonnull(terminal->path);
    terminal->line = open(terminal->path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    ck_assert_int_ge(terminal->line, 0);
    ck_assert_int_eq(ioctl(terminal->line, TIOCSWINSZ, &size), 0);
    ck_assert_int_eq(tcgetattr(terminal->line, &terminal->before), 0);
    terminal->seen = calloc(1, 1);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, terminal->path, O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, 0, 1);
    posix_spawn_file_actions_adddup2(&actions, 0, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    ck_assert_int_eq(posix_spawn(&terminal->program, arguments[0], &actions, &attributes,
                                 (char *const *)(uintptr_t)arguments, environ),
                     0);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
}

static inline uint64_t terminal_clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Take in what is shown, waiting some milliseconds for it. Returns the events of poll. */
static inline int terminal_look(struct terminal *terminal, int milliseconds)
{
    struct pollfd end = {.fd = terminal->keyboard_and_screen, .events = POLLIN};
    int ready = poll(&end, 1, milliseconds);
    ck_assert_msg(ready >= 0 || errno == EINTR, "poll: %s", strerror(errno));
    if (ready > 0 && (end.revents & POLLIN)) {
        char *seen = realloc(terminal->seen, terminal->length + 4097);
        ck_assert_ptr_nonnull(seen);
        terminal->seen = seen;
        ssize_t got = read(terminal->keyboard_and_screen, seen + terminal->length, 4096);
        terminal->length += got > 0 ? (size_t)got : 0;
        seen[terminal->length] = '\0';
    }
    return ready > 0 ? end.revents : 0;
}

/* True if the terminal's settings are as they were before the program. */
static inline bool terminal_is_as_before(const struct terminal *terminal)
{
    struct termios now;
    const struct termios *before = &terminal->before;
    ck_assert_int_eq(tcgetattr(terminal->line, &now), 0);
    return now.c_iflag == before->c_iflag && now.c_oflag == before->c_oflag &&
           now.c_cflag == before->c_cflag && now.c_lflag == before->c_lflag &&
           memcmp(now.c_cc, before->c_cc, sizeof(now.c_cc)) == 0;
}

/* Wait for the program's end: its exit status, or 128 + the signal. The terminal is as before. */
static inline int terminal_end(struct terminal *terminal)
{
    const uint64_t deadline = terminal_clock_ms() + TERMINAL_DEADLINE_MS;
    int status = 0;
    while (waitpid(terminal->program, &status, WNOHANG) == 0) {
        ck_assert_msg(terminal_clock_ms() < deadline, "the program goes on, it showed: %s",
                      terminal->seen);
        terminal_look(terminal, 10);
    }
    while (terminal_look(terminal, 0) & POLLIN) {
    }
    ck_assert_msg(terminal_is_as_before(terminal), "the terminal is not as it was");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline void terminal_close(struct terminal *terminal)
{
    close(terminal->line);
    close(terminal->keyboard_and_screen);
    free(terminal->seen);
}
