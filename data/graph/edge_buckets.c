/*
 * edge_buckets.c - puts records into strips, and cuts strips out of sheets; see edge_buckets.h.
 *
 * The records of a bucket lie in a chain of strips, each an eighth of the earlier ones together,
 * cut from sheets. The first touch of memory costs as much as all else here. Therefore, if records
 * are short enough to stay beside the lists, sheets are of huge pages and are used again.
 * Neighbouring buckets form a group that shares sheets; edge_lists.c takes them when it is done
 * with the group. Longer records lie in small pages.
 */
#include "edge_buckets.h"
#include "base/pw_assert.h"
#include <stdlib.h>

#define STRIP_SIZE_MIN  ((uint32_t)1 << 6)
#define STRIP_DOUBLES   ((uint64_t)1 << 10) /* a shorter chain doubles */
#define STRIP_SIZE_HUGE ((uint32_t)1 << 14) /* the largest in a sheet of huge pages */
#define STRIP_SIZE_MAX  ((uint32_t)1 << 16) /* in any other */
#define STRIP_GROWTH    8
#define GROUP_BYTES     ((uint64_t)16 << 20) /* records of a group: many sheets, few groups */
#define RECORD_STAYS    5 /* bytes; with a neighbour of 4, the 9 per edge that are promised */

#define SHIFT_MIN 10
#define SHIFT_MAX 16

static unsigned bits_of(uint64_t limit)
{
    unsigned bits = 1;
    while (bits < 32 && (uint64_t)1 << bits < limit) {
        bits++;
    }
    return bits;
}

struct edge_layout edge_layout_sparse(uint64_t id_limit)
{
    unsigned bits = bits_of(id_limit);
    unsigned shift = bits < SHIFT_MAX + 8 ? SHIFT_MAX : bits - 8;
    return (struct edge_layout){shift, 32, (shift + 32 + 7) / 8};
}

struct edge_layout edge_layout_for(uint64_t source_limit, uint64_t target_limit)
{
    struct edge_layout layout = {SHIFT_MAX, 32, 6};
    if (source_limit > 0) { /* 129 to 256 buckets up to 2^24 sources: few streams, short lists */
        unsigned bits = bits_of(source_limit);
        layout.shift = bits < SHIFT_MIN + 8 ? SHIFT_MIN : bits - 8;
        layout.shift = layout.shift > SHIFT_MAX ? SHIFT_MAX : layout.shift;
    }
    if (target_limit > 0) {
        layout.target_bits = bits_of(target_limit);
    }
    layout.record_bytes = (layout.shift + layout.target_bits + 7) / 8;
    pw_assert(layout.record_bytes <= sizeof(uint64_t));
    return layout;
}

static bool add_buckets(struct edge_writer *writer, size_t wanted)
{
    size_t old = writer->bucket_count;
    size_t count = wanted > old * 2 ? wanted : old * 2;
    pw_assert(count > old); /* not 0, which may make realloc free */
    struct edge_bucket *buckets = realloc(writer->buckets, count * sizeof(*buckets));
    writer->buckets = buckets != NULL ? buckets : writer->buckets;
    struct edge_chain *chains = realloc(writer->chains, count * sizeof(*chains));
    writer->chains = chains != NULL ? chains : writer->chains;
    if (buckets == NULL || chains == NULL) {
        return false;
    }
    memset(buckets + old, 0, (count - old) * sizeof(*buckets));
    memset(chains + old, 0, (count - old) * sizeof(*chains));
    writer->bucket_count = count;
    return true;
}

void edge_writer_hand_over(struct edge_writer *from, struct edge_writer *to)
{
    for (size_t i = 0; i < EDGE_GROUPS_MAX; i++) {
        edge_sheets_join(&to->spare, &from->groups[i].sheets);
    }
    if (from != to) {
        edge_sheets_join(&to->spare, &from->spare);
    }
}

bool edge_writer_init(struct edge_writer *writer, struct edge_layout layout, size_t bucket_count,
                      uint64_t edge_count)
{
    edge_writer_hand_over(writer, writer);
    struct edge_sheet *spare = writer->spare;
    bool huge = spare != NULL ? writer->huge : layout.record_bytes <= RECORD_STAYS;
    uint64_t groups = huge ? edge_count / (GROUP_BYTES / layout.record_bytes) : 0;
    groups = groups < 1 ? 1 : groups < EDGE_GROUPS_MAX ? groups : EDGE_GROUPS_MAX;
    free(writer->buckets);
    free(writer->chains);
    pw_assert(bucket_count > 0 && layout.record_bytes > 0);
    *writer = (struct edge_writer){.layout = layout,
                                   .group_size = (size_t)((bucket_count + groups - 1) / groups),
                                   .spare = spare,
                                   .huge = huge};
    pw_assert(writer->buckets == NULL && writer->chains == NULL);
    if (!add_buckets(writer, bucket_count)) {
        edge_writer_free(writer);
        return false;
    }
    return true;
}

void edge_writer_free(struct edge_writer *writer)
{
    for (size_t i = 0; i < EDGE_GROUPS_MAX; i++) {
        edge_sheets_free(writer->groups[i].sheets);
    }
    edge_sheets_free(writer->spare);
    free(writer->buckets);
    free(writer->chains);
    memset(writer, 0, sizeof(*writer));
}

/* Take a sheet, a used one if possible. False when out of memory. */
static bool take_sheet(struct edge_writer *writer, struct edge_group *group)
{
    struct edge_sheet *sheet = edge_sheets_take(&writer->spare);
    if (sheet == NULL) {
        bool allowed = writer->memory_left == NULL ||
                       atomic_fetch_sub(writer->memory_left, (int64_t)EDGE_SHEET_SIZE) >= 0;
        sheet = allowed ? edge_sheet_map(writer->huge) : NULL;
        if (sheet == NULL) {
            return false;
        }
    }
    pw_assert(sheet != group->sheets);
    edge_sheets_put(&group->sheets, sheet);
    group->next = edge_sheet_base(sheet);
    return true;
}

/* Cut a strip for a bucket. */
static struct edge_strip *take_strip(struct edge_writer *writer, size_t index, uint32_t size)
{
    struct edge_group *group = &writer->groups[edge_writer_group(writer, index)];
    size_t left =
        group->sheets != NULL ? (size_t)((unsigned char *)group->sheets - group->next) : 0;
    if (left < size && !take_sheet(writer, group)) {
        return NULL;
    }
    struct edge_strip *strip = (struct edge_strip *)(void *)group->next;
    group->next += size;
    pw_assert(group->next <= (unsigned char *)group->sheets);
    strip->next = NULL;
    strip->size = size;
    strip->count = 0;
    return strip;
}

/* Strips grow with the chain: little of the last one is wasted, and a long chain has few. */
static uint32_t next_strip_size(const struct edge_writer *writer, const struct edge_chain *chain)
{
    uint64_t most = writer->huge ? STRIP_SIZE_HUGE : STRIP_SIZE_MAX;
    uint64_t size = chain->size < STRIP_DOUBLES
                        ? chain->size
                        : chain->size / STRIP_GROWTH / STRIP_DOUBLES * STRIP_DOUBLES;
    uint64_t least = chain->size < STRIP_DOUBLES ? STRIP_SIZE_MIN : STRIP_DOUBLES;
    return (uint32_t)(size < least ? least : size > most ? most : size);
}

static uint32_t last_strip_count(const struct edge_writer *writer, size_t index)
{
    const struct edge_strip *last = writer->chains[index].last;
    return last != NULL ? (uint32_t)((size_t)(writer->buckets[index].next - last->records) /
                                     writer->layout.record_bytes)
                        : 0;
}

bool edge_writer_grow(struct edge_writer *writer, size_t index)
{
    if (writer->failed || (index >= writer->bucket_count && !add_buckets(writer, index + 1))) {
        writer->failed = true;
        return false;
    }
    struct edge_bucket *bucket = &writer->buckets[index];
    struct edge_chain *chain = &writer->chains[index];
    uint32_t size = next_strip_size(writer, chain);
    struct edge_strip *strip = take_strip(writer, index, size);
    if (strip == NULL) {
        writer->failed = true;
        return false;
    }
    pw_assert(size > sizeof(*strip) + sizeof(uint64_t) && bucket->next == bucket->stop);
    if (chain->last != NULL) {
        chain->last->count = last_strip_count(writer, index);
        chain->full_count += chain->last->count;
        chain->last->next = strip;
    } else {
        chain->first = strip;
    }
    chain->last = strip;
    chain->size += size;
    /* A record is stored as eight bytes, so the last one needs room after it. */
    size_t room = size - sizeof(*strip) - sizeof(uint64_t);
    bucket->next = strip->records;
    bucket->stop =
        strip->records + room / writer->layout.record_bytes * writer->layout.record_bytes;
    return true;
}

bool edge_writer_close_segment(struct edge_writer *writer, struct edge_segment *segment)
{
    segment->bucket_count = writer->bucket_count;
    segment->counts = calloc(writer->bucket_count, sizeof(*segment->counts));
    if (segment->counts == NULL) {
        writer->failed = true;
        return false;
    }
    for (size_t i = 0; i < writer->bucket_count; i++) {
        struct edge_chain *chain = &writer->chains[i];
        uint64_t count = chain->full_count;
        if (chain->last != NULL) {
            chain->last->count = last_strip_count(writer, i);
            count += chain->last->count;
        }
        pw_assert(count >= chain->seen_count);
        segment->counts[i] = count - chain->seen_count;
        chain->seen_count = count;
    }
    return !writer->failed;
}

uint64_t edge_writer_table_bytes(const struct edge_writer *writer, unsigned segment_count)
{
    return writer->bucket_count * (sizeof(*writer->buckets) + sizeof(*writer->chains) +
                                   STRIP_SIZE_MIN + segment_count * sizeof(uint64_t));
}

uint64_t edge_writers_count(const struct edge_writer *writers, unsigned writer_count)
{
    uint64_t count = 0;
    for (unsigned w = 0; w < writer_count; w++) {
        for (size_t i = 0; i < writers[w].bucket_count; i++) {
            count += writers[w].chains[i].seen_count;
        }
    }
    return count;
}
