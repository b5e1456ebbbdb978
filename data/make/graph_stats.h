/*
 * graph_stats.h - statistics of a graph: degrees, repeats, components.
 */
#pragma once

#include "data/graph/graph.h"

#define GRAPH_DEGREE_CLASSES 34 /* 0, 1, 2..3, 4..7, ..., 2^32 and more */

struct graph_stats {
    uint64_t out_degree_max, in_degree_max;
    uint64_t out_degrees[GRAPH_DEGREE_CLASSES]; /* nodes in each class of degrees */
    uint64_t in_degrees[GRAPH_DEGREE_CLASSES];
    uint64_t self_loops;
    uint64_t duplicates; /* entries of a list equal to an earlier entry */
    uint64_t sources;    /* nodes without in-edges */
    uint64_t sinks;      /* nodes without out-edges */
    uint64_t isolated;   /* nodes without either */
    uint64_t strong_component_max, strong_components;
    uint64_t weak_component_max, weak_components;
};

/* Compute what follows from degrees alone. False when out of memory. *stats must be zeroed. */
bool graph_stats_degrees(const struct graph *graph, struct graph_stats *stats);

/*
 * Compute all statistics. Returns false with error set when out of memory. Cost: 28 bytes per node,
 * O(nodes + edges).
 */
bool graph_stats_collect(const struct graph *graph, struct graph_stats *stats,
                         struct graph_error *error);
