/*
 * check.h - what the suites use of Check, for a machine that has no Check.
 *
 * Each test is a process of its own, so that one that crashes has failed and the others go on. The
 * sum at the end has the words of Check. Names and macros are Check's. Without it: a time limit
 * (ctest has one), choices from the environment but for CK_FORK=no, and how far a test came.
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    const char *name;
    void (*run)(int);
} TTest;

#define START_TEST(test)                                                                           \
    static void run_##test(int _i);                                                                \
    static const TTest the_##test = {#test, run_##test};                                           \
    static const TTest *test = &the_##test;                                                        \
    static void run_##test(int _i __attribute__((unused)))
#define END_TEST

#define ck_abort_msg(...)                                                                          \
    (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__),                 \
     fprintf(stderr, "\n"), exit(1))
#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#define ck_assert(condition)          ck_assert_msg(condition, "'%s' does not hold", #condition)

#define CHECK_AS(type, format, a, operator, b)                                                     \
    do {                                                                                           \
        const type check_a = (a);                                                                  \
        const type check_b = (b);                                                                  \
        ck_assert_msg(check_a operator check_b, "'%s %s %s' does not hold: " format ", " format,   \
                      #a, #operator, #b, check_a, check_b);                                        \
    } while (0)
#define ck_assert_int_eq(a, b)    CHECK_AS(intmax_t, "%jd", a, ==, b)
#define ck_assert_int_ne(a, b)    CHECK_AS(intmax_t, "%jd", a, !=, b)
#define ck_assert_int_gt(a, b)    CHECK_AS(intmax_t, "%jd", a, >, b)
#define ck_assert_int_ge(a, b)    CHECK_AS(intmax_t, "%jd", a, >=, b)
#define ck_assert_uint_eq(a, b)   CHECK_AS(uintmax_t, "%ju", a, ==, b)
#define ck_assert_uint_ne(a, b)   CHECK_AS(uintmax_t, "%ju", a, !=, b)
#define ck_assert_uint_ge(a, b)   CHECK_AS(uintmax_t, "%ju", a, >=, b)
#define ck_assert_uint_gt(a, b)   CHECK_AS(uintmax_t, "%ju", a, >, b)
#define ck_assert_uint_le(a, b)   CHECK_AS(uintmax_t, "%ju", a, <=, b)
#define ck_assert_uint_lt(a, b)   CHECK_AS(uintmax_t, "%ju", a, <, b)
#define ck_assert_double_eq(a, b) CHECK_AS(double, "%g", a, ==, b)
#define ck_assert_double_ge(a, b) CHECK_AS(double, "%g", a, >=, b)
#define ck_assert_double_le(a, b) CHECK_AS(double, "%g", a, <=, b)
#define ck_assert_double_gt(a, b) CHECK_AS(double, "%g", a, >, b)
#define ck_assert_double_lt(a, b) CHECK_AS(double, "%g", a, <, b)
#define ck_assert_ptr_eq(a, b)                                                                     \
    CHECK_AS(void *, "%p", (void *)(uintptr_t)(a), ==, (void *)(uintptr_t)(b))
#define ck_assert_ptr_ne(a, b)                                                                     \
    CHECK_AS(void *, "%p", (void *)(uintptr_t)(a), !=, (void *)(uintptr_t)(b))
#define ck_assert_ptr_null(a)    ck_assert_ptr_eq(a, NULL)
#define ck_assert_ptr_nonnull(a) ck_assert_ptr_ne(a, NULL)

#define ck_assert_double_eq_tol(a, b, most) ck_assert(fabs((a) - (b)) <= (most))
#define ck_assert_mem_eq(a, b, size)        ck_assert(memcmp(a, b, size) == 0)
#define ck_assert_mem_ne(a, b, size)        ck_assert(memcmp(a, b, size) != 0)
#define ck_assert_str_ne(a, b)              ck_assert(strcmp(a, b) != 0)
#define ck_assert_str_eq(a, b)                                                                     \
    do {                                                                                           \
        const char *check_a = (a);                                                                 \
        const char *check_b = (b);                                                                 \
        ck_assert_msg(strcmp(check_a, check_b) == 0, "'%s == %s' does not hold: \"%s\", \"%s\"",   \
                      #a, #b, check_a, check_b);                                                   \
    } while (0)

/* A suite runs each case as it is added. */
typedef struct {
    const char *name;
    int checks, failures, errors;
} Suite;
typedef Suite SRunner;
typedef struct {
    void (*setup)(void);
    void (*teardown)(void);
    int count;
    struct {
        const TTest *test;
        int first, end;
    } tests[100];
} TCase;

#define CK_NORMAL 0

static inline Suite *suite_create(const char *name)
{
    static Suite *volatile kept; /* a child that ends within a test does not lose the suite */
    Suite *suite = calloc(1, sizeof(*suite));
    suite->name = name;
    kept = suite;
    return kept;
}

static inline TCase *tcase_create(const char *name)
{
    (void)name;
    return calloc(1, sizeof(TCase));
}

static inline void tcase_set_timeout(TCase *tcase, double seconds)
{
    (void)tcase;
    (void)seconds;
}

static inline void tcase_add_checked_fixture(TCase *tcase, void (*setup)(void),
                                             void (*teardown)(void))
{
    tcase->setup = setup;
    tcase->teardown = teardown;
}

static inline void tcase_add_loop_test(TCase *tcase, const TTest *test, int first, int end)
{
    const int at = tcase->count++;
    if (at == (int)(sizeof(tcase->tests) / sizeof(*tcase->tests))) {
        abort();
    }
    tcase->tests[at].test = test;
    tcase->tests[at].first = first;
    tcase->tests[at].end = end;
}

static inline void check_run_here(const TCase *tcase, const TTest *test, int i)
{
    if (tcase->setup != NULL) {
        tcase->setup();
    }
    test->run(i);
    if (tcase->teardown != NULL) {
        tcase->teardown();
    }
}

static inline void check_run(Suite *suite, const TCase *tcase, const TTest *test, int i)
{
    const char *fork_wanted = getenv("CK_FORK");
    int status = 0;
    suite->checks++;
    if (fork_wanted != NULL && strcmp(fork_wanted, "no") == 0) {
        check_run_here(tcase, test, i);
        return;
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        check_run_here(tcase, test, i);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
        suite->errors++;
    } else {
        suite->failures += WEXITSTATUS(status) != 0;
    }
    if (status != 0) {
        printf("failed: %s:%s:%d\n", suite->name, test->name, i);
    }
}

static inline void suite_add_tcase(Suite *suite, TCase *tcase)
{
    for (int at = 0; at < tcase->count; at++) {
        for (int i = tcase->tests[at].first; i < tcase->tests[at].end; i++) {
            check_run(suite, tcase, tcase->tests[at].test, i);
        }
    }
    free(tcase);
}

static inline SRunner *srunner_create(Suite *suite)
{
    return suite;
}

static inline void srunner_run_all(const SRunner *runner, int mode)
{
    const int passed = runner->checks - runner->failures - runner->errors;
    (void)mode;
    printf("%d%%: Checks: %d, Failures: %d, Errors: %d\n",
           runner->checks == 0 ? 100 : 100 * passed / runner->checks, runner->checks,
           runner->failures, runner->errors);
}

static inline int srunner_ntests_failed(const SRunner *runner)
{
    return runner->failures + runner->errors;
}

static inline void srunner_free(SRunner *runner)
{
    free(runner);
}
