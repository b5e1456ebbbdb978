/*
 * load_plan.h - the steps to load a graph, decided before they are done.
 *
 * A snapshot is mapped. A snapshot that comes as a stream (standard input, a compressed file) is
 * first copied into memory. With a cache, the text's snapshot there is mapped, or the
 * text is read and a snapshot kept. Any other text is read. If a snapshot turns out to be stale
 * or broken, the plan is made again, for the text from which it was made.
 */
#pragma once

#include "data/graph/graph_options.h"
#include "data/read/text_source.h"
#include "data/store/graph_source.h"
#include <limits.h>

enum load_way {
    LOAD_MAP,    /* the file is a snapshot */
    LOAD_CACHED, /* a snapshot of the file is in the cache: map that */
    LOAD_COPY,   /* the text is a snapshot: copy it, then map the copy */
    LOAD_READ,   /* read the text */
};

struct load_plan {
    const struct graph_options *wanted; /* by the caller */
    const char *asked;                  /* the file that the caller names */
    enum load_way way;
    struct graph_options options; /* adapted to the plan */
    struct text_source text;      /* LOAD_COPY, LOAD_READ: open */

    bool keeps;                 /* keep a snapshot of the graph: */
    char cached[PATH_MAX];      /* its path */
    struct graph_source before; /* the file asked for, as it was before it was read */

    struct graph_source recorded; /* the source of a snapshot that was tried, and */
    unsigned flags;               /* its options: GRAPH_SNAPSHOT_... */
    char source_path[sizeof(((struct graph_source *)0)->path)]; /* a source to read instead */
};

/* Make the plan. options and path must outlive it. False with error set. */
bool load_plan_make(struct load_plan *plan, const char *path, const struct graph_options *options,
                    struct graph_error *error);

/*
 * Make it again after a snapshot that cannot be used, for the reason in error: read its source,
 * with a remark. False with error set if there is nothing else to read.
 */
bool load_plan_rebuild(struct load_plan *plan, struct graph_error *error);

/* Pass a remark on to the caller's note function. format: of the text. */
void load_plan_remark(const struct load_plan *plan, const char *format, const char *text);
