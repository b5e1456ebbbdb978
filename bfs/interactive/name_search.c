/*
 * name_search.c - completion by comparison, suggestions by edit distance.
 */
#include "name_search.h"
#include "base/edit_distance.h"
#include "base/pw_assert.h"
#include <string.h>

#define SUGGESTION_MAX    5
#define MISSPELT_LENGTH   64 /* longer names are not compared */
#define MISTAKES_AT_LEAST 1

void name_search_prefix(const struct graph *graph, const char *prefix, struct name_matches *matches)
{
    char text[GRAPH_LABEL_SIZE];
    const size_t length = strlen(prefix);
    *matches = (struct name_matches){0};
    if (graph->names == NULL) {
        return;
    }
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        const char *name = graph_label(graph, node, text);
        if (strncmp(name, prefix, length) != 0) {
            continue;
        }
        if (matches->total++ == 0) {
            strncpy(matches->common, name, sizeof(matches->common) - 1);
        } else {
            size_t same = 0;
            while (matches->common[same] != '\0' && matches->common[same] == name[same]) {
                same++;
            }
            while (same > 0 && ((unsigned char)name[same] >> 6) == 2) {
                same--; /* back to where the character starts that differs */
            }
            matches->common[same] = '\0';
        }
        if (matches->count < NAME_SEARCH_MAX) {
            matches->nodes[matches->count++] = node;
        }
    }
}

/* Put a node among the nearest so far, behind those as near. */
static void insert(struct name_matches *matches, unsigned *distances, uint32_t node,
                   unsigned distance)
{
    size_t at = matches->count;
    while (at > 0 && distances[at - 1] > distance) {
        at--;
    }
    if (at >= SUGGESTION_MAX) {
        return;
    }
    size_t last = matches->count < SUGGESTION_MAX ? matches->count++ : SUGGESTION_MAX - 1;
    for (size_t i = last; i > at; i--) {
        matches->nodes[i] = matches->nodes[i - 1];
        distances[i] = distances[i - 1];
    }
    matches->nodes[at] = node;
    distances[at] = distance;
    pw_assert(matches->count <= SUGGESTION_MAX && (at == 0 || distances[at - 1] <= distance));
}

void name_search_similar(const struct graph *graph, const char *text, struct name_matches *matches)
{
    char label[GRAPH_LABEL_SIZE];
    unsigned distances[SUGGESTION_MAX] = {0};
    const size_t length = strlen(text);
    unsigned most = (unsigned)length / 3 + MISTAKES_AT_LEAST;
    *matches = (struct name_matches){0};
    if (graph->names == NULL || length == 0 || length > MISSPELT_LENGTH) {
        return;
    }
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        const char *name = graph_label(graph, node, label);
        const size_t name_length = strlen(name);
        unsigned distance = edit_distance(text, length, name, name_length, most);
        if (distance <= most && name_length <= MISSPELT_LENGTH) {
            matches->total++;
            insert(matches, distances, node, distance);
            if (matches->count == SUGGESTION_MAX) {
                most = distances[SUGGESTION_MAX - 1];
            }
        }
    }
}
