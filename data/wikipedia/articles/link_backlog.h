/*
 * link_backlog.h - links that were read before it is known what their ids lead to.
 *
 * 1. A thread reads pagelinks from the start on, while others read the tables that it needs: ids
 *    of pages and of targets wait here, as they are.
 * 2. Once these tables are known, threads give what waits, and what still comes, to the sink that
 *    takes links; in the order of the dump, so that the result is the same as without waiting.
 * Cost: 4 bytes per link that waits. Where they reach the limit, the reader waits.
 */
#pragma once

#include "data/wikipedia/sql/sql_dump.h"
#include <pthread.h>

struct link_backlog {
    uint64_t limit;           /* to be set: bytes */
    uint64_t peak;            /* the result: bytes that waited at most */
    bool is_unfit;            /* the dump was refused because not all links have an id */
    char rule[SQL_RULE_SIZE]; /* why links could not be taken, or "" */

    /* Its own: */
    struct link_backlog_piece *first, *last; /* that wait, in the order of the dump */
    uint64_t bytes;                          /* of those that were not taken yet */
    uint64_t next, taken;                    /* of pieces: the first that waits; how many were */
    bool has_ended, has_stopped;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const struct sql_sink *to;
};

/* A backlog that is zeroed but for the limit. */
void link_backlog_open(struct link_backlog *backlog);

/* Who takes rows of pagelinks into the backlog. */
struct sql_sink link_backlog_sink(struct link_backlog *backlog);

/* Nothing comes any more; or, from any thread, nothing is wanted any more, and the sink fails. */
void link_backlog_end(struct link_backlog *backlog);
void link_backlog_stop(struct link_backlog *backlog);

/* Give all to a sink, with that many threads, until it has ended. False when a piece was refused,
 * with rule set, or when it was stopped. */
bool link_backlog_give(struct link_backlog *backlog, const struct sql_sink *to, unsigned threads);

/* Free it with what still waits; no other thread uses it any more. */
void link_backlog_close(struct link_backlog *backlog);
