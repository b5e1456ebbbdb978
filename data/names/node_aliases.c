/*
 * node_aliases.c - a counting sort of the aliases by their nodes.
 */
#include "node_aliases.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include <stdlib.h>

/* The ids that the aliases are for. NULL if the graph has no aliases, or if a bad block is in the
 * way. */
static const uint32_t *ids_of(const struct graph *graph)
{
    const struct graph_origin *origin = graph->origin;
    const uint32_t *ids = origin != NULL && origin->aliases != NULL && graph->names != NULL
                              ? origin->alias_ids
                              : NULL;
    return ids != NULL && graph_allows(graph, ids, origin->aliases->count * sizeof(*ids)) ? ids
                                                                                          : NULL;
}

bool node_aliases_open(struct node_aliases *index, const struct graph *graph)
{
    const uint32_t *ids = ids_of(graph);
    *index = (struct node_aliases){0};
    if (ids == NULL) {
        return false;
    }
    const uint32_t first = graph->names->first_id, names = graph->names->count;
    const uint32_t count = graph->origin->aliases->count;
    uint32_t *begins = calloc((size_t)names + 2, sizeof(*begins));
    uint32_t *numbers = malloc(((size_t)count + 1) * sizeof(*numbers));
    if (begins == NULL || numbers == NULL) {
        free(begins);
        free(numbers);
        return false;
    }
    uint32_t *places = begins + 1; /* the next free place of a name; its end at last */
    for (uint32_t i = 0; i < count; i++) {
        pw_assert(ids[i] - first < names);
        places[ids[i] - first + 1]++;
    }
    for (size_t i = 1; i <= names; i++) {
        places[i] += places[i - 1];
    }
    for (uint32_t i = 0; i < count; i++) {
        numbers[places[ids[i] - first]++] = i;
    }
    pw_assert(begins[0] == 0 && begins[names] == count);
    *index = (struct node_aliases){begins, numbers};
    return true;
}

void node_aliases_close(struct node_aliases *index)
{
    free(index->begins);
    free(index->numbers);
    *index = (struct node_aliases){0};
}

size_t node_aliases_find(const struct node_aliases *index, const struct graph *graph, uint32_t node,
                         const char **titles, size_t capacity)
{
    const bool has_index = index->begins != NULL;
    const uint32_t *ids = has_index ? NULL : ids_of(graph); /* an index needs no look at them */
    if (!has_index && ids == NULL) {
        return 0;
    }
    const uint32_t id = graph_original_id(graph, node), name = id - graph->names->first_id;
    const struct graph_names *aliases = graph->origin->aliases;
    size_t found = 0;
    if (name >= graph->names->count) {
        return 0;
    }
    const uint32_t end = has_index ? index->begins[name + 1] : aliases->count;
    for (uint32_t i = has_index ? index->begins[name] : 0; i < end; i++) {
        if (!has_index && ids[i] != id) {
            continue;
        }
        if (found < capacity) {
            size_t length;
            titles[found] =
                graph_name_text(graph, aliases, has_index ? index->numbers[i] : i, &length);
        }
        found++;
    }
    return found;
}
