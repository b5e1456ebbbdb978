/*
 * command_line.h - options of a program, described once: parsed and explained from one table.
 *
 * An option group is a titled table of options; a program lists its groups. Each option has a
 * function that checks its value and stores it. "--name=value", "--name value" and "-n value" are
 * accepted, and any order of options and operands; "--" ends the options.
 */
#ifndef PW_COMMAND_LINE_H
#define PW_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Why the command line was refused: one line without a newline. */
struct command_error {
    char message[900];
};

struct command_option {
    const char *name;     /* NULL ends the table */
    char letter;          /* '\0': none */
    const char *argument; /* "N"; "[DIR]": may be left out; NULL: takes none */
    const char *help;     /* may have several lines; says the default */
    /* Store the value (NULL where none was given). False with error set when it is not legal. */
    bool (*set)(void *options, const char *value, struct command_error *error);
};

struct command_group {
    const char *title;
    const struct command_option *options;
};

/*
 * Parse the arguments. options: handed to the options' functions. groups: ended by NULL. operands:
 * room for operand_max of them. Returns their number, or -1 with error set.
 */
int command_parse(int argument_count, char **arguments, const struct command_group *const *groups,
                  void *options, const char **operands, int operand_max,
                  struct command_error *error);

/* Write the options of all groups, each under its title. */
void command_write_help(FILE *out, const struct command_group *const *groups);

/* Set the message; returns false, for `return command_fail(...)`. */
__attribute__((format(printf, 2, 3))) bool command_fail(struct command_error *error,
                                                        const char *format, ...);

/* A decimal number from min to max. False with error set ("--trials takes 1 to 9, found \"x\""). */
bool command_number(const char *option, const char *value, uint64_t min, uint64_t max,
                    uint64_t *number, struct command_error *error);

/* Seconds, with up to nine decimals, as nanoseconds. */
bool command_seconds(const char *option, const char *value, uint64_t *nanoseconds,
                     struct command_error *error);

/* The index of a value among choices (ended by NULL). */
bool command_choice(const char *option, const char *value, const char *const *choices,
                    unsigned *index, struct command_error *error);

#endif
