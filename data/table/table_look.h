/*
 * table_look.h - what a table of edges is: its separator, its heading, the two columns that are the
 * ends of an edge, and if its nodes are ids or names.
 *
 * A text is looked at once, its first 64 KiB. The result is one struct; the readers, the notes and
 * the pairs use it. What is not sure is refused with the columns to choose from.
 */
#pragma once

#include "data/graph/graph_error.h"
#include "table_cell.h"

#define TABLE_WORD_SIZE 40
#define TABLE_NO_COLUMN SIZE_MAX

/* What is worth a note. */
struct table_notes {
    bool has_sizes;     /* the first row gives the numbers of nodes and edges below it */
    bool has_lone_row;  /* the words of the first row are in no other, and it may be a heading */
    bool is_rounded;    /* a spreadsheet may have taken digits off a node */
    bool has_node_rows; /* a row whose ends are both empty is a node */
    bool has_zeros;     /* the numbers are names, because one begins with 0 */
};

struct table_look {
    struct table_cut cut;
    char list_separator; /* adjacency: between the neighbours; ' ' takes commas, too, above ids */
    bool has_any_cut;    /* rows of ids with several separators */
    bool has_heading;
    bool has_index;     /* the first column has row names, under an empty word or none */
    bool has_ids;       /* the nodes are ids, not names */
    bool is_adjacency;  /* every number after the first is a neighbour */
    bool is_bipartite;  /* the columns count two kinds of nodes, each from 1 */
    bool has_points;    /* not between commas: an id is written as 1,0 or 1.5, which none is */
    bool is_long;       /* a row has several lines */
    bool is_wide;       /* the numbers are names, because one is no id, or begins with 0 */
    bool has_hash_rows; /* below the first row, # opens a row and no comment */
    struct table_notes notes;
    size_t width;     /* columns */
    size_t ends[2];   /* source and target */
    size_t direction; /* the column that says Directed or Undirected; TABLE_NO_COLUMN */
    const char *head; /* the heading, without its newline; valid as long as the text's head */
    size_t head_length;
    size_t heading_size;            /* bytes to the first row of edges */
    char words[2][TABLE_WORD_SIZE]; /* of the ends in the heading */
};

/* The first lines of a table, from its first row on. */
struct table_head {
    const char *path; /* for messages */
    const char *begin, *end;
    bool is_all;   /* the table ends there */
    bool is_pairs; /* of nodes to search; a heading may be the only line that is there yet */
    uint64_t line; /* the number of the first row */
};

/* What to do about quotes as R's qmethod="escape" writes them. */
#define TABLE_ESCAPED_WAY "sed 's/\\\\\"/\"\"/g' FILE > a.csv makes \"\" of each \\\""

/* Look at a table. format: "edges", "names", "csv", "adjacency" or NULL; columns: the caller's
 * choice, or NULL. False with error set. */
bool table_look_at(const struct table_head *head, const char *format, const char *columns,
                   struct table_look *look, struct graph_error *error);

/* True if nothing was decided but two columns of ids. */
bool table_look_is_plain(const struct table_look *look);

#define TABLE_TEXT_SIZE 320

/* "CSV with a heading, from "source" to "target", 3 other columns ignored, names" */
const char *table_look_text(const struct table_look *look, char text[TABLE_TEXT_SIZE]);
