/*
 * sent_ids.c - see sent_ids.h.
 */
#include "sent_ids.h"
#include "base/pw_assert.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 4096

bool sent_ids_open(struct sent_ids *sent)
{
    sent->keys = calloc(FIRST_SIZE, sizeof(*sent->keys));
    sent->size = FIRST_SIZE;
    sent->count = 0;
    return sent->keys != NULL;
}

void sent_ids_close(struct sent_ids *sent)
{
    free(sent->keys);
    memset(sent, 0, sizeof(*sent));
}

void sent_ids_clear(struct sent_ids *sent)
{
    if (sent->count > 0) {
        memset(sent->keys, 0, sent->size * sizeof(*sent->keys));
        sent->count = 0;
    }
}

/* The place of a key, or where it would be. The multiplier is Knuth's (TAOCP 3, 6.4: Fibonacci
 * hashing). */
static size_t place_of(const struct sent_ids *sent, uint64_t key)
{
    size_t at = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & (sent->size - 1);
    while (sent->keys[at] != 0 && sent->keys[at] != key) {
        at = (at + 1) & (sent->size - 1);
    }
    return at;
}

/* Double the room, or forget everything. */
static void make_room(struct sent_ids *sent)
{
    struct sent_ids larger = {.size = sent->size * 2, .count = sent->count};
    larger.keys = larger.size <= SENT_IDS_MAX ? calloc(larger.size, sizeof(*larger.keys)) : NULL;
    if (larger.keys == NULL) {
        sent_ids_clear(sent);
        return;
    }
    for (size_t i = 0; i < sent->size; i++) {
        if (sent->keys[i] != 0) {
            larger.keys[place_of(&larger, sent->keys[i])] = sent->keys[i];
        }
    }
    free(sent->keys);
    *sent = larger;
}

bool sent_ids_add(struct sent_ids *sent, uint64_t key)
{
    pw_assert(key != 0);
    if (sent->count >= sent->size / 2) {
        make_room(sent);
    }
    const size_t at = place_of(sent, key);
    const bool is_new = sent->keys[at] == 0;
    sent->keys[at] = key;
    sent->count += is_new;
    return is_new;
}
