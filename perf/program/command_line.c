/*
 * command_line.c - a table of options handed to getopt_long, and what may be wrong with a value.
 */
#include "command_line.h"
#include "base/number.h"
#include "base/pw_assert.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define OPTION_MAX 96  /* of one program */
#define LONG_FIRST 256 /* what getopt_long returns for the first row; letters are below */
#define NAME_MAX   32  /* longer names are not compared */

struct table {
    struct option names[OPTION_MAX + 1];
    char letters[2 + 3 * OPTION_MAX + 1];
    const struct option_row *rows[OPTION_MAX];
    size_t offsets[OPTION_MAX]; /* of the rows' structs in the program's */
    int count;
};

bool command_fail(struct command_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    return false;
}

/* Values -------------------------------------------------------------------------------------- */

static bool read_number(const struct option_row *row, const char *value, uint64_t *number,
                        struct command_error *error)
{
    uint64_t found = 0;
    if (!number_read(value, strlen(value), NUMBER_COUNT, &found) || found < row->min ||
        found > row->max) {
        return command_fail(error, "takes a number from %llu to %llu, found \"%.60s\"",
                            (unsigned long long)row->min, (unsigned long long)row->max, value);
    }
    *number = found;
    return true;
}

static bool read_size(const char *value, uint64_t *number, struct command_error *error)
{
    uint64_t found = 0;
    if (!number_read(value, strlen(value), NUMBER_BYTES, &found) || found == 0) {
        return command_fail(error, "takes bytes such as 8G or 512M, found \"%.60s\"", value);
    }
    *number = found;
    return true;
}

static bool read_seconds(const char *value, uint64_t *nanoseconds, struct command_error *error)
{
    const uint64_t second_ns = 1000000000;
    const uint64_t most_ns = 1000000000 * second_ns; /* 31 years */
    uint64_t found = 0;
    if (!number_read_decimal(value, strlen(value), second_ns, &found) || found > most_ns) {
        return command_fail(error,
                            "takes seconds such as 10 or 0.5, up to a thousand million and nine "
                            "decimals, found \"%.60s\"",
                            value);
    }
    *nanoseconds = found;
    return true;
}

static bool read_real(const struct option_row *row, const char *value, double *real,
                      struct command_error *error)
{
    char *end = NULL;
    double found = strtod(value, &end);
    if (end == value || *end != '\0' || !(found > (double)row->min && found <= (double)row->max)) {
        return command_fail(error, "takes more than %llu and at most %llu, found \"%.60s\"",
                            (unsigned long long)row->min, (unsigned long long)row->max, value);
    }
    *real = found;
    return true;
}

/* The index of value in the row's words. */
static bool read_choice(const struct option_row *row, const char *value, uint64_t *index,
                        struct command_error *error)
{
    const char *word = row->words;
    for (uint64_t i = 0;; i++) {
        size_t length = strcspn(word, ",");
        if (strlen(value) == length && memcmp(word, value, length) == 0) {
            *index = i;
            return true;
        }
        if (word[length] == '\0') {
            return command_fail(error, "knows no \"%.60s\"; there are %s", value, row->words);
        }
        word += length + strspn(word + length, ", ");
    }
}

/* Store a number in a field of 4 or 8 bytes. */
static void store(const struct option_row *row, void *field, uint64_t number)
{
    uint32_t small = (uint32_t)number;
    pw_assert(row->size == sizeof(number) || (row->size == sizeof(small) && number <= UINT32_MAX));
    memcpy(field, row->size == sizeof(small) ? (const void *)&small : &number, row->size);
}

/* Check a value and store it. value: NULL where none was given. */
static bool take(const struct option_row *row, const char *value, void *field,
                 struct command_error *error)
{
    uint64_t number = 0;
    value = value != NULL || row->argument == NULL ? value : row->implied;
    if (value == NULL && row->argument != NULL) {
        return true; /* left out, and nothing is implied */
    }
    switch (row->kind) {
    case OPTION_KIND_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_KIND_ACTION:
        if (*(unsigned *)field == 0) {
            store(row, field, row->min);
        }
        return true;
    case OPTION_KIND_NUMBER:
        if (!read_number(row, value, &number, error)) {
            return false;
        }
        store(row, field, number);
        return true;
    case OPTION_KIND_SIZE:
        return read_size(value, field, error);
    case OPTION_KIND_SECONDS:
        return read_seconds(value, field, error);
    case OPTION_KIND_REAL:
        return read_real(row, value, field, error);
    case OPTION_KIND_CHOICE:
        if (!read_choice(row, value, &number, error)) {
            return false;
        }
        if (row->size == sizeof(value)) {
            *(const char **)field = value;
        } else {
            store(row, field, number);
        }
        return true;
    case OPTION_KIND_FILE:
        if (value[0] == '\0') {
            return command_fail(error, "needs the name of a file");
        }
        *(const char **)field = value;
        return true;
    case OPTION_KIND_TEXT:
        *(const char **)field = value;
        return true;
    case OPTION_KIND_OWN:
        return row->read(value, field, error);
    }
    return false;
}

/* The command line ---------------------------------------------------------------------------- */

/* getopt's way to say whether an argument is taken. */
static int argument_rule(const struct option_row *row)
{
    if (row->argument == NULL) {
        return no_argument;
    }
    return row->argument[0] == '[' ? optional_argument : required_argument;
}

/* Whether no row so far has the name or the letter of this one. */
static bool is_new(const struct table *table, const struct option_row *row)
{
    for (int i = 0; i < table->count; i++) {
        if (strcmp(table->rows[i]->name, row->name) == 0 ||
            (row->letter != '\0' && table->rows[i]->letter == row->letter)) {
            return false;
        }
    }
    return true;
}

static void build_table(struct table *table, const struct option_group *groups)
{
    char *letter = table->letters;
    *letter++ = ':'; /* a missing argument is told apart from an unknown option */
    table->count = 0;
    for (const struct option_group *group = groups; group->title != NULL; group++) {
        for (const struct option_row *row = group->rows; row->name != NULL; row++) {
            pw_assert(table->count < OPTION_MAX && is_new(table, row));
            table->names[table->count] = (struct option){
                .name = row->name, .has_arg = argument_rule(row), .val = LONG_FIRST + table->count};
            table->offsets[table->count] = group->offset;
            table->rows[table->count++] = row;
            if (row->letter != '\0') {
                *letter++ = row->letter;
                for (int i = 0; i < argument_rule(row); i++) {
                    *letter++ = ':';
                }
            }
        }
    }
    *letter = '\0';
    table->names[table->count] = (struct option){0};
}

/* The row of what getopt_long returned, which is one of the table's. */
static int find_row(const struct table *table, int found)
{
    int row = found - LONG_FIRST;
    for (int i = 0; found < LONG_FIRST && i < table->count; i++) {
        if (table->rows[i]->letter == found) {
            row = i;
        }
    }
    pw_assert(row >= 0 && row < table->count);
    return row;
}

/* How many letters must be added, taken away or replaced to make one word the other. */
static size_t edit_distance(const char *one, size_t one_length, const char *other)
{
    size_t costs[NAME_MAX + 1];
    size_t other_length = strlen(other);
    if (one_length > NAME_MAX || other_length > NAME_MAX) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= other_length; j++) {
        costs[j] = j;
    }
    for (size_t i = 1; i <= one_length; i++) {
        size_t diagonal = costs[0]; /* of the row before */
        costs[0] = i;
        for (size_t j = 1; j <= other_length; j++) {
            size_t replaced = diagonal + (one[i - 1] != other[j - 1]);
            size_t shorter = costs[j] < costs[j - 1] ? costs[j] : costs[j - 1];
            diagonal = costs[j];
            costs[j] = replaced < shorter + 1 ? replaced : shorter + 1;
        }
    }
    return costs[other_length];
}

/* The option that a mistyped name was meant for, or NULL: the nearest, if it is near. */
static const char *nearest_name(const struct table *table, const char *name, size_t length)
{
    size_t least = 2 + length / 4; /* as many mistakes are too many */
    const char *nearest = NULL;
    for (int i = 0; i < table->count; i++) {
        const char *known = table->rows[i]->name;
        bool begins = strlen(known) > 2 && strncmp(known, name, strlen(known)) == 0;
        size_t distance = begins ? 1 : edit_distance(name, length, known);
        if (distance < least && table->rows[i]->help != NULL) {
            least = distance;
            nearest = known;
        }
    }
    return nearest;
}

/* Say what getopt_long could not make sense of. */
static bool fail_option(const struct command *command, const struct table *table, int found,
                        const char *argument, struct command_error *error)
{
    char letter[3] = {'-', (char)optopt, '\0'};
    bool is_long = argument[0] == '-' && argument[1] == '-';
    if (found == ':') {
        return command_fail(error, "option \"%s\" needs a value", is_long ? argument : letter);
    }
    if (optopt >= LONG_FIRST) {
        return command_fail(error, "option \"--%s\" takes no value, found \"%.100s\"",
                            table->rows[find_row(table, optopt)]->name, argument);
    }
    if (!is_long) {
        return command_fail(error, "unknown option \"%s\"; %s --help lists them", letter,
                            command->name);
    }
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    int candidates = 0;
    for (int i = 0; i < table->count; i++) {
        candidates += strncmp(table->names[i].name, name, length) == 0;
    }
    if (candidates > 1) {
        return command_fail(error, "option \"%.60s\" may be any of %d; write it out", argument,
                            candidates);
    }
    const char *nearest = nearest_name(table, name, length);
    if (nearest != NULL) {
        return command_fail(error, "unknown option \"--%.*s\"; did you mean --%s?", (int)length,
                            name, nearest);
    }
    return command_fail(error, "unknown option \"%.60s\"; %s --help lists them", argument,
                        command->name);
}

int command_parse(const struct command *command, int argument_count, char **arguments,
                  void *options, const char **operands, int operand_max,
                  struct command_error *error)
{
    struct table table;
    struct command_error why = {""};
    build_table(&table, command->groups);
    opterr = 0;
    optind = 0; /* start again: more than one command line may be read */
    for (;;) {
        int found = getopt_long(argument_count, arguments, table.letters, table.names, NULL);
        if (found == -1) {
            break;
        }
        if (found == '?' || found == ':') {
            fail_option(command, &table, found, arguments[optind - 1], error);
            return -1;
        }
        int index = find_row(&table, found);
        const struct option_row *row = table.rows[index];
        char *target = (char *)options + table.offsets[index];
        if (!take(row, optarg, target + row->offset, &why)) {
            command_fail(error, "--%s%s %.800s", row->name, row->kind == OPTION_KIND_OWN ? ":" : "",
                         why.message);
            return -1;
        }
        if (row->given != 0) {
            *(bool *)(target + row->given) = true;
        }
    }
    int count = argument_count - optind;
    if (count > operand_max) {
        command_fail(error, "\"%.200s\" is one argument too many", arguments[optind + operand_max]);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        operands[i] = arguments[optind + i];
    }
    return count;
}
