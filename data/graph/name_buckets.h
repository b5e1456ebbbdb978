/*
 * name_buckets.h - the numbers of names by their hash: how a name is found to the letter. A
 * snapshot keeps them, so that nothing must be made first.
 *
 * 1. A bucket of a cache line has up to 12 numbers, and for each a byte of its name's hash.
 * 2. A name goes to the bucket that its hash says (XXH3, 64 bits), or to the next with room. Of
 *    equal names only the first is there.
 * 3. To find a name, compare the bytes, and the texts where they are equal. A bucket with room ends
 *    the search.
 * Cost: 6.4 bytes per name; to find one takes three blocks of a snapshot (graph_blocks.h).
 * Discarded: the order of folded names (data/names/name_order.h), which takes 5 times as long to
 * make, and 8 times as many blocks to look in; only the numbers, in the order of the hashes, with
 * interpolation: 4 bytes per name, but some 12 blocks, because every step needs a text.
 */
#pragma once

#include "graph.h"

#define NAME_BUCKET_SIZE 12

struct name_bucket {
    uint32_t numbers[NAME_BUCKET_SIZE]; /* those in use come first */
    uint8_t tags[NAME_BUCKET_SIZE];     /* a byte of each name's hash */
    uint32_t used;
};

/* The number of buckets for that many names. */
uint32_t name_bucket_count(uint32_t names);

/* Make the buckets of names. The caller frees them. NULL when out of memory. */
struct name_bucket *name_buckets_make(const struct graph_names *names);

/* Make the buckets of names that lack them; they go with the names. False when out of memory. */
bool name_buckets_prepare(struct graph_names *names);

/* True if no bucket leads a reader outside of itself or of that many names. */
bool name_buckets_hold(const struct name_bucket *buckets, uint64_t count, uint32_t names);

/*
 * The number of a name of the graph, as written or URL-encoded, by the buckets of its names. False
 * if there is no such name, or if a bad block of the snapshot is in the way (graph_is_damaged).
 */
bool name_buckets_find(const struct graph *graph, const char *text, size_t length,
                       uint32_t *number);
