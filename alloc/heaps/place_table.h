/*
 * place_table.h - a record of each block given out: a tree by address.
 *
 * It lies outside the blocks, in memory from the allocator's source, so that damage to a block
 * leaves the table whole. Being ordered, it finds overlaps with a new block. O(log n) per
 * operation, some 100 bytes per block: for finding mistakes, not for speed.
 */
#pragma once

#include "alloc/node_allocator.h"
#include "base/pw_assert.h"
#include "place.h"

struct place_entry {
    void *block; /* NULL: the slot is empty */
    size_t size;
    uint64_t number; /* of the request, from 1 */
    bool released;
    uint32_t lower, higher; /* slots of the tree below; 0: no slot */
    struct place place;
};

struct place_table {
    struct place_entry *slots;
    size_t capacity; /* slots, the first of which is never used; or 0 */
    size_t count;
    uint32_t root, spare; /* 0: no slot */
    PW_DEBUG_ONLY(uint64_t steps;)
};

/* Make room for one more entry. False when out of memory, the table as it was. */
bool place_table_reserve(struct place_table *table, const struct memory_source *source);

/* Add a block that is not in the table; room was reserved. The caller sets its place. */
struct place_entry *place_table_add(struct place_table *table, void *block, size_t size,
                                    uint64_t number);

/* True if every entry is found and their number is the count. Linear. */
bool place_table_check(const struct place_table *table);

/* The entry of a block, or NULL. Valid until the next call that changes the table. */
struct place_entry *place_table_find(struct place_table *table, const void *block);

/* A line for every block that was not released: its size, its number and its caller. */
void place_table_report(const struct place_table *table, const struct node_report *to);

/*
 * A block of the table that overlaps [block - margin, block + size + margin); its own margin is
 * added, too; or NULL.
 */
const struct place_entry *place_table_overlap(const struct place_table *table, const void *block,
                                              size_t size, size_t margin);

void place_table_remove(struct place_table *table, struct place_entry *entry);

void place_table_close(struct place_table *table, const struct memory_source *source);
