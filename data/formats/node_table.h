/*
 * node_table.h - the nodes of a text in which each has an id, and perhaps a label.
 *
 * Nodes are numbered in the order in which their ids occur, in an edge or by themselves: from 1 if
 * the first id is "1", else from 0. In the end the labels become the names; a node without a label
 * is named by its id. Ids that equal their numbers need no names.
 * Cost: the ids, the labels, and some 40 bytes per node.
 */
#pragma once

#include "data/read/graph_reader.h"

struct node_table {
    struct graph_reading *reading;
    struct graph_names *ids;
    uint32_t first; /* the number of the first node */
    struct node_entry *entries;
    size_t capacity;
    char *labels;
    size_t label_used, label_capacity;
};

/* Bytes in use, including the names that will be made. */
uint64_t node_table_memory(const struct node_table *table);

bool node_table_init(struct node_table *table, struct graph_reading *reading);
void node_table_free(struct node_table *table);

/* The number of a node in an edge of this line. False with error set. */
bool node_table_refer(struct node_table *table, const char *id, uint64_t line, uint32_t *number);

/* The number of a node declared by this line; twice is an error. False with error set. */
bool node_table_declare(struct node_table *table, const char *id, uint64_t line, uint32_t *number);

/*
 * Give a node its label, replacing an earlier one. An empty label, or a label equal to the id, is
 * left out. Line ends and tabs become blanks. False with error set.
 */
bool node_table_label(struct node_table *table, uint32_t number, const char *text);

/* Set the number of nodes, and their names, in the reading. False with error set. */
bool node_table_finish(struct node_table *table);
