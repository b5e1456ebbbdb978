/*
 * node_table.c - a hash table of ids, with labels.
 */
#include "node_table.h"
#include "base/array_reserve.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node_entry {
    uint64_t label; /* where it begins in labels, + 1; 0: none */
    uint64_t line;  /* that declares the node, or else first names it */
    bool is_declared;
};

static bool fail_memory(const struct node_table *table)
{
    return graph_fail(table->reading->error, table->reading->name, "out of memory for the nodes");
}

bool node_table_init(struct node_table *table, struct graph_reading *reading)
{
    *table = (struct node_table){.reading = reading, .ids = graph_names_create()};
    return table->ids != NULL || fail_memory(table);
}

void node_table_free(struct node_table *table)
{
    graph_names_free(table->ids);
    free(table->entries);
    free(table->labels);
}

uint64_t node_table_memory(const struct node_table *table)
{
    return graph_names_memory(table->ids) + table->capacity * sizeof(*table->entries) +
           table->label_capacity + table->label_used;
}

bool node_table_refer(struct node_table *table, const char *id, uint64_t line, uint32_t *number)
{
    uint32_t count = table->ids->count;
    if (!graph_names_intern_plain(table->ids, id, strlen(id), number)) {
        return fail_memory(table);
    }
    table->first = count == 0 ? strcmp(id, "1") == 0 : table->first;
    *number += table->first;
    if (table->ids->count == count) {
        return true;
    }
    if (!array_reserve(&table->entries, &table->capacity, (size_t)count + 1,
                       sizeof(*table->entries))) {
        return fail_memory(table);
    }
    table->entries[count] = (struct node_entry){.line = line};
    table->reading->kept = node_table_memory(table);
    return true;
}

bool node_table_declare(struct node_table *table, const char *id, uint64_t line, uint32_t *number)
{
    char quoted[GRAPH_QUOTE_SIZE];
    if (!node_table_refer(table, id, line, number)) {
        return false;
    }
    struct node_entry *entry = &table->entries[*number - table->first];
    if (entry->is_declared) {
        return graph_fail_line(table->reading->error, table->reading->name, line,
                               "the node %s is declared again, first in line %llu",
                               graph_quote(quoted, id, strlen(id)),
                               (unsigned long long)entry->line);
    }
    entry->is_declared = true;
    entry->line = line;
    return true;
}

bool node_table_label(struct node_table *table, uint32_t number, const char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]) != NULL) {
        length--;
    }
    const char *id = table->ids->text + table->ids->begins[number - table->first];
    if (length == 0 || (strlen(id) == length && memcmp(id, text, length) == 0)) {
        return true; /* without a label, the id is the name */
    }
    if (!array_reserve(&table->labels, &table->label_capacity, table->label_used + length + 1, 1)) {
        return fail_memory(table);
    }
    char *to = table->labels + table->label_used;
    for (size_t i = 0; i < length; i++) {
        to[i] = text[i];
        if (strchr(blanks, text[i]) != NULL) {
            to[i] = ' ';
        }
    }
    to[length] = '\0';
    table->entries[number - table->first].label = table->label_used + 1;
    table->label_used += length + 1;
    table->reading->kept = node_table_memory(table);
    return true;
}

/* True if the ids are first, first + 1, ... in this order. */
static bool is_sequence(const struct graph_names *ids, uint32_t first)
{
    char number[16];
    bool is = true;
    for (uint32_t i = 0; i < ids->count && is; i++) {
        snprintf(number, sizeof(number), "%llu", (unsigned long long)first + i);
        is = strcmp(ids->text + ids->begins[i], number) == 0;
    }
    return is;
}

/* The labels as names; a node without a label has its id as name. NULL when out of memory. */
static struct graph_names *make_names(const struct node_table *table)
{
    struct graph_names *names = graph_names_create();
    bool done = names != NULL;
    for (uint32_t i = 0; i < table->ids->count && done; i++) {
        const struct node_entry *entry = &table->entries[i];
        const char *text = entry->label > 0 ? table->labels + entry->label - 1
                                            : table->ids->text + table->ids->begins[i];
        done = graph_names_add_plain(names, text, strlen(text));
    }
    if (!done) {
        graph_names_free(names);
    }
    return done ? names : NULL;
}

bool node_table_finish(struct node_table *table)
{
    struct graph_reading *reading = table->reading;
    struct graph_names *ids = table->ids;
    char quoted[GRAPH_QUOTE_SIZE];
    for (uint32_t i = 0; i < ids->count; i++) {
        const char *id = ids->text + ids->begins[i];
        if (!table->entries[i].is_declared) {
            return graph_fail_line(reading->error, reading->name, table->entries[i].line,
                                   "an edge names the node %s, which is not declared",
                                   graph_quote(quoted, id, strlen(id)));
        }
    }
    reading->node_count = ids->count;
    reading->first_node = table->first;
    if (table->label_used == 0 && is_sequence(ids, table->first)) {
        return true;
    }
    if (table->label_used == 0) {
        reading->names = ids;
        table->ids = NULL;
        return true;
    }
    reading->names = make_names(table);
    return reading->names != NULL || fail_memory(table);
}
