/*
 * node_sizes.c - a node's size here, beside the row of the page that test_node_sizes.sh gives.
 *
 * What a compiler knows is held when this is compiled, also for a system that is not here; the rest
 * when it runs. Prints the row of a table that starts with argv[1].
 */
#include "alloc/size_class.h"
#include "liblist/linked_list.h"
#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof(struct node) == NODE, "struct node");
_Static_assert(NODE_ALIGNMENT == ALIGNED && _Alignof(struct node) <= ALIGNED, "alignment");

#ifdef __GLIBC__
#include <malloc.h>

static size_t malloc_bytes(void)
{
    void *block = malloc(sizeof(struct node));
    const size_t bytes = malloc_usable_size(block) + sizeof(size_t);
    free(block);
    return bytes;
}
#else
static size_t malloc_bytes(void)
{
    return 0; /* the page says it for glibc alone */
}
#endif

int main(int argc, char *argv[])
{
    char text[24] = "";
    const size_t slab = size_class_bytes(size_class_of(sizeof(struct node)));
    const size_t bytes = malloc_bytes();
    if (bytes > 0) {
        snprintf(text, sizeof(text), "%zu", bytes);
    }
    printf("| %s | %zu | %zu | %s | %zu |\n", argv[argc - 1], sizeof(struct node), slab, text,
           NODE_ALIGNMENT);
    return slab != SLAB || (bytes > 0 && bytes != MALLOC);
}
