/*
 * macros.h - the few macros that every folder shares.
 */
#pragma once

/* The number of elements of an array (not of a pointer). */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Which way a condition usually goes, for the compiler to lay out the code. */
#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* What two threads should not share; 64 bytes on x86-64 and on the AArch64 cores meant here. */
#define CACHE_LINE_BYTES 64
