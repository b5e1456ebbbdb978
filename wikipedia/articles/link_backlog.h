/*
 * link_backlog.h - links that are read before their ids can be looked up.
 *
 * 1. One thread reads pagelinks from the start, while others read the tables that it needs. Ids of
 *    pages and targets wait here as they are.
 * 2. Once these tables are known, threads give all links to the sink: first those waiting, then the
 *    rest. The order is the order of the dump, so the result is the same as without waiting.
 * Cost: 4 bytes per link that waits. At the limit, the reader waits.
 * Gain: with 8 threads an import takes 1.23 times as long as igzip alone, else 1.6; with 4 threads
 * 1.32, else 1.8. With two threads it costs 6 %, so it starts at four.
 */
#pragma once

#include "wikipedia/sql/sql_dump.h"
#include <pthread.h>

struct link_backlog {
    uint64_t limit;           /* to be set: bytes */
    uint64_t peak;            /* the result: most bytes that waited */
    bool is_unfit;            /* the dump was refused because not all links have an id */
    char rule[SQL_RULE_SIZE]; /* why links could not be taken, or "" */

    /* Its own: */
    struct link_backlog_piece *first, *last; /* waiting, in the order of the dump */
    uint64_t bytes;                          /* of the pieces not taken yet */
    uint64_t next, taken; /* of pieces: the first one waiting; how many were taken */
    bool has_ended, has_stopped;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const struct sql_sink *to;
};

/* A backlog that is zeroed but for the limit. */
void link_backlog_open(struct link_backlog *backlog);

/* Who takes rows of pagelinks into the backlog. */
struct sql_sink link_backlog_sink(struct link_backlog *backlog);

/* No more links come. Or, from any thread: no more links are wanted, and the sink fails. */
void link_backlog_end(struct link_backlog *backlog);
void link_backlog_stop(struct link_backlog *backlog);

/* Give all links to a sink, with that many threads, until the end. Returns false if a piece was
 * refused (rule is set) or if it was stopped. */
bool link_backlog_give(struct link_backlog *backlog, const struct sql_sink *to, unsigned threads);

/* Free it and whatever still waits; no other thread may use it any more. */
void link_backlog_close(struct link_backlog *backlog);
