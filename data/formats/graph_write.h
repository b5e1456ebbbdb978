/*
 * graph_write.h - writes graphs, names and pairs to text files.
 *
 * A file appears under its name only when it is complete (file_replace.h). Devices, pipes and
 * "-" (standard output) are written directly. Errors as in graph.h.
 */
#pragma once

#include "data/read/pairs.h"
#include "graph_output.h"

/*
 * The format for the ending of a path: .mtx .txt .el .edges .csv .tsv .graphml .dot .gv; false for
 * any other.
 */
bool graph_output_of_path(const char *path, enum graph_output *format);

/*
 * Write a graph, node by node. Reading it again (data/read, data/formats) gives the same graph, if
 * the format can hold it; else a note says what is lost. Matrix Market numbers the nodes from 1;
 * GraphML, CSV and lists of names keep names.
 * by_target builds the reverse adjacency if it is missing: another 4 bytes per edge and 8 per node,
 * and up to 6 per edge on the way.
 */
bool graph_write(const struct graph *graph, const struct graph_write_options *options,
                 const char *path, struct graph_error *error);

/* Write the name of each node, one per line in the order of the nodes, as names are read. */
bool names_write(const struct graph *graph, const char *path, struct graph_error *error);

/* Write pairs, one "source target" per line: the ids of the file, or names with a tab between them.
 * comment: a line for the head of the file, or NULL. */
bool pairs_write(const struct graph *graph, const struct pairs *pairs, const char *comment,
                 const char *path, struct graph_error *error);
