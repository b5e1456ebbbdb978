/*
 * test_queue_more.c - the promises of queue_more.h: many elements pushed, popped and dropped with
 * one call, and a list that is read ahead.
 */
#include "base/macros.h"
#include "libqueue/queue_more.h"
#include "tests/support/list_fixture.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <stdint.h>

static struct queue *create(int allocator)
{
    list_choose(allocator);
    return queue_create();
}

START_TEST(an_empty_queue_gives_nothing_and_leaves_the_value_alone)
{
    struct queue *queue = create(_i);
    unsigned int data = 7;
    ck_assert(!queue_check(NULL));
    for (int round = 0; round < 3; round++) {
        ck_assert_ptr_null(queue->ll->head);
        ck_assert(!queue_pop(queue, &data));
        ck_assert(!queue_next(queue, &data));
        ck_assert(!queue_has_next(queue));
        ck_assert_uint_eq(queue_size(queue), 0);
        ck_assert(queue_push_all(queue, NULL, 0));
        ck_assert(!queue_push_all(queue, NULL, 1));
        ck_assert_uint_eq(queue_pop_all(queue, &data, 1), 0);
        ck_assert_uint_eq(queue_pop_all(queue, NULL, 0), 0);
        ck_assert_uint_eq(data, 7);
        ck_assert(queue_push(queue, 7));
        ck_assert(!queue_pop(queue, NULL));
        ck_assert_uint_eq(queue_pop_all(queue, NULL, 1), 0);
        ck_assert_uint_eq(queue_size(queue), 1);
        ck_assert(queue_pop(queue, &data));
    }
    ck_assert(!queue_push_all(NULL, &data, 1));
    ck_assert_uint_eq(queue_pop_all(NULL, &data, 1), 0);
    ck_assert_uint_eq(queue_drop(NULL, 1), 0);
    ck_assert_uint_eq(data, 7);
    ck_assert(queue_delete(queue));
}
END_TEST

START_TEST(random_traffic_one_by_one_and_many_at_a_time_agrees_with_a_counter)
{
    struct rng rng = random_start("random_traffic");
    struct queue *queue = create(_i);
    unsigned int row[400];
    unsigned int pushed = 0;
    unsigned int popped = 0;
    for (size_t step = 0; step < (blocks_are_watched() ? 300 : 4000); step++) {
        size_t count = random_below(&rng, random_below(&rng, 4) == 0 ? 400 : 4);
        for (size_t i = 0; i < count; i++) {
            row[i] = pushed + (unsigned int)i;
        }
        require(queue_push_all(queue, row, count));
        pushed += (unsigned int)count;
        require(queue_push(queue, pushed++));
        if (random_below(&rng, 2) == 0) {
            unsigned int many[300];
            size_t wanted = random_below(&rng, 300);
            size_t there = pushed - popped;
            require(queue_pop_all(queue, many, wanted) == (wanted < there ? wanted : there));
            for (size_t i = 0; i < wanted && i < there; i++) {
                require(many[i] == popped++);
            }
        }
        if (random_below(&rng, 4) == 0) {
            const size_t wanted = random_below(&rng, 200);
            const size_t dropped = queue_drop(queue, wanted);
            require(dropped == (wanted < pushed - popped ? wanted : pushed - popped));
            popped += (unsigned int)dropped;
        }
        bool drain = step % 50 == 49;
        for (size_t pops = random_below(&rng, 130); drain || pops > 0; pops--) {
            unsigned int next = 0;
            unsigned int data = 0;
            if (pushed == popped) {
                break;
            }
            require(queue_next(queue, &next) && next == popped);
            require(queue_pop(queue, &data) && data == popped);
            popped++;
        }
        require(queue_size(queue) == pushed - popped);
        require(queue_has_next(queue) == (pushed != popped));
        require(queue_check(queue));
    }
    ck_assert(queue_delete(queue));
}
END_TEST

START_TEST(a_pop_of_many_gives_up_to_so_many_in_order_and_writes_no_more)
{
    enum { PUSHED = 300, ROOM = PUSHED + 8, UNTOUCHED = 77 };
    static const size_t counts[] = {0, 1, 2, 3, 13, 14, 15, 126, 127, 299, 300, 301, SIZE_MAX};
    unsigned int row[PUSHED];
    unsigned int popped[ROOM];
    struct queue *queue = create(_i);
    for (unsigned int i = 0; i < PUSHED; i++) {
        row[i] = 1000 + i;
    }
    for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
        ck_assert(queue_push_all(queue, row, PUSHED));
        for (size_t gone = 0, got = 1; got > 0 && counts[c] > 0; gone += got) {
            const size_t left = PUSHED - gone;
            for (size_t i = 0; i < ROOM; i++) {
                popped[i] = UNTOUCHED;
            }
            got = queue_pop_all(queue, popped, counts[c]);
            require(got == (counts[c] < left ? counts[c] : left));
            require(queue_size(queue) == left - got);
            require(queue_has_next(queue) == (left > got));
            for (size_t i = 0; i < ROOM; i++) {
                require(popped[i] == (i < got ? row[gone + i] : UNTOUCHED));
            }
            require(queue_check(queue));
        }
        if (counts[c] == 0) {
            ck_assert_uint_eq(queue_pop_all(queue, popped, 0), 0);
            ck_assert_uint_eq(queue_pop_all(queue, popped, PUSHED), PUSHED);
        }
    }
    ck_assert(queue_delete(queue));
}
END_TEST

START_TEST(a_push_of_many_that_fails_changes_nothing_and_leaks_nothing)
{
    unsigned int row[300];
    for (unsigned int i = 0; i < 300; i++) {
        row[i] = 100 + i;
    }
    bool complete = false;
    for (uint64_t k = 0; !complete; k++) {
        struct queue *queue = create(_i);
        ck_assert(queue_push_all(queue, (const unsigned int[]){1, 2, 3}, 3));
        source_fail_after(k, FAIL_FOREVER);
        complete = queue_push_all(queue, row, 300);
        source_reset();
        ck_assert_uint_eq(queue_size(queue), complete ? 303 : 3);
        ck_assert(queue_check(queue));
        ck_assert(queue_push(queue, 4));
        for (unsigned int i = 1; i <= 3; i++) {
            unsigned int data = 0;
            ck_assert(queue_pop(queue, &data));
            ck_assert_uint_eq(data, i);
        }
        ck_assert(queue_delete(queue));
        linked_list_final_cleanup();
    }
}
END_TEST

START_TEST(a_push_of_many_that_fails_between_others_keeps_the_order)
{
    struct rng rng = random_start("failing_pushes");
    struct queue *queue = create(_i);
    unsigned int row[400];
    unsigned int pushed = 0;
    unsigned int popped = 0;
    for (size_t step = 0; step < (blocks_are_watched() ? 200 : 3000); step++) {
        const size_t count = random_below(&rng, 400);
        for (size_t i = 0; i < count; i++) {
            row[i] = pushed + (unsigned int)i;
        }
        source_fail_after(random_below(&rng, 3), 1 + random_below(&rng, 2));
        const size_t nodes = linked_list_live_nodes();
        const bool done = queue_push_all(queue, row, count);
        pushed += done ? (unsigned int)count : 0;
        source_reset();
        require(done || linked_list_live_nodes() == nodes);
        require(queue_size(queue) == pushed - popped);
        const size_t got = queue_pop_all(queue, row, random_below(&rng, 400));
        for (size_t i = 0; i < got; i++) {
            require(row[i] == popped++);
        }
        require(queue_size(queue) == pushed - popped);
        require(queue_check(queue));
    }
    ck_assert(queue_delete(queue));
}
END_TEST

struct seen {
    unsigned int values[400];
    size_t count;
    size_t first_number;
};

static void see(void *context, unsigned int data, size_t number)
{
    struct seen *seen = context;
    seen->first_number = seen->count == 0 ? number : seen->first_number;
    require(number == seen->first_number + seen->count);
    seen->values[seen->count++] = data;
}

START_TEST(a_reader_sees_every_element_once_in_order_and_skips_what_was_removed_before_it)
{
    struct rng rng = random_start("read_ahead");
    struct queue *queue = create(_i);
    struct linked_list_reader reader = {0};
    struct seen seen = {.count = 0};
    unsigned int pushed = 0, popped = 0,
                 read = 0; /* element k has the value 3 k and number k + 1 */
    for (size_t step = 0; step < (blocks_are_watched() ? 500 : 20000); step++) {
        for (size_t count = random_below(&rng, 20); count > 0; count--) {
            require(queue_push(queue, 3 * pushed++));
        }
        popped += (unsigned int)queue_drop(queue, random_below(&rng, 20));
        read = read > popped ? read : popped;
        if (random_below(&rng, 2) == 0) {
            seen.count = 0;
            const size_t got = linked_list_read(queue->ll, &reader, see, &seen);
            require(got == seen.count && got <= LINKED_LIST_READ_MAX);
            require((got == 0) == (read == pushed));
            require(got == 0 || (seen.first_number == read + 1 && reader.read == read + got));
            for (size_t i = 0; i < got; i++) {
                require(seen.values[i] == 3 * read++);
            }
        }
        require(queue_size(queue) == pushed - popped);
    }
    ck_assert(queue_delete(queue));
}
END_TEST

START_TEST(the_elements_side_by_side_are_read_eight_at_a_time)
{
    ck_assert(linked_list_set_allocator("slab"));
    struct queue *queue = queue_create();
    struct linked_list_reader reader = {0};
    struct seen seen = {.count = 0};
    unsigned int row[20];
    for (unsigned int i = 0; i < 20; i++) {
        row[i] = i;
    }
    ck_assert(queue_push_all(queue, row, 20));
    const size_t first = linked_list_read(queue->ll, &reader, see, &seen);
    ck_assert(first == LINKED_LIST_READ_MAX || blocks_are_watched()); /* watched ones lie apart */
    while (linked_list_read(queue->ll, &reader, see, &seen) > 0) {
    }
    ck_assert_uint_eq(seen.count, 20);
    ck_assert(queue_delete(queue));
}
END_TEST

int main(void)
{
    const TTest *const once[] = {the_elements_side_by_side_are_read_eight_at_a_time, NULL};
    const TTest *const for_each[] = {
        an_empty_queue_gives_nothing_and_leaves_the_value_alone,
        random_traffic_one_by_one_and_many_at_a_time_agrees_with_a_counter,
        a_pop_of_many_gives_up_to_so_many_in_order_and_writes_no_more,
        a_push_of_many_that_fails_between_others_keeps_the_order,
        a_push_of_many_that_fails_changes_nothing_and_leaks_nothing,
        a_reader_sees_every_element_once_in_order_and_skips_what_was_removed_before_it,
        NULL};
    const struct suite_case cases[] = {{once, list_start, list_end, 0, 0},
                                       {for_each, list_start, list_end, 0, LIST_ALLOCATOR_COUNT}};
    return suite_run_cases("queue, more", COUNT_OF(cases), cases);
}
