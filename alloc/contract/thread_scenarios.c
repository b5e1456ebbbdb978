/*
 * thread_scenarios.c - see thread_scenarios.h.
 *
 * Every block carries a number and its complement, which change when it is given back. So a block
 * that two have at once, or that is given back twice, is found by whoever looks at it next. What a
 * thread finds is kept until all have ended: only then a broken rule may end the scenario.
 */
#include "thread_scenarios.h"
#include "base/pw_assert.h"
#include "base/splitmix.h"
#include "watched_heap.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS    4
#define NODE_BYTES 16
#define SLOTS      256
#define HELD_MAX   2048

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

/* A user of blocks: a front, if the heap opens one, and blocks held in a ring, the oldest first. */
struct user {
    struct node_front front;
    bool has_front;
    uint64_t *held[HELD_MAX];
    uint64_t numbers[HELD_MAX];
    size_t first, count;
    uint64_t next_number;
};

static struct {
    struct node_allocator *allocator;
    struct user users[THREADS];
    _Atomic(uint64_t *) slots[SLOTS];
    pthread_barrier_t barrier;
    pthread_mutex_t lock;
    char what[200]; /* the first thing that was wrong, or "" */
    uint64_t seed;
    size_t steps;
} team = {.lock = PTHREAD_MUTEX_INITIALIZER};

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&team.lock);
    if (team.what[0] == '\0') {
        vsnprintf(team.what, sizeof(team.what), format, arguments);
    }
    pthread_mutex_unlock(&team.lock);
    va_end(arguments);
}

static bool is_wrong(void)
{
    pthread_mutex_lock(&team.lock);
    const bool wrong = team.what[0] != '\0';
    pthread_mutex_unlock(&team.lock);
    return wrong;
}

/* Blocks --------------------------------------------------------------------------------------- */

static void mark(uint64_t *block, uint64_t number)
{
    block[0] = number;
    block[1] = ~number;
}

/* True if a block is as mark left it; then nobody else may find it so. */
static bool unmark(uint64_t *block, const uint64_t *number)
{
    const bool is_whole = block[1] == ~block[0] && (number == NULL || block[0] == *number);
    if (!is_whole) {
        note("a block at %p was given to two threads, or taken back twice", (void *)block);
    }
    block[1] = block[0];
    return is_whole;
}

static void open_user(struct user *user, unsigned number)
{
    memset(user, 0, sizeof(*user));
    user->next_number = (uint64_t)(number + 1) << 40;
    user->has_front = node_allocator_open_front(team.allocator, &user->front, NODE_BYTES);
}

static uint64_t *take_by_front(struct user *user)
{
    uint64_t *block = node_front_take(&user->front, user->front.block_bytes);
    return block != NULL ? block : team.allocator->type->fronts->take(team.allocator, &user->front);
}

/* Take a block, by the front unless is_by_heap. */
static void take(struct user *user, bool is_by_heap)
{
    if (user->count == HELD_MAX) {
        return;
    }
    uint64_t *block = user->has_front && !is_by_heap
                          ? take_by_front(user)
                          : node_allocator_allocate(team.allocator, NODE_BYTES);
    if (block == NULL) {
        note("gave no block although its source refused nothing");
        return;
    }
    const size_t at = (user->first + user->count++) % HELD_MAX;
    user->held[at] = block;
    user->numbers[at] = user->next_number++;
    mark(block, user->numbers[at]);
}

/* Give the oldest block back. */
static void give(struct user *user)
{
    if (user->count == 0) {
        return;
    }
    uint64_t *block = user->held[user->first];
    unmark(block, &user->numbers[user->first]);
    user->first = (user->first + 1) % HELD_MAX;
    user->count--;
    if (!user->has_front) {
        node_allocator_release(team.allocator, block, NODE_BYTES);
    } else if (!node_front_give(&user->front, block, user->front.block_bytes)) {
        team.allocator->type->fronts->give(team.allocator, &user->front, block);
    }
}

/* Give all that is held back as a chain, and close the front. */
static void close_user(struct user *user)
{
    void *head = NULL, *tail = NULL;
    for (size_t i = user->count; i-- > 0;) {
        uint64_t *block = user->held[(user->first + i) % HELD_MAX];
        unmark(block, &user->numbers[(user->first + i) % HELD_MAX]);
        memcpy(block, &head, sizeof(head));
        tail = tail != NULL ? tail : block;
        head = block;
    }
    if (user->has_front) {
        team.allocator->type->fronts->close(team.allocator, &user->front, head, tail, user->count);
    } else {
        node_allocator_release_chain(team.allocator, head, tail, user->count, NODE_BYTES);
    }
    user->has_front = false;
    user->count = 0;
}

/* Some steps of a queue that grows and shrinks. */
static void use(struct user *user, uint64_t *random, size_t steps)
{
    for (size_t i = 0; i < steps && !is_wrong(); i++) {
        const uint64_t chosen = splitmix_next(random);
        for (uint64_t n = chosen % 100; n > 0; n--) {
            take(user, chosen / 100 % 16 == 0);
        }
        for (uint64_t n = chosen / 1600 % 100; n > 0; n--) {
            give(user);
        }
    }
}

/* Threads -------------------------------------------------------------------------------------- */

static void in_threads(void *(*run)(void *))
{
    pthread_t threads[THREADS];
    size_t started = 0;
    while (started < THREADS &&
           pthread_create(&threads[started], NULL, run, (void *)(uintptr_t)started) == 0) {
        started++;
    }
    pw_assert(started == THREADS);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void *own(void *argument)
{
    const unsigned number = (unsigned)(uintptr_t)argument;
    uint64_t random = team.seed + number;
    for (size_t round = 0; round < 10; round++) {
        open_user(&team.users[number], number);
        use(&team.users[number], &random, team.steps / 100);
        close_user(&team.users[number]);
    }
    return NULL;
}

static void *hand_over(void *argument)
{
    const unsigned number = (unsigned)(uintptr_t)argument;
    uint64_t random = team.seed + number;
    for (unsigned round = 0; round < 40; round++) {
        pthread_barrier_wait(&team.barrier);
        use(&team.users[(number + round) % THREADS], &random, team.steps / 400);
    }
    return NULL;
}

static void *leave(void *argument)
{
    const unsigned number = (unsigned)(uintptr_t)argument;
    uint64_t random = team.seed + number;
    open_user(&team.users[number], number);
    use(&team.users[number], &random, 1 + team.steps / 1000);
    return NULL;
}

static void give_slot(uint64_t *block)
{
    if (block != NULL && unmark(block, NULL)) {
        node_allocator_release(team.allocator, block, NODE_BYTES);
    }
}

static void *storm(void *argument)
{
    const unsigned number = (unsigned)(uintptr_t)argument;
    uint64_t random = team.seed + number;
    for (size_t i = 0; i < team.steps && !is_wrong(); i++) {
        uint64_t *block = node_allocator_allocate(team.allocator, NODE_BYTES);
        if (block == NULL) {
            note("gave no block although its source refused nothing");
            break;
        }
        mark(block, (uint64_t)(number + 1) << 40 | i);
        give_slot(atomic_exchange(&team.slots[splitmix_next(&random) % SLOTS], block));
    }
    return NULL;
}

/* Scenarios ------------------------------------------------------------------------------------ */

/* Open the heap. False: it is not for threads, and closed again. */
static bool start(struct contract *contract, const char *doing)
{
    static const struct memory_source source = {source_allocate, source_release};
    struct node_allocator_error error;
    struct contract_watch *watch = contract->watch;
    watch->operation++;
    snprintf(watch->doing, sizeof(watch->doing), "%s", doing);
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
    memset(team.users, 0, sizeof(team.users));
    memset(team.slots, 0, sizeof(team.slots));
    team.allocator = contract->heap.allocator;
    team.what[0] = '\0';
    team.seed = contract->random;
    team.steps = contract_steps(4000);
    return true;
}

/* No thread works any more, and no block is alive. */
static void finish(struct contract *contract)
{
    struct node_allocator_statistics found;
    contract_hold(contract, CONTRACT_THREADS, team.what[0] == '\0', "%s", team.what);
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

void contract_owners(struct contract *contract)
{
    if (start(contract, "owners")) {
        in_threads(own);
        finish(contract);
    }
}

void contract_hand_over(struct contract *contract)
{
    if (!start(contract, "hand-over")) {
        return;
    }
    pthread_barrier_init(&team.barrier, NULL, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        open_user(&team.users[i], i);
    }
    in_threads(hand_over);
    for (unsigned i = 0; i < THREADS; i++) {
        close_user(&team.users[i]);
    }
    pthread_barrier_destroy(&team.barrier);
    finish(contract);
}

void contract_exits(struct contract *contract)
{
    if (!start(contract, "exits")) {
        return;
    }
    for (size_t round = 0; round < contract_steps(40); round++) {
        in_threads(leave);
        for (unsigned i = 0; i < THREADS; i++) {
            close_user(&team.users[i]);
        }
        team.seed++;
    }
    finish(contract);
}

void contract_storm(struct contract *contract)
{
    if (!start(contract, "storm")) {
        return;
    }
    in_threads(storm);
    for (size_t i = 0; i < SLOTS; i++) {
        give_slot(atomic_load(&team.slots[i]));
    }
    finish(contract);
}
