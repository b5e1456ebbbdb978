/*
 * node_table.h - the nodes of a text that gives each an id of its own, and perhaps a label.
 *
 * Nodes are numbered in the order in which their ids occur, in an edge or by themselves: from 1
 * when the first id is "1", else from 0. In the end the labels become the names, and where there is
 * no label the id. Ids that are just their numbers need no names.
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

/* Bytes that it takes, with the names that it will make. */
uint64_t node_table_memory(const struct node_table *table);

bool node_table_init(struct node_table *table, struct graph_reading *reading);
void node_table_free(struct node_table *table);

/* The number of a node that an edge in this line names. False with error set. */
bool node_table_refer(struct node_table *table, const char *id, uint64_t line, uint32_t *number);

/* The number of a node that this line declares; twice is an error. False with error set. */
bool node_table_declare(struct node_table *table, const char *id, uint64_t line, uint32_t *number);

/*
 * Give a node its label, in place of an earlier one; an empty one is none, and neither is the id.
 * Line ends and tabs become blanks. False with error set.
 */
bool node_table_label(struct node_table *table, uint32_t number, const char *text);

/* Say in the reading how many nodes there are, and their names. False with error set. */
bool node_table_finish(struct node_table *table);
