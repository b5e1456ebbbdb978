/*
 * search_options.c - see search_options.h.
 */
#include "search_options.h"
#include "search_run.h"

#define THREADS_MAX 1024

const struct option_row search_rows[] = {
    {"engine", 'e', "NAME",
     SEARCH_BY_BIDIRECTIONAL_NAME
     ": up to 64 pairs at once, each from both ends; " SEARCH_BY_LEVELS_NAME
     ": one search after the other, level by level from the source "
     "(default: " SEARCH_BY_BIDIRECTIONAL_NAME ")",
     OPTION_FILE(struct search_options, engine)},
    {"from", 0, "NODE",
     "ask one question instead of reading PAIRS. The source is a name, or an id if there are no "
     "names. The answer is printed alone; --engine, --format=csv or json print the report",
     OPTION_TEXT(struct search_options, from)},
    {"to", 0, "NODE", "the target of that question", OPTION_TEXT(struct search_options, to)},
    {"path", 0, NULL,
     "report a shortest path for every answer; the number of ranks does not change it",
     OPTION_FLAG(struct search_options, path)},
    {"timeout", 't', "SECONDS",
     "stop a search after that long at all ranks, report it as timed out and go on with the next; "
     "pairs that are searched at once have that time together (default: 0, never)",
     OPTION_SECONDS(struct search_options, timeout_ns)},
    {"threads", 0, "N", "threads of each rank, for " SEARCH_BY_LEVELS_NAME " (default: 1)",
     OPTION_NUMBER(struct search_options, threads, 1, THREADS_MAX)},
    {0},
};
