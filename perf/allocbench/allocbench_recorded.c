/*
 * allocbench_recorded.c - what "trace" and "memory" share: a recording, its words for a run, and
 * the calls of its steps.
 */
#include "allocbench_memory.h"
#include "allocbench_unseen.h"
#include "data/graph/graph_memory.h"
#include "perf/program/recording.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_STEP 4096 /* no system's pages are smaller */

/* A recording --------------------------------------------------------------------------------- */

#define SPARSE_BYTES ((uint64_t)64 << 20) /* of less alive, each page is touched */

/* For the processes of the replays: the part of each block that they touch. Of two recordings it is
 * the larger part. */
#define TOUCHED "ALLOCBENCH_TOUCHED"

static double touched_share(void)
{
    static double share;
    if (share <= 0) {
        const char *given = getenv(TOUCHED);
        const double part = given != NULL ? strtod(given, NULL) : 1;
        share = part > 0 && part < 1 ? part : 1;
    }
    return share;
}

/* Set the part: the program may have had less in memory than it asked for. Returns the
 * part for this recording. */
static double set_share(struct bench *bench, const struct trace *trace, const char *path)
{
    char alive[32], resident[32];
    const bool is_sparse = trace->resident_most > 0 && trace->live_peak > SPARSE_BYTES &&
                           trace->live_peak / 2 > trace->resident_most;
    static double largest_share;
    const double share = is_sparse ? (double)trace->resident_most / (double)trace->live_peak : 1;
    if (share > largest_share) {
        char text[32];
        largest_share = share;
        snprintf(text, sizeof(text), "%.9g", share);
        setenv(TOUCHED, text, 1);
    }
    if (is_sparse) {
        bench_note(bench,
                   "%s: of %s alive the program had %s in memory at most. A replay touches that "
                   "part of each block of a page or more, its first pages.",
                   path, memory_text(alive, trace->live_peak),
                   memory_text(resident, trace->resident_most));
    }
    return share;
}

bool trace_open(struct bench *bench, const char *path, struct trace *trace)
{
    char needed[32];
    char available[32];
    if (!trace_read(trace, path, bench->error)) {
        return false;
    }
    const double share = set_share(bench, trace, path);
    const uint64_t touched = (uint64_t)((double)trace->live_peak * share);
    return touched <= memory_available() || /* a damaged one may ask for anything */
           command_fail(bench->error, "%s: needs %s of memory; available: %s", path,
                        memory_text(needed, touched), memory_text(available, memory_available()));
}

bool recorded_read(struct bench *bench, const char *path, struct recorded *recorded)
{
    struct recording recording;
    if (!recording_open(&recording, path, bench->error)) {
        return false;
    }
    const struct recording_header header = recording.header;
    char unseen[UNSEEN_SIZE];
    recorded->threads = header.threads;
    recording_close(&recording);
    if (!trace_open(bench, path, &recorded->trace)) {
        return false;
    }
    const struct recording_summary summary = {.requests = recorded->trace.requests,
                                              .live_peak = recorded->trace.live_peak};
    if (unseen_memory(&header, &summary, unseen) != UNSEEN_LITTLE) {
        bench_note(bench, "%s", unseen);
    }
    return true;
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

double trace_touched(double live)
{
    return live * touched_share();
}

void trace_touch(void *block, uint32_t size)
{
    const bool is_whole = touched_share() >= 1 || size <= PAGE_STEP;
    const size_t end = is_whole ? size : (size_t)((double)size * touched_share());
    for (size_t at = 0; at < end; at += PAGE_STEP) {
        ((volatile char *)block)[at] = 1;
    }
    if (is_whole) {
        ((volatile char *)block)[size - 1] = 1;
    }
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
