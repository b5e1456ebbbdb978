/*
 * edge_text.h - all edges of a small graph as one text, by name or id.
 */
#pragma once

#include "data/graph/graph.h"
#include "tests/support/suite.h"
#include <stdio.h>

/* "a>b a>c", in the order of the nodes. The text is static. */
static inline const char *edge_text(const struct graph *graph)
{
    static char text[1000];
    char source[GRAPH_LABEL_SIZE], target[GRAPH_LABEL_SIZE];
    size_t used = 0;
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        for (uint64_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s>%s",
                                     used > 0 ? " " : "", graph_label(graph, node, source),
                                     graph_label(graph, graph->neighbours[e], target));
            ck_assert_uint_lt(used, sizeof(text));
        }
    }
    text[used] = '\0';
    return text;
}
