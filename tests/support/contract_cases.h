/*
 * contract_cases.h - the allocators for the contract suite and the fault suite.
 *
 * 1. Every allocator of the registry, under its bare name, or by its row in the table below.
 * 2. The rows of `more`: options and wrappers that need a separate run.
 */
#pragma once

#include "alloc/block_marks.h"
#include "alloc/node_allocator.h"
#include "base/macros.h"
#include "counted_source.h"
#include "require.h"
#include "thread_sanitizer.h"
#include <assert.h>
#include <check.h>
#include <string.h>

struct contract_case {
    const char *name;          /* in the registry; NULL in a row of `more` */
    const char *specification; /* to open it with; NULL: it is in neither suite */
    const char *reason;        /* why it is not opened by its name alone */
};

/* Allocators of the registry that need another specification than their name. */
static const struct contract_case special[] = {
    {"fault", "fault(malloc,at=18446744073709551615)", "by default its first request fails"},
    {"first-fit", "first-fit:heap=16M", "a small region is enough"},
    {"first-fit32", "first-fit32:heap=16M", "a small region is enough"},
    {"bump", "bump:heap=16M,touch=no", "a small region is enough"},
    {"quick-fit", "quick-fit:heap=16M", "a small region is enough"},
    {"record", "record(first-fit,heap=16M)", "a small region is enough"},
    {"null", NULL, "gives nothing"},
    {"replay", NULL, "needs a script; test_record_replay.c"},
    {"plugin", NULL, "needs a file; test_foreign_allocators.c, test_check.sh"},
};

static const struct contract_case more[] = {
    {.specification = "pool:order=fifo"},
    {.specification = "slab:chunk=64K"},
    {.specification = "slab:chunk=100000"},
    {.specification = "slab:pages=huge"},
    {.specification = "first-fit32:heap=16M,as-published=yes"},
    {.specification = "block:heap=64M,small=no"},
    {.specification = "block:places=yes"},
    {.specification = "no-free(slab)"},
    {.specification = "no-free(first-fit,heap=16M)"},
    {.specification = "quick-fit(malloc)"},
    {.specification = "record(quick-fit,heap=16M)"},
    {.specification = "count(slab)"},
    {.specification = "count(pool)"},
    {.specification = "fault(pool:order=fifo,at=18446744073709551615)"},
    {.specification = "count(fault(slab:chunk=64K,at=18446744073709551615))"},
};

#define CONTRACT_CASES_MAX 64
static struct contract_case contract_cases[CONTRACT_CASES_MAX];
static int contract_case_count;

static inline void contract_add(const struct contract_case *added)
{
    assert(contract_case_count < CONTRACT_CASES_MAX);
    if (added->specification != NULL) {
        contract_cases[contract_case_count++] = *added;
    }
}

/* True if allocators that are not installed everywhere can be tried here. A checker works only with
 * its own malloc. */
static inline bool contract_is_there(const struct node_allocator_type *type,
                                     const char *specification)
{
    static struct node_heap heap;
    struct node_allocator_error error;
    if (specification == NULL || !(type->flags & NODE_ALLOCATOR_MAY_BE_MISSING)) {
        return true;
    }
    bool is_there =
        (!blocks_are_watched() || strcmp(type->name, "lib") == 0) && !THREADS_ARE_WATCHED;
    is_there = is_there && node_heap_open(&heap, specification, &counted_source, &error);
    if (is_there) {
        node_heap_close(&heap);
    }
    return is_there;
}

/* Fill contract_cases; call it before the suite is built. */
static inline void contract_collect(void)
{
    for (const struct node_allocator_type *const *type = node_allocator_types(); *type; type++) {
        struct contract_case added = {.name = (*type)->name, .specification = (*type)->name};
        for (size_t i = 0; i < COUNT_OF(special); i++) {
            if (strcmp(special[i].name, (*type)->name) == 0) {
                added = special[i];
            }
        }
        if (contract_is_there(*type, added.specification)) {
            contract_add(&added);
        }
    }
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        contract_add(&more[i]);
    }
}

static inline void open_case(struct node_heap *heap, int index)
{
    struct node_allocator_error error;
    bool opened =
        node_heap_open(heap, contract_cases[index].specification, &counted_source, &error);
    if (!opened) {
        ck_abort_msg("%s: %s", contract_cases[index].specification, error.message);
    }
}

/* Close a heap without live blocks: nothing must be left. */
static inline void close_case(struct node_heap *heap)
{
    node_heap_close(heap);
    require(heap->allocator == NULL);
    require(source.live == 0);
}

static inline void check_heap(const struct node_heap *heap)
{
    char message[200] = "";
    bool sound = node_allocator_check(heap->allocator, message, sizeof(message));
    if (!sound) {
        ck_abort_msg("%s: %s", heap->specification, message);
    }
}
