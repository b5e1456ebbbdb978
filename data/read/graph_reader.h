/*
 * graph_reader.h - the plug-in interface for formats with more than one line per edge or node.
 *
 * The caller of graph_text_load gives a list of readers; this folder knows none of them. A reader
 * takes the text piece by piece, numbers the nodes, and adds edges.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/graph/graph_names.h"

/* A text being read. The caller sets the members above the line; a memory buffer will do. */
struct graph_reading {
    const char *name; /* of the text, for messages */
    struct graph_error *error;
    /* Get the next bytes, valid until the next call. 0 at the end; SIZE_MAX with error set. */
    size_t (*take)(struct graph_reading *reading, const char **text);
    /* Add an edge between nodes, counted from first_node; both: and back. False: no memory. */
    bool (*add)(struct graph_reading *reading, uint32_t source, uint32_t target, bool both);
    /* Announce a least number of nodes and edges. False, with error set, if they cannot fit. */
    bool (*expect)(struct graph_reading *reading, uint64_t nodes, uint64_t edges);
    /* -- set by the reader: kept during the reading, so that take may refuse; the rest at the
     * end */
    uint64_t kept; /* bytes of ids, labels and so on */
    uint32_t node_count;
    uint32_t first_node;       /* 0 or 1 */
    struct graph_names *names; /* of all nodes, or NULL; the caller frees them, also on failure */
    bool has_weights;          /* they are ignored, with a remark, also on failure */
};

/* The start of a text. */
struct graph_head {
    const char *bytes; /* a NUL follows them */
    size_t length;
};

struct graph_reader {
    const char *name; /* as in graph_options.format */
    bool (*matches)(const struct graph_head *head);
    bool (*read)(struct graph_reading *reading); /* False with error set */
};

/* What a caller knows besides the formats of this folder. */
struct graph_readers {
    const struct graph_reader *list; /* the last has no name */
    /* What a text is that nobody reads, and the way to convert it: "is JSON, ..."; or NULL. */
    const char *(*refuse)(const struct graph_head *head);
};
