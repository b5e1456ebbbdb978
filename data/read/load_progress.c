/*
 * load_progress.c - ten reports per second at most; see load_progress.h.
 */
#include "load_progress.h"
#include "base/pw_assert.h"

#define PROGRESS_S 0.1

void load_progress_start(struct load_progress *progress, const struct graph_options *options,
                         const struct text_source *source)
{
    progress->options = options;
    progress->source = source;
    progress->reported_s = 0;
    atomic_store(&progress->entries_done, 0);
    clock_gettime(CLOCK_MONOTONIC, &progress->started);
}

void load_progress_report(struct load_progress *progress, const char *phase)
{
    const struct graph_options *options = progress->options;
    struct timespec now;
    if (options->progress == NULL) {
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double elapsed_s = (double)(now.tv_sec - progress->started.tv_sec) +
                             (double)(now.tv_nsec - progress->started.tv_nsec) / 1e9;
    pw_assert(elapsed_s >= progress->reported_s);
    if (elapsed_s - progress->reported_s >= PROGRESS_S) {
        progress->reported_s = elapsed_s;
        options->progress(options->context, &(struct graph_progress){
                                                phase, atomic_load(&progress->source->bytes_done),
                                                progress->source->size,
                                                atomic_load(&progress->entries_done), elapsed_s});
    }
}
