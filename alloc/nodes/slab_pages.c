/*
 * slab_pages.c - see slab_pages.h. One file: pages and the chunks that they come from are one
 * structure.
 */
#include "slab_pages.h"
#include "base/huge_pages.h"
#include <string.h>
#include <sys/mman.h>

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
 * Add a chunk after the others and open pages from it. A refused size is halved, for this chunk and
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
    *chunk = (struct slab_chunk){.bytes = (uint32_t)bytes};
    *(slab->chunks != NULL ? &slab->newest->next : &slab->chunks) = chunk;
    slab->newest = chunk;
    slab->opening = chunk;
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

/* The fronts of lists need the lock for what belongs to all; it is held for the shared ones. */
static bool lock_for(const struct slab *slab, const struct node_front *front)
{
    return !slab_is_shared(slab, front) && shared_lock(LOCK_HEAPS);
}

/* Keep fork from the midst of a change to the front's pages, where another thread may fork. Returns
 * what end_move gets. For a shared front LOCK_HEAPS is held. */
static int begin_move(const struct slab *slab, const struct node_front *front)
{
    if (is_single_threaded() || slab_is_shared(slab, front)) {
        return -1;
    }
    const enum shared_lock lock = LOCK_FRONTS + ((unsigned)thread_number() & (FRONT_LOCKS - 1));
    return shared_lock(lock) ? (int)lock : -1;
}

static void end_move(int lock)
{
    if (lock >= 0) {
        shared_locks_give((enum shared_lock)lock);
    }
}

unsigned char *slab_first_block(const struct slab_page *page)
{
    return (unsigned char *)(uintptr_t)page + PAGE_HEADER;
}

/* All blocks are out, or handed to the front; the first release starts a run. */
static void start_countdown(struct slab_page *page)
{
    page->run_end = slab_first_block(page);
    page->countdown = (uint16_t)(page->capacity - page->capacity / 2);
    page->half_back = false;
    page->free_list = NULL;
}

/* Blocks of a page that came back in order and are known to the front alone. */
static size_t blocks_in_run(const struct slab_page *page)
{
    const struct node_front *front = page->owner;
    return front->own[FRONT_RUN] == page ? (size_t)(front->run - page->run_end) / front->block_bytes
                                         : 0;
}

size_t slab_page_live(const struct slab_page *page)
{
    if (page->state == PAGE_EMPTY || page->state == PAGE_SPARE) {
        return 0;
    }
    const size_t held = page->state == PAGE_CURRENT ? node_front_blocks(page->owner) : 0;
    const size_t out = slab_page_out(page);
    const size_t back = blocks_in_run(page) + held;
    return back <= out ? out - back : SIZE_MAX; /* a broken page */
}

static void list_add(struct node_front *front, unsigned list, struct slab_page *page)
{
    struct slab_page *first = front->own[list];
    pw_assert(page->owner == front);
    page->state = list == FRONT_HALF ? PAGE_HALF : PAGE_USED;
    page->previous = NULL;
    page->next = first;
    if (first != NULL) {
        first->previous = page;
    }
    front->own[list] = page;
    front->own_count[FRONT_HALVES] += list == FRONT_HALF;
}

static void list_remove(struct node_front *front, unsigned list, struct slab_page *page)
{
    pw_assert(page->state == (list == FRONT_HALF ? PAGE_HALF : PAGE_USED));
    if (page->previous != NULL) {
        page->previous->next = page->next;
    } else {
        front->own[list] = page->next;
    }
    if (page->next != NULL) {
        page->next->previous = page->previous;
    }
    front->own_count[FRONT_HALVES] -= list == FRONT_HALF;
}

/* Write the run that the front follows into its page. */
static void leave_run(struct node_front *front)
{
    struct slab_page *page = front->own[FRONT_RUN];
    if (page != NULL) {
        page->countdown = (uint16_t)(page->countdown - blocks_in_run(page));
        pw_assert(page->countdown > 0);
        page->run_end = front->run;
        front->own[FRONT_RUN] = front->run = front->run_last = NULL;
    }
}

/* Let the front follow the run of a page, up to the block that ends its countdown. */
static void follow_run(struct node_front *front, struct slab_page *page)
{
    pw_assert(front->own[FRONT_RUN] == NULL && page->countdown > 0);
    front->own[FRONT_RUN] = page;
    front->run = page->run_end;
    front->run_last = front->run + (page->countdown - 1u) * front->block_bytes;
}

/* Make a page the current one of a front, to be carved from its start. */
static void open_page(struct slab *slab, struct node_front *front, struct slab_page *page)
{
    unsigned char *blocks = slab_first_block(page);
    size_t room = PAGE_BYTES - PAGE_HEADER;
    pw_assert(((uintptr_t)page & (PAGE_BYTES - 1)) == 0 && front->free_list == NULL);
    page->owner = front;
    page->capacity = (uint16_t)(room / front->block_bytes);
    page->state = PAGE_CURRENT;
    start_countdown(page);
    front->own[FRONT_CURRENT] = page;
    front->carve = blocks;
    front->carve_end = blocks + page->capacity * front->block_bytes;
    block_mark_dead(slab->watched, blocks, room);
}

/* Make a half page the current one of its front, which has these spare pages: its free blocks go to
 * the front. */
static void adopt_half_page(struct node_front *front, struct slab_page *spares)
{
    struct slab_page *page = front->own[FRONT_HALF];
    pw_assert(front->carve == front->carve_end && front->free_list == NULL);
    if (front->own[FRONT_RUN] == page) {
        leave_run(front);
    }
    list_remove(front, FRONT_HALF, page);
    page->state = PAGE_CURRENT;
    page->next = spares;
    front->free_list = page->free_list;
    front->carve = slab_first_block(page);
    front->carve_end = page->run_end;
    front->kept = page->capacity - slab_page_out(page) -
                  (size_t)(front->carve_end - front->carve) / front->block_bytes;
    start_countdown(page);
    front->own[FRONT_CURRENT] = page;
}

/* A page that nobody uses: from the empty list, else the chunks; NULL: there is none. Under the
 * lock. */
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

/* The pages that a front takes with one lock, and the spare ones that it may have: one, and one for
 * eight that it uses. Without a second thread, and for the shared fronts: none is spare. */
static size_t spares_wanted(const struct slab *slab, const struct node_front *front)
{
    if (is_single_threaded() || slab_is_shared(slab, front)) {
        return 0;
    }
    const size_t wanted = 1 + front->own_count[FRONT_PAGES] / 8;
    return wanted < SPARES_MAX ? wanted : SPARES_MAX;
}

/* Hang a page without a block before the spare pages of its front. Returns it. */
static struct slab_page *spare(struct node_front *front, struct slab_page *page,
                               struct slab_page *spares)
{
    page->owner = front;
    page->state = PAGE_SPARE;
    page->capacity = (uint16_t)(1 + (spares != NULL ? spares->capacity : 0));
    page->next = spares;
    return page;
}

/* Spare pages for a front that has none, the first to be used first. NULL: no memory. The lock is
 * not held while they are written to: that may be the first touch of each. */
static struct slab_page *take_spares(struct slab *slab, struct node_front *front)
{
    struct slab_page *pages[SPARES_MAX];
    size_t count = 0;
    const size_t wanted = spares_wanted(slab, front);
    const bool locked = lock_for(slab, front);
    do {
        pages[count] = free_page(slab);
        while (pages[count] == NULL && count == 0 && add_chunk(slab)) {
            pages[count] = free_page(slab); /* a chunk that lies badly may have none */
        }
    } while (pages[count] != NULL && ++count < wanted);
    slab->list_pages += slab_is_shared(slab, front) ? 0 : count;
    shared_unlock(LOCK_HEAPS, locked);
    struct slab_page *spares = NULL;
    while (count > 0) {
        spares = spare(front, pages[--count], spares);
    }
    return spares;
}

/* Give a front one more page, to be carved: of its spare ones, or of new ones. False when out of
 * memory. */
static bool add_page(struct slab *slab, struct node_front *front, struct slab_page *spares)
{
    struct slab_page *page = spares != NULL ? spares : take_spares(slab, front);
    if (page != NULL) {
        front->own_count[FRONT_PAGES]++;
        open_page(slab, front, page); /* its next are the other spare pages */
    }
    return page != NULL;
}

/* The current page is spent. Returns the front's spare pages. */
static struct slab_page *leave_current(struct node_front *front)
{
    struct slab_page *spent = front->own[FRONT_CURRENT];
    if (spent == NULL) {
        return NULL;
    }
    struct slab_page *spares = spent->next;
    front->own[FRONT_CURRENT] = NULL;
    list_add(front, spent->half_back ? FRONT_HALF : FRONT_USED, spent);
    return spares;
}

/* The next page of a front, or one that is half free. False: no memory. */
static bool next_page(struct slab *slab, struct node_front *front)
{
    struct slab_page *spares = leave_current(front);
    bool many = front->own_count[FRONT_HALVES] > 8 + front->own_count[FRONT_PAGES] / 8;
    if ((many || !add_page(slab, front, spares)) && front->own[FRONT_HALF] != NULL) {
        adopt_half_page(front, spares);
    }
    return front->own[FRONT_CURRENT] != NULL;
}

void *slab_refill(struct slab *slab, struct node_front *front)
{
    const int lock = begin_move(slab, front);
    const bool has_page = next_page(slab, front);
    end_move(lock);
    if (!has_page) {
        return NULL;
    }
    if (front->free_list != NULL) {
        block_mark_own(slab->watched, front->free_list, sizeof(void *));
    }
    return node_front_take(front, front->block_bytes);
}

/* Put a page without a block on the empty list. Under the lock. */
static void empty_page(struct slab *slab, struct slab_page *page)
{
    slab->list_pages -= !slab_is_shared(slab, page->owner);
    page->state = PAGE_EMPTY;
    page->next = slab->empty;
    slab->empty = page;
}

static void leave_list(struct slab *slab, struct slab_page *page)
{
    while (page != NULL) {
        struct slab_page *next = page->next;
        empty_page(slab, page);
        page = next;
    }
}

/* A page of a front has no block any more, and is in no list: it becomes a spare one, or goes back
 * with those. */
static void leave_page(struct slab *slab, struct node_front *front, struct slab_page *page)
{
    struct slab_page *current = front->own[FRONT_CURRENT];
    struct slab_page *spares = current != NULL ? current->next : NULL;
    page = spare(front, page, spares);
    const bool is_kept = current != NULL && page->capacity <= spares_wanted(slab, front);
    if (current != NULL) {
        current->next = is_kept ? page : NULL;
    }
    if (!is_kept) {
        const bool locked = lock_for(slab, front);
        leave_list(slab, page);
        shared_unlock(LOCK_HEAPS, locked);
    }
}

/* Half, or all, of the blocks of a page were released; no front follows its run. */
static void page_done(struct slab *slab, struct node_front *front, struct slab_page *page)
{
    pw_assert(page->countdown == 0 && front->own[FRONT_RUN] != page && page->owner == front);
    if (!page->half_back) {
        page->half_back = true;
        page->countdown = page->capacity / 2;
        if (page->state == PAGE_USED) {
            list_remove(front, FRONT_USED, page);
            list_add(front, FRONT_HALF, page);
        }
    } else if (page->state == PAGE_CURRENT) { /* spent, and everything is back: carve it again */
        open_page(slab, front, page);
    } else {
        list_remove(front, FRONT_HALF, page);
        front->own_count[FRONT_PAGES]--;
        leave_page(slab, front, page);
    }
}

/* Take back a block that the run of a page goes on with, or that ends its countdown. */
static void give_and_move(struct slab *slab, struct node_front *front, void *block)
{
    struct slab_page *page = slab_page_of(block);
    if (front->own[FRONT_RUN] == page) {
        leave_run(front);
    }
    const bool continues = (unsigned char *)block == page->run_end;
    if (continues) {
        page->run_end += front->block_bytes;
    } else {
        *(void **)block = page->free_list;
        page->free_list = block;
    }
    page->countdown--;
    const bool was_half = page->half_back;
    const bool is_done = page->countdown == 0;
    if (is_done) {
        page_done(slab, front, page);
    }
    if (continues && !(is_done && was_half)) {
        leave_run(front);
        follow_run(front, page);
    }
}

void slab_give(struct slab *slab, struct node_front *front, void *block)
{
    struct slab_page *page = slab_page_of(block);
    pw_assert(page->owner == front && page->state != PAGE_EMPTY);
    const bool is_pushed = front->own[FRONT_RUN] != page && page->countdown > 1 &&
                           (unsigned char *)block != page->run_end;
    if (is_pushed) {
        *(void **)block = page->free_list;
        node_front_fence();
        page->free_list = block;
        page->countdown--;
        return;
    }
    const int lock = begin_move(slab, front);
    give_and_move(slab, front, block);
    end_move(lock);
}

void slab_leave_pages(struct slab *slab, struct node_front *front)
{
    leave_list(slab, front->own[FRONT_USED]);
    leave_list(slab, front->own[FRONT_HALF]);
    leave_list(slab, front->own[FRONT_CURRENT]); /* and the spare pages that hang on it */
}

static void clear_front(struct node_front *front)
{
    *front = (struct node_front){.block_bytes = front->block_bytes};
}

void slab_reset(struct slab *slab)
{
    pw_assert(slab->shared_live == 0 && slab->list_pages == 0);
    for (struct slab_chunk *chunk = slab->chunks; chunk != NULL; chunk = chunk->next) {
        chunk->opened = 0;
    }
    slab->opening = slab->chunks;
    slab->empty = NULL;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        clear_front(&slab->shared[i]);
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
            slab->newest = chunk;
            link = &chunk->next;
        } else {
            slab->empty = before;
            *link = chunk->next;
            free_chunk(slab, chunk);
        }
    }
    slab->opening = slab->chunks;
}
