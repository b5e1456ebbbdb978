/*
 * answer.h - one question and its answer, for --from and --to as for the prompt.
 *
 * An answer is found by any engine, its path is checked edge by edge, and it is written as a person
 * reads it: the path, its hops, the time of the search, and how many shortest paths there are.
 */
#pragma once

#include "bfs/run/answer_check.h"
#include "path_count.h"
#include <stdio.h>

struct asker {
    const struct graph *graph;
    const struct search_engine *engine;
    struct search_limits limits; /* of every search */
    void *workspace;
    struct answer_check check;
    struct path_count paths;
    const char **path; /* of the last answer */
};

struct answer {
    struct pair pair;
    struct search_result result;
    const char *const *path; /* if found: what the result.hops + 1 nodes are called, until the next
                                question */
    const uint32_t *nodes;   /* of the path, as long */
    uint64_t path_count;     /* shortest paths; 0: not counted, it would take long */
    uint32_t hops_back;      /* if not found: from the target to the source, or SEARCH_HOPS_NONE */
    bool is_verified;        /* by the plain search that shares nothing with the engines */
};

/*
 * The graph must outlive this; paths are counted where it has its reverse adjacency. verify:
 * compare each answer with a plain search. False when out of memory; then nothing is to be closed.
 */
bool asker_open(struct asker *asker, const struct graph *graph, const struct search_engine *engine,
                const struct search_limits *limits, bool verify);
void asker_close(struct asker *asker);

/* Answer a question. False with error set: out of memory, a signal, the
 * time limit, or a wrong answer. */
bool asker_ask(struct asker *asker, struct pair pair, struct answer *answer,
               struct command_error *error);

/* Add what else a person is told: the number of shortest paths; or, if there is none, the way back.
 * False like asker_ask. */
bool asker_complete(struct asker *asker, struct answer *answer, struct command_error *error);

/* Call emit for the first list_limit of all shortest paths of a pair; *count is their number, set
 * before the first call. False when out of memory. */
bool answer_shortest_paths(const struct graph *graph, struct pair pair, uint64_t list_limit,
                           shortest_path_emit *emit, void *context, uint64_t *count);

/* The page of a node in a graph from a wiki's dumps; else 0. */
uint32_t answer_page(const struct graph *graph, uint32_t node);

/* The answer in words, in lines that fit `columns` columns as far as the names do. */
void answer_write(FILE *out, const struct graph *graph, const struct answer *answer,
                  unsigned columns);

/* The same with the first list_limit of all shortest paths in place of the one. False when out of
 * memory. */
bool answer_write_all(FILE *out, const struct graph *graph, const struct answer *answer,
                      uint64_t list_limit, unsigned columns);

/* How many nodes are at each distance from a node, as bars. False when out of memory. */
bool answer_write_histogram(FILE *out, const struct graph *graph, uint32_t source,
                            unsigned columns);
