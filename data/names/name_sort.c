/*
 * name_sort.c - sorts names by their folded forms.
 *
 * Numbers are put into buckets by the first two bytes of their folded names. In a bucket the first
 * sixteen bytes of each are its key. Names are sorted by the first byte in which their keys differ
 * (radix sort from the left), then names that share this byte by the next, and so on. A few names
 * are sorted by insertion. If no key differs, the next sixteen bytes are the keys. Cost: 16 bytes
 * per name, and 48 per name of the current buckets.
 */
#include "name_sort.h"
#include "base/pw_assert.h"
#include "data/graph/graph_origin.h"
#include "data/graph/parallel.h"
#include "name_order.h"
#include <endian.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS      65536
#define KEY_BYTES    16
#define FEW          24 /* names are sorted by insertion */
#define KEYS_AT_ONCE 4096

/* Bytes of a folded name, the first in the highest bits, so that numbers order like names. */
struct key {
    uint64_t words[KEY_BYTES / 8];
};

struct keyed {
    struct key key;
    uint32_t number;
};

struct ordering {
    const struct graph *graph;
    uint32_t *order;
    uint32_t *begins; /* of the buckets, and the end */
    struct key *keys; /* of the names */
    const volatile sig_atomic_t *cancel;
    uint32_t count;
    atomic_bool failed; /* or cancelled */
};

static bool goes_on(struct ordering *ordering)
{
    if (ordering->cancel != NULL && *ordering->cancel != 0) {
        atomic_store(&ordering->failed, true);
    }
    return !atomic_load(&ordering->failed);
}

/* The bytes of a folded name from a given place on. */
static struct key key_at(const struct graph *graph, uint32_t number, size_t at)
{
    char folded[NAME_FOLDED_MAX + KEY_BYTES];
    struct key key;
    const size_t length = name_order_fold(graph, number, folded);
    memset(folded + length, 0, KEY_BYTES);
    memcpy(&key, folded + (at < length ? at : length), KEY_BYTES);
    key.words[0] = be64toh(key.words[0]);
    key.words[1] = be64toh(key.words[1]);
    return key;
}

static unsigned byte_of(const struct key *key, size_t byte)
{
    return (unsigned)(key->words[byte / 8] >> (56 - byte % 8 * 8)) & 0xff;
}

/* The first byte in which the keys differ, KEY_BYTES if they are equal. */
static size_t first_difference(const struct keyed *items, size_t count)
{
    uint64_t high = 0, low = 0;
    for (size_t i = 1; i < count; i++) {
        high |= items[i].key.words[0] ^ items[0].key.words[0];
        low |= items[i].key.words[1] ^ items[0].key.words[1];
    }
    return high != 0  ? (size_t)__builtin_clzll(high) / 8
           : low != 0 ? (size_t)__builtin_clzll(low) / 8 + 8
                      : KEY_BYTES;
}

static bool is_less(const struct key *a, const struct key *b)
{
    return a->words[0] != b->words[0] ? a->words[0] < b->words[0] : a->words[1] < b->words[1];
}

/* Sort few items by their keys; equal ones stay in their order. */
static void sort_few(struct keyed *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct keyed item = items[i];
        size_t k = i;
        for (; k > 0 && is_less(&item.key, &items[k - 1].key); k--) {
            items[k] = items[k - 1];
        }
        items[k] = item;
    }
}

/* Sort items by one byte of their keys; equal ones stay in their order. */
static void sort_by_byte(struct keyed *items, struct keyed *spare, size_t count, size_t byte)
{
    uint32_t places[256 + 1] = {0};
    memcpy(spare, items, count * sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        places[byte_of(&spare[i].key, byte) + 1]++;
    }
    for (size_t i = 1; i < 256; i++) {
        places[i] += places[i - 1];
    }
    for (size_t i = 0; i < count; i++) {
        items[places[byte_of(&spare[i].key, byte)]++] = spare[i];
    }
}

/*
 * Sort names that are equal before the byte at, where their keys begin. Equal names keep the order
 * of their numbers. Calls itself at most once per byte of a name.
 */
static void sort_keyed(const struct graph *graph, struct keyed *items, struct keyed *spare,
                       size_t count, size_t at)
{
    size_t byte;
    pw_assert(count > 1);
    while ((byte = first_difference(items, count)) == KEY_BYTES) {
        if (byte_of(&items->key, KEY_BYTES - 1) == 0) {
            return; /* the names are equal */
        }
        at += KEY_BYTES;
        pw_assert(at <= NAME_FOLDED_MAX);
        for (size_t i = 0; i < count; i++) {
            items[i].key = key_at(graph, items[i].number, at);
        }
    }
    if (count > FEW) {
        sort_by_byte(items, spare, count, byte);
    } else {
        sort_few(items, count);
        byte = KEY_BYTES - 1;
    }
    for (size_t i = 0, end; i < count; i = end) { /* names that are equal up to that byte */
        for (end = i + 1; end < count && first_difference(&items[end - 1], 2) > byte;) {
            end++;
        }
        if (end - i > 1) {
            sort_keyed(graph, items + i, spare, end - i, at);
        }
    }
}

static void sort_bucket(void *context, unsigned thread, size_t bucket)
{
    struct ordering *ordering = context;
    (void)thread;
    uint32_t *order = ordering->order + ordering->begins[bucket];
    const size_t count = ordering->begins[bucket + 1] - ordering->begins[bucket];
    if (count < 2 || !goes_on(ordering)) {
        return;
    }
    struct keyed *items = malloc(2 * count * sizeof(*items));
    if (items == NULL) {
        atomic_store(&ordering->failed, true);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        items[k] = (struct keyed){ordering->keys[order[k]], order[k]};
    }
    sort_keyed(ordering->graph, items, items + count, count, 0);
    for (size_t k = 0; k < count; k++) {
        order[k] = items[k].number;
    }
    free(items);
}

static void make_keys(void *context, unsigned thread, size_t index)
{
    struct ordering *ordering = context;
    (void)thread;
    uint64_t i = (uint64_t)index * KEYS_AT_ONCE;
    const bool is_wanted = goes_on(ordering);
    for (uint64_t end = i + KEYS_AT_ONCE; is_wanted && i < end && i < ordering->count; i++) {
        ordering->keys[i] = key_at(ordering->graph, (uint32_t)i, 0);
    }
}

/* Put the numbers into buckets: by the first two bytes of their keys. */
static void fill_buckets(struct ordering *ordering)
{
    uint32_t *begins = ordering->begins;
    for (uint32_t i = 0; i < ordering->count; i++) {
        begins[(ordering->keys[i].words[0] >> 48) + 2]++;
    }
    for (unsigned i = 2; i < BUCKETS + 2; i++) {
        begins[i] += begins[i - 1];
    }
    for (uint32_t i = 0; i < ordering->count; i++) {
        ordering->order[begins[(ordering->keys[i].words[0] >> 48) + 1]++] = i;
    }
}

uint32_t *name_sort(const struct graph *graph, unsigned threads,
                    const volatile sig_atomic_t *cancel)
{
    const uint32_t count = name_order_count(graph);
    struct ordering ordering = {.graph = graph, .cancel = cancel, .count = count};
    threads = parallel_count(threads);
    ordering.order = calloc((size_t)count + 1, sizeof(*ordering.order));
    ordering.begins = calloc(BUCKETS + 2, sizeof(*ordering.begins));
    ordering.keys = malloc(((size_t)count + 1) * sizeof(*ordering.keys));
    bool done = ordering.order != NULL && ordering.begins != NULL && ordering.keys != NULL;
    if (done) {
        parallel_each(threads, count / KEYS_AT_ONCE + 1, make_keys, &ordering);
        done = goes_on(&ordering);
    }
    if (done) {
        fill_buckets(&ordering);
        parallel_each(threads, BUCKETS, sort_bucket, &ordering);
        done = !atomic_load(&ordering.failed);
    }
    free(ordering.keys);
    free(ordering.begins);
    if (!done) {
        free(ordering.order);
        return NULL;
    }
    return ordering.order;
}

bool name_order_make(struct graph *graph, unsigned threads)
{
    graph->origin->order = name_sort(graph, threads, NULL);
    return graph->origin->order != NULL;
}

uint64_t name_sort_memory(const struct graph *graph)
{
    return (uint64_t)name_order_count(graph) * (sizeof(uint32_t) + sizeof(struct key));
}
