/*
 * test_pool.c - what is particular to the allocator "pool": what it keeps, and in which order.
 */
#include "base/macros.h"
#include "tests/support/contract_cases.h"
#include "tests/support/front_fixture.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    NODE_BYTES = NODE_ALIGNMENT,
    SPENT_BYTES = 2 * NODE_ALIGNMENT, /* by glibc */
    BLOCKS = 600,
    BATCH = 256 /* blocks that go from a front to the heap, or back, at a time */
};

static struct node_heap heap;
static void *blocks[BLOCKS];

static void open_pool(const char *specification)
{
    struct node_allocator_error error;
    ck_assert_msg(node_heap_open(&heap, specification, &counted_source, &error), "%s",
                  error.message);
}

static void take_all(size_t size)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = node_allocator_allocate(heap.allocator, size);
        require(blocks[i] != NULL);
    }
}

static struct node_allocator_statistics statistics(void)
{
    struct node_allocator_statistics out;
    node_allocator_statistics(heap.allocator, &out);
    return out;
}

/* Give all blocks back as one chain, in a random order. */
static void give_shuffled_chain(void)
{
    struct rng rng = random_start("give_shuffled_chain");
    for (size_t i = BLOCKS - 1; i > 0; i--) {
        size_t other = random_below(&rng, i + 1);
        void *swap = blocks[i];
        blocks[i] = blocks[other];
        blocks[other] = swap;
    }
    for (size_t i = 0; i + 1 < BLOCKS; i++) {
        *(void **)blocks[i] = blocks[i + 1];
    }
    node_allocator_release_chain(heap.allocator, blocks[0], blocks[BLOCKS - 1], BLOCKS, NODE_BYTES);
}

START_TEST(every_block_is_malloced_once_and_kept_until_trim)
{
    open_pool(_i == 0 ? "pool" : "pool:order=fifo");
    for (int round = 0; round < 3; round++) {
        take_all(NODE_BYTES);
        ck_assert_uint_eq(source.calls, BLOCKS);
        ck_assert_uint_eq(statistics().live_blocks, BLOCKS);
        ck_assert_uint_eq(statistics().kept_blocks, 0);
        give_shuffled_chain();
        ck_assert_uint_eq(source.frees, 0);
        ck_assert_uint_eq(statistics().live_blocks, 0);
        ck_assert_uint_eq(statistics().kept_blocks, BLOCKS);
        ck_assert_uint_eq(statistics().held_bytes, BLOCKS * SPENT_BYTES);
    }
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(source.frees, BLOCKS);
    ck_assert_uint_eq(statistics().held_bytes, 0);
    ck_assert_uint_eq(statistics().held_bytes_max, BLOCKS * SPENT_BYTES);
    close_case(&heap);
}
END_TEST

START_TEST(lifo_gives_the_last_released_first)
{
    open_pool("pool");
    take_all(NODE_BYTES);
    for (size_t i = 0; i < BLOCKS; i++) {
        node_allocator_release(heap.allocator, blocks[i], NODE_BYTES);
    }
    for (size_t i = BLOCKS; i-- > 0;) {
        require(node_allocator_allocate(heap.allocator, NODE_BYTES) == blocks[i]);
    }
    give_shuffled_chain();
    for (size_t i = 0; i < BLOCKS; i++) { /* a chain keeps its order in front of the others */
        require(node_allocator_allocate(heap.allocator, NODE_BYTES) == blocks[i]);
    }
    give_shuffled_chain();
    close_case(&heap);
}
END_TEST

START_TEST(fifo_gives_the_first_released_first)
{
    open_pool("pool:order=fifo");
    take_all(NODE_BYTES);
    for (size_t i = 0; i < BLOCKS; i++) {
        node_allocator_release(heap.allocator, blocks[i], NODE_BYTES);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        require(node_allocator_allocate(heap.allocator, NODE_BYTES) == blocks[i]);
    }
    give_shuffled_chain();
    for (size_t i = 0; i < BLOCKS; i++) {
        require(node_allocator_allocate(heap.allocator, NODE_BYTES) == blocks[i]);
    }
    give_shuffled_chain();
    close_case(&heap);
}
END_TEST

START_TEST(sizes_in_steps_of_two_words_share_their_blocks)
{
    open_pool("pool");
    take_all(NODE_ALIGNMENT + 1);
    for (size_t i = 0; i < BLOCKS; i++) {
        node_allocator_release(heap.allocator, blocks[i], NODE_ALIGNMENT + 1);
    }
    source.calls = 0;
    take_all(2 * NODE_ALIGNMENT);
    ck_assert_uint_eq(source.calls, 0);
    for (size_t i = 0; i < BLOCKS; i++) {
        node_allocator_release(heap.allocator, blocks[i], 2 * NODE_ALIGNMENT);
    }
    take_all(2 * NODE_ALIGNMENT + 1);
    ck_assert_uint_eq(source.calls, BLOCKS);
    for (size_t i = 0; i < BLOCKS; i++) {
        node_allocator_release(heap.allocator, blocks[i], 2 * NODE_ALIGNMENT + 1);
    }
    close_case(&heap);
}
END_TEST

START_TEST(blocks_above_512_bytes_go_back_at_once)
{
    open_pool("pool");
    take_all(513);
    for (size_t i = 0; i < BLOCKS; i++) {
        node_allocator_release(heap.allocator, blocks[i], 513);
    }
    ck_assert_uint_eq(source.frees, BLOCKS);
    ck_assert_uint_eq(statistics().kept_blocks, 0);
    close_case(&heap);
}
END_TEST

START_TEST(under_a_checker_every_block_is_a_malloc_and_a_free)
{
    open_pool(_i == 0 ? "pool" : "pool:order=fifo");
    take_all(NODE_BYTES);
    ck_assert_uint_eq(source.calls, BLOCKS);
    ck_assert_uint_eq(statistics().live_blocks, BLOCKS);
    ck_assert_uint_eq(statistics().held_bytes, BLOCKS * SPENT_BYTES);
    give_shuffled_chain();
    ck_assert_uint_eq(source.frees, BLOCKS);
    ck_assert_uint_eq(statistics().live_blocks, 0);
    ck_assert_uint_eq(statistics().kept_blocks, 0);
    ck_assert_uint_eq(statistics().held_bytes, 0);
    close_case(&heap);
}
END_TEST

/* Fronts --------------------------------------------------------------------------------------- */

static void front_take_all(struct node_front *front)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = front_take(&heap, front);
        require(blocks[i] != NULL);
    }
}

static void front_give_all(struct node_front *front)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        front_give(&heap, front, blocks[i]);
    }
}

/* False: there are no fronts under a checker. */
static bool open_pool_with_front(struct node_front *front)
{
    have_a_second_thread();
    open_pool("pool");
    const bool is_open = open_front(&heap, front, NODE_BYTES);
    if (!is_open) {
        close_case(&heap);
    }
    return is_open;
}

START_TEST(blocks_of_a_front_are_counted)
{
    struct node_front front = {0};
    if (!open_pool_with_front(&front)) {
        return;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = front_take(&heap, &front);
        require_equal(statistics().live_blocks, i + 1);
        require_equal(statistics().kept_blocks, 0);
    }
    ck_assert_uint_eq(statistics().held_bytes, BLOCKS * SPENT_BYTES);
    for (size_t i = 0; i < BLOCKS; i++) { /* the front is full, and gives to the heap */
        front_give(&heap, &front, blocks[i]);
        require_equal(statistics().live_blocks, BLOCKS - 1 - i);
        require_equal(statistics().kept_blocks, i + 1);
        check_heap(&heap);
    }
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(front.block_bytes, 0); /* a trim closes it */
    ck_assert_uint_eq(source.live, 0);
    ck_assert_uint_eq(statistics().held_bytes, 0);
    ck_assert_uint_eq(statistics().held_bytes_max, BLOCKS * SPENT_BYTES);
    close_case(&heap);
}
END_TEST

START_TEST(one_front_mallocs_what_it_has_alive_at_most)
{
    struct node_front front = {0};
    if (!open_pool_with_front(&front)) {
        return;
    }
    for (int round = 0; round < 3; round++) {
        front_take_all(&front);
        front_give_all(&front);
    }
    ck_assert_uint_eq(source.calls, BLOCKS);
    close_front(&heap, &front);
    close_case(&heap);
}
END_TEST

START_TEST(what_a_front_has_too_much_serves_another)
{
    struct node_front front = {0}, other = {0};
    if (!open_pool_with_front(&front)) {
        return;
    }
    require(open_front(&heap, &other, NODE_BYTES));
    front_take_all(&front);
    front_give_all(&front); /* a batch goes to the heap */
    const uint64_t calls = source.calls;
    for (size_t i = 0; i < BATCH / 2; i++) {
        blocks[i] = front_take(&heap, &other);
    }
    ck_assert_uint_eq(source.calls, calls);
    ck_assert_uint_eq(statistics().live_blocks, BATCH / 2);
    for (size_t i = 0; i < BATCH / 2; i++) { /* back through the other one */
        front_give(&heap, &front, blocks[i]);
    }
    close_front(&heap, &other);
    close_front(&heap, &front);
    ck_assert_uint_eq(statistics().kept_blocks, BLOCKS);
    close_case(&heap);
}
END_TEST

START_TEST(a_chain_goes_back_through_a_front_whole)
{
    struct node_front front = {0};
    if (!open_pool_with_front(&front)) {
        return;
    }
    const size_t counts[] = {1, 3, BATCH, BLOCKS};
    for (size_t c = 0; c < COUNT_OF(counts); c++) {
        front_take_all(&front);
        for (size_t i = 0; i + 1 < counts[c]; i++) {
            *(void **)blocks[i] = blocks[i + 1];
        }
        heap.allocator->type->fronts->give_chain(heap.allocator, &front, blocks[0],
                                                 blocks[counts[c] - 1], counts[c]);
        ck_assert_uint_eq(statistics().kept_blocks, counts[c]);
        check_heap(&heap);
        for (size_t i = counts[c]; i < BLOCKS; i++) {
            front_give(&heap, &front, blocks[i]);
        }
    }
    ck_assert_uint_eq(source.calls, BLOCKS);
    close_front(&heap, &front);
    close_case(&heap);
}
END_TEST

START_TEST(a_front_that_malloc_refuses_takes_what_the_heap_keeps)
{
    struct node_front front = {0}, other = {0};
    if (!open_pool_with_front(&front)) {
        return;
    }
    void *first = front_take(&heap, &front);
    require(open_front(&heap, &other, NODE_BYTES));
    front_take_all(&other);
    front_give_all(&other);
    close_front(&heap, &other);
    source.fail_at = source.calls;
    source.fail_run = FAIL_FOREVER;
    front_take_all(&front);
    require(front_take(&heap, &front) == NULL);
    require(front_take(&heap, &front) == NULL);
    source.fail_at = FAIL_NEVER;
    ck_assert_uint_eq(statistics().live_blocks, BLOCKS + 1);
    front_give_all(&front);
    front_give(&heap, &front, first);
    close_front(&heap, &front);
    close_case(&heap);
}
END_TEST

int main(void)
{
    const TTest *const when_watched[] = {under_a_checker_every_block_is_a_malloc_and_a_free, NULL};
    const TTest *const for_each[] = {every_block_is_malloced_once_and_kept_until_trim, NULL};
    const TTest *const kept[] = {lifo_gives_the_last_released_first,
                                 fifo_gives_the_first_released_first,
                                 sizes_in_steps_of_two_words_share_their_blocks, NULL};
    const TTest *const once[] = {blocks_above_512_bytes_go_back_at_once,
                                 blocks_of_a_front_are_counted,
                                 one_front_mallocs_what_it_has_alive_at_most,
                                 what_a_front_has_too_much_serves_another,
                                 a_chain_goes_back_through_a_front_whole,
                                 a_front_that_malloc_refuses_takes_what_the_heap_keeps,
                                 NULL};
    const struct suite_case watched_cases[] = {{when_watched, source_reset, NULL, 0, 2},
                                               {once, source_reset, NULL, 0, 0}};
    const struct suite_case cases[] = {{for_each, source_reset, NULL, 0, 2},
                                       {kept, source_reset, NULL, 0, 0},
                                       {once, source_reset, NULL, 0, 0}};
    return blocks_are_watched() ? suite_run_cases("pool", COUNT_OF(watched_cases), watched_cases)
                                : suite_run_cases("pool", COUNT_OF(cases), cases);
}
