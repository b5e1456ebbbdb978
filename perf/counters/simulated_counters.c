/*
 * simulated_counters.c - Callgrind's client requests, and the head of the files it writes.
 */
#include "simulated_counters.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

bool simulated_counters_built_in(void)
{
#ifdef CALLGRIND_DUMP_STATS
    return true;
#else
    return false;
#endif
}

bool simulated_counters_running(void)
{
#ifdef CALLGRIND_DUMP_STATS
    return RUNNING_ON_VALGRIND != 0;
#else
    return false;
#endif
}

void simulated_counters_begin(void)
{
#ifdef CALLGRIND_DUMP_STATS
    static bool instrumented;
    if (!instrumented) {
        instrumented = true;
        CALLGRIND_START_INSTRUMENTATION;
    }
    CALLGRIND_TOGGLE_COLLECT;
#endif
}

void simulated_counters_end(void)
{
#ifdef CALLGRIND_DUMP_STATS
    CALLGRIND_TOGGLE_COLLECT;
#endif
}

#define EVENTS_MAX 24

/* Whether a line begins with a key; what follows goes to *rest. */
static bool starts(const char *line, const char *key, const char **rest)
{
    size_t length = strlen(key);
    *rest = line + length;
    return strncmp(line, key, length) == 0;
}

/* "desc: D1 cache: 49152 B, 64 B, 12-way associative" */
static void parse_cache(const char *text, struct cache *cache)
{
    unsigned long size = 0;
    unsigned line = 0, ways = 0;
    if (sscanf(text, "%lu B, %u B, %u-way", &size, &line, &ways) == 3) {
        *cache = (struct cache){size, ways, line};
    }
}

/* Add the numbers of a line to the fields that its columns stand for. */
static void parse_totals(const char *columns, const char *numbers, struct simulated_counts *counts)
{
    const struct {
        const char *name;
        uint64_t *sum;
    } fields[] = {
        {"Ir", &counts->instructions},   {"Dr", &counts->loads},
        {"Dw", &counts->stores},         {"D1mr", &counts->l1d_misses},
        {"DLmr", &counts->l2_misses},    {"Bc", &counts->branches},
        {"Bi", &counts->branches},       {"Bcm", &counts->branch_misses},
        {"Bim", &counts->branch_misses},
    };
    char names[512];
    char *rest = names;
    snprintf(names, sizeof(names), "%.511s", columns);
    for (char *name; (name = strtok_r(NULL, " \n", &rest)) != NULL;) {
        char *end;
        uint64_t number = strtoull(numbers, &end, 10); /* zeros at the end are left out */
        numbers = end;
        for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
            *fields[i].sum += strcmp(fields[i].name, name) == 0 ? number : 0;
        }
    }
}

bool simulated_counts_parse(FILE *file, struct simulated_counts *counts)
{
    char line[1024], columns[512] = "";
    const char *rest;
    bool found = false;
    memset(counts, 0, sizeof(*counts));
    while (!found && fgets(line, sizeof(line), file) != NULL) {
        if (starts(line, "desc: I1 cache:", &rest)) {
            parse_cache(rest, &counts->geometry.l1i);
        } else if (starts(line, "desc: D1 cache:", &rest)) {
            parse_cache(rest, &counts->geometry.l1d);
        } else if (starts(line, "desc: LL cache:", &rest)) {
            parse_cache(rest, &counts->geometry.l2);
        } else if (starts(line, "events:", &rest)) {
            snprintf(columns, sizeof(columns), "%.511s", rest);
        } else if (starts(line, "summary:", &rest) && columns[0] != '\0') {
            parse_totals(columns, rest, counts);
            found = true;
        }
    }
    return found;
}

bool simulated_counters_read(const char *folder, unsigned part, struct simulated_counts *counts,
                             const char **why)
{
    char path[512];
#ifdef CALLGRIND_DUMP_STATS
    CALLGRIND_DUMP_STATS;
#endif
    snprintf(path, sizeof(path), "%s/sim.%u", folder, part);
    FILE *file = fopen(path, "r");
    *why = NULL;
    if (file == NULL) {
        *why = "the simulator wrote no counts (is its folder full?)";
        return false;
    }
    if (!simulated_counts_parse(file, counts)) {
        *why = "the simulator's counts are incomplete (is its folder full?)";
    }
    fclose(file);
    unlink(path);
    return *why == NULL;
}
