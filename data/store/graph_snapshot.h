/*
 * graph_snapshot.h - a graph as it lies in memory, in a file that is mapped and not read.
 *
 * A header of 4 KiB (magic, version, byte order, counts, what it was made from, checksums), then
 * the arrays, each at a multiple of 64 KiB. Processes that map one share its pages.
 */
#pragma once

#include "data/graph/graph.h"
#include "graph_source.h"

/* What of the options went into a snapshot. */
#define GRAPH_SNAPSHOT_REPEATED   1u
#define GRAPH_SNAPSHOT_REVERSED   2u
#define GRAPH_SNAPSHOT_UNDIRECTED 4u
#define GRAPH_SNAPSHOT_COMPACT    8u

/* The flags of a load with these options. */
unsigned graph_snapshot_flags(const struct graph_options *options);

/* Whether these are the first bytes of a snapshot, of any version. */
bool graph_snapshot_begins(const char *bytes, size_t length);

/* *is_one: whether a file is a snapshot, of any version. False with error set when it cannot be
 * opened and read. */
bool graph_snapshot_recognise(const char *path, bool *is_one, struct graph_error *error);

/*
 * Write a snapshot, whole or not at all (file_replace.h). source: what to record, or NULL.
 * cancel: give up when it is not zero; or NULL. False with error set.
 */
bool graph_snapshot_save(const struct graph *graph, const char *path,
                         const struct graph_source *source, unsigned flags,
                         const volatile sig_atomic_t *cancel, struct graph_error *error);

/* Adds the reverse adjacency to a graph. False with error set. */
typedef bool graph_snapshot_make(void *context, struct graph_error *error);

/*
 * The same for a graph without a reverse adjacency, unless make is NULL: make adds it, in this
 * thread, while another one writes the rest. False also when make says so.
 */
bool graph_snapshot_save_and(graph_snapshot_make *make, void *context, const struct graph *graph,
                             const char *path, const struct graph_source *source, unsigned flags,
                             const volatile sig_atomic_t *cancel, struct graph_error *error);

enum graph_snapshot_state {
    SNAPSHOT_GOOD,
    SNAPSHOT_BAD,   /* foreign, truncated or corrupt: error says which */
    SNAPSHOT_STALE, /* its source has changed since */
};

/*
 * Map a snapshot. Always checked: the checksums of header and arrays, the file's length, that
 * offsets ascend, that neighbours are nodes and names end in the file, and the source's size and
 * time where the source is there; options->verify: the source's hash. Not checked: that the reverse
 * adjacency and the original ids belong to the graph, which checksums say unless they were forged.
 * source and flags get what was recorded as far as the header is good, else zero.
 * Cost: one pass over the file, by a thread per array.
 */
enum graph_snapshot_state graph_snapshot_open(const char *path, const struct graph_options *options,
                                              struct graph *graph, struct graph_source *source,
                                              unsigned *flags, struct graph_error *error);
