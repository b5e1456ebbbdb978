/*
 * suite.h - the main function of a Check suite: run the tests of a table.
 *
 * A suite ends with
 *     int main(void) { return suite_run("slab", source_reset, NULL, (const TTest *[]){
 *         memory_is_asked_for_in_chunks, a_new_list_lies_in_address_order, NULL}); }
 */
#ifndef PW_TEST_SUITE_H
#define PW_TEST_SUITE_H

#include <check.h>
#include <stddef.h>

#define SUITE_TIMEOUT_S 120

/*
 * Run the tests up to NULL, setup before and teardown after each (either may be NULL), each in a
 * process of its own. Returns the exit status: 0 when all passed.
 */
static inline int suite_run(const char *name, void (*setup)(void), void (*teardown)(void),
                            const TTest *const *tests)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, SUITE_TIMEOUT_S);
    tcase_add_checked_fixture(tcase, setup, teardown);
    for (; *tests != NULL; tests++) {
        tcase_add_test(tcase, *tests);
    }
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif
