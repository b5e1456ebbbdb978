/*
 * name_table.h - a text with a name per node, line by line: plain, CSV or TSV.
 *
 * Line k is for node k, counted from the graph's first. Leading comments (# or %) and the empty
 * lines after them are skipped, as in an edge list. In CSV and TSV a heading says which column is
 * the "name" (or title, label, article) and which the "id" (or node), if there is one; without a
 * heading, two columns are an id and its name. A name in quotes may hold commas, and a quote
 * written twice. If the lines begin with their numbers in order, from 0 or 1, as "0 Title" and
 * "1 Other title", the numbers are ids as well.
 */
#pragma once

#include "data/graph/graph_names.h"

/* Where the name is in a line, and the id. */
struct name_layout {
    char separator;
    size_t name, id; /* columns from 0 */
    bool is_heading; /* the first line is a heading without a name */
};

struct name_table {
    const char *path; /* for messages; set by the caller before the first line */
    struct graph_names *names;
    struct name_layout layout;
    bool started;          /* the layout is known */
    bool is_numbered;      /* so far, each line begins with its number and a blank */
    uint32_t first_number; /* of the first line: 0 or 1 */
    uint64_t line;         /* lines so far */
    uint32_t *ids;         /* of the names, in the order of the lines; NULL: they have none */
    size_t id_capacity;
    uint64_t first_line; /* of the names */
    char *unquoted;      /* room for a name without its quotes */
    size_t unquoted_size;
};

/* Take the next line, without its newline. False with error set. */
bool name_table_add(struct name_table *table, const char *begin, const char *end,
                    struct graph_error *error);

/*
 * The names; the table is empty afterwards. has_ids: true if the text has ids, so that first_id is
 * set; the names are then in the order of the ids. NULL with error set: out of memory, or an id is
 * missing or occurs twice.
 */
struct graph_names *name_table_take(struct name_table *table, bool *has_ids,
                                    struct graph_error *error);

/* Fine for an all-zero table but for its path. */
void name_table_free(struct name_table *table);

/*
 * How many nodes have the same name as an earlier node; first: the number of one of them. 0 also
 * when out of memory.
 */
uint32_t name_table_repeats(struct graph_names *names, uint32_t *first);
