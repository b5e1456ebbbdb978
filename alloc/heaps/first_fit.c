/*
 * first_fit.c - the allocator "first-fit": a first-fit heap in one region, for recording.
 *
 * 1. Blocks follow each other in the region; each begins with the offsets of the one before and of
 *    the one behind, the latter with a bit that says whether it is given out.
 * 2. A free block holds its place in a circular list in its first 16 bytes behind the header.
 * 3. A request takes the first block on the list that is large enough, and of that the top end,
 *    unless less than 48 bytes would be left.
 * 4. A released block is merged with a free predecessor, else put first on the list; then it is
 *    merged with a free successor.
 * Cost: linear in the free list to take, constant to give; 16 bytes a block. Offsets of 64 bits,
 * blocks at 16. Source: the idea of first_fit32.c, which keeps the published layout.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/region.h"
#include <stdio.h>

#define HEADER_BYTES  sizeof(struct block)
#define MINIMUM_BYTES 48 /* what is worth being a free block of its own, header included */
#define GIVEN_OUT     ((uint64_t)1)

enum { OPTION_HEAP, OPTION_TOUCH };
enum { TOUCH_YES, TOUCH_NO };

/* The start of a block. Offsets count bytes from the start of the region. */
struct block {
    uint64_t previous; /* 0: none, for the sentinel is no neighbour */
    uint64_t next;     /* plus GIVEN_OUT */
};

/* Behind the header of a free block. */
struct links {
    uint64_t next;
    uint64_t previous;
};

/* The sentinel is a block with links at offset 0; the first real block lies behind it. */
#define SENTINEL_BYTES (sizeof(struct block) + sizeof(struct links))

struct first_fit {
    struct node_allocator base;
    struct region region;
    uint64_t end;    /* offset at which the last block ends */
    uint64_t lowest; /* lowest block ever given out */
    bool watched;
    uint64_t live;
};

static const struct node_option options[] = {
    [OPTION_HEAP] = {.name = "heap",
                     .kind = NODE_OPTION_SIZE,
                     .default_value = "256M",
                     .min = 256,
                     .max = (uint64_t)1 << 46,
                     .help = "bytes of the region"},
    [OPTION_TOUCH] = {.name = "touch",
                      .kind = NODE_OPTION_CHOICE,
                      .default_value = "no",
                      .choices = "yes|no",
                      .help = "write to every page beforehand"},
    {.name = NULL},
};

static struct block *block_at(const struct first_fit *heap, uint64_t offset)
{
    return (struct block *)(void *)(heap->region.base + offset);
}

static struct links *links_at(const struct first_fit *heap, uint64_t offset)
{
    return (struct links *)(void *)(heap->region.base + offset + HEADER_BYTES);
}

/* The links lie where a caller's bytes were, out of bounds for a checker. */
static struct links get_links(const struct first_fit *heap, uint64_t offset)
{
    struct links *links = links_at(heap, offset);
    if (!heap->watched || offset == 0) {
        return *links;
    }
    block_mark_own(links, sizeof(*links));
    struct links value = *links;
    block_mark_dead(links, sizeof(*links));
    return value;
}

static void set_links(struct first_fit *heap, uint64_t offset, struct links value)
{
    struct links *links = links_at(heap, offset);
    if (!heap->watched || offset == 0) {
        *links = value;
        return;
    }
    block_mark_own(links, sizeof(*links));
    *links = value;
    block_mark_dead(links, sizeof(*links));
}

static void set_next_link(struct first_fit *heap, uint64_t offset, uint64_t next)
{
    struct links links = get_links(heap, offset);
    links.next = next;
    set_links(heap, offset, links);
}

static void set_previous_link(struct first_fit *heap, uint64_t offset, uint64_t previous)
{
    struct links links = get_links(heap, offset);
    links.previous = previous;
    set_links(heap, offset, links);
}

static void free_list_push(struct first_fit *heap, uint64_t offset)
{
    uint64_t first = get_links(heap, 0).next;
    set_links(heap, offset, (struct links){.next = first, .previous = 0});
    set_previous_link(heap, first, offset);
    set_next_link(heap, 0, offset);
}

static void free_list_remove(struct first_fit *heap, uint64_t offset)
{
    struct links links = get_links(heap, offset);
    set_next_link(heap, links.previous, links.next);
    set_previous_link(heap, links.next, links.previous);
}

/* Make next what follows a block; flags: GIVEN_OUT or 0. */
static void set_next(struct first_fit *heap, uint64_t offset, uint64_t next, uint64_t flags)
{
    block_at(heap, offset)->next = next | flags;
    if (next != heap->end) {
        block_at(heap, next)->previous = offset;
    }
}

static bool first_fit_create(struct node_allocator *self, const struct node_option_value *values,
                             struct node_allocator_error *error)
{
    struct first_fit *heap = (struct first_fit *)self;
    if (!region_open(&heap->region, self, (size_t)values[OPTION_HEAP].number, 0,
                     values[OPTION_TOUCH].number == TOUCH_YES, error)) {
        return false;
    }
    heap->watched = blocks_are_watched();
    heap->end = heap->region.bytes & ~(uint64_t)15;
    heap->lowest = heap->end;
    set_links(heap, 0, (struct links){0, 0});
    block_at(heap, SENTINEL_BYTES)->previous = 0;
    set_next(heap, SENTINEL_BYTES, heap->end, 0);
    free_list_push(heap, SENTINEL_BYTES);
    return true;
}

static void *first_fit_allocate(struct node_allocator *self, size_t size)
{
    struct first_fit *heap = (struct first_fit *)self;
    if (size > heap->region.bytes) {
        return NULL;
    }
    size_t gap = heap->watched ? block_gap() : 0;
    uint64_t wanted = ((size + gap + 15) & ~(uint64_t)15) + HEADER_BYTES;
    uint64_t found = get_links(heap, 0).next;
    while (found != 0 && block_at(heap, found)->next - found < wanted) {
        found = get_links(heap, found).next;
    }
    if (found == 0) {
        return NULL;
    }
    uint64_t next = block_at(heap, found)->next;
    uint64_t offset = found;
    if (next - found - wanted >= MINIMUM_BYTES) {
        offset = next - wanted;
        if (heap->watched) { /* the header lies where a released block was */
            block_mark_live(block_at(heap, offset), HEADER_BYTES);
        }
        set_next(heap, found, offset, 0);
        set_next(heap, offset, next, GIVEN_OUT);
    } else {
        free_list_remove(heap, found);
        block_at(heap, found)->next = next | GIVEN_OUT;
    }
    heap->lowest = offset < heap->lowest ? offset : heap->lowest;
    heap->live++;
    void *given = links_at(heap, offset);
    if (heap->watched) {
        block_mark_live(given, size);
    }
    return given;
}

static void first_fit_release(struct node_allocator *self, void *released, size_t size)
{
    struct first_fit *heap = (struct first_fit *)self;
    uint64_t offset = (uint64_t)((unsigned char *)released - heap->region.base) - HEADER_BYTES;
    struct block *block = block_at(heap, offset);
    uint64_t next = block->next & ~GIVEN_OUT;
    (void)size;
    heap->live--;
    if (heap->watched) {
        block_mark_dead(released, next - offset - HEADER_BYTES);
    }
    bool next_free = next != heap->end && (block_at(heap, next)->next & GIVEN_OUT) == 0;
    uint64_t previous = block->previous;
    if (previous != 0 && (block_at(heap, previous)->next & GIVEN_OUT) == 0) {
        offset = previous;
    } else {
        free_list_push(heap, offset);
    }
    if (next_free) {
        free_list_remove(heap, next);
        next = block_at(heap, next)->next;
    }
    set_next(heap, offset, next, 0);
}

static void first_fit_statistics(const struct node_allocator *self,
                                 struct node_allocator_statistics *out)
{
    const struct first_fit *heap = (const struct first_fit *)self;
    out->live_blocks = heap->live;
    out->held_bytes = out->held_bytes_max = out->heap_bytes = heap->region.bytes;
    out->heap_bytes_needed = heap->end - heap->lowest + SENTINEL_BYTES + MINIMUM_BYTES;
}

/* Whether blocks and free list say the same. Linear in the blocks. */
static bool first_fit_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct first_fit *heap = (const struct first_fit *)self;
    uint64_t allocated = 0;
    uint64_t free_blocks = 0;
    uint64_t previous = 0;
    bool previous_free = false;
    for (uint64_t offset = SENTINEL_BYTES; offset != heap->end;) {
        const struct block *block = block_at(heap, offset);
        uint64_t next = block->next & ~GIVEN_OUT;
        bool free_block = (block->next & GIVEN_OUT) == 0;
        if (block->previous != previous || next <= offset || next > heap->end ||
            (free_block && previous_free)) {
            snprintf(message, message_size, "first-fit: the block at offset %llu is out of place",
                     (unsigned long long)offset);
            return false;
        }
        free_blocks += free_block;
        allocated += !free_block;
        previous = offset;
        previous_free = free_block;
        offset = next;
    }
    uint64_t listed = 0;
    previous = 0;
    for (uint64_t offset = get_links(heap, 0).next; offset != 0;) {
        struct links links = get_links(heap, offset);
        if (listed++ == free_blocks || links.previous != previous) {
            break;
        }
        previous = offset;
        offset = links.next;
    }
    if (listed != free_blocks || allocated != heap->live) {
        snprintf(message, message_size,
                 "first-fit: %llu free blocks, %llu listed; %llu allocated, %llu alive",
                 (unsigned long long)free_blocks, (unsigned long long)listed,
                 (unsigned long long)allocated, (unsigned long long)heap->live);
        return false;
    }
    return true;
}

static double first_fit_bytes_per_block(const struct node_allocator *self, size_t size)
{
    (void)self;
    return (double)(((size + 15) & ~(size_t)15) + HEADER_BYTES);
}

static bool first_fit_region(const struct node_allocator *self, void **base, size_t *bytes)
{
    const struct first_fit *heap = (const struct first_fit *)self;
    *base = heap->region.base;
    *bytes = heap->region.bytes;
    return true;
}

static void first_fit_destroy(struct node_allocator *self)
{
    region_close(&((struct first_fit *)self)->region, self);
}

const struct node_allocator_type first_fit_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "first-fit",
    .summary = "one region, the first free block that is large enough, neighbours merged",
    .flags = NODE_ALLOCATOR_ASKS_RARELY,
    .instance_bytes = sizeof(struct first_fit),
    .options = options,
    .bytes_per_block = first_fit_bytes_per_block,
    .create = first_fit_create,
    .allocate = first_fit_allocate,
    .release = first_fit_release,
    .statistics = first_fit_statistics,
    .check = first_fit_check,
    .destroy = first_fit_destroy,
    .region = first_fit_region,
};
