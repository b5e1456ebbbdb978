/*
 * option_values.c - see option_values.h.
 */
#include "option_values.h"
#include "base/number.h"
#include "base/pw_assert.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool specification_fail(const struct specification_parser *parser, const char *where,
                        const char *format, ...)
{
    struct node_allocator_error *error = parser->error;
    error->position = (size_t)(where - parser->text);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof(error->message)) {
        snprintf(error->message + length, sizeof(error->message) - (size_t)length,
                 " (character %zu of \"%s\")", error->position + 1, parser->text);
    }
    for (char *at = error->message; *at != '\0'; at++) { /* one line, whatever was typed */
        if ((unsigned char)*at < ' ' || *at == 0x7f) {
            *at = '?';
        }
    }
    return false;
}

/* Append to a comma-separated list of names; what does not fit is left out. */
void name_list_append(char *list, size_t size, const char *name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", name);
}

static bool fail_unknown_option(const struct specification_parser *parser,
                                const struct node_allocator_type *type, const char *name,
                                size_t length)
{
    char known[256] = "";
    for (const struct node_option *option = type->options; option && option->name; option++) {
        name_list_append(known, sizeof(known), option->name);
    }
    if (known[0] == '\0') {
        return specification_fail(parser, name, "%s has no options, found \"%.*s\"", type->name,
                                  (int)length, name);
    }
    return specification_fail(parser, name, "%s has no option \"%.*s\"; it has %s", type->name,
                              (int)length, name, known);
}

/* The index of a word in "a|b|c", or -1. */
static int choice_index(const char *choices, const char *word, size_t length)
{
    int index = 0;
    for (const char *choice = choices;; index++) {
        size_t choice_length = strcspn(choice, "|");
        if (choice_length == length && memcmp(choice, word, length) == 0) {
            return index;
        }
        if (choice[choice_length] == '\0') {
            return -1;
        }
        choice += choice_length + 1;
    }
}

static bool set_value(const struct specification_parser *parser, const struct node_option *option,
                      struct node_option_value *value, const char *text, size_t length)
{
    struct node_specification *out = parser->out;
    if (length + 1 > sizeof(out->text) - out->text_used) {
        return specification_fail(parser, text, "the specification is too long");
    }
    char *copy = out->text + out->text_used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    out->text_used += length + 1;
    pw_assert(out->text_used <= sizeof(out->text));
    value->text = copy;

    int index = 0;
    switch (option->kind) {
    case NODE_OPTION_SIZE:
        if (!number_read(text, length, NUMBER_BYTES, &value->number)) {
            return specification_fail(parser, text, "%s takes a number such as %s, found \"%s\"",
                                      option->name, option->default_value, copy);
        }
        if (value->number < option->min || value->number > option->max) {
            return specification_fail(parser, text, "%s takes %llu to %llu, found \"%s\"",
                                      option->name, (unsigned long long)option->min,
                                      (unsigned long long)option->max, copy);
        }
        return true;
    case NODE_OPTION_CHOICE:
        index = choice_index(option->choices, text, length);
        if (index < 0) {
            return specification_fail(parser, text, "%s takes %s, found \"%s\"", option->name,
                                      option->choices, copy);
        }
        value->number = (uint64_t)index;
        return true;
    case NODE_OPTION_TEXT:
        return true;
    }
    return true;
}

static const struct node_option *find_option(const struct node_allocator_type *type,
                                             const char *name, size_t length)
{
    for (const struct node_option *option = type->options; option && option->name; option++) {
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0) {
            return option;
        }
    }
    return NULL;
}

/* Assign an option written at a level: there, else inwards, else outwards. */
static bool assign_option(const struct specification_parser *parser, size_t level, const char *name,
                          size_t name_length, const char *value, size_t value_length)
{
    struct node_specification *out = parser->out;
    size_t owner = level;
    pw_assert(level < out->level_count);
    const struct node_option *option = NULL;
    for (size_t i = level; i < out->level_count && option == NULL; i++) {
        option = find_option(out->levels[i].type, name, name_length);
        owner = i;
    }
    for (size_t i = level; i > 0 && option == NULL; i--) {
        option = find_option(out->levels[i - 1].type, name, name_length);
        owner = i - 1;
    }
    if (option == NULL) {
        return fail_unknown_option(parser, out->levels[level].type, name, name_length);
    }
    struct node_option_value *slot =
        &out->levels[owner].values[option - out->levels[owner].type->options];
    if (slot->given) {
        return specification_fail(parser, name, "%s is given twice", option->name);
    }
    slot->given = true;
    return set_value(parser, option, slot, value, value_length);
}

bool option_values_parse(struct specification_parser *parser, size_t level)
{
    for (;;) {
        const char *start = parser->at;
        size_t length = strcspn(start, ",()");
        const char *equals = memchr(start, '=', length);
        const struct node_allocator_type *type = parser->out->levels[level].type;
        if (length == 0) {
            return specification_fail(parser, start, "an option is missing here");
        }
        if (equals != NULL) {
            size_t name_length = (size_t)(equals - start);
            if (!assign_option(parser, level, start, name_length, equals + 1,
                               length - name_length - 1)) {
                return false;
            }
        } else {
            if (type->options == NULL || type->options->name == NULL) {
                return fail_unknown_option(parser, type, start, length);
            }
            const char *first = type->options->name;
            if (!assign_option(parser, level, first, strlen(first), start, length)) {
                return false;
            }
        }
        parser->at += length;
        if (*parser->at != ',') {
            return true;
        }
        parser->at++;
    }
}

/* A level of the given type with the defaults of its options. */
bool option_values_default(struct specification_parser *parser,
                           const struct node_allocator_type *type)
{
    struct node_specification *out = parser->out;
    if (out->level_count == SPECIFICATION_LEVELS) {
        return specification_fail(parser, parser->at, "more than %d allocators in one another",
                                  SPECIFICATION_LEVELS);
    }
    struct node_specification_level *level = &out->levels[out->level_count++];
    level->type = type;
    size_t index = 0;
    for (const struct node_option *option = type->options; option && option->name; option++) {
        if (index == SPECIFICATION_OPTIONS) {
            return specification_fail(parser, parser->at, "%s has too many options", type->name);
        }
        const char *value = option->default_value;
        if (!set_value(parser, option, &level->values[index++], value, strlen(value))) {
            return false;
        }
    }
    return true;
}

bool option_values_of(const struct node_allocator_type *type, const char *text,
                      struct node_specification *out, struct node_allocator_error *error)
{
    char commas[256];
    memset(out, 0, sizeof(*out));
    snprintf(commas, sizeof(commas), "%s", text);
    for (char *at = strchr(commas, ';'); at != NULL; at = strchr(at, ';')) {
        *at = ',';
    }
    struct specification_parser parser = {.text = commas, .at = commas, .out = out, .error = error};
    return option_values_default(&parser, type) &&
           (text[0] == '\0' || option_values_parse(&parser, 0));
}
