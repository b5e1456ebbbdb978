/*
 * pairs.c - read the list of searches; every id must name a node of the graph.
 */
#include "pairs.h"

#include "edge_line.h"
#include "text_file.h"

#include <stdlib.h>
#include <string.h>

static bool add_pair(struct pairs *pairs, size_t *capacity, struct pair pair)
{
    if (pairs->count == *capacity) {
        size_t wanted = *capacity ? *capacity * 2 : 128;
        struct pair *items =
            wanted <= SIZE_MAX / sizeof pair ? realloc(pairs->items, wanted * sizeof pair) : NULL;
        if (!items) {
            return false;
        }
        pairs->items = items;
        *capacity = wanted;
    }
    pairs->items[pairs->count++] = pair;
    return true;
}

bool pairs_load(const char *path, const struct graph *graph, struct pairs *pairs,
                struct graph_error *error)
{
    struct text_file file;
    struct edge_line line;
    size_t capacity = 0;
    uint64_t line_number = 0;
    struct edge_rules rules = {.source_min = graph->first_node, .target_min = graph->first_node};
    rules.source_max = rules.target_max = graph->node_limit ? graph->node_limit - 1 : 0;
    memset(pairs, 0, sizeof *pairs);
    error->message[0] = '\0';
    if (!text_file_read(path, &file, error)) {
        return false;
    }
    const char *end = file.text + file.length;
    for (const char *p = file.text, *stop; p < end; p = stop + (stop < end)) {
        stop = text_line_end(p, end);
        enum edge_line_kind kind = edge_line_read(p, stop, &rules, &line);
        line_number++;
        if (kind == EDGE_LINE_BAD) {
            edge_line_explain(p, stop, &rules, path, line_number, error);
            goto fail;
        }
        if (kind == EDGE_LINE_EDGE &&
            !add_pair(pairs, &capacity, (struct pair){line.source, line.target})) {
            graph_fail(error, path, "out of memory after %zu pairs", pairs->count);
            goto fail;
        }
    }
    if (pairs->count == 0) {
        graph_fail_line(error, path, line_number, "no pair in the file");
        goto fail;
    }
    text_file_free(&file);
    return true;
fail:
    text_file_free(&file);
    pairs_free(pairs);
    return false;
}

void pairs_free(struct pairs *pairs)
{
    free(pairs->items);
    memset(pairs, 0, sizeof *pairs);
}
