/*
 * test_names.c - files of names: which node each line is for, and how many there must be.
 */
#include "base/macros.h"
#include "data/graph/graph_names.h"
#include "data/load/graph_load.h"
#include "data/names/node_index.h"
#include "data/reverse/graph_reverse.h"
#include "data/store/graph_snapshot.h"
#include "tests/support/fixture_file.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static char notes[2000];

static void take_note(void *context, const char *text, enum graph_remedy remedy)
{
    (void)context;
    (void)remedy;
    strcat(notes, text);
    strcat(notes, "\n");
}

/* Load edges with names. False with error set. */
static bool load(const char *edges, const char *names, bool compact, struct graph *graph,
                 struct graph_error *error)
{
    static char edge_path[256];
    strcpy(edge_path, fixture_text("edges.txt", edges));
    struct graph_options options = {
        .names_path = fixture_text("names.txt", names), .compact = compact, .note = take_note};
    notes[0] = '\0';
    return graph_load(edge_path, &options, graph, error);
}

/* All labels in the order of the nodes, with a space between them. */
static void assert_labels(const char *edges, const char *names, const char *expected)
{
    struct graph graph;
    struct graph_error error;
    char text[GRAPH_LABEL_SIZE];
    char found[1000] = "";
    bool loaded = load(edges, names, false, &graph, &error);
    ck_assert_msg(loaded, "%s: %s", names, error.message);
    for (uint32_t node = graph.first_node; node < graph.node_limit; node++) {
        strcat(found, graph_label(&graph, node, text));
        strcat(found, "|");
    }
    ck_assert_msg(strcmp(found, expected) == 0, "%s: expected %s, found %s", names, expected,
                  found);
    graph_free(&graph);
}

static void assert_refused(const char *edges, const char *names, const char *expected)
{
    struct graph graph;
    struct graph_error error;
    ck_assert_msg(!load(edges, names, false, &graph, &error), "%s", names);
    ck_assert_msg(strstr(error.message, expected) != NULL, "%s: %s", names, error.message);
}

static const char three[] = "0 1\n1 2\n";    /* nodes 0 to 2 */
static const char three_up[] = "1 2\n2 3\n"; /* nodes 1 to 3 */

START_TEST(line_k_names_node_k_after_comments_and_an_empty_line)
{
    assert_labels(three, "a\nb\nc\n", "a|b|c|");
    assert_labels(three_up, "a\nb\nc\n", "a|b|c|");
    assert_labels(three, "# names\n# of nodes\n\na\nb\nc\n", "a|b|c|");
    assert_labels(three, "% names\n%\na\nb\nc\n", "a|b|c|");
    assert_labels(three, "%C3%89ire\nb\nc", "\xc3\x89ire|b|c|");
    assert_labels(three, "\xef\xbb\xbf# names\r\n\r\na\r\nb\r\nc\r\n", "a|b|c|");
    assert_labels(three, "a%00z\n%00\n%41\n", "a%00z|%00|A|"); /* a name has no NUL */
    assert_labels(three, "a\n#b\nc, or not\n", "a|#b|c, or not|");
    assert_labels(three, "a\n\nc\n", "a|1|c|");
}
END_TEST

START_TEST(csv_and_tsv_may_have_headings_ids_and_quotes)
{
    assert_labels(three, "name\na\nb\nc\n", "a|b|c|");
    assert_labels(three, "Name\n\"a, b\"\nb\nc\n", "a, b|b|c|");
    assert_labels(three, "\"a, b\"\n\"say \"\"b\"\"\"\n\"c\"\n", "a, b|say \"b\"|c|");
    assert_labels(three, "id,title\n0,a\n1,\"b, b\"\n2,c\n", "a|b, b|c|");
    assert_labels(three, "title,size,id\nc,9,2\na,9,0\nb,9,1\n", "a|b|c|");
    assert_labels(three, "\xef\xbb\xbf\"id\",\"name\"\r\n1,b\r\n0,a\r\n2,c\r\n", "a|b|c|");
    assert_labels(three, "# from somewhere\nnode\tlabel\n0\ta\n1\tb, b\n2\tc\n", "a|b, b|c|");
    assert_labels(three, "0\ta\n1\tb\n2\tc\n", "a|b|c|");
    assert_labels(three, "0,\"a\"\n1,\"b\"\n2,\"c\"\n", "a|b|c|");
    assert_labels(three_up, "id,name\n3,c\n1,a\n2,b\n", "a|b|c|");
    assert_labels(three_up, "0\tz\n1\ta\n2\tb\n3\tc\n", "z|a|b|c|");
    assert_labels(three, "a\tfirst\nb\tsecond\nc\tthird\n", "a|b|c|");
    assert_labels(three, "100%25\n%2541\nc\n", "100%|%41|c|");
    assert_labels(three, "id,name\n1,%2541\n0,a\n2,c\n", "a|%41|c|");
}
END_TEST

START_TEST(lines_that_begin_with_their_numbers_have_ids)
{
    assert_labels(three, "0 a b\n1 c, d\n2 \n", "a b|c, d|2|");
    assert_labels(three, "# from somewhere\r\n0 %41\r\n1 1\r\n2 x\"\r\n", "A|1|x\"|");
    assert_labels(three_up, "1 a\n2 b\n3 c\n", "a|b|c|");
    assert_labels(three_up, "0 z\n1 a\n2 b\n3 c\n", "z|a|b|c|");
    assert_labels(three, "1 Kings\n2 Kings\nActs\n", "1 Kings|2 Kings|Acts|");
    assert_labels(three, "0 a\n2 b\n1 c\n", "0 a|2 b|1 c|");
    assert_labels(three, "7 a\n8 b\n9 c\n", "7 a|8 b|9 c|");
    assert_refused(three, "1 a\n2 b\n3 c\n", "3 names (for 1 to 3) for the 3 nodes 0 to 2");
}
END_TEST

START_TEST(another_number_of_names_than_of_nodes_is_refused_unless_more_nodes_are_declared)
{
    static const char matrix[] =
        "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 2\n2 3\n";
    assert_refused(three, "a\nb\n", "names.txt: 2 names for the 3 nodes 0 to 2 of the graph");
    assert_refused(three, "a\nb\nc\nd\n", "4 names for the 3 nodes 0 to 2");
    assert_refused(three_up, "a\nb\n", "2 names for the 3 nodes 1 to 3");
    assert_refused(three_up, "a\nb\nc\nd\ne\n", "5 names for the 3 nodes 1 to 3");
    assert_refused(matrix, "a\nb\nc\n", "3 names for the 4 nodes 1 to 4");
    assert_refused(matrix, "a\nb\nc\nd\ne\n", "5 names for the 4 nodes 1 to 4");
    assert_labels(matrix, "a\nb\nc\nd\n", "a|b|c|d|");
    assert_labels("# Nodes: 4 Edges: 2\n0 1\n1 2\n", "a\nb\nc\nd\n", "a|b|c|d|");
    assert_refused("# Nodes: 5 Edges: 2\n0 1\n1 2\n", "a\nb\nc\nd\n", "4 names for the 3 nodes");
    assert_labels(three, "id,name\n0,a\n1,b\n2,c\n3,d\n", "a|b|c|d|");
    assert_refused(three, "id,name\n1,b\n2,c\n", "2 names (for 1 to 2) for the 3 nodes 0 to 2");
    assert_refused(matrix, "id,name\n0,a\n1,b\n2,c\n3,d\n4,e\n", "5 names (for 0 to 4) for the 4");
    assert_labels(three_up, "z\na\nb\nc\n", "z|a|b|c|");
    ck_assert_ptr_nonnull(strstr(notes, "a name for node 0, which has no edge"));
}
END_TEST

START_TEST(a_line_that_is_no_name_is_refused_with_its_number)
{
    assert_refused(three, "id,name\n0,a\nx,b\n2,c\n",
                   "names.txt:3: expected the id of a node, found \"x\"");
    assert_refused(three, "# x\n\nid,name\n0,a\n1\n2,c\n", ":5: expected a name in column 2");
    assert_refused(three, "id,name\n0,a\n1,\"b\n2,c\n", ":3: expected a name in quotes");
    assert_refused(three, "id,name\n0,a\n1,b\n1,c\n", ":4: node 1 has an id that an earlier line");
    assert_refused(three, "id,name\n0,a\n2,b\n", ":3: node 2 has an id, but not every id before");
    assert_refused(three, "id,name\n0,a\n4294967295,b\n", ":3: expected the id of a node");
    assert_refused(three, "id,name\n0,a\nsay \"\xc3\x89ire\"\x01,b\n",
                   "found \"say \"\xc3\x89ire\"\\x01\"");
    assert_refused(three, "# only a comment\n\n", "0 names for the 3 nodes");
}
END_TEST

START_TEST(a_repeated_name_is_remarked_on)
{
    assert_labels(three, "a\na\na\n", "a|a|a|");
    ck_assert_ptr_nonnull(strstr(notes, "names.txt: \"a\" is the name of more than one node, and 1 "
                                        "more like it; the first is found\n"));
    assert_labels(three, "a\n\n\n", "a|1|2|");
    ck_assert_str_eq(notes, "");
}
END_TEST

START_TEST(a_name_that_is_not_utf_8_is_remarked_on)
{
    assert_labels(three, "a\n\xe9t\xe9\nb\n", "a|\xe9t\xe9|b|");
    ck_assert_ptr_nonnull(strstr(notes, "names.txt: the name \"\\xe9t\\xe9\" is not UTF-8 text: "
                                        "iconv -f WINDOWS-1252 -t UTF-8"));
}
END_TEST

START_TEST(names_of_sparse_ids_may_be_of_ids_without_an_edge)
{
    struct graph graph;
    struct graph_error error;
    char text[GRAPH_LABEL_SIZE];
    ck_assert_msg(load("2 4\n", "a\nb\nc\nd\ne\nf\n", true, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.node_limit, 2);
    ck_assert_str_eq(graph_label(&graph, 0, text), "c");
    ck_assert_str_eq(graph_label(&graph, 1, text), "e");
    graph_free(&graph);
    ck_assert(!load("2 4\n", "a\nb\nc\n", true, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "3 names for the 3 nodes 2 to 4"));
}
END_TEST

/* The first name equal to a text as written, or else decoded; the count of names if none is. */
static uint32_t first_called(const struct graph_names *names, const char *text, size_t length)
{
    char decoded[32];
    for (int way = 0; way < 2; way++) {
        for (uint32_t i = 0; i < names->count; i++) {
            const char *name = names->text + names->begins[i];
            if (strlen(name) == length && memcmp(name, text, length) == 0) {
                return i;
            }
        }
        length = graph_names_decode(decoded, text, length);
        text = decoded;
    }
    return names->count;
}

START_TEST(a_name_is_found_to_the_letter_in_a_text_and_in_its_snapshot)
{
    enum { COUNT = 700 };
    static const char *const pieces[] = {"", "a", "b", "%61", "\xc3\xa9", "%C3%A9", "%", "_"};
    static char edges[16], names[16 * COUNT];
    const struct graph_options options = {.by_block = true, .build_reverse = true};
    struct rng random = random_start("names of a snapshot");
    struct graph text, kept;
    struct graph_error error = {0};
    char wanted[32];
    size_t used = 0;
    snprintf(edges, sizeof(edges), "0 %d\n", COUNT - 1);
    for (int i = 0; i < COUNT; i++) { /* many of them are equal, or empty */
        used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s\n",
                                 pieces[i == 0 ? 1 : random_below(&random, COUNT_OF(pieces))],
                                 pieces[random_below(&random, COUNT_OF(pieces))]);
    }
    ck_assert_msg(load(edges, names, false, &text, &error), "%s", error.message);
    const char *path = fixture_path("names.pwg");
    ck_assert(graph_add_reverse(&text, 1, NULL, &error));
    ck_assert_msg(graph_snapshot_save(&text, path, NULL, 0, NULL, &error), "%s", error.message);
    for (int by_block = 0; by_block < 3; by_block++) { /* 2: the text */
        struct node_index index;
        ck_assert(graph_load(path, by_block == 1 ? &options : NULL, &kept, &error));
        ck_assert((by_block == 1) == (kept.blocks != NULL));
        ck_assert(node_index_init(&index, by_block == 2 ? &text : &kept));
        for (size_t i = 0; i < COUNT_OF(pieces) * COUNT_OF(pieces) * COUNT_OF(pieces); i++) {
            uint32_t found = COUNT;
            snprintf(wanted, sizeof(wanted), "%s%s%s", pieces[i % 8], pieces[i / 8 % 8],
                     pieces[i / 64]);
            const size_t length = strlen(wanted);
            const uint32_t first = first_called(text.names, wanted, length);
            ck_assert_int_eq(node_index_find(&index, wanted, length, &found), first < COUNT);
            ck_assert_uint_eq(found, first);
        }
        node_index_free(&index);
        graph_free(&kept);
    }
    graph_free(&text);
}
END_TEST

int main(void)
{
    return suite_run(
        "names", NULL, NULL,
        (const TTest *[]){
            line_k_names_node_k_after_comments_and_an_empty_line,
            csv_and_tsv_may_have_headings_ids_and_quotes,
            lines_that_begin_with_their_numbers_have_ids,
            another_number_of_names_than_of_nodes_is_refused_unless_more_nodes_are_declared,
            a_line_that_is_no_name_is_refused_with_its_number, a_repeated_name_is_remarked_on,
            a_name_that_is_not_utf_8_is_remarked_on,
            names_of_sparse_ids_may_be_of_ids_without_an_edge,
            a_name_is_found_to_the_letter_in_a_text_and_in_its_snapshot, NULL});
}
