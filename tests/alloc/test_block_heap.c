/*
 * test_block_heap.c - the heap of 4 KiB blocks: as published, and what its author asks for beyond.
 */
#include "tests/support/heap_fixture.h"
#include "tests/support/suite.h"

static struct node_heap heap;

START_TEST(thirty_two_mebibytes_hold_8192_requests_of_4088_bytes)
{
    static void *blocks[8193];
    heap_open(&heap, "block:small=no");
    size_t count = 0;
    while ((blocks[count] = node_allocator_allocate(heap.allocator, 4088)) != NULL) {
        count++;
    }
    ck_assert_uint_eq(count, 8192);
    ck_assert_uint_eq((size_t)((char *)blocks[8191] - (char *)blocks[0]), 8191u * 4096u);
    /* Every other one and the last two: only those two lie side by side. */
    for (size_t i = 1; i < 8189; i += 2) {
        node_allocator_release(heap.allocator, blocks[i], 4088);
    }
    node_allocator_release(heap.allocator, blocks[8191], 4088);
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 8184));
    node_allocator_release(heap.allocator, blocks[8190], 4088);
    void *pair = node_allocator_allocate(heap.allocator, 8184);
    ck_assert_ptr_eq(pair, blocks[8190]);
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 8184));
    node_heap_close(&heap);
}
END_TEST

START_TEST(one_request_takes_the_whole_heap_but_for_its_header)
{
    heap_open(&heap, "block");
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, (32u << 20) - 7));
    void *all = node_allocator_allocate(heap.allocator, (32u << 20) - 8);
    ck_assert_ptr_nonnull(all);
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 1));
    node_allocator_release(heap.allocator, all, (32u << 20) - 8);
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 1));
    node_heap_close(&heap);
}
END_TEST

START_TEST(runs_are_found_across_pages_of_blocks)
{
    heap_open(&heap, "block:heap=1M,small=no"); /* 256 blocks in four pages */
    void *blocks[256];
    for (size_t i = 0; i < 256; i++) {
        blocks[i] = node_allocator_allocate(heap.allocator, 4088);
    }
    for (size_t length = 1; length <= 130; length += 43) {
        for (size_t first = 0; first + length <= 256; first += 7) {
            for (size_t i = first; i < first + length; i++) {
                node_allocator_release(heap.allocator, blocks[i], 4088);
            }
            size_t size = length * 4096 - 8;
            ck_assert_ptr_null(node_allocator_allocate(heap.allocator, size + 1));
            ck_assert_ptr_eq(node_allocator_allocate(heap.allocator, size), blocks[first]);
            node_allocator_release(heap.allocator, blocks[first], size);
            for (size_t i = first; i < first + length; i++) {
                ck_assert_ptr_eq(node_allocator_allocate(heap.allocator, 4088), blocks[i]);
            }
            heap_check(heap.allocator);
        }
    }
    node_heap_close(&heap);
}
END_TEST

START_TEST(small_requests_share_a_block)
{
    heap_open(&heap, "block:heap=40K"); /* ten blocks */
    size_t nodes = 0;
    void *last = NULL;
    void *block = NULL;
    while ((block = node_allocator_allocate(heap.allocator, 16)) != NULL) {
        last = block;
        nodes++;
    }
    ck_assert_uint_eq(nodes, 10 * 255);
    node_allocator_release(heap.allocator, last, 16);
    ck_assert_ptr_eq(node_allocator_allocate(heap.allocator, 16), last);
    ck_assert(heap.allocator->type->bytes_per_block(heap.allocator, 16) < 16.1);
    node_heap_close(&heap);
}
END_TEST

START_TEST(an_empty_nested_heap_gives_its_block_up)
{
    heap_open(&heap, "block:heap=40K");
    void *nodes[2550];
    for (size_t i = 0; i < 2550; i++) {
        nodes[i] = node_allocator_allocate(heap.allocator, 16);
    }
    for (size_t i = 0; i < 2550; i++) {
        node_allocator_release(heap.allocator, nodes[(i * 7) % 2550], 16);
    }
    heap_check(heap.allocator);
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 9 * 4096 - 8));
    node_heap_close(&heap);
}
END_TEST

START_TEST(an_empty_nested_heap_that_was_kept_is_given_up_when_the_block_is_needed)
{
    heap_open(&heap, "block:heap=40K");
    node_allocator_release(heap.allocator, node_allocator_allocate(heap.allocator, 16), 16);
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 10 * 4096 - 8));
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 16));
    heap_check(heap.allocator);
    node_heap_close(&heap);
}
END_TEST

static void count_line(void *context, const char *line)
{
    ck_assert_ptr_nonnull(strstr(line, "alive: "));
    ck_assert_ptr_nonnull(strstr(line, "by " CALLER("test_block_heap")));
    ++*(int *)context;
}

START_TEST(the_report_says_where_each_live_block_was_asked_for)
{
    int lines = 0;
    heap_open(&heap, "block:places=yes");
    void *large = node_allocator_allocate(heap.allocator, 10000);
    ck_assert_ptr_nonnull(large);
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 10));
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 20));
    node_allocator_release(heap.allocator, large, 10000);
    node_allocator_report(heap.allocator,
                          &(struct node_report){.line = count_line, .context = &lines});
    ck_assert_int_eq(lines, 2);
    node_heap_close(&heap);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        thirty_two_mebibytes_hold_8192_requests_of_4088_bytes,
        one_request_takes_the_whole_heap_but_for_its_header,
        runs_are_found_across_pages_of_blocks,
        small_requests_share_a_block,
        an_empty_nested_heap_gives_its_block_up,
        an_empty_nested_heap_that_was_kept_is_given_up_when_the_block_is_needed,
        the_report_says_where_each_live_block_was_asked_for,
        NULL};
    return suite_run("block heap", NULL, NULL, tests);
}
