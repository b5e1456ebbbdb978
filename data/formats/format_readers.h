/*
 * format_readers.h - one list of the formats that are read in addition to data/read.
 */
#pragma once

#include "data/read/graph_format.h"

/* For graph_text_load. */
extern const struct graph_readers format_readers;

/* Every format that the user can name. */
#define GRAPH_INPUT_FORMATS GRAPH_FORMAT_NAMES ", graphml, gml"

/* GraphML, from networkx, igraph, Gephi and yEd: graphml_reader.c. */
bool graphml_matches(const struct graph_head *head);
bool graphml_read(struct graph_reading *reading);

/* GML (Graph Modelling Language): gml_reader.c. */
bool gml_matches(const struct graph_head *head);
bool gml_read(struct graph_reading *reading);
