/*
 * wiki_links.h - the rows of pagelinks: from a page, to what its target leads to.
 *
 * A worker looks up both ends of each link and sorts the links of a page. The commit hands them to
 * the link table. Targets are ids of linktarget, or titles in older dumps.
 */
#pragma once

#include "wiki_state.h"
#include "wikipedia/sql/sql_dump.h"

/* The sink of pagelinks. The tables before it must have been read. */
struct sql_sink wiki_links_sink(struct wiki_state *state);
