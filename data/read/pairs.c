/*
 * pairs.c - read the list of searches; every id must name a node of the graph.
 */
#include "pairs.h"
#include "data/graph/node_index.h"
#include "edge_line.h"
#include "text_source.h"
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
    if (!node_index_find(index, begin, (size_t)(first_end - begin), &pair->source)) {
        graph_fail_line(error, path, line_number, "source %s is no node of the graph",
                        graph_quote(quoted, begin, (size_t)(first_end - begin)));
        return EDGE_LINE_BAD;
    }
    if (!node_index_find(index, second, (size_t)(end - second), &pair->target)) {
        graph_fail_line(error, path, line_number, "target %s is no node of the graph",
                        graph_quote(quoted, second, (size_t)(end - second)));
        return EDGE_LINE_BAD;
    }
    return EDGE_LINE_EDGE;
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

/* All pairs of a text. Returns false with error set. */
static bool read_pairs(const struct text_source *source, const struct graph *graph,
                       const struct node_index *index, struct pairs *pairs,
                       struct graph_error *error)
{
    const char *end = source->head + source->head_length;
    bool named = graph->names != NULL || graph->original_ids != NULL;
    size_t capacity = 0;
    uint64_t line = 0;
    for (const char *p = source->head, *stop; p < end; p = stop + (stop < end)) {
        struct pair pair;
        stop = text_line_end(p, end);
        line++;
        enum edge_line_kind kind =
            named ? read_named(index, p, stop, &pair, source->name, line, error)
                  : read_ids(graph, p, stop, &pair, source->name, line, error);
        if (kind == EDGE_LINE_BAD) {
            return false;
        }
        if (kind == EDGE_LINE_EDGE && !add_pair(pairs, &capacity, pair)) {
            return graph_fail(error, source->name, "out of memory after %zu pairs", pairs->count);
        }
    }
    return pairs->count > 0 || graph_fail_line(error, source->name, line, "no pair in the file");
}

bool pairs_load(const char *path, const struct graph *graph, struct pairs *pairs,
                struct graph_error *error)
{
    struct text_source source;
    struct node_index index;
    memset(pairs, 0, sizeof(*pairs));
    *error = (struct graph_error){0};
    if (!text_source_open_whole(&source, path, error)) {
        return false;
    }
    bool done = node_index_init(&index, graph) ||
                graph_fail(error, path, "out of memory for the index of nodes");
    if (done) {
        done = read_pairs(&source, graph, &index, pairs, error);
        node_index_free(&index);
    }
    text_source_close(&source);
    if (!done) {
        pairs_free(pairs);
    }
    return done;
}

void pairs_free(struct pairs *pairs)
{
    free(pairs->items);
    memset(pairs, 0, sizeof(*pairs));
}
