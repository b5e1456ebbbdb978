/*
 * command_line.c - a table of options handed to getopt_long, and printed as help.
 */
#include "command_line.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define OPTION_MAX  96 /* of one program */
#define HELP_COLUMN 26 /* where the explanations begin */

struct table {
    struct option names[OPTION_MAX + 1];
    char letters[2 + 3 * OPTION_MAX + 1];
    const struct command_option *options[OPTION_MAX];
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

/* getopt's way to say whether an argument is taken. */
static int argument_rule(const struct command_option *option)
{
    if (option->argument == NULL) {
        return no_argument;
    }
    return option->argument[0] == '[' ? optional_argument : required_argument;
}

static void build_table(struct table *table, const struct command_group *const *groups)
{
    char *letter = table->letters;
    *letter++ = ':'; /* a missing argument is told apart from an unknown option */
    table->count = 0;
    for (; *groups != NULL; groups++) {
        for (const struct command_option *option = (*groups)->options;
             option->name != NULL && table->count < OPTION_MAX; option++) {
            table->names[table->count] = (struct option){
                .name = option->name, .has_arg = argument_rule(option), .val = 256 + table->count};
            table->options[table->count++] = option;
            if (option->letter != '\0') {
                *letter++ = option->letter;
                for (int i = 0; i < argument_rule(option); i++) {
                    *letter++ = ':';
                }
            }
        }
    }
    *letter = '\0';
    table->names[table->count] = (struct option){0};
}

static const struct command_option *find_option(const struct table *table, int found)
{
    if (found >= 256) {
        return table->options[found - 256];
    }
    for (int i = 0; i < table->count; i++) {
        if (table->options[i]->letter == found) {
            return table->options[i];
        }
    }
    return NULL;
}

/* The options that getopt could not make sense of, with those that there are. */
static bool fail_unknown(const struct table *table, const char *found, struct command_error *error)
{
    size_t used = 0;
    command_fail(error, "unknown option \"%.60s\"; there are", found);
    for (int i = 0; i < table->count; i++) {
        used = strlen(error->message);
        snprintf(error->message + used, sizeof(error->message) - used, "%s --%s", i > 0 ? "," : "",
                 table->names[i].name);
    }
    return false;
}

static bool fail_option(const struct table *table, int found, const char *argument,
                        struct command_error *error)
{
    char letter[3] = {'-', (char)optopt, '\0'};
    bool is_long = argument[0] == '-' && argument[1] == '-';
    if (found == ':') {
        return command_fail(error, "option \"%s\" needs a value", is_long ? argument : letter);
    }
    if (optopt >= 256) {
        return command_fail(error, "option \"--%s\" takes no value, found \"%.100s\"",
                            find_option(table, optopt)->name, argument);
    }
    size_t length = strcspn(argument, "=");
    int candidates = 0;
    for (int i = 0; is_long && i < table->count; i++) {
        candidates += strncmp(table->names[i].name, argument + 2, length - 2) == 0;
    }
    if (candidates > 1) {
        return command_fail(error, "option \"%.60s\" may be any of %d; write it out", argument,
                            candidates);
    }
    return fail_unknown(table, is_long ? argument : letter, error);
}

int command_parse(int argument_count, char **arguments, const struct command_group *const *groups,
                  void *options, const char **operands, int operand_max,
                  struct command_error *error)
{
    struct table table;
    build_table(&table, groups);
    opterr = 0;
    optind = 0; /* begin anew: more than one command line may be parsed */
    for (;;) {
        int found = getopt_long(argument_count, arguments, table.letters, table.names, NULL);
        if (found == -1) {
            break;
        }
        if (found == '?' || found == ':') {
            fail_option(&table, found, arguments[optind - 1], error);
            return -1;
        }
        const struct command_option *option = find_option(&table, found);
        if (!option->set(options, optarg, error)) {
            return -1;
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

static void write_option(FILE *out, const struct command_option *option)
{
    char head[80];
    char letter[5] = {'-', option->letter, ',', ' ', '\0'};
    bool optional = argument_rule(option) == optional_argument;
    size_t argument_length = option->argument != NULL ? strlen(option->argument) : 0;
    int length = 0;
    if (optional) {
        length = snprintf(head, sizeof(head), "  %s--%s[=%.*s]",
                          option->letter != '\0' ? letter : "    ", option->name,
                          (int)argument_length - 2, option->argument + 1);
    } else {
        length =
            snprintf(head, sizeof(head), "  %s--%s%s%s", option->letter != '\0' ? letter : "    ",
                     option->name, option->argument != NULL ? "=" : "",
                     option->argument != NULL ? option->argument : "");
    }
    fprintf(out, "%-*s", HELP_COLUMN - 1, head);
    fputs(length < HELP_COLUMN - 1 ? " " : "\n", out);
    const char *line = option->help;
    for (bool first = true;; first = false) {
        size_t line_length = strcspn(line, "\n");
        bool indented = first && length < HELP_COLUMN - 1;
        fprintf(out, "%*s%.*s\n", indented ? 0 : HELP_COLUMN, "", (int)line_length, line);
        if (line[line_length] == '\0') {
            break;
        }
        line += line_length + 1;
    }
}

void command_write_help(FILE *out, const struct command_group *const *groups)
{
    for (; *groups != NULL; groups++) {
        fprintf(out, "\n%s\n", (*groups)->title);
        for (const struct command_option *option = (*groups)->options; option->name; option++) {
            write_option(out, option);
        }
    }
}

/* Digits only: no sign, no space, no letter. *end is set to what follows them. */
static bool read_digits(const char *text, uint64_t max, uint64_t *number, const char **end)
{
    uint64_t value = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (value > (max - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *number = value;
    *end = p;
    return p != text;
}

bool command_number(const char *option, const char *value, uint64_t min, uint64_t max,
                    uint64_t *number, struct command_error *error)
{
    const char *end = NULL;
    uint64_t found = 0;
    if (!read_digits(value, max < 9 ? 9 : max, &found, &end) || *end != '\0' || found < min ||
        found > max) {
        return command_fail(error, "--%s takes %llu to %llu, found \"%.60s\"", option,
                            (unsigned long long)min, (unsigned long long)max, value);
    }
    *number = found;
    return true;
}

bool command_seconds(const char *option, const char *value, uint64_t *nanoseconds,
                     struct command_error *error)
{
    const uint64_t second_ns = 1000000000;
    const uint64_t max = 1000000000; /* 31 years */
    const char *end = value;
    uint64_t whole = 0;
    uint64_t fraction = 0;
    bool legal = read_digits(value, max, &whole, &end) || *value == '.';
    if (legal && *end == '.') {
        uint64_t unit = second_ns / 10;
        for (end++; *end >= '0' && *end <= '9' && unit > 0; end++, unit /= 10) {
            fraction += unit * (uint64_t)(*end - '0');
        }
        legal = end[-1] != '.' || end - value > 1;
    }
    if (!legal || *end != '\0') {
        return command_fail(error,
                            "--%s takes seconds such as 10 or 0.5, up to a thousand million and "
                            "nine decimals, found \"%.60s\"",
                            option, value);
    }
    *nanoseconds = whole * second_ns + fraction;
    return true;
}

bool command_choice(const char *option, const char *value, const char *const *choices,
                    unsigned *index, struct command_error *error)
{
    for (unsigned i = 0; choices[i] != NULL; i++) {
        if (strcmp(choices[i], value) == 0) {
            *index = i;
            return true;
        }
    }
    command_fail(error, "--%s knows no \"%.60s\"; there are", option, value);
    for (unsigned i = 0; choices[i] != NULL; i++) {
        size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof(error->message) - used, "%s %s", i > 0 ? "," : "",
                 choices[i]);
    }
    return false;
}
