/*
 * test_number.c - the one reader of numbers and sizes; products of 128 bits.
 */
#include "base/macros.h"
#include "base/number.h"
#include "base/wide.h"
#include "tests/support/suite.h"
#include <string.h>

static bool reads(const char *text, enum number_step step, uint64_t expected)
{
    uint64_t number = 77;
    return number_read(text, strlen(text), step, &number) && number == expected;
}

static bool refuses(const char *text, enum number_step step)
{
    uint64_t number = 77;
    return !number_read(text, strlen(text), step, &number) && number == 77;
}

START_TEST(a_suffix_is_a_power_of_1000_in_a_count_and_of_1024_in_bytes)
{
    static const char *const suffixes[] = {"kK", "mM", "gG", "tT"};
    uint64_t count = 1;
    uint64_t bytes = 1;
    for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
        count *= 1000;
        bytes *= 1024;
        for (const char *suffix = suffixes[i]; *suffix != '\0'; suffix++) {
            const char text[] = {'7', *suffix, '\0'};
            ck_assert(reads(text, NUMBER_COUNT, 7 * count));
            ck_assert(reads(text, NUMBER_BYTES, 7 * bytes));
        }
    }
}
END_TEST

START_TEST(decimals_are_read_where_the_result_is_whole)
{
    ck_assert(reads("12.6M", NUMBER_COUNT, 12600000));
    ck_assert(reads("1.234k", NUMBER_COUNT, 1234));
    ck_assert(refuses("1.2345k", NUMBER_COUNT));
    ck_assert(refuses("1.5", NUMBER_COUNT));
    ck_assert(refuses("6.4M", NUMBER_BYTES));
    uint64_t ns = 0;
    ck_assert(number_read_decimal("0.5", 3, 1000000000, &ns));
    ck_assert_uint_eq(ns, 500000000);
    ck_assert(number_read_decimal(".000000001", 10, 1000000000, &ns));
    ck_assert_uint_eq(ns, 1);
    ck_assert(!number_read_decimal("0.0000000001", 12, 1000000000, &ns));
}
END_TEST

START_TEST(what_does_not_fit_is_refused_after_multiplying)
{
    ck_assert(reads("18446744073709551615", NUMBER_COUNT, UINT64_MAX));
    ck_assert(refuses("18446744073709551616", NUMBER_COUNT));
    ck_assert(reads("18446744T", NUMBER_COUNT, UINT64_C(18446744000000000000)));
    ck_assert(refuses("18446745T", NUMBER_COUNT));
    ck_assert(reads("16777215T", NUMBER_BYTES, UINT64_C(16777215) << 40));
    ck_assert(refuses("16777216T", NUMBER_BYTES));
    ck_assert(refuses("99999999999999999999999k", NUMBER_COUNT));
}
END_TEST

START_TEST(anything_else_is_refused)
{
    static const char *const wrong[] = {"",    "k",   ".",   ".k",    "1.",  "1.k",
                                        "-1",  "+1",  " 1",  "1 ",    "1kk", "1kB",
                                        "1e3", "0x1", "1,0", "1.2.3", ".5k"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        ck_assert_msg(refuses(wrong[i], NUMBER_COUNT), "\"%s\"", wrong[i]);
        ck_assert_msg(refuses(wrong[i], NUMBER_BYTES), "\"%s\"", wrong[i]);
    }
}
END_TEST

START_TEST(a_product_of_128_bits_is_the_same_from_halves_and_divided_bit_by_bit)
{
    static const uint64_t numbers[] = {
        0, 1, 3, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(0xfedcba9876543210), UINT64_MAX};
    struct wide square = wide_product_of_halves(UINT64_MAX, UINT64_MAX);
    ck_assert(square.high == UINT64_MAX - 1 && square.low == 1);
    ck_assert(wide_scale_by_bits(UINT64_MAX - 1, UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
    ck_assert(wide_scale_by_bits(1000000007, UINT64_C(10000000000000), 999999) ==
              UINT64_C(10000010070010070));
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        for (size_t k = 0; k < COUNT_OF(numbers); k++) {
            const uint64_t a = numbers[i], b = numbers[k];
            const struct wide product = wide_product_of_halves(a, b);
            ck_assert(product.low == a * b);
            ck_assert(product.high == wide_high(a, b));
            if (a > 0 && b > 0) {
                ck_assert(wide_scale(a, b, b) == a && wide_scale_by_bits(a, b, b) == a);
                ck_assert(wide_scale(a - 1, b, a) == wide_scale_by_bits(a - 1, b, a));
            }
        }
    }
}
END_TEST

int main(void)
{
    return suite_run(
        "number", NULL, NULL,
        (const TTest *[]){a_suffix_is_a_power_of_1000_in_a_count_and_of_1024_in_bytes,
                          decimals_are_read_where_the_result_is_whole,
                          what_does_not_fit_is_refused_after_multiplying, anything_else_is_refused,
                          a_product_of_128_bits_is_the_same_from_halves_and_divided_bit_by_bit,
                          NULL});
}
