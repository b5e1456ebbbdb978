/*
 * name_finder.h - the node that somebody means by a name or an id (of a wiki, a page id), also when
 * it is typed with spaces for underscores, in another case, or without its accents.
 *
 * To the letter first (node_index.h). Else by the folded name (name_fold.h), where it is that of
 * one node only; a table of all folded names is then made, 8 to 16 bytes per name, unless the
 * snapshot has their order (name_order.h). What is taken for something else, also a redirect for
 * its article, is said by name_finder_note, what is not found by name_finder_explain.
 */
#pragma once

#include "node_index.h"

struct name_finder {
    struct node_index index;
    uint32_t *slots; /* a hash table of node + 1 by folded name, 0 for empty; NULL until needed */
    uint64_t slot_count;
};

enum name_fit {
    NAME_EXACT,
    NAME_FORGIVEN, /* another spelling of one name */
    NAME_UNKNOWN,  /* of none, or of several; or out of memory for the table */
};

/* Make ready. False when out of memory. */
bool name_finder_open(struct name_finder *finder, const struct graph *graph);
void name_finder_close(struct name_finder *finder);

/* The node that text stands for. One thread at a time, unless every text is exact. */
enum name_fit name_finder_find(struct name_finder *finder, const char *text, size_t length,
                               uint32_t *node);

#define NAME_MESSAGE_SIZE 400

/* What was forgiven: "cote divoire" is taken for "Côte_d'Ivoire". Returns message. */
const char *name_finder_note(const struct name_finder *finder, const char *text, size_t length,
                             uint32_t node, char message[NAME_MESSAGE_SIZE]);

/*
 * Why there is no such node, with what may be meant: no node is called "Chese"; did you mean
 * Cheese? Or which ids there are, but not of a wiki's pages. Returns message.
 */
const char *name_finder_explain(const struct name_finder *finder, const char *text, size_t length,
                                char message[NAME_MESSAGE_SIZE]);
