/*
 * watched_heap.h - an open allocator that keeps every block on record: the scenarios' operations.
 *
 * Blocks lie in an array by age, for the scenarios, and in a tree by address, which shows an
 * overlap before anything is written. Each is filled with one byte, and compared before release.
 */
#pragma once

#include "alloc/heaps/place_table.h"
#include "alloc/node_front.h"
#include "contract.h"

#define CONTRACT_BLOCKS_MAX 4096
#define CONTRACT_FRONTS     3 /* open at a time */

struct contract_front {
    struct node_front front;
    size_t size; /* of its blocks; 0: closed */
};

struct contract_block {
    unsigned char *bytes;
    size_t size;
    uint64_t operation; /* that requested it */
    unsigned char fill;
};

struct contract {
    struct node_heap heap;
    const char *specification;
    struct contract_watch *watch;
    contract_broken broken;
    uint64_t random; /* state of the random numbers */
    bool from_front; /* take and give through fronts at times */
    struct contract_front fronts[CONTRACT_FRONTS];
    struct contract_block by_age[CONTRACT_BLOCKS_MAX];
    struct place_table by_address;
    size_t live;
    uint64_t live_bytes;
    uint64_t kept_from_opening; /* blocks of the source taken when it opened: its state, say */
};

/* The source: the requests it got, and when it must refuse. */
struct contract_source {
    uint64_t calls, live, refused;
    uint64_t refuse_at; /* number of the call, from 0; UINT64_MAX: never */
    uint64_t refuse_run;
    bool has_refused; /* since the allocator was opened */
};

extern struct contract_source contract_source;

/* Start counting again, refusing nothing. */
void contract_source_reset(void);

/* A random number below limit. */
size_t contract_random(struct contract *contract, size_t limit);

/* A number of operations: fewer when every memory access is watched. */
size_t contract_steps(size_t native);

/* Report a broken rule and end the scenario. */
__attribute__((noreturn, format(printf, 3, 4))) void
contract_break(struct contract *contract, enum contract_rule rule, const char *format, ...);

/* Note that a rule was checked, and end the scenario unless it holds. */
#define contract_hold(contract, rule, holds, ...)                                                  \
    ((contract)->watch->looked_at[rule]++,                                                         \
     (holds) ? (void)0 : contract_break(contract, rule, __VA_ARGS__))

/* Open the allocator. False: the source refused something, and nothing is left. */
bool contract_try_open(struct contract *contract);

/* Open the allocator; a refusal breaks the rule. */
void contract_open(struct contract *contract);

/* Close the allocator, once no block is alive: all memory must be back. */
void contract_close(struct contract *contract);

/* Take a block, checked and filled. False: the source refused a request. */
bool contract_try(struct contract *contract, size_t size);

/* Take a block, checked and filled; a refusal breaks the rule. */
void contract_take(struct contract *contract, size_t size);

/* Give back the block at an index by age. */
void contract_give(struct contract *contract, size_t index);

/* Give back the oldest count blocks, all of one size, as one chain. */
void contract_give_chain(struct contract *contract, size_t count);

void contract_give_all(struct contract *contract);

void contract_trim(struct contract *contract);

/* Run the allocator's own check and compare its statistics; at times compare every live block. */
void contract_inspect(struct contract *contract);

/* True if any allocator in a nest has a flag. */
bool contract_has_flag(const struct contract *contract, enum node_allocator_flags flag);

/* True if all blocks lie in one region, which is kept from open to close. */
bool contract_has_region(const struct contract *contract);
