/*
 * pw_assert.h - assertions that exist in debug and sanitizer builds and cost nothing in release.
 *
 * pw_assert(condition) states what must hold for any caller and any input: ranges, and that counts
 * balance. It is never the way to report bad input. If PW_DEBUG is defined, a false condition
 * writes one line to standard error and aborts. Otherwise the condition is compiled but not
 * evaluated, so that it cannot rot. Code that only an assertion needs is in PW_DEBUG_ONLY(...).
 */
#pragma once

#ifdef PW_DEBUG
#include <stdbool.h>
#include <stdint.h>

__attribute__((noreturn)) void pw_assert_failed(const char *file, int line, const char *condition);
#define pw_assert(condition)                                                                       \
    ((condition) ? (void)0 : pw_assert_failed(__FILE__, __LINE__, #condition))
#define PW_DEBUG_ONLY(code) code

/*
 * True if the check of a whole structure is due after the step of that number: after each of the
 * first 1,000, after every 4,096th up to a million, then whenever the number doubles.
 */
static inline bool pw_step_is_due(uint64_t step)
{
    bool doubled = (step & (step - 1)) == 0;
    return step <= 1000 || doubled || (step <= (1 << 20) && step % 4096 == 0);
}
#else
#define pw_assert(condition) ((void)(0 && (condition)))
#define PW_DEBUG_ONLY(code)
#endif
