/*
 * unread_formats.c - one table of first bytes and first words, each with the way to convert it.
 *
 * 1. A row has the first bytes of a file, or a phrase that opens the text after blanks and
 *    comments, or a function that looks at the first lines. All that a row has must hold; the
 *    first row wins.
 * 2. A phrase is more than a word that could be a node: "insert into ", never "set".
 * 3. Binary data without a row of its own is refused last.
 * Discarded: libmagic, which knows thousands of kinds and no way to a graph.
 */
#include "unread_formats.h"
#include "base/macros.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BINARY_WITHIN 4096 /* bytes that show if the file is a text */

/* Skip blanks, the semicolons after comments of SQL, comments of C, and lines that open with #, %,
 * // or --. */
static const char *skip_comments(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\r\n;");
        const char *end = NULL;
        if (*p == '#' || *p == '%' || strncmp(p, "//", 2) == 0 || strncmp(p, "--", 2) == 0) {
            end = strchr(p, '\n');
        } else if (strncmp(p, "/*", 2) == 0) {
            end = strstr(p + 2, "*/");
            end = end != NULL ? end + 1 : NULL;
        } else {
            return p;
        }
        if (end == NULL) {
            return p + strlen(p);
        }
        p = end + 1;
    }
}

/* Skip a word in any case that is not part of a longer one; or NULL. */
static const char *skip_word(const char *p, const char *word)
{
    size_t length = strlen(word);
    bool there = strncasecmp(p, word, length) == 0 && !isalnum((unsigned char)p[length]);
    return there ? skip_comments(p + length) : NULL;
}

/* "strict digraph name {" */
static bool is_dot(const struct graph_head *head)
{
    const char *p = skip_comments(head->bytes);
    const char *strict = skip_word(p, "strict");
    p = strict != NULL ? strict : p;
    const char *rest = skip_word(p, "digraph");
    rest = rest != NULL ? rest : skip_word(p, "graph");
    if (rest == NULL) {
        return false;
    }
    if (*rest == '"') {
        const char *quote = strchr(rest + 1, '"');
        rest = quote != NULL ? quote + 1 : rest;
    } else {
        rest += strcspn(rest, " \t\r\n{[");
    }
    return *skip_comments(rest) == '{';
}

/* "*Vertices 3", or another of Pajek's sections. */
static bool is_pajek(const struct graph_head *head)
{
    static const char *const sections[] = {"*network",  "*vertices",  "*arcs",  "*edges",
                                           "*arcslist", "*edgeslist", "*matrix"};
    const char *p = skip_comments(head->bytes);
    for (size_t i = 0; i < COUNT_OF(sections); i++) {
        const size_t length = strlen(sections[i]);
        if (strncasecmp(p, sections[i], length) == 0 &&
            (p[length] == '\0' || strchr(" \t\r\n:", p[length]) != NULL)) {
            return true;
        }
    }
    return false;
}

static bool is_json(const struct graph_head *head)
{
    const char *p = head->bytes + strspn(head->bytes, " \t\r\n");
    const char *second = p + (*p != '\0');
    const char next = second[strspn(second, " \t\r\n")];
    return (*p == '{' && (next == '"' || next == '}')) ||
           (*p == '[' && (next == '"' || next == '{' || next == '['));
}

static bool is_json_of_lists(const struct graph_head *head)
{
    const char *p = head->bytes + strspn(head->bytes, " \t\r\n");
    return *p == '[' && is_json(head) && p[1 + strspn(p + 1, " \t\r\n")] == '[';
}

static bool is_xml(const struct graph_head *head)
{
    return head->bytes[strspn(head->bytes, " \t\r\n")] == '<';
}

/* Skip a node of N-Triples, "<address>" or "_:label", and the blanks after it; or NULL. */
static const char *skip_rdf_node(const char *p)
{
    const char *end = p + strcspn(p, *p == '<' ? ">\"{}|^` \t\r\n" : " \t\r\n");
    if (*p == '<' ? *end != '>' : strncmp(p, "_:", 2) != 0) {
        return NULL;
    }
    end += *p == '<';
    return end + strspn(end, " \t");
}

/* A first line "<source> <kind> <target> ." */
static bool is_ntriples(const struct graph_head *head)
{
    const char *p = skip_rdf_node(skip_comments(head->bytes));
    p = p != NULL && *p == '<' ? skip_rdf_node(p) : NULL;
    if (p == NULL || strchr("<_\"", *p) == NULL) {
        return false;
    }
    const char *end = p + strcspn(p, "\r\n");
    while (end > p && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    return end > p && end[-1] == '.';
}

/* True if the first bytes are a line of graph6: the number of nodes, and as many bits as that
 * needs. */
static bool is_graph6(const struct graph_head *head)
{
    const char *p = head->bytes;
    const size_t length = strcspn(p, "\r\n");
    for (size_t i = 0; i < length; i++) {
        if (p[i] < '?' || p[i] > '~') {
            return false;
        }
    }
    const size_t digits = length > 0 && *p == '~' ? 3 : 1, start = digits == 3;
    size_t nodes = 0;
    if (length < start + digits + 1) {
        return false;
    }
    for (size_t i = 0; i < digits; i++) {
        nodes = nodes << 6 | (size_t)(p[start + i] - '?');
    }
    return nodes > 1 && length - start - digits == (nodes * (nodes - 1) / 2 + 5) / 6;
}

/* A line ":..." of sparse6, without its heading. */
static bool is_sparse6(const struct graph_head *head)
{
    const size_t length = strcspn(head->bytes, "\r\n");
    size_t i = 1;
    while (i < length && head->bytes[i] >= '?' && head->bytes[i] <= '~') {
        i++;
    }
    return head->bytes[0] == ':' && length > 2 && i == length;
}

/* A line of the head as its first two words, and how many words it has. */
struct words {
    const char *at[2];
    size_t length[2], count;
};

/* Cut the next line into words. Returns where the line after it starts, or NULL at the end. */
static const char *next_words(const char *p, struct words *words)
{
    *words = (struct words){0};
    while (*(p += strspn(p, " \t\r")) != '\n' && *p != '\0') {
        const size_t length = strcspn(p, " \t\r\n");
        if (words->count < COUNT_OF(words->at)) {
            words->at[words->count] = p;
            words->length[words->count] = length;
        }
        words->count++;
        p += length;
    }
    return *p == '\n' ? p + 1 : NULL;
}

static bool is_number(const char *at, size_t length, const char *digits)
{
    return length > 0 && strspn(at, digits) >= length;
}

/* True if the line has a separator other than blanks, so that it is the row of a table. */
static bool has_separator(const struct words *words)
{
    const char *line = words->count > 0 ? words->at[0] : "";
    return strcspn(line, "\t,;|") < strcspn(line, "\r\n");
}

/* "# a", and below it the neighbours of a, one in each line, with or without a weight. An edge list
 * of ids with comments is not LGL. */
static bool is_lgl(const struct graph_head *head)
{
    struct words words;
    const char *p = next_words(head->bytes, &words);
    bool has_mark = false, has_row = false, was_row = false, are_numbers = true;
    bool is_between = false; /* a mark comes after the rows of another one */
    while (p != NULL) {
        const bool is_mark = words.count == 2 && words.length[0] == 1 && words.at[0][0] == '#';
        is_between = is_between || (is_mark && has_mark && was_row);
        are_numbers =
            are_numbers && (!is_mark || is_number(words.at[1], words.length[1], "0123456789"));
        was_row = !is_mark && words.count > 0;
        has_mark = has_mark || is_mark;
        if (!is_mark &&
            (!has_mark || has_separator(&words) || words.count > 2 ||
             (words.count == 2 && !is_number(words.at[1], words.length[1], "+-.0123456789eE")))) {
            return false;
        }
        has_row = has_row ||
                  (!is_mark && words.count > 0 &&
                   (words.count == 1 || !is_number(words.at[0], words.length[0], "0123456789") ||
                    !is_number(words.at[1], words.length[1], "0123456789")));
        p = next_words(p, &words);
    }
    return has_row || (is_between && are_numbers);
}

/* "a 2", and in the next two lines the neighbours of a, each alone or with "{...}"; and so on. */
static bool is_multiline(const struct graph_head *head)
{
    struct words words;
    bool has_row = false;
    size_t nodes = 0;
    const char *p = next_words(skip_comments(head->bytes), &words);
    while (p != NULL) {
        if (words.count != 2 || !is_number(words.at[1], words.length[1], "0123456789")) {
            return false;
        }
        nodes++;
        size_t rows = strtoul(words.at[1], NULL, 10);
        for (; rows > 0 && (p = next_words(p, &words)) != NULL; rows--) {
            has_row = true;
            if (words.count == 0 || (words.count > 1 && words.at[1][0] != '{')) {
                return false;
            }
        }
        p = p != NULL ? next_words(p, &words) : NULL;
    }
    return has_row && nodes > 1;
}

/* The word after "p" in the first line of DIMACS that is no comment, or NULL. */
static const char *dimacs_problem(const struct graph_head *head)
{
    const char *p = head->bytes + strspn(head->bytes, " \t\r\n");
    while (*p == 'c' && strchr(" \t\r\n", p[1]) != NULL) {
        p = strchr(p, '\n');
        if (p == NULL) {
            return NULL;
        }
        p += strspn(p, " \t\r\n");
    }
    return *p == 'p' && (p[1] == ' ' || p[1] == '\t') ? p + 1 + strspn(p + 1, " \t") : NULL;
}

/* True if the first bytes have a NUL: letters that begin a format may begin a name, too. */
static bool has_nul(const struct graph_head *head)
{
    return memchr(head->bytes, '\0', head->length) != NULL;
}

/* True if the first bytes have more control characters than a text has by accident. A NUL or two in
 * a text are found, with their line, when it is read. */
static bool is_binary(const struct graph_head *head)
{
    size_t controls = 0;
    const size_t length = head->length < BINARY_WITHIN ? head->length : BINARY_WITHIN;
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)head->bytes[i];
        controls += byte < ' ' && byte != '\0' && strchr("\t\n\v\f\r\x1b", byte) == NULL;
    }
    return controls > 4 && controls > length / 50;
}

#define BYTES(text)  .bytes = (text), .length = sizeof(text) - 1
#define CONVERT(how) ", which is not read: " how
#define BY_PANDAS(read)                                                                            \
    CONVERT("python3 -c 'import pandas; pandas." read                                              \
            "(\"FILE\").to_csv(\"a.csv\", index=False)' makes CSV of it; in Python, "              \
            "Graph.from_pandas takes what pandas." read " returns")
#define BY_NETWORKX(read)                                                                          \
    CONVERT("python3 -c 'from networkx import *; write_graphml(" read                              \
            "(\"FILE\"), \"a.graphml\")' makes GraphML of it; in Python, Graph.from_networkx "     \
            "takes what networkx." read " returns")
#define DIMACS_EDGES(what, letter)                                                                 \
    what CONVERT("sed -n 's/^" letter " //p' FILE > edges.txt makes an edge list")
#define UNDIRECTED    "; its edges have no direction"
#define BY_JQ(filter) CONVERT("jq -r '" filter " | @csv' FILE > a.csv makes CSV of its edges")
#define TURTLE                                                                                     \
    "is Turtle (RDF)" CONVERT("riot --output=ntriples FILE (Apache Jena) makes N-Triples, whose "  \
                              "message says how to go on")
#define GDF                                                                                        \
    "is GDF" CONVERT(                                                                              \
        "sed '1,/^edgedef>/d' FILE | cut -d, -f1,2 > a.csv makes CSV of its edges, or "            \
        "let Gephi export it as GraphML")
#define DL                                                                                         \
    "is DL of UCINET" CONVERT("python3 -c 'import igraph; igraph.Graph.Read_DL(\"FILE\")"          \
                              ".write_graphml(\"a.graphml\")' makes GraphML of it")
#define SQL                                                                                        \
    "is an SQL dump" CONVERT(                                                                      \
        "wikipedia-import makes a graph of the dumps of a wiki; of any other "                     \
        "database, export the table of edges as CSV")

static const struct unread {
    const char *bytes;  /* first in the file, or NULL */
    size_t length;      /* of bytes */
    const char *phrase; /* opens the text after comments, in any case; or NULL */
    const char *also;   /* in the first bytes after that, in any case; or NULL */
    const char *dimacs; /* the word after "p"; or NULL */
    bool (*matches)(const struct graph_head *head); /* or NULL */
    const char *refusal;
} unread_formats[] = {
    {BYTES("PAR1"), .matches = has_nul, .refusal = "is Parquet" BY_PANDAS("read_parquet")},
    {BYTES("ARROW1"), .matches = has_nul,
     .refusal = "is Arrow (Feather)" BY_PANDAS("read_feather")},
    {BYTES("FEA1"), .matches = has_nul, .refusal = "is Feather" BY_PANDAS("read_feather")},
    {BYTES("ORC"), .matches = has_nul, .refusal = "is ORC" BY_PANDAS("read_orc")},
    {BYTES("\x93NUMPY"),
     .refusal = "is npy of NumPy" CONVERT(
         "python3 -c 'import numpy; numpy.savetxt(\"a.txt\", numpy.load(\"FILE\"), fmt=\"%d\")' "
         "makes an edge list of an array of pairs; in Python, Graph.from_edges takes the array")},
    {BYTES("PK\3\4"), .also = ".npy",
     .refusal = "is npz of NumPy" CONVERT(
         "python3 -c 'import scipy as s; s.io.mmwrite(\"a.mtx\", s.sparse.load_npz(\"FILE\"))' "
         "makes Matrix Market of a sparse matrix; in Python, Graph.from_scipy takes what load_npz "
         "returns")},
    {BYTES("PK\3\4"), .also = "[Content_Types].xml",
     .refusal = "is a workbook of Excel (xlsx)" BY_PANDAS("read_excel")},
    {BYTES("PK\3\4"), .also = "docProps/",
     .refusal = "is a workbook of Excel (xlsx)" BY_PANDAS("read_excel")},
    {BYTES("PK\3\4"), .also = "xl/",
     .refusal = "is a workbook of Excel (xlsx)" BY_PANDAS("read_excel")},
    {BYTES("PK\3\4"), .also = "opendocument.spreadsheet",
     .refusal = "is a spreadsheet (ods)" BY_PANDAS("read_excel")},
    {BYTES("PK\3\4"), .refusal = "is a zip archive: unpack it first (unzip FILE)"},
    {BYTES("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
     .refusal = "is a workbook of Excel (xls)" BY_PANDAS("read_excel")},
    {BYTES("7z\xbc\xaf\x27\x1c"), .refusal = "is a 7z archive: unpack it first (7z x FILE)"},
    {BYTES("Rar!\x1a\x07"), .refusal = "is a RAR archive: unpack it first (unrar x FILE)"},
    {BYTES("\x04\x22\x4d\x18"), .refusal = "is packed by lz4: unpack it first (lz4 -d FILE)"},
    {BYTES("LZIP\1"), .refusal = "is packed by lzip: unpack it first (lzip -d FILE)"},
    {BYTES("\x1f\x9d"), .refusal = "is packed by compress: unpack it first (gunzip FILE)"},
    {BYTES("SQLite format 3\0"),
     .refusal = "is a database of SQLite" CONVERT(
         "sqlite3 -csv FILE 'select source, target from edges' > a.csv makes CSV of a table")},
    {BYTES("\x89HDF\r\n\x1a\n"), .refusal = "is HDF5" BY_PANDAS("read_hdf")},
    {BYTES("MATLAB 5.0 MAT-file"), .matches = has_nul,
     .refusal = "is a MAT-file of Matlab" CONVERT(
         "scipy.io.loadmat, then scipy.io.mmwrite, makes Matrix Market of it; in Python, "
         "Graph.from_scipy takes the matrix")},
    {BYTES("\x80\4\x95"), .refusal = "is a pickle of Python: load it there, then "
                                     "Graph.from_networkx, from_pandas or from_igraph takes it"},
    {BYTES("\x80\5\x95"), .refusal = "is a pickle of Python: load it there, then "
                                     "Graph.from_networkx, from_pandas or from_igraph takes it"},
    {BYTES("version https://git-lfs"),
     .refusal = "is a pointer of Git LFS and not the file itself: git lfs pull gets it"},
    {BYTES("#BVGraph properties"),
     .refusal = "is the .properties of a WebGraph" CONVERT(
         "webgraph to arcs BASENAME > edges.txt (cargo install webgraph-cli) makes an edge list")},
    {.phrase = "graphclass",
     .also = "webgraph",
     .refusal = "is the .properties of a WebGraph" CONVERT(
         "webgraph to arcs BASENAME > edges.txt (cargo install webgraph-cli) makes an edge list")},
    {BYTES(">>graph6<<"), .refusal = "is graph6" BY_NETWORKX("read_graph6")},
    {BYTES(">>sparse6<<"), .refusal = "is sparse6" BY_NETWORKX("read_sparse6")},
    {BYTES(">>digraph6<<"), .refusal = "is digraph6" CONVERT("nauty's showg prints its edges")},
    {BYTES("LEDA.GRAPH"), .refusal = "is LEDA" BY_NETWORKX("read_leda")},

    {.matches = is_dot,
     .refusal = "is DOT of Graphviz" CONVERT("convert it with gv2gml (Graphviz) to GML")},
    {.matches = is_pajek, .refusal = "is Pajek" BY_NETWORKX("read_pajek")},
    {.matches = is_json_of_lists, .refusal = "is JSON" BY_JQ(".[]")},
    {.matches = is_json,
     .also = "\"source\"",
     .refusal = "is JSON" BY_JQ(
         ".. | objects | select(has(\"source\") and has(\"target\")) | [.source, .target]")},
    {.matches = is_json,
     .also = "\"from\"",
     .refusal =
         "is JSON" BY_JQ(".. | objects | select(has(\"from\") and has(\"to\")) | [.from, .to]")},
    {.matches = is_json,
     .refusal = "is JSON" CONVERT(
         "export it as GraphML, GML or an edge list (networkx.write_graphml); in Python, "
         "Graph.from_networkx takes a graph of networkx")},
    {.matches = is_ntriples,
     .refusal = "is N-Triples (RDF)" CONVERT(
         "sed -nE 's/^<([^>]*)>[ \\t]+<[^>]*>[ \\t]+<([^>]*)>.*/\\1\\t\\2/p' FILE > a.tsv makes "
         "a table of names of the triples between addresses")},
    {.matches = is_xml,
     .also = "<gexf",
     .refusal = "is GEXF" CONVERT("let Gephi export it as GraphML, or convert it with "
                                  "networkx.read_gexf and write_graphml")},
    {.matches = is_xml,
     .also = "<rdf:RDF",
     .refusal = "is RDF/XML" CONVERT("riot --output=ntriples FILE (Apache Jena) makes N-Triples, "
                                     "whose message says how to go on")},
    {.matches = is_xml, .also = "<html", .refusal = "is a web page (HTML), not a graph"},
    {.matches = is_xml, .also = "<!doctype html", .refusal = "is a web page (HTML), not a graph"},
    {.matches = is_xml,
     .also = "<?xml",
     .refusal = "is XML but not GraphML, which is the only XML that is read"},
    {.phrase = "@prefix ", .refusal = TURTLE},
    {.phrase = "@base ", .refusal = TURTLE},
    {.phrase = "prefix ", .also = ": <", .refusal = TURTLE},
    {.phrase = "nodedef>", .refusal = GDF},
    {.phrase = "edgedef>", .refusal = GDF},
    {.phrase = "*node data",
     .refusal = "is VNA of NetDraw" CONVERT("sed '1,/^\\*[Tt]ie data/d' FILE > edges.txt makes an "
                                            "edge list with a heading")},
    {.phrase = "dl n=", .refusal = DL},
    {.phrase = "dl n =", .refusal = DL},
    {.phrase = "create table ", .also = "(", .refusal = SQL},
    {.phrase = "create database ", .also = "(", .refusal = SQL},
    {.phrase = "insert into ", .refusal = SQL},
    {.phrase = "drop table if exists ", .refusal = SQL},
    {.phrase = "drop table ", .also = "(", .refusal = SQL},
    {.phrase = "lock tables ", .also = "(", .refusal = SQL},
    {.phrase = "begin transaction;", .refusal = SQL},
    {.phrase = "pragma foreign_keys", .refusal = SQL},
    {.phrase = "set ", .also = "create table ", .refusal = SQL},
    {.dimacs = "edge",
     .refusal = DIMACS_EDGES("is \"p edge\" of DIMACS (colouring)", "e") UNDIRECTED},
    {.dimacs = "col",
     .refusal = DIMACS_EDGES("is \"p col\" of DIMACS (colouring)", "e") UNDIRECTED},
    {.dimacs = "max", .refusal = DIMACS_EDGES("is \"p max\" of DIMACS (flow)", "a")},
    {.dimacs = "min", .refusal = DIMACS_EDGES("is \"p min\" of DIMACS (flow)", "a")},
    {.dimacs = "asn", .refusal = DIMACS_EDGES("is \"p asn\" of DIMACS (assignment)", "a")},
    {.dimacs = "cnf", .refusal = "is \"p cnf\" of DIMACS: clauses of logic, not a graph"},
    {.dimacs = "tw",
     .refusal = "is \"p tw\" of PACE" CONVERT("sed '/^[cp]/d' FILE > edges.txt makes an edge list")
         UNDIRECTED},
    {.dimacs = "ds",
     .refusal = "is \"p ds\" of PACE" CONVERT("sed '/^[cp]/d' FILE > edges.txt makes an edge list")
         UNDIRECTED},
    {.matches = is_sparse6, .refusal = "is sparse6" BY_NETWORKX("read_sparse6")},
    {.matches = is_graph6, .refusal = "is graph6" BY_NETWORKX("read_graph6")},
    {.matches = is_lgl,
     .refusal = "is LGL" CONVERT("awk '/^#/{a=$2;next}{print a \"\\t\" $1}' FILE > a.tsv makes a "
                                 "table of names") UNDIRECTED},
    {.matches = is_multiline,
     .refusal = "is a multi-line adjacency list" CONVERT(
         "python3 -c 'from networkx import *; write_graphml(read_multiline_adjlist(\"FILE\", "
         "create_using=DiGraph), \"a.graphml\")' makes GraphML of it; Graph instead of DiGraph "
         "if its edges have no direction")},
    {.matches = is_binary,
     .refusal = "is binary data of a kind that is not read; the .graph of a WebGraph becomes an "
                "edge list by: webgraph to arcs BASENAME (cargo install webgraph-cli)"},
};

/* True if the head has this text, in any case. */
static bool has_text(const struct graph_head *head, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + length <= head->length; i++) {
        if (strncasecmp(head->bytes + i, text, length) == 0) {
            return true;
        }
    }
    return false;
}

const char *unread_format_find(const struct graph_head *head)
{
    const char *start = skip_comments(head->bytes), *problem = dimacs_problem(head);
    for (size_t i = 0; i < COUNT_OF(unread_formats); i++) {
        const struct unread *row = &unread_formats[i];
        if ((row->bytes == NULL ||
             (head->length >= row->length && memcmp(head->bytes, row->bytes, row->length) == 0)) &&
            (row->phrase == NULL || strncasecmp(start, row->phrase, strlen(row->phrase)) == 0) &&
            (row->dimacs == NULL || (problem != NULL && skip_word(problem, row->dimacs) != NULL)) &&
            (row->matches == NULL || row->matches(head)) &&
            (row->also == NULL || has_text(head, row->also))) {
            return row->refusal;
        }
    }
    return NULL;
}
