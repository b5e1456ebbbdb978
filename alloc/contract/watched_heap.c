/*
 * watched_heap.c - the operations of the scenarios, and the source that guards its blocks.
 */
#include "watched_heap.h"
#include "alloc/block_marks.h"
#include "base/pw_assert.h"
#include "base/splitmix.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The source ----------------------------------------------------------------------------------- */

#define GUARD      16 /* bytes before and after a block of the source */
#define GUARD_BYTE 0xFB

struct contract_source contract_source = {.refuse_at = UINT64_MAX};
static const struct memory_source plain = {malloc, free};
static struct place_table given; /* what the source gave; released: it is back */
static struct contract *current; /* whose source is asked: a source has no context */

void contract_source_reset(void)
{
    contract_source.calls = contract_source.refused = 0;
    contract_source.refuse_at = UINT64_MAX;
}

static bool is_guard(const unsigned char *bytes)
{
    for (size_t i = 0; i < GUARD; i++) {
        if (bytes[i] != GUARD_BYTE) {
            return false;
        }
    }
    return true;
}

static void check_guards(const struct place_entry *entry)
{
    const unsigned char *bytes = entry->block;
    contract_hold(current, CONTRACT_SOURCE, is_guard(bytes - GUARD),
                  "wrote before the %zu bytes at %p that its source gave", entry->size,
                  entry->block);
    contract_hold(current, CONTRACT_SOURCE, is_guard(bytes + entry->size),
                  "wrote after the %zu bytes at %p that its source gave", entry->size,
                  entry->block);
}

static void *source_allocate(size_t size)
{
    uint64_t call = contract_source.calls++;
    bool refuses = call >= contract_source.refuse_at &&
                   call - contract_source.refuse_at < contract_source.refuse_run;
    bool fits = !refuses && size <= SIZE_MAX - 2 * GUARD && place_table_reserve(&given, &plain);
    unsigned char *room = fits ? malloc(size + 2 * GUARD) : NULL;
    if (room == NULL) {
        contract_source.refused++;
        contract_source.has_refused = true;
        return NULL;
    }
    struct place_entry *before = place_table_find(&given, room + GUARD);
    if (before != NULL) {
        pw_assert(before->released);
        place_table_remove(&given, before);
    }
    place_table_add(&given, room + GUARD, size, call);
    memset(room, GUARD_BYTE, GUARD);
    memset(room + GUARD + size, GUARD_BYTE, GUARD);
    contract_source.live++;
    return room + GUARD;
}

static void source_release(void *block)
{
    if (block == NULL) {
        return;
    }
    struct place_entry *entry = place_table_find(&given, block);
    contract_hold(current, CONTRACT_SOURCE, entry != NULL,
                  "released %p to its source, which never gave it", block);
    contract_hold(current, CONTRACT_SOURCE, !entry->released,
                  "released the %zu bytes at %p to its source twice", entry->size, block);
    check_guards(entry);
    entry->released = true;
    contract_source.live--;
    free((unsigned char *)block - GUARD);
}

static void check_all_guards(void)
{
    for (size_t i = 0; i < given.capacity; i++) {
        if (given.slots[i].block != NULL && !given.slots[i].released) {
            check_guards(&given.slots[i]);
        }
    }
}

/* The scenario --------------------------------------------------------------------------------- */

size_t contract_random(struct contract *contract, size_t limit)
{
    return (size_t)(splitmix_next(&contract->random) % limit);
}

size_t contract_steps(size_t native)
{
    return blocks_are_watched() ? native / 8 : native;
}

void contract_break(struct contract *contract, enum contract_rule rule, const char *format, ...)
{
    struct contract_watch *watch = contract->watch;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(watch->what, sizeof(watch->what), format, arguments);
    va_end(arguments);
    watch->broken = rule;
    contract->broken(watch);
}

/* Start the next operation and record it, for a crash. */
static void start_operation(struct contract *contract, const char *doing, size_t size,
                            const void *block)
{
    struct contract_watch *watch = contract->watch;
    watch->operation++;
    snprintf(watch->doing, sizeof(watch->doing), "%s", doing);
    watch->size = size;
    watch->block = block;
}

bool contract_has_flag(const struct contract *contract, enum node_allocator_flags flag)
{
    for (const struct node_allocator *at = contract->heap.allocator; at != NULL; at = at->inner) {
        if (at->type->flags & flag) {
            return true;
        }
    }
    return false;
}

bool contract_has_region(const struct contract *contract)
{
    void *base;
    size_t bytes;
    return node_allocator_region(contract->heap.allocator, &base, &bytes);
}

bool contract_try_open(struct contract *contract)
{
    static const struct memory_source guarded = {source_allocate, source_release};
    struct node_allocator_error error;
    uint64_t refused = contract_source.refused;
    start_operation(contract, "opening", 0, NULL);
    contract->live = 0;
    contract->live_bytes = 0;
    memset(contract->fronts, 0, sizeof(contract->fronts));
    place_table_close(&contract->by_address, &plain);
    current = contract;
    if (contract_source.live == 0) { /* forget released blocks */
        place_table_close(&given, &plain);
    }
    contract_source.has_refused = false;
    if (node_heap_open(&contract->heap, contract->specification, &guarded, &error)) {
        contract_hold(contract, CONTRACT_OPENS, contract->heap.allocator != NULL,
                      "opened without an allocator");
        contract->kept_from_opening = contract_source.live;
        return true;
    }
    contract_hold(contract, CONTRACT_OPENS, contract_source.refused > refused, "%.300s",
                  error.message);
    contract_hold(contract, CONTRACT_REFUSES, error.message[0] != '\0',
                  "did not open without memory, and does not say why");
    contract_hold(contract, CONTRACT_RETURNS, contract_source.live == 0,
                  "did not open without memory, and keeps %llu blocks of its source",
                  (unsigned long long)contract_source.live);
    return false;
}

void contract_open(struct contract *contract)
{
    bool opened = contract_try_open(contract);
    contract_hold(contract, CONTRACT_OPENS, opened, "there is no memory for it");
}

static bool is_zero(const struct node_front *front)
{
    static const struct node_front zero;
    return memcmp(front, &zero, sizeof(zero)) == 0;
}

/* Close the fronts that are open. */
static void close_fronts(struct contract *contract)
{
    struct node_allocator *allocator = contract->heap.allocator;
    for (size_t f = 0; f < CONTRACT_FRONTS; f++) {
        struct contract_front *at = &contract->fronts[f];
        if (at->size != 0) {
            allocator->type->fronts->close(allocator, &at->front);
            contract_hold(contract, CONTRACT_FRONT, is_zero(&at->front),
                          "a closed front is not all zeros");
            at->size = 0;
        }
    }
}

void contract_close(struct contract *contract)
{
    pw_assert(contract->live == 0);
    check_all_guards();
    start_operation(contract, "closing", 0, NULL);
    close_fronts(contract);
    node_heap_close(&contract->heap);
    contract_hold(contract, CONTRACT_RETURNS, contract_source.live == 0,
                  "closed, and keeps %llu blocks of its source",
                  (unsigned long long)contract_source.live);
}

/* Blocks --------------------------------------------------------------------------------------- */

/* A new block is aligned and overlaps no other. */
static void check_place(struct contract *contract, const unsigned char *bytes, size_t size)
{
    contract_hold(contract, CONTRACT_ALIGNED, (uintptr_t)bytes % NODE_ALIGNMENT == 0,
                  "a block of %zu bytes at %p is not aligned to %zu", size, (const void *)bytes,
                  NODE_ALIGNMENT);
    contract_hold(contract, CONTRACT_APART, (uintptr_t)bytes <= UINTPTR_MAX - size,
                  "a block of %zu bytes at %p is no memory", size, (const void *)bytes);
    const struct place_entry *other = place_table_overlap(&contract->by_address, bytes, size, 0);
    contract_hold(contract, CONTRACT_APART, other == NULL,
                  "a block of %zu bytes at %p overlaps one of %zu at %p, given in operation %llu",
                  size, (const void *)bytes, other->size, other->block,
                  (unsigned long long)other->number);
}

static void verify(struct contract *contract, const struct contract_block *block,
                   enum contract_rule rule)
{
    size_t same = 0;
    while (same < block->size && block->bytes[same] == block->fill) {
        same++;
    }
    contract_hold(contract, rule, same == block->size,
                  "byte %zu of a live block of %zu bytes at %p, given in operation %llu, has "
                  "changed",
                  same, block->size, (void *)block->bytes, (unsigned long long)block->operation);
}

/* One of the fronts, open for a size; NULL: the allocator has no fronts, or not this time. */
static struct contract_front *front_of(struct contract *contract, size_t size)
{
    struct contract_front *at = &contract->fronts[contract_random(contract, CONTRACT_FRONTS)];
    struct node_allocator *allocator = contract->heap.allocator;
    if (!contract->from_front || contract_random(contract, 2) == 0) {
        return NULL;
    }
    if (at->size != size) {
        if (at->size != 0) {
            allocator->type->fronts->close(allocator, &at->front);
            at->size = 0;
        }
        if (node_allocator_open_front(allocator, &at->front, size)) {
            at->size = size;
            contract_hold(contract, CONTRACT_FRONT, !blocks_are_watched(),
                          "opens a front while a checker watches every block");
            contract_hold(contract, CONTRACT_FRONT,
                          at->front.block_bytes ==
                              (size + NODE_ALIGNMENT - 1) / NODE_ALIGNMENT * NODE_ALIGNMENT,
                          "a front for %zu bytes has blocks of %zu", size, at->front.block_bytes);
        } else {
            contract_hold(contract, CONTRACT_FRONT, is_zero(&at->front),
                          "a front that was not opened is not all zeros");
        }
    }
    return at->size == size ? at : NULL;
}

static void *take_block(struct contract *contract, struct contract_front *from, size_t size)
{
    struct node_allocator *allocator = contract->heap.allocator;
    if (from == NULL) {
        return node_allocator_allocate(allocator, size);
    }
    void *block = node_front_take(&from->front, from->front.block_bytes);
    return block != NULL ? block : allocator->type->fronts->take(allocator, &from->front);
}

bool contract_try(struct contract *contract, size_t size)
{
    uint64_t refused = contract_source.refused;
    pw_assert(contract->live < CONTRACT_BLOCKS_MAX && size > 0);
    start_operation(contract, "request", size, NULL);
    if (!place_table_reserve(&contract->by_address, &plain)) {
        contract_break(contract, CONTRACT_GIVES, "there is no memory to check it with");
    }
    unsigned char *bytes = take_block(contract, front_of(contract, size), size);
    if (bytes == NULL) {
        /* An old refusal does not excuse giving nothing now. */
        enum contract_rule rule = contract_source.has_refused ? CONTRACT_REFUSES : CONTRACT_GIVES;
        contract_hold(contract, rule, contract_source.refused > refused,
                      "gave no %zu bytes although its source refused nothing (%zu blocks, %llu "
                      "bytes alive)",
                      size, contract->live, (unsigned long long)contract->live_bytes);
        return false;
    }
    contract->watch->looked_at[CONTRACT_GIVES]++;
    contract->watch->block = bytes;
    check_place(contract, bytes, size);
    struct contract_block *block = &contract->by_age[contract->live++];
    *block = (struct contract_block){bytes, size, contract->watch->operation,
                                     (unsigned char)contract_random(contract, 256)};
    place_table_add(&contract->by_address, bytes, size, contract->watch->operation);
    contract->live_bytes += size;
    snprintf(contract->watch->doing, sizeof(contract->watch->doing), "writing to a block");
    memset(bytes, block->fill, size);
    return true;
}

void contract_take(struct contract *contract, size_t size)
{
    bool taken = contract_try(contract, size);
    contract_hold(contract, CONTRACT_GIVES, taken, "there is no memory left for %zu bytes", size);
}

/* Take count blocks, from an index by age on, out of the tables. */
static void forget(struct contract *contract, size_t index, size_t count)
{
    pw_assert(index + count <= contract->live);
    for (size_t i = index; i < index + count; i++) {
        const struct contract_block *block = &contract->by_age[i];
        place_table_remove(&contract->by_address,
                           place_table_find(&contract->by_address, block->bytes));
        contract->live--;
        contract->live_bytes -= block->size;
    }
    memmove(&contract->by_age[index], &contract->by_age[index + count],
            (contract->live - index) * sizeof(*contract->by_age));
}

void contract_give(struct contract *contract, size_t index)
{
    struct node_allocator *allocator = contract->heap.allocator;
    const struct contract_block block = contract->by_age[index];
    verify(contract, &block, CONTRACT_CONTENT);
    forget(contract, index, 1);
    start_operation(contract, "release", block.size, block.bytes);
    struct contract_front *front = front_of(contract, block.size); /* perhaps another one gave it */
    if (front == NULL) {
        node_allocator_release(allocator, block.bytes, block.size);
    } else if (!node_front_give(&front->front, block.bytes, front->front.block_bytes)) {
        allocator->type->fronts->give(allocator, &front->front, block.bytes);
    }
}

void contract_give_chain(struct contract *contract, size_t count)
{
    void *head = count > 0 ? contract->by_age[0].bytes : NULL;
    void *tail = count > 0 ? contract->by_age[count - 1].bytes : NULL;
    size_t size = count > 0 ? contract->by_age[0].size : 16;
    for (size_t i = 0; i < count; i++) {
        verify(contract, &contract->by_age[i], CONTRACT_CONTENT);
        /* The link of the tail is ignored. */
        void *next = i + 1 < count ? (void *)contract->by_age[i + 1].bytes : (void *)16;
        memcpy(contract->by_age[i].bytes, &next, sizeof(next));
    }
    forget(contract, 0, count);
    start_operation(contract, "release of a chain", size, head);
    struct node_allocator *allocator = contract->heap.allocator;
    struct contract_front *front = count > 0 ? front_of(contract, size) : NULL;
    if (front == NULL) {
        node_allocator_release_chain(allocator, head, tail, count, size);
    } else {
        allocator->type->fronts->give_chain(allocator, &front->front, head, tail, count);
    }
    struct node_allocator_statistics found;
    node_allocator_statistics(contract->heap.allocator, &found);
    contract_hold(contract, CONTRACT_CHAINS,
                  found.live_blocks == NODE_STATISTIC_UNKNOWN ||
                      found.live_blocks == contract->live,
                  "took a chain of %zu back, and says that %llu blocks are alive; there are %zu",
                  count, (unsigned long long)found.live_blocks, contract->live);
    for (size_t i = 0; i < contract->live; i++) {
        verify(contract, &contract->by_age[i], CONTRACT_CHAINS);
    }
}

void contract_give_all(struct contract *contract)
{
    while (contract->live > 0) {
        contract_give(contract, contract->live - 1);
    }
}

void contract_trim(struct contract *contract)
{
    start_operation(contract, "trim", 0, NULL);
    node_allocator_trim(contract->heap.allocator);
    for (size_t f = 0; f < CONTRACT_FRONTS; f++) {
        contract_hold(contract, CONTRACT_FRONT, is_zero(&contract->fronts[f].front),
                      "trimmed, and a front is still open");
        contract->fronts[f].size = 0;
    }
}

/* Inspection ----------------------------------------------------------------------------------- */

static void inspect_statistics(struct contract *contract)
{
    struct node_allocator_statistics found;
    node_allocator_statistics(contract->heap.allocator, &found);
    contract_hold(contract, CONTRACT_COUNTS,
                  found.live_blocks == NODE_STATISTIC_UNKNOWN ||
                      found.live_blocks == contract->live,
                  "says that %llu blocks are alive; there are %zu",
                  (unsigned long long)found.live_blocks, contract->live);
    bool says_held = found.held_bytes != NODE_STATISTIC_UNKNOWN;
    contract_hold(contract, CONTRACT_COUNTS, !says_held || found.held_bytes >= contract->live_bytes,
                  "says that it holds %llu bytes; %llu are alive",
                  (unsigned long long)found.held_bytes, (unsigned long long)contract->live_bytes);
    contract_hold(contract, CONTRACT_COUNTS, !says_held || found.held_bytes_max >= found.held_bytes,
                  "says that it holds %llu bytes and never held more than %llu",
                  (unsigned long long)found.held_bytes, (unsigned long long)found.held_bytes_max);
    contract_hold(contract, CONTRACT_COUNTS, memchr(found.note, '\0', sizeof(found.note)) != NULL,
                  "the note of its statistics has no end");
}

void contract_inspect(struct contract *contract)
{
    char message[300] = "";
    start_operation(contract, "check", 0, NULL);
    bool sound = node_allocator_check(contract->heap.allocator, message, sizeof(message));
    contract_hold(contract, CONTRACT_SOUND, sound, "its own check says: %.280s", message);
    inspect_statistics(contract);
    if (contract->watch->operation % 32 == 0) { /* at times: it is linear */
        for (size_t i = 0; i < contract->live; i++) {
            verify(contract, &contract->by_age[i], CONTRACT_CONTENT);
        }
    }
}
