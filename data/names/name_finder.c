/*
 * name_finder.c - the ways from a typed text to a node, in turn, and messages.
 */
#include "name_finder.h"
#include "base/one_line.h"
#include "data/graph/graph_names.h"
#include "data/graph/graph_origin.h"
#include "name_address.h"
#include "name_near.h"
#include "name_sort.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_SIZE 128 /* of a text in a message: start, three dots, end */
#define SHORT_END  24

bool name_finder_open(struct name_finder *finder, const struct graph *graph)
{
    *finder = (struct name_finder){.order.index = &finder->index};
    if (name_order_is_stored(graph)) {
        finder->order.numbers = graph->origin->order;
    }
    if (!node_index_init(&finder->index, graph)) {
        return false;
    }
    pthread_mutex_init(&finder->lock, NULL);
    return true;
}

void name_finder_close(struct name_finder *finder)
{
    node_index_free(&finder->index);
    free(finder->made);
    finder->made = NULL;
    pthread_mutex_destroy(&finder->lock);
}

bool name_finder_sort(struct name_finder *finder, const volatile sig_atomic_t *cancel)
{
    const struct graph *graph = finder->index.graph;
    if (graph->names == NULL) {
        return true;
    }
    pthread_mutex_lock(&finder->lock);
    if (finder->order.numbers == NULL &&
        (finder->memory_limit == 0 || name_sort_memory(graph) <= finder->memory_limit)) {
        finder->made = name_sort(graph, finder->threads, cancel);
        finder->order.numbers = finder->made;
    }
    const bool is_there = finder->order.numbers != NULL;
    pthread_mutex_unlock(&finder->lock);
    return is_there;
}

const struct name_order *name_finder_order(struct name_finder *finder)
{
    const bool has_names = finder->index.graph->names != NULL;
    return has_names && name_finder_sort(finder, NULL) ? &finder->order : NULL;
}

/* Look a text up in the order of names: as typed, or decoded if it is URL-encoded. */
static enum name_quality find_number(const struct name_order *order, const char *text,
                                     size_t length, uint32_t *number, uint32_t *node)
{
    char decoded[3 * NAME_FOLDED_MAX]; /* each byte may be encoded as three */
    const enum name_quality quality = name_order_find(order, text, length, number, node);
    if (quality != NAME_OF_NONE || length > sizeof(decoded) || memchr(text, '%', length) == NULL) {
        return quality;
    }
    length = graph_names_decode(decoded, text, length);
    return name_order_find(order, decoded, length, number, node);
}

static enum name_fit find_spelling(struct name_finder *finder, const char *text, size_t length,
                                   const volatile sig_atomic_t *cancel, uint32_t *number,
                                   uint32_t *node)
{
    if (finder->index.graph->names == NULL) {
        return NAME_UNKNOWN;
    }
    if (!name_finder_sort(finder, cancel)) {
        return NAME_NO_MEMORY;
    }
    switch (find_number(&finder->order, text, length, number, node)) {
    case NAME_OF_NONE:
        return NAME_UNKNOWN;
    case NAME_AS_TYPED:
    case NAME_SAME:
        return NAME_EXACT;
    default:
        return NAME_FORGIVEN;
    }
}

/* Find a title of a wiki, or one that redirects, typed in a way that MediaWiki takes for it. */
static bool find_title(const struct name_finder *finder, const char *text, size_t length,
                       uint32_t *number, uint32_t *node)
{
    return name_order_is_stored(finder->index.graph) &&
           name_order_find(&finder->order, text, length, number, node) >= NAME_AS_TYPED_ALIAS;
}

/* Addresses of articles ------------------------------------------------------------------------ */

/* Find an article by its title to the letter: the two kinds of blanks are equal in a title. Its
 * digits are no id. */
static bool find_article(const struct name_finder *finder, const struct name_address *address,
                         uint32_t *number, uint32_t *node)
{
    char title[NAME_ADDRESS_TITLE];
    for (size_t i = 0; i < address->title_length; i++) {
        title[i] = (char)(address->title[i] == ' ' ? '_' : address->title[i]);
    }
    return node_index_find_name(&finder->index, title, address->title_length, node) ||
           node_index_find_name(&finder->index, address->title, address->title_length, node) ||
           find_title(finder, address->title, address->title_length, number, node);
}

bool name_finder_find_exact(const struct name_finder *finder, const char *text, size_t length,
                            uint32_t *node)
{
    struct name_address address;
    uint32_t number;
    return node_index_find_name(&finder->index, text, length, node) ||
           find_title(finder, text, length, &number, node) ||
           node_index_find_number(&finder->index, text, length, node) ||
           (name_address_read(text, length, &address) &&
            (!address.is_section || name_order_is_stored(finder->index.graph)) &&
            find_article(finder, &address, &number, node));
}

/* Messages ------------------------------------------------------------------------------------- */

/* A text for a message: a long one is cut in the middle, between characters. */
static const char *shorten(char out[SHORT_SIZE], const char *text, size_t length)
{
    static const char dots[] = "...";
    size_t start = SHORT_SIZE - SHORT_END - sizeof(dots);
    size_t end = length - SHORT_END;
    if (length < SHORT_SIZE) {
        snprintf(out, SHORT_SIZE, "%.*s", (int)length, text);
        return out;
    }
    while (start > 0 && ((unsigned char)text[start] >> 6) == 2) {
        start--;
    }
    while (end < length && ((unsigned char)text[end] >> 6) == 2) {
        end++;
    }
    snprintf(out, SHORT_SIZE, "%.*s%s%.*s", (int)start, text, dots, (int)(length - end),
             text + end);
    return out;
}

/* Say what was forgiven. number: of the name or alias in the order. */
static void note(const struct graph *graph, const char *text, size_t length, uint32_t number,
                 struct name_match *match)
{
    char label[GRAPH_LABEL_SIZE];
    char shown[SHORT_SIZE], meant[SHORT_SIZE];
    const char *name = graph_label(graph, match->node, label);
    const bool is_alias = number >= graph->names->count;
    if (is_alias) {
        text = name_order_text(graph, number, &length);
    }
    snprintf(match->message, sizeof(match->message),
             is_alias ? "%s redirects to %s" : "\"%s\" is taken for \"%s\"",
             shorten(shown, text, length), shorten(meant, name, strlen(name)));
    one_line(match->message);
}

/* "ids go from 0 to 4603", of the file; in a graph with names "numbers go from #0 to #4603". */
static void append_range(const struct graph *graph, char *message, size_t used)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        const uint32_t id = graph_original_id(graph, node);
        least = id < least ? id : least;
        most = id > most ? id : most;
    }
    if (least <= most) {
        snprintf(message + used, NAME_MESSAGE_SIZE - used,
                 graph->names == NULL ? "%sids go from %u to %u" : "%snumbers go from #%u to #%u",
                 used > 0 ? "; " : "", least, most);
    }
}

/* Say why there is no such node, and which ones are near. */
static void explain(const struct name_finder *finder, const char *text, size_t length,
                    struct name_match *match)
{
    const struct graph *graph = finder->index.graph;
    const uint32_t near_count = match->near_count;
    char *message = match->message;
    char label[GRAPH_LABEL_SIZE];
    char shown[SHORT_SIZE];
    int used = 0;
    shorten(shown, text, length);
    const bool number = shown[0] != '\0' && shown[strspn(shown, "0123456789")] == '\0';
    if (graph->names == NULL) {
        used = snprintf(message, NAME_MESSAGE_SIZE, "%s \"%s\"",
                        number ? "no node has the id"
                               : "the graph has no names, so a node is an id, not",
                        shown);
    } else {
        used = snprintf(message, NAME_MESSAGE_SIZE, "no node is called \"%s\"", shown);
    }
    for (size_t i = 0; i < near_count; i++) {
        const char *name = graph_label(graph, match->near[i], label);
        if ((size_t)used + strlen(name) + 20 < NAME_MESSAGE_SIZE) {
            used += snprintf(message + used, NAME_MESSAGE_SIZE - (size_t)used, "%s%s",
                             i == 0                ? "; did you mean "
                             : i + 1 == near_count ? " or "
                                                   : ", ",
                             name);
        }
    }
    if (near_count > 0) {
        used += snprintf(message + used, NAME_MESSAGE_SIZE - (size_t)used, "?");
    }
    const bool numbered = length > 1 && *text == '#';
    uint32_t node;
    if (number && graph->names != NULL && !node_index_has_pages(graph) &&
        node_index_find_id(&finder->index, strtoull(shown, NULL, 10), &node)) {
        snprintf(message + used, NAME_MESSAGE_SIZE - (size_t)used,
                 "%s #%s is the node of that number", near_count > 0 ? "" : ";", shown);
    } else if (near_count == 0 &&
               (graph->names == NULL || numbered || (number && !node_index_has_pages(graph)))) {
        append_range(graph, message, (size_t)used);
    }
    one_line(message);
}

/* A name in any way -------------------------------------------------------------------------- */

enum name_fit name_finder_find(struct name_finder *finder, const char *text, size_t length,
                               const volatile sig_atomic_t *cancel, struct name_match *match)
{
    const struct graph *graph = finder->index.graph;
    const bool is_wiki = name_order_is_stored(graph); /* a number may be a title that redirects */
    struct name_address address;
    uint32_t number = 0;
    match->near_count = 0;
    match->message[0] = '\0';
    if (node_index_find_name(&finder->index, text, length, &match->node) ||
        ((!is_wiki || node_index_is_numbered(text, length)) &&
         node_index_find_number(&finder->index, text, length, &match->node))) {
        return NAME_EXACT;
    }
    enum name_fit fit = find_spelling(finder, text, length, cancel, &number, &match->node);
    if (fit == NAME_UNKNOWN && is_wiki &&
        node_index_find_number(&finder->index, text, length, &match->node)) {
        return NAME_EXACT;
    }
    const bool is_address = fit == NAME_UNKNOWN && name_address_read(text, length, &address);
    if (is_address) {
        fit = find_article(finder, &address, &number, &match->node)
                  ? NAME_FORGIVEN
                  : find_spelling(finder, address.title, address.title_length, cancel, &number,
                                  &match->node);
        fit = fit == NAME_EXACT ? NAME_FORGIVEN : fit;
    }
    if (fit == NAME_FORGIVEN) {
        note(graph, text, length, number, match);
    } else if (fit == NAME_UNKNOWN) {
        match->near_count =
            graph->names == NULL
                ? 0
                : (uint32_t)name_order_similar(&finder->order, is_address ? address.title : text,
                                               is_address ? address.title_length : length,
                                               match->near, NAME_SIMILAR_MAX);
        explain(finder, text, length, match);
    }
    return fit;
}
