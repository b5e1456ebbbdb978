/*
 * search_run.c - see search_run.h.
 */
#include "search_run.h"
#include "base/report/clock.h"
#include <stdlib.h>
#include <string.h>

/* Sum the costs of a search over all ranks, and add them to the costs of earlier searches. */
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

/* Rank 0 hands over the rows of a pass. RUN_COMPLETE means: go on. */
static enum run_outcome hand_over(const struct search_run *run, size_t first,
                                  const struct search_result *results, uint32_t *const *paths,
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

/* Make room for the path of each search that found one. False if a rank is out of memory. */
static bool make_paths(const struct search_run *run, const struct search_result *results,
                       uint32_t **paths, size_t count)
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

static void free_paths(uint32_t **paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(paths[i]);
        paths[i] = NULL;
    }
}

/* Make the searches one after the other, each with all ranks. */
static enum run_outcome run_levels(struct search_run *run, struct levels *levels)
{
    enum run_outcome end = RUN_COMPLETE;
    for (size_t i = 0; end == RUN_COMPLETE && i < run->pair_count; i++) {
        struct search_result result;
        uint32_t *path = NULL;
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

/* Make up to FLIGHT_LANES searches at once. */
static enum run_outcome run_flight(struct search_run *run, struct flight *flight)
{
    enum run_outcome end = RUN_COMPLETE;
    for (size_t first = 0; end == RUN_COMPLETE && first < run->pair_count; first += FLIGHT_LANES) {
        struct search_result results[FLIGHT_LANES];
        uint32_t *paths[FLIGHT_LANES] = {NULL};
        struct level_costs costs;
        const size_t left = run->pair_count - first;
        const size_t some = left < FLIGHT_LANES ? left : FLIGHT_LANES;
        flight_search(flight, run->pairs + first, some, &run->limits, &costs, results);
        if (!make_paths(run, results, paths, some)) {
            free_paths(paths, some);
            return RUN_NO_MEMORY;
        }
        flight_paths(flight, paths);
        add_costs(run, &costs);
        end = hand_over(run, first, results, paths, some);
        free_paths(paths, some);
    }
    return end;
}

enum run_outcome search_run(struct search_run *run)
{
    const bool by_levels = run->engine == SEARCH_BY_LEVELS;
    const uint64_t start_ns = clock_now_ns();
    struct levels *levels = by_levels ? levels_create(run->graph, run->threads) : NULL;
    struct flight *flight = by_levels ? NULL : flight_create(run->graph);
    enum run_outcome end = RUN_NO_MEMORY;
    run->level_count = 0;
    memset(run->levels, 0, sizeof(run->levels));
    memset(run->level_searches, 0, sizeof(run->level_searches));
    const uint64_t ready_ns = clock_now_ns();
    run->setup_ns = ready_ns - start_ns;
    if (levels != NULL) {
        end = run_levels(run, levels);
    } else if (flight != NULL) {
        end = run_flight(run, flight);
    }
    run->wall_ns = clock_now_ns() - ready_ns;
    levels_destroy(levels);
    flight_destroy(flight);
    return end;
}
