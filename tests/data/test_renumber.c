/*
 * test_renumber.c - ids that are far apart become 0, 1, 2, ... in ascending order.
 */
#include "base/macros.h"
#include "data/load/graph_load.h"
#include "edge_text.h"
#include "tests/support/fixture_file.h"
#include "tests/support/put_text.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"

#define EDGES 120000u

static char written[EDGES * 25]; /* the text of a file */

START_TEST(sparse_ids_are_renumbered_in_ascending_order)
{
    struct graph graph;
    struct graph_error error;
    struct graph_options options = {.compact = true, .threads = 2};
    const char *path = fixture_text("sparse.txt", "4294967294 7\n7 100000000\n7 4294967294\n");
    ck_assert_msg(graph_load(path, &options, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.first_node, 0);
    ck_assert_uint_eq(graph.node_limit, 3);
    const uint32_t ids[] = {7, 100000000, 4294967294};
    const uint64_t offsets[] = {0, 2, 2, 3};
    const uint32_t neighbours[] = {1, 2, 0};
    ck_assert_mem_eq(graph.original_ids, ids, sizeof(ids));
    ck_assert_mem_eq(graph.offsets, offsets, sizeof(offsets));
    ck_assert_mem_eq(graph.neighbours, neighbours, sizeof(neighbours));
    graph_free(&graph);
    options = (struct graph_options){.memory_limit = 1 << 30};
    ck_assert(!graph_load(path, &options, &graph, &error));
    ck_assert_int_eq(error.remedy, GRAPH_REMEDY_COMPACT); /* no library names a flag: */
    ck_assert_ptr_null(strstr(error.message, "--"));
}
END_TEST

/* A file of numbers that are names; expected: its edges (edge_text.h). */
static void assert_named(const char *text, unsigned threads, const char *expected)
{
    for (int compact = 0; compact < 2; compact++) {
        struct graph graph;
        struct graph_error error;
        struct graph_options options = {.compact = compact != 0, .threads = threads};
        ck_assert_msg(graph_load(fixture_text("wide.txt", text), &options, &graph, &error), "%s",
                      error.message);
        ck_assert_ptr_nonnull(graph.names);
        ck_assert_str_eq(edge_text(&graph), expected);
        graph_free(&graph);
    }
}

START_TEST(numbers_are_names_if_one_of_the_first_is_no_id)
{
    assert_named("18446744073709551615 7\n# comment\n7 5000000000 x\n0 7\n", 1,
                 "18446744073709551615>7 7>5000000000 0>7");
    assert_named("00018446744073709551615 7\n7 18446744073709551615\n0007 7", 2,
                 "00018446744073709551615>7 7>18446744073709551615 0007>7");
    assert_named("7 7\n4294967295 4294967296\n", 2, "7>7 4294967295>4294967296");
    assert_named("4294967295\t1\n", 1, "4294967295>1");
    assert_named("7 7\n1 -2 0.5\n-2  7\r\n", 1, "7>7 1>-2 -2>7");
    assert_named("source,target\n5, \"123456789012345678901\"\n", 1, "5>123456789012345678901");
}
END_TEST

START_TEST(a_number_that_is_no_id_far_down_in_a_file_is_refused_with_its_line)
{
    const size_t lines = 200000;
    char *text = malloc(lines * 16 + 100), *at = text;
    struct graph graph;
    struct graph_error error;
    struct graph_options options = {.compact = true, .threads = 2};
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < lines; i++) {
        at = put_text(put_number(at, (uint32_t)(i % 1000)), " ");
        at = put_text(put_number(at, (uint32_t)(i % 777)), "\n");
    }
    at = put_text(at, "1 5000000000\n");
    const char *path = fixture_bytes("late.txt", text, (size_t)(at - text));
    free(text);
    ck_assert(!graph_load(path, &options, &graph, &error));
    ck_assert_ptr_nonnull(
        strstr(error.message, "late.txt:200001: target 5000000000 is outside 0..4294967294"));
    ck_assert_int_eq(error.remedy, GRAPH_REMEDY_NAMES);
    options.format = "names";
    ck_assert_msg(graph_load(path, &options, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.node_limit, 1001);
    ck_assert_uint_eq(graph.edge_count, lines + 1);
    ck_assert_str_eq(graph_name(&graph, 1000), "5000000000");
    graph_free(&graph);
}
END_TEST

START_TEST(where_ids_are_asked_for_other_numbers_are_refused_with_the_way)
{
    static const char *const cases[][2] = {
        {"1 2\n5000000000 2\n", ":2: source 5000000000 is outside 0..4294967294"},
        {"0 1\n4294967295 2\n", ":2: source 4294967295 is outside 0..4294967294"},
        {"0 1\n1 -2\n", ":2: target -2 is outside 0..4294967294"},
        {"0 99999999999999999999999\n",
         ":1: target 99999999999999999999999 is outside 0..4294967294"},
    };
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        struct graph graph;
        struct graph_error error;
        struct graph_options options = {.format = "edges", .compact = i % 2 == 1};
        ck_assert(!graph_load(fixture_text("big.txt", cases[i / 2][0]), &options, &graph, &error));
        ck_assert_msg(strstr(error.message, cases[i / 2][1]) != NULL, "%s", error.message);
        ck_assert_int_eq(error.remedy, GRAPH_REMEDY_NAMES);
    }
}
END_TEST

START_TEST(a_line_without_two_numbers_is_refused_also_where_they_are_names)
{
    static const char *const cases[][2] = {
        {"5000000000 1\n1 x\n",
         ":2: expected two node ids with a blank between them, found \"1 x\""},
        {"5000000000 1\n1\n", ":2: expected two node ids with a blank between them, found \"1\""},
        {"5000000000 1\n-,1\n",
         ":2: expected two node ids with a blank between them, found \"-,1\""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph graph;
        struct graph_error error;
        ck_assert(!graph_load(fixture_text("bad.txt", cases[i][0]), NULL, &graph, &error));
        ck_assert_msg(strstr(error.message, cases[i][1]) != NULL, "%s", error.message);
    }
}
END_TEST

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Load with renumbering; the rows have the sorted ids, and the pairs in the order of the file. */
static void assert_renumbered(const char *path, unsigned threads, const uint32_t *sorted,
                              size_t distinct, const uint32_t *pairs, const uint32_t *rows,
                              size_t count)
{
    struct graph graph;
    struct graph_error error;
    struct graph_options options = {.compact = true, .threads = threads};
    ck_assert_msg(graph_load(path, &options, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.node_limit, distinct);
    ck_assert_uint_eq(graph.edge_count, count);
    ck_assert_mem_eq(graph.original_ids, sorted, distinct * sizeof(*sorted));
    uint64_t *next = calloc(distinct, sizeof(*next));
    ck_assert_ptr_nonnull(next);
    memcpy(next, graph.offsets, distinct * sizeof(*next));
    for (size_t i = 0; i < count; i++) {
        uint32_t neighbour = graph.neighbours[next[rows[i]]++];
        require(graph.original_ids[neighbour] == pairs[2 * i + 1]);
    }
    free(next);
    graph_free(&graph);
}

/* Renumbering with ids below limit: every id has its place in the sorted list of all. */
static void assert_ranks(struct rng *random, uint64_t limit, size_t count)
{
    static uint32_t pairs[2 * EDGES], sorted[2 * EDGES], rows[EDGES];
    char *at = written;
    for (size_t i = 0; i < 2 * count; i++) {
        pairs[i] = sorted[i] = (uint32_t)(random_next(random) % limit);
        at = put_text(put_number(at, pairs[i]), i % 2 ? "\n" : " ");
    }
    const char *path = fixture_bytes("ranks.txt", written, (size_t)(at - written));
    qsort(sorted, 2 * count, sizeof(*sorted), compare_ids);
    size_t distinct = 0;
    for (size_t i = 0; i < 2 * count; i++) {
        if (distinct == 0 || sorted[i] != sorted[distinct - 1]) {
            sorted[distinct++] = sorted[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t *row = bsearch(&pairs[2 * i], sorted, distinct, sizeof(*sorted), compare_ids);
        rows[i] = (uint32_t)(row - sorted);
    }
    for (unsigned threads = 1; threads <= 3; threads++) {
        assert_renumbered(path, threads, sorted, distinct, pairs, rows, count);
    }
}

START_TEST(renumbering_gives_every_id_its_rank_however_far_apart_the_ids_are)
{
    static const uint64_t limits[] = {10,      70000,     1 << 22,   (1 << 22) + 100,
                                      1 << 26, 300000000, UINT32_MAX};
    struct rng random = random_start("renumbering");
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        for (int few = 0; few < 3; few++) {
            assert_ranks(&random, limits[i], 1 + random_below(&random, 20));
        }
        assert_ranks(&random, limits[i], EDGES);
    }
}
END_TEST

START_TEST(a_renumbered_node_with_the_largest_id_and_no_edges_out_has_an_empty_row)
{
    struct graph graph;
    struct graph_error error;
    struct graph_options options = {.compact = true, .threads = 1};
    const char *path = fixture_text("sink.txt", "3 1\n1 3\n3 4000000000");
    ck_assert_msg(graph_load(path, &options, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.node_limit, 3);
    ck_assert_uint_eq(graph_out_degree(&graph, 0), 1);
    ck_assert_uint_eq(graph_out_degree(&graph, 1), 2);
    ck_assert_uint_eq(graph_out_degree(&graph, 2), 0);
    ck_assert_uint_eq(graph.offsets[3], 3);
    graph_free(&graph);
}
END_TEST

START_TEST(sparse_ids_after_small_ones_take_little_memory)
{
    enum { LINES = 150000 };
    struct graph graph;
    struct graph_error error;
    struct graph_options options = {.compact = true, .threads = 1, .memory_limit = 32 << 20};
    char *at = written;
    for (uint32_t i = 0; i < LINES; i++) {
        uint32_t id = i < 8000 ? i % 500 : (uint32_t)(i * UINT64_C(2654435761));
        at = put_text(put_number(at, id & ~(uint32_t)1), " ");
        at = put_text(put_number(at, i % 500), "\n");
    }
    const char *path = fixture_bytes("late.txt", written, (size_t)(at - written));
    ck_assert_msg(graph_load(path, &options, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.edge_count, LINES);
    graph_free(&graph);
}
END_TEST

int main(void)
{
    return suite_run("renumber", NULL, NULL,
                     (const TTest *[]){
                         numbers_are_names_if_one_of_the_first_is_no_id,
                         a_number_that_is_no_id_far_down_in_a_file_is_refused_with_its_line,
                         where_ids_are_asked_for_other_numbers_are_refused_with_the_way,
                         a_line_without_two_numbers_is_refused_also_where_they_are_names,
                         sparse_ids_are_renumbered_in_ascending_order,
                         renumbering_gives_every_id_its_rank_however_far_apart_the_ids_are,
                         a_renumbered_node_with_the_largest_id_and_no_edges_out_has_an_empty_row,
                         sparse_ids_after_small_ones_take_little_memory,
                         NULL,
                     });
}
