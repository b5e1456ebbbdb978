/*
 * allocbench_queue.c - the experiments "queue" and "ageing": the traffic of the search.
 *
 * queue: a FIFO of 16-byte nodes (libqueue on the allocator) is filled to a depth. Then `length`
 * times an element is pushed and one popped; then it is drained. The first time is cold; repeated
 * in the same process it is warm (the median). Result: nanoseconds per push and its pop.
 * ageing: bursts of pushes, like adjacency lists, and few pops, until the queue is deep. Then it is
 * deleted with everything in it, and all is repeated in the same process. Result, each time: the
 * nanoseconds per push, and the distance in memory of neighbours in the queue. That is the median:
 * two regions of an allocator may be terabytes apart, and one step between them would be the mean.
 */
#include "alloc/specification.h"
#include "allocbench.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue.h"
#include "perf/traffic/prng.h"
#include <math.h>
#include <sys/mman.h>

#define REPEATS_MAX 64

/* The words of a run of "queue": which depth. */
enum { QUEUE_DEEP, QUEUE_SHALLOW };

#define SHALLOW 1000

/* Fill, run steadily and drain once; nanoseconds per push and pop, or NaN when it failed. */
static double fifo_once(uint64_t depth, uint64_t length)
{
    unsigned int data = 0;
    uint64_t start = clock_now_ns();
    struct queue *queue = queue_create();
    bool done = queue != NULL;
    for (uint64_t i = 0; done && i < depth; i++) {
        done = queue_push(queue, (unsigned int)i);
    }
    for (uint64_t i = 0; done && i < length; i++) {
        done = queue_push(queue, (unsigned int)i) && queue_pop(queue, &data);
    }
    while (done && queue_pop(queue, &data)) {
    }
    queue_delete(queue);
    return done ? (double)(clock_now_ns() - start) / (double)(depth + length) : NAN;
}

/* Pushes and pops at the steady depth. */
static uint64_t steady_length(const struct queue_parameters *p)
{
    return p->length > 0 ? p->length : p->depth;
}

/* values: cold, warm. */
static enum bench_status measure_queue(const struct bench_run *run, double *values)
{
    const struct queue_parameters *p = &run->bench->parameters.queue;
    const struct bench_input *input = run->parameters;
    const bool is_deep = input->items[0] == QUEUE_DEEP;
    const uint64_t depth = is_deep ? p->depth : SHALLOW;
    const uint64_t length = is_deep ? 0 : steady_length(p);
    double warm[REPEATS_MAX];
    pw_assert(p->repeats > 0 && p->repeats <= REPEATS_MAX);
    if (!linked_list_set_allocator(run->specification)) {
        return BENCH_FAILED;
    }
    values[0] = fifo_once(depth, length);
    for (uint64_t i = 0; i < p->repeats; i++) {
        warm[i] = fifo_once(depth, length);
        if (isnan(values[0]) || isnan(warm[i])) {
            return bench_refused(NULL);
        }
    }
    values[1] = samples_summarize(warm, (size_t)p->repeats).median;
    return BENCH_DONE;
}

#define BURST_MAX 40

/* Per age: ns per push, median distance, share of neighbours within a cache line. */
#define AGE_VALUES 3

static bool grow(struct queue *queue, struct prng *prng, uint64_t depth, uint64_t *pushed)
{
    unsigned int data = 0;
    while (queue_size(queue) < depth) {
        uint32_t burst = 1 + prng_below(prng, BURST_MAX);
        uint32_t pops = prng_below(prng, burst + 1);
        for (uint32_t i = 0; i < burst; i++) {
            if (!queue_push(queue, i)) {
                return false;
            }
        }
        *pushed += burst;
        for (uint32_t i = 0; i < pops; i++) {
            queue_pop(queue, &data);
        }
    }
    return true;
}

/* The second and third value of an age. distances: room for the queue, which has two elements. */
static void measure_distances(const struct queue *queue, uint32_t *distances, double *of_age)
{
    size_t count = 0;
    size_t near = 0;
    for (const struct node *node = queue->ll->head; node->next != NULL; node = node->next) {
        const uintptr_t here = (uintptr_t)node;
        const uintptr_t next = (uintptr_t)node->next;
        const uintptr_t distance = next > here ? next - here : here - next;
        near += distance <= 64;
        distances[count++] = distance < UINT32_MAX ? (uint32_t)distance : UINT32_MAX;
    }
    of_age[1] = count > 0 ? (double)ticks_quantile(distances, count, 0.5) : NAN;
    of_age[2] = 100 * (double)near / (double)count;
}

static enum bench_status measure_ageing(const struct bench_run *run, double *values)
{
    const struct queue_parameters *p = &run->bench->parameters.queue;
    uint32_t *distances = bench_map((p->depth + BURST_MAX) * sizeof(*distances));
    if (distances == NULL || !linked_list_set_allocator(run->specification)) {
        return BENCH_FAILED;
    }
    for (size_t age = 0; age < p->repeats; age++) {
        struct prng prng;
        uint64_t pushed = 0;
        prng_start(&prng, run->bench->seed + age);
        uint64_t start = clock_now_ns();
        struct queue *queue = queue_create();
        if (queue == NULL || !grow(queue, &prng, p->depth, &pushed)) {
            return bench_refused(NULL);
        }
        uint64_t grown = clock_now_ns();
        double *of_age = values + age * AGE_VALUES;
        measure_distances(queue, distances, of_age);
        uint64_t deleting = clock_now_ns();
        queue_delete(queue);
        uint64_t end = clock_now_ns();
        of_age[0] = (double)(grown - start + end - deleting) / (double)pushed;
    }
    return BENCH_DONE;
}

/* The best of the general allocators, by the median of one value; NaN: none took part. */
static double best_of_others(const struct bench *bench, const struct bench_samples *samples,
                             size_t index)
{
    double best = NAN;
    for (size_t i = 0; i < bench->case_count; i++) {
        if (node_specification_has(bench->cases[i].specification, NODE_ALLOCATOR_GIVES_BACK)) {
            best = fmin(best, bench_median(samples, i, index)); /* NaN only if both are */
        }
    }
    return best;
}

/* Measure one depth into a table. */
static void measure_depth(struct bench *bench, const char *name, uint32_t which)
{
    static const struct bench_column columns[] = {
        {"allocator", "allocator", BENCH_TEXT},
        {"cold_ns", "cold ns", 2},
        BENCH_SPREAD("cold_spread_percent"),
        {"warm_ns", "warm ns", 2},
        BENCH_SPREAD("warm_spread_percent"),
        {"warm_ratio", "warm / best of malloc and lib:", 2}};
    const struct queue_parameters *p = &bench->parameters.queue;
    const struct bench_input input = {.items = &which, .count = 1};
    const struct bench_samples *samples = bench_measure_all(bench, measure_queue, &input, 2);
    double best = best_of_others(bench, samples, 1);
    struct bench_table *table =
        bench_add_table(bench, name, columns, COUNT_OF(columns),
                        "Nanoseconds per push and its pop, %llu deep, then %llu at that depth",
                        (unsigned long long)(which == QUEUE_DEEP ? p->depth : SHALLOW),
                        (unsigned long long)(which == QUEUE_DEEP ? 0 : steady_length(p)));
    for (size_t i = 0; i < bench->case_count; i++) {
        bench_add_text(table, bench->cases[i].label);
        bench_add_summary(table, bench_summary(samples, i, 0), 1);
        bench_add_summary(table, bench_summary(samples, i, 1), 1);
        bench_add_number(table, bench_median(samples, i, 1) / best);
    }
}

static bool run_queue(struct bench *bench)
{
    const struct queue_parameters *p = &bench->parameters.queue;
    bench_about(bench,
                "libqueue on each allocator: %llu pushes then as many pops; and a queue 1000 deep "
                "with %llu times a push and a pop; cold: the first time in a process, warm: the "
                "median of %llu more",
                (unsigned long long)p->depth, (unsigned long long)steady_length(p),
                (unsigned long long)p->repeats);
    measure_depth(bench, "queue-deep", QUEUE_DEEP);
    measure_depth(bench, "queue-shallow", QUEUE_SHALLOW);
    return true;
}

static void add_ageing_tables(struct bench *bench, const struct bench_samples *samples)
{
    enum { SPREADS = 2 }; /* the first views have a table of spreads, for programs */
    static const struct {
        const char *name, *title;
        int digits;
    } views[AGE_VALUES + SPREADS] = {
        {"ageing", "Nanoseconds per push, each time", 2},
        {"ageing-distance", "Median distance of neighbours in the queue, in bytes", 0},
        {"ageing-near", "Neighbours within 64 bytes, in percent", 1},
        {"ageing-spread", "Quartile spread of ageing, in percent", 1},
        {"ageing-distance-spread", "Quartile spread of ageing-distance, in percent", 1},
    };
    static const struct bench_column first = {"allocator", "allocator", BENCH_TEXT};
    size_t ages = samples->count / AGE_VALUES;
    for (size_t view = 0; view < COUNT_OF(views); view++) {
        struct bench_table *table =
            bench_add_table(bench, views[view].name, &first, 1, "%s", views[view].title);
        table->data_only = view >= AGE_VALUES;
        for (size_t age = 0; age < ages; age++) {
            char name[24];
            snprintf(name, sizeof(name), "%zu", age + 1);
            bench_add_column(table, NULL, name, views[view].digits);
        }
        for (size_t i = 0; i < bench->case_count; i++) {
            bench_add_text(table, bench->cases[i].label);
            for (size_t age = 0; age < ages; age++) {
                struct samples_summary summary =
                    bench_summary(samples, i, age * AGE_VALUES + view % AGE_VALUES);
                bench_add_number(table, table->data_only ? 100 * summary.spread : summary.median);
            }
        }
    }
}

static bool run_ageing(struct bench *bench)
{
    const struct queue_parameters *p = &bench->parameters.queue;
    pw_assert(p->repeats > 0 && p->repeats < BENCH_COLUMNS_MAX);
    const struct bench_samples *samples =
        bench_measure_all(bench, measure_ageing, NULL, (size_t)p->repeats * AGE_VALUES);
    bench_about(bench,
                "bursts of 1 to 40 pushes and fewer pops until %llu are queued, then the queue is "
                "deleted; %llu times in one process, each time with other bursts (seed %llu and "
                "up)",
                (unsigned long long)p->depth, (unsigned long long)p->repeats,
                (unsigned long long)bench->seed);
    add_ageing_tables(bench, samples);
    for (size_t i = 0; p->repeats > 2 && i < bench->case_count; i++) {
        struct samples_summary second = bench_summary(samples, i, AGE_VALUES);
        struct samples_summary last = bench_summary(samples, i, samples->count - AGE_VALUES);
        if (fabs(last.median - second.median) > last.deviation + second.deviation) {
            bench_note(bench, "%s: the last time takes %.2f times the second",
                       bench->cases[i].label, last.median / second.median);
        } else if (!isnan(last.deviation)) {
            bench_note(bench, "%s: the last time and the second differ by less than their spread",
                       bench->cases[i].label);
        }
    }
    return true;
}

const struct bench_experiment bench_queue = {
    .name = "queue",
    .summary = "pushing and popping on a FIFO queue, deep and shallow, cold and warm",
    .source = "the traffic of the search",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,pool,slab",
    .default_runs = 3,
    .run = run_queue,
    .bodies = {measure_queue},
};

const struct bench_experiment bench_ageing = {
    .name = "ageing",
    .summary = "the same queue built again and again in one process",
    .source = "the traffic of the search",
    .allocators =
        "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,pool,pool:order=fifo,slab,first-fit",
    .default_runs = 3,
    .run = run_ageing,
    .bodies = {measure_ageing},
};
