/*
 * test_slab_large.c - the allocator "slab" once it holds 256 MiB: larger chunks, in huge pages.
 *
 * To hold that much costs little time: a large block, which comes straight from the source and is
 * never touched, counts as well.
 */
#include "base/macros.h"
#include "tests/support/contract_cases.h"
#include "tests/support/slab_fixture.h"
#include "tests/support/suite.h"
#include <stdio.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 16384, NODE_BYTES = 512, NODES = 620000 }; /* as many as fill 288 MiB */

#define MIB        ((size_t)1 << 20)
#define LARGE_SLAB (256 * MIB) /* from there on chunks are larger */

static void *nodes[NODES];

static void *take(size_t size)
{
    void *block = node_allocator_allocate(heap.allocator, size);
    require(block != NULL);
    return block;
}

/* Release the nodes of these numbers, without the last. */
static void give(size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        node_allocator_release(heap.allocator, nodes[i], NODE_BYTES);
    }
}

/* Add nodes to the ones taken until the source is asked again. Their new number. */
static size_t take_until_asked(size_t taken)
{
    const size_t requests = asked.requests;
    while (asked.requests == requests) {
        require(taken < NODES);
        nodes[taken++] = take(NODE_BYTES);
    }
    return taken;
}

/* 1 if an address lies in memory that was advised to be in huge pages, 0 if not, -1: unknown. */
static int is_advised(const void *address)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    bool within = false;
    int found = -1;
    while (maps != NULL && found < 0 && fgets(line, sizeof(line), maps) != NULL) {
        char *end = NULL;
        const unsigned long start = strtoul(line, &end, 16);
        if (*end == '-') {
            within = (uintptr_t)address >= start && (uintptr_t)address < strtoul(end + 1, NULL, 16);
        } else if (within && strncmp(line, "VmFlags:", 8) == 0) {
            found = strstr(line, " hg") != NULL;
        }
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return found;
}

/* False if this system cannot be asked for huge pages, or does not say where it was. */
static bool can_advise(void)
{
    void *mapped = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(mapped != MAP_FAILED);
    const bool can = madvise(mapped, 4 * MIB, MADV_HUGEPAGE) == 0 && is_advised(mapped) == 1;
    require(munmap(mapped, 4 * MIB) == 0);
    return can;
}

START_TEST(a_slab_asks_for_larger_chunks_when_it_has_grown_and_for_small_ones_before)
{
    open_slab("slab");
    size_t taken = 0;
    for (uint64_t held = 0; held <= LARGE_SLAB; held += asked.last) {
        taken = take_until_asked(taken);
        ck_assert_uint_eq(asked.last, held < LARGE_SLAB ? 2 * MIB : 32 * MIB);
        ck_assert_uint_eq(held_bytes(), held + asked.last);
        /* the bound: the pages in use, one page per chunk for alignment, and one chunk */
        const uint64_t pages = taken / (PAGE_BYTES / (NODE_BYTES + block_gap()) - 1) + 1;
        ck_assert_uint_le(held_bytes(), (pages + source.live) * PAGE_BYTES + asked.last);
    }
    void *large = take(LARGE_SLAB);
    taken = take_until_asked(taken);
    ck_assert_uint_eq(asked.last, 64 * MIB);
    check_heap(&heap);
    node_allocator_release(heap.allocator, large, LARGE_SLAB);
    give(1, taken);
    node_allocator_trim(heap.allocator);
    ck_assert_uint_le(source.live, 2); /* the live block's, and the current page's */
    give(0, 1);
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(source.live, 0);
    take_until_asked(0);
    ck_assert_uint_eq(asked.last, 2 * MIB); /* small again */
    give(0, 1);
    close_case(&heap);
}
END_TEST

/* What a slab that holds 256 MiB takes next, and whether it asks for huge pages in it. */
static const struct {
    const char *specification;
    size_t chunk_bytes;
    bool advised;
} told[] = {
    {"slab", 32 * MIB, true},
    {"slab:pages=auto", 32 * MIB, true},
    {"slab:pages=normal", 32 * MIB, false},
    {"slab:pages=huge", 32 * MIB, true},
    {"slab:chunk=2M", 2 * MIB, false}, /* holds no whole huge page */
    {"slab:chunk=100000", 100000, false},
    {"slab:chunk=128M", 128 * MIB, true},
    {"slab:chunk=128M,pages=normal", 128 * MIB, false},
};

START_TEST(options_that_are_given_are_obeyed_by_a_large_slab_too)
{
    open_slab(told[_i].specification);
    const bool is_off = strstr(statistics_now().note, "normal pages used") != NULL;
    void *large = take(LARGE_SLAB);
    size_t taken = 0;
    nodes[taken++] = take(NODE_BYTES);
    ck_assert_uint_eq(held_bytes(), LARGE_SLAB + told[_i].chunk_bytes);
    while (taken < 5 * MIB / 2 / NODE_BYTES) { /* the first huge page begins within 2 MiB */
        nodes[taken++] = take(NODE_BYTES);
    }
    if (can_advise() && !is_off) {
        ck_assert_int_eq(is_advised(nodes[taken - 1]), told[_i].advised);
    }
    node_allocator_release(heap.allocator, large, LARGE_SLAB);
    give(0, taken);
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(held_bytes(), 0);
    close_case(&heap);
}
END_TEST

START_TEST(a_larger_chunk_that_is_refused_is_halved_and_the_note_says_so)
{
    open_slab("slab");
    void *large = take(LARGE_SLAB);
    asked.limit = 8 * MIB;
    nodes[0] = take(NODE_BYTES);
    ck_assert_uint_eq(asked.refused, 2);
    ck_assert_uint_eq(held_bytes(), LARGE_SLAB + 8 * MIB);
    ck_assert_str_eq(statistics_now().note,
                     "chunks of 8388608 bytes: larger ones, of up to 33554432, were refused");
    node_allocator_release(heap.allocator, large, LARGE_SLAB);
    give(0, 1);
    node_allocator_trim(heap.allocator);
    nodes[0] = take(NODE_BYTES);
    ck_assert_uint_eq(held_bytes(), 2 * MIB); /* the usual chunk was never refused */
    asked.limit = SIZE_MAX;
    large = take(LARGE_SLAB);
    asked.limit = 4 * MIB;
    const size_t taken = take_until_asked(1);
    ck_assert_str_eq(statistics_now().note,
                     "chunks of 4194304 bytes: larger ones, of up to 33554432, were refused");
    node_allocator_release(heap.allocator, large, LARGE_SLAB);
    give(0, taken);
    close_case(&heap);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_slab_asks_for_larger_chunks_when_it_has_grown_and_for_small_ones_before,
        a_larger_chunk_that_is_refused_is_halved_and_the_note_says_so, NULL};
    const TTest *const for_each_option[] = {options_that_are_given_are_obeyed_by_a_large_slab_too,
                                            NULL};
    const struct suite_case cases[] = {
        {tests, source_reset, NULL, 0, 0},
        {for_each_option, source_reset, NULL, 0, (int)COUNT_OF(told)}};
    return suite_run_cases("slab_large", COUNT_OF(cases), cases);
}
