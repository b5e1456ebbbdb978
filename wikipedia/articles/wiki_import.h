/*
 * wiki_import.h - the graph of a wiki's articles, from its SQL dumps.
 *
 * Nodes are the pages of the wanted namespaces, without redirects, in the order of their page ids.
 * A redirect is followed to its end, and a link to it counts as a link to that end. Dropped are:
 * links to missing pages, to other namespaces or wikis, and to pages left out; links of a page to
 * itself; duplicates; and, if that is asked for, links that an included template has as well
 * (wiki_templates.h). All of these are counted.
 * Memory: 8 bytes per node, 4 per possible id of a link target, 10 per title of the wanted
 * namespaces and its text, 16 per name and its text, 16 more while names are sorted, and 4 MiB per
 * thread. Titles take 5 more until the links are read, and during that if links name titles. Links
 * go to a file. If they are not in the order of the pages, each link of the current range takes 4,
 * within the limit. Without a limit, four threads or more read links beside the other tables:
 * waiting links take 4 each, at most half of the memory that seems to be left.
 */
#pragma once

#include "data/graph/graph.h"
#include "wiki_options.h"

/*
 * Import the dumps at place (see wiki_files.h). graph gets names, and graph->origin the facts about
 * the wiki; free it with graph_free. False with error set.
 */
bool wiki_import(const char *place, const struct wiki_options *options, struct graph *graph,
                 struct wiki_report *report, struct graph_error *error);
