/*
 * fuzz_allocator.c - every allocator against a table of blocks: blocks never overlap and keep what
 * is written to them, counts balance, and nothing is left.
 *
 * The first byte of an input chooses the allocator; each further one is an operation.
 */
#include "alloc/block_marks.h"
#include "alloc/node_front.h"
#include "base/macros.h"
#include "fuzz.h"
#include "heaps.h"
#include <string.h>

#define BLOCKS_MAX 64
#define FRONTS_MAX 4

static struct {
    unsigned char *bytes;
    size_t size;
    unsigned char pattern;
} blocks[BLOCKS_MAX];
static struct {
    struct node_front front;
    size_t size; /* 0: closed */
} fronts[FRONTS_MAX];
static size_t block_count;
static struct node_heap heap;
static const struct memory_source source = {fuzz_malloc, fuzz_free};

void fuzz_setup(void)
{
}

static void require_sound(void)
{
    char message[200] = "";
    fuzz_require_for(node_allocator_check(heap.allocator, message, sizeof(message)), message);
}

/* The content of a block: a unique pattern of different bytes. */
static void fill(unsigned char *bytes, size_t size, unsigned char pattern)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(pattern + i);
    }
}

static void require_content(const unsigned char *bytes, size_t size, unsigned char pattern)
{
    unsigned different = 0;
    for (size_t i = 0; i < size; i++) {
        different |= (unsigned)(bytes[i] ^ (unsigned char)(pattern + i));
    }
    fuzz_require(different == 0);
}

static void add(void *block, size_t size, unsigned char pattern)
{
    fuzz_require((uintptr_t)block % NODE_ALIGNMENT == 0);
    blocks[block_count].bytes = block;
    blocks[block_count].size = size;
    blocks[block_count].pattern = pattern;
    fill(block, size, pattern);
    block_count++;
}

static size_t take_size(struct fuzz_input *input)
{
    unsigned byte = fuzz_take(input);
    return byte < 64 ? 16 : byte < 192 ? 1 + (size_t)byte - 64 : 16 * ((size_t)byte - 190);
}

/* An open front for a size, the one of that number if it can be; or NULL. */
static struct node_front *front_for(size_t size, unsigned number)
{
    struct node_front *front = &fronts[number % FRONTS_MAX].front;
    size_t *opened = &fronts[number % FRONTS_MAX].size;
    if (*opened == 0 && node_allocator_open_front(heap.allocator, front, size)) {
        *opened = size;
    }
    return *opened == size ? front : NULL;
}

static void close_front(unsigned number)
{
    struct node_front *front = &fronts[number % FRONTS_MAX].front;
    if (fronts[number % FRONTS_MAX].size != 0) {
        heap.allocator->type->fronts->close(heap.allocator, front);
        fronts[number % FRONTS_MAX].size = 0;
    }
}

static void take(struct fuzz_input *input, bool by_front)
{
    size_t size = take_size(input);
    unsigned char pattern = fuzz_take(input);
    bool fails = fuzz_memory.fail_in > 0 || heap_is_small();
    if (block_count == BLOCKS_MAX) {
        return;
    }
    struct node_front *front = by_front && size >= sizeof(void *) ? front_for(size, pattern) : NULL;
    void *block = front != NULL ? node_front_take(front, front->block_bytes) : NULL;
    if (block == NULL) {
        block = front != NULL ? heap.allocator->type->fronts->take(heap.allocator, front)
                              : node_allocator_allocate(heap.allocator, size);
    }
    if (block != NULL) {
        add(block, size, pattern);
    } else {
        fuzz_require(fails);
    }
}

static void give(size_t index, bool by_front)
{
    unsigned char *bytes = blocks[index].bytes;
    size_t size = blocks[index].size;
    require_content(bytes, size, blocks[index].pattern);
    struct node_front *front = NULL;
    blocks[index] = blocks[--block_count];
    if (by_front) { /* any front may take it, whoever gave it */
        for (unsigned i = 0; i < FRONTS_MAX; i++) {
            front = fronts[i].size == size ? &fronts[i].front : front;
        }
    }
    if (front == NULL) {
        node_allocator_release(heap.allocator, bytes, size);
    } else if (!node_front_give(front, bytes, front->block_bytes)) {
        heap.allocator->type->fronts->give(heap.allocator, front, bytes);
    }
}

/* All blocks as large as the first one, from index on, as a chain. */
static void give_chain(size_t first)
{
    size_t size = blocks[first].size, count = 0;
    void *head = NULL, *tail = NULL;
    if (size < sizeof(void *)) {
        return;
    }
    for (size_t i = block_count; i-- > first;) {
        if (blocks[i].size == size) {
            unsigned char *bytes = blocks[i].bytes;
            require_content(bytes, size, blocks[i].pattern);
            void *next = head != NULL ? head : (void *)16; /* the tail's link is no block */
            memcpy(bytes, &next, sizeof(next));
            tail = tail != NULL ? tail : bytes;
            head = bytes;
            count++;
            blocks[i] = blocks[--block_count];
        }
    }
    struct node_front *front = front_for(size, (unsigned)first);
    if (front != NULL) {
        heap.allocator->type->fronts->give_chain(heap.allocator, front, head, tail, count);
    } else {
        node_allocator_release_chain(heap.allocator, head, tail, count, size);
    }
}

static void require_counts(void)
{
    struct node_allocator_statistics statistics;
    node_allocator_statistics(heap.allocator, &statistics);
    if (statistics.live_blocks != NODE_STATISTIC_UNKNOWN) {
        fuzz_require(statistics.live_blocks == block_count);
    }
    if (statistics.held_bytes != NODE_STATISTIC_UNKNOWN) {
        fuzz_require(statistics.held_bytes <= statistics.held_bytes_max);
    }
    if (statistics.heap_bytes != NODE_STATISTIC_UNKNOWN) {
        fuzz_require(statistics.heap_bytes_needed == NODE_STATISTIC_UNKNOWN ||
                     statistics.heap_bytes_needed <= statistics.heap_bytes || heap_is_small());
    }
    fuzz_require(memchr(statistics.note, '\0', sizeof(statistics.note)) != NULL);
}

static void require_in_region(void)
{
    void *base;
    size_t bytes;
    if (!node_allocator_region(heap.allocator, &base, &bytes)) {
        return;
    }
    for (size_t i = 0; i < block_count; i++) {
        uintptr_t begin = (uintptr_t)blocks[i].bytes - (uintptr_t)base;
        fuzz_require(begin <= bytes && blocks[i].size <= bytes - begin);
    }
}

static void step(struct fuzz_input *input)
{
    unsigned operation = fuzz_take(input);
    switch (operation % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
        take(input, operation % 2);
        break;
    case 4:
    case 5:
    case 6:
    case 7:
        if (block_count > 0) {
            give(operation / 16 % block_count, operation % 2);
        }
        break;
    case 8:
        if (block_count > 0) {
            give_chain(operation / 16 % block_count);
        }
        break;
    case 9:
        if (operation / 16 % 2 == 0) {
            node_allocator_trim(heap.allocator); /* and all fronts are closed */
            memset(fronts, 0, sizeof(fronts));
        } else {
            close_front(operation / 32);
        }
        break;
    case 10:
        fuzz_memory.fail_in = operation / 16;
        break;
    case 11:
        require_in_region();
        break;
    case 12:
        require_counts();
        break;
    case 13:
        require_sound();
        break;
    case 14:
        if (block_count > 0) { /* first in, first out */
            give(0, true);
        }
        break;
    default:
        if (block_count > 0) { /* last in, first out */
            give(block_count - 1, true);
        }
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input input = {bytes, bytes + length};
    struct node_allocator_error error;
    heap_chosen = heap_pick(&input);
    fuzz_memory.fail_in = 0;
    block_count = 0;
    memset(fronts, 0, sizeof(fronts));
    fuzz_require_for(node_heap_open(&heap, heap_chosen->specification, &source, &error),
                     error.message);
    while (fuzz_left(&input) > 0) {
        step(&input);
    }
    fuzz_memory.fail_in = 0;
    require_sound();
    require_counts();
    while (block_count > 0) {
        give(block_count - 1, false);
    }
    require_counts();
    for (unsigned i = 0; i < FRONTS_MAX; i++) {
        close_front(i);
    }
    node_allocator_trim(heap.allocator);
    require_sound();
    node_heap_close(&heap);
    fuzz_require(fuzz_memory.live == 0);
}
