/*
 * allocbench_queue.c - the experiments "queue" and "ageing": the traffic of the search.
 *
 * queue: a FIFO of 16-byte nodes (libqueue on the allocator) is filled to a depth, then an element
 * pushed and one popped so many times, then it is drained; the first time (cold) and, in the same
 * process, again and again (warm, the median). Result: nanoseconds a push and its pop.
 * ageing: bursts of pushes, like rows of a graph, and few pops, until the queue is deep; then it is
 * deleted with all that is in it; the same again and again in one process. Result: each time the
 * nanoseconds a push, and how far apart neighbours in the queue lie in memory.
 */
#include "alloc/specification.h"
#include "allocbench.h"
#include "libqueue/queue.h"
#include "perf/report/clock.h"
#include "prng.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS_MAX 64

/* One filling, steady traffic and draining; nanoseconds a push and pop, or NaN when it failed. */
static double fifo_once(uint64_t depth, uint64_t length)
{
    unsigned int data = 0;
    uint64_t start = clock_now_ns();
    struct queue *queue = queue_create();
    if (queue == NULL) {
        return NAN;
    }
    for (uint64_t i = 0; i < depth; i++) {
        if (!queue_push(queue, (unsigned int)i)) {
            queue_delete(queue);
            return NAN;
        }
    }
    for (uint64_t i = 0; i < length; i++) {
        if (!queue_push(queue, (unsigned int)i) || !queue_pop(queue, &data)) {
            queue_delete(queue);
            return NAN;
        }
    }
    while (queue_pop(queue, &data)) {
    }
    queue_delete(queue);
    return (double)(clock_now_ns() - start) / (double)(depth + length);
}

/* values: cold, warm. */
static enum bench_status measure_queue(const struct bench_run *run, double *values, size_t count)
{
    const struct bench_parameters *p = &run->bench->parameters;
    double warm[REPEATS_MAX];
    (void)count;
    if (!linked_list_set_allocator(run->specification)) {
        return BENCH_FAILED;
    }
    values[0] = fifo_once(p->depth, p->length);
    for (uint64_t i = 0; i < p->repeats; i++) {
        warm[i] = fifo_once(p->depth, p->length);
    }
    values[1] = samples_summarize(warm, (size_t)p->repeats).median;
    return isnan(values[0]) || isnan(values[1]) ? BENCH_FULL : BENCH_DONE;
}

/* Per age: ns a push, mean distance, share of neighbours within a cache line. */
#define AGE_VALUES 3

static bool grow(struct queue *queue, struct prng *prng, uint64_t depth, uint64_t *pushed)
{
    unsigned int data = 0;
    while (queue_size(queue) < depth) {
        uint32_t row = 1 + prng_below(prng, 40);
        uint32_t pops = prng_below(prng, row + 1);
        for (uint32_t i = 0; i < row; i++) {
            if (!queue_push(queue, i)) {
                return false;
            }
        }
        *pushed += row;
        for (uint32_t i = 0; i < pops; i++) {
            queue_pop(queue, &data);
        }
    }
    return true;
}

static enum bench_status measure_ageing(const struct bench_run *run, double *values, size_t count)
{
    const struct bench_parameters *p = &run->bench->parameters;
    if (!linked_list_set_allocator(run->specification)) {
        return BENCH_FAILED;
    }
    for (size_t age = 0; age < count / AGE_VALUES; age++) {
        struct prng prng;
        uint64_t pushed = 0;
        double distances = 0;
        uint64_t near = 0;
        prng_start(&prng, run->bench->seed + age);
        uint64_t start = clock_now_ns();
        struct queue *queue = queue_create();
        if (queue == NULL || !grow(queue, &prng, p->depth, &pushed)) {
            return BENCH_FULL;
        }
        uint64_t grown = clock_now_ns();
        for (const struct node *node = queue->ll->head; node->next != NULL; node = node->next) {
            double distance = fabs((double)((intptr_t)node->next - (intptr_t)node));
            distances += distance;
            near += distance <= 64;
        }
        double neighbours = (double)queue_size(queue) - 1;
        uint64_t deleting = clock_now_ns();
        queue_delete(queue);
        uint64_t end = clock_now_ns();
        double *of_age = values + age * AGE_VALUES;
        of_age[0] = (double)(grown - start + end - deleting) / (double)pushed;
        of_age[1] = distances / neighbours;
        of_age[2] = 100 * (double)near / neighbours;
    }
    return BENCH_DONE;
}

/* The best of the general allocators, by their median of one value; NaN: none took part. */
static double best_of_others(const struct bench *bench, const struct bench_samples *samples,
                             size_t index)
{
    double best = NAN;
    for (size_t i = 0; i < bench->subject_count; i++) {
        const char *specification = bench->subjects[i].specification;
        double ns = bench_samples_summary(samples, i, index).median;
        bool other = node_specification_has(specification, NODE_ALLOCATOR_GIVES_BACK);
        if (other && !isnan(ns) && (isnan(best) || ns < best)) {
            best = ns;
        }
    }
    return best;
}

/* The table of one depth. */
static void add_queue_table(const struct bench *bench, const struct bench_samples *samples,
                            const char *name, struct bench_result *result)
{
    static const char *const columns[][2] = {
        {"allocator", "allocator"},     {"cold_ns", "cold ns"},
        {"cold_spread_percent", "+-%"}, {"warm_ns", "warm ns"},
        {"warm_spread_percent", "+-%"}, {"warm_ratio", "warm / best of malloc and lib:"}};
    const struct bench_parameters *p = &bench->parameters;
    double best = best_of_others(bench, samples, 1);
    struct bench_table *table = bench_add_table(
        result, name, "Nanoseconds a push and its pop, %llu deep, then %llu at that depth",
        (unsigned long long)p->depth, (unsigned long long)p->length);
    for (size_t i = 0; i < 6; i++) {
        bench_table_column(table, columns[i][0], columns[i][1]);
    }
    for (size_t i = 0; i < bench->subject_count; i++) {
        struct samples_summary cold = bench_samples_summary(samples, i, 0);
        struct samples_summary warm = bench_samples_summary(samples, i, 1);
        bench_table_text(table, "%s", bench->subjects[i].label);
        bench_table_number(table, cold.median, 2);
        bench_table_number(table, 100 * cold.spread, 1);
        bench_table_number(table, warm.median, 2);
        bench_table_number(table, 100 * warm.spread, 1);
        bench_table_number(table, warm.median / best, 2);
    }
}

static bool run_queue(struct bench *bench, struct bench_result *result, struct command_error *error)
{
    struct bench_parameters *p = &bench->parameters;
    struct bench_samples samples[2];
    const uint64_t depth = p->depth;
    const uint64_t length = p->length;
    if (p->repeats > REPEATS_MAX || p->repeats == 0) {
        return command_fail(error, "queue: --repeats takes 1 to %d", REPEATS_MAX);
    }
    struct plot *plot =
        bench_add_plot(result, PLOT_BARS, "queue", 2, "A push and its pop on a FIFO queue, warm");
    for (size_t shallow = 0; shallow < 2; shallow++) {
        p->depth = shallow ? 1000 : depth;
        p->length = shallow ? (length > 0 ? length : depth) : 0;
        if (!bench_measure_all(bench, measure_queue, NULL, 2, &samples[shallow], result)) {
            return command_fail(error, "out of memory");
        }
        add_queue_table(bench, &samples[shallow], shallow ? "queue-shallow" : "queue-deep", result);
    }
    for (size_t i = 0; plot != NULL && i < bench->subject_count; i++) {
        double *series = plot_add_series(plot, bench->subjects[i].label);
        if (series != NULL) {
            series[0] = bench_samples_summary(&samples[0], i, 1).median;
            series[1] = bench_samples_summary(&samples[1], i, 1).median;
        }
    }
    if (plot != NULL) {
        char label[60];
        snprintf(label, sizeof(label), "%llu deep", (unsigned long long)depth);
        plot_label(plot, 0, label);
        plot_label(plot, 1, "steady at 1000");
        snprintf(plot->x_label, sizeof(plot->x_label), "traffic");
        snprintf(plot->y_label, sizeof(plot->y_label), "ns a push and its pop");
    }
    snprintf(
        result->about, sizeof(result->about),
        "libqueue on each allocator: %llu pushes then as many pops; and a queue 1000 deep with "
        "%llu times a push and a pop; cold: the first time in a process, warm: the median of "
        "%llu more",
        (unsigned long long)depth, (unsigned long long)(length > 0 ? length : depth),
        (unsigned long long)p->repeats);
    p->depth = depth;
    p->length = length;
    bench_samples_close(&samples[0]);
    bench_samples_close(&samples[1]);
    return true;
}

static void add_ageing_tables(const struct bench *bench, const struct bench_samples *samples,
                              struct bench_result *result)
{
    static const struct {
        const char *name, *title, *y_label;
        int digits;
    } views[AGE_VALUES] = {
        {"ageing", "Nanoseconds a push, each time", "ns a push", 2},
        {"ageing-distance", "Mean distance of neighbours in the queue, in bytes", "bytes", 0},
        {"ageing-near", "Neighbours within 64 bytes, in percent", "percent", 1},
    };
    size_t ages = samples->count / AGE_VALUES;
    for (size_t view = 0; view < AGE_VALUES; view++) {
        struct bench_table *table =
            bench_add_table(result, views[view].name, "%s", views[view].title);
        struct plot *plot = NULL;
        if (view < 2) {
            plot =
                bench_add_plot(result, PLOT_LINES, views[view].name, ages, "%s", views[view].title);
        }
        bench_table_column(table, "allocator", "allocator");
        for (size_t age = 0; age < ages; age++) {
            char name[24];
            snprintf(name, sizeof(name), "%zu", age + 1);
            bench_table_column(table, name, name);
        }
        for (size_t i = 0; i < bench->subject_count; i++) {
            double *series = plot != NULL ? plot_add_series(plot, bench->subjects[i].label) : NULL;
            bench_table_text(table, "%s", bench->subjects[i].label);
            for (size_t age = 0; age < ages; age++) {
                double value = bench_samples_summary(samples, i, age * AGE_VALUES + view).median;
                bench_table_number(table, value, views[view].digits);
                if (series != NULL) {
                    plot->x[age] = (double)(age + 1);
                    series[age] = value;
                }
            }
        }
        if (plot != NULL) {
            snprintf(plot->x_label, sizeof(plot->x_label), "times the queue was built");
            snprintf(plot->y_label, sizeof(plot->y_label), "%s", views[view].y_label);
            plot->y_log = view == 1;
        }
    }
}

static bool run_ageing(struct bench *bench, struct bench_result *result,
                       struct command_error *error)
{
    struct bench_samples samples;
    const struct bench_parameters *p = &bench->parameters;
    if (p->repeats > BENCH_COLUMNS_MAX - 1 || p->repeats == 0) {
        return command_fail(error, "ageing: --repeats takes 1 to %d", BENCH_COLUMNS_MAX - 1);
    }
    if (!bench_measure_all(bench, measure_ageing, NULL, (size_t)p->repeats * AGE_VALUES, &samples,
                           result)) {
        return command_fail(error, "out of memory");
    }
    snprintf(result->about, sizeof(result->about),
             "bursts of 1 to 40 pushes and fewer pops until %llu are queued, then the queue is "
             "deleted; %llu times in one process, each time with other bursts (seed %llu and up)",
             (unsigned long long)p->depth, (unsigned long long)p->repeats,
             (unsigned long long)bench->seed);
    add_ageing_tables(bench, &samples, result);
    for (size_t i = 0; i < bench->subject_count; i++) {
        double first = bench_samples_summary(&samples, i, AGE_VALUES).median;
        double last = bench_samples_summary(&samples, i, samples.count - AGE_VALUES).median;
        if (p->repeats > 2 && !isnan(last)) {
            bench_note(result, "%s: the last time takes %.2f times the second", //
                       bench->subjects[i].label, last / first);
        }
    }
    bench_samples_close(&samples);
    return true;
}

static const struct bench_experiment queue = {
    .name = "queue",
    .summary = "push and pop on a FIFO queue, deep and shallow, cold and warm",
    .source = "the traffic of the search",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,pool,slab",
    .default_runs = 3,
    .run = run_queue,
};

static const struct bench_experiment ageing = {
    .name = "ageing",
    .summary = "the same queue built again and again in one process",
    .source = "the traffic of the search",
    .allocators =
        "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,pool,pool:order=fifo,slab,first-fit",
    .default_runs = 3,
    .run = run_ageing,
};

const struct bench_experiment *bench_queue(void)
{
    return &queue;
}

const struct bench_experiment *bench_ageing(void)
{
    return &ageing;
}
