/*
 * test_format_readers.c - the formats of other programs, and what is refused in each.
 */
#include "base/macros.h"
#include "data/formats/format_readers.h"
#include "data/load/graph_load.h"
#include "tests/support/fixture_file.h"
#include "tests/support/suite.h"
#include <stdint.h>
#include <stdlib.h>

static char notes[1000];

static void take_note(void *context, const char *text, enum graph_remedy remedy)
{
    (void)context;
    (void)remedy;
    strcat(notes, text);
    strcat(notes, "\n");
}

static bool load(const char *path, const struct graph_options *wanted, struct graph *graph,
                 struct graph_error *error)
{
    struct graph_options options = wanted != NULL ? *wanted : (struct graph_options){0};
    options.note = take_note;
    notes[0] = '\0';
    return graph_load(path, &options, graph, error);
}

/* Every node with its neighbours: "a>b,c b> c>a". */
static void assert_edges(const char *path, const struct graph_options *options,
                         const char *expected)
{
    struct graph graph;
    struct graph_error error;
    char text[GRAPH_LABEL_SIZE];
    char found[2000] = "";
    bool loaded = load(path, options, &graph, &error);
    ck_assert_msg(loaded, "%s", error.message);
    ck_assert(graph_check(&graph));
    for (uint32_t node = graph.first_node; node < graph.node_limit; node++) {
        strcat(found, node > graph.first_node ? " " : "");
        strcat(strcat(found, graph_label(&graph, node, text)), ">");
        for (uint64_t i = graph.offsets[node]; i < graph.offsets[node + 1]; i++) {
            strcat(found, i > graph.offsets[node] ? "," : "");
            strcat(found, graph_label(&graph, graph.neighbours[i], text));
        }
    }
    ck_assert_msg(strcmp(found, expected) == 0, "%s: expected %s, found %s", path, expected, found);
    graph_free(&graph);
}

static void assert_text(const char *name, const char *text, const char *expected)
{
    assert_edges(fixture_text(name, text), NULL, expected);
}

static void assert_refused(const char *name, const char *text, const char *expected)
{
    struct graph graph;
    struct graph_error error;
    const char *path = fixture_text(name, text);
    ck_assert_msg(!load(path, NULL, &graph, &error), "%s was read: %s", name, text);
    ck_assert_msg(strncmp(error.message, path, strlen(path)) == 0, "%s", error.message);
    ck_assert_msg(strcmp(error.message + strlen(path), expected) == 0, "expected %s, found %s",
                  expected, error.message + strlen(path));
}

#define GRAPHML_HEAD                                                                               \
    "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns='http://graphml.graphdrawing.org'>\n"

/* A file with a text, repeated up to a number of bytes between two others. */
static const char *fixture_padded(const char *before, const char *unit, size_t bytes,
                                  const char *after)
{
    const size_t unit_length = strlen(unit), start = strlen(before);
    char *text = malloc(start + bytes + strlen(after) + 1);
    ck_assert_ptr_nonnull(text);
    strcpy(text, before);
    for (size_t i = 0; i < bytes; i++) {
        text[start + i] = unit[i % unit_length];
    }
    strcpy(text + start + bytes, after);
    const char *path = fixture_text("padded.graphml", text);
    free(text);
    return path;
}

#ifdef PW_HAVE_EXPAT

START_TEST(graphml_gives_labels_directions_and_the_edges_of_inner_graphs)
{
    assert_text("a.graphml",
                GRAPHML_HEAD "<graph edgedefault='directed'><edge source='x' target='y'/>"
                             "<node id='x'/><node id='y'/></graph></graphml>",
                "x>y y>");
    assert_text("b.graphml",
                GRAPHML_HEAD
                "<key id='w' for='edge' attr.name='weight' attr.type='double'/>"
                "<key id='n' for='node' attr.name='name'/><key id='l' attr.name='label'/>"
                "<graph edgedefault='undirected'>"
                "<node id='1'><data key='l'>A &amp; B</data><data key='n'>other</data></node>"
                "<node id='2'><data key='n'>\xc3\x89ire\n</data>"
                "<graph edgedefault='directed'><node id='2::1'/>"
                "<edge source='2::1' target='1'/></graph></node>"
                "<node id='3'/>"
                "<edge source='1' target='2'><data key='w'>2.5</data></edge>"
                "<edge source='2' target='3' directed='true'/><edge source='3' target='3'/>"
                "</graph></graphml>",
                "A & B>\xc3\x89ire \xc3\x89ire>A & B,3 2::1>A & B 3>3");
    ck_assert_str_eq(notes, "weights are ignored\n");
    assert_text("c.graphml",
                GRAPHML_HEAD "<graph edgedefault='directed'><node id='1'/><node id='2'/>"
                             "<edge source='2' target='1'/></graph></graphml>",
                "1> 2>1");
}
END_TEST

/* What yEd writes in a node, after its graphics. */
#define YED(id, label)                                                                             \
    "<node id='" id "'><data key='d6'><y:ShapeNode><y:Geometry x='1'/>" label                      \
    "</y:ShapeNode></data></node>"
#define YED_MODEL                                                                                  \
    "<y:LabelModel><y:SmartNodeLabelModel distance='4.0'/>4</y:LabelModel><y:ModelParameter/>"

START_TEST(labels_of_yed_may_have_elements_within)
{
    assert_text(
        "y.graphml",
        GRAPHML_HEAD
        "<key id='d6' for='node' yfiles.type='nodegraphics'/>"
        "<key id='l' for='node' attr.name='label'/><graph edgedefault='directed'>" YED(
            "n0", "<y:NodeLabel x='1'>Oak &amp; elm\n " YED_MODEL
                  "</y:NodeLabel>") YED("n1", "<y:NodeLabel>" YED_MODEL
                                              " Ash</y:NodeLabel><y:NodeLabel>2</y:NodeLabel>")
            YED("n2",
                "<y:NodeLabel hasText='false'>" YED_MODEL
                "</y:NodeLabel>") "<node id='n3'><data "
                                  "key='d6'><y:NodeLabel>no<y:LabelModel/></y:NodeLabel></data>"
                                  "<data key='l'>Yew<i>?</i>s</data></node>"
                                  "<edge source='n0' target='n1'/><edge source='n3' target='n2'/>"
                                  "</graph></graphml>",
        "Oak & elm>Ash Ash> n2> Yews>n2");
}
END_TEST

START_TEST(graphml_that_is_not_in_order_is_refused_with_its_line)
{
    assert_refused("a.graphml", GRAPHML_HEAD "<graph edgedefault='directed'>\n<node/></graph>",
                   ":4: expected a node with an id");
    assert_refused("a.graphml", GRAPHML_HEAD "<graph>\n</graph></graphml>",
                   ":3: expected edgedefault=\"directed\" or \"undirected\", found \"\"");
    assert_refused("a.graphml",
                   GRAPHML_HEAD "<graph edgedefault='directed'><node id='a'/>\n</graph",
                   ":4: not well-formed XML: unclosed token");
    assert_refused("a.graphml",
                   GRAPHML_HEAD "<graph edgedefault='directed'><node id='a'/>\n"
                                "<edge source='a' target='b'/>\n</graph></graphml>",
                   ":4: an edge names the node \"b\", which is not declared");
    assert_refused("a.graphml",
                   GRAPHML_HEAD "<graph edgedefault='directed'><node id='a'/>\n"
                                "<node id='a'/>\n</graph></graphml>",
                   ":4: the node \"a\" is declared again, first in line 3");
    assert_refused("a.graphml",
                   GRAPHML_HEAD "<graph edgedefault='directed'><node id='a'/>\n"
                                "<hyperedge/></graph></graphml>",
                   ":4: a hyperedge, which joins any number of nodes, is not read");
    assert_refused("a.graphml",
                   GRAPHML_HEAD "<graph edgedefault='directed'/>\n"
                                "<graph edgedefault='directed'/></graphml>",
                   ":4: a second graph; only one is read");
    assert_refused("a.graphml",
                   "<?xml version='1.0'?>\n<!DOCTYPE graphml [\n<!ENTITY a 'aaaaaaaaaa'>\n]>\n"
                   "<graphml><graph edgedefault='directed'><node id='&a;'/></graph></graphml>",
                   ":3: expected a graph without entities of its own, found \"a\"");
    assert_refused("a.graphml", GRAPHML_HEAD "<graph edgedefault='directed'/></graphml>",
                   ": no node in the file");
}
END_TEST

#define MEBIBYTE ((size_t)1 << 20)
#define TAIL     "<node id='x'/><node id='y'/><edge source='x' target='y'/>\n</graph></graphml>"

static void assert_padded_refused(const char *before, const char *unit, size_t bytes,
                                  const char *after, const char *expected)
{
    struct graph graph;
    struct graph_error error;
    const char *path = fixture_padded(before, unit, bytes, after);
    ck_assert_msg(!load(path, NULL, &graph, &error), "%s was read", before);
    ck_assert_msg(strcmp(error.message + strlen(path), expected) == 0, "expected %s, found %s",
                  expected, error.message);
}

#define GRAPH_OPEN GRAPHML_HEAD "<graph edgedefault='directed'>\n"

START_TEST(a_tag_or_text_of_graphml_has_at_most_a_mebibyte)
{
    static const char tag[] = ":4: a tag is longer than 1 MiB";
    static const char label[] = GRAPHML_HEAD "<key id='l' attr.name='label'/>"
                                             "<graph edgedefault='directed'>\n"
                                             "<node id='x'><data key='l'>";
    static const char *const units[] = {"y", "\n", "&lt;", ">"};
    const size_t rest = sizeof("<data a=''/>") - 1;
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        const char *unit = units[i];
        const size_t bytes = (MEBIBYTE - rest) / strlen(unit) * strlen(unit);
        assert_edges(fixture_padded(GRAPH_OPEN "<data a='", unit, bytes, "'/>" TAIL), NULL,
                     "x>y y>");
        assert_padded_refused(GRAPH_OPEN "<data a='", unit, 5 * MEBIBYTE, "'/>" TAIL, tag);
    }
    assert_padded_refused(GRAPH_OPEN "<data a='", "y", MEBIBYTE - rest + 1, "'/>" TAIL, tag);
    assert_padded_refused(GRAPH_OPEN "<data ", " ", 5 * MEBIBYTE, "/>" TAIL, tag);
    assert_padded_refused(GRAPH_OPEN "<data", "y", 5 * MEBIBYTE, "/>" TAIL, tag);
    assert_padded_refused(GRAPH_OPEN "<?data", " '", 5 * MEBIBYTE, "?>" TAIL, tag);
    assert_padded_refused(GRAPH_OPEN "<data a='", "y", 5 * MEBIBYTE, "", tag);
    assert_edges(fixture_padded(GRAPH_OPEN "<data>", "y>\"'", 5 * MEBIBYTE, "</data>" TAIL), NULL,
                 "x>y y>");
    assert_padded_refused(GRAPH_OPEN, "<a>", 3 * MEBIBYTE, TAIL,
                          ":4: elements within elements are too deep");
    struct graph graph;
    struct graph_error error;
    const char *path = fixture_padded(label, "y", MEBIBYTE, "</data></node></graph></graphml>");
    ck_assert_msg(load(path, NULL, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.names->begins[1], MEBIBYTE + 1); /* and a NUL */
    graph_free(&graph);
    assert_padded_refused(label, "y", MEBIBYTE + 1, "</data></node></graph></graphml>",
                          ":4: a text is longer than 1 MiB");
}
END_TEST

START_TEST(comments_and_cdata_of_graphml_may_have_any_length)
{
    static const struct {
        const char *before, *unit, *after;
    } texts[] = {
        {GRAPH_OPEN "<!--", "don't <data a='> ]]> ?> ->", " -->" TAIL},
        {GRAPH_OPEN "<!--", "\n", "-->" TAIL},
        {GRAPH_OPEN "<data><![CDATA[", "<!-- don't ]] > ]> --> <? ", "]]]></data>" TAIL},
        {GRAPH_OPEN "<data><![CDATA[", "]", "]]></data>" TAIL},
        {"<?xml version='1.0'?>\n<graphml><!-- \" -->", "<!--x-->",
         "<graph edgedefault='directed'>" TAIL},
        {"<?xml version='1.0'?>\n<!DOCTYPE graphml [\n<!-- ' -->\n<!ATTLIST x y CDATA '\">'>\n]>"
         "<graphml><!--",
         "y", "--><graph edgedefault='directed'>" TAIL "<!-- end -->\n<?p '<!-- ?>"},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        for (size_t bytes = MEBIBYTE / 4 - 200; bytes < 6 * MEBIBYTE; bytes *= 23) {
            const size_t units = bytes / strlen(texts[i].unit);
            assert_edges(fixture_padded(texts[i].before, texts[i].unit,
                                        units * strlen(texts[i].unit), texts[i].after),
                         NULL, "x>y y>");
        }
    }
    assert_padded_refused(GRAPH_OPEN "<!--", "\n", MEBIBYTE, "--><node/>" TAIL,
                          ":1048580: expected a node with an id");
    assert_padded_refused(GRAPH_OPEN "<!--", "y", MEBIBYTE, TAIL,
                          ":4: not well-formed XML: unclosed token");
    assert_refused("a.graphml", GRAPH_OPEN "<!--\n<!-- -->" TAIL,
                   ":5: not well-formed XML: not well-formed (invalid token)");
    assert_refused("a.graphml", GRAPH_OPEN "<!--\n--->" TAIL,
                   ":5: not well-formed XML: not well-formed (invalid token)");
    assert_refused("a.graphml", GRAPH_OPEN "<!-- ' --><node id='x' <!-- -->/>" TAIL,
                   ":4: not well-formed XML: not well-formed (invalid token)");
    assert_refused("a.graphml", GRAPH_OPEN "<node id='x<!-- -->'/>" TAIL,
                   ":4: not well-formed XML: not well-formed (invalid token)");
}
END_TEST

#else

START_TEST(graphml_says_that_this_build_cannot_read_it)
{
    assert_refused("a.graphml", GRAPHML_HEAD "<graph/></graphml>",
                   ": is GraphML, which this build cannot read: it was made without libexpat");
}
END_TEST

#endif

START_TEST(gml_gives_labels_directions_and_characters)
{
    assert_text("a.gml", "graph [ node [ id 7 ] node [ id 9 ] edge [ source 7 target 9 ] ]",
                "7>9 9>7");
    assert_text("b.gml",
                "# by hand\nCreator \"me [not] a list\"\nVersion 1\ngraph\n[\n  directed 1\n"
                "  node [ graphics [ x 1.5 label \"no\" ] id -1 label \"A &amp; &#233; &#x6771;"
                " &unknown; \xc3\xa9\" ]\n"
                "  edge [ target 2 source -1 weight 2.5 ]\n  edge [ source 2 target 2 ]\n"
                "  node [ id 2 label \"two\nlines\" ]\n]\n",
                "A & \xc3\xa9 \xe6\x9d\xb1 &unknown; \xc3\xa9>two lines two lines>two lines");
    ck_assert_str_eq(notes, "weights are ignored\n");
    assert_text("c.gml",
                "GRAPH[DIRECTED 1 NODE[ID 0]NODE[ID 1]EDGE[SOURCE 0 TARGET 1]EDGE[SOURCE 1 TARGET 0"
                "]]",
                "0>1 1>0");
    assert_text("d.gml", "graph [ node [ id 0 label \"a\" ] node [ id 1 label \"a\" ] ]", "a> a>");
    ck_assert_ptr_nonnull(strstr(notes, "\"a\" is the name of more than one node"));
}
END_TEST

START_TEST(gml_has_the_named_characters_of_html_and_igraphs_names)
{
    assert_text(
        "e.gml",
        "graph [ directed 1 node [ id 3 label \"&AElig;&thorn;&euro;&alpha;&hellip;&apos;\" ]"
        " node [ id 4 name \"&zwnj;z&Eacute;\" ] node [ id 5 label \"&eacut;&eacutee;\" ]"
        " edge [ source 3 target 4 ] ]",
        "\xc3\x86\xc3\xbe\xe2\x82\xac\xce\xb1\xe2\x80\xa6'>\xe2\x80\x8cz\xc3\x89 "
        "\xe2\x80\x8cz\xc3\x89> &eacut;&eacutee;>");
    assert_text("f.gml",
                "graph [ node [ id 0 name \"u\" label \"v\" ] node [ id 1 label \"w\" name \"x\" ]"
                " edge [ source 0 target 1 weight [ a 1 ] ] ]",
                "v>w w>v");
    ck_assert_str_eq(notes, "weights are ignored\n");
}
END_TEST

START_TEST(gml_that_is_not_in_order_is_refused_with_its_line)
{
    assert_refused("a.gml", "graph [\n node [ id 1 ]\n node [ label \"x\" ]\n]",
                   ":3: expected a node with an id");
    assert_refused("a.gml", "graph [\n node [ id 1 ]\n edge [ source 1 ]\n]",
                   ":3: expected an edge with source and target");
    assert_refused("a.gml", "graph [\n node [ id 1 ]\n edge [ source 1\n target 2 ]\n]",
                   ":3: an edge names the node \"2\", which is not declared");
    assert_refused("a.gml", "graph [\n node [ id 1 ]\n node [ id 1 ]\n]",
                   ":3: the node \"1\" is declared again, first in line 2");
    assert_refused("a.gml", "graph [\n node 5\n]", ":2: expected \"[\", found \"5\"");
    assert_refused("a.gml", "graph [\n node [ id [ 1 ] ]\n]",
                   ":2: expected a number or a text in quotes, found \"[\"");
    assert_refused("a.gml", "graph [\n node [ id 1 ]\n",
                   ":2: expected a key or \"]\", found the end of the file");
    assert_refused("a.gml", "graph [\n node [ id 1 label \"a\n ]\n",
                   ":2: the quote that opens here is not closed");
    assert_refused("a.gml", "graph [ node [ id 1 ] ] ]", ":1: expected a key, found \"]\"");
    assert_refused("a.gml", "graph [ node [ id 1 ] ]\ngraph [ ]",
                   ":2: a second graph; only one is read");
    assert_refused("a.gml", "graph [ directed yes ]",
                   ":1: expected directed 0 or 1, found \"yes\"");
    assert_refused("a.gml", "graph [ node [ id 1 ] edge [ source 1 target 1 ]\n directed 1 ]",
                   ":2: expected \"directed\" before the first edge");
    assert_refused("a.gml", "graph [ ]", ": no node in the file");
}
END_TEST

START_TEST(a_file_called_graph_is_metis_as_gapbs_has_it)
{
    assert_text("ring.graph", "4 4\n2 4\n1 3\n2 4\n1 3\n", "1>2,4 2>1,3 3>2,4 4>1,3");
    assert_text("ring.txt", "4 4\n2 4\n1 3\n2 4\n1 3\n", "1>3,3 2>4,4 3> 4>4");
    assert_text("weights.graph", "2 1 1\n2 7\n1 7\n", "1>2 2>1");
    ck_assert_str_eq(notes, "weights are ignored\n");
    assert_text("loops.graph", "3 5 100\n2 2 1\n1\n3\n", "1>2,2,1 2>1 3>3");
    assert_text("three.graph", "3 2 10 3\n7 8 9 2\n7 8 9 1 3\n9 9 9 2\n", "1>2 2>1,3 3>2");
    assert_text("both.graph", "3 2 111 2\n5 7 8 2 6\n5 7 8 1 6 3 6\n5 9 9 2 6\n", "1>2 2>1,3 3>2");
    assert_text("sizes.graph", "3 2 100\n9 2\n9 1 3\n9 2\n", "1>2 2>1,3 3>2");
}
END_TEST

START_TEST(weights_are_ignored_with_one_note_in_every_format)
{
    assert_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 5\n2 1 6\n",
                "1>2 2>1");
    ck_assert_str_eq(notes, "weights are ignored\n");
    assert_text("a.gr", "p sp 2 1\na 1 2 5\n", "1>2 2>");
    ck_assert_str_eq(notes, "weights are ignored\n");
    assert_text("a.wel", "0 1 5\n1 2 6\n", "0>1 1>2 2>");
    ck_assert_str_eq(notes,
                     "read as: a table with blanks, from column 1 to column 2, 1 other column "
                     "ignored, ids\n");
}
END_TEST

#define ROW(text, message)                                                                         \
    {                                                                                              \
        text, sizeof(text) - 1, message                                                            \
    }

static const struct {
    const char *text;
    size_t length;
    const char *message;
} unread[] = {
    ROW("digraph {\n a -> b;\n}\n", ": is DOT of Graphviz, which is not read: "),
    ROW("/* x */ strict graph \"x y\" { a -- b }", ": is DOT of Graphviz"),
    ROW("*Vertices 2\n*Arcs\n1 2\n", ": is Pajek, which is not read: "),
    ROW("% by hand\r\n*Network x\r\n*Vertices 2\r\n", ": is Pajek"),
    ROW("{\"nodes\": []}", ": is JSON, which is not read: export it"),
    ROW(" [\n[1, 2]]", ": is JSON, which is not read: jq -r '.[] | @csv'"),
    ROW("{\"links\": [{\"source\": 1, \"target\": 2}]}", ": is JSON, which is not read: jq"),
    ROW("{\"from\": 1, \"to\": 2}\n{\"from\": 2, \"to\": 3}\n", ": is JSON, which is not read: jq"),
    ROW("<?xml version='1.0'?><gexf/>", ": is GEXF, which is not read: "),
    ROW("<!DOCTYPE html>", ": is a web page (HTML), not a graph"),
    ROW("<?xml version='1.0'?><svg/>", ": is XML but not GraphML"),
    ROW("<?xml version='1.0'?>\n<rdf:RDF></rdf:RDF>", ": is RDF/XML"),
    ROW("PK\3\4....", ": is a zip archive: unpack it first"),
    ROW("PK\3\4\24\0\0\0\0\0data.npy\x93NUMPY", ": is npz of NumPy, which is not read: "),
    ROW("PK\3\4\24\0\6\0\10\0\0\0!\0[Content_Types].xml", ": is a workbook of Excel (xlsx)"),
    ROW("PK\3\4\24\0\0\0\0\0xl/worksheets/sheet1.xml", ": is a workbook of Excel (xlsx)"),
    ROW("PK\3\4\24\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet", ": is a spread"),
    ROW("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0", ": is a workbook of Excel (xls)"),
    ROW("7z\xbc\xaf\x27\x1c\0\4\1\2", ": is a 7z archive: unpack it first"),
    ROW("Rar!\x1a\x07\1\0", ": is a RAR archive"),
    ROW("PAR1\x15\4\x15\0\x15", ": is Parquet, which is not read: python3 -c 'import pandas"),
    ROW("ARROW1\0\0\xff\xff\xff\xff", ": is Arrow (Feather)"),
    ROW("\x93NUMPY\1\0v\0{'descr': '<i8', }\n", ": is npy of NumPy"),
    ROW("SQLite format 3\0\20\0\1\1\0", ": is a database of SQLite"),
    ROW("\x89HDF\r\n\x1a\n\0\0\0", ": is HDF5"),
    ROW("\x80\4\x95\x1f\0\0\0", ": is a pickle of Python"),
    ROW("\0\x13\x37\7\x01\x9a\xbc\xde\2\x11", ": is binary data of a kind that is not read; "),
    ROW("#BVGraph properties\n#Sat Nov 28\nnodes=5\n", ": is the .properties of a WebGraph"),
    ROW("graphclass = it.unimi.dsi.webgraph.BVGraph\nnodes=5\n", ": is the .properties of a"),
    ROW("-- PostgreSQL database dump\n\nSET statement_timeout = 0;\nCREATE TABLE t (\n",
        ": is an SQL dump, which is not read: wikipedia-import"),
    ROW("/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\n--\n"
        "DROP TABLE IF EXISTS `link`;\nCREATE TABLE `link` (\n",
        ": is an SQL dump"),
    ROW("-- MySQL dump 10.13\n--\n/*!40101 SET @OLD=@@X */;\n/*!40101 SET NAMES utf8 */;\n\n"
        "DROP TABLE IF EXISTS `e`;\n/*!50503 SET a = b */;\nCREATE TABLE `e` (\n",
        ": is an SQL dump"),
    ROW("insert into edge values (1,2),(2,3);\n", ": is an SQL dump"),
    ROW("nodedef> name VARCHAR\nv1\nv2\nedgedef> node1 VARCHAR,node2 VARCHAR\nv1,v2\n",
        ": is GDF, which is not read: sed "),
    ROW("# exported\n<http://a.example/1> <http://a.example/k> <http://a.example/2> .\n",
        ": is N-Triples (RDF)"),
    ROW("_:b1 <http://a.example/name> \"Ann\"@en .\n", ": is N-Triples (RDF)"),
    ROW("@prefix e: <http://a.example/> .\ne:a e:k e:b .\n", ": is Turtle (RDF)"),
    ROW("c FILE: ring\nc\np edge 5 1\ne 1 2\n", ": is \"p edge\" of DIMACS (colouring), which"),
    ROW("\r\n \nc x\n\n p edge 5 1\ne 1 2\n", ": is \"p edge\" of DIMACS"),
    ROW("edgedef>node1 VARCHAR,node2 VARCHAR\n1,2\n", ": is GDF"),
    ROW("*Node data\nID Size\n1 a\n*Tie data\nfrom to\n1 2\n", ": is VNA of NetDraw"),
    ROW("# x\nPREFIX b: <http://b/>\n", ": is Turtle (RDF)"),
    ROW("@base <http://a/> .\n", ": is Turtle (RDF)"),
    ROW("p col 5 1\ne 1 2\n", ": is \"p col\" of DIMACS (colouring)"),
    ROW("p max 5 1\nn 1 s\nn 2 t\na 1 2 9\n", ": is \"p max\" of DIMACS (flow)"),
    ROW("p tw 5 1\n1 2\n", ": is \"p tw\" of PACE"),
    ROW("p cnf 2 1\n1 -2 0\n", ": is \"p cnf\" of DIMACS: clauses"),
    ROW(">>graph6<<Dhc\n", ": is graph6, which is not read: "),
    ROW("Dhc\nDqK\n", ": is graph6"),
    ROW(">>sparse6<<:DaGn\n", ": is sparse6"),
    ROW(":DaGn\n", ": is sparse6"),
    ROW(">>digraph6<<&B?_\n", ": is digraph6"),
    ROW("# ann\nben\ncid\n# ben\ncid\n", ": is LGL, which is not read: awk "),
    ROW("# 4\n5 0.25\n6 2\n", ": is LGL"),
    ROW("#by hand\nu 2\nv {}\nw {'k': 'x y'}\nv 0\nw 1\nu {}\n",
        ": is a multi-line adjacency list, which is not read: "),
    ROW("dl n=3 format = edgelist1\ndata:\n1 2\n", ": is DL of UCINET"),
    ROW("\xff\xfe"
        "1",
        ": is UTF-16 text: iconv -f UTF-16 -t UTF-8 converts it"),
};

START_TEST(what_is_not_read_is_refused_by_name)
{
    for (size_t i = 0; i < COUNT_OF(unread); i++) {
        struct graph graph;
        struct graph_error error;
        const char *path = fixture_bytes("a.txt", unread[i].text, unread[i].length);
        ck_assert_msg(!load(path, NULL, &graph, &error), "%s", unread[i].text);
        ck_assert_msg(strncmp(error.message + strlen(path), unread[i].message,
                              strlen(unread[i].message)) == 0,
                      "case %zu: %s", i, error.message);
    }
}
END_TEST

START_TEST(a_table_that_begins_as_a_known_format_does_is_read)
{
    assert_text("names.tsv", "graph\tfoo\nfoo\t{a}\n", "graph>foo foo>{a} {a}>");
    assert_text("names.tsv", "Set\tSQL\nSQL\tCreate table\n",
                "Set>SQL SQL>Create table "
                "Create table>");
    assert_text("names.tsv", "<http://a>\t<http://b.>\n", "<http://a>><http://b.> <http://b.>>");
    assert_text("ids.txt", "# edges\n1 2\n# more\n2 3\n", "1>2 2>3 3>");
    assert_text("genes.tsv", "PAR1\tORC1\nORC1\tFEA1\n", "PAR1>ORC1 ORC1>FEA1 FEA1>");
    assert_text("genes.tsv", "SQLite format 3\tARROW1\n", "SQLite format 3>ARROW1 ARROW1>");
    assert_text("names.csv", "# cities\nParis,Rome\nRome,Cairo\n", "Paris>Rome Rome>Cairo Cairo>");
    assert_text("names.tsv", "# years\nann\t1990\nben\t1991\n", "ann>1990 1990> ben>1991 1991>");
    assert_text("ids.csv", "# ids\n1;2\n2;3\n", "1>2 2>3 3>");
    assert_text("ids.txt", "# 3\n1 2\n2 3\n", "1>2 2>3 3>");
}
END_TEST

START_TEST(options_apply_to_formats_with_readers_of_their_own)
{
    static const char gml[] =
        "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]";
    char many[5000] = "graph [ directed 1 ";
    const char *path = fixture_text("a.gml", gml);
    const char *names = fixture_text("names.txt", "one\ntwo\n");
    assert_edges(path, &(struct graph_options){.reverse = true}, "1> 2>1");
    assert_edges(path, &(struct graph_options){.undirected = true}, "1>2 2>1");
    assert_edges(path, &(struct graph_options){.compact = true}, "1>2 2>");
    assert_edges(path, &(struct graph_options){.repeat_last_entry = true}, "1>2,2 2>");
    assert_edges(path, &(struct graph_options){.format = "gml", .threads = 1}, "1>2 2>");
    assert_edges(path, &(struct graph_options){.names_path = names}, "one>two two>");
    struct graph graph;
    struct graph_error error;
    struct graph_options options = {.names_path = names};
    path = fixture_text("b.gml", "graph [ node [ id 1 label \"x\" ] ]");
    ck_assert(!load(path, &options, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "holds names already"));
    options = (struct graph_options){.memory_limit = 1 << 20, .threads = 1};
    path = fixture_padded("graph [ node [ id 1 label \"", "x", 1000000, "\" ] ]");
    ck_assert(!load(path, &options, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "ids and labels do not fit: they need"));
    memset(many + strlen(many), 'x', 3000); /* a key is no longer than the text may be */
    path = fixture_text("d.gml", many);
    ck_assert(!load(path, NULL, &graph, &error));
}
END_TEST

/* A byte source in memory, for one reader alone. */
struct memory {
    struct graph_reading reading;
    const char *text;
    unsigned edges;
};

static size_t take(struct graph_reading *reading, const char **text)
{
    struct memory *memory = (struct memory *)reading;
    *text = memory->text;
    memory->text += *memory->text != '\0'; /* one byte at a time */
    return **text != '\0';
}

static bool add(struct graph_reading *reading, uint32_t source, uint32_t target, bool both)
{
    ck_assert(source + target == 3 && both);
    ((struct memory *)reading)->edges++;
    return true;
}

START_TEST(a_reader_reads_from_memory_in_pieces_of_any_length)
{
    static const char *const texts[] = {
        ("<?xml version='1.0'?><!-- ' --><graphml><!----><graph edgedefault='undirected'>"
         "<node id='1'><![CDATA[<!-- ]]> \" --></node><node id='2' x='>\"'/><?p '<!-- ?>"
         "<edge source='1' target='2'/></graph></graphml>"),
        "graph [ node [ id 1 label \"\xc3\xa9\" ] node [ id 2 ] edge [ source 1 target 2 ] ]"};
#ifdef PW_HAVE_EXPAT
    size_t i = 0;
#else
    size_t i = 1;
#endif
    for (; i < COUNT_OF(texts); i++) {
        struct graph_error error = {0};
        struct memory memory = {
            .reading = {.name = "memory", .error = &error, .take = take, .add = add},
            .text = texts[i]};
        bool done = format_readers.list[i].read(&memory.reading);
        ck_assert_msg(done, "%s", error.message);
        ck_assert_uint_eq(memory.edges, 1);
        ck_assert_uint_eq(memory.reading.node_count, 2);
        ck_assert_uint_eq(memory.reading.first_node, 1);
        graph_names_free(memory.reading.names);
    }
}
END_TEST

int main(void)
{
    return suite_run("format_readers", NULL, NULL,
                     (const TTest *[]){
#ifdef PW_HAVE_EXPAT
                         graphml_gives_labels_directions_and_the_edges_of_inner_graphs,
                         labels_of_yed_may_have_elements_within,
                         graphml_that_is_not_in_order_is_refused_with_its_line,
                         a_tag_or_text_of_graphml_has_at_most_a_mebibyte,
                         comments_and_cdata_of_graphml_may_have_any_length,
#else
                         graphml_says_that_this_build_cannot_read_it,
#endif
                         gml_gives_labels_directions_and_characters,
                         gml_has_the_named_characters_of_html_and_igraphs_names,
                         gml_that_is_not_in_order_is_refused_with_its_line,
                         a_file_called_graph_is_metis_as_gapbs_has_it,
                         weights_are_ignored_with_one_note_in_every_format,
                         what_is_not_read_is_refused_by_name,
                         a_table_that_begins_as_a_known_format_does_is_read,
                         options_apply_to_formats_with_readers_of_their_own,
                         a_reader_reads_from_memory_in_pieces_of_any_length, NULL});
}
