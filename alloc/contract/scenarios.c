/*
 * scenarios.c - the scenarios; watched_heap.h checks the rules meanwhile.
 */
#include "base/macros.h"
#include "base/pw_assert.h"
#include "thread_scenario.h"
#include "watched_heap.h"
#include <string.h>

#define NODE_BYTES   16   /* sizeof(struct node) */
#define REFUSALS_MAX 2000 /* more than any scenario has requests to the source */

const struct contract_promise contract_promises[CONTRACT_RULES] = {
    [CONTRACT_SURVIVES] = {"survives", "neither crashes, hangs, nor ends the process"},
    [CONTRACT_OPENS] = {"opens", "opens, and again after closing as if for the first time"},
    [CONTRACT_GIVES] = {"gives", "a request fails only when the source refused memory"},
    [CONTRACT_ALIGNED] = {"aligned", "a block is aligned to NODE_ALIGNMENT"},
    [CONTRACT_APART] = {"apart", "no two live blocks overlap"},
    [CONTRACT_CONTENT] = {"content", "a live block keeps what was written to it"},
    [CONTRACT_REUSES] = {"reuses", "released memory serves the next requests, or goes back"},
    [CONTRACT_REFUSES] = {"refuses", "without memory: NULL, nothing changed; serves again after"},
    [CONTRACT_SOURCE] = {"source", "memory of the source: only what it gave, back only once"},
    [CONTRACT_RETURNS] = {"returns", "all memory is back after closing, unneeded after trim"},
    [CONTRACT_CHAINS] = {"chains", "a chain is taken back whole, and nothing else"},
    [CONTRACT_FRONT] = {"front", "a closed front is all zeros; no front opens under a checker"},
    [CONTRACT_COUNTS] = {"counts", "statistics are true, or unknown"},
    [CONTRACT_COST] = {"cost", "bytes_per_block is at least the size"},
    [CONTRACT_THREADS] = {"threads",
                          "a block has one owner, any thread may release it, all come back"},
    [CONTRACT_SOUND] = {"sound", "its own check finds nothing wrong"},
};

/* True if released memory may stay with the allocator and not serve again. */
static bool may_not_reuse(const struct contract *contract)
{
    return contract_has_flag(contract, NODE_ALLOCATOR_NO_REUSE) ||
           contract_has_flag(contract, NODE_ALLOCATOR_GIVES_BACK);
}

static void take_many(struct contract *contract, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        contract_take(contract, size);
    }
}

static void opening(struct contract *contract)
{
    for (int round = 0; round < 3; round++) {
        contract_open(contract);
        contract_inspect(contract);
        if (round == 1) {
            contract_trim(contract);
            contract_inspect(contract);
        }
        contract_close(contract);
    }
}

static void reopening(struct contract *contract)
{
    uint64_t calls[3];
    for (int round = 0; round < 3; round++) {
        contract_source_reset();
        contract_open(contract);
        take_many(contract, 500, NODE_BYTES);
        contract_give_chain(contract, 500);
        contract_inspect(contract);
        contract_close(contract);
        calls[round] = contract_source.calls;
        contract_hold(
            contract, CONTRACT_OPENS, calls[round] == calls[0],
            "asked its source %llu times when first open, and %llu times when opened again",
            (unsigned long long)calls[0], (unsigned long long)calls[round]);
    }
}

static void every_size(struct contract *contract)
{
    contract_open(contract);
    for (size_t size = 1; size <= 5000; size += size < 600 ? 1 : 11) {
        double cost = node_allocator_bytes_per_block(contract->heap.allocator, size);
        contract_hold(contract, CONTRACT_COST, cost >= (double)size,
                      "bytes_per_block of %zu bytes is %.1f", size, cost);
        contract_take(contract, size);
    }
    contract_inspect(contract);
    while (contract->live > 0) {
        contract_give(contract, contract_random(contract, contract->live));
    }
    contract_inspect(contract);
    contract_close(contract);
}

static void chains(struct contract *contract)
{
    static const size_t counts[] = {0, 1, 2, 3, 100, 2000};
    static const size_t sizes[] = {8, NODE_BYTES, 24, 512, 513};
    contract_open(contract);
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        for (size_t c = 0; c < COUNT_OF(counts); c++) {
            size_t count = counts[c] > 100 ? contract_steps(counts[c]) : counts[c];
            take_many(contract, count + 1, sizes[s]);
            contract_give_chain(contract, count);
            contract_inspect(contract);
            contract_give(contract, 0); /* the chain took only its own blocks */
            take_many(contract, count, sizes[s]);
            contract_give_chain(contract, count); /* with nothing else alive */
            contract_inspect(contract);
        }
    }
    contract_close(contract);
}

/* Judged from the third round on: a wrapper may hold some released blocks for a while. */
static void rounds(struct contract *contract)
{
    contract_open(contract);
    size_t count = contract_steps(4000);
    for (int round = 0; round < 5; round++) {
        uint64_t calls = contract_source.calls;
        take_many(contract, count, NODE_BYTES);
        uint64_t asked = contract_source.calls - calls;
        uint64_t held = contract_source.live;
        contract_give_chain(contract, count);
        bool gave_back = contract_source.live + asked <= held;
        contract_hold(contract, CONTRACT_REUSES,
                      round < 2 || asked == 0 || gave_back || may_not_reuse(contract),
                      "asked its source %llu times for %zu blocks in round %d, although it keeps "
                      "as many",
                      (unsigned long long)asked, count, round + 1);
    }
    contract_inspect(contract);
    contract_close(contract);
}

static void trimming(struct contract *contract)
{
    size_t count = contract_steps(3000);
    contract_open(contract);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < count; i++) {
            contract_take(contract, i % 3 == 0 ? 100 : NODE_BYTES);
        }
        for (size_t i = 0; i < count / 2; i++) { /* every second one */
            contract_give(contract, i);
        }
        contract_trim(contract);
        contract_inspect(contract);
        contract_give_all(contract);
        contract_trim(contract);
        contract_inspect(contract);
    }
    contract_hold(contract, CONTRACT_RETURNS,
                  contract_source.live <= contract->kept_from_opening ||
                      contract_has_region(contract),
                  "trimmed with no block alive, and keeps %llu blocks of its source",
                  (unsigned long long)contract_source.live);
    contract_close(contract);
}

/* Its functions may be registered again while blocks are alive. */
static struct memory_source before;
static uint64_t calls_of_the_old;

static void *old_allocate(size_t size)
{
    calls_of_the_old++;
    return before.allocate(size);
}

static void old_release(void *block)
{
    calls_of_the_old++;
    before.release(block);
}

static void another_source(struct contract *contract)
{
    contract_open(contract);
    before = contract->heap.source;
    contract->heap.source = (struct memory_source){old_allocate, old_release};
    contract_take(contract, NODE_BYTES);
    contract->heap.source = before;
    calls_of_the_old = 0;
    contract_take(contract, 400);
    contract_give_all(contract);
    contract_trim(contract);
    contract_hold(contract, CONTRACT_SOURCE, calls_of_the_old == 0,
                  "asked the functions of its earlier source, not the present ones");
    contract_close(contract);
}

/* Random traffic ------------------------------------------------------------------------------- */

enum order { ORDER_FIFO, ORDER_LIFO, ORDER_RANDOM, ORDER_COUNT };

/* Blocks of one size, or of mixed sizes when size is 0, up to live_max at a time. */
static void traffic(struct contract *contract, size_t size, size_t live_max)
{
    for (unsigned order = 0; order < ORDER_COUNT; order++) {
        bool growing = true;
        contract->from_front = true;
        contract_open(contract);
        for (size_t step = 0; step < contract_steps(5 * live_max); step++) {
            if (contract->live == live_max || contract->live == 0) {
                growing = contract->live == 0;
            }
            bool take = contract_random(contract, 10) < (growing ? 8u : 2u);
            if (contract->live == 0 || (take && contract->live < live_max)) {
                size_t limit = contract_random(contract, 8) == 0 ? 3000 : 80; /* some are large */
                contract_take(contract, size != 0 ? size : 1 + contract_random(contract, limit));
            } else {
                contract_give(contract, order == ORDER_FIFO ? 0
                                        : order == ORDER_LIFO
                                            ? contract->live - 1
                                            : contract_random(contract, contract->live));
            }
            contract_inspect(contract);
        }
        contract_give_all(contract);
        contract_inspect(contract);
        contract_close(contract);
    }
}

static void list_nodes(struct contract *contract)
{
    traffic(contract, NODE_BYTES, 800);
}

static void larger_nodes(struct contract *contract)
{
    traffic(contract, 256, 800);
}

static void mixed_sizes(struct contract *contract)
{
    traffic(contract, 0, 300);
}

/* Refusals ------------------------------------------------------------------------------------- */

/* Requests and releases of several sizes; a refused request is skipped. */
static void script(struct contract *contract)
{
    static const size_t sizes[] = {16, 16, 16, 300, 24, 16, 512, 1, 600};
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < 60; i++) {
            contract_try(contract, sizes[i % COUNT_OF(sizes)]);
            contract_inspect(contract);
        }
        for (size_t i = 0; i < contract->live; i++) { /* every second one */
            contract_give(contract, i);
            contract_inspect(contract);
        }
        if (round == 1) {
            contract_trim(contract);
            contract_inspect(contract);
        }
    }
    contract_give_all(contract);
    contract_inspect(contract);
}

/* Refuse run requests from the k-th on. */
static void refuse(uint64_t k, uint64_t run)
{
    contract_source_reset();
    contract_source.refuse_at = k;
    contract_source.refuse_run = run;
}

/* The next request to refuse: every one, or the first dozen and a sample when memory is watched. */
static uint64_t next(uint64_t k)
{
    return contract_steps(8) < 8 && k >= 12 ? k + 9 : k + 1;
}

/* For every k, the k-th request to the source fails; once alone, once with all later ones. */
static void refusals(struct contract *contract)
{
    static const uint64_t runs[] = {1, UINT64_MAX};
    for (size_t r = 0; r < COUNT_OF(runs); r++) {
        uint64_t k = 0;
        for (bool refused = true; refused && k < REFUSALS_MAX; k = next(k)) {
            refuse(k, runs[r]);
            if (contract_try_open(contract)) {
                script(contract);
                contract_close(contract);
            }
            refused = contract_source.refused > 0;
        }
        contract_hold(contract, CONTRACT_REFUSES, k < REFUSALS_MAX,
                      "asks its source more often the more is refused");
    }
    contract_source_reset();
}

static void memory_again(struct contract *contract)
{
    contract_open(contract);
    uint64_t k = 0;
    for (bool refused = true; refused && k < REFUSALS_MAX; k = next(k)) {
        refuse(k, UINT64_MAX);
        script(contract);
        refused = contract_source.refused > 0;
        contract_source_reset();
        script(contract);
        contract_hold(contract, CONTRACT_REFUSES, contract_source.refused == 0,
                      "does not serve again when there is memory again");
        contract_trim(contract);
    }
    contract_close(contract);
}

const struct contract_scenario contract_scenarios[] = {
    {"opening", true, opening},
    {"reopening", false, reopening},
    {"every size", false, every_size},
    {"list nodes", false, list_nodes},
    {"larger nodes", false, larger_nodes},
    {"mixed sizes", false, mixed_sizes},
    {"chains", false, chains},
    {"rounds", false, rounds},
    {"trimming", false, trimming},
    {"another source", false, another_source},
    {"refusals", false, refusals},
    {"memory again", false, memory_again},
    {"threads", false, contract_threads},
    {0},
};

/* True if the allocator gives nothing by its nature. */
static bool gives_none(struct contract *contract)
{
    contract_open(contract);
    bool none = contract_has_flag(contract, NODE_ALLOCATOR_GIVES_NONE);
    contract_close(contract);
    return none;
}

void contract_run(const struct contract_scenario *scenario, const char *specification,
                  uint64_t seed, struct contract_watch *watch, contract_broken broken)
{
    static struct contract contract;
    pw_assert(scenario->run != NULL && broken != NULL);
    memset(watch, 0, sizeof(*watch));
    watch->scenario = scenario->name;
    watch->seed = seed;
    watch->broken = CONTRACT_RULES;
    contract.specification = specification;
    contract.watch = watch;
    contract.broken = broken;
    contract.random = seed;
    contract.from_front = false;
    contract_source_reset();
    if (scenario->opens_only || !gives_none(&contract)) {
        scenario->run(&contract);
    }
    watch->looked_at[CONTRACT_SURVIVES]++;
    watch->is_over = true;
}
