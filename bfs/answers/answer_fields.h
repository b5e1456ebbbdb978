/*
 * answer_fields.h - the fields of an answer: computed here, written by answer_json.h.
 * README.md says what each means.
 */
#pragma once

#include "answer.h"
#include "base/report/report.h"

#define ANSWER_FIELDS_MAX 24

/* What a field is. */
enum answer_field_kind {
    ANSWER_FIELD,          /* null if it is not known */
    ANSWER_FIELD_OPTIONAL, /* left out if it is not known */
    ANSWER_FIELD_NODES,    /* an array of names */
    ANSWER_FIELD_PAGES,    /* an array of their page ids; left out if the graph has no page ids */
};

struct answer_field {
    const char *name;
    enum answer_field_kind kind;
    struct report_value value; /* of the first two kinds */
};

/* The texts that the values point to. */
struct answer_texts {
    char from[PWGRAPH_TEXT_SIZE], to[PWGRAPH_TEXT_SIZE];
    char wiki[PWGRAPH_TEXT_SIZE], date[PWGRAPH_TEXT_SIZE];
};

/* The fields of an answer, in their order. Returns how many. */
size_t answer_fields(const struct pwgraph *graph, const struct answer *answer,
                     struct answer_texts *texts, struct answer_field fields[ANSWER_FIELDS_MAX]);

/* The fields of the distances from a node, but for the counts of nodes, which come first.
 * avoided_count: nodes that were avoided. note: how the node was spelt, or NULL. */
size_t answer_histogram_fields(const struct answer_distances *distances, size_t avoided_count,
                               const char *note, struct answer_texts *texts,
                               struct answer_field fields[ANSWER_FIELDS_MAX]);

/* The number of all shortest paths: an integer, or from 2^64 - 1 on a text, as
 * of pwgraph.h. */
struct report_value answer_path_count(uint64_t count, const char *digits);
