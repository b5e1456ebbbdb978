/*
 * allocbench_fresh.c - runs in a process that has allocated nothing.
 *
 * A forked child owns the free memory of its parent's heap. What an allocator takes from there is
 * held before and after, so it would not be counted, and it lies elsewhere than what the allocator
 * asks for itself. So this program executes itself: 1. the run is written into a file in memory,
 * without pointers; 2. the new process maps it, measures, and writes the values into it; its exit
 * status is the outcome.
 */
#include "allocbench.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRESH_WORD "a-run-in-a-fresh-process" /* the only word of its command line */
#define FRESH_FILE 3                          /* the descriptor of the run */

/* The bodies that need such a process. */
static const bench_body fresh_bodies[] = {bench_purge_memory,  bench_distributions_memory,
                                          bench_trace_memory,  bench_ageing_queues,
                                          bench_memory_replay, bench_memory_time};

struct fresh_run {
    size_t bytes; /* of the whole */
    size_t body;  /* an index of fresh_bodies */
    char specification[256];
    uint64_t seed;
    struct purge_parameters purge;
    struct queue_parameters queue;
    size_t value_count, size_count;
    /* then the values, and the sizes of the requests */
};

static double *values_of(struct fresh_run *run)
{
    return (double *)(void *)(run + 1);
}

static uint32_t *sizes_of(struct fresh_run *run)
{
    return (uint32_t *)(void *)(values_of(run) + run->value_count);
}

static size_t index_of(bench_body body)
{
    size_t index = 0;
    while (index < COUNT_OF(fresh_bodies) && fresh_bodies[index] != body) {
        index++;
    }
    return index;
}

bool bench_needs_fresh_process(bench_body body)
{
    return index_of(body) < COUNT_OF(fresh_bodies);
}

bool bench_fresh_open(struct bench_fresh *fresh, const struct bench_run *run, bench_body body,
                      size_t value_count)
{
    const struct bench_ring *ring = run->parameters;
    const size_t size_count = ring != NULL ? ring->count : 0;
    const size_t bytes =
        sizeof(struct fresh_run) + value_count * sizeof(double) + size_count * sizeof(uint32_t);
    pw_assert(bench_needs_fresh_process(body) && value_count > 0);
    fresh->bytes = bytes;
    fresh->file = memfd_create("allocbench", MFD_CLOEXEC);
    if (fresh->file < 0 || ftruncate(fresh->file, (off_t)bytes) != 0) {
        goto failed;
    }
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fresh->file, 0);
    if (map == MAP_FAILED) {
        goto failed;
    }
    struct fresh_run *written = map;
    *written = (struct fresh_run){.bytes = bytes,
                                  .body = index_of(body),
                                  .seed = run->bench->seed,
                                  .purge = run->bench->parameters.purge,
                                  .queue = run->bench->parameters.queue,
                                  .value_count = value_count,
                                  .size_count = size_count};
    snprintf(written->specification, sizeof(written->specification), "%s", run->specification);
    if (size_count > 0) {
        memcpy(sizes_of(written), ring->sizes, size_count * sizeof(uint32_t));
    }
    fresh->values = values_of(written);
    fresh->map = map;
    return true;
failed:
    if (fresh->file >= 0) {
        close(fresh->file);
    }
    return false;
}

void bench_fresh_close(struct bench_fresh *fresh)
{
    munmap(fresh->map, fresh->bytes);
    close(fresh->file);
}

void bench_fresh_execute(const struct bench_fresh *fresh)
{
    static char word[] = FRESH_WORD;
    static char name[] = "allocbench";
    char *const words[] = {name, word, NULL};
    /* dup2 of a descriptor to itself would leave it to be closed */
    int file = fresh->file == FRESH_FILE ? dup(fresh->file) : fresh->file;
    if (file >= 0 && dup2(file, FRESH_FILE) == FRESH_FILE) {
        execv("/proc/self/exe", words);
    }
    _exit(BENCH_FAILED);
}

bool bench_is_fresh_process(char *const *words)
{
    return words[0] != NULL && words[1] != NULL && strcmp(words[1], FRESH_WORD) == 0;
}

int bench_fresh_main(void)
{
    static struct bench bench;
    struct stat status;
    if (fstat(FRESH_FILE, &status) != 0 || (size_t)status.st_size < sizeof(struct fresh_run)) {
        return BENCH_FAILED;
    }
    void *map = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_POPULATE, FRESH_FILE, 0);
    struct fresh_run *read = map;
    if (map == MAP_FAILED || read->bytes != (size_t)status.st_size ||
        read->body >= COUNT_OF(fresh_bodies)) {
        return BENCH_FAILED;
    }
    bench.seed = read->seed;
    bench.parameters.purge = read->purge;
    bench.parameters.queue = read->queue;
    const struct bench_ring ring = {.sizes = sizes_of(read), .count = read->size_count};
    const struct bench_run run = {.bench = &bench,
                                  .specification = read->specification,
                                  .parameters = read->size_count > 0 ? &ring : NULL};
    return (int)fresh_bodies[read->body](&run, values_of(read));
}
