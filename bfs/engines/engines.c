/*
 * engines.c - the one list of engines, in the order to read them.
 */
#include "engines.h"
#include <string.h>

static const struct search_engine *const engines[] = {
    &plain_engine, /* the one to read first; the others are described by what they change in it */
    &challenge_engine,     &classic_engine,      &mark_on_push_engine,
    &array_engine,         &bitmap_engine,       &direction_optimizing_engine,
    &bidirectional_engine, &multi_source_engine, NULL,
};

const struct search_engine *const *search_engines(void)
{
    return engines;
}

const struct search_engine *search_engine_find(const char *name)
{
    for (const struct search_engine *const *engine = engines; *engine != NULL; engine++) {
        if (strcmp((*engine)->name, name) == 0) {
            return *engine;
        }
    }
    return NULL;
}
