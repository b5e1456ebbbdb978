/*
 * broken_threads.c - an allocator that says it is thread-safe, and makes one mistake among threads.
 *
 * Each thread carves pages of its own. A page goes back to the source when all its blocks are
 * carved and back, or at a trim; one lock serves all. test_check.sh builds it once for each
 * mistake, with -DBREAKS=...; BREAKS=NOTHING makes none.
 */
#include <node_allocator.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
    NOTHING,
    LOSE_REMOTE, /* some blocks that another thread gives back are lost */
    GIVE_TWICE,  /* such a block is kept for two threads */
    FREE_EARLY   /* a page goes back although its owner still carves it */
};

#define BLOCKS 32 /* of a page */
#define BYTES  32 /* from block to block: 16 that say of which page, and the block */

struct page {
    struct page *next, *previous;
    pthread_t owner;
    unsigned carved, back;
    _Alignas(16) unsigned char blocks[BLOCKS][BYTES];
};

struct heap {
    struct node_allocator base;
    unsigned number; /* another one after each trim: pages of an earlier one are nobody's */
    struct page *pages;
    unsigned remote; /* blocks that another thread gave back */
    void *kept;      /* such blocks, for anyone */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned numbers;
static _Thread_local struct page *current; /* of the heap with that number */
static _Thread_local unsigned current_of;

static bool create(struct node_allocator *self, const struct node_option_value *values,
                   struct node_allocator_error *error)
{
    (void)values;
    (void)error;
    ((struct heap *)self)->number = ++numbers;
    return true;
}

static void give_page(struct heap *heap, struct page *page)
{
    *(page->previous != NULL ? &page->previous->next : &heap->pages) = page->next;
    if (page->next != NULL) {
        page->next->previous = page->previous;
    }
    heap->base.source->release(page);
}

/* Give back the pages without a block. */
static void trim(struct node_allocator *self)
{
    struct heap *heap = (struct heap *)self;
    for (struct page *page = heap->pages, *next; page != NULL; page = next) {
        next = page->next;
        if (page->back == page->carved) {
            give_page(heap, page);
        }
    }
    heap->number = ++numbers;
}

static void *carve(struct heap *heap)
{
    struct page *page = current_of == heap->number ? current : NULL;
    if (page == NULL) {
        page = heap->base.source->allocate(sizeof(*page));
        if (page == NULL) {
            return NULL;
        }
        memset(page, 0, sizeof(*page));
        page->owner = pthread_self();
        page->next = heap->pages;
        if (heap->pages != NULL) {
            heap->pages->previous = page;
        }
        heap->pages = page;
        current = page;
        current_of = heap->number;
    }
    unsigned char *at = page->blocks[page->carved++];
    memcpy(at, &page, sizeof(page));
    if (page->carved == BLOCKS) {
        current = NULL;
    }
    return at + 16;
}

static void *allocate(struct node_allocator *self, size_t size)
{
    struct heap *heap = (struct heap *)self;
    if (size != 16) {
        return self->source->allocate(size);
    }
    pthread_mutex_lock(&lock);
    void *block = heap->kept;
    if (block != NULL) {
        heap->kept = *(void **)block;
    } else {
        block = carve(heap);
    }
    pthread_mutex_unlock(&lock);
    return block;
}

static void release(struct node_allocator *self, void *block, size_t size)
{
    struct heap *heap = (struct heap *)self;
    struct page *page = NULL;
    if (size != 16) {
        self->source->release(block);
        return;
    }
    pthread_mutex_lock(&lock);
    memcpy(&page, (unsigned char *)block - 16, sizeof(page));
    const bool is_remote = !pthread_equal(page->owner, pthread_self());
    const bool is_wrong = is_remote && ++heap->remote % 8 == 0;
    if (BREAKS == GIVE_TWICE && is_wrong) {
        *(void **)block = heap->kept;
        heap->kept = block;
    }
    page->back += !(BREAKS == LOSE_REMOTE && is_wrong);
    const bool is_early = BREAKS == FREE_EARLY && is_remote && page->back == page->carved;
    if (page->back == BLOCKS || is_early) {
        give_page(heap, page);
    }
    pthread_mutex_unlock(&lock);
}

static double bytes_per_block(const struct node_allocator *self, size_t size)
{
    (void)self;
    return (double)size + BYTES;
}

PW_EXPORT extern const struct node_allocator_type NODE_ALLOCATOR_PLUGIN;
const struct node_allocator_type NODE_ALLOCATOR_PLUGIN = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "broken-threads",
    .summary = "pages per thread, and one mistake among threads",
    .flags = NODE_ALLOCATOR_THREAD_SAFE | NODE_ALLOCATOR_GIVES_BACK,
    .instance_bytes = sizeof(struct heap),
    .bytes_per_block = bytes_per_block,
    .create = create,
    .allocate = allocate,
    .release = release,
    .trim = trim,
    .destroy = trim,
};
