/*
 * test_search_counters.c - the counters in the reports of bfs, on a machine with or without any.
 */
#include "tests/support/program.h"
#include "tests/support/suite.h"
#include <stdlib.h>

#define GRAPH "generate:nodes=2k,edges=20k,seed=3"
#define PAIRS "random:3,seed=5"

/* The cell of a column (from its name) in a row of CSV (from 1); freed by the caller. */
static char *cell(const char *csv, const char *name, int row)
{
    char *copy = strdup(csv);
    char *lines[8] = {NULL};
    char *rest = copy;
    for (int i = 0; i <= row; i++) {
        lines[i] = strsep(&rest, "\n");
        ck_assert_ptr_nonnull(lines[i]);
    }
    char *header = lines[0], *values = lines[row], *found = NULL;
    for (char *column; found == NULL && (column = strsep(&header, ",")) != NULL;) {
        char *value = strsep(&values, ",");
        ck_assert_ptr_nonnull(value);
        found = strcmp(column, name) == 0 ? strdup(value) : NULL;
    }
    free(copy);
    ck_assert_msg(found != NULL, "no column %s", name);
    return found;
}

static struct program_result run(const char *first, const char *second)
{
    return program_run_to(
        NULL, (const char *[]){PW_BFS, GRAPH, PAIRS, "--format", "csv", first, second, NULL});
}

START_TEST(the_accounts_of_the_kernel_are_in_every_report)
{
    struct program_result result = run(NULL, NULL);
    char *clock = cell(result.out, "task_clock_seconds", 1);
    char *faults = cell(result.out, "faults_minor", 1);
    char *disturbed = cell(result.out, "disturbed", 1);
    ck_assert_int_eq(result.status, 0);
    ck_assert(strtod(clock, NULL) > 0);
    ck_assert_uint_gt(strlen(faults), 0);
    ck_assert(strcmp(disturbed, "0") == 0 || strcmp(disturbed, "1") == 0);
    free(clock);
    free(faults);
    free(disturbed);
    program_free(&result);
}
END_TEST

START_TEST(a_counter_has_a_number_or_an_empty_cell_and_never_a_bare_zero)
{
    struct program_result result = run("--counters=pointer-wars", NULL);
    char *loads = cell(result.out, "loads", 1);
    ck_assert_int_eq(result.status, 0);
    ck_assert_str_ne(loads, "0");
    free(loads);
    program_free(&result);
}
END_TEST

START_TEST(json_says_of_every_counter_what_it_is_worth)
{
    struct program_result result = program_run_to(
        NULL, (const char *[]){PW_BFS, GRAPH, PAIRS, "--format", "json", "--counters=core", NULL});
    ck_assert_int_eq(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.out, "\"cycles_status\": \""));
    ck_assert_ptr_nonnull(strstr(result.out, "\"counter_events\""));
    ck_assert_ptr_nonnull(strstr(result.out, "\"stage\""));
    program_free(&result);
}
END_TEST

START_TEST(an_unknown_event_is_wrong_usage_and_lists_near_names)
{
    struct program_result result = run("--counters=branch-mises", NULL);
    ck_assert_int_eq(result.status, 2);
    ck_assert_ptr_nonnull(strstr(result.err, "branch-misses"));
    ck_assert_str_eq(result.out, "");
    program_free(&result);
}
END_TEST

START_TEST(required_counters_fail_the_run_where_there_are_none)
{
    struct program_result plain = run("--counters=cycles", NULL);
    struct program_result strict = run("--counters=cycles", "--require-counters");
    char *cycles = cell(plain.out, "cycles", 1);
    ck_assert_int_eq(plain.status, 0);
    ck_assert_int_eq(strict.status, cycles[0] == '\0' ? 1 : 0);
    free(cycles);
    program_free(&plain);
    program_free(&strict);
}
END_TEST

START_TEST(passes_and_counters_change_nothing_in_the_answers)
{
    static const char *const columns[] = {"found",      "hops",         "visited",   "pushed",
                                          "peak_queue", "malloc_calls", "free_calls"};
    struct program_result none = run("--counters=none", NULL);
    struct program_result passes = run("--counters=pointer-wars", "--passes");
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        for (int row = 1; row <= 3; row++) {
            char *a = cell(none.out, columns[i], row);
            char *b = cell(passes.out, columns[i], row);
            ck_assert_str_eq(a, b);
            free(a);
            free(b);
        }
    }
    program_free(&none);
    program_free(&passes);
}
END_TEST

START_TEST(text_has_one_footnote_that_says_what_can_be_done)
{
    struct program_result result = program_run_to(
        NULL, (const char *[]){PW_BFS, GRAPH, PAIRS, "--counters=pointer-wars", NULL});
    for (char *line = result.out; (line = strchr(line, '\n')) != NULL;) {
        *line = ' '; /* a footnote is wrapped anywhere */
    }
    const char *note = strstr(result.out, "simulate with --sim");
    ck_assert_int_eq(result.status, 0);
    if (strstr(result.out, "not supported") != NULL ||
        strstr(result.out, "no permission") != NULL) {
        ck_assert_ptr_nonnull(note);
        ck_assert_ptr_null(strstr(note + 1, "simulate with --sim"));
    }
    program_free(&result);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_accounts_of_the_kernel_are_in_every_report,
        a_counter_has_a_number_or_an_empty_cell_and_never_a_bare_zero,
        json_says_of_every_counter_what_it_is_worth,
        an_unknown_event_is_wrong_usage_and_lists_near_names,
        required_counters_fail_the_run_where_there_are_none,
        passes_and_counters_change_nothing_in_the_answers,
        text_has_one_footnote_that_says_what_can_be_done,
        NULL,
    };
    return suite_run("search_counters", NULL, NULL, tests);
}
