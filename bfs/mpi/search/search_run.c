/*
 * search_run.c - see search_run.h.
 */
#include "search_run.h"
#include "perf/report/clock.h"
#include <stdlib.h>
#include <string.h>

/* Whether all ranks say yes. */
static bool all_say(const struct mpi_graph *graph, bool mine)
{
    const int own = mine;
    int all;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, graph->comm);
    return all != 0;
}

/* Sum the costs of a search over all ranks, and add them to those of the searches before. */
static void add_costs(struct search_run *run, struct level_cost *costs, size_t count)
{
    levels_sum(run->graph->comm, costs, count);
    for (size_t i = 0; i < count; i++) {
        const size_t at = i < RUN_LEVELS ? i : RUN_LEVELS - 1;
        struct level_cost *sum = &run->levels[at];
        sum->nodes += costs[i].nodes;
        sum->edges += costs[i].edges;
        sum->edges_max += costs[i].edges_max;
        sum->bytes += costs[i].bytes;
        sum->bytes_max += costs[i].bytes_max;
        sum->messages += costs[i].messages;
        sum->elapsed_ns += costs[i].elapsed_ns;
        sum->bottom_up += costs[i].bottom_up;
        run->level_searches[at] += i == at;
        run->level_count = at + 1 > run->level_count ? at + 1 : run->level_count;
    }
}

/* Rank 0 hands over the rows of a pass. RUN_COMPLETE to go on. */
static enum run_end hand_over(const struct search_run *run, size_t first,
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
    return (enum run_end)end;
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
    return all_say(run->graph, made);
}

static void free_paths(mpi_node **paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(paths[i]);
        paths[i] = NULL;
    }
}

/* One search after the other, each by all ranks. */
static enum run_end run_levels(struct search_run *run, struct levels *levels)
{
    enum run_end end = RUN_COMPLETE;
    for (size_t i = 0; end == RUN_COMPLETE && i < run->pair_count; i++) {
        struct search_result result;
        mpi_node *path = NULL;
        size_t count;
        levels_search(levels, run->pairs[i].source, run->pairs[i].target, &run->limits, &result);
        if (!make_paths(run, &result, &path, 1)) {
            free(path);
            return RUN_NO_MEMORY;
        }
        if (path != NULL) {
            levels_path(levels, path);
        }
        struct level_cost *costs = levels_costs(levels, &count);
        add_costs(run, costs, count);
        end = hand_over(run, i, &result, &path, 1);
        free_paths(&path, 1);
    }
    return end;
}

/* Up to FLIGHT_LANES searches at once. */
static enum run_end run_flight(struct search_run *run, struct flight *flight)
{
    enum run_end end = RUN_COMPLETE;
    for (size_t first = 0; end == RUN_COMPLETE && first < run->pair_count; first += FLIGHT_LANES) {
        struct search_result results[FLIGHT_LANES];
        mpi_node *paths[FLIGHT_LANES] = {NULL};
        const size_t left = run->pair_count - first;
        const size_t some = left < FLIGHT_LANES ? left : FLIGHT_LANES;
        size_t count;
        flight_search(flight, run->pairs + first, some, &run->limits, results);
        if (!make_paths(run, results, paths, some)) {
            free_paths(paths, some);
            return RUN_NO_MEMORY;
        }
        flight_paths(flight, paths);
        struct level_cost *costs = flight_costs(flight, &count);
        add_costs(run, costs, count);
        end = hand_over(run, first, results, paths, some);
        free_paths(paths, some);
    }
    return end;
}

enum run_end search_run(struct search_run *run)
{
    const bool by_levels = run->engine == SEARCH_BY_LEVELS;
    const uint64_t start_ns = clock_now_ns();
    struct levels *levels = by_levels ? levels_create(run->graph, run->threads) : NULL;
    struct flight *flight = by_levels ? NULL : flight_create(run->graph);
    enum run_end end = RUN_NO_MEMORY;
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
