/*
 * test_pool.c - what is particular to the allocator "pool": what it keeps, and in which order.
 */
#include "alloc/magazines.h"
#include "base/macros.h"
#include "tests/support/contract_cases.h"
#include "tests/support/front_fixture.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

enum { NODE_BYTES = NODE_ALIGNMENT, SPENT_BYTES = 2 * NODE_ALIGNMENT /* by glibc */, BLOCKS = 300 };

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
    open_pool(_i == 0 ? "pool" : _i == 1 ? "pool:order=fifo" : "pool:order=address");
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
        require(blocks_are_watched() ||
                node_allocator_allocate(heap.allocator, NODE_BYTES) == blocks[i]);
    }
    if (!blocks_are_watched()) {
        give_shuffled_chain();
    }
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

START_TEST(address_gives_blocks_in_address_order_after_a_list_is_deleted)
{
    open_pool("pool:order=address");
    take_all(NODE_BYTES);
    give_shuffled_chain();
    take_all(NODE_BYTES);
    for (size_t i = 0; i + 1 < BLOCKS; i++) {
        require((uintptr_t)blocks[i] < (uintptr_t)blocks[i + 1]);
    }
    give_shuffled_chain();
    close_case(&heap);
}
END_TEST

START_TEST(address_waits_with_sorting_until_no_block_is_alive)
{
    open_pool("pool:order=address");
    void *alive = node_allocator_allocate(heap.allocator, NODE_BYTES);
    take_all(NODE_BYTES);
    give_shuffled_chain();
    node_allocator_release(heap.allocator, alive, NODE_BYTES);
    node_allocator_release_chain(heap.allocator, NULL, NULL, 0, NODE_BYTES); /* an empty list */
    take_all(NODE_BYTES);
    for (size_t i = 0; i + 1 < BLOCKS; i++) {
        require((uintptr_t)blocks[i] < (uintptr_t)blocks[i + 1]);
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

/* Fronts in a process with threads: they ask malloc without the lock and book it later -------- */

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
static bool open_pool_with_front(const char *specification, struct node_front *front)
{
    have_a_second_thread();
    open_pool(specification);
    const bool is_open = open_front(&heap, front, NODE_BYTES);
    if (!is_open) {
        close_case(&heap);
    }
    return is_open;
}

static const char *const orders_with_fronts[] = {"pool", "pool:order=fifo"};

START_TEST(blocks_that_a_front_has_not_booked_are_counted)
{
    struct node_front front = {0};
    if (!open_pool_with_front(orders_with_fronts[_i], &front)) {
        return;
    }
    front_take_all(&front);
    ck_assert_uint_eq(statistics().live_blocks, BLOCKS);
    ck_assert_uint_eq(statistics().kept_blocks, 0);
    ck_assert_uint_eq(statistics().held_bytes, BLOCKS * SPENT_BYTES);
    ck_assert_uint_eq(statistics().held_bytes_max, BLOCKS * SPENT_BYTES);
    check_heap(&heap);
    front_give(&heap, &front, blocks[0]);
    ck_assert_uint_eq(statistics().live_blocks, BLOCKS - 1);
    ck_assert_uint_eq(statistics().kept_blocks, 1);
    for (size_t i = 1; i < BLOCKS; i++) {
        front_give(&heap, &front, blocks[i]);
    }
    ck_assert_uint_eq(statistics().kept_blocks, BLOCKS);
    ck_assert_uint_eq(statistics().held_bytes, BLOCKS * SPENT_BYTES);
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(statistics().held_bytes, 0);
    ck_assert_uint_eq(statistics().held_bytes_max, BLOCKS * SPENT_BYTES);
    front_give(&heap, &front, front_take(&heap, &front)); /* a trim books it, too */
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(statistics().held_bytes, 0);
    close_front(&heap, &front);
    close_case(&heap);
}
END_TEST

START_TEST(one_list_mallocs_what_it_has_alive_at_most)
{
    struct node_front front = {0};
    if (!open_pool_with_front(orders_with_fronts[_i], &front)) {
        return;
    }
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 100; i++) { /* none of them is booked */
            blocks[i] = front_take(&heap, &front);
        }
        for (size_t i = 0; i < 100; i++) {
            front_give(&heap, &front, blocks[i]);
        }
    }
    ck_assert_uint_eq(source.calls, 100);
    for (int round = 0; round < 3; round++) {
        front_take_all(&front); /* the last magazine is not booked, and the depot gets two */
        front_give_all(&front);
    }
    ck_assert_uint_eq(source.calls, BLOCKS);
    close_front(&heap, &front);
    close_case(&heap);
}
END_TEST

START_TEST(a_front_that_malloc_refuses_looks_into_the_depot)
{
    struct node_front front = {0}, other = {0};
    if (!open_pool_with_front(orders_with_fronts[_i], &front)) {
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

START_TEST(a_front_asks_the_depot_again_after_a_magazine_of_new_blocks)
{
    struct node_front front = {0}, other = {0};
    if (!open_pool_with_front(orders_with_fronts[_i], &front)) {
        return;
    }
    void *taken[MAGAZINE_BLOCKS];
    taken[0] = front_take(&heap, &front);
    require(open_front(&heap, &other, NODE_BYTES));
    front_take_all(&other);
    front_give_all(&other);
    close_front(&heap, &other);
    for (size_t i = 1; i < MAGAZINE_BLOCKS; i++) {
        taken[i] = front_take(&heap, &front);
    }
    const uint64_t calls = source.calls;
    front_take_all(&front);
    ck_assert_uint_eq(source.calls, calls);
    front_give_all(&front);
    for (size_t i = 0; i < MAGAZINE_BLOCKS; i++) {
        front_give(&heap, &front, taken[i]);
    }
    close_front(&heap, &front);
    close_case(&heap);
}
END_TEST

int main(void)
{
    const TTest *const for_orders[] = {
        blocks_that_a_front_has_not_booked_are_counted, one_list_mallocs_what_it_has_alive_at_most,
        a_front_that_malloc_refuses_looks_into_the_depot,
        a_front_asks_the_depot_again_after_a_magazine_of_new_blocks, NULL};
    const TTest *const for_each[] = {every_block_is_malloced_once_and_kept_until_trim, NULL};
    const TTest *const once[] = {lifo_gives_the_last_released_first,
                                 fifo_gives_the_first_released_first,
                                 address_gives_blocks_in_address_order_after_a_list_is_deleted,
                                 address_waits_with_sorting_until_no_block_is_alive,
                                 sizes_in_steps_of_two_words_share_their_blocks,
                                 blocks_above_512_bytes_go_back_at_once,
                                 NULL};
    const struct suite_case cases[] = {{for_each, source_reset, NULL, 0, 3},
                                       {for_orders, source_reset, NULL, 0, 2},
                                       {once, source_reset, NULL, 0, 0}};
    return suite_run_cases("pool", COUNT_OF(cases), cases);
}
