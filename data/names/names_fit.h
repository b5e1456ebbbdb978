/*
 * names_fit.h - which node each name is for, once the ids of the graph are known.
 */
#pragma once

#include "data/graph/graph.h"

struct names_fit {
    struct graph_names *names; /* not NULL; their first_id is set */
    bool have_ids;             /* their file says whose they are, in first_id */
    const struct graph_options *options;
    bool is_told;            /* the graph's file declares how many nodes it has */
    uint64_t told_nodes;     /* a comment of it does, or 0 */
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
