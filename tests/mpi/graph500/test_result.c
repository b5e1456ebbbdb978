/*
 * test_result.c - the statistics of a Graph500 result equal the reference code's.
 */
#include "mpi/graph500/result.h"
#include "tests/support/suite.h"
#include <math.h>

#define NEAR 1e-12

START_TEST(quartiles_are_means_of_two_neighbours)
{
    const double values[] = {4, 1, 3, 2};
    const struct result_statistics found = result_statistics(values, 4);
    ck_assert_double_eq_tol(found.minimum, 1, NEAR);
    ck_assert_double_eq_tol(found.first_quartile, 1.5, NEAR);
    ck_assert_double_eq_tol(found.median, 2.5, NEAR);
    ck_assert_double_eq_tol(found.third_quartile, 3.5, NEAR);
    ck_assert_double_eq_tol(found.maximum, 4, NEAR);
    ck_assert_double_eq_tol(found.mean, 2.5, NEAR);
    ck_assert_double_eq_tol(found.deviation, sqrt(5.0 / 3), NEAR);
}
END_TEST

START_TEST(quartiles_of_five_are_values)
{
    const double values[] = {50, 10, 40, 20, 30};
    const struct result_statistics found = result_statistics(values, 5);
    ck_assert_double_eq_tol(found.first_quartile, 20, NEAR);
    ck_assert_double_eq_tol(found.median, 30, NEAR);
    ck_assert_double_eq_tol(found.third_quartile, 40, NEAR);
}
END_TEST

START_TEST(one_value_has_no_deviation)
{
    const double value = 7;
    const struct result_statistics found = result_statistics(&value, 1);
    ck_assert_double_eq_tol(found.first_quartile, 7, NEAR);
    ck_assert_double_eq_tol(found.deviation, 0, NEAR);
    ck_assert_double_eq_tol(result_harmonic_deviation(&found, 1), 0, NEAR);
}
END_TEST

/* Rates 1, 1/2 and 1/3: inverses 1, 2, 3 with mean 2 and deviation 1. */
START_TEST(the_harmonic_mean_has_the_deviation_of_norris)
{
    const double inverses[] = {1, 2, 3};
    const struct result_statistics found = result_statistics(inverses, 3);
    ck_assert_double_eq_tol(result_harmonic_deviation(&found, 3), 1 / (4 * sqrt(2)), NEAR);
}
END_TEST

int main(void)
{
    return suite_run("result", NULL, NULL,
                     (const TTest *[]){quartiles_are_means_of_two_neighbours,
                                       quartiles_of_five_are_values, one_value_has_no_deviation,
                                       the_harmonic_mean_has_the_deviation_of_norris, NULL});
}
