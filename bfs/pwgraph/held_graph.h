/*
 * held_graph.h - what the files of the library share: the structs that pwgraph.h hides, and how
 * an error is set.
 */
#pragma once

#include "data/graph/graph_options.h"
#include "data/names/name_finder.h"
#include "data/names/node_aliases.h"
#include "pwgraph_hold.h"
#include <pthread.h>

#define PWGRAPH_OPTIONS_MAX 4096 /* bytes; a larger struct of options is a mistake */
#define PWGRAPH_THREADS_MAX 1024

/* Names; the lock is for the index of redirects, which is made when it is first asked for. */
struct pwgraph_names {
    struct name_finder finder;
    struct node_aliases aliases;
    pthread_mutex_t lock;
};

struct pwgraph {
    struct graph graph;
    bool is_borrowed;            /* the lists are pwgraph_hold's caller's */
    struct pwgraph_names *names; /* never NULL */
};

/* Set an error, which may be NULL. Returns false. */
__attribute__((format(printf, 3, 4))) bool
pwgraph_fail(struct pwgraph_error *error, enum pwgraph_code code, const char *format, ...);

/* Set an error for a failure of data/. other: its code if it is neither memory, nor an option, nor
 * the flag. Returns false. */
bool pwgraph_fail_as(struct pwgraph_error *error, const struct graph_error *why,
                     enum pwgraph_code other, const volatile int *cancel);

/*
 * Complete a graph whose lists are there: the reverse adjacency and the names. Takes the struct
 * over, also on failure. cancel: see pwgraph_cancel. NULL with error set.
 */
struct pwgraph *pwgraph_finish(struct graph *graph, unsigned threads, const volatile int *cancel,
                               struct pwgraph_error *error);

/*
 * Copy options of any size into the struct as it is today; NULL gives the defaults. False with
 * error set if size is wrong, or if members are set that this library does not know.
 */
bool pwgraph_take_options(struct pwgraph_options *taken, const struct pwgraph_options *given,
                          struct pwgraph_error *error);

/* What the loader is to know of options that were taken; the callbacks are left out. */
struct graph_options pwgraph_graph_options(const struct pwgraph_options *taken);
