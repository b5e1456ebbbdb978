/*
 * bump_malloc.c - a malloc library of the simplest kind, for test_program.sh: nothing is reused.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define POOL_BYTES ((size_t)256 << 20)

static _Alignas(4096) unsigned char pool[POOL_BYTES];
static size_t used = 16;

void *malloc(size_t size);
void free(void *block);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
int posix_memalign(void **block, size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void *valloc(size_t size);
size_t malloc_usable_size(void *block);

static void *take(size_t size, size_t alignment)
{
    const size_t first = (used + 16 + alignment - 1) / alignment * alignment;
    if (size > POOL_BYTES || first > POOL_BYTES - size) {
        return NULL;
    }
    memcpy(pool + first - 16, &size, sizeof(size));
    used = first + size;
    return pool + first;
}

void *malloc(size_t size)
{
    return take(size, 16);
}

void free(void *block)
{
    (void)block;
}

void *calloc(size_t count, size_t size)
{
    return size > 0 && count > SIZE_MAX / size ? NULL : take(count * size, 16);
}

size_t malloc_usable_size(void *block)
{
    size_t size = 0;
    memcpy(&size, (unsigned char *)block - 16, block != NULL ? sizeof(size) : 0);
    return size;
}

void *realloc(void *old, size_t size)
{
    void *block = take(size, 16);
    const size_t before = old != NULL ? malloc_usable_size(old) : 0;
    return block != NULL && old != NULL ? memcpy(block, old, before < size ? before : size) : block;
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = memalign(alignment, size);
    return *block == NULL;
}

void *memalign(size_t alignment, size_t size)
{
    return take(size, alignment < 16 ? 16 : alignment);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

void *valloc(size_t size)
{
    return memalign(65536, size); /* no system's pages are larger */
}
