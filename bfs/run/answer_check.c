/*
 * answer_check.c - reads the path of an answer, and judges both.
 */
#include "answer_check.h"
#include "base/pw_assert.h"
#include "bfs/engines/parts/large_block.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define ID_TEXT_SIZE 11 /* ten digits */

bool answer_check_open(struct answer_check *check, const struct graph *graph, bool paths,
                       bool verify)
{
    *check = (struct answer_check){.graph = graph, .paths = paths || verify, .verify = verify};
    if (check->paths) {
        check->nodes = large_block_create(((size_t)graph->node_limit + 1) * sizeof(*check->nodes));
    }
    if ((check->paths && check->nodes == NULL) ||
        (verify && !distances_open(&check->distances, graph))) {
        answer_check_close(check);
        return false;
    }
    return true;
}

void answer_check_close(struct answer_check *check)
{
    distances_close(&check->distances);
    large_block_free(check->nodes);
    *check = (struct answer_check){0};
}

void answer_check_avoid(struct answer_check *check, const uint32_t *nodes, size_t count)
{
    check->avoided = nodes;
    check->avoided_count = count;
    check->distances.reached = 0; /* the distances of the last source no longer hold */
}

/* True if a path has no node to avoid. */
static bool avoids_all(const struct answer_check *check, uint32_t hops)
{
    for (size_t i = 0; i < check->avoided_count; i++) {
        for (uint32_t at = 0; at <= hops; at++) {
            if (check->nodes[at] == check->avoided[i]) {
                return false;
            }
        }
    }
    return true;
}

/* The length of the shortest path, by the plain search. */
static uint32_t right_hops(struct answer_check *check, struct pair pair)
{
    struct distances *distances = &check->distances;
    if (distances->reached == 0 || distances->source != pair.source) {
        const struct distances_walk walk = {.avoided = check->avoided,
                                            .avoided_count = check->avoided_count};
        struct search_result unused;
        distances_find_more(distances, pair.source, &walk, &unused);
    }
    return distances_to(distances, pair.target);
}

static void hops_text(char *text, size_t size, uint32_t hops)
{
    if (hops == SEARCH_HOPS_NONE) {
        snprintf(text, size, "no path");
    } else {
        snprintf(text, size, "%u hops", hops);
    }
}

bool answer_check(struct answer_check *check, const struct search_engine *engine, void *workspace,
                  struct pair pair, const struct search_result *result, struct command_error *error)
{
    char source[GRAPH_LABEL_SIZE], target[GRAPH_LABEL_SIZE], said[32], right[32];
    pw_assert(pair.source < check->graph->node_limit && pair.target < check->graph->node_limit);
    pw_assert(!check->paths || check->nodes != NULL);
    if (result->status != SEARCH_DONE) {
        return true; /* it claims nothing */
    }
    const char *from = graph_label(check->graph, pair.source, source);
    const char *to = graph_label(check->graph, pair.target, target);
    if (check->verify) {
        const uint32_t hops = right_hops(check, pair);
        if (result->hops != hops || result->found != (hops != SEARCH_HOPS_NONE)) {
            hops_text(said, sizeof(said), result->hops);
            hops_text(right, sizeof(right), hops);
            return command_fail(error, "%.80s to %.80s: %s says %s, the check %s", from, to,
                                engine->name, said, right);
        }
    }
    if (check->paths && result->found && workspace != NULL) {
        errno = 0;
        if (!engine->path(workspace, check->nodes, (size_t)check->graph->node_limit + 1)) {
            return command_fail(error, "%.80s to %.80s: %s gave no path%s", from, to, engine->name,
                                errno == ENOMEM ? ", out of memory" : "");
        }
        if (!path_is_valid(check->graph, pair.source, pair.target, result->hops, check->nodes)) {
            return command_fail(error, "%.80s to %.80s: the path of %s is not in the graph", from,
                                to, engine->name);
        }
        if (!avoids_all(check, result->hops)) {
            return command_fail(error, "%.80s to %.80s: the path of %s has a node to avoid", from,
                                to, engine->name);
        }
    }
    return true;
}

const char **answer_path_labels(const struct graph *graph, const uint32_t *nodes, uint32_t hops)
{
    const size_t count = (size_t)hops + 1;
    const char **labels = calloc(count, sizeof(*labels) + ID_TEXT_SIZE);
    char *room = labels != NULL ? (char *)(labels + count) : NULL;
    for (size_t i = 0; labels != NULL && i < count; i++) {
        char text[GRAPH_LABEL_SIZE];
        pw_assert(nodes[i] < graph->node_limit);
        const char *label = graph_label(graph, nodes[i], text);
        labels[i] = label;
        if (label == text) { /* an id, kept after the array */
            snprintf(room + i * ID_TEXT_SIZE, ID_TEXT_SIZE, "%.10s", label);
            labels[i] = room + i * ID_TEXT_SIZE;
        }
    }
    return labels;
}
