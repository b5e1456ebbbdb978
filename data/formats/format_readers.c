/*
 * format_readers.c - the list of formats; some are recognised only to be refused by name.
 */
#include "format_readers.h"
#include "base/macros.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Skip blanks, comments of C, and lines that open with #. */
static const char *skip_comments(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\r\n");
        const char *end = NULL;
        if (*p == '#' || strncmp(p, "//", 2) == 0) {
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
static bool dot_matches(const struct graph_head *head)
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

/* "*Vertices 3", after lines that open with %, or another of Pajek's sections. */
static bool pajek_matches(const struct graph_head *head)
{
    static const char *const sections[] = {"*network",  "*vertices",  "*arcs",  "*edges",
                                           "*arcslist", "*edgeslist", "*matrix"};
    const char *p = head->bytes + strspn(head->bytes, " \t\r\n");
    while (*p == '%') {
        p += strcspn(p, "\n");
        p += strspn(p, " \t\r\n");
    }
    for (size_t i = 0; i < COUNT_OF(sections); i++) {
        const size_t length = strlen(sections[i]);
        if (strncasecmp(p, sections[i], length) == 0 &&
            (p[length] == '\0' || strchr(" \t\r\n:", p[length]) != NULL)) {
            return true;
        }
    }
    return false;
}

static bool json_matches(const struct graph_head *head)
{
    const char *p = head->bytes + strspn(head->bytes, " \t\r\n");
    const char *second = p + (*p != '\0');
    const char next = second[strspn(second, " \t\r\n")];
    return (*p == '{' && (next == '"' || next == '}')) ||
           (*p == '[' && (next == '"' || next == '{' || next == '['));
}

/* True if the text is XML whose root element has this name. */
static bool is_xml_of(const struct graph_head *head, const char *root)
{
    return head->bytes[strspn(head->bytes, " \t\r\n")] == '<' &&
           strcasestr(head->bytes, root) != NULL;
}

static bool gexf_matches(const struct graph_head *head)
{
    return is_xml_of(head, "<gexf");
}

static bool html_matches(const struct graph_head *head)
{
    return is_xml_of(head, "<html") || is_xml_of(head, "<!doctype html");
}

static bool xml_matches(const struct graph_head *head)
{
    return is_xml_of(head, "<?xml");
}

static bool zip_matches(const struct graph_head *head)
{
    return head->length > 4 && memcmp(head->bytes, "PK\3\4", 4) == 0;
}

/* The first that matches wins, so XML in general comes after the XML formats. */
const struct graph_reader format_readers[] = {
    {"graphml", graphml_matches, graphml_read, NULL},
    {"gml", gml_matches, gml_read, NULL},
    {"dot", dot_matches, NULL,
     "is DOT of Graphviz, which is not read: convert it with gv2gml (Graphviz) to GML"},
    {"pajek", pajek_matches, NULL,
     "is Pajek, which is not read: python3 -c 'from networkx import *; "
     "write_graphml(read_pajek(\"a.net\"), \"a.graphml\")' makes GraphML of it"},
    {"json", json_matches, NULL,
     "is JSON, which is not read: export it as GraphML, GML or an edge list "
     "(networkx.write_graphml)"},
    {"gexf", gexf_matches, NULL, "is GEXF, which is not read: let Gephi export it as GraphML"},
    {"html", html_matches, NULL, "is a web page (HTML), not a graph"},
    {"xml", xml_matches, NULL, "is XML but not GraphML, which is the only XML that is read"},
    {"zip", zip_matches, NULL, "is a zip archive: unpack it first"},
    {.name = NULL},
};
