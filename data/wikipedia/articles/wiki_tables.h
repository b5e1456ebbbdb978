/*
 * wiki_tables.h - the five tables of a wiki: which columns are read, and what a row means.
 *
 * Each sink takes the rows of one table into a struct wiki_state. The tables come in this order:
 * page, page_props, redirect, linktarget, pagelinks; a function between two of them closes the one
 * and opens the other. Pagelinks may be read before (link_backlog.h).
 */
#pragma once

#include "data/wikipedia/sql/sql_dump.h"
#include "link_table.h"
#include "title_table.h"
#include "wiki_files.h"
#include "wiki_options.h"

struct wiki_state {
    const struct wiki_options *options;
    uint64_t *counts;
    struct title_table titles;
    uint32_t *next;         /* of each redirect, while they are read: the title it names */
    uint32_t *targets;      /* what a link target's id leads to; mapped */
    uint64_t target_count;  /* ids that there is room for */
    uint64_t target_end;    /* the largest that is there, and one more */
    uint64_t memory_limit;  /* bytes for titles and targets */
    bool has_targets;       /* a dump of linktarget was read */
    bool has_target_column; /* pagelinks has it */
    struct link_table links;
    uint32_t hint; /* the title of the last page that was looked for */
    uint32_t node_count;
    bool is_counting; /* the first pass over the links */
    uint64_t pass_rows;
};

extern const struct sql_table wiki_sql_tables[WIKI_TABLES];

/* The rule that an id breaks which does not fit 32 bits, or NULL. */
const char *wiki_check_id(const struct sql_value *value);

/* The sink of a table. */
struct sql_sink wiki_sink(struct wiki_state *state, enum wiki_table table);

/* After page and page_props: leave out what the options say, and number the nodes. False when
 * out of memory. */
bool wiki_number_nodes(struct wiki_state *state);

/* After redirect: follow them. */
void wiki_follow_redirects(struct wiki_state *state);

void wiki_state_free(struct wiki_state *state);
