/*
 * large_block.h - the engines' working memory: zeroed, aligned to a cache line, in huge pages on
 * request.
 *
 * Arrays indexed by node are read at random; in 4 KiB pages of the system nearly every read of a
 * large one also misses the TLB. A block of 2 MiB or more lies in huge pages when they are switched
 * on and the system has them (base/huge_pages.h). Not for small or short-lived objects.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A zeroed block, or NULL. bytes: any number. Freed by large_block_free; NULL is fine there. */
void *large_block_create(size_t bytes);
void large_block_free(void *block);

/* True if blocks created from now on ask for huge pages. Off at first. */
void large_block_use_huge_pages(bool on);
