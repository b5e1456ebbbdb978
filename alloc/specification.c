/*
 * specification.c - "count(slab:chunk=2M,pages=huge)" into a list of types with option values.
 *
 * 1. Recursive descent over  spec = NAME [":" options | "(" [spec] ["," options] ")"].
 * 2. Every option found is assigned to the allocator it is written at, or else to the nearest one
 *    inwards, then outwards, that has an option of that name; a bare value goes to the first option
 *    of the allocator it is written at.
 * 3. A wrapper around nothing wraps malloc, or what its type says. Errors name the character and
 * list what is legal.
 */
#include "specification.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct parser {
    const char *text;
    const char *at;
    struct specification *out;
    struct node_allocator_error *error;
};

__attribute__((format(printf, 3, 4))) static bool fail(const struct parser *parser,
                                                       const char *where, const char *format, ...)
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
static void list_append(char *list, size_t size, const char *name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", name);
}

static bool fail_unknown_allocator(const struct parser *parser, const char *name, size_t length)
{
    char known[256] = "";
    for (const struct node_allocator_type *const *type = node_allocator_types(); *type; type++) {
        list_append(known, sizeof(known), (*type)->name);
    }
    return fail(parser, name, "unknown allocator \"%.*s\"; there are %s", (int)length, name, known);
}

static bool fail_unknown_option(const struct parser *parser, const struct node_allocator_type *type,
                                const char *name, size_t length)
{
    char known[256] = "";
    for (const struct node_option *option = type->options; option && option->name; option++) {
        list_append(known, sizeof(known), option->name);
    }
    if (known[0] == '\0') {
        return fail(parser, name, "%s has no options, found \"%.*s\"", type->name, (int)length,
                    name);
    }
    return fail(parser, name, "%s has no option \"%.*s\"; it has %s", type->name, (int)length, name,
                known);
}

/* A decimal number with an optional K, M or G (times 1024). False when it is none or too large. */
static bool parse_size(const char *text, size_t length, uint64_t *value)
{
    uint64_t number = 0;
    size_t i = 0;
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (number > (UINT64_MAX - digit) / 10) {
            return false;
        }
        number = number * 10 + digit;
    }
    if (i == 0 || length - i > 1) {
        return false;
    }
    if (i < length) {
        const char *const units = "KMG";
        char upper = (char)(text[i] >= 'a' && text[i] <= 'z' ? text[i] - 'a' + 'A' : text[i]);
        const char *unit = strchr(units, upper);
        unsigned shift = unit ? (unsigned)(unit - units + 1) * 10 : 0;
        if (shift == 0 || number > UINT64_MAX >> shift) {
            return false;
        }
        number <<= shift;
    }
    *value = number;
    return true;
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

static bool set_value(const struct parser *parser, const struct node_option *option,
                      struct node_option_value *value, const char *text, size_t length)
{
    struct specification *out = parser->out;
    if (length + 1 > sizeof(out->text) - out->text_used) {
        return fail(parser, text, "the specification is too long");
    }
    char *copy = out->text + out->text_used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    out->text_used += length + 1;
    value->text = copy;

    int index = 0;
    switch (option->kind) {
    case NODE_OPTION_SIZE:
        if (!parse_size(text, length, &value->number)) {
            return fail(parser, text, "%s takes a number such as %s, found \"%s\"", option->name,
                        option->default_value, copy);
        }
        if (value->number < option->min || value->number > option->max) {
            return fail(parser, text, "%s takes %llu to %llu, found \"%s\"", option->name,
                        (unsigned long long)option->min, (unsigned long long)option->max, copy);
        }
        return true;
    case NODE_OPTION_CHOICE:
        index = choice_index(option->choices, text, length);
        if (index < 0) {
            return fail(parser, text, "%s takes %s, found \"%s\"", option->name, option->choices,
                        copy);
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
static bool assign_option(const struct parser *parser, size_t level, const char *name,
                          size_t name_length, const char *value, size_t value_length)
{
    struct specification *out = parser->out;
    size_t owner = level;
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
        return fail(parser, name, "%s is given twice", option->name);
    }
    slot->given = true;
    return set_value(parser, option, slot, value, value_length);
}

static bool parse_options(struct parser *parser, size_t level)
{
    for (;;) {
        const char *start = parser->at;
        size_t length = strcspn(start, ",()");
        const char *equals = memchr(start, '=', length);
        const struct node_allocator_type *type = parser->out->levels[level].type;
        if (length == 0) {
            return fail(parser, start, "an option is missing here");
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
static bool add_level(struct parser *parser, const struct node_allocator_type *type)
{
    struct specification *out = parser->out;
    if (out->level_count == SPECIFICATION_LEVELS) {
        return fail(parser, parser->at, "more than %d allocators in one another",
                    SPECIFICATION_LEVELS);
    }
    struct specification_level *level = &out->levels[out->level_count++];
    level->type = type;
    size_t index = 0;
    for (const struct node_option *option = type->options; option && option->name; option++) {
        if (index == SPECIFICATION_OPTIONS) {
            return fail(parser, parser->at, "%s has too many options", type->name);
        }
        const char *value = option->default_value;
        if (!set_value(parser, option, &level->values[index++], value, strlen(value))) {
            return false;
        }
    }
    return true;
}

static bool parse_allocator(struct parser *parser)
{
    const char *name = parser->at;
    size_t length = strcspn(name, ":,()=");
    char copy[64] = "";
    if (length < sizeof(copy)) {
        memcpy(copy, name, length);
    }
    const struct node_allocator_type *type = node_allocator_find(copy);
    if (type == NULL) {
        return fail_unknown_allocator(parser, name, length);
    }
    size_t level = parser->out->level_count;
    if (!add_level(parser, type)) {
        return false;
    }
    parser->at += length;
    if (*parser->at == ':') {
        parser->at++;
        return parse_options(parser, level);
    }
    if (*parser->at != '(') {
        return true;
    }
    parser->at++;
    if ((type->flags & NODE_ALLOCATOR_WRAPS) && *parser->at != ')' &&
        parser->at[strcspn(parser->at, ":,()=")] != '=') {
        if (!parse_allocator(parser)) {
            return false;
        }
        if (*parser->at == ',') {
            parser->at++;
            if (!parse_options(parser, level)) {
                return false;
            }
        }
    } else if (*parser->at != ')' && !parse_options(parser, level)) {
        return false;
    }
    if (*parser->at != ')') {
        return fail(parser, parser->at, "a \")\" is missing here");
    }
    parser->at++;
    return true;
}

bool specification_parse(const char *text, struct specification *out,
                         struct node_allocator_error *error)
{
    memset(out, 0, sizeof(*out));
    struct parser parser = {.text = text, .at = text, .out = out, .error = error};
    if (!parse_allocator(&parser)) {
        return false;
    }
    if (*parser.at != '\0') {
        return fail(&parser, parser.at, "nothing may follow here, found \"%s\"", parser.at);
    }
    const struct node_allocator_type *last = out->levels[out->level_count - 1].type;
    while (last->flags & NODE_ALLOCATOR_WRAPS) {
        last = node_allocator_find(last->wraps_by_default ? last->wraps_by_default : "malloc");
        if (!add_level(&parser, last)) {
            return false;
        }
    }
    return true;
}

bool specification_values(const struct node_allocator_type *type, const char *text,
                          struct specification *out, struct node_allocator_error *error)
{
    char commas[256];
    memset(out, 0, sizeof(*out));
    snprintf(commas, sizeof(commas), "%s", text);
    for (char *at = strchr(commas, ';'); at != NULL; at = strchr(at, ';')) {
        *at = ',';
    }
    struct parser parser = {.text = commas, .at = commas, .out = out, .error = error};
    return add_level(&parser, type) && (text[0] == '\0' || parse_options(&parser, 0));
}

/* The value of the option "heap" written in a specification, or NULL. */
static const char *written_heap(const char *specification)
{
    for (const char *at = strstr(specification, "heap="); at != NULL;
         at = strstr(at + 5, "heap=")) {
        if (at > specification && strchr(":,(", at[-1]) != NULL) {
            return at + 5;
        }
    }
    return NULL;
}

bool node_specification_with_heap(const char *specification, uint64_t heap_bytes, char *out,
                                  size_t out_size)
{
    unsigned long long bytes = heap_bytes;
    const char *value = written_heap(specification);
    int length = (int)strlen(specification);
    int needed = 0;
    if (value != NULL) {
        const char *rest = value + strcspn(value, ",)");
        needed = snprintf(out, out_size, "%.*s%llu%s", (int)(value - specification), specification,
                          bytes, rest);
    } else if (length > 0 && specification[length - 1] == ')') {
        const char *before = specification[length - 2] == '(' ? "" : ",";
        needed =
            snprintf(out, out_size, "%.*s%sheap=%llu)", length - 1, specification, before, bytes);
    } else {
        const char *before = strchr(specification, ':') != NULL ? "," : ":";
        needed = snprintf(out, out_size, "%s%sheap=%llu", specification, before, bytes);
    }
    return needed >= 0 && (size_t)needed < out_size;
}
