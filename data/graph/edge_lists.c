/*
 * edge_lists.c - counts, sums and places, one bucket at a time; see edge_lists.h.
 *
 * If sheets are of huge pages, the sheets of a finished group of buckets are moved, by their page
 * tables, under the lists to come, or serve the reverse adjacency. Else the buckets are taken in
 * ascending order, so that the lists grow about as fast as the strips are given back.
 */
#include "edge_lists.h"
#include "base/cancel.h"
#include "graph_memory.h"
#include "parallel.h"
#include <endian.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define RELEASE_MIN ((uint32_t)1 << 14) /* a smaller strip is not worth the call that releases it */

/* The progress of a thread in one writer's chain of one bucket. */
struct chain_reader {
    const struct edge_strip *strip;
    uint32_t position; /* records of the strip already read */
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
    pthread_mutex_t lock;    /* of the members below: */
    size_t next_bucket;
    size_t buckets_left[EDGE_GROUPS_MAX]; /* of each group, still to do */
    struct edge_sheet *free_sheets;       /* of groups that are done */
    size_t backed;                        /* of the lists, in sheets: given a sheet, or skipped */
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
        const struct edge_strip *strip = edge_writer_strips(&build->writers[w], bucket.index);
        for (; strip != NULL; strip = strip->next) {
            const unsigned char *at = strip->records;
            for (uint32_t i = 0; i < strip->count; i++, at += masks.bytes) {
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
        pw_assert(reader->strip != NULL);
        while (reader->position == reader->strip->count) {
            reader->strip = reader->strip->next;
            reader->position = 0;
            pw_assert(reader->strip != NULL);
        }
        uint32_t ready = reader->strip->count - reader->position;
        uint32_t now = count < ready ? (uint32_t)count : ready;
        const unsigned char *at = reader->strip->records + (size_t)reader->position * masks.bytes;
        if (masks.low == 0) { /* one row: the records are its list */
            pw_assert(ids == NULL && masks.bytes == sizeof(*neighbours));
            uint32_t *targets = neighbours + bucket.ends[0];
            memcpy(targets, at, now * sizeof(*targets));
            for (uint32_t i = 0; i < now; i++) {
                targets[i] = le32toh(targets[i]);
            }
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
        readers[w] = (struct chain_reader){edge_writer_strips(&build->writers[w], bucket.index), 0};
    }
    for (size_t s = 0; s < build->segment_count; s++) {
        const struct edge_segment *segment = &build->segments[s];
        if (bucket.index < segment->bucket_count) {
            place_targets(build, bucket, &readers[segment->writer], segment->counts[bucket.index]);
        }
    }
}

/* Give the whole pages of a strip back to the system, which would round a part of one up. */
static void release_strip(struct edge_strip *strip)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)strip;
    uintptr_t first = (begin + page - 1) / page * page;
    uintptr_t last = (begin + strip->size) / page * page;
    if (strip->size >= RELEASE_MIN && first < last) {
        madvise((char *)strip + (first - begin), last - first, MADV_DONTNEED);
    }
}

/* Give the bucket's strips of small pages back to the system; others go with the sheet. */
static void release_strips(struct build *build, size_t index)
{
    for (unsigned w = 0; w < build->writer_count; w++) {
        const struct edge_writer *writer = &build->writers[w];
        struct edge_strip *strip =
            writer->huge || index >= writer->bucket_count ? NULL : writer->chains[index].first;
        while (strip != NULL) {
            struct edge_strip *next = strip->next;
            release_strip(strip);
            strip = next;
        }
    }
}

/* Put sheets of finished groups under the lists of a bucket. */
static void back_lists(struct build *build, size_t index)
{
    const struct edge_rows *rows = build->rows;
    bool serves = rows->is_mapped && build->writers[0].huge;
    size_t whole =
        serves ? (size_t)(rows->edge_count * sizeof(*rows->neighbours) / EDGE_SHEET_SIZE) : 0;
    size_t end = (size_t)build->bucket_begins[index + 1] * sizeof(*rows->neighbours);
    size_t wanted = (end + EDGE_SHEET_SIZE - 1) / EDGE_SHEET_SIZE;
    wanted = wanted < whole ? wanted : whole;
    for (; build->backed < wanted; build->backed++) {
        struct edge_sheet *sheet = edge_sheets_take(&build->free_sheets);
        if (sheet != NULL) { /* else the system clears the pages as they are touched */
            char *to = (char *)rows->neighbours + build->backed * EDGE_SHEET_SIZE;
            build->failed |= !memory_move(edge_sheet_base(sheet), EDGE_SHEET_SIZE, to);
        }
    }
}

/* Take the next bucket in ascending order, with memory under its lists. False: no bucket is left.
 * */
static bool take_bucket(struct build *build, size_t *index)
{
    pthread_mutex_lock(&build->lock);
    *index = build->next_bucket;
    build->failed |= cancel_is_set(build->rows->cancel);
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
    size_t group = edge_writer_group(&build->writers[0], index);
    release_strips(build, index);
    pthread_mutex_lock(&build->lock);
    if (--build->buckets_left[group] == 0) {
        for (unsigned w = 0; w < build->writer_count; w++) {
            edge_sheets_join(&build->free_sheets, &build->writers[w].groups[group].sheets);
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
        build->buckets_left[edge_writer_group(&build->writers[0], i)]++;
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
        edge_sheets_join(&build.free_sheets, &writers[w].spare);
    }
    pthread_mutex_init(&build.lock, NULL);
    parallel_run(writer_count, build_buckets, &build);
    pthread_mutex_destroy(&build.lock);
    free(build.bucket_begins);
    for (unsigned w = 0; build.free_sheets != NULL; w = (w + 1) % writer_count) {
        edge_sheets_put(&writers[w].spare, edge_sheets_take(&build.free_sheets));
    }
    return !build.failed && build.next_bucket == build.bucket_count;
}
