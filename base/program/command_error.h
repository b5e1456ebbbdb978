/*
 * command_error.h - why a program, or a part of it, cannot go on, and the exit status it means.
 */
#pragma once

#include <stdbool.h>

/* The exit status of every program; after a signal it is 128 plus the signal's number. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Why a program cannot go on: one line without a newline. */
struct command_error {
    char message[900];
};

/* Set the message; returns false, for `return command_fail(...)`. */
__attribute__((format(printf, 2, 3))) bool command_fail(struct command_error *error,
                                                        const char *format, ...);

/*
 * The exit status of a refused value: EXIT_FAILED if error_number says that the system lacked room
 * (memory, descriptors, disk) or could not read, otherwise EXIT_USAGE.
 */
int command_refusal(int error_number);
