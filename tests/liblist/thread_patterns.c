/*
 * thread_patterns.c - see thread_patterns.h.
 */
#include "thread_patterns.h"
#include <linked_list.h>
#include <pthread.h>
#include <queue.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS 4

struct worker {
    uint64_t random;
    size_t work;
    size_t wrong;
    unsigned number;
};

static unsigned below(uint64_t *random, unsigned limit)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*random >> 33) % limit;
}

/* Run a function in THREADS threads. Returns how many things were wrong. */
static size_t in_threads(void *(*run)(void *), uint64_t seed, size_t work)
{
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    size_t wrong = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.random = seed + i, .work = work, .number = i};
        if (pthread_create(&threads[i], NULL, run, &workers[i]) != 0) {
            abort();
        }
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        wrong += workers[i].wrong;
    }
    return wrong;
}

/* A model of a queue --------------------------------------------------------------------------- */

/* A queue that holds first, first + 1, ..., last - 1. */
struct counted {
    struct queue *queue;
    unsigned first, last;
};

static size_t push_some(struct counted *counted, unsigned count)
{
    size_t wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        wrong += !queue_push(counted->queue, counted->last++);
    }
    return wrong;
}

static size_t pop_some(struct counted *counted, unsigned count)
{
    size_t wrong = 0;
    unsigned data = 0;
    for (unsigned i = 0; i < count && counted->first != counted->last; i++) {
        wrong += !queue_pop(counted->queue, &data) || data != counted->first++;
    }
    return wrong + (queue_size(counted->queue) != counted->last - counted->first);
}

/* (a) Each thread creates, uses and deletes its own -------------------------------------------- */

/* The elements of a list are removed from random places, and the others stay in order. */
static size_t use_list(struct worker *worker, unsigned count)
{
    struct linked_list *list = linked_list_create();
    size_t wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        wrong +=
            !(i % 2 == 0 ? linked_list_insert_end(list, i) : linked_list_insert_front(list, i));
    }
    for (unsigned i = 0; i < count / 8; i++) {
        const size_t index = below(&worker->random, 20);
        wrong += !linked_list_remove(list, index < linked_list_size(list) ? index : 0);
    }
    for (unsigned i = 0; i < count / 8; i++) {
        wrong += !linked_list_insert(list, 2, count + i);
    }
    wrong += linked_list_size(list) != count;
    return wrong + !linked_list_delete(list);
}

static void *use_own(void *argument)
{
    struct worker *worker = argument;
    struct counted counted[3];
    for (size_t done = 0; done < worker->work; done += 1000) {
        for (int i = 0; i < 3; i++) {
            counted[i] =
                (struct counted){queue_create(), worker->number << 24, worker->number << 24};
        }
        for (int step = 0; step < 12; step++) {
            struct counted *one = &counted[below(&worker->random, 3)];
            worker->wrong += push_some(one, below(&worker->random, 400));
            worker->wrong += pop_some(one, below(&worker->random, 400));
        }
        for (int i = 0; i < 3; i++) {
            worker->wrong += !queue_delete(counted[i].queue);
        }
        worker->wrong += use_list(worker, 200);
    }
    return NULL;
}

static size_t own(uint64_t seed, size_t work)
{
    return in_threads(use_own, seed, work);
}

/* (b) One thread creates, others use, one deletes ---------------------------------------------- */

#define HANDED 64

/* A box per stage: what the stage before put there. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct counted items[HANDED];
    size_t put, taken;
} boxes[THREADS];

static void put(unsigned number, struct counted counted)
{
    pthread_mutex_lock(&boxes[number].lock);
    boxes[number].items[boxes[number].put++ % HANDED] = counted;
    pthread_cond_signal(&boxes[number].changed);
    pthread_mutex_unlock(&boxes[number].lock);
}

static struct counted take(unsigned number)
{
    pthread_mutex_lock(&boxes[number].lock);
    while (boxes[number].taken == boxes[number].put) {
        pthread_cond_wait(&boxes[number].changed, &boxes[number].lock);
    }
    struct counted counted = boxes[number].items[boxes[number].taken++ % HANDED];
    pthread_mutex_unlock(&boxes[number].lock);
    return counted;
}

static void *one_stage(void *argument)
{
    struct worker *worker = argument;
    for (size_t i = 0; i < HANDED; i++) {
        struct counted counted = {NULL, (unsigned)i << 16, (unsigned)i << 16};
        if (worker->number == 0) {
            counted.queue = queue_create();
        } else {
            counted = take(worker->number);
            worker->wrong += pop_some(&counted, below(&worker->random, 500));
        }
        worker->wrong +=
            push_some(&counted, below(&worker->random, 1 + (unsigned)(worker->work / 32)));
        if (worker->number + 1 < THREADS) {
            put(worker->number + 1, counted);
        } else {
            worker->wrong += pop_some(&counted, below(&worker->random, 2000));
            worker->wrong += !queue_delete(counted.queue);
        }
    }
    return NULL;
}

static size_t handed(uint64_t seed, size_t work)
{
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_mutex_init(&boxes[i].lock, NULL);
        pthread_cond_init(&boxes[i].changed, NULL);
        boxes[i].put = boxes[i].taken = 0;
    }
    return in_threads(one_stage, seed, work);
}

/* (c) One queue shared by a mutex -------------------------------------------------------------- */

static pthread_mutex_t common_lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue *common;
static unsigned char *seen; /* of each value, how often it was popped */

static void *share(void *argument)
{
    struct worker *worker = argument;
    unsigned pushed = 0;
    unsigned data = 0;
    for (bool is_empty = false; pushed < worker->work || !is_empty;) {
        pthread_mutex_lock(&common_lock);
        for (unsigned i = below(&worker->random, 150); i > 0 && pushed < worker->work; i--) {
            worker->wrong +=
                !queue_push(common, worker->number * (unsigned)worker->work + pushed++);
        }
        for (unsigned i = below(&worker->random, 150); i > 0 && queue_pop(common, &data); i--) {
            seen[data]++;
        }
        is_empty = !queue_has_next(common);
        pthread_mutex_unlock(&common_lock);
    }
    return NULL;
}

static size_t shared(uint64_t seed, size_t work)
{
    common = queue_create();
    seen = calloc(THREADS * work, 1);
    size_t wrong = in_threads(share, seed, work);
    for (size_t i = 0; i < THREADS * work; i++) {
        wrong += seen[i] != 1;
    }
    free(seen);
    return wrong + !queue_delete(common);
}

/* (d) Threads that come and go ----------------------------------------------------------------- */

/* Uses a queue of its own, and leaves it to whoever joins. */
static void *come_and_go(void *argument)
{
    struct counted *counted = argument;
    const unsigned count = 100 + counted->first % 200;
    counted->queue = queue_create();
    const size_t wrong = push_some(counted, count) + pop_some(counted, count / 2);
    return wrong > 0 ? counted : NULL;
}

static size_t come_and_go_all(uint64_t seed, size_t work)
{
    size_t wrong = 0;
    for (size_t round = 0; round < work / 100; round++) {
        struct counted counted[THREADS];
        pthread_t threads[THREADS];
        for (unsigned i = 0; i < THREADS; i++) {
            const unsigned first = below(&seed, 1000000);
            counted[i] = (struct counted){NULL, first, first};
            if (pthread_create(&threads[i], NULL, come_and_go, &counted[i]) != 0) {
                abort();
            }
        }
        for (unsigned i = 0; i < THREADS; i++) {
            void *failed = NULL;
            pthread_join(threads[i], &failed);
            wrong += failed != NULL;
            wrong += pop_some(&counted[i], counted[i].last - counted[i].first);
            wrong += !queue_delete(counted[i].queue);
        }
    }
    linked_list_final_cleanup();
    return wrong;
}

const struct thread_pattern thread_patterns[] = {
    {"own", own}, {"handed", handed}, {"shared", shared}, {"come and go", come_and_go_all},
    {NULL, NULL},
};
