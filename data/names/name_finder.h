/*
 * name_finder.h - finds the node that somebody means by a name or an id (in a wiki, a page id),
 * even if it is typed with spaces for underscores, in another case, or without its accents.
 *
 * 1. The name to the letter, by its hash (node_index.h).
 * 2. The one name that is equal when folded, by the order of names (name_order.h): the snapshot's,
 *    or one that is made when it is first needed (name_sort.h).
 * 3. The article whose address the text is, or a link to it (name_address.h), by its title in the
 *    same two ways.
 * Any number of threads at once.
 */
#pragma once

#include "name_search.h"
#include "node_index.h"
#include <pthread.h>
#include <signal.h>

/* Not to be moved while it is open. */
struct name_finder {
    struct node_index index;
    /* For making the order; may be set after opening. */
    unsigned threads;      /* 0: one per processor */
    uint64_t memory_limit; /* bytes; 0: no limit */
    /* Its own. */
    pthread_mutex_t lock;
    struct name_order order;
    uint32_t *made; /* the numbers of the order, unless they are the snapshot's */
};

enum name_fit {
    NAME_EXACT,
    NAME_FORGIVEN, /* another spelling of one name */
    NAME_UNKNOWN,  /* no node, or several */
    NAME_NO_MEMORY /* for the order, or cancelled; a later try may find it */
};

/* Prepare. False when out of memory. */
bool name_finder_open(struct name_finder *finder, const struct graph *graph);
void name_finder_close(struct name_finder *finder);

/* The order of names, which the first call makes. NULL for a graph without names, when out of
 * memory, or beyond the limit. */
const struct name_order *name_finder_order(struct name_finder *finder);

/* Make the order now. cancel: NULL, or a flag; once it is not zero, the work ends. Returns false
 * when out of memory, beyond the limit, or cancelled; true for a graph without names. */
bool name_finder_sort(struct name_finder *finder, const volatile sig_atomic_t *cancel);

#define NAME_SIMILAR_MAX  5
#define NAME_MESSAGE_SIZE 400

/* What a look for a text found. */
struct name_match {
    uint32_t node;                   /* of NAME_EXACT and NAME_FORGIVEN */
    uint32_t near_count;             /* 0 but for NAME_UNKNOWN */
    uint32_t near[NAME_SIMILAR_MAX]; /* see below */
    char message[NAME_MESSAGE_SIZE];
};

/*
 * Find the node that text names, or else the article whose address it is: its title may be
 * forgiven, too. cancel: as for name_finder_sort.
 * The message for NAME_FORGIVEN: "cote divoire" is taken for "Côte_d'Ivoire". For NAME_UNKNOWN: no
 * node is called "Chese"; did you mean Cheese? Or it says which ids there are, but not for a wiki's
 * pages. Else it is "". near: the nodes that the text, or the title in an address, may be a
 * misspelling of (name_near.h), the nearest first.
 */
enum name_fit name_finder_find(struct name_finder *finder, const char *text, size_t length,
                               const volatile sig_atomic_t *cancel, struct name_match *match);

/* Find what name_finder_find finds without another spelling. Makes no order. In a wiki a redirect,
 * and MediaWiki's own other spellings (name_quality), are exact. */
bool name_finder_find_exact(const struct name_finder *finder, const char *text, size_t length,
                            uint32_t *node);
