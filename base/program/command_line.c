/*
 * command_line.c - matches arguments with rows of the table, and stores values in fields.
 */
#include "command_line.h"
#include "base/macros.h"
#include "base/number.h"
#include "base/pw_assert.h"
#include "base/suggestion.h"
#include <stdlib.h>
#include <string.h>

#define NS UINT64_C(1000000000) /* per second */

/* Values -------------------------------------------------------------------------------------- */

/* Read a value whose row has a range. False when it is not legal. */
static bool read_number(const struct option_row *row, const char *value, uint64_t *number)
{
    size_t length = strlen(value);
    bool legal = row->kind == OPTION_KIND_SECONDS ? number_read_decimal(value, length, NS, number)
                 : row->kind == OPTION_KIND_SIZE  ? number_read(value, length, NUMBER_BYTES, number)
                                                 : number_read(value, length, NUMBER_COUNT, number);
    return legal && *number >= row->min && *number <= row->max;
}

static bool read_real(const struct option_row *row, const char *value, double *real)
{
    char *end = NULL;
    double found = strtod(value, &end);
    *real = found;
    return end != value && *end == '\0' && found > (double)row->min && found <= (double)row->max;
}

/* The index of value in the row's words. False when it is not among them. */
static bool read_choice(const struct option_row *row, const char *value, uint64_t *index)
{
    const char *word = row->words;
    for (*index = 0; *word != '\0'; (*index)++) {
        size_t length = strcspn(word, ",");
        if (strlen(value) == length && memcmp(word, value, length) == 0) {
            return true;
        }
        word += length + strspn(word + length, ", ");
    }
    return false;
}

/* Set error to the legal values. */
static bool fail_value(const struct option_row *row, const char *value, struct command_error *error)
{
    unsigned long long min = row->min;
    unsigned long long max = row->max;
    switch (row->kind) {
    case OPTION_KIND_SIZE:
        return command_fail(error, "--%s takes bytes such as 8G or 512M, found \"%.60s\"",
                            row->name, value);
    case OPTION_KIND_SECONDS:
        return command_fail(error,
                            "--%s takes seconds such as 10 or 0.5, at most %llu and with nine "
                            "decimals, found \"%.60s\"",
                            row->name, max / NS, value);
    case OPTION_KIND_REAL:
        return command_fail(error, "--%s takes more than %llu and at most %llu, found \"%.60s\"",
                            row->name, min, max, value);
    case OPTION_KIND_CHOICE:
    case OPTION_KIND_WORD: /* few words: list them all */
        return command_fail(error, "--%s knows no \"%.60s\"; there are %s", row->name, value,
                            row->words);
    case OPTION_KIND_TEXT:
        return command_fail(error, "--%s needs the name of a file", row->name);
    default:
        return command_fail(error, "--%s takes a number from %llu to %llu, found \"%.60s\"",
                            row->name, min, max, value);
    }
}

/* Store a number in a field of 4 or 8 bytes. Returns true. */
static bool store(const struct option_row *row, void *field, uint64_t number)
{
    uint32_t small = (uint32_t)number;
    pw_assert(row->size == sizeof(number) || (row->size == sizeof(small) && number <= UINT32_MAX));
    memcpy(field, row->size == sizeof(small) ? (const void *)&small : &number, row->size);
    return true;
}

/* Check a value and store it. value: NULL if none was given. */
static bool take_value(const struct option_row *row, const char *value, void *field,
                       struct command_error *error)
{
    struct command_error why = {""};
    uint64_t number = 0;
    bool legal = true;
    pw_assert(value != NULL || row->kind == OPTION_KIND_FLAG || row->kind == OPTION_KIND_ACTION ||
              row->kind == OPTION_KIND_OWN);
    switch (row->kind) {
    case OPTION_KIND_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_KIND_ACTION:
        return *(unsigned *)field != 0 || store(row, field, row->min);
    case OPTION_KIND_OWN:
        return row->read(value, field, &why) ||
               command_fail(error, "--%s: %.800s", row->name, why.message);
    case OPTION_KIND_REAL:
        legal = read_real(row, value, field);
        break;
    case OPTION_KIND_TEXT:
    case OPTION_KIND_WORD:
        legal = row->kind == OPTION_KIND_TEXT ? strlen(value) >= row->min
                                              : read_choice(row, value, &number);
        *(const char **)field = value;
        break;
    case OPTION_KIND_CHOICE:
        legal = read_choice(row, value, &number) && store(row, field, number);
        break;
    default:
        legal = read_number(row, value, &number) && store(row, field, number);
    }
    return legal || fail_value(row, value, error);
}

/* Names --------------------------------------------------------------------------------------- */

/* A position in the table; all zero before the first row. */
struct cursor {
    const struct option_group *group;
    const struct option_row *row;
};

/* Go to the next row of any group. False after the last. */
static bool next_row(const struct command *command, struct cursor *at)
{
    if (at->group == NULL) {
        *at = (struct cursor){command->groups, command->groups->rows};
    } else {
        at->row++;
    }
    while (at->row->name == NULL) {
        at->group++;
        if (at->group->title == NULL) {
            return false;
        }
        at->row = at->group->rows;
    }
    return true;
}

/* True if no two rows have the same name or letter. */
static bool is_unambiguous(const struct command *command)
{
    for (struct cursor one = {0}; next_row(command, &one);) {
        for (struct cursor other = one; next_row(command, &other);) {
            if (strcmp(one.row->name, other.row->name) == 0 ||
                (one.row->letter != '\0' && one.row->letter == other.row->letter)) {
                return false;
            }
        }
    }
    return true;
}

/* What people type who know other programs, and the option for it, with its value. */
static const struct habit {
    const char *name;
    char letter;
    const char *option;
} habits[] = {
    {"json", 'j', "format=json"}, {"csv", '\0', "format=csv"}, {"runs", 'r', "trials"},
    {"runs", 'r', "rounds"},      {"repeat", '\0', "trials"},  {"repeat", '\0', "rounds"},
    {"source", 's', "from"},      {"target", '\0', "to"},
};

/* True if an option takes that value: "=json", or "" for any. */
static bool has_word(const struct option_row *row, const char *value)
{
    return *value == '\0' || (row->words != NULL && strstr(row->words, value + 1) != NULL);
}

/* The command's option for a name or letter of other programs; or NULL. */
static const char *find_habit(const struct command *command, const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(habits); i++) {
        const size_t wanted = strcspn(habits[i].option, "=");
        const bool fits = length == 1 ? habits[i].letter == *name
                                      : strlen(habits[i].name) == length &&
                                            strncmp(habits[i].name, name, length) == 0;
        for (struct cursor at = {0}; fits && next_row(command, &at);) {
            if (strlen(at.row->name) == wanted &&
                strncmp(at.row->name, habits[i].option, wanted) == 0 &&
                has_word(at.row, habits[i].option + wanted)) {
                return habits[i].option;
            }
        }
    }
    return NULL;
}

/* Set error to a name that no option has, with the one or two that may be meant. */
static bool fail_unknown(const struct command *command, const char *name, int length,
                         struct command_error *error)
{
    char text[SUGGESTION_SIZE];
    struct suggestion near = {.wanted = name, .length = (size_t)length};
    const char *habit = find_habit(command, name, (size_t)length);
    if (habit != NULL) {
        return command_fail(error, "unknown option \"--%.*s\"; did you mean --%s?", length, name,
                            habit);
    }
    near.most = suggestion_most(near.length);
    for (struct cursor at = {0}; next_row(command, &at);) {
        if (at.row->help != NULL) {
            suggestion_offer(&near, at.row->name);
        }
    }
    if (near.count > 0) {
        return command_fail(error, "unknown option \"--%.*s\"%s", length, name,
                            suggestion_text(&near, "--", text));
    }
    return command_fail(error, "unknown option \"--%.*s\"; %s --help lists them", length, name,
                        command->name);
}

/* Set error to the options that a shortened name may mean; as many as fit a line. */
static bool fail_ambiguous(const struct command *command, const char *name, int length,
                           struct command_error *error)
{
    char list[160] = "";
    size_t used = 0;
    for (struct cursor at = {0}; next_row(command, &at);) {
        if (strncmp(at.row->name, name, (size_t)length) == 0 && at.row->help != NULL &&
            used + strlen(at.row->name) + 10 < sizeof(list)) {
            used += (size_t)snprintf(list + used, sizeof(list) - used, "%s--%s",
                                     used > 0 ? ", " : "", at.row->name);
        }
    }
    return command_fail(error, "option \"--%.*s\" may be any of %s; write it out", length, name,
                        list);
}

/* The row of a name, perhaps a shortened one. False with error set. */
static bool find_name(const struct command *command, const char *name, size_t length,
                      struct cursor *found, struct command_error *error)
{
    int candidates = 0;
    for (struct cursor at = {0}; next_row(command, &at);) {
        bool starts = strncmp(at.row->name, name, length) == 0;
        if (starts && at.row->name[length] == '\0') {
            *found = at;
            return true;
        }
        if (starts && at.row->help != NULL) {
            *found = at;
            candidates++;
        }
    }
    if (candidates == 1) {
        return true;
    }
    int shown = length < 60 ? (int)length : 60;
    return candidates > 1 ? fail_ambiguous(command, name, shown, error)
                          : fail_unknown(command, name, shown, error);
}

static bool find_letter(const struct command *command, char letter, struct cursor *found,
                        struct command_error *error)
{
    for (struct cursor at = {0}; next_row(command, &at);) {
        if (at.row->letter == letter) {
            *found = at;
            return true;
        }
    }
    const char *habit = find_habit(command, &letter, 1);
    return habit != NULL
               ? command_fail(error, "unknown option \"-%c\"; did you mean --%s?", letter, habit)
               : command_fail(error, "unknown option \"-%c\"; %s --help lists them", letter,
                              command->name);
}

/* The command line ---------------------------------------------------------------------------- */

/* Store an option's value in the program's struct. value: NULL if none was given. */
static bool take(const struct command *command, const struct cursor *at, const char *value,
                 void *options, struct command_error *error)
{
    const struct option_row *row = at->row;
    if (command->groups_given != 0) {
        *(uint32_t *)((char *)options + command->groups_given) |= UINT32_C(1)
                                                                  << (at->group - command->groups);
    }
    char *target = (char *)options + at->group->offset;
    value = value != NULL ? value : row->implied;
    if (row->given != 0) {
        *(bool *)(target + row->given) = true;
    }
    return (value == NULL && row->argument != NULL) || /* left out, without an implied value */
           take_value(row, value, target + row->offset, error);
}

/* Take "--name", "-n" or several letters. *next: the argument after it, moved past a value. */
static bool take_argument(const struct command *command, const char *argument, char ***next,
                          void *options, struct command_error *error)
{
    const bool is_long = argument[1] == '-';
    const char *rest = argument + 1 + is_long;
    do {
        struct cursor at = {0};
        size_t length = is_long ? strcspn(rest, "=") : 1;
        if (is_long ? !find_name(command, rest, length, &at, error)
                    : !find_letter(command, *rest, &at, error)) {
            return false;
        }
        pw_assert(at.row != NULL);
        const char *value = rest[length] == '\0' ? NULL : rest + length + is_long;
        if (at.row->argument == NULL && is_long && value != NULL) {
            return command_fail(error, "option \"--%s\" takes no value, found \"%.100s\"",
                                at.row->name, value);
        }
        rest = at.row->argument == NULL ? rest + length : ""; /* more letters */
        if (at.row->argument == NULL) {
            value = NULL;
        } else if (value == NULL && at.row->argument[0] != '[') {
            if (**next == NULL) {
                return command_fail(error, "option \"--%s\" needs a value", at.row->name);
            }
            value = *(*next)++;
        }
        if (!take(command, &at, value, options, error)) {
            return false;
        }
    } while (*rest != '\0');
    return true;
}

int command_parse(const struct command *command, char **arguments, void *options,
                  const char **operands, int operand_max, struct command_error *error)
{
    int count = 0;
    bool ended = false;
    pw_assert(is_unambiguous(command));
    for (char **next = arguments + (*arguments != NULL); *next != NULL;) {
        const char *argument = *next++;
        if (!ended && strcmp(argument, "--") == 0) {
            ended = true;
        } else if (!ended && argument[0] == '-' && argument[1] != '\0') {
            if (!take_argument(command, argument, &next, options, error)) {
                return -1;
            }
        } else if (count == operand_max) {
            command_fail(error, "\"%.200s\" is one argument too many", argument);
            return -1;
        } else {
            operands[count++] = argument;
        }
    }
    return count;
}
