/*
 * generate_spec.c - "generate:nodes=400k,edges=5M,seed=1" and "random:100,seed=7" into options.
 *
 * Parts are separated by commas, given at most once, in any order; nothing else is accepted.
 */
#include "base/macros.h"
#include "base/number.h"
#include "generate.h"
#include <string.h>

#define NODES_DEFAULT 400000
#define PAIRS_DEFAULT 100

/* A number of a spec, filled with its default. */
struct field {
    const char *key;  /* "" for a value alone */
    const char *name; /* for messages */
    uint64_t min, max, value;
    bool given;
};

struct form {
    const char *prefix;
    const char *example;  /* what may follow the prefix */
    const char *expected; /* the parts there are */
    const char *size;     /* a word for values of the first two fields, or NULL */
    uint64_t size_values[2];
};

static const struct form graph_form = {
    .prefix = "generate:",
    .example = "nodes=N,edges=N,seed=N",
    .expected = "nodes=N, edges=N, seed=N or the size wikipedia",
    .size = "wikipedia",
    .size_values = {GRAPH_WIKIPEDIA_NODES, GRAPH_WIKIPEDIA_EDGES},
};

static const struct form pairs_form = {
    .prefix = "random:", .example = "COUNT,seed=N", .expected = "COUNT or seed=N"};

static bool is_of_form(const struct form *form, const char *spec)
{
    return strncmp(spec, form->prefix, strlen(form->prefix)) == 0;
}

static bool text_is(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* Read a number within limits, once. */
static bool read_field(const char *spec, struct field *field, const char *value, size_t length,
                       struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    if (field->given) {
        return graph_fail(error, spec, "%s is given twice", field->name);
    }
    field->given = true;
    if (!number_read(value, length, NUMBER_COUNT, &field->value)) {
        return graph_fail(error, spec, "%s must be a whole number like 400000 or 400k, found %s",
                          field->name, graph_quote(quoted, value, length));
    }
    if (field->value < field->min || field->value > field->max) {
        return graph_fail(error, spec, "%s %llu is outside %llu..%llu", field->name,
                          (unsigned long long)field->value, (unsigned long long)field->min,
                          (unsigned long long)field->max);
    }
    return true;
}

/* Read one part: "key=value", a value alone, or the word for a size. */
static bool read_part(const char *spec, const struct form *form, struct field *fields, size_t count,
                      const char *part, size_t length, struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    const char *equals = memchr(part, '=', length);
    size_t key_length = equals != NULL ? (size_t)(equals - part) : 0;
    const char *value = equals != NULL ? equals + 1 : part;
    bool has_key = equals == NULL || key_length > 0;
    for (size_t i = 0; i < count && has_key; i++) {
        if (text_is(part, key_length, fields[i].key)) {
            return read_field(spec, &fields[i], value, length - (size_t)(value - part), error);
        }
    }
    if (form->size == NULL || !text_is(part, length, form->size) || fields[0].given ||
        fields[1].given) {
        return graph_fail(error, spec, "expected %s, found %s", form->expected,
                          graph_quote(quoted, part, length));
    }
    for (size_t i = 0; i < COUNT_OF(form->size_values); i++) {
        fields[i].value = form->size_values[i];
        fields[i].given = true;
    }
    return true;
}

static bool read_spec(const char *spec, const struct form *form, struct field *fields, size_t count,
                      struct graph_error *error)
{
    *error = (struct graph_error){0};
    if (!is_of_form(form, spec)) {
        return graph_fail(error, spec, "expected %s%s", form->prefix, form->example);
    }
    const char *part = spec + strlen(form->prefix);
    bool more = *part != '\0';
    while (more) {
        size_t length = strcspn(part, ",");
        if (!read_part(spec, form, fields, count, part, length, error)) {
            return false;
        }
        more = part[length] == ',';
        part += length + 1;
    }
    return true;
}

uint64_t graph_generate_default_edges(uint32_t nodes)
{
    uint64_t whole = nodes / GRAPH_WIKIPEDIA_NODES, rest = nodes % GRAPH_WIKIPEDIA_NODES;
    return whole * GRAPH_WIKIPEDIA_EDGES + rest * GRAPH_WIKIPEDIA_EDGES / GRAPH_WIKIPEDIA_NODES;
}

bool graph_generate_is_spec(const char *spec)
{
    return is_of_form(&graph_form, spec);
}

bool graph_generate_parse(const char *spec, struct graph_generate_options *options,
                          struct graph_error *error)
{
    struct field fields[] = {{"nodes", "nodes", 1, GRAPH_NODE_MAX, NODES_DEFAULT, false},
                             {"edges", "edges", 0, UINT64_MAX, 0, false},
                             {"seed", "seed", 0, UINT64_MAX, 1, false}};
    if (!read_spec(spec, &graph_form, fields, COUNT_OF(fields), error)) {
        return false;
    }
    uint32_t nodes = (uint32_t)fields[0].value;
    *options = (struct graph_generate_options){
        .nodes = nodes,
        .edges = fields[1].given ? fields[1].value : graph_generate_default_edges(nodes),
        .seed = fields[2].value,
    };
    return true;
}

bool pairs_generate_is_spec(const char *spec)
{
    return is_of_form(&pairs_form, spec);
}

bool pairs_generate_parse(const char *spec, struct pairs_generate_options *options,
                          struct graph_error *error)
{
    struct field fields[] = {{"", "the number of pairs", 1, UINT32_MAX, PAIRS_DEFAULT, false},
                             {"seed", "seed", 0, UINT64_MAX, 1, false}};
    if (!read_spec(spec, &pairs_form, fields, COUNT_OF(fields), error)) {
        return false;
    }
    *options =
        (struct pairs_generate_options){.count = (size_t)fields[0].value, .seed = fields[1].value};
    return true;
}
