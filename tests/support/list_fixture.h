/*
 * list_fixture.h - the allocators for the suites of the list and the queue, counted.
 */
#pragma once

#include "alloc/block_marks.h"
#include "base/macros.h"
#include "counted_source.h"
#include "liblist/linked_list_more.h"
#include <check.h>

static const char *const list_allocators[] = {
    "malloc", "pool", "pool:order=fifo", "slab", "slab:chunk=64K", "count(slab)",
};

enum { LIST_ALLOCATOR_COUNT = COUNT_OF(list_allocators) };

static int list_allocator; /* index of the one in use */

/* Before each test: counted functions registered, and nothing alive. */
static inline void list_start(void)
{
    ck_assert(linked_list_register_malloc(source_allocate));
    ck_assert(linked_list_register_free(source_release));
    ck_assert(linked_list_set_allocator("malloc"));
    ck_assert_uint_eq(source.live, 0);
    source_reset();
}

static inline void list_choose(int index)
{
    list_allocator = index;
    ck_assert(linked_list_set_allocator(list_allocators[index]));
    ck_assert_str_eq(linked_list_allocator(), list_allocators[index]);
}

/* After each test: check that the cleanup frees everything. */
static inline void list_end(void)
{
    ck_assert_uint_eq(linked_list_live_nodes(), 0);
    linked_list_final_cleanup();
    ck_assert_uint_eq(source.live, 0);
}
