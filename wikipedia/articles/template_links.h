/*
 * template_links.h - the links of a wiki's templates; drops the same links of the pages that
 * include a template.
 *
 * 1. The links of templates are collected as they come, then sorted by template.
 * 2. For a page and one of its templates, the links that both have are found, and a bit is set for
 *    each. The pairs may come in any order.
 * 3. The links without a bit move up in the file, and the offsets with them.
 * Cost: 10 bytes per template, its title and 5; 8 per link of a template; a bit per link of the
 * graph. A pair takes no memory. Time: O(log) of the longer list per link of the shorter one.
 * Tried and discarded: to read pagelinks twice, templates first, costs a second decompression.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/store/snapshot_ahead.h"
#include "title_table.h"
#include <signal.h>

struct template_links {
    struct title_table titles; /* of templates; ends: TITLE_NODE plus a template, or why none */
    uint64_t limit;            /* to be set: bytes for the links and the bits */

    /* The result: */
    uint64_t memory;          /* bytes for the links and the bits, at most */
    uint64_t linking;         /* templates with links */
    uint64_t before, dropped; /* links of the graph, and how many of them were dropped */
    uint64_t losers;          /* pages with a dropped link */

    /* Its own: */
    uint32_t *runs;          /* template, count, nodes; as they come */
    uint64_t used, room;     /* of these words */
    uint64_t *begins;        /* of each template's links */
    uint32_t *links;         /* sorted, without duplicates */
    struct graph graph;      /* the links in the file */
    const uint64_t *offsets; /* the caller's */
    uint64_t *bits;
    uint64_t bit_words;
};

/* Bytes for the links that were taken, and for the same once they are sorted. */
uint64_t template_links_memory(const struct template_links *templates);

/* Take some links of a template: words is its number with TITLE_TEMPLATE, the count, the nodes.
 * False with errno set; EDQUOT: they need more than the limit. */
bool template_links_take(struct template_links *templates, const uint32_t *words);

/* All links of templates are taken, and all links of a graph are in the file; offsets: where the
 * lists begin. False with errno set, as above. */
bool template_links_open(struct template_links *templates, const struct snapshot_ahead *file,
                         const uint64_t *offsets, uint32_t node_count);

/* The length of a node's list. */
size_t template_links_degree(const struct template_links *templates, uint32_t node);

/* Find the places in a node's list of the links that a template has as well. Safe in any thread.
 * places: room for the whole list. Returns their number. */
size_t template_links_find(const struct template_links *templates, uint32_t node, uint32_t template,
                           uint32_t *places);

/* Set the bits of links of a node. */
void template_links_mark(struct template_links *templates, uint32_t node, const uint32_t *places,
                         size_t count);

/* Drop the links that have a bit; offsets, as given before, get the new ones. False with errno set;
 * ECANCELED if *cancel is not zero. */
bool template_links_drop(struct template_links *templates, struct snapshot_ahead *file,
                         uint64_t *offsets, const volatile sig_atomic_t *cancel);

/* A zeroed one is fine. */
void template_links_free(struct template_links *templates);
