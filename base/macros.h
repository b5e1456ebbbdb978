/*
 * macros.h - the few macros that every folder shares.
 */
#pragma once

/* The number of elements of an array (not of a pointer). */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The usual outcome of a condition, so that the compiler can lay out the code. */
#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Two threads should not share such a line; 64 bytes on x86-64 and on the usual AArch64 cores. */
#define CACHE_LINE_BYTES 64
