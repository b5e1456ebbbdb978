/*
 * test_thread_fronts.c - lists in many threads, with the front of each thread: nothing is lost,
 * what a thread had serves the next thread, and a change of the allocator closes all fronts.
 */
#include "alloc/block_marks.h"
#include "base/macros.h"
#include "liblist/linked_list_more.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include "tests/support/thread_sanitizer.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 100, HELD = 3000 };

static const char *const specifications[] = {"malloc", "pool", "slab:chunk=64K", "pool:order=fifo",
                                             "first-fit"};

static atomic_size_t calls, live;

/* Threads: fewer where a checker interprets each instruction. */
static size_t many(void)
{
    return blocks_are_watched() ? MANY / 5 : MANY;
}
static pthread_barrier_t barrier;

static void *source_gives(size_t size)
{
    void *block = malloc(size);
    atomic_fetch_add(&calls, 1);
    atomic_fetch_add(&live, block != NULL);
    return block;
}

static void source_takes(void *block)
{
    atomic_fetch_sub(&live, block != NULL);
    free(block);
}

static void use(const char *specification)
{
    linked_list_register_malloc(source_gives);
    linked_list_register_free(source_takes);
    ck_assert_msg(linked_list_set_allocator(specification), "%s", linked_list_error());
    atomic_store(&calls, 0);
}

/* All is back. */
static void finish(void)
{
    ck_assert_uint_eq(linked_list_live_nodes(), 0);
    linked_list_final_cleanup();
    require(linked_list_set_allocator("malloc")); /* a heap in one region keeps that to its end */
    ck_assert_uint_eq(atomic_load(&live), 0);
}

static struct linked_list *fill(size_t count)
{
    struct linked_list *ll = linked_list_create();
    require(ll != NULL);
    for (size_t i = 0; i < count; i++) {
        require(linked_list_insert_end(ll, (unsigned)i));
    }
    return ll;
}

static void *fill_and_empty(void *unused)
{
    struct linked_list *ll = fill(HELD);
    for (unsigned i = 0; i < HELD / 2; i++) {
        unsigned data;
        require(linked_list_remove_front(ll, &data) && data == i);
    }
    require(linked_list_delete(ll));
    return unused;
}

static void in_a_thread(void *(*run)(void *), void *argument)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, run, argument), 0);
    pthread_join(thread, NULL);
}

START_TEST(what_a_thread_had_serves_the_next_one)
{
    use(specifications[_i]);
    in_a_thread(fill_and_empty, NULL);
    const size_t first = atomic_load(&calls);
    for (size_t i = 1; i < many(); i++) {
        in_a_thread(fill_and_empty, NULL);
    }
    const bool is_pool = strncmp(specifications[_i], "pool", 4) == 0;
    if (_i != 0 && !(is_pool && blocks_are_watched())) { /* pool is malloc then */
        const size_t lists = many() - 1; /* malloc's; a checker's slab has one front for all */
        const size_t chunks = blocks_are_watched() ? 2 : 0;
        ck_assert_uint_ge(atomic_load(&calls), first + lists);
        ck_assert_uint_le(atomic_load(&calls), first + lists + chunks);
    }
    finish();
}
END_TEST

static void *work_at_once(void *unused)
{
    for (int round = 0; round < 5; round++) {
        pthread_barrier_wait(&barrier);
        fill_and_empty(NULL);
    }
    return unused;
}

START_TEST(a_hundred_threads_at_once_lose_nothing)
{
    pthread_t threads[MANY];
    use(specifications[_i]);
    pthread_barrier_init(&barrier, NULL, (unsigned)many());
    for (size_t i = 0; i < many(); i++) {
        require(pthread_create(&threads[i], NULL, work_at_once, NULL) == 0);
    }
    for (size_t i = 0; i < many(); i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&barrier);
    finish();
}
END_TEST

static struct linked_list *handed;

static void *fill_for_another(void *unused)
{
    handed = fill(HELD);
    return unused;
}

static void *empty_half(void *unused)
{
    for (unsigned i = 0; i < HELD / 2; i++) {
        unsigned data;
        require(linked_list_remove_front(handed, &data) && data == i);
        require(i % 100 != 0 || linked_list_live_nodes() == HELD - 1 - i);
    }
    return unused;
}

static void *delete_rest(void *unused)
{
    require(linked_list_delete(handed));
    return unused;
}

START_TEST(a_list_is_filled_emptied_and_deleted_by_three_threads)
{
    use(specifications[_i]);
    in_a_thread(fill_for_another, NULL);
    ck_assert_uint_eq(linked_list_live_nodes(), HELD);
    ck_assert(!linked_list_set_allocator("pool"));
    in_a_thread(empty_half, NULL);
    in_a_thread(delete_rest, NULL);
    finish();
}
END_TEST

static void *work_before_and_after(void *unused)
{
    fill_and_empty(NULL);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier); /* the allocator changes */
    fill_and_empty(NULL);
    return unused;
}

START_TEST(a_change_of_the_allocator_closes_the_fronts_of_all_threads)
{
    for (size_t next = 0; next < COUNT_OF(specifications); next++) {
        pthread_t thread;
        use(specifications[_i]);
        fill_and_empty(NULL);
        pthread_barrier_init(&barrier, NULL, 2);
        require(pthread_create(&thread, NULL, work_before_and_after, NULL) == 0);
        pthread_barrier_wait(&barrier);
        require(linked_list_set_allocator(specifications[next]));
        pthread_barrier_wait(&barrier);
        fill_and_empty(NULL);
        pthread_join(thread, NULL);
        pthread_barrier_destroy(&barrier);
        finish();
    }
}
END_TEST

static pthread_key_t last_words;

static void push_at_the_end(void *ll)
{
    require(linked_list_insert_end(ll, 7));
}

static void *leave_last_words(void *ll)
{
    require(pthread_setspecific(last_words, ll) == 0);
    require(linked_list_insert_end(ll, 6));
    return NULL;
}

/* Functions that run at the end of a thread may use lists, before ours runs and after it. */
START_TEST(a_thread_may_use_lists_until_its_very_end)
{
    use(specifications[_i]);
    struct linked_list *ll = fill(0);
    in_a_thread(fill_and_empty, NULL); /* the list's own key comes first, and is served first */
    require(pthread_key_create(&last_words, push_at_the_end) == 0);
    for (size_t i = 0; i < many(); i++) {
        in_a_thread(leave_last_words, ll);
    }
    pthread_key_delete(last_words);
    ck_assert_uint_eq(linked_list_size(ll), 2 * many());
    ck_assert_uint_eq(linked_list_live_nodes(), 2 * many());
    require(linked_list_delete(ll));
    finish();
}
END_TEST

/* As long as a thread lets its functions run: at least four times. */
static void push_in_each_round(void *ll)
{
    push_at_the_end(ll);
    require(pthread_setspecific(last_words, ll) == 0);
}

START_TEST(a_thread_that_uses_lists_in_each_round_of_its_end_loses_nothing)
{
    if (THREADS_ARE_WATCHED) {
        return; /* the checker has left the thread before the last round */
    }
    use(specifications[_i]);
    struct linked_list *ll = fill(0);
    in_a_thread(fill_and_empty, NULL);
    require(pthread_key_create(&last_words, push_in_each_round) == 0);
    for (size_t i = 0; i < many(); i++) {
        in_a_thread(leave_last_words, ll);
    }
    pthread_key_delete(last_words);
    ck_assert_uint_ge(linked_list_size(ll), 5 * many());
    ck_assert_uint_eq(linked_list_live_nodes(), linked_list_size(ll));
    linked_list_final_cleanup();
    in_a_thread(fill_and_empty, NULL);
    ck_assert_uint_eq(linked_list_live_nodes(), linked_list_size(ll));
    require(linked_list_delete(ll));
    finish();
}
END_TEST

int main(void)
{
    const TTest *const each[] = {what_a_thread_had_serves_the_next_one,
                                 a_hundred_threads_at_once_lose_nothing,
                                 a_list_is_filled_emptied_and_deleted_by_three_threads,
                                 a_change_of_the_allocator_closes_the_fronts_of_all_threads,
                                 a_thread_may_use_lists_until_its_very_end,
                                 a_thread_that_uses_lists_in_each_round_of_its_end_loses_nothing,
                                 NULL};
    const struct suite_case cases[] = {{each, NULL, NULL, 0, (int)COUNT_OF(specifications)}};
    return suite_run_cases("thread_fronts", COUNT_OF(cases), cases);
}
