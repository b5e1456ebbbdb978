/*
 * generate_spec.c - parses "generate:nodes=400k,edges=5M,seed=1" and "random:100,seed=7".
 *
 * A model other than Wikipedia's is named first: "generate:kronecker,scale=16".
 * Parts are separated by commas, in any order, each at most once; anything else is an error.
 */
#include "base/macros.h"
#include "base/number.h"
#include "generate.h"
#include <stdio.h>
#include <string.h>

#define PAIRS_DEFAULT 100
#define EDGES_MAX     (UINT64_MAX - 1) /* the next number means: as the model says */

static const char graph_prefix[] = "generate:";
static const char graph_parts[] =
    "nodes=N, edges=N, seed=N or the size wikipedia, or first kronecker, uniform or grid";
static const char pairs_prefix[] = "random:";
static const char pairs_parts[] = "COUNT, seed=N or targets=N";

/* A number of a specification; it starts with its default. */
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

bool graph_generate_is_spec(const char *spec)
{
    return has_prefix(spec, graph_prefix);
}

/* Set the size of a Wikipedia or uniform graph; edges: UINT64_MAX for the model's own number. */
static void set_size(struct graph_generate_options *options, uint64_t nodes, uint64_t edges)
{
    const uint64_t own = options->model == GRAPH_MODEL_UNIFORM
                             ? nodes * GRAPH_EDGES_PER_NODE
                             : nodes * GRAPH_WIKIPEDIA_EDGES / GRAPH_WIKIPEDIA_NODES;
    options->nodes = (uint32_t)nodes; /* of 32 bits, so that the product is below 2^58 */
    options->edges = edges != UINT64_MAX ? edges : own;
}

/* Set the size of a Kronecker graph: 2^scale nodes, 16 edges per node. */
static void set_scale(struct graph_generate_options *options, unsigned scale)
{
    options->nodes = UINT32_C(1) << scale;
    options->edges = (uint64_t)GRAPH_EDGES_PER_NODE << scale;
}

/* Set the size of a grid. False when it has too many nodes. */
static bool set_grid(struct graph_generate_options *options, uint64_t rows, uint64_t columns)
{
    if (rows > GRAPH_NODE_MAX / columns) {
        return false;
    }
    options->nodes = (uint32_t)(rows * columns);
    options->columns = (uint32_t)columns;
    return true;
}

/* Read the parts after a model's name. */
static bool parse_model(const char *spec, const char *prefix,
                        struct graph_generate_options *options, struct graph_error *error)
{
    static const char *const parts[] = {graph_parts, "scale=N, seed=N", "nodes=N, edges=N, seed=N",
                                        "rows=N, columns=N"};
    struct field wikipedia[] = {
        {"nodes", "nodes", 1, GRAPH_NODE_MAX, GRAPH_NODES_DEFAULT, GRAPH_WIKIPEDIA_NODES, false},
        {"edges", "edges", 0, EDGES_MAX, 0, GRAPH_WIKIPEDIA_EDGES, false},
        {"seed", "seed", 0, UINT64_MAX, 1, 0, false}};
    struct field kronecker[] = {
        {"scale", "scale", 1, GRAPH_KRONECKER_SCALE_MAX, GRAPH_SCALE_DEFAULT, 0, false},
        {"seed", "seed", 0, UINT64_MAX, 1, 0, false}};
    struct field uniform[] = {{"nodes", "nodes", 1, GRAPH_NODE_MAX, GRAPH_NODES_DEFAULT, 0, false},
                              {"edges", "edges", 0, EDGES_MAX, 0, 0, false},
                              {"seed", "seed", 0, UINT64_MAX, 1, 0, false}};
    struct field grid[] = {{"rows", "rows", 1, GRAPH_NODE_MAX, GRAPH_ROWS_DEFAULT, 0, false},
                           {"columns", "columns", 1, GRAPH_NODE_MAX, 0, 0, false}};
    struct field *const fields[] = {wikipedia, kronecker, uniform, grid};
    struct field *field = fields[options->model];
    const bool has_size =
        options->model == GRAPH_MODEL_WIKIPEDIA || options->model == GRAPH_MODEL_UNIFORM;
    if (!read_spec(spec, prefix, parts[options->model], field, has_size ? 3 : 2, error)) {
        return false;
    }
    uint64_t first = field[0].value, second = field[1].value;
    switch (options->model) {
    case GRAPH_MODEL_WIKIPEDIA:
    case GRAPH_MODEL_UNIFORM:
        options->seed = field[2].value;
        set_size(options, first, field[1].given ? second : UINT64_MAX);
        return true;
    case GRAPH_MODEL_KRONECKER:
        options->seed = second;
        set_scale(options, (unsigned)first);
        return true;
    default:
        return set_grid(options, first, field[1].given ? second : first) ||
               graph_fail(error, spec, "more than %lu nodes", (unsigned long)GRAPH_NODE_MAX);
    }
}

bool graph_generate_parse(const char *spec, struct graph_generate_options *options,
                          struct graph_error *error)
{
    /* In the order of enum graph_model. */
    static const char *const models[] = {NULL, "generate:kronecker", "generate:uniform",
                                         "generate:grid"};
    struct graph_generate_options read = {.model = GRAPH_MODEL_WIKIPEDIA};
    char prefix[32];
    snprintf(prefix, sizeof(prefix), "%s", graph_prefix);
    for (unsigned i = 1; i < COUNT_OF(models); i++) {
        size_t length = strlen(models[i]);
        if (strncmp(spec, models[i], length) == 0 &&
            (spec[length] == '\0' || spec[length] == ',')) {
            read.model = (enum graph_model)i;
            bool more = spec[length] == ',' && spec[length + 1] != '\0';
            snprintf(prefix, sizeof(prefix), "%.*s", (int)length + more, spec);
        }
    }
    bool done = parse_model(spec, prefix, &read, error);
    *options = done ? read : *options;
    return done;
}

bool pairs_generate_is_spec(const char *spec)
{
    return has_prefix(spec, pairs_prefix);
}

bool pairs_generate_parse(const char *spec, struct pairs_generate_options *options,
                          struct graph_error *error)
{
    struct field fields[] = {{"", "the number of pairs", 1, UINT32_MAX, PAIRS_DEFAULT, 0, false},
                             {"seed", "seed", 0, UINT64_MAX, 1, 0, false},
                             {"targets", "the targets per source", 1, UINT32_MAX, 1, 0, false}};
    if (!read_spec(spec, pairs_prefix, pairs_parts, fields, COUNT_OF(fields), error)) {
        return false;
    }
    *options = (struct pairs_generate_options){.count = (size_t)fields[0].value,
                                               .seed = fields[1].value,
                                               .targets = (size_t)fields[2].value};
    return true;
}
