/*
 * array_reserve.h - an array that grows at its end: its size doubles each time, so that adding an
 * item takes constant time on average.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The outcome of array_reserve when there is no room. */
bool array_grow(void *array, size_t *capacity, size_t count, size_t item_bytes);

/*
 * Make room for count items of item_bytes in an array from malloc, or NULL at first. array: the
 * address of the pointer to it. When out of memory: false, and nothing changes.
 */
static inline bool array_reserve(void *array, size_t *capacity, size_t count, size_t item_bytes)
{
    return count <= *capacity || array_grow(array, capacity, count, item_bytes);
}
