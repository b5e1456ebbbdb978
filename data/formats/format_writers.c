/*
 * format_writers.c - GraphML, DOT, CSV and edges by name.
 *
 * GraphML and DOT are the same walk over nodes and edges with other words around the numbers
 * (struct words). A name is escaped as its format asks; a byte that the format cannot hold becomes
 * U+FFFD, with a note. All edges are written with their direction; an edge both ways is written
 * twice.
 */
#include "format_writers.h"
#include "base/text/dot_text.h"
#include "base/utf8.h"
#include <stdio.h>
#include <string.h>

#define NUMBERS_SIZE 64 /* two numbers */
#define WORDS_SIZE   256
#define REPLACEMENT  0xfffdu /* replaces a byte that is not part of a character */

/* Add one character of a name. Returns false with the output's error set. */
typedef bool put_character(struct text_output *output, uint32_t code, const char *bytes,
                           size_t length);

/* The texts around the numbers of nodes and edges. */
struct words {
    const char *node, *label, *node_end; /* around number and name */
    const char *bare_end; /* for a node without a name, instead of label, name, node_end */
    const char *edge, *between, *edge_end;
    put_character *put;
};

bool put_comment(struct text_output *output, const char *open, const char *comment, const char *end)
{
    return comment == NULL || (text_output_text(output, open) &&
                               text_output_text(output, comment) && text_output_text(output, end));
}

/* Add a name character by character. *replaced counts bytes that are not part of a character. */
static bool put_name(struct text_output *output, const char *name, put_character *put,
                     size_t *replaced)
{
    size_t left = strlen(name);
    bool done = true;
    while (left > 0 && done) {
        uint32_t code;
        size_t length = utf8_decode(name, left, &code);
        bool is_fit = length > 0 &&
                      (code >= 0x20 || code == '\t' || code == '\n' || code == '\r') &&
                      code != 0xfffe && code != 0xffff;
        *replaced += !is_fit;
        done =
            is_fit ? put(output, code, name, length) : put(output, REPLACEMENT, "\xef\xbf\xbd", 3);
        name += length > 0 ? length : 1;
        left -= length > 0 ? length : 1;
    }
    return done;
}

static bool put_xml(struct text_output *output, uint32_t code, const char *bytes, size_t length)
{
    const char *entity = code == '&'   ? "&amp;"
                         : code == '<' ? "&lt;"
                         : code == '>' ? "&gt;"
                         : code == '"' ? "&quot;"
                                       : NULL;
    return entity != NULL ? text_output_text(output, entity)
           : code < 0x20  ? text_output_format(output, "&#%u;", (unsigned)code)
                          : text_output_bytes(output, bytes, length);
}

static bool put_dot_character(struct text_output *output, uint32_t code, const char *bytes,
                              size_t length)
{
    const char *escape = dot_escape(code);
    return escape != NULL ? text_output_text(output, escape)
                          : text_output_bytes(output, bytes, length);
}

bool put_url_name(struct text_output *output, const struct graph *graph, uint32_t node)
{
    char text[GRAPH_LABEL_SIZE];
    const char *name = graph_label(graph, node, text);
    bool done = true;
    for (const char *p = name; *p != '\0' && done; p++) {
        unsigned char c = (unsigned char)*p;
        bool encode = c < 0x20 || c == '%' || c == 0x7f || (p == name && c == '#');
        done = encode ? text_output_format(output, "%%%02X", c) : text_output_bytes(output, p, 1);
    }
    return done;
}

bool put_named_edges(struct text_output *output, const struct graph *graph,
                     const struct graph_write_options *options)
{
    bool done = put_comment(output, "# ", options->comment, "\n");
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        for (uint64_t e = graph->offsets[node]; e < graph->offsets[node + 1] && done; e++) {
            done = put_url_name(output, graph, node) && text_output_text(output, "\t") &&
                   put_url_name(output, graph, graph->neighbours[e]) &&
                   text_output_text(output, "\n");
        }
    }
    return done;
}

/* Write a name as a column of CSV: in quotes if it would be read as anything else without them. */
static bool put_csv_name(struct text_output *output, const struct graph *graph, uint32_t node)
{
    char text[GRAPH_LABEL_SIZE];
    const char *name = graph_label(graph, node, text);
    const size_t length = strlen(name);
    if (length > 0 && strpbrk(name, "\",;\t\r\n") == NULL && *name != '#' && *name != '%' &&
        *name != ' ' && name[length - 1] != ' ') {
        return text_output_bytes(output, name, length);
    }
    bool done = text_output_text(output, "\"");
    for (const char *p = name; *p != '\0' && done; p++) {
        done = (*p != '"' || text_output_text(output, "\"")) && text_output_bytes(output, p, 1);
    }
    return done && text_output_text(output, "\"");
}

bool put_csv(struct text_output *output, const struct graph *graph,
             const struct graph_write_options *options)
{
    (void)options; /* RFC 4180 has no comments */
    bool done = text_output_text(output, "source,target\n");
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        for (uint64_t e = graph->offsets[node]; e < graph->offsets[node + 1] && done; e++) {
            done = put_csv_name(output, graph, node) && text_output_text(output, ",") &&
                   put_csv_name(output, graph, graph->neighbours[e]) &&
                   text_output_text(output, "\n");
        }
    }
    return done;
}

static bool put_nodes(struct text_output *output, const struct graph *graph,
                      const struct words *words, size_t *replaced)
{
    const bool named = graph->names != NULL || graph->original_ids != NULL;
    bool done = true;
    for (uint32_t node = graph->first_node; node < graph->node_limit && done; node++) {
        char text[GRAPH_LABEL_SIZE];
        done = text_output_format(output, "%s%lu%s", words->node, (unsigned long)node,
                                  named ? words->label : words->bare_end);
        if (named && done) {
            done = put_name(output, graph_label(graph, node, text), words->put, replaced) &&
                   text_output_text(output, words->node_end);
        }
    }
    return done;
}

/* Write the nodes, then the edges. */
static bool put_graph(struct text_output *output, const struct graph *graph,
                      const struct words *words, const struct graph_write_options *options)
{
    const size_t edge = strlen(words->edge), between = strlen(words->between);
    const size_t edge_end = strlen(words->edge_end);
    size_t replaced = 0;
    if (!put_nodes(output, graph, words, &replaced)) {
        return false;
    }
    if (replaced > 0 && options->note != NULL) {
        char text[100];
        snprintf(text, sizeof(text), "%zu characters of names cannot be written and are replaced",
                 replaced);
        options->note(options->context, text);
    }
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        for (uint64_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
            if (!text_output_reserve(output, NUMBERS_SIZE + WORDS_SIZE)) {
                return false;
            }
            char *to = output->buffer + output->used;
            memcpy(to, words->edge, edge);
            to = text_put_number(to + edge, node);
            memcpy(to, words->between, between);
            to = text_put_number(to + between, graph->neighbours[e]);
            memcpy(to, words->edge_end, edge_end);
            output->used = (size_t)(to + edge_end - output->buffer);
        }
    }
    return true;
}

bool put_graphml(struct text_output *output, const struct graph *graph,
                 const struct graph_write_options *options)
{
    static const struct words words = {.node = "    <node id=\"",
                                       .label = "\"><data key=\"label\">",
                                       .node_end = "</data></node>\n",
                                       .bare_end = "\"/>\n",
                                       .edge = "    <edge source=\"",
                                       .between = "\" target=\"",
                                       .edge_end = "\"/>\n",
                                       .put = put_xml};
    static const char head[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "  <key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n";
    return text_output_text(output, head) &&
           put_comment(output, "  <!-- ", options->comment, " -->\n") &&
           text_output_text(output, "  <graph edgedefault=\"directed\">\n") &&
           put_graph(output, graph, &words, options) &&
           text_output_text(output, "  </graph>\n</graphml>\n");
}

bool put_dot(struct text_output *output, const struct graph *graph,
             const struct graph_write_options *options)
{
    static const struct words words = {.node = "  ",
                                       .label = " [label=\"",
                                       .node_end = "\"];\n",
                                       .bare_end = ";\n",
                                       .edge = "  ",
                                       .between = " -> ",
                                       .edge_end = ";\n",
                                       .put = put_dot_character};
    return put_comment(output, "// ", options->comment, "\n") &&
           text_output_text(output, "digraph {\n") && put_graph(output, graph, &words, options) &&
           text_output_text(output, "}\n");
}
