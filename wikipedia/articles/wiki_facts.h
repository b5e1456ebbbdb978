/*
 * wiki_facts.h - the facts that a snapshot records about its origin: wiki, date, options, counts.
 */
#pragma once

#include "data/graph/graph_origin.h"
#include "wiki_files.h"
#include "wiki_options.h"

#define WIKI_BROKEN_SIZE 300

/* Write the facts, a line each, to origin->facts. broken: why a table is incomplete, or "". Returns
 * false when out of memory. */
bool wiki_facts_make(struct graph_origin *origin, const struct wiki_options *options,
                     const struct wiki_report *report, char broken[WIKI_TABLES][WIKI_BROKEN_SIZE]);
