/*
 * names_file.h - the names of a graph of ids, from a file of their own.
 *
 * What it may look like: data/names/name_table.h.
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

/* Whether the names take at most the bytes allowed. False with error set. */
bool names_fit_memory(const struct graph_names *names, uint64_t allowed, const char *path,
                      struct graph_error *error);
