/*
 * generate_spec.c - "generate:nodes=400k,edges=5M,seed=1" and "random:100,seed=7" into options.
 *
 * Parts are separated by commas, given at most once, in any order; nothing else is accepted.
 */
#include "generate.h"

#include "base/number.h"
#include "data/graph/graph_error.h"

#include <string.h>

#define GRAPH_PREFIX  "generate:"
#define PAIRS_PREFIX  "random:"
#define NODES_DEFAULT 400000
#define PAIRS_DEFAULT 100

/* One part of a spec: "key=value", or a value alone (key_length 0). */
struct part {
    const char *key, *value;
    size_t key_length, value_length;
};

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Take the next part; false at the end. cursor: NULL once the last part was taken. */
static bool next_part(const char **cursor, struct part *part)
{
    if (*cursor == NULL) {
        return false;
    }
    size_t length = strcspn(*cursor, ",");
    const char *equals = memchr(*cursor, '=', length);
    part->key = *cursor;
    part->key_length = equals != NULL ? (size_t)(equals - *cursor) : 0;
    part->value = equals != NULL ? equals + 1 : *cursor;
    part->value_length = length - (size_t)(part->value - *cursor);
    *cursor = (*cursor)[length] == ',' ? *cursor + length + 1 : NULL;
    return true;
}

static bool key_is(const struct part *part, const char *key)
{
    return part->key_length == strlen(key) && memcmp(part->key, key, part->key_length) == 0;
}

/* Read a number within limits, once. */
static bool read_number(const struct part *part, const char *name, uint64_t min, uint64_t max,
                        const char *spec, bool *given, uint64_t *number, struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    if (*given) {
        return graph_fail(error, spec, "%s is given twice", name);
    }
    *given = true;
    if (!number_read(part->value, part->value_length, NUMBER_COUNT, number)) {
        return graph_fail(error, spec, "%s must be a whole number like 400000 or 400k, found %s",
                          name, graph_quote(quoted, part->value, part->value_length));
    }
    if (*number < min || *number > max) {
        return graph_fail(error, spec, "%s %llu is outside %llu..%llu", name,
                          (unsigned long long)*number, (unsigned long long)min,
                          (unsigned long long)max);
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
    return starts_with(spec, GRAPH_PREFIX);
}

bool graph_generate_parse(const char *spec, struct graph_generate_options *options,
                          struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    uint64_t nodes = NODES_DEFAULT, edges = 0, seed = 1;
    bool has_nodes = false, has_edges = false, has_seed = false;
    *error = (struct graph_error){0};
    if (!graph_generate_is_spec(spec)) {
        return graph_fail(error, spec, "expected " GRAPH_PREFIX "nodes=N,edges=N,seed=N");
    }
    const char *cursor = spec + strlen(GRAPH_PREFIX);
    struct part part;
    cursor = *cursor ? cursor : NULL;
    while (next_part(&cursor, &part)) {
        bool ok;
        if (key_is(&part, "nodes")) {
            ok = read_number(&part, "nodes", 1, GRAPH_NODE_MAX, spec, &has_nodes, &nodes, error);
        } else if (key_is(&part, "edges")) {
            ok = read_number(&part, "edges", 0, UINT64_MAX, spec, &has_edges, &edges, error);
        } else if (key_is(&part, "seed")) {
            ok = read_number(&part, "seed", 0, UINT64_MAX, spec, &has_seed, &seed, error);
        } else if (part.key_length == 0 && part.value_length == strlen("wikipedia") &&
                   memcmp(part.value, "wikipedia", part.value_length) == 0 && !has_nodes &&
                   !has_edges) {
            nodes = GRAPH_WIKIPEDIA_NODES;
            edges = GRAPH_WIKIPEDIA_EDGES;
            ok = has_nodes = has_edges = true;
        } else {
            size_t length = (size_t)(part.value - part.key) + part.value_length;
            ok = graph_fail(error, spec,
                            "expected nodes=N, edges=N, seed=N or the size wikipedia, found %s",
                            graph_quote(quoted, part.key, length));
        }
        if (!ok) {
            return false;
        }
    }
    *options = (struct graph_generate_options){
        .nodes = (uint32_t)nodes,
        .edges = has_edges ? edges : graph_generate_default_edges((uint32_t)nodes),
        .seed = seed,
    };
    return true;
}

bool pairs_generate_is_spec(const char *spec)
{
    return starts_with(spec, PAIRS_PREFIX);
}

bool pairs_generate_parse(const char *spec, struct pairs_generate_options *options,
                          struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    uint64_t count = PAIRS_DEFAULT, seed = 1;
    bool has_count = false, has_seed = false;
    *error = (struct graph_error){0};
    if (!pairs_generate_is_spec(spec)) {
        return graph_fail(error, spec, "expected " PAIRS_PREFIX "COUNT,seed=N");
    }
    const char *cursor = spec + strlen(PAIRS_PREFIX);
    struct part part;
    cursor = *cursor ? cursor : NULL;
    while (next_part(&cursor, &part)) {
        bool ok;
        if (key_is(&part, "seed")) {
            ok = read_number(&part, "seed", 0, UINT64_MAX, spec, &has_seed, &seed, error);
        } else if (part.key_length == 0 && part.key == part.value) {
            ok = read_number(&part, "the number of pairs", 1, UINT32_MAX, spec, &has_count, &count,
                             error);
        } else {
            size_t length = (size_t)(part.value - part.key) + part.value_length;
            ok = graph_fail(error, spec, "expected COUNT or seed=N, found %s",
                            graph_quote(quoted, part.key, length));
        }
        if (!ok) {
            return false;
        }
    }
    *options = (struct pairs_generate_options){.count = (size_t)count, .seed = seed};
    return true;
}
