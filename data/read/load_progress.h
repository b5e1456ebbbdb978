/*
 * load_progress.h - reports the progress of a load.
 */
#pragma once

#include "data/graph/graph_options.h"
#include "text_source.h"
#include <time.h>

struct load_progress {
    const struct graph_options *options;
    const struct text_source *source;
    struct timespec started;
    double reported_s;                  /* after the start */
    atomic_uint_least64_t entries_done; /* by all threads */
};

void load_progress_start(struct load_progress *progress, const struct graph_options *options,
                         const struct text_source *source);

/* Call options->progress if it is time again. Only for one of the threads. */
void load_progress_report(struct load_progress *progress, const char *phase);
