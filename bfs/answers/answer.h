/*
 * answer.h - one question and its answer, for --from and --to and for the prompt.
 *
 * Any engine may find the answer. Its path is checked edge by edge, and it is written for people:
 * the path, its hops, the time of the search, and the number of shortest paths.
 */
#pragma once

#include "bfs/pwgraph/paths/path_graph.h"
#include "bfs/run/answer_check.h"
#include <stdio.h>

struct answer;

struct asker {
    const struct graph *graph;
    const struct search_engine *engine;
    struct search_limits limits; /* of every search */
    void *workspace;
    struct answer_check check;
    struct path_count paths;  /* with nodes to avoid it makes the searches, too */
    const char **path;        /* of the last answer */
    char *digits;             /* of its number of paths */
    uint64_t reach_edges_max; /* nodes reached are counted over at most so many edges; 0: all */
    /* If not NULL: asker_complete calls it for an answer without a path, before it counts the rest,
     * which may take a second. False with error set ends it. */
    bool (*begin)(void *context, const struct answer *answer, struct command_error *error);
    void *begin_context;
};

struct answer {
    struct pair pair;
    struct search_result result;
    const char *const *path; /* if found: the names of the result.hops + 1 nodes, until the next
                                question */
    const uint32_t *nodes;   /* of the path, as long */
    uint64_t path_count;     /* shortest paths; 0: not counted, it would take long */
    const char *path_digits; /* if path_count is UINT64_MAX: the number, until the next question;
                                NULL: it would take long */
    uint32_t hops_back;      /* if not found: from target to source, or SEARCH_HOPS_NONE */
    uint32_t reached;        /* if not found: nodes that the source leads to; see is_counted */
    bool is_counted;         /* reached is known */
    bool is_short;           /* of memory: path_digits or reached is unknown for lack of it */
    bool is_begun;           /* the asker's begin was called */
    const struct path_graph *longer; /* if asked for: all paths that are one edge longer */
    const char *notes[2];    /* how source and target were spelt, if not as their names; or NULL */
    bool is_verified;        /* by a plain search that shares nothing with the engines */
    const uint32_t *avoided; /* the nodes that its path avoids, until the next asker_avoid */
    size_t avoided_count;
};

/*
 * The graph must outlive this; paths are counted only if it has its reverse adjacency. verify:
 * compare each answer with a plain search. False when out of memory; then there is nothing to
 * close.
 */
bool asker_open(struct asker *asker, const struct graph *graph, const struct search_engine *engine,
                const struct search_limits *limits, bool verify);
void asker_close(struct asker *asker);

/*
 * From now on no path passes, begins or ends at one of these nodes, which are the graph's; repeats
 * are fine, and no nodes are none. Searches go from both ends (path_count.h) instead of by the
 * engine. The graph needs its reverse adjacency. False when out of memory; then the nodes to avoid
 * are as before.
 */
bool asker_avoid(struct asker *asker, const uint32_t *nodes, size_t count);

/* Answer a question. False with error set: out of memory, a signal, the time limit, or a wrong
 * answer. */
bool asker_ask(struct asker *asker, struct pair pair, struct answer *answer,
               struct command_error *error);

/* Add the number of shortest paths; or, if there is no path, the way back, and how many nodes the
 * source leads to. Returns false as asker_ask does. */
bool asker_complete(struct asker *asker, struct answer *answer, struct command_error *error);

/* Find all shortest paths of a pair, in a graph with its reverse adjacency. False when out of
 * memory; the paths are to be freed in any case. */
bool answer_all_paths(const struct graph *graph, struct pair pair, struct path_graph *paths);

/* The same for an answer's pair, around the nodes that the answer avoids. */
bool answer_shortest_paths(const struct graph *graph, const struct answer *answer,
                           struct path_graph *paths);

/*
 * The same by the asker, within its limits. In a graph that is read by block it also checks the
 * names of the first list_limit paths, so that they may be written. False with error set: out of
 * memory, a signal, the time limit, or a damaged graph; then there is nothing to free.
 */
bool asker_all_paths(struct asker *asker, const struct answer *answer, uint64_t list_limit,
                     struct path_graph *paths, struct command_error *error);

/* The same for the paths that are one edge longer (path_graph_make_longer). */
bool asker_longer_paths(struct asker *asker, const struct answer *answer, uint64_t list_limit,
                        struct path_graph *paths, struct command_error *error);

/*
 * Find the distances of all nodes from one, as far as the nodes to avoid allow, within the asker's
 * limits. result: of that walk. False with error set, as above, or if the node is to be avoided;
 * else close the distances.
 */
bool asker_distances(struct asker *asker, uint32_t source, struct distances *distances,
                     struct search_result *result, struct command_error *error);

/* True if the answer avoids a node. */
bool answer_avoids(const struct answer *answer, uint32_t node);

/* The page id of a node in a graph made from a wiki's dumps; else 0. */
uint32_t answer_page(const struct graph *graph, uint32_t node);

/* The first line of an answer without a path, in words; for the asker's begin. It is flushed. False
 * with errno set when it cannot be written. */
bool answer_begin(FILE *out, const struct graph *graph, const struct answer *answer);

/* The answer in words: a path is one line, or several that fit `columns` columns as far as names
 * do. If it is begun, without its first line. */
void answer_write(FILE *out, const struct graph *graph, const struct answer *answer,
                  unsigned columns);

/* The same with the first list_limit of all its shortest paths instead of one path, and then of the
 * longer ones. False when out of memory. */
bool answer_write_all(FILE *out, const struct graph *graph, const struct answer *answer,
                      const struct path_graph *paths, uint64_t list_limit, unsigned columns);

/* Write the number of nodes at each distance from a node, as bars. */
void answer_write_histogram(FILE *out, const struct distances *distances, unsigned columns);
