/*
 * place_table.c - the hash table from blocks to what is known about them.
 */
#include "place_table.h"
#include "base/pw_assert.h"
#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY 64

static size_t home_slot(const struct place_table *table, const void *block)
{
    uint64_t hash = (uint64_t)((uintptr_t)block >> 2) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 32) & (table->capacity - 1);
}

/* Where a block is, or else where it would be added. */
static struct place_entry *slot_of(const struct place_table *table, const void *block)
{
    size_t slot = home_slot(table, block);
    while (table->slots[slot].block != NULL && table->slots[slot].block != block) {
        slot = (slot + 1) & (table->capacity - 1);
    }
    return &table->slots[slot];
}

struct place_entry *place_table_find(const struct place_table *table, const void *block)
{
    struct place_entry *entry = table->capacity > 0 ? slot_of(table, block) : NULL;
    return entry != NULL && entry->block != NULL ? entry : NULL;
}

bool place_table_check(const struct place_table *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->capacity; i++) {
        void *block = table->slots[i].block;
        count += block != NULL;
        if (block != NULL && place_table_find(table, block) != &table->slots[i]) {
            return false; /* a hole stands between its home slot and its own */
        }
    }
    return count == table->count && count * 2 <= table->capacity;
}

#define table_step(table)                                                                          \
    PW_DEBUG_ONLY(pw_assert(!pw_step_is_due(++(table)->steps) || place_table_check(table)))

struct place_entry *place_table_add(struct place_table *table, void *block, size_t size,
                                    uint64_t number)
{
    struct place_entry *entry = slot_of(table, block);
    pw_assert((table->count + 1) * 2 <= table->capacity && entry->block == NULL);
    *entry = (struct place_entry){.block = block, .size = size, .number = number};
    table->count++;
    table_step(table);
    return entry;
}

bool place_table_reserve(struct place_table *table, const struct memory_source *source)
{
    if ((table->count + 1) * 2 <= table->capacity) {
        return true;
    }
    struct place_table grown = *table;
    grown.capacity = table->capacity > 0 ? table->capacity * 2 : FIRST_CAPACITY;
    if (grown.capacity > SIZE_MAX / sizeof(struct place_entry)) {
        return false;
    }
    grown.slots = source->allocate(grown.capacity * sizeof(struct place_entry));
    if (grown.slots == NULL) {
        return false;
    }
    memset(grown.slots, 0, grown.capacity * sizeof(struct place_entry));
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->slots[i].block != NULL) {
            *slot_of(&grown, table->slots[i].block) = table->slots[i];
        }
    }
    if (table->slots != NULL) {
        source->release(table->slots);
    }
    *table = grown;
    return true;
}

void place_table_remove(struct place_table *table, struct place_entry *entry)
{
    pw_assert(table->count > 0 && entry->block != NULL);
    size_t mask = table->capacity - 1;
    size_t hole = (size_t)(entry - table->slots);
    /* Move back what the hole would cut off from its home slot. */
    for (size_t slot = (hole + 1) & mask; table->slots[slot].block != NULL;
         slot = (slot + 1) & mask) {
        size_t home = home_slot(table, table->slots[slot].block);
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            table->slots[hole] = table->slots[slot];
            hole = slot;
        }
    }
    table->slots[hole].block = NULL;
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
