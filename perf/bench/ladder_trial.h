/*
 * ladder_trial.h - the subjects of bench-ladder, and one of them making its searches once.
 */
#ifndef PW_LADDER_TRIAL_H
#define PW_LADDER_TRIAL_H

#include "data/read/pairs.h"

/* What a trial measures. */
enum ladder_value {
    LADDER_SECONDS,
    LADDER_CPU_SECONDS, /* of all threads */
    LADDER_EXPANDED,
    LADDER_EDGES,
    LADDER_BYTES,
    LADDER_FOUND,
    LADDER_HOPS,
    LADDER_PAIR_US, /* median of the searches */
    LADDER_SETUP,   /* seconds to make the workspace */
    LADDER_FULL,    /* mean seconds of the searches that saw all there was to see */
    LADDER_VALUES
};

/* In which tables a subject stands, and what is special about it. */
enum ladder_flags {
    LADDER_BEFORE = 1,         /* table 1: with what came before; the first pairs */
    LADDER_RUNG = 2,           /* table 2: all pairs */
    LADDER_SWITCH = 4,         /* table 3 */
    LADDER_BY_PAIRS = 8,       /* threads share the pairs out, not one search */
    LADDER_SMALL_PAGES = 16,   /* the graph in pages of the normal size */
    LADDER_HUGE_WORK = 32,     /* the working memory too in huge pages */
    LADDER_PINNED = 64,        /* each thread stays on a processor */
    LADDER_BFS_ORDER = 128,    /* the nodes renumbered as a search meets them */
    LADDER_DEGREE_ORDER = 256, /* ... most edges first */
};

struct ladder_subject {
    const char *label;
    const char *engine; /* NULL: the challenge's layout; "hand": the loop written out */
    const char *allocator;
    const char *library; /* malloc and free from here; NULL: the C library's */
    unsigned threads;
    unsigned flags;
    const char *against; /* the label of what it is compared with; NULL: the one above it */
};

#define LADDER_SUBJECTS_MAX 64

extern const struct ladder_subject ladder_subjects[];
extern const size_t ladder_subject_count;

/*
 * Let a subject search pairs in a process of its own, after a warm-up. values: LADDER_VALUES of
 * them. False when its library or allocator is not there, or memory.
 */
bool ladder_trial_run(const struct ladder_subject *subject, const struct graph *graph,
                      const struct pair *pairs, size_t pair_count, double *values);

#endif
