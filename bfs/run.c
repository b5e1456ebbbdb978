/*
 * run.c - the loop over trials and searches.
 *
 * The calls of malloc and free are counted around a search; the engine's own workspace does not
 * come from the registered functions, so these are the calls of the measured region.
 */
#include "run.h"
#include "call_counts.h"
#include "clock.h"

static void measure(const struct run_plan *plan, void *workspace, struct pair pair,
                    struct search_result *result)
{
    struct search_limits limits = plan->limits;
    limits.region = &plan->counters->region;
    search_counters_before(plan->counters, 0);
    struct call_counts before = call_counts_now();
    plan->engine->search(workspace, pair.source, pair.target, &limits, result);
    struct call_counts after = call_counts_now();
    result->malloc_calls = after.malloc_calls - before.malloc_calls;
    result->free_calls = after.free_calls - before.free_calls;
    search_counters_after(plan->counters, result);
    if (search_counters_simulated(plan->counters)) {
        result->elapsed_ns = SEARCH_COUNT_UNKNOWN;
    }
    /* The same search again for every further group of counters; only they are kept of it. */
    for (size_t pass = 1; pass < search_counters_passes(plan->counters); pass++) {
        struct search_result again;
        search_counters_before(plan->counters, pass);
        plan->engine->search(workspace, pair.source, pair.target, &limits, &again);
        search_counters_after(plan->counters, &again);
    }
}

/* The first count searches of the run once more, unreported. */
static void make_again(const struct run_plan *plan, void *workspace, uint64_t count)
{
    struct search_limits limits = plan->limits;
    limits.region = NULL;
    for (uint64_t i = 0; i < count && *plan->limits.cancel == 0; i++) {
        struct search_result result;
        struct pair pair = plan->pairs->items[plan->numbers[i % plan->number_count] - 1];
        plan->engine->search(workspace, pair.source, pair.target, &limits, &result);
    }
}

/* All searches once; trial 0 is a warm-up. made: searches of the run so far. */
static enum run_outcome run_trial(const struct run_plan *plan, void *workspace, uint64_t trial,
                                  uint64_t *made)
{
    for (size_t position = 0; position < plan->number_count; position++) {
        if (*plan->limits.cancel != 0) {
            return RUN_INTERRUPTED;
        }
        struct search_row row = {
            .trial = trial, .search = plan->numbers[position], .position = position};
        row.pair = plan->pairs->items[row.search - 1];
        plan->before(plan->context, trial, position);
        measure(plan, workspace, row.pair, &row.result);
        bool from_start = false;
        while (row.result.status == SEARCH_NO_MEMORY &&
               plan->no_memory(plan->context, &from_start)) {
            make_again(plan, workspace, from_start ? *made : 0);
            measure(plan, workspace, row.pair, &row.result);
        }
        ++*made;
        if (trial > 0 && !plan->after(plan->context, &row)) {
            return RUN_STOPPED;
        }
        if (row.result.status == SEARCH_CANCELLED) {
            return RUN_INTERRUPTED;
        }
    }
    return RUN_COMPLETE;
}

enum run_outcome run_searches(const struct run_plan *plan, uint64_t *setup_ns)
{
    uint64_t start_ns = clock_now_ns();
    void *workspace = plan->engine->create(plan->graph);
    *setup_ns = clock_now_ns() - start_ns;
    if (workspace == NULL) {
        return RUN_NO_MEMORY;
    }
    enum run_outcome outcome = RUN_COMPLETE;
    uint64_t made = 0;
    for (uint64_t i = 0; i < plan->warmups && outcome == RUN_COMPLETE; i++) {
        outcome = run_trial(plan, workspace, 0, &made);
    }
    for (uint64_t trial = 1; trial <= plan->trials && outcome == RUN_COMPLETE; trial++) {
        outcome = run_trial(plan, workspace, trial, &made);
    }
    plan->engine->destroy(workspace);
    return outcome;
}
