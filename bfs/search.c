/*
 * search.c - the one list of engines, and the limits they all keep.
 */
#include "search.h"
#include "clock.h"
#include "engines.h"
#include <pthread.h>
#include <string.h>

#define ENGINE_COUNT 8

static const struct search_engine *engines[ENGINE_COUNT + 1];
static pthread_once_t engines_once = PTHREAD_ONCE_INIT;

static void fill_engines(void)
{
    const struct search_engine *const list[ENGINE_COUNT] = {
        classic_engine(),       mark_on_push_engine(), unrolled_engine(),
        array_engine(),         bitmap_engine(),       direction_optimizing_engine(),
        bidirectional_engine(), multi_source_engine(),
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

uint64_t search_start(const struct search_limits *limits)
{
    if (limits != NULL && limits->region != NULL) {
        limits->region->begin(limits->region->context);
    }
    return clock_now_ns();
}

uint64_t search_stop(const struct search_limits *limits, uint64_t start_ns)
{
    uint64_t elapsed_ns = clock_now_ns() - start_ns;
    if (limits != NULL && limits->region != NULL) {
        limits->region->end(limits->region->context);
    }
    return elapsed_ns;
}

uint64_t search_deadline_ns(const struct search_limits *limits, uint64_t start_ns)
{
    if (limits == NULL || limits->timeout_ns == 0 || limits->timeout_ns > UINT64_MAX - start_ns) {
        return UINT64_MAX;
    }
    return start_ns + limits->timeout_ns;
}

enum search_status search_must_stop(const struct search_limits *limits, uint64_t deadline_ns)
{
    if (limits != NULL && limits->cancel != NULL && *limits->cancel != 0) {
        return SEARCH_CANCELLED;
    }
    return deadline_ns != UINT64_MAX && clock_now_ns() >= deadline_ns ? SEARCH_TIMED_OUT
                                                                      : SEARCH_DONE;
}
