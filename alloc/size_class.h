/*
 * size_class.h - blocks in steps of two words, for allocators that keep one list per size.
 */
#pragma once

#include "node_allocator.h"

#define SIZE_CLASS_STEP  NODE_ALIGNMENT
#define SIZE_CLASS_MAX   ((size_t)512) /* larger blocks go to the source */
#define SIZE_CLASS_COUNT (SIZE_CLASS_MAX / SIZE_CLASS_STEP)

/* The class of a size in 1..SIZE_CLASS_MAX. */
static inline size_t size_class_of(size_t size)
{
    return (size - 1) / SIZE_CLASS_STEP;
}

/* Bytes of a block of a class. */
static inline size_t size_class_bytes(size_t class_index)
{
    return (class_index + 1) * SIZE_CLASS_STEP;
}
