/*
 * sent_ids.h - the ids that a rank has sent already, for the pairs in flight.
 *
 * A hash table of keys, open addressing, at most half full; an entry takes 8 bytes. It grows up to
 * SENT_IDS_MAX entries. If it cannot grow, it forgets everything: an id may then be sent again; its
 * owner notices that.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SENT_IDS_MAX ((size_t)4 << 20) /* entries: 32 MiB */

struct sent_ids {
    uint64_t *keys; /* 0: free */
    size_t size;    /* entries, a power of two */
    size_t count;
};

/* False when out of memory. An all-zero struct may be closed. */
bool sent_ids_open(struct sent_ids *sent);
void sent_ids_close(struct sent_ids *sent);
void sent_ids_clear(struct sent_ids *sent);

/* Add a key other than 0; returns true if it is new. */
bool sent_ids_add(struct sent_ids *sent, uint64_t key);
