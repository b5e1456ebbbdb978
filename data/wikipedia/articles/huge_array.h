/*
 * huge_array.h - arrays that grow, and lie in huge pages because they are read at random.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define HUGE_ARRAY_MIN ((uint64_t)2 << 20) /* bytes; a smaller one would never be in huge pages */

/*
 * Enlarge the mapping that a pointer points to from so many bytes, 0 for none, to so many more,
 * which are zero. What is not touched takes address space only. False, with the mapping as it was,
 * when there is no room. memory_unmap gives it back.
 */
bool huge_array_grow(void *pointer, uint64_t before, uint64_t bytes);
