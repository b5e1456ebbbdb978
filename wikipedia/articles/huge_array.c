/*
 * huge_array.c - huge pages are moved, not copied, if both places are aligned to them.
 */
#include "huge_array.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include <sys/mman.h>

bool huge_array_grow(void *pointer, uint64_t before, uint64_t bytes)
{
    void **array = pointer;
    void *larger = memory_map(bytes, true);
    pw_assert(bytes > before && (before == 0 || before >= HUGE_ARRAY_MIN));
    if (larger != NULL && before > 0 &&
        mremap(*array, before, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, larger) != larger) {
        memory_unmap(larger, bytes);
        return false;
    }
    *array = larger != NULL ? larger : *array;
    return larger != NULL;
}
