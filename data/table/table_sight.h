/*
 * table_sight.h - the rows of a table while it is looked at: for table_decide.c, table_rows.c,
 * table_ends.c, table_doubt.c and table_lists.c only.
 */
#pragma once

#include "table_look.h"
#include "table_words.h"

#define SIGHT_ROWS    4096
#define SIGHT_COLUMNS 64

#define KIND(kind) (1u << (kind))

/* What the rows after the first have in a column. */
struct sight_column {
    unsigned kinds;  /* KIND bits of its cells */
    bool is_rising;  /* ids, each larger than the one before */
    bool varies;     /* two ids differ */
    bool is_rounded; /* a number is, also in the first row */
    bool has_zeros;  /* a number begins with 0, also in the first row */
    uint32_t last;
};

struct table_sight {
    struct table_look *look;
    const struct table_head *head;
    struct csv_column words[SIGHT_COLUMNS]; /* the first row */
    enum table_cell_kind first[SIGHT_COLUMNS];
    size_t first_width;
    struct sight_column columns[SIGHT_COLUMNS];
    size_t width_min, width_max; /* of the rows after the first */
    const char *second;          /* where the second row begins, or the end */
    size_t count;
    struct sight_row {
        const char *begin, *end; /* without the newline */
    } rows[SIGHT_ROWS];
};

/* Find the separator and the quotes, and the rows that they make. */
void sight_find_cut(struct table_sight *sight, bool is_csv);

/* Find the rows of the text as it is cut now; comments and empty lines are left out. */
void sight_find_rows(struct table_sight *sight);

/* Set the columns: what their cells are. */
void sight_measure(struct table_sight *sight);

/* Cut a row. cells: room for SIGHT_COLUMNS, which are the first. Returns how many there are; 0 if a
 * quote is out of place. */
size_t sight_cut(const struct table_sight *sight, const struct sight_row *row,
                 struct csv_column *cells);

/* The KIND bits of a column, below the heading if there is one. */
unsigned sight_kinds(const struct table_sight *sight, size_t column);

/* The index of the first row of edges. */
size_t sight_start(const struct table_sight *sight);

/* Find the columns of the ends. columns: the caller's choice, or NULL. False with error set. */
bool table_ends_find(struct table_sight *sight, const char *columns, struct graph_error *error);

/* True if two words of the heading, or of what may be one, name the ends. *sureness: how surely. */
bool table_ends_by_words(const struct table_sight *sight, size_t ends[2],
                         enum table_words *sureness);

/* Refuse what only looks like a table of edges. is_chosen: the caller chose the columns, and
 * knows that it is no matrix. False with error set. */
bool table_doubt_check(const struct table_sight *sight, bool is_chosen, struct graph_error *error);

/* Refuse names that are lists of nodes, or rules of a printed table. False with error set. */
bool table_doubt_check_names(const struct table_sight *sight, bool is_chosen,
                             struct graph_error *error);

/* Where a bracket opens after the first colon of a row and blanks, or NULL. */
const char *table_doubt_bracket(const char *p, const char *end);

/* True if each row is a node and a list of neighbours with a separator of its own; the look then
 * has both. */
bool table_lists_find(const char *begin, const char *end, struct table_look *look);

/* True if the first row may be a heading: only a few rows are like it, with words that no other row
 * has. O(n log n) of the rows. */
bool table_doubt_has_lone_row(const struct table_sight *sight);

/* True if the first row, of ids, gives the numbers of nodes and edges of the others. */
bool table_doubt_has_sizes(const struct table_sight *sight);
