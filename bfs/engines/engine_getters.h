/*
 * engine_getters.h - the getter of each engine, for the registry and for code that needs one of
 * them and not the others.
 */
#ifndef PW_ENGINE_GETTERS_H
#define PW_ENGINE_GETTERS_H

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

#endif
