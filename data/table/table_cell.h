/*
 * table_cell.h - one cell of a row of a table: how it is cut, and what it may be.
 */
#pragma once

#include "data/read/csv_column.h"
#include <stdint.h>

/* How the rows of a table are cut. */
struct table_cut {
    char separator;     /* ' ': any number of blanks and tabs */
    bool has_quotes;    /* as in RFC 4180 (csv_column.h); a row may then have several lines */
    bool hash_ends_row; /* a cell after blanks that opens with # is a comment */
};

/*
 * Cut the cell at *at. end: of the row, if no quote is in it; else of the text. Moves *at as
 * csv_column_cut does. Blanks around a cell are cut; *has_blanks is set if there were any.
 * False if no cell is left, which happens only if blanks separate.
 */
bool table_cell_cut(const struct table_cut *cut, const char **at, const char *end,
                    struct csv_column *cell, enum csv_cut *how, bool *has_blanks);

/* What a cell may be, from the narrowest on. */
enum table_cell_kind {
    CELL_ID,     /* a whole number of a node, maybe written as 1e+05 or 2.000e+00 */
    CELL_WHOLE,  /* another whole number: negative, or beyond 32 bits */
    CELL_NUMBER, /* another number, or data in braces */
    CELL_CODE, /* digits with signs between them: a date, a time, an address, a telephone number */
    CELL_EMPTY,
    CELL_WORD,
};

/* True for digits of which the first of several is 0: 007 is not the node 7. */
bool table_cell_has_zeros(const struct csv_column *cell);

/* True for a number with an exponent beyond its digits, as a spreadsheet shows 123456: 1.23E+05. */
bool table_cell_is_rounded(const struct csv_column *cell);

/* id: set for CELL_ID. A comment after a number does not count. */
enum table_cell_kind table_cell_kind(const struct csv_column *cell, uint32_t *id);
