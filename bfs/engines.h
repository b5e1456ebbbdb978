/*
 * engines.h - the getter of every engine, and what engines share; search.c lists them.
 */
#ifndef PW_ENGINES_H
#define PW_ENGINES_H

#include "search.h"

const struct search_engine *classic_engine(void);
const struct search_engine *mark_on_push_engine(void);
const struct search_engine *unrolled_engine(void);
const struct search_engine *array_engine(void);
const struct search_engine *bitmap_engine(void);
const struct search_engine *direction_optimizing_engine(void);
const struct search_engine *bidirectional_engine(void);
const struct search_engine *multi_source_engine(void);

/*
 * Open the measured region, then read the clock; and read the clock, then close it. stop returns
 * the time in between. limits may be NULL.
 */
uint64_t search_start(const struct search_limits *limits);
uint64_t search_stop(const struct search_limits *limits, uint64_t start_ns);

/* The clock value at which a search begun at start_ns must end; UINT64_MAX: never. */
uint64_t search_deadline_ns(const struct search_limits *limits, uint64_t start_ns);

/* SEARCH_DONE to go on, or why to stop. limits may be NULL. */
enum search_status search_must_stop(const struct search_limits *limits, uint64_t deadline_ns);

#endif
