/*
 * heap_fixture.h - opens allocators in tests, and makes traffic that reveals overlapping blocks.
 */
#pragma once

#include "alloc/node_allocator.h"
#include "base/splitmix.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* The start of a request's place in a report about this program. In a static build the allocators
 * are part of the program, so place.c takes its frames for theirs and leaves out all of them. Arm
 * and musl have no backtrace through what is compiled without tables to unwind. */
#if defined(PW_STATIC) || defined(__arm__) || !__has_include(<execinfo.h>)
#define CALLER(program) ""
#else
#define CALLER(program) program "+0x"
#endif

static const struct memory_source heap_fixture_source = {.allocate = malloc, .release = free};

/* Open a heap that must open; the caller closes it. */
static inline struct node_allocator *heap_open(struct node_heap *heap, const char *specification)
{
    struct node_allocator_error error;
    ck_assert_msg(node_heap_open(heap, specification, &heap_fixture_source, &error), "%s: %s",
                  specification, error.message);
    return heap->allocator;
}

/* The error of a heap that must not open. */
static inline const char *heap_refusal(const char *specification)
{
    static struct node_allocator_error error;
    static struct node_heap heap;
    ck_assert_msg(!node_heap_open(&heap, specification, &heap_fixture_source, &error), "%s opened",
                  specification);
    return error.message;
}

static inline void heap_check(struct node_allocator *allocator)
{
    char message[512] = "";
    ck_assert_msg(node_allocator_check(allocator, message, sizeof(message)), "%s", message);
}

/*
 * Random requests and releases of 1 to size_max bytes, up to live_max alive. Every block is filled
 * and compared when it goes. All are released at the end. The same seed gives the same calls.
 */
static inline void heap_traffic(struct node_allocator *allocator, uint64_t seed, size_t steps,
                                size_t live_max, size_t size_max)
{
    struct {
        unsigned char *block;
        size_t size;
        unsigned char fill;
    } live[512];
    size_t count = 0;
    ck_assert_uint_le(live_max, 512);
    for (size_t step = 0; step < steps || count > 0; step++) {
        if (step < steps && count < live_max && (count == 0 || splitmix_next(&seed) % 5 < 3)) {
            size_t size = 1 + (size_t)(splitmix_next(&seed) % size_max);
            unsigned char *block = node_allocator_allocate(allocator, size);
            ck_assert_msg(block != NULL, "step %zu: no %zu bytes", step, size);
            ck_assert_uint_eq((uintptr_t)block % NODE_ALIGNMENT, 0);
            live[count].block = block;
            live[count].size = size;
            live[count].fill = (unsigned char)step;
            memset(block, (unsigned char)step, size);
            count++;
        } else {
            size_t i = (size_t)(splitmix_next(&seed) % count);
            size_t same = 0;
            while (same < live[i].size && live[i].block[same] == live[i].fill) {
                same++;
            }
            ck_assert_msg(same == live[i].size, "step %zu: byte %zu was overwritten", step, same);
            node_allocator_release(allocator, live[i].block, live[i].size);
            live[i] = live[--count];
        }
        if (step % 64 == 0) {
            heap_check(allocator);
        }
    }
    heap_check(allocator);
}
