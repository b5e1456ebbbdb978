/*
 * interrupt.h - Ctrl-C (SIGINT) and SIGTERM: the first asks the program to end, the second ends it;
 * and what is said at a crash.
 *
 * While the graph is loaded nobody looks at the flag, so a text prepared beforehand is written and
 * the process ends from the handler.
 */
#pragma once

#include <signal.h>
#include <stddef.h>

/*
 * Handle both signals from now on. Should the process read what a mapped file no longer has,
 * because somebody has cut the file short (SIGBUS), it says so and ends with EXIT_FAILED. To write
 * a file larger than allowed (SIGXFSZ) is an error of write(2). program: the name before each
 * message; must stay as it is.
 */
void interrupt_install(const char *program);

/* The number of the signal that came, or 0. */
const volatile sig_atomic_t *interrupt_flag(void);

/*
 * Until interrupt_disarm: when a signal comes, write text to the descriptor and message as a line
 * to standard error, and end the process with the signal's exit status. Both must stay as they are
 * until then.
 */
void interrupt_arm(int descriptor, const char *text, size_t length, const char *message);
void interrupt_disarm(void);

/*
 * Call before, from the handler, first of all when a signal comes: it may do only what a handler
 * may. NULL: nothing.
 */
void interrupt_before(void (*before)(void));

/* Call last, from the handler, when an armed signal ends the process. As for interrupt_before. */
void interrupt_at_exit(void (*last)(void));

/*
 * From now on: when the process crashes, write "PROGRAM: crashed (SIGSEGV) " and message as a line
 * to standard error, and crash as it would have. For foreign code that runs in the process.
 * message: is copied. A handler that was there before, a sanitizer's say, stays.
 */
void interrupt_explain_crash(const char *message);

/* The exit status that says a signal ended the program: 130 for SIGINT. */
int interrupt_exit_status(void);
