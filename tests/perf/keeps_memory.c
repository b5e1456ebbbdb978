/*
 * keeps_memory.c - a program that keeps memory in a known way, for test_memory.sh.
 *
 * Usage: keeps_memory MODE. It writes nothing and takes no stream.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define COUNT   8000
#define BYTES   ((size_t)1000)
#define KEPT    ((size_t)64)
#define FILLER  ((size_t)4016) /* with the kept block, a page */
#define THREADS 4

static void *blocks[3 * COUNT];
static void *kept[COUNT];

static __attribute__((noinline)) void *fill(size_t bytes)
{
    void *block = malloc(bytes);
    if (block == NULL) {
        abort();
    }
    return memset(block, 1, bytes);
}

static __attribute__((noinline)) void *keep_one(void)
{
    void *block = fill(KEPT);
    *(char *)block = 2; /* so that the call is not a tail call */
    return block;
}

static __attribute__((noinline)) void *leak_one(void)
{
    void *block = fill(BYTES);
    *(char *)block = 3;
    return block;
}

static void fill_all(int from, int to)
{
    for (int i = from; i < to; i++) {
        blocks[i] = fill(BYTES);
    }
}

static void free_all(int from, int to)
{
    for (int i = from; i < to; i++) {
        free(blocks[i]);
    }
}

/* One live block in each page. */
static void pins(void)
{
    for (int i = 0; i < COUNT / 4; i++) {
        kept[i] = keep_one();
        blocks[i] = fill(FILLER);
    }
    free_all(0, COUNT / 4);
}

/* All is free but the last block, which lies at the end of the heap. */
static void caches(void)
{
    fill_all(0, COUNT);
    kept[0] = keep_one();
    free_all(0, COUNT);
}

static void leaks(void)
{
    for (int i = 0; i < 3 * COUNT; i++) {
        blocks[i] = leak_one();
    }
}

static void fine(void)
{
    fill_all(0, 3 * COUNT);
    free_all(0, 3 * COUNT);
}

/* A peak of 24 MB, after which 6 MB are in use. */
static void daemon_of_24(void)
{
    fill_all(0, 3 * COUNT);
    free_all(0, 3 * COUNT - COUNT / 4 * 3);
}

/* The same, and what is free goes back. */
static void trims(void)
{
    daemon_of_24();
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* Threads that do the same one after the other, and all stay: each has an arena of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static size_t turn;

static void *work(void *argument)
{
    const size_t own = (size_t)(void **)argument - (size_t)kept;
    pthread_mutex_lock(&lock);
    while (turn != own / sizeof(*kept)) {
        pthread_cond_wait(&changed, &lock);
    }
    caches();
    turn++;
    pthread_cond_broadcast(&changed);
    while (turn < THREADS) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void threads(void)
{
    pthread_t all[THREADS];
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&all[i], NULL, work, &kept[i]) != 0) {
            abort();
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(all[i], NULL);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"pins", pins},           {"caches", caches}, {"leaks", leaks},    {"fine", fine},
                 {"daemon", daemon_of_24}, {"trims", trims},   {"threads", threads}};
    for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (strcmp(argv[1], modes[i].name) == 0) {
            modes[i].run();
            return 0;
        }
    }
    return 2;
}
