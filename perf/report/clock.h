/*
 * clock.h - the time, in nanoseconds, from a clock that never runs backwards.
 */
#ifndef PW_CLOCK_H
#define PW_CLOCK_H

#include <stdint.h>

/* Nanoseconds since some fixed moment (CLOCK_MONOTONIC). */
uint64_t clock_now_ns(void);

#endif
