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

static const char graph_prefix[] = "generate:";
static const char graph_parts[] = "nodes=N, edges=N, seed=N or the size wikipedia";
static const char pairs_prefix[] = "random:";
static const char pairs_parts[] = "COUNT or seed=N";

/* A number of a specification, filled with its default. */
struct field {
    const char *key;  /* "" for a value alone */
    const char *name; /* for messages */
    uint64_t min, max, value;
    uint64_t wikipedia; /* the value that the part "wikipedia" gives to this field and the next */
    bool given;
};

static bool has_prefix(const char *spec, const char *prefix)
{
    return strncmp(spec, prefix, strlen(prefix)) == 0;
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
static bool read_part(const char *spec, const char *parts, struct field *fields, size_t count,
                      const char *part, size_t length, struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    const char *equals = memchr(part, '=', length);
    size_t key_length = equals != NULL ? (size_t)(equals - part) : 0;
    const char *value = equals != NULL ? equals + 1 : part;
    for (size_t i = 0; i < count && equals != part; i++) {
        if (text_is(part, key_length, fields[i].key)) {
            return read_field(spec, &fields[i], value, length - (size_t)(value - part), error);
        }
    }
    if (fields[0].wikipedia == 0 || !text_is(part, length, "wikipedia") || fields[0].given ||
        fields[1].given) {
        return graph_fail(error, spec, "expected %s, found %s", parts,
                          graph_quote(quoted, part, length));
    }
    for (size_t i = 0; i < 2; i++) {
        fields[i].value = fields[i].wikipedia;
        fields[i].given = true;
    }
    return true;
}

/* parts: what may follow the prefix, for messages. */
static bool read_spec(const char *spec, const char *prefix, const char *parts, struct field *fields,
                      size_t count, struct graph_error *error)
{
    *error = (struct graph_error){0};
    if (!has_prefix(spec, prefix)) {
        return graph_fail(error, spec, "expected %s and then %s", prefix, parts);
    }
    const char *part = spec + strlen(prefix);
    bool more = *part != '\0';
    while (more) {
        size_t length = strcspn(part, ",");
        if (!read_part(spec, parts, fields, count, part, length, error)) {
            return false;
        }
        more = part[length] == ',';
        part += length + 1;
    }
    return true;
}

uint64_t graph_generate_default_edges(uint32_t nodes)
{
    return nodes * GRAPH_WIKIPEDIA_EDGES / GRAPH_WIKIPEDIA_NODES; /* below 2^58 */
}

bool graph_generate_is_spec(const char *spec)
{
    return has_prefix(spec, graph_prefix);
}

bool graph_generate_parse(const char *spec, struct graph_generate_options *options,
                          struct graph_error *error)
{
    struct field fields[] = {
        {"nodes", "nodes", 1, GRAPH_NODE_MAX, NODES_DEFAULT, GRAPH_WIKIPEDIA_NODES, false},
        {"edges", "edges", 0, UINT64_MAX, 0, GRAPH_WIKIPEDIA_EDGES, false},
        {"seed", "seed", 0, UINT64_MAX, 1, 0, false}};
    if (!read_spec(spec, graph_prefix, graph_parts, fields, COUNT_OF(fields), error)) {
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
    return has_prefix(spec, pairs_prefix);
}

bool pairs_generate_parse(const char *spec, struct pairs_generate_options *options,
                          struct graph_error *error)
{
    struct field fields[] = {{"", "the number of pairs", 1, UINT32_MAX, PAIRS_DEFAULT, 0, false},
                             {"seed", "seed", 0, UINT64_MAX, 1, 0, false}};
    if (!read_spec(spec, pairs_prefix, pairs_parts, fields, COUNT_OF(fields), error)) {
        return false;
    }
    *options =
        (struct pairs_generate_options){.count = (size_t)fields[0].value, .seed = fields[1].value};
    return true;
}
