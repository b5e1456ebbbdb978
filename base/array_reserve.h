/*
 * array_reserve.h - an array that grows at its end: twice as large each time, so that adding to it
 * takes constant time on average.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What array_reserve does where there is no room. */
bool array_grow(void *array, size_t *capacity, size_t count, size_t item_bytes);

/*
 * Room for count items of item_bytes in an array from malloc, or NULL at first. array: the address
 * of the pointer to it. False, and all as it was, when out of memory.
 */
static inline bool array_reserve(void *array, size_t *capacity, size_t count, size_t item_bytes)
{
    return count <= *capacity || array_grow(array, capacity, count, item_bytes);
}
