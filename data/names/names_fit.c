/*
 * names_fit.c - decides whether the names fit the nodes of the graph.
 */
#include "names_fit.h"
#include "base/utf8.h"
#include "data/graph/graph_options.h"
#include "name_table.h"
#include <stdio.h>
#include <string.h>

/* True if the number of names is possible: one for each node from *first to *limit - 1. More are
 * possible if the file declares further ids or has names for them: then *limit grows. */
static bool are_as_many(const struct names_fit *fit, uint32_t *first, uint64_t *limit)
{
    struct graph_names *names = fit->names;
    const bool is_declared = fit->is_declared;
    if (fit->options->compact) { /* the last ids, like any others, may have no edge */
        const uint64_t ids = (uint64_t)fit->id_max + 1;
        if (!fit->have_ids) {
            names->first_id = fit->id_min > 0 && names->count < ids;
        }
        return names->first_id <= fit->id_min && names->first_id + (uint64_t)names->count >= ids;
    }
    if (fit->have_ids) {
        *first = is_declared || names->first_id > *first ? *first : names->first_id;
    } else {
        /* An edge list in which node 0 does not occur counts from 0 when there is one name more. */
        *first = !is_declared && names->count == *limit ? 0 : *first;
        names->first_id = *first;
    }
    const uint64_t end = names->first_id + (uint64_t)names->count;
    const bool further = fit->have_ids || names->count == fit->declared_nodes;
    if (names->first_id != *first || end < *limit || (end > *limit && (is_declared || !further))) {
        return false;
    }
    *limit = end;
    return true;
}

/* Say which name is not UTF-8. It stays as it is: the titles of old wikis have such bytes. */
static void note_bytes(const struct graph_options *options, const struct graph_names *names,
                       const char *path)
{
    char text[2 * GRAPH_LABEL_SIZE], quoted[GRAPH_QUOTE_SIZE];
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = names->text + names->begins[i];
        const size_t length = strlen(name);
        if (!utf8_is_text(name, name + length)) {
            snprintf(text, sizeof(text), "%.100s: the name %s is not UTF-8 text: " UTF8_WAY, path,
                     graph_quote(quoted, name, length));
            options->note(options->context, text, GRAPH_REMEDY_NONE);
            return;
        }
    }
}

static void note_names(const struct names_fit *fit, uint32_t first, uint32_t first_before)
{
    const struct graph_options *options = fit->options;
    const char *path = options->names_path != NULL ? options->names_path : fit->text;
    char text[2 * GRAPH_LABEL_SIZE];
    uint32_t number = 0;
    if (options->note == NULL) {
        return;
    }
    if (first < first_before) {
        snprintf(text, sizeof(text),
                 "%.100s has a name for node 0, which has no edge: ids count from 0", path);
        options->note(options->context, text, GRAPH_REMEDY_NONE);
    }
    note_bytes(options, fit->names, path);
    const uint32_t repeats = name_table_repeats(fit->names, &number);
    if (repeats > 0) {
        char more[60] = "";
        if (repeats > 1) {
            snprintf(more, sizeof(more), ", and %u more like it", repeats - 1);
        }
        snprintf(text, sizeof(text),
                 "%.100s: \"%.100s\" is the name of more than one node%s; the first is found", path,
                 fit->names->text + fit->names->begins[number], more);
        options->note(options->context, text, GRAPH_REMEDY_NONE);
    }
}

bool names_fit(const struct names_fit *fit, uint32_t *first, uint64_t *limit,
               struct graph_error *error)
{
    const uint32_t first_before = *first;
    const uint64_t limit_before = *limit;
    const bool compact = fit->options->compact;
    if (!are_as_many(fit, first, limit)) {
        const uint64_t lowest = compact ? fit->id_min : first_before;
        const uint64_t end = compact ? (uint64_t)fit->id_max + 1 : limit_before;
        char ids[64] = "";
        if (fit->have_ids) {
            snprintf(ids, sizeof(ids), " (for %u to %llu)", fit->names->first_id,
                     (unsigned long long)fit->names->first_id + fit->names->count - 1);
        }
        return graph_fail(error, fit->options->names_path,
                          "%u names%s for the %llu nodes %llu to %llu of the graph",
                          fit->names->count, ids, (unsigned long long)(end - lowest),
                          (unsigned long long)lowest, (unsigned long long)end - 1);
    }
    note_names(fit, *first, first_before);
    return true;
}
