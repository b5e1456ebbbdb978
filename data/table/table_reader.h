/*
 * table_reader.h - the reader of tables that data/read borrows: names, any two columns, adjacency.
 */
#pragma once

#include "data/read/text_aids.h"

extern const struct tables_aid table_reader;
