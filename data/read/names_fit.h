/*
 * names_fit.h - which node each name is for, once the ids of the graph are known.
 */
#pragma once

#include "data/graph/graph_names.h"
#include "graph_header.h"

struct names_fit {
    struct graph_names *names; /* not NULL; their first_id is set */
    bool have_ids;             /* their file says whose they are, in first_id */
    const struct graph_options *options;
    const struct graph_format *format;
    const char *text;        /* the graph's file, for notes on names that stand there */
    uint32_t id_min, id_max; /* of the edges */
};

/*
 * Fit the names to the nodes from *first to *limit - 1: of the id that their file says, or in the
 * order of the ids. Both may change. Notes on repeated names. False with error set when they are
 * too many or too few.
 */
bool names_fit(const struct names_fit *fit, uint32_t *first, uint64_t *limit,
               struct graph_error *error);
