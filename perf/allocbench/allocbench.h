/*
 * allocbench.h - what the experiments of allocbench share: subjects, runs, results.
 *
 * An experiment is a static table; its file exports one getter and allocbench.c lists them. It
 * measures each subject (an allocator) in a child process of its own, the subjects taking turns,
 * and fills a struct bench_result with tables, plots and notes. Nothing but allocbench.c prints.
 */
#ifndef PW_ALLOCBENCH_H
#define PW_ALLOCBENCH_H

#include "alloc/node_allocator.h"
#include "bench_table.h"
#include "cycle_clock.h"
#include "perf/program/command_line.h"
#include "perf/report/samples.h"
#include "plot.h"
#include <stdint.h>

#define BENCH_SUBJECTS_MAX 16
#define BENCH_COUNTS_MAX   8
#define BENCH_RUNS_MAX     99

/* An allocator to be measured. */
struct bench_subject {
    char specification[256]; /* its heap enlarged, when it was too small */
    char label[80];          /* as the user wrote it */
};

/* Parameters of all experiments; each reads its own. Set from the options in allocbench.c. */
struct bench_parameters {
    uint64_t counts[BENCH_COUNTS_MAX]; /* sizes, exhaustion, worst-case: repeat counts */
    size_t count_count;
    uint64_t allocations;     /* purge */
    uint64_t purge_interval;  /* purge: requests between two purges */
    double purge_share;       /* purge: of the live blocks */
    uint64_t batch, pause_us; /* purge */
    uint64_t rounds;          /* distributions: M */
    const char *touch;        /* distributions: none, first, all */
    const char *sizes_file;   /* distributions: sizes recorded from a workload; NULL: none */
    const char *histogram;    /* estimate */
    uint64_t estimate_count;  /* estimate */
    uint64_t depth, length;   /* queue */
    uint64_t repeats;         /* ageing, queue: times in one process */
    const char *graph;        /* replay, pointer-wars: file or generate:... */
    const char *pairs;        /* file or random:... */
    uint64_t searches;        /* pointer-wars: of the pairs; replay: how many */
    const char *workloads;    /* replay: list */
    const char *counters;     /* pointer-wars: metrics.h */
};

struct bench {
    struct bench_subject subjects[BENCH_SUBJECTS_MAX];
    size_t subject_count;
    bool is_wrong_usage; /* the list of subjects is not legal */
    size_t runs;
    uint64_t seed;
    bool as_published;
    bool quick; /* part of `all`: small enough for five minutes */
    struct cycle_clock clock;
    struct bench_parameters parameters;
    const char *experiment; /* the one running, for the progress */
    uint64_t started_ns;
    bool progress_shown;
    bool quiet;
};

#define BENCH_TABLES_MAX 6
#define BENCH_PLOTS_MAX  8
#define BENCH_NOTES_MAX  24

struct bench_result {
    char about[600]; /* what was measured, with which parameters */
    struct bench_table tables[BENCH_TABLES_MAX];
    size_t table_count;
    struct plot plots[BENCH_PLOTS_MAX];
    size_t plot_count;
    char notes[BENCH_NOTES_MAX][400]; /* a line each */
    size_t note_count;
    char verdict[600]; /* beside the published figures: what agrees, what does not */
    char *article;     /* the article's own form, from malloc; NULL: it has none */
    bool incomplete;   /* interrupted, or some subject failed */
};

struct bench_experiment {
    const char *name;
    const char *summary;
    const char *source;    /* the article */
    const char *published; /* its figures, for the page; NULL: none */
    const char *allocators;
    uint64_t default_runs;
    bool (*run)(struct bench *bench, struct bench_result *result, struct command_error *error);
};

const struct bench_experiment *bench_sizes(void);
const struct bench_experiment *bench_exhaustion(void);
const struct bench_experiment *bench_worst_case(void);
const struct bench_experiment *bench_purge(void);
const struct bench_experiment *bench_replay(void);
const struct bench_experiment *bench_pointer_wars(void);
const struct bench_experiment *bench_distributions(void);
const struct bench_experiment *bench_estimate(void);
const struct bench_experiment *bench_queue(void);
const struct bench_experiment *bench_ageing(void);

/* All of them, in that order, ended by NULL. */
const struct bench_experiment *const *bench_experiments(void);

/* Subjects ------------------------------------------------------------------------------------ */

/*
 * Take a list apart ("malloc,slab:chunk=2M,pages=huge,lib:jemalloc"; a piece with '=' belongs to
 * the one before) and open each allocator once. One that is not installed is noted and left out,
 * unless it is the only one. False with error set.
 */
bool bench_set_subjects(struct bench *bench, const char *list, struct bench_result *result,
                        struct command_error *error);

/* The C library's memory, for heaps. */
extern const struct memory_source bench_source;

/* Runs ---------------------------------------------------------------------------------------- */

enum bench_status {
    BENCH_DONE,
    BENCH_FULL,      /* a request failed */
    BENCH_FAILED,    /* the child crashed, or the heap did not open */
    BENCH_LEFT_OUT,  /* the subject cannot take part */
    BENCH_CANCELLED, /* Ctrl-C */
};

/* A run's context, handed to its body in the child. */
struct bench_run {
    const struct bench *bench;
    const char *specification;
    const void *parameters; /* the experiment's */
};

/* Measure into values (count of them, preset to 0). */
typedef enum bench_status (*bench_body)(const struct bench_run *run, double *values, size_t count);

/*
 * Run a body in a child for one subject. When it says BENCH_FULL and the allocator lives in a
 * region, the heap is doubled, for this subject from now on, noted, and the run repeated.
 */
enum bench_status bench_measure(struct bench *bench, struct bench_subject *subject, bench_body body,
                                const void *parameters, double *values, size_t count,
                                struct bench_result *result);

/* Show what is going on, on a terminal and after two seconds. */
__attribute__((format(printf, 2, 3))) void bench_progress(struct bench *bench, const char *format,
                                                          ...);
void bench_progress_clear(struct bench *bench);

/* Whether Ctrl-C was pressed. */
bool bench_is_cancelled(void);

/* count values for each subject and run; values of runs that were not made are NaN. */
struct bench_samples {
    double *values;
    size_t count, runs;
};
bool bench_samples_open(struct bench_samples *samples, const struct bench *bench, size_t count);
void bench_samples_close(struct bench_samples *samples);
double *bench_samples_at(const struct bench_samples *samples, size_t subject, size_t run);

/* Over the runs of a subject, of one value. */
struct samples_summary bench_samples_summary(const struct bench_samples *samples, size_t subject,
                                             size_t index);

/*
 * All runs of all subjects, the subjects taking turns, into samples (opened here). False when out
 * of memory. A cancelled run sets result->incomplete, and what was measured stays.
 */
bool bench_measure_all(struct bench *bench, bench_body body, const void *parameters, size_t count,
                       struct bench_samples *samples, struct bench_result *result);

/* Results ------------------------------------------------------------------------------------- */

/* The next table or plot of a result; there is always room for those that an experiment makes. */
__attribute__((format(printf, 3, 4))) struct bench_table *
bench_add_table(struct bench_result *result, const char *name, const char *title, ...);
__attribute__((format(printf, 5, 6))) struct plot *bench_add_plot(struct bench_result *result,
                                                                  enum plot_kind kind,
                                                                  const char *name, size_t points,
                                                                  const char *title, ...);
__attribute__((format(printf, 2, 3))) void bench_note(struct bench_result *result,
                                                      const char *format, ...);
void bench_result_close(struct bench_result *result);

/* A number of bytes as "64 KiB"; of a size with 8 bytes taken off for a header too. */
void bench_write_bytes(char *text, size_t size, uint64_t bytes);

/* Files of one experiment in a folder: NAME.csv of each table, NAME.json, pictures. */
bool bench_write_files(const struct bench *bench, const struct bench_experiment *experiment,
                       struct bench_result *result, const char *folder,
                       struct command_error *error);
void bench_write_json(const struct bench *bench, const struct bench_experiment *experiment,
                      const struct bench_result *result, FILE *out);

/* The page that sets results beside what was published. */
struct bench_page_entry {
    const struct bench_experiment *experiment;
    const struct bench_result *result;
};
bool bench_write_pages(const struct bench *bench, const struct bench_page_entry *entries,
                       size_t count, const char *folder, struct command_error *error);

#endif
