/*
 * allocbench_memory.h - what the experiments "trace" and "memory" share.
 */
#pragma once

#include "allocbench.h"
#include "perf/program/launch.h"
#include "perf/program/trace.h"
#include "perf/traffic/memory_watch.h"

/* A block, the size of its request, and for "memory" its call site, by slot. */
struct trace_slot {
    void *block; /* NULL: none */
    uint32_t size;
    uint32_t site;
};

/* Slots for all blocks of a trace; NULL: out of memory. input: the words of trace.h. */
struct trace_slot *trace_slots(const struct bench_input *input, size_t *bytes);

/* Write to each page of a block, so that it is there. */
void trace_touch(void *block, uint32_t size);

/* The bytes that a replay touches while live bytes are allocated. They are fewer if the program had
 * less in memory than it asked for. */
double trace_touched(double live);

/* Make the calls of a step: take a block and touch its pages, or release it. False: a request
 * failed. */
bool trace_step(struct node_allocator *allocator, struct trace_slot *slot, uint32_t size);

/* The step after which the most bytes are alive. slots: zeroed, and zeroed again afterwards. */
size_t trace_peak(const struct bench_input *input, struct trace_slot *slots, size_t bytes);

/* Read a recording. False with bench->error set: it is damaged, or needs more memory than there
 * is. Close it in either case. */
bool trace_open(struct bench *bench, const char *path, struct trace *trace);

/* The bodies of "memory", with the words and values below; the second has one value, the ns of all
 * calls. */
enum bench_status bench_memory_replay(const struct bench_run *run, double *values);
enum bench_status bench_memory_time(const struct bench_run *run, double *values);

/* The words of bench_memory_replay: the head, the words of trace.h, its marks. */
enum { MEMORY_THREADS, MEMORY_HEAD };

/* The moments at which live blocks are counted. */
enum moment { AT_PEAK, AT_END, MOMENTS };

/* The values of bench_memory_replay after the values of memory_watch.h, in bytes but the blocks. */
enum {
    MEMORY_HELD_AT = MEMORY_VALUES,
    MEMORY_PINNED = MEMORY_HELD_AT + MOMENTS, /* pages with a live block */
    MEMORY_OF_SITES = MEMORY_PINNED + MOMENTS
};
/* Then for each site, from site 0 (not known) on, and each moment. */
enum { SITE_EMPTY, SITE_LIVE, SITE_BLOCKS, SITE_VALUES };

static inline size_t memory_site_value(uint32_t site, enum moment moment, size_t value)
{
    return MEMORY_OF_SITES + ((size_t)site * MOMENTS + moment) * SITE_VALUES + value;
}

/* What was recorded, and of its own run what the kernel said. */
struct recorded {
    struct trace trace;
    uint32_t threads;
    bool has_run; /* the command ran as it is */
    struct launch_memory memory;
};

/* Read a recording; and its words for a replay, in memory of no allocator. False with bench->error
 * set. Close it in either case. */
bool recorded_read(struct bench *bench, const char *path, struct recorded *recorded);
bool recorded_words(struct bench *bench, const struct recorded *recorded,
                    struct bench_input *input);
void recorded_close(struct recorded *recorded, struct bench_input *input);

/* The site with the most of a kind at a moment, of the case one, that is not taken, and take it.
 * count: of the sites, with site 0. SIZE_MAX: no site does. */
size_t memory_next_site(const struct bench_samples *memory, size_t one, size_t count,
                        enum moment moment, size_t kind, bool *taken);

/* What one allocator holds at the end, in bytes: alive, the empty part of the pages with a live
 * block, and the rest. */
struct balance {
    double live, held, held_peak, pinned;
    double fragmentation, cache;
};
struct balance memory_balance(const struct bench_samples *samples, size_t one);

/* Where most of the memory is that one allocator holds at the end. */
enum memory_verdict {
    MEMORY_FINE, /* little of the peak is held */
    MEMORY_ALIVE,
    MEMORY_FRAGMENTED,
    MEMORY_CACHED
};
enum memory_verdict memory_verdict(const struct balance *all);

/* Notes: the verdict; if the program holds much less than its requests leave when replayed; and
 * which case holds least, with what it costs. */
void memory_say_verdict(struct bench *bench, const struct balance *all);
void memory_say_difference(struct bench *bench, const struct recorded *recorded,
                           const struct balance *all);
void memory_say_advice(struct bench *bench, const struct bench_samples *memory,
                       const struct bench_samples *timed, double requests);

/* An allocator with a setting that is said to help. */
struct memory_setting {
    const char *allocator, *label, *environment[2];
    const char *how; /* a program gets it, for the advice */
};

/* NULL: there are no more. */
const struct memory_setting *memory_setting(size_t index);

#define GROWTH_PARTS 8

/* The live bytes by which each site, from site 0 on, grew per eighth of the calls, from malloc; 0
 * of one that shrank from the half on, or grew in one eighth alone. The last eighth does not count:
 * a program may release all in it. NULL: out of memory. */
double *memory_growth(const struct trace *trace);

/* Compare two recordings, for "trace A B". False with bench->error set. */
bool bench_trace_two(struct bench *bench, const char *const paths[2]);

#define SITE_NAME_SIZE 400

/* The innermost frames of a site of a trace, named: "keep (list.c:20) < main (list.c:50)". */
void memory_name_site(const struct trace *trace, size_t site, char text[SITE_NAME_SIZE]);

/* If this variable is set in a run's process, memory that is free goes back at quiet points. */
#define MEMORY_TRIMS "ALLOCBENCH_TRIM"
