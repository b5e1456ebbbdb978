/*
 * counter_options.h - the options of bfs for processor counters, measured or simulated.
 */
#pragma once

#include "base/program/command_line.h"

struct counter_options {
    const char *specification; /* metrics.h: "auto", "none", groups and events */
    bool passes;               /* one pass over a search for every group of counters */
    bool required;             /* a counter without a value fails the run */
    const char *simulation;    /* cache_geometry.h: "host", "pi4", ...; NULL: none */
    uint64_t simulation_limit_ns;
    uint64_t simulation_nodes; /* size of the graph to simulate on; 0: what the limit allows */
};

extern const struct option_row counter_rows[];
