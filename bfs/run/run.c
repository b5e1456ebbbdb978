/*
 * run.c - the loop over trials and searches.
 *
 * 1. One search follows the other, or an engine that takes a batch makes all at once.
 * 2. With several threads, each takes the next pair, in a workspace and with a list allocator of
 *    its own (linked_list_thread_begin). Or all work on one search, where the engine can.
 * The calls of malloc and free are counted around a search. The engine's own workspace does not
 * come from the registered functions, so these are the calls of the measured region. Counters are
 * those of one thread and of one search at a time.
 */
#include "run.h"
#include "answer_check.h"
#include "base/pw_assert.h"
#include "bfs/search/processor.h"
#include "bfs/search/team.h"
#include "call_counts.h"
#include "liblist/linked_list.h"
#include "perf/report/clock.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of one thread that searches. */
struct searcher {
    void *workspace;
    struct answer_check check;
    size_t wrong_at; /* the position of its first wrong answer, or SIZE_MAX */
    char problem[RUN_PROBLEM_SIZE];
};

/* A run, and in it a trial whose searches the threads divide. */
struct run {
    const struct run_plan *plan;
    struct searcher *searchers; /* one per thread; at least one */
    unsigned searcher_count;
    struct team *team;       /* NULL: one searcher */
    struct search_row *rows; /* of a trial that is not reported as it goes */
    uint64_t trial;
    uint64_t made; /* searches so far, one after the other */
    atomic_size_t next;
};

static struct search_row row_at(const struct run_plan *plan, uint64_t trial, size_t position)
{
    struct search_row row = {
        .trial = trial, .search = plan->numbers[position], .position = position};
    row.pair = plan->pairs->items[row.search - 1];
    return row;
}

/* Check the answer of a row and put its path into words; false when it is wrong. */
static bool judge(const struct run_plan *plan, struct searcher *searcher, bool has_path,
                  struct search_row *row)
{
    char why[RUN_PROBLEM_SIZE - 32];
    if (!answer_check(&searcher->check, plan->engine, has_path ? searcher->workspace : NULL,
                      row->pair, &row->result, why, sizeof(why))) {
        if (row->position < searcher->wrong_at) {
            searcher->wrong_at = row->position;
            snprintf(searcher->problem, RUN_PROBLEM_SIZE, "search %zu: %s", row->search, why);
        }
        return false;
    }
    if (plan->paths && row->result.status == SEARCH_DONE && row->result.found && row->trial > 0) {
        row->path = answer_path_text(plan->graph, searcher->check.nodes, row->result.hops);
    }
    return true;
}

/* Hand a row to the report, and free its path. */
static bool report(const struct run_plan *plan, struct search_row *row)
{
    bool go_on = row->trial == 0 || plan->after(plan->context, row);
    free((char *)(uintptr_t)row->path);
    row->path = NULL;
    return go_on;
}

static void search_once(const struct run_plan *plan, void *workspace, struct pair pair,
                        const struct search_limits *limits, struct search_result *result)
{
    struct call_counts before = call_counts_now();
    plan->engine->search(workspace, pair.source, pair.target, limits, result);
    struct call_counts after = call_counts_now();
    result->malloc_calls = after.malloc_calls - before.malloc_calls;
    result->free_calls = after.free_calls - before.free_calls;
}

static void measure(const struct run_plan *plan, void *workspace, struct pair pair,
                    struct search_result *result)
{
    struct search_limits limits = plan->limits;
    limits.region = &plan->counters->region;
    search_counters_before(plan->counters, 0);
    search_once(plan, workspace, pair, &limits, result);
    search_counters_after(plan->counters, result);
    if (search_counters_simulated(plan->counters)) {
        result->elapsed_ns = SEARCH_COUNT_UNKNOWN;
    }
    /* The same search again for every further group of counters. Only the counts are kept. */
    for (size_t pass = 1; pass < search_counters_passes(plan->counters); pass++) {
        struct search_result again;
        search_counters_before(plan->counters, pass);
        plan->engine->search(workspace, pair.source, pair.target, &limits, &again);
        search_counters_after(plan->counters, &again);
    }
}

/* Make the first count searches of the run once more, unreported. */
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

/* All searches once, reported as they go. */
static enum run_outcome run_trial_in_order(struct run *run, uint64_t trial)
{
    const struct run_plan *plan = run->plan;
    for (size_t position = 0; position < plan->number_count; position++) {
        if (*plan->limits.cancel != 0) {
            return RUN_INTERRUPTED;
        }
        struct search_row row = row_at(plan, trial, position);
        plan->before(plan->context, trial, position);
        void *workspace = run->searchers[0].workspace;
        measure(plan, workspace, row.pair, &row.result);
        bool from_start = false;
        while (row.result.status == SEARCH_NO_MEMORY &&
               plan->no_memory(plan->context, &from_start)) {
            make_again(plan, workspace, from_start ? run->made : 0);
            measure(plan, workspace, row.pair, &row.result);
        }
        run->made++;
        if (!judge(plan, &run->searchers[0], true, &row)) {
            return RUN_WRONG;
        }
        if (!report(plan, &row)) {
            return RUN_STOPPED;
        }
        if (row.result.status == SEARCH_CANCELLED) {
            return RUN_INTERRUPTED;
        }
    }
    return RUN_COMPLETE;
}

/* The searcher whose answer at a position is wrong, or NULL. */
static const struct searcher *wrong_searcher(const struct run *run, size_t position)
{
    for (unsigned i = 0; i < run->searcher_count; i++) {
        if (run->searchers[i].wrong_at == position) {
            return &run->searchers[i];
        }
    }
    return NULL;
}

/* Report the rows of a trial whose searches were made together, up to where they were not. */
static enum run_outcome report_rows(struct run *run)
{
    const struct run_plan *plan = run->plan;
    enum run_outcome outcome = RUN_COMPLETE;
    for (size_t position = 0; position < plan->number_count; position++) {
        struct search_row *row = &run->rows[position];
        if (outcome != RUN_COMPLETE || row->search == 0) { /* not made */
            outcome = outcome == RUN_COMPLETE ? RUN_INTERRUPTED : outcome;
            free((char *)(uintptr_t)row->path);
            row->path = NULL;
            continue;
        }
        search_counters_before(plan->counters, 0); /* nothing is counted, and that is said */
        search_counters_after(plan->counters, &row->result);
        if (wrong_searcher(run, position) != NULL) {
            outcome = RUN_WRONG;
        } else if (!report(plan, row)) {
            outcome = RUN_STOPPED;
        } else if (row->result.status == SEARCH_CANCELLED) {
            outcome = RUN_INTERRUPTED;
        }
    }
    return outcome;
}

/* The share of one thread in a trial: the next pair, until there is none. */
static void search_pairs(void *argument, unsigned index)
{
    struct run *run = argument;
    const struct run_plan *plan = run->plan;
    struct searcher *searcher = &run->searchers[index];
    bool uses_list = index > 0 && plan->engine->flags & SEARCH_USES_LIST;
    if (uses_list && !linked_list_thread_begin(NULL)) {
        return; /* the others do its share */
    }
    if (plan->pin) {
        processor_pin_nth(index);
    }
    for (;;) {
        size_t position = atomic_fetch_add(&run->next, 1);
        if (position >= plan->number_count || *plan->limits.cancel != 0) {
            break;
        }
        struct search_row row = row_at(plan, run->trial, position);
        search_once(plan, searcher->workspace, row.pair, &plan->limits, &row.result);
        judge(plan, searcher, true, &row);
        pw_assert(run->rows[position].search == 0); /* each pair is taken once */
        run->rows[position] = row;
    }
    if (uses_list) {
        linked_list_thread_end();
    }
}

static enum run_outcome run_trial_by_threads(struct run *run, uint64_t trial)
{
    const struct run_plan *plan = run->plan;
    memset(run->rows, 0, plan->number_count * sizeof(*run->rows));
    run->trial = trial;
    atomic_store(&run->next, 0);
    plan->before(plan->context, trial, 0);
    team_run(run->team, search_pairs, run);
    return report_rows(run);
}

/* All pairs at once, by the engine. */
static enum run_outcome run_trial_as_batch(struct run *run, uint64_t trial)
{
    const struct run_plan *plan = run->plan;
    struct pair *pairs = malloc(plan->number_count * sizeof(*pairs));
    struct search_result *results = malloc(plan->number_count * sizeof(*results));
    if (pairs == NULL || results == NULL) {
        free(pairs);
        free(results);
        return RUN_NO_MEMORY;
    }
    for (size_t i = 0; i < plan->number_count; i++) {
        run->rows[i] = row_at(plan, trial, i);
        pairs[i] = run->rows[i].pair;
    }
    plan->before(plan->context, trial, 0);
    plan->engine->batch(run->searchers[0].workspace, pairs, plan->number_count, &plan->limits,
                        results);
    for (size_t i = 0; i < plan->number_count; i++) {
        run->rows[i].result = results[i];
        judge(plan, &run->searchers[0], false, &run->rows[i]);
    }
    free(pairs);
    free(results);
    return report_rows(run);
}

static void close_run(struct run *run)
{
    team_destroy(run->team);
    for (unsigned i = run->searcher_count; i-- > 0;) {
        answer_check_close(&run->searchers[i].check);
        if (run->searchers[i].workspace != NULL) {
            run->plan->engine->destroy(run->searchers[i].workspace);
        }
    }
    free(run->searchers);
    free(run->rows);
}

/* Workspaces, and threads where they are to be. */
static enum run_outcome open_run(struct run *run, const struct run_plan *plan, bool batch)
{
    const struct search_engine *engine = plan->engine;
    const bool together = plan->threads > 1 && engine->set_threads && (plan->one_search || batch);
    const unsigned count = plan->threads > 1 && !together && !batch ? plan->threads : 1;
    *run = (struct run){.plan = plan};
    run->searchers = calloc(count, sizeof(*run->searchers));
    run->rows = calloc(plan->number_count + 1, sizeof(*run->rows));
    if (run->searchers == NULL || run->rows == NULL) {
        return RUN_NO_MEMORY;
    }
    while (run->searcher_count < count) {
        struct searcher *searcher = &run->searchers[run->searcher_count++];
        searcher->wrong_at = SIZE_MAX;
        searcher->workspace = searcher == run->searchers
                                  ? engine->create(plan->graph)
                                  : engine->share(run->searchers[0].workspace);
        if (searcher->workspace == NULL ||
            !answer_check_open(&searcher->check, plan->graph, plan->paths, plan->verify)) {
            return RUN_NO_MEMORY;
        }
    }
    if (together && !engine->set_threads(run->searchers[0].workspace, plan->threads)) {
        return RUN_NO_THREADS;
    }
    run->team = count > 1 ? team_create(count) : NULL;
    return count > 1 && run->team == NULL ? RUN_NO_THREADS : RUN_COMPLETE;
}

/* Tell the first wrong answer in the order of the pairs. */
static void tell_problem(const struct run *run)
{
    const struct searcher *first = &run->searchers[0];
    for (unsigned i = 1; i < run->searcher_count; i++) {
        if (run->searchers[i].wrong_at < first->wrong_at) {
            first = &run->searchers[i];
        }
    }
    pw_assert(first->wrong_at < run->plan->number_count);
    memcpy(run->plan->problem, first->problem, RUN_PROBLEM_SIZE);
}

enum run_outcome run_searches(const struct run_plan *plan, uint64_t *setup_ns, uint64_t *wall_ns)
{
    struct run run;
    bool batch = plan->engine->batch != NULL && !plan->paths;
    uint64_t start_ns = clock_now_ns();
    enum run_outcome outcome = open_run(&run, plan, batch);
    *setup_ns = clock_now_ns() - start_ns;
    *wall_ns = 0;
    for (uint64_t i = 0; i < plan->warmups + plan->trials && outcome == RUN_COMPLETE; i++) {
        uint64_t trial = i < plan->warmups ? 0 : i - plan->warmups + 1;
        uint64_t trial_ns = clock_now_ns();
        outcome = batch                    ? run_trial_as_batch(&run, trial)
                  : run.searcher_count > 1 ? run_trial_by_threads(&run, trial)
                                           : run_trial_in_order(&run, trial);
        *wall_ns += trial > 0 ? clock_now_ns() - trial_ns : 0;
    }
    if (outcome == RUN_WRONG) {
        tell_problem(&run);
    }
    close_run(&run);
    return outcome;
}
