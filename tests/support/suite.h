/*
 * suite.h - the main function of a Check suite: runs the tests of a table.
 *
 * A suite ends with
 *     int main(void) { return suite_run("slab", source_reset, NULL, (const TTest *[]){
 *         memory_is_asked_for_in_chunks, a_new_list_lies_in_address_order, NULL}); }
 * or, if its tests differ in their fixture or run once per element of a table (Check's loop
 * tests, which find the index in _i), with suite_run_cases.
 */
#pragma once

#include <check.h>
#include <stddef.h>

struct suite_case {
    const TTest *const *tests; /* up to NULL */
    void (*setup)(void);       /* before each test, or NULL */
    void (*teardown)(void);    /* after each test, or NULL */
    int first;                 /* each test runs with _i = first .. end - 1; ... */
    int end;                   /* ... 0: once */
};

/* Run the cases, each test in a separate process. Returns the exit status: 0 when all passed. */
static inline int suite_run_cases(const char *name, size_t count, const struct suite_case *cases)
{
    Suite *suite = suite_create(name);
    for (const struct suite_case *c = cases; c < cases + count; c++) {
        TCase *tcase = tcase_create(name);
        tcase_set_timeout(tcase, PW_CHECK_TIMEOUT); /* on the wall clock; PW_LIMIT comes before */
        tcase_add_checked_fixture(tcase, c->setup, c->teardown);
        for (const TTest *const *test = c->tests; *test != NULL; test++) {
            tcase_add_loop_test(tcase, *test, c->first, c->end == 0 ? c->first + 1 : c->end);
        }
        suite_add_tcase(suite, tcase);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

/* Run a suite of one case, whose tests run once each. */
static inline int suite_run(const char *name, void (*setup)(void), void (*teardown)(void),
                            const TTest *const *tests)
{
    return suite_run_cases(name, 1, &(struct suite_case){tests, setup, teardown, 0, 0});
}
