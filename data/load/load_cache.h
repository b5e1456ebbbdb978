/*
 * load_cache.h - the folder with snapshots of the texts that were read.
 */
#pragma once

#include "data/graph/graph_options.h"
#include "data/store/graph_source.h"
#include <limits.h>

/* The folder, made for its user only if it is missing. wanted: "" for the user's. False with error
 * set. */
bool load_cache_folder(const char *wanted, char folder[PATH_MAX], struct graph_error *error);

/* The name of the snapshot for a source and options. False if it is too long. */
bool load_cache_path(const char *folder, const struct graph_source *source,
                     const struct graph_options *options, char path[PATH_MAX]);

/* Let nobody but the user read a snapshot that is begun, unless everybody may read the graph and
 * its names. False with errno set. */
bool load_cache_protect(int fd, const char *path, const struct graph_options *options);
