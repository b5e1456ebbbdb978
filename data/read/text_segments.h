/*
 * text_segments.h - a graph's text in segments, which threads scan into buckets of edges.
 *
 * 1. The text is cut into segments that threads take in turn. Each scans its lines (edge_scan.h)
 *    and drops the edges into buckets (edge_buckets.h). A stream is one segment, scanned while
 *    another thread decodes it. METIS, edges in columns, and formats with their own reader
 *    (graph_reader.h) are one segment, too.
 * 2. Lines and entries are added up in the order of the segments, which finds the first error of
 *    the file and its line number. Segments after an error are not read.
 */
#pragma once

#include "graph_header.h"
#include "load_memory.h"
#include "load_progress.h"
#include "text_aids.h"

struct text_segment;

struct text_segments {
    /* Set by the caller, who also gets the names: */
    struct text_source *source;
    struct graph_format *format; /* a format's own reader counts nodes and entries */
    const struct graph_options *options;
    const struct text_aids *aids;
    struct load_memory *memory;
    struct load_progress progress;
    struct graph_names *names; /* asked for, or from the text */
    unsigned thread_count;
    /* -- */
    struct edge_writer *writers; /* one per thread */
    size_t count;
    struct text_segment *items;
    struct edge_segment *edges;  /* one more than count, for the repeated entry */
    atomic_size_t first_stopped; /* before its end; no segment after this one matters */
    size_t line_max;
    uint32_t own_first; /* the first node, set by a format's own reader */
    /* The sums over all segments: */
    uint64_t line_count, entry_count;
    uint32_t id_min, id_max;
};

/* Cut the text and prepare a writer for each thread, fewer if it is short. False with error set;
 * also if the number of edges, judged by a sample, does not fit. */
bool text_segments_cut(struct text_segments *segments, struct graph_error *error);

/* Read the whole text, and the last entry once more if that is asked for. False with error set. */
bool text_segments_scan(struct text_segments *segments, struct graph_error *error);

/* The declared number of edges, but no more than a file of this length can have. */
uint64_t text_segments_declared(const struct text_segments *segments);

/* Bytes beyond the formula of graph_load_memory: names, and tables for ids far apart. 0 before the
 * cut. */
uint64_t text_segments_besides(const struct text_segments *segments);

/* Free everything but the source, the format and the names; fine before the cut, too. */
void text_segments_free(struct text_segments *segments);
