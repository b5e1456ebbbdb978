/*
 * search_run.c - see search_run.h.
 */
#include "search_run.h"
#include "perf/report/clock.h"
#include <stdlib.h>
#include <string.h>

/* Sum the costs of a search over all ranks, and add them to those of the searches before. */
static void add_costs(struct search_run *run, struct level_costs *costs)
{
    level_costs_sum(run->graph->comm, costs);
    for (size_t i = 0; i < costs->count; i++) {
        const struct level_cost *cost = &costs->levels[i];
        struct level_cost *sum = &run->levels[i];
        sum->nodes += cost->nodes;
        sum->edges += cost->edges;
        sum->edges_max += cost->edges_max;
        sum->bytes += cost->bytes;
        sum->bytes_max += cost->bytes_max;
        sum->messages += cost->messages;
        sum->elapsed_ns += cost->elapsed_ns;
        sum->bottom_up += cost->bottom_up;
        run->level_searches[i]++;
    }
    run->level_count = costs->count > run->level_count ? costs->count : run->level_count;
}

/* Rank 0 hands over the rows of a pass. RUN_COMPLETE to go on. */
static enum run_outcome hand_over(const struct search_run *run, size_t first,
                                  const struct search_result *results, mpi_node *const *paths,
                                  size_t count)
{
    int end = RUN_COMPLETE;
    for (size_t i = 0; run->graph->partition.rank == 0 && end != RUN_STOPPED && i < count; i++) {
        const bool went_on = run->row(run->context, first + i, &results[i], paths[i], count);
        end = !went_on                                ? RUN_STOPPED
              : results[i].status == SEARCH_CANCELLED ? RUN_INTERRUPTED
              : results[i].status == SEARCH_NO_MEMORY ? RUN_NO_MEMORY
                                                      : end;
    }
    MPI_Bcast(&end, 1, MPI_INT, 0, run->graph->comm);
    return (enum run_outcome)end;
}

/* Room for the path of each search that found one. False when a rank has none. */
static bool make_paths(const struct search_run *run, const struct search_result *results,
                       mpi_node **paths, size_t count)
{
    bool made = true;
    for (size_t i = 0; run->path && i < count; i++) {
        if (results[i].found) {
            paths[i] = calloc((size_t)results[i].hops + 1, sizeof(**paths));
            made &= paths[i] != NULL;
        }
    }
    return mpi_all_say(run->graph->comm, made);
}

static void free_paths(mpi_node **paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(paths[i]);
        paths[i] = NULL;
    }
}

/* One search after the other, each by all ranks. */
static enum run_outcome run_levels(struct search_run *run, struct levels *levels)
{
    enum run_outcome end = RUN_COMPLETE;
    for (size_t i = 0; end == RUN_COMPLETE && i < run->pair_count; i++) {
        struct search_result result;
        mpi_node *path = NULL;
        struct level_costs costs;
        levels_search(levels, run->pairs[i].source, run->pairs[i].target, &run->limits, &costs,
                      &result);
        if (!make_paths(run, &result, &path, 1)) {
            free(path);
            return RUN_NO_MEMORY;
        }
        if (path != NULL) {
            levels_path(levels, path);
        }
        add_costs(run, &costs);
        end = hand_over(run, i, &result, &path, 1);
        free_paths(&path, 1);
    }
    return end;
}

/* The paths of searches in lanes, which keep no levels, by searches from both ends. These have no
 * deadline; where a signal or lack of memory ends one, it ends the search, too. */
static void flight_reads_paths(const struct search_run *run, struct flight *flight,
                               const struct mpi_pair *pairs, struct search_result *results,
                               mpi_node **paths, size_t count)
{
    struct mpi_pair found[FLIGHT_LANES];
    struct search_result again[FLIGHT_LANES];
    mpi_node *nodes[FLIGHT_LANES];
    size_t which[FLIGHT_LANES];
    struct search_limits limits = run->limits;
    struct level_costs unused;
    size_t some = 0;
    limits.timeout_ns = 0;
    for (size_t i = 0; i < count; i++) {
        if (paths[i] != NULL) {
            found[some] = pairs[i];
            which[some++] = i;
        }
    }
    if (some == 0) {
        return;
    }
    flight_search(flight, found, some, &limits, &unused, again);
    for (size_t i = 0; i < some; i++) {
        struct search_result *result = &results[which[i]];
        result->status = again[i].status;
        pw_assert(again[i].status != SEARCH_DONE || again[i].hops == result->hops);
        if (again[i].status != SEARCH_DONE) {
            free(paths[which[i]]);
            paths[which[i]] = NULL;
        }
        nodes[i] = paths[which[i]];
    }
    flight_paths(flight, nodes);
}

/* Up to FLIGHT_LANES searches at once. lanes: NULL: by flight; else flight reads their paths. */
static enum run_outcome run_shared(struct search_run *run, struct flight *flight,
                                   struct lanes *lanes)
{
    enum run_outcome end = RUN_COMPLETE;
    for (size_t first = 0; end == RUN_COMPLETE && first < run->pair_count; first += FLIGHT_LANES) {
        struct search_result results[FLIGHT_LANES];
        mpi_node *paths[FLIGHT_LANES] = {NULL};
        struct level_costs costs;
        const size_t left = run->pair_count - first;
        const size_t some = left < FLIGHT_LANES ? left : FLIGHT_LANES;
        if (lanes != NULL) {
            lanes_search(lanes, run->pairs + first, some, &run->limits, &costs, results);
        } else {
            flight_search(flight, run->pairs + first, some, &run->limits, &costs, results);
        }
        if (!make_paths(run, results, paths, some)) {
            free_paths(paths, some);
            return RUN_NO_MEMORY;
        }
        if (lanes == NULL) {
            flight_paths(flight, paths);
        } else if (run->path) {
            flight_reads_paths(run, flight, run->pairs + first, results, paths, some);
        }
        add_costs(run, &costs);
        end = hand_over(run, first, results, paths, some);
        free_paths(paths, some);
    }
    return end;
}

enum run_outcome search_run(struct search_run *run)
{
    const bool by_levels = run->engine == SEARCH_BY_LEVELS;
    const bool in_lanes = run->engine == SEARCH_BY_LANES;
    const uint64_t start_ns = clock_now_ns();
    struct levels *levels = by_levels ? levels_create(run->graph, run->threads) : NULL;
    struct lanes *lanes = in_lanes ? lanes_create(run->graph) : NULL;
    const bool needs_flight = !by_levels && (!in_lanes || (run->path && lanes != NULL));
    struct flight *flight = needs_flight ? flight_create(run->graph) : NULL;
    enum run_outcome end = RUN_NO_MEMORY;
    run->level_count = 0;
    memset(run->levels, 0, sizeof(run->levels));
    memset(run->level_searches, 0, sizeof(run->level_searches));
    const uint64_t ready_ns = clock_now_ns();
    run->setup_ns = ready_ns - start_ns;
    if (levels != NULL) {
        end = run_levels(run, levels);
    } else if (flight != NULL || (lanes != NULL && !needs_flight)) {
        end = run_shared(run, flight, lanes);
    }
    run->wall_ns = clock_now_ns() - ready_ns;
    levels_destroy(levels);
    lanes_destroy(lanes);
    flight_destroy(flight);
    return end;
}
