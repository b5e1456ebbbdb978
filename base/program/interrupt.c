/*
 * interrupt.c - a flag, and a way to end from the handler with async-signal-safe calls only.
 *
 * The handlers are reset when they run, so that a second signal has its default effect.
 */
#include "interrupt.h"
#include "base/macros.h"
#include "command_line.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *program_name = "";

static volatile sig_atomic_t interrupted; /* the number of the signal, or 0 */

static void (*volatile call_before)(void);

/* What to write and where, while armed. It changes only while not armed. */
static struct {
    volatile sig_atomic_t armed;
    int descriptor;
    const char *text;
    size_t length;
    const char *message;
} leave;

static void write_all(int descriptor, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno != EINTR) {
            return;
        }
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
}

/* Write "PROGRAM: ", what and message as one line and in one piece: others write there, too. */
static void say(const char *what, const char *message)
{
    const char *const parts[] = {program_name, ": ", what, message};
    char line[1024];
    size_t length = 0;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        const size_t left = sizeof(line) - 1 - length, size = strlen(parts[i]);
        memcpy(line + length, parts[i], size < left ? size : left);
        length += size < left ? size : left;
    }
    line[length++] = '\n';
    write_all(STDERR_FILENO, line, length);
}

static void handle(int signal_number)
{
    int error_number = errno;
    void (*before)(void) = call_before;
    interrupted = signal_number;
    if (before != NULL) {
        before();
    }
    if (leave.armed) {
        write_all(leave.descriptor, leave.text, leave.length);
        say("", leave.message);
        _exit(interrupt_exit_status());
    }
    errno = error_number;
}

/* Crashes ------------------------------------------------------------------------------------- */

static const struct {
    int number;
    const char *name;
} crashes[] = {{SIGSEGV, "crashed (SIGSEGV) "},
               {SIGABRT, "crashed (SIGABRT) "},
               {SIGFPE, "crashed (SIGFPE) "},
               {SIGILL, "crashed (SIGILL) "},
               {SIGBUS, "crashed (SIGBUS) "}};

static char crash_message[900]; /* "": none was set */

/* Say what is known; then the signal is raised again, with its default effect. */
static void explain(int signal_number)
{
    for (size_t i = 0; crash_message[0] != '\0' && i < COUNT_OF(crashes); i++) {
        if (crashes[i].number == signal_number) {
            say(crashes[i].name, crash_message);
        }
    }
    raise(signal_number);
}

void interrupt_explain_crash(const char *message)
{
    static unsigned char stack[16384]; /* for a crash by stack overflow */
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};
    const struct sigaction action = {.sa_handler = explain,
                                     .sa_flags = (int)SA_RESETHAND | (int)SA_ONSTACK};
    snprintf(crash_message, sizeof(crash_message), "%s", message);
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < COUNT_OF(crashes); i++) {
        struct sigaction before;
        if (sigaction(crashes[i].number, NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            sigaction(crashes[i].number, &action, NULL);
        }
    }
}

static void handle_bus_error(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code == BUS_ADRERR) {
        say("", "a mapped file became shorter while it was in use");
        _exit(EXIT_FAILED);
    }
    explain(signal_number);
}

void interrupt_install(const char *program)
{
    struct sigaction lost = {.sa_sigaction = handle_bus_error,
                             .sa_flags = (int)SA_RESETHAND | SA_SIGINFO};
    struct sigaction action = {.sa_handler = handle, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigemptyset(&lost.sa_mask);
    sigaction(SIGBUS, &lost, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file larger than ulimit -f allows: write reports EFBIG */
    program_name = program;
}

const volatile sig_atomic_t *interrupt_flag(void)
{
    return &interrupted;
}

void interrupt_arm(int descriptor, const char *text, size_t length, const char *message)
{
    leave.descriptor = descriptor;
    leave.text = text;
    leave.length = length;
    leave.message = message;
    leave.armed = 1;
    if (interrupted != 0) { /* it came before */
        handle(interrupted);
    }
}

void interrupt_disarm(void)
{
    leave.armed = 0;
}

void interrupt_before(void (*before)(void))
{
    call_before = before;
}

int interrupt_exit_status(void)
{
    return 128 + (int)interrupted;
}
