/*
 * simulated_counters.c - Callgrind's client requests, and the head of the files it writes.
 */
#include "simulated_counters.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define BUILT_IN true
#else
#define BUILT_IN                        false
#define RUNNING_ON_VALGRIND             0
#define CALLGRIND_START_INSTRUMENTATION (void)0
#define CALLGRIND_TOGGLE_COLLECT        (void)0
#define CALLGRIND_DUMP_STATS            (void)0
#endif

bool simulated_counters_built_in(void)
{
    return BUILT_IN;
}

bool simulated_counters_running(void)
{
    return BUILT_IN && RUNNING_ON_VALGRIND != 0;
}

double simulated_counters_budget(uint64_t limit_ns)
{
    const double starting_ns = 2e9; /* Valgrind itself, and reading the inputs */
    const double nominal_ns = 15;   /* rough cost of simulating an instruction */
    return (double)limit_ns > starting_ns ? ((double)limit_ns - starting_ns) / nominal_ns : 0;
}

void simulated_counters_begin(void)
{
    static bool instrumented;
    if (!instrumented) {
        instrumented = true;
        CALLGRIND_START_INSTRUMENTATION;
    }
    CALLGRIND_TOGGLE_COLLECT;
}

void simulated_counters_end(void)
{
    CALLGRIND_TOGGLE_COLLECT;
}

/* Callgrind's names for the events of a role. */
static const char *const names[EVENT_ROLE_COUNT][2] = {
    [EVENT_LOADS] = {"Dr"},        [EVENT_L1D_MISSES] = {"D1mr"},
    [EVENT_L2_MISSES] = {"DLmr"},  [EVENT_BRANCHES] = {"Bc", "Bi"},
    [EVENT_INSTRUCTIONS] = {"Ir"}, [EVENT_BRANCH_MISSES] = {"Bcm", "Bim"},
};

void simulated_counters_plan(struct counters *counters)
{
    pw_assert(counters->group_count == 0 && counters->event_count == 0);
    counters_add_group(counters);
    for (size_t role = 0; role < EVENT_ROLE_COUNT; role++) {
        const char *const *name = names[role];
        struct event event = {.stage = EVENT_RETIRED};
        if (name[0] == NULL) {
            counters_add_missing(counters, 0, (enum event_role)role, COUNTER_NOT_SUPPORTED,
                                 "the simulator has no model of it");
        } else {
            snprintf(event.name, sizeof(event.name), "callgrind %s%s%s", name[0],
                     name[1] != NULL ? "+" : "", name[1] != NULL ? name[1] : "");
            counters_add_event(counters, 0, &event, (enum event_role)role);
        }
    }
}

/* Add the numbers of a line to the roles of their columns. */
static void parse_totals(char *columns, char *numbers, uint64_t counts[EVENT_ROLE_COUNT])
{
    char *end = numbers;
    for (char *column; (column = strtok_r(NULL, " \n", &columns)) != NULL;) {
        uint64_t number = strtoull(end, &end, 10); /* zeros at the end are omitted */
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            for (size_t j = 0; j < COUNT_OF(names[i]) && names[i][j] != NULL; j++) {
                counts[i] += strcmp(names[i][j], column) == 0 ? number : 0;
            }
        }
    }
}

bool simulated_counts_parse(FILE *file, uint64_t counts[EVENT_ROLE_COUNT])
{
    char line[1024], columns[512] = "";
    memset(counts, 0, EVENT_ROLE_COUNT * sizeof(*counts));
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, "events:", 7) == 0) {
            snprintf(columns, sizeof(columns), "%.511s", line + 7);
        } else if (strncmp(line, "summary:", 8) == 0 && columns[0] != '\0') {
            parse_totals(columns, line + 8, counts);
            return true;
        }
    }
    return false;
}

void simulated_counters_read(const char *folder, unsigned part, const struct counters *counters,
                             struct counter_reading *readings)
{
    char path[512];
    uint64_t counts[EVENT_ROLE_COUNT];
    pw_assert(part >= 1 && counters->event_count == EVENT_ROLE_COUNT);
    CALLGRIND_DUMP_STATS;
    snprintf(path, sizeof(path), "%s/sim.%u", folder, part);
    FILE *file = fopen(path, "r");
    const char *why = file == NULL ? "the simulator wrote no counts (is its folder full?)"
                      : !simulated_counts_parse(file, counts)
                          ? "the simulator's counts are incomplete (is its folder full?)"
                          : NULL;
    if (file != NULL) {
        fclose(file);
        unlink(path);
    }
    for (size_t role = 0; role < EVENT_ROLE_COUNT; role++) {
        if (counters->events[role].status == COUNTER_EXACT) { /* else preset: not simulated */
            readings[role] =
                why == NULL ? (struct counter_reading){.status = COUNTER_SIMULATED,
                                                       .value = (double)counts[role],
                                                       .running = 1}
                            : (struct counter_reading){.status = COUNTER_NOT_COUNTED, .why = why};
        }
    }
}
