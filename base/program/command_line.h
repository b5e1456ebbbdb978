/*
 * command_line.h - one table of a program's options: parsing, help and error messages use it.
 *
 * A row describes an option completely: its name and letter, the kind and range of its value, the
 * field of the program's struct that gets it, and its line of --help. Rows are static const tables
 * in groups. A group fills one struct, the program's own or a member of it, so a group need not
 * know the whole.
 *
 * "--name=value", "--name value" and "-n value" are accepted, in any order with the operands;
 * "--" ends the options. A long name may be shortened while only one option is meant.
 */
#pragma once

#include "command_error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The table --------------------------------------------------------------------------------- */

enum option_kind {
    OPTION_KIND_FLAG,    /* bool: becomes true */
    OPTION_KIND_ACTION,  /* unsigned: becomes min, unless an earlier option has set it */
    OPTION_KIND_NUMBER,  /* uint64_t, or a number of 4 bytes: min to max; 400k is 400000 */
    OPTION_KIND_SIZE,    /* uint64_t: bytes, at least 1; 2M is 2 MiB */
    OPTION_KIND_SECONDS, /* uint64_t: nanoseconds */
    OPTION_KIND_REAL,    /* double: more than min, at most max */
    OPTION_KIND_CHOICE,  /* an enum: the index of a word in words */
    OPTION_KIND_WORD,    /* const char *: one of the words */
    OPTION_KIND_TEXT,    /* const char *: as given, at least min characters */
    OPTION_KIND_OWN,     /* read decides */
};

struct option_row {
    const char *name;      /* NULL ends the table */
    char letter;           /* '\0': none */
    const char *argument;  /* "N"; "[DIR]": may be left out; NULL: takes none */
    const char *help;      /* one paragraph with the default; NULL: an old name, not shown */
    enum option_kind kind; /* this and the rest: by the macros below */
    size_t offset, size;   /* of the field, in the struct of the group */
    uint64_t min, max;
    const char *words;   /* of a choice: "text, csv, json" */
    const char *implied; /* the value if an optional one is left out; NULL: no change */
    size_t given;        /* offset of a bool that becomes true, too; 0: none */
    bool (*read)(const char *value, void *field, struct command_error *error);
};

/* The field of a row; the compiler refuses a field of another type. */
#define OPTION_FIELD(type, member)                                                                 \
    .offset = offsetof(type, member), .size = sizeof(((type *)NULL)->member)
#define OPTION_TYPED_FIELD(type, member, wanted)                                                   \
    /* NOLINTNEXTLINE(bugprone-macro-parentheses): wanted is a type */                             \
    .offset = offsetof(type, member), .size = sizeof(_Generic(&((type *)NULL)->member, wanted *    \
                                                              : (wanted){0}))

#define OPTION_FLAG(type, member) .kind = OPTION_KIND_FLAG, OPTION_TYPED_FIELD(type, member, bool)
#define OPTION_ACTION(type, member, action)                                                        \
    .kind = OPTION_KIND_ACTION, OPTION_TYPED_FIELD(type, member, unsigned), .min = (action)
#define OPTION_NUMBER(type, member, least, most)                                                   \
    .kind = OPTION_KIND_NUMBER, OPTION_FIELD(type, member), .min = (least), .max = (most)
#define OPTION_SIZE(type, member)                                                                  \
    .kind = OPTION_KIND_SIZE, OPTION_TYPED_FIELD(type, member, uint64_t), .min = 1,                \
    .max = UINT64_MAX
#define OPTION_WORD(type, member, list)                                                            \
    .kind = OPTION_KIND_WORD, OPTION_TYPED_FIELD(type, member, const char *), .words = (list)
#define OPTION_SECONDS(type, member)                                                               \
    .kind = OPTION_KIND_SECONDS, OPTION_TYPED_FIELD(type, member, uint64_t),                       \
    .max = UINT64_C(1000000000000000000) /* 31 years */
#define OPTION_REAL(type, member, above, most)                                                     \
    .kind = OPTION_KIND_REAL, OPTION_TYPED_FIELD(type, member, double), .min = (above),            \
    .max = (most)
#define OPTION_CHOICE(type, member, list)                                                          \
    .kind = OPTION_KIND_CHOICE, OPTION_FIELD(type, member), .words = (list)
#define OPTION_TEXT(type, member)                                                                  \
    .kind = OPTION_KIND_TEXT, OPTION_TYPED_FIELD(type, member, const char *)
#define OPTION_FILE(type, member) OPTION_TEXT(type, member), .min = 1
/* A value in a small language: read checks and stores it; its message needs no name. */
#define OPTION_OWN(type, member, function)                                                         \
    .kind = OPTION_KIND_OWN, OPTION_FIELD(type, member), .read = (function)

struct option_group {
    const char *title; /* NULL ends the list of groups */
    const struct option_row *rows;
    size_t offset; /* of the struct that the rows fill, in the program's struct */
};

struct command {
    const char *name;
    const char *introduction; /* of --help: usage and purpose */
    const struct option_group *groups;
    const char *epilogue; /* examples, exit status */
    size_t groups_given;  /* offset of a uint32_t with bit i set if group i has an option that was
                             given; 0: none */
};

/* Actions of a program instead of its work; its own start at ACTION_OWN. */
enum { ACTION_RUN, ACTION_HELP, ACTION_VERSION, ACTION_OPTION_TABLE, ACTION_OWN };

/* The last rows of every program; --option-table is for making manuals and completions. */
#define OPTION_HELP_AND_VERSION(type, member)                                                      \
    {"help", 'h', NULL, "print this text", OPTION_ACTION(type, member, ACTION_HELP)},              \
        {"version", 'V', NULL, "print the version", OPTION_ACTION(type, member, ACTION_VERSION)},  \
    {                                                                                              \
        "option-table", 0, NULL, NULL, OPTION_ACTION(type, member, ACTION_OPTION_TABLE)            \
    }

/* The row of a program that writes one report, with output.h. */
#define OPTION_REPORT_OUTPUT(type, member)                                                         \
    {                                                                                              \
        "output", 'o', "FILE",                                                                     \
            "write the report to FILE, whose old content stays until the report is whole "         \
            "(default: -, standard output)",                                                       \
            OPTION_FILE(type, member)                                                              \
    }

/* Reading and printing ------------------------------------------------------------------------ */

/*
 * Read main's arguments into options, the program's struct, which holds the defaults. operands has
 * room for operand_max of them. Returns their number, or -1 with error set; the message names the
 * option, the rule and the value.
 */
int command_parse(const struct command *command, char **arguments, void *options,
                  const char **operands, int operand_max, struct command_error *error);

/* Write --help: the introduction, the options of each group wrapped at 80 columns, the epilogue. */
void command_write_help(FILE *out, const struct command *command);

/*
 * Write the table as JSON, for programs that make a manual page or completions of it: "program",
 * "version", "introduction", "groups" (each "title" and "options") and "epilogue". An option has
 * "name", "letter" (or null), "argument" (or null), "optional" (the argument may be left out),
 * "kind" (as in enum option_kind; "file" for a text that names one), "words" (of a choice) and
 * "help".
 */
void command_write_table(FILE *out, const struct command *command);

/* Do what ACTION_HELP, ACTION_VERSION or ACTION_OPTION_TABLE asks for, to standard output. Returns
 * false for another action. */
bool command_inform(const struct command *command, unsigned action);
