/*
 * engines.h - the registry of engines, and the getter of each.
 */
#ifndef PW_ENGINES_H
#define PW_ENGINES_H

#include "bfs/search/search.h"

const struct search_engine *challenge_engine(void);
const struct search_engine *classic_engine(void);
const struct search_engine *mark_on_push_engine(void);
const struct search_engine *unrolled_engine(void);
const struct search_engine *array_engine(void);
const struct search_engine *bitmap_engine(void);
const struct search_engine *direction_optimizing_engine(void);
const struct search_engine *bidirectional_engine(void);
const struct search_engine *multi_source_engine(void);

/* The engine of that name, or NULL. */
const struct search_engine *search_engine_find(const char *name);

/* All engines, ended by NULL. */
const struct search_engine *const *search_engines(void);

#endif
