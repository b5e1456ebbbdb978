/*
 * allocbench_job.h - the searches of the main job, and what is recorded and replayed.
 */
#ifndef PW_ALLOCBENCH_JOB_H
#define PW_ALLOCBENCH_JOB_H

#include "allocbench.h"
#include "data/graph/graph.h"
#include "data/read/pairs.h"

struct bench_job {
    struct graph graph;
    struct pairs pairs;
};

/* Load or generate the graph and the pairs that the parameters name. With one thread, for the sake
 * of malloc. False with error set. */
bool bench_job_open(struct bench_job *job, const struct bench_parameters *parameters,
                    struct command_error *error);
void bench_job_close(struct bench_job *job);

/* What can be recorded and replayed: the same calls for the same seed. */
enum bench_workload_kind { WORKLOAD_BFS, WORKLOAD_QUEUE, WORKLOAD_DISTRIBUTIONS, WORKLOAD_PURGE };

struct bench_workload {
    const char *name;
    enum bench_workload_kind kind;
    const struct bench_job *job; /* WORKLOAD_BFS */
    const size_t *searches;      /* indexes of pairs */
    size_t search_count;
    uint64_t operations; /* of the others: requests */
    uint64_t seed;
};

/* What a workload gives, in this order. */
enum { WORK_SECONDS, WORK_HEAP_NEEDED, WORK_NODES, WORK_VALUES };

/* A bench_body; run->parameters is a struct bench_workload. */
enum bench_status bench_workload_run(const struct bench_run *run, double *values, size_t count);

/* A recording: the workload run once on record(heap,...). */
struct bench_recording {
    char path[300];
    char heap[64]; /* what was recorded: "first-fit" */
    double seconds, heap_needed;
    double operations, script_bytes;
    uint64_t heap_bytes;
};

/* Record into folder, the heap enlarged until it is enough. False when it cannot be recorded. */
bool bench_record(struct bench *bench, const struct bench_workload *workload, const char *heap,
                  const char *folder, struct bench_recording *recording,
                  struct bench_result *result);

/* A folder for scripts in TMPDIR or /tmp; and its removal with the scripts of recordings. */
bool bench_script_folder(char *folder, size_t size, struct command_error *error);

#endif
