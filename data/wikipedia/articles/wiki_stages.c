/*
 * wiki_stages.c - two clocks.
 */
#include "wiki_stages.h"
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void wiki_stages_begin(struct wiki_stages *stages, const char *name)
{
    const uint64_t now = read_clock(CLOCK_MONOTONIC);
    const uint64_t processor = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    if (stages->count > 0 && stages->began_ns > 0) {
        struct wiki_stage *last = &stages->items[stages->count - 1];
        last->elapsed_ns += now - stages->began_ns;
        last->processor_ns += processor - stages->processor_began_ns;
    }
    stages->began_ns = 0;
    if (name != NULL && stages->count < WIKI_STAGES_MAX) {
        stages->items[stages->count++] = (struct wiki_stage){.name = name};
        stages->began_ns = now;
        stages->processor_began_ns = processor;
    }
}
