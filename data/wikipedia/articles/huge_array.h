/*
 * huge_array.h - arrays that grow, and lie in huge pages because they are read at random.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define HUGE_ARRAY_MIN ((uint64_t)2 << 20) /* bytes; a smaller one would never be in huge pages */

/*
 * Enlarge an array to that many bytes; the new ones are zero. pointer: the address of the pointer
 * to it, which may change. before: the bytes it has, 0 when there is none yet. What is not touched
 * takes address space only. False, with the array as it was, when there is no room. memory_unmap
 * gives it back.
 */
bool huge_array_grow(void *pointer, uint64_t before, uint64_t bytes);
