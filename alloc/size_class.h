/*
 * size_class.h - blocks in steps of 16 bytes, for allocators that keep one list per size.
 */
#pragma once

#include <stddef.h>

#define SIZE_CLASS_STEP  16
#define SIZE_CLASS_COUNT 32 /* classes 0..31 serve 1..512 bytes; larger blocks go to the source */
#define SIZE_CLASS_MAX   (SIZE_CLASS_STEP * SIZE_CLASS_COUNT)

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
