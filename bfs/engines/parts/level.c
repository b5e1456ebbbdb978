/*
 * level.c - see level.h.
 */
#include "level.h"
#include "base/pw_assert.h"

bool level_set_threads(struct level *level, unsigned threads)
{
    pw_assert(threads > 0);
    struct team *team = threads > 1 ? team_create(threads) : NULL;
    if (threads > 1 && team == NULL) {
        return false;
    }
    team_destroy(level->team);
    level->team = team;
    return true;
}

enum search_status level_work(struct level *level, size_t first, size_t items, team_work *work,
                              void *argument)
{
    pw_assert(first <= items);
    level->items = items;
    atomic_store_explicit(&level->next, first, memory_order_relaxed);
    atomic_store_explicit(&level->stop, false, memory_order_relaxed);
    team_run(level->team, work, argument);
    pw_assert(atomic_load(&level->stop) || atomic_load(&level->next) >= items);
    return (enum search_status)atomic_load_explicit(&level->status, memory_order_relaxed);
}

bool level_must_stop(struct level *level)
{
    enum search_status status = search_stop_reason(&level->clock);
    if (status == SEARCH_DONE) {
        return false;
    }
    atomic_store_explicit(&level->status, (int)status, memory_order_relaxed);
    level_stop(level);
    return true;
}

bool level_take(struct level *level, size_t size, size_t *begin, size_t *end)
{
    if (atomic_load_explicit(&level->stop, memory_order_relaxed) || level_must_stop(level)) {
        return false;
    }
    *begin = atomic_fetch_add_explicit(&level->next, size, memory_order_relaxed);
    if (*begin >= level->items) {
        return false;
    }
    *end = level->items - *begin < size ? level->items : *begin + size;
    pw_assert(*begin < *end && *end - *begin <= size);
    return true;
}
