/*
 * wide_edges.c - parses lines into a batch of ids, then looks the batch up.
 *
 * 1. A line of two numbers with one blank, tab or comma between them is read here; any other line
 *    by edge_line_read.
 * 2. While a batch is parsed, the slot of each id is fetched; so the look-ups find it in the cache.
 * Source: linear probing; the hash is a multiplication by the golden ratio, folded.
 */
#include "wide_edges.h"
#include "base/array_reserve.h"
#include "base/pw_assert.h"
#include "data/graph/graph.h"
#include <stdlib.h>
#include <string.h>

#define BATCH_EDGES 256
#define SLOTS_MIN   ((uint64_t)1 << 12)

void wide_ids_free(struct wide_ids *ids)
{
    free(ids->slots);
    free(ids->ids);
    memset(ids, 0, sizeof(*ids));
}

uint64_t wide_ids_memory(const struct wide_ids *ids)
{
    return ids->slot_count * sizeof(*ids->slots) + ids->capacity * sizeof(*ids->ids);
}

struct graph_names *wide_ids_names(const struct wide_ids *ids)
{
    struct graph_names *names = graph_names_create();
    for (uint32_t i = 0; names != NULL && i < ids->count; i++) {
        char digits[20], *at = digits + sizeof(digits);
        uint64_t id = ids->ids[i];
        do {
            *--at = (char)('0' + id % 10);
            id /= 10;
        } while (id > 0);
        if (!graph_names_add_plain(names, at, (size_t)(digits + sizeof(digits) - at))) {
            graph_names_free(names);
            return NULL;
        }
    }
    return names;
}

static uint64_t hash_id(uint64_t id)
{
    const uint64_t product = id * 0x9e3779b97f4a7c15;
    return product ^ product >> 32;
}

/* Double the table. False when out of memory. */
static bool grow(struct wide_ids *ids)
{
    const uint64_t count = ids->slot_count > 0 ? ids->slot_count * 2 : SLOTS_MIN;
    struct wide_slot *slots = calloc((size_t)count, sizeof(*slots));
    if (slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < ids->count; i++) {
        uint64_t at = hash_id(ids->ids[i]) & (count - 1);
        while (slots[at].number != 0) {
            at = (at + 1) & (count - 1);
        }
        slots[at] = (struct wide_slot){ids->ids[i], i + 1};
    }
    free(ids->slots);
    ids->slots = slots;
    ids->slot_count = count;
    return true;
}

/* The number of an id; there must be an empty slot. False when out of memory. */
static bool number_of(struct wide_ids *ids, uint64_t id, uint32_t *number)
{
    uint64_t at = hash_id(id) & (ids->slot_count - 1);
    while (ids->slots[at].number != 0 && ids->slots[at].id != id) {
        at = (at + 1) & (ids->slot_count - 1);
    }
    if (ids->slots[at].number == 0) {
        if (ids->count >= GRAPH_NODE_MAX ||
            !array_reserve(&ids->ids, &ids->capacity, (size_t)ids->count + 1, sizeof(*ids->ids))) {
            return false;
        }
        ids->ids[ids->count] = id;
        ids->slots[at] = (struct wide_slot){id, ++ids->count};
    }
    *number = ids->slots[at].number - 1;
    return true;
}

/* Add the edges of a batch of pairs. False when out of memory. */
static bool add_batch(struct wide_ids *ids, struct edge_scan *scan, const uint64_t *pairs,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t source, target;
        if (!number_of(ids, pairs[2 * i], &source) || !number_of(ids, pairs[2 * i + 1], &target)) {
            return false;
        }
        edge_scan_add(scan, source, target);
    }
    return true;
}

/* Read the digits at *at, at most 19. Returns false if there is none, or more. */
static inline bool read_digits(const char **at, uint64_t *number)
{
    const char *p = *at;
    uint64_t value = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        value = value * 10 + (uint64_t)(*p - '0');
    }
    const bool fits = p > *at && p - *at <= DIGITS_FIT;
    *at = p;
    *number = value;
    return fits;
}

/* Read a line that is nothing but two numbers. Returns where the next begins, or NULL. */
static inline const char *read_plain(const char *at, uint64_t pair[2])
{
    if (!read_digits(&at, &pair[0]) || (*at != ' ' && *at != '\t' && *at != ',')) {
        return NULL;
    }
    at++;
    return read_digits(&at, &pair[1]) && *at == '\n' ? at + 1 : NULL;
}

/* Parse lines into pairs until there are enough or the text ends. *bad: a bad line, which is the
 * last. Returns where the next line begins. */
static const char *parse_batch(const struct wide_ids *ids, struct edge_scan *scan, const char *text,
                               const char *end, uint64_t *pairs, size_t *count)
{
    const uint64_t mask = ids->slot_count - 1;
    for (*count = 0; text < end && *count < BATCH_EDGES;) {
        uint64_t *pair = &pairs[2 * *count];
        const char *next = read_plain(text, pair);
        enum edge_line_kind kind = EDGE_LINE_EDGE;
        if (next == NULL) {
            struct edge_line line;
            const char *stop = memchr(text, '\n', (size_t)(end - text));
            kind = edge_line_read(text, stop, scan->rules, &line);
            if (kind == EDGE_LINE_BAD) {
                scan->bad_begin = text;
                scan->bad_end = stop;
                return text;
            }
            next = stop + 1;
            pair[0] = line.source;
            pair[1] = line.target;
            scan->has_more |= kind == EDGE_LINE_EDGE && line.has_more;
        }
        if (kind == EDGE_LINE_EDGE) {
            __builtin_prefetch(&ids->slots[hash_id(pair[0]) & mask]);
            __builtin_prefetch(&ids->slots[hash_id(pair[1]) & mask]);
            ++*count;
        }
        scan->line_count++;
        text = next;
    }
    return text;
}

bool wide_edges_scan_block(struct wide_ids *ids, struct edge_scan *scan, const char *text,
                           size_t length)
{
    const char *end = text + length;
    uint64_t pairs[2 * BATCH_EDGES];
    pw_assert(length > 0 && end[-1] == '\n');
    while (text < end && scan->bad_begin == NULL && !scan->writer->failed) {
        size_t count;
        while (ids->slot_count / 2 < (uint64_t)ids->count + (uint64_t)2 * BATCH_EDGES) {
            if (!grow(ids)) {
                scan->out_of_memory = true;
                return false;
            }
        }
        text = parse_batch(ids, scan, text, end, pairs, &count);
        if (!add_batch(ids, scan, pairs, count)) {
            scan->out_of_memory = true;
            return false;
        }
    }
    return scan->bad_begin == NULL && !scan->writer->failed;
}
