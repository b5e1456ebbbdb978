/*
 * test_thread_hooks.c - an allocator of its own for every thread, and what is handed from one to
 * the next.
 */
#include "liblist/linked_list_more.h"
#include "libqueue/queue.h"
#include "tests/support/list_fixture.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <pthread.h>

/* Many pushes and pops of this thread's own numbers. */
static void traffic(unsigned int first, size_t rounds)
{
    struct queue *queue = queue_create();
    require(queue != NULL);
    for (size_t round = 0; round < rounds; round++) {
        for (unsigned int i = 0; i < 1000; i++) {
            require(queue_push(queue, first + i));
        }
        for (unsigned int i = 0; i < 1000; i++) {
            unsigned int data = 0;
            require(queue_pop(queue, &data) && data == first + i);
        }
    }
    for (unsigned int i = 0; i < 500; i++) { /* left in the queue */
        require(queue_push(queue, i));
    }
    require(queue_delete(queue));
}

static void *work(void *argument)
{
    const char *specification = argument;
    for (unsigned int again = 0; again < 3; again++) {
        require(linked_list_thread_begin(specification));
        require(!linked_list_thread_begin(specification));
        require(strcmp(linked_list_allocator(), specification) == 0);
        traffic(again * 100000, 10);
        require(linked_list_live_nodes() == 0);
        require(linked_list_thread_end());
    }
    return NULL;
}

START_TEST(threads_with_allocators_of_their_own_do_not_meet)
{
    enum { THREADS = 7 };
    static char specifications[LIST_ALLOCATOR_COUNT][64];
    pthread_t threads[THREADS];
    ck_assert(linked_list_register_malloc(malloc)); /* the counting ones serve one thread */
    ck_assert(linked_list_register_free(free));
    for (size_t i = 0; i < THREADS; i++) {
        strcpy(specifications[i % LIST_ALLOCATOR_COUNT], list_allocators[i % LIST_ALLOCATOR_COUNT]);
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, work, specifications[i % LIST_ALLOCATOR_COUNT]), 0);
    }
    traffic(7, 30); /* and this thread on the allocator of the process */
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    linked_list_final_cleanup();
}
END_TEST

START_TEST(what_a_thread_left_is_handed_to_the_next_and_given_back_at_the_cleanup)
{
    ck_assert(linked_list_thread_begin("pool"));
    traffic(0, 1);
    ck_assert(linked_list_thread_end());
    uint64_t calls = source.calls;
    ck_assert(linked_list_thread_begin("pool"));
    traffic(0, 1);
    ck_assert(linked_list_thread_end());
    ck_assert_uint_eq(source.calls - calls, 2); /* the queue and its list; every node was kept */
    ck_assert(source.live > 0);
    linked_list_final_cleanup();
    ck_assert_uint_eq(source.live, 0);
}
END_TEST

START_TEST(a_thread_cannot_end_with_live_lists)
{
    ck_assert(!linked_list_thread_end());
    ck_assert_str_eq(linked_list_error(), "this thread has no allocator of its own");
    ck_assert(linked_list_thread_begin(NULL));
    ck_assert_str_eq(linked_list_allocator(), "malloc");
    struct linked_list *ll = linked_list_create();
    ck_assert(!linked_list_thread_end());
    ck_assert_str_eq(linked_list_error(), "lists of this thread are alive");
    ck_assert(linked_list_delete(ll));
    ck_assert(linked_list_thread_end());
}
END_TEST

START_TEST(an_allocator_that_cannot_be_opened_leaves_the_thread_on_the_process_s)
{
    ck_assert(!linked_list_thread_begin("quantum"));
    ck_assert_str_ne(linked_list_error(), "");
    source_fail_after(0, FAIL_FOREVER);
    ck_assert(!linked_list_thread_begin("slab"));
    source_reset();
    ck_assert(!linked_list_thread_end());
    traffic(0, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        threads_with_allocators_of_their_own_do_not_meet,
        what_a_thread_left_is_handed_to_the_next_and_given_back_at_the_cleanup,
        a_thread_cannot_end_with_live_lists,
        an_allocator_that_cannot_be_opened_leaves_the_thread_on_the_process_s, NULL};
    return suite_run("thread hooks", list_start, list_end, tests);
}
