/*
 * search_run.h - all searches of a run, with all ranks together.
 */
#pragma once

#include "bfs/run/run.h"
#include "flight.h"

enum mpi_engine { SEARCH_BY_BIDIRECTIONAL, SEARCH_BY_LEVELS };

/* Their names, and both, to begin a table with. */
#define SEARCH_BY_BIDIRECTIONAL_NAME "bidirectional"
#define SEARCH_BY_LEVELS_NAME        "direction-optimizing"
#define SEARCH_ENGINE_NAMES          SEARCH_BY_BIDIRECTIONAL_NAME, SEARCH_BY_LEVELS_NAME

struct search_run {
    const struct mpi_graph *graph;
    const struct pair *pairs;
    size_t pair_count;
    enum mpi_engine engine;
    unsigned threads; /* of each rank, at least 1; only direction-optimizing uses more */
    bool path;
    struct search_limits limits; /* of a search; of all pairs in flight if they share a pass */

    /* Called at rank 0 after each search; index: of the pair; together: the searches that share
     * its pass. path: hops + 1 ids, or NULL. False ends the run. */
    bool (*row)(void *context, size_t index, const struct search_result *result,
                const uint32_t *path, size_t together);
    void *context;

    /* Filled in. */
    uint64_t setup_ns, wall_ns;
    struct level_cost levels[LEVEL_COSTS]; /* at rank 0: sums over the searches */
    uint64_t level_searches[LEVEL_COSTS];  /* searches, or passes, that got so far */
    size_t level_count;
};

/*
 * Make the searches. Collective. RUN_INTERRUPTED: a rank was cancelled; RUN_STOPPED: row returned
 * false; RUN_NO_MEMORY: at one rank or more; the rows of earlier searches were handed over.
 */
enum run_outcome search_run(struct search_run *run);
