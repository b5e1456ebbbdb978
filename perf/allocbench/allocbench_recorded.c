/*
 * allocbench_recorded.c - what "trace" and "memory" share: a recording, its words for a run, and
 * the calls of its steps.
 */
#include "allocbench_memory.h"
#include "data/graph/graph_memory.h"
#include "perf/program/recording.h"
#include <string.h>

#define PAGE_STEP 4096 /* no system's pages are smaller */

/* A recording --------------------------------------------------------------------------------- */

bool trace_open(struct bench *bench, const char *path, struct trace *trace)
{
    char needed[32];
    char available[32];
    if (!trace_read(trace, path, bench->error)) {
        return false;
    }
    return trace->live_peak <= memory_available() || /* a damaged one may ask for anything */
           command_fail(bench->error, "%s: needs %s of memory; available: %s", path,
                        memory_text(needed, trace->live_peak),
                        memory_text(available, memory_available()));
}

bool recorded_read(struct bench *bench, const char *path, struct recorded *recorded)
{
    struct recording recording;
    if (!recording_open(&recording, path, bench->error)) {
        return false;
    }
    recorded->threads = recording.header.threads;
    recording_close(&recording);
    return trace_open(bench, path, &recorded->trace);
}

bool recorded_words(struct bench *bench, const struct recorded *recorded, struct bench_input *input)
{
    const struct trace *trace = &recorded->trace;
    const size_t half = 2 * trace->steps;
    uint32_t threads = recorded->threads > 0 ? recorded->threads : 1;
    input->count = MEMORY_HEAD + 2 * half;
    uint32_t *words = bench_map(input->count * sizeof(*words));
    if (words == NULL) {
        return command_fail(bench->error, "out of memory");
    }
    if (threads > BENCH_THREADS_MAX) {
        bench_note(bench, "the calls of %u threads are replayed in %d", threads, BENCH_THREADS_MAX);
        threads = BENCH_THREADS_MAX;
    }
    words[MEMORY_THREADS] = threads;
    memcpy(words + MEMORY_HEAD, trace->words, half * sizeof(*words));
    memcpy(words + MEMORY_HEAD + half, trace->marks, half * sizeof(*words));
    input->items = words;
    return true;
}

void recorded_close(struct recorded *recorded, struct bench_input *input)
{
    bench_input_close(input);
    trace_close(&recorded->trace);
}

/* Its steps ----------------------------------------------------------------------------------- */

void trace_touch(void *block, uint32_t size)
{
    for (size_t at = 0; at < size; at += PAGE_STEP) {
        ((volatile char *)block)[at] = 1;
    }
    ((volatile char *)block)[size - 1] = 1;
}

struct trace_slot *trace_slots(const struct bench_input *input, size_t *bytes)
{
    uint32_t most = 0;
    for (size_t i = 0; i < input->count; i += 2) {
        most = input->items[i] > most ? input->items[i] : most;
    }
    *bytes = ((size_t)most + 1) * sizeof(struct trace_slot);
    return bench_map(*bytes);
}

bool trace_step(struct node_allocator *allocator, struct trace_slot *slot, uint32_t size)
{
    if (size > 0) {
        *slot =
            (struct trace_slot){.block = node_allocator_allocate(allocator, size), .size = size};
        if (slot->block == NULL) {
            return false;
        }
        trace_touch(slot->block, size);
    } else if (slot->block != NULL) {
        node_allocator_release(allocator, slot->block, slot->size);
        slot->block = NULL;
    }
    return true;
}

size_t trace_peak(const struct bench_input *input, struct trace_slot *slots, size_t bytes)
{
    double live = 0, most = 0;
    size_t peak = 0;
    for (size_t i = 0; i < input->count; i += 2) {
        struct trace_slot *slot = &slots[input->items[i]];
        const uint32_t size = input->items[i + 1];
        live += size > 0 ? size : -(double)slot->size;
        slot->size = size;
        if (live > most) {
            most = live;
            peak = i;
        }
    }
    memset(slots, 0, bytes);
    return peak;
}
