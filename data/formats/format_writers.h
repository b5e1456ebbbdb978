/*
 * format_writers.h - a graph in the formats of other programs, into an open output.
 */
#pragma once

#include "graph_output.h"
#include "text_output.h"

/* Write a whole file in one format; false with the output's error set. */
typedef bool put_format(struct text_output *output, const struct graph *graph,
                        const struct graph_write_options *options);
put_format put_named_edges, put_dimacs, put_metis, put_graphml, put_gml, put_dot, put_csv;

/* Write a comment, if there is one, between its opening and closing texts. */
bool put_comment(struct text_output *output, const char *open, const char *comment,
                 const char *end);

/* A node's name; what lines of names do not allow is URL-encoded. */
bool put_url_name(struct text_output *output, const struct graph *graph, uint32_t node);

/*
 * The graph with its reverse adjacency, which is made if it is missing. False with error set.
 * graph_drop_reverse frees it if it was made here, also after a failure.
 */
bool graph_with_reverse(const struct graph *graph, struct graph *reversed,
                        struct graph_error *error);
void graph_drop_reverse(const struct graph *graph, struct graph *reversed);
