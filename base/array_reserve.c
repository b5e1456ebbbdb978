/*
 * array_reserve.c - see array_reserve.h.
 */
#include "array_reserve.h"
#include "pw_assert.h"
#include <stdlib.h>
#include <string.h>

#define ITEMS_MIN 64

bool array_grow(void *array, size_t *capacity, size_t count, size_t item_bytes)
{
    void *items;
    size_t wanted, bytes;
    pw_assert(count > *capacity && item_bytes > 0);
    if (__builtin_mul_overflow(*capacity, 2, &wanted) || wanted < count) {
        wanted = count;
    }
    wanted = wanted < ITEMS_MIN ? ITEMS_MIN : wanted;
    memcpy(&items, array, sizeof(items)); /* a pointer of any type */
    if (__builtin_mul_overflow(wanted, item_bytes, &bytes) ||
        (items = realloc(items, bytes)) == NULL) {
        return false;
    }
    memcpy(array, &items, sizeof(items));
    *capacity = wanted;
    return true;
}
