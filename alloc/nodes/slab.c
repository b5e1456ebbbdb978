/*
 * slab.c - the allocator "slab": blocks carved from large chunks, and a queue that stays in order.
 *
 * 1. Chunks (chunk=, 2 MiB) come from malloc, or are mapped and backed by huge pages when asked
 *    (pages=huge). A refused chunk is halved, down to one page. A page serves one block size. From
 *    256 MiB held on, where the options leave it open, a chunk is 32 or 64 MiB in huge pages.
 * 2. The current page of a size is carved in address order. A page whose blocks have all come back
 *    is empty and is carved again, so a FIFO list always lies in address order, however often it is
 *    built: nothing ages. The page emptied most recently is reused first: it is still cached.
 * 3. A page half of whose blocks are back waits on the half list. When half pages are more than an
 *    eighth of all of their size, their free lists are used before any other page.
 * 4. Deleting the last list resets every page, O(pages) instead of O(blocks).
 * Bound, for any pattern: per block size 2.3 times the pages that its most blocks alive fill, and
 * 11 pages; in all one chunk more (2 MiB, or an eighth of what is held). A FIFO queue: 1.02 times
 * and three pages. 16.1 bytes per 16-byte node; above 512 bytes from the source. Sources: Bonwick,
 * "The Slab Allocator" (1994); Leijen et al., mimalloc (2019). One file: one state.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/node_front.h"
#include "alloc/size_class.h"
#include "base/huge_pages.h"
#include "base/system_file.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE_BYTES      ((size_t)SLAB_PAGE_BYTES)
#define SLAB_PAGE_BYTES 16384

/* From LARGE_SLAB on, first touches of small pages may take two thirds of a search's time. A chunk
 * is then at most an eighth of what is held. */
#define LARGE_SLAB     ((uint64_t)256 << 20)
#define LARGEST_GROWTH ((size_t)64 << 20)

enum { PAGES_AUTO, PAGES_NORMAL, PAGES_HUGE };
enum { OPTION_CHUNK, OPTION_PAGES };

enum page_state {
    PAGE_EMPTY,   /* on the slab's empty list */
    PAGE_CURRENT, /* being carved, or its free list handed to the front */
    PAGE_USED,    /* less than half of its blocks are back */
    PAGE_HALF,    /* at least half are back; on the class's half list */
};

/* The start of every page. "Out" are the blocks given out or handed to the front. */
struct slab_page {
    struct node_page head;      /* countdown: releases until half, then until all, are back */
    struct slab_page *next;     /* in the empty list or the half list */
    struct slab_page *previous; /* in the half list */
    uint32_t capacity;          /* blocks of the page */
    uint8_t class_index;
    uint8_t state;  /* enum page_state */
    bool half_back; /* the countdown is in its second half */
};

#define PAGE_HEADER ((sizeof(struct slab_page) + 15) & ~(size_t)15) /* blocks are aligned to 16 */

/* The start of every chunk; its pages begin at the next page boundary. */
struct slab_chunk {
    struct slab_chunk *next;
    uint32_t bytes;
    uint32_t opened; /* pages used since the last reset; later ones are free */
};

/* The smallest chunk: one page, wherever malloc puts it, because the start and a block's alignment
 * are 16 bytes. */
#define CHUNK_MIN (2 * PAGE_BYTES)
_Static_assert(sizeof(struct slab_chunk) <= 16, "the start of the least chunk leaves a page");

struct slab_class {
    struct node_front front;
    struct slab_page *current; /* NULL: none */
    struct slab_page *half;
    size_t half_count;
    size_t page_count; /* pages that are not empty */
};

struct slab {
    struct node_allocator base;
    size_t chunk_bytes;   /* of a chunk while less than LARGE_SLAB is held */
    size_t largest_bytes; /* no chunk is larger: the last size that worked after a refusal */
    size_t refused_bytes; /* the largest size that was refused; 0: none */
    bool huge;            /* every chunk is mapped; else the source's */
    bool huge_if_large;   /* ask for huge pages from LARGE_SLAB on */
    bool watched;         /* by Memcheck or AddressSanitizer */
    const char *note;
    struct slab_chunk *chunks;  /* the oldest first */
    struct slab_chunk *newest;  /* the last chunk; meaningless without chunks */
    struct slab_chunk *opening; /* has the next page to open; NULL: none is left */
    struct slab_page *empty;
    uint64_t held_bytes;
    uint64_t held_bytes_max;
    uint64_t large_live; /* blocks above SIZE_CLASS_MAX, straight from the source */
    struct slab_class classes[SIZE_CLASS_COUNT];
    PW_DEBUG_ONLY(uint64_t steps;)
};

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
        struct node_front *front = &slab->classes[i].front;
        front->block_bytes = size_class_bytes(i) + block_gap();
        front->page_mask = ~(uintptr_t)(PAGE_BYTES - 1);
    }
    return true;
}

/* Chunks -------------------------------------------------------------------------------------- */

static struct slab_page *chunk_page(const struct slab_chunk *chunk, size_t index)
{
    uintptr_t first = (uintptr_t)chunk + sizeof(*chunk) + PAGE_BYTES - 1;
    return (struct slab_page *)((first & ~(uintptr_t)(PAGE_BYTES - 1)) + index * PAGE_BYTES);
}

static size_t page_count(const struct slab_chunk *chunk)
{
    return ((uintptr_t)chunk + chunk->bytes - (uintptr_t)chunk_page(chunk, 0)) / PAGE_BYTES;
}

static void hold(struct slab *slab, size_t bytes)
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
    hold(slab, bytes);
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

/* Pages --------------------------------------------------------------------------------------- */

static unsigned char *first_block(const struct slab_page *page)
{
    return (unsigned char *)(uintptr_t)page + PAGE_HEADER;
}

/* All blocks are out, or handed to the front; the first release starts a run. */
static void start_countdown(struct slab_page *page)
{
    page->head.run_end = first_block(page);
    page->head.countdown = page->capacity - page->capacity / 2;
    page->half_back = false;
    page->head.free_list = NULL;
}

/* Blocks of a page not released since it was opened. */
static size_t blocks_out(const struct slab_page *page)
{
    return page->head.countdown + (page->half_back ? 0 : page->capacity / 2);
}

static void half_list_add(struct slab_class *class, struct slab_page *page)
{
    pw_assert(page->half_back && page->state == PAGE_USED);
    page->state = PAGE_HALF;
    page->previous = NULL;
    page->next = class->half;
    if (class->half != NULL) {
        class->half->previous = page;
    }
    class->half = page;
    class->half_count++;
}

static void half_list_remove(struct slab_class *class, struct slab_page *page)
{
    pw_assert(page->state == PAGE_HALF && class->half_count > 0);
    if (page->previous != NULL) {
        page->previous->next = page->next;
    } else {
        class->half = page->next;
    }
    if (page->next != NULL) {
        page->next->previous = page->previous;
    }
    class->half_count--;
}

/* Make a page the current one of a class, to be carved from its start. */
static void open_page(struct slab *slab, struct slab_class *class, struct slab_page *page)
{
    unsigned char *blocks = first_block(page);
    size_t room = PAGE_BYTES - PAGE_HEADER;
    pw_assert(((uintptr_t)page & (PAGE_BYTES - 1)) == 0 && class->front.own.free_list == NULL);
    page->class_index = (uint8_t)(class - slab->classes);
    page->capacity = (uint32_t)(room / class->front.block_bytes);
    page->state = PAGE_CURRENT;
    start_countdown(page);
    class->current = page;
    class->front.carve = blocks;
    class->front.carve_end = blocks + page->capacity * class->front.block_bytes;
    block_mark_dead(slab->watched, blocks, room);
}

/* Make a half page the current one of a class: its free blocks go to the front. */
static void adopt_half_page(struct slab_class *class)
{
    struct slab_page *page = class->half;
    pw_assert(class->front.carve == class->front.carve_end);
    half_list_remove(class, page);
    page->state = PAGE_CURRENT;
    class->front.own.free_list = page->head.free_list;
    class->front.carve = first_block(page);
    class->front.carve_end = page->head.run_end;
    start_countdown(page);
    class->current = page;
}

/* A page that nobody uses: from the empty list, else the chunks, else a new chunk; NULL: no
 * memory. */
static struct slab_page *free_page(struct slab *slab)
{
    struct slab_page *page = slab->empty;
    if (page != NULL) {
        pw_assert(page->state == PAGE_EMPTY);
        slab->empty = page->next;
        return page;
    }
    while (slab->opening == NULL || slab->opening->opened == page_count(slab->opening)) {
        if (slab->opening != NULL) {
            slab->opening = slab->opening->next;
        } else if (!add_chunk(slab)) {
            return NULL;
        }
    }
    struct slab_chunk *chunk = slab->opening;
    pw_assert(chunk->opened < page_count(chunk));
    return chunk_page(chunk, chunk->opened++);
}

/* Give a class a current page with at least one block. False when out of memory. */
static bool refill(struct slab *slab, struct slab_class *class)
{
    struct slab_page *spent = class->current;
    if (spent != NULL) {
        class->current = NULL;
        spent->state = PAGE_USED;
        if (spent->half_back) {
            half_list_add(class, spent);
        }
    }
    bool many = class->half_count > 8 + class->page_count / 8;
    struct slab_page *page = many ? NULL : free_page(slab);
    if (page != NULL) {
        class->page_count++;
        open_page(slab, class, page);
    } else if (class->half != NULL) {
        adopt_half_page(class);
    }
    return class->current != NULL;
}

/* Operations ---------------------------------------------------------------------------------- */

static void *slab_allocate(struct node_allocator *self, size_t size)
{
    struct slab *slab = (struct slab *)self;
    if (size > SIZE_CLASS_MAX) {
        void *large = self->source->allocate(size);
        if (large != NULL) {
            slab->large_live++;
            hold(slab, size);
        }
        return large;
    }
    struct slab_class *class = &slab->classes[size_class_of(size)];
    struct node_front *front = &class->front;
    if (front->own.free_list == NULL && front->carve == front->carve_end && !refill(slab, class)) {
        return NULL;
    }
    if (slab->watched && front->own.free_list != NULL) {
        block_mark_own(true, front->own.free_list, sizeof(void *));
    }
    void *block = node_front_take(front);
    block_mark_live(slab->watched, block, size);
    allocator_step(self, slab);
    return block;
}

/* Half, or all, of the blocks of a page were released. */
static void slab_page_done(struct node_allocator *self, struct node_front *front, void *done)
{
    struct slab *slab = (struct slab *)self;
    struct slab_page *page = done;
    struct slab_class *class = &slab->classes[page->class_index];
    (void)front;
    pw_assert(page->state == PAGE_CURRENT || page->state == PAGE_USED || page->half_back);
    if (!page->half_back) {
        page->half_back = true;
        page->head.countdown = page->capacity / 2;
        if (page->state == PAGE_USED) {
            half_list_add(class, page);
        }
    } else if (page->state == PAGE_CURRENT) { /* spent, and everything is back: carve it again */
        open_page(slab, class, page);
    } else {
        half_list_remove(class, page);
        class->page_count--;
        page->state = PAGE_EMPTY;
        page->next = slab->empty;
        slab->empty = page;
    }
    allocator_step(self, slab);
}

static void slab_release(struct node_allocator *self, void *block, size_t size)
{
    struct slab *slab = (struct slab *)self;
    if (size > SIZE_CLASS_MAX) {
        pw_assert(slab->large_live > 0 && slab->held_bytes >= size);
        slab->large_live--;
        slab->held_bytes -= size;
        self->source->release(block);
        return;
    }
    struct node_front *front = &slab->classes[size_class_of(size)].front;
    block_mark_room_for_link(slab->watched, block, size);
    struct node_page *page = node_front_give(front, block);
    block_mark_dead(slab->watched, block, size < sizeof(void *) ? sizeof(void *) : size);
    if (page != NULL) {
        slab_page_done(self, front, page);
    }
}

/* Blocks handed to the fronts but not given out. */
static uint64_t blocks_in_front(const struct slab *slab, const struct slab_class *class)
{
    const struct node_front *front = &class->front;
    uint64_t count = (uint64_t)(front->carve_end - front->carve) / front->block_bytes;
    for (void *block = front->own.free_list; block != NULL;) {
        count++;
        block_mark_own(slab->watched, block, sizeof(void *));
        void *next = *(void **)block;
        block_mark_dead(slab->watched, block, sizeof(void *));
        block = next;
    }
    return count;
}

/* Blocks given out and not released, without the large ones. */
static uint64_t live_blocks(const struct slab *slab)
{
    uint64_t out = 0;
    for (const struct slab_chunk *chunk = slab->chunks; chunk != NULL; chunk = chunk->next) {
        for (size_t i = 0; i < chunk->opened; i++) {
            const struct slab_page *page = chunk_page(chunk, i);
            out += page->state == PAGE_EMPTY ? 0 : blocks_out(page);
        }
    }
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        uint64_t in_front = blocks_in_front(slab, &slab->classes[i]);
        pw_assert(in_front <= out);
        out -= in_front;
    }
    return out;
}

/* No block is alive: every page is free again, in address order. */
static void reset(struct slab *slab)
{
    for (struct slab_chunk *chunk = slab->chunks; chunk != NULL; chunk = chunk->next) {
        chunk->opened = 0;
    }
    slab->opening = slab->chunks;
    slab->empty = NULL;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct slab_class *class = &slab->classes[i];
        class->current = NULL;
        class->half = NULL;
        class->half_count = 0;
        class->page_count = 0;
        class->front.own.free_list = NULL;
        class->front.carve = NULL;
        class->front.carve_end = NULL;
    }
}

static void slab_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                               size_t size)
{
    struct slab *slab = (struct slab *)self;
    (void)tail;
    if (size <= SIZE_CLASS_MAX && slab->classes[size_class_of(size)].page_count < count &&
        !slab->watched && live_blocks(slab) == count) {
        reset(slab);
    } else {
        node_allocator_release_each(self, head, count, size);
    }
}

static struct node_front *slab_front(struct node_allocator *self, size_t size)
{
    struct slab *slab = (struct slab *)self;
    if (size > SIZE_CLASS_MAX || slab->watched) {
        return NULL;
    }
    return &slab->classes[size_class_of(size)].front;
}

static void slab_trim(struct node_allocator *self)
{
    struct slab *slab = (struct slab *)self;
    if (live_blocks(slab) == 0) {
        reset(slab);
    }
    slab->empty = NULL;
    for (struct slab_chunk **link = &slab->chunks; *link != NULL;) {
        struct slab_chunk *chunk = *link;
        struct slab_page *before = slab->empty;
        bool used = false;
        for (size_t i = chunk->opened; i-- > 0;) {
            struct slab_page *page = chunk_page(chunk, i);
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
    PW_DEBUG_ONLY(pw_assert(allocator_is_sound(self));)
}

static void slab_destroy(struct node_allocator *self)
{
    reset((struct slab *)self);
    slab_trim(self);
    pw_assert(((struct slab *)self)->chunks == NULL);
}

static void slab_statistics(const struct node_allocator *self,
                            struct node_allocator_statistics *out)
{
    const struct slab *slab = (const struct slab *)self;
    out->live_blocks = live_blocks(slab) + slab->large_live;
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

/* True if a page's counts and its free list agree. */
static bool page_balances(const struct slab *slab, const struct slab_page *page)
{
    if (page->state == PAGE_EMPTY) {
        return true;
    }
    size_t out = blocks_out(page);
    if (out > page->capacity || page->head.countdown == 0) {
        return false;
    }
    const size_t block_bytes = slab->classes[page->class_index].front.block_bytes;
    size_t kept = (size_t)(page->head.run_end - first_block(page)) / block_bytes;
    if (slab->watched) { /* the links of dead blocks are out of bounds */
        return true;
    }
    for (void *block = page->head.free_list; block && kept <= page->capacity;) {
        kept++;
        block = *(void **)block;
    }
    return kept + out == page->capacity;
}

static bool slab_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct slab *slab = (const struct slab *)self;
    size_t used = 0;
    for (const struct slab_chunk *chunk = slab->chunks; chunk != NULL; chunk = chunk->next) {
        for (size_t i = 0; i < chunk->opened; i++) {
            const struct slab_page *page = chunk_page(chunk, i);
            used += page->state != PAGE_EMPTY;
            if (!page_balances(slab, page)) {
                snprintf(message, message_size, "slab: page %p: counts and free list disagree",
                         (const void *)page);
                return false;
            }
        }
    }
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        const struct slab_class *class = &slab->classes[i];
        size_t half = 0;
        for (const struct slab_page *page = class->half; page != NULL; page = page->next) {
            half += page->state == PAGE_HALF && page->half_back && page->class_index == i;
        }
        if (half != class->half_count) {
            snprintf(message, message_size, "slab: %zu-byte class: %zu half pages, counted %zu",
                     size_class_bytes(i), half, class->half_count);
            return false;
        }
        used -= class->page_count;
    }
    if (used != 0) {
        snprintf(message, message_size, "slab: the classes' page counts miss %zd pages",
                 (ptrdiff_t)used);
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
    .flags = NODE_ALLOCATOR_ASKS_RARELY,
    .instance_bytes = sizeof(struct slab),
    .options = options,
    .bytes_per_block = slab_bytes_per_block,
    .create = slab_create,
    .allocate = slab_allocate,
    .release = slab_release,
    .release_chain = slab_release_chain,
    .front = slab_front,
    .page_done = slab_page_done,
    .trim = slab_trim,
    .statistics = slab_statistics,
    .check = slab_check,
    .destroy = slab_destroy,
};
