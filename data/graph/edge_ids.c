/*
 * edge_ids.c - turns the records of edge writers into an id_set; see edge_ids.h.
 */
#include "edge_ids.h"
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "graph_memory.h"
#include "parallel.h"
#include <stdlib.h>

#define FEW_IDS ((uint64_t)1 << 22) /* below this, bits are small for any number of edges */

struct collection {
    const struct edge_writer *writers;
    unsigned writer_count;
    struct id_set *set;
    size_t group_count;
    unsigned span_bits; /* a span: the ids of a bucket, at least a group */
    size_t span_count;
    uint64_t *ends;     /* of the lows of each writer and group, first writer first in a group */
    uint16_t *lows;     /* of all targets, by group */
    bool is_counting;   /* the targets, before they get their places */
    atomic_size_t next; /* span to do */
    atomic_bool failed; /* or cancelled */
    const volatile sig_atomic_t *cancel;
};

/* True if all shall end; once for each bucket of a writer. */
static bool is_over(struct collection *all)
{
    if (cancel_is_set(all->cancel)) {
        atomic_store(&all->failed, true);
    }
    return atomic_load(&all->failed);
}

/* Set the bits of the sources and targets of a bucket. */
static void set_bits(void *context, unsigned number, size_t index)
{
    (void)number;
    struct collection *all = context;
    for (unsigned w = 0; w < all->writer_count && !is_over(all); w++) {
        const struct edge_writer *writer = &all->writers[w];
        struct record_masks masks = record_masks_of(writer->layout);
        uint32_t first_source = (uint32_t)(index << writer->layout.shift);
        for (const struct edge_strip *strip = edge_writer_strips(writer, index); strip != NULL;
             strip = strip->next) {
            const unsigned char *at = strip->records;
            for (uint32_t i = 0; i < strip->count; i++, at += masks.bytes) {
                uint64_t record = record_load(at);
                id_set_add(all->set, first_source + record_low(record, masks));
                id_set_add(all->set, record_target(record, masks));
            }
        }
    }
}

/* For one writer: count the targets of each group in ends, or put their low halves there. */
static void sort_targets(void *context, unsigned number, size_t w)
{
    (void)number;
    struct collection *all = context;
    const bool counting = all->is_counting;
    const struct edge_writer *writer = &all->writers[w];
    struct record_masks masks = record_masks_of(writer->layout);
    uint64_t *ends = all->ends + w * all->group_count;
    for (size_t index = 0; index < writer->bucket_count && !is_over(all); index++) {
        for (const struct edge_strip *strip = edge_writer_strips(writer, index); strip != NULL;
             strip = strip->next) {
            const unsigned char *at = strip->records;
            for (uint32_t i = 0; i < strip->count; i++, at += masks.bytes) {
                uint32_t target = record_target(record_load(at), masks);
                uint64_t *end = &ends[target >> ID_GROUP_BITS];
                if (!counting) {
                    all->lows[*end] = (uint16_t)target;
                }
                ++*end;
            }
        }
    }
}

/* Where the targets of a group begin in lows, once they are placed. */
static uint64_t group_begin(const struct collection *all, size_t group)
{
    return group > 0 ? all->ends[(all->writer_count - 1) * all->group_count + group - 1] : 0;
}

/* One past the last group of a span. */
static size_t group_end(const struct collection *all, size_t span)
{
    size_t end = (span + 1) << (all->span_bits - ID_GROUP_BITS);
    return end < all->group_count ? end : all->group_count;
}

/* The ids of a span that occur, and the words with any of them, a bit for each word. */
struct marks {
    uint64_t *bits, *touched;
};

static void mark(struct marks marks, uint32_t low)
{
    pw_assert(marks.bits != NULL && marks.touched != NULL);
    marks.bits[low >> 6] |= (uint64_t)1 << (low & 63);
    marks.touched[low >> 12] |= (uint64_t)1 << (low >> 6 & 63);
}

/* Mark all ids of a span: the targets of its groups, the sources of its buckets. */
static void mark_span(const struct collection *all, size_t span, struct marks marks)
{
    uint32_t mask = (uint32_t)(((uint64_t)1 << all->span_bits) - 1);
    unsigned steps = all->span_bits - ID_GROUP_BITS; /* 2^steps groups per span */
    for (size_t group = span << steps; group < group_end(all, span); group++) {
        uint32_t first = (uint32_t)(group << ID_GROUP_BITS) & mask;
        for (uint64_t i = group_begin(all, group); i < group_begin(all, group + 1); i++) {
            mark(marks, first | all->lows[i]);
        }
    }
    for (unsigned w = 0; w < all->writer_count; w++) {
        const struct edge_writer *writer = &all->writers[w];
        struct record_masks masks = record_masks_of(writer->layout);
        steps = all->span_bits - writer->layout.shift; /* 2^steps buckets per span */
        for (size_t index = span << steps; index < (span + 1) << steps; index++) {
            uint32_t first = (uint32_t)(index << writer->layout.shift) & mask;
            for (const struct edge_strip *strip = edge_writer_strips(writer, index); strip != NULL;
                 strip = strip->next) {
                const unsigned char *at = strip->records;
                for (uint32_t i = 0; i < strip->count; i++, at += masks.bytes) {
                    mark(marks, first + record_low(record_load(at), masks));
                }
            }
        }
    }
}

/* Count the marked ids of each group of a span, or list them from starts on; clear the marks. */
static void take_span(const struct collection *all, size_t span, struct marks marks)
{
    struct id_set *set = all->set;
    size_t words = ID_GROUP_WORDS / 64; /* of touched, per group */
    unsigned steps = all->span_bits - ID_GROUP_BITS;
    for (size_t group = span << steps; group < group_end(all, span); group++) {
        uint32_t count = 0;
        uint16_t *low = set->lows != NULL ? set->lows + set->starts[group] : NULL;
        size_t first = (group - (span << steps)) * words;
        for (size_t i = first; i < first + words; i++) {
            for (uint64_t some = marks.touched[i]; some; some &= some - 1) {
                size_t at = i * 64 + (size_t)__builtin_ctzll(some);
                for (uint64_t word = marks.bits[at]; word; word &= word - 1) {
                    if (low != NULL) {
                        low[count] = (uint16_t)(at * 64 + (size_t)__builtin_ctzll(word));
                    }
                    count++;
                }
                marks.bits[at] = 0;
            }
            marks.touched[i] = 0;
        }
        if (low == NULL) {
            set->starts[group + 1] = count;
        }
    }
}

static void list_spans(void *context, unsigned number)
{
    (void)number;
    struct collection *all = context;
    size_t words = (size_t)1 << (all->span_bits - 6);
    struct marks marks = {calloc(words, sizeof(uint64_t)), calloc(words / 64, sizeof(uint64_t))};
    if (marks.bits == NULL || marks.touched == NULL) {
        atomic_store(&all->failed, true);
    }
    for (size_t span;
         !is_over(all) && (span = atomic_fetch_add(&all->next, 1)) < all->span_count;) {
        mark_span(all, span, marks);
        take_span(all, span, marks);
    }
    free(marks.bits);
    free(marks.touched);
}

static void list_all_spans(struct collection *all)
{
    atomic_store(&all->next, 0);
    parallel_run(all->writer_count, list_spans, all);
}

/* Turn the counts in ends into the places of each writer's targets of a group. Returns the sum. */
static uint64_t sum_ends(struct collection *all)
{
    uint64_t sum = 0;
    for (size_t group = 0; group < all->group_count; group++) {
        for (unsigned w = 0; w < all->writer_count; w++) {
            uint64_t *end = &all->ends[w * all->group_count + group];
            uint64_t count = *end;
            *end = sum;
            sum += count;
        }
    }
    return sum;
}

static bool collect_lists(struct collection *all, uint64_t edge_count)
{
    struct id_set *set = all->set;
    all->is_counting = true;
    parallel_each(all->writer_count, all->writer_count, sort_targets, all);
    uint64_t target_count = sum_ends(all);
    if (is_over(all)) {
        return false;
    }
    pw_assert(target_count == edge_count);
    all->is_counting = false;
    parallel_each(all->writer_count, all->writer_count, sort_targets, all);
    if (is_over(all)) {
        return false; /* places of targets are missing */
    }
    list_all_spans(all);
    for (size_t group = 0; group < all->group_count; group++) {
        set->starts[group + 1] += set->starts[group];
    }
    if (atomic_load(&all->failed) || !id_set_place_lists(set)) {
        return false;
    }
    list_all_spans(all);
    (void)target_count;
    return !atomic_load(&all->failed);
}

bool edge_ids_collect(const struct edge_writer *writers, unsigned writer_count, uint64_t limit,
                      const volatile sig_atomic_t *cancel, struct id_set *set)
{
    struct collection all = {
        .writers = writers, .writer_count = writer_count, .set = set, .cancel = cancel};
    uint64_t edge_count = edge_writers_count(writers, writer_count);
    if (limit <= FEW_IDS || id_set_bits_bytes(limit) <= 2 * edge_count) {
        size_t bucket_count = 0;
        for (unsigned w = 0; w < writer_count; w++) {
            bucket_count =
                writers[w].bucket_count > bucket_count ? writers[w].bucket_count : bucket_count;
        }
        if (!id_set_init_bits(set, limit)) {
            return false;
        }
        parallel_each(writer_count, bucket_count, set_bits, &all);
        if (is_over(&all)) {
            id_set_free(set);
            return false;
        }
        id_set_rank_all(set);
        return true;
    }
    all.group_count = id_set_group_count(limit);
    all.span_bits =
        writers[0].layout.shift > ID_GROUP_BITS ? writers[0].layout.shift : ID_GROUP_BITS;
    all.span_count = (size_t)((limit - 1) >> all.span_bits) + 1;
    all.ends = calloc(all.group_count * writer_count, sizeof(*all.ends));
    all.lows = memory_map((size_t)edge_count * sizeof(*all.lows), false);
    bool done = all.ends != NULL && all.lows != NULL && id_set_init_lists(set, limit) &&
                collect_lists(&all, edge_count);
    memory_unmap(all.lows, (size_t)edge_count * sizeof(*all.lows));
    free(all.ends);
    if (!done) {
        id_set_free(set);
    }
    pw_assert(!done || id_set_check(set));
    return done;
}
