/*
 * edge_line.h - one line of an edge list: two node ids, whatever separates them, whatever follows.
 *
 * This is the careful reader: it decides what every line means and explains what is wrong with it.
 * The fast reader of blocks hands each line that is not plain "id id" to this one.
 */
#pragma once

#include "data/graph/graph_error.h"
#include <string.h>

#define DIGITS_FIT 19 /* every number of 19 digits fits 64 bits */

/* What a format requires of its lines. */
struct edge_rules {
    uint64_t source_min, source_max; /* legal ids, inclusive */
    uint64_t target_min, target_max;
    unsigned value_count; /* numbers that must follow the ids: 1 for real, 2 for complex */
    char prefix;          /* the letter before the ids ('a' of DIMACS), or 0 */
    char comment;         /* a letter that opens a comment line besides # and %, or 0 */
    bool is_table;        /* semicolons separate, too, quotes are as in CSV, and a whole number
                             may be written as 1e+05 or 2.000e+00 */
    bool has_no_commas;   /* a comma beside an id is a decimal one, if more columns follow */
};

/* True if a byte is in a string; a NUL byte never is. */
static inline bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

enum edge_line_kind { EDGE_LINE_EDGE, EDGE_LINE_SKIP, EDGE_LINE_BAD };

struct edge_line {
    uint32_t source, target; /* as the rules allow them */
    bool has_more;           /* columns after the required ids and values */
};

/* Read one line, without its newline, from begin to end. A final carriage return is ignored. */
enum edge_line_kind edge_line_read(const char *begin, const char *end,
                                   const struct edge_rules *rules, struct edge_line *line);

/* Read a whole number, maybe with a point or an exponent, from begin to end. A number that no graph
 * has gives a larger one. */
bool edge_number_read(const char *begin, const char *end, uint64_t *value);

/* Set error: why a text is no id; what: "source". Returns false. */
bool edge_id_explain(const char *begin, const char *end, const struct edge_rules *rules,
                     const char *what, const char *path, uint64_t line, struct graph_error *error);

/* Set error to the fault of a line that edge_line_read called bad. Returns false. */
bool edge_line_explain(const char *begin, const char *end, const struct edge_rules *rules,
                       const char *path, uint64_t line_number, struct graph_error *error);
