/*
 * asks_malloc.c - a program that asks malloc in a known way, for test_program.sh.
 *
 * Usage: asks_malloc MODE [N]. It counts its own requests and writes "N requests" to descriptor 1
 * without a stream, because a stream would ask for memory. The exit status is 1 if a block is too
 * short or not aligned, is not zero after calloc, has lost its first byte after realloc, or is not
 * its own up to its usable size.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned long requests;
static void *earliest, *early, *late;
static volatile sig_atomic_t signals;

static void wrong(const char *what)
{
    static const char text[] = "wrong: ";
    if (write(2, text, sizeof(text) - 1) > 0 && write(2, what, strlen(what)) > 0) {
    }
    _exit(1);
}

/* Check a block, and fill all that may be used of it. */
static void *good(void *block, size_t size, size_t alignment, int zero)
{
    unsigned char *bytes = block;
    if (block == NULL || (uintptr_t)block % alignment != 0) {
        wrong("no block, or not aligned");
    }
    const size_t usable = malloc_usable_size(block);
    if (usable < size) {
        wrong("usable size");
    }
    for (size_t i = 0; zero && i < size; i++) {
        if (bytes[i] != 0) {
            wrong("not zero");
        }
    }
    memset(block, 0xa5, usable);
    requests++;
    return block;
}

static void steps(unsigned long count)
{
    void *ring[50] = {NULL};
    size_t usable[50] = {0};
    errno = EDOM; /* which no request changes that is granted */
    for (unsigned long i = 0; i < count; i++) {
        void **slot = &ring[i * 7 % 50];
        const size_t size = i % 97 * (i % 13 == 0 ? 1000 : 1) + 1;
        void *block = NULL;
        if (*slot != NULL && malloc_usable_size(*slot) != usable[i * 7 % 50]) {
            wrong("what lies before a block was written to");
        }
        if (i % 5 == 1) {
            free(*slot);
            *slot = good(calloc(size, 3), 3 * size, 16, 1);
        } else if (i % 5 == 2 && *slot != NULL) {
            const size_t old = malloc_usable_size(*slot);
            const unsigned char first = *(unsigned char *)*slot;
            block = realloc(*slot, size);
            if (block == NULL || (old > 0 && *(unsigned char *)block != first)) {
                wrong("realloc");
            }
            *slot = good(block, size, 16, 0);
        } else if (i % 5 == 3) {
            free(*slot);
            if (posix_memalign(&block, (size_t)16 << i % 9, size) != 0) {
                wrong("posix_memalign");
            }
            *slot = good(block, size, (size_t)16 << i % 9, 0);
        } else {
            free(*slot);
            *slot = good(malloc(size), size, 16, 0);
        }
        usable[i * 7 % 50] = malloc_usable_size(*slot);
    }
    for (int i = 0; i < 50; i++) {
        free(ring[i]);
    }
    if (errno != EDOM) {
        wrong("errno");
    }
    free(good(aligned_alloc(4096, 8192), 8192, 4096, 0));
    free(good(memalign(64, 100), 100, 64, 0));
    free(good(valloc(10), 10, (size_t)sysconf(_SC_PAGESIZE), 0));
    free(realloc(NULL, 0));
    requests++;
    early = good(reallocarray(early, 100, 20), 2000, 16, 0);
    void *large = good(malloc((size_t)5 << 20), (size_t)5 << 20, 16, 0);
    large = good(realloc(large, (size_t)9 << 20), (size_t)9 << 20, 16, 0);
    free(large);
    volatile size_t much = SIZE_MAX / 2;
    requests++;
    if (malloc(much) != NULL) {
        wrong("half of all memory");
    }
}

/* That many MiB at once, for a moment; then many requests for little. */
static void peak(unsigned long count)
{
    static const size_t size = (size_t)1 << 20;
    void *blocks[64] = {NULL};
    for (unsigned long i = 0; i < count && i < 64; i++) {
        blocks[i] = good(malloc(size), size, 16, 0);
    }
    for (int i = 0; i < 64; i++) {
        free(blocks[i]);
    }
    for (int i = 0; i < 300000; i++) {
        free(good(malloc(24), 24, 16, 0));
    }
}

/* Request until there is no more memory, and release all. */
static void greedy(void)
{
    static const size_t size = (size_t)1 << 20;
    void **last = NULL;
    void **block = NULL;
    for (int i = 0; (block = malloc(size)) != NULL; i++) {
        *block = (void *)last;
        last = block;
        if (i == 4096) {
            wrong("no end of memory");
        }
    }
    while (last != NULL) {
        void **before = *last;
        free((void *)last);
        last = before;
    }
}

/* More than a recorded program has room for: what is not refused can be used. */
static void huge(void)
{
    char *blocks[4];
    for (int i = 0; i < 4; i++) {
        blocks[i] = malloc((size_t)9 << 30);
        if (blocks[i] != NULL) {
            blocks[i][0] = 'x';
        }
    }
    for (int i = 0; i < 4; i++) {
        free(blocks[i]);
    }
}

/* No machine has such an alignment: glibc refuses it, and so must a library in its place. */
static void far_apart(void)
{
    const volatile size_t alignment = SIZE_MAX / 2 + 1;
    void *block = NULL;
    errno = 0;
    if (aligned_alloc(alignment, 1) != NULL || errno != ENOMEM ||
        posix_memalign(&block, alignment, 1) != ENOMEM) {
        wrong("an alignment of half the address space is granted");
    }
}

static void *thread(void *argument)
{
    for (int i = 0; i < 3000; i++) {
        free(malloc((size_t)i % 300 + 1));
    }
    return argument;
}

static void threads(void)
{
    pthread_t all[4];
    for (int i = 0; i < 4; i++) {
        pthread_create(&all[i], NULL, thread, NULL);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(all[i], NULL);
    }
}

static volatile sig_atomic_t ends;

/* Wakes again and again, in the middle of what the others do. */
static void *urgent(void *argument)
{
    const struct timespec moment = {.tv_nsec = 30000};
    for (int i = 0; i < 300; i++) {
        free(malloc((size_t)i % 500 + 1));
        nanosleep(&moment, NULL);
    }
    ends = 1;
    return argument;
}

static void *patient(void *argument)
{
    for (int i = 0; ends == 0; i++) {
        free(malloc((size_t)i % 300 + 1));
    }
    return argument;
}

/* Threads of two real-time priorities on one processor: one that waits must not keep it. */
static void real_time(void)
{
    pthread_t all[2];
    cpu_set_t one;
    int first = 0;
    sched_getaffinity(0, sizeof(one), &one);
    while (!CPU_ISSET(first, &one)) {
        first++;
    }
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    if (sched_setaffinity(0, sizeof(one), &one) != 0) {
        _exit(77);
    }
    for (int i = 0; i < 2; i++) {
        const struct sched_param priority = {.sched_priority = 1 + i};
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
        pthread_attr_setschedparam(&attributes, &priority);
        if (pthread_create(&all[i], &attributes, i == 0 ? patient : urgent, NULL) != 0) {
            _exit(77);
        }
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(all[i], NULL);
    }
}

static void forks(unsigned long count)
{
    int status = 0;
    void *before = malloc(100);
    const pid_t child = fork();
    if (child == 0) {
        free(before);
        steps(count);
        _exit(0);
    }
    steps(count);
    free(before);
    if (waitpid(child, &status, 0) != child || status != 0) {
        wrong("the child");
    }
}

/* The request is one that is refused, since malloc itself may be what the signal interrupts. */
static void handle(int number)
{
    static volatile size_t too_much = SIZE_MAX;
    (void)number;
    if (signals < 200) { /* one may come before the timer is stopped */
        signals++;
        free(malloc(too_much));
    }
}

static void with_signals(void)
{
    const struct itimerval often = {{0, 200}, {0, 200}};
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &often, NULL);
    while (signals < 200) {
        free(malloc((size_t)signals % 100 + 1));
    }
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
}

static void at_random(void)
{
    unsigned char size[100];
    if (getrandom(size, sizeof(size), 0) != (ssize_t)sizeof(size)) {
        wrong("getrandom");
    }
    for (size_t i = 0; i < sizeof(size); i++) {
        free(malloc(size[i] + (size_t)1));
    }
}

/* When it has run so often with this file, it asks for more, or for another alignment. */
static void later(const char *path, long times, int aligns)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, "x", 1) != 1) {
        wrong("open");
    }
    const int is_late = lseek(file, 0, SEEK_END) >= times;
    if (aligns) {
        free(aligned_alloc(is_late ? 128 : 64, 256));
    } else if (is_late) {
        free(malloc(77));
    }
    close(file);
}

static void say(void)
{
    char text[40];
    const int length = snprintf(text, sizeof(text), "%lu requests\n", requests);
    if (write(1, text, (size_t)length) != length) {
        _exit(1);
    }
}

/* Before any library's constructor. */
static void before_all(void)
{
    earliest = good(calloc(5, 30), 150, 16, 1);
}
__attribute__((section(".preinit_array"), used)) static void (*const run_first)(void) = before_all;

__attribute__((constructor)) static void at_start(void)
{
    early = good(malloc(10), 10, 16, 0);
}

static void at_end(void)
{
    free(early);
    free(earliest);
    late = malloc(20);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    const unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
    atexit(at_end);
    if (strcmp(mode, "steps") == 0) {
        steps(count);
    } else if (strcmp(mode, "small") == 0) {
        for (unsigned long i = 0; i < count; i++) {
            free(good(malloc(40), 40, 16, 0));
        }
    } else if (strcmp(mode, "peak") == 0) {
        peak(count);
    } else if (strcmp(mode, "greedy") == 0) {
        greedy();
    } else if (strcmp(mode, "fails") == 0) {
        huge();
    } else if (strcmp(mode, "far-apart") == 0) {
        far_apart();
    } else if (strcmp(mode, "interrupts") == 0) { /* as Ctrl-C does */
        steps(count);
        kill(0, SIGINT);
        pause();
    } else if (strcmp(mode, "leaves") == 0) {
        steps(count);
        say();
        _exit(0);
    } else if (strcmp(mode, "threads") == 0) {
        threads();
    } else if (strcmp(mode, "real-time") == 0) {
        real_time();
    } else if (strcmp(mode, "fork") == 0) {
        forks(count);
    } else if (strcmp(mode, "exec") == 0) {
        free(malloc(5));
        execl(argv[0], argv[0], "steps", (char *)NULL);
        wrong("exec");
    } else if (strcmp(mode, "crash") == 0) {
        steps(count);
        abort();
    } else if (strcmp(mode, "killed") == 0) {
        steps(count);
        kill(getpid(), SIGKILL);
    } else if (strcmp(mode, "closes") == 0) {
        const int out = fcntl(1, F_DUPFD, 200);
        for (int file = 0; file < 100; file++) {
            close(file);
        }
        steps(count);
        dup2(out, 1);
    } else if (strcmp(mode, "signals") == 0) {
        with_signals();
    } else if (strcmp(mode, "random") == 0) {
        at_random();
    } else if (strcmp(mode, "later") == 0 && argc > 2) {
        later(argv[2], argc > 3 ? strtol(argv[3], NULL, 10) : 8, argc > 4);
    } else if (strcmp(mode, "sleep") == 0 && argc > 2) {
        int began = open(argv[2], O_WRONLY);
        if (write(began, "began\n", 6) == 6) {
            pause();
        }
    }
    say();
    return strcmp(mode, "fails") == 0 ? 3 : 0;
}
