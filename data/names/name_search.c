/*
 * name_search.c - completion by comparison, suggestions by edit distance.
 */
#include "name_search.h"
#include "base/edit_distance.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
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

/* The matches of a search for a start, as they are found. */
struct gathering {
    const struct graph *graph;
    enum name_first first;
    uint32_t *nodes; /* unless found is the order: a heap, the last of the order at its top */
    size_t count, capacity;
    size_t total;
    char *common; /* GRAPH_LABEL_SIZE, zeroed; or NULL */
};

/* The length of a node's list; 0 if a bad block of the snapshot is in the way. */
static uint64_t length_of(const struct graph *graph, const uint64_t *offsets, uint32_t node)
{
    return offsets != NULL && graph_allows_ends(graph, offsets, node)
               ? offsets[node + 1] - offsets[node]
               : 0;
}

static uint64_t degree_of(const struct graph *graph, uint32_t node)
{
    return length_of(graph, graph->offsets, node) + length_of(graph, graph->in_offsets, node);
}

/* True if one node comes before another in the order that is asked for. */
static bool is_before(const struct gathering *gathering, uint32_t a, uint32_t b)
{
    const struct graph *graph = gathering->graph;
    if (gathering->first == NAME_FIRST_DEGREE) {
        const uint64_t one = degree_of(graph, a), other = degree_of(graph, b);
        return one != other ? one > other : a < b;
    }
    char one[GRAPH_LABEL_SIZE], other[GRAPH_LABEL_SIZE];
    const int order = strcmp(graph_label(graph, a, one), graph_label(graph, b, other));
    return order != 0 ? order < 0 : a < b;
}

/* Let a node sink in the heap of `count` nodes, from place at. */
static void sink(struct gathering *gathering, size_t at, size_t count)
{
    uint32_t *nodes = gathering->nodes;
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && is_before(gathering, nodes[child], nodes[child + 1]);
        if (!is_before(gathering, nodes[at], nodes[child])) {
            return;
        }
        const uint32_t node = nodes[at];
        nodes[at] = nodes[child];
        nodes[child] = node;
        at = child;
    }
}

/* Keep a node if it is among the first so far. */
static void keep(struct gathering *gathering, uint32_t node)
{
    uint32_t *nodes = gathering->nodes;
    if (gathering->count < gathering->capacity) {
        nodes[gathering->count++] = node;
        if (gathering->first != NAME_FIRST_FOUND && gathering->count == gathering->capacity) {
            for (size_t i = gathering->count / 2; i-- > 0;) {
                sink(gathering, i, gathering->count);
            }
        }
    } else if (gathering->first != NAME_FIRST_FOUND && gathering->capacity > 0 &&
               is_before(gathering, node, nodes[0])) {
        nodes[0] = node;
        sink(gathering, 0, gathering->count);
    }
}

/* Bring the kept nodes into their order. */
static void put_in_order(struct gathering *gathering)
{
    if (gathering->first == NAME_FIRST_FOUND) {
        return;
    }
    for (size_t i = gathering->count / 2; i-- > 0;) {
        sink(gathering, i, gathering->count);
    }
    for (size_t count = gathering->count; count > 1; count--) {
        const uint32_t last = gathering->nodes[0];
        gathering->nodes[0] = gathering->nodes[count - 1];
        gathering->nodes[count - 1] = last;
        sink(gathering, 0, count - 1);
    }
}

/* Count a match; keep it if there is room, and update the start that all names share. */
static void add_match(struct gathering *gathering, uint32_t node, const char *name)
{
    char *common = gathering->common;
    if (gathering->total++ == 0 && common != NULL) {
        strncpy(common, name, GRAPH_LABEL_SIZE - 1);
    } else if (common != NULL) {
        size_t same = 0;
        while (common[same] != '\0' && common[same] == name[same]) {
            same++;
        }
        while (same > 0 && ((unsigned char)name[same] >> 6) == 2) {
            same--; /* back to the start of the different character */
        }
        common[same] = '\0';
    }
    keep(gathering, node);
}

/* The names of a snapshot's order: only folded names with this start. */
static void search_ordered(struct gathering *gathering, const char *prefix, const char *wanted,
                           size_t wanted_length)
{
    const struct graph *graph = gathering->graph;
    uint64_t begin, end;
    name_order_range(graph, wanted, wanted_length, &begin, &end);
    const bool is_long = end - begin > COMPLETED_MAX;
    const uint64_t stop = is_long ? begin + COMPLETED_MAX : end;
    for (int pass = 0; pass < 2 && gathering->total == 0; pass++) {
        for (uint64_t i = begin; i < stop; i++) {
            size_t length;
            const uint32_t number = name_order_at(graph, i);
            const char *name = name_order_text(graph, number, &length);
            if (number < graph->names->count &&
                (pass == 1 || strncmp(name, prefix, strlen(prefix)) == 0)) {
                /* in a renumbered graph that may be a walk through all nodes */
                const bool is_kept =
                    gathering->first != NAME_FIRST_FOUND || gathering->count < gathering->capacity;
                const uint32_t node = is_kept ? name_order_node(graph, number) : 0;
                if (node != GRAPH_NODE_NONE) {
                    add_match(gathering, node, name);
                }
            }
        }
    }
    if (is_long && gathering->total > 0) { /* the others differ early */
        gathering->total = (size_t)(end - begin);
        if (gathering->common != NULL) {
            snprintf(gathering->common, GRAPH_LABEL_SIZE, "%s", prefix);
        }
    }
}

/* All names, one after the other. */
static void search_all(struct gathering *gathering, const char *prefix, const char *wanted,
                       size_t wanted_length)
{
    const struct graph *graph = gathering->graph;
    const size_t length = strlen(prefix);
    char text[GRAPH_LABEL_SIZE], folded[GRAPH_LABEL_SIZE];
    for (int pass = 0; graph->names != NULL && pass < 2 && gathering->total == 0; pass++) {
        for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
            const char *name = graph_label(graph, node, text);
            bool starts = pass == 0 && strncmp(name, prefix, length) == 0;
            if (pass == 1) {
                size_t folded_length = name_fold(folded, sizeof(folded), name, strlen(name));
                starts =
                    folded_length >= wanted_length && memcmp(folded, wanted, wanted_length) == 0;
            }
            if (starts) {
                add_match(gathering, node, name);
            }
        }
    }
}

static void gather(struct gathering *gathering, const char *prefix)
{
    const struct graph *graph = gathering->graph;
    char wanted[GRAPH_LABEL_SIZE];
    const size_t wanted_length = name_fold(wanted, sizeof(wanted), prefix, strlen(prefix));
    if (name_order_is_there(graph) &&
        (gathering->first == NAME_FIRST_FOUND || graph->original_ids == NULL)) {
        search_ordered(gathering, prefix, wanted, wanted_length);
    } else {
        search_all(gathering, prefix, wanted, wanted_length);
    }
    put_in_order(gathering);
    pw_assert(gathering->count <= gathering->capacity && gathering->count <= gathering->total);
}

size_t name_search_first(const struct graph *graph, const char *prefix, enum name_first first,
                         uint32_t *nodes, size_t capacity, size_t *total)
{
    struct gathering gathering = {
        .graph = graph, .first = first, .nodes = nodes, .capacity = capacity};
    gather(&gathering, prefix);
    *total = gathering.total;
    return gathering.count;
}

void name_search_prefix(const struct graph *graph, const char *prefix, struct name_matches *matches)
{
    *matches = (struct name_matches){0};
    struct gathering gathering = {.graph = graph,
                                  .nodes = matches->nodes,
                                  .capacity = NAME_SEARCH_MAX,
                                  .common = matches->common};
    gather(&gathering, prefix);
    matches->count = gathering.count;
    matches->total = gathering.total;
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
