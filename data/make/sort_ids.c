/*
 * sort_ids.c - Shell sort with the gaps of M. Ciura (2001): most lists are short.
 */
#include "sort_ids.h"
#include "base/macros.h"

void sort_ids(uint32_t *ids, size_t count)
{
    static const size_t gaps[] = {8858, 3937, 1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < COUNT_OF(gaps); g++) {
        size_t gap = gaps[g];
        for (size_t i = gap; i < count; i++) {
            uint32_t value = ids[i];
            size_t j = i;
            for (; j >= gap && ids[j - gap] > value; j -= gap) {
                ids[j] = ids[j - gap];
            }
            ids[j] = value;
        }
    }
}
