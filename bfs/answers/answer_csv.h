/*
 * answer_csv.h - an answer as a table of CSV: what --format=csv prints of one question.
 *
 * Each function writes the whole table with its heading and flushes. False with errno set: ENOMEM
 * when out of memory, else the error of writing.
 */
#pragma once

#include "answer_fields.h"

/* One row; with paths a row for each of the first list_limit of all shortest paths, and of the
 * longer ones. */
bool answer_csv(FILE *out, const struct pwgraph *graph, const struct answer *answer,
                const struct pwgraph_paths *paths, uint64_t list_limit);

/* A row per distance. */
bool answer_csv_histogram(FILE *out, const struct answer_distances *distances);
