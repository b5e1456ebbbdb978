/*
 * graph_origin.h - facts about a graph in a snapshot, beyond nodes, edges and names.
 */
#pragma once

#include "graph_names.h"

struct graph_origin {
    char *facts;                 /* lines "name<TAB>value" and a NUL; NULL: no facts */
    uint64_t facts_length;       /* with the NUL */
    uint32_t *page_ids;          /* the page of each name, by number, ascending; or NULL */
    struct graph_names *aliases; /* other names of nodes; or NULL */
    uint32_t *alias_ids;         /* the id of each alias's node */
    /* The numbers of the names, and after them the numbers of the aliases, by folded name
     * (data/names/name_order.h); or NULL. */
    uint32_t *order;
    bool is_mapped; /* the arrays are the snapshot's */
};

/* NULL is fine. */
void graph_origin_free(struct graph_origin *origin);

/* A fact's value, cut to size; false, and "", if it is not known. origin may be NULL. */
bool graph_origin_fact(const struct graph_origin *origin, const char *name, char *value,
                       size_t size);
