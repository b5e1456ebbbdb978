/*
 * pairs_load.c - lends the finder of names to the reader of pairs.
 */
#include "pairs_load.h"
#include "data/names/name_finder.h"
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

bool pairs_load(const char *path, const struct graph *graph, struct pairs *pairs,
                struct graph_error *error)
{
    struct name_finder names;
    const struct pair_finder finder = {open_finder, find_node, close_finder, &names};
    return pairs_read(path, graph, &load_decoder, &finder, pairs, error);
}
