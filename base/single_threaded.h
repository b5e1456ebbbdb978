/*
 * single_threaded.h - whether the process ever had a second thread.
 */
#pragma once

#include <stdbool.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#else
static const char __libc_single_threaded = 0;
#endif

/* True if it never had one; false where the C library does not say. */
static inline bool is_single_threaded(void)
{
    return __libc_single_threaded != 0;
}
