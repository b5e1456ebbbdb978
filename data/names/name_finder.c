/*
 * name_finder.c - a hash table of folded names (open addressing, at most half full), and messages.
 */
#include "name_finder.h"
#include "base/one_line.h"
#include "base/pw_assert.h"
#include "data/graph/graph_names.h"
#include "data/graph/graph_origin.h"
#include "name_address.h"
#include "name_fold.h"
#include "name_order.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define FOLDED_SIZE 512
#define SHORT_SIZE  128 /* of a text in a message: start, three dots, end */
#define SHORT_END   24

bool name_finder_open(struct name_finder *finder, const struct graph *graph)
{
    *finder = (struct name_finder){.slots = NULL};
    return node_index_init(&finder->index, graph);
}

void name_finder_close(struct name_finder *finder)
{
    node_index_free(&finder->index);
    free(finder->slots);
    *finder = (struct name_finder){.slots = NULL};
}

static size_t fold_label(const struct graph *graph, uint32_t node, char folded[FOLDED_SIZE])
{
    char text[GRAPH_LABEL_SIZE];
    const char *label = graph_label(graph, node, text);
    return name_fold(folded, FOLDED_SIZE, label, strlen(label));
}

static bool is_folded(const struct graph *graph, uint32_t node, const char *wanted, size_t length)
{
    char folded[FOLDED_SIZE];
    return fold_label(graph, node, folded) == length && memcmp(folded, wanted, length) == 0;
}

/* Put every node into the table, but keep only two of each group of equal names: enough to know
 * that the name is ambiguous, and no long chain of slots. False when out of memory. */
static bool make_table(struct name_finder *finder)
{
    const struct graph *graph = finder->index.graph;
    char folded[FOLDED_SIZE];
    uint64_t count = 64;
    while (count / 2 <= graph_node_count(graph)) {
        count *= 2;
    }
    finder->slots = calloc(count, sizeof(*finder->slots));
    if (finder->slots == NULL) {
        return false;
    }
    finder->slot_count = count;
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        const size_t length = fold_label(graph, node, folded);
        uint64_t i = XXH3_64bits(folded, length) & (count - 1);
        unsigned equal = 0;
        for (; finder->slots[i] != 0 && equal < 2; i = (i + 1) & (count - 1)) {
            equal += is_folded(graph, finder->slots[i] - 1, folded, length);
        }
        if (equal < 2) {
            finder->slots[i] = node + 1;
        }
    }
    return true;
}

/* The number of a text, which may be URL-encoded. */
static enum name_quality find_number(const struct graph *graph, const char *text, size_t length,
                                     uint32_t *number)
{
    char decoded[3 * FOLDED_SIZE]; /* each byte may be encoded as three */
    const enum name_quality quality = name_order_find(graph, text, length, number);
    return quality != NAME_OF_NONE || length > sizeof(decoded) || memchr(text, '%', length) == NULL
               ? quality
               : name_order_find(graph, decoded, graph_names_decode(decoded, text, length), number);
}

/* Look up in the order of the names, if the snapshot has it. */
static enum name_fit find_ordered(const struct graph *graph, const char *text, size_t length,
                                  uint32_t *node)
{
    uint32_t number;
    const enum name_quality quality = find_number(graph, text, length, &number);
    if (quality == NAME_OF_NONE) {
        return NAME_UNKNOWN;
    }
    const bool is_alias = number >= graph->names->count;
    *node = name_order_node(graph, number);
    return quality == NAME_AS_TYPED && !is_alias ? NAME_EXACT : NAME_FORGIVEN;
}

/* Look up in the table of folded names, which the first such text makes. */
static enum name_fit find_folded(struct name_finder *finder, const char *text, size_t length,
                                 uint32_t *node)
{
    const struct graph *graph = finder->index.graph;
    char wanted[FOLDED_SIZE];
    unsigned fitting = 0;
    if (graph->names == NULL || length == 0 || length > FOLDED_SIZE) {
        return NAME_UNKNOWN;
    }
    if (finder->slots == NULL && !make_table(finder)) {
        return NAME_NO_MEMORY;
    }
    const size_t wanted_length = name_fold(wanted, sizeof(wanted), text, length);
    uint64_t i = XXH3_64bits(wanted, wanted_length) & (finder->slot_count - 1);
    for (; finder->slots[i] != 0; i = (i + 1) & (finder->slot_count - 1)) {
        const uint32_t found = finder->slots[i] - 1;
        pw_assert(graph_has_node(graph, found));
        if (is_folded(graph, found, wanted, wanted_length)) {
            fitting++;
            *node = found;
        }
    }
    return fitting == 1 && wanted_length > 0 ? NAME_FORGIVEN : NAME_UNKNOWN;
}

static enum name_fit find_text(struct name_finder *finder, const char *text, size_t length,
                               uint32_t *node)
{
    const struct graph *graph = finder->index.graph;
    const bool is_ordered = name_order_is_there(graph);
    if (node_index_find_name(&finder->index, text, length, node)) {
        return NAME_EXACT;
    }
    const enum name_fit fit = is_ordered ? find_ordered(graph, text, length, node) : NAME_UNKNOWN;
    if (fit == NAME_UNKNOWN && node_index_find(&finder->index, text, length, node)) {
        return NAME_EXACT;
    }
    return is_ordered ? fit : find_folded(finder, text, length, node);
}

/* Addresses of articles ------------------------------------------------------------------------ */

/* True if it is known that an address belongs to another wiki than the graph. */
static bool is_elsewhere(const struct graph *graph, const struct name_address *address,
                         char wiki[NAME_ADDRESS_WIKI])
{
    return address->wiki[0] != '\0' &&
           graph_origin_fact(graph->origin, "wiki", wiki, NAME_ADDRESS_WIKI) && wiki[0] != '\0' &&
           strcmp(wiki, address->wiki) != 0;
}

/* Find an article by its page, or by its title to the letter: the two kinds of blanks are equal in
 * a title. Its digits are no id. */
static bool find_article(const struct name_finder *finder, struct name_address *address,
                         uint32_t *node)
{
    static const char blanks[] = "_ ";
    const struct graph *graph = finder->index.graph;
    uint32_t number;
    if (address->page != 0) {
        return node_index_find_page(&finder->index, address->page, node);
    }
    for (size_t kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < address->title_length; i++) {
            char *c = address->title + i;
            if (*c == '_' || *c == ' ') {
                *c = blanks[kind];
            }
        }
        if (node_index_find_name(&finder->index, address->title, address->title_length, node)) {
            return true;
        }
    }
    const bool is_found =
        name_order_is_there(graph) &&
        name_order_find(graph, address->title, address->title_length, &number) == NAME_AS_TYPED;
    if (is_found) {
        *node = name_order_node(graph, number);
    }
    return is_found;
}

bool name_finder_find_article(const struct name_finder *finder, const char *text, size_t length,
                              uint32_t *node)
{
    struct name_address address;
    char wiki[NAME_ADDRESS_WIKI];
    return name_address_read(text, length, &address) &&
           !is_elsewhere(finder->index.graph, &address, wiki) &&
           find_article(finder, &address, node);
}

bool name_finder_is_elsewhere(const struct name_finder *finder, const char *text, size_t length)
{
    struct name_address address;
    char wiki[NAME_ADDRESS_WIKI];
    return name_address_read(text, length, &address) &&
           is_elsewhere(finder->index.graph, &address, wiki);
}

void name_finder_similar(const struct graph *graph, const char *text, size_t length,
                         struct name_matches *matches)
{
    struct name_address address;
    char wiki[NAME_ADDRESS_WIKI];
    if (!name_address_read(text, length, &address)) {
        name_search_similar(graph, text, length, matches);
    } else if (address.page != 0 || is_elsewhere(graph, &address, wiki)) {
        *matches = (struct name_matches){0};
    } else {
        name_search_similar(graph, address.title, address.title_length, matches);
    }
}

enum name_fit name_finder_find(struct name_finder *finder, const char *text, size_t length,
                               uint32_t *node)
{
    const struct graph *graph = finder->index.graph;
    struct name_address address;
    char wiki[NAME_ADDRESS_WIKI];
    const enum name_fit fit = find_text(finder, text, length, node);
    if (fit != NAME_UNKNOWN || !name_address_read(text, length, &address) ||
        is_elsewhere(graph, &address, wiki)) {
        return fit;
    }
    if (find_article(finder, &address, node)) {
        return NAME_FORGIVEN;
    }
    const enum name_fit spelt =
        name_order_is_there(graph) ? find_ordered(graph, address.title, address.title_length, node)
                                   : find_folded(finder, address.title, address.title_length, node);
    return spelt == NAME_EXACT ? NAME_FORGIVEN : spelt;
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

const char *name_finder_note(const struct name_finder *finder, const char *text, size_t length,
                             uint32_t node, char message[NAME_MESSAGE_SIZE])
{
    char label[GRAPH_LABEL_SIZE];
    char shown[SHORT_SIZE], meant[SHORT_SIZE];
    const struct graph *graph = finder->index.graph;
    const char *name = graph_label(graph, node, label);
    uint32_t number = 0;
    struct name_address address;
    const bool is_number =
        name_order_is_there(graph) &&
        (find_number(graph, text, length, &number) != NAME_OF_NONE ||
         (name_address_read(text, length, &address) && address.page == 0 &&
          find_number(graph, address.title, address.title_length, &number) != NAME_OF_NONE));
    const bool is_alias = is_number && number >= graph->names->count;
    if (is_alias) {
        text = name_order_text(graph, number, &length);
    }
    snprintf(message, NAME_MESSAGE_SIZE,
             is_alias ? "%s redirects to %s" : "\"%s\" is taken for \"%s\"",
             shorten(shown, text, length), shorten(meant, name, strlen(name)));
    one_line(message);
    return message;
}

/* "ids go from 0 to 4603", of the file. */
static void append_range(const struct graph *graph, char *message, size_t used)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        const uint32_t id = graph_original_id(graph, node);
        least = id < least ? id : least;
        most = id > most ? id : most;
    }
    if (least <= most) {
        snprintf(message + used, NAME_MESSAGE_SIZE - used, "%sids go from %u to %u",
                 used > 0 ? "; " : "", least, most);
    }
}

const char *name_finder_explain(const struct name_finder *finder, const char *text, size_t length,
                                char message[NAME_MESSAGE_SIZE])
{
    const struct graph *graph = finder->index.graph;
    struct name_matches near;
    char label[GRAPH_LABEL_SIZE];
    char shown[SHORT_SIZE];
    int used = 0;
    struct name_address address;
    char wiki[NAME_ADDRESS_WIKI];
    shorten(shown, text, length);
    if (name_address_read(text, length, &address) && is_elsewhere(graph, &address, wiki)) {
        snprintf(message, NAME_MESSAGE_SIZE, "\"%s\" is an address of %s; this graph is %s", shown,
                 address.wiki, wiki);
        one_line(message);
        return message;
    }
    const bool number = shown[0] != '\0' && shown[strspn(shown, "0123456789")] == '\0';
    if (graph->names == NULL) {
        used = snprintf(message, NAME_MESSAGE_SIZE, "%s \"%s\"",
                        number ? "no node has the id"
                               : "the graph has no names, so a node is an id, not",
                        shown);
    } else {
        used = snprintf(message, NAME_MESSAGE_SIZE, "no node is called \"%s\"", shown);
    }
    name_finder_similar(graph, text, length, &near);
    for (size_t i = 0; i < near.count; i++) {
        const char *name = graph_label(graph, near.nodes[i], label);
        if ((size_t)used + strlen(name) + 20 < NAME_MESSAGE_SIZE) {
            used += snprintf(message + used, NAME_MESSAGE_SIZE - (size_t)used, "%s%s",
                             i == 0                ? "; did you mean "
                             : i + 1 == near.count ? " or "
                                                   : ", ",
                             name);
        }
    }
    if (near.count > 0) {
        snprintf(message + used, NAME_MESSAGE_SIZE - (size_t)used, "?");
    } else if (graph->names == NULL || (number && !node_index_has_pages(graph))) {
        append_range(graph, message, (size_t)used);
    }
    one_line(message);
    return message;
}
