/*
 * team.c - a team of threads: a counter that starts a piece of work, a counter that ends it.
 *
 * 1. The caller publishes the work by raising the turn; each member sees it, works, and counts
 *    itself done.
 * 2. A member spins for a part of a millisecond, because a wake-up costs a tenth of one, then
 *    sleeps on the condition; the caller takes the lock only to wake sleepers. With more members
 *    than processors nobody spins: it would take the processor from one that works.
 */
#include "team.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define SPIN_TURNS 20000 /* looks at the turn before sleeping: some 300 microseconds */

struct member {
    struct team *team;
    unsigned index;
    pthread_t thread;
};

struct team {
    unsigned others; /* threads beside the caller's */
    unsigned spins;  /* looks before sleeping */
    bool is_quick;   /* the caller did not wait longer than that */
    team_work *work; /* NULL: end */
    void *argument;
    _Alignas(CACHE_LINE_BYTES) atomic_uint turn;
    _Alignas(CACHE_LINE_BYTES) atomic_uint done;
    _Alignas(CACHE_LINE_BYTES) atomic_uint sleepers;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct member members[];
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Wait until the turn is no longer the one that is over. */
static void wait_for_turn(struct team *team, unsigned over)
{
    for (unsigned i = 0; i < team->spins; i++) {
        if (atomic_load(&team->turn) != over) {
            return;
        }
        relax();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->turn) == over) {
        pthread_cond_wait(&team->wake, &team->lock);
    }
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
}

static void *member_run(void *argument)
{
    const struct member *member = argument;
    struct team *team = member->team;
    for (unsigned over = 0;; over++) {
        wait_for_turn(team, over);
        if (team->work == NULL) {
            return NULL;
        }
        team->work(team->argument, member->index);
        atomic_fetch_add(&team->done, 1);
    }
}

/* Give the members a piece of work, or, for NULL, the sign to end. */
static void start_turn(struct team *team, team_work *work, void *argument)
{
    team->work = work;
    team->argument = argument;
    atomic_store(&team->done, 0);
    atomic_fetch_add(&team->turn, 1);
    if (atomic_load(&team->sleepers) > 0) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_broadcast(&team->wake);
        pthread_mutex_unlock(&team->lock);
    }
}

struct team *team_create(unsigned size)
{
    pw_assert(size >= 1);
    size_t bytes = sizeof(struct team) + (size_t)size * sizeof(struct member);
    struct team *team = aligned_alloc(CACHE_LINE_BYTES, (bytes + CACHE_LINE_BYTES - 1) &
                                                            ~(size_t)(CACHE_LINE_BYTES - 1));
    if (team == NULL) {
        return NULL;
    }
    team->others = 0;
    team->spins = (long)size <= sysconf(_SC_NPROCESSORS_ONLN) ? SPIN_TURNS : 0;
    team->is_quick = team->spins > 0;
    atomic_init(&team->turn, 0);
    atomic_init(&team->done, 0);
    atomic_init(&team->sleepers, 0);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wake, NULL);
    for (unsigned i = 1; i < size; i++) {
        struct member *member = &team->members[i];
        *member = (struct member){.team = team, .index = i};
        int error_number = pthread_create(&member->thread, NULL, member_run, member);
        if (error_number != 0) {
            team_destroy(team);
            errno = error_number;
            return NULL;
        }
        team->others++;
    }
    return team;
}

void team_destroy(struct team *team)
{
    if (team == NULL) {
        return;
    }
    start_turn(team, NULL, NULL);
    for (unsigned i = 1; i <= team->others; i++) {
        pthread_join(team->members[i].thread, NULL);
    }
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

void team_run(struct team *team, team_work *work, void *argument)
{
    if (team == NULL) {
        work(argument, 0);
        return;
    }
    start_turn(team, work, argument);
    work(argument, 0);
    unsigned spins = 0;
    for (; atomic_load(&team->done) < team->others; spins++) {
        if (spins > team->spins) {
            sched_yield(); /* more threads than processors: let them run */
        } else {
            relax();
        }
    }
    team->is_quick = team->spins > 0 && spins <= team->spins;
    pw_assert(atomic_load(&team->done) == team->others);
}

bool team_is_quick(const struct team *team)
{
    return team->is_quick;
}
