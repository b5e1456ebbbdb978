/*
 * edge_buckets.h - edges in any order become adjacency lists, in two passes over little memory.
 *
 * 1. Each thread drops its edges into buckets of 2^shift consecutive sources, as records of five to
 *    seven bytes: the target, and the low bits of the source.
 * 2. Bucket by bucket the degrees are counted and summed, and the targets put in place. The lists
 *    of one bucket fit the cache. The memory of its records then holds the lists of later buckets,
 *    so that the kernel clears fewer pages; that of long records goes back to the system.
 * The input comes in numbered segments, each dropped by one thread. A list is in the order of the
 * segments, so the result does not depend on the number of threads.
 * Cost: at most record_bytes + 4 bytes per edge, and 8 per node; 6 and 8 for large graphs whose
 * records take five bytes.
 * Source: radix partitioning, as in Balkesen et al., "Main-memory hash joins on multi-core CPUs"
 * (2013).
 */
#pragma once

#include "base/macros.h"
#include "base/pw_assert.h"
#include "id_rank.h"
#include <stdatomic.h>
#include <string.h>

struct edge_layout {
    unsigned shift;        /* a bucket holds 2^shift sources */
    unsigned target_bits;  /* low bits of a record: the target; above: the source in the bucket */
    unsigned record_bytes; /* at most 8 */
};

struct edge_chunk {
    struct edge_chunk *next;
    uint32_t size;  /* bytes of the whole chunk */
    uint32_t count; /* records; known once the chunk is full or a segment closed */
    unsigned char records[];
};

struct edge_bucket {
    unsigned char *next, *stop; /* where the next record goes; where the chunk is full */
};

struct edge_chain {
    struct edge_chunk *first, *last;
    uint64_t size;       /* bytes of all chunks */
    uint64_t full_count; /* records in the chunks before the last */
    uint64_t seen_count; /* records at the end of the last segment */
};

struct edge_slab {
    struct edge_slab *next;
};

#define EDGE_GROUPS_MAX 16

/* The slabs of neighbouring buckets, which are done with at about the same time. */
struct edge_group {
    struct edge_slab *slabs;
    unsigned char *next; /* the unused bytes of the first slab */
};

/* One thread's buckets. */
struct edge_writer {
    struct edge_layout layout;
    struct edge_bucket *buckets;
    struct edge_chain *chains;
    size_t bucket_count;
    bool failed;                       /* out of memory: what is added from here on is lost */
    atomic_int_least64_t *memory_left; /* bytes that all writers may still take, or NULL */
    struct edge_group groups[EDGE_GROUPS_MAX];
    size_t group_size;       /* buckets per group */
    struct edge_slab *spare; /* from before the writer was initialised again */
    bool huge;               /* slabs are of huge pages, and serve again */
};

/* How many records of a bucket a segment gave. */
struct edge_segment {
    unsigned writer;
    size_t bucket_count;
    uint64_t *counts; /* NULL until the segment is closed */
};

/* The layout for sources below source_limit and targets below target_limit; 0 when not known. */
struct edge_layout edge_layout_for(uint64_t source_limit, uint64_t target_limit);

/* The layout for ids to be renumbered, by the largest of a sample. Larger ones may follow. */
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
    uint64_t record = target | low << layout.target_bits;
    bucket->next = at + layout.record_bytes;
    memcpy(at, &record, sizeof(record)); /* little-endian; the next one covers the rest */
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
    return record;
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

/* The first chunk of a bucket, which the writer need not have; NULL: none. */
static inline const struct edge_chunk *edge_writer_chunks(const struct edge_writer *writer,
                                                          size_t index)
{
    return index < writer->bucket_count ? writer->chains[index].first : NULL;
}

/* The adjacency lists to fill: row u lists the targets of source u. */
struct edge_rows {
    uint64_t edge_count;
    uint64_t row_limit;   /* rows, numbered from 0 */
    uint64_t *offsets;    /* row_limit + 1, zeroed */
    uint32_t *neighbours; /* edge_count */
    bool is_mapped;       /* neighbours is a mapping of its own, not yet touched */
};

/* The most bytes that the tables of the buckets, their first chunks and some segments take. */
uint64_t edge_writer_table_bytes(const struct edge_writer *writer, unsigned segment_count);

/* The records in all writers. */
uint64_t edge_writers_count(const struct edge_writer *writers, unsigned writer_count);

/*
 * Fill rows from the writers' edges with writer_count threads. The records are lost on the way.
 * ids: NULL, or a ranked set that renumbers sources and targets. Returns false when out of
 * memory.
 */
bool edge_writers_build(struct edge_writer *writers, unsigned writer_count,
                        const struct edge_segment *segments, size_t segment_count,
                        const struct id_set *ids, const struct edge_rows *rows);
