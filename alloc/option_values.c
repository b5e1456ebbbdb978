/*
 * option_values.c - see option_values.h.
 */
#include "option_values.h"
#include "base/number.h"
#include "base/one_line.h"
#include "base/pw_assert.h"
#include "base/suggestion.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool specification_fail(const struct specification_parser *parser, const char *where,
                        const char *format, ...)
{
    struct node_allocator_error *error = parser->error;
    pw_assert(where >= parser->text && where <= parser->text + strlen(parser->text));
    error->position = (size_t)(where - parser->text);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof(error->message)) {
        snprintf(error->message + length, sizeof(error->message) - (size_t)length,
                 " (character %zu of \"%s\")", error->position + 1, parser->text);
    }
    one_line(error->message);
    return false;
}

void name_list_append(char *list, size_t size, const char *name)
{
    size_t used = strlen(list);
    pw_assert(used < size);
    snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", name);
}

static bool fail_unknown_option(const struct specification_parser *parser,
                                const struct node_allocator_type *type, const char *name,
                                size_t length)
{
    char known[256] = "";
    char text[SUGGESTION_SIZE];
    struct suggestion near = {.wanted = name, .length = length, .most = suggestion_most(length)};
    for (const struct node_option *option = type->options; option && option->name; option++) {
        name_list_append(known, sizeof(known), option->name);
        suggestion_offer(&near, option->name);
    }
    if (known[0] == '\0') {
        return specification_fail(parser, name, "%s has no options, found \"%.*s\"", type->name,
                                  (int)length, name);
    }
    if (near.count > 0) {
        return specification_fail(parser, name, "%s has no option \"%.*s\"%s", type->name,
                                  (int)length, name, suggestion_text(&near, "", text));
    }
    return specification_fail(parser, name, "%s has no option \"%.*s\"; it has %s", type->name,
                              (int)length, name, known);
}

/* The index of a word in "a|b|c", or -1. */
static int choice_index(const char *choices, const char *word)
{
    size_t length = strlen(word);
    pw_assert(choices != NULL && choices[0] != '\0');
    for (int index = 0;; index++) {
        size_t choice_length = strcspn(choices, "|");
        if (choice_length == length && memcmp(choices, word, length) == 0) {
            return index;
        }
        if (choices[choice_length] == '\0') {
            return -1;
        }
        choices += choice_length + 1;
    }
}

/* Parse a text as the value of an option. where: the user's text, for the error. */
static bool set_value(const struct specification_parser *parser, const char *where,
                      const struct node_option *option, struct node_option_value *value,
                      const char *text)
{
    value->text = text;
    if (option->kind == NODE_OPTION_SIZE) {
        pw_assert(option->min <= option->max);
        if (!number_read(text, strlen(text), NUMBER_BYTES, &value->number)) {
            return specification_fail(parser, where, "%s takes a number such as %s, found \"%s\"",
                                      option->name, option->default_value, text);
        }
        if (value->number < option->min || value->number > option->max) {
            return specification_fail(parser, where, "%s takes %llu to %llu, found \"%s\"",
                                      option->name, (unsigned long long)option->min,
                                      (unsigned long long)option->max, text);
        }
    } else if (option->kind == NODE_OPTION_CHOICE) {
        int index = choice_index(option->choices, text);
        if (index < 0) {
            return specification_fail(parser, where, "%s takes %s, found \"%s\"", option->name,
                                      option->choices, text);
        }
        value->number = (uint64_t)index;
    }
    return true;
}

/* Add a copy of a text to the values; NULL if there is no room for it. */
static const char *keep_text(struct node_specification *out, const char *text, size_t length)
{
    char *copy = out->text + out->text_used;
    if (length >= sizeof(out->text) - out->text_used) {
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    out->text_used += length + 1;
    pw_assert(out->text_used <= sizeof(out->text));
    return copy;
}

/* The value of an option at a level, or NULL if its type has no such option. */
static struct node_option_value *find_value(struct node_specification_level *level,
                                            const char *name, size_t length,
                                            const struct node_option **found)
{
    const struct node_option *option = level->type->options;
    for (size_t i = 0; option != NULL && option[i].name != NULL; i++) {
        pw_assert(i < SPECIFICATION_OPTIONS);
        if (strlen(option[i].name) == length && memcmp(option[i].name, name, length) == 0) {
            *found = &option[i];
            return &level->values[i];
        }
    }
    return NULL;
}

/* Assign "name=value", or a bare value, found at a level: there, else inwards, else outwards. */
static bool assign_option(const struct specification_parser *parser, size_t level,
                          const char *start, size_t length)
{
    struct node_specification *out = parser->out;
    const struct node_allocator_type *type = out->levels[level].type;
    const struct node_option *option = type->options;
    struct node_option_value *value = out->levels[level].values;
    const char *text = start;
    const char *equals = memchr(start, '=', length);
    size_t name_length = equals != NULL ? (size_t)(equals - start) : length;
    pw_assert(level < out->level_count);
    if (equals != NULL) {
        text = equals + 1;
        value = NULL;
        for (size_t i = 0; i < out->level_count && value == NULL; i++) {
            size_t inwards = level + i;
            size_t owner = inwards < out->level_count ? inwards : out->level_count - 1 - i;
            value = find_value(&out->levels[owner], start, name_length, &option);
        }
    }
    if (value == NULL || option == NULL || option->name == NULL) {
        return fail_unknown_option(parser, type, start, name_length);
    }
    if (value->given) {
        return specification_fail(parser, start, "%s is given twice", option->name);
    }
    value->given = true;
    const char *copy = keep_text(out, text, (size_t)(start + length - text));
    return copy != NULL ? set_value(parser, text, option, value, copy)
                        : specification_fail(parser, text, "the specification is too long");
}

bool option_values_parse(struct specification_parser *parser, size_t level)
{
    for (;;) {
        size_t length = strcspn(parser->at, parser->ends);
        if (length == 0) {
            return specification_fail(parser, parser->at, "an option is missing here");
        }
        if (!assign_option(parser, level, parser->at, length)) {
            return false;
        }
        parser->at += length;
        if (*parser->at != parser->ends[0]) {
            return true;
        }
        parser->at++;
    }
}

bool option_values_default(struct specification_parser *parser,
                           const struct node_allocator_type *type)
{
    struct node_specification *out = parser->out;
    pw_assert(out->level_count <= SPECIFICATION_LEVELS);
    if (out->level_count == SPECIFICATION_LEVELS) {
        return specification_fail(parser, parser->at, "more than %d allocators in one another",
                                  SPECIFICATION_LEVELS);
    }
    struct node_specification_level *level = &out->levels[out->level_count++];
    const struct node_option *option = type->options;
    level->type = type;
    for (size_t i = 0; option != NULL && option[i].name != NULL; i++) {
        if (i == SPECIFICATION_OPTIONS) {
            return specification_fail(parser, parser->at, "%s has too many options", type->name);
        }
        if (!set_value(parser, parser->at, &option[i], &level->values[i],
                       option[i].default_value)) {
            return false;
        }
    }
    return true;
}

bool option_values_of(const struct node_allocator_type *type, const char *text,
                      struct node_specification *out, struct node_allocator_error *error)
{
    memset(out, 0, sizeof(*out));
    struct specification_parser parser = {
        .text = text, .at = text, .ends = ";", .out = out, .error = error};
    return option_values_default(&parser, type) &&
           (text[0] == '\0' || option_values_parse(&parser, 0));
}
