/*
 * test_refusing_malloc.c - a list and a queue over a registered malloc that refuses large requests,
 * as an arena of small blocks does, or every second request.
 *
 * For each allocator the table says the least limit under which it serves. Below it a refusal is
 * reported, by set_allocator with its reason or by the push, and nothing has changed. From it on,
 * every push works.
 */
#include "base/macros.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue_more.h"
#include "tests/support/contract_cases.h"
#include "tests/support/suite.h"

enum { ELEMENTS = 700, FIRST = 7, TRIES = 2 };

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

static const size_t limits[] = {MIB, 64 * KIB, 4 * KIB};

static const struct {
    const char *specification;
    size_t least; /* of limits: it serves with this one and the larger ones; SIZE_MAX: with none */
} rows[] = {
    {"malloc", 4 * KIB},
    {"pool", 4 * KIB},
    {"pool:order=fifo", 4 * KIB},
    {"slab", 64 * KIB}, /* the least chunk is of 32 KiB */
    {"slab:chunk=64K", 64 * KIB},
    {"slab:chunk=16M", 64 * KIB},
    {"count(slab)", 64 * KIB},
    {"no-free(slab)", 64 * KIB},
    {"fault(slab,at=18446744073709551615)", 64 * KIB},
    {"quick-fit(malloc)", 4 * KIB},
    {"quick-fit(slab)", 4 * KIB}, /* its chunks of 4 KiB are no slab's, but the source's */
    {"first-fit:heap=512K", MIB}, /* a region is one request */
    {"first-fit32:heap=512K", MIB},
    {"bump:heap=512K", MIB},
    {"block:heap=512K", MIB},
    {"quick-fit:heap=512K", MIB},
    {"bump:heap=60000", 64 * KIB},
    {"first-fit", SIZE_MAX},
    {"block", SIZE_MAX},
    {"bump", SIZE_MAX},
};

static struct {
    size_t limit;
    bool every_second;
    size_t requests;
} refusing;

static void *refusing_malloc(size_t size)
{
    if (size > refusing.limit || (refusing.every_second && ++refusing.requests % 2 == 0)) {
        return NULL;
    }
    return source_allocate(size);
}

static void refuse_nothing(void)
{
    refusing.limit = SIZE_MAX;
    refusing.every_second = false;
    refusing.requests = 0;
}

static void set_up(void)
{
    source_reset();
    refuse_nothing();
    require(linked_list_set_allocator("malloc"));
    require(linked_list_register_malloc(refusing_malloc));
    require(linked_list_register_free(source_release));
}

static void pop_all(struct queue *queue, unsigned int count)
{
    unsigned int value = 0;
    for (unsigned int i = 0; i < count; i++) {
        require(queue_pop(queue, &value) && value == FIRST + i);
    }
    require(!queue_pop(queue, &value) && queue_check(queue));
}

/* Everything is given back: what is alive then is a leak. */
static void nothing_is_left(void)
{
    require(linked_list_set_allocator("malloc"));
    linked_list_final_cleanup();
    ck_assert_uint_eq(source.live, 0);
}

/* A queue under a limit: it holds what it took, in order, and says true to each push, or to none
 * after the first that failed. Returns how many pushes worked. */
static unsigned int push_under(size_t limit)
{
    struct queue *queue = queue_create();
    require(queue != NULL);
    refusing.limit = limit;
    unsigned int pushed = 0;
    while (pushed < ELEMENTS && queue_push(queue, FIRST + pushed)) {
        pushed++;
    }
    if (pushed < ELEMENTS) { /* refused again, and nothing has changed */
        require(!queue_push(queue, FIRST + pushed));
        require(queue_size(queue) == pushed && queue_check(queue));
        unsigned int many[ELEMENTS] = {0};
        require(!queue_push_all(queue, many, ELEMENTS));
        require(queue_size(queue) == pushed && queue_check(queue));
    }
    pop_all(queue, pushed);
    refusing.limit = SIZE_MAX;
    require(queue_delete(queue));
    return pushed;
}

/* With the limit from the start, also when the allocator is opened. */
static void hold_limit(const char *specification, size_t limit, size_t least)
{
    refusing.limit = limit;
    if (!linked_list_set_allocator(specification)) {
        ck_assert_msg(limit < least, "%s: %s", specification, linked_list_error());
        ck_assert_ptr_nonnull(strstr(linked_list_error(), "out of memory"));
        ck_assert_str_eq(linked_list_allocator(), "malloc");
        ck_assert_uint_eq(source.live, 0);
    } else {
        unsigned int pushed = push_under(limit);
        ck_assert_msg((pushed == ELEMENTS) == (limit >= least),
                      "%s, requests of up to %zu bytes: %u pushes of %d", specification, limit,
                      pushed, ELEMENTS);
    }
    refuse_nothing();
    nothing_is_left();
}

START_TEST(pushes_work_from_the_least_limit_on_and_fail_cleanly_below_it)
{
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        hold_limit(rows[_i].specification, limits[i], rows[_i].least);
    }
}
END_TEST

START_TEST(a_push_that_failed_works_when_it_is_tried_again)
{
    require(linked_list_set_allocator(rows[_i].specification));
    struct queue *queue = queue_create();
    struct linked_list *ll = linked_list_create();
    require(queue != NULL && ll != NULL);
    refusing.every_second = true;
    for (unsigned int i = 0; i < ELEMENTS; i++) {
        for (int tries = 1; !queue_push(queue, FIRST + i); tries++) {
            require(tries < TRIES && queue_size(queue) == i && queue_check(queue));
        }
        for (int tries = 1; !linked_list_insert_front(ll, i); tries++) {
            require(tries < TRIES && linked_list_size(ll) == i && linked_list_check(ll));
        }
    }
    pop_all(queue, ELEMENTS);
    for (unsigned int i = ELEMENTS; i-- > 0;) {
        unsigned int value = 0;
        require(linked_list_remove_front(ll, &value) && value == i);
    }
    refuse_nothing();
    require(queue_delete(queue) && linked_list_delete(ll));
    nothing_is_left();
}
END_TEST

START_TEST(the_statistics_say_what_a_slab_got_in_place_of_its_chunk)
{
    struct node_allocator_statistics statistics;
    require(linked_list_set_allocator("slab"));
    struct queue *queue = queue_create();
    require(queue != NULL);
    refusing.limit = 64 * KIB;
    require(queue_push(queue, FIRST));
    linked_list_statistics(&statistics);
    ck_assert_uint_eq(statistics.held_bytes, 64 * KIB);
    ck_assert_str_eq(statistics.note,
                     "chunks of 65536 bytes: larger ones, of up to 2097152, were refused");
    pop_all(queue, 1);
    require(queue_delete(queue));
    refuse_nothing();
    nothing_is_left();
}
END_TEST

int main(void)
{
    const TTest *const for_each[] = {pushes_work_from_the_least_limit_on_and_fail_cleanly_below_it,
                                     NULL};
    const TTest *const retried[] = {a_push_that_failed_works_when_it_is_tried_again, NULL};
    const TTest *const once[] = {the_statistics_say_what_a_slab_got_in_place_of_its_chunk, NULL};
    const struct suite_case cases[] = {{for_each, set_up, NULL, 0, (int)COUNT_OF(rows)},
                                       {retried, set_up, NULL, 0, (int)COUNT_OF(rows)},
                                       {once, set_up, NULL, 0, 0}};
    return suite_run_cases("refusing_malloc", COUNT_OF(cases), cases);
}
