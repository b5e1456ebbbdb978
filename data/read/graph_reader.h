/*
 * graph_reader.h - the place where a format plugs in whose text is not one line per edge or node.
 *
 * Whoever loads a graph gives graph_text_load a list of readers; this folder knows none of them. A
 * reader takes the text piece by piece, numbers the nodes, and adds edges.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/graph/graph_names.h"

/* A text while it is read. The caller sets what is above the line; a memory buffer will do. */
struct graph_reading {
    const char *name; /* of the text, for messages */
    struct graph_error *error;
    /* The next bytes, valid until the next call. 0 at the end; SIZE_MAX with error set. */
    size_t (*take)(struct graph_reading *reading, const char **text);
    /* An edge between nodes, counted from first_node; both: and back. False: no memory. */
    bool (*add)(struct graph_reading *reading, uint32_t source, uint32_t target, bool both);
    /* Say early how many there will be at least. False, with error set, when they cannot fit. */
    bool (*expect)(struct graph_reading *reading, uint64_t nodes, uint64_t edges);
    /* -- what the reader says, kept meanwhile, so that take may refuse, the rest in the end: */
    uint64_t kept; /* bytes of ids, labels and so on */
    uint32_t node_count;
    uint32_t first_node;       /* 0 or 1 */
    struct graph_names *names; /* of all nodes, or NULL; the caller frees them, also on failure */
    bool has_weights;          /* which are ignored; a remark says so, also on failure */
};

/* How a text begins. */
struct graph_head {
    const char *bytes; /* a NUL follows them */
    size_t length;
    const char *path; /* "" if not known */
};

struct graph_reader {
    const char *name; /* what graph_options.format calls it */
    bool (*matches)(const struct graph_head *head);
    bool (*read)(struct graph_reading *reading); /* False with error set. NULL: refused */
    const char *refusal;                         /* then: "is JSON, which ..." */
};

/* Whether a path ends in ending (".net"), or in that and the ending of a compression. */
bool graph_path_ends(const char *path, const char *ending);
