/*
 * test_slab.c - what is particular to the allocator "slab": chunks, address order, and its bound.
 */
#include "tests/support/contract_cases.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

enum { NODE_BYTES = 16, PAGE_BYTES = 16384, CHUNK_BYTES = 65536, BLOCKS = 40000 };

static struct node_heap heap;
static void *blocks[BLOCKS];
static size_t largest_request;

static void *recording_allocate(size_t size)
{
    largest_request = size > largest_request ? size : largest_request;
    return source_allocate(size);
}

static void open_slab(const char *specification)
{
    static const struct memory_source recording_source = {recording_allocate, source_release};
    struct node_allocator_error error;
    largest_request = 0;
    ck_assert_msg(node_heap_open(&heap, specification, &recording_source, &error), "%s",
                  error.message);
}

static void *take(void)
{
    void *block = node_allocator_allocate(heap.allocator, NODE_BYTES);
    require(block != NULL);
    return block;
}

static void give(void *block)
{
    node_allocator_release(heap.allocator, block, NODE_BYTES);
}

static void give_chain(size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        *(void **)blocks[i] = blocks[i + 1];
    }
    node_allocator_release_chain(heap.allocator, count > 0 ? blocks[0] : NULL,
                                 count > 0 ? blocks[count - 1] : NULL, count, NODE_BYTES);
}

static uint64_t held_bytes(void)
{
    struct node_allocator_statistics statistics;
    node_allocator_statistics(heap.allocator, &statistics);
    return statistics.held_bytes;
}

static size_t block_count(void)
{
    return blocks_are_watched() ? BLOCKS / 8 : BLOCKS;
}

/* Of the blocks in the order they were given out, those that do not follow their neighbour. */
static size_t jumps(size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        found += (char *)blocks[i + 1] - (char *)blocks[i] != (ptrdiff_t)(NODE_BYTES + block_gap());
    }
    return found;
}

/* The pages that a number of nodes need. */
static size_t pages_for(size_t count)
{
    return count * (NODE_BYTES + block_gap()) / (PAGE_BYTES - 64) + 1;
}

START_TEST(memory_is_asked_for_in_chunks_of_the_size_given)
{
    open_slab("slab:chunk=100000");
    for (size_t i = 0; i < 3000; i++) {
        blocks[i] = take();
    }
    ck_assert_uint_eq(largest_request, 100000);
    ck_assert_uint_le(source.calls, pages_for(3000) / 5 + 1); /* of 6 pages one may be lost */
    ck_assert_uint_eq(held_bytes(), source.calls * 100000);
    give_chain(3000);
    close_case(&heap);
}
END_TEST

START_TEST(a_new_list_lies_in_address_order)
{
    open_slab("slab");
    for (size_t i = 0; i < block_count(); i++) {
        blocks[i] = take();
    }
    ck_assert_uint_lt(jumps(block_count()), pages_for(block_count()));
    give_chain(block_count());
    close_case(&heap);
}
END_TEST

/* The traffic of searches: a queue grows, moves on, is left with much in it, and is deleted. */
START_TEST(a_queue_lies_in_address_order_however_often_it_is_built)
{
    open_slab("slab");
    size_t peak = block_count() / 2;
    for (int search = 0; search < 6; search++) {
        size_t head = 0;
        size_t tail = 0;
        while (tail < peak) {
            blocks[tail++] = take();
        }
        for (size_t i = 0; i < 4 * peak; i++) { /* the array as a ring */
            give(blocks[head++ % BLOCKS]);
            blocks[tail++ % BLOCKS] = take();
        }
        size_t far = 0;
        for (size_t i = head; i + 1 < tail; i++) {
            far += (char *)blocks[(i + 1) % BLOCKS] - (char *)blocks[i % BLOCKS] !=
                   (ptrdiff_t)(NODE_BYTES + block_gap());
        }
        ck_assert_uint_le(far, pages_for(peak) + 1);
        for (size_t i = head; i < tail; i++) { /* one chain, as the deletion of a list gives it */
            *(void **)blocks[i % BLOCKS] = blocks[(i + 1) % BLOCKS];
        }
        node_allocator_release_chain(heap.allocator, blocks[head % BLOCKS],
                                     blocks[(tail - 1) % BLOCKS], tail - head, NODE_BYTES);
        check_heap(&heap);
    }
    close_case(&heap);
}
END_TEST

START_TEST(a_moving_queue_takes_no_more_than_it_is_long_and_a_few_pages)
{
    open_slab("slab:chunk=64K");
    size_t length = block_count() / 4;
    size_t head = 0;
    size_t tail = 0;
    while (tail < length) {
        blocks[tail++] = take();
    }
    for (size_t i = 0; i < 5 * length; i++) {
        give(blocks[head++ % BLOCKS]);
        blocks[tail++ % BLOCKS] = take();
    }
    /* a chunk of 64K has 3 whole pages */
    uint64_t chunks = (pages_for(length) + 3) / 3 + 1;
    ck_assert_uint_le(held_bytes(), chunks * CHUNK_BYTES);
    while (head < tail) {
        give(blocks[head++ % BLOCKS]);
    }
    close_case(&heap);
}
END_TEST

START_TEST(after_the_last_list_is_deleted_memory_starts_from_the_first_address)
{
    open_slab("slab");
    for (size_t i = 0; i < 5000; i++) {
        blocks[i] = take();
    }
    void *first = blocks[0];
    if (!blocks_are_watched()) { /* watched blocks come back one by one */
        give_chain(5000);
        ck_assert_ptr_eq(take(), first);
        give(first);
    } else {
        give_chain(5000);
    }
    close_case(&heap);
}
END_TEST

/* Whatever is released, memory stays within a bound of the most that was ever alive. */
START_TEST(memory_is_bounded_for_any_pattern_of_releases)
{
    struct rng rng = random_start("memory_is_bounded_for_any_pattern_of_releases");
    size_t peak = block_count();
    open_slab("slab:chunk=64K");
    for (size_t i = 0; i < peak; i++) {
        blocks[i] = take();
    }
    for (int round = 0; round < 12; round++) {
        size_t keep = 2 + random_below(&rng, 40); /* one in keep stays alive */
        bool scattered = round % 2 == 0;
        for (size_t i = 0; i < peak; i++) {
            bool stays = scattered ? random_below(&rng, keep) == 0 : i % keep == 0;
            if (!stays) {
                give(blocks[i]);
                blocks[i] = NULL;
            }
        }
        check_heap(&heap);
        for (size_t i = 0; i < peak; i++) {
            if (blocks[i] == NULL) {
                blocks[i] = take();
            }
        }
        check_heap(&heap);
    }
    /* 2.3 times the blocks, a third more for what a chunk of 64K loses at its ends */
    uint64_t pages = pages_for(peak) * 23 / 10 + 12;
    ck_assert_uint_le(held_bytes(), (pages / 3 + 1) * CHUNK_BYTES);
    for (size_t i = 0; i < peak; i++) {
        give(blocks[i]);
    }
    close_case(&heap);
}
END_TEST

START_TEST(trim_gives_back_the_chunks_without_a_live_block)
{
    open_slab("slab:chunk=64K");
    for (size_t i = 0; i < 20000; i++) {
        blocks[i] = take();
    }
    uint64_t chunks = source.live;
    for (size_t i = 0; i < 20000; i++) {
        if (i != 10000) {
            give(blocks[i]);
        }
    }
    ck_assert_uint_eq(source.live, chunks);
    node_allocator_trim(heap.allocator);
    check_heap(&heap);
    ck_assert_uint_le(source.live, 2);   /* that of the live block, and that of the current page */
    for (size_t i = 0; i < 20000; i++) { /* and goes on working */
        if (i != 10000) {
            blocks[i] = take();
        }
    }
    check_heap(&heap);
    give_chain(20000);
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(source.live, 0);
    close_case(&heap);
}
END_TEST

START_TEST(huge_pages_are_mapped_or_a_note_says_why_not)
{
    open_slab("slab:pages=huge,chunk=3M");
    for (size_t i = 0; i < 5000; i++) {
        blocks[i] = take();
    }
    struct node_allocator_statistics statistics;
    node_allocator_statistics(heap.allocator, &statistics);
    if (source.calls == 0) {
        ck_assert_uint_eq(statistics.held_bytes % (2 << 20), 0);
    } else {
        ck_assert_ptr_nonnull(strstr(statistics.note, "normal pages used"));
    }
    give_chain(5000);
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(held_bytes(), 0);
    close_case(&heap);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        memory_is_asked_for_in_chunks_of_the_size_given,
        a_new_list_lies_in_address_order,
        a_queue_lies_in_address_order_however_often_it_is_built,
        a_moving_queue_takes_no_more_than_it_is_long_and_a_few_pages,
        after_the_last_list_is_deleted_memory_starts_from_the_first_address,
        memory_is_bounded_for_any_pattern_of_releases,
        trim_gives_back_the_chunks_without_a_live_block,
        huge_pages_are_mapped_or_a_note_says_why_not,
        NULL};
    return suite_run("slab", source_reset, NULL, tests);
}
