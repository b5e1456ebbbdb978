/*
 * engines.c - the one list of engines.
 */
#include "engines.h"
#include "engine_getters.h"
#include <pthread.h>
#include <string.h>

#define ENGINE_COUNT 9

static const struct search_engine *engines[ENGINE_COUNT + 1];
static pthread_once_t engines_once = PTHREAD_ONCE_INIT;

static void fill_engines(void)
{
    const struct search_engine *const list[ENGINE_COUNT] = {
        challenge_engine(),
        classic_engine(),
        mark_on_push_engine(),
        unrolled_engine(),
        array_engine(),
        bitmap_engine(),
        direction_optimizing_engine(),
        bidirectional_engine(),
        multi_source_engine(),
    };
    memcpy(engines, list, sizeof(list));
}

const struct search_engine *const *search_engines(void)
{
    pthread_once(&engines_once, fill_engines);
    return engines;
}

const struct search_engine *search_engine_find(const char *name)
{
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        if (strcmp((*engine)->name, name) == 0) {
            return *engine;
        }
    }
    return NULL;
}
