/*
 * record.c - the wrapper "record": writes every decision of the allocator inside to a script.
 *
 * 1. The allocator inside lives in one region, so that a decision is an offset.
 * 2. Each request, release and chain is one word in a buffer, and the buffer goes to the file when
 *    it is full (record_script.h). No memory is taken.
 * 3. Closing or trimming writes the header (counts, heap size, checksum) and puts the script in its
 *    place. Until then, and if nothing was requested, an old script stays.
 * Cost: 4 bytes per operation on disk. The heap that a replay needs is the whole region.
 * Source: PathEngine, "Measure Memory Allocation Cost, by Eliminating It".
 */
#include "alloc/allocators.h"
#include "alloc/heaps/script_checksum.h"
#include "alloc/refuse.h"
#include "base/program/file_replace.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_FILE };

struct record {
    struct node_allocator base;
    unsigned char *region;
    unsigned granule_shift;
    struct file_replace target; /* the script's place */
    int file;                   /* a copy of its descriptor; -1: nothing is written, only counted */
    int write_error;            /* errno of the first failed write, or 0 */
    size_t current_size;
    struct script_header header;
    uint64_t hash; /* of the words written */
    size_t buffered;
    const char *path;
    uint32_t buffer[SCRIPT_CHUNK]; /* the words after them */
};

static const struct node_option options[] = {
    [OPTION_FILE] = {"file", NODE_OPTION_OUTPUT, "", NULL, 0, 0,
                     "where the script goes; without it, only count its bytes"},
    {.name = NULL},
};

/* Write at an offset of the file; the first failure ends all writing. */
static void write_at(struct record *record, const void *bytes, size_t size, uint64_t offset)
{
    const char *at = bytes;
    while (record->file >= 0 && record->write_error == 0 && size > 0) {
        ssize_t written = pwrite(record->file, at, size, (off_t)offset);
        if (written > 0) {
            at += written;
            size -= (size_t)written;
            offset += (uint64_t)written;
        } else if (written == 0 || errno != EINTR) {
            record->write_error = written == 0 ? ENOSPC : errno;
        }
    }
}

/* Write the buffer after the earlier chunks. Returns the hash of all words. */
static uint64_t write_buffer(struct record *record)
{
    write_at(record, record->buffer, record->buffered * sizeof(*record->buffer),
             sizeof(record->header) + record->header.words * sizeof(*record->buffer));
    return script_hash_words(record->hash, record->buffer, record->buffered);
}

static void put_word(struct record *record, uint32_t word)
{
    if (record->buffered == SCRIPT_CHUNK) {
        record->hash = write_buffer(record);
        record->header.words += record->buffered;
        record->buffered = 0;
    }
    pw_assert(record->buffered < SCRIPT_CHUNK && record->header.words % SCRIPT_CHUNK == 0);
    record->buffer[record->buffered++] = word;
}

static void put(struct record *record, enum script_kind kind, uint32_t argument)
{
    pw_assert(argument <= SCRIPT_ARGUMENT);
    put_word(record, (uint32_t)kind << SCRIPT_KIND_SHIFT | argument);
}

static uint32_t granules(struct record *record, const void *block)
{
    size_t offset = (size_t)((const unsigned char *)block - record->region);
    if ((offset & (((size_t)1 << record->granule_shift) - 1)) != 0) {
        record->header.incomplete = 3; /* blocks closer than 16 in a heap above 2 GiB */
    }
    return (uint32_t)(offset >> record->granule_shift);
}

static bool record_create(struct node_allocator *self, const struct node_option_value *values,
                          struct node_allocator_error *error)
{
    struct record *record = (struct record *)self;
    void *base = NULL;
    size_t bytes = 0;
    record->target.fd = -1;
    record->file = -1;
    if (!node_allocator_region(self->inner, &base, &bytes)) {
        return refuse(
            error,
            "record: %s does not live in one region; first-fit, quick-fit, block and bump do",
            self->inner->type->name);
    }
    record->region = base;
    record->granule_shift = bytes >> 2 <= SCRIPT_ARGUMENT ? 2 : 4;
    if (bytes >> record->granule_shift > SCRIPT_ARGUMENT) {
        return refuse(error, "record: a heap of at most %llu bytes can be recorded, found %zu",
                      (unsigned long long)SCRIPT_ARGUMENT << record->granule_shift, bytes);
    }
    record->path = values[OPTION_FILE].text;
    if (record->path[0] != '\0') {
        bool is_open = file_replace_open(&record->target, record->path);
        record->file = is_open ? fcntl(record->target.fd, F_DUPFD_CLOEXEC, 3) : -1;
        if (record->file < 0) {
            file_replace_abandon(&record->target);
            return refuse(error, "record: %s: cannot be written: %s", record->path,
                          strerror(errno));
        }
    }
    record->header = (struct script_header){.magic = SCRIPT_MAGIC,
                                            .version = SCRIPT_VERSION,
                                            .granule = (uint32_t)1 << record->granule_shift,
                                            .heap_bytes = bytes,
                                            .incomplete = 1};
    write_at(record, &record->header, sizeof(record->header), 0);
    return true;
}

static void *record_allocate(struct node_allocator *self, size_t size)
{
    struct record *record = (struct record *)self;
    void *block = node_allocator_allocate(self->inner, size);
    if (block == NULL) {
        record->header.incomplete = 2;
        return NULL;
    }
    if (size != record->current_size) {
        record->current_size = size;
        if (size >> SCRIPT_KIND_SHIFT != 0) {
            put(record, SCRIPT_SIZE_HIGH, (uint32_t)(size >> SCRIPT_KIND_SHIFT));
        }
        put(record, SCRIPT_SIZE, (uint32_t)size & SCRIPT_ARGUMENT);
    }
    record->header.operations++;
    record->header.requests++;
    put(record, SCRIPT_ALLOCATE, granules(record, block));
    return block;
}

static void record_release(struct node_allocator *self, void *block, size_t size)
{
    struct record *record = (struct record *)self;
    record->header.operations++;
    put(record, SCRIPT_RELEASE, granules(record, block));
    node_allocator_release(self->inner, block, size);
}

static void record_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                                 size_t size)
{
    struct record *record = (struct record *)self;
    if (count > 0) {
        record->header.operations++;
        put(record, SCRIPT_CHAIN, granules(record, head));
        put_word(record, (uint32_t)count);
        put_word(record, (uint32_t)((uint64_t)count >> 32));
    }
    node_allocator_release_chain(self->inner, head, tail, count, size);
}

static void record_statistics(const struct node_allocator *self,
                              struct node_allocator_statistics *out)
{
    const struct record *record = (const struct record *)self;
    node_allocator_statistics(self->inner, out);
    uint64_t words = record->header.words + record->buffered;
    out->output_lost = out->output_lost || record->write_error != 0 ||
                       (record->file >= 0 && record->header.incomplete > 1);
    if (record->write_error != 0) {
        snprintf(out->note, sizeof(out->note), "%s: cannot be written: %s", record->path,
                 strerror(record->write_error));
    } else if (record->header.incomplete == 2) {
        snprintf(out->note, sizeof(out->note),
                 "a request found the heap full: the script cannot be replayed");
    } else if (record->header.incomplete == 3) {
        snprintf(out->note, sizeof(out->note),
                 "blocks closer than 16 bytes in so large a heap: the script cannot be replayed");
    } else {
        snprintf(out->note, sizeof(out->note),
                 "recorded %llu operations in %llu bytes; a heap of %llu bytes is enough",
                 (unsigned long long)record->header.operations,
                 (unsigned long long)words * sizeof(uint32_t) + sizeof(record->header),
                 (unsigned long long)out->heap_bytes_needed);
    }
}

/* Make the file a script of what was recorded so far. */
static void finish(struct record *record)
{
    if (record->file < 0) {
        return;
    }
    struct script_header header = record->header;
    uint64_t hash = record->hash;
    if (record->buffered > 0) { /* later words will overwrite it */
        hash = write_buffer(record);
        header.words += record->buffered;
    }
    header.incomplete = header.incomplete == 1 ? 0 : header.incomplete;
    header.checksum = script_checksum(hash, &header);
    write_at(record, &header, sizeof(header), 0);
    if (record->target.fd >= 0 && header.operations > 0 && record->write_error == 0 &&
        !file_replace_commit(&record->target)) {
        record->write_error = errno;
    }
}

/* Also called by a trim, the last thing that some programs do; more may still follow. */
static void record_trim(struct node_allocator *self)
{
    finish((struct record *)self);
    node_allocator_trim(self->inner);
}

static void record_destroy(struct node_allocator *self)
{
    struct record *record = (struct record *)self;
    finish(record);
    file_replace_abandon(&record->target);
    if (record->file >= 0) {
        close(record->file);
    }
}

const struct node_allocator_type record_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "record",
    .summary = "wrapper: write every decision of an allocator in one region to a script",
    .flags = NODE_ALLOCATOR_WRAPS | NODE_ALLOCATOR_WRITES_RUN,
    .instance_bytes = sizeof(struct record),
    .options = options,
    .create = record_create,
    .allocate = record_allocate,
    .release = record_release,
    .release_chain = record_release_chain,
    .trim = record_trim,
    .statistics = record_statistics,
    .destroy = record_destroy,
    .wraps_by_default = "first-fit",
};
