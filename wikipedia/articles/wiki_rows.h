/*
 * wiki_rows.h - what rows of several tables share: the checks of an id, a namespace and a title.
 */
#pragma once

#include "wiki_state.h"
#include "wikipedia/sql/sql_dump.h"

extern const char wiki_title_too_long[];
extern const char wiki_no_memory[];

/* The rule that an id breaks if it does not fit 32 bits, or NULL. */
const char *wiki_check_id(const struct sql_value *value);

/* The index of a namespace among the wanted ones; -1: not wanted; -2: not a number. */
static inline int wiki_space_of(const struct wiki_options *options, const struct sql_value *value)
{
    if (value->kind != SQL_NUMBER) {
        return value->kind == SQL_LITERAL && value->text[0] == '-' ? -1 : -2;
    }
    for (size_t i = 0; i < options->namespace_count; i++) {
        if (options->namespaces[i] == value->number) {
            return (int)i;
        }
    }
    return -1;
}

/* The ends of titles in one column of a batch; another column has their namespaces. Returns the
 * rule that a row breaks, or NULL. numbered: give the titles' numbers, not their ends. */
const char *wiki_find_ends(const struct wiki_state *state, struct sql_value (*rows)[SQL_WANTED_MAX],
                           size_t count, size_t space_column, size_t title_column, bool numbered,
                           uint32_t ends[SQL_BATCH], size_t *bad);

/* Add what a worker counted. */
void wiki_add_counts(struct wiki_state *state, const struct sql_output *output);
