/*
 * allocbench_job.h - the searches of the main job, and workloads that are recorded and replayed.
 */
#pragma once

#include "alloc/heaps/record_script.h"
#include "allocbench.h"
#include "bfs/search/search.h"
#include "data/graph/graph.h"
#include "data/read/pairs.h"

struct bench_job {
    struct graph graph;
    struct pairs pairs;
};

/* The chosen searches: 1, 2, 3 and 9, as in the article. */
#define BENCH_CHOSEN 4
extern const size_t bench_chosen[BENCH_CHOSEN];

/* Load or generate the graph and the pairs that the parameters name. One thread does it, because a
 * second one would slow glibc's malloc for good. False with error set. */
bool bench_job_open(const struct job_parameters *parameters, struct bench_job *job,
                    struct command_error *error);
void bench_job_close(struct bench_job *job);

/* How many searches "replay" makes, and how many of the chosen ones there are. */
size_t bench_job_first(const struct bench_job *job, const struct job_parameters *parameters);
size_t bench_job_chosen(const struct bench_job *job, const struct job_parameters *parameters);

/* Open the classic engine on the list's allocator, in the child that searches; NULL: it failed. */
void *bench_search_open(const struct bench_job *job, const char *specification);

/* Search the pair of an index. False: a request failed. limits: may be NULL. */
bool bench_search(const struct bench_job *job, void *workspace, size_t index,
                  const struct search_limits *limits, struct search_result *result);

/* The workloads that can be recorded and replayed: the same seed gives the same calls. */
enum bench_workload {
    WORKLOAD_BFS, /* the first searches */
    WORKLOAD_QUEUE,
    WORKLOAD_DISTRIBUTIONS,
    WORKLOAD_PURGE,
    WORKLOAD_CHOSEN, /* the chosen searches */
    WORKLOADS
};
extern const char *const bench_workload_names[WORKLOADS];

/* Pushes of the queue, and requests of the others. */
#define QUEUE_PUSHES      4000000
#define WORKLOAD_REQUESTS 2000000

/* The values of a workload, in this order. */
enum { WORK_SECONDS, WORK_HEAP_NEEDED, WORK_VALUES };

/* A bench_body; its one word is an enum bench_workload. */
enum bench_status bench_workload_run(const struct bench_run *run, double *values);

/* A recording: the workload run once on record(heap,...). */
struct bench_recording {
    char path[200];
    const char *heap; /* "first-fit:heap=64M" */
    double values[WORK_VALUES];
    struct script_header script;
};

/* Record into a temporary file, with a heap enlarged until it is enough. On failure returns false,
 * with a note. Remove the file in either case. */
bool bench_record(struct bench *bench, enum bench_workload workload, const char *heap,
                  struct bench_recording *recording);
void bench_recording_remove(struct bench_recording *recording);
