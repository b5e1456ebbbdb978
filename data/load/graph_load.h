/*
 * graph_load.h - loads a graph from a file: the entry point for every program.
 *
 * The content decides what a file is, not its name (but .graph is METIS). These formats are read,
 * and snapshots are mapped:
 *   edges          a table of ids: two columns, as its heading or the options say; blanks, tabs,
 *                  commas, semicolons or |; # and % comments
 *   csv            ids, or names, by RFC 4180
 *   names          a table of names; the numbers in it are names, too
 *   adjacency      a node and its neighbours per line
 *   matrix-market  coordinate, of any field and symmetry
 *   dimacs         "p sp nodes arcs", then "a source target weight"
 *   metis          "nodes edges [format [weights]]", then the neighbours of a node per line
 *   graphml  gml                     from other programs; see data/formats/README.md
 * Any of them, or a snapshot, may be compressed with gzip, bzip2, xz or zstd, or lie in a tar.
 * Nothing here prints or exits. A load may start threads.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/graph/graph_options.h"
#include "data/read/load_memory.h"

/*
 * Read a graph from a file, or from standard input when path is "-".
 * options: graph_options.h, NULL for the defaults. graph: filled on success, zeroed on failure; the
 * caller frees it with graph_free. Returns false with error set when the file cannot be read, is
 * malformed, changes while it is read, or does not fit (graph_load_memory).
 * A stale or broken snapshot is not used: its source is read instead, or the text from which the
 * cache was made; options->note says so. If a graph cannot be kept in a cache, that is no failure.
 *     struct graph graph;
 *     struct graph_error error;
 *     const struct graph_options options = {.build_reverse = true};
 *     if (!graph_load("wiki.mtx", &options, &graph, &error)) { puts(error.message); }
 */
bool graph_load(const char *path, const struct graph_options *options, struct graph *graph,
                struct graph_error *error);
