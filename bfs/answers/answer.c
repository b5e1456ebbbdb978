/*
 * answer.c - searches, checks the path, and counts the paths; or checks for a way back.
 */
#include "answer.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include <stdlib.h>

/* Edges to look at for the number of shortest paths: some 20 ms. */
#define COUNT_EDGES_MAX UINT64_C(4000000)

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

/* Count the nodes that the source leads to; without the memory or the time for it they stay
 * unknown. False with error set: a signal, or a bad block. */
static bool count_reached(const struct asker *asker, struct answer *answer,
                          struct command_error *error)
{
    const struct distances_walk walk = {.avoided = answer->avoided,
                                        .avoided_count = answer->avoided_count,
                                        .limits = &asker->limits};
    struct distances distances = {0};
    struct search_result result = {.status = SEARCH_NO_MEMORY};
    if (!answer_avoids(answer, answer->pair.source) && distances_open(&distances, asker->graph)) {
        distances_find_more(&distances, answer->pair.source, &walk, &result);
    }
    answer->is_counted = result.status == SEARCH_DONE;
    if (answer->is_counted) {
        pw_assert(distances.reached > 0);
        answer->reached = (uint32_t)(distances.reached - 1); /* without the source */
    }
    distances_close(&distances);
    return result.status == SEARCH_NO_MEMORY || result.status == SEARCH_TIMED_OUT ||
           has_ended(asker, result.status, error);
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
        return is_whole(asker, error);
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
    size_t i = 0;
    while (i < answer->avoided_count && answer->avoided[i] != node) {
        i++;
    }
    return i < answer->avoided_count;
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
