/*
 * inputs.h - the graph and the pairs that a command line names.
 */
#pragma once

#include "base/program/progress.h"
#include "bfs/options/options.h"
#include "bfs/pwgraph/pwgraph.h"
#include "data/load/pairs_load.h"

struct inputs {
    struct graph graph;
    struct pwgraph *asked; /* the same graph for questions; NULL: only PAIRS are searched */
    struct pairs pairs;
    struct pairs_stream *stream; /* brings more pairs; NULL: these are all */
    uint32_t *avoided;           /* the nodes of --without */
    size_t avoided_count;
    char notes[2][PWGRAPH_TEXT_SIZE]; /* how --from and --to were spelt, if forgiven */
    /* For all: */
    uint64_t load_ns;
    uint64_t load_faults;     /* pages, small and huge, that the system supplied */
    uint64_t load_peak_bytes; /* the most memory resident until then; 0: not known */
};

/*
 * Load both, with progress and notes on standard error. threads: at most this number, 0 for one per
 * processor. with_reverse: also the graph's reverse adjacency. False with error set, nothing kept.
 * Free with inputs_free.
 */
bool inputs_load(const struct options *options, unsigned threads, bool with_reverse,
                 struct progress *progress, struct inputs *inputs, struct graph_error *error);

/*
 * How many threads may load if the searches then use this allocator: 0, one per processor, or 1. A
 * process that has ever had a second thread has a slower glibc malloc to its end (1.4 to 2.5 times
 * on a queue), which would look like a cost of the search.
 */
unsigned inputs_threads(const char *allocator);

/* Wait for the next pair of the stream, with a note if a name was forgiven. False at its end, or
 * with error set on failure and after Ctrl-C. */
bool inputs_next_pair(struct inputs *inputs, struct progress *progress, struct graph_error *error);

/* Fine for an all-zero struct. */
void inputs_free(struct inputs *inputs);
