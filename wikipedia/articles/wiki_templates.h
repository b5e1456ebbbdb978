/*
 * wiki_templates.h - leaves out the links A -> B where a template that A includes links to B.
 *
 * 1. A template is a page of namespace 10, but not a redirect. Its links are its rows of pagelinks
 *    that lead to a node. A redirect of namespace 10 is followed once, to a template.
 * 2. templatelinks is read last. It names every template of a page, also a template that another
 *    one includes. Included pages of other namespaces are ignored.
 * 3. Workers find the links that a page and its template share; the commit marks them.
 * These tables do not say if the text of A has the link as well. Then it is lost, too.
 * Memory and time: see template_links.h.
 */
#pragma once

#include "wiki_state.h"
#include "wikipedia/sql/sql_dump.h"

#define TEMPLATE_NAMESPACE 10

/* After redirect: every redirect of a template has its end, or none. */
void wiki_templates_follow(struct wiki_state *state);

/* Give titles of namespace 10 in one column of a batch their ends: TITLE_TEMPLATE plus a number.
 * Other ends stay. followed: the number of what a redirect leads to, else the page's own. */
void wiki_templates_find(const struct wiki_state *state, struct sql_value (*rows)[SQL_WANTED_MAX],
                         size_t count, size_t space_column, size_t title_column, bool followed,
                         uint32_t ends[SQL_BATCH]);

/* As template_links_take, template_links_open and template_links_drop, with the counts. False with
 * the rule. */
bool wiki_templates_take(struct wiki_state *state, const uint32_t *words, char rule[SQL_RULE_SIZE]);
bool wiki_templates_open(struct wiki_state *state, const uint64_t *offsets,
                         char rule[SQL_RULE_SIZE]);
bool wiki_templates_drop(struct wiki_state *state, uint64_t *offsets, char rule[SQL_RULE_SIZE]);

/* The sink of templatelinks. */
struct sql_sink wiki_templates_sink(struct wiki_state *state);
