/*
 * graph_header.h - the first lines of a graph's text, one by one, and what they declare.
 *
 * Every format has a reader (matrix_market.c, metis.c, graph_format.c) that walks these lines and
 * fills a struct graph_format.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/graph/graph_options.h"
#include "edge_scan.h"
#include "graph_reader.h"
#include "text_source.h"

struct table_look;
struct tables_aid;

enum graph_format_kind {
    FORMAT_EDGE_LIST,
    FORMAT_MATRIX_MARKET,
    FORMAT_DIMACS,    /* "p sp nodes arcs", then "a source target weight" */
    FORMAT_METIS,     /* "nodes edges", then one line of neighbours per node */
    FORMAT_TABLE,     /* names, any two columns, adjacency: a lent reader (text_aids.h) */
    FORMAT_OWN_READER /* graph_format.reader reads it */
};

struct graph_format {
    enum graph_format_kind kind;
    const struct graph_reader *reader;
    struct edge_rules rules;
    struct table_look *look; /* of FORMAT_TABLE: the lent reader's; free() it */
    bool has_names;          /* FORMAT_TABLE: its nodes are names */
    bool says_columns;       /* a note has said which columns of a table count */
    bool symmetric;          /* an entry means both directions */
    bool has_counts;         /* the file declares how many nodes and entries it has */
    uint64_t node_count;     /* as declared; nodes are 1..node_count */
    uint64_t entry_count;    /* as declared */
    uint64_t header_line;    /* the line that declares them */
    uint64_t declared_nodes; /* an edge list: "# Nodes: 4604" before the edges, or 0 */
    uint64_t data_offset;    /* where the lines of entries start */
    uint64_t data_line;      /* the lines before that */
    unsigned node_columns;   /* METIS: numbers before the neighbours */
    bool edge_weights;       /* METIS: a number after each neighbour */
};

struct graph_line {
    const char *begin, *end; /* without the newline; valid until the next line is taken */
};

/* A walk over the head of a text, which grows as lines are taken. */
struct graph_header {
    struct text_source *source;
    const struct graph_options *options;
    const struct tables_aid *tables; /* lent, or NULL (text_aids.h) */
    struct graph_format *format;
    struct graph_error *error;
    size_t offset; /* where the next line starts */
    uint64_t line; /* lines taken, which is the number of the last one, from 1 */
};

/* Take the next line. False at the end of the text; also, with error set, when reading fails. */
bool graph_header_next(struct graph_header *header, struct graph_line *line);

/*
 * Take lines up to the first that is not a comment. comment: a letter that opens comments besides #
 * and %, or 0. what: the expected line, for the error if the file ends before it.
 */
bool graph_header_next_data(struct graph_header *header, char comment, const char *what,
                            struct graph_line *line);

/* Set the error "expected WHAT, found LINE" at the last line taken. Returns false. */
bool graph_header_fail(const struct graph_header *header, const char *what, struct graph_line line);

/* Declare that nodes are 1..sources as sources of edges and 1..targets as targets of edges. */
void graph_header_declare(struct graph_header *header, uint64_t sources, uint64_t targets,
                          uint64_t entries);

void graph_header_remark(const struct graph_header *header, const char *text,
                         enum graph_remedy remedy);

/* Remark that the weights of the file are ignored. */
void graph_header_remark_weights(const struct graph_header *header);

/* The first byte of a line that is neither a blank nor a carriage return. */
const char *graph_line_start(struct graph_line line);

/* True if a line is empty or opens with # or % (except a URL-encoded name before a tab). */
bool graph_line_is_comment(struct graph_line line);

/* True if a line opens with a letter on its own. */
bool graph_line_has_letter(struct graph_line line, char letter);

/*
 * Cut the next whole number from a line. Returns false at the end of the line, and at anything else
 * or a number of more than 64 bits; the line then begins there.
 */
bool graph_line_number(struct graph_line *line, uint64_t *value);

/*
 * How many whole numbers are on a line; the first four are put into values. SIZE_MAX if anything
 * else is there, or a number of more than 64 bits.
 */
size_t graph_line_numbers(struct graph_line line, uint64_t values[4]);
