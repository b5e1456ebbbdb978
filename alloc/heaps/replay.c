/*
 * replay.c - the allocator "replay": answers every request from a script, at almost no cost.
 *
 * 1. The script that "record" wrote is mapped; header, checksum, kinds and bounds are verified.
 * 2. The region of the recording is taken from the source and touched.
 * 3. Checked: each request's size and each release's block must match the script. After the
 *    first difference no request is answered; statistics and check say which call differed and how.
 * 4. Unchecked: the offsets are laid out in an array, a request is one load, a release nothing.
 * Cost: the recording's heap, and 4 bytes per request when unchecked. The run must be the recorded
 * one, call by call. Source: PathEngine, "Measure Memory Allocation Cost, by Eliminating It".
 */
#include "alloc/allocators.h"
#include "alloc/refuse.h"
#include "base/pw_assert.h"
#include "region.h"
#include "script_checksum.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPTION_MODE, OPTION_FILE };
enum { MODE_CHECKED, MODE_UNCHECKED };

struct replay {
    struct node_allocator base;
    struct region region;
    unsigned granule_shift;
    const uint32_t *next; /* checked: the next word of the script; unchecked: the next offset */
    const uint32_t *end;
    uint64_t operation; /* checked: operations so far */
    size_t current_size;
    uint64_t live;
    bool unchecked;
    bool diverged;
    char divergence[160];
    struct script_header header;
    void *mapped; /* the file; NULL: not mapped */
    size_t mapped_bytes;
    uint32_t *offsets; /* unchecked, from the source; else NULL */
};

static const struct node_option options[] = {
    [OPTION_MODE] = {"mode", NODE_OPTION_CHOICE, "checked", "checked|unchecked", 0, 0,
                     "compare every call with the script"},
    [OPTION_FILE] = {"file", NODE_OPTION_INPUT, "", NULL, 0, 0, "the script that record wrote"},
    {.name = NULL},
};

static bool map_file(struct replay *replay, const char *path, struct node_allocator_error *error)
{
    if (path[0] == '\0') {
        return refuse(error, "replay: which script is missing, as in replay:file=run.script");
    }
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        refuse(error, "replay: %s: cannot be opened: %s", path, strerror(errno));
        if (file >= 0) {
            close(file);
        }
        return false;
    }
    if (!S_ISREG(status.st_mode) || (size_t)status.st_size < sizeof(struct script_header)) {
        close(file);
        return refuse(error, "replay: %s: is too short for a script", path);
    }
    replay->mapped_bytes = (size_t)status.st_size;
    replay->mapped = mmap(NULL, replay->mapped_bytes, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (replay->mapped == MAP_FAILED) {
        replay->mapped = NULL;
        return refuse(error, "replay: %s: cannot be mapped: %s", path, strerror(errno));
    }
    madvise(replay->mapped, replay->mapped_bytes, MADV_SEQUENTIAL);
    return true;
}

static bool check_header(const struct replay *replay, const char *path,
                         struct node_allocator_error *error)
{
    const struct script_header *header = &replay->header;
    if (header->magic != SCRIPT_MAGIC) {
        return refuse(error, "replay: %s: %s", path,
                      header->magic == __builtin_bswap64(SCRIPT_MAGIC)
                          ? "was recorded on a machine of the other byte order"
                          : "is not a script");
    }
    if (header->version != SCRIPT_VERSION) {
        return refuse(error, "replay: %s: has version %u, this program reads version %d", path,
                      header->version, SCRIPT_VERSION);
    }
    if (header->incomplete == 1) {
        return refuse(error, "replay: %s: the recording was not finished", path);
    }
    if (header->incomplete != 0) {
        return refuse(error, "replay: %s: %s", path,
                      header->incomplete == 2 ? "the recording ran out of heap"
                                              : "the recording met blocks it could not write down");
    }
    size_t words = (replay->mapped_bytes - sizeof(*header)) / sizeof(uint32_t);
    if (header->words != words || replay->mapped_bytes % sizeof(uint32_t) != 0) {
        return refuse(error,
                      "replay: %s: is truncated or has something after it: %llu words, not %llu",
                      path, (unsigned long long)words, (unsigned long long)header->words);
    }
    if ((header->granule != 4 && header->granule != 16) || header->requests > header->words ||
        header->heap_bytes >> 34 != 0) {
        return refuse(error, "replay: %s: the header is corrupt", path);
    }
    return true;
}

/* Verify the checksum, the kinds and the bounds of all words; lay the offsets out, if wanted. */
static bool check_words(struct replay *replay, const char *path, struct node_allocator_error *error)
{
    const struct script_header *header = &replay->header;
    uint64_t hash = script_hash_words(0, replay->next, (size_t)(replay->end - replay->next));
    if (script_checksum(hash, header) != header->checksum) {
        return refuse(error, "replay: %s: is corrupt: the checksum does not match", path);
    }
    uint64_t requests = 0;
    uint64_t operations = 0;
    uint64_t size = 0;
    uint64_t high = 0;
    bool sound = true;
    for (const uint32_t *word = replay->next; word < replay->end; word++) {
        uint64_t argument = *word & SCRIPT_ARGUMENT;
        uint64_t offset = argument * header->granule;
        switch (*word >> SCRIPT_KIND_SHIFT) {
        case SCRIPT_ALLOCATE:
            if (replay->offsets != NULL && requests < header->requests) {
                replay->offsets[requests] = (uint32_t)argument;
            }
            requests++;
            operations++;
            sound = sound && size > 0 && size <= header->heap_bytes &&
                    offset <= header->heap_bytes - size;
            break;
        case SCRIPT_RELEASE:
            operations++;
            sound = sound && offset < header->heap_bytes;
            break;
        case SCRIPT_SIZE:
            size = high << SCRIPT_KIND_SHIFT | argument;
            high = 0;
            break;
        case SCRIPT_SIZE_HIGH:
            high = argument;
            break;
        case SCRIPT_CHAIN:
            operations++;
            sound = sound && offset < header->heap_bytes && replay->end - word > 2;
            word += replay->end - word > 2 ? 2 : replay->end - word - 1; /* its length */
            break;
        default:
            sound = false;
        }
    }
    if (!sound || requests != header->requests || operations != header->operations) {
        return refuse(
            error, "replay: %s: is corrupt: it holds operations that no heap can have made", path);
    }
    return true;
}

static void replay_destroy(struct node_allocator *self)
{
    struct replay *replay = (struct replay *)self;
    region_close(self);
    if (replay->offsets != NULL) {
        self->source->release(replay->offsets);
        replay->offsets = NULL;
    }
    if (replay->mapped != NULL) {
        munmap(replay->mapped, replay->mapped_bytes);
        replay->mapped = NULL;
    }
}

static bool replay_create(struct node_allocator *self, const struct node_option_value *values,
                          struct node_allocator_error *error)
{
    struct replay *replay = (struct replay *)self;
    const char *path = values[OPTION_FILE].text;
    if (!map_file(replay, path, error)) {
        return false;
    }
    pw_assert(replay->mapped != NULL);
    memcpy(&replay->header, replay->mapped, sizeof(replay->header));
    if (!check_header(replay, path, error)) {
        goto fail;
    }
    replay->next = (const uint32_t *)((const char *)replay->mapped + sizeof(replay->header));
    replay->end = replay->next + replay->header.words;
    replay->granule_shift = replay->header.granule == 4 ? 2 : 4;
    replay->unchecked = values[OPTION_MODE].number == MODE_UNCHECKED;
    if (replay->unchecked) {
        size_t bytes = (size_t)replay->header.requests * sizeof(*replay->offsets);
        replay->offsets = self->source->allocate(bytes > 0 ? bytes : 1);
        if (replay->offsets == NULL) {
            refuse(error, "replay: out of memory for %zu bytes of offsets", bytes);
            goto fail;
        }
    }
    if (!check_words(replay, path, error) ||
        !region_open(self, replay->header.heap_bytes, 0, true, error)) {
        goto fail;
    }
    if (replay->unchecked) {
        replay->next = replay->offsets;
        replay->end = replay->offsets + replay->header.requests;
    }
    return true;
fail:
    replay_destroy(self);
    return false;
}

/* The run differs from the recording: from here on no request is answered. */
__attribute__((format(printf, 2, 3))) static void diverge(struct replay *replay, const char *format,
                                                          ...)
{
    if (replay->diverged) {
        return;
    }
    replay->diverged = true;
    int used = snprintf(replay->divergence, sizeof(replay->divergence),
                        "the run is not the recorded one: operation %llu of %llu: ",
                        (unsigned long long)replay->operation + 1,
                        (unsigned long long)replay->header.operations);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(replay->divergence + used, sizeof(replay->divergence) - (size_t)used, format,
              arguments);
    va_end(arguments);
}

static const char *kind_name(uint32_t word)
{
    static const char *const names[] = {"a request", "a release", "a request", "a request",
                                        "the release of a chain"};
    return names[word >> SCRIPT_KIND_SHIFT];
}

static void *replay_checked(struct replay *replay, size_t size)
{
    size_t high = 0;
    if (replay->diverged) {
        return NULL;
    }
    while (replay->next < replay->end && *replay->next >> SCRIPT_KIND_SHIFT >= SCRIPT_SIZE &&
           *replay->next >> SCRIPT_KIND_SHIFT <= SCRIPT_SIZE_HIGH) {
        size_t argument = *replay->next & SCRIPT_ARGUMENT;
        if (*replay->next++ >> SCRIPT_KIND_SHIFT == SCRIPT_SIZE) {
            replay->current_size = high << SCRIPT_KIND_SHIFT | argument;
        } else {
            high = argument;
        }
    }
    if (replay->next == replay->end) {
        diverge(replay, "a request of %zu bytes, recorded was the end", size);
        return NULL;
    }
    uint32_t word = *replay->next;
    if (word >> SCRIPT_KIND_SHIFT != SCRIPT_ALLOCATE) {
        diverge(replay, "a request of %zu bytes, recorded was %s", size, kind_name(word));
        return NULL;
    }
    if (size != replay->current_size) {
        diverge(replay, "a request of %zu bytes, recorded was one of %zu", size,
                replay->current_size);
        return NULL;
    }
    replay->next++;
    replay->operation++;
    replay->live++;
    pw_assert(replay->operation <= replay->header.operations);
    return replay->region.base + ((size_t)word << replay->granule_shift);
}

static void *replay_allocate(struct node_allocator *self, size_t size)
{
    struct replay *replay = (struct replay *)self;
    if (!replay->unchecked) {
        return replay_checked(replay, size);
    }
    if (replay->next == replay->end) {
        replay->operation = replay->header.operations;
        diverge(replay, "a request of %zu bytes, recorded was the end", size);
        return NULL;
    }
    return replay->region.base + ((size_t)*replay->next++ << replay->granule_shift);
}

/* Compare a release of the given kind with the script; consume the entry when they agree. */
static bool released_as_recorded(struct replay *replay, enum script_kind kind, const void *block)
{
    size_t offset = (size_t)((const unsigned char *)block - replay->region.base);
    if (replay->diverged) {
        return false;
    }
    if (replay->next == replay->end) {
        diverge(replay, "a release, recorded was the end");
        return false;
    }
    uint32_t word = *replay->next;
    if (word >> SCRIPT_KIND_SHIFT != (uint32_t)kind) {
        diverge(replay, "%s, recorded was %s", kind_name((uint32_t)kind << SCRIPT_KIND_SHIFT),
                kind_name(word));
        return false;
    }
    size_t recorded = (size_t)(word & SCRIPT_ARGUMENT) << replay->granule_shift;
    if (recorded != offset) {
        diverge(replay, "the block at %#zx came back, recorded was %#zx", offset, recorded);
        return false;
    }
    replay->next++;
    replay->operation++;
    return true;
}

static void replay_release(struct node_allocator *self, void *block, size_t size)
{
    struct replay *replay = (struct replay *)self;
    (void)size;
    if (!replay->unchecked && released_as_recorded(replay, SCRIPT_RELEASE, block)) {
        replay->live--;
    }
}

static void replay_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                                 size_t size)
{
    struct replay *replay = (struct replay *)self;
    (void)tail;
    (void)size;
    if (replay->unchecked || count == 0 || !released_as_recorded(replay, SCRIPT_CHAIN, head)) {
        return;
    }
    uint64_t recorded = replay->next[0] | (uint64_t)replay->next[1] << 32;
    replay->next += 2;
    if (recorded != count) {
        replay->operation--; /* this one differs */
        diverge(replay, "a chain of %zu came back, recorded was one of %llu", count,
                (unsigned long long)recorded);
    }
    replay->live -= count;
}

static void replay_statistics(const struct node_allocator *self,
                              struct node_allocator_statistics *out)
{
    const struct replay *replay = (const struct replay *)self;
    if (!replay->unchecked) {
        out->live_blocks = replay->live;
    }
    out->held_bytes = replay->region.bytes;
    if (replay->offsets != NULL) {
        out->held_bytes += replay->header.requests * sizeof(uint32_t);
    }
    out->held_bytes_max = out->held_bytes;
    out->diverged = replay->diverged;
    if (replay->diverged) {
        snprintf(out->note, sizeof(out->note), "%s", replay->divergence);
    } else if (replay->next < replay->end) {
        snprintf(out->note, sizeof(out->note), "%llu words of the script are left",
                 (unsigned long long)(replay->end - replay->next));
    }
}

static bool replay_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct replay *replay = (const struct replay *)self;
    if (replay->diverged) {
        snprintf(message, message_size, "replay: %s", replay->divergence);
    }
    return !replay->diverged;
}

static void replay_report(const struct node_allocator *self, const struct node_report *to)
{
    const struct replay *replay = (const struct replay *)self;
    if (replay->diverged) {
        to->line(to->context, replay->divergence);
    }
}

static double replay_bytes_per_block(const struct node_allocator *self, size_t size)
{
    return first_fit_allocator.bytes_per_block(self, size);
}

const struct node_allocator_type replay_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "replay",
    .summary = "answers every request from a recorded script, as if allocation cost nothing",
    .flags = NODE_ALLOCATOR_NEEDS_FILE | NODE_ALLOCATOR_ASKS_RARELY,
    .instance_bytes = sizeof(struct replay),
    .options = options,
    .bytes_per_block = replay_bytes_per_block,
    .create = replay_create,
    .allocate = replay_allocate,
    .release = replay_release,
    .release_chain = replay_release_chain,
    .statistics = replay_statistics,
    .check = replay_check,
    .destroy = replay_destroy,
    .report = replay_report,
};
