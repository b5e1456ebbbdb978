/*
 * engines.h - the registry of engines, and the table of each engine for code that needs only that
 * one. A table is defined in the file of its name.
 */
#pragma once

#include "bfs/search/search.h"

/* The default engine: for pairs, and for a single question. */
#define SEARCH_ENGINE_DEFAULT      "classic"
#define SEARCH_ENGINE_FOR_QUESTION "bidirectional"

/* The engine of that name, or NULL. */
const struct search_engine *search_engine_find(const char *name);

extern const struct search_engine plain_engine;
extern const struct search_engine challenge_engine;
extern const struct search_engine classic_engine;
extern const struct search_engine mark_on_push_engine;
extern const struct search_engine array_engine;
extern const struct search_engine bitmap_engine;
extern const struct search_engine direction_optimizing_engine;
extern const struct search_engine bidirectional_engine;
extern const struct search_engine multi_source_engine;

/* All engines, in the order to read them, ended by NULL. */
const struct search_engine *const *search_engines(void);
