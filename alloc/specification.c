/*
 * specification.c - parses "count(slab:chunk=2M,pages=huge)" into a list of types with values.
 *
 * 1. Recursive descent over  spec = NAME [":" options | "(" [spec] ["," options] ")"].
 * 2. Options are assigned by option_values.h.
 * 3. A wrapper around nothing wraps malloc, or what its type says. An error names the character and
 *    lists what is legal.
 */
#include "specification.h"
#include "base/pw_assert.h"
#include "base/suggestion.h"
#include <stdio.h>
#include <string.h>

/* True if a name that no allocator has looks like a malloc library: jemalloc, not mallc. */
static bool is_library(const char *name, size_t length)
{
    static const char ending[] = "malloc";
    const size_t end = sizeof(ending) - 1;
    return length > end + 1 && length < 32 && memcmp(name + length - end, ending, end) == 0;
}

static bool is_shared_object(const char *name, size_t length)
{
    return memchr(name, '/', length) != NULL ||
           (length > 3 && memcmp(name + length - 3, ".so", 3) == 0);
}

static bool fail_unknown_allocator(const struct specification_parser *parser, const char *name,
                                   size_t length)
{
    const size_t shown = 3; /* of all, if no name is near */
    struct suggestion near = {.wanted = name, .length = length, .most = suggestion_most(length)};
    char text[SUGGESTION_SIZE];
    char first[64] = "";
    size_t count = 0;
    if (is_shared_object(name, length)) {
        return specification_fail(parser, name,
                                  "a shared object is written plugin:./FILE, or lib:./FILE for its "
                                  "malloc and free; found \"%.*s\"",
                                  (int)length, name);
    }
    if (is_library(name, length)) {
        return specification_fail(parser, name, "%.*s is a library; write lib:%.*s", (int)length,
                                  name, (int)length, name);
    }
    for (const struct node_allocator_type *const *type = node_allocator_types(); *type; type++) {
        suggestion_offer(&near, (*type)->name);
        if (count++ < shown) {
            name_list_append(first, sizeof(first), (*type)->name);
        }
    }
    if (near.count > 0) {
        return specification_fail(parser, name, "unknown allocator \"%.*s\"%s", (int)length, name,
                                  suggestion_text(&near, "", text));
    }
    return specification_fail(parser, name,
                              "unknown allocator \"%.*s\"; there are %s, lib:NAME and %zu more",
                              (int)length, name, first, count - shown - 1);
}

/* The allocator with a name of that length, or NULL. */
static const struct node_allocator_type *find_type(const char *name, size_t length)
{
    char copy[64] = "";
    if (length < sizeof(copy)) {
        memcpy(copy, name, length);
    }
    return node_allocator_find(copy);
}

/* The inner allocator of the last level, a wrapper without a named one. */
static bool add_inside(struct specification_parser *parser)
{
    const struct node_specification *out = parser->out;
    pw_assert(out->level_count > 0);
    const struct node_allocator_type *last = out->levels[out->level_count - 1].type;
    while (last->flags & NODE_ALLOCATOR_WRAPS) {
        last = node_allocator_find(last->wraps_by_default ? last->wraps_by_default : "malloc");
        if (!option_values_default(parser, last)) {
            return false;
        }
    }
    return true;
}

static bool parse_allocator(struct specification_parser *parser)
{
    const char *name = parser->at;
    size_t length = strcspn(name, ":,()=");
    const struct node_allocator_type *type = find_type(name, length);
    if (type == NULL) {
        return fail_unknown_allocator(parser, name, length);
    }
    size_t level = parser->out->level_count;
    if (!option_values_default(parser, type)) {
        return false;
    }
    parser->at += length;
    const char opening = *parser->at;
    if (opening != ':' && opening != '(') {
        return add_inside(parser);
    }
    parser->at++;
    if (opening == ':') {
        return add_inside(parser) && option_values_parse(parser, level);
    }
    bool is_named = (type->flags & NODE_ALLOCATOR_WRAPS) && *parser->at != ')' &&
                    parser->at[strcspn(parser->at, ":,()=")] != '=';
    if (!(is_named ? parse_allocator(parser) : add_inside(parser))) {
        return false;
    }
    bool options = is_named ? *parser->at == ',' : *parser->at != ')';
    parser->at += is_named && options;
    if (options && !option_values_parse(parser, level)) {
        return false;
    }
    if (*parser->at != ')') {
        return specification_fail(parser, parser->at, "a \")\" is missing here");
    }
    parser->at++;
    pw_assert(parser->out->level_count > level);
    return true;
}

bool node_specification_parse(const char *text, struct node_specification *out,
                              struct node_allocator_error *error)
{
    memset(out, 0, sizeof(*out));
    struct specification_parser parser = {
        .text = text, .at = text, .ends = ",()", .out = out, .error = error};
    if (!parse_allocator(&parser)) {
        return false;
    }
    if (*parser.at != '\0') {
        return specification_fail(&parser, parser.at, "nothing may follow here, found \"%s\"",
                                  parser.at);
    }
    pw_assert(out->level_count > 0);
    return true;
}

/* True if options begin before at: after a comma, a parenthesis, or a name and its colon. */
static bool options_open(const char *specification, const char *at)
{
    const char *name = at - 1;
    if (at == specification || *name != ':') {
        return at > specification && strchr(",(", *name) != NULL;
    }
    while (name > specification && strchr(":,(=", name[-1]) == NULL) {
        name--;
    }
    return name == specification || name[-1] == '('; /* else the colon is part of a value */
}

/* The value of the option "heap" written in a specification, or NULL. */
static const char *written_heap(const char *specification)
{
    for (const char *at = strstr(specification, "heap="); at != NULL;
         at = strstr(at + 5, "heap=")) {
        if (options_open(specification, at)) {
            return at + 5;
        }
    }
    return NULL;
}

bool node_specification_with_heap(const char *specification, uint64_t heap_bytes, char *out,
                                  size_t out_size)
{
    const char *value = written_heap(specification);
    size_t kept = strlen(specification); /* the text before the option, or before its value */
    const char *between = strchr(specification, ':') != NULL ? ",heap=" : ":heap=";
    const char *rest = "";
    if (value != NULL) {
        kept = (size_t)(value - specification);
        between = "";
        rest = value + strcspn(value, ",)");
    } else if (kept > 0 && specification[kept - 1] == ')') {
        kept--;
        between = specification[kept - 1] == '(' ? "heap=" : ",heap=";
        rest = ")";
    }
    int needed = snprintf(out, out_size, "%.*s%s%llu%s", (int)kept, specification, between,
                          (unsigned long long)heap_bytes, rest);
    return needed >= 0 && (size_t)needed < out_size;
}

bool node_specification_has(const char *specification, enum node_allocator_flags flag)
{
    struct node_specification parsed;
    struct node_allocator_error error;
    bool has = false;
    if (node_specification_parse(specification, &parsed, &error)) {
        for (size_t i = 0; i < parsed.level_count; i++) {
            has = has || (parsed.levels[i].type->flags & flag) != 0;
        }
    }
    return has;
}

/* True if an option of that kind names a file. */
static bool is_file(enum node_option_kind kind, const char *text)
{
    return kind == NODE_OPTION_LIBRARY ? strchr(text, '/') != NULL
                                       : kind >= NODE_OPTION_OUTPUT && text[0] != '\0';
}

bool node_specification_file(const char *list, size_t index, char *path, size_t path_size,
                             bool *is_written)
{
    for (size_t length; *list != '\0'; list += length + (list[length] == ',')) {
        char one[512];
        struct node_specification parsed;
        struct node_allocator_error error;
        length = node_specification_length(list);
        snprintf(one, sizeof(one), "%.*s", (int)length, list);
        const bool is_legal = node_specification_parse(one, &parsed, &error);
        for (size_t level = 0; is_legal && level < parsed.level_count; level++) {
            const struct node_option *option = parsed.levels[level].type->options;
            for (size_t i = 0; option != NULL && option[i].name != NULL; i++) {
                const char *text = parsed.levels[level].values[i].text;
                if (is_file(option[i].kind, text) && index-- == 0) {
                    snprintf(path, path_size, "%s", text);
                    *is_written = option[i].kind == NODE_OPTION_OUTPUT;
                    return true;
                }
            }
        }
    }
    return false;
}

size_t node_specification_length(const char *list)
{
    int depth = 0;
    size_t length = 0;
    for (; list[length] != '\0'; length++) {
        depth += (list[length] == '(') - (list[length] == ')');
        if (list[length] != ',' || depth > 0) {
            continue;
        }
        const char *next = list + length + 1;
        if (next[strcspn(next, "=:(,")] != '=') { /* not an option of the one before */
            break;
        }
    }
    pw_assert(list[length] == '\0' || list[length] == ',');
    return length;
}
