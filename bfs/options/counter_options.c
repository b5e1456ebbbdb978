/*
 * counter_options.c - --counters and what belongs to it.
 */
#include "counter_options.h"
#include "options.h"
#include "perf/counters/cache_geometry.h"

static bool set_counters(void *options, const char *value, struct command_error *error)
{
    (void)error;
    ((struct options *)options)->counters.specification = value;
    return true;
}

static bool set_passes(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    ((struct options *)options)->counters.passes = true;
    return true;
}

static bool set_required(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    ((struct options *)options)->counters.required = true;
    return true;
}

static bool set_simulation(void *options, const char *value, struct command_error *error)
{
    struct cache_geometry geometry;
    const char *name = value != NULL ? value : "host";
    char message[256];
    if (!cache_geometry_parse(&geometry, name, message, sizeof(message))) {
        return command_fail(error, "--sim: %s", message);
    }
    ((struct options *)options)->counters.simulation = name;
    return true;
}

static bool set_simulation_limit(void *options, const char *value, struct command_error *error)
{
    return command_seconds("sim-limit", value,
                           &((struct options *)options)->counters.simulation_limit_ns, error);
}

static bool set_simulation_nodes(void *options, const char *value, struct command_error *error)
{
    return command_number("sim-nodes", value, 1, UINT32_MAX,
                          &((struct options *)options)->counters.simulation_nodes, error);
}

static bool set_doctor(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    if (((struct options *)options)->action == ACTION_RUN) {
        ((struct options *)options)->action = ACTION_DOCTOR;
    }
    return true;
}

static const struct command_option options[] = {
    {"counters", 'c', "SPEC",
     "processor counters around each search: auto, none, a group\n"
     "(pointer-wars, memory, core) or events: cycles,{branches,\n"
     "branch-misses},r01c2; in braces: at the same time (default:\n"
     "auto, the group pointer-wars where the machine has counters)",
     set_counters},
    {"passes", 0, NULL,
     "make each search once for every group of counters instead of\n"
     "sharing the processor's counters among them; its time is that\n"
     "of the first pass",
     set_passes},
    {"require-counters", 0, NULL, "fail when a counter has no value", set_required},
    {"sim", 0, "[CACHES]",
     "simulate the processor (under Valgrind) instead of measuring:\n"
     "loads, cache hits, branches. CACHES: host, pi4, or\n"
     "L1I:L1D:L2, each SIZE,WAYS,LINE (default: host)",
     set_simulation},
    {"sim-limit", 0, "SECONDS",
     "simulate as many searches as fit that time, on a smaller graph\n"
     "when not one does (default: 300)",
     set_simulation_limit},
    {"sim-nodes", 0, "N",
     "simulate on the graph made smaller to N nodes (default: as\n"
     "large as the limit allows)",
     set_simulation_nodes},
    {"doctor", 0, NULL, "what this machine offers for measuring, and advice", set_doctor},
    {0},
};

const struct command_group counter_group = {"Counters:", options};
