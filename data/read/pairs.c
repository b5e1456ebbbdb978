/*
 * pairs.c - read the list of searches; every id must name a node of the graph.
 */
#include "pairs.h"
#include "data/graph/node_index.h"
#include "edge_line.h"
#include "text_reader.h"
#include <stdlib.h>
#include <string.h>

static bool add_pair(struct pairs *pairs, size_t *capacity, struct pair pair)
{
    if (pairs->count == *capacity) {
        size_t wanted = *capacity ? *capacity * 2 : 128;
        struct pair *items =
            wanted <= SIZE_MAX / sizeof(pair) ? realloc(pairs->items, wanted * sizeof(pair)) : NULL;
        if (items == NULL) {
            return false;
        }
        pairs->items = items;
        *capacity = wanted;
    }
    pairs->items[pairs->count++] = pair;
    return true;
}

/* Cut a line of two names: at its tab, or else at the blank or the comma, if there is just one. */
static bool cut_names(const char *begin, const char *end, const char **first_end,
                      const char **second)
{
    static const char separators[] = {'\t', ' ', ','};
    for (size_t i = 0; i < sizeof(separators); i++) {
        const char *cut = memchr(begin, separators[i], (size_t)(end - begin));
        if (cut != NULL) {
            *first_end = cut;
            *second = cut + 1;
            while (*second < end && **second == separators[i] && separators[i] == ' ') {
                ++*second;
            }
            return cut > begin && *second < end &&
                   memchr(*second, separators[i], (size_t)(end - *second)) == NULL;
        }
    }
    return false;
}

/* One pair by name, or by the ids of a renumbered graph. Returns false with error set. */
static enum edge_line_kind read_named(const struct node_index *index, const char *begin,
                                      const char *end, struct pair *pair, const char *path,
                                      uint64_t line_number, struct graph_error *error)
{
    const char *first_end, *second;
    char quoted[GRAPH_QUOTE_SIZE];
    while (begin < end && (*begin == ' ' || *begin == '\t')) {
        begin++;
    }
    while (end > begin && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    bool encoded = end - begin > 2 && *begin == '%' && begin[1] != ' ' && begin[1] != '%';
    if (begin == end || *begin == '#' || (*begin == '%' && !encoded)) {
        return EDGE_LINE_SKIP;
    }
    if (!cut_names(begin, end, &first_end, &second)) {
        graph_fail_line(error, path, line_number, "expected two names or ids, found %s",
                        graph_quote(quoted, begin, (size_t)(end - begin)));
        return EDGE_LINE_BAD;
    }
    size_t first_length = (size_t)(first_end - begin), second_length = (size_t)(end - second);
    bool has_source = node_index_find(index, begin, first_length, &pair->source);
    if (has_source && node_index_find(index, second, second_length, &pair->target)) {
        return EDGE_LINE_EDGE;
    }
    graph_fail_line(error, path, line_number, "%s %s is no node of the graph",
                    has_source ? "target" : "source",
                    has_source ? graph_quote(quoted, second, second_length)
                               : graph_quote(quoted, begin, first_length));
    return EDGE_LINE_BAD;
}

static enum edge_line_kind read_ids(const struct graph *graph, const char *begin, const char *end,
                                    struct pair *pair, const char *path, uint64_t line_number,
                                    struct graph_error *error)
{
    struct edge_line line;
    struct edge_rules rules = {.source_min = graph->first_node, .target_min = graph->first_node};
    rules.source_max = rules.target_max = graph->node_limit ? graph->node_limit - 1 : 0;
    enum edge_line_kind kind = edge_line_read(begin, end, &rules, &line);
    if (kind == EDGE_LINE_EDGE) {
        *pair = (struct pair){line.source, line.target};
    } else if (kind == EDGE_LINE_BAD) {
        edge_line_explain(begin, end, &rules, path, line_number, error);
    }
    return kind;
}

/* All pairs of a text, up to the first error. */
static void read_pairs(struct text_lines *lines, const struct graph *graph,
                       const struct node_index *index, struct pairs *pairs,
                       struct graph_error *error)
{
    const char *path = lines->source.name, *begin, *end;
    bool named = graph->names != NULL || graph->original_ids != NULL;
    size_t capacity = 0;
    while (text_lines_next(lines, &begin, &end, error)) {
        struct pair pair;
        enum edge_line_kind kind =
            named ? read_named(index, begin, end, &pair, path, lines->number, error)
                  : read_ids(graph, begin, end, &pair, path, lines->number, error);
        if (kind == EDGE_LINE_BAD) {
            return;
        }
        if (kind == EDGE_LINE_EDGE && !add_pair(pairs, &capacity, pair)) {
            graph_fail(error, path, "out of memory after %zu pairs", pairs->count);
            return;
        }
    }
    if (pairs->count == 0) {
        graph_fail_line(error, path, lines->number, "no pair in the file");
    }
}

bool pairs_load(const char *path, const struct graph *graph, struct pairs *pairs,
                struct graph_error *error)
{
    struct text_lines lines;
    struct node_index index;
    memset(pairs, 0, sizeof(*pairs));
    *error = (struct graph_error){0};
    if (!text_lines_open(&lines, path, error)) {
        return false;
    }
    if (node_index_init(&index, graph)) {
        read_pairs(&lines, graph, &index, pairs, error);
        node_index_free(&index);
    } else {
        graph_fail(error, path, "out of memory for the index of nodes");
    }
    if (!text_lines_close(&lines, error)) {
        pairs_free(pairs);
        return false;
    }
    return true;
}

void pairs_free(struct pairs *pairs)
{
    free(pairs->items);
    memset(pairs, 0, sizeof(*pairs));
}
