/*
 * call_counts.c - one increment per call, in the thread's own counters.
 */
#include "call_counts.h"
#include "libqueue/queue.h"
#include <stdlib.h>

static _Thread_local struct call_counts counts;

static void *counted_malloc(size_t size)
{
    counts.malloc_calls++;
    return malloc(size);
}

static void counted_free(void *block)
{
    counts.free_calls++;
    free(block);
}

void call_counts_register(void)
{
    queue_register_malloc(counted_malloc);
    queue_register_free(counted_free);
}

struct call_counts call_counts_now(void)
{
    return counts;
}
