/*
 * load_memory.h - the memory that a load takes, and the refusal of a load that does not fit.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/graph/graph_options.h"
#include <stdatomic.h>

struct graph_names;

/*
 * The most memory that loading takes, in bytes: 9 per edge and 16 per node, or 14 per edge and 24
 * per node with the reverse adjacency, and 6 MiB per thread. A load that renumbers takes up to 20
 * MiB per thread, names take their text and 24 bytes each, and unpacking takes what its format
 * needs: these are not in the sum. The file itself is not counted.
 */
uint64_t graph_load_memory(uint64_t node_count, uint64_t edge_count, bool with_reverse,
                           unsigned threads);

/* The bytes of memory that options allow. */
uint64_t graph_memory_limit(const struct graph_options *options);

/* True if these bytes are enough to load a graph with its reverse adjacency. */
bool graph_reverse_fits(const struct graph *graph, const struct graph_options *options);

/* The memory of one load. */
struct load_memory {
    const char *name;              /* of the text, for messages */
    struct graph_options *options; /* the load's own */
    unsigned thread_count;
    uint64_t limit;            /* bytes, asked for or available at the start */
    atomic_int_least64_t left; /* of these, for records and names; below 0: no more records */
};

void load_memory_start(struct load_memory *memory, const char *name, struct graph_options *options,
                       unsigned thread_count);

/* The bytes of the limit that are left. */
uint64_t load_memory_left(struct load_memory *memory);

/* The known sizes of a graph while it is read. */
struct load_size {
    uint64_t nodes;    /* ids up to the largest; 0: not known */
    uint64_t unused;   /* ids without a node among them */
    uint64_t edges;    /* at least */
    uint64_t estimate; /* edges estimated from a sample, or edges */
    uint64_t besides;  /* bytes beyond the formula of graph_load_memory */
    bool is_sparse;    /* ids may be sparse: the file does not declare its nodes */
};

/*
 * Refuse a load that cannot fit, with the figure. Sets options->build_reverse for a reverse
 * adjacency that may be kept, if it fits.
 */
bool load_memory_check(struct load_memory *memory, const struct load_size *size,
                       struct graph_error *error);

/* Bytes of a thread's tables, if they exceed the formula's share of a thread; else 0. */
uint64_t load_memory_beyond(uint64_t table_bytes);

/* Set error: records did not fit, after that many entries; or out of memory. */
void load_memory_fail(struct load_memory *memory, uint64_t entries, struct graph_error *error);

/* True if names take at most the bytes allowed. False with error set. */
bool names_fit_memory(const struct graph_names *names, uint64_t allowed, const char *path,
                      struct graph_error *error);
