/*
 * address_table.c - see address_table.h.
 */
#include "address_table.h"
#include "base/pw_assert.h"
#include <stdlib.h>

#define FIRST_CAPACITY 4096

/* The place of an address, or the free one where it belongs. */
static struct address_entry *place_of(const struct address_table *table, uint64_t address)
{
    size_t at = (size_t)((address * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (table->capacity - 1);
    while (table->entries[at].address != 0 && table->entries[at].address != address) {
        at = (at + 1) & (table->capacity - 1);
    }
    return &table->entries[at];
}

/* Twice as many entries. */
static bool grow(struct address_table *table)
{
    struct address_table larger = {.capacity = 2 * table->capacity, .count = table->count};
    larger.capacity = larger.capacity > 0 ? larger.capacity : FIRST_CAPACITY;
    larger.entries = calloc(larger.capacity, sizeof(*larger.entries));
    if (larger.entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->entries[i].address != 0) {
            *place_of(&larger, table->entries[i].address) = table->entries[i];
        }
    }
    free(table->entries);
    *table = larger;
    return true;
}

struct address_entry *address_table_find(struct address_table *table, uint64_t address,
                                         bool *is_new)
{
    pw_assert(address != 0);
    if (2 * table->count >= table->capacity && !grow(table)) {
        return NULL;
    }
    struct address_entry *entry = place_of(table, address);
    *is_new = entry->address == 0;
    if (*is_new) {
        *entry = (struct address_entry){address, ADDRESS_FREE};
        table->count++;
    }
    pw_assert(table->count < table->capacity);
    return entry;
}

void address_table_close(struct address_table *table)
{
    free(table->entries);
    *table = (struct address_table){.entries = NULL};
}
