/*
 * wiki_import.h - the graph of a wiki's articles, from its SQL dumps.
 *
 * Nodes are the pages of the wanted namespaces that are no redirects, in the order of their page
 * ids. Redirects are followed to their end; a link to one is a link to that end. Links to pages
 * that are not there, of other namespaces or wikis, or that were left out are dropped; so are links
 * of a page to itself, and the second of two equal links. All of it is counted.
 * Memory: 8 bytes per node, 4 per possible id of a link target, 10 per title of the wanted
 * namespaces and its text, 16 per name and its text, 16 more while names are put into order, and
 * 4 MiB per thread. Titles take 5 more until the links are read, and then too where links name
 * titles. Links go to a file; where they are not in the order of the pages, a range of them, within
 * the limit, takes 4 each. Four threads and more read links beside the other tables, if no limit is
 * set: those that wait take 4 each, at most half of the memory that seems to be left.
 */
#pragma once

#include "data/graph/graph.h"
#include "wiki_options.h"

/*
 * Import the dumps at place (wiki_files.h). graph gets names, and in graph->origin what else is
 * known; free it with graph_free. False with error set.
 */
bool wiki_import(const char *place, const struct wiki_options *options, struct graph *graph,
                 struct wiki_report *report, struct graph_error *error);
