/*
 * engine_tables.h - the table of each engine, for the registry and for code that needs one of them
 * and not the others. Each is defined in the file of its name.
 */
#ifndef PW_ENGINE_TABLES_H
#define PW_ENGINE_TABLES_H

#include "bfs/search/search.h"

extern const struct search_engine challenge_engine;
extern const struct search_engine classic_engine;
extern const struct search_engine mark_on_push_engine;
extern const struct search_engine unrolled_engine;
extern const struct search_engine array_engine;
extern const struct search_engine bitmap_engine;
extern const struct search_engine direction_optimizing_engine;
extern const struct search_engine bidirectional_engine;
extern const struct search_engine multi_source_engine;

#endif
