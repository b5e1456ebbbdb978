/*
 * parallel.c - starts threads, takes part, and waits for them.
 */
#include "parallel.h"
#include "base/pw_assert.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct member {
    pthread_t thread;
    parallel_work *work;
    void *context;
    unsigned number;
};

unsigned parallel_count(unsigned wanted)
{
    long processors = wanted > 0 ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
    return wanted > 0 ? wanted : processors > 0 ? (unsigned)processors : 1;
}

static void *run_member(void *argument)
{
    const struct member *member = argument;
    member->work(member->context, member->number);
    return NULL;
}

void parallel_run(unsigned count, parallel_work *work, void *context)
{
    pw_assert(count > 0);
    struct member *members = calloc(count, sizeof(*members));
    unsigned started = 1;
    while (members != NULL && started < count) {
        struct member *member = &members[started];
        *member = (struct member){.work = work, .context = context, .number = started};
        if (pthread_create(&member->thread, NULL, run_member, member) != 0) {
            break;
        }
        started++;
    }
    pw_assert(started <= count);
    work(context, 0);
    for (unsigned i = 1; i < started; i++) {
        pthread_join(members[i].thread, NULL);
    }
    free(members);
}

struct pieces {
    parallel_piece *piece;
    void *context;
    size_t count;
    atomic_size_t next;
};

static void take_pieces(void *context, unsigned number)
{
    struct pieces *pieces = context;
    for (size_t i; (i = atomic_fetch_add(&pieces->next, 1)) < pieces->count;) {
        pieces->piece(pieces->context, number, i);
    }
}

void parallel_each(unsigned threads, size_t count, parallel_piece *piece, void *context)
{
    struct pieces pieces = {.piece = piece, .context = context, .count = count};
    parallel_run(threads < count ? threads : (unsigned)count, take_pieces, &pieces);
}
