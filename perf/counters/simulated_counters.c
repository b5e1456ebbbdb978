/*
 * simulated_counters.c - Callgrind's client requests, and the head of the files it writes.
 */
#include "simulated_counters.h"
#include "base/macros.h"
#include <inttypes.h>
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
    const double nominal_ns = 15;   /* what simulating an instruction takes, roughly */
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

/* Add the numbers of a line to the fields that its columns stand for. */
static void parse_totals(char *columns, char *numbers, struct simulated_counts *counts)
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
    char *end = numbers;
    for (char *name; (name = strtok_r(NULL, " \n", &columns)) != NULL;) {
        uint64_t number = strtoull(end, &end, 10); /* zeros at the end are left out */
        for (size_t i = 0; i < COUNT_OF(fields); i++) {
            *fields[i].sum += strcmp(fields[i].name, name) == 0 ? number : 0;
        }
    }
}

bool simulated_counts_parse(FILE *file, struct simulated_counts *counts)
{
    char line[1024], columns[512] = "";
    struct cache_geometry *geometry = &counts->geometry;
    memset(counts, 0, sizeof(*counts));
    while (fgets(line, sizeof(line), file) != NULL) {
        char level[3];
        struct cache cache;
        if (sscanf(line, "desc: %2s cache: %" SCNu64 " B, %" SCNu32 " B, %" SCNu32 "-way", level,
                   &cache.size_bytes, &cache.line_bytes, &cache.ways) == 4) {
            bool first = level[1] == '1';
            *(!first ? &geometry->l2 : level[0] == 'I' ? &geometry->l1i : &geometry->l1d) = cache;
        } else if (strncmp(line, "events:", 7) == 0) {
            snprintf(columns, sizeof(columns), "%.511s", line + 7);
        } else if (strncmp(line, "summary:", 8) == 0 && columns[0] != '\0') {
            parse_totals(columns, line + 8, counts);
            return true;
        }
    }
    return false;
}

bool simulated_counters_read(const char *folder, unsigned part, struct simulated_counts *counts,
                             const char **why)
{
    char path[512];
    CALLGRIND_DUMP_STATS;
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
