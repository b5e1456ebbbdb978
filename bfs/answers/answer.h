/*
 * answer.h - one question and its answer, for --from and --to.
 *
 * The library answers (pwgraph.h); here its path is checked edge by edge, and all that an answer
 * says is asked for in turn. Then it is written in words; answer_json.h has the
 * other form.
 */
#pragma once

#include "base/program/command_error.h"
#include "bfs/pwgraph/pwgraph.h"
#include <stdio.h>

struct answer;

struct question {
    uint32_t source, target;
};

struct asker {
    const struct pwgraph *graph;
    struct pwgraph_search *search;
    const char *engine;         /* its name, for messages */
    bool verify;                /* compare each answer with a plain search */
    const volatile int *cancel; /* or NULL */
    uint32_t *nodes;            /* of the last path */
    const char **path;          /* its names */
    const uint32_t *avoided;    /* borrowed */
    size_t avoided_count;
    /* If not NULL: asker_complete calls it for an answer without a path, before it counts the rest,
     * which may take a second. False with error set ends it. */
    bool (*begin)(void *context, const struct answer *answer, struct command_error *error);
    void *begin_context;
};

struct answer {
    struct question question;
    bool found;
    uint32_t hops;                /* if found */
    struct pwgraph_counts counts; /* of the search */
    const char *const *path;      /* if found: the names of the hops + 1 nodes, until the next
                                     question */
    const uint32_t *nodes;        /* of the path, as long */
    uint64_t path_count;     /* shortest paths, or UINT64_MAX if there are more; 0: not counted */
    const char *path_digits; /* their number, until the next question; or NULL: not known */
    uint32_t hops_back;      /* if not found: from target to source, or PWGRAPH_NONE */
    uint32_t reached;        /* if not found: nodes that the source reaches, itself included;
                                     0: not counted */
    bool is_short;           /* of memory: a number is not known for lack of it */
    bool is_begun;           /* the asker's begin was called */
    const struct pwgraph_paths *longer; /* if asked for: all paths that are one edge longer */
    const char *notes[2];    /* how source and target were spelt, if not as their names; or NULL */
    bool is_verified;        /* by a plain search that shares nothing with the engines */
    const uint32_t *avoided; /* the nodes that its path avoids, until the next asker_avoid */
    size_t avoided_count;
};

/* The distances of all nodes from one. */
struct answer_distances {
    const struct pwgraph *graph;
    uint32_t source;
    uint64_t *levels; /* how many nodes are 0, 1, 2, ... hops away; level_count of them */
    size_t level_count;
    uint64_t reached;     /* their sum */
    uint32_t around_hops; /* from the source to itself with an edge, or PWGRAPH_NONE */
    struct pwgraph_counts counts;
};

/*
 * The graph must outlive this. engine: a name, as of pwgraph_search_create. Limits: as of
 * pwgraph_search_limit. False with error set; then there is nothing to close.
 */
bool asker_open(struct asker *asker, const struct pwgraph *graph, const char *engine,
                uint64_t timeout_ns, const volatile int *cancel, bool verify,
                struct command_error *error);
void asker_close(struct asker *asker);

/*
 * From now on no path passes, begins or ends at one of these nodes, which are the graph's and must
 * outlive the asker; repeats are fine; so is an empty list. False with error set; then the nodes
 * to avoid are as before.
 */
bool asker_avoid(struct asker *asker, const uint32_t *nodes, size_t count,
                 struct command_error *error);

/* Answer a question. False with error set: out of memory, a signal, the time limit, a damaged
 * graph, or a wrong answer. */
bool asker_ask(struct asker *asker, struct question question, struct answer *answer,
               struct command_error *error);

/* Add the number of shortest paths to the answer of the last question; or, if there is no path, the
 * way back, and how many nodes the source reaches. Returns false as asker_ask does. */
bool asker_complete(struct asker *asker, struct answer *answer, struct command_error *error);

/*
 * Find all paths of an answer's pair that are `longer` edges longer than a shortest one. In a graph
 * that is read by block, the names of the first list_limit paths are read, too, so that they may be
 * written. For pwgraph_paths_free; NULL with error set.
 */
struct pwgraph_paths *asker_paths(struct asker *asker, const struct answer *answer, uint32_t longer,
                                  uint64_t list_limit, struct command_error *error);

/*
 * Find the distances of all nodes from one, around the nodes to avoid. False with error set, also
 * if the node is to be avoided; else close the distances.
 */
bool asker_distances(struct asker *asker, uint32_t source, struct answer_distances *distances,
                     struct command_error *error);
void answer_distances_close(struct answer_distances *distances);

/* True if no bad block of the graph's file was met. Else false with error set. */
bool answer_graph_is_whole(const struct pwgraph *graph, struct command_error *error);

/* True if the answer avoids a node. */
bool answer_avoids(const struct answer *answer, uint32_t node);

/* The names of nodes, in one block for free(3). NULL: out of memory. */
const char **answer_names(const struct pwgraph *graph, const uint32_t *nodes, size_t count);

/* The first line of an answer without a path, in words; for the asker's begin. It is flushed. False
 * with errno set when it cannot be written. */
bool answer_begin(FILE *out, const struct pwgraph *graph, const struct answer *answer);

/* The answer in words: a path is one line, or several that fit `columns` columns unless a name is
 * longer. If it is begun, without its first line. */
void answer_write(FILE *out, const struct pwgraph *graph, const struct answer *answer,
                  unsigned columns);

/* The answer in words with the first list_limit of all its shortest paths instead of one path, and
 * then of the longer ones. False when out of memory. */
bool answer_write_all(FILE *out, const struct pwgraph *graph, const struct answer *answer,
                      const struct pwgraph_paths *paths, uint64_t list_limit, unsigned columns);

/* Write the number of nodes at each distance from a node, as bars. */
void answer_write_histogram(FILE *out, const struct answer_distances *distances, unsigned columns);
