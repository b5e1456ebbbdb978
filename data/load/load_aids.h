/*
 * load_aids.h - functions that data/load lends to data/read: decode, name, renumber and reverse.
 */
#pragma once

#include "data/read/text_aids.h"
#include "data/read/text_source.h"
#include "data/reverse/target_order.h"

/* Decodes compressed and packed files. Any file of an archive is taken. */
extern const struct text_decoder load_decoder;

/* The same, but the one file of an archive that is a graph is taken. */
extern const struct text_decoder load_graph_decoder;

/* All aids for reading a graph. order: zeroed; used until the graph is read. */
struct text_aids load_aids(struct target_order *order);
