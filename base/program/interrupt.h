/*
 * interrupt.h - Ctrl-C (SIGINT) and SIGTERM: the first asks the program to end, the second ends it;
 * and the message at a crash.
 *
 * While the graph is loaded nobody checks the flag, so a text prepared beforehand is written and
 * the process ends from the handler.
 */
#pragma once

#include <signal.h>
#include <stddef.h>

/*
 * Handle both signals from now on. If somebody cuts a mapped file short, reading the missing part
 * raises SIGBUS: the process says so and ends with EXIT_FAILED. Writing a file larger than allowed
 * (SIGXFSZ) becomes an error of write(2). program: the name before each message; must stay
 * unchanged.
 */
void interrupt_install(const char *program);

/* The number of the signal, or 0. */
const volatile sig_atomic_t *interrupt_flag(void);

/*
 * Until interrupt_disarm: when a signal comes, write text to the descriptor and message as a line
 * to standard error, and end the process with the signal's exit status. Both must stay unchanged
 * until then.
 */
void interrupt_arm(int descriptor, const char *text, size_t length, const char *message);
void interrupt_disarm(void);

/*
 * The handler calls before first of all when a signal comes; it may do only what a handler may.
 * NULL: nothing.
 */
void interrupt_before(void (*before)(void));

/*
 * From now on: when the process crashes, write "PROGRAM: crashed (SIGSEGV) " and message as a line
 * to standard error, and let it crash as before. For foreign code that runs in the process.
 * message: is copied. An earlier handler, a sanitizer's for example, stays.
 */
void interrupt_explain_crash(const char *message);

/* The exit status of a program ended by a signal: 130 for SIGINT. */
int interrupt_exit_status(void);
