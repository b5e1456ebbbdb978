/*
 * test_threads.c - lists and queues in many threads at once, on the allocators of nodes.
 *
 * thread_patterns.c has the programs, which know nothing but the challenge's headers.
 */
#include "base/macros.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue.h"
#include "tests/support/list_fixture.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include "tests/support/thread_sanitizer.h"
#include "thread_patterns.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATTERNS = 4 };

static const char *const allocators[] = {
    "malloc",    "pool",  "pool:order=fifo", "slab",        "quick-fit",
    "first-fit", "block", "lib:c",           "count(pool)",
};

static atomic_size_t mallocs, frees;

static void *counting_malloc(size_t size)
{
    atomic_fetch_add(&mallocs, 1);
    return malloc(size);
}

static void counting_free(void *block)
{
    atomic_fetch_add(&frees, block != NULL);
    free(block);
}

static size_t work(void)
{
    return blocks_are_watched() ? 4000 : 20000;
}

/* _i: the number of the allocator times the number of patterns, plus the pattern. */
START_TEST(nothing_is_lost_double_or_out_of_order)
{
    const struct thread_pattern *pattern = &thread_patterns[_i % PATTERNS];
    const char *allocator = allocators[_i / PATTERNS];
    if (THREADS_ARE_WATCHED && strncmp(allocator, "lib:", 4) == 0) {
        return;
    }
    struct rng rng = random_start(pattern->name);
    atomic_store(&mallocs, 0);
    atomic_store(&frees, 0);
    ck_assert(linked_list_register_malloc(counting_malloc));
    ck_assert(linked_list_register_free(counting_free));
    ck_assert_msg(linked_list_set_allocator(allocator), "%s", linked_list_error());
    ck_assert_msg(pattern->run(rng.state, work()) == 0, "%s on %s", pattern->name, allocator);
    ck_assert_uint_eq(linked_list_live_nodes(), 0);
    struct linked_list *ll = linked_list_create();
    ck_assert(linked_list_check(ll) && linked_list_delete(ll));
    ck_assert(linked_list_set_allocator("malloc"));
    ck_assert_uint_eq(atomic_load(&mallocs), atomic_load(&frees));
}
END_TEST

START_TEST(any_amount_of_work_is_enough)
{
    static const size_t amounts[] = {1, 2, 31, 32, 100, 1000};
    const struct thread_pattern *pattern = &thread_patterns[_i];
    struct rng rng = random_start(pattern->name);
    for (size_t i = 0; i < COUNT_OF(amounts); i++) {
        ck_assert_uint_eq(pattern->run(rng.state, amounts[i]), 0);
    }
}
END_TEST

/* Push and pop, clean up in between, and delete the list. */
static void use_and_delete(struct linked_list *ll)
{
    for (int round = 0; round < 3; round++) {
        require(linked_list_check(ll));
        linked_list_final_cleanup();
        for (unsigned int i = 0; i < 2000; i++) {
            require(linked_list_insert_end(ll, i));
        }
        for (unsigned int i = 0; i < 2000; i++) {
            unsigned int data = 0;
            require(linked_list_remove_front(ll, &data));
        }
    }
    require_equal(linked_list_live_nodes(), 100);
    require(linked_list_delete(ll));
    require_equal(linked_list_live_nodes(), 0);
    linked_list_final_cleanup();
}

START_TEST(a_process_without_other_threads_forks_and_both_go_on)
{
    ck_assert_msg(linked_list_set_allocator(allocators[_i]), "%s", linked_list_error());
    struct linked_list *ll = linked_list_create();
    for (unsigned int i = 0; i < 100; i++) {
        require(linked_list_insert_end(ll, i));
    }
    int status = 1;
    const pid_t child = fork();
    if (child == 0) {
        use_and_delete(ll);
        _exit(0);
    }
    ck_assert(child > 0 && waitpid(child, &status, 0) == child);
    ck_assert_msg(status == 0, "%s: the child ended with %#x", allocators[_i], status);
    use_and_delete(ll);
    ck_assert(linked_list_set_allocator("malloc"));
}
END_TEST

/* The default, chosen by the first list of any thread: in a process that has not chosen yet. */
static void *first_list(void *start)
{
    pthread_barrier_wait(start);
    struct queue *queue = queue_create();
    unsigned int data = 0;
    require(queue != NULL && queue_push(queue, 7) && queue_pop(queue, &data) && data == 7);
    require(queue_delete(queue));
    return NULL;
}

START_TEST(the_first_lists_of_two_threads_choose_one_allocator)
{
    pthread_t threads[2];
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, 2);
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, first_list, &start), 0);
    }
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        pthread_join(threads[i], NULL);
    }
    ck_assert_str_eq(linked_list_allocator(), "malloc");
    pthread_barrier_destroy(&start);
}
END_TEST

START_TEST(a_deleted_list_leaves_its_nodes_to_the_next)
{
    if (blocks_are_watched()) {
        return; /* pool is malloc then */
    }
    source_reset();
    ck_assert(linked_list_register_malloc(source_allocate));
    ck_assert(linked_list_register_free(source_release));
    ck_assert(linked_list_set_allocator("pool"));
    for (int round = 0; round < 3; round++) {
        struct queue *queues[2] = {queue_create(), queue_create()};
        const uint64_t calls = source.calls;
        for (unsigned int i = 0; i < 1000; i++) {
            require(queue_push(queues[0], i) && queue_push(queues[1], i));
        }
        ck_assert_uint_le(source.calls - calls, round == 0 ? 2000 : 0);
        require(queue_delete(queues[0]) && queue_delete(queues[1]));
    }
    linked_list_final_cleanup();
    ck_assert_uint_eq(source.live, 0);
    ck_assert(linked_list_set_allocator("malloc"));
}
END_TEST

START_TEST(a_thousand_small_queues_share_their_pages)
{
    static struct queue *queues[1000];
    struct node_allocator_statistics statistics;
    ck_assert(linked_list_set_allocator("slab:chunk=64K"));
    for (size_t i = 0; i < COUNT_OF(queues); i++) {
        queues[i] = queue_create();
        for (unsigned int k = 0; k < 10; k++) {
            require(queue_push(queues[i], k));
        }
    }
    linked_list_statistics(&statistics);
    ck_assert_uint_le(statistics.held_bytes, 10 * 65536 * (blocks_are_watched() ? 2 : 1));
    for (size_t i = 0; i < COUNT_OF(queues); i++) {
        require(queue_delete(queues[i]));
    }
    ck_assert(linked_list_set_allocator("malloc"));
}
END_TEST

/* The nodes of a list that grew at both ends come back in any order. */
START_TEST(a_list_that_grew_gives_every_node_back)
{
    struct rng rng = random_start("a_list_that_grew_gives_every_node_back");
    ck_assert(linked_list_set_allocator(_i == 0 ? "slab:chunk=64K" : "pool"));
    for (int round = 0; round < 40; round++) {
        struct linked_list *ll = linked_list_create();
        for (unsigned int i = 0; i < 300; i++) {
            require(random_below(&rng, 2) == 0 ? linked_list_insert_front(ll, i)
                                               : linked_list_insert_end(ll, i));
        }
        for (size_t left = 300; left > (size_t)round * 7; left--) {
            require(linked_list_remove(ll, random_below(&rng, left)));
        }
        require(linked_list_check(ll) && linked_list_delete(ll));
        struct node_allocator_statistics statistics;
        linked_list_statistics(&statistics);
        require(statistics.live_blocks == 0 || statistics.live_blocks == NODE_STATISTIC_UNKNOWN);
    }
    ck_assert(linked_list_set_allocator("malloc"));
}
END_TEST

/* Small lists come and go beside a large one. */
START_TEST(a_small_list_is_deleted_beside_a_large_one)
{
    ck_assert(linked_list_set_allocator(_i == 0 ? "slab:chunk=64K" : "pool"));
    struct queue *large = queue_create();
    for (unsigned int i = 0; i < 300; i++) {
        require(queue_push(large, i));
    }
    for (unsigned int i = 0; i < 64; i++) {
        unsigned int data = 0;
        require(queue_pop(large, &data) && data == i);
    }
    for (int round = 0; round < 20; round++) {
        struct linked_list *small = linked_list_create();
        for (unsigned int i = 0; i < 20; i++) {
            require(linked_list_insert_end(small, i));
        }
        require(linked_list_check(small) && linked_list_delete(small));
        require(linked_list_check(large->ll));
        struct node_allocator_statistics statistics;
        linked_list_statistics(&statistics);
        require(statistics.live_blocks == 236 || statistics.live_blocks == NODE_STATISTIC_UNKNOWN);
    }
    require(queue_delete(large));
    ck_assert(linked_list_set_allocator("malloc"));
}
END_TEST

/* An empty list stays usable when the allocator changes, and keeps nothing back from a cleanup. */
START_TEST(an_empty_list_follows_a_change_of_the_allocator)
{
    static const char *const chosen[] = {"slab", "pool", "malloc", "quick-fit", "slab", "malloc"};
    struct linked_list *ll = linked_list_create();
    for (size_t c = 0; c < COUNT_OF(chosen); c++) {
        ck_assert(linked_list_set_allocator(chosen[c]));
        for (unsigned int i = 0; i < 500; i++) {
            require(linked_list_insert_end(ll, i));
        }
        for (unsigned int i = 0; i < 500; i++) {
            unsigned int data = 0;
            require(linked_list_remove_front(ll, &data) && data == i);
        }
        linked_list_final_cleanup();
        if (strcmp(chosen[c], "quick-fit") != 0) {
            ck_assert_uint_eq(source.live, 1); /* the list */
        }
    }
    ck_assert(linked_list_delete(ll));
}
END_TEST

int main(void)
{
    const TTest *const first[] = {the_first_lists_of_two_threads_choose_one_allocator, NULL};
    const TTest *const patterns[] = {nothing_is_lost_double_or_out_of_order, NULL};
    const TTest *const children[] = {a_process_without_other_threads_forks_and_both_go_on, NULL};
    const TTest *const amounts[] = {any_amount_of_work_is_enough, NULL};
    const TTest *const once[] = {a_deleted_list_leaves_its_nodes_to_the_next,
                                 a_thousand_small_queues_share_their_pages, NULL};
    const TTest *const both[] = {a_list_that_grew_gives_every_node_back,
                                 a_small_list_is_deleted_beside_a_large_one, NULL};
    const TTest *const fixture[] = {an_empty_list_follows_a_change_of_the_allocator, NULL};
    const struct suite_case cases[] = {{first, NULL, NULL, 0, 0},
                                       {patterns, NULL, NULL, 0, PATTERNS * COUNT_OF(allocators)},
                                       {children, NULL, NULL, 0, COUNT_OF(allocators)},
                                       {amounts, NULL, NULL, 0, PATTERNS},
                                       {once, NULL, NULL, 0, 0},
                                       {both, NULL, NULL, 0, 2},
                                       {fixture, list_start, list_end, 0, 0}};
    return suite_run_cases("threads", COUNT_OF(cases), cases);
}
