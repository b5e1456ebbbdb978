/*
 * test_slab.c - what is particular to the allocator "slab": chunks, address order, and its bound.
 */
#include "alloc/block_marks.h"
#include "base/macros.h"
#include "tests/support/contract_cases.h"
#include "tests/support/random.h"
#include "tests/support/slab_fixture.h"
#include "tests/support/suite.h"
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { NODE_BYTES = 16, PAGE_BYTES = 16384, CHUNK_BYTES = 65536, BLOCKS = 40000 };

static void *blocks[BLOCKS];

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

static size_t block_count(void)
{
    return blocks_are_watched() ? BLOCKS / 8 : BLOCKS;
}

/* How many blocks, in the order they were given out, do not follow their neighbour. */
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
    return count * (NODE_BYTES + block_gap()) / (PAGE_BYTES - 320) + 1;
}

START_TEST(memory_is_asked_for_in_chunks_of_the_size_given)
{
    open_slab("slab:chunk=100000");
    for (size_t i = 0; i < 3000; i++) {
        blocks[i] = take();
    }
    ck_assert_uint_eq(asked.largest, 100000);
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

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Nanoseconds to give back a chain of three blocks while a fourth is alive, the least of many. */
static uint64_t least_of_short_chains(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 100; i++) {
        void *chain[] = {take(), take(), take()};
        *(void **)chain[0] = chain[1];
        *(void **)chain[1] = chain[2];
        const uint64_t begin = now_ns();
        node_allocator_release_chain(heap.allocator, chain[0], chain[2], 3, NODE_BYTES);
        const uint64_t spent = now_ns() - begin;
        least = spent < least ? spent : least;
    }
    return least;
}

START_TEST(a_short_list_is_deleted_as_fast_after_many_pages_were_used)
{
    enum { LARGEST_BYTES = 512 };
    open_slab("slab:chunk=64K");
    if (!blocks_are_watched()) {
        void *alive = take();
        const uint64_t before = least_of_short_chains();
        for (size_t i = 0; i < BLOCKS; i++) {
            blocks[i] = node_allocator_allocate(heap.allocator, LARGEST_BYTES);
            require(blocks[i] != NULL);
        }
        for (size_t i = 0; i < BLOCKS; i++) {
            node_allocator_release(heap.allocator, blocks[i], LARGEST_BYTES);
        }
        ck_assert_uint_lt(least_of_short_chains(), 20 * (before + 50));
        give(alive);
    }
    close_case(&heap);
}
END_TEST

/* The pages of a block size that the header of slab.c allows for the most blocks alive. */
static size_t pages_allowed(size_t most, size_t size)
{
    const size_t capacity = (PAGE_BYTES - 288) / (size + block_gap());
    return (most * 23 / 10 + capacity - 1) / capacity + 11;
}

/* The bytes of chunks of 64 KiB, where one page in four is lost, and of one chunk more. */
static uint64_t bound_bytes(size_t pages)
{
    return (uint64_t)((pages + 2) / 3 + 1) * CHUNK_BYTES;
}

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
    ck_assert_uint_le(held_bytes(), bound_bytes(pages_allowed(peak, NODE_BYTES)));
    for (size_t i = 0; i < peak; i++) {
        give(blocks[i]);
    }
    close_case(&heap);
}
END_TEST

/* Pages that are half empty serve again once an eighth of the pages are: 2.1 times the blocks with
 * what chunks lose at their ends. Would they wait for a half, it would be 3.5 times. */
START_TEST(half_empty_pages_serve_again_before_they_are_many)
{
    struct rng rng = random_start("half_empty_pages_serve_again_before_they_are_many");
    size_t peak = block_count();
    open_slab("slab:chunk=64K");
    for (size_t i = 0; i < peak; i++) {
        blocks[i] = take();
    }
    for (int round = 0; round < 12; round++) {
        for (size_t i = 0; i < peak; i++) {
            if (random_below(&rng, 2) == 0) {
                give(blocks[i]);
                blocks[i] = NULL;
            }
        }
        for (size_t i = 0; i < peak; i++) {
            blocks[i] = blocks[i] != NULL ? blocks[i] : take();
        }
    }
    check_heap(&heap);
    ck_assert_uint_le(held_bytes(), (pages_for(peak) * 2 / 3 + 8) * CHUNK_BYTES);
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
    ck_assert_uint_le(source.live, 2);   /* the live block's, and the current page's */
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

/* The last chunks are given back, and new ones follow the remaining ones. */
START_TEST(chunks_are_added_after_a_trim)
{
    open_slab("slab:chunk=64K");
    size_t count = block_count() / 2;
    for (size_t i = 0; i < count; i++) {
        blocks[i] = take();
    }
    for (size_t i = count; i-- > 1;) {
        give(blocks[i]);
    }
    /* the last page is full, and the next blocks lie in early pages */
    size_t again = PAGE_BYTES / NODE_BYTES + 300;
    for (size_t i = 1; i <= again; i++) {
        blocks[i] = take();
    }
    for (size_t i = 1; i < again; i++) {
        give(blocks[i]);
    }
    blocks[1] = blocks[again];
    node_allocator_trim(heap.allocator);
    check_heap(&heap);
    ck_assert_uint_le(source.live, 2);
    for (size_t i = 2; i < count; i++) {
        blocks[i] = take();
    }
    check_heap(&heap);
    ck_assert_uint_eq(statistics_now().live_blocks, count);
    ck_assert_uint_eq(held_bytes(), source.live * CHUNK_BYTES);
    give_chain(count);
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

/* The second row: what is left of a size that is no power of two, and the least. */
static const struct {
    const char *specification;
    size_t limit;
    size_t chunk_bytes; /* the first half, quarter ... that the source gives */
    size_t refused;
} halved[] = {
    {"slab", (size_t)1 << 20, (size_t)1 << 20, 1},
    {"slab:chunk=100000", 49152, 32768, 1},
    {"slab", 65536, 65536, 5},
    {"slab", 65535, 32768, 6},
    {"slab", 32768, 32768, 6},
    {"slab:chunk=64K", 32768, 32768, 1},
};

START_TEST(a_refused_chunk_is_halved_and_the_size_that_worked_is_kept)
{
    open_slab(halved[_i].specification);
    asked.limit = halved[_i].limit;
    const size_t count = block_count();
    for (int round = 0; round < 2; round++) { /* the second on chunks that are asked for again */
        for (size_t i = 0; i < count; i++) {
            blocks[i] = take();
        }
        ck_assert_uint_eq(asked.refused, halved[_i].refused);
        ck_assert_uint_eq(held_bytes(), source.live * halved[_i].chunk_bytes);
        ck_assert_uint_lt(jumps(count), pages_for(count));
        ck_assert_ptr_nonnull(strstr(statistics_now().note, "were refused"));
        check_heap(&heap);
        give_chain(count);
        node_allocator_trim(heap.allocator);
        ck_assert_uint_eq(held_bytes(), 0);
        ck_assert_uint_eq(source.live, 0);
    }
    ck_assert_uint_ge(statistics_now().held_bytes_max, halved[_i].chunk_bytes);
    close_case(&heap);
}
END_TEST

START_TEST(a_source_without_room_for_one_page_is_a_failure_that_changes_nothing)
{
    open_slab("slab");
    asked.limit = 4096;
    for (size_t tries = 1; tries <= 3; tries++) {
        require(node_allocator_allocate(heap.allocator, NODE_BYTES) == NULL);
        ck_assert_uint_eq(asked.last_refused, (size_t)2 * PAGE_BYTES);
        ck_assert_uint_eq(asked.refused, 7 * tries); /* 2 MiB, 1 MiB ... 32 KiB, each time */
        ck_assert_uint_eq(held_bytes(), 0);
        ck_assert_str_eq(statistics_now().note, "");
        check_heap(&heap);
    }
    asked.limit = SIZE_MAX;
    blocks[0] = take();
    ck_assert_uint_eq(held_bytes(), (size_t)2 << 20);
    give(blocks[0]);
    close_case(&heap);
}
END_TEST

START_TEST(with_every_second_request_refused_a_slab_fails_only_at_the_least_chunk)
{
    open_slab("slab:chunk=64K");
    asked.every_second = true;
    const size_t count = block_count();
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        blocks[i] = node_allocator_allocate(heap.allocator, NODE_BYTES);
        if (blocks[i] == NULL) { /* the next request is granted */
            ck_assert_uint_eq(asked.last_refused, (size_t)2 * PAGE_BYTES);
            failed++;
            check_heap(&heap);
            blocks[i] = take();
        }
    }
    ck_assert_uint_gt(failed, 0);
    ck_assert_uint_gt(asked.refused, failed); /* the others were met by half */
    check_heap(&heap);
    for (size_t i = 0; i < count; i++) {
        give(blocks[i]);
    }
    check_heap(&heap);
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(source.live, 0);
    close_case(&heap);
}
END_TEST

/*
 * A source whose blocks lie badly for a slab: 16 bytes before a multiple of the page, where the
 * least chunk holds one page to the byte; every second 8 bytes before, aligned worse than malloc's,
 * where it holds none. In front of each is the address that was malloc'ed.
 */
static size_t badly_placed;

static void *place_badly(size_t size)
{
    if (size > (size_t)2 * PAGE_BYTES) {
        return NULL;
    }
    void *block = source_allocate(size + (size_t)2 * PAGE_BYTES);
    require(block != NULL);
    uintptr_t multiple = ((uintptr_t)block + PAGE_BYTES + 31) & ~(uintptr_t)(PAGE_BYTES - 1);
    void **placed = (void **)(multiple - (badly_placed++ % 2 == 0 ? 16 : 8));
    placed[-1] = block;
    return placed;
}

static void release_badly_placed(void *block)
{
    source_release(((void **)block)[-1]);
}

START_TEST(the_least_chunk_has_a_page_wherever_malloc_puts_it)
{
    static const struct memory_source bad_source = {place_badly, release_badly_placed};
    struct node_allocator_error error;
    badly_placed = 0;
    require(node_heap_open(&heap, "slab", &bad_source, &error));
    for (size_t i = 0; i < 5000; i++) {
        blocks[i] = take();
    }
    check_heap(&heap);
    const size_t pages = pages_for(5000);
    ck_assert_uint_ge(source.live, pages);
    ck_assert_uint_le(source.live, 2 * pages);
    ck_assert_uint_eq(held_bytes(), source.live * 2 * PAGE_BYTES);
    give_chain(5000);
    close_case(&heap);
}
END_TEST

/* True if that number of bytes can be mapped; they are not used. */
static bool can_map(size_t bytes)
{
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapped != MAP_FAILED && munmap(mapped, bytes) == 0;
}

static struct rlimit unlimited; /* what the process may map, before limit_mappings */

/* From now on, at most that many bytes of address space more. False: nothing holds the limit. */
static bool limit_mappings(size_t bytes)
{
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    bool known = statm != NULL && fscanf(statm, "%lu", &pages) == 1;
    if (statm != NULL) {
        fclose(statm);
    }
    const size_t most = pages * (size_t)sysconf(_SC_PAGESIZE) + bytes;
    const struct rlimit limit = {.rlim_cur = most, .rlim_max = unlimited.rlim_max};
    return known && !blocks_are_watched() && setrlimit(RLIMIT_AS, &limit) == 0 &&
           !can_map(2 * bytes);
}

START_TEST(a_mapped_chunk_is_halved_too_down_to_a_huge_page)
{
    const size_t huge_page = (size_t)2 << 20;
    require(getrlimit(RLIMIT_AS, &unlimited) == 0);
    open_slab("slab:pages=huge,chunk=1G");
    bool is_mapped = strstr(statistics_now().note, "switched off") == NULL;
    /* a mapping takes a huge page more, which is given back when it is aligned */
    if (is_mapped && limit_mappings(9 * huge_page + huge_page / 2)) {
        blocks[0] = take();
        ck_assert_uint_eq(held_bytes(), 8 * huge_page);
        ck_assert_ptr_nonnull(strstr(statistics_now().note, "were refused"));
        give(blocks[0]);
        node_allocator_trim(heap.allocator);
        ck_assert_uint_eq(held_bytes(), 0);
        require(limit_mappings(huge_page + huge_page / 2));
        require(node_allocator_allocate(heap.allocator, NODE_BYTES) == NULL);
        ck_assert_uint_eq(held_bytes(), 0);
        check_heap(&heap);
    }
    require(setrlimit(RLIMIT_AS, &unlimited) == 0);
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
        a_short_list_is_deleted_as_fast_after_many_pages_were_used,
        memory_is_bounded_for_any_pattern_of_releases,
        half_empty_pages_serve_again_before_they_are_many,
        trim_gives_back_the_chunks_without_a_live_block,
        chunks_are_added_after_a_trim,
        huge_pages_are_mapped_or_a_note_says_why_not,
        a_source_without_room_for_one_page_is_a_failure_that_changes_nothing,
        with_every_second_request_refused_a_slab_fails_only_at_the_least_chunk,
        the_least_chunk_has_a_page_wherever_malloc_puts_it,
        a_mapped_chunk_is_halved_too_down_to_a_huge_page,
        NULL};
    const TTest *const for_each_limit[] = {
        a_refused_chunk_is_halved_and_the_size_that_worked_is_kept, NULL};
    const struct suite_case cases[] = {
        {tests, source_reset, NULL, 0, 0},
        {for_each_limit, source_reset, NULL, 0, (int)COUNT_OF(halved)}};
    return suite_run_cases("slab", COUNT_OF(cases), cases);
}
