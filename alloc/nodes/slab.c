/*
 * slab.c - the allocator "slab": blocks carved from large chunks, and a queue that stays in order.
 *
 * 1. Chunks (chunk=, 2 MiB) come from malloc, or are mapped in huge pages (pages=huge). A refused
 *    chunk is halved. From 256 MiB held on, a chunk is 32 or 64 MiB, unless an option says no.
 * 2. The front of a thread carves a page in address order. It follows the run of blocks that come
 *    back, of any page. When another run begins it settles the first: it links the blocks and
 *    counts them in one atomic step, with a lock only if the page becomes half empty or empty.
 * 3. A page whose blocks are all back is carved again, the page emptied last first: nothing ages.
 *    If more than an eighth of the pages, and 8, are at most half full, their blocks serve first.
 * 4. Deleting the last list, in a process with one front, frees all pages and looks at no block,
 *    unless pages that were used are more than its nodes.
 * Bound, any pattern, per size: 2.3 times the pages that the most blocks alive fill, 12 pages, and
 * 3 per further thread; in all a chunk more. A FIFO queue: 1.01 times and three pages. 16.0 bytes
 * per 16-byte node; above 512 bytes from the source. Tried: a front per list: no faster, three
 * times the code. Bonwick, "The Slab Allocator" (1994); Leijen et al., mimalloc (2019).
 */
#include "base/huge_pages.h"
#include "base/system_file.h"
#include "slab_pages.h"
#include <stdio.h>
#include <string.h>

enum { PAGES_AUTO, PAGES_NORMAL, PAGES_HUGE };
enum { OPTION_CHUNK, OPTION_PAGES };

static const struct node_option options[] = {
    [OPTION_CHUNK] = {"chunk", NODE_OPTION_SIZE, "2M", NULL, 4 * SLAB_PAGE_BYTES, (uint64_t)1 << 30,
                      "bytes asked of malloc, or mapped, at a time; not given: more from 256M on"},
    [OPTION_PAGES] = {"pages", NODE_OPTION_CHOICE, "auto", "auto|normal|huge", 0, 0,
                      "huge: map the chunks and ask for huge pages; auto: ask from 256M on"},
    {.name = NULL},
};

/* True if the system has huge pages switched off, so that asking for them does nothing. */
static bool huge_pages_are_off(void)
{
    char line[128];
    return !system_file_line("", "/sys/kernel/mm/transparent_hugepage/enabled", line,
                             sizeof(line)) ||
           strstr(line, "[never]") != NULL;
}

static bool slab_create(struct node_allocator *self, const struct node_option_value *values,
                        struct node_allocator_error *error)
{
    struct slab *slab = (struct slab *)self;
    (void)error;
    slab->chunk_bytes = (size_t)values[OPTION_CHUNK].number;
    slab->huge = values[OPTION_PAGES].number == PAGES_HUGE;
    slab->huge_if_large = values[OPTION_PAGES].number == PAGES_AUTO;
    slab->watched = blocks_are_watched();
    slab->note = "";
    if (slab->huge && huge_pages_are_off()) {
        slab->huge = false;
        slab->note = "huge pages are switched off on this system, normal pages used";
    }
    if (slab->huge) {
        slab->chunk_bytes = (slab->chunk_bytes + HUGE_PAGE_BYTES - 1) & ~(HUGE_PAGE_BYTES - 1);
    }
    slab->largest_bytes = values[OPTION_CHUNK].given ? slab->chunk_bytes : LARGEST_GROWTH;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        slab->direct[i].block_bytes = size_class_bytes(i) + block_gap();
    }
    return true;
}

/* Fronts of threads ---------------------------------------------------------------------------- */

static bool slab_open_front(struct node_allocator *self, struct node_front *front, size_t size)
{
    struct slab *slab = (struct slab *)self;
    if (size > SIZE_CLASS_MAX || slab->watched) {
        return false;
    }
    front->block_bytes = size_class_bytes(size_class_of(size));
    const bool locked = shared_lock(LOCK_HEAPS);
    node_front_enter(&slab->fronts, front);
    shared_unlock(LOCK_HEAPS, locked);
    return true;
}

static void *slab_take(struct node_allocator *self, struct node_front *front)
{
    struct slab *slab = (struct slab *)self;
    void *block = slab_refill(slab, front) ? node_front_take(front, front->block_bytes) : NULL;
    allocator_step(self, slab);
    return block;
}

/* A block that does not continue the run begins the next one. */
static void begin_run(struct slab *slab, struct node_front *front, void *block)
{
    slab_settle(slab, front);
    front->run_first = block;
    front->run_end = front->run_first + front->block_bytes;
}

static void slab_give(struct node_allocator *self, struct node_front *front, void *block)
{
    begin_run((struct slab *)self, front, block);
    allocator_step(self, (struct slab *)self);
}

/*
 * True if the count blocks of a chain are all that is alive, and no other thread has a front. All
 * pages are free then, and no block is looked at. The test looks at each page that was opened, so
 * it is made only if these are at most as many as the blocks. front: NULL if the caller has none.
 */
static bool reset_if_all(struct slab *slab, const struct node_front *front, size_t count)
{
    size_t pages = 0;
    const bool locked = shared_lock(LOCK_HEAPS);
    for (const struct slab_chunk *chunk = slab->chunks; chunk != NULL; chunk = chunk->next) {
        pages += chunk->opened;
    }
    const bool is_all = slab->fronts == front && (front == NULL || front->next == NULL) &&
                        !slab->watched && count >= pages && slab_live_blocks(slab) == count;
    if (is_all) {
        slab_reset(slab);
    }
    shared_unlock(LOCK_HEAPS, locked);
    return is_all;
}

static void slab_give_chain(struct node_allocator *self, struct node_front *front, void *head,
                            void *tail, size_t count)
{
    struct slab *slab = (struct slab *)self;
    (void)tail;
    if (reset_if_all(slab, front, count)) {
        return;
    }
    for (void *block = head; count > 0; count--) {
        void *next = *(void **)block;
        if (!node_front_give(front, block, front->block_bytes)) {
            begin_run(slab, front, block);
        }
        block = next;
    }
}

static void slab_close_front(struct node_allocator *self, struct node_front *front)
{
    struct slab *slab = (struct slab *)self;
    const bool locked = shared_lock(LOCK_HEAPS);
    slab_empty_front(slab, front);
    node_front_leave(&slab->fronts, front);
    allocator_step(self, slab);
    shared_unlock(LOCK_HEAPS, locked);
}

static const struct node_front_type slab_fronts = {slab_open_front, slab_take, slab_give,
                                                   slab_give_chain, slab_close_front};

/* Blocks without a front of the caller's, under the lock --------------------------------------- */

static void *allocate_large(struct slab *slab, size_t size)
{
    void *large = slab->base.source->allocate(size);
    if (large != NULL) {
        slab->large_live++;
        slab_hold(slab, size);
    }
    return large;
}

static void *allocate_small(struct slab *slab, size_t size)
{
    struct node_front *front = &slab->direct[size_class_of(size)];
    if (front->free_list == NULL && front->carve == front->carve_end && !slab_refill(slab, front)) {
        return NULL;
    }
    if (front->free_list != NULL) {
        block_mark_own(slab->watched, front->free_list, sizeof(void *));
    }
    void *block = node_front_take(front, front->block_bytes);
    block_mark_live(slab->watched, block, size);
    return block;
}

static void *slab_allocate(struct node_allocator *self, size_t size)
{
    struct slab *slab = (struct slab *)self;
    const bool locked = shared_lock(LOCK_HEAPS);
    void *block = size > SIZE_CLASS_MAX ? allocate_large(slab, size) : allocate_small(slab, size);
    allocator_step(self, slab);
    shared_unlock(LOCK_HEAPS, locked);
    return block;
}

static void slab_release(struct node_allocator *self, void *block, size_t size)
{
    struct slab *slab = (struct slab *)self;
    const bool locked = shared_lock(LOCK_HEAPS);
    if (size > SIZE_CLASS_MAX) {
        pw_assert(slab->large_live > 0 && slab->held_bytes >= size);
        slab->large_live--;
        slab->held_bytes -= size;
        self->source->release(block);
    } else {
        struct node_front *front = &slab->direct[size_class_of(size)];
        if (slab->watched) {
            *(volatile char *)block = 0; /* a checker reports a second release by this write */
        }
        block_mark_dead(slab->watched, block, size);
        if (!node_front_give(front, block, front->block_bytes)) {
            begin_run(slab, front, block);
        }
    }
    allocator_step(self, slab);
    shared_unlock(LOCK_HEAPS, locked);
}

static void slab_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                               size_t size)
{
    (void)tail;
    if (size > SIZE_CLASS_MAX || !reset_if_all((struct slab *)self, NULL, count)) {
        node_allocator_release_each(self, head, count, size);
    }
}

/* The heap as a whole: nobody works on it ------------------------------------------------------ */

static void slab_trim(struct node_allocator *self)
{
    struct slab *slab = (struct slab *)self;
    while (slab->fronts != NULL) {
        slab_close_front(self, slab->fronts);
    }
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        slab_empty_front(slab, &slab->direct[i]);
    }
    slab_trim_chunks(slab);
    PW_DEBUG_ONLY(pw_assert(allocator_is_sound(self));)
}

/* Also live blocks go, but for those above SIZE_CLASS_MAX, which are the source's. */
static void slab_destroy(struct node_allocator *self)
{
    struct slab *slab = (struct slab *)self;
    slab_reset(slab);
    slab_trim(self);
    pw_assert(slab->chunks == NULL);
}

static void slab_statistics(const struct node_allocator *self,
                            struct node_allocator_statistics *out)
{
    const struct slab *slab = (const struct slab *)self;
    out->live_blocks = slab_live_blocks(slab) + slab->large_live;
    out->held_bytes = slab->held_bytes;
    out->held_bytes_max = slab->held_bytes_max;
    if (slab->refused_bytes > 0) {
        snprintf(out->note, sizeof(out->note),
                 "chunks of %zu bytes: larger ones, of up to %zu, were refused%s%s",
                 slab->largest_bytes, slab->refused_bytes, slab->note[0] != '\0' ? "; " : "",
                 slab->note);
    } else {
        snprintf(out->note, sizeof(out->note), "%s", slab->note);
    }
}

/* True if the blocks of a page that are back are as many as are not out. */
static bool page_balances(const struct slab *slab, const struct slab_page *page)
{
    const struct page_blocks blocks = atomic_load(&page->blocks);
    if (page->state == PAGE_EMPTY) {
        return blocks.out == 0;
    }
    size_t back = 0;
    if (blocks.out < page->capacity) {
        void *block = (char *)(uintptr_t)page + blocks.back;
        for (; block != NULL && back < page->capacity; back++) {
            block = slab_next_back(slab, block);
        }
    }
    const bool is_half = blocks.out <= page->capacity / 2u;
    return back + blocks.out == page->capacity && is_half == (page->state == PAGE_HALF);
}

static bool slab_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct slab *slab = (const struct slab *)self;
    size_t used = 0;
    size_t half = 0;
    size_t counted = 0;
    for (const struct slab_chunk *chunk = slab->chunks; chunk != NULL; chunk = chunk->next) {
        for (size_t i = 0; i < chunk->opened; i++) {
            const struct slab_page *page = slab_chunk_page(chunk, i);
            if (!page_balances(slab, page)) {
                snprintf(message, message_size, "slab: page %p: its blocks are miscounted",
                         (const void *)page);
                return false;
            }
            used += page->state != PAGE_EMPTY;
            half += page->state == PAGE_HALF;
        }
    }
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        used -= slab->page_count[i];
        half -= slab->half_count[i];
        for (const struct slab_page *page = slab->half[i]; page != NULL; page = page->next) {
            counted++;
        }
        counted -= slab->half_count[i];
    }
    if (used != 0 || half != 0 || counted != 0) {
        snprintf(message, message_size, "slab: the counts of pages are wrong");
        return false;
    }
    return true;
}

static double slab_bytes_per_block(const struct node_allocator *self, size_t size)
{
    (void)self;
    if (size > SIZE_CLASS_MAX) {
        return malloc_allocator.bytes_per_block(self, size);
    }
    size_t block = size_class_bytes(size_class_of(size));
    size_t capacity = (PAGE_BYTES - PAGE_HEADER) / block;
    return (double)PAGE_BYTES / (double)capacity;
}

const struct node_allocator_type slab_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "slab",
    .summary = "nodes carved in address order from large chunks, pages reused when empty",
    .flags = NODE_ALLOCATOR_THREAD_SAFE | NODE_ALLOCATOR_ASKS_RARELY,
    .instance_bytes = sizeof(struct slab),
    .options = options,
    .bytes_per_block = slab_bytes_per_block,
    .create = slab_create,
    .allocate = slab_allocate,
    .release = slab_release,
    .release_chain = slab_release_chain,
    .fronts = &slab_fronts,
    .trim = slab_trim,
    .statistics = slab_statistics,
    .check = slab_check,
    .destroy = slab_destroy,
};
