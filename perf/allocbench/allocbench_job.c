/*
 * allocbench_job.c - loading the main job, and running workloads on an allocator.
 */
#include "allocbench_job.h"
#include "alloc/heaps/record_script.h"
#include "alloc/specification.h"
#include "bfs/engines/engines.h"
#include "bfs/search/search.h"
#include "data/make/generate.h"
#include "libqueue/queue.h"
#include "perf/report/clock.h"
#include "prng.h"
#include "ring_traffic.h"
#include "size_source.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool bench_job_open(struct bench_job *job, const struct bench_parameters *parameters,
                    struct command_error *error)
{
    struct graph_error why;
    struct graph_generate_options graph_options;
    struct pairs_generate_options pairs_options;
    memset(job, 0, sizeof(*job));
    bool done = false;
    if (graph_generate_is_spec(parameters->graph)) {
        done = graph_generate_parse(parameters->graph, &graph_options, &why);
        graph_options.threads = 1; /* a second thread would slow glibc's malloc for good */
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

/* Searches on the list's allocator. */
static enum bench_status run_bfs(const struct bench_workload *workload, double *values)
{
    const struct search_engine *engine = search_engine_find("classic");
    void *workspace = engine->create(&workload->job->graph);
    if (workspace == NULL) {
        return BENCH_FAILED;
    }
    for (size_t i = 0; i < workload->search_count; i++) {
        struct pair pair = workload->job->pairs.items[workload->searches[i]];
        struct search_result result;
        engine->search(workspace, pair.source, pair.target, NULL, &result);
        if (result.status != SEARCH_DONE) {
            return BENCH_FULL;
        }
        values[WORK_SECONDS] += (double)result.elapsed_ns / 1e9;
        values[WORK_NODES] += (double)result.visited;
    }
    engine->destroy(workspace);
    return BENCH_DONE;
}

/* A FIFO queue that grows, stays, and is drained. */
static enum bench_status run_queue(const struct bench_workload *workload, double *values)
{
    unsigned int data = 0;
    uint64_t start = clock_now_ns();
    struct queue *queue = queue_create();
    for (uint64_t i = 0; queue != NULL && i < workload->operations; i++) {
        if (!queue_push(queue, (unsigned int)i)) {
            return BENCH_FULL;
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

static enum bench_status run_distributions(const struct bench_workload *workload,
                                           struct node_allocator *allocator, double *values)
{
    size_t count = (size_t)workload->operations / RING_PER_ROUND * RING_PER_ROUND;
    uint32_t *sizes = malloc(count * sizeof(*sizes));
    if (sizes == NULL) {
        return BENCH_FAILED;
    }
    size_source_fill(SIZES_LOG_NORMAL, workload->seed, sizes, count);
    uint64_t start = clock_now_ns();
    bool done = ring_traffic_run(allocator, sizes, count, RING_TOUCH_FIRST, false);
    values[WORK_SECONDS] = (double)(clock_now_ns() - start) / 1e9;
    free(sizes);
    return done ? BENCH_DONE : BENCH_FULL;
}

/* The traffic of the experiment "purge", untimed call by call, each block filled. */
static enum bench_status run_purge(const struct bench_workload *workload,
                                   struct node_allocator *allocator, double *values)
{
    enum { LIVE_MAX = 2048, INTERVAL = 256 };
    static struct {
        void *block;
        uint32_t size;
    } live[LIVE_MAX];
    size_t count = 0;
    struct prng prng;
    prng_start(&prng, workload->seed);
    uint64_t start = clock_now_ns();
    for (uint64_t i = 0; i < workload->operations; i++) {
        uint32_t size = 1 + prng_below(&prng, 512);
        void *block = node_allocator_allocate(allocator, size);
        if (block == NULL) {
            return BENCH_FULL;
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

static enum bench_status run_on_list(const struct bench_run *run,
                                     const struct bench_workload *workload, double *values)
{
    struct node_allocator_statistics statistics;
    if (!linked_list_set_allocator(run->specification)) {
        return BENCH_FAILED;
    }
    enum bench_status status =
        workload->kind == WORKLOAD_BFS ? run_bfs(workload, values) : run_queue(workload, values);
    linked_list_statistics(&statistics);
    values[WORK_HEAP_NEEDED] = (double)statistics.heap_bytes_needed;
    if (status == BENCH_DONE) {
        linked_list_set_allocator("malloc"); /* closes a script */
    }
    return status;
}

enum bench_status bench_workload_run(const struct bench_run *run, double *values, size_t count)
{
    const struct bench_workload *workload = run->parameters;
    struct node_allocator_statistics statistics;
    struct node_allocator_error error;
    (void)count;
    if (workload->kind == WORKLOAD_BFS || workload->kind == WORKLOAD_QUEUE) {
        return run_on_list(run, workload, values);
    }
    struct node_heap *heap = calloc(1, sizeof(*heap));
    if (heap == NULL || !node_heap_open(heap, run->specification, &bench_source, &error)) {
        return BENCH_FAILED;
    }
    enum bench_status status = workload->kind == WORKLOAD_DISTRIBUTIONS
                                   ? run_distributions(workload, heap->allocator, values)
                                   : run_purge(workload, heap->allocator, values);
    node_allocator_statistics(heap->allocator, &statistics);
    values[WORK_HEAP_NEEDED] = (double)statistics.heap_bytes_needed;
    node_heap_close(heap);
    return status;
}

/* Operations and bytes of a finished script, from its header. */
static bool read_script_header(struct bench_recording *recording)
{
    struct script_header header;
    FILE *file = fopen(recording->path, "rb");
    bool read = file != NULL && fread(&header, sizeof(header), 1, file) == 1 &&
                header.magic == SCRIPT_MAGIC && header.incomplete == 0;
    if (file != NULL) {
        fclose(file);
    }
    if (read) {
        recording->operations = (double)header.operations;
        recording->script_bytes = (double)(header.words * sizeof(uint32_t) + sizeof(header));
        recording->heap_bytes = header.heap_bytes;
    }
    return read;
}

bool bench_record(struct bench *bench, const struct bench_workload *workload, const char *heap,
                  const char *folder, struct bench_recording *recording,
                  struct bench_result *result)
{
    struct bench_subject subject;
    struct node_specification parsed;
    struct node_allocator_error refused;
    double values[WORK_VALUES] = {0};
    memset(recording, 0, sizeof(*recording));
    snprintf(recording->heap, sizeof(recording->heap), "%s", heap);
    if (!node_specification_parse(heap, &parsed, &refused)) {
        bench_note(result, "%s: %s", heap, refused.message);
        return false;
    }
    snprintf(recording->path, sizeof(recording->path), "%s/%s-%s.script", folder, workload->name,
             parsed.levels[0].type->name);
    int length = snprintf(subject.specification, sizeof(subject.specification),
                          "record(%s,file=%s)", heap, recording->path);
    if (length < 0 || (size_t)length + 40 > sizeof(subject.specification)) {
        bench_note(result, "%s: the path %s is too long for a script", heap, recording->path);
        return false;
    }
    snprintf(subject.label, sizeof(subject.label), "recording %s on %.30s", workload->name, heap);
    bench_progress(bench, "%s", subject.label);
    enum bench_status status =
        bench_measure(bench, &subject, bench_workload_run, workload, values, WORK_VALUES, result);
    recording->seconds = values[WORK_SECONDS];
    recording->heap_needed = values[WORK_HEAP_NEEDED];
    if (status != BENCH_DONE || !read_script_header(recording)) {
        bench_note(result, "%s could not be recorded on %s", workload->name, heap);
        return false;
    }
    return true;
}

bool bench_script_folder(char *folder, size_t size, struct command_error *error)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, size, "%.150s/allocbench-XXXXXX", temporary != NULL ? temporary : "/tmp");
    return mkdtemp(folder) != NULL ||
           command_fail(error, "%s: cannot be made: %s", folder, strerror(errno));
}
