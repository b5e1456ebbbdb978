/*
 * run.c - the loop over trials and searches.
 *
 * 1. One search follows the other, or an engine that takes a batch makes all at once.
 * 2. With several threads, each takes the next pair, in a workspace of its own, from a window whose
 *    rows are reported when all are made. Or all work on one search, if the engine can.
 * The calls of malloc and free are counted around a search. The engine's own workspace does not
 * come from the registered functions, so these are the calls of the measured region. Counters cover
 * one thread and one search at a time.
 */
#include "run.h"
#include "alloc/node_allocator.h"
#include "answer_check.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "bfs/search/processor.h"
#include "bfs/search/team.h"
#include "call_counts.h"
#include "liblist/linked_list_more.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 4096 /* searches that threads divide before their rows are reported */

/* The state of one thread that searches. */
struct searcher {
    void *workspace;
    struct answer_check check;
};

/* A run, and in it a trial whose searches the threads divide. */
struct run_state {
    const struct run_plan *plan;
    struct searcher *searchers; /* one per thread; at least one */
    unsigned searcher_count;
    struct team *team;               /* NULL: one searcher */
    struct search_row *rows;         /* of a window, or of a trial as a batch; else NULL */
    size_t window_begin, window_end; /* the positions of these rows */
    uint64_t trial;
    atomic_size_t next;
    pthread_mutex_t wrong_lock;
    size_t wrong_at; /* the position of the first wrong answer, or SIZE_MAX */
};

static struct search_row row_at(const struct run_plan *plan, uint64_t trial, size_t position)
{
    pw_assert(position < plan->number_count && plan->numbers[position] >= 1);
    struct search_row row = {
        .trial = trial, .search = plan->numbers[position], .position = position};
    row.pair = plan->pairs[row.search - 1];
    return row;
}

/* The row to be of the next search, one after the other. False if there are no more. */
static bool next_row(const struct run_plan *plan, uint64_t trial, size_t position,
                     struct search_row *row)
{
    if (plan->next == NULL) {
        const bool has_one = position < plan->number_count;
        *row = has_one ? row_at(plan, trial, position) : (struct search_row){0};
        return has_one;
    }
    *row = (struct search_row){.trial = trial, .search = position + 1, .position = position};
    return plan->next(plan->context, &row->pair);
}

static void free_path(struct search_row *row)
{
    free(row->path);
    free(row->nodes);
    row->path = NULL;
    row->nodes = NULL;
}

/* Check the answer of a row and put its path into words. Of wrong answers the first is reported. */
static void judge(struct run_state *run, struct searcher *searcher, bool has_path,
                  struct search_row *row)
{
    const struct run_plan *plan = run->plan;
    struct command_error why;
    pw_assert(row->path == NULL && searcher->check.graph == plan->graph);
    if (!answer_check(&searcher->check, plan->engine, has_path ? searcher->workspace : NULL,
                      row->pair, &row->result, &why)) {
        pthread_mutex_lock(&run->wrong_lock);
        if (row->position < run->wrong_at) {
            run->wrong_at = row->position;
            command_fail(plan->problem, "search %zu: %s", row->search, why.message);
        }
        pthread_mutex_unlock(&run->wrong_lock);
    } else if (plan->paths && row->result.status == SEARCH_DONE && row->result.found &&
               row->trial > 0) {
        const size_t bytes = ((size_t)row->result.hops + 1) * sizeof(*row->nodes);
        row->path = answer_path_labels(plan->graph, searcher->check.nodes, row->result.hops);
        row->nodes = malloc(bytes);
        if (row->path == NULL || row->nodes == NULL) {
            free_path(row);
            row->result.status = SEARCH_NO_MEMORY;
        } else {
            memcpy(row->nodes, searcher->check.nodes, bytes);
        }
    }
}

/* A replay of a different run refuses a request; that is not lack of memory. */
static void note_divergence(struct search_result *result)
{
    struct node_allocator_statistics nodes;
    if (result->status == SEARCH_NO_MEMORY) {
        linked_list_statistics(&nodes);
        result->status = nodes.diverged ? SEARCH_DIVERGED : SEARCH_NO_MEMORY;
    }
}

/* Hand a row to the report. RUN_COMPLETE: the run goes on. */
static enum run_outcome report(const struct run_state *run, struct search_row *row)
{
    note_divergence(&row->result);
    pw_assert(row->result.status < SEARCH_STATUSES);
    if (row->position == run->wrong_at) {
        free_path(row);
        return RUN_WRONG;
    }
    bool go_on = row->trial == 0 || run->plan->after(run->plan->context, row);
    free_path(row);
    return !go_on                                   ? RUN_STOPPED
           : row->result.status == SEARCH_CANCELLED ? RUN_INTERRUPTED
                                                    : RUN_COMPLETE;
}

static void search_once(const struct run_plan *plan, void *workspace, struct pair pair,
                        const struct search_limits *limits, struct search_result *result)
{
    struct call_counts before = call_counts_now();
    plan->engine->search(workspace, pair.source, pair.target, limits, result);
    struct call_counts after = call_counts_now();
    pw_assert(after.malloc_calls >= before.malloc_calls && after.free_calls >= before.free_calls);
    result->malloc_calls = after.malloc_calls - before.malloc_calls;
    result->free_calls = after.free_calls - before.free_calls;
}

static void measure(const struct run_plan *plan, void *workspace, struct pair pair,
                    struct search_result *result)
{
    const struct run_meter *meter = &plan->meter;
    struct search_limits limits = plan->limits;
    limits.region = &meter->region;
    pw_assert(meter->passes >= 1);
    meter->before(meter->region.context, 0);
    search_once(plan, workspace, pair, &limits, result);
    meter->after(meter->region.context, result);
    if (meter->is_untimed) {
        result->elapsed_ns = SEARCH_COUNT_UNKNOWN;
    }
    /* The same search again for every further pass. Only the counts are kept. */
    for (size_t pass = 1; pass < meter->passes; pass++) {
        struct search_result again;
        meter->before(meter->region.context, pass);
        plan->engine->search(workspace, pair.source, pair.target, &limits, &again);
        meter->after(meter->region.context, &again);
    }
}

/* Make all searches once, reporting each. */
static enum run_outcome run_trial_in_order(struct run_state *run, uint64_t trial)
{
    const struct run_plan *plan = run->plan;
    enum run_outcome outcome = RUN_COMPLETE;
    for (size_t position = 0; outcome == RUN_COMPLETE; position++) {
        struct search_row row;
        const bool has_one = next_row(plan, trial, position, &row);
        if (*plan->limits.cancel != 0) {
            return RUN_INTERRUPTED;
        }
        if (!has_one) {
            break;
        }
        plan->before(plan->context, trial, position);
        measure(plan, run->searchers[0].workspace, row.pair, &row.result);
        judge(run, &run->searchers[0], true, &row);
        outcome = report(run, &row);
    }
    return outcome;
}

/* Report the rows of searches that were made together, up to the first one not made. */
static enum run_outcome report_rows(struct run_state *run)
{
    const struct run_plan *plan = run->plan;
    enum run_outcome outcome = RUN_COMPLETE;
    for (size_t i = 0; i < run->window_end - run->window_begin; i++) {
        struct search_row *row = &run->rows[i];
        if (outcome != RUN_COMPLETE) {
            free_path(row);
        } else if (row->search == 0) { /* not made */
            outcome = RUN_INTERRUPTED;
        } else {
            const struct run_meter *meter = &plan->meter;
            pw_assert(row->position == run->window_begin + i);
            meter->before(meter->region.context, 0); /* nothing is counted, and that is said */
            meter->after(meter->region.context, &row->result);
            outcome = report(run, row);
        }
    }
    return outcome;
}

/* The share of one thread in a window: the next pair, until all are taken. */
static void search_pairs(void *argument, unsigned index)
{
    struct run_state *run = argument;
    const struct run_plan *plan = run->plan;
    struct searcher *searcher = &run->searchers[index];
    pw_assert(index < run->searcher_count);
    if (plan->pin) {
        processor_pin_nth(index);
    }
    for (;;) {
        size_t position = atomic_fetch_add(&run->next, 1);
        if (position >= run->window_end || *plan->limits.cancel != 0) {
            break;
        }
        struct search_row row = row_at(plan, run->trial, position);
        search_once(plan, searcher->workspace, row.pair, &plan->limits, &row.result);
        judge(run, searcher, true, &row);
        pw_assert(run->rows[position - run->window_begin].search == 0); /* each is taken once */
        run->rows[position - run->window_begin] = row;
    }
}

static enum run_outcome run_trial_by_threads(struct run_state *run, uint64_t trial)
{
    const struct run_plan *plan = run->plan;
    enum run_outcome outcome = RUN_COMPLETE;
    pw_assert(run->team != NULL && run->rows != NULL);
    run->trial = trial;
    for (size_t begin = 0; begin < plan->number_count && outcome == RUN_COMPLETE;
         begin = run->window_end) {
        const size_t left = plan->number_count - begin;
        run->window_begin = begin;
        run->window_end = begin + (left < WINDOW ? left : WINDOW);
        memset(run->rows, 0, (run->window_end - begin) * sizeof(*run->rows));
        atomic_store(&run->next, begin);
        plan->before(plan->context, trial, begin);
        team_run(run->team, search_pairs, run);
        outcome = report_rows(run);
    }
    pw_assert(outcome != RUN_COMPLETE || run->window_end == plan->number_count);
    return outcome;
}

/* All pairs at once, by the engine. */
static enum run_outcome run_trial_as_batch(struct run_state *run, uint64_t trial)
{
    const struct run_plan *plan = run->plan;
    struct pair *pairs = malloc(plan->number_count * sizeof(*pairs));
    struct search_result *results = malloc(plan->number_count * sizeof(*results));
    if (pairs == NULL || results == NULL) {
        free(pairs);
        free(results);
        return RUN_NO_MEMORY;
    }
    pw_assert(run->searcher_count == 1);
    run->window_begin = 0;
    run->window_end = plan->number_count;
    for (size_t i = 0; i < plan->number_count; i++) {
        run->rows[i] = row_at(plan, trial, i);
        pairs[i] = run->rows[i].pair;
    }
    plan->before(plan->context, trial, 0);
    plan->engine->batch(run->searchers[0].workspace, pairs, plan->number_count, &plan->limits,
                        results);
    for (size_t i = 0; i < plan->number_count; i++) {
        run->rows[i].result = results[i];
        judge(run, &run->searchers[0], false, &run->rows[i]);
    }
    free(pairs);
    free(results);
    return report_rows(run);
}

static void close_run(struct run_state *run)
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

/* Make the workspaces, and the threads if there are any. */
static enum run_outcome open_run(struct run_state *run, const struct run_plan *plan, bool batch)
{
    const struct search_engine *engine = plan->engine;
    const bool together =
        plan->threads > 1 && engine->set_threads && (plan->division == RUN_DIVIDE_SEARCH || batch);
    const unsigned count = plan->threads > 1 && !together && !batch ? plan->threads : 1;
    *run = (struct run_state){
        .plan = plan, .wrong_lock = PTHREAD_MUTEX_INITIALIZER, .wrong_at = SIZE_MAX};
    run->searchers = calloc(count, sizeof(*run->searchers));
    if (batch || count > 1) {
        const size_t rows = batch || plan->number_count < WINDOW ? plan->number_count : WINDOW;
        run->rows = calloc(rows + 1, sizeof(*run->rows));
    }
    if (run->searchers == NULL || (run->rows == NULL && (batch || count > 1))) {
        return RUN_NO_MEMORY;
    }
    while (run->searcher_count < count) {
        const void *like =
            run->searcher_count > 0 ? run->searchers[0].workspace : plan->avoided.like;
        struct searcher *searcher = &run->searchers[run->searcher_count++];
        searcher->workspace = engine->create(plan->graph, like);
        if (searcher->workspace == NULL ||
            !answer_check_open(&searcher->check, plan->graph, plan->paths, plan->verify)) {
            return RUN_NO_MEMORY;
        }
        answer_check_avoid(&searcher->check, plan->avoided.nodes, plan->avoided.count);
    }
    run->team = count > 1 ? team_create(count) : NULL;
    if ((count > 1 && run->team == NULL) ||
        (together && !engine->set_threads(run->searchers[0].workspace, plan->threads))) {
        command_fail(plan->problem, "%u threads could not be started: %s", plan->threads,
                     strerror(errno));
        return RUN_NO_THREADS;
    }
    return RUN_COMPLETE;
}

enum run_outcome run_searches(const struct run_plan *plan, uint64_t *setup_ns, uint64_t *wall_ns)
{
    struct run_state run;
    const bool batch = run_is_batch(plan->engine, plan->paths);
    pw_assert(plan->threads >= 1 && plan->trials >= 1);
    pw_assert(plan->next == NULL || (plan->trials == 1 && plan->warmups == 0 && !batch));
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
    pw_assert(outcome != RUN_WRONG || run.wrong_at != SIZE_MAX);
    close_run(&run);
    return outcome;
}
