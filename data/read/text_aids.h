/*
 * text_aids.h - functions that a caller lends to the reading of a graph, from other folders.
 *
 * This folder reads lines of ids into lists. Anything else that an option asks for comes in here as
 * a function; data/load/load_aids.c has the functions of all programs. An aid that is NULL is
 * missing, and its option must not be set.
 */
#pragma once

#include "data/graph/edge_buckets.h"
#include "data/graph/graph.h"
#include "data/graph/graph_options.h"
#include "graph_reader.h"

struct edge_scan;
struct graph_header;
struct id_set;
struct table_look;
struct target_order;

/* The names and the nodes to fit to each other, once the ids of the graph are known. */
struct names_fit {
    struct graph_names *names; /* not NULL; their first_id is set */
    bool have_ids;             /* their file has ids; first_id is set */
    const struct graph_options *options;
    bool is_declared;        /* the graph's file declares how many nodes it has */
    uint64_t declared_nodes; /* the number in a comment of it, or 0 */
    const char *text;        /* the graph's file, for notes on names that are in it */
    uint32_t id_min, id_max; /* of the edges */
};

/* options->names_path, or names in the text itself: data/names. */
struct names_aid {
    struct graph_names *(*load)(const struct graph_options *options, uint64_t memory_limit,
                                bool *have_ids, struct graph_error *error);
    bool (*fit)(const struct names_fit *fit, uint32_t *first, uint64_t *limit,
                struct graph_error *error);
};

/* options->compact: data/graph/edge_ids.h, id_set.h. */
struct ids_aid {
    bool (*collect)(const struct edge_writer *writers, unsigned writer_count, uint64_t limit,
                    const volatile sig_atomic_t *cancel, struct id_set *set);
    void (*list)(const struct id_set *set, uint32_t *ids);
    void (*free)(struct id_set *set);
};

/* options->build_reverse: data/reverse/target_order.h. A scan adds edges to a part. */
struct reverse_aid {
    bool (*init)(struct target_order *order, size_t part_count, unsigned writer_count,
                 uint64_t node_limit, uint64_t edge_count, atomic_int_least64_t *memory_left);
    struct target_part *(*open)(struct target_order *order, size_t index, unsigned number);
    void (*close)(struct target_order *order, struct target_part *part);
    /* Build the reverse adjacency of a graph whose lists are complete, in either way; order->init
     * may not have been called. False with error set; its place is "graph". */
    bool (*build)(struct target_order *order, struct edge_writer *writers, unsigned writer_count,
                  struct graph *graph, struct graph_error *error);
    void (*free)(struct target_order *order);
};

/* A table, as a scan goes through it. */
struct table_text {
    const struct table_look *look;
    struct graph_names *names; /* NULL: ids */
    const char *path;          /* for messages */
    uint64_t first_line;       /* the number of the scan's first line in the text */
};

/* Tables that are not two ids per line: a heading, names, chosen columns, adjacency. data/table. */
struct tables_aid {
    /* Look at the text from the header's next line on, the first that is no comment; remark on what
     * it is, and set what the format has of tables. Afterwards the header is at the first row of
     * edges. False with error set. */
    bool (*look)(struct graph_header *header, bool is_bipartite);
    /*
     * Add the edges of a block of whole lines; a new name gets the next number. *used: the bytes of
     * the rows that end in the block; the rest is to be given again, with more after it. False with
     * error set.
     */
    bool (*scan)(const struct table_text *text, struct edge_scan *scan, const char *block,
                 size_t length, size_t *used, struct graph_error *error);
    /* Set error: a quote opens in the scan's next row and does not close. Returns false. */
    bool (*fail_open)(const struct table_text *text, const struct edge_scan *scan,
                      struct graph_error *error);
};

struct text_aids {
    const struct graph_readers *readers; /* further formats */
    const struct tables_aid *tables;     /* NULL: every line is read as two ids */
    const struct names_aid *names;
    const struct ids_aid *ids;
    const struct reverse_aid *reverse;
    struct target_order *order; /* zeroed; the state of reverse for one file */
};
