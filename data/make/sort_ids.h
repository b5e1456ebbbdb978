/*
 * sort_ids.h - sort an adjacency list in place.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Sort in ascending order. Fast for short lists, takes no memory. */
void sort_ids(uint32_t *ids, size_t count);
