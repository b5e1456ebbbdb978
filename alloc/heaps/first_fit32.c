/*
 * first_fit32.c - the allocator "first-fit32": first_fit_heap.h in words of 32 bits, as published.
 *
 * Cost: linear in the free list to take, constant to give; 12 bytes per block. The header has a
 * third word, all ones in a block given out, else the next free block. align=4 is the published
 * layout to the byte; the default keeps blocks at 16. as-published=yes repeats the article's
 * mistake: the lowest block is lost when it is released.
 * Source: PathEngine, "Measure Memory Allocation Cost, by Eliminating It".
 */
#include "alloc/node_allocator.h"

typedef uint32_t word;
#define UNIT                 sizeof(word)
#define HEADER_WORDS         3
#define MARK                 ((word)0)
#define ALIGN_WORDS(heap)    ((heap)->align_words)
#define SPARE_BYTES          64
#define ALIGN_OF(values)     ((word)1 << (values)[OPTION_ALIGN].number)
#define AS_PUBLISHED(values) ((values)[OPTION_AS_PUBLISHED].number == LOSES_LOWEST)
#define TABLE                first_fit32_allocator
#define NAME                 "first-fit32"
#define SUMMARY              "one region, first fit, in 32-bit words as in the article on replay"

enum { OPTION_HEAP, OPTION_ALIGN, OPTION_TOUCH, OPTION_AS_PUBLISHED };
enum { LOSES_LOWEST };

static const struct node_option options[] = {
    [OPTION_HEAP] = {"heap", NODE_OPTION_SIZE, "256M", NULL, 256, ((uint64_t)UINT32_MAX - 16) * 4,
                     "bytes of the region"},
    [OPTION_ALIGN] = {"align", NODE_OPTION_CHOICE, "16", "4|8|16", 0, 0,
                      "alignment of the blocks; 4 is as published, and too little for C"},
    [OPTION_TOUCH] = {"touch", NODE_OPTION_CHOICE, "no", "yes|no", 0, 0,
                      "write to every page beforehand"},
    [OPTION_AS_PUBLISHED] = {"as-published", NODE_OPTION_CHOICE, "no", "yes|no", 0, 0,
                             "lose the lowest block when it is released, as the article does"},
    {.name = NULL},
};

#include "first_fit_heap.h"
