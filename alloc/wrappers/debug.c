/*
 * debug.c - the wrapper "debug": finds misuse of the allocator inside, and says where.
 *
 * 1. Each block lies between two red zones of 16 known bytes, which are compared when it comes
 *    back: an overrun or underrun shows.
 * 2. A table outside the blocks has each one given out, its size and the callers that asked for
 *    it: a double release, a foreign pointer and a wrong size show, and the block stays untouched.
 *    So do mistakes of the allocator inside: a block that overlaps another or is not aligned is
 *    not used, and one of the source serves in its place.
 * 3. A released block is filled with 0xDD and held in a ring of some hundred before it goes to the
 *    allocator inside: a write after the release shows when the block leaves the ring.
 * 4. With its red zones a block is larger than what the program asks for. So before the first block
 *    of a size, a few of exactly that size are taken, compared, and given back.
 * 5. Mistakes are counted, and the first ones kept as text, for the report or for a file (report=).
 *    Closing also lists there every block still alive. Nothing is ever printed or aborted.
 * Cost: microseconds per request, some 200 bytes per block.
 */
#include "alloc/allocators.h"
#include "alloc/heaps/place_table.h"
#include "alloc/refuse.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RED_ZONE       16
#define RED_BYTE       0xFB /* in a red zone */
#define NEW_BYTE       0xCD /* in a block never written */
#define DEAD_BYTE      0xDD /* in a block released */
#define RING_BLOCKS    256
#define MISTAKES_KEPT  12
#define PROBED_SIZES   16   /* the first ones */
#define PROBED_MAX     4096 /* bytes; a larger size is not probed */
#define PROBES         4    /* blocks of a size */
#define MISTAKE_LENGTH 320

enum { OPTION_REPORT };

struct debug {
    struct node_allocator base;
    int file;      /* of the report; -1: none */
    bool is_begun; /* its old content is gone */
    struct place_table table;
    uint64_t requests;
    uint64_t live;
    uint64_t mistakes;
    void *ring[RING_BLOCKS]; /* released, still held here; NULL: an empty place */
    size_t ring_next;        /* the oldest */
    char kept[MISTAKES_KEPT][MISTAKE_LENGTH];
    size_t probed[PROBED_SIZES];
    size_t probed_count;
    uint64_t probes, probes_back; /* requests and releases that the program did not make */
};

static const struct node_option options[] = {
    [OPTION_REPORT] = {"report", NODE_OPTION_OUTPUT, "", NULL, 0, 0,
                       "file for the mistakes and the blocks alive at the end; none: kept"},
    {.name = NULL},
};

/* Drop the old content of the file, once: not when it is opened, because the run may fail before
 * the first request. */
static void begin_report(struct debug *debug)
{
    if (!debug->is_begun && debug->file >= 0 && ftruncate(debug->file, 0) != 0) {
        /* a device or a pipe: it holds nothing */
    }
    debug->is_begun = true;
}

/* To the file of the report, if there is one. context: the struct debug. */
static void write_line(void *context, const char *line)
{
    struct debug *debug = context;
    begin_report(debug);
    if (debug->file >= 0) {
        dprintf(debug->file, "%s\n", line);
    }
}

/* Note a mistake with the place where it shows, and the block's own place if it has one. */
__attribute__((format(printf, 3, 4))) static void
mistake(struct debug *debug, const struct place_entry *entry, const char *format, ...)
{
    char line[1024];
    char names[300];
    struct place here;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line) / 4, format, arguments);
    va_end(arguments);
    size_t at = strlen(line);
    if (entry != NULL) {
        place_write(&entry->place, names, sizeof(names));
        at += (size_t)snprintf(line + at, sizeof(line) - at, "; request %llu, by %s",
                               (unsigned long long)entry->number, names);
    }
    place_here(&here);
    place_write(&here, names, sizeof(names));
    snprintf(line + at, sizeof(line) - at, "; seen at %s", names);
    if (debug->mistakes < MISTAKES_KEPT) {
        snprintf(debug->kept[debug->mistakes], MISTAKE_LENGTH, "%.*s", MISTAKE_LENGTH - 1, line);
    }
    debug->mistakes++;
    write_line(debug, line);
}

static bool debug_create(struct node_allocator *self, const struct node_option_value *values,
                         struct node_allocator_error *error)
{
    struct debug *debug = (struct debug *)self;
    const char *path = values[OPTION_REPORT].text;
    debug->file = -1;
    if (path[0] != '\0') {
        debug->file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (debug->file < 0) {
            return refuse(error, "debug: %s: cannot be written: %s", path, strerror(errno));
        }
    }
    return true;
}

static size_t inner_size(size_t size)
{
    return size + 2 * RED_ZONE;
}

static bool is_filled(const unsigned char *bytes, size_t size, int value)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != value) {
            return false;
        }
    }
    return true;
}

/* Compare blocks of exactly this size with each other and with the blocks in use. */
static void probe(struct debug *debug, size_t size)
{
    struct node_allocator *inner = debug->base.inner;
    unsigned char *blocks[PROBES];
    size_t count = 0;
    while (count < PROBES && (blocks[count] = node_allocator_allocate(inner, size)) != NULL) {
        const unsigned char *new = blocks[count];
        debug->probes++;
        /* A margin is added on both sides. */
        const struct place_entry *used =
            place_table_overlap(&debug->table, new, size, RED_ZONE / 2);
        const unsigned char *other = used != NULL ? used->block : NULL;
        for (size_t i = 0; i < count && other == NULL; i++) {
            bool is_apart = new < blocks[i] ? (size_t)(blocks[i] - new) >= size
                                            : (size_t)(new - blocks[i]) >= size;
            other = is_apart ? NULL : blocks[i];
        }
        if (other != NULL) {
            mistake(debug, used,
                    "overlap: the allocator gave %zu bytes at %p, in the block of %zu bytes at %p",
                    size, (const void *)new, used != NULL ? used->size : size, (const void *)other);
            break; /* whose block that is, is not known: it does not go back */
        }
        if ((uintptr_t) new % 16 != 0) {
            mistake(debug, NULL, "misaligned: the allocator gave %zu bytes at %p", size,
                    (const void *)new);
        }
        count++;
    }
    while (count > 0) {
        node_allocator_release(inner, blocks[--count], size);
        debug->probes_back++;
    }
}

/* Probe each of the first sizes, once. */
static void probe_new_size(struct debug *debug, size_t size)
{
    size_t known = 0;
    while (known < debug->probed_count && debug->probed[known] != size) {
        known++;
    }
    pw_assert(known <= debug->probed_count && debug->probed_count <= PROBED_SIZES);
    if (known == debug->probed_count && known < PROBED_SIZES && size <= PROBED_MAX) {
        debug->probed[debug->probed_count++] = size;
        probe(debug, size);
    }
}

/* True if a block from the allocator inside can be used. If not, that is noted; a misaligned block
 * goes back, one that overlaps another is left alone. */
static bool is_sound_block(struct debug *debug, unsigned char *taken, size_t size)
{
    const struct place_entry *other =
        place_table_overlap(&debug->table, taken + RED_ZONE, size, RED_ZONE);
    if (other != NULL) {
        mistake(debug, other,
                "overlap: the allocator gave %zu bytes at %p, in the block of %zu bytes at %p",
                inner_size(size), (const void *)taken, other->size, other->block);
    } else if ((uintptr_t)taken % 16 != 0) {
        mistake(debug, NULL, "misaligned: the allocator gave %zu bytes at %p", inner_size(size),
                (const void *)taken);
        node_allocator_release(debug->base.inner, taken, inner_size(size));
        return false;
    }
    return other == NULL;
}

static void *debug_allocate(struct node_allocator *self, size_t size)
{
    struct debug *debug = (struct debug *)self;
    bool is_substitute = false;
    if (size > SIZE_MAX - 2 * RED_ZONE || !place_table_reserve(&debug->table, self->source)) {
        return NULL;
    }
    begin_report(debug);
    probe_new_size(debug, size);
    unsigned char *taken = node_allocator_allocate(self->inner, inner_size(size));
    if (taken != NULL && !is_sound_block(debug, taken, size)) {
        is_substitute = true;
        taken = self->source->allocate(inner_size(size));
    }
    if (taken == NULL) {
        return NULL;
    }
    unsigned char *block = taken + RED_ZONE;
    memset(taken, RED_BYTE, RED_ZONE);
    memset(block, NEW_BYTE, size);
    memset(block + size, RED_BYTE, RED_ZONE);
    struct place_entry *entry = place_table_add(&debug->table, block, size, ++debug->requests);
    entry->is_substitute = is_substitute;
    place_here(&entry->place);
    debug->live++;
    return block;
}

/* True if the bytes around a block are unchanged. */
static void check_red_zones(struct debug *debug, const struct place_entry *entry)
{
    const unsigned char *block = entry->block;
    if (!is_filled(block - RED_ZONE, RED_ZONE, RED_BYTE)) {
        mistake(debug, entry, "underrun: bytes before the block of %zu bytes at %p were written",
                entry->size, entry->block);
    }
    if (!is_filled(block + entry->size, RED_ZONE, RED_BYTE)) {
        mistake(debug, entry, "overrun: bytes after the block of %zu bytes at %p were written",
                entry->size, entry->block);
    }
}

/* Give the memory of a block back to its origin. */
static void hand_back(struct debug *debug, void *block, size_t size, bool is_substitute)
{
    unsigned char *taken = (unsigned char *)block - RED_ZONE;
    if (is_substitute) {
        debug->base.source->release(taken);
    } else {
        node_allocator_release(debug->base.inner, taken, inner_size(size));
    }
}

/* Hand a block of the ring to the allocator inside. */
static void let_go(struct debug *debug, void *block)
{
    struct place_entry *entry = place_table_find(&debug->table, block);
    pw_assert(entry != NULL && entry->released);
    if (!is_filled(block, entry->size, DEAD_BYTE)) {
        mistake(debug, entry, "use after release: the block of %zu bytes at %p was written",
                entry->size, block);
    }
    struct place_entry gone = *entry;
    place_table_remove(&debug->table, entry);
    hand_back(debug, block, gone.size, gone.is_substitute);
}

static void debug_release(struct node_allocator *self, void *block, size_t size)
{
    struct debug *debug = (struct debug *)self;
    struct place_entry *entry = place_table_find(&debug->table, block);
    if (entry == NULL) {
        mistake(debug, NULL, "foreign pointer: %p was released and is no block of this allocator",
                block);
        return;
    }
    if (entry->released) {
        mistake(debug, entry, "double release: the block of %zu bytes at %p", entry->size, block);
        return;
    }
    if (size != entry->size) {
        mistake(debug, entry, "wrong size: the block of %zu bytes at %p was released as %zu",
                entry->size, block, size);
    }
    check_red_zones(debug, entry);
    memset(block, DEAD_BYTE, entry->size);
    pw_assert(debug->live > 0);
    entry->released = true;
    debug->live--;
    void *oldest = debug->ring[debug->ring_next];
    debug->ring[debug->ring_next] = block;
    debug->ring_next = (debug->ring_next + 1) % RING_BLOCKS;
    if (oldest != NULL) {
        let_go(debug, oldest);
    }
}

static void empty_ring(struct debug *debug)
{
    for (size_t i = 0; i < RING_BLOCKS; i++) {
        size_t place = (debug->ring_next + i) % RING_BLOCKS;
        void *block = debug->ring[place];
        debug->ring[place] = NULL;
        if (block != NULL) {
            let_go(debug, block);
        }
    }
}

static void debug_trim(struct node_allocator *self)
{
    struct debug *debug = (struct debug *)self;
    empty_ring(debug);
    if (debug->table.count == 0) {
        place_table_close(&debug->table, self->source);
    }
    node_allocator_trim(self->inner);
}

static void debug_statistics(const struct node_allocator *self,
                             struct node_allocator_statistics *out)
{
    const struct debug *debug = (const struct debug *)self;
    node_allocator_statistics(self->inner, out);
    out->live_blocks = debug->live;
    if (out->requests != NODE_STATISTIC_UNKNOWN) {
        out->requests -= debug->probes;
    }
    if (out->releases != NODE_STATISTIC_UNKNOWN) {
        out->releases -= debug->probes_back;
    }
    if (debug->mistakes > 0) {
        snprintf(out->note, sizeof(out->note), "%llu mistakes, the first: %.100s",
                 (unsigned long long)debug->mistakes, debug->kept[0]);
    } else if (debug->live > 0) {
        snprintf(out->note, sizeof(out->note), "no mistake; %llu blocks alive",
                 (unsigned long long)debug->live);
    } else {
        snprintf(out->note, sizeof(out->note), "no mistake, no block alive");
    }
}

static bool debug_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct debug *debug = (const struct debug *)self;
    if (debug->mistakes > 0) {
        snprintf(message, message_size, "debug: %llu mistakes, the first: %s",
                 (unsigned long long)debug->mistakes, debug->kept[0]);
        return false;
    }
    if (!place_table_check(&debug->table)) {
        snprintf(message, message_size, "debug: the table of blocks has lost one");
        return false;
    }
    return node_allocator_check(self->inner, message, message_size);
}

static void debug_report(const struct node_allocator *self, const struct node_report *to)
{
    const struct debug *debug = (const struct debug *)self;
    for (uint64_t i = 0; i < debug->mistakes && i < MISTAKES_KEPT; i++) {
        to->line(to->context, debug->kept[i]);
    }
    if (debug->mistakes > MISTAKES_KEPT) {
        char line[64];
        snprintf(line, sizeof(line), "and %llu mistakes more",
                 (unsigned long long)(debug->mistakes - MISTAKES_KEPT));
        to->line(to->context, line);
    }
    place_table_report(&debug->table, to);
    node_allocator_report(self->inner, to);
}

static void debug_destroy(struct node_allocator *self)
{
    struct debug *debug = (struct debug *)self;
    empty_ring(debug);
    for (size_t i = 0; i < debug->table.capacity; i++) {
        struct place_entry *entry = &debug->table.slots[i];
        if (entry->block != NULL) {
            check_red_zones(debug, entry);
            hand_back(debug, entry->block, entry->size, entry->is_substitute);
        }
    }
    place_table_report(&debug->table, &(struct node_report){.line = write_line, .context = debug});
    place_table_close(&debug->table, self->source);
    if (debug->file >= 0) {
        close(debug->file);
    }
}

static double debug_bytes_per_block(const struct node_allocator *self, size_t size)
{
    return node_allocator_bytes_per_block(self->inner, inner_size(size)) +
           1.5 * sizeof(struct place_entry); /* the table is half to wholly full */
}

const struct node_allocator_type debug_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "debug",
    .summary = "wrapper: find double releases, overruns, overlaps, use after release and leaks",
    .flags = NODE_ALLOCATOR_WRAPS,
    .instance_bytes = sizeof(struct debug),
    .options = options,
    .bytes_per_block = debug_bytes_per_block,
    .create = debug_create,
    .allocate = debug_allocate,
    .release = debug_release,
    .trim = debug_trim,
    .statistics = debug_statistics,
    .check = debug_check,
    .destroy = debug_destroy,
    .report = debug_report,
};
