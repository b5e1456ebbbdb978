/*
 * answer_check.h - judges an answer after the search: reads its path, checks the path edge by edge,
 * and compares the answer with a plain, slow search that shares nothing with the engines.
 */
#pragma once

#include "base/program/command_error.h"
#include "bfs/engines/parts/distances.h"

struct answer_check {
    const struct graph *graph;
    bool paths;                 /* read and check the path of every answer */
    bool verify;                /* compare every answer */
    struct distances distances; /* only to verify */
    uint32_t *nodes;            /* the path of the last answer, its hops + 1 nodes */
    const uint32_t *avoided;    /* nodes that no path may have; borrowed */
    size_t avoided_count;
};

/* False when out of memory. An all-zero struct may be closed. */
bool answer_check_open(struct answer_check *check, const struct graph *graph, bool paths,
                       bool verify);
void answer_check_close(struct answer_check *check);

/* From now on an answer is right if its path is a shortest of those without these nodes, which must
 * outlive this. */
void answer_check_avoid(struct answer_check *check, const uint32_t *nodes, size_t count);

/*
 * Check the answer that the workspace just gave. If it is wrong: false, and error has a line such
 * as "17 to 20: array says 3 hops, the check 4".
 */
bool answer_check(struct answer_check *check, const struct search_engine *engine, void *workspace,
                  struct pair pair, const struct search_result *result,
                  struct command_error *error);

/* The names of the hops + 1 nodes of a path, in one block for free(3). NULL: out of memory. */
const char **answer_path_labels(const struct graph *graph, const uint32_t *nodes, uint32_t hops);
