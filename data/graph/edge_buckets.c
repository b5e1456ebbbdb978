/*
 * edge_buckets.c - the two passes of edge_buckets.h.
 *
 * The records of a bucket lie in a chain of chunks, each an eighth of those before it, cut from
 * slabs. The first touch of memory costs as much as all else here. Therefore, where records are so
 * short that they may stay beside the lists, slabs are of huge pages and serve again: neighbouring
 * buckets share slabs, and when the second pass is done with such a group, its slabs are moved, by
 * their page tables, under the lists to come, or serve the reverse adjacency. Longer records lie in
 * small pages; there the second pass takes the buckets in ascending order, so that the lists grow
 * about as fast as the chunks are given back.
 */
#include "edge_buckets.h"
#include "base/huge_pages.h"
#include "base/pw_assert.h"
#include "graph_memory.h"
#include "parallel.h"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define CHUNK_SIZE_MIN  ((uint32_t)1 << 6)
#define CHUNK_DOUBLES   ((uint64_t)1 << 10) /* a shorter chain doubles */
#define CHUNK_SIZE_HUGE ((uint32_t)1 << 14) /* the largest in a slab of huge pages */
#define CHUNK_SIZE_MAX  ((uint32_t)1 << 16) /* in any other */
#define RELEASE_MIN                                                                                \
    ((uint32_t)1 << 14) /* a smaller chunk is not worth the call that gives it back */
#define PAGE_BYTES   ((uintptr_t)4096) /* where pages are larger, a chunk goes with its slab */
#define CHUNK_GROWTH 8
#define SLAB_SIZE    HUGE_PAGE_BYTES
#define GROUP_BYTES  ((uint64_t)16 << 20) /* records of a group: many slabs, few groups */
#define RECORD_STAYS 5 /* bytes; with a neighbour of 4, the 9 per edge that are promised */

#define SHIFT_MIN 10
#define SHIFT_MAX 16

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "records are little-endian");

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
    if (source_limit > 0) { /* some 200 buckets: few enough streams, short enough lists */
        unsigned bits = bits_of(source_limit);
        layout.shift = bits < SHIFT_MIN + 8 ? SHIFT_MIN : bits - 8;
        layout.shift = layout.shift > SHIFT_MAX ? SHIFT_MAX : layout.shift;
    }
    if (target_limit > 0) {
        layout.target_bits = bits_of(target_limit);
    }
    layout.record_bytes = (layout.shift + layout.target_bits + 7) / 8;
    return layout;
}

static bool add_buckets(struct edge_writer *writer, size_t wanted)
{
    size_t old = writer->bucket_count;
    size_t count = wanted > old * 2 ? wanted : old * 2;
    pw_assert(count > old); /* so it is not 0, with which realloc may free */
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

/* Put the slabs of a list in front of another. */
static void join_slabs(struct edge_slab **list, struct edge_slab *slabs)
{
    while (slabs != NULL) {
        struct edge_slab *next = slabs->next;
        slabs->next = *list;
        *list = slabs;
        slabs = next;
    }
}

void edge_writer_hand_over(struct edge_writer *from, struct edge_writer *to)
{
    for (size_t i = 0; i < EDGE_GROUPS_MAX; i++) {
        struct edge_slab *slabs = from->groups[i].slabs;
        from->groups[i].slabs = NULL;
        join_slabs(&to->spare, slabs);
    }
    if (from != to) {
        join_slabs(&to->spare, from->spare);
        from->spare = NULL;
    }
}

bool edge_writer_init(struct edge_writer *writer, struct edge_layout layout, size_t bucket_count,
                      uint64_t edge_count)
{
    edge_writer_hand_over(writer, writer);
    struct edge_slab *spare = writer->spare;
    bool huge = spare != NULL ? writer->huge : layout.record_bytes <= RECORD_STAYS;
    uint64_t groups = huge ? edge_count / (GROUP_BYTES / layout.record_bytes) : 0;
    groups = groups < 1 ? 1 : groups < EDGE_GROUPS_MAX ? groups : EDGE_GROUPS_MAX;
    free(writer->buckets);
    free(writer->chains);
    *writer = (struct edge_writer){.layout = layout,
                                   .group_size = (bucket_count + groups - 1) / groups,
                                   .spare = spare,
                                   .huge = huge};
    pw_assert(writer->buckets == NULL && writer->chains == NULL);
    if (!add_buckets(writer, bucket_count)) {
        edge_writer_free(writer);
        return false;
    }
    return true;
}

static size_t group_of(const struct edge_writer *writer, size_t index)
{
    size_t group = index / writer->group_size;
    return group < EDGE_GROUPS_MAX ? group : EDGE_GROUPS_MAX - 1;
}

/* The list of slabs lies at their ends, so that chunks start at pages. */
static unsigned char *slab_base(struct edge_slab *slab)
{
    return (unsigned char *)(slab + 1) - SLAB_SIZE;
}

static void free_slabs(struct edge_slab *slab)
{
    while (slab != NULL) {
        struct edge_slab *next = slab->next;
        memory_unmap(slab_base(slab), SLAB_SIZE);
        slab = next;
    }
}

void edge_writer_free(struct edge_writer *writer)
{
    for (size_t i = 0; i < EDGE_GROUPS_MAX; i++) {
        free_slabs(writer->groups[i].slabs);
    }
    free_slabs(writer->spare);
    free(writer->buckets);
    free(writer->chains);
    memset(writer, 0, sizeof(*writer));
}

/* Take a slab, one that has served before if there is one. False when out of memory. */
static bool take_slab(struct edge_writer *writer, struct edge_group *group)
{
    struct edge_slab *slab = writer->spare;
    if (slab != NULL) {
        writer->spare = slab->next;
    } else {
        bool allowed = writer->memory_left == NULL ||
                       atomic_fetch_sub(writer->memory_left, (int64_t)SLAB_SIZE) >= 0;
        unsigned char *base = allowed ? memory_map(SLAB_SIZE, writer->huge) : NULL;
        if (base == NULL) {
            return false;
        }
        slab = (struct edge_slab *)(void *)(base + SLAB_SIZE) - 1;
    }
    slab->next = group->slabs;
    group->slabs = slab;
    group->next = slab_base(slab);
    return true;
}

/* Cut a chunk for a bucket. */
static struct edge_chunk *take_chunk(struct edge_writer *writer, size_t index, uint32_t size)
{
    struct edge_group *group = &writer->groups[group_of(writer, index)];
    size_t left = group->slabs != NULL ? (size_t)((unsigned char *)group->slabs - group->next) : 0;
    if (left < size && !take_slab(writer, group)) {
        return NULL;
    }
    struct edge_chunk *chunk = (struct edge_chunk *)(void *)group->next;
    group->next += size;
    chunk->next = NULL;
    chunk->size = size;
    chunk->count = 0;
    return chunk;
}

/* Chunks grow with the chain: little of the last is wasted, and a long chain has few. */
static uint32_t next_chunk_size(const struct edge_writer *writer, const struct edge_chain *chain)
{
    uint64_t most = writer->huge ? CHUNK_SIZE_HUGE : CHUNK_SIZE_MAX;
    uint64_t size = chain->size < CHUNK_DOUBLES
                        ? chain->size
                        : chain->size / CHUNK_GROWTH / CHUNK_DOUBLES * CHUNK_DOUBLES;
    uint64_t least = chain->size < CHUNK_DOUBLES ? CHUNK_SIZE_MIN : CHUNK_DOUBLES;
    return (uint32_t)(size < least ? least : size > most ? most : size);
}

static uint32_t last_chunk_count(const struct edge_writer *writer, size_t index)
{
    const struct edge_chunk *last = writer->chains[index].last;
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
    if (bucket->next < bucket->stop) {
        return true;
    }
    uint32_t size = next_chunk_size(writer, chain);
    struct edge_chunk *chunk = take_chunk(writer, index, size);
    if (chunk == NULL) {
        writer->failed = true;
        return false;
    }
    if (chain->last != NULL) {
        chain->last->count = last_chunk_count(writer, index);
        chain->full_count += chain->last->count;
        chain->last->next = chunk;
    } else {
        chain->first = chunk;
    }
    chain->last = chunk;
    chain->size += size;
    /* A record is stored as eight bytes, so the last one needs room behind it. */
    size_t room = size - sizeof(*chunk) - sizeof(uint64_t);
    bucket->next = chunk->records;
    bucket->stop =
        chunk->records + room / writer->layout.record_bytes * writer->layout.record_bytes;
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
            chain->last->count = last_chunk_count(writer, i);
            count += chain->last->count;
        }
        segment->counts[i] = count - chain->seen_count;
        chain->seen_count = count;
    }
    return !writer->failed;
}

uint64_t edge_writer_table_bytes(const struct edge_writer *writer, unsigned segment_count)
{
    return writer->bucket_count * (sizeof(*writer->buckets) + sizeof(*writer->chains) +
                                   CHUNK_SIZE_MIN + segment_count * sizeof(uint64_t));
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

/* Where a thread stands in one writer's chain of one bucket. */
struct chain_reader {
    const struct edge_chunk *chunk;
    uint32_t position; /* records of the chunk already read */
};

struct build {
    struct edge_layout layout;
    struct edge_writer *writers;
    unsigned writer_count;
    const struct edge_segment *segments;
    size_t segment_count;
    const struct id_set *ids;
    const struct edge_rows *rows;
    size_t bucket_count;
    uint64_t *bucket_begins; /* the first edge of each bucket */
    pthread_mutex_t lock;    /* of what follows: */
    size_t next_bucket;
    size_t buckets_left[EDGE_GROUPS_MAX]; /* of each group, to be done */
    struct edge_slab *free_slabs;         /* of groups that are done */
    size_t backed; /* pieces of SLAB_SIZE under the lists that were given a slab, or passed over */
    bool failed;
};

struct bucket_rows {
    size_t index;
    uint32_t first_source;
    uint32_t first_row; /* the source's row: its rank where ids are ranked */
    uint32_t row_count;
    uint64_t *ends; /* offsets + 1 of the first row */
};

static struct bucket_rows rows_of_bucket(const struct build *build, size_t index)
{
    const struct id_set *ids = build->ids;
    uint64_t id_limit = ids != NULL ? ids->limit : build->rows->row_limit;
    uint64_t first = (uint64_t)index << build->layout.shift;
    uint64_t limit = (uint64_t)(index + 1) << build->layout.shift;
    struct bucket_rows bucket = {.index = index, .first_source = (uint32_t)first};
    pw_assert(first < id_limit);
    limit = limit < id_limit ? limit : id_limit;
    if (ids != NULL) {
        limit = limit == id_limit ? ids->count : id_set_rank(ids, (uint32_t)limit);
        first = id_set_rank(ids, (uint32_t)first);
    }
    bucket.first_row = (uint32_t)first;
    bucket.row_count = (uint32_t)(limit - first);
    bucket.ends = build->rows->offsets + first + 1;
    return bucket;
}

/* ends[r] becomes the degree of row r. */
static void count_degrees(const struct build *build, struct bucket_rows bucket)
{
    struct record_masks masks = record_masks_of(build->layout);
    if (masks.low == 0) { /* one row */
        bucket.ends[0] =
            build->bucket_begins[bucket.index + 1] - build->bucket_begins[bucket.index];
        return;
    }
    for (unsigned w = 0; w < build->writer_count; w++) {
        const struct edge_chunk *chunk = edge_writer_chunks(&build->writers[w], bucket.index);
        for (; chunk != NULL; chunk = chunk->next) {
            const unsigned char *at = chunk->records;
            for (uint32_t i = 0; i < chunk->count; i++, at += masks.bytes) {
                uint32_t row = record_low(record_load(at), masks);
                if (build->ids != NULL) {
                    row = id_set_rank(build->ids, bucket.first_source + row) - bucket.first_row;
                }
                bucket.ends[row]++;
            }
        }
    }
}

/* Put the next count targets of a chain into their rows; ends[r] is where row r is filled up to. */
static void place_targets(const struct build *build, struct bucket_rows bucket,
                          struct chain_reader *reader, uint64_t count)
{
    struct record_masks masks = record_masks_of(build->layout);
    const struct id_set *ids = build->ids;
    uint32_t *neighbours = build->rows->neighbours;
    while (count > 0) {
        pw_assert(reader->chunk != NULL);
        while (reader->position == reader->chunk->count) {
            reader->chunk = reader->chunk->next;
            reader->position = 0;
            pw_assert(reader->chunk != NULL);
        }
        uint32_t ready = reader->chunk->count - reader->position;
        uint32_t now = count < ready ? (uint32_t)count : ready;
        const unsigned char *at = reader->chunk->records + (size_t)reader->position * masks.bytes;
        if (masks.low == 0) { /* one row: the records are its list */
            pw_assert(ids == NULL && masks.bytes == sizeof(*neighbours));
            memcpy(neighbours + bucket.ends[0], at, now * sizeof(*neighbours));
            bucket.ends[0] += now;
        }
        for (uint32_t i = 0; masks.low > 0 && ids == NULL && i < now; i++, at += masks.bytes) {
            uint64_t record = record_load(at);
            neighbours[bucket.ends[record_low(record, masks)]++] = record_target(record, masks);
        }
        for (uint32_t i = 0; ids != NULL && i < now; i++, at += masks.bytes) {
            uint64_t record = record_load(at);
            uint32_t source = bucket.first_source + record_low(record, masks);
            uint32_t row = id_set_rank(ids, source) - bucket.first_row;
            neighbours[bucket.ends[row]++] = id_set_rank(ids, record_target(record, masks));
        }
        reader->position += now;
        count -= now;
    }
}

static void place_in_order(struct build *build, struct bucket_rows bucket,
                           struct chain_reader *readers)
{
    for (unsigned w = 0; w < build->writer_count; w++) {
        readers[w] = (struct chain_reader){edge_writer_chunks(&build->writers[w], bucket.index), 0};
    }
    for (size_t s = 0; s < build->segment_count; s++) {
        const struct edge_segment *segment = &build->segments[s];
        if (bucket.index < segment->bucket_count) {
            place_targets(build, bucket, &readers[segment->writer], segment->counts[bucket.index]);
        }
    }
}

/* Give the whole pages of a chunk back to the system. */
static void release_chunk(struct edge_chunk *chunk)
{
    uintptr_t begin = (uintptr_t)chunk;
    uintptr_t first = (begin + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    uintptr_t last = (begin + chunk->size) / PAGE_BYTES * PAGE_BYTES;
    if (chunk->size >= RELEASE_MIN) {
        madvise((char *)chunk + (first - begin), last - first, MADV_DONTNEED);
    }
}

/* Give the bucket's chunks of small pages back to the system; others go with the slab. */
static void release_chunks(struct build *build, size_t index)
{
    for (unsigned w = 0; w < build->writer_count; w++) {
        const struct edge_writer *writer = &build->writers[w];
        struct edge_chunk *chunk =
            writer->huge || index >= writer->bucket_count ? NULL : writer->chains[index].first;
        while (chunk != NULL) {
            struct edge_chunk *next = chunk->next;
            release_chunk(chunk);
            chunk = next;
        }
    }
}

/* Put slabs of groups that are done under the lists of a bucket. */
static void back_lists(struct build *build, size_t index)
{
    const struct edge_rows *rows = build->rows;
    bool serves = rows->is_mapped && build->writers[0].huge;
    size_t whole = serves ? rows->edge_count * sizeof(*rows->neighbours) / SLAB_SIZE : 0;
    size_t end = build->bucket_begins[index + 1] * sizeof(*rows->neighbours);
    size_t wanted = (end + SLAB_SIZE - 1) / SLAB_SIZE;
    wanted = wanted < whole ? wanted : whole;
    for (; build->backed < wanted; build->backed++) {
        struct edge_slab *slab = build->free_slabs;
        if (slab != NULL) { /* else the system clears the pages as they are touched */
            build->free_slabs = slab->next;
            char *to = (char *)rows->neighbours + build->backed * SLAB_SIZE;
            build->failed |= !memory_move(slab_base(slab), SLAB_SIZE, to);
        }
    }
}

/* Take the next bucket in ascending order, with memory under its lists. False: none is left. */
static bool take_bucket(struct build *build, size_t *index)
{
    pthread_mutex_lock(&build->lock);
    *index = build->next_bucket;
    bool taken = !build->failed && *index < build->bucket_count;
    if (taken) {
        build->next_bucket++;
        back_lists(build, *index);
        taken = !build->failed;
    }
    pthread_mutex_unlock(&build->lock);
    return taken;
}

/* The records of a bucket are not needed any more. */
static void finish_bucket(struct build *build, size_t index)
{
    size_t group = group_of(&build->writers[0], index);
    release_chunks(build, index);
    pthread_mutex_lock(&build->lock);
    if (--build->buckets_left[group] == 0) {
        for (unsigned w = 0; w < build->writer_count; w++) {
            join_slabs(&build->free_slabs, build->writers[w].groups[group].slabs);
            build->writers[w].groups[group].slabs = NULL;
        }
    }
    pthread_mutex_unlock(&build->lock);
}

static void build_buckets(void *context, unsigned number)
{
    (void)number;
    struct build *build = context;
    struct chain_reader *readers = calloc(build->writer_count, sizeof(*readers));
    size_t index;
    while (readers != NULL && take_bucket(build, &index)) {
        struct bucket_rows bucket = rows_of_bucket(build, index);
        count_degrees(build, bucket);
        uint64_t sum = build->bucket_begins[index];
        for (uint32_t row = 0; row < bucket.row_count; row++) {
            uint64_t degree = bucket.ends[row];
            bucket.ends[row] = sum; /* where the row starts; placing moves it to the end */
            sum += degree;
        }
        pw_assert(sum == build->bucket_begins[index + 1]);
        place_in_order(build, bucket, readers);
        pw_assert(bucket.row_count == 0 || bucket.ends[bucket.row_count - 1] == sum);
        finish_bucket(build, index);
    }
    free(readers);
}

/* The number of buckets that cover all rows, the first edge of each, and the end of the last. */
static bool sum_buckets(struct build *build, const struct edge_rows *rows)
{
    unsigned shift = build->layout.shift;
    /* Ids that are only targets have rows too, so it is not the writers' buckets that count. */
    uint64_t id_limit = build->ids != NULL ? build->ids->limit : rows->row_limit;
    size_t count = (size_t)((id_limit + ((uint64_t)1 << shift) - 1) >> shift);
    build->bucket_count = count;
    build->bucket_begins = calloc(count + 1, sizeof(*build->bucket_begins));
    if (build->bucket_begins == NULL) {
        return false;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        build->buckets_left[group_of(&build->writers[0], i)]++;
        for (unsigned w = 0; w < build->writer_count; w++) {
            sum += i < build->writers[w].bucket_count ? build->writers[w].chains[i].seen_count : 0;
        }
        build->bucket_begins[i + 1] = sum;
    }
    pw_assert(sum == rows->edge_count); /* edges in, edges out */
    return true;
}

bool edge_writers_build(struct edge_writer *writers, unsigned writer_count,
                        const struct edge_segment *segments, size_t segment_count,
                        const struct id_set *ids, const struct edge_rows *rows)
{
    struct build build = {.layout = writers[0].layout,
                          .writers = writers,
                          .writer_count = writer_count,
                          .segments = segments,
                          .segment_count = segment_count,
                          .ids = ids,
                          .rows = rows};
    pw_assert(writer_count > 0);
    if (!sum_buckets(&build, rows)) {
        return false;
    }
    for (unsigned w = 0; w < writer_count; w++) {
        join_slabs(&build.free_slabs, writers[w].spare);
        writers[w].spare = NULL;
    }
    pthread_mutex_init(&build.lock, NULL);
    parallel_run(writer_count, build_buckets, &build);
    pthread_mutex_destroy(&build.lock);
    free(build.bucket_begins);
    for (unsigned w = 0; build.free_slabs != NULL; w = (w + 1) % writer_count) {
        struct edge_slab *slab = build.free_slabs;
        build.free_slabs = slab->next;
        slab->next = writers[w].spare;
        writers[w].spare = slab;
    }
    return !build.failed && build.next_bucket == build.bucket_count;
}
