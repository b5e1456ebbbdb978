/*
 * wiki_tables.h - the six tables of a wiki: which columns are read, and what a row means.
 *
 * Each sink takes the rows of one table into a struct wiki_state. The tables come in this order:
 * page, page_props, redirect, linktarget, pagelinks, templatelinks; a function of wiki_state.h or
 * wiki_templates.h between two tables closes the first and opens the second.
 */
#pragma once

#include "wiki_files.h"
#include "wiki_state.h"
#include "wikipedia/sql/sql_dump.h"

extern const struct sql_table wiki_sql_tables[WIKI_TABLES];

/* The sink of a table. */
struct sql_sink wiki_sink(struct wiki_state *state, enum wiki_table table);
