/*
 * test_run.c - the times of a run, with a clock that moves in searches only.
 */
#include "base/macros.h"
#include "base/report/clock.h"
#include "bfs/run/run.h"
#include "tests/support/suite.h"
#include <signal.h>

#define SEARCH_NS 1000
#define SETUP_NS  70

static uint64_t now_ns;
static unsigned made; /* searches */

uint64_t clock_now_ns(void) /* replaces the clock of base/report */
{
    return now_ns;
}

static void *create(const struct graph *graph, const void *from)
{
    (void)graph;
    (void)from;
    now_ns += SETUP_NS;
    return &made;
}

static void search(void *workspace, uint32_t source, uint32_t target,
                   const struct search_limits *limits, struct search_result *result)
{
    (void)workspace;
    (void)source;
    (void)target;
    (void)limits;
    now_ns += SEARCH_NS;
    made++;
    *result = (struct search_result){.status = SEARCH_DONE, .elapsed_ns = SEARCH_NS};
}

static void destroy(void *workspace)
{
    (void)workspace;
    now_ns += SETUP_NS;
}

static void before_pass(void *context, size_t pass)
{
    (void)context;
    ck_assert_uint_eq(pass, 0);
}

static void after_pass(void *context, const struct search_result *result)
{
    (void)context;
    ck_assert_uint_eq(result->elapsed_ns, SEARCH_NS);
}

static void before(void *context, uint64_t trial, size_t position)
{
    (void)context;
    (void)trial;
    ck_assert_uint_lt(position, 2);
}

static bool after(void *context, const struct search_row *row)
{
    unsigned *rows = context;
    ck_assert_uint_ge(row->trial, 1);
    ++*rows;
    return true;
}

START_TEST(the_time_of_a_run_is_the_time_of_its_trials_without_warm_ups_and_preparation)
{
    static const struct search_engine engine = {
        .name = "counting", .create = create, .search = search, .destroy = destroy};
    static const struct graph graph = {.node_limit = 3};
    static const struct pair pairs[] = {{0, 1}, {1, 2}};
    static const size_t numbers[] = {1, 2};
    static const volatile sig_atomic_t never = 0;
    for (uint64_t warmups = 0; warmups < 4; warmups++) {
        unsigned rows = 0;
        uint64_t setup_ns, wall_ns;
        struct command_error problem = {""};
        const struct run_plan plan = {
            .engine = &engine,
            .graph = &graph,
            .pairs = pairs,
            .numbers = numbers,
            .number_count = COUNT_OF(numbers),
            .trials = 5,
            .warmups = warmups,
            .threads = 1,
            .limits = {.cancel = &never},
            .meter = {.passes = 1, .before = before_pass, .after = after_pass},
            .problem = &problem,
            .before = before,
            .after = after,
            .context = &rows};
        made = 0;
        ck_assert_int_eq(run_searches(&plan, &setup_ns, &wall_ns), RUN_COMPLETE);
        ck_assert_uint_eq(made, (5 + warmups) * 2);
        ck_assert_uint_eq(rows, 5 * 2);
        ck_assert_uint_eq(setup_ns, SETUP_NS);
        ck_assert_uint_eq(wall_ns, 5 * 2 * SEARCH_NS);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_time_of_a_run_is_the_time_of_its_trials_without_warm_ups_and_preparation, NULL};
    return suite_run("run", NULL, NULL, tests);
}
