/*
 * graph_memory.c - large mappings, and the memory there is.
 */
#include "graph_memory.h"
#include "base/huge_pages.h"
#include "base/pw_assert.h"
#include "base/system_file.h"
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

static atomic_bool no_huge_pages; /* the only state of the process that data/ keeps */

void memory_use_huge_pages(bool on)
{
    atomic_store(&no_huge_pages, !on);
}

void *memory_map(size_t length, bool huge)
{
    if (huge && length >= HUGE_PAGE_BYTES && !atomic_load(&no_huge_pages)) {
        return huge_pages_map(length, NULL);
    }
    void *base = mmap(NULL, length, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED ? NULL : base; /* length 0 fails too */
}

bool memory_move(void *base, size_t length, void *to)
{
    pw_assert(base != NULL && length > 0 && to != base);
    if (mremap(base, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to) {
        return true;
    }
    /* There may be too many mappings: use fresh pages. */
    munmap(base, length);
    return mmap(to, length, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == to;
}

void memory_unmap(void *base, size_t length)
{
    if (base != NULL) {
        munmap(base, length);
    }
}

/* The number at the start of a system file; UINT64_MAX if it has no number, or "max". */
static uint64_t read_number(const char *path)
{
    char line[32];
    unsigned long long value;
    return system_file_line("", path, line, sizeof(line)) && sscanf(line, "%llu", &value) == 1
               ? value
               : UINT64_MAX;
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
    char text[32];
    unsigned long long kib;
    bool known = system_file_value("", "/proc/meminfo", "MemAvailable", text, sizeof(text)) &&
                 sscanf(text, "%llu kB", &kib) == 1;
    uint64_t available = known && kib < MEMORY_MAX / 1024 ? kib * 1024 : MEMORY_MAX;
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
