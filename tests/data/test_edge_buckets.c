/*
 * test_edge_buckets.c - edges from several writers become lists in the order of the segments, also
 * where the memory of the records serves the lists; against a plain count and placement.
 */
#include "data/graph/edge_ids.h"
#include "data/graph/edge_lists.h"
#include "data/graph/graph_memory.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <stdlib.h>

enum { ROWS = 100000, EDGES = 1600000, WRITERS = 2, SEGMENTS = 5 };

static uint32_t sources[EDGES], targets[EDGES];

static void draw_edges(void)
{
    struct rng rng = random_start("edge buckets");
    for (size_t i = 0; i < EDGES; i++) {
        sources[i] = (uint32_t)random_below(&rng, ROWS);
        targets[i] = (uint32_t)random_below(&rng, ROWS);
    }
}

/* True if rows hold the edges: the targets of each source in the order they were drawn. */
static void require_lists(const struct edge_rows *rows)
{
    uint64_t *next = calloc(ROWS + 1, sizeof(*next));
    require(next != NULL);
    for (size_t i = 0; i < EDGES; i++) {
        next[sources[i] + 1]++;
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        next[row + 1] += next[row];
        require(rows->offsets[row] == next[row]);
    }
    for (size_t i = 0; i < EDGES; i++) {
        require(rows->neighbours[next[sources[i]]++] == targets[i]);
    }
    free(next);
}

static size_t count_list(const struct edge_sheet *sheet)
{
    return sheet == NULL ? 0 : 1 + count_list(sheet->next);
}

/* The sheets of all writers. */
static size_t count_sheets(const struct edge_writer *writers)
{
    size_t count = 0;
    for (unsigned w = 0; w < WRITERS; w++) {
        count += count_list(writers[w].spare);
        for (size_t i = 0; i < EDGE_GROUPS_MAX; i++) {
            count += count_list(writers[w].groups[i].sheets);
        }
    }
    return count;
}

/* Drop the edges in segments that the writers take in turns, and build. Returns how many sheets of
 * the records went into the lists. */
static size_t build(struct edge_writer *writers, uint64_t expected)
{
    struct edge_segment segments[SEGMENTS] = {0};
    struct edge_layout layout = edge_layout_for(ROWS, ROWS);
    size_t length = EDGES * sizeof(uint32_t);
    struct edge_rows rows = {.edge_count = EDGES, .row_limit = ROWS, .is_mapped = true};
    rows.offsets = calloc(ROWS + 1, sizeof(*rows.offsets));
    rows.neighbours = memory_map(length, true);
    require(rows.offsets != NULL && rows.neighbours != NULL);
    for (unsigned w = 0; w < WRITERS; w++) {
        require(
            edge_writer_init(&writers[w], layout, ((size_t)ROWS >> layout.shift) + 1, expected));
    }
    for (unsigned s = 0; s < SEGMENTS; s++) {
        segments[s].writer = s % WRITERS;
        for (size_t i = EDGES / SEGMENTS * s; i < EDGES / SEGMENTS * (s + 1); i++) {
            edge_writer_add(&writers[s % WRITERS], sources[i], targets[i]);
        }
        require(edge_writer_close_segment(&writers[s % WRITERS], &segments[s]));
    }
    size_t before = count_sheets(writers);
    require(edge_writers_build(writers, WRITERS, segments, SEGMENTS, NULL, &rows));
    require_lists(&rows);
    for (unsigned s = 0; s < SEGMENTS; s++) {
        free(segments[s].counts);
    }
    memory_unmap(rows.neighbours, length);
    free(rows.offsets);
    return before - count_sheets(writers);
}

/* With ids below a limit: numbers the ids, and makes lists of them. */
static void require_cancelled(uint64_t limit)
{
    volatile sig_atomic_t flag = 1;
    struct edge_writer writer = {0};
    struct edge_segment segment = {0};
    struct id_set ids;
    const struct edge_layout layout = edge_layout_sparse(limit);
    const uint32_t step = (uint32_t)((limit - 1) / ROWS);
    require(edge_writer_init(&writer, layout, (size_t)(limit >> layout.shift) + 1, EDGES));
    for (size_t i = 0; i < EDGES; i++) {
        edge_writer_add(&writer, sources[i] * step, targets[i] * step);
    }
    require(edge_writer_close_segment(&writer, &segment));
    require(!edge_ids_collect(&writer, 1, limit, &flag, &ids));
    require(ids.words == NULL && ids.lows == NULL);
    flag = 0;
    require(edge_ids_collect(&writer, 1, limit, &flag, &ids));
    flag = 1;
    struct edge_rows rows = {
        .edge_count = EDGES, .row_limit = ids.count, .is_mapped = true, .cancel = &flag};
    rows.offsets = calloc((size_t)rows.row_limit + 1, sizeof(*rows.offsets));
    rows.neighbours = memory_map(EDGES * sizeof(*rows.neighbours), true);
    require(rows.offsets != NULL && rows.neighbours != NULL);
    require(!edge_writers_build(&writer, 1, &segment, 1, &ids, &rows));
    memory_unmap(rows.neighbours, EDGES * sizeof(*rows.neighbours));
    free(rows.offsets);
    free(segment.counts);
    id_set_free(&ids);
    edge_writer_free(&writer);
}

START_TEST(a_flag_ends_the_numbering_of_ids_and_the_making_of_lists)
{
    draw_edges();
    require_cancelled(ROWS + 1);             /* bits */
    require_cancelled((uint64_t)UINT32_MAX); /* lists */
}
END_TEST

START_TEST(lists_are_in_the_order_of_the_segments)
{
    struct edge_writer writers[WRITERS] = {0};
    draw_edges();
    build(writers, 0);
    build(writers, EDGES); /* in the memory of the first */
    for (unsigned w = 0; w < WRITERS; w++) {
        edge_writer_free(&writers[w]);
    }
}
END_TEST

START_TEST(the_memory_of_records_serves_the_lists)
{
    struct edge_writer writers[WRITERS] = {0};
    draw_edges();
    /* So many are expected that each writer has all groups. Of three whole pieces of the lists the
     * first is filled before a group is done. */
    ck_assert_uint_eq(build(writers, (uint64_t)1 << 40), 2);
    ck_assert_uint_eq(build(writers, (uint64_t)1 << 40), 2);
    for (unsigned w = 0; w < WRITERS; w++) {
        edge_writer_free(&writers[w]);
    }
}
END_TEST

int main(void)
{
    return suite_run("edge buckets", NULL, NULL,
                     (const TTest *[]){lists_are_in_the_order_of_the_segments,
                                       a_flag_ends_the_numbering_of_ids_and_the_making_of_lists,
                                       the_memory_of_records_serves_the_lists, NULL});
}
