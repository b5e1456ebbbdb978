/*
 * answer_json.h - an answer as one object of JSON, on one line: of --format=json.
 * README.md says what each field means.
 *
 * Nothing here ends the line. A stream that fails is left for its owner to find.
 */
#pragma once

#include "answer_fields.h"

/* An answer, with all that asker_complete adds. */
void answer_json(FILE *out, const struct pwgraph *graph, const struct answer *answer);

/* An answer with the first list_limit of all its shortest paths, and their exact number. False when
 * out of memory. */
bool answer_json_all(FILE *out, const struct pwgraph *graph, const struct answer *answer,
                     const struct pwgraph_paths *paths, uint64_t list_limit);

/* The nodes at each distance from one. avoided_count: nodes that were avoided.
 * note: how the node was spelt, if not as its name; else NULL. */
void answer_json_histogram(FILE *out, const struct answer_distances *distances,
                           size_t avoided_count, const char *note);
