/*
 * name_finder.h - finds the node that somebody means by a name or an id (in a wiki, a page id),
 * even if it is typed with spaces for underscores, in another case, or without its accents.
 *
 * First the exact name is tried (node_index.h), then the folded name (name_fold.h) if only one node
 * has it. For that a table of all folded names is made, 8 to 16 bytes per name, unless the snapshot
 * has their order (name_order.h). name_finder_note reports a different spelling, or a redirect to
 * an article; name_finder_explain says why nothing was found.
 */
#pragma once

#include "name_search.h"
#include "node_index.h"

struct name_finder {
    struct node_index index;
    uint32_t *slots; /* a hash table of node + 1 by folded name, 0 for empty; NULL until needed */
    uint64_t slot_count;
};

enum name_fit {
    NAME_EXACT,
    NAME_FORGIVEN, /* another spelling of one name */
    NAME_UNKNOWN,  /* no node, or several */
    NAME_NO_MEMORY /* for the table; a later try may find it */
};

/* Prepare. False when out of memory. */
bool name_finder_open(struct name_finder *finder, const struct graph *graph);
void name_finder_close(struct name_finder *finder);

/* Find the node that text names, or else the article whose address it is (name_address.h): its
 * title may be forgiven, too. An address of another wiki than the graph's is no node's. One thread
 * at a time, unless every text is exact. */
enum name_fit name_finder_find(struct name_finder *finder, const char *text, size_t length,
                               uint32_t *node);

/* Find the article whose address a text is, by its title to the letter or by its page. Any number
 * of threads at once. */
bool name_finder_find_article(const struct name_finder *finder, const char *text, size_t length,
                              uint32_t *node);

/* True if a text is an address of another wiki than the graph's; name_finder_explain says so. */
bool name_finder_is_elsewhere(const struct name_finder *finder, const char *text, size_t length);

/* The names that a text may be a misspelling of (name_search_similar); of an address, its title. */
void name_finder_similar(const struct graph *graph, const char *text, size_t length,
                         struct name_matches *matches);

#define NAME_MESSAGE_SIZE 400

/* Say what was forgiven: "cote divoire" is taken for "Côte_d'Ivoire". Returns message. */
const char *name_finder_note(const struct name_finder *finder, const char *text, size_t length,
                             uint32_t node, char message[NAME_MESSAGE_SIZE]);

/*
 * Say why there is no such node, with a suggestion: no node is called "Chese"; did you mean Cheese?
 * Or say which ids there are, but not for the pages of a wiki. Returns message.
 */
const char *name_finder_explain(const struct name_finder *finder, const char *text, size_t length,
                                char message[NAME_MESSAGE_SIZE]);
