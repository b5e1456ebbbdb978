/*
 * preload_start.c - what the process shall be: recorded, checked, replayed, or left alone.
 *
 * The library lies in the folder of the run, under a link, and so finds the control there: the
 * environment need not say it. Processes that cannot open the control are left alone.
 */
#include "base/single_threaded.h"
#include "malloc_family.h"
#include "next_malloc.h"
#include "preload.h"
#include "process_memory.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Map what a check or a replay needs. */
static bool open_replay(void)
{
    char name[32];
    if (!map_file("pages", PROGRAM_PAGES, 0, PAGES_BYTES, COPIED) ||
        !map_recorded(control->pages)) {
        return false;
    }
    if (control->mode == PROGRAM_REPLAY) {
        return map_file("table", PROGRAM_LOG, 0, control->requests * sizeof(*table) + 1, READ);
    }
    snprintf(name, sizeof(name), "%06u.log", control->number);
    own.at = (uint8_t *)header + RECORDING_HEADER;
    own.end = own.at + control->bytes;
    return map_file(name, PROGRAM_LOG, 0, RECORDING_HEADER + control->bytes, READ);
}

/* True if this process is the one to check, to replay, or to record; a recording has several. */
static bool is_chosen(void)
{
    process_names_read(&own.names);
    const bool is_meant = process_is_meant(&own.names, control);
    atomic_fetch_add(&control->loaded, 1);
    if (control->mode == PROGRAM_RECORD || control->mode == PROGRAM_PLACE) {
        return is_meant || control->only.name[0] == '\0';
    }
    own.is_chosen = is_meant && atomic_fetch_add(&control->chosen, 1) == 0;
    if (own.is_chosen) {
        control->process = getpid();
    }
    return own.is_chosen;
}

void preload_start(void)
{
    Dl_info self;
    const int error_number = errno;
    own.state = PASSING;
    is_in_next = true; /* what the loader asks for is nothing of the program's */
    next_malloc_find();
    is_in_next = false;
    if (dladdr(&own, &self) == 0 || self.dli_fname == NULL ||
        strrchr(self.dli_fname, '/') == NULL ||
        (size_t)snprintf(own.folder, sizeof(own.folder), "%s", self.dli_fname) >=
            sizeof(own.folder)) {
        return;
    }
    *strrchr(own.folder, '/') = '\0';
    if (!map_file("control", PROGRAM_CONTROL, 0, sizeof(*control), WRITTEN) || !is_chosen()) {
        return;
    }
    if (control->mode == PROGRAM_WATCH) {
        errno = error_number;
        return;
    }
    const bool is_recording = control->mode == PROGRAM_RECORD || control->mode == PROGRAM_PLACE;
    own.places = control->mode != PROGRAM_RECORD;
    const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    const bool has_classes =
        !is_recording || !own.places ||
        mmap(page_classes, PAGES_BYTES, PROT_READ | PROT_WRITE, kind, -1, 0) == page_classes;
    const bool is_ready = has_classes && (is_recording ? open_recording(false) : open_replay());
    if (is_ready) {
        own.state = is_recording                      ? (own.places ? RECORDING : LISTENING)
                    : control->mode == PROGRAM_REPLAY ? REPLAYING
                                                      : CHECKING;
    } else {
        control->place_error = errno != 0 ? errno : EEXIST;
    }
    errno = error_number;
}

/* One thread at a time ------------------------------------------------------------------------- */

/* It sleeps: a thread that spun would keep a processor from the thread that holds the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool lock_store(void)
{
    if (my_thread == 0) {
        my_thread = atomic_fetch_add(&own.threads, 1) + 1;
    }
    if (is_single_threaded() || own.holder == my_thread) {
        return false;
    }
    pthread_mutex_lock(&lock);
    own.holder = my_thread;
    return true;
}

void unlock_store(bool was_taken)
{
    if (was_taken) {
        own.holder = 0;
        pthread_mutex_unlock(&lock);
    }
}

static bool fork_took;

static void before_fork(void)
{
    fork_took = own.state > PASSING && lock_store();
}

static void after_fork(void)
{
    unlock_store(fork_took);
}

static void in_child(void)
{
    const pthread_mutex_t open = PTHREAD_MUTEX_INITIALIZER;
    lock = open;
    own.holder = 0;
    own.state = own.state == RECORDING || own.state == LISTENING ? FORKED
                : own.state > FORKED                             ? SERVING
                                                                 : own.state;
}

/* True if the loader gives the program another malloc than this library's. */
static bool has_own_malloc(void)
{
    Dl_info self, theirs;
    is_in_next = true;
    const void *address = dlsym(RTLD_DEFAULT, "malloc");
    is_in_next = false;
    return dladdr(&own, &self) != 0 && dladdr(address, &theirs) != 0 &&
           self.dli_fbase != theirs.dli_fbase;
}

__attribute__((constructor)) static void at_load(void)
{
    if (own.state == UNKNOWN) {
        preload_start();
    }
    if (own.state == LISTENING || own.state == RECORDING) {
        header->has_own_malloc = has_own_malloc();
        header->has_other_malloc = next.library != NULL;
    }
    if (own.state > PASSING) {
        pthread_atfork(before_fork, after_fork, in_child);
    }
}

/* True if the process has a recording: no parent's, which a child of vfork shares. */
static bool has_recording(void)
{
    return (own.state == LISTENING || own.state == RECORDING) && header->process == getpid();
}

/* What the process has used, and the memory that it has. */
static void look_at_end(void)
{
    if (has_recording()) {
        struct program_memory memory;
        write_usage();
        process_memory_read(&memory);
        const uint64_t rest = memory.files + memory.others;
        const uint64_t most = memory.resident_most > rest ? memory.resident_most - rest : 0;
        header->held_most = most > memory.heap ? most : memory.heap;
        header->has_ended = 1;
    }
    if (own.is_chosen && control->watches && control->process == getpid()) { /* no child of it */
        process_memory_read(&control->memory);
    }
}

__attribute__((destructor)) static void at_end(void)
{
    look_at_end();
}

/* The end of many a child of a fork, and of some shells, without destructors. */
EXPORT __attribute__((noreturn)) void _exit(int status)
{
    look_at_end();
    for (;;) {
        syscall(SYS_exit_group, status);
    }
}

EXPORT __attribute__((noreturn)) void _Exit(int status)
{
    _exit(status);
}

/* What the program asks of the system itself, as an allocator of its own does. Stacks of threads
 * and glibc's heap do not come by here. */

#define LOOKED_FROM ((uint64_t)1 << 20) /* libraries ask for less */

/* A signal may end the process without a look at its end. So it also looks whenever the sum has
 * doubled; what it has besides is known then. */
static void count_mapped(uint64_t bytes)
{
    const uint64_t before = atomic_fetch_add(&own.mapped, bytes);
    const uint64_t mapped = before + bytes;
    if (!has_recording()) {
        return;
    }
    header->mapped = mapped;
    if (mapped >= LOOKED_FROM && (before ^ mapped) > before) { /* it has a new highest bit */
        const int error_number = errno;
        struct program_memory memory;
        process_memory_read(&memory);
        header->rest = memory.files + memory.others;
        errno = error_number;
    }
}

EXPORT void *mmap(void *place, size_t bytes, int protection, int flags, int file, off_t offset)
{
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    void *got = (void *)syscall(SYS_mmap, place, bytes, protection, flags, file, offset);
    if (got != MAP_FAILED && (flags & MAP_ANONYMOUS) != 0 &&
        (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) == 0) {
        count_mapped(bytes);
    }
    return got;
}

EXPORT void *mmap64(void *place, size_t bytes, int protection, int flags, int file, off_t offset)
{
    return mmap(place, bytes, protection, flags, file, offset);
}

EXPORT void *sbrk(intptr_t bytes)
{
    static void *(*theirs)(intptr_t);
    if (theirs == NULL) {
        const bool was_in_next = is_in_next;
        is_in_next = true;
        void *found = dlsym(RTLD_NEXT, "sbrk");
        is_in_next = was_in_next;
        memcpy(&theirs, &found, sizeof(theirs));
    }
    count_mapped(bytes > 0 ? (uint64_t)bytes : 0);
    return theirs(bytes);
}
