/*
 * wiki_names.c - see wiki_names.h.
 */
#include "wiki_names.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "data/graph/graph_origin.h"
#include "data/names/name_sort.h"
#include <stdio.h>
#include <stdlib.h>

/* A namespace's name, if every wiki knows it. */
static const char *space_name(uint32_t space, char number[32])
{
    static const char *const names[] = {
        "",      "Talk:",      "User:",      "User talk:",      "Project:",  "Project talk:",
        "File:", "File talk:", "MediaWiki:", "MediaWiki talk:", "Template:", "Template talk:",
        "Help:", "Help talk:", "Category:",  "Category talk:"};
    if (space < COUNT_OF(names)) {
        return names[space];
    }
    snprintf(number, 32, "Namespace %u:", space);
    return space == 100 ? "Portal:" : space == 828 ? "Module:" : number;
}

/* Add a title as it is displayed: after its namespace, with spaces. */
static bool add_name(const struct wiki_state *state, struct graph_names *names, uint32_t title)
{
    const struct title_table *titles = &state->titles;
    char shown[TITLE_LENGTH_MAX + 64], number[32];
    size_t length;
    const char *text = title_text(titles, title, &length);
    const size_t place = titles->spaces != NULL ? titles->spaces[title] : 0;
    const char *before = space_name(state->options->namespaces[place], number);
    size_t used = 0;
    for (; before[used] != '\0'; used++) {
        shown[used] = before[used];
    }
    for (size_t i = 0; i < length; i++) {
        shown[used + i] = (char)(text[i] == '_' ? ' ' : text[i]);
    }
    return graph_names_add_plain(names, shown, used + length);
}

/* Make names from nodes and from redirects to a node; keep the page ids. False: out of memory. */
static bool add_names(struct graph *graph, const struct wiki_state *state)
{
    const struct title_table *titles = &state->titles;
    const uint64_t resolved = state->counts[WIKI_REDIRECTS_RESOLVED];
    struct graph_origin *origin = calloc(1, sizeof(*origin));
    graph->origin = origin;
    graph->names = graph_names_create();
    if (origin == NULL || graph->names == NULL) {
        return false;
    }
    origin->aliases = graph_names_create();
    origin->page_ids = calloc((size_t)state->node_count + 1, sizeof(*origin->page_ids));
    origin->alias_ids = calloc((size_t)resolved + 1, sizeof(*origin->alias_ids));
    if (origin->aliases == NULL || origin->page_ids == NULL || origin->alias_ids == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < titles->count; i++) {
        const uint32_t end = titles->ends[i];
        struct graph_names *names = (end & TITLE_THROUGH) != 0 ? origin->aliases : graph->names;
        const uint32_t number = names->count;
        if (end < TITLE_NODE) {
            continue;
        }
        if (!add_name(state, names, i)) {
            return false;
        }
        if (names == graph->names) {
            pw_assert(number == end - TITLE_NODE);
            origin->page_ids[number] = titles->page_ids[i];
        } else {
            pw_assert(number < resolved);
            origin->alias_ids[number] = (end & ~TITLE_THROUGH) - TITLE_NODE;
        }
    }
    pw_assert(origin->aliases->count == resolved && graph->names->count == state->node_count);
    return true;
}

bool wiki_names_make(struct graph *graph, const struct wiki_state *state, unsigned threads)
{
    return add_names(graph, state) && name_order_make(graph, threads);
}
