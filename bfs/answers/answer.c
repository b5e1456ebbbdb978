/*
 * answer.c - searches, checks the path, and counts the paths; or checks for a way back.
 */
#include "answer.h"
#include "base/pw_assert.h"
#include "base/text/text_form.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include <stdlib.h>

/* Edges to look at for the number of shortest paths: some 20 ms. */
#define COUNT_EDGES_MAX UINT64_C(4000000)

/* Words to add up for the digits of a number of paths that does not fit 64 bits: some 50 ms. */
#define COUNT_WORDS_MAX UINT64_C(20000000)

#define LABEL_SHOWN 200 /* columns of a name in a message */

static bool is_among(const uint32_t *nodes, size_t count, uint32_t node)
{
    size_t i = 0;
    while (i < count && nodes[i] != node) {
        i++;
    }
    return i < count;
}

bool asker_open(struct asker *asker, const struct graph *graph, const struct search_engine *engine,
                const struct search_limits *limits, bool verify)
{
    *asker = (struct asker){.graph = graph, .engine = engine, .limits = *limits};
    asker->workspace = engine->create(graph, NULL);
    pw_assert(graph->blocks == NULL || engine->flags & SEARCH_BY_BLOCK);
    if (asker->workspace == NULL || !answer_check_open(&asker->check, graph, true, verify) ||
        (graph->in_offsets != NULL && !path_count_open(&asker->paths, graph))) {
        asker_close(asker);
        return false;
    }
    return true;
}

void asker_close(struct asker *asker)
{
    free(asker->path);
    free(asker->digits);
    path_count_close(&asker->paths);
    answer_check_close(&asker->check);
    if (asker->workspace != NULL) {
        asker->engine->destroy(asker->workspace);
    }
    *asker = (struct asker){.graph = NULL};
}

bool asker_avoid(struct asker *asker, const uint32_t *nodes, size_t count)
{
    pw_assert(asker->graph->in_offsets != NULL);
    if (!path_count_avoid(&asker->paths, nodes, count)) {
        return false;
    }
    answer_check_avoid(&asker->check, asker->paths.avoided, asker->paths.avoided_count);
    return true;
}

/* What makes the searches: the engine, or path_count.h if there are nodes to avoid. */
static const struct search_engine *engine_of(struct asker *asker, void **workspace)
{
    const bool avoids = asker->paths.avoided_count > 0;
    *workspace = avoids ? &asker->paths : asker->workspace;
    return avoids ? &avoiding_engine : asker->engine;
}

/* True if no bad block of the graph's file was met. Else false with error set. */
static bool is_whole(const struct asker *asker, struct command_error *error)
{
    struct graph_error damage = {0};
    return !graph_is_damaged(asker->graph, &damage) || command_fail(error, "%s", damage.message);
}

/* True if a search ended with an answer. Else false with error set. */
static bool has_ended(const struct asker *asker, enum search_status status,
                      struct command_error *error)
{
    static const char *const reasons[] = {[SEARCH_TIMED_OUT] = "timed out",
                                          [SEARCH_CANCELLED] = "interrupted",
                                          [SEARCH_NO_MEMORY] = "out of memory",
                                          [SEARCH_DIVERGED] = "the replay diverged",
                                          [SEARCH_DAMAGED] = "the graph is damaged"};
    return is_whole(asker, error) &&
           (status == SEARCH_DONE || command_fail(error, "%s", reasons[status]));
}

/* Make one search. False with error set if it did not end with an answer. */
static bool search(struct asker *asker, struct pair pair, struct search_result *result,
                   struct command_error *error)
{
    *result = (struct search_result){.hops = SEARCH_HOPS_NONE};
    void *workspace;
    const struct search_engine *engine = engine_of(asker, &workspace);
    engine->search(workspace, pair.source, pair.target, &asker->limits, result);
    return has_ended(asker, result->status, error);
}

bool asker_distances(struct asker *asker, uint32_t source, struct distances *distances,
                     struct search_result *result, struct command_error *error)
{
    const struct distances_walk walk = {.avoided = asker->paths.avoided,
                                        .avoided_count = asker->paths.avoided_count,
                                        .limits = &asker->limits};
    char label[GRAPH_LABEL_SIZE];
    *result = (struct search_result){.status = SEARCH_NO_MEMORY};
    *distances = (struct distances){0};
    if (is_among(asker->paths.avoided, asker->paths.avoided_count, source)) {
        const char *name = graph_label(asker->graph, source, label);
        return is_whole(asker, error) && command_fail(error, "%.*s is among the nodes to avoid",
                                                      (int)text_fitting(name, LABEL_SHOWN), name);
    }
    if (distances_open(distances, asker->graph)) {
        result->status = SEARCH_DONE;
        distances_find_more(distances, source, &walk, result);
    }
    if (!has_ended(asker, result->status, error)) {
        distances_close(distances);
        return false;
    }
    return true;
}

/* Count the nodes that the source leads to; without memory or time for it they stay unknown. False
 * with error set: a signal, or a damaged graph. */
static bool count_reached(struct asker *asker, struct answer *answer, struct command_error *error)
{
    struct distances distances;
    struct search_result result;
    if (answer_avoids(answer, answer->pair.source)) {
        return true;
    }
    if (asker->reach_edges_max > 0) {
        uint64_t reached = 0;
        answer->is_short =
            asker->graph->in_offsets != NULL &&
            !path_count_reach(&asker->paths, answer->pair.source, asker->reach_edges_max, &reached);
        answer->is_counted = reached > 0;
        answer->reached = answer->is_counted ? (uint32_t)(reached - 1) : 0;
        return is_whole(asker, error);
    }
    answer->is_counted = asker_distances(asker, answer->pair.source, &distances, &result, error);
    answer->is_short = result.status == SEARCH_NO_MEMORY;
    if (answer->is_counted) {
        pw_assert(distances.reached > 0);
        answer->reached = (uint32_t)(distances.reached - 1); /* without the source */
        distances_close(&distances);
    }
    return answer->is_counted || answer->is_short || result.status == SEARCH_TIMED_OUT;
}

/* Read what is written of a path, so that its blocks are checked. */
static void read_names(void *context, const uint32_t *nodes, uint32_t hops)
{
    const struct asker *asker = context;
    char label[GRAPH_LABEL_SIZE];
    for (uint32_t i = 0; i <= hops; i++) {
        graph_label(asker->graph, nodes[i], label);
        answer_page(asker->graph, nodes[i]);
    }
}

static bool find_paths(struct asker *asker, struct pair pair, uint32_t longer, uint64_t list_limit,
                       struct path_graph *paths, struct command_error *error)
{
    struct search_result result = {.status = SEARCH_DONE};
    enum path_graph_outcome outcome = path_graph_make_longer(
        paths, &asker->paths, pair.source, pair.target, longer, &asker->limits, &result);
    if (outcome == PATH_GRAPH_DONE && asker->graph->blocks != NULL) {
        outcome = path_graph_walk_within(paths, list_limit, read_names, asker, &asker->limits,
                                         &result.status);
    }
    if (outcome == PATH_GRAPH_NO_MEMORY) {
        result.status = SEARCH_NO_MEMORY;
    }
    if (has_ended(asker, result.status, error) && outcome != PATH_GRAPH_CONTRADICTS) {
        return true;
    }
    path_graph_free(paths);
    return outcome == PATH_GRAPH_CONTRADICTS &&
           command_fail(error, "the two adjacencies of the graph contradict each other");
}

bool asker_all_paths(struct asker *asker, const struct answer *answer, uint64_t list_limit,
                     struct path_graph *paths, struct command_error *error)
{
    return find_paths(asker, answer->pair, 0, list_limit, paths, error);
}

bool asker_longer_paths(struct asker *asker, const struct answer *answer, uint64_t list_limit,
                        struct path_graph *paths, struct command_error *error)
{
    return find_paths(asker, answer->pair, 1, list_limit, paths, error);
}

/* Find the digits of a number of paths that does not fit 64 bits. Without memory or time for them
 * they stay unknown: the answer is there without them. False with error set: a damaged graph. */
static bool count_exactly(struct asker *asker, struct answer *answer, struct command_error *error)
{
    struct path_graph paths;
    struct search_result result;
    const enum path_graph_outcome outcome =
        path_graph_make_small(&paths, &asker->paths, answer->pair.source, answer->pair.target,
                              COUNT_WORDS_MAX, &asker->limits, &result);
    answer->is_short = outcome == PATH_GRAPH_NO_MEMORY;
    free(asker->digits);
    asker->digits = paths.count;
    paths.count = NULL;
    answer->path_digits = asker->digits;
    path_graph_free(&paths);
    return is_whole(asker, error);
}

bool asker_complete(struct asker *asker, struct answer *answer, struct command_error *error)
{
    const struct pair pair = answer->pair;
    struct search_result back;
    if (answer->result.found && asker->graph->in_offsets == NULL) {
        return true; /* counting needs the reverse adjacency */
    }
    if (answer->result.found) {
        if (!path_count_find(&asker->paths, pair.source, pair.target, answer->result.hops,
                             COUNT_EDGES_MAX, &answer->path_count)) {
            return command_fail(error, "out of memory");
        }
        return is_whole(asker, error) &&
               (answer->path_count < UINT64_MAX || count_exactly(asker, answer, error));
    }
    if (asker->begin != NULL) {
        answer->is_begun = true;
        if (!asker->begin(asker->begin_context, answer, error)) {
            return false;
        }
    }
    if (pair.source != pair.target) {
        const struct pair turned = {pair.target, pair.source};
        if (!search(asker, turned, &back, error)) {
            return false;
        }
        answer->hops_back = back.found ? back.hops : SEARCH_HOPS_NONE;
    }
    return count_reached(asker, answer, error);
}

bool asker_ask(struct asker *asker, struct pair pair, struct answer *answer,
               struct command_error *error)
{
    void *workspace;
    const struct search_engine *engine = engine_of(asker, &workspace);
    *answer = (struct answer){.pair = pair,
                              .hops_back = SEARCH_HOPS_NONE,
                              .is_verified = asker->check.verify,
                              .avoided = asker->paths.avoided,
                              .avoided_count = asker->paths.avoided_count};
    struct search_result *result = &answer->result;
    struct command_error wrong = {""};
    if (!search(asker, pair, result, error)) {
        return false;
    }
    if (!answer_check(&asker->check, engine, workspace, pair, result, &wrong)) {
        return is_whole(asker, error) && command_fail(error, "%s", wrong.message);
    }
    if (result->found) {
        free(asker->path);
        asker->path = answer_path_labels(asker->graph, asker->check.nodes, result->hops);
        answer->path = asker->path;
        answer->nodes = asker->check.nodes;
        for (size_t i = 0; asker->graph->blocks != NULL && i <= result->hops; i++) {
            answer_page(asker->graph, answer->nodes[i]); /* is checked before it is written */
        }
    }
    if (!is_whole(asker, error)) {
        return false;
    }
    return !result->found || asker->path != NULL || command_fail(error, "out of memory");
}

bool answer_avoids(const struct answer *answer, uint32_t node)
{
    return is_among(answer->avoided, answer->avoided_count, node);
}

bool answer_shortest_paths(const struct graph *graph, const struct answer *answer,
                           struct path_graph *paths)
{
    struct path_count search;
    struct search_result result;
    *paths = (struct path_graph){.hops = SEARCH_HOPS_NONE};
    if (!path_count_open(&search, graph)) {
        return false;
    }
    enum path_graph_outcome outcome = PATH_GRAPH_NO_MEMORY;
    if (path_count_avoid(&search, answer->avoided, answer->avoided_count)) {
        outcome = path_graph_make(paths, &search, answer->pair.source, answer->pair.target, NULL,
                                  &result);
    }
    path_count_close(&search);
    return outcome != PATH_GRAPH_NO_MEMORY;
}

bool answer_all_paths(const struct graph *graph, struct pair pair, struct path_graph *paths)
{
    const struct answer plain = {.pair = pair};
    return answer_shortest_paths(graph, &plain, paths);
}

uint32_t answer_page(const struct graph *graph, uint32_t node)
{
    return graph_page(graph, graph_original_id(graph, node));
}
