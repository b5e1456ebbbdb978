/*
 * counter_options.c - --counters, --sim and related options.
 */
#include "counter_options.h"
#include "counters/cache_geometry.h"

#define FLAG(member) OPTION_FLAG(struct counter_options, member)

const struct option_row counter_rows[] = {
    {"counters", 'c', "SPEC",
     "processor counters around each search: auto, none, a group (pointer-wars, memory, core) or "
     "events: cycles,{branches,branch-misses},r01c2; events in braces count at the same time "
     "(default: auto, the group pointer-wars where the machine has counters)",
     OPTION_TEXT(struct counter_options, specification)},
    {"passes", 0, NULL,
     "run each search once for every group of counters, instead of sharing the processor's "
     "counters among them; its time is taken in the first pass",
     FLAG(passes)},
    {"require-counters", 0, NULL, "fail when a counter has no value", FLAG(required)},
    {"sim", 0, "[CACHES]",
     "simulate the processor (under Valgrind) instead of measuring: loads, cache hits, "
     "branches. " CACHES_HELP,
     OPTION_CACHES(struct counter_options, simulation)},
    {"sim-limit", 0, "SECONDS",
     "simulate as many searches as fit this time, on a smaller graph if one search does not fit "
     "(default: 300)",
     OPTION_SECONDS(struct counter_options, simulation_limit_ns)},
    {"sim-nodes", 0, "N",
     "simulate on the graph reduced to N nodes (default: as large as the limit allows)",
     OPTION_NUMBER(struct counter_options, simulation_nodes, 1, UINT32_MAX)},
    {0},
};
