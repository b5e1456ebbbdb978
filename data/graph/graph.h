/*
 * graph.h - a directed graph in compressed sparse row form (CSR), and how to get one.
 *
 * Node ids are the ids of the file, so a 1-based file gives nodes 1..node_limit-1 and an unused
 * node 0 without edges. The out-neighbours of node u are neighbours[offsets[u]] to
 * neighbours[offsets[u + 1] - 1], in the order of the file; repeated edges and self-loops are kept.
 * Nothing here prints or exits: a function that fails returns false and fills a struct graph_error.
 * The graph must fit in memory.
 */
#pragma once

#include "graph_error.h"
#include <signal.h>

#define GRAPH_NODE_MAX  (UINT32_MAX - 1) /* the largest node id: 2^32 - 2 */
#define GRAPH_NODE_NONE UINT32_MAX       /* no node */

#define GRAPH_MAPPING_MAX 16

struct graph_names;
struct graph_origin;

/* The mappings that hold the arrays of a graph. */
struct graph_storage {
    size_t mapping_count;
    struct {
        void *base;
        size_t length;
    } mappings[GRAPH_MAPPING_MAX];
};

struct graph {
    uint32_t first_node;  /* smallest id: 1 for a 1-based file, else 0 */
    uint32_t node_limit;  /* one past the largest id */
    uint64_t edge_count;  /* entries of neighbours */
    uint64_t *offsets;    /* node_limit + 1 entries */
    uint32_t *neighbours; /* edge_count entries */
    /* The reverse adjacency, NULL until graph_add_reverse: the in-neighbours of each node. */
    uint64_t *in_offsets;    /* node_limit + 1 entries */
    uint32_t *in_neighbours; /* edge_count entries, ascending for each node */
    /* NULL where there are none. */
    uint32_t *original_ids;        /* node_limit entries: the id in the file of a renumbered node */
    struct graph_names *names;     /* of the original ids */
    struct graph_origin *origin;   /* what a snapshot knows besides; see graph_origin.h */
    struct graph_storage *storage; /* the mappings of the arrays; NULL: arrays from malloc */
};

/* How far a load is. */
struct graph_progress {
    const char *phase;    /* "reading" or "sorting" */
    uint64_t bytes_done;  /* of the file as it lies on the disk */
    uint64_t bytes_total; /* 0: not known */
    uint64_t edge_count;  /* so far */
    double elapsed_s;
};

struct graph_options {
    bool repeat_last_entry; /* add the last entry twice, as the challenge's program does */
    bool reverse;           /* an entry "u v" is the edge from v to u */
    bool undirected;        /* an entry is an edge in both directions */
    bool compact;           /* renumber the ids that occur from 0 in ascending order */
    bool build_reverse;     /* fill in_offsets and in_neighbours too */
    bool keep_reverse;      /* and also, for a snapshot, where a text is read and memory allows */
    bool search_order;      /* number the nodes of what a cache keeps as a search meets them */
    bool verify;            /* compare all of a snapshot's source with its hash, if it is there */
    unsigned threads;       /* 0: as many as there are processors */
    uint64_t memory_limit;  /* bytes; 0: what is available */
    const char *format;     /* a format's name, see graph_format_names; NULL: told by the content */
    const char *cache;      /* folder for snapshots of what is read; "": the user's; NULL: none */
    const char *names_path; /* names of nodes, line k that of node k; or NULL */
    void (*progress)(void *context, const struct graph_progress *progress); /* or NULL */
    /* Remarks on the file, or NULL. */
    void (*note)(void *context, const char *text, enum graph_remedy remedy);
    void *context;
    const volatile sig_atomic_t *cancel; /* not zero: give up; or NULL */
};

/*
 * Read a graph from a file, or from standard input when path is "-". The content tells the format:
 * Matrix Market coordinate, an edge list of ids or of names, DIMACS, METIS, or a snapshot; plain,
 * compressed with gzip, bzip2, xz or zstd, or in a tar.
 * options: NULL for the defaults. graph: filled on success, zeroed on failure.
 * Returns false with error set when the file cannot be read, is malformed, changes while it is
 * read, or does not fit.
 * The caller frees the graph with graph_free.
 */
bool graph_load(const char *path, const struct graph_options *options, struct graph *graph,
                struct graph_error *error);

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

/* Whether loading a graph with its reverse adjacency fits them. */
bool graph_reverse_fits(const struct graph *graph, const struct graph_options *options);

/* Free what graph_load or graph_generate gave and zero the struct; an all-zero graph is fine. */
void graph_free(struct graph *graph);

/*
 * Hand a mapping over to the graph, which unmaps it in the end. False when out of memory, with the
 * mapping given back. The graph must have no arrays from malloc.
 */
bool graph_adopt(struct graph *graph, void *base, size_t length);

/*
 * Zeroed memory for count items of size bytes, in huge pages where the system has them; graph_free
 * gives it back. NULL when there is none. A count of 0 gives a valid pointer. As graph_adopt.
 */
void *graph_map_array(struct graph *graph, uint64_t count, size_t size);

/*
 * Whether the whole structure holds, so that no search can leave the arrays: offsets ascend from 0
 * to the edge count, every neighbour is a node, and the same for the reverse adjacency and the
 * names. Runs after every load in debug builds. Cost: O(nodes + edges).
 */
bool graph_check(const struct graph *graph);

/* The parts of that check, for a piece of an array. Both read it once and without a branch. */
bool graph_offsets_ascend(const uint64_t *offsets, uint64_t count);
bool graph_holds_nodes(const struct graph *graph, const uint32_t *nodes, uint64_t count);

/*
 * Build the reverse adjacency; does nothing when it is there. Takes 4 bytes per edge and 8 per
 * node, and up to 6 per edge on the way. threads: 0 for one per processor. False with error set
 * when out of memory, the graph unchanged. graph_free frees it.
 */
bool graph_add_reverse(struct graph *graph, unsigned threads, struct graph_error *error);

/* The id that a node has in the graph's file. */
static inline uint32_t graph_original_id(const struct graph *graph, uint32_t node)
{
    return graph->original_ids != NULL ? graph->original_ids[node] : node;
}

#define GRAPH_LABEL_SIZE 256

/*
 * What a node is called: its name, else its page in a wiki, else the id in the graph's file.
 * Returns text, or the name itself. text: room for a number.
 */
const char *graph_label(const struct graph *graph, uint32_t node, char text[GRAPH_LABEL_SIZE]);

/* Whether id names a node of the graph. */
static inline bool graph_has_node(const struct graph *graph, uint32_t id)
{
    return id >= graph->first_node && id < graph->node_limit;
}

/* The number of nodes. */
static inline uint32_t graph_node_count(const struct graph *graph)
{
    return graph->node_limit - graph->first_node;
}

/* The number of out-neighbours of a node, repeats included. node: below node_limit. */
static inline uint64_t graph_out_degree(const struct graph *graph, uint32_t node)
{
    return graph->offsets[node + 1] - graph->offsets[node];
}
