/*
 * allocbench_job.c - loads the main job, and runs workloads on an allocator.
 */
#include "allocbench_job.h"
#include "base/report/clock.h"
#include "bfs/engines/engines.h"
#include "data/load/graph_load.h"
#include "data/load/pairs_load.h"
#include "data/make/generate.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue.h"
#include "perf/traffic/prng.h"
#include "perf/traffic/ring_traffic.h"
#include "perf/traffic/size_source.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const size_t bench_chosen[BENCH_CHOSEN] = {0, 1, 2, 8};

const char *const bench_workload_names[WORKLOADS] = {[WORKLOAD_BFS] = "bfs",
                                                     [WORKLOAD_QUEUE] = "queue",
                                                     [WORKLOAD_DISTRIBUTIONS] = "distributions",
                                                     [WORKLOAD_PURGE] = "purge",
                                                     [WORKLOAD_CHOSEN] = "bfs"};

bool bench_job_open(const struct job_parameters *parameters, struct bench_job *job,
                    struct command_error *error)
{
    struct graph_error why;
    struct graph_generate_options graph_options;
    struct pairs_generate_options pairs_options;
    memset(job, 0, sizeof(*job));
    bool done = false;
    if (graph_generate_is_spec(parameters->graph)) {
        done = graph_generate_parse(parameters->graph, &graph_options, &why);
        graph_options.threads = 1;
        done = done && graph_generate(&graph_options, &job->graph, &why);
    } else {
        done = graph_load(parameters->graph, NULL, &job->graph, &why);
    }
    if (done && pairs_generate_is_spec(parameters->pairs)) {
        done = pairs_generate_parse(parameters->pairs, &pairs_options, &why) &&
               pairs_generate(&job->graph, &pairs_options, &job->pairs, &why);
    } else if (done) {
        done = pairs_load(parameters->pairs, &job->graph, &job->pairs, &why);
    }
    if (!done) {
        bench_job_close(job);
        return command_fail(error, "%s", why.message);
    }
    return true;
}

void bench_job_close(struct bench_job *job)
{
    pairs_free(&job->pairs);
    graph_free(&job->graph);
}

size_t bench_job_first(const struct bench_job *job, const struct job_parameters *parameters)
{
    const size_t most = parameters->searches < 10 ? (size_t)parameters->searches : 10;
    return most < job->pairs.count ? most : job->pairs.count;
}

size_t bench_job_chosen(const struct bench_job *job, const struct job_parameters *parameters)
{
    size_t count = 1;
    while (count < BENCH_CHOSEN && bench_chosen[count] < job->pairs.count &&
           bench_chosen[count] < parameters->searches) {
        count++;
    }
    return count;
}

void *bench_search_open(const struct bench_job *job, const char *specification)
{
    return linked_list_set_allocator(specification) ? classic_engine.create(&job->graph, NULL)
                                                    : NULL;
}

bool bench_search(const struct bench_job *job, void *workspace, size_t index,
                  const struct search_limits *limits, struct search_result *result)
{
    struct pair pair = job->pairs.items[index];
    classic_engine.search(workspace, pair.source, pair.target, limits, result);
    return result->status == SEARCH_DONE;
}

static enum bench_status run_searches(const struct bench_run *run, bool only_chosen, double *values)
{
    const struct job_parameters *parameters = &run->bench->parameters.job;
    struct bench_job job;
    struct command_error error;
    struct search_result result;
    if (!bench_job_open(parameters, &job, &error)) {
        return BENCH_FAILED;
    }
    void *workspace = bench_search_open(&job, run->specification);
    const size_t count =
        only_chosen ? bench_job_chosen(&job, parameters) : bench_job_first(&job, parameters);
    for (size_t i = 0; workspace != NULL && i < count; i++) {
        if (!bench_search(&job, workspace, only_chosen ? bench_chosen[i] : i, NULL, &result)) {
            return bench_refused(NULL);
        }
        values[WORK_SECONDS] += (double)result.elapsed_ns / 1e9;
    }
    return workspace != NULL ? BENCH_DONE : BENCH_FAILED;
}

/* A FIFO queue that grows, stays, and is drained. */
static enum bench_status run_queue(const struct bench_run *run, double *values)
{
    unsigned int data = 0;
    if (!linked_list_set_allocator(run->specification)) {
        return BENCH_FAILED;
    }
    uint64_t start = clock_now_ns();
    struct queue *queue = queue_create();
    for (uint64_t i = 0; queue != NULL && i < QUEUE_PUSHES; i++) {
        if (!queue_push(queue, (unsigned int)i)) {
            return bench_refused(NULL);
        }
        if (i % 2 == 1) {
            queue_pop(queue, &data);
        }
    }
    while (queue_pop(queue, &data)) {
    }
    queue_delete(queue);
    values[WORK_SECONDS] = (double)(clock_now_ns() - start) / 1e9;
    return queue != NULL ? BENCH_DONE : BENCH_FAILED;
}

static enum bench_status run_distributions(uint64_t seed, struct node_allocator *allocator,
                                           double *values)
{
    const size_t count = WORKLOAD_REQUESTS / RING_PER_ROUND * RING_PER_ROUND;
    uint32_t *sizes = malloc(count * sizeof(*sizes));
    if (sizes == NULL) {
        return BENCH_FAILED;
    }
    size_source_fill(SIZES_LOG_NORMAL, seed, sizes, count);
    uint64_t start = clock_now_ns();
    bool done = ring_traffic_run(allocator, sizes, count, RING_TOUCH_FIRST, false);
    values[WORK_SECONDS] = (double)(clock_now_ns() - start) / 1e9;
    free(sizes);
    return done ? BENCH_DONE : bench_refused(allocator);
}

/* The traffic of the experiment "purge", untimed call by call, each block filled. */
static enum bench_status run_purge(uint64_t seed, struct node_allocator *allocator, double *values)
{
    enum { LIVE_MAX = 2048, INTERVAL = 256 };
    static struct {
        void *block;
        uint32_t size;
    } live[LIVE_MAX];
    size_t count = 0;
    struct prng prng;
    prng_start(&prng, seed);
    uint64_t start = clock_now_ns();
    for (uint64_t i = 0; i < WORKLOAD_REQUESTS; i++) {
        uint32_t size = 1 + prng_below(&prng, 512);
        void *block = node_allocator_allocate(allocator, size);
        if (block == NULL) {
            return bench_refused(allocator);
        }
        memset(block, 1, size);
        live[count].block = block;
        live[count++].size = size;
        if (i % INTERVAL == INTERVAL - 1 || count == LIVE_MAX) {
            for (size_t purge = count * 2 / 5; purge > 0; purge--) {
                size_t victim = prng_below(&prng, (uint32_t)count);
                node_allocator_release(allocator, live[victim].block, live[victim].size);
                live[victim] = live[--count];
            }
        }
    }
    while (count > 0) {
        count--;
        node_allocator_release(allocator, live[count].block, live[count].size);
    }
    values[WORK_SECONDS] = (double)(clock_now_ns() - start) / 1e9;
    return BENCH_DONE;
}

enum bench_status bench_workload_run(const struct bench_run *run, double *values)
{
    static struct node_heap heap;
    const struct bench_input *input = run->parameters;
    const enum bench_workload workload = (enum bench_workload)input->items[0];
    const uint64_t seed = run->bench->seed;
    struct node_allocator_statistics statistics;
    enum bench_status status = BENCH_FAILED;
    if (workload == WORKLOAD_PURGE || workload == WORKLOAD_DISTRIBUTIONS) {
        if (!bench_open_heap(&heap, run->specification, NULL)) {
            return BENCH_FAILED;
        }
        status = workload == WORKLOAD_PURGE ? run_purge(seed, heap.allocator, values)
                                            : run_distributions(seed, heap.allocator, values);
        node_allocator_statistics(heap.allocator, &statistics);
        node_heap_close(&heap);
    } else {
        status = workload == WORKLOAD_QUEUE
                     ? run_queue(run, values)
                     : run_searches(run, workload == WORKLOAD_CHOSEN, values);
        linked_list_statistics(&statistics);
        if (status == BENCH_DONE) {
            linked_list_set_allocator("malloc"); /* closes a script */
        }
    }
    values[WORK_HEAP_NEEDED] = (double)statistics.heap_bytes_needed;
    return status;
}

/* Read the header of a script. False if it was not finished. */
static bool read_script_header(const char *path, struct script_header *header)
{
    FILE *file = fopen(path, "rb");
    bool read = file != NULL && fread(header, sizeof(*header), 1, file) == 1;
    if (file != NULL) {
        fclose(file);
    }
    return read && header->magic == SCRIPT_MAGIC && header->incomplete == 0;
}

bool bench_record(struct bench *bench, enum bench_workload workload, const char *heap,
                  struct bench_recording *recording)
{
    const uint32_t word = workload;
    const struct bench_input input = {.items = &word, .count = 1};
    struct bench_case one = {.label = ""};
    const char *temporary = getenv("TMPDIR");
    memset(recording, 0, sizeof(*recording));
    recording->heap = heap;
    snprintf(recording->path, sizeof(recording->path), "%.150s/allocbench-XXXXXX",
             temporary != NULL ? temporary : "/tmp");
    int file = mkstemp(recording->path);
    if (file < 0) {
        bench_note(bench, "%s: cannot be made: %s", recording->path, strerror(errno));
        recording->path[0] = '\0';
        return false;
    }
    close(file);
    snprintf(one.specification, sizeof(one.specification), "record(%.40s,file=%s)", heap,
             recording->path);
    snprintf(one.label, sizeof(one.label), "recording %s on %.40s", bench_workload_names[workload],
             heap);
    bench_progress(bench, "%s", one.label);
    enum bench_status status =
        bench_measure(bench, &one, bench_workload_run, &input, recording->values, WORK_VALUES);
    if (status != BENCH_DONE || !read_script_header(recording->path, &recording->script)) {
        bench_note(bench, "%s could not be recorded on %s", bench_workload_names[workload], heap);
        return false;
    }
    return true;
}

void bench_recording_remove(struct bench_recording *recording)
{
    if (recording->path[0] != '\0') {
        unlink(recording->path);
    }
}
