/*
 * snapshot_blocks.c - sets and compares the checksums of blocks; see snapshot_blocks.h.
 */
#include "snapshot_blocks.h"
#include "base/pw_assert.h"
#include "base/read_at.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include "snapshot_check.h"
#include "snapshot_sums.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

#define BLOCKS_COPIED_MAX 8192 /* 32 MiB */

struct snapshot_blocks {
    struct graph_blocks blocks; /* first: graph_free frees it */
    int fd;
    struct header header;
    struct graph graph; /* borrowed arrays; zero until they are placed */
    uint64_t *sums;
    unsigned threads;
    pthread_mutex_t lock; /* of the pages of the stretch: */
    uint64_t copied;      /* blocks */
    bool is_mapped;
    atomic_bool has_lists; /* all lists were checked, in the mapping */
};

bool snapshot_has_block_sums(const struct header *header)
{
    const struct section *sums = snapshot_section(header, SECTION_BLOCK_SUMS);
    bool last = sums->begin > 0;
    for (size_t i = 0; i < SECTION_ARRAYS; i++) {
        const struct section *section = snapshot_section(header, i);
        last = last && section->begin + section->length <= sums->begin;
    }
    return last && sums->length == snapshot_block_sums_length(sums->begin);
}

/* The section that has a place in the file; SECTION_COUNT: none. */
static size_t kind_at(const struct header *header, uint64_t place)
{
    for (size_t i = 0; i < SECTION_ARRAYS; i++) {
        const struct section *section = snapshot_section(header, i);
        if (place >= section->begin && place - section->begin < section->length) {
            return i;
        }
    }
    return SECTION_COUNT;
}

/* True if all numbers are from first to first + count - 1. */
static bool are_below(const uint32_t *numbers, uint64_t length, uint32_t first, uint32_t count)
{
    bool holds = true;
    for (uint64_t i = 0; i < length / sizeof(*numbers); i++) {
        holds &= numbers[i] - first < count;
    }
    return holds;
}

/* True if a piece of an array of names cannot lead a reader out of the arrays. */
static bool names_hold(const struct graph *graph, size_t kind, const uint32_t *numbers,
                       uint64_t length)
{
    const struct graph_names *names = graph->names;
    const struct graph_names *aliases = graph->origin != NULL ? graph->origin->aliases : NULL;
    switch (kind) {
    case SECTION_ALIAS_IDS:
        return are_below(numbers, length, names->first_id, names->count);
    case SECTION_NAME_ORDER:
        return are_below(numbers, length, 0, names->count + (aliases != NULL ? aliases->count : 0));
    default:
        return true;
    }
}

/* True if the bytes of a block, wherever they are, are good. at: of the section with them. */
static bool holds(const struct snapshot_blocks *snapshot, uint64_t block, const void *bytes,
                  size_t length, const struct section *section, size_t kind)
{
    const struct graph *graph = &snapshot->graph;
    const uint64_t begin = block * GRAPH_BLOCK_BYTES - section->begin;
    return XXH3_64bits(bytes, length) == snapshot->sums[block] &&
           (graph->offsets == NULL || (snapshot_piece_holds(graph, kind, bytes, begin, length) &&
                                       names_hold(graph, kind, bytes, length)));
}

/* Read bytes that the page cache has. False if it has not, or if the system cannot say so. */
static bool read_cached(int fd, void *bytes, size_t length, uint64_t place)
{
    const struct iovec piece = {bytes, length};
    return preadv2(fd, &piece, 1, (off_t)place, RWF_NOWAIT) == (ssize_t)length;
}

/* Map the file over the stretch; the lock is held. False with errno set if the system refuses. */
static bool map_all(struct snapshot_blocks *snapshot)
{
    void *base = (void *)(uintptr_t)snapshot->blocks.base;
    const size_t length = (size_t)snapshot->header.file_size;
    if (!snapshot->is_mapped) {
        snapshot->is_mapped =
            mmap(base, length, PROT_READ, MAP_SHARED | MAP_FIXED, snapshot->fd, 0) == base;
        if (snapshot->is_mapped) {
            madvise(base, length, MADV_RANDOM);
            graph_blocks_forget(&snapshot->blocks); /* the mapping may have another content */
        }
    }
    return snapshot->is_mapped;
}

/* Read a block, check it and put it into its place. With `now` only if the system has it at hand.
 * False also if it is bad, with errno as check of graph_blocks.h has it. */
static bool take_block(struct graph_blocks *blocks, uint64_t block, bool now)
{
    struct snapshot_blocks *snapshot = (struct snapshot_blocks *)blocks;
    alignas(64) char bytes[GRAPH_BLOCK_BYTES];
    const uint64_t place = block * GRAPH_BLOCK_BYTES;
    const size_t kind = kind_at(&snapshot->header, place);
    if (kind == SECTION_COUNT) {
        errno = 0;
        return false;
    }
    const struct section *section = snapshot_section(&snapshot->header, kind);
    const uint64_t left = section->begin + section->length - place;
    const size_t length = (size_t)(left < GRAPH_BLOCK_BYTES ? left : GRAPH_BLOCK_BYTES);
    unsigned char *here = (unsigned char *)(uintptr_t)blocks->base + place;
    const bool is_read = now ? read_cached(snapshot->fd, bytes, length, place)
                             : read_at(snapshot->fd, bytes, length, place);
    if (!is_read) {
        return false;
    }
    int cause = 0;
    bool good = holds(snapshot, block, bytes, length, section, kind);
    pthread_mutex_lock(&snapshot->lock);
    if (good && !snapshot->is_mapped && snapshot->copied++ < blocks->copied_max) {
        memcpy(here, bytes, length);
    } else if (good) { /* what is in the mapping may be another content than what was read */
        const bool is_mapped = map_all(snapshot);
        cause = is_mapped ? 0 : errno;
        good = is_mapped && memcmp(here, bytes, length) == 0;
    }
    pthread_mutex_unlock(&snapshot->lock);
    if (good) {
        graph_blocks_set_good(blocks, block);
    }
    errno = cause;
    return good;
}

static bool check_block(struct graph_blocks *blocks, uint64_t block)
{
    return take_block(blocks, block, false);
}

/* Take the blocks that the system has at hand, and have it read the others. */
static void ask_system(struct graph_blocks *blocks, uint64_t begin, uint64_t end)
{
    const struct snapshot_blocks *snapshot = (const struct snapshot_blocks *)blocks;
    while (begin < end && take_block(blocks, begin, true)) {
        begin++;
    }
    if (begin == end) {
        return;
    }
    posix_fadvise(snapshot->fd, (off_t)(begin * GRAPH_BLOCK_BYTES),
                  (off_t)((end - begin) * GRAPH_BLOCK_BYTES), POSIX_FADV_WILLNEED);
}

/* Check all lists at once, as opening does for whoever reads all. */
static bool check_all(struct graph_blocks *blocks)
{
    struct snapshot_blocks *snapshot = (struct snapshot_blocks *)blocks;
    void *base = (void *)(uintptr_t)blocks->base;
    if (atomic_load(&snapshot->has_lists)) {
        return true;
    }
    pthread_mutex_lock(&snapshot->lock);
    const bool is_mapped = map_all(snapshot);
    const int cause = errno;
    pthread_mutex_unlock(&snapshot->lock);
    if (!is_mapped) {
        const struct section *first = snapshot_section(&snapshot->header, SECTION_OFFSETS);
        graph_blocks_set_bad(blocks, first->begin / GRAPH_BLOCK_BYTES, cause);
        return false;
    }
    madvise(base, (size_t)snapshot->header.file_size, MADV_NORMAL);
#ifdef MADV_POPULATE_READ
    madvise(base, (size_t)snapshot->header.file_size, MADV_POPULATE_READ);
#endif
    const bool good = snapshot_arrays_hold(&snapshot->header, SNAPSHOT_LISTS, base,
                                           snapshot->threads, &snapshot->graph, NULL);
    for (size_t i = 0; i < SECTION_ORIGINAL_IDS; i++) {
        const struct section *section = snapshot_section(&snapshot->header, i);
        const uint64_t begin = section->begin / GRAPH_BLOCK_BYTES;
        const uint64_t count = (section->length + GRAPH_BLOCK_BYTES - 1) / GRAPH_BLOCK_BYTES;
        for (uint64_t block = begin; good && block < begin + count; block++) {
            graph_blocks_set_good(blocks, block);
        }
        if (!good && !graph_blocks_check(blocks, blocks->base + section->begin, section->length)) {
            return false; /* the block is named now */
        }
    }
    atomic_store(&snapshot->has_lists, good);
    return good;
}

static void release(struct graph_blocks *blocks)
{
    struct snapshot_blocks *snapshot = (struct snapshot_blocks *)blocks;
    close(snapshot->fd);
    free(snapshot->sums);
    pthread_mutex_destroy(&snapshot->lock);
    graph_blocks_free(blocks);
}

/* Memory for a file, empty if there is room for that, else mapped. NULL: neither. */
static char *make_stretch(struct snapshot_blocks *snapshot)
{
    const size_t length = (size_t)snapshot->header.file_size;
    char *base = mmap(NULL, length, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base != MAP_FAILED) {
        madvise(base, length, MADV_NOHUGEPAGE); /* one page per block that is used */
        return base;
    }
    base = mmap(NULL, length, PROT_READ, MAP_SHARED, snapshot->fd, 0);
    snapshot->is_mapped = base != MAP_FAILED;
    return snapshot->is_mapped ? base : NULL;
}

/* Read the checksums of the blocks. False with error set. */
static bool read_sums(struct snapshot_blocks *snapshot, const char *path, struct graph_error *error)
{
    const struct section *sums = snapshot_section(&snapshot->header, SECTION_BLOCK_SUMS);
    snapshot->sums = malloc(sums->length);
    if (snapshot->sums == NULL) {
        return graph_fail(error, path, "out of memory for the checksums");
    }
    const bool is_read = read_at(snapshot->fd, snapshot->sums, sums->length, sums->begin);
    if (!is_read && errno != 0) {
        return graph_fail(error, path, "cannot be read: %s", strerror(errno));
    }
    return (is_read && XXH3_64bits(snapshot->sums, sums->length) == sums->checksum) ||
           graph_fail(error, path, "corrupt: the checksums of its blocks are damaged");
}

bool snapshot_blocks_open(int fd, const struct header *header, const char *path, unsigned threads,
                          char **base, struct graph *graph, struct graph_error *error)
{
    const struct section *sums = snapshot_section(header, SECTION_BLOCK_SUMS);
    struct snapshot_blocks *snapshot =
        graph_blocks_create(sizeof(*snapshot), NULL, sums->begin, path);
    pw_assert(snapshot_has_block_sums(header) && graph->blocks == NULL);
    if (snapshot == NULL) {
        close(fd);
        return graph_fail(error, path, "out of memory for the blocks");
    }
    snapshot->fd = fd;
    snapshot->header = *header;
    snapshot->threads = threads;
    pthread_mutex_init(&snapshot->lock, NULL);
    snapshot->blocks.copied_max = BLOCKS_COPIED_MAX;
    snapshot->blocks.check = check_block;
    snapshot->blocks.check_all = check_all;
    snapshot->blocks.ask = ask_system;
    bool opened = read_sums(snapshot, path, error);
    if (opened && ((*base = make_stretch(snapshot)) == NULL ||
                   !graph_adopt(graph, *base, (size_t)header->file_size))) {
        opened = graph_fail(error, path, "cannot be mapped: %s", strerror(errno));
    }
    if (!opened) {
        release(&snapshot->blocks);
        return false;
    }
    snapshot->blocks.base = (const unsigned char *)*base;
    graph->blocks = &snapshot->blocks;
    graph->storage->release = release;
    return true;
}

bool snapshot_blocks_read(struct graph *graph, unsigned kinds)
{
    const struct snapshot_blocks *snapshot = (const struct snapshot_blocks *)graph->blocks;
    bool good = true;
    for (size_t i = 0; good && i < SECTION_ARRAYS; i++) {
        const struct section *section = snapshot_section(&snapshot->header, i);
        const unsigned char *end = graph->blocks->base + section->begin + section->length;
        if ((i == SECTION_NAME_BEGINS || i == SECTION_ALIAS_BEGINS) &&
            section->length >= sizeof(uint64_t)) { /* the last entry is the length of the text */
            good = graph_blocks_check(graph->blocks, end - sizeof(uint64_t), sizeof(uint64_t));
        }
        if (kinds >> i & 1) {
            good = good && graph_blocks_check(graph->blocks, graph->blocks->base + section->begin,
                                              section->length);
        }
    }
    return good;
}

void snapshot_blocks_placed(struct graph *graph)
{
    ((struct snapshot_blocks *)graph->blocks)->graph = *graph;
}
