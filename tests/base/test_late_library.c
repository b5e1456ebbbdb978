/*
 * test_late_library.c - libraries that are opened late: one that is there, and errors of others.
 */
#define PW_LATE_LIBRARIES /* also in a build that links them */
#include "base/late_library.h"
#include "base/macros.h"
#include "tests/support/suite.h"
#include "tests/support/temporary_folder.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

int pw_function_of_nobody(void); /* not defined: only its type is used */

#define MATHS(X) X(floor) X(hypot)
#define MORE(X)  X(floor) X(pw_function_of_nobody)
LATE_CALLS(maths_library, maths, MATHS, "libm.so.6");
LATE_CALLS(more_library, more, MORE, "libm.so.6");
LATE_CALLS(absent_library, absent, MATHS, "libpw-of-nobody.so.7");

static char why[1024];

START_TEST(an_opened_library_can_be_called)
{
    for (int time = 0; time < 2; time++) {
        ck_assert(late_library_open(&maths_library, why, sizeof(why)));
        ck_assert_double_eq(maths.floor(3.5), 3);
        ck_assert_double_eq(maths.hypot(3, 4), 5);
    }
}
END_TEST

START_TEST(a_library_that_is_linked_needs_no_opening)
{
    struct late_library linked = maths_library;
    linked.file = NULL;
    linked.is_open = false;
    ck_assert(late_library_open(&linked, why, sizeof(why)));
}
END_TEST

START_TEST(a_library_that_is_not_installed_is_named_each_time)
{
    for (int time = 0; time < 2; time++) {
        why[0] = '\0';
        ck_assert(!late_library_open(&absent_library, why, sizeof(why)));
        ck_assert_str_eq(why, "needs libpw-of-nobody.so.7, which is not installed");
    }
}
END_TEST

START_TEST(a_function_that_a_library_lacks_is_named)
{
    ck_assert(!late_library_open(&more_library, why, sizeof(why)));
    ck_assert_str_eq(why, "needs libm.so.6, which has no function pw_function_of_nobody");
}
END_TEST

START_TEST(a_damaged_library_is_refused_with_the_reason)
{
    char folder[TEMPORARY_FOLDER_SIZE];
    char path[TEMPORARY_FOLDER_SIZE + 32];
    temporary_folder_make(folder, "late");
    snprintf(path, sizeof(path), "%s/libdamaged.so.1", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fputs("no library", file) < 0 || fclose(file) != 0, 0);
    struct late_library damaged = maths_library;
    damaged.file = path;
    damaged.is_open = false;
    ck_assert(!late_library_open(&damaged, why, sizeof(why)));
    temporary_folder_remove(folder);
    ck_assert_ptr_nonnull(strstr(why, "libdamaged.so.1, which cannot be loaded: "));
}
END_TEST

static void *open_and_call(void *result)
{
    char error[256];
    *(double *)result =
        late_library_open(&maths_library, error, sizeof(error)) ? maths.floor(2.5) : 0;
    return NULL;
}

START_TEST(threads_may_open_a_library_at_the_same_time)
{
    pthread_t threads[8];
    double results[COUNT_OF(threads)];
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, open_and_call, &results[i]), 0);
    }
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        pthread_join(threads[i], NULL);
        ck_assert_double_eq(results[i], 2);
    }
}
END_TEST

int main(void)
{
    return suite_run("late_library", NULL, NULL,
                     (const TTest *[]){an_opened_library_can_be_called,
                                       a_library_that_is_linked_needs_no_opening,
                                       a_library_that_is_not_installed_is_named_each_time,
                                       a_function_that_a_library_lacks_is_named,
                                       a_damaged_library_is_refused_with_the_reason,
                                       threads_may_open_a_library_at_the_same_time, NULL});
}
