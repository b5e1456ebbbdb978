/*
 * name_buckets.c - see name_buckets.h.
 */
#include "name_buckets.h"
#include "base/pw_assert.h"
#include "graph_blocks.h"
#include "graph_names.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define NAMES_PER_BUCKET 10 /* in the mean */
#define NAMES_AT_ONCE    64 /* whose buckets are asked for from memory together */

static_assert(sizeof(struct name_bucket) == 64, "a bucket is a cache line, and divides a block");

uint32_t name_bucket_count(uint32_t names)
{
    return names / NAMES_PER_BUCKET + 1;
}

static uint32_t bucket_of(uint64_t hash, uint32_t count)
{
    return (uint32_t)((hash >> 32) * count >> 32);
}

static uint8_t tag_of(uint64_t hash)
{
    return (uint8_t)hash;
}

/* The text of a name in memory, and its length. */
static const char *text_of(const struct graph_names *names, uint32_t number, size_t *length)
{
    *length = (size_t)(names->begins[number + 1] - names->begins[number]) - 1;
    return names->text + names->begins[number];
}

/* Put a name into the buckets, unless an equal one is there. */
static void insert(struct name_bucket *buckets, uint32_t count, const struct graph_names *names,
                   uint32_t number, uint64_t hash)
{
    size_t length, other_length;
    const char *text = text_of(names, number, &length);
    struct name_bucket *bucket = buckets + bucket_of(hash, count);
    for (;; bucket = bucket + 1 < buckets + count ? bucket + 1 : buckets) {
        pw_assert(bucket->used <= NAME_BUCKET_SIZE);
        for (uint32_t i = 0; i < bucket->used; i++) {
            if (bucket->tags[i] == tag_of(hash)) {
                const char *other = text_of(names, bucket->numbers[i], &other_length);
                if (other_length == length && memcmp(other, text, length) == 0) {
                    return;
                }
            }
        }
        if (bucket->used < NAME_BUCKET_SIZE) {
            bucket->numbers[bucket->used] = number;
            bucket->tags[bucket->used++] = tag_of(hash);
            return;
        }
    }
}

struct name_bucket *name_buckets_make(const struct graph_names *names)
{
    const uint32_t count = name_bucket_count(names->count);
    struct name_bucket *buckets = calloc(count, sizeof(*buckets));
    uint64_t hashes[NAMES_AT_ONCE];
    for (uint32_t begin = 0; buckets != NULL && begin < names->count;) {
        const uint32_t left = names->count - begin;
        const uint32_t now = left < NAMES_AT_ONCE ? left : NAMES_AT_ONCE;
        for (uint32_t i = 0; i < now; i++) {
            size_t length;
            const char *text = text_of(names, begin + i, &length);
            hashes[i] = XXH3_64bits(text, length);
            __builtin_prefetch(buckets + bucket_of(hashes[i], count), 1);
        }
        for (uint32_t i = 0; i < now; i++) {
            insert(buckets, count, names, begin + i, hashes[i]);
        }
        begin += now;
    }
    return buckets;
}

bool name_buckets_prepare(struct graph_names *names)
{
    if (names->buckets == NULL) {
        names->buckets = name_buckets_make(names);
        names->made_buckets = true;
    }
    return names->buckets != NULL;
}

bool name_buckets_hold(const struct name_bucket *buckets, uint64_t count, uint32_t names)
{
    bool holds = true;
    for (uint64_t i = 0; i < count; i++) {
        const struct name_bucket *bucket = buckets + i;
        holds &= bucket->used <= NAME_BUCKET_SIZE;
        for (uint32_t k = 0; k < NAME_BUCKET_SIZE; k++) {
            holds &= k >= bucket->used || bucket->numbers[k] < names;
        }
    }
    return holds;
}

/* Find a name as written. */
static bool find_written(const struct graph *graph, const char *text, size_t length,
                         uint32_t *number)
{
    const struct graph_names *names = graph->names;
    const uint32_t count = name_bucket_count(names->count);
    const uint64_t hash = XXH3_64bits(text, length);
    const struct name_bucket *bucket = names->buckets + bucket_of(hash, count);
    for (uint32_t tried = 0; tried < count; tried++) {
        if (!graph_allows(graph, bucket, sizeof(*bucket))) {
            return false;
        }
        for (uint32_t i = 0; i < bucket->used; i++) {
            size_t other_length;
            const char *other =
                bucket->tags[i] == tag_of(hash)
                    ? graph_name_text(graph, names, bucket->numbers[i], &other_length)
                    : NULL;
            if (other != NULL && other_length == length && memcmp(other, text, length) == 0) {
                *number = bucket->numbers[i];
                return true;
            }
        }
        if (bucket->used < NAME_BUCKET_SIZE) {
            return false;
        }
        bucket = bucket + 1 < names->buckets + count ? bucket + 1 : names->buckets;
    }
    return false;
}

bool name_buckets_find(const struct graph *graph, const char *text, size_t length, uint32_t *number)
{
    char few[1024];
    pw_assert(graph->names != NULL && graph->names->buckets != NULL);
    bool found = find_written(graph, text, length, number);
    char *decoded = length < sizeof(few) ? few : malloc(length + 1);
    if (!found && decoded != NULL) {
        found = find_written(graph, decoded, graph_names_decode(decoded, text, length), number);
    }
    if (decoded != few) {
        free(decoded);
    }
    return found;
}
