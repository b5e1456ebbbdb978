/*
 * address_table.h - what is known of each address that was ever handed out.
 *
 * Open addressing; an address stays for good, because a program uses few compared with its calls.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADDRESS_FREE UINT64_MAX /* the value of an address that is not alive */

struct address_entry {
    uint64_t address; /* 0: none */
    uint64_t value;
};

struct address_table {
    struct address_entry *entries; /* from malloc; NULL at first */
    size_t capacity, count;
};

/*
 * The entry of an address other than 0; a new one has the value ADDRESS_FREE, and *is_new is set.
 * It is valid until the next call. NULL: out of memory.
 */
struct address_entry *address_table_find(struct address_table *table, uint64_t address,
                                         bool *is_new);

void address_table_close(struct address_table *table);
