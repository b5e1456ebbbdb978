/*
 * counter_options.c - --counters and what belongs to it.
 */
#include "counter_options.h"
#include "options.h"

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
    {"doctor", 0, NULL, "what this machine offers for measuring, and advice", set_doctor},
    {0},
};

const struct command_group counter_group = {"Counters:", options};
