/*
 * huge_pages.h - memory in huge pages if the system has them.
 *
 * First touch dominates the cost of a large array, and a huge page is touched once instead of 512
 * small ones. The kernel gives huge pages only to aligned 2 MiB pieces, so a mapping is aligned
 * to that and advised (madvise(2), MADV_HUGEPAGE).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define HUGE_PAGE_BYTES ((size_t)2 << 20)

/*
 * Map that many zeroed bytes, aligned to HUGE_PAGE_BYTES and advised; NULL when the system has no
 * room (errno says why) or bytes is 0. *advised, if not NULL, gets true if the system took the
 * advice; a refusal means normal pages and is no failure. Release it by munmap(2), same bytes.
 */
void *huge_pages_map(size_t bytes, bool *advised);

/*
 * Ask for huge pages in the aligned 2 MiB pieces of memory that the caller owns, such as a large
 * block of malloc's. Changes no content. Returns false if there is no such piece, or if the system
 * refused, which is no failure. The advice lasts as long as the memory is mapped.
 */
bool huge_pages_advise(void *start, size_t bytes);
