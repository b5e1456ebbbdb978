/*
 * slab_pages.c - see slab_pages.h. One file: pages and the chunks that they come from are one
 * structure.
 */
#include "slab_pages.h"
#include "base/huge_pages.h"
#include <string.h>
#include <sys/mman.h>

/*
 * Half pages, with at most half of their blocks out, serve again when there are more than
 * pages / HALF_SHARE + HALF_SPARE of their size. A page that two queues empty in turns is half
 * for a while; carved as a whole it keeps nodes in order, so most half pages are left alone. All
 * other pages are more than half full. Of P pages, P - P / 8 - 8 are then; the live blocks, which
 * could fill F pages, fill half of each: P - P / 8 - 8 <= 2 F. So P is at most (2 F + 8) * 8 / 7.
 * A front has three more: the pages that it carves, of its run and of its free list. Together
 * 2.3 F + 12, the bound of slab.c. HALF_SPARE keeps a small slab from reusing scattered blocks.
 */
#define HALF_SHARE 8
#define HALF_SPARE 8

/* Chunks --------------------------------------------------------------------------------------- */

struct slab_page *slab_chunk_page(const struct slab_chunk *chunk, size_t index)
{
    uintptr_t first = (uintptr_t)chunk + sizeof(*chunk) + PAGE_BYTES - 1;
    return (struct slab_page *)((first & ~(uintptr_t)(PAGE_BYTES - 1)) + index * PAGE_BYTES);
}

static size_t page_count(const struct slab_chunk *chunk)
{
    return ((uintptr_t)chunk + chunk->bytes - (uintptr_t)slab_chunk_page(chunk, 0)) / PAGE_BYTES;
}

void slab_hold(struct slab *slab, size_t bytes)
{
    slab->held_bytes += bytes;
    if (slab->held_bytes > slab->held_bytes_max) {
        slab->held_bytes_max = slab->held_bytes;
    }
}

/* The size of the next chunk, if nothing refuses it. */
static size_t wanted_bytes(const struct slab *slab)
{
    size_t bytes = slab->chunk_bytes;
    if (slab->held_bytes >= LARGE_SLAB && bytes < LARGEST_GROWTH) {
        bytes = slab->held_bytes >= 2 * LARGE_SLAB ? LARGEST_GROWTH : LARGEST_GROWTH / 2;
    }
    return bytes < slab->largest_bytes ? bytes : slab->largest_bytes;
}

/* Memory for a chunk, mapped or the source's; NULL: refused. */
static struct slab_chunk *take_chunk(struct slab *slab, size_t bytes)
{
    if (!slab->huge) {
        struct slab_chunk *own = slab->base.source->allocate(bytes);
        if (own != NULL && slab->huge_if_large && slab->held_bytes >= LARGE_SLAB) {
            huge_pages_advise(own, bytes);
        }
        return own;
    }
    bool advised = true;
    struct slab_chunk *chunk = huge_pages_map(bytes, &advised);
    if (!advised) {
        slab->note = "the system refused huge pages, normal pages used";
    }
    return chunk;
}

/*
 * Add a chunk and open pages from it. A refused size is halved, for this chunk and
 * all later ones. False when out of memory.
 */
static bool add_chunk(struct slab *slab)
{
    const size_t least = slab->huge ? HUGE_PAGE_BYTES : CHUNK_MIN;
    const size_t wanted = wanted_bytes(slab);
    size_t bytes = wanted;
    struct slab_chunk *chunk = take_chunk(slab, bytes);
    while (chunk == NULL && bytes > least) {
        const size_t half = bytes / 2 / least * least;
        bytes = half > 0 ? half : least;
        chunk = take_chunk(slab, bytes);
    }
    if (chunk == NULL) {
        return false;
    }
    if (bytes < wanted) {
        slab->largest_bytes = bytes;
        slab->refused_bytes = wanted > slab->refused_bytes ? wanted : slab->refused_bytes;
    }
    *chunk = (struct slab_chunk){.next = slab->chunks, .bytes = (uint32_t)bytes};
    slab->chunks = slab->opening = chunk;
    slab_hold(slab, bytes);
    return true;
}

static void free_chunk(struct slab *slab, struct slab_chunk *chunk)
{
    size_t bytes = chunk->bytes;
    pw_assert(slab->held_bytes >= bytes);
    slab->held_bytes -= bytes;
    /* the next owner of this memory may touch all of it */
    block_mark_live(slab->watched, chunk, bytes);
    if (slab->huge) {
        munmap(chunk, bytes);
    } else {
        slab->base.source->release(chunk);
    }
}

/* Pages ---------------------------------------------------------------------------------------- */

static size_t class_of(const struct slab_page *page)
{
    return size_class_of(page->block_bytes - block_gap());
}

static unsigned char *first_block(const struct slab_page *page)
{
    return (unsigned char *)(uintptr_t)page + PAGE_HEADER;
}

static struct slab_page *page_of(const void *block)
{
    return (struct slab_page *)((uintptr_t)block & ~(uintptr_t)(PAGE_BYTES - 1));
}

static size_t out_of(const struct slab_page *page)
{
    const struct page_blocks blocks = atomic_load(&page->blocks);
    return blocks.out;
}

static void leave_half(struct slab *slab, struct slab_page *page)
{
    pw_assert(page->state == PAGE_HALF && slab->half_count[class_of(page)] > 0);
    *(page->previous != NULL ? &page->previous->next : &slab->half[class_of(page)]) = page->next;
    if (page->next != NULL) {
        page->next->previous = page->previous;
    }
    slab->half_count[class_of(page)]--;
    page->state = PAGE_USED;
}

static void enter_half(struct slab *slab, struct slab_page *page)
{
    struct slab_page *first = slab->half[class_of(page)];
    page->state = PAGE_HALF;
    page->previous = NULL;
    page->next = first;
    if (first != NULL) {
        first->previous = page;
    }
    slab->half[class_of(page)] = page;
    slab->half_count[class_of(page)]++;
}

/* Put a page on the list where its count belongs now, unless it is there. Under the lock. */
static void place_page(struct slab *slab, struct slab_page *page)
{
    const size_t out = out_of(page);
    if (page->state == PAGE_HALF && out == 0) {
        leave_half(slab, page);
    }
    if (page->state == PAGE_USED && out == 0) {
        slab->page_count[class_of(page)]--;
        page->state = PAGE_EMPTY;
        page->next = slab->empty;
        slab->empty = page;
    } else if (page->state == PAGE_USED && out <= page->capacity / 2u) {
        enter_half(slab, page);
    }
}

static void set_next_back(const struct slab *slab, unsigned char *block, void *next)
{
    block_mark_own(slab->watched, block, sizeof(void *));
    *(void **)block = next;
    block_mark_dead(slab->watched, block, sizeof(void *));
}

/*
 * Give count blocks from first on back to their page. Release and acquire: the thread that takes
 * them, or empties the page, sees what all threads wrote to its blocks before.
 */
static void give_back(struct slab *slab, unsigned char *first, size_t count)
{
    struct slab_page *page = page_of(first);
    const size_t capacity = page->capacity; /* read now: at the end, the page may serve others */
    unsigned char *const last = first + (count - 1) * page->block_bytes;
    for (unsigned char *block = first; count < capacity && block != last;) {
        unsigned char *next = block + page->block_bytes;
        set_next_back(slab, block, next);
        block = next;
    }
    struct page_blocks before = atomic_load(&page->blocks), after;
    do {
        pw_assert(count <= before.out && before.out <= capacity);
        set_next_back(slab, last, before.out < capacity ? (char *)page + before.back : NULL);
        after.out = (uint16_t)(before.out - count);
        after.back = (uint16_t)(first - (unsigned char *)page);
    } while (!atomic_compare_exchange_weak(&page->blocks, &before, after));
    if (after.out == 0 || (before.out > capacity / 2 && after.out <= capacity / 2)) {
        const bool locked = shared_lock(LOCK_HEAPS);
        place_page(slab, page); /* which may be empty by now, or open again */
        shared_unlock(LOCK_HEAPS, locked);
    }
}

void slab_settle(struct slab *slab, struct node_front *front)
{
    if (front->run_end != NULL) {
        give_back(slab, front->run_first,
                  (size_t)(front->run_end - front->run_first) / front->block_bytes);
        front->run_end = front->run_first = NULL;
    }
}

/* A page that nobody uses: from the empty list, else the chunks; NULL if there is no such page. */
static struct slab_page *free_page(struct slab *slab)
{
    struct slab_page *page = slab->empty;
    if (page != NULL) {
        pw_assert(page->state == PAGE_EMPTY);
        slab->empty = page->next;
        return page;
    }
    while (slab->opening != NULL && slab->opening->opened == page_count(slab->opening)) {
        slab->opening = slab->opening->next;
    }
    struct slab_chunk *chunk = slab->opening;
    return chunk != NULL ? slab_chunk_page(chunk, chunk->opened++) : NULL;
}

/* Let a front carve a page. Nobody else knows it. */
static void open_page(struct slab *slab, struct node_front *front, struct slab_page *page)
{
    const size_t room = PAGE_BYTES - PAGE_HEADER;
    const size_t capacity = room / front->block_bytes;
    pw_assert(((uintptr_t)page & (PAGE_BYTES - 1)) == 0 && front->free_list == NULL);
    page->capacity = (uint16_t)capacity;
    page->block_bytes = (uint16_t)front->block_bytes;
    page->state = PAGE_USED;
    atomic_store(&page->blocks, (struct page_blocks){.out = (uint16_t)capacity});
    slab->page_count[class_of(page)]++;
    front->carve = first_block(page);
    front->carve_end = front->carve + capacity * front->block_bytes;
    block_mark_dead(slab->watched, first_block(page), room);
}

/* Give a front the blocks of a half page that are back. False: the page has become empty meanwhile.
 * The thread that emptied it waits for the lock, and then puts it on the list of empty pages. */
static bool take_half(struct slab *slab, struct node_front *front, struct slab_page *page)
{
    const struct page_blocks all = {.out = page->capacity};
    struct page_blocks before = atomic_load(&page->blocks);
    leave_half(slab, page);
    do {
        if (before.out == 0) {
            return false;
        }
    } while (!atomic_compare_exchange_weak(&page->blocks, &before, all));
    front->free_list = (char *)page + before.back;
    front->kept = (size_t)(all.out - before.out);
    return true;
}

/* Give a front what is back of a half page, if the slab has more than "many" of them. */
static bool refill_from_half(struct slab *slab, struct node_front *front, size_t many)
{
    const size_t class = size_class_of(front->block_bytes - block_gap());
    while (slab->half[class] != NULL && slab->half_count[class] > many) {
        if (take_half(slab, front, slab->half[class])) {
            return true;
        }
    }
    return false;
}

/* True if the run of the front has all blocks of its page that are not back. */
static bool run_ends_page(const struct node_front *front)
{
    return front->run_end != NULL &&
           (size_t)(front->run_end - front->run_first) / front->block_bytes ==
               out_of(page_of(front->run_first));
}

bool slab_refill(struct slab *slab, struct node_front *front)
{
    if (run_ends_page(front)) {
        slab_settle(slab, front); /* its page may be the next one */
    }
    const bool locked = shared_lock(LOCK_HEAPS);
    const size_t pages = slab->page_count[size_class_of(front->block_bytes - block_gap())];
    bool is_filled = refill_from_half(slab, front, pages / HALF_SHARE + HALF_SPARE);
    if (!is_filled) {
        struct slab_page *page = free_page(slab);
        while (page == NULL && add_chunk(slab)) {
            page = free_page(slab); /* a chunk that lies badly may have no page */
        }
        if (page != NULL) {
            open_page(slab, front, page);
        }
        is_filled = page != NULL || refill_from_half(slab, front, 0);
    }
    shared_unlock(LOCK_HEAPS, locked);
    return is_filled;
}

void slab_empty_front(struct slab *slab, struct node_front *front)
{
    slab_settle(slab, front);
    const size_t left = (size_t)(front->carve_end - front->carve) / front->block_bytes;
    unsigned char *const first = front->carve;
    front->carve = front->carve_end = NULL;
    if (left > 0) {
        give_back(slab, first, left);
    }
    for (; front->kept > 0; front->kept--) {
        unsigned char *block = front->free_list;
        front->free_list = slab_next_back(slab, block);
        give_back(slab, block, 1);
    }
}

/* Blocks that are out of their pages, but belong to a front: free, or not settled. */
static uint64_t blocks_of_front(const struct node_front *front)
{
    return front->block_bytes == 0
               ? 0
               : front->kept + (size_t)(front->carve_end - front->carve) / front->block_bytes +
                     (size_t)(front->run_end - front->run_first) / front->block_bytes;
}

uint64_t slab_live_blocks(const struct slab *slab)
{
    uint64_t live = 0;
    for (const struct slab_chunk *chunk = slab->chunks; chunk != NULL; chunk = chunk->next) {
        for (size_t i = 0; i < chunk->opened; i++) {
            live += out_of(slab_chunk_page(chunk, i));
        }
    }
    for (const struct node_front *front = slab->fronts; front != NULL; front = front->next) {
        live -= blocks_of_front(front);
    }
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        live -= blocks_of_front(&slab->direct[i]);
    }
    return live;
}

static void clear_front(struct node_front *front)
{
    front->free_list = NULL;
    front->kept = 0;
    front->carve = front->carve_end = front->run_end = front->run_first = NULL;
}

void slab_reset(struct slab *slab)
{
    for (struct slab_chunk *chunk = slab->chunks; chunk != NULL; chunk = chunk->next) {
        chunk->opened = 0;
    }
    slab->opening = slab->chunks;
    slab->empty = NULL;
    for (struct node_front *front = slab->fronts; front != NULL; front = front->next) {
        clear_front(front);
    }
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        clear_front(&slab->direct[i]);
        slab->half[i] = NULL;
        slab->half_count[i] = slab->page_count[i] = 0;
    }
}

void slab_trim_chunks(struct slab *slab)
{
    slab->empty = NULL;
    for (struct slab_chunk **link = &slab->chunks; *link != NULL;) {
        struct slab_chunk *chunk = *link;
        struct slab_page *before = slab->empty;
        bool used = false;
        for (size_t i = chunk->opened; i-- > 0;) {
            struct slab_page *page = slab_chunk_page(chunk, i);
            if (page->state == PAGE_EMPTY) {
                page->next = slab->empty;
                slab->empty = page;
            } else {
                used = true;
            }
        }
        if (used) {
            link = &chunk->next;
        } else {
            slab->empty = before;
            *link = chunk->next;
            free_chunk(slab, chunk);
        }
    }
    slab->opening = slab->chunks;
}
