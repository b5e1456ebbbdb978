/*
 * contract_cases.h - which allocators the contract suite and the fault suite run over.
 *
 * 1. Every allocator of the registry, under its bare name, or as a row of the table below says.
 * 2. The rows of `more`: options and wrappers that deserve a run of their own.
 * An allocator that cannot keep a promise by its nature has a row with the flags that exempt it and
 * the reason. An allocator without a row has no excuse.
 */
#pragma once

#include "alloc/block_marks.h"
#include "alloc/node_allocator.h"
#include "base/macros.h"
#include "counted_source.h"
#include "require.h"
#include <assert.h>
#include <check.h>
#include <string.h>

enum contract_flags {
    CONTRACT_SKIPPED = 1,      /* is in neither suite */
    CONTRACT_KEEPS_ARENA = 2,  /* one arena from open to close: trim need not give it back */
    CONTRACT_REUSES_LATER = 4, /* released blocks are held for a while */
};

struct contract_case {
    const char *name;          /* in the registry; NULL in a row of `more` */
    const char *specification; /* to open it with */
    unsigned flags;            /* enum contract_flags */
    size_t size_max;           /* larger blocks are not asked of it; 0: no limit */
    const char *reason;        /* for the flags and the limit */
};

/* Allocators of the registry that need another specification than their name, or an exemption. */
static const struct contract_case special[] = {
    {"fault", "fault(malloc,at=18446744073709551615)", 0, 0, "by default its first request fails"},
    {"first-fit", "first-fit:heap=16M", CONTRACT_KEEPS_ARENA, 0, "lives in one region"},
    {"first-fit32", "first-fit32:heap=16M", CONTRACT_KEEPS_ARENA, 0, "lives in one region"},
    {"block", "block", CONTRACT_KEEPS_ARENA, 0, "lives in one region"},
    {"bump", "bump:heap=16M,touch=no", CONTRACT_KEEPS_ARENA, 0, "lives in one region"},
    {"record", "record(first-fit,heap=16M)", CONTRACT_KEEPS_ARENA, 0, "lives in one region"},
    {"debug", "debug", CONTRACT_REUSES_LATER, 0, "holds released blocks to see who writes to them"},
    {"null", "null", CONTRACT_SKIPPED, 0, "gives nothing"},
    {"replay", "replay", CONTRACT_SKIPPED, 0, "needs a script; test_record_replay.c"},
    {"plugin", "plugin", CONTRACT_SKIPPED, 0, "needs a file; test_foreign_allocators.c"},
};

static const struct contract_case more[] = {
    {.specification = "pool:order=fifo"},
    {.specification = "pool:order=address"},
    {.specification = "slab:chunk=64K"},
    {.specification = "slab:chunk=100000"},
    {.specification = "slab:pages=huge"},
    {.specification = "block:heap=64M,small=no,lock=no", .flags = CONTRACT_KEEPS_ARENA},
    {.specification = "block:places=yes", .flags = CONTRACT_KEEPS_ARENA},
    {.specification = "debug(slab)", .flags = CONTRACT_REUSES_LATER},
    {.specification = "debug(first-fit,heap=16M)",
     .flags = CONTRACT_KEEPS_ARENA | CONTRACT_REUSES_LATER},
    {.specification = "no-free(slab)"},
    {.specification = "no-free(first-fit,heap=16M)", .flags = CONTRACT_KEEPS_ARENA},
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
    if (!(added->flags & CONTRACT_SKIPPED)) {
        contract_cases[contract_case_count++] = *added;
    }
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
        contract_add(&added);
    }
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        contract_add(&more[i]);
    }
}

/* A number of steps, fewer where every memory access is watched. */
static inline size_t steps(size_t native)
{
    return blocks_are_watched() ? native / 8 : native;
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

/* Close a heap none of whose blocks is alive: nothing is left. */
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

/* Blocks with known content ---------------------------------------------------------------------*/

struct block {
    unsigned char *bytes;
    size_t size;
    unsigned char pattern;
};

static inline void block_fill(struct block *block, size_t size, unsigned char pattern)
{
    require(block->bytes != NULL);
    require((uintptr_t)block->bytes % 16 == 0);
    block->size = size;
    block->pattern = pattern;
    memset(block->bytes, pattern, size);
}

static inline void block_verify(const struct block *block)
{
    bool same = block->bytes[0] == block->pattern &&
                memcmp(block->bytes, block->bytes + 1, block->size - 1) == 0;
    if (!same) {
        ck_abort_msg("a block of %zu bytes has changed", block->size);
    }
}

static inline void block_release(struct node_heap *heap, struct block *block)
{
    block_verify(block);
    node_allocator_release(heap->allocator, block->bytes, block->size);
    block->bytes = NULL;
}

/* A chain of count blocks, as release_chain takes it; count is at least 1. */
static inline void *chain_take(struct node_heap *heap, size_t count, size_t size, void **tail)
{
    void *head = NULL;
    *tail = NULL;
    for (size_t i = 0; i < count; i++) {
        void *block = node_allocator_allocate(heap->allocator, size);
        require(block != NULL);
        *(void **)block = (void *)16; /* what the tail points to is not looked at */
        if (head == NULL) {
            head = block;
        } else {
            *(void **)*tail = block;
        }
        *tail = block;
    }
    return head;
}
