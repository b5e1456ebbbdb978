/*
 * graph_snapshot.h - a graph's memory image in a file, which is mapped and not read.
 *
 * A header of 4 KiB (magic, version, byte order, counts, what it was made from, its checksum), then
 * the arrays, each at a multiple of 64 KiB, then a checksum of each block of 4 KiB. Processes that
 * map one share its pages.
 */
#pragma once

#include "base/program/file_replace.h"
#include "data/graph/graph.h"
#include "data/graph/graph_options.h"
#include "graph_source.h"
#include "snapshot_ahead.h"

/* The options that affect a snapshot. */
#define GRAPH_SNAPSHOT_REPEATED   1u
#define GRAPH_SNAPSHOT_REVERSED   2u
#define GRAPH_SNAPSHOT_UNDIRECTED 4u
#define GRAPH_SNAPSHOT_COMPACT    8u

/* The flags of a load with these options. */
unsigned graph_snapshot_flags(const struct graph_options *options);

/* True if these are the first bytes of a snapshot, of any version. */
bool graph_snapshot_begins(const char *bytes, size_t length);

/* *is_one: true if a file is a snapshot, of any version; a pipe is not one, and is not opened.
 * False with error set when a file cannot be opened and read. */
bool graph_snapshot_recognise(const char *path, bool *is_one, struct graph_error *error);

/*
 * Write a snapshot, whole or not at all (file_replace.h). source: what to record, or NULL.
 * cancel: give up when it is not zero; or NULL. False with error set.
 */
bool graph_snapshot_save(const struct graph *graph, const char *path,
                         const struct graph_source *source, unsigned flags,
                         const volatile sig_atomic_t *cancel, struct graph_error *error);

/* A snapshot that is begun before its graph is complete. */
struct graph_snapshot_start {
    const char *path;
    struct file_replace file;
    struct snapshot_ahead ahead; /* the neighbours added so far are in the file */
    /* Adds the reverse adjacency to the graph, in this thread, while another one writes the rest;
     * or NULL. False with error set. */
    bool (*make_reverse)(void *context, struct graph_error *error);
    void *context;
};

/* Begin a snapshot, which nobody sees before it is whole. The caller keeps path. False with error
 * set; else finish it, or give it up with file_replace_abandon. */
bool graph_snapshot_begin(struct graph_snapshot_start *start, const char *path,
                          struct graph_error *error);

/* Write the rest, as graph_snapshot_save. False also when make_reverse says so. */
bool graph_snapshot_finish(struct graph_snapshot_start *start, const struct graph *graph,
                           const struct graph_source *source, unsigned flags,
                           const volatile sig_atomic_t *cancel, struct graph_error *error);

enum graph_snapshot_state {
    SNAPSHOT_GOOD,
    SNAPSHOT_BAD,   /* foreign, truncated or corrupt: error says which */
    SNAPSHOT_STALE, /* its source has changed since */
};

/*
 * Map a snapshot. Always checked: the checksums of header and blocks, so every byte of the file;
 * the file's length; that offsets ascend, neighbours are nodes and names end in the file; the
 * source's size and time, if the source exists. options->verify: the source's hash. Not checked:
 * that the reverse adjacency and the original ids belong to the graph; the checksums cover that
 * unless forged. The error of a bad block names the first.
 * source and flags get the recorded values if the header is good, else zero.
 * Cost: one pass over the file, by options->threads.
 * options->by_block: check a block when it is used (graph_blocks.h). Everything is checked at once,
 * nevertheless, if the snapshot has a source that can be read instead, if its reverse adjacency
 * must be made, or with options->verify.
 */
enum graph_snapshot_state graph_snapshot_open(const char *path, const struct graph_options *options,
                                              struct graph *graph, struct graph_source *source,
                                              unsigned *flags, struct graph_error *error);

/* Map a snapshot without its lists, for a process that knows the nodes alone: their ids, names and
 * origin. All blocks are checked, except of the lists. False with error set. */
bool graph_snapshot_open_nodes(const char *path, struct graph *graph, struct graph_error *error);
