/*
 * first_fit32.c - the allocator "first-fit32": first_fit_heap.h in words of 32 bits, as published.
 *
 * Cost: linear in the free list to take, constant to give; 12 bytes per block. The header has a
 * third word, all ones in a block given out, else the next free block. align=4 is the published
 * layout to the byte; the default keeps blocks at 16.
 * Source: PathEngine, "Measure Memory Allocation Cost, by Eliminating It".
 */
#include <stdint.h>

typedef uint32_t word;
#define UNIT              sizeof(word)
#define HEADER_WORDS      3
#define MARK              ((word)0)
#define ALIGN_WORDS(heap) ((heap)->align_words)
#define SPARE_BYTES       64
#include "first_fit_heap.h"

enum { OPTION_HEAP, OPTION_ALIGN, OPTION_TOUCH };

static const struct node_option options[] = {
    [OPTION_HEAP] = {"heap", NODE_OPTION_SIZE, "256M", NULL, 256, ((uint64_t)UINT32_MAX - 16) * 4,
                     "bytes of the region"},
    [OPTION_ALIGN] = {"align", NODE_OPTION_CHOICE, "16", "4|8|16", 0, 0,
                      "alignment of the blocks; 4 is as published, and too little for C"},
    [OPTION_TOUCH] = {"touch", NODE_OPTION_CHOICE, "no", "yes|no", 0, 0,
                      "write to every page beforehand"},
    {.name = NULL},
};

static bool first_fit32_create(struct node_allocator *self, const struct node_option_value *values,
                               struct node_allocator_error *error)
{
    return first_fit_open(self, values[OPTION_HEAP].number, (word)1 << values[OPTION_ALIGN].number,
                          values[OPTION_TOUCH].number == TOUCH_YES, error);
}

const struct node_allocator_type first_fit32_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "first-fit32",
    .summary = "one region, first fit, in 32-bit words as in the article on replay",
    .flags = NODE_ALLOCATOR_ASKS_RARELY,
    .instance_bytes = sizeof(struct first_fit),
    .options = options,
    .bytes_per_block = first_fit_bytes_per_block,
    .create = first_fit32_create,
    .allocate = first_fit_allocate,
    .release = first_fit_release,
    .statistics = first_fit_statistics,
    .check = first_fit_check,
    .destroy = first_fit_destroy,
    .region = first_fit_region,
};
