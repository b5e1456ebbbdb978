/*
 * counted_source.h - a malloc and a free that count their calls and fail on request.
 *
 * As a struct memory_source for a heap, or registered with the lists. Failing: call number fail_at
 * (the first is 0, counted from source_reset) and the fail_run - 1 after it give NULL.
 */
#pragma once

#include "alloc/node_allocator.h"
#include "require.h"
#include <check.h>
#include <stdint.h>
#include <stdlib.h>

#define FAIL_NEVER   UINT64_MAX
#define FAIL_FOREVER UINT64_MAX

static struct {
    uint64_t calls; /* of allocate, failed ones included */
    uint64_t frees; /* of release, NULL not counted */
    uint64_t failures;
    uint64_t live;
    uint64_t live_max;
    uint64_t fail_at;
    uint64_t fail_run;
} source = {.fail_at = FAIL_NEVER};

static inline void *source_allocate(size_t size)
{
    uint64_t call = source.calls++;
    if (call >= source.fail_at && call - source.fail_at < source.fail_run) {
        source.failures++;
        return NULL;
    }
    void *block = malloc(size);
    require(block != NULL);
    source.live++;
    source.live_max = source.live > source.live_max ? source.live : source.live_max;
    return block;
}

static inline void source_release(void *block)
{
    if (block != NULL) {
        require(source.live > 0);
        source.live--;
        source.frees++;
        free(block);
    }
}

static const struct memory_source counted_source = {source_allocate, source_release};

/* Start counting again; live blocks stay alive. */
static inline void source_reset(void)
{
    source.calls = source.frees = source.failures = 0;
    source.live_max = source.live;
    source.fail_at = FAIL_NEVER;
}

/* Make run calls fail, after that many more that succeed. */
static inline void source_fail_after(uint64_t successes, uint64_t run)
{
    source.fail_at = source.calls + successes;
    source.fail_run = run;
    source.failures = 0;
}
