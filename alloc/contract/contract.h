/*
 * contract.h - the rules of node_allocator.h as one list, and the scenarios that check an allocator
 * against them. The test suite and `allocbench check` both walk these two lists.
 *
 * 1. A scenario opens the allocator on a source that guards its blocks. It makes some thousand
 *    numbered requests and releases.
 * 2. After each operation the rules are checked. The first broken one ends the scenario, by a
 *    function of the caller that does not return.
 * 3. The current operation is recorded in a struct contract_watch. In memory shared with a parent
 *    it shows after a crash which operation was running.
 * The same seed gives the same operations. One scenario at a time in a process.
 */
#pragma once

#include "alloc/node_allocator.h"

enum contract_rule {
    CONTRACT_SURVIVES,
    CONTRACT_OPENS,
    CONTRACT_GIVES,
    CONTRACT_ALIGNED,
    CONTRACT_APART,
    CONTRACT_CONTENT,
    CONTRACT_REUSES,
    CONTRACT_REFUSES,
    CONTRACT_SOURCE,
    CONTRACT_RETURNS,
    CONTRACT_CHAINS,
    CONTRACT_FRONT,
    CONTRACT_COUNTS,
    CONTRACT_COST,
    CONTRACT_THREADS,
    CONTRACT_SOUND,
    CONTRACT_RULES /* their number */
};

struct contract_promise {
    const char *name;    /* one word */
    const char *promise; /* the rule, at most 64 characters */
};

extern const struct contract_promise contract_promises[CONTRACT_RULES];

/* The state of a scenario, and how it ended. No text is a pointer except scenario, because a
 * child shares this, whose allocator may write over it. */
struct contract_watch {
    const char *scenario; /* its name */
    uint64_t seed;
    uint64_t operation; /* the current one, from 1; 0: before the first */
    char doing[24];     /* the operation: "request", "release"; "": not yet */
    size_t size;        /* of its block; 0: it has no block */
    const void *block;  /* NULL: not yet */
    uint64_t looked_at[CONTRACT_RULES];
    enum contract_rule broken; /* CONTRACT_RULES: no rule */
    char what[400];            /* how it was broken */
    bool is_over;              /* the scenario ran to its end */
};

/* Called with a broken rule; must not return. */
typedef void (*contract_broken)(const struct contract_watch *watch) __attribute__((noreturn));

struct contract;

struct contract_scenario {
    const char *name; /* NULL ends the list */
    bool opens_only;  /* makes no requests: suits an allocator that gives nothing */
    void (*run)(struct contract *contract);
};

extern const struct contract_scenario contract_scenarios[];

/*
 * Run a scenario on the allocator of a specification. Returns when every rule held, or when the
 * scenario needs blocks and the allocator never gives any; watch says which rules were checked.
 */
void contract_run(const struct contract_scenario *scenario, const char *specification,
                  uint64_t seed, struct contract_watch *watch, contract_broken broken);
