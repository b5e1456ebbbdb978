/*
 * test_table_kinds.c - tables of edges as programs and people write them: what each is read as, or
 * why it is refused.
 */
#include "base/macros.h"
#include "data/load/graph_load.h"
#include "data/load/pairs_load.h"
#include "edge_text.h"
#include "tests/support/fixture_file.h"
#include "tests/support/suite.h"

static char noted[2000]; /* all notes, one per line */

static void note(void *context, const char *text, enum graph_remedy remedy)
{
    (void)context;
    (void)remedy;
    strncat(noted, text, sizeof(noted) - strlen(noted) - 2);
    strcat(noted, "\n");
}

struct table_case {
    const char *text, *columns;
    const char *edges; /* NULL: refused */
    const char *said;  /* in a note, or in the error; "": no note */
};

static void check(const struct table_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct table_case *wanted = &cases[i];
        struct graph graph;
        struct graph_error error = {0};
        const struct graph_options options = {.note = note, .columns = wanted->columns};
        noted[0] = '\0';
        const bool loaded =
            graph_load(fixture_text("kind", wanted->text), &options, &graph, &error);
        ck_assert_msg(loaded == (wanted->edges != NULL), "%s\n%s%s", wanted->text, error.message,
                      loaded ? edge_text(&graph) : "");
        if (loaded) {
            ck_assert_msg(strcmp(edge_text(&graph), wanted->edges) == 0, "%s\nfound %s",
                          wanted->text, edge_text(&graph));
            graph_free(&graph);
        }
        const char *said = loaded ? noted : error.message;
        ck_assert_msg(*wanted->said == '\0' ? *said == '\0' : strstr(said, wanted->said) != NULL,
                      "%s\nsaid %s", wanted->text, said);
    }
}

START_TEST(a_heading_names_the_ends_wherever_they_are)
{
    static const struct table_case cases[] = {
        {"src,dst\n4,5\n5,6\n", NULL, "4>5 5>6", ""},
        {"no;from;to\n1;7;8\n2;8;9\n", NULL, "7>8 8>9",
         "read as: CSV with semicolons and a heading, from \"from\" to \"to\", 1 other column "
         "ignored, ids"},
        {"target\tsource\nmoon\tsun\n", NULL, "sun>moon", "from \"source\" to \"target\""},
        {"kind,Sender,size,Receiver\nmail,ann,5,bob\ncall,bob,7,eve\n", NULL, "ann>bob bob>eve",
         "2 other columns ignored, names"},
        {":START_ID(City),km:int,:END_ID(City),:TYPE\nOslo,5,Bonn,ROAD\n", NULL, "Oslo>Bonn",
         "from \":START_ID(City)\""},
        {"~id,~from,~to,~label\ne1,v7,v8,knows\ne2,v8,v9,knows\n", NULL, "v7>v8 v8>v9", "~from"},
        {"_key,_from,_to\n1,p/7,p/8\n2,p/8,p/9\n", NULL, "p/7>p/8 p/8>p/9", "_from"},
        {"id;page_from;page_to\n5;20;30\n6;30;40\n", NULL, "20>30 30>40", "page_from"},
        {"node1;label;node2\nQ7;P1;Q8\n", NULL, "Q7>Q8", "node2"},
        {"City.id|City.id|since\n70|80|2001\n80|90|2002\n", NULL, "70>80 80>90", "table with |"},
        {"when who_from who_to\n10 3 4\n11 4 3\n", NULL, "3>4 4>3", "with blanks and a heading"},
        {"source,target,source_label,target_label\n1,2,ann,bob\n", NULL, "1>2", "2 other"},
        {"Source,Target,Start,End\n3,4,2001,2002\n", NULL, "3>4", "from \"Source\""},
        {"Employee,Manager\nkay,lou\n", NULL, "kay>lou", ""},
        {"head,relation,tail\nsun,lights,moon\n", NULL, "sun>moon", "from \"head\""},
        {"tail,head\nann,bob\n", NULL, "ann>bob", ""}, /* an arc leads from its tail to its head */
        {"tail,head,colour\nann,bob,red\n", NULL, "ann>bob", "from \"tail\""},
        {"source,target\n", NULL, NULL, "no edge in the file"},
        {":START_ID,:END_ID,:TYPE\n", NULL, NULL, "no edge in the file"},
        {"sep=;\nfrom;to\n1;2\n", NULL, "1>2", ""},
        {"\"who\nasks\",\"whom\"\n1,2\n", NULL, "1>2", "from \"who?asks\" to \"whom\""},
        {"a_id,a_name,b_id,b_name\n1,ann,2,bob\n", NULL, NULL, "which columns are the ends"},
        {"src_ip,src_port,dst_ip,dst_port\n7,80,8,90\n", NULL, NULL, "which columns are the ends"},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(names_of_rows_before_the_ends_are_no_node)
{
    static const struct table_case cases[] = {
        {",from,to\n0,5,6\n1,6,5\n", NULL, "5>6 6>5", "from \"from\""},
        {"\"\",\"V1\",\"V2\"\n\"1\",\"x\",\"y\"\n\"2\",\"y\",\"z\"\n", NULL, "x>y y>z", "V1"},
        {"\"from\" \"to\"\n\"1\" \"ann lee\" \"bob\"\n\"2\" \"bob\" \"eve\"\n", NULL,
         "ann lee>bob bob>eve", "from \"from\""},
        {"knows whom\n1 5 6\n2 6 7\n3 7 5\n", NULL, "5>6 6>7 7>5", "from \"knows\""},
        {",0,1\n0,5,6\n1,6,7\n", NULL, "5>6 6>7", "from \"0\""},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(without_a_heading_only_sure_columns_are_taken)
{
    static const struct table_case cases[] = {
        {"7 8 0.5\n8 9 0.25\n", NULL, "7>8 8>9",
         "read as: a table with blanks, from column 1 to column 2, 1 other column ignored, ids"},
        {"7,8,2001-05-06\n8,9,2001-05-07\n", NULL, "7>8 8>9", "1 other column"},
        {"ann,bob,3\nbob,eve,4\n", NULL, "ann>bob bob>eve", "names"},
        {"4;5;0,5\n5;6;1,5\n", NULL, "4>5 5>6", "CSV with semicolons, from column 1"},
        {"4\t5\t0,5\n5\t6\t1,5\n", NULL, "4>5 5>6", "TSV, from column 1 to column 2"},
        {"ann bob 0,5\nbob eve 1,5\n", NULL, "ann>bob bob>eve", "a table with blanks"},
        {"\"New old \nYork\",\"Rome\"\n\"Rome\",\"Lund\"\n", NULL, "New old \nYork>Rome Rome>Lund",
         ""},
        {"ann bob\nbob eve\n", NULL, "ann>bob bob>eve", "names"},
        {"ann bob {}\nbob eve {'weight': 5}\n", NULL, "ann>bob bob>eve", "names"},
        {"A\tuses\tB\nB\tuses\tC\n", NULL, NULL,
         ":1: which columns are the ends of an edge? It has 1 \"A\", 2 \"uses\", 3 \"B\""},
        {"A uses B\nB uses C\n", NULL, NULL, "which columns are the ends"},
        {"10 4 5\n11 5 6\n12 6 4\n", NULL, NULL, "which columns are the ends"},
        {"1082040961,4,5\n1082155839,5,6\n1082414391,6,4\n", NULL, NULL, "which columns"},
        {"4 77 5\n5 78 6\n6 79 4\n", NULL, NULL, "which columns are the ends"},
        {"31\t4\tMoss\n31\t4\tFern\n32\t4\tReed\n33\t0\tIris\n34\t4\tFern\n35\t4\tLily\n", NULL,
         NULL, "which columns are the ends"},
        {"31\t7\tgood\n31\t8\tbad\n32\t7\tgood\n", NULL, "31>7 31>8 32>7", "1 other column"},
        {"id,kind,owner\n5,x,y\n6,x,z\n", NULL, NULL, "1 \"id\", 2 \"kind\", 3 \"owner\""},
        {"1 2 3\n2 3\n4 5 6 7\n", NULL, NULL, "different numbers of ids"},
        {"4 4 3\n1 2\n2 3\n3 4\n", NULL, NULL, ":1: has 3 numbers, and the lines below have 2"},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(the_caller_chooses_columns_by_number_or_word)
{
    static const struct table_case cases[] = {
        {"A\tuses\tB\nB\tuses\tC\n", "1,3", "A>B B>C", "from column 1 to column 3"},
        {"A\tuses\tB\nB\tuses\tC\n", "3,1", "B>A C>B", "from column 3 to column 1"},
        {"boss,pay,clerk\nann,5,bob\n", "boss,clerk", "ann>bob", "from \"boss\" to \"clerk\""},
        {"Boss,pay,Clerk\nann,5,bob\n", "clerk,BOSS", "bob>ann", "from \"Clerk\""},
        {"\"a, b\",x,c\n1,2,3\n", "a, b,c", "1>3", "from \"a, b\" to \"c\""},
        {"10 4 5\n11 5 6\n12 6 4\n", "2,3", "4>5 5>6 6>4", "from column 2"},
        {"source,target,km\n1,2,3\n", "3,1", "3>1", "from \"km\" to \"source\""},
        {"source,target,km\n1,2,3\n", "source,miles", NULL,
         "has no two columns \"source,miles\", by number or heading. It has 1 \"source\""},
        {"1,2,3\n", "1,4", NULL, "has no two columns \"1,4\""},
        {"0 1 1\n1 0 0\n0 0 1\n", "1,2", "0>1 0>0 1>0", "from column 1"},
        {"1,2,3\n", "1", NULL, "has no two columns \"1\""},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n2 3\n", "2,1", "2>3",
         "the chosen columns do not count: the graph is not a table"},
        {"graph [ directed 1 node [ id 5 ] node [ id 6 ] edge [ source 5 target 6 ] ]", "2,1",
         "5>6", "the chosen columns do not count"},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(exports_are_read_as_their_program_means_them)
{
    static const struct table_case cases[] = {
        /* a decimal comma is no separator beside a semicolon or a tab */
        {"source;target\n4,0;5,0\n5,0;6,0\n", NULL, NULL, "expected a node id, found \"4,0\""},
        {"4,25\t5,5\n5,5\t6,5\n", NULL, NULL, "expected a node id, found \"4,25\""},
        {"from;to;km\n4,0;5,0;7\n", "from,to", NULL, "expected a node id, found \"4,0\""},
        /* rows of ids of different lengths are lists */
        {"4;5\n5;6;4\n6;4\n", NULL, NULL, "different numbers of ids"},
        {"4,5,6\n5,6\n6,4\n", NULL, NULL, "different numbers of ids"},
        {"moss;fern\nfern;reed;moss\n", NULL, NULL, ":2: expected 2 columns with a semicolon"},
        {"# 7\n8 2\n9 5\n# 8\n9 3\n", NULL, NULL, "is LGL"},
        /* two id spaces of Neo4j */
        {":START_ID(Actor),role,:END_ID(Film)\n4,Neo,4\n5,Max,4\n", NULL,
         "left 4>right 4 left 5>right 4", "bipartite"},
        {":START_ID(Actor),role,:END_ID(Actor)\n4,Neo,5\n", NULL, "4>5", "ids"},
        /* nodes and edges of APOC in one file */
        {"_id,_labels,name,_start,_end,_type\n4,:P,Ann,,,\n5,:P,Ben,,,\n,,,4,5,KNOWS\n", NULL,
         "4>5", "2 rows are of nodes, and left out: both of their ends are empty"},
        {"\"_id\",\"_labels\",\"_start\",\"_end\"\n\"4\",\":P\",,\n,,\"4\",\"5\"\n,,\"5\",\"4\"\n",
         NULL, "4>5 5>4", "1 row is of a node, and left out"},
        {"_id,_labels,_start,_end\n4,:P,,\n,,4,\n", NULL, NULL, ":3: expected two node ids"},
        /* headings of two names */
        {"a.name,b.name\nann,bob\nbob,eve\n", NULL, "ann>bob bob>eve",
         "from \"a.name\" to \"b.name\""},
        {"elementId(n)\telementId(m)\nx:1\tx:2\n", NULL, "x:1>x:2", "from \"elementId(n)\""},
        {"Lender,Borrower\nann,bob\n", NULL, "ann>bob", "from \"Lender\""},
        {"a.name,b.name\nb.name,c.name\n", NULL, "a.name>b.name b.name>c.name", ""},
        {"J.Smith,K.Smith\nann,bob\n", NULL, "J.Smith>K.Smith ann>bob", ""},
        {"U.S.,U.K.\nU.K.,France\n", NULL, "U.S.>U.K. U.K.>France", ""},
        {"pupil,likes\nida,jan\nkim,jan\n", NULL, "pupil>likes ida>jan kim>jan",
         "no other row has a word of the first, which is read as an edge; if it is a heading"},
        {"pupil,likes\nida,jan\nkim,jan\n", "pupil,likes", "ida>jan kim>jan", "from \"pupil\""},
        {"pupil,likes\nida,jan\nkim,leo\n", NULL, "pupil>likes ida>jan kim>leo", ""},
        {"ida,kim\nida,jan\nkim,jan\n", NULL, "ida>kim ida>jan kim>jan", ""},
        {"pupil likes\nida jan\nkim jan\n", NULL, "pupil>likes ida>jan kim>jan",
         "read as: a table with blanks"},
        /* the names of rows differ */
        {"from to km\nAnn Lee Rome 1\nBob Ray Rome 2\nAnn Lee Lima 3\n", NULL, NULL,
         ":2: expected 3 columns with a blank"},
        {"from to km\nr1 Lee Rome 1\nr2 Ray Rome 2\n", NULL, "Lee>Rome Ray>Rome", "from \"from\""},
        /* nodes are no edges */
        {"Id,Label\n4,Ann\n5,Ben\n", NULL, NULL, ":1: is a list of nodes"},
        {":ID(City),name\nt4,Oslo\nt5,Bonn\n", NULL, NULL, ":1: is a list of nodes"},
        {"cityId:ID,:LABEL\nt4,City\n", NULL, NULL, ":1: is a list of nodes"},
        {"Id,Label\n4,Ann\n5,Ben\n", "Id,Label", "4>Ann 5>Ben", "from \"Id\""},
        /* what is missing, and what is a list */
        {"ann,bob\nbob,#N/A\n#REF!,eve\n", NULL, "ann>bob bob>#N/A #REF!>eve",
         "2 cells say NULL, NA or nan"},
        {"source,target\nTom,\"[Meg, Ana]\"\nMeg,\"[Ana, Tom]\"\n", NULL, NULL,
         "looks like a list"},
        {"Tom,\"[\"\"Meg\"\"]\"\nMeg,\"[\"\"Tom\"\"]\"\n", NULL, "Tom>[\"Meg\"] Meg>[\"Tom\"]", ""},
        {"a,b\r\nann,bob\r\nbob,\r\n", NULL, NULL,
         "the target is empty (awk -F',' '$1 !~ /^\\r?$/ && $2 !~"},
        {"source,target\r\n4,5\r\n5,\r\n", NULL, NULL, "(awk -F, '$2 !~ /^\\r?$/' drops"},
        {"ann,ben\nben,\n\"two\nlines\",cid\n", NULL, NULL, ":2: expected two names"},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(a_comma_below_the_first_lines_is_no_separator_unless_they_have_it)
{
    static const struct {
        const char *rows, *last, *why; /* NULL: read */
    } cases[] = {
        {"14;15\n", "4,0;5,0\n", ":20001: expected no comma beside an id, as in the first lines"},
        {"14 15\n", "4 5,5 6\n", ":20001: expected no comma beside an id"},
        {"1\t150\n", "4,0\t5,0\n", ":20001: expected no comma beside an id"},
        {"1 150\n", "4 5 0,5\n", NULL},
        {"1,150\n", "4,5;6\n", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        static char text[20000 * 6 + 20];
        struct graph graph;
        struct graph_error error = {0};
        for (size_t r = 0; r < 20000; r++) {
            memcpy(text + 6 * r, cases[i].rows, 6);
        }
        strcpy(text + 20000 * 6, cases[i].last);
        const bool loaded = graph_load(fixture_text("comma", text), NULL, &graph, &error);
        ck_assert_msg(loaded == (cases[i].why == NULL), "%s%s", cases[i].last, error.message);
        ck_assert_msg(loaded || strstr(error.message, cases[i].why) != NULL, "%s", error.message);
        graph_free(&graph);
    }
}
END_TEST

START_TEST(prints_and_quotes_of_other_programs_are_refused_with_the_way)
{
    static const struct table_case cases[] = {
        /* no format, and a printed table */
        {"p q\n4 5\n", NULL, "4>5", "from \"p\" to \"q\""},
        {"+---+---+\n| a | b |\n+---+---+\n| 4 | 5 |\n", NULL, NULL,
         "is a printed table with rules"},
        {"\xe2\x94\x8c\xe2\x94\x80\xe2\x94\x90\n", NULL, NULL, "is a printed table with rules"},
        {" from = 4\n   to = 5\n\n from = 5\n   to = 6\n", NULL, NULL,
         "line mode, found \" from = 4\""},
        {"who = \r\nwhom = Ann\r\n\r\nwho = Ann\r\nwhom = Ben\r\n", NULL, NULL, ".mode csv"},
        {"a = b\nb = c\na = c\n", "1,3", "a>b a>c b>c", "from column 1"},
        /* whole nodes of Neo4j */
        {"a,b\n(:P {name: \"Ann\", age: 4}),(:P {name: \"Ben\"})\n", NULL, NULL,
         "RETURN a.name, b.name there"},
        {"a,b\nAnn,\"(:P:Q {name: \"\"Ben\"\"})\"\n", NULL, NULL, "whole nodes of Cypher"},
        {"a,b\n\"({n: 4})\",\"(:P)\"\n", "a,b", "({n: 4})>(:P)", "from \"a\""},
        {"x (:y),(z)\n", NULL, "x (:y)>(z)", ""},
        /* quotes of R */
        {"\"from\",\"to\"\n\"x \\\"y\\\"\",\"z\"\n", NULL, NULL,
         ":2: a quote closes before the end of its column: \"\"x \\\"y\\\"\",\"z\"\": "
         "sed 's/\\\\\"/\"\"/g' FILE > a.csv"},
        {"\"x \\\"y\\\"\" \"z\"\n\"z\" \"x\"\n", NULL, NULL, ":1: has a quote after a backslash"},
        {"\"C:\\\",\"D:\\\"\n", NULL, "C:\\>D:\\", ""},
        {"'from','to'\n'Ann, Lee','Bob'\n", NULL, NULL, ":1: has its cells in single quotes"},
        {"'4'\t'5'\n'5'\t'6'\n", NULL, NULL, "tr \"'\" '\"' < FILE > a.csv"},
        {"'4'\t'5'\n'5'\t'6'\n", "1,2", "'4'>'5' '5'>'6'", ""},
        {"'Til Tuesday,Ann\nAnn,'n'\n", NULL, "'Til Tuesday>Ann Ann>'n'", ""},
        /* names of two words between blanks */
        {"Ann Lee  Bob Ray\nBob Ray  Cid Fox\n", NULL, NULL, "which columns are the ends"},
        {"from     to\nAnn Lee  Bob Ray\n", NULL, NULL, ":2: expected 2 columns with a blank"},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(all_whole_numbers_are_ids_and_everything_else_names)
{
    static const struct table_case cases[] = {
        {"from,to\n2e+00,3.0\n3,10e-1\n", NULL, "2>3 3>1", ""},
        {"city,people\nOslo,7\nRome,5\n", NULL, "Oslo>7 Rome>5",
         "from \"city\" to \"people\", names"},
        {"x,y\nOslo,7\nRome,x\n", NULL, "x>y Oslo>7 Rome>x", ""},
        {"5.000e+00 6.000e+00\n6.000e+00 5.000e+00\n", NULL, "5>6 6>5", ""},
        {"5 -6\n-6 5\n", NULL, "5>-6 -6>5", "a number is not an id"},
        {"300000000000000000001\t300000000000000000002\n", NULL,
         "300000000000000000001>300000000000000000002", "names"},
        {"5,6\n6,x7\n", NULL, "5>6 6>x7", ""},
        {"5,6 # first\n6,7\n", NULL, "5>6 6>7", ""},
        {"5 6\n6 x7\n", NULL, NULL, ":2: expected two node ids, found \"6 x7\""},
        {"1.5,2.5\n2.5,1.5\n", NULL, NULL, ":1: expected two node ids"},
        {"192.168.0.1,10.0.0.7\n10.0.0.7,10.0.0.8\n", NULL,
         "192.168.0.1>10.0.0.7 10.0.0.7>10.0.0.8", ""},
        {"+49 170 1234\t12:30\n12:30\t2026-04-19\n", NULL, "+49 170 1234>12:30 12:30>2026-04-19",
         ""},
        {"day,who,whom\n2026-04-19,ann,bob\n", "day,whom", "2026-04-19>bob", "names"},
        {"10.0.0.1 10.0.0.2\n10.0.0.2 10.0.0.1\n", NULL, "10.0.0.1>10.0.0.2 10.0.0.2>10.0.0.1",
         "names"},
        /* Excel took digits off; R and NumPy did not */
        {"from,to\n1.00E+05,5\n5,100000\n", NULL, "5>100000 100000>5", "may have lost digits"},
        {"Ann\t1.23457E+11\nBen\t1.23457E+11\n", NULL, "Ann>1.23457E+11 Ben>1.23457E+11",
         "lost digits"},
        {"1.2E+1,5\n1.2e+07,1e+05\n", NULL, "12>5 12000000>100000", ""},
        {"4,5,1.23E+05\n5,4,7\n", NULL, "4>5 5>4", "read as: CSV, from column 1"},
        /* zeros before a number: postcodes, and 0 alone */
        {"from,to\n04109,4109\n4109,0\n", NULL, "04109>4109 4109>0", "a number begins with 0"},
        {"004 4\n4 5\n", NULL, "004>4 4>5", "a number begins with 0"},
        {"004\t-4\n4\t5\n", NULL, "004>-4 4>5", "a number begins with 0"},
        {"004: 4 5\n4: 04\n", NULL, "004>4 004>5 4>04", "a number begins with 0"},
        {"4 0 05\n0 4 06\n", NULL, "0>4 4>0", "1 other column ignored, ids"},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(what_is_no_list_of_edges_is_refused_or_said)
{
    static const struct table_case cases[] = {
        {"0 0 1\n1 0 0\n0 1 0\n", NULL, NULL, "looks like a dense matrix, 3 rows of 3 columns"},
        {"0,2.5,0,1\n2.5,0,3,0\n0,3,0,4\n1,0,4,0\n", NULL, NULL, "dense matrix"},
        {"9 2 3 4 5\n2 9 4 5 6\n3 4 9 6 7\n4 5 6 9 8\n5 6 7 8 9\n", NULL, NULL,
         "looks like a dense matrix, 5 rows of 5 columns"},
        {",x,y,z\nx,0,1,0\ny,0,0,1\nz,1,0,0\n", NULL, NULL, "dense matrix"},
        {"x,y,z\n0,1,0\n0,0,1\n1,0,0\n", NULL, NULL, "dense matrix"},
        {"(0, 1) (0, 2) {}\n(0, 2) (1, 2) {}\n", NULL, NULL, "tuples"},
        {"(0, 1)\n(1, 2)\n", NULL, NULL, "tuples"},
        {"5: [6, 7]\n6: [5]\n", NULL, NULL, "is a dict of Python, found \"5: [6, 7]\""},
        {"x: {'y'}\ny: {'z', 'x'}\n", NULL, NULL, "is a dict of Python"},
        {"{5: [6, 7], 6: [5]}\n", NULL, NULL, "is a dict of Python"},
        {"5::6::2.5\n6::7::3.5\n", NULL, NULL,
         ":1: has \"::\" between its cells: sed 's/::/\\t/g' FILE > a.tsv makes a table"},
        {"x->y\ny->z\n", NULL, NULL, "sed 's/->/\\t/g'"},
        {"x->y\ny-z\n", NULL, NULL, ":1: expected two node ids, found \"x->y\""},
        {"x=>y\ny->z\n", NULL, NULL, ":1: expected two node ids, found \"x=>y\""},
        {"4 3\n0 1\n1 2\n2 3\n", NULL, "0>1 1>2 2>3 4>3", "the first line gives the counts"},
        {"x\ty\n\\N\tz\n", NULL, NULL, ":2: the source is \\N, which means a missing value"},
        {"x,y\nNULL,z\n", NULL, "x>y NULL>z", "1 cell says NULL, NA or nan, and is a node"},
        {"x,y\n,z\n", NULL, NULL,
         ":2: expected two names with a comma between them, found \",z\": "
         "the source is empty (awk"},
        {"ann bob\nbob eve dan\n", NULL, NULL, ":1: the lines have different numbers of words"},
        {"7,8\n8,\n", NULL, NULL, ":2: expected two node ids, found \"8,\": the target is empty"},
        {"7\t8\n8\t\n9\t7\n", NULL, NULL, ":2: expected two node ids, found \"8"},
        {"x\ty\rz\tx\r", NULL, NULL, ":1: the lines end with a carriage return alone"},
        {"a,b,c,d\nx,1,2,y\nz,1\n", "1,4", NULL,
         ":3: expected 4 columns with a comma between them, found 2: \"z,1\""},
        {"a,b\n\"\",\"x, y\"\n", NULL, NULL,
         ":2: expected two names with a comma between them, "
         "found \"\"\",\"x, y\"\": the source is empty"},
        {"nom,pr\xe9nom,\xe2ge\nann,bob,3\n", NULL, NULL, ":1: is not UTF-8 text: iconv"},
        {"x,caf\xe9\n", NULL, NULL, ":1: is not UTF-8 text"},
        {"x,y\nJos\xe9,y\n", NULL, NULL, "iconv -f WINDOWS-1252 -t UTF-8"},
        {"graph [ node [ id 5 label \"Jos\xe9\" ] ]", NULL, NULL, ":1: is not UTF-8 text"},
        {"x,y\nSmith, J.,y\n", NULL, NULL,
         ":2: expected 2 columns with a comma between them, found 3"},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(lists_of_neighbours_are_known_by_their_separators)
{
    static const struct table_case cases[] = {
        {"6000000005: 6 70000000000000000000000\n6: 6000000005\n", NULL,
         "6000000005>6 6000000005>70000000000000000000000 6>6000000005", "beyond 32 bits"},
        {"6;9000000007,8\n8;6,8\n", NULL, "6>9000000007 6>8 8>6 8>8", "after a semicolon, names"},
        {"fox\then\r\r\nhen\tegg\r\r\n", NULL, NULL, "two carriage returns and a newline: tr -d"},
        {"5: 6 7\n6: 5\n7:\n", NULL, "5>6 5>7 6>5", "read as: lists of neighbours after a colon"},
        {"5\t6,7\n6\t5\n", NULL, "5>6 5>7 6>5", "after a tab"},
        {"5;6,7\n6;5,7\n", NULL, "5>6 5>7 6>5 6>7", "after a semicolon"},
        {"5\t6 7 8\n6\t5\n", NULL, "5>6 5>7 5>8 6>5", "after a tab"},
        {"5 6;7\n6 5;7\n", NULL, "5>6 5>7 6>5 6>7", "after a blank"},
        {"ann: bob eve\nbob: ann\n", NULL, "ann>bob ann>eve bob>ann", "names"},
        {"ann: bob, eve\nbob: ann\n", NULL, "ann>bob ann>eve bob>ann", "names"},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(an_empty_list_whose_node_renumbering_leaves_out_is_said)
{
    for (unsigned is_compact = 0; is_compact < 2; is_compact++) {
        struct graph graph;
        struct graph_error error = {0};
        const struct graph_options options = {.note = note, .compact = is_compact};
        noted[0] = '\0';
        ck_assert_msg(graph_load(fixture_text("lone", "20: 40 60\n30:\n40: 20\n50:\n"), &options,
                                 &graph, &error),
                      "%s", error.message);
        ck_assert_uint_eq(graph.node_limit, is_compact ? 3 : 61);
        ck_assert((strstr(noted, "2 lists are empty: without an edge") != NULL) == is_compact);
        graph_free(&graph);
    }
}
END_TEST

START_TEST(lists_of_names_and_rules_of_printed_tables_are_no_nodes)
{
    static const char list[] = "looks like a list, because a part of it is a source";
    static const struct table_case cases[] = {
        {"pupil,likes\nida,\"jan, kim\"\njan,\"kim\"\n", NULL, NULL, list},
        {"source,targets\nida,jan;kim\njan,kim\n", NULL, NULL, list},
        {"ida\tjan|kim\njan\tida\n", NULL, NULL, list},
        {"node,next\n4,5 6\n5,6\n", NULL, NULL, list},
        {"jan\tjan kim\nkim\tida\n", NULL, "jan>jan kim kim>ida", ""},
        {"ida\tjan|kim\njan\tida\n", "1,2", "ida>jan|kim jan>ida", ""},
        {"Paris\tAustin, Texas\nRome\tNice, France\n", NULL,
         "Paris>Austin, Texas Rome>Nice, France", ""},
        {"Austin\tAustin, Texas\nAustin, Texas\tRome\n", NULL,
         "Austin>Austin, Texas Austin, Texas>Rome", ""},
        {"src  dst\n---  ---\nida  jan\n", NULL, NULL, "a printed table with rules"},
        {"| src | dst |\n|:----|----:|\n| ida | jan |\n", NULL, NULL, "grep -vE"},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(comments_blanks_and_joined_files_are_read_as_they_are_meant)
{
    static const struct table_case cases[] = {
        {"# by hand\nfrom,to\n#go,#c\n#c,java\n", NULL, "#go>#c #c>java", ""},
        {"from\tto\n#go\tc\n", NULL, "#go>c", ""},
        {"x\ty\n# a remark\ny\tz\n", NULL, "x>y y>z", "1 line is left out"},
        {"1,2\n# a remark\n# more\n2,3\n", NULL, "1>2 2>3", "2 lines are left out"},
        {"from, to\nNew York, Oslo\nOslo , Rome\n", NULL, "New York>Oslo Oslo>Rome",
         "blanks around names are cut"},
        /* no-break spaces, as of a web page */
        {"x,y\ny\xc2\xa0,\xc2\xa0 x\n", NULL, "x>y y>x", "blanks around names are cut"},
        {"x\ty\xc2\xa0\ny\tz\xc3\xa0\n", NULL, "x>y y>z\xc3\xa0", "blanks around names are cut"},
        {"x y\ny x\xc2\xa0\n", NULL, "x>y y>x", "blanks around names are cut"},
        {"4,5\n5\xc2\xa0,\xc2\xa0\x36\xc2\xa0\n6\xc2\xa0;4\n", NULL, "4>5 5>6 6>4", ""},
        {"x\ty\n\xef\xbb\xbfy\tz\n", NULL, "x>y y>z", ""},
        {"1,2\n\xef\xbb\xbf"
         "2,3\n",
         NULL, "1>2 2>3", ""},
        {"from,to\nx,y\nfrom,to\ny,z\n", NULL, "x>y y>z", "the heading comes again"},
        {"Source,Target,Type\nx,y,Undirected\ny,z,Directed\n", NULL, "x>y y>x y>z",
         "directed as \"Type\" says"},
        {"% bip weighted\n1 1\n2 1\n", NULL, "left 1>right 1 left 2>right 1", "bipartite"},
        {"% asym\n1 2\n", NULL, "1>2", ""},
    };
    check(cases, COUNT_OF(cases));
}
END_TEST

START_TEST(pairs_may_have_a_heading_and_more_columns)
{
    static const struct {
        const char *text, *columns;
        uint32_t source, target; /* 0-based number of the names a, b, c */
        size_t count;
        const char *why;
    } cases[] = {
        {"from,to\nx,z\n", NULL, 0, 2, 1, NULL},
        {"From\tTo\r\nz\tx\r\n", NULL, 2, 0, 1, NULL},
        {"id;source;target\n7;y;z\n", NULL, 1, 2, 1, NULL},
        {"y,7,x\n", "1,3", 1, 0, 1, NULL},
        {"x,y\n", "4,5", 0, 1, 1, NULL},
        {"y,likes,x\n", NULL, 0, 0, 0, "which columns are the ends"},
        {"a b,x\n", NULL, 3, 0, 1, NULL}, /* a name with a blank, or with a comma */
        {"x;a b\n", NULL, 0, 3, 1, NULL},
        {"c,d x\n", NULL, 4, 0, 1, NULL},
        {"a b,c,d\n", NULL, 0, 0, 0, ":1: "},
        {"from,to\na b,x\n", NULL, 3, 0, 1, NULL},
        {"a b,y\n", "1,2", 3, 1, 1, NULL},
        {"x,w\n", NULL, 0, 0, 0, ":1: target: no node is called \"w\""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph graph;
        struct graph_error error = {0};
        struct pairs pairs;
        const struct graph_options options = {.columns = cases[i].columns};
        ck_assert(
            graph_load(fixture_text("graph.tsv", "x\ty\ny\tz\na b\tc,d\n"), NULL, &graph, &error));
        const bool loaded = pairs_load_within(fixture_text("pairs", cases[i].text), &graph,
                                              &options, &pairs, &error);
        ck_assert_msg(loaded == (cases[i].why == NULL), "%s: %s", cases[i].text, error.message);
        if (loaded) {
            ck_assert_uint_eq(pairs.count, cases[i].count);
            ck_assert_uint_eq(pairs.items[0].source, cases[i].source);
            ck_assert_uint_eq(pairs.items[0].target, cases[i].target);
        } else {
            ck_assert_msg(strstr(error.message, cases[i].why) != NULL, "%s", error.message);
        }
        pairs_free(&pairs);
        graph_free(&graph);
    }
}
END_TEST

int main(void)
{
    return suite_run(
        "table_kinds", NULL, NULL,
        (const TTest *[]){a_heading_names_the_ends_wherever_they_are,
                          names_of_rows_before_the_ends_are_no_node,
                          without_a_heading_only_sure_columns_are_taken,
                          the_caller_chooses_columns_by_number_or_word,
                          exports_are_read_as_their_program_means_them,
                          a_comma_below_the_first_lines_is_no_separator_unless_they_have_it,
                          prints_and_quotes_of_other_programs_are_refused_with_the_way,
                          all_whole_numbers_are_ids_and_everything_else_names,
                          what_is_no_list_of_edges_is_refused_or_said,
                          lists_of_neighbours_are_known_by_their_separators,
                          an_empty_list_whose_node_renumbering_leaves_out_is_said,
                          lists_of_names_and_rules_of_printed_tables_are_no_nodes,
                          comments_blanks_and_joined_files_are_read_as_they_are_meant,
                          pairs_may_have_a_heading_and_more_columns, NULL});
}
