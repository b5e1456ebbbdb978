/*
 * test_queue.c - the promises of queue.h, over several allocators.
 */
#include "base/macros.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue_more.h"
#include "tests/support/list_fixture.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <stdint.h>

START_TEST(null_is_refused_everywhere)
{
    unsigned int data = 7;
    ck_assert(!queue_delete(NULL));
    ck_assert(!queue_push(NULL, 1));
    ck_assert(!queue_pop(NULL, &data));
    ck_assert(!queue_next(NULL, &data));
    ck_assert(!queue_has_next(NULL));
    ck_assert_uint_eq(queue_size(NULL), SIZE_MAX);
    ck_assert(!queue_register_malloc(NULL));
    ck_assert(!queue_register_free(NULL));
    ck_assert_uint_eq(data, 7);
}
END_TEST

START_TEST(an_empty_queue_gives_nothing_and_leaves_the_value_alone)
{
    list_choose(_i);
    struct queue *queue = queue_create();
    unsigned int data = 7;
    for (int round = 0; round < 2; round++) {
        ck_assert_ptr_null(queue->ll->head);
        ck_assert(!queue_pop(queue, &data));
        ck_assert(!queue_next(queue, &data));
        ck_assert(!queue_has_next(queue));
        ck_assert_uint_eq(queue_size(queue), 0);
        ck_assert_uint_eq(data, 7);
        ck_assert(queue_push(queue, 7)); /* and once emptied the same */
        ck_assert(queue_pop(queue, &data));
    }
    ck_assert(queue_delete(queue));
}
END_TEST

START_TEST(first_in_is_first_out)
{
    list_choose(_i);
    struct queue *queue = queue_create();
    for (unsigned int i = 0; i < 100; i++) {
        ck_assert(queue_push(queue, i * 3));
        ck_assert_uint_eq(queue_size(queue), i + 1);
    }
    for (unsigned int i = 0; i < 100; i++) {
        unsigned int next = 1;
        unsigned int popped = 2;
        ck_assert(queue_has_next(queue));
        ck_assert(queue_next(queue, &next));
        ck_assert_uint_eq(queue_size(queue), 100 - i); /* next leaves it in place */
        ck_assert(queue_pop(queue, &popped));
        ck_assert_uint_eq(next, i * 3);
        ck_assert_uint_eq(popped, i * 3);
    }
    ck_assert(!queue_has_next(queue));
    ck_assert(queue_delete(queue));
}
END_TEST

START_TEST(a_pop_into_nothing_is_refused_and_keeps_the_element)
{
    list_choose(_i);
    struct queue *queue = queue_create();
    ck_assert(queue_push(queue, 5));
    ck_assert(!queue_pop(queue, NULL));
    ck_assert(!queue_next(queue, NULL));
    ck_assert_uint_eq(queue_size(queue), 1);
    ck_assert(queue_delete(queue));
}
END_TEST

START_TEST(delete_takes_the_elements_left_in_the_queue)
{
    list_choose(_i);
    struct queue *queue = queue_create();
    for (unsigned int i = 0; i < 5000; i++) {
        require(queue_push(queue, i));
    }
    ck_assert(queue_delete(queue));
    ck_assert_uint_eq(linked_list_live_nodes(), 0);
}
END_TEST

START_TEST(with_malloc_a_queue_is_two_mallocs_each_push_one_and_each_pop_one_free)
{
    struct queue *queue = queue_create();
    ck_assert_uint_eq(source.calls, 2);
    unsigned int data;
    for (unsigned int i = 0; i < 50; i++) {
        ck_assert(queue_push(queue, i));
        ck_assert_uint_eq(source.calls, 2 + i + 1);
    }
    for (unsigned int i = 0; i < 30; i++) {
        ck_assert(queue_next(queue, &data));
        ck_assert(queue_pop(queue, &data));
        ck_assert_uint_eq(source.frees, i + 1);
    }
    ck_assert_uint_eq(source.calls, 52);
    ck_assert(queue_delete(queue));
    ck_assert_uint_eq(source.frees, 52);
}
END_TEST

START_TEST(with_pool_a_later_search_makes_two_mallocs)
{
    if (blocks_are_watched()) {
        return; /* pool is malloc then */
    }
    list_choose(_i);
    unsigned int data;
    for (int search = 0; search < 5; search++) {
        source_reset();
        struct queue *queue = queue_create();
        unsigned int waiting = search == 0 ? 3000 : 3000 - (unsigned int)search;
        for (unsigned int i = 0; i < waiting; i++) {
            require(queue_push(queue, i));
        }
        for (unsigned int i = 0; i < 4000; i++) { /* the peak is reached, not passed */
            require(queue_pop(queue, &data));
            require(queue_push(queue, i));
        }
        ck_assert(queue_delete(queue));
        ck_assert_uint_eq(source.calls, search == 0 ? 3002 : 2);
        ck_assert_uint_eq(source.frees, 2);
    }
    linked_list_final_cleanup();
    ck_assert_uint_eq(source.live, 0);
}
END_TEST

START_TEST(a_failed_allocation_of_either_part_gives_no_queue_and_leaks_nothing)
{
    list_choose(_i);
    for (uint64_t k = 0; k < 2; k++) {
        source_reset();
        source_fail_after(k, 1);
        ck_assert_ptr_null(queue_create());
        ck_assert_uint_eq(source.live, 0);
    }
}
END_TEST

static uint64_t other_calls;

static void *other_malloc(size_t size)
{
    other_calls++;
    return source_allocate(size);
}

static void other_free(void *block)
{
    other_calls++;
    source_release(block);
}

START_TEST(registered_functions_serve_queues_and_lists_alike)
{
    other_calls = 0;
    ck_assert(queue_register_malloc(other_malloc));
    ck_assert(queue_register_free(other_free));
    struct queue *queue = queue_create();
    struct linked_list *ll = linked_list_create();
    ck_assert_uint_eq(other_calls, 3);
    ck_assert(queue_push(queue, 1));
    ck_assert(linked_list_insert_end(ll, 1));
    ck_assert_uint_eq(other_calls, 5);
    ck_assert(queue_delete(queue));
    ck_assert(linked_list_delete(ll));
    ck_assert_uint_eq(other_calls, 10);
}
END_TEST

START_TEST(random_traffic_agrees_with_a_counter)
{
    list_choose(_i);
    struct rng rng = random_start("random_traffic_agrees_with_a_counter");
    struct queue *queue = queue_create();
    unsigned int pushed = 0;
    unsigned int popped = 0;
    size_t steps = blocks_are_watched() ? 3000 : 30000;
    for (size_t step = 0; step < steps; step++) {
        size_t push_share = step / 1000 % 2 == 0 ? 7 : 3; /* it grows, then shrinks */
        if (random_below(&rng, 10) < push_share) {
            require(queue_push(queue, pushed++));
        } else {
            unsigned int data = UINT32_MAX;
            bool expected = pushed != popped;
            require(queue_next(queue, &data) == expected);
            require(!expected || data == popped);
            data = UINT32_MAX;
            require(queue_pop(queue, &data) == expected);
            require(data == (expected ? popped : UINT32_MAX));
            popped += expected;
        }
        require(queue_size(queue) == pushed - popped);
        require(queue_has_next(queue) == (pushed != popped));
        require(step % 16 != 0 || queue_check(queue));
    }
    ck_assert(queue_delete(queue));
}
END_TEST

int main(void)
{
    int all = LIST_ALLOCATOR_COUNT;
    const TTest *const once[] = {
        null_is_refused_everywhere,
        with_malloc_a_queue_is_two_mallocs_each_push_one_and_each_pop_one_free,
        registered_functions_serve_queues_and_lists_alike, NULL};
    const TTest *const for_each[] = {
        an_empty_queue_gives_nothing_and_leaves_the_value_alone,
        first_in_is_first_out,
        a_pop_into_nothing_is_refused_and_keeps_the_element,
        delete_takes_the_elements_left_in_the_queue,
        a_failed_allocation_of_either_part_gives_no_queue_and_leaks_nothing,
        random_traffic_agrees_with_a_counter,
        NULL};
    const TTest *const for_each_of_2[] = {with_pool_a_later_search_makes_two_mallocs, NULL};
    const struct suite_case cases[] = {{once, list_start, list_end, 0, 0},
                                       {for_each, list_start, list_end, 0, all},
                                       {for_each_of_2, list_start, list_end, 1, 3}};
    return suite_run_cases("queue", COUNT_OF(cases), cases);
}
