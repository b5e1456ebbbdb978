/*
 * test_thread_traffic.c - queues in threads: what is counted, what is found, and what is held.
 */
#include "alloc/block_marks.h"
#include "base/macros.h"
#include "base/report/clock.h"
#include "liblist/linked_list_more.h"
#include "perf/allocbench/thread_traffic.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/thread_sanitizer.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 5000

static struct thread_figures figures;
static _Atomic uint64_t now; /* searches in several threads ask for it */

uint64_t clock_now_ns(void) /* replaces the clock of base/report */
{
    return atomic_fetch_add(&now, 1000) + 1000;
}

static void set_up(void)
{
    linked_list_register_malloc(malloc);
    linked_list_register_free(free);
}

static enum thread_outcome run(const char *allocator, enum thread_pattern pattern, unsigned threads,
                               uint64_t length)
{
    const struct thread_traffic traffic = {.pattern = pattern,
                                           .threads = threads,
                                           .specification = allocator,
                                           .depth = 3000,
                                           .length = length,
                                           .seed = 1};
    return thread_traffic_run(&traffic, &figures);
}

/* What the queues of a pattern hold when all threads wait, and the pushes of all threads. */
static void count(enum thread_pattern pattern, unsigned threads, unsigned *live, unsigned *pushes)
{
    static const unsigned live_of_each[] = {[THREADS_OWN_DEEP] = 3000,
                                            [THREADS_OWN_SHALLOW] = 1000,
                                            [THREADS_RING] = 4000,
                                            [THREADS_LARSON] = 10000,
                                            [THREADS_SEARCH] = 0};
    const unsigned pairs = (threads + 1) / 2;
    *live = pattern == THREADS_CONSUMER ? pairs * 64000 : threads * live_of_each[pattern];
    *pushes = *live + (pattern == THREADS_OWN_DEEP      ? 0
                       : pattern == THREADS_OWN_SHALLOW ? threads * LENGTH * SHORT_TIMES
                                                        : threads * LENGTH);
}

START_TEST(every_value_comes_back_in_1_2_3_and_4_threads)
{
    static const char *const allocators[] = {"malloc", "pool", "slab", "quick-fit", "lib:c"};
    const char *allocator = allocators[_i];
    const unsigned step = random_share(4) == 4 ? 1 : 3; /* a share: the fewest and the most */
    uint64_t of_one = 0;                                /* the pushes of a thread's searches */
    if (THREADS_ARE_WATCHED && strncmp(allocator, "lib:", 4) == 0) {
        return;
    }
    for (unsigned threads = 1; threads <= 4; threads += step) {
        for (int pattern = 0; pattern < THREAD_PATTERNS; pattern++) {
            unsigned live, pushes;
            const enum thread_outcome outcome =
                run(allocator, (enum thread_pattern)pattern, threads, LENGTH);
            if (pattern == THREADS_LARSON && outcome == THREADS_ONE_THREAD) {
                ck_assert(threads > 1);
                continue;
            }
            count((enum thread_pattern)pattern, threads, &live, &pushes);
            ck_assert_msg(outcome == THREADS_DONE, "%s, pattern %d, %u threads: %d", allocator,
                          pattern, threads, (int)outcome);
            ck_assert_double_eq(figures.live_bytes, live * (double)sizeof(struct node));
            if (pattern == THREADS_SEARCH) {
                of_one = threads == 1 ? figures.pushes : of_one;
                ck_assert_uint_ge(of_one, LENGTH);
                ck_assert_uint_eq(figures.pushes, threads * of_one);
                continue;
            }
            ck_assert_uint_eq(figures.pushes, pushes);
            ck_assert_uint_eq(figures.ns, 2000); /* without the time of the reading of memory */
        }
    }
}
END_TEST

/* With the 500th node the value of the one before changes. */
static void *spoiling_malloc(size_t size)
{
    static struct node *before;
    static unsigned nodes;
    void *block = malloc(size);
    if (size == sizeof(struct node)) {
        if (++nodes == 500) {
            before->data++;
        }
        before = block;
    }
    return block;
}

START_TEST(a_value_that_was_not_pushed_is_found)
{
    linked_list_register_malloc(spoiling_malloc);
    ck_assert_int_eq(run("malloc", THREADS_OWN_SHALLOW, 1, LENGTH), THREADS_WRONG);
    ck_assert_int_eq(run("malloc", THREADS_OWN_SHALLOW, 1, LENGTH), THREADS_DONE);
}
END_TEST

START_TEST(a_refused_request_ends_no_thread_that_others_wait_for)
{
    for (int pattern = 0; pattern < THREAD_PATTERNS; pattern++) {
        ck_assert_int_eq(run("quick-fit:heap=32K", (enum thread_pattern)pattern,
                             pattern == THREADS_LARSON ? 1 : 4, LENGTH),
                         THREADS_FULL);
        ck_assert(linked_list_set_allocator("malloc"));
    }
}
END_TEST

START_TEST(an_allocator_that_does_not_open_or_serve_threads_is_said)
{
    ck_assert_int_eq(run("nosuch", THREADS_RING, 2, LENGTH), THREADS_FAILED);
    ck_assert_int_eq(run("nosuch", THREADS_LARSON, 2, LENGTH), THREADS_FAILED);
    ck_assert_int_eq(run("first-fit", THREADS_LARSON, 1, LENGTH), THREADS_DONE);
    ck_assert_int_eq(run("first-fit", THREADS_LARSON, 2, LENGTH), THREADS_ONE_THREAD);
}
END_TEST

/* One thread takes all nodes and another one frees them. _i: the allocator. */
START_TEST(no_more_than_twice_of_what_is_alive_is_held)
{
    /* chunks that are small beside what is alive */
    static const char *const allocators[] = {"pool", "pool:order=fifo", "slab:chunk=64K",
                                             "slab:chunk=256K"};
    const uint64_t length =
        blocks_are_watched() || THREADS_ARE_WATCHED ? 100000 : random_share(2000000);
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        struct node_heap heap = {.allocator = NULL};
        struct node_allocator_error error;
        const struct memory_source c_library = {malloc, free};
        ck_assert_int_eq(run(allocators[_i], THREADS_CONSUMER, threads, length), THREADS_DONE);
        ck_assert(node_heap_open(&heap, allocators[_i], &c_library, &error));
        const double per_node = node_allocator_bytes_per_block(heap.allocator, sizeof(struct node));
        node_heap_close(&heap);
        /* Beside the queues that wait, each thread has one in its hands. Watched, a node of slab
         * takes twice as much. */
        const double watched = blocks_are_watched() ? 2 : 1;
        const double live = figures.live_bytes / sizeof(struct node) + 1000 * threads;
        ck_assert_uint_ne(figures.statistics.held_bytes_max, NODE_STATISTIC_UNKNOWN);
        ck_assert_double_le((double)figures.statistics.held_bytes_max,
                            2 * live * per_node * watched);
    }
}
END_TEST

int main(void)
{
    const TTest *const allocators[] = {every_value_comes_back_in_1_2_3_and_4_threads, NULL};
    const TTest *const once[] = {a_value_that_was_not_pushed_is_found,
                                 a_refused_request_ends_no_thread_that_others_wait_for,
                                 an_allocator_that_does_not_open_or_serve_threads_is_said, NULL};
    const TTest *const bounded[] = {no_more_than_twice_of_what_is_alive_is_held, NULL};
    const struct suite_case cases[] = {{allocators, set_up, NULL, 0, 5},
                                       {once, set_up, NULL, 0, 0},
                                       {bounded, set_up, NULL, 0, 4}};
    return suite_run_cases("thread_traffic", COUNT_OF(cases), cases);
}
