/*
 * engines.h - the registry of engines.
 */
#ifndef PW_ENGINES_H
#define PW_ENGINES_H

#include "bfs/search/search.h"

/* The engine of that name, or NULL. */
const struct search_engine *search_engine_find(const char *name);

/* All engines, ended by NULL. */
const struct search_engine *const *search_engines(void);

#endif
