/*
 * interpose.c - libfaults.so, put before a program by LD_PRELOAD: the k-th call fails.
 *
 * 1. Each call belongs to a group (see fault_state.h) and has a number in it, from 0.
 * 2. PW_FAULT_GROUP and PW_FAULT_AT name one call. It fails, once, or with PW_FAULT_FOREVER=1 as
 *    do all of its group after it; with PW_FAULT_KILL=1 the process is killed before it.
 * 3. PW_FAULT_ABSENT is a list of what this host shall not have: tmpfile, memfd, proc, link,
 *    threads, perf. PW_FAULT_DISK=N: the disk is full after N bytes.
 * 4. PW_FAULT_STATE names a file that the process and its children share: the counts, which call
 *    failed, what crashed, and at the end the blocks and descriptors that were not released.
 * Calls before the constructor, which are the loader's, have no number. glibc only. Not for
 * programs with a sanitizer, whose malloc must come first.
 */
#undef _FORTIFY_SOURCE /* its functions would hide the ones made here */
#include "fault_state.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPORT      __attribute__((visibility("default")))
#define CALLER      __builtin_return_address(0)
#define LIVE_SLOTS  ((size_t)1 << 18)
#define ANY_ERROR   0
#define COUNT_OF(a) (sizeof(a) / sizeof(*(a)))

/* glibc's own names, which need no dlsym, because dlsym allocates. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

/* Names that no header declares here: what _FORTIFY_SOURCE calls, and memalign. */
EXPORT void *memalign(size_t alignment, size_t size);
EXPORT int __open_2(const char *path, int flags);
EXPORT int __open64_2(const char *path, int flags);
EXPORT ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);
EXPORT ssize_t __pread_chk(int fd, void *bytes, size_t size, off_t offset, size_t room);

static struct fault_state own_state; /* where no file is named */
static struct fault_state *state = &own_state;
static int group = -1; /* whose call fails; -1: none does */
static uint64_t at;
static bool forever;
static bool kills;    /* the process, in place of letting the call fail */
static pid_t process; /* the first; a forked child does not report its leaks */
static bool is_on;    /* calls are counted */
static const char *absent = "";
static _Atomic int64_t disk_left = INT64_MAX;

/* Who called a function of libc that asks for blocks in his place, or NULL. */
static _Thread_local const void *employer;

/* Which call fails --------------------------------------------------------------------------- */

/* Number a call of a group. Whether it shall fail. */
static bool fails(int of, const char *call, int error, const void *caller)
{
    if (!is_on) {
        return false;
    }
    const uint64_t number = atomic_fetch_add(&state->calls[of], 1);
    if (of != group || number < at || (number > at && !forever)) {
        return false;
    }
    if (kills) {
        kill(getpid(), SIGKILL);
    }
    if (atomic_fetch_add(&state->failed, 1) == 0) {
        snprintf(state->call, sizeof(state->call), "%s", call);
        state->error = error;
        fault_note_place(&state->place, caller);
    }
    return true;
}

static bool is_absent(const char *what)
{
    return *absent != '\0' && strstr(absent, what) != NULL;
}

/* Blocks alive ------------------------------------------------------------------------------- */

static struct {
    void *block;
    size_t size;
    const void *caller;
} live[LIVE_SLOTS];
static size_t live_count;
static atomic_flag live_lock = ATOMIC_FLAG_INIT;

static size_t slot_of(const void *block)
{
    return ((uintptr_t)block >> 4) * (size_t)0x9e3779b97f4a7c15 >> 46;
}

_Static_assert(LIVE_SLOTS == (size_t)1 << 18, "slot_of keeps 18 bits");

static void lock(void)
{
    while (atomic_flag_test_and_set(&live_lock)) {
    }
}

static void unlock(void)
{
    atomic_flag_clear(&live_lock);
}

static void *remember(void *block, size_t size, const void *caller)
{
    caller = employer != NULL ? employer : caller;
    if (block == NULL || !is_on) {
        return block;
    }
    lock();
    if (live_count < LIVE_SLOTS / 2) {
        size_t i = slot_of(block);
        while (live[i].block != NULL && live[i].block != block) {
            i = (i + 1) % LIVE_SLOTS;
        }
        live_count += live[i].block == NULL;
        live[i].block = block;
        live[i].size = size;
        live[i].caller = caller;
    }
    unlock();
    return block;
}

/* Linear probing with no marks for what is gone: what follows moves up. */
static void forget(const void *block)
{
    if (block == NULL || !is_on) {
        return;
    }
    lock();
    size_t i = slot_of(block);
    while (live[i].block != NULL && live[i].block != block) {
        i = (i + 1) % LIVE_SLOTS;
    }
    if (live[i].block != NULL) {
        live_count--;
        live[i].block = NULL;
        for (size_t j = (i + 1) % LIVE_SLOTS; live[j].block != NULL; j = (j + 1) % LIVE_SLOTS) {
            const size_t home = slot_of(live[j].block);
            if ((j - home) % LIVE_SLOTS >= (j - i) % LIVE_SLOTS) {
                live[i] = live[j];
                live[j].block = NULL;
                i = j;
            }
        }
    }
    unlock();
}

/* The start and the end ---------------------------------------------------------------------- */

static void open_state(const char *path)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    void *mapped = fd >= 0 ? (void *)syscall(SYS_mmap, NULL, sizeof(*state), PROT_READ | PROT_WRITE,
                                             MAP_SHARED, fd, (off_t)0) /* all 64 bits */
                           : MAP_FAILED;
    if (fd >= 0) {
        syscall(SYS_close, fd);
    }
    if (mapped != MAP_FAILED) {
        state = mapped;
    }
}

__attribute__((constructor)) static void start(void)
{
    static const char *const groups[] = {"alloc", "system", "short", "interrupt"};
    const char *wanted = getenv("PW_FAULT_GROUP");
    const char *number = getenv("PW_FAULT_AT");
    const char *path = getenv("PW_FAULT_STATE");
    const char *disk = getenv("PW_FAULT_DISK");
    absent = getenv("PW_FAULT_ABSENT") != NULL ? getenv("PW_FAULT_ABSENT") : "";
    forever = getenv("PW_FAULT_FOREVER") != NULL;
    kills = getenv("PW_FAULT_KILL") != NULL;
    for (int i = 0; wanted != NULL && i < (int)COUNT_OF(groups); i++) {
        group = strcmp(wanted, groups[i]) == 0 ? i : group;
    }
    at = number != NULL ? strtoull(number, NULL, 10) : 0;
    if (disk != NULL) {
        disk_left = strtoll(disk, NULL, 10);
    }
    if (path != NULL) {
        open_state(path);
    }
    fault_watch_crashes(&state->crash);
    process = getpid();
    is_on = true;
}

__attribute__((destructor)) static void finish(void)
{
    if (getpid() != process) {
        return;
    }
    is_on = false;
    state->live = live_count;
    size_t count = 0;
    for (size_t i = 0; i < LIVE_SLOTS && count < FAULT_PLACES; i++) {
        if (live[i].block != NULL) {
            state->live_bytes[count] = live[i].size;
            fault_note_place(&state->live_places[count++], live[i].caller);
        }
    }
    for (int fd = 3; fd < 256; fd++) {
        state->descriptors += fcntl(fd, F_GETFD) >= 0;
    }
    state->is_finished = 1;
}

/* Memory ------------------------------------------------------------------------------------- */

static bool no_memory(const char *call, const void *caller)
{
    if (fails(FAULT_ALLOC, call, ENOMEM, caller)) {
        errno = ENOMEM;
        return true;
    }
    return false;
}

EXPORT void *malloc(size_t size)
{
    return no_memory("malloc", CALLER) ? NULL : remember(__libc_malloc(size), size, CALLER);
}

EXPORT void *calloc(size_t count, size_t size)
{
    return no_memory("calloc", CALLER) ? NULL
                                       : remember(__libc_calloc(count, size), count * size, CALLER);
}

EXPORT void *realloc(void *block, size_t size)
{
    if (no_memory("realloc", CALLER)) {
        return NULL;
    }
    void *grown = __libc_realloc(block, size);
    if (grown != NULL || size == 0) {
        forget(block);
    }
    return remember(grown, size, CALLER);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return no_memory("aligned_alloc", CALLER)
               ? NULL
               : remember(__libc_memalign(alignment, size), size, CALLER);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    return no_memory("memalign", CALLER) ? NULL
                                         : remember(__libc_memalign(alignment, size), size, CALLER);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *made = no_memory("posix_memalign", CALLER) ? NULL : __libc_memalign(alignment, size);
    if (made != NULL) {
        *block = remember(made, size, CALLER);
    }
    return made != NULL ? 0 : ENOMEM;
}

EXPORT void free(void *block)
{
    forget(block);
    __libc_free(block);
}

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
    if (no_memory("mmap", CALLER)) {
        return MAP_FAILED;
    }
    void *mapped = (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
    return mapped == MAP_FAILED ? mapped : remember(mapped, length, CALLER);
}

/* A mapping counts as one block, which is gone when its first page is. */
EXPORT int munmap(void *address, size_t length)
{
    forget(address);
    return (int)syscall(SYS_munmap, address, length);
}

/* System calls ------------------------------------------------------------------------------- */

/* The next definition of the same name; looked up once per name. */
#define NEXT(function)                                                                             \
    static __typeof__(&function) next;                                                             \
    if (next == NULL) {                                                                            \
        *(void **)(&next) = dlsym(RTLD_NEXT, #function);                                           \
    }

/* Leave the wrapper with failure when this call is the one. */
#define MAY_FAIL(call, error, failure)                                                             \
    if (fails(FAULT_SYSTEM, call, error, CALLER)) {                                                \
        errno = error;                                                                             \
        return failure;                                                                            \
    }
#define MAY_INTERRUPT(call, failure)                                                               \
    if (fails(FAULT_INTERRUPT, call, EINTR, CALLER)) {                                             \
        errno = EINTR;                                                                             \
        return failure;                                                                            \
    }

static int open_at(int folder, const char *path, int flags, mode_t mode, const void *caller)
{
    if (fails(FAULT_SYSTEM, "open", EMFILE, caller)) {
        errno = EMFILE;
        return -1;
    }
    if ((flags & O_TMPFILE) == O_TMPFILE && is_absent("tmpfile")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define OPEN(...)                                                                                  \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    const bool has_mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;              \
    const mode_t mode = has_mode ? va_arg(arguments, mode_t) : 0;                                  \
    va_end(arguments);                                                                             \
    return open_at(__VA_ARGS__, path, flags, mode, CALLER)

EXPORT int open(const char *path, int flags, ...)
{
    OPEN(AT_FDCWD);
}

EXPORT int open64(const char *path, int flags, ...)
{
    OPEN(AT_FDCWD);
}

EXPORT int openat(int folder, const char *path, int flags, ...)
{
    OPEN(folder);
}

EXPORT int openat64(int folder, const char *path, int flags, ...)
{
    OPEN(folder);
}

EXPORT int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0, CALLER);
}

EXPORT int __open64_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0, CALLER);
}

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
    NEXT(fopen)
    MAY_FAIL("fopen", EMFILE, NULL)
    return next(path, mode);
}

EXPORT int scandir(const char *restrict path, struct dirent ***restrict list,
                   int (*take)(const struct dirent *),
                   int (*compare)(const struct dirent **, const struct dirent **))
{
    NEXT(scandir)
    employer = CALLER;
    const int count = next(path, list, take, compare);
    employer = NULL;
    return count;
}

EXPORT FILE *fdopen(int fd, const char *mode)
{
    NEXT(fdopen)
    MAY_FAIL("fdopen", EMFILE, NULL)
    return next(fd, mode);
}

/* What is closed is closed, as with the kernel, also where that fails. */
EXPORT int close(int fd)
{
    int status = (int)syscall(SYS_close, fd);
    MAY_FAIL("close", EIO, -1)
    return status;
}

EXPORT int fclose(FILE *file)
{
    NEXT(fclose)
    const bool is_memory = fileno(file) < 0; /* open_memstream: no call of the system */
    int status = next(file);
    if (is_memory) {
        return status;
    }
    MAY_FAIL("fclose", EIO, EOF)
    return status;
}

EXPORT int fflush(FILE *file)
{
    NEXT(fflush)
    MAY_FAIL("fflush", ENOSPC, EOF)
    return next(file);
}

/* Fewer bytes than asked for: one, or half where all calls are short. */
static size_t shortened(const char *call, size_t size, const void *caller)
{
    return size > 1 && fails(FAULT_SHORT, call, ANY_ERROR, caller) ? forever ? (size + 1) / 2 : 1
                                                                   : size;
}

EXPORT ssize_t read(int fd, void *bytes, size_t size)
{
    MAY_FAIL("read", EIO, -1)
    MAY_INTERRUPT("read", -1)
    return syscall(SYS_read, fd, bytes, shortened("read", size, CALLER));
}

EXPORT ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room)
{
    (void)room;
    MAY_FAIL("read", EIO, -1)
    MAY_INTERRUPT("read", -1)
    return syscall(SYS_read, fd, bytes, shortened("read", size, CALLER));
}

EXPORT ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
    MAY_FAIL("pread", EIO, -1)
    MAY_INTERRUPT("pread", -1)
    return syscall(SYS_pread64, fd, bytes, shortened("pread", size, CALLER), offset);
}

EXPORT ssize_t __pread_chk(int fd, void *bytes, size_t size, off_t offset, size_t room)
{
    (void)room;
    MAY_FAIL("pread", EIO, -1)
    MAY_INTERRUPT("pread", -1)
    return syscall(SYS_pread64, fd, bytes, shortened("pread", size, CALLER), offset);
}

/* What still fits the disk of this many bytes left; -1 with ENOSPC when nothing does. */
static ssize_t fitting(int fd, size_t size)
{
    struct stat status;
    if (disk_left == INT64_MAX || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return (ssize_t)size;
    }
    const int64_t left = disk_left;
    const int64_t fits = (int64_t)size < left ? (int64_t)size : left;
    disk_left -= fits;
    if (fits == 0 && size > 0) {
        errno = ENOSPC;
        return -1;
    }
    return fits;
}

EXPORT ssize_t write(int fd, const void *bytes, size_t size)
{
    MAY_FAIL("write", ENOSPC, -1)
    MAY_INTERRUPT("write", -1)
    const ssize_t fits = fitting(fd, shortened("write", size, CALLER));
    return fits < 0 ? fits : syscall(SYS_write, fd, bytes, fits);
}

EXPORT ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    MAY_FAIL("pwrite", ENOSPC, -1)
    MAY_INTERRUPT("pwrite", -1)
    const ssize_t fits = fitting(fd, shortened("pwrite", size, CALLER));
    return fits < 0 ? fits : syscall(SYS_pwrite64, fd, bytes, fits, offset);
}

EXPORT int fsync(int fd)
{
    MAY_FAIL("fsync", EIO, -1)
    MAY_INTERRUPT("fsync", -1)
    return (int)syscall(SYS_fsync, fd);
}

EXPORT int ftruncate(int fd, off_t length)
{
    MAY_FAIL("ftruncate", ENOSPC, -1)
    return (int)syscall(SYS_ftruncate, fd, length);
}

EXPORT int rename(const char *from, const char *to)
{
    NEXT(rename)
    MAY_FAIL("rename", ENOSPC, -1)
    return next(from, to);
}

EXPORT int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    MAY_FAIL("linkat", ENOSPC, -1)
    if (is_absent("link")) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

EXPORT int access(const char *path, int mode)
{
    MAY_FAIL("access", EACCES, -1)
    if (is_absent("proc") && strncmp(path, "/proc/", 6) == 0) {
        errno = ENOENT;
        return -1;
    }
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

EXPORT char *realpath(const char *restrict path, char *restrict resolved)
{
    NEXT(realpath)
    MAY_FAIL("realpath", EACCES, NULL)
    return next(path, resolved);
}

EXPORT int stat(const char *restrict path, struct stat *restrict status)
{
    MAY_FAIL("stat", EACCES, -1)
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

EXPORT int fstat(int fd, struct stat *status)
{
    MAY_FAIL("fstat", EIO, -1)
    return (int)syscall(SYS_newfstatat, fd, "", status, AT_EMPTY_PATH);
}

EXPORT int fchmod(int fd, mode_t mode)
{
    MAY_FAIL("fchmod", EPERM, -1)
    return (int)syscall(SYS_fchmod, fd, mode);
}

EXPORT off_t lseek(int fd, off_t offset, int whence)
{
    MAY_FAIL("lseek", ESPIPE, -1)
    return syscall(SYS_lseek, fd, offset, whence);
}

EXPORT int dup(int fd)
{
    MAY_FAIL("dup", EMFILE, -1)
    return (int)syscall(SYS_dup, fd);
}

/* Only duplicating may fail; the other requests belong to the start. */
EXPORT int fcntl(int fd, int request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    const long argument = va_arg(arguments, long);
    va_end(arguments);
    if (request == F_DUPFD_CLOEXEC || request == F_DUPFD) {
        MAY_FAIL("fcntl", EMFILE, -1)
    }
    return (int)syscall(SYS_fcntl, fd, request, argument);
}

/* What 64-bit programs call in a new libc. */
EXPORT int fcntl64(int fd, int request, ...) __attribute__((alias("fcntl")));

EXPORT int mkdir(const char *path, mode_t mode)
{
    MAY_FAIL("mkdir", ENOSPC, -1)
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

EXPORT int mkstemp(char *path)
{
    NEXT(mkstemp)
    MAY_FAIL("mkstemp", ENOSPC, -1)
    return next(path);
}

EXPORT char *mkdtemp(char *path)
{
    NEXT(mkdtemp)
    MAY_FAIL("mkdtemp", ENOSPC, NULL)
    return next(path);
}

EXPORT int memfd_create(const char *name, unsigned flags)
{
    MAY_FAIL("memfd_create", EMFILE, -1)
    if (is_absent("memfd")) {
        errno = ENOSYS;
        return -1;
    }
    return (int)syscall(SYS_memfd_create, name, flags);
}

EXPORT int madvise(void *address, size_t length, int advice)
{
    MAY_FAIL("madvise", EINVAL, -1)
    return (int)syscall(SYS_madvise, address, length, advice);
}

/* Processes and threads ---------------------------------------------------------------------- */

EXPORT pid_t fork(void)
{
    NEXT(fork)
    MAY_FAIL("fork", EAGAIN, -1)
    return next();
}

EXPORT pid_t waitpid(pid_t child, int *status, int options)
{
    NEXT(waitpid)
    MAY_INTERRUPT("waitpid", -1)
    return next(child, status, options);
}

EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                          void *(*run)(void *), void *restrict argument)
{
    NEXT(pthread_create)
    if (fails(FAULT_SYSTEM, "pthread_create", EAGAIN, CALLER) || is_absent("threads")) {
        return EAGAIN;
    }
    return next(thread, attributes, run, argument);
}

EXPORT int sigaction(int number, const struct sigaction *restrict action,
                     struct sigaction *restrict old)
{
    NEXT(sigaction)
    MAY_FAIL("sigaction", EINVAL, -1)
    return next(number, action, old);
}

/* perf_event_open and the like. */
EXPORT long syscall(long number, ...)
{
    static long (*next)(long, ...);
    long arguments[6];
    va_list list;
    va_start(list, number);
    for (size_t i = 0; i < COUNT_OF(arguments); i++) {
        arguments[i] = va_arg(list, long);
    }
    va_end(list);
    if (next == NULL) {
        *(void **)(&next) = dlsym(RTLD_NEXT, "syscall");
    }
    if (number == SYS_perf_event_open) {
        MAY_FAIL("perf_event_open", EMFILE, -1)
        if (is_absent("perf")) {
            errno = ENOSYS;
            return -1;
        }
    }
    return next(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                arguments[5]);
}
