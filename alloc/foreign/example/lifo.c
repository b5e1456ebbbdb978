/*
 * lifo.c - an example of your own allocator, outside this project: a free list for one block size.
 *
 *     cc -shared -fPIC -I PREFIX/include -o lifo.so lifo.c
 *     bfs --alloc plugin:./lifo.so ...
 */
#include <node_allocator.h>

struct lifo {
    struct node_allocator base; /* first, always */
    size_t size;                /* of every block on the list; other sizes go straight to malloc */
    void *list;
};

static bool create(struct node_allocator *self, const struct node_option_value *values,
                   struct node_allocator_error *error)
{
    (void)error;
    ((struct lifo *)self)->size = values[0].number;
    return true;
}

static void *allocate(struct node_allocator *self, size_t size)
{
    struct lifo *lifo = (struct lifo *)self;
    void *block = size == lifo->size ? lifo->list : NULL;
    if (block == NULL) {
        return self->source->allocate(size);
    }
    lifo->list = *(void **)block;
    return block;
}

static void release(struct node_allocator *self, void *block, size_t size)
{
    struct lifo *lifo = (struct lifo *)self;
    if (size != lifo->size) {
        self->source->release(block);
        return;
    }
    *(void **)block = lifo->list;
    lifo->list = block;
}

static void give_back(struct node_allocator *self)
{
    struct lifo *lifo = (struct lifo *)self;
    while (lifo->list != NULL) {
        self->source->release(allocate(self, lifo->size));
    }
}

static double bytes_per_block(const struct node_allocator *self, size_t size)
{
    (void)self;
    return (double)(size < 24 ? 32 : (size + 8 + 15) / 16 * 16); /* glibc's malloc */
}

static const struct node_option options[] = {
    {.name = "size", .default_value = "16", .min = 8, .max = 1024, .help = "bytes of a block kept"},
    {.name = NULL},
};

PW_EXPORT extern const struct node_allocator_type NODE_ALLOCATOR_PLUGIN;
const struct node_allocator_type NODE_ALLOCATOR_PLUGIN = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "lifo",
    .summary = "one free list for one block size",
    .instance_bytes = sizeof(struct lifo),
    .options = options,
    .bytes_per_block = bytes_per_block,
    .create = create,
    .allocate = allocate,
    .release = release,
    .trim = give_back,
    .destroy = give_back,
};
