/*
 * graph_options.h - the options for reading a graph, and the reports meanwhile.
 *
 * All zero is the default. graph_load (data/load/graph_load.h) takes them.
 */
#pragma once

#include "graph_error.h"
#include <signal.h>

/* The progress of a load. */
struct graph_progress {
    const char *phase;    /* "reading" or "sorting" */
    uint64_t bytes_done;  /* of the file on the disk */
    uint64_t bytes_total; /* 0: not known */
    uint64_t edge_count;  /* so far */
    double elapsed_s;
};

struct graph_options {
    bool repeat_last_entry; /* add the last entry twice, as the challenge's program does */
    bool reverse;           /* an entry "u v" is the edge from v to u */
    bool undirected;        /* an entry is an edge in both directions */
    bool compact;           /* renumber the ids that occur from 0 in ascending order */
    bool build_reverse;     /* fill in_offsets and in_neighbours, too */
    bool keep_reverse;      /* also make it for a snapshot of a text, if memory allows */
    bool search_order;      /* in a cache, number the nodes as a search meets them */
    bool by_block;          /* check a snapshot when it is used (graph_blocks.h), if it can be */
    bool verify;            /* check all of a snapshot at once, and of its source, if it is there */
    unsigned threads;       /* 0: as many as there are processors */
    uint64_t memory_limit;  /* bytes; 0: the available memory */
    const char *format;  /* the name of a format (data/load/graph_load.h); NULL: by the content */
    const char *columns; /* the ends of an edge in a table, by number or heading: "2,3", "from,to";
                            NULL: by the content */
    const char *cache;   /* folder for snapshots of what is read; "": the user's; NULL: no cache */
    const char *names_path; /* names of nodes, line k is for node k; or NULL */
    void (*progress)(void *context, const struct graph_progress *progress); /* or NULL */
    /* Remarks on the file, or NULL. */
    void (*note)(void *context, const char *text, enum graph_remedy remedy);
    void *context;
    const volatile sig_atomic_t *cancel; /* not zero: give up; or NULL */
};
