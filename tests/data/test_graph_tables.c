/*
 * test_graph_tables.c - tables of edges: CSV, names, adjacency lists, and their headings.
 */
#include "base/macros.h"
#include "data/load/graph_load.h"
#include "edge_text.h"
#include "tests/support/fixture_file.h"
#include "tests/support/put_text.h"
#include "tests/support/suite.h"

static char noted[512];

static void note(void *context, const char *text, enum graph_remedy remedy)
{
    (void)context;
    (void)remedy;
    snprintf(noted, sizeof(noted), "%s", text);
}

START_TEST(a_heading_above_names_makes_no_nodes)
{
    static const char *const headings[] = {"source\ttarget\n", "From\tTo\n",
                                           "\"src\"\t\"dst\"\r\n"};
    for (size_t i = 0; i < COUNT_OF(headings); i++) {
        for (unsigned wanted = 0; wanted < 2; wanted++) {
            char text[100];
            struct graph graph;
            struct graph_error error;
            struct graph_options options = {.note = note, .format = wanted ? "names" : NULL};
            noted[0] = '\0';
            snprintf(text, sizeof(text), "%sLaos\tChina\n", headings[i]);
            ck_assert_msg(graph_load(fixture_text("named.tsv", text), &options, &graph, &error),
                          "%s", error.message);
            ck_assert_uint_eq(graph.node_limit, 2);
            ck_assert_str_eq(noted, ""); /* nothing that must be said */
            graph_free(&graph);
        }
    }
}
END_TEST

START_TEST(a_table_is_read_as_rfc_4180_has_it)
{
    static const struct {
        const char *text, *format, *edges;
    } cases[] = {
        {"Laos,China\nChina,Nepal\n", NULL, "Laos>China China>Nepal"},
        {"Laos;China\nChina;Nepal\n", NULL, "Laos>China China>Nepal"},
        {"\"Laos, P.\",\"say \"\"hi\"\"\"\r\nx,y\r\n", NULL, "Laos, P.>say \"hi\" x>y"},
        {"\"two\nlines\",b\nb,c\n", NULL, "two\nlines>b b>c"},
        {"a,b\nb,\"two\r\nlines\"", NULL, "a>b b>two\r\nlines"},
        {"to,from,\"a note, and\nmore\"\nLaos,China,\"1\n2\"\n", NULL, "China>Laos"},
        {"\"a\", \"b\" \n\"b\",\"c\"\n", NULL, "a>b b>c"},
        {"Smith, J.;Doe, A.\nDoe, A.;Poe\n", NULL, "Smith, J.>Doe, A. Doe, A.>Poe"},
        {"\"a\tb\",c\n", NULL, "a\tb>c"},
        {"\"a\"\t\"b\"\n\"b\"\t\"c \"\"d\"\"\"\n", NULL, "a>b b>c \"d\""},
        {"\"Heroes\" song\tBowie\n", NULL, "\"Heroes\" song>Bowie"},
        {"50%25,b\n", NULL, "50%25>b"},
        {"1984,Animal Farm\n", NULL, "1984>Animal Farm"},
        {"1984\t5 Animals\n", NULL, "1984>5 Animals"},
        {"0;1\n1;2\n", NULL, "0>1 1>2"},
        {"0;1;2.5\n1;2;3\n", NULL, "0>1 1>2"},
        {"\"1\",\"2\"\n\"2\",\"3\"\n", NULL, "1>2 2>3"},
        {"1,2,\"x\"\n2,3,\"y, z\"\n", NULL, "1>2 2>3"},
        {"1,2,\"x\n7,8\"\n2,3,y\n", NULL, "1>2 2>3"},
        {"1,2,5,\"x\n7,8\"\n2,3,y\n", NULL, "1>2 2>3"},
        {"1,2\n3,4,\"x\n5,6\"\n", "csv", "1>2 3>4"},
        {"1 2\t0.5\n2 3\t0.5\n", NULL, "1>2 2>3"},
        {"1,2\n2,1\n", "names", "1>2 2>1"},
        {"node_1,node_2\n0,1\n", NULL, "0>1"},
        {"id_1,id_2\r\n0,1\r\n", NULL, "0>1"},
        {"who knows\twhom?\n0\t1\n", NULL, "0>1"},
        {"\"a, b\";c\n0;1\n", NULL, "0>1"},
        {"one two\n0 1\n", NULL, "0>1"},
        {"source,target\nLaos,China\n", NULL, "Laos>China"},
        {"person_a\tperson_b\nAnn\tBob\n", NULL, "Ann>Bob"},
        {"FromNode;ToNode\nAnn;Bob\n", NULL, "Ann>Bob"},
        {"n1,n2\nn3,n4\n", NULL, "n1>n2 n3>n4"},
        {"a,b\nc,d\n", NULL, "a>b c>d"},
        {"from,to\nto,from\n", NULL, "to>from"},
        {"from_a,from_b\nfrom_b,from_a\n", NULL, "from_a>from_b from_b>from_a"},
        {"# a list\n1 2 3\n4\n3 5\n", "adjacency", "1>2 1>3 3>5"},
        {"5000000000 2\n2 3 5000000000\n3\n", "adjacency", "5000000000>2 2>3 2>5000000000"},
        {"1 2 3 7000000000\n2 1\n", "adjacency", "1>2 1>3 1>7000000000 2>1"},
        {"x;1 y,2 z\nz q w\ny,2\n", "adjacency", "x;1>y,2 x;1>z z>q z>w"},
        {"New York, Laos, a;b\nLaos, New York\n", "adjacency",
         "New York>Laos New York>a;b Laos>New York"},
        {"ten%baht\t5%fee\n5%fee\tcaf%C3%A9\n", NULL, "ten%baht>5%fee 5%fee>caf\xc3\xa9"},
        {"a b c\nc a\n", "adjacency", "a>b a>c c>a"},
        {"New York\tLaos\tNepal\n", "adjacency", "New York>Laos New York>Nepal"},
        {"\"a, b\",c,d\n", "adjacency", "a, b>c a, b>d"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph graph;
        struct graph_error error;
        struct graph_options options = {.format = cases[i].format};
        ck_assert_msg(graph_load(fixture_text("table", cases[i].text), &options, &graph, &error),
                      "%s: %s", cases[i].text, error.message);
        ck_assert_msg(strcmp(edge_text(&graph), cases[i].edges) == 0, "%s: %s", cases[i].text,
                      edge_text(&graph));
        graph_free(&graph);
    }
}
END_TEST

/* A record that the end of a block cuts is read as a whole; its length does not matter. */
START_TEST(a_record_of_many_lines_may_lie_across_blocks)
{
    const size_t lines = 300000;
    char *text = malloc(lines * 12 + 100), *at = text;
    struct graph graph;
    struct graph_error error;
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < lines; i++) {
        at = put_text(at, i % 1000 == 999 ? "\"b\n\n,\",a\n" : "a,\"c\nd\"\n");
    }
    const char *path = fixture_bytes("long.csv", text, (size_t)(at - text));
    ck_assert_msg(graph_load(path, NULL, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.edge_count, lines);
    ck_assert_uint_eq(graph.node_limit, 3);
    graph_free(&graph);
    at = put_text(at, "a\n");
    path = fixture_bytes("long.csv", text, (size_t)(at - text));
    ck_assert(!graph_load(path, NULL, &graph, &error));
    ck_assert_msg(strstr(error.message, ":600301: expected two names") != NULL, "%s",
                  error.message);
    free(text);
}
END_TEST

/* The lines after a column in quotes might be in it, so they are not read as edges. */
START_TEST(a_column_in_quotes_of_several_lines_is_refused_far_from_the_head)
{
    static const char *const formats[] = {NULL, "edges", "csv"};
    char *text = malloc(1000000), *at = text;
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < 100000; i++) {
        at = put_text(at, "1,2\n");
    }
    at = put_text(at, "3,4,\"a note\n5,6\"\n");
    const char *path = fixture_bytes("far.csv", text, (size_t)(at - text));
    free(text);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct graph graph;
        struct graph_error error;
        const struct graph_options options = {.format = formats[i]};
        const bool loaded = graph_load(path, &options, &graph, &error);
        ck_assert(loaded == (i == 2));
        if (loaded) {
            ck_assert_uint_eq(graph.edge_count, 100001);
            graph_free(&graph);
        } else {
            ck_assert_ptr_nonnull(
                strstr(error.message, ":100001: a column in quotes goes on in the next line"));
            ck_assert_int_eq(error.remedy, GRAPH_REMEDY_CSV);
        }
    }
}
END_TEST

int main(void)
{
    return suite_run(
        "graph_tables", NULL, NULL,
        (const TTest *[]){a_heading_above_names_makes_no_nodes, a_table_is_read_as_rfc_4180_has_it,
                          a_record_of_many_lines_may_lie_across_blocks,
                          a_column_in_quotes_of_several_lines_is_refused_far_from_the_head, NULL});
}
