/*
 * graph_write.c - writes a graph as Matrix Market or edge list, and pairs, fast and all or nothing.
 *
 * Lines are put together in a buffer, two digits at a time; an id that a run of lines shares is
 * converted once. The other formats are in format_writers.c.
 * Cost: about 8 ns per edge, some 16 bytes of text per edge, 1 MiB of memory.
 */
#include "graph_write.h"
#include "base/macros.h"
#include "data/reverse/graph_reverse.h"
#include "format_writers.h"
#include <stdio.h>
#include <stdlib.h>

#define LINE_SIZE 40 /* two ids of 10 digits, space and newline, and room to spare */
#define OWN_SIZE  16 /* an id of 10 digits and the bytes after it, copied at once */

/*
 * Write the edges of each node's list, one per line. by_target: these are lists of in-neighbours,
 * so a line starts with the neighbour. shift is added to all ids.
 */
static bool put_lists(struct text_output *output, const struct graph *graph, bool by_target,
                      uint64_t shift)
{
    const uint64_t *offsets = by_target ? graph->in_offsets : graph->offsets;
    const uint32_t *neighbours = by_target ? graph->in_neighbours : graph->neighbours;
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        char own[LINE_SIZE] = {0};
        char *own_end = text_put_number(own, node + shift);
        *own_end++ = by_target ? '\n' : ' ';
        size_t own_length = (size_t)(own_end - own);
        for (uint64_t e = offsets[node]; e < offsets[node + 1]; e++) {
            if (!text_output_reserve(output, LINE_SIZE)) {
                return false;
            }
            char *text = output->buffer + output->used;
            if (by_target) {
                text = text_put_number(text, neighbours[e] + shift);
                *text++ = ' ';
            }
            memcpy(text, own, OWN_SIZE); /* a fixed size is faster; the rest is overwritten */
            text += own_length;
            if (!by_target) {
                text = text_put_number(text, neighbours[e] + shift);
                *text++ = '\n';
            }
            output->used = (size_t)(text - output->buffer);
        }
    }
    return true;
}

/* The graph with its reverse adjacency, which is made if it is missing. False with error set. */
static bool graph_with_reverse(const struct graph *graph, struct graph *reversed,
                               struct graph_error *error)
{
    *reversed = *graph;
    reversed->storage = NULL; /* new arrays come from malloc */
    return graph_add_reverse(reversed, 0, NULL, error);
}

/* Free what graph_with_reverse made, also after a failure. */
static void graph_drop_reverse(const struct graph *graph, struct graph *reversed)
{
    if (graph->in_offsets == NULL) {
        free(reversed->in_offsets);
        free(reversed->in_neighbours);
    }
}

/* Write the edges by target, from the reverse adjacency, which is made if it is missing. */
static bool put_by_target(struct text_output *output, const struct graph *graph, uint64_t shift)
{
    struct graph reversed;
    bool ok = graph_with_reverse(graph, &reversed, output->error)
                  ? put_lists(output, &reversed, true, shift)
                  : graph_fail_at(output->error, output->path);
    graph_drop_reverse(graph, &reversed);
    return ok;
}

/* Write the edges in the ids of the file, which a renumbered graph remembers. */
static bool put_original(struct text_output *output, const struct graph *graph)
{
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        for (uint64_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
            if (!text_output_pair(output, graph_original_id(graph, node),
                                  graph_original_id(graph, graph->neighbours[e]))) {
                return false;
            }
        }
    }
    return true;
}

static bool put_matrix_market(struct text_output *output, const struct graph *graph,
                              const struct graph_write_options *options)
{
    uint64_t shift = 1 - graph->first_node;
    return text_output_text(output, "%%MatrixMarket matrix coordinate pattern general\n") &&
           put_comment(output, "% ", options->comment, "\n") &&
           text_output_format(output, "%lu %lu %llu\n", (unsigned long)graph_node_count(graph),
                              (unsigned long)graph_node_count(graph),
                              (unsigned long long)graph->edge_count) &&
           (options->by_target ? put_by_target(output, graph, shift)
                               : put_lists(output, graph, false, shift));
}

static bool put_edges(struct text_output *output, const struct graph *graph,
                      const struct graph_write_options *options)
{
    return put_comment(output, "# ", options->comment, "\n") &&
           (options->by_target            ? put_by_target(output, graph, 0)
            : graph->original_ids != NULL ? put_original(output, graph)
                                          : put_lists(output, graph, false, 0));
}

/* In the order of enum graph_output. */
static const struct output_format {
    const char *name, *endings[4];
    put_format *put;
    bool keeps_names; /* or at least the ids of the file */
    bool from_one;    /* nodes are numbered from 1 */
    bool only_linked; /* a node without an edge is lost */
} output_formats[] = {
    {"Matrix Market", {".mtx"}, put_matrix_market, false, true, false},
    {"an edge list", {".txt", ".el", ".edges"}, put_edges, false, false, true},
    {"an edge list of names", {".tsv"}, put_named_edges, true, false, true},
    {"GraphML", {".graphml"}, put_graphml, true, false, false},
    {"DOT", {".dot", ".gv"}, put_dot, true, false, false},
    {"CSV", {".csv"}, put_csv, true, false, true},
};

bool graph_output_of_path(const char *path, enum graph_output *format)
{
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending != NULL && i < COUNT_OF(output_formats); i++) {
        for (size_t k = 0; output_formats[i].endings[k] != NULL; k++) {
            if (strcasecmp(ending, output_formats[i].endings[k]) == 0) {
                *format = (enum graph_output)i;
                return true;
            }
        }
    }
    return false;
}

/*
 * How many nodes are lost in lines of edges. By name: the nodes without an edge. By id: node 0 and
 * the nodes after the last edge's. 0 when out of memory.
 */
static size_t count_untold(const struct graph *graph)
{
    unsigned char *linked = calloc((size_t)graph->node_limit + 1, 1);
    size_t count = 0, at_end = 0;
    if (linked == NULL) {
        return 0;
    }
    for (uint64_t e = 0; e < graph->edge_count; e++) {
        linked[graph->neighbours[e]] = 1;
    }
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        linked[node] |= graph_out_degree(graph, node) > 0;
        count += !linked[node];
        at_end = linked[node] ? 0 : at_end + 1;
    }
    bool by_name = graph->names != NULL || graph->original_ids != NULL;
    size_t untold = by_name ? count : at_end + (graph->first_node == 0 && !linked[0]);
    free(linked);
    return untold;
}

/* True if every name would be read as an id. */
static bool has_only_numbers(const struct graph *graph)
{
    char text[GRAPH_LABEL_SIZE];
    uint32_t node = graph->first_node;
    while (graph->names != NULL && node < graph->node_limit) {
        const char *name = graph_label(graph, node, text);
        if (*name == '\0' || name[strspn(name, "0123456789")] != '\0') {
            return false;
        }
        node++;
    }
    return graph->names != NULL && node > graph->first_node;
}

/* Note what the format cannot keep of this graph. */
static void remark_losses(const struct graph *graph, const struct graph_write_options *options)
{
    const struct output_format *format = &output_formats[options->format];
    const char *loss = NULL;
    char text[160];
    if (graph->names != NULL && !format->keeps_names) {
        loss = "has no names: the names of the nodes are lost";
    } else if (graph->original_ids != NULL && format->from_one && !format->keeps_names) {
        loss = "numbers the nodes from 1: the ids of the file are lost";
    } else if (graph->names == NULL && graph->first_node == 0 && format->from_one) {
        loss = "numbers the nodes from 1: each id is one more";
    }
    if (loss != NULL) {
        snprintf(text, sizeof(text), "%s %s", format->name, loss);
        options->note(options->context, text);
    }
    if (format->only_linked && format->keeps_names && has_only_numbers(graph)) {
        snprintf(text, sizeof(text), "the names are numbers, which are ids in %s", format->name);
        options->note(options->context, text);
    }
    size_t untold = format->only_linked ? count_untold(graph) : 0;
    if (untold > 0) {
        snprintf(text, sizeof(text), "%s has no place for %zu nodes without an edge", format->name,
                 untold);
        options->note(options->context, text);
    }
}

bool graph_write(const struct graph *graph, const struct graph_write_options *options,
                 const char *path, struct graph_error *error)
{
    struct text_output output = {.path = path, .error = error, .cancel = options->cancel};
    *error = (struct graph_error){0};
    if (options->note != NULL) {
        remark_losses(graph, options);
    }
    bool ok =
        text_output_open(&output) && output_formats[options->format].put(&output, graph, options);
    return text_output_close(&output, ok);
}

bool names_write(const struct graph *graph, const char *path, struct graph_error *error)
{
    struct text_output output = {.path = path, .error = error};
    *error = (struct graph_error){0};
    bool ok = text_output_open(&output);
    for (uint32_t node = graph->first_node; ok && node < graph->node_limit; node++) {
        ok = put_url_name(&output, graph, node) && text_output_text(&output, "\n");
    }
    return text_output_close(&output, ok);
}

static bool put_pair(struct text_output *output, const struct graph *graph, struct pair pair)
{
    return graph->names == NULL
               ? text_output_pair(output, graph_original_id(graph, pair.source),
                                  graph_original_id(graph, pair.target))
               : put_url_name(output, graph, pair.source) && text_output_text(output, "\t") &&
                     put_url_name(output, graph, pair.target) && text_output_text(output, "\n");
}

bool pairs_write(const struct graph *graph, const struct pairs *pairs, const char *comment,
                 const char *path, struct graph_error *error)
{
    struct text_output output = {.path = path, .error = error};
    *error = (struct graph_error){0};
    bool ok = text_output_open(&output) && put_comment(&output, "# ", comment, "\n");
    for (size_t i = 0; ok && i < pairs->count; i++) {
        ok = put_pair(&output, graph, pairs->items[i]);
    }
    return text_output_close(&output, ok);
}
