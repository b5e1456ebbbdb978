/*
 * huge_array.h - arrays that grow and lie in huge pages, because they are read at random.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define HUGE_ARRAY_MIN ((uint64_t)2 << 20) /* bytes; a smaller array never gets huge pages */

/*
 * Enlarge an array to that many bytes; the new bytes are zero. pointer: the address of the pointer
 * to the array, which may change. before: the bytes it has now, 0 if there is no array yet. Bytes
 * that nobody touches take address space only. Returns false and leaves the array as it was if
 * there is no room. memory_unmap gives it back.
 */
bool huge_array_grow(void *pointer, uint64_t before, uint64_t bytes);
