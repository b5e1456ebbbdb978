/*
 * names_file.h - the names of a graph of ids, from a separate file.
 *
 * Its formats: name_table.h.
 */
#pragma once

#include "data/graph/graph_names.h"
#include <signal.h>

struct text_decoder;

/*
 * Read the names. decoder: as for text_source_open. has_ids: true if the file has an id for each
 * name, so that first_id of the result is set. memory_limit: bytes that the names may take.
 * cancel: as in graph_options. Returns NULL with error set.
 */
struct graph_names *names_file_load(const char *path, const struct text_decoder *decoder,
                                    bool *has_ids, uint64_t memory_limit,
                                    const volatile sig_atomic_t *cancel, struct graph_error *error);
