/*
 * first_fit_heap.h - a first-fit heap in one region of words; the including file says which words.
 *
 * 1. Blocks follow each other in the region. Each begins with the indexes of the blocks before and
 *    after it. The first four words are a sentinel that is no neighbour.
 * 2. A free block has its place in a circular list through the sentinel: the next in word 2, the
 *    previous in word 3.
 * 3. A request takes the first free block that is large enough, and uses its top end, unless fewer
 *    than six words would be left.
 * 4. A released block is merged with a free predecessor, else put first on the list; then with a
 *    free successor. AS_PUBLISHED merges the lowest block with the sentinel, which loses it.
 * Defined before: word (a type), UNIT (the bytes that an index counts), HEADER_WORDS, ALIGN_WORDS,
 * MARK (the bit of NEXT in a block given out; 0: its FREE_NEXT is GIVEN_OUT), SPARE_BYTES; TABLE,
 * NAME, SUMMARY, options, OPTION_HEAP, OPTION_TOUCH; of the values ALIGN_OF and AS_PUBLISHED.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "base/pw_assert.h"
#include "region.h"
#include <stdio.h>

#define MINIMUM_WORDS 6 /* the least size of a free block */
#define HEADER_BYTES  (HEADER_WORDS * sizeof(word))
#define UNITS(words)  ((word)((words) * sizeof(word) / UNIT))
#define GIVEN_OUT     ((word)-1)
#define SENTINEL      0

enum { TOUCH_YES, TOUCH_NO };

/* The words of a block, from its start; from HEADER_WORDS on they are the caller's. */
enum { PREVIOUS, NEXT, FREE_NEXT, FREE_PREVIOUS, FIRST_BLOCK };

struct first_fit {
    struct node_allocator base;
    struct region region;
    word end;         /* where the last block ends */
    word first;       /* where the first block begins */
    word align_words; /* the size of every block is a multiple of this */
    word lowest;      /* the lowest block ever given out */
    bool watched;
    bool as_published; /* merge with the sentinel; its NEXT then is the end of the loss */
    uint64_t live;
    PW_DEBUG_ONLY(uint64_t steps;)
};

/* A word of a block. An index counts units of UNIT bytes. */
static word *at(const struct first_fit *heap, word block, unsigned member)
{
    return (word *)(void *)(heap->region.base + (size_t)block * UNIT) + member;
}

/* A link of a free block; it may lie in released bytes, which a checker treats as out of bounds. */
static word link_of(const struct first_fit *heap, word block, unsigned member)
{
    word *link = at(heap, block, member);
    if (!heap->watched || member < HEADER_WORDS || block == SENTINEL) {
        return *link;
    }
    block_mark_own(true, link, sizeof(*link));
    word value = *link;
    block_mark_dead(true, link, sizeof(*link));
    return value;
}

static void set_link(struct first_fit *heap, word block, unsigned member, word value)
{
    word *link = at(heap, block, member);
    if (!heap->watched || member < HEADER_WORDS || block == SENTINEL) {
        *link = value;
        return;
    }
    block_mark_own(true, link, sizeof(*link));
    *link = value;
    block_mark_dead(true, link, sizeof(*link));
}

static bool is_free(const struct first_fit *heap, word block)
{
    return MARK != 0 ? (*at(heap, block, NEXT) & MARK) == 0
                     : *at(heap, block, FREE_NEXT) != GIVEN_OUT;
}

/* The block after a given one, or end. */
static word next_of(const struct first_fit *heap, word block)
{
    return *at(heap, block, NEXT) & (word)~MARK;
}

/* Set the successor of a block: next, or end. mark: MARK for a block given out, else 0. */
static void set_next(struct first_fit *heap, word block, word next, word mark)
{
    pw_assert(block < next && next <= heap->end);
    *at(heap, block, NEXT) = next | mark;
    if (next != heap->end) {
        *at(heap, next, PREVIOUS) = block;
    }
}

static void free_list_push(struct first_fit *heap, word block)
{
    word first = link_of(heap, SENTINEL, FREE_NEXT);
    set_link(heap, block, FREE_NEXT, first);
    set_link(heap, block, FREE_PREVIOUS, SENTINEL);
    set_link(heap, first, FREE_PREVIOUS, block);
    set_link(heap, SENTINEL, FREE_NEXT, block);
}

static void free_list_remove(struct first_fit *heap, word block)
{
    word next = link_of(heap, block, FREE_NEXT);
    word previous = link_of(heap, block, FREE_PREVIOUS);
    pw_assert(link_of(heap, previous, FREE_NEXT) == block);
    set_link(heap, previous, FREE_NEXT, next);
    set_link(heap, next, FREE_PREVIOUS, previous);
}

static bool first_fit_create(struct node_allocator *self, const struct node_option_value *values,
                             struct node_allocator_error *error)
{
    struct first_fit *heap = (struct first_fit *)self;
    if (!region_open(self, values[OPTION_HEAP].number, 0, values[OPTION_TOUCH].number == TOUCH_YES,
                     error)) {
        return false;
    }
    heap->as_published = AS_PUBLISHED(values);
    heap->align_words = (word)ALIGN_OF(values);
    heap->watched = blocks_are_watched() && heap->align_words * sizeof(word) == 16;
    /* Blocks start so that the word after their header is aligned. */
    word mask = UNITS(heap->align_words) - 1;
    heap->first = UNITS(FIRST_BLOCK);
    while (((heap->first + UNITS(HEADER_WORDS)) & mask) != 0) {
        heap->first++;
    }
    heap->end = (word)(heap->region.bytes / UNIT);
    while (((heap->end + UNITS(HEADER_WORDS)) & mask) != 0) {
        heap->end--;
    }
    heap->lowest = heap->end;
    for (unsigned i = 0; i < FIRST_BLOCK; i++) {
        *at(heap, SENTINEL, i) = SENTINEL;
    }
    set_next(heap, SENTINEL, heap->first, 0);
    set_next(heap, heap->first, heap->end, 0);
    free_list_push(heap, heap->first);
    return true;
}

/* The units of a block for size bytes. */
static word block_units(const struct first_fit *heap, size_t size)
{
    size_t gap = heap->watched ? block_gap() : 0;
    size_t units = (size + gap + HEADER_BYTES + UNIT - 1) / UNIT;
    size_t mask = UNITS(ALIGN_WORDS(heap)) - 1;
    units = (units + mask) & ~mask;
    pw_assert(units >= UNITS(FIRST_BLOCK) && units == (word)units);
    return (word)units;
}

static void *first_fit_allocate(struct node_allocator *self, size_t size)
{
    struct first_fit *heap = (struct first_fit *)self;
    if (size > heap->region.bytes - FIRST_BLOCK * sizeof(word)) {
        return NULL; /* more than any block, and its units might not fit a word */
    }
    word wanted = block_units(heap, size);
    word found = *at(heap, SENTINEL, FREE_NEXT);
    while (found != SENTINEL && *at(heap, found, NEXT) - found < wanted) {
        found = link_of(heap, found, FREE_NEXT);
    }
    if (found == SENTINEL) {
        return NULL;
    }
    word next = *at(heap, found, NEXT);
    word block = found;
    if (next - found - wanted >= UNITS(MINIMUM_WORDS)) {
        block = next - wanted;
        /* the header lies in a released block */
        block_mark_live(heap->watched, at(heap, block, 0), HEADER_BYTES);
        set_next(heap, found, block, 0);
        set_next(heap, block, next, MARK);
    } else {
        free_list_remove(heap, found);
        *at(heap, block, NEXT) = next | MARK;
    }
    if (MARK == 0) {
        *at(heap, block, FREE_NEXT) = GIVEN_OUT;
    }
    heap->lowest = block < heap->lowest ? block : heap->lowest;
    heap->live++;
    void *given = at(heap, block, HEADER_WORDS);
    block_mark_live(heap->watched, given, size);
    allocator_step(self, heap);
    return given;
}

static void first_fit_release(struct node_allocator *self, void *released, size_t size)
{
    struct first_fit *heap = (struct first_fit *)self;
    size_t offset = (size_t)((unsigned char *)released - heap->region.base) - HEADER_BYTES;
    word block = (word)(offset / UNIT);
    word next = next_of(heap, block);
    (void)size;
    pw_assert(heap->live > 0 && !is_free(heap, block));
    heap->live--;
    block_mark_dead(heap->watched, released, (size_t)(next - block) * UNIT - HEADER_BYTES);
    word previous = *at(heap, block, PREVIOUS);
    if ((previous != SENTINEL || heap->as_published) && is_free(heap, previous)) {
        block = previous;
    } else {
        free_list_push(heap, block);
    }
    if (next != heap->end && is_free(heap, next)) {
        free_list_remove(heap, next);
        next = next_of(heap, next);
    }
    set_next(heap, block, next, 0);
    allocator_step(self, heap);
}

/* As published: units at the low end that no list reaches any more. */
static word lost_units(const struct first_fit *heap)
{
    pw_assert(heap->as_published || next_of(heap, SENTINEL) == heap->first);
    return next_of(heap, SENTINEL) - heap->first;
}

static void first_fit_statistics(const struct node_allocator *self,
                                 struct node_allocator_statistics *out)
{
    const struct first_fit *heap = (const struct first_fit *)self;
    out->live_blocks = heap->live;
    out->held_bytes = out->held_bytes_max = out->heap_bytes = heap->region.bytes;
    out->heap_bytes_needed = (uint64_t)(heap->end - heap->lowest) * UNIT + SPARE_BYTES;
    if (lost_units(heap) > 0) {
        snprintf(out->note, sizeof(out->note), "as published: %llu bytes are lost",
                 (unsigned long long)lost_units(heap) * UNIT);
    }
}

/* The first block out of place, or SENTINEL; how many are free, and how many given out. */
static word count_blocks(const struct first_fit *heap, uint64_t *free_blocks, uint64_t *given_out)
{
    word previous = SENTINEL;
    for (word block = next_of(heap, SENTINEL); block != heap->end;) {
        word next = next_of(heap, block);
        bool merged = previous == SENTINEL || !is_free(heap, previous) || !is_free(heap, block);
        if (*at(heap, block, PREVIOUS) != previous || next <= block || next > heap->end ||
            !merged) {
            return block;
        }
        *free_blocks += is_free(heap, block);
        *given_out += !is_free(heap, block);
        previous = block;
        block = next;
    }
    return SENTINEL;
}

/* True if blocks and free list agree. Linear in the blocks. */
static bool first_fit_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct first_fit *heap = (const struct first_fit *)self;
    uint64_t given_out = 0;
    uint64_t free_blocks = 0;
    word first = next_of(heap, SENTINEL);
    bool starts = heap->as_published ? first >= heap->first : first == heap->first;
    word wrong = starts ? count_blocks(heap, &free_blocks, &given_out) : heap->first;
    if (wrong != SENTINEL) {
        snprintf(message, message_size, "%s: the block at index %llu is out of place",
                 self->type->name, (unsigned long long)wrong);
        return false;
    }
    uint64_t listed = 0;
    word previous = SENTINEL;
    for (word block = link_of(heap, SENTINEL, FREE_NEXT); block != SENTINEL;
         block = link_of(heap, block, FREE_NEXT)) {
        if (listed++ == free_blocks || link_of(heap, block, FREE_PREVIOUS) != previous) {
            break;
        }
        previous = block;
    }
    if (listed != free_blocks || given_out != heap->live) {
        snprintf(message, message_size,
                 "%s: %llu free blocks, %llu listed; %llu given out, %llu alive", self->type->name,
                 (unsigned long long)free_blocks, (unsigned long long)listed,
                 (unsigned long long)given_out, (unsigned long long)heap->live);
        return false;
    }
    return true;
}

static double first_fit_bytes_per_block(const struct node_allocator *self, size_t size)
{
    (void)self;
    return (double)((size + HEADER_BYTES + 15) & ~(size_t)15);
}

const struct node_allocator_type TABLE = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = NAME,
    .summary = SUMMARY,
    .flags = NODE_ALLOCATOR_ASKS_RARELY,
    .instance_bytes = sizeof(struct first_fit),
    .options = options,
    .bytes_per_block = first_fit_bytes_per_block,
    .create = first_fit_create,
    .allocate = first_fit_allocate,
    .release = first_fit_release,
    .statistics = first_fit_statistics,
    .check = first_fit_check,
    .destroy = region_close,
    .region = region_describe,
};
