/*
 * format_writers.h - a graph in the formats of other programs, into an open output.
 */
#pragma once

#include "graph_output.h"
#include "text_output.h"

/* Write a whole file in one format; false with the output's error set. */
typedef bool put_format(struct text_output *output, const struct graph *graph,
                        const struct graph_write_options *options);
put_format put_named_edges, put_graphml, put_dot, put_csv;

/* Write a comment, if there is one, between its opening and closing texts. */
bool put_comment(struct text_output *output, const char *open, const char *comment,
                 const char *end);

/* A node's name; what lines of names do not allow is URL-encoded. */
bool put_url_name(struct text_output *output, const struct graph *graph, uint32_t node);
