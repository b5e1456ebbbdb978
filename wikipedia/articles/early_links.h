/*
 * early_links.h - threads of their own read pagelinks from the start, beside the other tables.
 *
 * Its decompression takes longest. What they read waits in a link_backlog, until the other tables
 * say what the ids lead to.
 */
#pragma once

#include "link_backlog.h"

struct early_links {
    bool is_running;
    /* To be set before the start: */
    const char *path;
    struct sql_dump_options how; /* its threads decompress and parse */

    struct link_backlog backlog; /* set its limit; the peak and is_unfit are results */
    struct sql_dump_facts facts; /* about the dump, once all links are taken */
    /* Its own: */
    pthread_t thread;
    struct graph_error error;
};

/* Start to read. Does nothing if there is no thread; is_running says so. */
void early_links_begin(struct early_links *early);

/* Give all links to a sink, with that many threads, and end. Returns false and sets error on
 * failure; links that are unfit return false without an error, and must be read again. */
bool early_links_take(struct early_links *early, const struct sql_sink *sink, unsigned threads,
                      struct graph_error *error);

/* Stop reading, if it is under way, and free what still waits. */
void early_links_end(struct early_links *early);
