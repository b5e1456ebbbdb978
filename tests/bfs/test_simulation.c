/*
 * test_simulation.c - simulated counters: what Callgrind writes is read right, two runs agree, and
 * the table shows what the challenge's article found about malloc and a free list.
 */
#include "counters/simulated_counters.h"
#include "tests/support/fixture_file.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"
#include <stdlib.h>

#define GRAPH "generate:nodes=6k,edges=80k,seed=4"
#define PAIRS "random:4,seed=2"

static const char *bfs_arguments(const char *allocator, const char *caches, const char **arguments)
{
    size_t count = 0;
    arguments[count++] = PW_BFS;
    arguments[count++] = GRAPH;
    arguments[count++] = PAIRS;
    arguments[count++] = "--format=json";
    arguments[count++] = allocator;
    arguments[count++] = caches;
    arguments[count] = NULL;
    return caches;
}

static struct program_result simulate(const char *allocator, const char *caches)
{
    const char *arguments[8];
    bfs_arguments(allocator, caches, arguments);
    return program_run_to(NULL, arguments);
}

/* True if this machine cannot simulate; then err says why. */
static bool cannot_simulate(const struct program_result *result)
{
    return result->status == 1 && (strstr(result->err, "install the package valgrind") != NULL ||
                                   strstr(result->err, "AddressSanitizer") != NULL ||
                                   strstr(result->err, "ThreadSanitizer") != NULL);
}

/* A member of the report's counters: the sum over the searches. */
static double total(const char *json, const char *name)
{
    char key[64];
    const char *section = strstr(json, "\"counters\":");
    ck_assert_ptr_nonnull(section);
    snprintf(key, sizeof(key), "\"%s\": ", name);
    const char *at = strstr(section, key);
    ck_assert_msg(at != NULL, "no %s", name);
    return strtod(at + strlen(key), NULL);
}

START_TEST(the_counts_of_callgrind_s_file_are_read_by_their_names)
{
    static const char text[] = "# callgrind format\nversion: 1\npart: 1\n\n"
                               "desc: I1 cache: 49152 B, 64 B, 3-way associative\n"
                               "desc: D1 cache: 32768 B, 64 B, 2-way associative\n"
                               "desc: LL cache: 1048576 B, 64 B, 16-way associative\n"
                               "events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\n"
                               "summary: 100 50 20 1 10 2 1 5 1 30 3 7 4\n";
    uint64_t counts[EVENT_ROLE_COUNT];
    FILE *file = fmemopen((void *)(uintptr_t)text, sizeof(text) - 1, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert(simulated_counts_parse(file, counts));
    fclose(file);
    ck_assert_uint_eq(counts[EVENT_INSTRUCTIONS], 100);
    ck_assert_uint_eq(counts[EVENT_LOADS], 50);
    ck_assert_uint_eq(counts[EVENT_L1D_MISSES], 10);
    ck_assert_uint_eq(counts[EVENT_L2_MISSES], 5);
    ck_assert_uint_eq(counts[EVENT_BRANCHES], 37);
    ck_assert_uint_eq(counts[EVENT_BRANCH_MISSES], 7);
}
END_TEST

START_TEST(zeros_that_callgrind_leaves_out_are_zeros)
{
    static const char text[] = "events: Ir Dr Dw Bc Bcm\nsummary: 9 4\n";
    uint64_t counts[EVENT_ROLE_COUNT];
    FILE *file = fmemopen((void *)(uintptr_t)text, sizeof(text) - 1, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert(simulated_counts_parse(file, counts));
    fclose(file);
    ck_assert_uint_eq(counts[EVENT_LOADS], 4);
    ck_assert_uint_eq(counts[EVENT_BRANCHES], 0);
}
END_TEST

START_TEST(a_file_cut_short_has_no_counts)
{
    static const char text[] = "events: Ir Dr Dw Bc Bcm\n";
    uint64_t counts[EVENT_ROLE_COUNT];
    FILE *file = fmemopen((void *)(uintptr_t)text, sizeof(text) - 1, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert(!simulated_counts_parse(file, counts));
    fclose(file);
}
END_TEST

START_TEST(a_free_list_needs_fewer_loads_and_branches_than_malloc)
{
    struct program_result malloc_run = simulate("--alloc=malloc", "--sim=pi4");
    if (!cannot_simulate(&malloc_run)) {
        struct program_result pool_run = simulate("--alloc=pool", "--sim=pi4");
        ck_assert_msg(malloc_run.status == 0, "%s", malloc_run.err);
        ck_assert_msg(pool_run.status == 0, "%s", pool_run.err);
#ifdef __OPTIMIZE__ /* else the hooks are not inlined, and load what they just stored */
        ck_assert(total(pool_run.out, "loads") < 0.6 * total(malloc_run.out, "loads"));
        ck_assert(total(pool_run.out, "branches") < 0.6 * total(malloc_run.out, "branches"));
#endif
        ck_assert(total(pool_run.out, "l1d_hit_rate") > 0);
        ck_assert_ptr_nonnull(strstr(pool_run.out, "\"loads_status\": \"simulated\""));
        ck_assert_ptr_nonnull(strstr(pool_run.out, "\"seconds\": null"));
        ck_assert_ptr_nonnull(strstr(pool_run.out, "1 MiB 16-way"));
        program_free(&pool_run);
    }
    program_free(&malloc_run);
}
END_TEST

/* jemalloc needs a process that was started with more static thread-local storage. */
START_TEST(a_library_that_needs_a_prepared_process_is_simulated)
{
    struct program_result run = simulate("--alloc=lib:jemalloc", "--sim=pi4");
    bool is_missing = run.status != 0 && strstr(run.err, "jemalloc") != NULL;
    if (!cannot_simulate(&run) && !is_missing) {
        ck_assert_msg(run.status == 0, "%s", run.err);
        ck_assert(total(run.out, "loads") > 0);
    }
    program_free(&run);
}
END_TEST

START_TEST(two_runs_give_the_same_counts)
{
    static const char *const names[] = {
        "loads",       "l1d_hit_rate", "l2_local_hit_rate", "branches", "branches_predicted_rate",
        "instructions"};
    struct program_result first = simulate("--alloc=malloc", "--sim=host");
    if (first.status == 0) { /* and not a machine that does not describe its caches */
        struct program_result second = simulate("--alloc=malloc", "--sim=host");
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
            ck_assert_double_eq(total(first.out, names[i]), total(second.out, names[i]));
        }
        program_free(&second);
    }
    program_free(&first);
}
END_TEST

START_TEST(a_limit_too_short_for_any_search_makes_the_graph_smaller_and_says_so)
{
    const char *arguments[] = {PW_BFS,       GRAPH,          PAIRS, "--sim=pi4", "--sim-limit=2.2",
                               "--only=1,2", "--alloc=pool", NULL};
    struct program_result result = program_run_to(NULL, arguments);
    if (!cannot_simulate(&result)) {
        ck_assert_msg(result.status == 0, "%s", result.err);
        ck_assert_ptr_nonnull(strstr(result.err, "bfs: simulating "));
    }
    program_free(&result);
}
END_TEST

START_TEST(a_limit_is_kept_by_the_same_searches_every_time)
{
    const char *arguments[] = {PW_BFS, GRAPH, PAIRS, "--sim=pi4", "--sim-limit=2.3",
                               "-f",   "csv", NULL};
    struct program_result first = program_run_to(NULL, arguments);
    if (!cannot_simulate(&first)) {
        struct program_result second = program_run_to(NULL, arguments);
        ck_assert_msg(first.status == 0, "%s", first.err);
        ck_assert_str_eq(first.out, second.out);
        size_t rows = program_line_count(first.out) - 1;
        ck_assert_uint_ge(rows, 1);
        ck_assert_uint_lt(rows, 4);
        ck_assert_msg(strstr(first.err, " of 4 searches fit the limit of 2 s") != NULL, "%s",
                      first.err);
        program_free(&second);
    }
    program_free(&first);
}
END_TEST

START_TEST(the_budget_is_the_limit_at_15_ns_per_instruction)
{
    ck_assert_double_eq(simulated_counters_budget(1000000000), 0); /* Valgrind starts in 2 s */
    ck_assert_double_eq(simulated_counters_budget(3500000000), 1e8);
}
END_TEST

START_TEST(the_graph_s_names_reach_the_report)
{
    const char *graph = fixture_text("links.tsv", "Zebra\tOkapi\nOkapi\tGnu\n");
    const char *arguments[] = {PW_BFS, graph, "random:1", "--sim=pi4", "-f", "csv", NULL};
    struct program_result result = program_run_to(NULL, arguments);
    if (!cannot_simulate(&result)) {
        ck_assert_msg(result.status == 0, "%s", result.err);
        ck_assert_msg(strstr(result.out, "Okapi") != NULL || strstr(result.out, "Zebra") != NULL,
                      "%s", result.out);
    }
    program_free(&result);
}
END_TEST

START_TEST(an_impossible_cache_is_wrong_usage)
{
    struct program_result result = simulate("--alloc=pool", "--sim=32K,8,64:48K,7,64:1M,16,64");
    ck_assert_int_eq(result.status, 2);
    ck_assert_ptr_nonnull(strstr(result.err, "power of two"));
    program_free(&result);
}
END_TEST

START_TEST(a_missing_graph_is_one_line_and_exit_status_1)
{
    const char *arguments[] = {PW_BFS, "/nonexistent/graph", PAIRS, "--sim=pi4", NULL};
    struct program_result result = program_run_to(NULL, arguments);
    ck_assert_int_eq(result.status, 1);
    ck_assert_uint_eq(program_line_count(result.err), 1);
    program_free(&result);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_counts_of_callgrind_s_file_are_read_by_their_names,
        zeros_that_callgrind_leaves_out_are_zeros,
        a_file_cut_short_has_no_counts,
        a_free_list_needs_fewer_loads_and_branches_than_malloc,
        a_library_that_needs_a_prepared_process_is_simulated,
        two_runs_give_the_same_counts,
        a_limit_too_short_for_any_search_makes_the_graph_smaller_and_says_so,
        a_limit_is_kept_by_the_same_searches_every_time,
        the_budget_is_the_limit_at_15_ns_per_instruction,
        the_graph_s_names_reach_the_report,
        an_impossible_cache_is_wrong_usage,
        a_missing_graph_is_one_line_and_exit_status_1,
        NULL,
    };
    return suite_run("simulation", NULL, NULL, tests);
}
