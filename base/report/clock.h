/*
 * clock.h - the time, in nanoseconds, from a clock that never runs backwards.
 */
#pragma once

#include <stdint.h>

/* Nanoseconds since some fixed moment (CLOCK_MONOTONIC). */
uint64_t clock_now_ns(void);
