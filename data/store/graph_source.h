/*
 * graph_source.h - the file that a graph was read from, and whether it has changed since.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The file that a snapshot was made from. */
struct graph_source {
    uint64_t size;
    int64_t modified_ns;
    uint64_t hash;   /* XXH3 of 64 bits, of the whole file */
    char path[1000]; /* absolute; empty: not recorded */
};

/*
 * Describe a file as a source. hash: read it all for its hash. False with errno set when that
 * cannot be done; EINVAL where it is no regular file, ENOENT where there is none.
 */
bool graph_source_of(const char *path, bool hash, struct graph_source *source);

/*
 * Whether the source is still what it was; also when it is not there any more. wholly: all of it,
 * though size and time are as they were.
 */
bool graph_source_is_fresh(const struct graph_source *recorded, bool wholly);
