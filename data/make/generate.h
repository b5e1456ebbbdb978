/*
 * generate.h - makes graphs shaped like Wikipedia 2007 or like a textbook's, and random pairs, from
 * a seed.
 *
 * The same options give the same graph, bit for bit, on every machine and with any number of
 * threads: all arithmetic is integer, and each node has its own stream of random numbers. Node ids
 * start at 1, and each adjacency list ascends. Repeated edges and self-loops may occur, as in real
 * link graphs, but are rare. generate.c describes the model, README.md how close it comes to the
 * real graph. Nothing here prints or exits: a function that fails returns false and fills a struct
 * graph_error. Functions may be called from several threads at once.
 */
#pragma once

#include "data/read/pairs.h"
#include "graph_model.h"

/* The size of the real graph, SuiteSparse Gleich/wikipedia-20070206. */
#define GRAPH_WIKIPEDIA_NODES UINT32_C(3566907)
#define GRAPH_WIKIPEDIA_EDGES UINT64_C(45030389)

struct pairs_generate_options {
    size_t count;   /* at least 1 */
    uint64_t seed;  /* any value */
    size_t targets; /* consecutive pairs per source; 0 and 1: each has its own */
};

/* True if an argument in place of a graph file asks for a generated graph: "generate:...". */
bool graph_generate_is_spec(const char *spec);

/*
 * Read "generate:nodes=400k,edges=5M,seed=1". Every part may be left out: nodes is 400k by default,
 * edges follows from nodes at the real graph's 12.6 edges per node, seed is 1; "generate:wikipedia"
 * (alone or with a seed) is the real graph's size. A word at the start chooses another model:
 * "generate:kronecker,scale=16,seed=1" (2^16 nodes), "generate:uniform,nodes=400k,
 * edges=6.4M,seed=1" (by default 16 edges per node), "generate:grid,rows=1000,columns=1000" (by
 * default as many columns as rows). Numbers may end in k, M or G (thousands), and then may have
 * decimals (12.6M). Returns false with error set when the text is anything else;
 * options is filled only on success.
 */
bool graph_generate_parse(const char *spec, struct graph_generate_options *options,
                          struct graph_error *error);

/*
 * Generate a graph. graph: filled on success, zeroed on failure; the caller frees it with
 * graph_free. Takes 4 bytes per edge and 8 per node, and another 8 per node while it makes a
 * Wikipedia graph. Fails if that does not fit in memory.
 */
bool graph_generate(const struct graph_generate_options *options, struct graph *graph,
                    struct graph_error *error);

/* True if an argument in place of a file of pairs asks for random ones: "random:...". */
bool pairs_generate_is_spec(const char *spec);

/* Read "random:100,seed=7,targets=1"; count is 100, seed and targets 1 by default. As
 * graph_generate_parse. */
bool pairs_generate_parse(const char *spec, struct pairs_generate_options *options,
                          struct graph_error *error);

/*
 * Random pairs, source and target each uniform over all nodes of the graph; the two may be the same
 * node. Only first_node, node_limit and original_ids are used: a renumbered graph gives the same
 * pairs in the ids of the file. pairs: filled on success, zeroed on failure; the caller frees it
 * with pairs_free.
 */
bool pairs_generate(const struct graph *graph, const struct pairs_generate_options *options,
                    struct pairs *pairs, struct graph_error *error);
