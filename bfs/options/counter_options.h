/*
 * counter_options.h - the options of bfs that have to do with counters.
 */
#ifndef PW_COUNTER_OPTIONS_H
#define PW_COUNTER_OPTIONS_H

#include "perf/program/command_line.h"

struct counter_options {
    const char *specification; /* metrics.h: "auto", "none", groups and events */
    bool passes;               /* a search once more for every group of counters */
    bool required;             /* a counter without a value fails the run */
    const char *simulation;    /* cache_geometry.h: "host", "pi4", ...; NULL: none */
    uint64_t simulation_limit_ns;
    uint64_t
        simulation_nodes; /* simulate on a graph of so many nodes; 0: chosen to fit the limit */
};

/* A part of the program's table of options. */
extern const struct command_group counter_group;

#endif
