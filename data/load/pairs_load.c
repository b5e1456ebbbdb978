/*
 * pairs_load.c - lends the finder of names to the reader of pairs.
 */
#include "pairs_load.h"
#include "data/names/name_finder.h"
#include "data/read/load_memory.h"
#include "load_aids.h"
#include <assert.h>

static_assert(PAIR_MESSAGE_SIZE >= NAME_MESSAGE_SIZE, "the finder's text fits a message");

static bool open_finder(void *context, const struct graph *graph)
{
    return name_finder_open(context, graph);
}

static enum pair_node find_node(void *context, const char *text, size_t length, uint32_t *node,
                                bool is_noted, char message[PAIR_MESSAGE_SIZE])
{
    struct name_finder *finder = context;
    switch (name_finder_find(finder, text, length, node)) {
    case NAME_EXACT:
        return PAIR_NODE_EXACT;
    case NAME_FORGIVEN:
        if (!is_noted) {
            name_finder_note(finder, text, length, *node, message);
        }
        return PAIR_NODE_FORGIVEN;
    default:
        name_finder_explain(finder, text, length, message);
        return PAIR_NODE_UNKNOWN;
    }
}

static void close_finder(void *context)
{
    name_finder_close(context);
}

static bool load_pairs(const char *path, const struct graph *graph, uint64_t memory_limit,
                       struct pairs *pairs, struct graph_error *error)
{
    struct name_finder names;
    const struct pair_finder finder = {open_finder, find_node, close_finder, &names, memory_limit};
    return pairs_read(path, graph, &load_decoder, &finder, pairs, error);
}

bool pairs_load(const char *path, const struct graph *graph, struct pairs *pairs,
                struct graph_error *error)
{
    return load_pairs(path, graph, 0, pairs, error);
}

bool pairs_load_within(const char *path, const struct graph *graph,
                       const struct graph_options *options, struct pairs *pairs,
                       struct graph_error *error)
{
    return load_pairs(path, graph, graph_memory_limit(options), pairs, error);
}

bool pairs_load_allows(uint64_t count, const struct graph_options *options, const char *place,
                       struct graph_error *error)
{
    return pairs_fit_memory(count, graph_memory_limit(options), place, error);
}
