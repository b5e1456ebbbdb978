/*
 * allocbench_memory_replay.c - the bodies of "memory": recorded requests, and the pages that live
 * blocks pin.
 *
 * 1. Each recorded thread is a thread here. One of them runs at a time: it hands over where the
 *    recording goes on with another, so that all calls come in their recorded order. All threads
 *    stay until the end.
 * 2. At the peak and after the last step the live blocks are counted by page. What no live block
 *    covers is empty; of a page that is half empty or more, the empty bytes belong to the call
 *    sites of its blocks, in proportion to their bytes there.
 * 3. A quiet point is where live bytes have fallen by half, and by 1 MiB or more. If MEMORY_TRIMS
 *    is set, malloc_trim(3) is called there and at the end.
 */
#include "allocbench_memory.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define QUIET_BYTES 1048576.0

/* A page in which a live block begins or ends. */
struct page {
    uint64_t number; /* 0: none */
    uint64_t live;   /* bytes */
};

/* One struct: what the threads of a replay share. */
struct replay {
    struct bench_input steps; /* the words of a trace */
    const uint32_t *marks;
    uint32_t threads;
    bool is_watched, trims;
    struct node_heap heap;
    struct trace_slot *slots;
    size_t slot_count;
    struct page *pages; /* open addressing; NULL: nothing is watched */
    size_t page_room;   /* a power of two */
    uint64_t page_bytes;
    struct memory_watch watch;
    double *values;
    size_t peak;       /* the word of the step with the most bytes alive */
    size_t at;         /* the next word */
    double live, high; /* alive now, and the most since the last quiet point */
    uint64_t spent_ns;
    bool failed;
    uint32_t turn; /* the thread that runs */
    pthread_mutex_t lock;
    pthread_cond_t handed_over;
};

/* Pages ---------------------------------------------------------------------------------------- */

/* The bytes of a block in its first and in its last page, which may be the same one. */
struct ends {
    uint64_t numbers[2], bytes[2];
    uint64_t between; /* pages that it fills */
};

static struct ends ends_of(const struct replay *replay, const struct trace_slot *slot)
{
    const uint64_t page = replay->page_bytes;
    const uint64_t first = (uint64_t)(uintptr_t)slot->block;
    const uint64_t last = first + slot->size - 1;
    const bool is_one = first / page == last / page;
    return (struct ends){
        .numbers = {first / page, last / page},
        .bytes = {is_one ? slot->size : page - first % page, is_one ? 0 : last % page + 1},
        .between = is_one ? 0 : last / page - first / page - 1};
}

/* The entry of a page, or the free one where it belongs. */
static struct page *page_of(const struct replay *replay, uint64_t number)
{
    size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (replay->page_room - 1);
    while (replay->pages[at].number != 0 && replay->pages[at].number != number) {
        at = (at + 1) & (replay->page_room - 1);
    }
    return &replay->pages[at];
}

/* Fill the table of pages. Returns the bytes of all pages with a live block. */
static uint64_t count_pages(struct replay *replay)
{
    uint64_t pinned = 0;
    memset(replay->pages, 0, replay->page_room * sizeof(*replay->pages));
    for (size_t i = 0; i < replay->slot_count; i++) {
        if (replay->slots[i].block == NULL) {
            continue;
        }
        const struct ends ends = ends_of(replay, &replay->slots[i]);
        pinned += ends.between;
        for (int k = 0; k < 2; k++) {
            struct page *page = page_of(replay, ends.numbers[k]);
            pinned += page->number == 0;
            page->number = ends.numbers[k];
            page->live += ends.bytes[k];
            pw_assert(page->live <= replay->page_bytes);
        }
    }
    return pinned * replay->page_bytes;
}

/* Count the live blocks at a moment, after the memory was read. */
static void count_blocks(struct replay *replay, enum moment moment)
{
    double *const values = replay->values;
    values[MEMORY_HELD_AT + moment] = values[MEMORY_HELD_END]; /* the last reading */
    values[MEMORY_PINNED + moment] = (double)count_pages(replay);
    for (size_t i = 0; i < replay->slot_count; i++) {
        const struct trace_slot *slot = &replay->slots[i];
        if (slot->block == NULL) {
            continue;
        }
        const struct ends ends = ends_of(replay, slot);
        for (int k = 0; k < 2; k++) {
            const double live = (double)page_of(replay, ends.numbers[k])->live;
            const double empty = (double)replay->page_bytes - live;
            if (empty >= live) {
                values[memory_site_value(slot->site, moment, SITE_EMPTY)] +=
                    empty * (double)ends.bytes[k] / live;
            }
        }
        values[memory_site_value(slot->site, moment, SITE_LIVE)] += slot->size;
        values[memory_site_value(slot->site, moment, SITE_BLOCKS)]++;
    }
}

/* Steps ---------------------------------------------------------------------------------------- */

static void give_back(const struct replay *replay)
{
#ifdef __GLIBC__
    if (replay->trims) {
        malloc_trim(0);
    }
#else
    (void)replay;
#endif
}

/* After the step at a word: is it a quiet point, is the memory to be read? */
static void look(struct replay *replay, size_t at)
{
    replay->high = fmax(replay->high, replay->live);
    if (replay->live < replay->high / 2 && replay->high - replay->live >= QUIET_BYTES) {
        replay->high = replay->live;
        give_back(replay);
    }
    if (!replay->is_watched) {
        return;
    }
    if (at == replay->peak || memory_watch_is_due(&replay->watch, at / 2, 0)) {
        memory_watch_look(&replay->watch, at / 2, trace_touched(replay->live));
    }
    if (at == replay->peak) {
        count_blocks(replay, AT_PEAK);
    }
}

/* The thread of the step at a word, from 0. */
static uint32_t thread_of(const struct replay *replay, size_t at)
{
    const uint32_t thread = replay->marks[at];
    pw_assert(replay->threads > 0);
    return thread > 0 ? (thread - 1) % replay->threads : 0;
}

/* Make the steps of a thread, up to one of another thread or the end. */
static void play(struct replay *replay, uint32_t own)
{
    const uint32_t *words = replay->steps.items;
    const uint64_t start_ns = clock_now_ns();
    while (replay->at < replay->steps.count && thread_of(replay, replay->at) == own) {
        const size_t at = replay->at;
        struct trace_slot *slot = &replay->slots[words[at]];
        replay->live += words[at + 1] > 0 ? words[at + 1] : -(double)slot->size;
        if (!trace_step(replay->heap.allocator, slot, words[at + 1])) {
            replay->failed = true;
            replay->at = replay->steps.count;
            return;
        }
        slot->site = replay->marks[at + 1];
        look(replay, at);
        replay->at += 2;
    }
    if (replay->at == replay->steps.count) {
        give_back(replay);
    }
    replay->spent_ns += clock_now_ns() - start_ns;
    if (replay->at == replay->steps.count && replay->is_watched) {
        memory_watch_end(&replay->watch, trace_touched(replay->live));
        count_blocks(replay, AT_END);
    }
}

struct player {
    struct replay *replay;
    uint32_t own;
    pthread_t thread;
};

static void *play_in_turn(void *argument)
{
    const struct player *player = argument;
    struct replay *replay = player->replay;
    pthread_mutex_lock(&replay->lock);
    while (replay->at < replay->steps.count) {
        if (replay->turn != player->own) {
            pthread_cond_wait(&replay->handed_over, &replay->lock);
            continue;
        }
        play(replay, player->own);
        if (replay->at < replay->steps.count) {
            replay->turn = thread_of(replay, replay->at);
        }
        pthread_cond_broadcast(&replay->handed_over);
    }
    pthread_mutex_unlock(&replay->lock);
    return NULL;
}

/* Open the allocator: what it holds from here on is counted. */
static bool start(struct replay *replay, const char *specification)
{
    if (replay->is_watched) {
        memory_watch_start(&replay->watch, replay->steps.count / 2 + 1, replay->values);
    }
    return bench_open_heap(&replay->heap, specification, NULL);
}

/* Play all steps in as many threads as were recorded. False: a thread or the allocator cannot be
 * had. */
static bool play_in_threads(struct replay *replay, const char *specification)
{
    static struct player players[BENCH_THREADS_MAX];
    uint32_t count = 0;
    pw_assert(replay->threads <= BENCH_THREADS_MAX);
    pthread_mutex_lock(&replay->lock);
    while (count < replay->threads) {
        struct player *player = &players[count];
        *player = (struct player){.replay = replay, .own = count};
        if (pthread_create(&player->thread, NULL, play_in_turn, player) != 0) {
            break;
        }
        count++;
    }
    const bool is_ready = count == replay->threads && start(replay, specification);
    replay->turn = thread_of(replay, 0);
    replay->at = is_ready ? 0 : replay->steps.count;
    pthread_mutex_unlock(&replay->lock);
    while (count > 0) {
        pthread_join(players[--count].thread, NULL);
    }
    return is_ready;
}

static enum bench_status run_replay(const struct bench_run *run, struct replay *replay)
{
    const struct bench_input *given = run->parameters;
    const size_t words = (given->count - MEMORY_HEAD) / 2;
    size_t bytes = 0;
    replay->steps = (struct bench_input){.items = given->items + MEMORY_HEAD, .count = words};
    replay->marks = given->items + MEMORY_HEAD + words;
    replay->threads = given->items[MEMORY_THREADS];
    replay->page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    replay->trims = getenv(MEMORY_TRIMS) != NULL;
    replay->slots = trace_slots(&replay->steps, &bytes);
    if (replay->slots == NULL) {
        return BENCH_FAILED;
    }
    replay->slot_count = bytes / sizeof(*replay->slots);
    replay->peak = trace_peak(&replay->steps, replay->slots, bytes);
    for (replay->page_room = 1024; replay->page_room < 4 * replay->slot_count;) {
        replay->page_room *= 2;
    }
    if (replay->is_watched) {
        replay->pages = bench_map(replay->page_room * sizeof(*replay->pages));
        if (replay->pages == NULL) {
            return BENCH_FAILED;
        }
    }
    bool is_open = true;
    if (replay->threads > 1) {
        is_open = play_in_threads(replay, run->specification);
    } else if ((is_open = start(replay, run->specification))) {
        play(replay, 0);
    }
    return !is_open         ? BENCH_FAILED
           : replay->failed ? bench_refused(replay->heap.allocator)
                            : BENCH_DONE;
}

enum bench_status bench_memory_replay(const struct bench_run *run, double *values)
{
    static struct replay replay = {.is_watched = true,
                                   .lock = PTHREAD_MUTEX_INITIALIZER,
                                   .handed_over = PTHREAD_COND_INITIALIZER};
    replay.values = values;
    const enum bench_status status = run_replay(run, &replay);
    return status == BENCH_DONE && !memory_watch_is_possible(&replay.watch) ? BENCH_UNSEEN : status;
}

enum bench_status bench_memory_time(const struct bench_run *run, double *values)
{
    static struct replay replay = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                   .handed_over = PTHREAD_COND_INITIALIZER};
    const enum bench_status status = run_replay(run, &replay);
    values[0] = (double)replay.spent_ns;
    return status;
}
