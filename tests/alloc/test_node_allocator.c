/*
 * test_node_allocator.c - the contract of node_allocator.h, over every registered allocator.
 *
 * contract_cases.h says which cases there are, and who is exempt from what. Every test ends with a
 * closed heap that has given everything back to its source.
 */
#include "alloc/node_front.h"
#include "base/macros.h"
#include "tests/support/contract_cases.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define NODE_BYTES 16

/* Whether any of the allocators in one another has a flag. */
static bool has_flag(const struct node_heap *heap, unsigned flag)
{
    for (const struct node_allocator *at = heap->allocator; at != NULL; at = at->inner) {
        if (at->type->flags & flag) {
            return true;
        }
    }
    return false;
}

static size_t size_limit(int index, size_t wanted)
{
    size_t max = contract_cases[index].size_max;
    return max != 0 && max < wanted ? max : wanted;
}

START_TEST(every_type_in_the_registry_has_a_complete_table)
{
    size_t count = 0;
    for (const struct node_allocator_type *const *at = node_allocator_types(); *at; at++, count++) {
        const struct node_allocator_type *type = *at;
        ck_assert_uint_eq(type->abi, NODE_ALLOCATOR_ABI);
        ck_assert_uint_gt(strlen(type->name), 0);
        ck_assert_uint_eq(strspn(type->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                          strlen(type->name));
        ck_assert_ptr_eq(node_allocator_find(type->name), type);
        ck_assert_ptr_nonnull(type->summary);
        ck_assert_ptr_null(strchr(type->summary, '\n'));
        ck_assert_uint_le(strlen(type->summary), 100);
        ck_assert_uint_ge(type->instance_bytes, sizeof(struct node_allocator));
        ck_assert_uint_lt(type->instance_bytes, NODE_HEAP_STORAGE);
        ck_assert(type->allocate && type->release);
        ck_assert(type->bytes_per_block || (type->flags & NODE_ALLOCATOR_WRAPS) ||
                  strcmp(type->name, "plugin") == 0); /* what is inside has one */
        ck_assert((type->front == NULL) == (type->page_done == NULL));
        for (const struct node_option *option = type->options; option && option->name; option++) {
            ck_assert_ptr_nonnull(option->help);
            ck_assert_ptr_nonnull(option->default_value);
            ck_assert((option->kind == NODE_OPTION_CHOICE) == (option->choices != NULL));
        }
    }
    ck_assert_uint_ge(count, 5);
    ck_assert_ptr_null(node_allocator_find("no-such-allocator"));
}
END_TEST

START_TEST(a_heap_that_was_never_used_gives_everything_back)
{
    struct node_heap heap;
    open_case(&heap, _i);
    check_heap(&heap);
    ck_assert_str_eq(heap.specification, contract_cases[_i].specification);
    node_allocator_trim(heap.allocator);
    check_heap(&heap);
    close_case(&heap);
    node_heap_close(&heap); /* closing a closed heap does nothing */
    ck_assert_ptr_null(heap.allocator);
}
END_TEST

static int by_address(const void *a, const void *b)
{
    const struct block *left = a;
    const struct block *right = b;
    return (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

START_TEST(blocks_of_every_size_are_aligned_apart_and_keep_their_content)
{
    enum { BLOCKS_MAX = 1000 };
    size_t max = size_limit(_i, 5000);
    struct block *blocks = calloc(BLOCKS_MAX, sizeof *blocks);
    ck_assert_ptr_nonnull(blocks);
    struct node_heap heap;
    open_case(&heap, _i);
    size_t count = 0;
    for (size_t size = 1; size <= max; size += size < 600 ? 1 : 11) {
        require(count < BLOCKS_MAX);
        blocks[count].bytes = node_allocator_allocate(heap.allocator, size);
        block_fill(&blocks[count], size, (unsigned char)(count * 7 + 1));
        count++;
    }
    check_heap(&heap);
    qsort(blocks, count, sizeof *blocks, by_address);
    for (size_t i = 0; i + 1 < count; i++) {
        require(blocks[i].bytes + blocks[i].size <= blocks[i + 1].bytes);
    }
    for (size_t i = 0; i < count; i++) {
        block_release(&heap, &blocks[i]);
    }
    check_heap(&heap);
    close_case(&heap);
    free(blocks);
}
END_TEST

START_TEST(bytes_per_block_covers_at_least_the_block)
{
    struct node_heap heap;
    open_case(&heap, _i);
    size_t max = size_limit(_i, 5000);
    for (size_t size = 1; size <= max; size++) {
        require(node_allocator_bytes_per_block(heap.allocator, size) >= (double)size);
    }
    close_case(&heap);
}
END_TEST

START_TEST(a_chain_of_any_length_is_taken_back_at_once)
{
    static const size_t counts[] = {0, 1, 2, 3, 100, 5000};
    static const size_t sizes[] = {8, NODE_BYTES, 24, 512, 513};
    struct node_heap heap;
    open_case(&heap, _i);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        if (size_limit(_i, sizes[s]) < sizes[s]) {
            continue;
        }
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            size_t count = counts[c] > 100 ? steps(counts[c]) : counts[c];
            void *tail;
            void *head = chain_take(&heap, count, sizes[s], &tail);
            struct block other = {.bytes = node_allocator_allocate(heap.allocator, sizes[s])};
            block_fill(&other, sizes[s], 0xa5);
            node_allocator_release_chain(heap.allocator, head, tail, count, sizes[s]);
            check_heap(&heap);
            block_release(&heap, &other); /* the chain did not take what was not in it */

            /* and with nothing else alive */
            head = chain_take(&heap, count, sizes[s], &tail);
            node_allocator_release_chain(heap.allocator, head, tail, count, sizes[s]);
            check_heap(&heap);
        }
    }
    close_case(&heap);
}
END_TEST

START_TEST(released_blocks_serve_the_next_requests)
{
    size_t count = steps(4000);
    struct node_heap heap;
    open_case(&heap, _i);
    if (!has_flag(&heap, NODE_ALLOCATOR_NO_REUSE | NODE_ALLOCATOR_GIVES_BACK) &&
        !(contract_cases[_i].flags & CONTRACT_REUSES_LATER)) {
        for (int round = 0; round < 4; round++) {
            source.calls = 0;
            void *tail;
            void *head = chain_take(&heap, count, NODE_BYTES, &tail);
            ck_assert(round == 0 || source.calls == 0);
            node_allocator_release_chain(heap.allocator, head, tail, count, NODE_BYTES);
        }
    }
    close_case(&heap);
}
END_TEST

START_TEST(trim_gives_back_what_no_live_block_needs)
{
    size_t count = steps(3000);
    struct block *blocks = calloc(count, sizeof *blocks);
    ck_assert_ptr_nonnull(blocks);
    struct node_heap heap;
    open_case(&heap, _i);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < count; i++) {
            size_t size = i % 3 == 0 ? 100 : NODE_BYTES;
            blocks[i].bytes = node_allocator_allocate(heap.allocator, size);
            block_fill(&blocks[i], size, (unsigned char)i);
        }
        for (size_t i = 0; i < count; i += 2) {
            block_release(&heap, &blocks[i]);
        }
        node_allocator_trim(heap.allocator);
        check_heap(&heap);
        for (size_t i = 1; i < count; i += 2) {
            block_verify(&blocks[i]);
        }
        for (size_t i = 1; i < count; i += 2) {
            block_release(&heap, &blocks[i]);
        }
        node_allocator_trim(heap.allocator);
        check_heap(&heap);
        if (!(contract_cases[_i].flags & CONTRACT_KEEPS_ARENA)) {
            ck_assert_uint_eq(source.live, 0);
        }
    }
    close_case(&heap);
    free(blocks);
}
END_TEST

START_TEST(opening_again_after_closing_starts_afresh)
{
    struct node_heap heap;
    uint64_t calls[3];
    for (int round = 0; round < 3; round++) {
        source_reset();
        open_case(&heap, _i);
        void *tail;
        void *head = chain_take(&heap, 500, NODE_BYTES, &tail);
        node_allocator_release_chain(heap.allocator, head, tail, 500, NODE_BYTES);
        check_heap(&heap);
        close_case(&heap);
        calls[round] = source.calls;
    }
    ck_assert_uint_eq(calls[0], calls[1]);
    ck_assert_uint_eq(calls[0], calls[2]);
}
END_TEST

static bool first_source_is_over;

static void *first_allocate(size_t size)
{
    require(!first_source_is_over);
    return source_allocate(size);
}

static void first_release(void *block)
{
    require(!first_source_is_over);
    source_release(block);
}

START_TEST(the_source_is_looked_up_at_every_call)
{
    static const struct memory_source first = {first_allocate, first_release};
    first_source_is_over = false;
    struct node_heap heap;
    struct node_allocator_error error;
    ck_assert(node_heap_open(&heap, contract_cases[_i].specification, &first, &error));
    struct block before = {.bytes = node_allocator_allocate(heap.allocator, NODE_BYTES)};
    block_fill(&before, NODE_BYTES, 1);
    heap.source = counted_source;
    first_source_is_over = true;
    struct block after = {.bytes = node_allocator_allocate(heap.allocator, 400)};
    block_fill(&after, 400, 2);
    block_release(&heap, &before);
    block_release(&heap, &after);
    node_allocator_trim(heap.allocator);
    close_case(&heap);
}
END_TEST

/* Random traffic --------------------------------------------------------------------------------*/

enum order { ORDER_FIFO, ORDER_LIFO, ORDER_RANDOM, ORDER_COUNT };

struct traffic {
    struct node_heap heap;
    struct rng rng;
    enum order order;
    size_t size;        /* of every block; 0: mixed */
    size_t size_max;    /* when mixed */
    struct block *live; /* the oldest first */
    size_t live_count;
    uint64_t live_bytes;
};

static void traffic_take(struct traffic *traffic)
{
    struct node_allocator *allocator = traffic->heap.allocator;
    size_t size = traffic->size;
    if (size == 0) { /* mostly small, at times large */
        size_t limit = random_below(&traffic->rng, 8) == 0 ? traffic->size_max : 80;
        size =
            1 + random_below(&traffic->rng, limit < traffic->size_max ? limit : traffic->size_max);
    }
    struct block *block = &traffic->live[traffic->live_count++];
    block->bytes = NULL;
    struct node_front *front = node_allocator_front(allocator, size);
    require(front == node_allocator_front(allocator, size));
    if (front != NULL && random_below(&traffic->rng, 2) == 0) {
        block->bytes = node_front_take(front);
    }
    if (block->bytes == NULL) {
        block->bytes = node_allocator_allocate(allocator, size);
    }
    block_fill(block, size, (unsigned char)random_next(&traffic->rng));
    traffic->live_bytes += size;
}

static void traffic_give(struct traffic *traffic)
{
    struct node_allocator *allocator = traffic->heap.allocator;
    size_t index = traffic->order == ORDER_FIFO ? 0
                   : traffic->order == ORDER_LIFO
                       ? traffic->live_count - 1
                       : random_below(&traffic->rng, traffic->live_count);
    struct block block = traffic->live[index];
    memmove(&traffic->live[index], &traffic->live[index + 1],
            (--traffic->live_count - index) * sizeof block);
    traffic->live_bytes -= block.size;
    block_verify(&block);
    struct node_front *front = node_allocator_front(allocator, block.size);
    if (front != NULL && random_below(&traffic->rng, 2) == 0) {
        struct node_page *done = node_front_give(front, block.bytes);
        if (done != NULL) {
            allocator->type->page_done(allocator, front, done);
        }
    } else {
        node_allocator_release(allocator, block.bytes, block.size);
    }
}

static void traffic_statistics(const struct traffic *traffic)
{
    struct node_allocator_statistics statistics;
    node_allocator_statistics(traffic->heap.allocator, &statistics);
    if (statistics.live_blocks != NODE_STATISTIC_UNKNOWN) {
        require(statistics.live_blocks == traffic->live_count);
    }
    if (statistics.held_bytes != NODE_STATISTIC_UNKNOWN) {
        require(statistics.held_bytes >= traffic->live_bytes);
        require(statistics.held_bytes_max >= statistics.held_bytes);
    }
    require(memchr(statistics.note, '\0', sizeof statistics.note) != NULL);
}

/* Blocks of one size, or of mixed sizes when size is 0, up to live_max at a time. */
static void traffic_run(int index, size_t size, size_t live_max)
{
    struct rng rng = random_start(contract_cases[index].specification);
    for (enum order order = 0; order < ORDER_COUNT; order++) {
        struct traffic traffic = {.rng = rng, .order = order, .size = size_limit(index, size)};
        traffic.size_max = size_limit(index, 3000);
        traffic.live = calloc(live_max + 1, sizeof *traffic.live);
        require(traffic.live != NULL);
        open_case(&traffic.heap, index);
        bool growing = true;
        for (size_t step = 0; step < steps(6 * live_max); step++) {
            if (traffic.live_count == live_max || traffic.live_count == 0) {
                growing = traffic.live_count == 0;
            }
            bool take = random_below(&traffic.rng, 10) < (growing ? 8u : 2u);
            if (traffic.live_count == 0 || (take && traffic.live_count < live_max)) {
                traffic_take(&traffic);
            } else {
                traffic_give(&traffic);
            }
            check_heap(&traffic.heap);
            traffic_statistics(&traffic);
        }
        while (traffic.live_count > 0) {
            traffic_give(&traffic);
        }
        check_heap(&traffic.heap);
        traffic_statistics(&traffic);
        close_case(&traffic.heap);
        free(traffic.live);
    }
}

START_TEST(random_traffic_of_nodes_through_calls_and_fronts_is_sound)
{
    traffic_run(_i, 256, 1500);
}
END_TEST

START_TEST(random_traffic_of_mixed_sizes_is_sound)
{
    traffic_run(_i, 0, 300);
}
END_TEST

START_TEST(a_front_is_closed_while_every_block_is_watched)
{
    struct node_heap heap;
    open_case(&heap, _i);
    if (blocks_are_watched()) {
        ck_assert_ptr_null(node_allocator_front(heap.allocator, NODE_BYTES));
    }
    close_case(&heap);
}
END_TEST

START_TEST(malloc_pool_and_slab_say_what_they_hold)
{
    static const char *const names[] = {"malloc", "pool", "slab"};
    struct node_heap heap;
    struct node_allocator_error error;
    struct node_allocator_statistics statistics;
    ck_assert(node_heap_open(&heap, names[_i], &counted_source, &error));
    void *node = node_allocator_allocate(heap.allocator, NODE_BYTES);
    void *large = node_allocator_allocate(heap.allocator, 5000);
    node_allocator_statistics(heap.allocator, &statistics);
    if (_i > 0) { /* malloc keeps no books: that is its point */
        ck_assert_uint_eq(statistics.live_blocks, 2);
        ck_assert_uint_ge(statistics.held_bytes, 5016);
    }
    node_allocator_release(heap.allocator, node, NODE_BYTES);
    node_allocator_release(heap.allocator, large, 5000);
    node_allocator_trim(heap.allocator);
    node_allocator_statistics(heap.allocator, &statistics);
    if (_i > 0) {
        ck_assert_uint_eq(statistics.live_blocks, 0);
        ck_assert_uint_eq(statistics.held_bytes, 0);
        ck_assert_uint_ge(statistics.held_bytes_max, 5016);
    }
    close_case(&heap);
}
END_TEST

int main(void)
{
    contract_collect();
    int count = contract_case_count;
    const TTest *const once[] = {every_type_in_the_registry_has_a_complete_table, NULL};
    const TTest *const for_each[] = {malloc_pool_and_slab_say_what_they_hold, NULL};
    const TTest *const for_each_of_2[] = {
        a_heap_that_was_never_used_gives_everything_back,
        blocks_of_every_size_are_aligned_apart_and_keep_their_content,
        bytes_per_block_covers_at_least_the_block,
        a_chain_of_any_length_is_taken_back_at_once,
        released_blocks_serve_the_next_requests,
        trim_gives_back_what_no_live_block_needs,
        opening_again_after_closing_starts_afresh,
        the_source_is_looked_up_at_every_call,
        random_traffic_of_nodes_through_calls_and_fronts_is_sound,
        random_traffic_of_mixed_sizes_is_sound,
        a_front_is_closed_while_every_block_is_watched,
        NULL};
    const struct suite_case cases[] = {{once, source_reset, NULL, 0, 0},
                                       {for_each, source_reset, NULL, 0, 3},
                                       {for_each_of_2, source_reset, NULL, 0, count}};
    return suite_run_cases("node_allocator", COUNT_OF(cases), cases);
}
