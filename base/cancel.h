/*
 * cancel.h - a flag that a signal handler or another thread sets so that work ends early.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* True if the flag is set. NULL is a flag that is never set. The load is atomic, because another
 * thread may store meanwhile; on all processors it costs what a plain load costs. */
static inline bool cancel_is_set(const volatile sig_atomic_t *flag)
{
    return flag != NULL && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}
