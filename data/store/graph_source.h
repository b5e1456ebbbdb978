/*
 * graph_source.h - the file that a graph was read from, and whether it has changed since.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The file from which a snapshot was made. */
struct graph_source {
    uint64_t size;
    int64_t modified_ns;
    uint64_t hash;   /* XXH3 of 64 bits, of the whole file */
    char path[1000]; /* absolute; empty: not recorded */
};

/*
 * Describe a file as a source. hash: read the whole file for its hash. On failure false with errno
 * set: EINVAL if it is not a regular file, ENOENT if it does not exist.
 */
bool graph_source_of(const char *path, bool hash, struct graph_source *source);

/*
 * True if the source is unchanged, or no longer exists. wholly: read and compare all of it, even if
 * its size and time are unchanged.
 */
bool graph_source_is_fresh(const struct graph_source *recorded, bool wholly);
