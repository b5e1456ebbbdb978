/*
 * search_content.h - what the report of a run is made of: filled as the run goes on, read by the
 * files that write its parts.
 */
#pragma once

#include "alloc/specification.h"
#include "bfs/inputs/inputs.h"
#include "counters/region_counters.h"
#include "search_row.h"
#include "time_histogram.h"

/* How the lines of text look. */
struct search_lines {
    struct search_row_look look;
    char footnote[320];
};

/* The content of the report, filled as the run goes on. */
struct search_report {
    struct report report;
    const struct options *options;
    const struct search_engine *engine;
    const char *allocator; /* specification */
    struct inputs *inputs; /* all zero: nothing is loaded */
    size_t *numbers;       /* of the selected searches, from 1; NULL: nothing is loaded */
    size_t search_count;   /* selected; of a pipe, how many came */
    unsigned threads;      /* that search */
    uint64_t setup_ns;
    uint64_t wall_ns;                  /* of the trials */
    struct time_histogram *times;      /* of the searches that ended normally; NULL: none */
    const char *status;                /* "complete", "interrupted", "failed" */
    bool paths_missing;                /* some paths or names are missing, for lack of memory */
    const struct pwgraph_paths *paths; /* of the row, in CSV with all shortest paths */
    char *answer; /* to the one question: words in text, an object in JSON; NULL: none */
    struct region_counters *counters; /* open */
    uint32_t folded_from; /* a simulation: the node limit of the graph before it was made smaller */
    struct search_lines lines; /* private */
};

static inline bool search_report_is_loaded(const struct search_report *search_report)
{
    return search_report->inputs->graph.offsets != NULL;
}

/* True if the list nodes of the engine's queue come from the allocator. */
static inline bool search_report_uses_list(const struct search_report *search_report)
{
    return (search_report->engine->flags & SEARCH_USES_LIST) != 0;
}

/* True if the calls of malloc and free say what the allocator did: not if it calls its own. */
static inline bool search_report_sees_calls(const struct search_report *search_report)
{
    return !search_report_uses_list(search_report) ||
           !node_specification_has(search_report->allocator, NODE_ALLOCATOR_OWN_MALLOC);
}

/* How many searches each pass of the engine answers together, sharing its time: 1 except for an
 * engine that takes a batch. */
static inline size_t search_report_pass_searches(const struct search_report *search_report)
{
    const bool paths = search_report->options->answers.path;
    return run_is_batch(search_report->engine, paths) ? search_report->search_count : 1;
}

/* True if searches are made one at a time, so that each can be counted. */
static inline bool search_report_is_alone(const struct search_report *search_report)
{
    const struct options *options = search_report->options;
    return !run_is_batch(search_report->engine, options->answers.path) &&
           (search_report->threads <= 1 || options->parallel == PARALLEL_SEARCH);
}
