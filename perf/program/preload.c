/*
 * preload.c - put before a program: records its malloc, or answers it from a recording.
 *
 * 1. Recording: blocks come from block_store.c, and each call is written as an event into a mapped
 *    file, so that nothing is lost however the process ends.
 * 2. Check: each call is answered with the recorded block and compared with the recorded call. The
 *    first difference is kept with its callers; from then on the store serves.
 * 3. Replay: a request takes the next word of a table, a release returns at once.
 * 4. Elsewhere (in other processes than the chosen one) glibc's own functions serve.
 * It asks for no memory itself and keeps no file open. All of its tables lie at fixed places, so
 * that the program's mappings have the same addresses in each of the three. A child of a fork is a
 * recording of its own; in a check or replay the store serves it.
 */
#include "preload.h"
#include "malloc_family.h"
#include <dlfcn.h>
#include <string.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)

/* Serve a request from the store. */
static void *serve(const struct program_event *call, void *old)
{
    const size_t size = call->size > 0 ? call->size : 1;
    bool is_fresh = false;
    if (old != NULL) {
        const size_t usable = stored_bytes(old);
        const size_t least = usable <= 64 ? 0 : usable <= 65536 ? usable / 2 : usable / 64;
        if (size <= usable && size >= least) {
            return old;
        }
    }
    const size_t alignment = (size_t)1 << call->alignment_shift;
    const size_t wanted = call->kind == EVENT_ALIGNED ? aligned_size(alignment, size)
                          : old != NULL               ? moved_size(size)
                                                      : size;
    void *block = store_take(wanted, &is_fresh);
    if (block == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    if (call->kind == EVENT_CALLOC && !is_fresh) {
        memset(block, 0, size);
    }
    if (old != NULL) {
        store_move(block, old, size);
        store_give(old);
    }
    return block;
}

/* Make a recorded block what its request asked for. */
static void *prepare(void *block, void *old, size_t size, bool zero)
{
    if (block == NULL) {
        errno = ENOMEM;
    } else if (zero) {
        memset(block, 0, size);
    } else if (old != NULL && block != old) {
        store_move(block, old, size);
    }
    return block;
}

/* Who serves ----------------------------------------------------------------------------------- */

/* A request to glibc. */
static void *pass(enum program_event_kind kind, void *old, size_t alignment, size_t size)
{
    return kind == EVENT_REALLOC   ? __libc_realloc(old, size)
           : kind == EVENT_CALLOC  ? __libc_calloc(1, size)
           : kind == EVENT_ALIGNED ? __libc_memalign(alignment, size)
                                   : __libc_malloc(size);
}

/* True if glibc serves this call. */
static bool is_passed(void)
{
    if (own.state == UNKNOWN) {
        preload_start();
    }
    if (own.state == FORKED) {
        own.state = open_recording(true) ? RECORDING : SERVING;
    }
    if (own.state > PASSING && is_inside) { /* from a signal handler, in the middle of a call */
        if (own.state == RECORDING) {
            header->missing++;
        }
        return true;
    }
    return own.state == PASSING;
}

/* The next block of a replay. False: more requests than were recorded, so that the run is another
 * one; from here the store serves. */
static inline bool replay_next(void **block, bool *is_fresh)
{
    const uint64_t number = control->answered;
    if (!LIKELY(number < control->requests)) {
        diverge(&(struct program_event){.kind = EVENT_MALLOC}, &(struct program_event){.kind = 0});
        return false;
    }
    control->answered = number + 1;
    *is_fresh = table[number] & 1;
    *block = block_of(table[number] >> 1);
    return true;
}

/* Serve a request in a recording with call sites. */
static void *request_of_site(struct program_event *call, void *old)
{
    struct call_site site;
    site_find(&site, SITE_FRAMES);
    const bool was_taken = lock_store();
    void *block = serve(call, old);
    call->block = number_of(block);
    if (own.state == RECORDING) {
        write_event(call, &site);
    }
    unlock_store(was_taken);
    return block;
}

/* Every request but the replayed ones. old is stored, or NULL. */
static void *request(enum program_event_kind kind, void *old, size_t alignment, size_t size)
{
    if (is_passed()) {
        return pass(kind, old, alignment, size);
    }
    if (own.state == REPLAYING) { /* the first call, which has made it so */
        void *block = NULL;
        bool is_fresh = false;
        if (replay_next(&block, &is_fresh)) {
            return prepare(block, NULL, size, kind == EVENT_CALLOC);
        }
    }
    struct program_event call = {.kind = kind,
                                 .size = size,
                                 .old = number_of(old),
                                 .alignment_shift =
                                     alignment > 0 ? (unsigned)__builtin_ctzll(alignment) : 0};
    void *block = NULL;
    is_inside = true;
    if (own.state == RECORDING && control->sites) {
        block = request_of_site(&call, old);
        is_inside = false;
        return block;
    }
    const bool was_taken = lock_store();
    if (own.state == CHECKING && is_recorded(&call)) {
        block = prepare(block_of(call.block), old, size, kind == EVENT_CALLOC);
    } else {
        block = serve(&call, old);
        call.block = number_of(block);
        if (own.state == RECORDING) {
            write_event(&call, NULL);
        }
    }
    unlock_store(was_taken);
    is_inside = false;
    return block;
}

/* Every realloc with a block and a size but the replayed ones. */
static void *resize(void *old, size_t size)
{
    const bool is_ours = is_stored(old);
    const bool is_glibc = is_passed();
    if (is_glibc != is_ours) {
        return request(EVENT_REALLOC, old, 0, size);
    }
    /* it moves from one to the other */
    void *block = is_glibc ? __libc_malloc(size) : request(EVENT_MALLOC, NULL, 0, size);
    const size_t usable = malloc_usable_size(old);
    if (block != NULL) {
        memcpy(block, old, usable < size ? usable : size);
        free(old);
    }
    return block;
}

/* Malloc and its family ------------------------------------------------------------------------ */

EXPORT void *malloc(size_t size)
{
    void *block = NULL;
    bool is_fresh = false;
    if (LIKELY(own.state == REPLAYING) && replay_next(&block, &is_fresh)) {
        return block != NULL ? block : prepare(NULL, NULL, 0, false);
    }
    return request(EVENT_MALLOC, NULL, 0, size);
}

EXPORT void free(void *block)
{
    if (LIKELY(own.state == REPLAYING) || block == NULL) {
        return;
    }
    const bool is_glibc = is_passed();
    if (!is_stored(block)) {
        __libc_free(block);
        return;
    }
    if (is_glibc) {
        return; /* within another call: it stays */
    }
    struct program_event call = {.kind = EVENT_FREE, .block = number_of(block)};
    is_inside = true;
    const bool was_taken = lock_store();
    if (own.state == RECORDING) {
        write_event(&call, NULL);
    }
    if (own.state != CHECKING || !is_recorded(&call)) {
        store_give(block);
    }
    unlock_store(was_taken);
    is_inside = false;
}

EXPORT void *calloc(size_t count, size_t size)
{
    void *block = NULL;
    bool is_fresh = false;
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        bytes = SIZE_MAX;
    }
    if (LIKELY(own.state == REPLAYING) && replay_next(&block, &is_fresh)) {
        return is_fresh ? block : prepare(block, NULL, bytes, true);
    }
    return request(EVENT_CALLOC, NULL, 0, bytes);
}

EXPORT void *realloc(void *old, size_t size)
{
    void *block = NULL;
    bool is_fresh = false;
    if (old == NULL) {
        return malloc(size);
    }
    if (size == 0) { /* as glibc */
        free(old);
        return NULL;
    }
    if (LIKELY(own.state == REPLAYING) && is_stored(old) && replay_next(&block, &is_fresh)) {
        return prepare(block, old, size, false);
    }
    return resize(old, size);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    void *block = NULL;
    bool is_fresh = false;
    size_t power = BLOCK_UNIT;
    if (alignment > BLOCK_BYTES_MAX) { /* as glibc, which finds no room for it */
        errno = ENOMEM;
        return NULL;
    }
    while (power < alignment && power < BLOCK_BYTES_MAX) {
        power *= 2;
    }
    if (LIKELY(own.state == REPLAYING) && replay_next(&block, &is_fresh)) {
        return block != NULL ? block : prepare(NULL, NULL, 0, false);
    }
    return request(EVENT_ALIGNED, NULL, power, size);
}

EXPORT size_t malloc_usable_size(void *block)
{
    static size_t (*theirs)(void *);
    if (block == NULL || is_stored(block)) {
        return block == NULL ? 0 : stored_bytes(block);
    }
    if (theirs == NULL) {
        void *found = dlsym(RTLD_NEXT, "malloc_usable_size");
        memcpy(&theirs, &found, sizeof(theirs));
    }
    return theirs != NULL ? theirs(block) : 0;
}
