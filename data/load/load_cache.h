/*
 * load_cache.h - the folder with snapshots of the texts that were read.
 */
#pragma once

#include "data/graph/graph_options.h"
#include "data/store/graph_source.h"
#include <limits.h>

/* The folder, made if it is missing. wanted: "" for the user's. False with error set. */
bool load_cache_folder(const char *wanted, char folder[PATH_MAX], struct graph_error *error);

/* The name of the snapshot for a source and options. False if it is too long. */
bool load_cache_path(const char *folder, const struct graph_source *source,
                     const struct graph_options *options, char path[PATH_MAX]);
