/*
 * replay.c - the allocator "replay": every request answered from a script, as if it cost nothing.
 *
 * 1. The script that "record" wrote is mapped; header, checksum, kinds and bounds are verified.
 * 2. The region of the recording is taken from the source and touched.
 * 3. Checked: each request's size and each release's block must be those of the script. After the
 *    first difference no request is answered; statistics and check say which call differed and how.
 * 4. Unchecked: the offsets are laid out in an array, a request is one load, a release nothing.
 * Cost: the recording's heap, and 4 bytes per request when unchecked. The run must be the recorded
 * one, call by call. Source: PathEngine, "Measure Memory Allocation Cost, by Eliminating It".
 */
#include "alloc/allocators.h"
#include "alloc/refuse.h"
#include "alloc/region.h"
#include "base/macros.h"
#include "base/pw_assert.h"
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

/* What is left of a script, or of an array of offsets. */
struct cursor {
    const uint32_t *next, *end;
    unsigned granule_shift;
    size_t size; /* of a request */
};

struct operation {
    enum script_kind kind; /* ALLOCATE, RELEASE or CHAIN */
    size_t offset;         /* of its block */
    size_t size;           /* of a request; else 0 */
    uint64_t count;        /* of a chain; else 0 */
};

struct replay {
    struct node_allocator base;
    struct region region;
    struct cursor cursor;
    uint64_t operation; /* checked: operations so far */
    uint64_t live;
    bool diverged;
    char divergence[160];
    struct script_header header;
    void *mapped; /* the file; NULL: not mapped */
    size_t mapped_bytes;
    uint32_t *offsets; /* unchecked, from the source; NULL: checked */
};

static const struct node_option options[] = {
    [OPTION_MODE] = {"mode", NODE_OPTION_CHOICE, "checked", "checked|unchecked", 0, 0,
                     "whether every call is compared with the script"},
    [OPTION_FILE] = {"file", NODE_OPTION_TEXT, "", NULL, 0, 0, "the script that record wrote"},
    {.name = NULL},
};

__attribute__((format(printf, 3, 4))) static bool
refuse_script(struct node_allocator_error *error, const char *path, const char *format, ...)
{
    int used = snprintf(error->message, sizeof(error->message), "replay: %s: ", path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message + used, sizeof(error->message) - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

static bool map_file(struct replay *replay, const char *path, struct node_allocator_error *error)
{
    if (path[0] == '\0') {
        return refuse(error, "replay: which script is missing, as in replay:file=run.script");
    }
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        refuse_script(error, path, "cannot be opened: %s", strerror(errno));
        if (file >= 0) {
            close(file);
        }
        return false;
    }
    if (!S_ISREG(status.st_mode) || (size_t)status.st_size < sizeof(struct script_header)) {
        close(file);
        return refuse_script(error, path, "is too short for a script");
    }
    replay->mapped_bytes = (size_t)status.st_size;
    replay->mapped = mmap(NULL, replay->mapped_bytes, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (replay->mapped == MAP_FAILED) {
        replay->mapped = NULL;
        return refuse_script(error, path, "cannot be mapped: %s", strerror(errno));
    }
    madvise(replay->mapped, replay->mapped_bytes, MADV_SEQUENTIAL);
    return true;
}

static bool check_header(const struct replay *replay, const char *path,
                         struct node_allocator_error *error)
{
    const struct script_header *header = &replay->header;
    if (header->magic != SCRIPT_MAGIC) {
        return refuse_script(error, path,
                             header->magic == __builtin_bswap64(SCRIPT_MAGIC)
                                 ? "was recorded on a machine of the other byte order"
                                 : "is not a script");
    }
    if (header->version != SCRIPT_VERSION) {
        return refuse_script(error, path, "has version %u, this program reads version %d",
                             header->version, SCRIPT_VERSION);
    }
    if (header->incomplete == 1) {
        return refuse_script(error, path, "the recording was not finished");
    }
    if (header->incomplete != 0) {
        return refuse_script(error, path,
                             header->incomplete == 2
                                 ? "the recording ran out of heap"
                                 : "the recording met blocks it could not write down");
    }
    size_t words = (replay->mapped_bytes - sizeof(*header)) / sizeof(uint32_t);
    if (header->words != words || replay->mapped_bytes % sizeof(uint32_t) != 0) {
        return refuse_script(error, path,
                             "is truncated or has something behind it: %llu words, not %llu",
                             (unsigned long long)words, (unsigned long long)header->words);
    }
    if ((header->granule != 4 && header->granule != 16) || header->requests > header->words ||
        header->heap_bytes >> 34 != 0) {
        return refuse_script(error, path, "the header is corrupt");
    }
    return true;
}

/* Read an operation and the sizes before it. False, next left there, at what is none or the end. */
static inline bool read_operation(struct cursor *cursor, struct operation *operation)
{
    size_t high = 0;
    for (; cursor->next < cursor->end; cursor->next++) {
        const uint32_t *word = cursor->next;
        enum script_kind kind = *word >> SCRIPT_KIND_SHIFT;
        uint32_t argument = *word & SCRIPT_ARGUMENT;
        if (kind == SCRIPT_SIZE) {
            cursor->size = high << SCRIPT_KIND_SHIFT | argument;
            high = 0;
        } else if (kind == SCRIPT_SIZE_HIGH) {
            high = argument;
        } else {
            size_t words = kind == SCRIPT_CHAIN ? 3 : 1;
            if (kind > SCRIPT_CHAIN || (size_t)(cursor->end - word) < words) {
                return false;
            }
            cursor->next += words;
            *operation = (struct operation){
                .kind = kind,
                .offset = (size_t)argument << cursor->granule_shift,
                .size = kind == SCRIPT_ALLOCATE ? cursor->size : 0,
                .count = kind == SCRIPT_CHAIN ? word[1] | (uint64_t)word[2] << 32 : 0,
            };
            return true;
        }
    }
    return false;
}

/* Verify the checksum, the kinds and the bounds of all words. Lay the offsets out, if wanted. */
static bool check_words(struct replay *replay, const char *path, struct node_allocator_error *error)
{
    const struct script_header *header = &replay->header;
    struct cursor cursor = replay->cursor;
    struct operation operation;
    uint64_t hash = 0;
    for (const uint32_t *chunk = cursor.next; chunk < cursor.end; chunk += SCRIPT_CHUNK) {
        size_t left = (size_t)(cursor.end - chunk);
        hash = script_hash_chunk(hash, chunk, left < SCRIPT_CHUNK ? left : SCRIPT_CHUNK);
    }
    if (script_checksum(hash, header) != header->checksum) {
        return refuse_script(error, path, "is corrupt: the checksum does not match");
    }
    uint64_t requests = 0;
    uint64_t operations = 0;
    bool sound = true;
    while (sound && read_operation(&cursor, &operation)) {
        bool request = operation.kind == SCRIPT_ALLOCATE;
        uint64_t bytes = request ? operation.size : 1;
        sound = bytes > 0 && bytes <= header->heap_bytes &&
                operation.offset <= header->heap_bytes - bytes &&
                requests + request <= header->requests;
        if (sound && request && replay->offsets != NULL) {
            replay->offsets[requests] = (uint32_t)(operation.offset >> cursor.granule_shift);
        }
        requests += request;
        operations++;
    }
    if (!sound || cursor.next != cursor.end || requests != header->requests ||
        operations != header->operations) {
        return refuse_script(error, path,
                             "is corrupt: it holds operations that no heap can have made");
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
    const uint32_t *words = (const void *)((const char *)replay->mapped + sizeof(replay->header));
    replay->cursor = (struct cursor){.next = words,
                                     .end = words + replay->header.words,
                                     .granule_shift = replay->header.granule == 4 ? 2 : 4};
    if (values[OPTION_MODE].number == MODE_UNCHECKED) {
        size_t bytes = replay->header.requests * sizeof(*replay->offsets);
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
    if (replay->offsets != NULL) {
        replay->cursor.next = replay->offsets;
        replay->cursor.end = replay->offsets + replay->header.requests;
    }
    return true;
fail:
    replay_destroy(self);
    return false;
}

/* The run differs from the recorded one: from here on no request is answered. */
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

/* Checked: whether the script goes on with this operation, which is consumed then. */
static bool is_recorded(struct replay *replay, const struct operation *seen,
                        struct operation *recorded)
{
    static const char *const names[] = {[SCRIPT_ALLOCATE] = "a request",
                                        [SCRIPT_RELEASE] = "a release",
                                        [SCRIPT_CHAIN] = "the release of a chain"};
    struct cursor ahead = replay->cursor;
    const bool more = read_operation(&ahead, recorded);
    const char *was = more ? names[recorded->kind] : "the end";
    if (LIKELY(more && seen->kind == recorded->kind && seen->size == recorded->size &&
               (seen->kind == SCRIPT_ALLOCATE || seen->offset == recorded->offset) &&
               seen->count == recorded->count && !replay->diverged)) {
        replay->cursor = ahead;
        replay->operation++;
        pw_assert(replay->operation <= replay->header.operations);
        return true;
    }
    if (more && seen->kind == recorded->kind && seen->size != recorded->size) {
        diverge(replay, "a request of %zu bytes, recorded was one of %zu", seen->size,
                recorded->size);
    } else if (seen->kind == SCRIPT_ALLOCATE) {
        diverge(replay, "a request of %zu bytes, recorded was %s", seen->size, was);
    } else if (!more || seen->kind != recorded->kind) {
        diverge(replay, "%s, recorded was %s", names[seen->kind], was);
    } else if (seen->offset != recorded->offset) {
        diverge(replay, "the block at %#zx came back, recorded was %#zx", seen->offset,
                recorded->offset);
    } else {
        diverge(replay, "a chain of %llu came back, recorded was one of %llu",
                (unsigned long long)seen->count, (unsigned long long)recorded->count);
    }
    return false;
}

static size_t offset_of(const struct replay *replay, const void *block)
{
    return (size_t)((const unsigned char *)block - replay->region.base);
}

static void *replay_allocate(struct node_allocator *self, size_t size)
{
    struct replay *replay = (struct replay *)self;
    struct operation recorded = {0};
    if (replay->offsets == NULL) {
        if (!is_recorded(replay, &(struct operation){.kind = SCRIPT_ALLOCATE, .size = size},
                         &recorded)) {
            return NULL;
        }
        replay->live++;
    } else if (replay->cursor.next == replay->cursor.end) {
        replay->operation = replay->header.operations;
        diverge(replay, "a request of %zu bytes, recorded was the end", size);
        return NULL;
    } else {
        recorded.offset = (size_t)*replay->cursor.next++ << replay->cursor.granule_shift;
    }
    return replay->region.base + recorded.offset;
}

static void replay_release(struct node_allocator *self, void *block, size_t size)
{
    struct replay *replay = (struct replay *)self;
    struct operation recorded;
    (void)size;
    if (replay->offsets == NULL) {
        struct operation seen = {.kind = SCRIPT_RELEASE, .offset = offset_of(replay, block)};
        replay->live -= is_recorded(replay, &seen, &recorded);
    }
}

static void replay_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                                 size_t size)
{
    struct replay *replay = (struct replay *)self;
    struct operation recorded;
    (void)tail;
    (void)size;
    if (replay->offsets == NULL && count > 0) {
        struct operation seen = {
            .kind = SCRIPT_CHAIN, .offset = offset_of(replay, head), .count = count};
        replay->live -= is_recorded(replay, &seen, &recorded) ? count : 0;
    }
}

static void replay_statistics(const struct node_allocator *self,
                              struct node_allocator_statistics *out)
{
    const struct replay *replay = (const struct replay *)self;
    out->held_bytes = replay->region.bytes;
    if (replay->offsets != NULL) {
        out->held_bytes += replay->header.requests * sizeof(uint32_t);
    } else {
        out->live_blocks = replay->live;
    }
    out->held_bytes_max = out->held_bytes;
    if (replay->diverged) {
        snprintf(out->note, sizeof(out->note), "%s", replay->divergence);
    } else if (replay->cursor.next < replay->cursor.end) {
        snprintf(out->note, sizeof(out->note), "%llu words of the script are left",
                 (unsigned long long)(replay->cursor.end - replay->cursor.next));
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
    .summary = "every request answered from a recorded script: what is left if it cost nothing",
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
