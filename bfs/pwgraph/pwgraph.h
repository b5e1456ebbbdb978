/*
 * pwgraph.h - load a directed graph, find shortest paths in it, free it: libpwgraph.
 *
 * Nodes are 32-bit numbers; pwgraph_find and pwgraph_label turn the ids or names of the file into
 * them and back. A path from a node to itself has at least one edge.
 * Threads: a graph may be used by many at once, a search by one at a time.
 * Errors: a function that fails says so by what it returns, and why in a struct pwgraph_error,
 * which may be NULL; pwgraph_search_run has no such struct: pwgraph_search_counts has its code.
 * It changes nothing else. Nothing here prints, exits or aborts.
 * Cost: constant time where no cost is stated.
 * Ownership: what a function named _load, _open or _create returns is freed by the function named
 * _free, which takes NULL, too. Pointers into a graph are valid until the graph is freed.
 * Link with -lpwgraph -lqueue -llinked_list.
 * One file: a program includes one header, and finds its whole manual there.
 */
#ifndef PWGRAPH_H
#define PWGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PW_EXPORT
#define PW_EXPORT __attribute__((visibility("default")))
#endif

#define PWGRAPH_VERSION   1                /* of this interface; grows when something is added */
#define PWGRAPH_TEXT_SIZE 512              /* room for any message or label */
#define PWGRAPH_NONE      UINT32_MAX       /* no node, or no path */
#define PWGRAPH_NOT_ASKED (UINT32_MAX - 1) /* hops of a pair whose search did not end */

struct pwgraph;        /* a loaded graph */
struct pwgraph_search; /* the state for searches, one per thread */

enum pwgraph_answer {
    PWGRAPH_FAILED = -1, /* out of memory or time, cancelled, or a node that is not the graph's */
    PWGRAPH_NO_PATH = 0,
    PWGRAPH_FOUND = 1,
};

enum pwgraph_fit {
    PWGRAPH_UNKNOWN = 0,  /* no node, or several that are spelt alike */
    PWGRAPH_EXACT = 1,    /* the exact name, an id or a page */
    PWGRAPH_FORGIVEN = 2, /* spaces for underscores, another case, no accents, or a redirect */
};

/* The PWGRAPH_VERSION of the library that runs, which may be newer than this header. */
PW_EXPORT unsigned pwgraph_version(void);

/* Errors --------------------------------------------------------------------------------------- */

enum pwgraph_code {
    PWGRAPH_OK = 0,
    PWGRAPH_BAD_ARGUMENT = 1, /* an argument breaks the rules of its function */
    PWGRAPH_NO_MEMORY = 2,   /* the memory of the system, or a limit that was given, is too small */
    PWGRAPH_BAD_INPUT = 3,   /* a file cannot be read, is malformed, or does not fit an option */
    PWGRAPH_NOT_WRITTEN = 4, /* a file cannot be written */
    PWGRAPH_CANCELLED = 5,   /* the flag to cancel was set */
    PWGRAPH_TIMED_OUT = 6,   /* the limit of time has passed */
};

struct pwgraph_error {
    enum pwgraph_code code;
    char text[PWGRAPH_TEXT_SIZE]; /* one line: "wiki.mtx:12: target 99 is outside 1..42" */
};

/*
 * Set a flag to cancel, from any thread or from a signal handler. Work that was given the flag ends
 * with PWGRAPH_CANCELLED: a search within some milliseconds, or within a tenth of a second with an
 * engine that has a list to free or searches many pairs at once; loading within a second. The flag
 * is the caller's, 0 at first; to use it again, set it to 0 while no work has it.
 */
PW_EXPORT void pwgraph_cancel(volatile int *flag);

/* Open ----------------------------------------------------------------------------------------- */

/* How far a load has come. */
struct pwgraph_progress {
    const char *phase;    /* "reading" or "sorting" */
    uint64_t bytes_done;  /* of the file on the disk */
    uint64_t bytes_total; /* 0: not known */
    uint64_t edges;       /* so far */
    double seconds;       /* since the load began */
};

/*
 * How to open a graph. A zero is the default of every member but the first, so that the struct can
 * grow: set size to sizeof(struct pwgraph_options), and zero what you do not set.
 * A snapshot is used as it was made: it refuses names, undirected, reverse and compact.
 */
struct pwgraph_options {
    size_t size;        /* of this struct, in bytes */
    const char *names;  /* a file with a name per node; NULL: none */
    const char *format; /* a name of `bfs --input-format`; NULL: by the content of the file */
    const char *cache;  /* keep a snapshot of a text in this folder, and use it the next time; "":
                              the user's folder; NULL: no cache */
    uint64_t memory_limit; /* bytes that the graph and its loading may take; 0: what is free.
                              It does not apply to a snapshot that is mapped. The order of names,
                              made later (pwgraph_order_names), may take as much again */
    unsigned threads;      /* for loading, at most 1024; 0: one per processor */
    bool undirected;       /* an entry of the file is an edge in both directions */
    bool reverse;          /* an entry "u v" is the edge from v to u */
    bool compact;          /* number the ids that occur 0, 1, 2, ... in ascending order */
    /* Called at most ten times per second, in the thread that opens; or NULL. */
    void (*progress)(void *context, const struct pwgraph_progress *progress);
    /* Called with a remark on the file, one line, in the thread that opens; or NULL. */
    void (*note)(void *context, const char *text);
    void *context;              /* for both; the library does not look at it */
    const volatile int *cancel; /* see pwgraph_cancel; or NULL */
    bool by_block;              /* read and check a snapshot by block, when it is used */
    const char *columns; /* the columns of a table that are source and target, by number from 1 or
                            by heading: "2,3", "from,to"; NULL: by the content */
};

/*
 * Load a graph from a file in any format that bfs reads; "-" is standard input. options: NULL for
 * the defaults; read during the call only. NULL on failure, with the reason in error.
 * All of a snapshot is read and checked here, so that no later call finds it damaged; but not if
 * options say by_block. Then a block of 4 KiB is read and checked when a call first needs it, and
 * memory is taken for these blocks, so that a graph opens at once and may be larger than memory.
 * When a call meets a bad block, it fails, and all later calls that search: those with an error say
 * PWGRAPH_BAD_INPUT, the file and the block; or the system's error, if the block cannot be read.
 * After other calls, ask pwgraph_is_damaged. The file may be replaced while it is open, but not
 * changed: then answers may be wrong, and if it is cut short while it is mapped, SIGBUS ends the
 * process. It is mapped from the start, or with by_block once 32 MiB of blocks were read.
 * A text is read whole, and so is a snapshot without a reverse adjacency, or with a recorded
 * source.
 * Cost: 8 bytes per edge and 16 per node, a scan of a text, a check of a snapshot.
 */
PW_EXPORT struct pwgraph *pwgraph_open(const char *path, const struct pwgraph_options *options,
                                       struct pwgraph_error *error);

/*
 * True if a call has met a bad block of a snapshot that was opened by_block; error, which may be
 * NULL, then says which. Ask after the calls that cannot fail (neighbours, degrees, names, labels,
 * nodes by their name): in a bad block they find nothing. False for a graph that was opened
 * in any other way.
 */
PW_EXPORT bool pwgraph_is_damaged(const struct pwgraph *graph, struct pwgraph_error *error);

/*
 * Load a graph from a file in any format that bfs reads, recognised by its content: pwgraph_open
 * without options. NULL on failure, with the reason, one line, in message.
 */
PW_EXPORT struct pwgraph *pwgraph_load(const char *path, char message[PWGRAPH_TEXT_SIZE]);

/* Free a graph; NULL is fine. Its searches must have been freed before. */
PW_EXPORT void pwgraph_free(struct pwgraph *graph);

/* The number of nodes; the number of edges, repeats and loops included. */
PW_EXPORT uint32_t pwgraph_node_count(const struct pwgraph *graph);
PW_EXPORT uint64_t pwgraph_edge_count(const struct pwgraph *graph);

/* One more than the largest number of a node: the entries of an array with one per node. */
PW_EXPORT uint32_t pwgraph_node_limit(const struct pwgraph *graph);

/*
 * Find the node with this name, or with this id in the file: "7" in a graph without names, "#7" in
 * any graph, so that a number among names is a name. In the snapshot of a wiki a redirect is a
 * name, too, and a number that is not a title is the id of a page. If no name fits, the name may
 * be the address of an article (https://en.wikipedia.org/wiki/Ada_Lovelace) or a link to it
 * ([[Ada Lovelace|Ada]], Ada Lovelace#Life); its title counts.
 * False if that fits no name either. Cost: a look into a table; in the snapshot of a wiki, some 50
 * names are compared.
 */
PW_EXPORT bool pwgraph_find(const struct pwgraph *graph, const char *name, uint32_t *node);

#define PWGRAPH_NEAR_MAX 5

/* What a text is taken for. */
struct pwgraph_match {
    enum pwgraph_fit fit;
    uint32_t node;                   /* PWGRAPH_NONE for PWGRAPH_UNKNOWN */
    uint32_t near_count;             /* 0 but for PWGRAPH_UNKNOWN */
    uint32_t near[PWGRAPH_NEAR_MAX]; /* the nodes with the nearest names, the nearest first */
    enum pwgraph_code code;          /* PWGRAPH_OK, or why it could not be looked for */
    char text[PWGRAPH_TEXT_SIZE];    /* one line: see pwgraph_resolve */
};

/*
 * Find the node that somebody means by what they typed: as pwgraph_find, but a text that is no
 * exact name may be another spelling of exactly one. match->text is empty for PWGRAPH_EXACT. Else
 * it says what was forgiven ("cote divoire" is taken for "Côte_d'Ivoire"; USA redirects to United
 * States), or why there is no such node, with the names that are near (no node is called "Chese";
 * did you mean Cheese?). Of the address of an article (pwgraph_find), names near its title count.
 * False for PWGRAPH_UNKNOWN. The first name that is not exact puts all names in order, as
 * pwgraph_order_names. If that fails, match->code and match->text are its error, and a later call
 * may find the name. cancel: see pwgraph_cancel; or NULL.
 * Cost: some milliseconds, and that order.
 */
PW_EXPORT bool pwgraph_resolve(const struct pwgraph *graph, const char *text,
                               const volatile int *cancel, struct pwgraph_match *match);

/*
 * Put all names in order now, so that pwgraph_resolve and pwgraph_complete need not do it. Call it
 * before pwgraph_complete if it must be possible to cancel, or if a lack of memory must not look
 * like no name. cancel: see pwgraph_cancel; or NULL. False with error set: PWGRAPH_NO_MEMORY,
 * also if 20 bytes per name are more than the memory_limit in the options that opened the graph;
 * PWGRAPH_CANCELLED; or PWGRAPH_BAD_INPUT for a damaged graph that was opened by_block.
 * Cost: a second per 5 million names, 20 bytes each meanwhile and 4 afterwards, in the first call;
 * none in later ones, in the snapshot of a wiki, which has that order, and without names.
 */
PW_EXPORT bool pwgraph_order_names(const struct pwgraph *graph, const volatile int *cancel,
                                   struct pwgraph_error *error);

/* A node's label: its name in the file, else its page or its id. Returns text, or a string that the
 * graph owns; "" for a node that the graph does not have. */
PW_EXPORT const char *pwgraph_label(const struct pwgraph *graph, uint32_t node,
                                    char text[PWGRAPH_TEXT_SIZE]);

/* The labels of many nodes in one call: written to text one after the other, each with its zero
 * byte. Returns the bytes of all. If these are more than capacity, text holds only the first
 * labels; NULL for text and 0 for capacity only count. */
PW_EXPORT size_t pwgraph_labels(const struct pwgraph *graph, const uint32_t *nodes, size_t count,
                                char *text, size_t capacity);

/* Make ----------------------------------------------------------------------------------------- */

enum pwgraph_keep {
    PWGRAPH_COPY = 0,   /* the arrays may go after the call */
    PWGRAPH_BORROW = 1, /* arrays that need no conversion are used in place */
};

/*
 * Make a graph from edges: sources[i] leads to targets[i]. Ids have id_bits bits, 32 or 64, signed
 * or not, and count from 0; they are the numbers of the nodes. node_count: every id is less; 0: one
 * past the largest. A list keeps the order of the arrays, repeats and loops included. The arrays
 * may go afterwards. options, or NULL: undirected, reverse, compact, memory_limit, threads and
 * cancel are used, all others refused. NULL on failure with error set:
 * PWGRAPH_BAD_INPUT for an id that is too large or negative. Cost: 8 bytes per edge and 16 per
 * node; at most 6 per edge on the way.
 */
PW_EXPORT struct pwgraph *pwgraph_from_edges(const void *sources, const void *targets,
                                             uint64_t count, unsigned id_bits, uint64_t node_count,
                                             const struct pwgraph_options *options,
                                             struct pwgraph_error *error);

/*
 * Make a graph from adjacency lists (CSR): offsets has node_count + 1 entries of offset_bits bits,
 * from 0 up to the number of neighbours; neighbours have id_bits bits. Either is 32 or 64.
 * keep: with PWGRAPH_BORROW, offsets of 64 bits and neighbours of 32 are not copied; they must stay
 * unchanged until pwgraph_free. The reverse adjacency is built: 4 bytes per edge, 8 per node.
 * options, or NULL: memory_limit, threads and cancel are used, all others refused. Failures as for
 * pwgraph_from_edges.
 */
PW_EXPORT struct pwgraph *pwgraph_from_csr(const void *offsets, unsigned offset_bits,
                                           const void *neighbours, unsigned id_bits,
                                           uint64_t node_count, enum pwgraph_keep keep,
                                           const struct pwgraph_options *options,
                                           struct pwgraph_error *error);

/*
 * Save a graph as a snapshot, with its names and its reverse adjacency; it opens in milliseconds.
 * The file is replaced as a whole or not at all. cancel: see pwgraph_cancel; or NULL. False with
 * error set: PWGRAPH_NOT_WRITTEN or PWGRAPH_CANCELLED. Any number of threads may search meanwhile.
 * Cost: the graph's arrays are written, and a checksum of them.
 */
PW_EXPORT bool pwgraph_save(const struct pwgraph *graph, const char *path,
                            const volatile int *cancel, struct pwgraph_error *error);

/* Look ----------------------------------------------------------------------------------------- */

/*
 * The graph itself, in compressed sparse row form. Nodes are first_node to node_limit - 1; where
 * the file counts from 1 there is no node 0, and its lists are empty. The out-neighbours of node u
 * are neighbours[offsets[u]] to neighbours[offsets[u + 1] - 1], in the order of the file, repeats
 * and loops included. The in-neighbours are the same in the other two arrays, in ascending order.
 */
struct pwgraph_arrays {
    uint32_t first_node; /* 0 or 1 */
    uint32_t node_limit;
    uint64_t edge_count;
    const uint64_t *offsets;       /* node_limit + 1 entries */
    const uint32_t *neighbours;    /* edge_count entries */
    const uint64_t *in_offsets;    /* node_limit + 1 entries */
    const uint32_t *in_neighbours; /* edge_count entries */
    const uint32_t *ids; /* node_limit entries, the id of each node in the file; NULL: the node */
};

/* Fill arrays with pointers into the graph; nothing is copied. All of a graph that was opened
 * by_block is read and checked first; if it is damaged, there are no nodes and no arrays. */
PW_EXPORT void pwgraph_get_arrays(const struct pwgraph *graph, struct pwgraph_arrays *arrays);

/* True if a number is a node of the graph. */
PW_EXPORT bool pwgraph_has_node(const struct pwgraph *graph, uint32_t node);

/* A node's neighbours out of it, or into it: *count of them, in the arrays of pwgraph_get_arrays.
 * NULL, and *count is 0, for a node that the graph does not have. */
PW_EXPORT const uint32_t *pwgraph_out(const struct pwgraph *graph, uint32_t node, uint64_t *count);
PW_EXPORT const uint32_t *pwgraph_in(const struct pwgraph *graph, uint32_t node, uint64_t *count);

/* The number of out-neighbours, or of in-neighbours. It is 0 for a node that the graph does not
 * have. */
PW_EXPORT uint64_t pwgraph_out_degree(const struct pwgraph *graph, uint32_t node);
PW_EXPORT uint64_t pwgraph_in_degree(const struct pwgraph *graph, uint32_t node);

/*
 * True if nodes, two or more, are a path in the graph: an edge leads from each to the next. Cost: a
 * look at their lists.
 */
PW_EXPORT bool pwgraph_is_path(const struct pwgraph *graph, const uint32_t *nodes, size_t count);

/* A node's name; NULL if it has no name, or if there is no such node. */
PW_EXPORT const char *pwgraph_name(const struct pwgraph *graph, uint32_t node);

/* A node's id in the file; PWGRAPH_NONE if there is no such node. */
PW_EXPORT uint32_t pwgraph_id(const struct pwgraph *graph, uint32_t node);

/* The page of a node in its wiki (https://en.wikipedia.org/?curid=PAGE); 0 if it is not known. */
PW_EXPORT uint32_t pwgraph_page(const struct pwgraph *graph, uint32_t node);

/* True if the graph is from a wiki's dumps and has the pages of its nodes. */
PW_EXPORT bool pwgraph_has_pages(const struct pwgraph *graph);

/* The pages of many nodes in one call; pages: room for count numbers. */
PW_EXPORT void pwgraph_pages(const struct pwgraph *graph, const uint32_t *nodes, size_t count,
                             uint32_t *pages);

/*
 * The titles that redirect to a node in its wiki ("USA" to "United States"): the first `capacity`,
 * in the order of the snapshot, as strings of the graph. Returns how many there are; NULL for
 * titles only counts. 0 for a graph that is no wiki's snapshot, and for a node that it does not
 * have. In a damaged graph that was opened by_block, it may be 0, and a title may be "". The other
 * way, pwgraph_find takes a redirect for the node that it leads to.
 * Cost: the first call reads all redirects and makes an index, 4 bytes per node and per redirect,
 * 0.3 s per 10 million. Without memory for it, each call looks at all redirects, 3 ms per 10
 * million.
 */
PW_EXPORT size_t pwgraph_redirects(const struct pwgraph *graph, uint32_t node, const char **titles,
                                   size_t capacity);

/*
 * A fact about the snapshot of a wiki: "wiki" (enwiki), "address" (https://en.wikipedia.org),
 * "date" (of the dump, 20260901), "namespaces", and counts of what was read, as wikipedia-import
 * reports them ("articles"). False, and text is "", if it is not known.
 */
PW_EXPORT bool pwgraph_fact(const struct pwgraph *graph, const char *name,
                            char text[PWGRAPH_TEXT_SIZE]);

enum pwgraph_order {
    PWGRAPH_BY_NAME = 0,   /* by the bytes of the name */
    PWGRAPH_BY_DEGREE = 1, /* most edges, in and out, first */
};

/*
 * The nodes whose names start with prefix, or, if no name does, whose names do so without regard
 * to case, accents and underscores: the first `capacity` in an order, into nodes. Returns how many
 * are written. total, which may be NULL, gets how many there are; NULL for nodes only counts.
 * If more than 100,000 names have this start, the first 100,000 of the alphabet are considered.
 * Cost: the names with this start are compared; the first call may make the order of names
 * (pwgraph_order_names). 0 when out of memory for it.
 */
PW_EXPORT size_t pwgraph_complete(const struct pwgraph *graph, const char *prefix,
                                  enum pwgraph_order order, uint32_t *nodes, size_t capacity,
                                  size_t *total);

/*
 * A random node with out-edges; each is equally likely. state: of the random numbers, the caller's,
 * one per thread; it may begin with any value. False if the graph has no edges, or is damaged.
 * Cost: a few draws; after 1000, as most nodes have no out-edges, a look at all nodes.
 */
PW_EXPORT bool pwgraph_random_node(const struct pwgraph *graph, uint64_t *state, uint32_t *node);

enum pwgraph_connection {
    PWGRAPH_WEAK = 0,   /* two nodes are connected by a path that may follow edges backwards */
    PWGRAPH_STRONG = 1, /* a path leads from each of the two to the other */
};

/*
 * Find the connected components of a graph. components[u] becomes the number of the component of
 * node u, and PWGRAPH_NONE if there is no node u; it has capacity entries, at least node_limit
 * (pwgraph_get_arrays). *count, unless it is NULL, becomes the number of components, which are
 * numbered from 0: weak ones by their smallest node, strong ones so that every edge between two
 * leads to the smaller number. cancel: see pwgraph_cancel; or NULL. False with error set:
 * PWGRAPH_BAD_ARGUMENT, PWGRAPH_NO_MEMORY, PWGRAPH_CANCELLED, or PWGRAPH_BAD_INPUT for a damaged
 * graph that was opened by_block; then the numbers are of no use.
 * Cost: a look at every edge, by one thread; 24 bytes per node for strong ones.
 */
PW_EXPORT bool pwgraph_components(const struct pwgraph *graph, enum pwgraph_connection connection,
                                  uint32_t *components, size_t capacity, uint32_t *count,
                                  const volatile int *cancel, struct pwgraph_error *error);

/* Search --------------------------------------------------------------------------------------- */

/* The name of an engine, in the order of `bfs --list-engines`; NULL after the last. */
PW_EXPORT const char *pwgraph_engine(size_t index);

/*
 * Prepare to search. engine: a name of `bfs --list-engines`, or NULL for the fastest for single
 * questions. NULL on failure, with error set: PWGRAPH_BAD_ARGUMENT if there is no such engine, with
 * the known ones in the text; PWGRAPH_NO_MEMORY; or PWGRAPH_BAD_INPUT. Of a graph opened with
 * by_block, "bidirectional" reads what a search needs; any other engine reads all lists now, and
 * PWGRAPH_BAD_INPUT says which block is bad.
 * Freed by pwgraph_search_free. Cost: the default engine reserves 8 bytes per node, and uses them
 * for the nodes that it reaches.
 */
PW_EXPORT struct pwgraph_search *
pwgraph_search_create(const struct pwgraph *graph, const char *engine, struct pwgraph_error *error);

/* Free a search; NULL is fine. */
PW_EXPORT void pwgraph_search_free(struct pwgraph_search *search);

/*
 * Limit the searches from now on: timeout_ns nanoseconds each, 0 for none; cancel as for
 * pwgraph_cancel, or NULL. A search that meets a limit fails with PWGRAPH_TIMED_OUT or
 * PWGRAPH_CANCELLED. Cost: a look at flag and clock every few thousand nodes.
 */
PW_EXPORT void pwgraph_search_limit(struct pwgraph_search *search, uint64_t timeout_ns,
                                    const volatile int *cancel);

/*
 * From now on no path passes, begins or ends at one of these nodes; repeats are fine, and a count
 * of 0 ends it. nodes are copied. The search then goes from both ends whatever the engine. It takes
 * about twice as long as "bidirectional": on average 15 us in a generated graph of a million nodes.
 * It takes 36 to 72 bytes per node that it reaches, and twice as many per node to avoid. False with
 * error set, and nothing changed: PWGRAPH_BAD_ARGUMENT for a node that the graph does not have, or
 * PWGRAPH_NO_MEMORY.
 */
PW_EXPORT bool pwgraph_search_avoid(struct pwgraph_search *search, const uint32_t *nodes,
                                    size_t count, struct pwgraph_error *error);

/* What the last call for a search looked at. */
struct pwgraph_counts {
    enum pwgraph_code code; /* PWGRAPH_OK, or why it failed */
    uint64_t nodes;         /* whose neighbours were looked at; "array", "bitmap" and
                               "direction-optimizing" count all nodes of a level that they began */
    uint64_t edges;         /* entries of adjacency lists that were looked at */
    uint64_t nanoseconds;   /* of the search; of many pairs, from start to end of the call */
};
PW_EXPORT struct pwgraph_counts pwgraph_search_counts(const struct pwgraph_search *search);

/*
 * Find a shortest path from source to target. hops: its edges if there is one; else unchanged. May
 * be NULL. pwgraph_search_counts says why it failed. Cost: some 20 us with the default engine on a
 * graph of millions of nodes; other engines may look at all edges.
 */
PW_EXPORT enum pwgraph_answer pwgraph_search_run(struct pwgraph_search *search, uint32_t source,
                                                 uint32_t target, uint32_t *hops);

/*
 * Write the path of the last run to nodes: hops + 1 nodes, source and target included. Returns
 * false if it found none, if capacity (entries of nodes) is too small, when out of memory, or if a
 * damaged snapshot's two adjacencies contradict each other. The path may be asked for again, but is
 * gone after all other calls that search, and after _avoid.
 * Cost: a look at the lists of the nodes on the path, and at the numbers of the nodes reached.
 */
PW_EXPORT bool pwgraph_search_path(struct pwgraph_search *search, uint32_t *nodes, size_t capacity);

/*
 * Count the shortest paths of the pair of the last run, which found one, by a look at edges_max
 * edges at most. *count_at_most: how many, or UINT64_MAX if there are more; 0 if it is not known,
 * because it takes more edges. *digits, unless digits is NULL: their number as a text of the
 * search (as count of struct pwgraph_paths), valid until its next count; NULL if it is not known.
 * False with error set: PWGRAPH_BAD_ARGUMENT if the last call was no run that found a path, and the
 * failures of a search. If only the digits failed, *count_at_most is set. Cost: twice the search;
 * 50 ns per edge.
 */
PW_EXPORT bool pwgraph_search_count(struct pwgraph_search *search, uint64_t edges_max,
                                    uint64_t *count_at_most, const char **digits,
                                    struct pwgraph_error *error);

/*
 * Count the nodes that a node reaches, itself included, by a look at edges_max edges at most.
 * *reached is 0 if it takes more, and for a node that is avoided. False with error set. Cost: 36 to
 * 72 bytes per node reached; if edges_max are all edges of the graph, as pwgraph_search_levels.
 */
PW_EXPORT bool pwgraph_search_reached(struct pwgraph_search *search, uint32_t node,
                                      uint64_t edges_max, uint32_t *reached,
                                      struct pwgraph_error *error);

/*
 * Ask many pairs: hops[i] becomes the length of a shortest path from sources[i] to targets[i], or
 * PWGRAPH_NONE if there is no path. Three arrays of count entries.
 * threads: 0 for one per processor, at most 1024; each needs memory as a search does. The engine
 * "multi-source" makes hundreds of searches at once. Limits are of the whole call.
 * False with error set: PWGRAPH_BAD_ARGUMENT for a node that the graph does not have, hops being
 * unchanged; else hops of pairs without an answer are PWGRAPH_NOT_ASKED.
 * Cost: the single searches, divided by the threads.
 */
PW_EXPORT bool pwgraph_search_pairs(struct pwgraph_search *search, const uint32_t *sources,
                                    const uint32_t *targets, size_t count, unsigned threads,
                                    uint32_t *hops, struct pwgraph_error *error);

/*
 * All shortest paths of a pair, as the graph that they form. Read it; the library frees it. The
 * nodes of all paths are in nodes, by their distance from the source, then by number; the place of
 * a node is its index there. The nodes at distance d have the places levels[d] to levels[d + 1] -
 * 1; place 0 is the source, the last one the target. Links lead to the place p from the places
 * links[link_begins[p]] to links[link_begins[p + 1] - 1], ascending, all one nearer to the source.
 */
struct pwgraph_paths {
    uint32_t hops;         /* edges of each path; PWGRAPH_NONE: no path, and the arrays are NULL */
    size_t node_count;     /* places */
    const uint32_t *nodes; /* node_count */
    const size_t *levels;  /* hops + 2 */
    const size_t *link_begins; /* node_count + 1 */
    const uint32_t *links;     /* link_begins[node_count] */
    const char *count;         /* how many paths: a decimal number, exact up to 2^128 - 2; from
                                  there on "more than 3.4e38" */
    uint64_t count_at_most;    /* that number, or UINT64_MAX if it is larger */
};

/*
 * Find all shortest paths from source to target, which differ in at least a node, and which avoid
 * what the search avoids. NULL with error set; no path is no failure. Freed by pwgraph_paths_free,
 * before or after the search. Any number of threads may read it.
 * Cost: the search that counts, as for pwgraph_search_avoid, and at most one more look at the edges
 * that it has followed: on average 50 us in a generated graph of a million nodes, seven times the
 * search for one path.
 */
PW_EXPORT struct pwgraph_paths *pwgraph_search_all_paths(struct pwgraph_search *search,
                                                         uint32_t source, uint32_t target,
                                                         struct pwgraph_error *error);

/*
 * Find the paths that have `longer` edges more than a shortest one, and no node twice, except that
 * the source may be the target: 0 as above, 1 for one edge more; other numbers are
 * PWGRAPH_BAD_ARGUMENT. `hops` is the length of the longer paths. A node may have two places, at
 * two distances. A self-loop is on no longer path. If there is no such path, hops is PWGRAPH_NONE.
 * Cost: as for all shortest paths, and up to two more looks at the lists that the search has read.
 */
PW_EXPORT struct pwgraph_paths *pwgraph_search_longer_paths(struct pwgraph_search *search,
                                                            uint32_t source, uint32_t target,
                                                            uint32_t longer,
                                                            struct pwgraph_error *error);

/* Free the paths; NULL is fine. */
PW_EXPORT void pwgraph_paths_free(struct pwgraph_paths *paths);

/*
 * Write the first `limit` paths to nodes, a row of hops + 1 nodes each, as many as capacity
 * (entries of nodes) has room for; in the order of the nodes' numbers, read from the target's end.
 * Returns how many rows; 0 also when out of memory. Cost: the nodes written.
 */
PW_EXPORT uint64_t pwgraph_paths_list(const struct pwgraph_paths *paths, uint64_t limit,
                                      uint32_t *nodes, size_t capacity);

/*
 * Call visit with each of these paths instead, hops + 1 nodes that are valid during the call, until
 * it returns false. Returns false when out of memory; then it is not called.
 */
PW_EXPORT bool pwgraph_paths_walk(const struct pwgraph_paths *paths, uint64_t limit,
                                  bool (*visit)(void *context, const uint32_t *nodes,
                                                uint32_t hops),
                                  void *context);

enum pwgraph_direction {
    PWGRAPH_FROM = 0, /* from a node to all others, along the edges */
    PWGRAPH_TO = 1,   /* from all others to a node */
};

/*
 * Let pwgraph_search_distances, _levels, _reached, _reach and _diameter, which walk through the
 * graph level by level, use that many threads from now on, at most 1024; 0 for one per processor.
 * At first it is 1. The next walk takes the memory. False with error set.
 */
PW_EXPORT bool pwgraph_search_threads(struct pwgraph_search *search, unsigned threads,
                                      struct pwgraph_error *error);

/*
 * Find all distances from a node, or to it. hops[u] becomes the distance of node u: 0 for the node
 * itself, PWGRAPH_NONE if there is no path. parents[u] becomes the node before u on some shortest
 * path (PWGRAPH_FROM), or after u (PWGRAPH_TO); PWGRAPH_NONE for the node itself, and without a
 * path. Of several such nodes it may be any; pwgraph_search_levels has the first in a queue. One
 * of the two may be NULL. Both have capacity entries, at least node_limit (pwgraph_get_arrays).
 * False with error set; hops and parents then hold the nodes reached so far.
 * Cost, with any engine, of a full search with "direction-optimizing": distances 1.1 times as much;
 * parents 1.1 in a graph with hubs as large as Kronecker's, 1.2 to 1.6 elsewhere; both together 1.2
 * to 1.8. 5 bytes per node.
 */
PW_EXPORT bool pwgraph_search_distances(struct pwgraph_search *search, uint32_t node,
                                        enum pwgraph_direction direction, uint32_t *hops,
                                        uint32_t *parents, size_t capacity,
                                        struct pwgraph_error *error);

/*
 * The nodes that some nodes reach, level by level, in the memory of the search: valid until its
 * next call. The nodes at distance d are nodes[begins[d]] to nodes[begins[d + 1] - 1]; level 0 has
 * the nodes that were given, without repeats and those to avoid. No level is empty.
 */
struct pwgraph_levels {
    size_t level_count;         /* 0 if all nodes given are to be avoided */
    const size_t *begins;       /* level_count + 1 entries; the last is the number of nodes */
    const uint32_t *nodes;      /* begins[level_count] entries */
    const uint32_t *found_from; /* PWGRAPH_QUEUE_TREE: the node from which each node was found
                                   first; the entries of level 0 have no meaning. Else NULL */
};

enum pwgraph_level_order {
    PWGRAPH_ANY_ORDER = 0,   /* within a level: fastest */
    PWGRAPH_QUEUE_ORDER = 1, /* the order of a search with a queue: nodes found from the first node
                                of the level before come first, in the order of its neighbours */
    PWGRAPH_QUEUE_TREE = 2,  /* that order, and found_from */
};

/*
 * Find the nodes within hops_max hops of some nodes (PWGRAPH_FROM), or from which these are within
 * as many hops (PWGRAPH_TO), by their distance from the nearest; PWGRAPH_NONE: all. False with
 * error set; levels then have the nodes reached so far.
 * Cost: in any order, as pwgraph_search_distances without writing the distances; in queue order,
 * what a full search with "array" costs, by one thread. 5 bytes per node; 4 more for the tree.
 */
PW_EXPORT bool pwgraph_search_levels(struct pwgraph_search *search, const uint32_t *nodes,
                                     size_t count, enum pwgraph_direction direction,
                                     uint32_t hops_max, enum pwgraph_level_order order,
                                     struct pwgraph_levels *levels, struct pwgraph_error *error);

/* What a node reaches, or what reaches it. */
struct pwgraph_reach {
    uint64_t farness;      /* the sum of the distances of all nodes reached */
    double harmonic;       /* the sum of 1 / distance of the other nodes reached */
    uint32_t eccentricity; /* the largest of these distances */
    uint32_t reached;      /* nodes, the node itself included; 0 for a node that is avoided */
};

/*
 * Find the reach of each of many nodes; reach has count entries. The largest eccentricity of all
 * nodes is the diameter of the graph, the smallest its radius; the sum of farness divided by the
 * pairs is the mean distance. False with error set; then reached is 0 for nodes without an answer.
 * Limits are of the whole call.
 * Cost: of fewer than 128 nodes, one walk each as for pwgraph_search_levels; of more, 512 searches
 * at once, by one thread, and 200 bytes per node of the graph.
 */
PW_EXPORT bool pwgraph_search_reach(struct pwgraph_search *search, const uint32_t *nodes,
                                    size_t count, enum pwgraph_direction direction,
                                    struct pwgraph_reach *reach, struct pwgraph_error *error);

/*
 * How large a graph is: a value is between two bounds, which are equal once it is known. All nodes
 * and distances are of the largest strong component, inside of which a path leads from each node to
 * each other one; of several that are largest, of any. If it has all nodes of the graph, these are
 * the diameter and the radius of the graph.
 */
struct pwgraph_diameter {
    uint32_t nodes;                      /* of the component; 0 if the graph has no nodes */
    uint32_t diameter_min, diameter_max; /* the largest distance of two nodes */
    uint32_t radius_min, radius_max;     /* the largest distance from a node of the centre */
    uint32_t center;                     /* a node within radius_max hops of which all others are */
    uint32_t from, to;                   /* two nodes at a distance of diameter_min */
    uint32_t walks;                      /* through the graph, one way, that it took */
};

/*
 * Find the exact diameter and radius by a few walks from chosen nodes, not from all of them. least,
 * unless it is NULL, has capacity entries, at least node_limit (pwgraph_get_arrays): least[u]
 * becomes the least eccentricity that node u can have by these walks, and PWGRAPH_NONE if node u is
 * not in the component. So the nodes of the centre are among those for which it is the radius at
 * most.
 * False with error set: PWGRAPH_BAD_ARGUMENT also for a search that avoids nodes, PWGRAPH_BAD_INPUT
 * also if a damaged snapshot's two adjacencies contradict each other. After
 * PWGRAPH_TIMED_OUT or PWGRAPH_CANCELLED, found and least have what is known so far: nodes is 0
 * before the component is known, and from and to are PWGRAPH_NONE before the first walk. The limit
 * of time is of the whole call, and first looked at before that walk.
 * Cost: the strong components, then walks as for pwgraph_search_levels: 34 in a graph shaped like
 * Wikipedia of 3.6 million nodes, a few dozen in most others. A random graph of uniform degrees is
 * the bad case, as most of its nodes need a walk. 32 bytes per node.
 */
PW_EXPORT bool pwgraph_search_diameter(struct pwgraph_search *search,
                                       struct pwgraph_diameter *found, uint32_t *least,
                                       size_t capacity, struct pwgraph_error *error);

enum pwgraph_ends {
    PWGRAPH_WITHOUT_ENDS = 0, /* a path passes the nodes between its ends */
    PWGRAPH_WITH_ENDS = 1,    /* and its source and its target */
};

/*
 * The betweenness centrality: sums[u] becomes, over all pairs of one of the sources and another
 * node, the sum of the share of their shortest paths that pass node u. Repeated edges are one edge.
 * sums has capacity entries, at least node_limit (pwgraph_get_arrays). With every node as a source
 * it is exact; in a graph whose edges go both ways each pair counts twice. Random sources, a few
 * hundred, give an estimate: multiply it by the nodes per source. A source that is to be avoided
 * counts nothing. pwgraph_search_threads says how many threads share the sources; the same number
 * gives the same sums to the last bit. Limits are of the whole call. False with error set; sums are
 * then of no use.
 * Cost: two looks at every edge per source, and a search; 40 bytes per node and thread.
 */
PW_EXPORT bool pwgraph_search_betweenness(struct pwgraph_search *search, const uint32_t *sources,
                                          size_t count, enum pwgraph_ends ends, double *sums,
                                          size_t capacity, struct pwgraph_error *error);

#ifdef __cplusplus
}
#endif
#endif
