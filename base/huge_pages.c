/*
 * huge_pages.c - maps more than asked for, and cuts off what lies outside the aligned piece.
 */
#include "huge_pages.h"
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_HUGEPAGE /* not Linux: an advice that no system takes */
#define MADV_HUGEPAGE (-1)
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

void *huge_pages_map(size_t bytes, bool *advised)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes == 0 || bytes > SIZE_MAX - HUGE_PAGE_BYTES - page) {
        errno = bytes == 0 ? EINVAL : ENOMEM;
        return NULL;
    }
    size_t kept = (bytes + page - 1) / page * page;
    size_t span = kept + HUGE_PAGE_BYTES;
    char *mapped = mmap(NULL, span, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
        return NULL;
    }
    size_t before = -(uintptr_t)mapped & (HUGE_PAGE_BYTES - 1);
    if (before > 0) {
        munmap(mapped, before);
    }
    munmap(mapped + before + kept, HUGE_PAGE_BYTES - before);
    bool taken = madvise(mapped + before, bytes, MADV_HUGEPAGE) == 0;
    if (advised != NULL) {
        *advised = taken;
    }
    return mapped + before;
}

bool huge_pages_advise(void *start, size_t bytes)
{
    const size_t before = -(uintptr_t)start & (HUGE_PAGE_BYTES - 1);
    if (bytes < before + HUGE_PAGE_BYTES) {
        return false;
    }
    const size_t whole = (bytes - before) & ~(HUGE_PAGE_BYTES - 1);
    return madvise((char *)start + before, whole, MADV_HUGEPAGE) == 0;
}
