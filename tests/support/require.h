/*
 * require.h - assertions for inner loops.
 *
 * Check reports every ck_assert that holds through a pipe, some microseconds each and much more
 * under Valgrind; these speak only when they fail.
 */
#pragma once

#include <check.h>
#include <stdint.h>

#define require_msg(condition, ...)                                                                \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (0)

#define require(condition) require_msg(condition, "'%s' does not hold", #condition)

#define require_equal(value, expected)                                                             \
    require_msg((value) == (expected), "%s is %ju, expected %ju", #value, (uintmax_t)(value),      \
                (uintmax_t)(expected))
