/*
 * name_search.c - completion by comparison, suggestions by edit distance.
 */
#include "name_search.h"
#include "base/edit_distance.h"
#include "base/pw_assert.h"
#include "data/graph/graph_origin.h"
#include "name_fold.h"
#include "name_near.h"
#include "name_order.h"
#include <stdio.h>
#include <string.h>

#define SUGGESTION_MAX    5
#define MISSPELT_LENGTH   64 /* longer names are not compared */
#define MISTAKES_AT_LEAST 1
#define COMPLETED_MAX     100000 /* names of an order to look at */
#define WORD_LENGTH       3      /* of a text that may be found as a word of a name */
#define LETTERS_PER_STEP  12     /* this number of extra letters counts as one mistake */

/* Count a match; keep it if there is room, and update the start that all names share. */
static void add_match(struct name_matches *matches, uint32_t node, const char *name)
{
    if (matches->total++ == 0) {
        strncpy(matches->common, name, sizeof(matches->common) - 1);
    } else {
        size_t same = 0;
        while (matches->common[same] != '\0' && matches->common[same] == name[same]) {
            same++;
        }
        while (same > 0 && ((unsigned char)name[same] >> 6) == 2) {
            same--; /* back to the start of the different character */
        }
        matches->common[same] = '\0';
    }
    if (matches->count < NAME_SEARCH_MAX) {
        matches->nodes[matches->count++] = node;
    }
}

/* The same if the snapshot has the order of the names: only folded names with this start. */
static void search_ordered(const struct graph *graph, const char *prefix, const char *wanted,
                           size_t wanted_length, struct name_matches *matches)
{
    uint64_t begin, end;
    name_order_range(graph, wanted, wanted_length, &begin, &end);
    const bool is_long = end - begin > COMPLETED_MAX;
    const uint64_t stop = is_long ? begin + COMPLETED_MAX : end;
    for (int pass = 0; pass < 2 && matches->total == 0; pass++) {
        for (uint64_t i = begin; i < stop; i++) {
            size_t length;
            const uint32_t number = graph->origin->order[i];
            const char *name = name_order_text(graph, number, &length);
            if (number < graph->names->count &&
                (pass == 1 || strncmp(name, prefix, strlen(prefix)) == 0)) {
                /* in a renumbered graph that may be a walk through all nodes */
                const bool is_kept = matches->count < NAME_SEARCH_MAX;
                const uint32_t node = is_kept ? name_order_node(graph, number) : 0;
                if (node != GRAPH_NODE_NONE) {
                    add_match(matches, node, name);
                }
            }
        }
    }
    if (is_long && matches->total > 0) { /* the others differ early */
        matches->total = (size_t)(end - begin);
        snprintf(matches->common, sizeof(matches->common), "%s", prefix);
    }
}

void name_search_prefix(const struct graph *graph, const char *prefix, struct name_matches *matches)
{
    char text[GRAPH_LABEL_SIZE];
    char wanted[GRAPH_LABEL_SIZE];
    char folded[GRAPH_LABEL_SIZE];
    const size_t length = strlen(prefix);
    const size_t wanted_length = name_fold(wanted, sizeof(wanted), prefix, length);
    *matches = (struct name_matches){0};
    if (name_order_is_there(graph)) {
        search_ordered(graph, prefix, wanted, wanted_length, matches);
        return;
    }
    for (int pass = 0; graph->names != NULL && pass < 2 && matches->total == 0; pass++) {
        for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
            const char *name = graph_label(graph, node, text);
            bool starts = pass == 0 && strncmp(name, prefix, length) == 0;
            if (pass == 1) {
                size_t folded_length = name_fold(folded, sizeof(folded), name, strlen(name));
                starts =
                    folded_length >= wanted_length && memcmp(folded, wanted, wanted_length) == 0;
            }
            if (starts) {
                add_match(matches, node, name);
            }
        }
    }
}

/* Put a node among the nearest so far, after any that are as near. */
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

/* True if a text is a word of a name, or several words. */
static bool has_word(const char *name, size_t name_length, const char *text, size_t length)
{
    const char *at = name;
    const char *end = name + name_length;
    while (length >= WORD_LENGTH && (at = memmem(at, (size_t)(end - at), text, length)) != NULL) {
        if ((at == name || at[-1] == ' ') && (at + length == end || strchr(" ,", at[length]))) {
            return true;
        }
        at++;
    }
    return false;
}

void name_search_similar(const struct graph *graph, const char *text, size_t length,
                         struct name_matches *matches)
{
    char label[GRAPH_LABEL_SIZE];
    char wanted[MISSPELT_LENGTH];
    char folded[GRAPH_LABEL_SIZE];
    unsigned distances[SUGGESTION_MAX] = {0};
    *matches = (struct name_matches){0};
    if (name_order_is_there(graph)) {
        name_order_similar(graph, text, length, matches->nodes, &matches->count, SUGGESTION_MAX);
        matches->total = matches->count;
        return;
    }
    if (graph->names == NULL || length == 0 || length > MISSPELT_LENGTH) {
        return;
    }
    length = name_fold(wanted, sizeof(wanted), text, length);
    unsigned most = (unsigned)length / 3 + MISTAKES_AT_LEAST;
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        const char *name = graph_label(graph, node, label);
        const size_t name_length = name_fold(folded, sizeof(folded), name, strlen(name));
        unsigned distance = edit_distance(wanted, length, folded, name_length, most);
        if (distance > 1 && has_word(folded, name_length, wanted, length)) {
            distance = 1 + (unsigned)((name_length - length) / LETTERS_PER_STEP);
        }
        if (distance <= most && name_length <= MISSPELT_LENGTH &&
            !name_is_among(graph, matches->nodes, matches->count, node)) {
            matches->total++;
            insert(matches, distances, node, distance);
            if (matches->count == SUGGESTION_MAX) {
                most = distances[SUGGESTION_MAX - 1];
            }
        }
    }
}
