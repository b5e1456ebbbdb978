/*
 * wiki_stages.c - two clocks.
 */
#include "wiki_stages.h"
#include "base/pw_assert.h"
#include <string.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

struct wiki_stage *wiki_stages_begin(struct wiki_stages *stages, const char *name)
{
    const uint64_t now = read_clock(CLOCK_MONOTONIC);
    const uint64_t processor = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    if (stages->running != NULL) {
        stages->running->elapsed_ns += now - stages->began_ns;
        stages->running->processor_ns += processor - stages->processor_began_ns;
    }
    stages->began_ns = now;
    stages->processor_began_ns = processor;
    stages->running = NULL;
    for (size_t i = 0; name != NULL && i < stages->count; i++) {
        if (strcmp(stages->items[i].name, name) == 0) {
            stages->running = &stages->items[i];
        }
    }
    if (name != NULL && stages->running == NULL) {
        pw_assert(stages->count < WIKI_STAGES_MAX);
        stages->running = &stages->items[stages->count++];
        *stages->running = (struct wiki_stage){.name = name};
    }
    return stages->running;
}
