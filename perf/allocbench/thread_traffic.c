/*
 * thread_traffic.c - see thread_traffic.h.
 *
 * Queues go from thread to thread through boxes. A refused request does not end a thread, because
 * others wait for what it hands on: it goes on with what it has, and the outcome reports it.
 * One file: the patterns share the workers, the boxes and the barriers.
 */
#include "thread_traffic.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "bench_parameters.h"
#include "bfs/engines/engines.h"
#include "data/make/generate.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue.h"
#include "perf/traffic/memory_watch.h"
#include "perf/traffic/prng.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEPTH       1000 /* of a queue that is not deep */
#define WAITING     64   /* queues between producer and consumer */
#define RING_QUEUES 4    /* per thread */
#define BOX_ITEMS   (BENCH_THREADS_MAX * RING_QUEUES)
#define RING_HANDED 500 /* pops and pushes before a queue is handed on */
#define SLOTS       10000
#define GENERATIONS 10
#define SEARCHES    100 /* at most */

/* A queue that holds first, first + 1, ..., last - 1. */
struct counted {
    struct queue *queue;
    unsigned int first, last;
};

struct box {
    _Alignas(128) pthread_mutex_t lock;
    pthread_cond_t changed;
    struct counted items[BOX_ITEMS];
    size_t put, taken, room;
};

struct run;

/* Written with every push: no two share a cache line, or the one fetched with it. */
struct worker {
    _Alignas(128) struct run *run;
    unsigned number;
    bool is_full; /* a request was refused */
    uint64_t pushes, wrong;
    struct counted own;
    uint64_t **slots; /* SLOTS, after the run */
    struct prng prng;
};

struct run {
    const struct thread_traffic *traffic;
    bool is_open; /* false: the allocator does not open, so there is nothing to do */
    struct node_heap heap;
    struct graph graph; /* of the searches; shared by all threads */
    struct pairs pairs;
    uint32_t hops[SEARCHES]; /* of each pair */
    size_t searches;
    pthread_barrier_t barrier; /* of all workers and the main thread */
    struct box boxes[BENCH_THREADS_MAX];
    struct worker workers[BENCH_THREADS_MAX];
    pthread_t threads[BENCH_THREADS_MAX];
};

/* Queues -------------------------------------------------------------------------------------- */

static void fill(struct worker *worker, struct counted *counted, uint64_t count)
{
    for (uint64_t i = 0; i < count && !worker->is_full; i++) {
        worker->is_full = !queue_push(counted->queue, counted->last++);
    }
    worker->pushes += count;
}

static void empty(struct worker *worker, struct counted *counted, uint64_t count)
{
    unsigned int data = 0;
    for (uint64_t i = 0; i < count; i++) {
        worker->wrong += !queue_pop(counted->queue, &data) || data != counted->first++;
    }
}

static struct counted filled(struct worker *worker, uint64_t count)
{
    struct counted counted = {.queue = queue_create()};
    worker->is_full = worker->is_full || counted.queue == NULL;
    counted.first = counted.last = worker->number << 24;
    fill(worker, &counted, count);
    return counted;
}

static void emptied(struct worker *worker, struct counted counted)
{
    empty(worker, &counted, counted.last - counted.first);
    worker->wrong += !queue_delete(counted.queue);
}

/* Boxes --------------------------------------------------------------------------------------- */

static void put(struct box *box, struct counted counted)
{
    pthread_mutex_lock(&box->lock);
    while (box->put - box->taken == box->room) {
        pthread_cond_wait(&box->changed, &box->lock);
    }
    box->items[box->put++ % box->room] = counted;
    pthread_cond_signal(&box->changed);
    pthread_mutex_unlock(&box->lock);
}

static struct counted take(struct box *box)
{
    pthread_mutex_lock(&box->lock);
    while (box->taken == box->put) {
        pthread_cond_wait(&box->changed, &box->lock);
    }
    struct counted counted = box->items[box->taken++ % box->room];
    pthread_cond_signal(&box->changed);
    pthread_mutex_unlock(&box->lock);
    return counted;
}

static void empty_box(struct worker *worker, struct box *box)
{
    while (box->taken != box->put) { /* nobody else uses it any more */
        emptied(worker, take(box));
    }
}

/* Queues of one's own ------------------------------------------------------------------------- */

static void use_own_deep(struct worker *worker)
{
    worker->own = filled(worker, worker->run->traffic->depth);
}

static void use_own_shallow(struct worker *worker)
{
    worker->own = filled(worker, DEPTH);
    for (uint64_t i = 0; i < SHORT_TIMES * worker->run->traffic->length; i++) {
        fill(worker, &worker->own, 1);
        empty(worker, &worker->own, 1);
    }
}

static void delete_own(struct worker *worker)
{
    emptied(worker, worker->own);
}

/* Producer and consumer ----------------------------------------------------------------------- */

/* The box of a pair: its producer's. A thread without a partner is a pair by itself. */
static struct box *box_of_pair(const struct worker *worker)
{
    return &worker->run->boxes[worker->number / 2 * 2];
}

static bool is_alone(const struct worker *worker)
{
    return worker->number % 2 == 0 && worker->number + 1 == worker->run->traffic->threads;
}

static void produce_or_consume(struct worker *worker)
{
    struct box *box = box_of_pair(worker);
    const uint64_t share = worker->run->traffic->length / DEPTH;
    const bool produces = worker->number % 2 == 0;
    for (uint64_t i = 0; produces && i < WAITING; i++) {
        put(box, filled(worker, DEPTH));
    }
    for (uint64_t i = 0; i < (is_alone(worker) ? share : 2 * share); i++) {
        if (!produces || is_alone(worker)) {
            emptied(worker, take(box));
        }
        if (produces) {
            put(box, filled(worker, DEPTH));
        }
    }
}

static void consume_rest(struct worker *worker)
{
    if (worker->number % 2 == 1 || is_alone(worker)) {
        empty_box(worker, box_of_pair(worker));
    }
}

/* The ring ------------------------------------------------------------------------------------ */

static void hand_round(struct worker *worker)
{
    struct run *run = worker->run;
    struct box *mine = &run->boxes[worker->number];
    struct box *next = &run->boxes[(worker->number + 1) % run->traffic->threads];
    for (int i = 0; i < RING_QUEUES; i++) {
        put(mine, filled(worker, DEPTH));
    }
    for (uint64_t i = 0; i < run->traffic->length / RING_HANDED; i++) {
        struct counted counted = take(mine);
        empty(worker, &counted, RING_HANDED);
        fill(worker, &counted, RING_HANDED);
        put(next, counted);
    }
}

static void delete_box(struct worker *worker)
{
    empty_box(worker, &worker->run->boxes[worker->number]);
}

/* Larson's pattern ---------------------------------------------------------------------------- */

/* Take a block for a slot and write into it whose it is. */
static void take_block(struct worker *worker, size_t slot)
{
    uint64_t *block = node_allocator_allocate(worker->run->heap.allocator, sizeof(struct node));
    worker->slots[slot] = block;
    worker->is_full = worker->is_full || block == NULL;
    worker->pushes++;
    if (block != NULL) {
        block[0] = worker->number;
        block[1] = slot;
    }
}

static void give_block(struct worker *worker, size_t slot)
{
    uint64_t *block = worker->slots[slot];
    if (block != NULL) {
        worker->wrong += block[0] != worker->number || block[1] != slot;
        node_allocator_release(worker->run->heap.allocator, block, sizeof(struct node));
    }
}

static void *one_generation(void *argument)
{
    struct worker *worker = argument;
    for (uint64_t i = 0; i < worker->run->traffic->length / GENERATIONS; i++) {
        const size_t slot = prng_below(&worker->prng, SLOTS);
        give_block(worker, slot);
        take_block(worker, slot);
    }
    return NULL;
}

static void *no_generation(void *argument)
{
    return argument;
}

/* Have a thread do something for a worker, and wait for its end. */
static void in_another_thread(struct worker *worker, void *(*what)(void *))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, what, worker) == 0) {
        pthread_join(thread, NULL);
    } else {
        worker->is_full = true;
    }
}

static void replace_blocks(struct worker *worker)
{
    for (size_t slot = 0; slot < SLOTS; slot++) {
        take_block(worker, slot);
    }
    for (int i = 0; i < GENERATIONS; i++) {
        in_another_thread(worker, one_generation);
    }
}

static void give_blocks(struct worker *worker)
{
    for (size_t slot = 0; slot < SLOTS; slot++) {
        give_block(worker, slot);
    }
}

/* Whole searches ------------------------------------------------------------------------------ */

/* Make the graph, and find the hops of as many pairs as examine about length edges, without a list
 * and without a thread. False: there is not enough memory. */
static bool open_searches(struct run *run)
{
    const struct thread_traffic *traffic = run->traffic;
    const struct pairs_generate_options pairs = {.count = SEARCHES, .seed = traffic->seed};
    struct graph_generate_options graph = {.seed = traffic->seed, .threads = 1};
    struct graph_error ignored;
    graph_generate_set_size(&graph, traffic->depth / 10 + 1, UINT64_MAX);
    if (!graph_generate(&graph, &run->graph, &ignored) ||
        !pairs_generate(&run->graph, &pairs, &run->pairs, &ignored)) {
        return false;
    }
    void *workspace = array_engine.create(&run->graph, NULL);
    const bool is_open = workspace != NULL;
    for (uint64_t edges = 0; is_open && edges < traffic->length && run->searches < SEARCHES;) {
        const struct pair *pair = &run->pairs.items[run->searches];
        struct search_result result;
        array_engine.search(workspace, pair->source, pair->target, NULL, &result);
        run->hops[run->searches++] = result.hops;
        edges += result.edges;
    }
    array_engine.destroy(workspace);
    return is_open;
}

static void search_all(struct worker *worker)
{
    const struct run *run = worker->run;
    void *workspace = plain_engine.create(&run->graph, NULL);
    worker->is_full = workspace == NULL;
    for (size_t i = 0; workspace != NULL && i < run->searches; i++) {
        const struct pair *pair = &run->pairs.items[i];
        struct search_result result;
        plain_engine.search(workspace, pair->source, pair->target, NULL, &result);
        worker->is_full = worker->is_full || result.status != SEARCH_DONE;
        worker->wrong += result.status == SEARCH_DONE && result.hops != run->hops[i];
        worker->pushes += result.pushed;
    }
    plain_engine.destroy(workspace);
}

/* All ----------------------------------------------------------------------------------------- */

static const struct {
    void (*work)(struct worker *worker);
    void (*end)(struct worker *worker); /* NULL: nothing is left */
    size_t room;                        /* of a box; 0: there are none */
} patterns[THREAD_PATTERNS] = {
    [THREADS_OWN_DEEP] = {use_own_deep, delete_own, 0},
    [THREADS_OWN_SHALLOW] = {use_own_shallow, delete_own, 0},
    [THREADS_CONSUMER] = {produce_or_consume, consume_rest, WAITING},
    [THREADS_RING] = {hand_round, delete_box, BOX_ITEMS},
    [THREADS_LARSON] = {replace_blocks, give_blocks, 0},
    [THREADS_SEARCH] = {search_all, NULL, 0},
};

/* The nodes alive when all wait. */
static uint64_t live_nodes(const struct thread_traffic *traffic)
{
    const uint64_t per_thread[THREAD_PATTERNS] = {[THREADS_OWN_DEEP] = traffic->depth,
                                                  [THREADS_OWN_SHALLOW] = DEPTH,
                                                  [THREADS_RING] = RING_QUEUES * DEPTH,
                                                  [THREADS_LARSON] = SLOTS};
    return traffic->pattern == THREADS_CONSUMER
               ? (traffic->threads + 1) / 2 * (uint64_t)(WAITING * DEPTH)
               : traffic->threads * per_thread[traffic->pattern];
}

/* What the run itself takes, from no allocator. */
static size_t bytes_of(const struct thread_traffic *traffic)
{
    return sizeof(struct run) +
           (traffic->pattern == THREADS_LARSON ? traffic->threads * SLOTS * sizeof(uint64_t *) : 0);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct run *run = worker->run;
    const enum thread_pattern pattern = run->traffic->pattern;
    if (pattern == THREADS_LARSON) {
        in_another_thread(worker, no_generation); /* its stack is kept for the generations */
    }
    pthread_barrier_wait(&run->barrier);
    pthread_barrier_wait(&run->barrier); /* the allocator is open */
    if (run->is_open) {
        patterns[pattern].work(worker);
        pthread_barrier_wait(&run->barrier);
        pthread_barrier_wait(&run->barrier); /* the memory is read */
        if (patterns[pattern].end != NULL) {
            patterns[pattern].end(worker);
        }
    }
    return NULL;
}

/* Make what the run itself needs, and the threads. False: there is not enough. */
static bool start(struct run *run)
{
    const struct thread_traffic *traffic = run->traffic;
    if (pthread_barrier_init(&run->barrier, NULL, traffic->threads + 1) != 0) {
        return false;
    }
    for (unsigned i = 0; i < traffic->threads; i++) {
        struct worker *worker = &run->workers[i];
        worker->run = run;
        worker->number = i;
        prng_start(&worker->prng, traffic->seed + i);
        run->boxes[i].room = patterns[traffic->pattern].room;
        worker->slots = (uint64_t **)(void *)(run + 1) + (size_t)i * SLOTS;
        if (pthread_mutex_init(&run->boxes[i].lock, NULL) != 0 ||
            pthread_cond_init(&run->boxes[i].changed, NULL) != 0 ||
            pthread_create(&run->threads[i], NULL, work, worker) != 0) {
            return false;
        }
    }
    pthread_barrier_wait(&run->barrier);
    return true;
}

static enum thread_outcome open_allocator(struct run *run)
{
    const struct thread_traffic *traffic = run->traffic;
    if (traffic->pattern != THREADS_LARSON) {
        return linked_list_set_allocator(traffic->specification) ? THREADS_DONE : THREADS_FAILED;
    }
    static const struct memory_source c_library = {.allocate = malloc, .release = free};
    struct node_allocator_error ignored;
    if (!node_heap_open(&run->heap, traffic->specification, &c_library, &ignored)) {
        return THREADS_FAILED;
    }
    if (traffic->threads > 1 && !node_allocator_is_thread_safe(run->heap.allocator)) {
        node_heap_close(&run->heap);
        return THREADS_ONE_THREAD;
    }
    return THREADS_DONE;
}

/* While all threads wait. */
static void look(struct run *run, int file, double before, struct thread_figures *figures)
{
    const uint64_t live = live_nodes(run->traffic);
    figures->live_bytes = (double)(live * sizeof(struct node));
    figures->held_bytes = memory_anonymous_bytes(file) - before;
    if (run->traffic->pattern == THREADS_LARSON) {
        node_allocator_statistics(run->heap.allocator, &figures->statistics);
    } else {
        linked_list_statistics(&figures->statistics);
        run->workers[0].wrong += linked_list_live_nodes() != live;
    }
}

/* Wait for the threads. What they say together. */
static enum thread_outcome join(struct run *run, struct thread_figures *figures)
{
    bool is_full = false;
    uint64_t wrong = 0;
    for (unsigned i = 0; i < run->traffic->threads; i++) {
        const struct worker *worker = &run->workers[i];
        pthread_join(run->threads[i], NULL);
        is_full = is_full || worker->is_full;
        wrong += worker->wrong;
        figures->pushes += worker->pushes;
    }
    return is_full ? THREADS_FULL : wrong > 0 ? THREADS_WRONG : THREADS_DONE;
}

static void free_run(struct run *run)
{
    pairs_free(&run->pairs);
    graph_free(&run->graph);
    munmap(run, bytes_of(run->traffic));
}

/* After the threads: what the run itself took. */
static void close_run(struct run *run)
{
    for (unsigned i = 0; i < run->traffic->threads; i++) {
        pthread_cond_destroy(&run->boxes[i].changed);
        pthread_mutex_destroy(&run->boxes[i].lock);
    }
    pthread_barrier_destroy(&run->barrier);
    free_run(run);
}

enum thread_outcome thread_traffic_run(const struct thread_traffic *traffic,
                                       struct thread_figures *figures)
{
    pw_assert(traffic->threads > 0 && traffic->threads <= BENCH_THREADS_MAX);
    *figures = (struct thread_figures){0};
    struct run *run = mmap(NULL, bytes_of(traffic), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (run == MAP_FAILED) {
        return THREADS_FAILED;
    }
    run->traffic = traffic;
    if (traffic->pattern == THREADS_SEARCH && !open_searches(run)) {
        free_run(run);
        return THREADS_FAILED;
    }
    if (!start(run)) {
        return THREADS_FAILED; /* some threads may wait, and need what the run has */
    }
    const int file = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
    const double before = memory_anonymous_bytes(file);
    const enum thread_outcome opened = open_allocator(run);
    run->is_open = opened == THREADS_DONE;
    const uint64_t started = clock_now_ns();
    pthread_barrier_wait(&run->barrier);
    if (run->is_open) {
        pthread_barrier_wait(&run->barrier);
        figures->ns = clock_now_ns() - started;
        look(run, file, before, figures);
        const uint64_t looked = clock_now_ns();
        pthread_barrier_wait(&run->barrier);
        figures->ns -= looked; /* its end is added below */
    }
    const enum thread_outcome done = join(run, figures);
    figures->ns += clock_now_ns();
    if (file >= 0) {
        close(file);
    }
    node_heap_close(&run->heap);
    close_run(run);
    return opened != THREADS_DONE ? opened : done;
}
