/*
 * block.c - the allocator "block": a heap of 32 MiB in blocks of 4 KiB, as in the system published.
 *
 * 1. A bit map outside the heap says which blocks are taken. A page of 64 blocks is one word of it,
 *    so one check skips a full page. A request takes the first run that is long enough.
 * 2. Each request has a header of 8 bytes before it; the heap starts 8 bytes past a multiple of 16,
 *    so that the bytes after the header are aligned.
 * 3. small=yes: requests of up to 512 bytes come from nested heaps: blocks cut into slots of one
 *    size, their state outside the heap. A 16-byte node takes 16.1 bytes instead of 4,096.
 * 4. places=yes: records the caller of each live block, for the report.
 * Cost: linear in the pages for a run; constant for a slot. small=no is as published.
 * Source: Laska, "Ready, Set, Allocate! Part 6". One file: an allocator is one.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/refuse.h"
#include "alloc/size_class.h"
#include "place_table.h"
#include "region.h"
#include <stdio.h>
#include <string.h>

#define BLOCK_BYTES  ((size_t)4096)
#define HEADER_BYTES ((size_t)8)
#define PAGE_BLOCKS  ((size_t)64)
#define NO_BLOCK     UINT32_MAX
#define NO_SLOT      UINT16_MAX

enum { OPTION_HEAP, OPTION_SMALL, OPTION_PLACES };
enum { YES, NO };

/* The state of a block that is a nested heap; slots are numbered from the start of the block. */
struct nested {
    uint32_t next, previous; /* in the list of nested heaps with a free slot */
    uint16_t free_slot;      /* head of the list of released slots; NO_SLOT: empty */
    uint16_t carved;         /* slots given out at least once; the later ones are free */
    uint16_t live;
    uint8_t class_index;
    bool in_use; /* the block is a nested heap */
};

struct block_heap {
    struct node_allocator base;
    struct region region;
    size_t block_count;
    size_t page_count;
    uint64_t *taken;       /* one bit per block; bits after the last block are set */
    struct nested *nested; /* one per block; NULL with small=no */
    size_t first_open;     /* all earlier pages are full */
    size_t high_block;     /* one past the highest block ever taken */
    bool places, watched;
    uint64_t live;
    uint32_t partial[SIZE_CLASS_COUNT]; /* nested heaps with a free slot */
    struct place_table table;
    uint64_t requests;
    PW_DEBUG_ONLY(uint64_t steps;)
};

static const struct node_option options[] = {
    [OPTION_HEAP] = {"heap", NODE_OPTION_SIZE, "32M", NULL, BLOCK_BYTES, (uint64_t)1 << 42,
                     "bytes of the region"},
    [OPTION_SMALL] = {"small", NODE_OPTION_CHOICE, "yes", "yes|no", 0, 0,
                      "small requests from nested heaps, not a block each"},
    [OPTION_PLACES] = {"places", NODE_OPTION_CHOICE, "no", "yes|no", 0, 0,
                       "keep where each live block was asked for"},
    {.name = NULL},
};

static struct block_heap *heap_of(const struct node_allocator *self)
{
    return (struct block_heap *)(uintptr_t)self;
}

static bool block_create(struct node_allocator *self, const struct node_option_value *values,
                         struct node_allocator_error *error)
{
    struct block_heap *heap = heap_of(self);
    heap->block_count = (size_t)(values[OPTION_HEAP].number / BLOCK_BYTES);
    heap->page_count = (heap->block_count + PAGE_BLOCKS - 1) / PAGE_BLOCKS;
    heap->watched = blocks_are_watched();
    heap->places = values[OPTION_PLACES].number == YES;
    memset(heap->partial, 0xFF, sizeof(heap->partial));
    size_t map_bytes = heap->page_count * sizeof(*heap->taken);
    bool small = values[OPTION_SMALL].number == YES;
    size_t nested_bytes = small ? heap->block_count * sizeof(struct nested) : 0;
    if (heap->block_count <= SIZE_MAX / BLOCK_BYTES) { /* else no machine of 32 bits has the heap */
        heap->taken = self->source->allocate(map_bytes + nested_bytes);
    }
    if (heap->taken == NULL) {
        return refuse(error, "block: out of memory for the bit map");
    }
    memset(heap->taken, 0, map_bytes + nested_bytes);
    if (small) {
        heap->nested = (struct nested *)(void *)(heap->taken + heap->page_count);
    }
    if (heap->block_count % PAGE_BLOCKS != 0) {
        heap->taken[heap->page_count - 1] = UINT64_MAX << heap->block_count % PAGE_BLOCKS;
    }
    if (!region_open(self, heap->block_count * BLOCK_BYTES, HEADER_BYTES, false, error)) {
        self->source->release(heap->taken);
        return false;
    }
    return true;
}

/* Runs of blocks ------------------------------------------------------------------------------- */

static bool block_is_taken(const struct block_heap *heap, size_t block)
{
    return heap->taken[block / PAGE_BLOCKS] >> block % PAGE_BLOCKS & 1;
}

static void mark_run(struct block_heap *heap, size_t first, size_t count, bool taken)
{
    pw_assert(count > 0 && first < heap->block_count && count <= heap->block_count - first);
    pw_assert(block_is_taken(heap, first) != taken);
    while (count > 0) {
        size_t bit = first % PAGE_BLOCKS;
        size_t here = PAGE_BLOCKS - bit < count ? PAGE_BLOCKS - bit : count;
        uint64_t mask = (here == PAGE_BLOCKS ? UINT64_MAX : ((uint64_t)1 << here) - 1) << bit;
        if (taken) {
            heap->taken[first / PAGE_BLOCKS] |= mask;
        } else {
            heap->taken[first / PAGE_BLOCKS] &= ~mask;
        }
        first += here;
        count -= here;
    }
}

/* Bit i set: the count bits from i on are all set in free. count: 1 to 64. */
static uint64_t run_starts(uint64_t free_bits, size_t count)
{
    for (size_t have = 1; have < count;) { /* runs of have bits are found */
        size_t more = count - have < have ? count - have : have;
        free_bits &= free_bits >> more;
        have += more;
    }
    return free_bits;
}

/* The first block of the first run of count free blocks, or SIZE_MAX. */
static size_t find_run(struct block_heap *heap, size_t count)
{
    size_t run = 0; /* free blocks right before the current page */
    while (heap->first_open < heap->page_count && heap->taken[heap->first_open] == UINT64_MAX) {
        heap->first_open++;
    }
    for (size_t page = heap->first_open; page < heap->page_count; page++) {
        uint64_t taken = heap->taken[page];
        if (taken == UINT64_MAX) { /* full: skipped with one check */
            run = 0;
            continue;
        }
        if (taken == 0) {
            run += PAGE_BLOCKS;
            if (run >= count) {
                return (page + 1) * PAGE_BLOCKS - run;
            }
            continue;
        }
        if (run + (size_t)__builtin_ctzll(taken) >= count) {
            return page * PAGE_BLOCKS - run;
        }
        uint64_t starts = count <= PAGE_BLOCKS ? run_starts(~taken, count) : 0;
        if (starts != 0) {
            return page * PAGE_BLOCKS + (size_t)__builtin_ctzll(starts);
        }
        run = (size_t)__builtin_clzll(taken);
    }
    return SIZE_MAX;
}

static size_t take_run(struct block_heap *heap, size_t count)
{
    size_t first = find_run(heap, count);
    if (first != SIZE_MAX) {
        mark_run(heap, first, count, true);
        heap->high_block = first + count > heap->high_block ? first + count : heap->high_block;
    }
    return first;
}

static void give_run(struct block_heap *heap, size_t first, size_t count)
{
    mark_run(heap, first, count, false);
    if (first / PAGE_BLOCKS < heap->first_open) {
        heap->first_open = first / PAGE_BLOCKS;
    }
}

static unsigned char *block_start(const struct block_heap *heap, size_t block)
{
    return heap->region.base + block * BLOCK_BYTES;
}

static void *allocate_run(struct block_heap *heap, size_t size)
{
    if (size > heap->region.bytes - HEADER_BYTES) {
        return NULL;
    }
    size_t count = (size + HEADER_BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES;
    size_t first = take_run(heap, count);
    if (first == SIZE_MAX) {
        return NULL;
    }
    unsigned char *start = block_start(heap, first);
    block_mark_live(heap->watched, start, HEADER_BYTES + size);
    memcpy(start, &(uint64_t){count}, HEADER_BYTES);
    return start + HEADER_BYTES;
}

static void release_run(struct block_heap *heap, size_t first)
{
    uint64_t count = 0;
    memcpy(&count, block_start(heap, first), HEADER_BYTES);
    pw_assert(count > 0 && count <= heap->block_count - first);
    block_mark_dead(heap->watched, block_start(heap, first), (size_t)count * BLOCK_BYTES);
    give_run(heap, first, (size_t)count);
}

/* Nested heaps --------------------------------------------------------------------------------- */

static uint16_t nested_capacity(size_t class_index)
{
    return (uint16_t)((BLOCK_BYTES - HEADER_BYTES) / size_class_bytes(class_index));
}

static unsigned char *slot_address(const struct block_heap *heap, uint32_t block, uint16_t slot)
{
    size_t bytes = size_class_bytes(heap->nested[block].class_index);
    return block_start(heap, block) + HEADER_BYTES + slot * bytes;
}

static void partial_add(struct block_heap *heap, uint32_t block)
{
    struct nested *nested = &heap->nested[block];
    uint32_t *head = &heap->partial[nested->class_index];
    nested->previous = NO_BLOCK;
    nested->next = *head;
    if (*head != NO_BLOCK) {
        heap->nested[*head].previous = block;
    }
    *head = block;
}

static void partial_remove(struct block_heap *heap, uint32_t block)
{
    struct nested *nested = &heap->nested[block];
    if (nested->previous != NO_BLOCK) {
        heap->nested[nested->previous].next = nested->next;
    } else {
        heap->partial[nested->class_index] = nested->next;
    }
    if (nested->next != NO_BLOCK) {
        heap->nested[nested->next].previous = nested->previous;
    }
}

/* Give up the empty nested heaps that were kept. Returns true if there was one. */
static bool give_up_empty(struct block_heap *heap)
{
    bool gave = false;
    for (size_t i = 0; heap->nested != NULL && i < SIZE_CLASS_COUNT; i++) {
        uint32_t block = heap->partial[i];
        if (block != NO_BLOCK && heap->nested[block].live == 0) {
            partial_remove(heap, block);
            heap->nested[block].in_use = false;
            give_run(heap, block, 1);
            gave = true;
        }
    }
    return gave;
}

static void *allocate_slot(struct block_heap *heap, size_t size)
{
    size_t class_index = size_class_of(size);
    uint32_t block = heap->partial[class_index];
    if (block == NO_BLOCK) {
        size_t first = take_run(heap, 1);
        if (first == SIZE_MAX) {
            return NULL;
        }
        block = (uint32_t)first;
        heap->nested[block] = (struct nested){
            .free_slot = NO_SLOT, .class_index = (uint8_t)class_index, .in_use = true};
        partial_add(heap, block);
    }
    struct nested *nested = &heap->nested[block];
    const bool reused = nested->free_slot != NO_SLOT;
    unsigned char *given = slot_address(heap, block, reused ? nested->free_slot : nested->carved++);
    if (reused) {
        block_mark_own(heap->watched, given, sizeof(nested->free_slot));
        memcpy(&nested->free_slot, given, sizeof(nested->free_slot));
    }
    if (++nested->live == nested_capacity(class_index)) {
        partial_remove(heap, block);
    }
    block_mark_dead(heap->watched, given, size_class_bytes(class_index));
    block_mark_live(heap->watched, given, size);
    return given;
}

static void release_slot(struct block_heap *heap, uint32_t block, unsigned char *released)
{
    struct nested *nested = &heap->nested[block];
    size_t bytes = size_class_bytes(nested->class_index);
    size_t offset = (size_t)(released - block_start(heap, block)) - HEADER_BYTES;
    pw_assert(nested->live > 0 && offset % bytes == 0 && offset / bytes < nested->carved);
    /* a caller's block may be smaller than the link */
    block_mark_own(heap->watched, released, sizeof(nested->free_slot));
    memcpy(released, &nested->free_slot, sizeof(nested->free_slot));
    nested->free_slot = (uint16_t)(offset / bytes);
    block_mark_dead(heap->watched, released, bytes);
    if (nested->live-- == nested_capacity(nested->class_index)) {
        partial_add(heap, block);
    }
    bool alone = nested->previous == NO_BLOCK && nested->next == NO_BLOCK;
    if (nested->live == 0 && !alone) { /* keep the last one of a size for the next request */
        partial_remove(heap, block);
        nested->in_use = false;
        give_run(heap, block, 1);
    }
}

/* True if the lists hold exactly the nested heaps with a free slot, all in taken blocks. */
static bool nested_is_sound(const struct block_heap *heap)
{
    size_t listed = 0;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        for (uint32_t block = heap->partial[i]; block != NO_BLOCK;
             block = heap->nested[block].next) {
            if (heap->nested[block].class_index != i || ++listed > heap->block_count) {
                return false;
            }
        }
    }
    uint64_t live = 0;
    for (size_t block = 0; block < heap->block_count; block++) {
        const struct nested *nested = &heap->nested[block];
        if (!nested->in_use) {
            continue;
        }
        uint16_t capacity = nested_capacity(nested->class_index);
        if (!block_is_taken(heap, block) || nested->live > nested->carved ||
            nested->carved > capacity) {
            return false;
        }
        listed -= nested->live < capacity;
        live += nested->live;
    }
    return listed == 0 && live <= heap->live;
}

/* True if bit map, nested heaps and counts agree. Linear in the blocks. */
static bool is_sound(const struct block_heap *heap)
{
    bool sound = heap->nested == NULL || nested_is_sound(heap);
    for (size_t page = 0; page < heap->first_open; page++) {
        sound = sound && heap->taken[page] == UINT64_MAX;
    }
    return sound && (!heap->places || heap->table.count == heap->live);
}

#define block_step(heap)                                                                           \
    PW_DEBUG_ONLY(pw_assert(!pw_step_is_due(++(heap)->steps) || is_sound(heap)))

/* Operations ----------------------------------------------------------------------------------- */

static void *block_allocate(struct node_allocator *self, size_t size)
{
    struct block_heap *heap = heap_of(self);
    void *given = NULL;
    if (!heap->places || place_table_reserve(&heap->table, self->source)) {
        bool small = heap->nested != NULL && size <= SIZE_CLASS_MAX;
        do {
            given = small ? allocate_slot(heap, size) : allocate_run(heap, size);
        } while (given == NULL && give_up_empty(heap));
    }
    if (given != NULL) {
        heap->live++;
        heap->requests++;
        if (heap->places) {
            place_here(&place_table_add(&heap->table, given, size, heap->requests)->place);
        }
    }
    block_step(heap);
    return given;
}

static void block_release(struct node_allocator *self, void *released, size_t size)
{
    struct block_heap *heap = heap_of(self);
    (void)size;
    size_t block = (size_t)((unsigned char *)released - heap->region.base) / BLOCK_BYTES;
    pw_assert(heap->live > 0 && block < heap->block_count && block_is_taken(heap, block));
    struct place_entry *entry = heap->places ? place_table_find(&heap->table, released) : NULL;
    if (entry != NULL) {
        place_table_remove(&heap->table, entry);
    }
    heap->live--;
    if (heap->nested != NULL && heap->nested[block].in_use) {
        release_slot(heap, (uint32_t)block, released);
    } else {
        release_run(heap, block);
    }
    block_step(heap);
}

static void block_statistics(const struct node_allocator *self,
                             struct node_allocator_statistics *out)
{
    struct block_heap *heap = heap_of(self);
    out->live_blocks = heap->live;
    out->held_bytes = out->held_bytes_max = out->heap_bytes = heap->region.bytes;
    out->heap_bytes_needed = heap->high_block * BLOCK_BYTES;
}

static bool block_check(const struct node_allocator *self, char *message, size_t message_size)
{
    struct block_heap *heap = heap_of(self);
    bool sound = is_sound(heap);
    if (!sound) {
        snprintf(message, message_size, "block: bit map, nested heaps and counts disagree");
    }
    return sound;
}

static void block_report(const struct node_allocator *self, const struct node_report *to)
{
    struct block_heap *heap = heap_of(self);
    place_table_report(&heap->table, to);
}

static double block_bytes_per_block(const struct node_allocator *self, size_t size)
{
    const struct block_heap *heap = heap_of(self);
    if (heap->nested != NULL && size <= SIZE_CLASS_MAX) {
        return (double)BLOCK_BYTES / nested_capacity(size_class_of(size));
    }
    size_t blocks = (size + HEADER_BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES;
    return (double)(blocks * BLOCK_BYTES);
}

static bool block_region(const struct node_allocator *self, void **base, size_t *bytes)
{
    const struct block_heap *heap = heap_of(self);
    *base = heap->region.base + HEADER_BYTES; /* aligned to 16 */
    *bytes = heap->region.bytes - HEADER_BYTES;
    return true;
}

static void block_destroy(struct node_allocator *self)
{
    struct block_heap *heap = heap_of(self);
    region_close(self);
    self->source->release(heap->taken);
    place_table_close(&heap->table, self->source);
}

const struct node_allocator_type block_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "block",
    .summary = "32 MiB in blocks of 4 KiB and a bit map, small sizes in nested heaps",
    .flags = NODE_ALLOCATOR_ASKS_RARELY,
    .instance_bytes = sizeof(struct block_heap),
    .options = options,
    .bytes_per_block = block_bytes_per_block,
    .create = block_create,
    .allocate = block_allocate,
    .release = block_release,
    .statistics = block_statistics,
    .check = block_check,
    .destroy = block_destroy,
    .region = block_region,
    .report = block_report,
};
