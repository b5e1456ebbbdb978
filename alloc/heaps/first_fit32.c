/*
 * first_fit32.c - the allocator "first-fit32": a first-fit heap in 32-bit words, as published.
 *
 * 1. The heap is an array of words. Blocks follow each other; each begins with three: the previous
 *    block, the next, and 0xffffffff when allocated. The first four words are a sentinel.
 * 2. A free block has its place in a circular list through the sentinel instead of the marker: its
 *    successor in word 2, its predecessor in word 3.
 * 3. A request takes the first block on the list that is large enough, and of that the top end,
 *    unless less than six words would be left.
 * 4. A released block is merged with a free predecessor, else put first on the list; then it is
 *    merged with a free successor.
 * Cost: linear in the free list to take, constant to give; 12 bytes a block. align=4 is the
 * published layout to the byte; the default keeps blocks at 16.
 * Source: PathEngine, "Measure Memory Allocation Cost, by Eliminating It".
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/region.h"
#include <stdio.h>

#define HEADER_WORDS  3
#define MINIMUM_WORDS 6 /* what is worth being a free block of its own */
#define ALLOCATED     UINT32_MAX
#define SENTINEL      0

enum { OPTION_HEAP, OPTION_ALIGN, OPTION_TOUCH };
enum { TOUCH_YES, TOUCH_NO };

/* Members of a block, in words from its start. */
enum { PREVIOUS, NEXT, FREE_NEXT, FREE_PREVIOUS };

struct first_fit32 {
    struct node_allocator base;
    struct region region;
    uint32_t *words;
    uint32_t end;         /* words of the heap: where the last block ends */
    uint32_t first;       /* the first block */
    uint32_t align_words; /* all blocks are multiples of this */
    uint32_t lowest;      /* lowest block ever given out */
    bool watched;
    uint64_t live;
};

static const struct node_option options[] = {
    [OPTION_HEAP] = {.name = "heap",
                     .kind = NODE_OPTION_SIZE,
                     .default_value = "256M",
                     .min = 256,
                     .max = ((uint64_t)UINT32_MAX - 16) * 4,
                     .help = "bytes of the region"},
    [OPTION_ALIGN] = {.name = "align",
                      .kind = NODE_OPTION_CHOICE,
                      .default_value = "16",
                      .choices = "4|8|16",
                      .help = "alignment of the blocks; 4 is as published, and too little for C"},
    [OPTION_TOUCH] = {.name = "touch",
                      .kind = NODE_OPTION_CHOICE,
                      .default_value = "no",
                      .choices = "yes|no",
                      .help = "write to every page beforehand"},
    {.name = NULL},
};

/* The list word of a free block lies where a caller's bytes were, out of bounds for a checker. */
static uint32_t free_previous(const struct first_fit32 *heap, uint32_t block)
{
    uint32_t *word = &heap->words[block + FREE_PREVIOUS];
    if (!heap->watched || block == SENTINEL) {
        return *word;
    }
    block_mark_own(word, sizeof(*word));
    uint32_t value = *word;
    block_mark_dead(word, sizeof(*word));
    return value;
}

static void set_free_previous(struct first_fit32 *heap, uint32_t block, uint32_t value)
{
    uint32_t *word = &heap->words[block + FREE_PREVIOUS];
    if (!heap->watched || block == SENTINEL) {
        *word = value;
        return;
    }
    block_mark_own(word, sizeof(*word));
    *word = value;
    block_mark_dead(word, sizeof(*word));
}

static bool is_free(const struct first_fit32 *heap, uint32_t block)
{
    return heap->words[block + FREE_NEXT] != ALLOCATED;
}

static void free_list_push(struct first_fit32 *heap, uint32_t block)
{
    uint32_t first = heap->words[SENTINEL + FREE_NEXT];
    heap->words[block + FREE_NEXT] = first;
    set_free_previous(heap, block, SENTINEL);
    set_free_previous(heap, first, block);
    heap->words[SENTINEL + FREE_NEXT] = block;
}

static void free_list_remove(struct first_fit32 *heap, uint32_t block)
{
    uint32_t next = heap->words[block + FREE_NEXT];
    uint32_t previous = free_previous(heap, block);
    heap->words[previous + FREE_NEXT] = next;
    set_free_previous(heap, next, previous);
}

/* The block behind one, or SENTINEL: what the previous word of what follows belongs to. */
static void set_next(struct first_fit32 *heap, uint32_t block, uint32_t next)
{
    heap->words[block + NEXT] = next;
    if (next != heap->end) {
        heap->words[next + PREVIOUS] = block;
    }
}

static bool first_fit32_create(struct node_allocator *self, const struct node_option_value *values,
                               struct node_allocator_error *error)
{
    struct first_fit32 *heap = (struct first_fit32 *)self;
    if (!region_open(&heap->region, self, (size_t)values[OPTION_HEAP].number, 0,
                     values[OPTION_TOUCH].number == TOUCH_YES, error)) {
        return false;
    }
    heap->align_words = (uint32_t)1 << values[OPTION_ALIGN].number;
    heap->watched = blocks_are_watched() && heap->align_words == 4;
    heap->words = (uint32_t *)(void *)heap->region.base;
    /* Blocks start where the word behind their header is aligned. */
    uint32_t mask = heap->align_words - 1;
    heap->first = 4;
    while (((heap->first + HEADER_WORDS) & mask) != 0) {
        heap->first++;
    }
    heap->end = (uint32_t)(heap->region.bytes / sizeof(uint32_t));
    while (((heap->end + HEADER_WORDS) & mask) != 0) {
        heap->end--;
    }
    heap->lowest = heap->end;
    for (uint32_t i = 0; i < 4; i++) {
        heap->words[SENTINEL + i] = SENTINEL;
    }
    heap->words[heap->first + PREVIOUS] = SENTINEL;
    set_next(heap, heap->first, heap->end);
    free_list_push(heap, heap->first);
    return true;
}

/* Words of a block that serves size bytes; 0 when no heap could. */
static uint32_t block_words(const struct first_fit32 *heap, size_t size)
{
    if (size > heap->region.bytes) {
        return 0;
    }
    size_t gap = heap->watched ? block_gap() : 0;
    uint64_t words = (size + gap + 3) / 4 + HEADER_WORDS;
    if (words < HEADER_WORDS + 1) {
        words = HEADER_WORDS + 1;
    }
    uint64_t mask = heap->align_words - 1;
    words = (words + mask) & ~mask;
    return words <= heap->end ? (uint32_t)words : 0;
}

static void *first_fit32_allocate(struct node_allocator *self, size_t size)
{
    struct first_fit32 *heap = (struct first_fit32 *)self;
    uint32_t *words = heap->words;
    uint32_t wanted = block_words(heap, size);
    if (wanted == 0) {
        return NULL;
    }
    uint32_t found = words[SENTINEL + FREE_NEXT];
    while (found != SENTINEL && words[found + NEXT] - found < wanted) {
        found = words[found + FREE_NEXT];
    }
    if (found == SENTINEL) {
        return NULL;
    }
    uint32_t next = words[found + NEXT];
    uint32_t block = found;
    if (next - found - wanted >= MINIMUM_WORDS) {
        block = next - wanted;
        if (heap->watched) { /* the header lies where a released block was */
            block_mark_live(&words[block], HEADER_WORDS * sizeof(*words));
        }
        set_next(heap, found, block);
        words[block + PREVIOUS] = found;
        set_next(heap, block, next);
    } else {
        free_list_remove(heap, found);
    }
    words[block + FREE_NEXT] = ALLOCATED;
    heap->lowest = block < heap->lowest ? block : heap->lowest;
    heap->live++;
    void *given = &words[block + HEADER_WORDS];
    if (heap->watched) {
        block_mark_live(given, size);
    }
    return given;
}

static void first_fit32_release(struct node_allocator *self, void *released, size_t size)
{
    struct first_fit32 *heap = (struct first_fit32 *)self;
    uint32_t *words = heap->words;
    uint32_t block = (uint32_t)((uint32_t *)released - words) - HEADER_WORDS;
    (void)size;
    heap->live--;
    if (heap->watched) {
        block_mark_dead(released, (words[block + NEXT] - block - HEADER_WORDS) * sizeof(*words));
    }
    uint32_t previous = words[block + PREVIOUS];
    if (previous != SENTINEL && is_free(heap, previous)) {
        set_next(heap, previous, words[block + NEXT]);
        block = previous;
    } else {
        free_list_push(heap, block);
    }
    uint32_t next = words[block + NEXT];
    if (next != heap->end && is_free(heap, next)) {
        free_list_remove(heap, next);
        set_next(heap, block, words[next + NEXT]);
    }
}

static void first_fit32_statistics(const struct node_allocator *self,
                                   struct node_allocator_statistics *out)
{
    const struct first_fit32 *heap = (const struct first_fit32 *)self;
    out->live_blocks = heap->live;
    out->held_bytes = out->held_bytes_max = out->heap_bytes = heap->region.bytes;
    out->heap_bytes_needed = (uint64_t)(heap->end - heap->lowest) * 4 + 64;
}

/* Whether blocks and free list say the same. Linear in the blocks. */
static bool first_fit32_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct first_fit32 *heap = (const struct first_fit32 *)self;
    const uint32_t *words = heap->words;
    uint64_t allocated = 0;
    uint64_t free_blocks = 0;
    uint32_t previous = SENTINEL;
    bool previous_free = false;
    for (uint32_t block = heap->first; block != heap->end; block = words[block + NEXT]) {
        bool free_block = is_free(heap, block);
        if (words[block + PREVIOUS] != previous || words[block + NEXT] <= block ||
            words[block + NEXT] > heap->end || (free_block && previous_free)) {
            snprintf(message, message_size, "first-fit32: the block at word %u is out of place",
                     block);
            return false;
        }
        free_blocks += free_block;
        allocated += !free_block;
        previous = block;
        previous_free = free_block;
    }
    uint64_t listed = 0;
    previous = SENTINEL;
    for (uint32_t block = words[FREE_NEXT]; block != SENTINEL; block = words[block + FREE_NEXT]) {
        if (listed++ == free_blocks || free_previous(heap, block) != previous) {
            break;
        }
        previous = block;
    }
    if (listed != free_blocks || allocated != heap->live) {
        snprintf(message, message_size,
                 "first-fit32: %llu free blocks, %llu listed; %llu allocated, %llu alive",
                 (unsigned long long)free_blocks, (unsigned long long)listed,
                 (unsigned long long)allocated, (unsigned long long)heap->live);
        return false;
    }
    return true;
}

static double first_fit32_bytes_per_block(const struct node_allocator *self, size_t size)
{
    (void)self;
    return (double)((size + HEADER_WORDS * sizeof(uint32_t) + 15) & ~(size_t)15);
}

static bool first_fit32_region(const struct node_allocator *self, void **base, size_t *bytes)
{
    const struct first_fit32 *heap = (const struct first_fit32 *)self;
    *base = heap->region.base;
    *bytes = heap->region.bytes;
    return true;
}

static void first_fit32_destroy(struct node_allocator *self)
{
    region_close(&((struct first_fit32 *)self)->region, self);
}

const struct node_allocator_type first_fit32_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "first-fit32",
    .summary = "one region, first fit, in 32-bit words as in the article on replay",
    .flags = NODE_ALLOCATOR_ASKS_RARELY,
    .instance_bytes = sizeof(struct first_fit32),
    .options = options,
    .bytes_per_block = first_fit32_bytes_per_block,
    .create = first_fit32_create,
    .allocate = first_fit32_allocate,
    .release = first_fit32_release,
    .statistics = first_fit32_statistics,
    .check = first_fit32_check,
    .destroy = first_fit32_destroy,
    .region = first_fit32_region,
};
