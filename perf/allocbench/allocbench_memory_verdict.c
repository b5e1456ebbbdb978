/*
 * allocbench_memory_verdict.c - what follows from the figures of "memory": where the memory is, and
 * what gives it back, as sentences.
 */
#include "allocbench_memory.h"
#include "base/macros.h"
#include "data/graph/graph_memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FINE_BYTES 524288.0 /* so little held is no question */

struct balance memory_balance(const struct bench_samples *samples, size_t one)
{
    struct balance all = {.live = bench_median(samples, one, MEMORY_LIVE_END),
                          .held = bench_median(samples, one, MEMORY_HELD_AT + AT_END),
                          .held_peak = bench_median(samples, one, MEMORY_HELD_PEAK),
                          .pinned = bench_median(samples, one, MEMORY_PINNED + AT_END)};
    all.pinned = fmin(all.pinned, fmax(all.held, all.live)); /* the rest was never touched */
    all.fragmentation = all.pinned - all.live;
    all.cache = fmax(0, all.held - all.pinned);
    return all;
}

enum memory_verdict memory_verdict(const struct balance *all)
{
    if (all->held <= fmax(all->held_peak / 4, FINE_BYTES)) {
        return MEMORY_FINE;
    }
    return all->live >= all->fragmentation && all->live >= all->cache ? MEMORY_ALIVE
           : all->fragmentation >= all->cache                         ? MEMORY_FRAGMENTED
                                                                      : MEMORY_CACHED;
}

void memory_say_verdict(struct bench *bench, const struct balance *all)
{
    static const char *const words[] = {
        [MEMORY_FINE] = "fine, little of the peak is held",
        [MEMORY_ALIVE] = "alive, most is in use, or leaks",
        [MEMORY_FRAGMENTED] = "fragmented, few live blocks keep many pages",
        [MEMORY_CACHED] = "cached, the allocator keeps pages without a live block"};
    const double page = (double)sysconf(_SC_PAGESIZE);
    char texts[5][32];
    const double bytes[] = {all->held, all->held_peak, all->live, all->fragmentation, all->cache};
    for (size_t i = 0; i < COUNT_OF(bytes); i++) {
        memory_text(texts[i], (uint64_t)bytes[i]);
    }
    bench_answer(bench,
                 "verdict: %s. At the end %s holds %s, at its peak %s: %s are alive, %s are "
                 "fragmentation (%.0f %s of %.0f bytes that live blocks pin), %s are cache of the "
                 "allocator.",
                 words[memory_verdict(all)], bench->cases[0].label, texts[0], texts[1], texts[2],
                 texts[3], all->pinned / page, all->pinned == page ? "page" : "pages", page,
                 texts[4]);
}

void memory_say_difference(struct bench *bench, const struct recorded *recorded,
                           const struct balance *all)
{
    const struct program_memory *end = &recorded->memory.end;
    const double held = (double)end->heap;
    const double most = (double)end->resident_most - (double)(end->files + end->others);
    char text[32], peak[32];
    if (recorded->has_run && held < all->held / 2 && all->held - held > FINE_BYTES) {
        bench_note(
            bench, "the program itself holds %s at its end, and held %s at most: %s",
            memory_text(text, (uint64_t)held), memory_text(peak, (uint64_t)fmax(most, held)),
            most < all->held_peak / 2
                ? "it has not touched all that it asked for"
                : "it has given memory back by calls that are no requests, like malloc_trim");
    }
}

#define TRIMMED "malloc, trimmed"

/* What is said to help. */
static const struct memory_setting settings[] = {
    {"malloc", TRIMMED, {MEMORY_TRIMS "=yes", NULL}, ": call malloc_trim(0) after a peak"},
    {"malloc", "malloc, one arena", {"MALLOC_ARENA_MAX=1", NULL}, ": set MALLOC_ARENA_MAX=1"},
    {"lib:jemalloc",
     "lib:jemalloc, decay 0",
     {"MALLOC_CONF=dirty_decay_ms:0,muzzy_decay_ms:0", NULL},
     ": set MALLOC_CONF=dirty_decay_ms:0,muzzy_decay_ms:0"},
    /* the first is of mimalloc before 2.1, the second of later ones */
    {"lib:mimalloc",
     "lib:mimalloc, purge 0",
     {"MIMALLOC_DECOMMIT_DELAY=0", "MIMALLOC_PURGE_DELAY=0"},
     ": set MIMALLOC_PURGE_DELAY=0"},
};

const struct memory_setting *memory_setting(size_t index)
{
    return index < COUNT_OF(settings) ? &settings[index] : NULL;
}

/* How a program gets what a case has; "" for an allocator as it is. */
static const char *how_of(const struct bench_case *one)
{
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        if (strcmp(one->label, settings[i].label) == 0) {
            return settings[i].how;
        }
    }
    return "";
}

void memory_say_advice(struct bench *bench, const struct bench_samples *memory,
                       const struct bench_samples *timed, double requests)
{
    const double held = bench_median(memory, 0, MEMORY_HELD_AT + AT_END);
    size_t best = 0;
    double least = held, trimmed = NAN;
    for (size_t i = 1; i < bench->case_count; i++) {
        const double own = bench_median(memory, i, MEMORY_HELD_AT + AT_END);
        best = own < least ? i : best;
        least = own < least ? own : least;
        trimmed = strcmp(bench->cases[i].label, TRIMMED) == 0 ? own : trimmed;
    }
    if (!(held - least > held / 10)) {
        bench_answer(
            bench, "advice: no other allocator or setting holds at least a tenth less at the end.");
        return;
    }
    char less[32], left[32], also[80] = "";
    const struct samples_summary before = bench_summary(timed, 0, 0);
    const struct samples_summary after = bench_summary(timed, best, 0);
    const double more = after.median - before.median;
    char cost[48] = "in about the same time";
    if (!(fabs(more) <= before.deviation + after.deviation)) { /* NaN: of one run */
        snprintf(cost, sizeof(cost), "for %+.1f ns per request", more / requests);
    }
    if (held - trimmed > held / 10 && strcmp(bench->cases[best].label, TRIMMED) != 0) {
        snprintf(also, sizeof(also), " malloc_trim(0) after a peak leaves %s.",
                 memory_text(left, (uint64_t)trimmed));
    }
    bench_answer(bench, "advice: %s holds %s less at the end (%s), %s%s.%s",
                 bench->cases[best].label, memory_text(less, (uint64_t)(held - least)),
                 memory_text(left, (uint64_t)least), cost, how_of(&bench->cases[best]), also);
}
