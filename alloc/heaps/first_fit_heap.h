/*
 * first_fit_heap.h - a first-fit heap in one region of words; the including file says which words.
 *
 * 1. Blocks follow each other in the region. Each begins with the index of the block before and
 *    of the one behind. The first four words are a sentinel that is no neighbour.
 * 2. A free block has its place in a circular list through the sentinel: the next in word 2, the
 *    previous in word 3.
 * 3. A request takes the first block on the list that is large enough, and of that the top end,
 *    unless less than six words would be left.
 * 4. A released block is merged with a free predecessor, else put first on the list; then it is
 *    merged with a free successor.
 * Defined before: word (a type), HEADER_WORDS, ALIGN_WORDS, MARK (the bit of NEXT in a block given
 * out; 0: its FREE_NEXT is GIVEN_OUT), SPARE_BYTES (added to what a sufficient heap holds).
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/region.h"
#include "base/pw_assert.h"
#include <stdio.h>

#define MINIMUM_WORDS 6 /* what is worth being a free block of its own */
#define GIVEN_OUT     ((word)-1)
#define SENTINEL      0

enum { TOUCH_YES, TOUCH_NO };

/* The words of a block, from its start; those from HEADER_WORDS on are the caller's. */
enum { PREVIOUS, NEXT, FREE_NEXT, FREE_PREVIOUS, FIRST_BLOCK };

struct first_fit {
    struct node_allocator base;
    struct region region;
    word *words;
    word end;         /* where the last block ends */
    word first;       /* the first block */
    word align_words; /* the size of every block is a multiple of this */
    word lowest;      /* the lowest block ever given out */
    bool watched;
    uint64_t live;
    PW_DEBUG_ONLY(uint64_t steps;)
};

/* A link of a free block; it may lie where a caller's bytes were, out of bounds for a checker. */
static word link_of(const struct first_fit *heap, word block, unsigned member)
{
    word *at = &heap->words[block + member];
    if (!heap->watched || member < HEADER_WORDS || block == SENTINEL) {
        return *at;
    }
    block_mark_own(true, at, sizeof(*at));
    word value = *at;
    block_mark_dead(true, at, sizeof(*at));
    return value;
}

static void set_link(struct first_fit *heap, word block, unsigned member, word value)
{
    word *at = &heap->words[block + member];
    if (!heap->watched || member < HEADER_WORDS || block == SENTINEL) {
        *at = value;
        return;
    }
    block_mark_own(true, at, sizeof(*at));
    *at = value;
    block_mark_dead(true, at, sizeof(*at));
}

static bool is_free(const struct first_fit *heap, word block)
{
    return MARK != 0 ? (heap->words[block + NEXT] & MARK) == 0
                     : heap->words[block + FREE_NEXT] != GIVEN_OUT;
}

/* The block behind one, or end. */
static word next_of(const struct first_fit *heap, word block)
{
    return heap->words[block + NEXT] & (word)~MARK;
}

/* Make next, or end, what follows a block. mark: MARK for a block given out, else 0. */
static void set_next(struct first_fit *heap, word block, word next, word mark)
{
    pw_assert(block < next && next <= heap->end);
    heap->words[block + NEXT] = next | mark;
    if (next != heap->end) {
        heap->words[next + PREVIOUS] = block;
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

/* A heap of that many bytes whose blocks are multiples of align_words. */
static bool first_fit_open(struct node_allocator *self, uint64_t bytes, word align_words,
                           bool touch, struct node_allocator_error *error)
{
    struct first_fit *heap = (struct first_fit *)self;
    if (!region_open(&heap->region, self, (size_t)bytes, 0, touch, error)) {
        return false;
    }
    heap->align_words = align_words;
    heap->watched = blocks_are_watched() && align_words * sizeof(word) == 16;
    heap->words = (word *)(void *)heap->region.base;
    /* Blocks start where the word behind their header is aligned. */
    word mask = align_words - 1;
    heap->first = FIRST_BLOCK;
    while (((heap->first + HEADER_WORDS) & mask) != 0) {
        heap->first++;
    }
    heap->end = (word)(heap->region.bytes / sizeof(word));
    while (((heap->end + HEADER_WORDS) & mask) != 0) {
        heap->end--;
    }
    heap->lowest = heap->end;
    for (unsigned i = 0; i < FIRST_BLOCK; i++) {
        heap->words[SENTINEL + i] = SENTINEL;
    }
    heap->words[heap->first + PREVIOUS] = SENTINEL;
    set_next(heap, heap->first, heap->end, 0);
    free_list_push(heap, heap->first);
    return true;
}

/* Words of a block that serves size bytes. */
static word block_words(const struct first_fit *heap, size_t size)
{
    size_t gap = heap->watched ? block_gap() : 0;
    size_t words = (size + gap + sizeof(word) - 1) / sizeof(word) + HEADER_WORDS;
    size_t mask = ALIGN_WORDS(heap) - 1;
    words = (words + mask) & ~mask;
    pw_assert(words >= FIRST_BLOCK && words == (word)words);
    return (word)words;
}

static void *first_fit_allocate(struct node_allocator *self, size_t size)
{
    struct first_fit *heap = (struct first_fit *)self;
    word *words = heap->words;
    if (size > heap->region.bytes - FIRST_BLOCK * sizeof(word)) {
        return NULL; /* more than any block, and its words might not fit a word */
    }
    word wanted = block_words(heap, size);
    word found = words[SENTINEL + FREE_NEXT];
    while (found != SENTINEL && words[found + NEXT] - found < wanted) {
        found = link_of(heap, found, FREE_NEXT);
    }
    if (found == SENTINEL) {
        return NULL;
    }
    word next = words[found + NEXT];
    word block = found;
    if (next - found - wanted >= MINIMUM_WORDS) {
        block = next - wanted;
        /* the header lies where a released block was */
        block_mark_live(heap->watched, &words[block], HEADER_WORDS * sizeof(*words));
        set_next(heap, found, block, 0);
        set_next(heap, block, next, MARK);
    } else {
        free_list_remove(heap, found);
        words[block + NEXT] = next | MARK;
    }
    if (MARK == 0) {
        words[block + FREE_NEXT] = GIVEN_OUT;
    }
    heap->lowest = block < heap->lowest ? block : heap->lowest;
    heap->live++;
    void *given = &words[block + HEADER_WORDS];
    block_mark_live(heap->watched, given, size);
    allocator_step(self, heap);
    return given;
}

static void first_fit_release(struct node_allocator *self, void *released, size_t size)
{
    struct first_fit *heap = (struct first_fit *)self;
    word block = (word)((word *)released - heap->words) - HEADER_WORDS;
    word next = next_of(heap, block);
    (void)size;
    pw_assert(heap->live > 0 && !is_free(heap, block));
    heap->live--;
    block_mark_dead(heap->watched, released, (next - block - HEADER_WORDS) * sizeof(word));
    word previous = heap->words[block + PREVIOUS];
    if (previous != SENTINEL && is_free(heap, previous)) {
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

static void first_fit_statistics(const struct node_allocator *self,
                                 struct node_allocator_statistics *out)
{
    const struct first_fit *heap = (const struct first_fit *)self;
    out->live_blocks = heap->live;
    out->held_bytes = out->held_bytes_max = out->heap_bytes = heap->region.bytes;
    out->heap_bytes_needed = (uint64_t)(heap->end - heap->lowest) * sizeof(word) + SPARE_BYTES;
}

/* The first block that is out of place, or SENTINEL; how many are free, and how many given out. */
static word count_blocks(const struct first_fit *heap, uint64_t *free_blocks, uint64_t *given_out)
{
    word previous = SENTINEL;
    for (word block = heap->first; block != heap->end;) {
        word next = next_of(heap, block);
        bool merged = previous == SENTINEL || !is_free(heap, previous) || !is_free(heap, block);
        if (heap->words[block + PREVIOUS] != previous || next <= block || next > heap->end ||
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

/* Whether blocks and free list say the same. Linear in the blocks. */
static bool first_fit_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct first_fit *heap = (const struct first_fit *)self;
    uint64_t given_out = 0;
    uint64_t free_blocks = 0;
    word wrong = count_blocks(heap, &free_blocks, &given_out);
    if (wrong != SENTINEL) {
        snprintf(message, message_size, "%s: the block at word %llu is out of place",
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
    return (double)((size + HEADER_WORDS * sizeof(word) + 15) & ~(size_t)15);
}

static bool first_fit_region(const struct node_allocator *self, void **base, size_t *bytes)
{
    return region_describe(&((const struct first_fit *)self)->region, base, bytes);
}

static void first_fit_destroy(struct node_allocator *self)
{
    region_close(&((struct first_fit *)self)->region, self);
}
