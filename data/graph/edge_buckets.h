/*
 * edge_buckets.h - the first of two passes that sort edges: each thread drops its own in buckets.
 *
 * 1. A bucket is for 2^shift consecutive sources. An edge becomes a record of two to seven bytes,
 *    by the size of the graph: the target, and the low bits of the source, little-endian on every
 *    processor.
 * 2. The input comes in numbered segments, each dropped by one thread. The records that each
 *    segment gave to a bucket are counted. So edge_lists.h, the second pass, knows the order of the
 *    file, and the result does not depend on the number of threads.
 * Cost: record_bytes per edge, and a little for strips that are not full.
 * Source: radix partitioning, as in Balkesen et al., "Main-memory hash joins on multi-core CPUs"
 * (2013).
 */
#pragma once

#include "base/macros.h"
#include "base/pw_assert.h"
#include "edge_sheets.h"
#include <endian.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

struct edge_layout {
    unsigned shift;        /* a bucket holds 2^shift sources */
    unsigned target_bits;  /* low bits of a record: the target; above: the source in the bucket */
    unsigned record_bytes; /* 2 to 7 */
};

struct edge_strip {
    struct edge_strip *next;
    uint32_t size;  /* bytes of the whole strip */
    uint32_t count; /* records; known once the strip is full or a segment closed */
    unsigned char records[];
};

struct edge_bucket {
    unsigned char *next, *stop; /* where the next record goes; where the strip is full */
};

struct edge_chain {
    struct edge_strip *first, *last;
    uint64_t size;       /* bytes of all strips */
    uint64_t full_count; /* records in the strips before the last */
    uint64_t seen_count; /* records at the end of the last segment */
};

#define EDGE_GROUPS_MAX 16

/* The sheets of neighbouring buckets, which are finished at about the same time. */
struct edge_group {
    struct edge_sheet *sheets;
    unsigned char *next; /* the unused bytes of the first sheet */
};

/* One thread's buckets. */
struct edge_writer {
    struct edge_layout layout;
    struct edge_bucket *buckets;
    struct edge_chain *chains;
    size_t bucket_count;
    bool failed;                       /* out of memory: edges added from now on are lost */
    atomic_int_least64_t *memory_left; /* bytes that all writers may still take, or NULL */
    struct edge_group groups[EDGE_GROUPS_MAX];
    size_t group_size;        /* buckets per group */
    struct edge_sheet *spare; /* from before the writer was initialised again */
    bool huge;                /* sheets are of huge pages, and are used again */
};

/* The group whose sheets hold the records of a bucket. */
static inline size_t edge_writer_group(const struct edge_writer *writer, size_t bucket)
{
    size_t group = bucket / writer->group_size;
    return group < EDGE_GROUPS_MAX ? group : EDGE_GROUPS_MAX - 1;
}

/* How many records of a bucket a segment gave. */
struct edge_segment {
    unsigned writer;
    size_t bucket_count;
    uint64_t *counts; /* NULL until the segment is closed */
};

/* The layout for sources below source_limit and targets below target_limit; 0 if not known. */
struct edge_layout edge_layout_for(uint64_t source_limit, uint64_t target_limit);

/* The layout for ids that will be renumbered, by the largest of a sample. Larger ones may
 * follow. */
struct edge_layout edge_layout_sparse(uint64_t id_limit);

/*
 * Prepare a zeroed writer; or empty a used one, which keeps its memory for new edges.
 * bucket_count: buckets at the start; more are added as sources need them. edge_count: how many
 * edges to expect, for the number of groups; 0: not known. False when out of memory, the writer
 * freed.
 */
bool edge_writer_init(struct edge_writer *writer, struct edge_layout layout, size_t bucket_count,
                      uint64_t edge_count);
void edge_writer_free(struct edge_writer *writer);

/* Give a writer's memory to another, which has the same kind; the edges in it are lost. */
void edge_writer_hand_over(struct edge_writer *from, struct edge_writer *to);

/* Make room for one more record in a bucket. False, with writer->failed set, when out of memory. */
bool edge_writer_grow(struct edge_writer *writer, size_t bucket);

/* End the segment that the writer has been adding to. Returns false when out of memory. */
bool edge_writer_close_segment(struct edge_writer *writer, struct edge_segment *segment);

/*
 * Add an edge. layout: the writer's. A loop passes its own copy, which stays in registers; after
 * the store of a record the compiler would have to load the writer's again.
 */
static inline void edge_writer_put(struct edge_writer *writer, struct edge_layout layout,
                                   uint32_t source, uint32_t target)
{
    size_t index = source >> layout.shift;
    if (UNLIKELY(index >= writer->bucket_count) && !edge_writer_grow(writer, index)) {
        return;
    }
    struct edge_bucket *bucket = &writer->buckets[index];
    unsigned char *at = bucket->next;
    if (UNLIKELY(at >= bucket->stop)) {
        if (!edge_writer_grow(writer, index)) {
            return;
        }
        at = bucket->next;
    }
    pw_assert((uint64_t)target >> layout.target_bits == 0);
    uint64_t low = source & (((uint32_t)1 << layout.shift) - 1);
    uint64_t record = htole64(target | low << layout.target_bits);
    bucket->next = at + layout.record_bytes;
    memcpy(at, &record, sizeof(record)); /* the next one covers the rest */
}

static inline void edge_writer_add(struct edge_writer *writer, uint32_t source, uint32_t target)
{
    edge_writer_put(writer, writer->layout, source, target);
}

/* How to take a record apart. */
struct record_masks {
    uint64_t target, low;
    unsigned target_bits, bytes;
};

static inline struct record_masks record_masks_of(struct edge_layout layout)
{
    return (struct record_masks){((uint64_t)1 << layout.target_bits) - 1,
                                 ((uint64_t)1 << layout.shift) - 1, layout.target_bits,
                                 layout.record_bytes};
}

static inline uint64_t record_load(const unsigned char *at)
{
    uint64_t record;
    memcpy(&record, at, sizeof(record));
    return le64toh(record);
}

/* The source within its bucket. */
static inline uint32_t record_low(uint64_t record, struct record_masks masks)
{
    return (uint32_t)(record >> masks.target_bits & masks.low);
}

static inline uint32_t record_target(uint64_t record, struct record_masks masks)
{
    return (uint32_t)(record & masks.target);
}

/* The first strip of a bucket; the writer may lack the bucket. NULL: no strip. */
static inline const struct edge_strip *edge_writer_strips(const struct edge_writer *writer,
                                                          size_t index)
{
    return index < writer->bucket_count ? writer->chains[index].first : NULL;
}

/* The most bytes that the tables of the buckets, their first strips and some segments take. */
uint64_t edge_writer_table_bytes(const struct edge_writer *writer, unsigned segment_count);

/* The records in all writers. */
uint64_t edge_writers_count(const struct edge_writer *writers, unsigned writer_count);
