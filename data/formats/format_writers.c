/*
 * format_writers.c - DIMACS, METIS, GraphML, GML, DOT, CSV and edges by name.
 *
 * Most formats are the same walk over nodes and edges with other words around the numbers (struct
 * words). A name is escaped as its format asks; a byte that the format cannot hold becomes U+FFFD,
 * with a note. All edges are written with their direction; an edge both ways is written twice.
 */
#include "format_writers.h"
#include "base/array_reserve.h"
#include "base/text/dot_text.h"
#include "base/utf8.h"
#include "data/reverse/graph_reverse.h"
#include <stdio.h>
#include <stdlib.h>

#define NUMBERS_SIZE 64 /* two numbers */
#define WORDS_SIZE   256
#define REPLACEMENT  0xfffdu /* replaces a byte that is not part of a character */

/* Add one character of a name. Returns false with the output's error set. */
typedef bool put_character(struct text_output *output, uint32_t code, const char *bytes,
                           size_t length);

/* The texts around the numbers of nodes and edges. */
struct words {
    const char *node, *label, *node_end; /* around number and name; node NULL: no node lines */
    const char *bare_end; /* for a node without a name, instead of label, name, node_end */
    const char *edge, *between, *edge_end;
    put_character *put;
    bool from_one;
};

bool put_comment(struct text_output *output, const char *open, const char *comment, const char *end)
{
    return comment == NULL || (text_output_text(output, open) &&
                               text_output_text(output, comment) && text_output_text(output, end));
}

bool graph_with_reverse(const struct graph *graph, struct graph *reversed,
                        struct graph_error *error)
{
    *reversed = *graph;
    reversed->storage = NULL; /* new arrays come from malloc */
    return graph_add_reverse(reversed, 0, NULL, error);
}

void graph_drop_reverse(const struct graph *graph, struct graph *reversed)
{
    if (graph->in_offsets == NULL) {
        free(reversed->in_offsets);
        free(reversed->in_neighbours);
    }
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

/* GML is ASCII; any other character is written as an entity. */
static bool put_gml_character(struct text_output *output, uint32_t code, const char *bytes,
                              size_t length)
{
    return code < 0x20 || code > 0x7e || code == '"' || code == '&'
               ? text_output_format(output, "&#%u;", (unsigned)code)
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
                      const struct words *words, uint64_t shift, size_t *replaced)
{
    bool named = graph->names != NULL || graph->original_ids != NULL || words->bare_end == NULL;
    bool done = true;
    for (uint32_t node = graph->first_node; node < graph->node_limit && done; node++) {
        char text[GRAPH_LABEL_SIZE];
        done = text_output_format(output, "%s%llu%s", words->node, (unsigned long long)node + shift,
                                  named ? words->label : words->bare_end);
        if (named && done) {
            const char *name = text;
            if (graph->names == NULL && graph->original_ids == NULL) {
                snprintf(text, sizeof(text), "%llu", (unsigned long long)node + shift);
            } else {
                name = graph_label(graph, node, text);
            }
            done = put_name(output, name, words->put, replaced) &&
                   text_output_text(output, words->node_end);
        }
    }
    return done;
}

/* Write the nodes, if the format has words for them, then the edges. */
static bool put_graph(struct text_output *output, const struct graph *graph,
                      const struct words *words, const char *edges_head,
                      const struct graph_write_options *options)
{
    const size_t edge = strlen(words->edge), between = strlen(words->between);
    const size_t edge_end = strlen(words->edge_end);
    uint64_t shift = words->from_one ? 1 - graph->first_node : 0;
    size_t replaced = 0;
    if ((words->node != NULL && !put_nodes(output, graph, words, shift, &replaced)) ||
        !text_output_text(output, edges_head)) {
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
            to = text_put_number(to + edge, node + shift);
            memcpy(to, words->between, between);
            to = text_put_number(to + between, graph->neighbours[e] + shift);
            memcpy(to, words->edge_end, edge_end);
            output->used = (size_t)(to + edge_end - output->buffer);
        }
    }
    return true;
}

bool put_dimacs(struct text_output *output, const struct graph *graph,
                const struct graph_write_options *options)
{
    static const struct words words = {
        .edge = "a ", .between = " ", .edge_end = " 1\n", .from_one = true};
    return put_comment(output, "c ", options->comment, "\n") &&
           text_output_format(output, "p sp %lu %llu\n", (unsigned long)graph_node_count(graph),
                              (unsigned long long)graph->edge_count) &&
           put_graph(output, graph, &words, "", options);
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
           put_graph(output, graph, &words, "", options) &&
           text_output_text(output, "  </graph>\n</graphml>\n");
}

/* True if any edge occurs more than once; true also when out of memory. */
static bool has_repeats(const struct graph *graph)
{
    uint32_t *source_of = calloc((size_t)graph->node_limit + 1, sizeof(*source_of));
    bool found = source_of == NULL;
    for (uint32_t node = graph->first_node; node < graph->node_limit && !found; node++) {
        for (uint64_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
            uint32_t *source = &source_of[graph->neighbours[e]];
            found |= *source == node + 1;
            *source = node + 1;
        }
    }
    free(source_of);
    return found;
}

bool put_gml(struct text_output *output, const struct graph *graph,
             const struct graph_write_options *options)
{
    /* Each node has a label, because networkx requires it. */
    static const struct words words = {.node = "  node [ id ",
                                       .label = " label \"",
                                       .node_end = "\" ]\n",
                                       .edge = "  edge [ source ",
                                       .between = " target ",
                                       .edge_end = " ]\n",
                                       .put = put_gml_character};
    return put_comment(output, "# ", options->comment, "\n") &&
           text_output_text(output, "graph [\n  directed 1\n") &&
           text_output_text(output, has_repeats(graph) ? "  multigraph 1\n" : "") &&
           put_graph(output, graph, &words, "", options) && text_output_text(output, "]\n");
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
           text_output_text(output, "digraph {\n") &&
           put_graph(output, graph, &words, "", options) && text_output_text(output, "}\n");
}

static int compare_nodes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The facts about a graph that METIS needs. */
struct symmetry {
    bool has_loops_or_repeats;
    bool is_lopsided;        /* an edge lacks its opposite: */
    uint32_t source, target; /* this edge, or its opposite */
};

/* Compare each list with the sorted list of in-neighbours. False when out of memory. */
static bool look_for_opposites(const struct graph *graph, struct symmetry *symmetry)
{
    uint32_t *sorted = NULL;
    size_t capacity = 0;
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        size_t degree = (size_t)graph_out_degree(graph, node);
        uint64_t in_degree = graph->in_offsets[node + 1] - graph->in_offsets[node];
        const uint32_t *in = graph->in_neighbours + graph->in_offsets[node];
        if (!array_reserve(&sorted, &capacity, degree, sizeof(*sorted))) {
            free(sorted);
            return false;
        }
        if (degree > 0) {
            memcpy(sorted, graph->neighbours + graph->offsets[node], degree * sizeof(*sorted));
            qsort(sorted, degree, sizeof(*sorted), compare_nodes);
        }
        for (uint64_t i = 0; i < degree || i < in_degree; i++) {
            bool more_out = i >= in_degree || (i < degree && sorted[i] < in[i]);
            if (more_out || i >= degree || sorted[i] != in[i]) {
                *symmetry = (struct symmetry){.is_lopsided = true,
                                              .source = more_out ? node : in[i],
                                              .target = more_out ? sorted[i] : node};
                free(sorted);
                return true;
            }
            symmetry->has_loops_or_repeats |=
                sorted[i] == node || (i > 0 && sorted[i] == sorted[i - 1]);
        }
    }
    free(sorted);
    return true;
}

/* One line per node: its neighbours. */
static bool put_rows(struct text_output *output, const struct graph *graph)
{
    uint64_t shift = 1 - graph->first_node;
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        for (uint64_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
            if (!text_output_reserve(output, NUMBERS_SIZE)) {
                return false;
            }
            char *to = output->buffer + output->used;
            *to = ' ';
            to += e > graph->offsets[node];
            output->used =
                (size_t)(text_put_number(to, graph->neighbours[e] + shift) - output->buffer);
        }
        if (!text_output_text(output, "\n")) {
            return false;
        }
    }
    return true;
}

bool put_metis(struct text_output *output, const struct graph *graph,
               const struct graph_write_options *options)
{
    struct graph reversed;
    struct symmetry symmetry = {0};
    char text[2][GRAPH_LABEL_SIZE];
    bool done = graph_with_reverse(graph, &reversed, output->error)
                    ? look_for_opposites(&reversed, &symmetry) ||
                          graph_fail(output->error, output->path, "out of memory")
                    : graph_fail_at(output->error, output->path);
    graph_drop_reverse(graph, &reversed);
    if (done && symmetry.is_lopsided) {
        graph_fail(output->error, output->path,
                   "METIS has no directions, but %.100s leads to %.100s and not as often back",
                   graph_label(graph, symmetry.source, text[0]),
                   graph_label(graph, symmetry.target, text[1]));
        output->error->remedy = GRAPH_REMEDY_UNDIRECTED;
        return false;
    }
    if (!done) {
        return false;
    }
    bool all = symmetry.has_loops_or_repeats;
    if (all && options->note != NULL) {
        options->note(options->context, "loops or repeated edges: format 100 of the 10th DIMACS "
                                        "challenge, which METIS itself does not read");
    }
    return put_comment(output, "% ", options->comment, "\n") &&
           text_output_format(output, "%lu %llu%s\n", (unsigned long)graph_node_count(graph),
                              (unsigned long long)(all ? graph->edge_count : graph->edge_count / 2),
                              all ? " 100" : "") &&
           put_rows(output, graph);
}
