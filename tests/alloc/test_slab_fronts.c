/*
 * test_slab_fronts.c - the pages of the allocator "slab" among the fronts of several threads.
 */
#include "base/macros.h"
#include "tests/support/contract_cases.h"
#include "tests/support/front_fixture.h"
#include "tests/support/random.h"
#include "tests/support/slab_fixture.h"
#include "tests/support/suite.h"

enum { NODE_BYTES = 16, PAGE_BYTES = 16384, BLOCKS = 40000 };

/* Nodes of a page, after its header. */
static size_t blocks_of_page(void)
{
    return (PAGE_BYTES - 32) / NODE_BYTES;
}

enum { FRONTS = 3, FRONT_BLOCKS = BLOCKS / FRONTS };

static struct node_front fronts[FRONTS];
static void *of_front[FRONTS][FRONT_BLOCKS];

/* False: there are no fronts under a checker. */
static bool open_slab_with_fronts(const char *specification)
{
    have_a_second_thread();
    open_slab(specification);
    for (size_t i = 0; i < FRONTS; i++) {
        if (!open_front(&heap, &fronts[i], NODE_BYTES)) {
            close_case(&heap);
            return false;
        }
    }
    return true;
}

static void front_take_some(size_t number, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void **block = front_take(&heap, &fronts[number]);
        require(block != NULL);
        block[0] = of_front[number][i] = block;
        block[1] = (void *)(uintptr_t)number;
    }
}

static void front_give_some(size_t number, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        void **block = of_front[number][i];
        require(block[0] == block && block[1] == (void *)(uintptr_t)number);
        front_give(&heap, &fronts[number], block);
    }
}

static void close_fronts(void)
{
    for (size_t i = 0; i < FRONTS; i++) {
        close_front(&heap, &fronts[i]);
    }
}

START_TEST(a_page_that_is_back_serves_any_front)
{
    const size_t pages = 10;
    if (!open_slab_with_fronts("slab:chunk=64K")) {
        return;
    }
    front_take_some(0, pages * blocks_of_page());
    check_heap(&heap);
    const uint64_t most = held_bytes();
    ck_assert_uint_le(most, (pages + 3 + pages / 3) * PAGE_BYTES); /* three pages per chunk */
    front_give_some(0, 0, pages * blocks_of_page());
    check_heap(&heap);
    ck_assert_uint_eq(statistics_now().live_blocks, 0);
    front_take_some(1, (pages - 1) * blocks_of_page()); /* the last is not settled yet */
    ck_assert_uint_eq(held_bytes(), most);
    front_give_some(1, 0, (pages - 1) * blocks_of_page());
    close_fronts();
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(held_bytes(), 0);
    close_case(&heap);
}
END_TEST

START_TEST(a_short_queue_uses_the_same_pages_again)
{
    const size_t depth = 100;
    if (!open_slab_with_fronts("slab:chunk=64K")) {
        return;
    }
    void *pages[4] = {NULL};
    size_t seen = 0;
    front_take_some(0, depth);
    for (size_t i = 0; i < 20 * blocks_of_page(); i++) {
        front_give(&heap, &fronts[0], of_front[0][i % depth]);
        of_front[0][i % depth] = front_take(&heap, &fronts[0]);
        void *page = (void *)((uintptr_t)of_front[0][i % depth] & ~(uintptr_t)(PAGE_BYTES - 1));
        size_t at = 0;
        while (at < seen && pages[at] != page) {
            at++;
        }
        require(at < 3);
        pages[at] = page;
        seen += at == seen;
    }
    for (size_t i = 0; i < depth; i++) {
        front_give(&heap, &fronts[0], of_front[0][i]);
    }
    ck_assert_uint_eq(statistics_now().live_blocks, 0);
    close_fronts();
    close_case(&heap);
}
END_TEST

START_TEST(the_last_list_frees_all_pages_in_address_order)
{
    const size_t count = 3 * blocks_of_page();
    if (!open_slab_with_fronts("slab:chunk=64K")) {
        return;
    }
    close_front(&heap, &fronts[1]);
    close_front(&heap, &fronts[2]);
    front_take_some(0, count);
    void *const first = of_front[0][0];
    for (size_t i = 0; i + 1 < count; i++) {
        *(void **)of_front[0][i] = of_front[0][i + 1];
    }
    heap.allocator->type->fronts->give_chain(heap.allocator, &fronts[0], first,
                                             of_front[0][count - 1], count);
    check_heap(&heap);
    ck_assert_uint_eq(statistics_now().live_blocks, 0);
    ck_assert_ptr_eq(front_take(&heap, &fronts[0]), first);
    front_give(&heap, &fronts[0], first);
    close_front(&heap, &fronts[0]);
    close_case(&heap);
}
END_TEST

START_TEST(half_empty_pages_serve_any_front_when_they_are_many)
{
    const size_t of_page = blocks_of_page();
    const size_t pages = 12; /* nine and more may not wait */
    if (!open_slab_with_fronts("slab:chunk=64K")) {
        return;
    }
    require(pages * of_page <= FRONT_BLOCKS);
    front_take_some(0, pages * of_page);
    for (size_t page = 0; page < pages; page++) {
        front_give_some(0, page * of_page, of_page * 2 / 3);
    }
    void **block = front_take(&heap, &fronts[1]);
    bool is_of_half_page = false;
    for (size_t i = 0; i < pages * of_page; i++) {
        is_of_half_page = is_of_half_page || of_front[0][i] == block;
    }
    require(is_of_half_page);
    check_heap(&heap);
    front_give(&heap, &fronts[1], block);
    for (size_t page = 0; page < pages; page++) {
        front_give_some(0, page * of_page + of_page * 2 / 3, of_page - of_page * 2 / 3);
    }
    close_fronts();
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(held_bytes(), 0);
    close_case(&heap);
}
END_TEST

/* Three lists grow and shrink at random places; a node goes back through any front. */
START_TEST(a_block_is_given_to_one_list_only)
{
    struct rng rng = random_start("a_block_is_given_to_one_list_only");
    size_t sizes[FRONTS] = {0};
    if (!open_slab_with_fronts("slab:chunk=64K")) {
        return;
    }
    for (int step = 0; step < 600; step++) {
        const size_t number = random_below(&rng, FRONTS);
        void **list = of_front[number];
        const size_t room = FRONT_BLOCKS - sizes[number];
        const size_t added = random_below(&rng, 5) < 2 ? random_below(&rng, room + 1) : 0;
        for (size_t i = 0; i < added; i++) {
            void **block = front_take(&heap, &fronts[number]);
            require(block != NULL);
            block[0] = block;
            block[1] = (void *)(uintptr_t)number;
            list[sizes[number]++] = block;
        }
        size_t taken = random_below(&rng, 3) == 0 ? sizes[number] : random_below(&rng, 2000);
        for (; taken > 0 && sizes[number] > 0; taken--) {
            const size_t at =
                random_below(&rng, 4) > 0 ? sizes[number] - 1 : random_below(&rng, sizes[number]);
            void **block = list[at];
            require(block[0] == block && block[1] == (void *)(uintptr_t)number);
            list[at] = list[--sizes[number]];
            front_give(&heap, &fronts[random_below(&rng, FRONTS)], block);
        }
        check_heap(&heap);
        ck_assert_uint_eq(statistics_now().live_blocks, sizes[0] + sizes[1] + sizes[2]);
    }
    for (size_t number = 0; number < FRONTS; number++) {
        front_give_some(number, 0, sizes[number]);
    }
    close_fronts();
    check_heap(&heap);
    close_case(&heap);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_page_that_is_back_serves_any_front,
                                  a_short_queue_uses_the_same_pages_again,
                                  the_last_list_frees_all_pages_in_address_order,
                                  half_empty_pages_serve_any_front_when_they_are_many,
                                  a_block_is_given_to_one_list_only,
                                  NULL};
    const struct suite_case cases[] = {{tests, source_reset, NULL, 0, 0}};
    return suite_run_cases("slab_fronts", COUNT_OF(cases), cases);
}
