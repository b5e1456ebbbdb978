/*
 * thread_scenario.c - see thread_scenario.h.
 *
 * 1. Each thread takes blocks from the heap and swaps them with blocks of other threads, which it
 *    releases. In turn it takes blocks by a front of its own, and gives the oldest back. After
 *    each round the threads release what is left, while no thread takes a block.
 * 2. Every block carries a number and its complement, which change when it is given back. So
 *    the next thread finds a block that two have at once, or that was given back twice.
 * 3. What a thread finds is kept until all have ended: only then a broken rule may end the
 *    scenario.
 */
#include "thread_scenario.h"
#include "base/pw_assert.h"
#include "base/splitmix.h"
#include "watched_heap.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS    4
#define ROUNDS     10
#define NODE_BYTES 16
#define SLOTS      64
#define HELD       300

/* The source: as malloc, for all threads. */
static atomic_size_t source_live;

static void *source_allocate(size_t size)
{
    void *block = malloc(size);
    atomic_fetch_add(&source_live, block != NULL);
    return block;
}

static void source_release(void *block)
{
    atomic_fetch_sub(&source_live, block != NULL);
    free(block);
}

static struct {
    struct node_allocator *allocator;
    _Atomic(uint64_t *) slots[SLOTS]; /* blocks that wait for another thread; NULL: empty */
    _Atomic(const char *) wrong;      /* the first thing that was wrong, or NULL */
    pthread_barrier_t barrier;
    uint64_t seed;
    size_t steps;
} team;

/* A front, if the heap opens one, and the blocks held by it in a ring, the oldest first. */
struct user {
    struct node_front front;
    uint64_t *held[HELD];
    size_t first, count;
};

static void note(const char *what)
{
    const char *none = NULL;
    atomic_compare_exchange_strong(&team.wrong, &none, what);
}

/* Blocks --------------------------------------------------------------------------------------- */

static uint64_t *mark(uint64_t *block, uint64_t number)
{
    if (block == NULL) {
        note("gave no block although its source refused nothing");
        return NULL;
    }
    block[0] = number;
    block[1] = ~number;
    return block;
}

/* True if a block is as mark left it; then nobody else may find it so. */
static bool unmark(uint64_t *block)
{
    const bool is_whole = block[1] == ~block[0];
    if (!is_whole) {
        note("a block was given to two threads, or taken back twice");
    }
    block[1] = block[0];
    return is_whole;
}

static void release(uint64_t *block)
{
    if (block != NULL && unmark(block)) {
        node_allocator_release(team.allocator, block, NODE_BYTES);
    }
}

/* Leave a block to another thread, and release one of another thread. */
static void swap(uint64_t number, size_t slot)
{
    uint64_t *block = mark(node_allocator_allocate(team.allocator, NODE_BYTES), number);
    if (block != NULL) {
        release(atomic_exchange(&team.slots[slot], block));
    }
}

static void take_by_front(struct user *user, uint64_t number)
{
    uint64_t *block = node_front_take(&user->front, user->front.block_bytes);
    if (block == NULL) {
        block = team.allocator->type->fronts->take(team.allocator, &user->front);
    }
    if (mark(block, number) != NULL) {
        user->held[(user->first + user->count++) % HELD] = block;
    }
}

/* Give the oldest block back. */
static void give_by_front(struct user *user)
{
    uint64_t *block = user->held[user->first];
    unmark(block);
    user->first = (user->first + 1) % HELD;
    user->count--;
    if (!node_front_give(&user->front, block, user->front.block_bytes)) {
        team.allocator->type->fronts->give(team.allocator, &user->front, block);
    }
}

/* Give all that is held back as a chain, and close the front. */
static void close_front(struct user *user)
{
    void *head = NULL;
    void *tail = NULL;
    for (size_t i = user->count; i-- > 0;) {
        uint64_t *block = user->held[(user->first + i) % HELD];
        unmark(block);
        memcpy(block, &head, sizeof(head));
        tail = tail != NULL ? tail : block;
        head = block;
    }
    const struct node_front_type *fronts = team.allocator->type->fronts;
    if (user->count > 0) {
        fronts->give_chain(team.allocator, &user->front, head, tail, user->count);
    }
    fronts->close(team.allocator, &user->front);
}

/* Threads -------------------------------------------------------------------------------------- */

static void *work(void *argument)
{
    uint64_t number = (uint64_t)((uintptr_t)argument + 1) << 40; /* of the next block */
    uint64_t random = team.seed + number;
    for (size_t round = 0; round < ROUNDS; round++) {
        struct user user = {.count = 0};
        const bool has_front = node_allocator_open_front(team.allocator, &user.front, NODE_BYTES);
        for (size_t i = 0; i < team.steps && atomic_load(&team.wrong) == NULL; i++) {
            const uint64_t chosen = splitmix_next(&random);
            const bool grows = (i / HELD) % 2 == 0;
            swap(number++, chosen % SLOTS);
            if (has_front && grows && user.count < HELD) {
                take_by_front(&user, number++);
            } else if (user.count > 0) {
                give_by_front(&user);
            }
        }
        if (has_front) {
            close_front(&user);
        }
        pthread_barrier_wait(&team.barrier);
        for (size_t slot = (size_t)(uintptr_t)argument; slot < SLOTS; slot += THREADS) {
            release(atomic_exchange(&team.slots[slot], NULL));
        }
        pthread_barrier_wait(&team.barrier);
    }
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[THREADS];
    size_t started = 0;
    pthread_barrier_init(&team.barrier, NULL, THREADS);
    while (started < THREADS &&
           pthread_create(&threads[started], NULL, work, (void *)(uintptr_t)started) == 0) {
        started++;
    }
    pw_assert(started == THREADS);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&team.barrier);
}

/* The scenario --------------------------------------------------------------------------------- */

/* Open the heap. False: it is not for threads, and closed again. */
static bool start(struct contract *contract)
{
    static const struct memory_source source = {source_allocate, source_release};
    struct node_allocator_error error;
    struct contract_watch *watch = contract->watch;
    watch->operation++;
    snprintf(watch->doing, sizeof(watch->doing), "use by threads");
    atomic_store(&source_live, 0);
    contract->live = 0;
    contract->live_bytes = 0;
    const bool opened = node_heap_open(&contract->heap, contract->specification, &source, &error);
    contract_hold(contract, CONTRACT_OPENS, opened, "%.300s", error.message);
    if (!node_allocator_is_thread_safe(contract->heap.allocator)) {
        node_heap_close(&contract->heap);
        return false;
    }
    contract->kept_from_opening = atomic_load(&source_live);
    memset(team.slots, 0, sizeof(team.slots));
    team.allocator = contract->heap.allocator;
    atomic_store(&team.wrong, NULL);
    team.seed = contract->random;
    team.steps = contract_steps(2000);
    return true;
}

/* No thread works any more, and no block is alive. */
static void finish(struct contract *contract)
{
    struct node_allocator_statistics found;
    const char *wrong = atomic_load(&team.wrong);
    contract_hold(contract, CONTRACT_THREADS, wrong == NULL, "%s", wrong);
    node_allocator_statistics(team.allocator, &found);
    contract_hold(contract, CONTRACT_THREADS,
                  found.live_blocks == NODE_STATISTIC_UNKNOWN || found.live_blocks == 0,
                  "all blocks are back, and it says that %llu are alive",
                  (unsigned long long)found.live_blocks);
    char message[200] = "";
    contract_hold(contract, CONTRACT_SOUND,
                  node_allocator_check(team.allocator, message, sizeof(message)), "%s", message);
    node_allocator_trim(team.allocator);
    contract_hold(contract, CONTRACT_THREADS,
                  atomic_load(&source_live) <= contract->kept_from_opening ||
                      contract_has_region(contract),
                  "trimmed with no block alive, and keeps %zu blocks of its source",
                  atomic_load(&source_live));
    node_heap_close(&contract->heap);
    contract_hold(contract, CONTRACT_THREADS, atomic_load(&source_live) == 0,
                  "closed, and keeps %zu blocks of its source", atomic_load(&source_live));
}

void contract_threads(struct contract *contract)
{
    if (start(contract)) {
        run_threads();
        finish(contract);
    }
}
