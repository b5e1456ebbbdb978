/*
 * test_inputs.c - what the allocator of the search means for loading.
 */
#include "bfs/inputs/inputs.h"
#include "tests/support/suite.h"

/* glibc's malloc is slower for good once a second thread has run. */
START_TEST(an_allocator_that_asks_malloc_for_every_node_loads_with_one_thread)
{
    ck_assert_uint_eq(inputs_threads("malloc"), 1);
    ck_assert_uint_eq(inputs_threads("pool:order=fifo"), 1);
    ck_assert_uint_eq(inputs_threads("count(pool)"), 1);
    ck_assert_uint_eq(inputs_threads("count"), 1);
}
END_TEST

START_TEST(an_allocator_that_asks_malloc_rarely_loads_with_all_threads)
{
    static const char *const rarely[] = {"slab", "slab:chunk=1M", "first-fit32", "block", "bump"};
    for (size_t i = 0; i < sizeof(rarely) / sizeof(*rarely); i++) {
        ck_assert_msg(inputs_threads(rarely[i]) == 0, "%s", rarely[i]);
    }
}
END_TEST

START_TEST(a_wrapper_loads_with_as_many_threads_as_the_allocator_inside)
{
    ck_assert_uint_eq(inputs_threads("count(slab)"), 0);
    ck_assert_uint_eq(inputs_threads("count(fault(slab:chunk=1M,at=7))"), 0);
    ck_assert_uint_eq(inputs_threads("record"), 0); /* around first-fit */
}
END_TEST

int main(void)
{
    return suite_run(
        "inputs", NULL, NULL,
        (const TTest *[]){an_allocator_that_asks_malloc_for_every_node_loads_with_one_thread,
                          an_allocator_that_asks_malloc_rarely_loads_with_all_threads,
                          a_wrapper_loads_with_as_many_threads_as_the_allocator_inside, NULL});
}
