/*
 * pair_table.h - the reader of tables of pairs that data/read borrows.
 */
#pragma once

#include "data/read/pairs.h"

extern const struct pair_tables pair_table;
