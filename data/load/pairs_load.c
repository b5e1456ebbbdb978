/*
 * pairs_load.c - lends the finder of names to the reader of pairs.
 */
#include "pairs_load.h"
#include "data/graph/graph_blocks.h"
#include "data/names/name_finder.h"
#include "data/read/load_memory.h"
#include "data/table/pair_table.h"
#include "load_aids.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(PAIR_MESSAGE_SIZE >= NAME_MESSAGE_SIZE, "the finder's text fits a message");

/* Open a finder that keeps to the options. */
static bool open_finder(struct name_finder *finder, const struct graph *graph,
                        const struct graph_options *options)
{
    if (!name_finder_open(finder, graph)) {
        return false;
    }
    finder->threads = options->threads;
    finder->memory_limit = graph_memory_limit(options);
    return true;
}

/* A finder as it is lent, and the options it keeps to. */
struct lent_finder {
    struct name_finder names;
    const struct graph_options *options;
};

static bool open_lent(void *context, const struct graph *graph)
{
    struct lent_finder *lent = context;
    return open_finder(&lent->names, graph, lent->options);
}

static enum pair_node find_node(void *context, const char *text, size_t length, uint32_t *node,
                                char message[PAIR_MESSAGE_SIZE])
{
    struct lent_finder *lent = context;
    struct name_match match;
    const enum name_fit fit =
        name_finder_find(&lent->names, text, length, lent->options->cancel, &match);
    if (fit != NAME_EXACT) {
        snprintf(message, PAIR_MESSAGE_SIZE, "%s",
                 fit == NAME_NO_MEMORY ? "out of memory" : match.message);
    }
    if (fit == NAME_EXACT || fit == NAME_FORGIVEN) {
        *node = match.node;
        return fit == NAME_EXACT ? PAIR_NODE_EXACT : PAIR_NODE_FORGIVEN;
    }
    return PAIR_NODE_UNKNOWN;
}

static void close_finder(void *context)
{
    name_finder_close(&((struct lent_finder *)context)->names);
}

static struct pair_finder lend(struct lent_finder *lent, uint64_t memory_limit)
{
    return (struct pair_finder){.open = open_lent,
                                .find = find_node,
                                .close = close_finder,
                                .context = lent,
                                .tables = &pair_table,
                                .columns = lent->options->columns,
                                .memory_limit = memory_limit};
}

static bool load_pairs(const char *path, const struct graph *graph,
                       const struct graph_options *options, uint64_t memory_limit,
                       struct pairs *pairs, struct graph_error *error)
{
    struct lent_finder lent = {.options = options};
    const struct pair_finder finder = lend(&lent, memory_limit);
    return pairs_read(path, graph, &load_decoder, &finder, pairs, error);
}

bool pairs_load(const char *path, const struct graph *graph, struct pairs *pairs,
                struct graph_error *error)
{
    static const struct graph_options any = {.threads = 0};
    return load_pairs(path, graph, &any, 0, pairs, error);
}

bool pairs_load_within(const char *path, const struct graph *graph,
                       const struct graph_options *options, struct pairs *pairs,
                       struct graph_error *error)
{
    return load_pairs(path, graph, options, graph_memory_limit(options), pairs, error);
}

/* A reader of pairs as they come, and what it was lent. */
struct pairs_stream {
    struct graph_options options;
    struct lent_finder lent;
    struct pair_finder finder;
    struct pair_reader *reader;
    struct pairs *pairs;
    struct graph_error error;
};

struct pairs_stream *pairs_stream_open(const char *path, const struct graph *graph,
                                       const struct graph_options *options, struct pairs *pairs,
                                       struct graph_error *error)
{
    struct pairs_stream *stream = malloc(sizeof(*stream));
    if (stream == NULL) {
        graph_fail(error, path, "out of memory");
        return NULL;
    }
    stream->options = *options;
    stream->lent = (struct lent_finder){.options = &stream->options};
    stream->finder = lend(&stream->lent, graph_memory_limit(options));
    stream->finder.cancel = options->cancel;
    stream->pairs = pairs;
    stream->reader = pairs_open(path, graph, &load_decoder, &stream->finder, pairs, &stream->error);
    if (stream->reader == NULL) {
        *error = stream->error;
        free(stream);
        return NULL;
    }
    return stream;
}

bool pairs_stream_next(struct pairs_stream *stream, struct graph_error *error)
{
    stream->pairs->note[0] = '\0';
    const bool has_one = pairs_next(stream->reader);
    pairs_end_note(stream->reader);
    *error = stream->error;
    return has_one;
}

void pairs_stream_close(struct pairs_stream *stream)
{
    if (stream != NULL) {
        pairs_close(stream->reader);
        free(stream);
    }
}

static bool fail_short(const char *place, struct graph_error *error)
{
    return graph_fail(error, place, "out of memory for the names");
}

/* The node that a text names; another spelling of its name is noted. */
static bool find_text(struct name_finder *finder, const char *place, const char *text,
                      size_t length, const struct graph_options *options, uint32_t *node,
                      struct graph_error *error)
{
    char note[NAME_MESSAGE_SIZE + 32];
    struct name_match match;
    const enum name_fit fit = name_finder_find(finder, text, length, options->cancel, &match);
    *node = match.node;
    if (fit == NAME_FORGIVEN && options->note != NULL) {
        snprintf(note, sizeof(note), "%.30s: %s", place, match.message);
        options->note(options->context, note, GRAPH_REMEDY_NONE);
    }
    if (fit == NAME_NO_MEMORY) {
        return fail_short(place, error);
    }
    return fit != NAME_UNKNOWN || graph_fail(error, place, "%s", match.message);
}

static bool find_named(struct name_finder *finder, const struct node_text *asked,
                       const struct graph_options *options, uint32_t *node,
                       struct graph_error *error)
{
    return find_text(finder, asked->place, asked->text, strlen(asked->text), options, node, error);
}

bool pairs_load_question(const struct node_text *source, const struct node_text *target,
                         const struct graph *graph, const struct graph_options *options,
                         struct pairs *pairs, struct graph_error *error)
{
    struct name_finder finder;
    struct graph_error damage = {0};
    struct pair *pair = malloc(sizeof(*pair));
    *pairs = (struct pairs){.count = 0};
    if (pair == NULL || !open_finder(&finder, graph, options)) {
        free(pair);
        snprintf(error->message, sizeof(error->message), "out of memory for the nodes' names");
        return false;
    }
    bool found = find_named(&finder, source, options, &pair->source, error);
    pair->target = pair->source;
    if (target->text != NULL) {
        found = found && find_named(&finder, target, options, &pair->target, error);
    }
    name_finder_close(&finder);
    if (graph_is_damaged(graph, &damage)) {
        *error = damage; /* no name was looked for as it should be */
        found = false;
    }
    if (!found) {
        free(pair);
        return false;
    }
    *pairs = (struct pairs){.count = 1, .items = pair};
    return true;
}

bool pairs_load_allows(uint64_t count, const struct graph_options *options, const char *place,
                       struct graph_error *error)
{
    return pairs_fit_memory(count, graph_memory_limit(options), place, error);
}
