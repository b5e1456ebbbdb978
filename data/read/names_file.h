/*
 * names_file.h - the names of a graph of ids, from a file of their own.
 *
 * One name per line: line k is for node k, counted from the graph's first. Leading comments (# or
 * %) and the empty lines after them are skipped, as in an edge list. CSV and TSV serve too: a
 * heading says which column is the "name" (or title, label, article) and which the "id" (or node),
 * if there is one; without a heading, two columns are an id and its name. A name in quotes may hold
 * commas, and a quote written twice.
 */
#pragma once

#include "data/graph/graph_names.h"
#include <signal.h>

/*
 * Read the names. has_ids: whether the file says which id each name is for, so that first_id of the
 * result is set. memory_limit: bytes that the names may take. cancel: as in graph_options. Returns
 * NULL with error set.
 */
struct graph_names *names_file_load(const char *path, bool *has_ids, uint64_t memory_limit,
                                    const volatile sig_atomic_t *cancel, struct graph_error *error);

/*
 * How many names stand for a further node although an earlier one has them; first: the number of
 * one such. 0 also when out of memory.
 */
uint32_t names_file_repeats(struct graph_names *names, uint32_t *first);

/* Whether the names take at most the bytes allowed. False with error set. */
bool names_fit_memory(const struct graph_names *names, uint64_t allowed, const char *path,
                      struct graph_error *error);
