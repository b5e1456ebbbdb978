/*
 * search_options.h - the options of bfs-mpi for the searches.
 */
#pragma once

#include "base/program/command_line.h"

struct search_options {
    const char *engine;    /* a name; NULL: the default */
    const char *from, *to; /* one question, in names or ids; NULL: PAIRS */
    bool path;
    unsigned threads; /* of each rank; 0: one */
    uint64_t timeout_ns;
};

extern const struct option_row search_rows[];
