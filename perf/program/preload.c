/*
 * preload.c - put before a program: writes down what it asks of malloc, or answers it.
 *
 * 1. Listening: the malloc that the program has anyway serves, and each call is written as an event
 *    into a mapped file, so that nothing is lost however the process ends.
 * 2. Recording, for a replay: likewise, but the blocks come from block_store.c. What the store has
 *    no room for comes from the next malloc, and ends the recording.
 * 3. Check: each call is answered with the recorded block and compared with the recorded call. The
 *    first difference is kept with its callers; from then on the store serves.
 * 4. Replay: a request takes the next word of a table, a release returns at once.
 * 5. Elsewhere (in other processes than the chosen one) the next malloc serves.
 * It asks for no memory itself and keeps no file open. All of its tables lie at fixed places, so
 * that the program's mappings have the same addresses in each of them. A child of a fork is a
 * recording of its own; in a check or replay the store serves it. A block that is not the store's
 * goes to the next malloc, whoever handed it out.
 */
#include "preload.h"
#include "malloc_family.h"
#include "next_malloc.h"
#include <dlfcn.h>
#include <string.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)

/* Serve a request from the store. */
static void *serve(const struct program_event *call, void *old)
{
    const size_t size = call->size > 0 ? call->size : 1;
    bool is_fresh = false;
    if (old != NULL) {
        const size_t room = stored_room(old);
        const size_t least = room <= 64 ? 0 : room <= 65536 ? room / 2 : room / 64;
        if (size <= room && size >= least && store_extend(old, size)) {
            return old;
        }
    }
    const size_t alignment = (size_t)1 << call->alignment_shift;
    const size_t wanted = call->kind == EVENT_ALIGNED ? aligned_size(alignment, size)
                          : old != NULL               ? moved_size(size)
                                                      : size;
    void *block = alignment <= BLOCK_BYTES_MAX ? store_take(wanted, size, &is_fresh) : NULL;
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

/* A request to the next malloc. */
static void *pass(enum program_event_kind kind, void *old, size_t alignment, size_t size)
{
    return kind == EVENT_REALLOC   ? next.realloc(old, size)
           : kind == EVENT_CALLOC  ? next.calloc(1, size)
           : kind == EVENT_ALIGNED ? next.memalign(alignment, size)
                                   : next.malloc(size);
}

/* A request that the store has no room for: the next malloc may have it. */
static void *serve_by_next(const struct program_event *call, void *old)
{
    void *block = pass(old != NULL ? EVENT_MALLOC : call->kind, NULL,
                       (size_t)1 << call->alignment_shift, call->size);
    if (block != NULL && old != NULL) {
        const size_t usable = stored_bytes(old);
        memcpy(block, old, usable < call->size ? usable : call->size);
        store_give(old);
    }
    if (block != NULL && own.state == RECORDING) {
        stop_recording(RECORDING_NO_ROOM);
        header->unplaced = call->size;
    }
    return block;
}

bool preload_passes(void)
{
    if (own.state == UNKNOWN) {
        preload_start();
    }
    if (own.state == FORKED) {
        own.state = !open_recording(true) ? (own.places ? SERVING : PASSING)
                    : own.places          ? RECORDING
                                          : LISTENING;
    }
    /* in the middle of a call: from a signal handler, or of the next malloc to itself, which
     * glibc's never makes */
    if (own.state > PASSING && (is_inside || is_in_next)) {
        if ((own.state == RECORDING || own.state == LISTENING) &&
            (!is_in_next || next.library == NULL)) {
            header->missing++;
        }
        return true;
    }
    return own.state == PASSING;
}

/* True if the store has this block. */
static inline bool is_ours(const void *block)
{
    return own.places && is_stored(block);
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

/* Listening ------------------------------------------------------------------------------------ */

void listen_write(const struct program_event *call)
{
    const int error_number = errno;
    struct call_site site;
    const bool has_site = control->sites && call->kind != EVENT_FREE;
    is_inside = true;
    if (has_site) {
        site_find(&site, SITE_FRAMES);
    }
    const bool was_taken = lock_store();
    if (own.state == LISTENING) { /* and the recording has not ended meanwhile */
        write_event(call, has_site ? &site : NULL);
    }
    unlock_store(was_taken);
    is_inside = false;
    errno = error_number;
}

/* A request. It is written after it was served, so that the release of the block it gets, by
 * another thread, comes before it. */
static void *listen_request(struct program_event *call, size_t alignment)
{
    is_in_next = true;
    void *block = pass(call->kind, NULL, alignment, call->size);
    is_in_next = false;
    call->block = address_number(block);
    listen_write(call);
    return block;
}

/* A release. It is written first: afterwards another thread may get the block. */
static void listen_release(void *block, void (*give)(void *))
{
    listen_write(&(struct program_event){.kind = EVENT_FREE, .block = address_number(block)});
    is_in_next = true;
    give(block);
    is_in_next = false;
}

/* It releases one block and requests another: no other thread's call comes between the two. */
static void *listen_resize(void *old, size_t size)
{
    struct call_site site;
    struct program_event call = {.kind = EVENT_REALLOC, .size = size, .old = address_number(old)};
    is_inside = true;
    if (control->sites) {
        site_find(&site, SITE_FRAMES);
    }
    const bool was_taken = lock_store();
    is_in_next = true;
    void *block = next.realloc(old, size);
    is_in_next = false;
    const int error_number = errno;
    if (block == NULL && size == 0) {
        call = (struct program_event){.kind = EVENT_FREE, .block = call.old};
    } else {
        call.block = address_number(block);
    }
    if (own.state == LISTENING) {
        write_event(&call, control->sites && call.kind == EVENT_REALLOC ? &site : NULL);
    }
    unlock_store(was_taken);
    is_inside = false;
    errno = error_number;
    return block;
}

/* From the store ------------------------------------------------------------------------------- */

/* Serve a request in a recording with call sites, or a check. */
static void *place(struct program_event *call, void *old)
{
    void *block = NULL;
    const bool was_taken = lock_store();
    if (own.state == CHECKING && is_recorded(call)) {
        block = prepare(block_of(call->block), old, call->size, call->kind == EVENT_CALLOC);
    } else {
        block = serve(call, old);
        block = block != NULL ? block : serve_by_next(call, old);
        if (own.state == RECORDING) {
            call->block = number_of(block);
            write_event(call, NULL);
        }
    }
    unlock_store(was_taken);
    return block;
}

/* Every request but the replayed ones. old is stored, or NULL. */
static void *request(enum program_event_kind kind, void *old, size_t alignment, size_t size)
{
    if (preload_passes()) {
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
    if (own.state == LISTENING) {
        return listen_request(&call, alignment);
    }
    is_inside = true;
    void *block = place(&call, old);
    is_inside = false;
    return block;
}

/* Every realloc with a block but the replayed ones. */
static void *resize(void *old, size_t size)
{
    const bool is_own = is_ours(old);
    const bool is_theirs = preload_passes();
    if (own.state == LISTENING && !is_theirs) {
        return listen_resize(old, size);
    }
    if (!is_own && (is_theirs || size == 0)) {
        return next.realloc(old, size);
    }
    if (size == 0) { /* as glibc */
        free(old);
        return NULL;
    }
    if (is_theirs != is_own) {
        return request(EVENT_REALLOC, old, 0, size);
    }
    /* it moves from one to the other */
    void *block = is_theirs ? next.malloc(size) : request(EVENT_MALLOC, NULL, 0, size);
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
    const bool is_theirs = preload_passes();
    if (own.state == LISTENING && !is_theirs) {
        listen_release(block, next.free);
        return;
    }
    if (!is_ours(block)) {
        next.free(block);
        return;
    }
    if (is_theirs) {
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
    if (LIKELY(own.state == REPLAYING) && is_ours(old)) {
        if (size == 0) {
            return NULL;
        }
        if (replay_next(&block, &is_fresh)) {
            return prepare(block, old, size, false);
        }
    }
    return resize(old, size);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    void *block = NULL;
    bool is_fresh = false;
    size_t power = BLOCK_UNIT;
    while (power < alignment && power <= SIZE_MAX / 2) {
        power *= 2;
    }
    if (LIKELY(own.state == REPLAYING) && replay_next(&block, &is_fresh)) {
        return block != NULL ? block : prepare(NULL, NULL, 0, false);
    }
    return request(EVENT_ALIGNED, NULL, power, size);
}

EXPORT size_t malloc_usable_size(void *block)
{
    return block == NULL ? 0 : is_ours(block) ? stored_bytes(block) : next.usable(block);
}

EXPORT void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(old, bytes);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    const int error_number = errno;
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    void *taken = memalign(alignment, size);
    errno = error_number;
    if (taken == NULL) {
        return ENOMEM;
    }
    *block = taken;
    return 0;
}

EXPORT void *valloc(size_t size)
{
    return memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

EXPORT void *pvalloc(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (size > SIZE_MAX - page) {
        errno = ENOMEM;
        return NULL;
    }
    return memalign(page, (size + page - 1) / page * page);
}

/* A library that is opened so has glibc's free, to which no block of the store may go. The call is
 * the function's last one, so that the loader takes the program for the caller, not this library.
 */
EXPORT void *dlopen(const char *file, int flags)
{
    static void *(*theirs)(const char *, int);
    if (theirs == NULL) {
        is_in_next = true;
        void *found = dlsym(RTLD_NEXT, "dlopen");
        is_in_next = false;
        memcpy(&theirs, &found, sizeof(theirs));
    }
    if ((flags & RTLD_DEEPBIND) != 0 && own.places) {
        control->binds_deep = 1;
    }
    return theirs(file, flags);
}
