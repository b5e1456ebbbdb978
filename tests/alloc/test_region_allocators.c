/*
 * test_region_allocators.c - the allocators that live in one region, and the baselines.
 */
#include "alloc/block_marks.h"
#include "base/macros.h"
#include "tests/support/heap_fixture.h"
#include "tests/support/suite.h"
#include <stdio.h>

static struct node_heap heap;

static size_t offset_of(const void *block)
{
    void *base = NULL;
    size_t bytes = 0;
    ck_assert(node_allocator_region(heap.allocator, &base, &bytes));
    ck_assert((const char *)block >= (const char *)base);
    ck_assert_uint_lt((size_t)((const char *)block - (const char *)base), bytes);
    return (size_t)((const char *)block - (const char *)base);
}

START_TEST(first_fit32_places_blocks_where_the_article_does)
{
    static const size_t sizes[] = {20, 580, 92, 100, 12, 8, 180, 44, 44, 20, 108, 324, 164, 196};
    static const size_t offsets[] = {0x2dc6ac, 0x2dc45c, 0x2dc3f4, 0x2dc384, 0x2dc36c,
                                     0x2dc358, 0x2dc298, 0x2dc260, 0x2dc228, 0x2dc208,
                                     0x2dc190, 0x2dc040, 0x2dbf90, 0x2dbec0};
    heap_open(&heap, "first-fit32:heap=3000000,align=4");
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        ck_assert_uint_eq(offset_of(node_allocator_allocate(heap.allocator, sizes[i])), offsets[i]);
        heap_check(heap.allocator);
    }
    node_heap_close(&heap);
}
END_TEST

/* Bytes of the largest block that the open heap gives; it is released again. */
static size_t largest_block(void)
{
    size_t size = 400;
    void *block = NULL;
    while (size > 0 && (block = node_allocator_allocate(heap.allocator, size)) == NULL) {
        size--;
    }
    if (block != NULL) {
        node_allocator_release(heap.allocator, block, size);
    }
    heap_check(heap.allocator);
    return size;
}

/* 400 bytes are 100 words: a sentinel of 4, and one block with a header of 3 and room for 93. */
START_TEST(a_heap_of_400_bytes_loses_its_lowest_block_only_as_published)
{
    static const char *const specifications[] = {"first-fit32:heap=400,align=4",
                                                 "first-fit32:heap=400,align=4,as-published=yes"};
    static const size_t after[] = {372, 0};
    static const char *const notes[] = {"", "as published: 384 bytes are lost"};
    struct node_allocator_statistics statistics;
    heap_open(&heap, specifications[_i]);
    ck_assert_uint_eq(largest_block(), 372); /* the whole, which is the lowest */
    ck_assert_uint_eq(largest_block(), after[_i]);
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert_uint_eq(statistics.live_blocks, 0);
    ck_assert_str_eq(statistics.note, notes[_i]);
    node_heap_close(&heap);

    heap_open(&heap, specifications[_i]); /* 46 + 3 words above, 44 + 3 below */
    void *high = node_allocator_allocate(heap.allocator, 184);
    void *low = node_allocator_allocate(heap.allocator, 176);
    ck_assert_uint_eq(offset_of(high) - offset_of(low), 188);
    node_allocator_release(heap.allocator, low, 176);
    ck_assert_uint_eq(largest_block(), _i == 0 ? 176 : 0);
    node_allocator_release(heap.allocator, high, 184); /* its neighbour is the sentinel now */
    ck_assert_uint_eq(largest_block(), after[_i]);
    node_heap_close(&heap);
}
END_TEST

START_TEST(as_published_nothing_is_lost_above_the_lowest_block)
{
    heap_open(&heap, "first-fit32:heap=1M,as-published=yes");
    heap_traffic(heap.allocator, 3, 3000, 100, 600);
    struct node_allocator_statistics statistics;
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert_str_eq(statistics.note, "");
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 1000000));
    node_heap_close(&heap);
}
END_TEST

START_TEST(first_fit_splits_a_free_block_when_six_words_are_left_and_not_when_five_are)
{
    static const struct {
        const char *specification;
        size_t word, step; /* step: the words that blocks are multiples of */
    } heaps[] = {{"first-fit32:heap=64K,align=4", 4, 1}, {"first-fit:heap=64K", 8, 2}};
    const size_t word = heaps[_i].word;
    for (size_t left = 0; left <= 12; left += heaps[_i].step) {
        heap_open(&heap, heaps[_i].specification);
        void *hole = node_allocator_allocate(heap.allocator, (8 + left) * word);
        const size_t at = offset_of(hole);
        node_allocator_allocate(heap.allocator, 8 * word); /* between the hole and the rest */
        node_allocator_release(heap.allocator, hole, (8 + left) * word);
        size_t served = offset_of(node_allocator_allocate(heap.allocator, 8 * word));
        ck_assert_msg(served == at + (left >= 6 ? left * word : 0), "%zu words left: %zu, not %zu",
                      left, served, at);
        heap_check(heap.allocator);
        node_heap_close(&heap);
    }
}
END_TEST

static const char *const regions[] = {"first-fit32:heap=1M",
                                      "first-fit32:heap=1M,align=8",
                                      "first-fit:heap=1M",
                                      "block:heap=4M",
                                      "block:heap=4M,small=no",
                                      "block:places=yes",
                                      "bump:heap=4M",
                                      "no-free(first-fit:heap=4M)",
                                      "no-free",
                                      "quick-fit:heap=4M",
                                      "quick-fit(block)",
                                      "record(first-fit)"};

START_TEST(blocks_of_random_traffic_never_overlap)
{
    bool aligned = strstr(regions[_i], "align=8") == NULL;
    heap_open(&heap, regions[_i]);
    if (aligned) {
        heap_traffic(heap.allocator, 1, 3000, 100, 600);
        struct node_allocator_statistics statistics;
        node_allocator_statistics(heap.allocator, &statistics);
        if (statistics.live_blocks != NODE_STATISTIC_UNKNOWN) {
            ck_assert_uint_eq(statistics.live_blocks, 0);
        }
    }
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_region_that_was_emptied_is_whole_again)
{
    static const char *const specifications[] = {"first-fit32:heap=64K", "first-fit:heap=64K",
                                                 "block:heap=64K,small=no"};
    heap_open(&heap, specifications[_i]);
    heap_traffic(heap.allocator, 2, 500, 12, 3000);
    void *all = node_allocator_allocate(heap.allocator, 65000);
    ck_assert_ptr_nonnull(all);
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 2000));
    node_allocator_release(heap.allocator, all, 65000);
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_full_region_says_so_and_what_would_have_been_enough)
{
    static const char *const specifications[] = {"first-fit32:heap=8K", "first-fit:heap=8K",
                                                 "bump:heap=8K", "block:heap=8K"};
    struct node_allocator_statistics statistics;
    heap_open(&heap, specifications[_i]);
    size_t blocks = 0;
    while (node_allocator_allocate(heap.allocator, 100) != NULL) {
        blocks++;
        ck_assert_uint_lt(blocks, 100);
    }
    ck_assert_uint_gt(blocks, 50);
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, SIZE_MAX));
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, SIZE_MAX - 40));
    heap_check(heap.allocator);
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert_uint_ge(statistics.heap_bytes, 8192 - 8);
    ck_assert_uint_ge(statistics.heap_bytes_needed, blocks * 100);
    ck_assert_uint_le(statistics.heap_bytes_needed, statistics.heap_bytes + 64);
    node_heap_close(&heap);
}
END_TEST

/* first-fit serves from the top, and a hole above serves a later block. */
START_TEST(what_would_have_been_enough_is_for_the_lowest_block_ever)
{
    struct node_allocator_statistics before, after;
    void *blocks[20];
    heap_open(&heap, "first-fit:heap=64K");
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        blocks[i] = node_allocator_allocate(heap.allocator, 100);
    }
    node_allocator_statistics(heap.allocator, &before);
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        node_allocator_release(heap.allocator, blocks[i], 100);
    }
    blocks[0] = node_allocator_allocate(heap.allocator, 100);
    node_allocator_statistics(heap.allocator, &after);
    ck_assert_uint_ge(before.heap_bytes_needed, COUNT_OF(blocks) * 100);
    ck_assert_uint_eq(after.heap_bytes_needed, before.heap_bytes_needed);
    node_allocator_release(heap.allocator, blocks[0], 100);
    node_heap_close(&heap);
}
END_TEST

/* The number of blocks of 100 bytes that a heap of this kind and size has room for, 20 at most. */
static size_t room_for_blocks(const char *kind, uint64_t bytes)
{
    char specification[64];
    void *blocks[20];
    size_t count = 0;
    snprintf(specification, sizeof(specification), "%s:heap=%llu", kind, (unsigned long long)bytes);
    heap_open(&heap, specification);
    while (count < COUNT_OF(blocks) &&
           (blocks[count] = node_allocator_allocate(heap.allocator, 100)) != NULL) {
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        node_allocator_release(heap.allocator, blocks[i], 100);
    }
    node_heap_close(&heap);
    return count;
}

START_TEST(what_would_have_been_enough_is_enough_and_not_much_less)
{
    static const char *const kinds[] = {"first-fit", "first-fit32"};
    struct node_allocator_statistics statistics;
    char specification[64];
    void *blocks[20];
    snprintf(specification, sizeof(specification), "%s:heap=64K", kinds[_i]);
    heap_open(&heap, specification);
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        blocks[i] = node_allocator_allocate(heap.allocator, 100);
    }
    node_allocator_statistics(heap.allocator, &statistics);
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        node_allocator_release(heap.allocator, blocks[i], 100);
    }
    node_heap_close(&heap);
    ck_assert_uint_eq(room_for_blocks(kinds[_i], statistics.heap_bytes_needed), 20);
    ck_assert_uint_lt(room_for_blocks(kinds[_i], statistics.heap_bytes_needed - 64), 20);
}
END_TEST

/* As glibc: a size word, in steps of 16 bytes, at least 32. */
START_TEST(malloc_s_blocks_cost_a_size_word_and_the_rounding_to_two)
{
    static const size_t word = sizeof(size_t);
    /* words, bytes beside them, and the words that they cost */
    static const size_t sizes[][3] = {{0, 1, 4}, {2, 0, 4}, {3, 0, 4},     {3, 1, 6},    {5, 0, 6},
                                      {5, 1, 8}, {7, 0, 8}, {125, 0, 126}, {125, 1, 128}};
    heap_open(&heap, "malloc");
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const size_t size = sizes[i][0] * word + sizes[i][1];
        double bytes = node_allocator_bytes_per_block(heap.allocator, size);
        ck_assert_msg(bytes == (double)(sizes[i][2] * word), "%zu: %f", size, bytes);
    }
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_specification_is_rewritten_with_another_heap)
{
    static const char *const pairs[][2] = {
        {"first-fit", "first-fit:heap=9"},
        {"first-fit:heap=64K", "first-fit:heap=9"},
        {"first-fit:touch=yes,heap=64K", "first-fit:touch=yes,heap=9"},
        {"record(first-fit,heap=64K,file=a.script)", "record(first-fit,heap=9,file=a.script)"},
        {"record(first-fit,file=heap=)", "record(first-fit,file=heap=,heap=9)"},
        {"record()", "record(heap=9)"},
        {"record(block)", "record(block,heap=9)"},
    };
    char out[100];
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        ck_assert(node_specification_with_heap(pairs[i][0], 9, out, sizeof(out)));
        ck_assert_str_eq(out, pairs[i][1]);
    }
    ck_assert(!node_specification_with_heap("first-fit", 9, out, 5));
}
END_TEST

START_TEST(bump_never_gives_a_block_twice_until_it_is_trimmed)
{
    heap_open(&heap, "bump:heap=64K");
    void *first = node_allocator_allocate(heap.allocator, 16);
    node_allocator_release(heap.allocator, first, 16);
    void *second = node_allocator_allocate(heap.allocator, 16);
    ck_assert_ptr_ne(first, second);
    node_allocator_trim(heap.allocator);
    ck_assert_ptr_ne(node_allocator_allocate(heap.allocator, 16), first);
    node_heap_close(&heap);

    heap_open(&heap, "bump:heap=64K");
    first = node_allocator_allocate(heap.allocator, 16);
    node_allocator_release(heap.allocator, first, 16);
    node_allocator_trim(heap.allocator);
    ck_assert_ptr_eq(node_allocator_allocate(heap.allocator, 16), first);
    node_heap_close(&heap);
}
END_TEST

START_TEST(no_free_gives_nothing_back_until_it_is_trimmed)
{
    struct node_allocator_statistics statistics;
    heap_open(&heap, "no-free(count(slab))");
    for (int i = 0; i < 100; i++) {
        node_allocator_release(heap.allocator, node_allocator_allocate(heap.allocator, 8), 8);
    }
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert_uint_eq(statistics.releases, 0);
    ck_assert_uint_eq(statistics.kept_blocks, 100);
    node_allocator_trim(heap.allocator);
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert_uint_eq(statistics.releases, 100);
    node_heap_close(&heap);
}
END_TEST

static struct node_allocator_statistics statistics_of_heap(void)
{
    struct node_allocator_statistics statistics;
    node_allocator_statistics(heap.allocator, &statistics);
    heap_check(heap.allocator);
    return statistics;
}

/* 254 blocks of 16 bytes to a chunk of 4 KiB; half as many if each has a gap after it. */
START_TEST(quick_fit_takes_small_blocks_from_chunks_and_large_ones_from_the_heap_inside)
{
    const size_t step = 16 + block_gap();
    const uint64_t capacity = (4096 - 32) / step;
    void *blocks[300];
    heap_open(&heap, "quick-fit(count(first-fit,heap=64K))");
    for (size_t i = 0; i < capacity; i++) {
        blocks[i] = node_allocator_allocate(heap.allocator, 16);
        ck_assert_uint_eq(offset_of(blocks[i]), offset_of(blocks[0]) + i * step);
    }
    ck_assert_uint_eq(statistics_of_heap().requests, 1);
    blocks[capacity] = node_allocator_allocate(heap.allocator, 9); /* of the same size */
    ck_assert_uint_eq(statistics_of_heap().requests, 2);
    void *other = node_allocator_allocate(heap.allocator, 512);
    ck_assert_uint_eq(statistics_of_heap().requests, 3);
    void *large = node_allocator_allocate(heap.allocator, 513);
    struct node_allocator_statistics all = statistics_of_heap();
    ck_assert_uint_eq(all.requests, 4);
    ck_assert_uint_eq(all.live_blocks, capacity + 3);
    ck_assert_uint_eq(all.kept_blocks, capacity - 1 + (4096 - 32) / (512 + block_gap()) - 1);

    node_allocator_release(heap.allocator, large, 513);
    node_allocator_release(heap.allocator, other, 512);
    node_allocator_release(heap.allocator, blocks[7], 16);
    ck_assert_uint_eq(statistics_of_heap().releases, 1);
    ck_assert_ptr_eq(node_allocator_allocate(heap.allocator, 12),
                     blocks[7]);         /* the last released */
    node_allocator_trim(heap.allocator); /* of 512 bytes none is alive, of 16 some are */
    ck_assert_uint_eq(statistics_of_heap().releases, 2);
    for (size_t i = 0; i <= capacity; i++) {
        node_allocator_release(heap.allocator, blocks[i], 16);
    }
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(statistics_of_heap().releases, 4);
    ck_assert_uint_eq(statistics_of_heap().live_blocks, 0);
    ck_assert_uint_eq(statistics_of_heap().kept_blocks, 0);
    node_heap_close(&heap);
}
END_TEST

START_TEST(quick_fit_gives_chunks_back_where_the_heap_inside_is_full)
{
    static void *blocks[2000];
    size_t count = 0;
    heap_open(&heap, "quick-fit:heap=20K");
    while ((blocks[count] = node_allocator_allocate(heap.allocator, 16)) != NULL) {
        count++;
    }
    ck_assert_uint_eq(count, 4 * ((4096 - 32) / (16 + block_gap())));
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 16000));
    while (count > 0) {
        node_allocator_release(heap.allocator, blocks[--count], 16);
    }
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 16000));
    ck_assert_uint_eq(statistics_of_heap().live_blocks, 1);
    node_heap_close(&heap);
}
END_TEST

START_TEST(null_gives_nothing_and_takes_anything)
{
    heap_open(&heap, "null");
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 16));
    node_allocator_release(heap.allocator, NULL, 16);
    node_heap_close(&heap);
}
END_TEST

int main(void)
{
    const TTest *const once[] = {
        first_fit32_places_blocks_where_the_article_does,
        as_published_nothing_is_lost_above_the_lowest_block,
        what_would_have_been_enough_is_for_the_lowest_block_ever,
        malloc_s_blocks_cost_a_size_word_and_the_rounding_to_two,
        a_specification_is_rewritten_with_another_heap,
        bump_never_gives_a_block_twice_until_it_is_trimmed,
        no_free_gives_nothing_back_until_it_is_trimmed,
        quick_fit_takes_small_blocks_from_chunks_and_large_ones_from_the_heap_inside,
        quick_fit_gives_chunks_back_where_the_heap_inside_is_full,
        null_gives_nothing_and_takes_anything,
        NULL};
    const TTest *const for_each[] = {blocks_of_random_traffic_never_overlap, NULL};
    const TTest *const for_each_of_2[] = {
        a_heap_of_400_bytes_loses_its_lowest_block_only_as_published,
        first_fit_splits_a_free_block_when_six_words_are_left_and_not_when_five_are,
        what_would_have_been_enough_is_enough_and_not_much_less, NULL};
    const TTest *const for_each_of_3[] = {a_region_that_was_emptied_is_whole_again, NULL};
    const TTest *const for_each_of_4[] = {a_full_region_says_so_and_what_would_have_been_enough,
                                          NULL};
    const struct suite_case cases[] = {
        {once, NULL, NULL, 0, 0},
        {for_each, NULL, NULL, 0, sizeof(regions) / sizeof(*regions)},
        {for_each_of_2, NULL, NULL, 0, 2},
        {for_each_of_3, NULL, NULL, 0, 3},
        {for_each_of_4, NULL, NULL, 0, 4}};
    return suite_run_cases("region allocators", COUNT_OF(cases), cases);
}
