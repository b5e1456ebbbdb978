/*
 * wiki_state.h - what the tables of a wiki fill, and what is done between two of them.
 */
#pragma once

#include "link_table.h"
#include "template_links.h"
#include "title_table.h"
#include "wiki_options.h"

struct wiki_state {
    const struct wiki_options *options;
    uint64_t *counts;
    struct title_table titles;
    uint32_t *next;           /* the target title of each redirect, while they are read */
    uint32_t *targets;        /* what a link target's id leads to; mapped */
    uint64_t target_count;    /* capacity, in ids */
    uint64_t target_end;      /* the largest id plus one */
    uint64_t memory_limit;    /* bytes for titles and targets */
    bool has_targets;         /* a dump of linktarget was read */
    bool has_target_column;   /* pagelinks has pl_target_id */
    bool has_template_column; /* templatelinks has tl_target_id */
    struct link_table links;
    struct template_links templates; /* empty unless their links are left out */
    uint32_t hint;                   /* the title of the page looked up last */
    uint32_t node_count;
    bool is_counting; /* the first pass over the links */
    uint64_t pass_rows;
};

/* The end of a link target. */
static inline uint32_t wiki_end_of_target(const struct wiki_state *state, uint64_t id)
{
    return id < state->target_count ? state->targets[id] : (uint32_t)TITLE_UNKNOWN;
}

/* After page and page_props: leave out pages as the options say, and number the nodes. False when
 * out of memory. */
bool wiki_number_nodes(struct wiki_state *state);

/* After redirect: follow them. */
void wiki_follow_redirects(struct wiki_state *state);

void wiki_state_free(struct wiki_state *state);
