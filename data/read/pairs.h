/*
 * pairs.h - the searches to make: a list of source and target nodes, one pair per line.
 *
 * Read with the tolerance of the edge lists (spaces, tabs or commas; # and % comments; LF or CRLF).
 * A heading is skipped, and its words say which columns are source and target (pair_tables).
 * Ids are the ids of the graph's file. Nothing here prints or exits; see graph.h for errors.
 * Programs use pairs_load (data/load/pairs_load.h).
 */
#pragma once

#include "csv_column.h"
#include "data/graph/graph.h"
#include <signal.h>

struct pair_reader;
struct table_look;
struct text_decoder;
struct text_source;

struct pair {
    uint32_t source;
    uint32_t target;
};

/* A pair with a name that was spelt in another way, or redirects. */
struct pair_note {
    size_t place;   /* of the pair in items */
    char *texts[2]; /* what source and target were taken for, or NULL */
};

#define PAIR_READ_AS_SIZE 400

struct pairs {
    size_t count;
    struct pair *items; /* count entries */
    size_t note_count;
    struct pair_note *notes;         /* by place */
    char note[640];                  /* on names in another spelling; empty: none */
    char read_as[PAIR_READ_AS_SIZE]; /* which columns of a table were taken; empty: it has two */
};

#define PAIR_MESSAGE_SIZE 400

/* How a text names a node. */
enum pair_node {
    PAIR_NODE_EXACT,
    PAIR_NODE_FORGIVEN, /* in another spelling */
    PAIR_NODE_UNKNOWN,
};

/* The cell of a node in a row. */
struct pair_cell {
    struct csv_column text;
    bool is_id;
    uint32_t id; /* 0 if it is none */
};

/* Lent by a caller to read pairs from the columns of a table: data/table/pair_table.h. */
struct pair_tables {
    /* Look at the lines of a text that are there. *look: what they are; free() it, also on failure;
     * NULL: each line is read on its own. *is_table: rows are cut by it, too, not only a heading
     * found. read_as: gets what was decided, or "". False with error set. */
    bool (*look)(const struct text_source *source, const char *columns, struct table_look **look,
                 bool *is_table, char read_as[PAIR_READ_AS_SIZE], struct graph_error *error);
    /* True if a line is the heading; words: its two, "" for one that is not known. */
    bool (*is_heading)(const struct table_look *look, const char *begin, const char *end,
                       const char *words[2]);
    /* Cut source and target out of a row. False with error set. */
    bool (*cut)(const struct table_look *look, const char *begin, const char *end,
                struct pair_cell cells[2], const char *path, uint64_t line,
                struct graph_error *error);
};

/*
 * Lent by a caller to find nodes: by name, or by the file's id of a renumbered node.
 * data/load/pairs_load.c lends data/names/name_finder.h.
 */
struct pair_finder {
    bool (*open)(void *context, const struct graph *graph); /* false when out of memory */
    /* message: why there is no node, or what was forgiven. */
    enum pair_node (*find)(void *context, const char *text, size_t length, uint32_t *node,
                           char message[PAIR_MESSAGE_SIZE]);
    void (*close)(void *context);
    void *context;
    const struct pair_tables *tables;    /* NULL: each line is read on its own */
    const char *columns;                 /* as in graph_options, or NULL */
    uint64_t memory_limit;               /* bytes that the pairs may take; 0: any */
    const volatile sig_atomic_t *cancel; /* not zero: reading fails; NULL: read to the end */
};

/*
 * Read pairs from a file and check that each names two nodes of the graph.
 * decoder: as for text_source_open. pairs: filled on success, zeroed on failure; the caller frees
 * it with pairs_free. Returns false with error set ("pairs.txt:3: target 12 is outside 1..10").
 */
bool pairs_read(const char *path, const struct graph *graph, const struct text_decoder *decoder,
                const struct pair_finder *finder, struct pairs *pairs, struct graph_error *error);

/*
 * The same, pair by pair: from a pipe each as it comes, to the end of pairs. decoder, finder, pairs
 * and error are used until pairs_close. NULL with error set.
 */
struct pair_reader *pairs_open(const char *path, const struct graph *graph,
                               const struct text_decoder *decoder, const struct pair_finder *finder,
                               struct pairs *pairs, struct graph_error *error);

/* Append the next pair to the pairs. False at the end; also, with error set, on failure. */
bool pairs_next(struct pair_reader *reader);

/* Complete the note of the pairs, with the names forgiven since the last call. */
void pairs_end_note(struct pair_reader *reader);

/* The pairs stay. False if error is set, or if the file changed while it was read; then error gets
 * set. */
bool pairs_close(struct pair_reader *reader);

/* The bytes that one pair takes: its own, and the sample of its search. */
#define PAIR_BYTES 16

/* True if memory allows that many pairs; memory_limit: in bytes, 0: any. False with error set. */
bool pairs_fit_memory(uint64_t count, uint64_t memory_limit, const char *place,
                      struct graph_error *error);

/* How the source (side 0) or the target (side 1) of the pair at a place was spelt, if not as its
 * name; else NULL. */
const char *pairs_note(const struct pairs *pairs, size_t place, unsigned side);

/* Free the result of pairs_read and zero the struct. */
void pairs_free(struct pairs *pairs);
