/*
 * thread_traffic.h - queues and blocks in several threads at once: what "threads" times.
 *
 * 1. The threads are made and wait. Their stacks exist before the allocator opens, so they do not
 *    count as its memory.
 * 2. Each thread does its share of a pattern, then waits. When all wait, the number of live blocks
 *    is known, and the memory is read.
 * 3. The threads give everything back. The time covers 2 and 3, without the reading.
 * Every value is compared with the value that was pushed or written into the block.
 */
#pragma once

#include "alloc/node_allocator.h"

#define SHORT_TIMES 20

enum thread_pattern {
    THREADS_OWN_DEEP,    /* a queue per thread: filled to a depth, then emptied */
    THREADS_OWN_SHALLOW, /* a queue per thread, 1000 deep: a push and a pop. These are the
                            fastest, and a thread begins late: SHORT_TIMES times length */
    THREADS_CONSUMER,    /* of two threads one fills queues of 1000, the other empties and deletes
                            them; 64 of them wait in between. An odd thread does both in turn */
    THREADS_RING,        /* four queues per thread, 1000 deep: 500 pops and pushes, and on to the
                            next thread */
    THREADS_LARSON, /* 10,000 blocks per thread, a random one freed and taken again; ten times a
                            new thread goes on with the blocks of the one before, which has ended */
    THREADS_SEARCH, /* the whole search: each thread searches for the same pairs with the engine
                       plain, on one generated graph with a tenth of depth as nodes */
    THREAD_PATTERNS
};

struct thread_traffic {
    enum thread_pattern pattern;
    unsigned threads;          /* 1 to BENCH_THREADS_MAX */
    const char *specification; /* of the allocator */
    uint64_t depth;            /* THREADS_OWN_DEEP: elements per thread; THREADS_SEARCH */
    uint64_t length;           /* the others: pushes per thread beyond the first filling, about */
    uint64_t seed;
};

enum thread_outcome {
    THREADS_DONE,
    THREADS_FULL,       /* a request was refused */
    THREADS_FAILED,     /* no allocator, no memory or no threads */
    THREADS_WRONG,      /* some value was not what had been pushed */
    THREADS_ONE_THREAD, /* the allocator's own interface serves one thread at a time */
};

struct thread_figures {
    uint64_t ns;       /* in all */
    uint64_t pushes;   /* of all threads, each with its pop */
    double live_bytes; /* at the moment in between */
    double held_bytes; /* then, by the system (memory_watch.h); NaN: not known */
    struct node_allocator_statistics statistics; /* then */
};

/* Do it once. After THREADS_FAILED threads may be left waiting: the process should end. */
enum thread_outcome thread_traffic_run(const struct thread_traffic *traffic,
                                       struct thread_figures *figures);
