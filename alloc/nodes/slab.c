/*
 * slab.c - the allocator "slab": blocks carved from large chunks, and a queue that stays in order.
 *
 * 1. Chunks (chunk=, 2 MiB) come from malloc, or are mapped and backed by huge pages when asked
 *    (pages=huge). A refused chunk is halved, down to one page. From 256 MiB held on, where the
 *    options leave it open, a chunk is 32 or 64 MiB in huge pages. slab_pages.h: the pages.
 * 2. A page serves one list and one size; small lists share some, by way of 256 blocks per thread
 *    at most (magazines.h). The current page is carved in address order. A page whose blocks have
 *    all come back is carved again, the last emptied first: a FIFO list always lies in address
 *    order, and nothing ages.
 * 3. When pages half of whose blocks are back are more than an eighth, they are used first.
 * 4. Deleting a list empties its pages, O(pages). After the last one, all lie in address order.
 * Bound, for any pattern, per list and size: 2.3 times the pages that its most blocks alive fill,
 * and 11 pages; with threads an eighth and one page more; in all one chunk more (2 MiB, or an
 * eighth of what is held). A FIFO queue: 1.02 times and three pages. 16.1 bytes per 16-byte node;
 * above 512 from the source. Bonwick, "The Slab Allocator" (1994); Leijen et al., mimalloc (2019).
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
    slab->watched = slab->depot.is_watched = blocks_are_watched();
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
        slab->shared[i].block_bytes = size_class_bytes(i) + block_gap();
    }
    return true;
}

/* Blocks through the shared fronts, under the lock --------------------------------------------- */

static void *allocate_locked(struct slab *slab, size_t size)
{
    if (size > SIZE_CLASS_MAX) {
        void *large = slab->base.source->allocate(size);
        if (large != NULL) {
            slab->large_live++;
            slab_hold(slab, size);
        }
        return large;
    }
    struct node_front *front = &slab->shared[size_class_of(size)];
    if (slab->watched && front->free_list != NULL) {
        block_mark_own(true, front->free_list, sizeof(void *));
    }
    void *block = node_front_take(front, front->block_bytes);
    if (block == NULL) {
        block = slab_refill(slab, front);
    }
    if (block != NULL) {
        slab->shared_live++;
        block_mark_live(slab->watched, block, size);
    }
    return block;
}

/* Take back a block that allocate gave. */
static void release_locked(struct slab *slab, void *block, size_t size)
{
    if (size > SIZE_CLASS_MAX) {
        pw_assert(slab->large_live > 0 && slab->held_bytes >= size);
        slab->large_live--;
        slab->held_bytes -= size;
        slab->base.source->release(block);
        return;
    }
    struct node_front *front = &slab->shared[size_class_of(size)];
    pw_assert(slab->shared_live > 0 && slab_page_of(block)->owner == front);
    slab->shared_live--;
    block_mark_room_for_link(slab->watched, block, size);
    if (!node_front_give(front, block, front->block_bytes)) {
        slab_give(slab, front, block);
    }
    block_mark_dead(slab->watched, block, size < sizeof(void *) ? sizeof(void *) : size);
}

/* Blocks of nodes, by the front of the thread -------------------------------------------------- */

static struct node_front *front_of_thread(struct slab *slab, size_t size)
{
    return magazines_of_thread(&slab->depot, slab->threads, size);
}

/* Fill the magazine of a front that has none with the next blocks of the current page, the first to
 * be taken first. It asks for no more pages than one block does. */
static void *take_magazine(struct slab *slab, struct node_front *own)
{
    if (!magazines_swap(own)) {
        void **link = &own->free_list;
        const bool locked = shared_lock(LOCK_HEAPS);
        *link = allocate_locked(slab, SIZE_CLASS_STEP);
        while (*link != NULL) {
            link = *link;
            own->kept++;
            *link = own->kept < MAGAZINE_BLOCKS ? node_front_take(&slab->shared[0], SIZE_CLASS_STEP)
                                                : NULL;
            slab->shared_live += *link != NULL;
        }
        shared_unlock(LOCK_HEAPS, locked);
    }
    return node_front_take(own, SIZE_CLASS_STEP);
}

/* Keep a block in a front that is full: its second magazine goes back to the pages. */
static void give_magazine(struct slab *slab, struct node_front *own, void *block)
{
    if (!magazines_keep(&slab->depot, own, block)) {
        const bool locked = shared_lock(LOCK_HEAPS);
        for (void *next, *at = own->own[MAGAZINE_SECOND]; at != NULL; at = next) {
            next = *(void **)at;
            release_locked(slab, at, SIZE_CLASS_STEP);
        }
        own->own[MAGAZINE_SECOND] = NULL;
        shared_unlock(LOCK_HEAPS, locked);
        magazines_keep(&slab->depot, own, block);
    }
}

static void *slab_allocate(struct node_allocator *self, size_t size)
{
    struct slab *slab = (struct slab *)self;
    struct node_front *own = front_of_thread(slab, size);
    if (own != NULL) {
        void *block = node_front_take(own, SIZE_CLASS_STEP);
        return block != NULL ? block : take_magazine(slab, own);
    }
    const bool locked = shared_lock(LOCK_HEAPS);
    void *block = allocate_locked(slab, size);
    allocator_step(self, slab);
    shared_unlock(LOCK_HEAPS, locked);
    return block;
}

static void slab_release(struct node_allocator *self, void *block, size_t size)
{
    struct node_front *own = front_of_thread((struct slab *)self, size);
    if (own != NULL) {
        if (!node_front_push(own, block)) {
            give_magazine((struct slab *)self, own, block);
        }
        return;
    }
    const bool locked = shared_lock(LOCK_HEAPS);
    release_locked((struct slab *)self, block, size);
    allocator_step(self, (struct slab *)self);
    shared_unlock(LOCK_HEAPS, locked);
}

/* True if no list has a page, and allocate gave only these count blocks and what the front of this
 * thread keeps. All pages are free then. Under the lock. */
static bool reset_if_unused(struct slab *slab, size_t count)
{
    struct node_front *own = front_of_thread(slab, SIZE_CLASS_STEP);
    const uint64_t kept = own != NULL ? magazines_kept(own) : 0;
    const bool is_unused =
        slab->shared_live == count + kept && slab->list_pages == 0 && !slab->watched;
    if (is_unused) {
        if (own != NULL) {
            magazines_forget(own);
        }
        slab->shared_live = 0;
        slab_reset(slab);
    }
    return is_unused;
}

static void slab_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                               size_t size)
{
    struct slab *slab = (struct slab *)self;
    (void)tail;
    const bool locked = shared_lock(LOCK_HEAPS);
    const bool is_all = size <= SIZE_CLASS_MAX && reset_if_unused(slab, count);
    shared_unlock(LOCK_HEAPS, locked);
    if (!is_all) {
        node_allocator_release_each(self, head, count, size);
    }
}

/* Fronts of lists ------------------------------------------------------------------------------ */

static bool slab_open_front(struct node_allocator *self, struct node_front *front, size_t size)
{
    const struct slab *slab = (const struct slab *)self;
    if (size > SIZE_CLASS_MAX || slab->watched) {
        return false;
    }
    front->block_bytes = size_class_bytes(size_class_of(size));
    return true;
}

static void *slab_take(struct node_allocator *self, struct node_front *front)
{
    return slab_refill((struct slab *)self, front);
}

static void slab_give_front(struct node_allocator *self, struct node_front *front, void *block)
{
    if (slab_page_of(block)->owner == front) {
        slab_give((struct slab *)self, front, block);
    } else { /* allocate gave it */
        slab_release(self, block, front->block_bytes);
    }
}

/* Give back the blocks of the chain that are not of the front's own pages; a page names its owner.
 * A list took them before it had a front, so a queue has them at its head. */
static void release_borrowed(struct slab *slab, const struct node_front *front, void *head,
                             uint64_t borrowed)
{
    for (void *block = head; borrowed > 0;) {
        void *next = *(void **)block;
        if (slab_page_of(block)->owner != front) {
            release_locked(slab, block, front->block_bytes);
            borrowed--;
        }
        block = next;
    }
}

static uint64_t live_in(const struct slab_page *page)
{
    uint64_t live = 0;
    for (; page != NULL; page = page->next) {
        live += slab_page_live(page);
    }
    return live;
}

static void slab_close_front(struct node_allocator *self, struct node_front *front, void *head,
                             void *tail, size_t count)
{
    struct slab *slab = (struct slab *)self;
    (void)tail;
    const bool locked = shared_lock(LOCK_HEAPS);
    const struct slab_page *current = front->own[FRONT_CURRENT];
    const uint64_t own = live_in(front->own[FRONT_USED]) + live_in(front->own[FRONT_HALF]) +
                         (current != NULL ? slab_page_live(current) : 0);
    /* a thread that a child of fork does not have may hold a block of its empty list */
    pw_assert(own <= count || shared_locks_were_forked());
    release_borrowed(slab, front, head, own < count ? count - own : 0);
    slab_leave_pages(slab, front);
    memset(front, 0, sizeof(*front));
    reset_if_unused(slab, 0);
    allocator_step(self, slab);
    shared_unlock(LOCK_HEAPS, locked);
}

static const struct node_front_type slab_fronts = {slab_open_front, slab_take, slab_give_front,
                                                   slab_close_front};

/* The heap as a whole: nobody works on it ------------------------------------------------------ */

static void slab_trim(struct node_allocator *self)
{
    struct slab *slab = (struct slab *)self;
    for (struct node_front *at = slab->depot.fronts; at != NULL; at = at->next_front) {
        magazines_flush(&slab->depot, at);
    }
    for (void *block; (block = magazines_pop(&slab->depot)) != NULL;) {
        release_locked(slab, block, SIZE_CLASS_STEP);
    }
    if (slab->shared_live == 0 && slab->list_pages == 0) {
        slab_reset(slab);
    }
    slab_trim_chunks(slab);
    PW_DEBUG_ONLY(pw_assert(allocator_is_sound(self));)
}

static void slab_destroy(struct node_allocator *self)
{
    struct slab *slab = (struct slab *)self;
    slab->shared_live = slab->list_pages = 0; /* also live blocks go */
    slab->depot.fronts = NULL;
    slab_reset(slab);
    slab_trim(self);
    pw_assert(slab->chunks == NULL);
}

/* Blocks given out and not released, without the large ones. */
static uint64_t live_blocks(const struct slab *slab)
{
    uint64_t live = 0;
    for (const struct slab_chunk *chunk = slab->chunks; chunk != NULL; chunk = chunk->next) {
        for (size_t i = 0; i < chunk->opened; i++) {
            live += slab_page_live(slab_chunk_page(chunk, i));
        }
    }
    return live;
}

static void slab_statistics(const struct node_allocator *self,
                            struct node_allocator_statistics *out)
{
    const struct slab *slab = (const struct slab *)self;
    out->live_blocks =
        live_blocks(slab) + slab->large_live - magazines_blocks(&slab->depot, slab->shared_live);
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

/* Blocks of a page on its free list and in its run; more than it has if the list loops. */
static size_t kept_blocks(const struct slab_page *page)
{
    size_t kept = (size_t)(page->run_end - slab_first_block(page)) / page->owner->block_bytes;
    for (void *block = page->free_list; block && kept <= page->capacity;) {
        kept++;
        block = *(void **)block;
    }
    return kept;
}

/* True if a page's counts and its free list agree. */
static bool page_balances(const struct slab *slab, const struct slab_page *page)
{
    if (page->state == PAGE_EMPTY || page->state == PAGE_SPARE) {
        return true;
    }
    const size_t out = slab_page_out(page);
    if (out > page->capacity || page->countdown == 0 || slab_page_live(page) > page->capacity) {
        return false;
    }
    if (slab->watched) { /* the links of dead blocks are out of bounds for a checker */
        return true;
    }
    const size_t whole = kept_blocks(page) + out;
    return whole == page->capacity ||
           (shared_locks_were_forked() && whole == page->capacity + 1u); /* not counted yet */
}

static bool front_balances(const struct node_front *front)
{
    size_t half = 0;
    for (const struct slab_page *page = front->own[FRONT_HALF]; page != NULL; page = page->next) {
        half += page->state == PAGE_HALF && page->half_back && page->owner == front;
    }
    return half == front->own_count[FRONT_HALVES];
}

static bool slab_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct slab *slab = (const struct slab *)self;
    uint64_t list_pages = 0, shared_pages = 0, shared_live = 0;
    for (const struct slab_chunk *chunk = slab->chunks; chunk != NULL; chunk = chunk->next) {
        for (size_t i = 0; i < chunk->opened; i++) {
            const struct slab_page *page = slab_chunk_page(chunk, i);
            if (!page_balances(slab, page)) {
                snprintf(message, message_size, "slab: page %p: counts and free list disagree",
                         (const void *)page);
                return false;
            }
            const bool is_shared = page->state != PAGE_EMPTY && slab_is_shared(slab, page->owner);
            list_pages += page->state != PAGE_EMPTY && !is_shared;
            shared_pages += is_shared;
            shared_live += is_shared ? slab_page_live(page) : 0;
            if (page->state == PAGE_HALF && page->previous == NULL &&
                !front_balances(page->owner)) {
                snprintf(message, message_size, "slab: page %p: its front's half pages, miscounted",
                         (const void *)page);
                return false;
            }
        }
    }
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        shared_pages -= slab->shared[i].own_count[FRONT_PAGES];
    }
    if (shared_pages != 0 || list_pages != slab->list_pages || shared_live != slab->shared_live ||
        magazines_blocks(&slab->depot, shared_live) > shared_live) {
        snprintf(message, message_size, "slab: the counts of pages and live blocks are wrong");
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
