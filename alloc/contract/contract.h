/*
 * contract.h - the rules of node_allocator.h as one list, and the scenarios that hold an allocator
 * to them. The test suite and `allocbench check` both walk these two lists.
 *
 * 1. A scenario opens the allocator on a source of its own, which guards what it gives, and makes
 *    some thousand requests and releases, each one numbered.
 * 2. After each operation the rules are looked at. The first broken one ends the scenario, by a
 *    function of the caller that does not return.
 * 3. What is going on stands in a struct contract_watch. In memory that a parent shares it tells
 *    after a crash which operation was under way.
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
    CONTRACT_SOUND,
    CONTRACT_RULES /* their number */
};

struct contract_promise {
    const char *name;    /* one word */
    const char *promise; /* what the rule says, at most 64 characters */
};

extern const struct contract_promise contract_promises[CONTRACT_RULES];

/* What a scenario does, and how it ended. */
struct contract_watch {
    const char *scenario; /* its name */
    uint64_t seed;
    uint64_t operation; /* the current one, from 1; 0: before the first */
    const char *doing;  /* what the operation is: "request", "release" */
    size_t size;        /* of its block; 0: it has none */
    const void *block;  /* NULL: there is none yet */
    uint64_t looked_at[CONTRACT_RULES];
    enum contract_rule broken; /* CONTRACT_RULES: none */
    char what[400];            /* how it was broken */
    bool is_over;              /* the scenario came to its end */
};

/* Called with a broken rule; must not return. */
typedef void (*contract_broken)(const struct contract_watch *watch) __attribute__((noreturn));

struct contract;

struct contract_scenario {
    const char *name; /* NULL ends the list */
    bool opens_only;  /* makes no requests: fit for an allocator that gives nothing */
    void (*run)(struct contract *contract);
};

extern const struct contract_scenario contract_scenarios[];

/*
 * Run a scenario on the allocator of a specification. Returns when every rule held, or when the
 * allocator gives nothing by its nature and the scenario needs blocks; watch says which rules were
 * looked at.
 */
void contract_run(const struct contract_scenario *scenario, const char *specification,
                  uint64_t seed, struct contract_watch *watch, contract_broken broken);
