/*
 * allocbench.h - the common parts of the experiments: cases, runs, results.
 *
 * A case is one allocator to be measured. An experiment is a static const table, listed in
 * allocbench.c. It measures each run of each case in a separate process, the cases taking turns,
 * and fills the tables and notes of the result. Nothing but allocbench.c prints.
 */
#pragma once

#include "alloc/node_allocator.h"
#include "base/program/file_claims.h"
#include "base/program/progress.h"
#include "base/report/samples.h"
#include "bench_parameters.h"
#include "bench_table.h"
#include "perf/traffic/cycle_clock.h"
#include <stdint.h>

#define BENCH_CASES_MAX   16
#define BENCH_TABLES_MAX  6
#define BENCH_ANSWERS_MAX 8
#define BENCH_NOTES_MAX   24
#define BENCH_SAMPLES_MAX 20 /* sets of samples per experiment */
#define VARIANTS_MAX      2  /* of the parameters of a body */
#define BENCH_BODIES_MAX  4  /* of an experiment */

struct bench_case {
    char specification[256];    /* with a larger heap if it was too small */
    char label[80];             /* as the user wrote it */
    const char *environment[2]; /* "NAME=VALUE" in the processes of its runs; NULL: none */
};

/* count values of each run of each case; NaN for runs that were not made. */
struct bench_samples {
    double *values; /* NULL: out of memory, which allocbench.c reports */
    size_t count, runs;
};

/* The result of an experiment. */
struct bench_result {
    char about[600]; /* what was measured, with which parameters */
    struct bench_table tables[BENCH_TABLES_MAX];
    size_t table_count;
    char answers[BENCH_ANSWERS_MAX][500]; /* what comes first, one line each */
    size_t answer_count;
    char notes[BENCH_NOTES_MAX][400]; /* what comes last */
    size_t note_count;
    char *article;   /* in the article's own form, from malloc; NULL: none */
    bool incomplete; /* interrupted, or some case failed */
    struct bench_samples samples[BENCH_SAMPLES_MAX];
    size_t samples_count;
};

struct bench {
    struct bench_case cases[BENCH_CASES_MAX];
    size_t case_count;
    int failure; /* the exit status of a failed run */
    size_t runs;
    uint64_t seed;
    bool as_published;
    char *const *words; /* of the command line, for the processes of the runs; NULL: none */
    struct cycle_clock clock;
    struct bench_parameters parameters;
    struct bench_result *result;
    struct command_error *error;
    struct file_claims claims;                 /* the files that the experiment reads and writes */
    const struct bench_experiment *experiment; /* the running one */
    uint64_t started_ns;
    struct progress progress;
};

enum bench_status {
    BENCH_DONE,
    BENCH_FULL,      /* a request failed */
    BENCH_FAILED,    /* the child crashed, or the heap did not open */
    BENCH_LEFT_OUT,  /* the case cannot take part */
    BENCH_UNSEEN,    /* less memory was held than was alive: not all of it was counted */
    BENCH_DIFFERENT, /* the output is not the expected one */
    BENCH_DIVERGED,  /* a replay of another run */
    BENCH_CANCELLED, /* Ctrl-C */
};

/* The input of a run's body. */
struct bench_run {
    const struct bench *bench;
    const char *specification;
    const void *parameters; /* the experiment's; in a process of its own a struct bench_input, or
                               NULL */
    const char *const *environment; /* of the case */
};

/* Measure into values (preset to 0). */
typedef enum bench_status (*bench_body)(const struct bench_run *run, double *values);

struct bench_experiment {
    const char *name;
    const char *summary;
    const char *source;     /* the article */
    const char *published;  /* its figures; NULL: none */
    const char *allocators; /* the list by default */
    uint64_t default_runs;
    bool (*run)(struct bench *bench); /* false with bench->error set */
    /* Each run of these is a process of its own, which ends afterwards; of another body it is a
     * function call. */
    bench_body bodies[BENCH_BODIES_MAX];
};

extern const struct bench_experiment bench_sizes, bench_exhaustion, bench_worst_case, bench_purge,
    bench_replay, bench_pointer_wars, bench_distributions, bench_estimate, bench_queue,
    bench_ageing, bench_program, bench_trace, bench_memory;

/*
 * `allocbench record`: run the command of the parameters and write its recording to path; of each
 * program that it starts to PATH.NAME. What was recorded goes to standard error. Returns an exit
 * status, the command's if that is not 0; with error set where the program shall report it.
 */
int bench_record_program(const struct program_parameters *parameters, const char *path,
                         struct command_error *error);

/*
 * `allocbench check`: check each allocator of a list against the rules of alloc/contract, every
 * scenario in a separate process. Writes a line per rule. runs: how often, each time with the next
 * seed. Returns an exit status: EXIT_FAILED when a rule is broken; EXIT_USAGE with error set when a
 * specification is not legal.
 */
int bench_check(const char *list, uint64_t seed, uint64_t runs, FILE *out,
                struct command_error *error);

/* Cases --------------------------------------------------------------------------------------- */

/*
 * Split a list ("malloc,slab:chunk=2M,pages=huge,lib:jemalloc"; a piece with '=' belongs to the one
 * before) and open each allocator once. An allocator that is not installed is noted and left out,
 * unless it is the only one. False with bench->error set.
 */
bool bench_set_cases(struct bench *bench, const char *list);

/* Open an allocator on the C library's memory; false with error, which may be NULL, set. */
bool bench_open_heap(struct node_heap *heap, const char *specification,
                     struct node_allocator_error *error);

/* Memory that belongs to no allocator, with every page touched; NULL: there is not enough. */
void *bench_map(size_t bytes);

/* Claim the inputs, standard output and the files of a list of allocators, and nothing else. False
 * with bench->error set. */
bool bench_claim_files(struct bench *bench, const char *list);

/* Runs ---------------------------------------------------------------------------------------- */

/* What a body returns when an allocator (NULL: the one of the lists) refused a request: BENCH_FULL,
 * or BENCH_DIVERGED if it replays another run. */
enum bench_status bench_refused(const struct node_allocator *allocator);

/* What a run in a process of its own gets. Its body says what the items are: the sizes of requests,
 * the steps of a recording, the number of a workload. */
struct bench_input {
    const uint32_t *items; /* not from an allocator under test */
    size_t count;
};

/* Unmap the items, if there are any. */
void bench_input_close(struct bench_input *input);

/* A body: requests of the sizes in struct bench_input; values[0]: nanoseconds per allocation and
 * its release, the loop itself subtracted. */
enum bench_status bench_ring_cost(const struct bench_run *run, double *values);

/* True if the runs of a body are processes of their own; see allocbench_fresh.c. */
bool bench_is_apart(const struct bench *bench, bench_body body);

/* Make one run in such a process. */
enum bench_status bench_run_apart(const struct bench_run *run, bench_body body, double *values,
                                  size_t value_count);

/* The command line of a program, without the words of a run if it is the process of one; as main
 * gets it, from the word before the first. */
char **bench_command_line(char **words);

/* Make the run that the words ask for, and print its values. bench: with the parameters of the
 * command line. Returns the exit status, an enum bench_status. */
int bench_run_main(struct bench *bench, char *const *words);

/*
 * Make one run of a body for one case. If it says BENCH_FULL and the allocator lives in a region,
 * the heap of this case is doubled from now on, with a note, and the run is repeated.
 */
enum bench_status bench_measure(struct bench *bench, struct bench_case *one, bench_body body,
                                const void *parameters, double *values, size_t count);

/*
 * Make all runs of all cases, which take turns (base/report/turns.h). The samples belong to the
 * result. A cancelled run sets result->incomplete; earlier measurements stay.
 */
const struct bench_samples *bench_measure_all(struct bench *bench, bench_body body,
                                              const void *parameters, size_t count);

/*
 * Make all runs of all cases with each of several parameters, at most VARIANTS_MAX. All of these
 * take turns. In the samples, case i with parameters k has the number i * variants + k.
 */
const struct bench_samples *bench_measure_variants(struct bench *bench, bench_body body,
                                                   const void *const *parameters, size_t variants,
                                                   size_t count);

/* One value of a case, in each run that was made, in order. Returns the number of runs. */
size_t bench_values(const struct bench_samples *samples, size_t one, size_t index,
                    double values[BENCH_RUNS_MAX]);

/* Statistics of one value over the runs of a case. */
struct samples_summary bench_summary(const struct bench_samples *samples, size_t one, size_t index);
double bench_median(const struct bench_samples *samples, size_t one, size_t index);

/* Half the distance of the quartiles of shares, in percent; a share: how far values exceed
 * bases. */
double bench_share_spread(const double *values, const double *bases, size_t count);

/* Show the progress, on a terminal and after two seconds. */
__attribute__((format(printf, 2, 3))) void bench_progress(struct bench *bench, const char *format,
                                                          ...);

/* True if Ctrl-C was pressed. */
bool bench_is_cancelled(void);

/* Results ------------------------------------------------------------------------------------- */

/* Add a table to the result, with column_count columns at first. */
__attribute__((format(printf, 5, 6))) struct bench_table *
bench_add_table(struct bench *bench, const char *name, const struct bench_column *columns,
                size_t column_count, const char *title, ...);

/* Add a line to the result's notes; the first one says what was measured. */
__attribute__((format(printf, 2, 3))) void bench_note(struct bench *bench, const char *format, ...);
/* The same, before the tables and without "note:": what the user has asked. */
__attribute__((format(printf, 2, 3))) void bench_answer(struct bench *bench, const char *format,
                                                        ...);
__attribute__((format(printf, 2, 3))) void bench_about(struct bench *bench, const char *format,
                                                       ...);

/*
 * The article's own CSV: for each action and repeat count a line of width times. samples: for each
 * count and time, the nanoseconds of all requests, then of all releases. head: the names of the
 * columns after the action. Comments say who is left out and why, and repeat times below the
 * resolution, 0.1 ms, with more digits.
 */
void bench_write_article(struct bench *bench, const struct bench_samples *samples, const char *head,
                         size_t width);

/*
 * Two tables with these names: peak fragmentation, and memory over time. samples and sizes: for
 * each of count kinds of sizes the measured values of memory_watch.h.
 */
void bench_add_memory(struct bench *bench, const char *const tables[2],
                      const struct bench_samples *const *samples, const char *const *sizes,
                      size_t count);

/* A number of bytes as "64 KiB"; also when 8 bytes were taken off for a header. */
void bench_write_bytes(char *text, size_t size, uint64_t bytes);

void bench_result_close(struct bench_result *result);

/* Write the result to files in a folder, made if needed: TABLE.csv of each table, NAME.about.csv
 * and NAME.heads.csv, which a page needs, and NAME.article.csv. False with bench->error set. */
bool bench_write_files(struct bench *bench, const char *folder);
