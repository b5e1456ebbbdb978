/*
 * snapshot_blocks.c - reads, checks and places the blocks of a snapshot; see snapshot_blocks.h.
 */
#include "snapshot_blocks.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/read_at.h"
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

#ifndef RWF_NOWAIT /* musl before 1.2.5: nothing says what the page cache has */
#define RWF_NOWAIT 0
static ssize_t preadv2(int fd, const struct iovec *pieces, int count, off_t place, int flags)
{
    (void)fd, (void)pieces, (void)count, (void)place, (void)flags;
    return -1;
}
#endif

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

/* True if the bytes of a block, wherever they are, are good. */
static bool holds(const struct snapshot_blocks *snapshot, uint64_t block, const void *bytes)
{
    const struct graph *graph = &snapshot->graph;
    const uint64_t place = block * GRAPH_BLOCK_BYTES;
    const size_t kind = snapshot_section_at(&snapshot->header, place);
    if (snapshot_sum(bytes) != snapshot->sums[block]) {
        return false;
    }
    if (kind == SECTION_COUNT || graph->offsets == NULL) {
        return true;
    }
    const struct section *section = &snapshot->header.sections[kind];
    const uint64_t begin = place - section->begin, left = section->length - begin;
    return snapshot_piece_holds(graph, kind, bytes, begin,
                                left < GRAPH_BLOCK_BYTES ? left : GRAPH_BLOCK_BYTES);
}

/* Map the file over the stretch; the lock is held. False with errno set if the system refuses. */
static bool map_all(struct snapshot_blocks *snapshot)
{
    void *base = (void *)(uintptr_t)snapshot->blocks.base;
    const size_t length = (size_t)snapshot->blocks.length;
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

/* Put a block that was read into its place, which may be in the mapping already, with another
 * content than what was read; the lock is held. Returns what check of graph_blocks.h returns. */
static int place(struct snapshot_blocks *snapshot, uint64_t block, const void *bytes)
{
    unsigned char *here =
        (unsigned char *)(uintptr_t)snapshot->blocks.base + block * GRAPH_BLOCK_BYTES;
    if (!snapshot->is_mapped && snapshot->copied++ < snapshot->blocks.copied_max) {
        memcpy(here, bytes, GRAPH_BLOCK_BYTES);
        return GRAPH_BLOCK_GOOD;
    }
    if (!map_all(snapshot)) {
        return errno;
    }
    return memcmp(here, bytes, GRAPH_BLOCK_BYTES) == 0 ? GRAPH_BLOCK_GOOD : GRAPH_BLOCK_BAD;
}

/* Check a block that was read, put it into its place, and set its bit. */
static int take(struct snapshot_blocks *snapshot, uint64_t block, const void *bytes)
{
    if (!holds(snapshot, block, bytes)) {
        return GRAPH_BLOCK_BAD;
    }
    pthread_mutex_lock(&snapshot->lock);
    const int outcome = place(snapshot, block, bytes);
    pthread_mutex_unlock(&snapshot->lock);
    if (outcome == GRAPH_BLOCK_GOOD) {
        graph_blocks_set_good(&snapshot->blocks, block);
    }
    return outcome;
}

static int check_block(struct graph_blocks *blocks, uint64_t block)
{
    struct snapshot_blocks *snapshot = (struct snapshot_blocks *)blocks;
    alignas(64) char bytes[GRAPH_BLOCK_BYTES];
    if (!read_at(snapshot->fd, bytes, sizeof(bytes), block * GRAPH_BLOCK_BYTES)) {
        return errno != 0 ? errno : GRAPH_BLOCK_BAD; /* 0: the file was cut short */
    }
    return take(snapshot, block, bytes);
}

/* Take a block if the page cache has it. False if it has not, if the system cannot say so, or if
 * the block is bad, which is found out again when it is used. */
static bool take_cached(struct snapshot_blocks *snapshot, uint64_t block)
{
    alignas(64) char bytes[GRAPH_BLOCK_BYTES];
    const struct iovec piece = {bytes, sizeof(bytes)};
    return preadv2(snapshot->fd, &piece, 1, (off_t)(block * GRAPH_BLOCK_BYTES), RWF_NOWAIT) ==
               (ssize_t)sizeof(bytes) &&
           take(snapshot, block, bytes) == GRAPH_BLOCK_GOOD;
}

/* Take the blocks that the system has at hand, and have it read the others. */
static void ask_system(struct graph_blocks *blocks, uint64_t begin, uint64_t end)
{
    struct snapshot_blocks *snapshot = (struct snapshot_blocks *)blocks;
    while (begin < end && take_cached(snapshot, begin)) {
        begin++;
    }
    if (begin < end) {
        posix_fadvise(snapshot->fd, (off_t)(begin * GRAPH_BLOCK_BYTES),
                      (off_t)((end - begin) * GRAPH_BLOCK_BYTES), POSIX_FADV_WILLNEED);
    }
}

/* Check all lists at once, as opening does for whoever reads all. */
static bool check_all(struct graph_blocks *blocks)
{
    struct snapshot_blocks *snapshot = (struct snapshot_blocks *)blocks;
    void *base = (void *)(uintptr_t)blocks->base;
    const struct section *sections = snapshot->header.sections;
    if (atomic_load(&snapshot->has_lists)) {
        return true;
    }
    pthread_mutex_lock(&snapshot->lock);
    const bool is_mapped = map_all(snapshot);
    const int cause = errno;
    pthread_mutex_unlock(&snapshot->lock);
    if (!is_mapped) {
        graph_blocks_set_bad(blocks, sections[SECTION_OFFSETS].begin / GRAPH_BLOCK_BYTES, cause);
        return false;
    }
    madvise(base, (size_t)blocks->length, MADV_NORMAL);
#ifdef MADV_POPULATE_READ
    madvise(base, (size_t)blocks->length, MADV_POPULATE_READ);
#endif
    const struct snapshot_check check = {.header = &snapshot->header,
                                         .base = base,
                                         .sums = snapshot->sums,
                                         .kinds = SNAPSHOT_LISTS,
                                         .threads = snapshot->threads,
                                         .graph = &snapshot->graph};
    uint64_t bad;
    if (!snapshot_check(&check, &bad)) {
        bad = bad != SNAPSHOT_NO_BLOCK ? bad : sections[SECTION_OFFSETS].begin / GRAPH_BLOCK_BYTES;
        graph_blocks_set_bad(blocks, bad, GRAPH_BLOCK_BAD);
        return false;
    }
    for (size_t i = 0; i < SECTION_ORIGINAL_IDS; i++) {
        const uint64_t begin = sections[i].begin, end = begin + sections[i].length;
        for (uint64_t place = begin; place < end; place += GRAPH_BLOCK_BYTES) {
            graph_blocks_set_good(blocks, place / GRAPH_BLOCK_BYTES);
        }
    }
    atomic_store(&snapshot->has_lists, true);
    return true;
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
    const size_t length = (size_t)snapshot->blocks.length;
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
    const size_t length = (size_t)snapshot_sums_length(&snapshot->header);
    snapshot->sums = malloc(length);
    if (snapshot->sums == NULL) {
        return graph_fail(error, path, "out of memory for the checksums");
    }
    if (!read_at(snapshot->fd, snapshot->sums, length, snapshot->blocks.length)) {
        return graph_fail(error, path, "cannot be read: %s",
                          errno != 0 ? strerror(errno) : "it became shorter");
    }
    return snapshot_sums_hold(&snapshot->header, snapshot->sums, path, error);
}

char *snapshot_blocks_open(int fd, const struct header *header, const char *path, unsigned threads,
                           struct graph *graph, struct graph_error *error)
{
    struct snapshot_blocks *snapshot =
        graph_blocks_create(sizeof(*snapshot), NULL, snapshot_blocks_length(header), path);
    pw_assert(graph->blocks == NULL);
    if (snapshot == NULL) {
        close(fd);
        graph_fail(error, path, "out of memory for the blocks");
        return NULL;
    }
    snapshot->fd = fd;
    pthread_mutex_init(&snapshot->lock, NULL);
    snapshot->header = *header;
    snapshot->threads = threads;
    snapshot->blocks.copied_max = BLOCKS_COPIED_MAX;
    snapshot->blocks.check = check_block;
    snapshot->blocks.check_all = check_all;
    snapshot->blocks.ask = ask_system;
    char *base = NULL;
    if (read_sums(snapshot, path, error) &&
        ((base = make_stretch(snapshot)) == NULL ||
         !graph_adopt(graph, base, (size_t)snapshot->blocks.length))) {
        graph_fail(error, path, "cannot be mapped: %s", strerror(errno));
        base = NULL;
    }
    if (base == NULL) {
        release(&snapshot->blocks);
        return NULL;
    }
    snapshot->blocks.base = (const unsigned char *)base;
    graph->blocks = &snapshot->blocks;
    graph->storage->release = release;
    return base;
}

bool snapshot_blocks_read_ends(struct graph *graph)
{
    static const enum section_kind kinds[] = {SECTION_NAME_BEGINS, SECTION_ALIAS_BEGINS};
    const struct snapshot_blocks *snapshot = (const struct snapshot_blocks *)graph->blocks;
    bool good = true;
    for (size_t i = 0; i < COUNT_OF(kinds) && good; i++) {
        const struct section *section = &snapshot->header.sections[kinds[i]];
        const unsigned char *end = graph->blocks->base + section->begin + section->length;
        good = section->length < sizeof(uint64_t) ||
               graph_blocks_check(graph->blocks, end - sizeof(uint64_t), sizeof(uint64_t));
    }
    return good;
}

void snapshot_blocks_placed(struct graph *graph)
{
    ((struct snapshot_blocks *)graph->blocks)->graph = *graph;
}
