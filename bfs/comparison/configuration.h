/*
 * configuration.h - a configuration to compare, and the results of one run of it.
 */
#pragma once

#include "base/report/turns.h"
#include "bfs/options/options.h"
#include "bfs/search/search.h"

#define CONFIGURATIONS_MAX TURNS_CASES_MAX
#define ANSWER_UNKNOWN     (-2)

/* One run: the sums of its rows, and the process's own. */
struct run_result {
    uint64_t elapsed_ns; /* of the searches */
    uint64_t visited;
    uint64_t malloc_calls, free_calls; /* UINT64_MAX: not known */
    uint64_t searches;
    uint64_t unfinished; /* of them: timed out, say */
    uint64_t peak_rss_bytes;
};

/* What a run counted in a search: nodes visited and expanded, pushes, queue peak; UINT64_MAX: not
 * known. */
#define COUNTS_KINDS 4
struct search_counts {
    uint64_t counted[COUNTS_KINDS];
    bool known;
};

/* An allocator and an engine. */
struct configuration {
    char allocator[256]; /* specification; "" if the engine takes no list nodes */
    const struct search_engine *engine;
    char name[320]; /* "slab", "array" or "slab, mark-on-push": what differs from the others */
    struct run_result *runs; /* one per round */
    size_t
        counts_as; /* index of the first configuration that must count as this one: it, perhaps */
    struct search_counts *counts; /* of each search; only where counts_as is the own index */
    size_t counts_size;
};

struct comparison {
    const struct options *options;
    char **arguments;
    struct progress *progress;
    struct report *report;       /* while the runs are made */
    struct command_error *error; /* the same */
    bool shows_runs;             /* the report has a table of them */
    struct configuration configurations[CONFIGURATIONS_MAX];
    size_t configuration_count;
    size_t rounds;       /* wanted */
    size_t rounds_done;  /* whole ones */
    int64_t *answers;    /* hops of each search in the first run; -1: not found */
    size_t answer_count; /* 0: nothing is known yet */
    size_t first;        /* the configuration that found them */
    bool counts_vary;    /* from run to run: the threads share a search */
    bool several_allocators, several_engines;
    bool has_list; /* some engine takes list nodes */
};

/* Every pair of an allocator and an engine that the options name; an engine that takes no list
 * nodes appears once. False with error set if one is not legal, or if nothing is left to
 * compare. */
bool configurations_read(struct comparison *comparison, struct command_error *error);

/*
 * Run bfs with a configuration, in a separate process. False with error set if that failed or if
 * its answers differ from earlier runs; error is empty after an interruption.
 */
bool configuration_run(struct comparison *comparison, size_t round, size_t index,
                       struct command_error *error);
