/*
 * first_fit.c - the allocator "first-fit": first_fit_heap.h in words of 64 bits, for recording.
 *
 * Cost: linear in the free list to take, constant to give; 16 bytes per block. A block is given out
 * when the low bit of its next is set; the list of the free ones lies in the caller's bytes.
 */
#include <stdint.h>

typedef uint64_t word;
#define UNIT              1
#define HEADER_WORDS      2
#define MARK              ((word)1)
#define ALIGN_WORDS(heap) (16 / sizeof(word))
#define SPARE_BYTES       80
#include "first_fit_heap.h"

enum { OPTION_HEAP, OPTION_TOUCH };

static const struct node_option options[] = {
    [OPTION_HEAP] = {"heap", NODE_OPTION_SIZE, "256M", NULL, 256, (uint64_t)1 << 46,
                     "bytes of the region"},
    [OPTION_TOUCH] = {"touch", NODE_OPTION_CHOICE, "no", "yes|no", 0, 0,
                      "write to every page beforehand"},
    {.name = NULL},
};

static bool first_fit_create(struct node_allocator *self, const struct node_option_value *values,
                             struct node_allocator_error *error)
{
    return first_fit_open(self, values[OPTION_HEAP].number, ALIGN_WORDS(self),
                          values[OPTION_TOUCH].number == TOUCH_YES, error);
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
