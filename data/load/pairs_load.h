/*
 * pairs_load.h - loads the pairs to search from a file: compressed or not, by id or by name.
 */
#pragma once

#include "data/graph/graph_options.h"
#include "data/read/pairs.h"

/*
 * Read pairs from a file and check that each names two nodes of the graph. Names may be spelt as
 * data/names/name_finder.h forgives.
 * pairs: filled on success, zeroed on failure; the caller frees it with pairs_free.
 * Returns false with error set ("pairs.txt:3: target 12 is outside 1..10").
 */
bool pairs_load(const char *path, const struct graph *graph, struct pairs *pairs,
                struct graph_error *error);

/* The same; refuses pairs that take more memory than options allow for a load. */
bool pairs_load_within(const char *path, const struct graph *graph,
                       const struct graph_options *options, struct pairs *pairs,
                       struct graph_error *error);

/*
 * The same, pair by pair: from a pipe each as it comes; after each the note of the pairs is on this
 * one. options->cancel ends it. The graph and the pairs are used until the stream is closed. NULL
 * with error set.
 */
struct pairs_stream *pairs_stream_open(const char *path, const struct graph *graph,
                                       const struct graph_options *options, struct pairs *pairs,
                                       struct graph_error *error);

/* Append the next pair to the pairs. False at the end, or with error set on failure. */
bool pairs_stream_next(struct pairs_stream *stream, struct graph_error *error);

/* The pairs stay. NULL is fine. */
void pairs_stream_close(struct pairs_stream *stream);

/* A node as somebody writes it, and where: such as "--from", for messages. */
struct node_text {
    const char *place, *text;
};

/*
 * The one pair of two texts, spelt as in a file. target->text NULL: the source and itself. What was
 * forgiven is a note of options. pairs and errors: as pairs_load.
 */
bool pairs_load_question(const struct node_text *source, const struct node_text *target,
                         const struct graph *graph, const struct graph_options *options,
                         struct pairs *pairs, struct graph_error *error);

/* True if options allow the memory of that many pairs. place: for the message. False with error
 * set. */
bool pairs_load_allows(uint64_t count, const struct graph_options *options, const char *place,
                       struct graph_error *error);
