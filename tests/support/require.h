/*
 * require.h - an assertion for inner loops.
 *
 * Check reports every ck_assert that holds through a pipe, some microseconds each and much more
 * under Valgrind; this one speaks only when it fails.
 */
#pragma once

#include <check.h>

#define require(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg("'%s' does not hold", #condition);                                        \
        }                                                                                          \
    } while (0)
