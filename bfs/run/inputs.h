/*
 * inputs.h - the graph and the pairs that a command line names.
 */
#pragma once

#include "bfs/options/options.h"
#include "data/read/pairs.h"
#include "perf/program/progress.h"

struct inputs {
    struct graph graph;
    struct pairs pairs;
    /* For both: */
    uint64_t load_ns;
    uint64_t load_faults;     /* pages, small and huge, that the system handed over */
    uint64_t load_peak_bytes; /* the most memory resident until then; 0: not known */
};

/*
 * Load both, with progress and notes on standard error. threads: as many as may be used, 0 for one
 * a processor. with_reverse: and the graph's reverse adjacency. False with error set, nothing kept.
 * Freed with inputs_free.
 */
bool inputs_load(const struct options *options, unsigned threads, bool with_reverse,
                 struct progress *progress, struct inputs *inputs, struct graph_error *error);

/*
 * How many threads may load when the searches then use this allocator: 0, one a processor, or 1.
 * A process that has ever had a second thread has a slower glibc malloc to its end (1.4 to 2.5
 * times on a queue), which would be taken for the cost of the search.
 */
unsigned inputs_threads(const char *allocator);

/* Fine for an all-zero struct. */
void inputs_free(struct inputs *inputs);
