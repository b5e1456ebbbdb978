/*
 * test_pairs.c - what pairs_load reads, and what it says about files it cannot read.
 */
#include "data/load/graph_load.h"
#include "data/load/pairs_load.h"
#include "tests/support/fixture_file.h"
#include "tests/support/suite.h"

static struct graph ten_nodes(void)
{
    return (struct graph){.first_node = 1, .node_limit = 11};
}

static void assert_refused(const char *text, const char *expected)
{
    struct graph graph = ten_nodes();
    struct pairs pairs;
    struct graph_error error;
    const char *path = fixture_text("pairs.txt", text);
    ck_assert(!pairs_load(path, &graph, &pairs, &error));
    ck_assert_ptr_null(pairs.items);
    ck_assert_msg(strncmp(error.message, path, strlen(path)) == 0, "%s", error.message);
    ck_assert_str_eq(error.message + strlen(path), expected);
}

START_TEST(pairs_are_read_in_order_with_the_tolerance_of_edge_lists)
{
    struct graph graph = ten_nodes();
    struct pairs pairs;
    struct graph_error error;
    const char *path = fixture_text("pairs.txt", "# pairs\n1 10\r\n\n2\t3\n% more\n4, 4\n10 1");
    ck_assert_msg(pairs_load(path, &graph, &pairs, &error), "%s", error.message);
    ck_assert_uint_eq(pairs.count, 4);
    const uint32_t expected[][2] = {{1, 10}, {2, 3}, {4, 4}, {10, 1}};
    for (size_t i = 0; i < pairs.count; i++) {
        ck_assert_uint_eq(pairs.items[i].source, expected[i][0]);
        ck_assert_uint_eq(pairs.items[i].target, expected[i][1]);
    }
    pairs_free(&pairs);
    ck_assert_ptr_null(pairs.items);
}
END_TEST

START_TEST(a_pair_that_names_no_node_is_refused)
{
    assert_refused("1 2\n3 11\n", ":2: target 11 is outside 1..10");
    assert_refused("0 2\n", ":1: source 0 is outside 1..10");
    assert_refused("1 -2\n", ":1: target -2 is outside 1..10");
}
END_TEST

START_TEST(a_line_that_is_no_pair_is_refused)
{
    assert_refused("1 2\n7\n", ":2: expected two node ids, found \"7\"");
    assert_refused("one two\n", ":1: expected two node ids, found \"one two\"");
    assert_refused("# none\n", ":1: no pair in the file");
    assert_refused("", ": is empty");
}
END_TEST

START_TEST(a_missing_file_is_refused)
{
    struct graph graph = ten_nodes();
    struct pairs pairs;
    struct graph_error error;
    ck_assert(!pairs_load("/nonexistent/pairs", &graph, &pairs, &error));
    ck_assert_str_eq(error.message,
                     "/nonexistent/pairs: cannot be opened: No such file or directory");
}
END_TEST

START_TEST(pairs_may_be_compressed_and_open_with_a_byte_order_mark)
{
    char command[600];
    const char *path = fixture_text("packed.txt", "\xef\xbb\xbf"
                                                  "1 2\n3 4\n");
    snprintf(command, sizeof(command), "gzip -f %s", path);
    ck_assert_int_eq(system(command), 0);
    struct graph graph = ten_nodes();
    struct pairs pairs;
    struct graph_error error;
    ck_assert_msg(pairs_load(fixture_path("packed.txt.gz"), &graph, &pairs, &error), "%s",
                  error.message);
    ck_assert_uint_eq(pairs.count, 2);
    ck_assert_uint_eq(pairs.items[1].target, 4);
    pairs_free(&pairs);
}
END_TEST

static struct graph load_graph(const char *path, const struct graph_options *options)
{
    struct graph graph;
    struct graph_error error;
    ck_assert_msg(graph_load(path, options, &graph, &error), "%s", error.message);
    return graph;
}

START_TEST(pairs_may_name_nodes_or_give_the_ids_of_the_file)
{
    struct pairs pairs;
    struct graph_error error;
    struct graph graph = load_graph(
        fixture_text("links.tsv", "%C3%89ire\tBede\nBede\tNew York\nNew York\t7\n"), NULL);
    const char *path = fixture_text(
        "pairs", "# names\n  Bede\tNew York\n%C3%89ire   Bede\n7\tBede\r\n#0 #1\n# 5 6\n");
    ck_assert_msg(pairs_load(path, &graph, &pairs, &error), "%s", error.message);
    const struct pair expected[] = {{1, 2}, {0, 1}, {3, 1}, {0, 1}};
    ck_assert_uint_eq(pairs.count, 4);
    ck_assert_mem_eq(pairs.items, expected, sizeof(expected));
    pairs_free(&pairs);
    path = fixture_text("pairs", "\"Bede\",\"New York\"\nBede;7\n");
    ck_assert_msg(pairs_load(path, &graph, &pairs, &error), "%s", error.message);
    ck_assert_uint_eq(pairs.count, 2);
    ck_assert_uint_eq(pairs.items[0].target, 2);
    ck_assert_uint_eq(pairs.items[1].target, 3);
    pairs_free(&pairs);
    path = fixture_text("pairs", "Bede\t7\nbede\tnew york\nBede\tNew York\n7\tBEDE\n");
    ck_assert_msg(pairs_load(path, &graph, &pairs, &error), "%s", error.message);
    ck_assert_uint_eq(pairs.note_count, 2);
    for (size_t place = 0; place < 4; place++) {
        ck_assert_int_eq(pairs_note(&pairs, place, 0) != NULL, place == 1);
        ck_assert_int_eq(pairs_note(&pairs, place, 1) != NULL, place % 2 == 1);
    }
    ck_assert_ptr_nonnull(strstr(pairs_note(&pairs, 1, 1), "\"new york\""));
    ck_assert_ptr_nonnull(strstr(pairs_note(&pairs, 3, 1), "\"BEDE\""));
    pairs_free(&pairs);
    path = fixture_text("pairs", "Bede 1\n");
    ck_assert(!pairs_load(path, &graph, &pairs, &error));
    ck_assert_ptr_nonnull(strstr(error.message, ":1: target: no node is called \"1\""));
    path = fixture_text("pairs", "Bede\tNewark\n");
    ck_assert(!pairs_load(path, &graph, &pairs, &error));
    ck_assert_ptr_nonnull(strstr(error.message, ":1: target: no node is called \"Newark\""));
    path = fixture_text("pairs", "Bede\n");
    ck_assert(!pairs_load(path, &graph, &pairs, &error));
    ck_assert_ptr_nonnull(strstr(error.message, ":1: expected two names or ids, found \"Bede\""));
    graph_free(&graph);
    struct graph_options options = {.compact = true};
    graph = load_graph(fixture_text("ids", "5 6\n6 7\n"), NULL);
    path = fixture_text("pairs", "#5 #7\n#1 comment\n6\t7\n");
    ck_assert_msg(pairs_load(path, &graph, &pairs, &error), "%s", error.message);
    ck_assert_uint_eq(pairs.count, 2);
    ck_assert_uint_eq(pairs.items[0].source, 5);
    pairs_free(&pairs);
    graph_free(&graph);
    graph = load_graph(fixture_text("sparse", "4000000000 7\n7 12\n"), &options);
    path = fixture_text("pairs", "4000000000 12\n");
    ck_assert_msg(pairs_load(path, &graph, &pairs, &error), "%s", error.message);
    ck_assert_uint_eq(pairs.items[0].source, 2);
    ck_assert_uint_eq(pairs.items[0].target, 1);
    pairs_free(&pairs);
    graph_free(&graph);
}
END_TEST

int main(void)
{
    return suite_run("pairs", NULL, NULL,
                     (const TTest *[]){
                         pairs_are_read_in_order_with_the_tolerance_of_edge_lists,
                         a_pair_that_names_no_node_is_refused,
                         a_line_that_is_no_pair_is_refused,
                         a_missing_file_is_refused,
                         pairs_may_be_compressed_and_open_with_a_byte_order_mark,
                         pairs_may_name_nodes_or_give_the_ids_of_the_file,
                         NULL,
                     });
}
