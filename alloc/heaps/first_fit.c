/*
 * first_fit.c - the allocator "first-fit": first_fit_heap.h in words of 64 bits, for recording.
 *
 * Cost: linear in the free list to take, constant to give; 16 bytes per block. A block is given out
 * when the low bit of its next is set; the list of the free ones lies in the caller's bytes.
 */
#include "alloc/node_allocator.h"

typedef uint64_t word;
#define UNIT                 1
#define HEADER_WORDS         2
#define MARK                 ((word)1)
#define ALIGN_WORDS(heap)    (16 / sizeof(word))
#define SPARE_BYTES          80
#define ALIGN_OF(values)     (16 / sizeof(word))
#define AS_PUBLISHED(values) false
#define TABLE                first_fit_allocator
#define NAME                 "first-fit"
#define SUMMARY              "one region, the first free block large enough, neighbours merged"

enum { OPTION_HEAP, OPTION_TOUCH };

static const struct node_option options[] = {
    [OPTION_HEAP] = {"heap", NODE_OPTION_SIZE, "256M", NULL, 256, (uint64_t)1 << 46,
                     "bytes of the region"},
    [OPTION_TOUCH] = {"touch", NODE_OPTION_CHOICE, "no", "yes|no", 0, 0,
                      "write to every page beforehand"},
    {.name = NULL},
};

#include "first_fit_heap.h"
