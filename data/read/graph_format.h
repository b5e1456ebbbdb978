/*
 * graph_format.h - what kind of text a graph is in, told by its first lines.
 */
#ifndef PW_GRAPH_FORMAT_H
#define PW_GRAPH_FORMAT_H

#include "edge_line.h"
#include "text_source.h"

enum graph_format_kind {
    FORMAT_EDGE_LIST,
    FORMAT_MATRIX_MARKET,
    FORMAT_DIMACS,     /* "p sp nodes arcs", then "a source target weight" */
    FORMAT_METIS,      /* "nodes edges", then a line of neighbours for each node */
    FORMAT_NAMED_EDGES /* names instead of ids, a tab between them */
};

struct graph_format {
    enum graph_format_kind kind;
    struct edge_rules rules;
    bool symmetric;        /* an entry stands for both directions */
    bool has_counts;       /* the file declares how many nodes and entries it has */
    uint64_t node_count;   /* as declared; nodes are 1..node_count */
    uint64_t entry_count;  /* as declared */
    uint64_t header_line;  /* the line that declares them */
    uint64_t data_offset;  /* where the lines of entries begin */
    uint64_t data_line;    /* the lines before that */
    unsigned node_columns; /* METIS: numbers before the neighbours */
    bool edge_weights;     /* METIS: a number after each neighbour */
};

typedef void graph_note(void *context, const char *text, enum graph_remedy remedy);

/*
 * Tell the format and read its header. wanted: a name of graph_format_names, or NULL for the one
 * the content tells. Remarks go to note, which may be NULL. Returns false with error set.
 */
bool graph_format_read(struct text_source *source, const char *wanted, struct graph_format *format,
                       graph_note *note, void *context, struct graph_error *error);

/* "edges, matrix-market, ..." */
extern const char graph_format_names[];

/* Whether a format has that name. */
bool graph_format_is_known(const char *name);

/* Whether the first bytes of a file could be those of a graph. */
bool graph_format_looks_like_graph(const char *bytes, size_t length);

#endif
