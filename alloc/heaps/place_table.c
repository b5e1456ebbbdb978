/*
 * place_table.c - the tree from a block's address to its entry.
 *
 * A treap: ordered by address, and a heap by a random number per slot, so that it is balanced for
 * any order of the addresses. Links are indexes, which stay valid when the table grows.
 */
#include "place_table.h"
#include "base/pw_assert.h"
#include "base/splitmix.h"
#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY 64
#define SLOTS_MAX      UINT32_MAX
#define NONE           0 /* slot 0 is never used */

static bool is_above(uint32_t one, uint32_t other)
{
    uint64_t a = splitmix_mix(one);
    uint64_t b = splitmix_mix(other);
    return a > b || (a == b && one > other);
}

/* The link to the slot of a block, or the empty link where it would be. */
static uint32_t *link_to(struct place_table *table, const void *block)
{
    uint32_t *link = &table->root;
    while (*link != NONE && table->slots[*link].block != block) {
        struct place_entry *entry = &table->slots[*link];
        link = (uintptr_t)block < (uintptr_t)entry->block ? &entry->lower : &entry->higher;
    }
    return link;
}

struct place_entry *place_table_find(struct place_table *table, const void *block)
{
    uint32_t slot = *link_to(table, block);
    return slot != NONE ? &table->slots[slot] : NULL;
}

const struct place_entry *place_table_overlap(const struct place_table *table, const void *block,
                                              size_t size, size_t margin)
{
    const struct place_entry *below = NULL; /* the nearest at or below the address */
    const struct place_entry *above = NULL;
    for (uint32_t slot = table->root; slot != NONE;) {
        const struct place_entry *entry = &table->slots[slot];
        bool is_below = (uintptr_t)entry->block <= (uintptr_t)block;
        *(is_below ? &below : &above) = entry;
        slot = is_below ? entry->higher : entry->lower;
    }
    if (below != NULL && (uintptr_t)block - (uintptr_t)below->block < below->size + 2 * margin) {
        return below;
    }
    bool hits = above != NULL && (uintptr_t)above->block - (uintptr_t)block < size + 2 * margin;
    return hits ? above : NULL;
}

/* True if the entries under a slot are in order, between two addresses; counts them. */
static bool is_ordered(const struct place_table *table, uint32_t slot, uintptr_t from, uintptr_t to,
                       size_t *count)
{
    if (slot == NONE) {
        return true;
    }
    const struct place_entry *entry = &table->slots[slot];
    uintptr_t here = (uintptr_t)entry->block;
    (*count)++;
    return here >= from && here <= to && *count <= table->count &&
           (entry->lower == NONE || is_above(slot, entry->lower)) &&
           (entry->higher == NONE || is_above(slot, entry->higher)) &&
           is_ordered(table, entry->lower, from, here - 1, count) &&
           is_ordered(table, entry->higher, here + 1, to, count);
}

bool place_table_check(const struct place_table *table)
{
    size_t count = 0;
    return is_ordered(table, table->root, 1, UINTPTR_MAX, &count) && count == table->count;
}

#define table_step(table)                                                                          \
    PW_DEBUG_ONLY(pw_assert(!pw_step_is_due(++(table)->steps) || place_table_check(table)))

struct place_entry *place_table_add(struct place_table *table, void *block, size_t size,
                                    uint64_t number)
{
    uint32_t slot = table->spare;
    struct place_entry *slots = table->slots;
    pw_assert(slot != NONE && block != NULL && place_table_find(table, block) == NULL);
    table->spare = slots[slot].lower;
    slots[slot] = (struct place_entry){.block = block, .size = size, .number = number};
    uint32_t *link = &table->root;
    while (*link != NONE && is_above(*link, slot)) {
        struct place_entry *entry = &slots[*link];
        link = (uintptr_t)block < (uintptr_t)entry->block ? &entry->lower : &entry->higher;
    }
    /* The old subtree goes below the new slot, cut in two at the block. */
    uint32_t rest = *link;
    uint32_t *lower = &slots[slot].lower;
    uint32_t *higher = &slots[slot].higher;
    *link = slot;
    while (rest != NONE) {
        if ((uintptr_t)slots[rest].block < (uintptr_t)block) {
            *lower = rest;
            lower = &slots[rest].higher;
            rest = *lower;
        } else {
            *higher = rest;
            higher = &slots[rest].lower;
            rest = *higher;
        }
    }
    *lower = *higher = NONE;
    table->count++;
    table_step(table);
    return &slots[slot];
}

bool place_table_reserve(struct place_table *table, const struct memory_source *source)
{
    if (table->spare != NONE) {
        return true;
    }
    size_t capacity = table->capacity > 0 ? table->capacity * 2 : FIRST_CAPACITY;
    if (capacity > SLOTS_MAX || capacity > SIZE_MAX / sizeof(struct place_entry)) {
        return false;
    }
    struct place_entry *slots = source->allocate(capacity * sizeof(*slots));
    if (slots == NULL) {
        return false;
    }
    memset(slots, 0, capacity * sizeof(*slots));
    if (table->slots != NULL) {
        memcpy(slots, table->slots, table->capacity * sizeof(*slots));
        source->release(table->slots);
    }
    for (size_t i = capacity; i-- > (table->capacity > 0 ? table->capacity : 1);) {
        slots[i].lower = table->spare; /* it links the spare slots, the first ones first */
        table->spare = (uint32_t)i;
    }
    table->slots = slots;
    table->capacity = capacity;
    return true;
}

void place_table_remove(struct place_table *table, struct place_entry *entry)
{
    pw_assert(table->count > 0 && entry->block != NULL);
    struct place_entry *slots = table->slots;
    uint32_t *link = link_to(table, entry->block);
    uint32_t slot = *link;
    pw_assert(&slots[slot] == entry);
    uint32_t lower = entry->lower;
    uint32_t higher = entry->higher;
    while (lower != NONE && higher != NONE) {
        if (is_above(lower, higher)) {
            *link = lower;
            link = &slots[lower].higher;
            lower = *link;
        } else {
            *link = higher;
            link = &slots[higher].lower;
            higher = *link;
        }
    }
    *link = lower != NONE ? lower : higher;
    *entry = (struct place_entry){.lower = table->spare};
    table->spare = slot;
    table->count--;
    table_step(table);
}

void place_table_close(struct place_table *table, const struct memory_source *source)
{
    if (table->slots != NULL) {
        source->release(table->slots);
    }
    *table = (struct place_table){0};
}

void place_table_report(const struct place_table *table, const struct node_report *to)
{
    for (size_t i = 0; i < table->capacity; i++) {
        const struct place_entry *entry = &table->slots[i];
        if (entry->block != NULL && !entry->released) {
            char names[300];
            char line[400];
            place_write(&entry->place, names, sizeof(names));
            snprintf(line, sizeof(line), "alive: %zu bytes at %p; request %llu, by %s", entry->size,
                     entry->block, (unsigned long long)entry->number, names);
            to->line(to->context, line);
        }
    }
}
