/*
 * edge_scan.h - scans blocks of edge lines into an edge writer, at memory speed.
 */
#pragma once

#include "data/graph/graph_names.h"
#include "edge_line.h"
#include "target_part.h"

enum edge_direction { EDGES_FORWARD, EDGES_REVERSE, EDGES_BOTH };

/* What is worth a note. */
struct edge_notes {
    bool has_more;          /* a line had more columns than required */
    bool has_blanks;        /* blanks around a name were cut */
    uint64_t comment_count; /* lines left out because they open with # or %, */
    uint64_t heading_count; /* or repeat the heading */
    uint64_t node_count;    /* rows of nodes, in a table of edges */
    uint64_t missing_count; /* nodes called NULL, NA or nan */
    uint64_t empty_count;   /* lists without a neighbour */
};

/* One part of a file, while it is scanned. Set the members above the line and zero the rest. */
struct edge_scan {
    const struct edge_rules *rules;
    struct edge_writer *writer;
    enum edge_direction direction;
    struct target_part *part; /* gets the edges, too (direction: forward); or NULL */
    bool keep_skipped;        /* remember the lines without an edge */
    uint32_t id_min;          /* UINT32_MAX at first */
    /* -- */
    uint64_t line_count;  /* lines read, */
    uint64_t entry_count; /* and lines with an edge among them */
    uint32_t id_max;
    uint32_t last_source, last_target;
    bool has_quotes; /* in the block, so that further columns are read with care */
    struct edge_notes notes;
    bool out_of_memory;
    uint64_t *skipped; /* numbers of the lines without an edge, from 0; free() them */
    size_t skipped_count, skipped_capacity;
    const char *bad_begin, *bad_end; /* the line that stopped the scan */
};

/* Scan a block of whole lines (text_reader.h says what may be read around it). Returns false at a
 * bad line, from bad_begin to bad_end, with the number line_count; or when out of memory. */
bool edge_scan_block(struct edge_scan *scan, const char *text, size_t length);

/* Add an edge in the scan's direction, and count its ids. */
void edge_scan_add(struct edge_scan *scan, uint32_t source, uint32_t target);

/* Count the id of a node that may have no edge. */
void edge_scan_node(struct edge_scan *scan, uint32_t node);
