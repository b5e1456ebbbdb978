/*
 * test_compare.c - medians, spreads and intervals, and the rounds in which cases take turns.
 */
#include "base/macros.h"
#include "base/report/samples.h"
#include "base/report/side_by_side.h"
#include "base/report/turns.h"
#include "base/splitmix.h"
#include "tests/support/suite.h"
#include <math.h>
#include <stdlib.h>

START_TEST(the_interval_of_a_median_lies_between_two_order_statistics)
{
    struct samples_interval six =
        samples_interval((double[]){3, 1, 2, 6, 5, 4}, 6, SAMPLES_CONFIDENCE);
    ck_assert_double_eq(six.median, 3.5);
    ck_assert_double_eq(six.low, 1);
    ck_assert_double_eq(six.high, 6);
    ck_assert_double_eq_tol(six.confidence, 0.96875, 1e-12);
    struct samples_interval nine =
        samples_interval((double[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, SAMPLES_CONFIDENCE);
    ck_assert_double_eq(nine.low, 2); /* 2 * (1 + 9) / 512 outside */
    ck_assert_double_eq(nine.high, 8);
    ck_assert_double_eq_tol(nine.confidence, 1 - 20.0 / 512, 1e-12);
    struct samples_interval half = samples_interval((double[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, 0.5);
    ck_assert_double_eq(half.low, 3);
    ck_assert_double_eq(half.high, 7);
    double many[20];
    for (size_t i = 0; i < COUNT_OF(many); i++) {
        many[i] = (double)(20 - i);
    }
    struct samples_interval twenty = samples_interval(many, 20, SAMPLES_CONFIDENCE);
    ck_assert_double_eq(twenty.low, 6);
    ck_assert_double_eq(twenty.high, 15);
    ck_assert_double_eq_tol(twenty.confidence, 0.9586, 1e-4);
}
END_TEST

START_TEST(few_values_have_their_range_and_its_confidence)
{
    struct samples_interval three = samples_interval((double[]){2, 1, 3}, 3, SAMPLES_CONFIDENCE);
    ck_assert_double_eq(three.low, 1);
    ck_assert_double_eq(three.high, 3);
    ck_assert_double_eq_tol(three.confidence, 0.75, 1e-12);
    ck_assert_double_eq_tol(samples_confidence(3), 0.75, 1e-12);
    struct samples_interval one = samples_interval((double[]){7}, 1, SAMPLES_CONFIDENCE);
    ck_assert_double_eq(one.median, 7);
    ck_assert_double_eq_tol(one.confidence, 0, 1e-12);
    struct samples_interval missing =
        samples_interval((double[]){NAN, 4, INFINITY, 6}, 4, SAMPLES_CONFIDENCE);
    ck_assert_double_eq(missing.median, 5);
    ck_assert_double_eq_tol(missing.confidence, 0.5, 1e-12);
    ck_assert(isnan(samples_interval(NULL, 0, SAMPLES_CONFIDENCE).median));
    ck_assert_double_eq(samples_confidence(0), 0);
}
END_TEST

START_TEST(an_interval_of_95_percent_holds_the_median_that_often)
{
    uint64_t random = 11;
    size_t held = 0;
    for (size_t i = 0; i < 4000; i++) {
        double values[11];
        for (size_t k = 0; k < COUNT_OF(values); k++) { /* a skewed distribution: exponential */
            values[k] = -log(((double)(splitmix_next(&random) >> 11) + 0.5) * 0x1p-53);
        }
        struct samples_interval found =
            samples_interval(values, COUNT_OF(values), SAMPLES_CONFIDENCE);
        held += found.low <= log(2) && log(2) <= found.high;
    }
    ck_assert_uint_gt(held, 3800); /* 0.988 of 4000 */
    ck_assert_uint_lt(held, 4000);
}
END_TEST

START_TEST(a_ratio_is_the_median_of_the_ratios_of_rounds_that_both_have)
{
    double base[8], own[8], scratch[8];
    for (size_t i = 0; i < 8; i++) {
        base[i] = 100 * (double)(i + 1); /* the machine gets slower, for both alike */
        own[i] = base[i] * (1 + 0.01 * (double)i);
    }
    struct samples_interval five = samples_ratio(own, base, 5, SAMPLES_CONFIDENCE, scratch);
    ck_assert_double_eq_tol(five.median, 1.02, 1e-12);
    ck_assert_double_eq_tol(five.low, 1, 1e-12);
    ck_assert_double_eq_tol(five.high, 1.04, 1e-12);
    ck_assert_double_eq_tol(five.confidence, 0.9375, 1e-12);
    base[0] = 0;
    own[1] = NAN;
    struct samples_interval left = samples_ratio(own, base, 5, SAMPLES_CONFIDENCE, scratch);
    ck_assert_double_eq_tol(left.median, 1.03, 1e-12);
    ck_assert_double_eq_tol(left.confidence, 0.75, 1e-12);
}
END_TEST

/* Turns --------------------------------------------------------------------------------------- */

struct taken {
    size_t runs[4]; /* of each case */
    size_t first[4];
    size_t made, round;
    size_t leaves, leaves_round; /* the case that is left out, and when */
    size_t ends_at;              /* the number of the run that ends all */
};

static enum turn take(void *context, size_t round, size_t index)
{
    struct taken *taken = context;
    taken->first[index] += round != taken->round || taken->made == 0;
    taken->round = round;
    taken->runs[index]++;
    taken->made++;
    return taken->made == taken->ends_at                            ? TURN_ENDED
           : index == taken->leaves && round == taken->leaves_round ? TURN_LEFT_OUT
                                                                    : TURN_MADE;
}

START_TEST(every_case_runs_once_per_round_in_an_order_drawn_again)
{
    struct taken taken = {.leaves = SIZE_MAX};
    const struct turns turns = {4, 40, take, &taken};
    ck_assert_uint_eq(turns_take(&turns, 1), 40);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(taken.runs[i], 40);
        ck_assert_uint_gt(taken.first[i], 2);
        ck_assert_uint_lt(taken.first[i], 20);
    }
    struct taken again = {.leaves = SIZE_MAX}, other = {.leaves = SIZE_MAX};
    turns_take(&(struct turns){4, 40, take, &again}, 1);
    turns_take(&(struct turns){4, 40, take, &other}, 2);
    ck_assert_mem_eq(again.first, taken.first, sizeof(taken.first));
    ck_assert_mem_ne(other.first, taken.first, sizeof(taken.first));
}
END_TEST

START_TEST(a_case_that_is_left_out_runs_no_more_and_the_others_go_on)
{
    struct taken taken = {.leaves = 2, .leaves_round = 1};
    ck_assert_uint_eq(turns_take(&(struct turns){3, 5, take, &taken}, 1), 5);
    ck_assert_uint_eq(taken.runs[2], 2);
    ck_assert_uint_eq(taken.runs[0], 5);
    ck_assert_uint_eq(taken.runs[1], 5);
}
END_TEST

START_TEST(an_ended_round_is_not_whole)
{
    struct taken taken = {.leaves = SIZE_MAX, .ends_at = 6}; /* the last of the second round */
    ck_assert_uint_eq(turns_take(&(struct turns){3, 5, take, &taken}, 1), 1);
    ck_assert_uint_eq(taken.made, 6);
}
END_TEST

/* Side by side -------------------------------------------------------------------------------- */

START_TEST(times_side_by_side_have_the_same_figures_in_every_format)
{
    static const double base[] = {2e6, 2.2e6, 2.1e6}, own[] = {1e6, 1e6, 1.05e6};
    static const struct {
        enum report_format format;
        const char *wanted;
    } formats[] = {
        {REPORT_FORMAT_TEXT, " median  spread         times as fast\n"
                             "1.00 ms   1.3 %   2.00 (2.00 to 2.20)\n\n"},
        {REPORT_FORMAT_CSV,
         "seconds_median,seconds_spread,seconds_min,seconds_max,speed,speed_low,speed_high,"
         "speed_confidence\n"
         "0.001000000,0.012500,0.001000000,0.001050000,2.0000,2.0000,2.2000,0.7500\n"},
    };
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        char *text = NULL;
        size_t size = 0;
        double scratch[3];
        struct side_text words;
        struct report report;
        struct report_cell cells[SIDE_CELLS];
        FILE *out = open_memstream(&text, &size);
        ck_assert_ptr_nonnull(out);
        size_t count = side_cells(cells, &(struct side_times){base, own, 3, scratch}, &words);
        ck_assert_uint_eq(count, SIDE_CELLS);
        report_open(&report, out, formats[i].format, "");
        report_table_begin(&report, "times", cells, count);
        report_table_row(&report, NULL, cells, count);
        report_table_end(&report);
        ck_assert(report_close(&report));
        fclose(out);
        ck_assert_str_eq(text, formats[i].wanted);
        free(text);
    }
}
END_TEST

int main(void)
{
    return suite_run("compare", NULL, NULL,
                     (const TTest *[]){the_interval_of_a_median_lies_between_two_order_statistics,
                                       few_values_have_their_range_and_its_confidence,
                                       an_interval_of_95_percent_holds_the_median_that_often,
                                       a_ratio_is_the_median_of_the_ratios_of_rounds_that_both_have,
                                       every_case_runs_once_per_round_in_an_order_drawn_again,
                                       a_case_that_is_left_out_runs_no_more_and_the_others_go_on,
                                       an_ended_round_is_not_whole,
                                       times_side_by_side_have_the_same_figures_in_every_format,
                                       NULL});
}
