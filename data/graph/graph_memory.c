/*
 * graph_memory.c - mapped arrays, and the memory there is.
 *
 * First touch dominates the cost of a large array, and a huge page is touched once where 512 small
 * ones would be; so arrays of 2 MiB and more are aligned to that and advised.
 */
#include "graph_memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)

static atomic_bool no_huge_pages;

void memory_use_huge_pages(bool on)
{
    atomic_store(&no_huge_pages, !on);
}

void *memory_map(size_t length, bool huge)
{
    bool aligned = huge && length >= HUGE_PAGE && !atomic_load(&no_huge_pages);
    size_t extra = aligned ? HUGE_PAGE : 0;
    if (length == 0 || length > SIZE_MAX - extra) {
        return NULL;
    }
    char *base = mmap(NULL, length + extra, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return NULL;
    }
    if (aligned) { /* cut what lies before the first boundary and after the end */
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        size_t before = (HUGE_PAGE - (uintptr_t)base % HUGE_PAGE) % HUGE_PAGE;
        size_t kept = (length + page - 1) / page * page;
        if (before > 0) {
            munmap(base, before);
        }
        if (before + kept < length + extra) {
            munmap(base + before + kept, length + extra - before - kept);
        }
        base += before;
#ifdef MADV_HUGEPAGE
        madvise(base, length, MADV_HUGEPAGE);
#endif
    }
    return base;
}

void memory_unmap(void *base, size_t length)
{
    if (base != NULL) {
        munmap(base, length);
    }
}

struct graph_storage *graph_storage_get(struct graph *graph)
{
    if (graph->storage == NULL) {
        graph->storage = calloc(1, sizeof(*graph->storage));
    }
    return graph->storage;
}

void *graph_storage_map(struct graph *graph, uint64_t count, size_t size)
{
    size_t length;
    struct graph_storage *storage = graph_storage_get(graph);
    if (storage == NULL || storage->mapping_count == GRAPH_MAPPING_MAX ||
        __builtin_mul_overflow(count ? count : 1, size, &length)) {
        return NULL;
    }
    void *base = memory_map(length, true);
    if (base != NULL) {
        storage->mappings[storage->mapping_count].base = base;
        storage->mappings[storage->mapping_count++].length = length;
    }
    return base;
}

/* The number in a one-line file such as those of a control group; UINT64_MAX for none or "max". */
static uint64_t read_number(const char *path)
{
    unsigned long long value;
    FILE *file = fopen(path, "re");
    bool found = file != NULL && fscanf(file, "%llu", &value) == 1;
    if (file != NULL) {
        fclose(file);
    }
    return found ? value : UINT64_MAX;
}

static uint64_t control_group_available(void)
{
    uint64_t limit = read_number("/sys/fs/cgroup/memory.max");
    uint64_t used = read_number("/sys/fs/cgroup/memory.current");
    if (limit == UINT64_MAX) {
        limit = read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
        used = read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes");
    }
    if (limit == UINT64_MAX || used == UINT64_MAX) {
        return limit;
    }
    return used < limit ? limit - used : 0;
}

uint64_t memory_available(void)
{
    char line[128];
    unsigned long long kib = 0;
    uint64_t available = UINT64_MAX;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1) {
            available = kib * 1024;
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    uint64_t group = control_group_available();
    return group < available ? group : available;
}

const char *memory_text(char text[32], uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1024 && unit < 6) {
        value /= 1024;
        unit++;
    }
    snprintf(text, 32, unit ? "%.1f %s" : "%.0f %s", value, bytes == 1 ? "byte" : units[unit]);
    return text;
}
