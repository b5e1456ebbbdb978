/*
 * answer.c - asks the library for all that an answer says, and checks the path.
 */
#include "answer.h"
#include "base/pw_assert.h"
#include "base/text/text_form.h"
#include "bfs/pwgraph/pwgraph_hold.h"
#include <stdlib.h>
#include <string.h>

#define COUNT_EDGES_MAX UINT64_C(4000000) /* for the number of shortest paths: some 20 ms */
#define LABEL_SHOWN     200               /* columns of a name in a message */

static bool is_among(const uint32_t *nodes, size_t count, uint32_t node)
{
    size_t i = 0;
    while (i < count && nodes[i] != node) {
        i++;
    }
    return i < count;
}

/* Set error to why the library failed. Returns false. */
static bool fail(const struct pwgraph_error *why, struct command_error *error)
{
    return command_fail(error, "%s",
                        why->code == PWGRAPH_TIMED_OUT   ? "timed out"
                        : why->code == PWGRAPH_CANCELLED ? "interrupted"
                        : why->code == PWGRAPH_NO_MEMORY ? "out of memory"
                                                         : why->text);
}

bool answer_graph_is_whole(const struct pwgraph *graph, struct command_error *error)
{
    struct pwgraph_error damage;
    return !pwgraph_is_damaged(graph, &damage) || fail(&damage, error);
}

bool asker_open(struct asker *asker, const struct pwgraph *graph, const char *engine,
                uint64_t timeout_ns, const volatile int *cancel, bool verify,
                struct command_error *error)
{
    struct pwgraph_error why;
    *asker = (struct asker){.graph = graph, .engine = engine, .verify = verify, .cancel = cancel};
    asker->search = pwgraph_search_create(graph, engine, &why);
    if (asker->search == NULL) {
        return fail(&why, error);
    }
    pwgraph_search_limit(asker->search, timeout_ns, cancel);
    return true;
}

void asker_close(struct asker *asker)
{
    free(asker->path);
    free(asker->nodes);
    pwgraph_search_free(asker->search);
    *asker = (struct asker){.graph = NULL};
}

bool asker_avoid(struct asker *asker, const uint32_t *nodes, size_t count,
                 struct command_error *error)
{
    struct pwgraph_error why;
    if (!pwgraph_search_avoid(asker->search, nodes, count, &why)) {
        return fail(&why, error);
    }
    asker->avoided = nodes;
    asker->avoided_count = count;
    return true;
}

/* One search ---------------------------------------------------------------------------------- */

/* Make one search. False with error set if it did not end with an answer. */
static bool search(struct asker *asker, uint32_t source, uint32_t target, uint32_t *hops,
                   struct command_error *error)
{
    *hops = PWGRAPH_NONE;
    if (pwgraph_search_run(asker->search, source, target, hops) != PWGRAPH_FAILED) {
        return true;
    }
    const struct pwgraph_error why = {pwgraph_search_counts(asker->search).code, "bad nodes"};
    return answer_graph_is_whole(asker->graph, error) && fail(&why, error);
}

/* Set error to what is wrong with an answer. Returns false. */
static bool fail_wrong(const struct asker *asker, struct question question, const char *what,
                       struct command_error *error)
{
    char source[PWGRAPH_TEXT_SIZE], target[PWGRAPH_TEXT_SIZE];
    return answer_graph_is_whole(asker->graph, error) &&
           command_fail(error, "%.80s to %.80s: %s%s",
                        pwgraph_label(asker->graph, question.source, source),
                        pwgraph_label(asker->graph, question.target, target),
                        asker->avoided_count > 0 ? "avoiding" : asker->engine, what);
}

/* Read the path of the last search, and check it. */
static bool take_path(struct asker *asker, struct question question, uint32_t hops,
                      struct command_error *error)
{
    const size_t count = (size_t)hops + 1;
    free(asker->nodes);
    free(asker->path);
    asker->path = NULL;
    asker->nodes = malloc(count * sizeof(*asker->nodes));
    if (asker->nodes == NULL) {
        return command_fail(error, "out of memory");
    }
    if (!pwgraph_search_path(asker->search, asker->nodes, count)) {
        return fail_wrong(asker, question, " gave no path", error);
    }
    if (asker->nodes[0] != question.source || asker->nodes[hops] != question.target ||
        !pwgraph_is_path(asker->graph, asker->nodes, count)) {
        return fail_wrong(asker, question, " gave a path that is not in the graph", error);
    }
    for (size_t i = 0; i < asker->avoided_count; i++) {
        if (is_among(asker->nodes, count, asker->avoided[i])) {
            return fail_wrong(asker, question, " gave a path with a node to avoid", error);
        }
    }
    asker->path = answer_names(asker->graph, asker->nodes, count);
    for (size_t i = 0; i < count; i++) {
        pwgraph_page(asker->graph, asker->nodes[i]); /* is checked before it is written */
    }
    return asker->path != NULL || command_fail(error, "out of memory");
}

/* Distances ----------------------------------------------------------------------------------- */

/* The edges of a shortest path from the source to itself, from the distances; or PWGRAPH_NONE. */
static uint32_t around(const struct pwgraph *graph, uint32_t source, const uint32_t *hops)
{
    uint32_t least = PWGRAPH_NONE;
    uint64_t count;
    const uint32_t *in = pwgraph_in(graph, source, &count);
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t before = hops[in[i]];
        least = before != PWGRAPH_NONE && before + 1 < least ? before + 1 : least;
    }
    return least;
}

/* Compare an answer with the plain search that finds all distances. */
static bool verify(struct asker *asker, const struct answer *answer, struct command_error *error)
{
    const struct question question = answer->question;
    char what[80] = " says no path, the check says ";
    struct pwgraph_error why;
    uint32_t *hops = malloc(((size_t)pwgraph_node_limit(asker->graph) + 1) * sizeof(*hops));
    if (hops == NULL) {
        return command_fail(error, "out of memory");
    }
    if (!pwgraph_search_judge(asker->search, question.source, hops, &why)) {
        free(hops);
        return fail(&why, error);
    }
    const uint32_t right = question.source == question.target
                               ? around(asker->graph, question.source, hops)
                               : hops[question.target];
    free(hops);
    if (right == answer->hops) {
        return true;
    }
    if (answer->found) {
        snprintf(what, sizeof(what), " says %u hops, the check says ", answer->hops);
    }
    const size_t length = strlen(what);
    if (right == PWGRAPH_NONE) {
        snprintf(what + length, sizeof(what) - length, "no path");
    } else {
        snprintf(what + length, sizeof(what) - length, "%u", right);
    }
    return fail_wrong(asker, question, what, error);
}

bool asker_distances(struct asker *asker, uint32_t source, struct answer_distances *distances,
                     struct command_error *error)
{
    char label[PWGRAPH_TEXT_SIZE];
    struct pwgraph_levels levels;
    struct pwgraph_error why;
    *distances = (struct answer_distances){.graph = asker->graph, .source = source};
    if (is_among(asker->avoided, asker->avoided_count, source)) {
        const char *name = pwgraph_label(asker->graph, source, label);
        return answer_graph_is_whole(asker->graph, error) &&
               command_fail(error, "%.*s is among the nodes to avoid",
                            (int)text_fitting(name, LABEL_SHOWN), name);
    }
    if (!search(asker, source, source, &distances->around_hops, error)) {
        return false;
    }
    if (!pwgraph_search_levels(asker->search, &source, 1, PWGRAPH_FROM, PWGRAPH_NONE,
                               PWGRAPH_ANY_ORDER, &levels, &why)) {
        return fail(&why, error);
    }
    distances->level_count = levels.level_count;
    distances->reached = levels.begins[levels.level_count];
    distances->levels = calloc(levels.level_count, sizeof(*distances->levels));
    for (size_t i = 0; distances->levels != NULL && i < levels.level_count; i++) {
        distances->levels[i] = levels.begins[i + 1] - levels.begins[i];
    }
    distances->counts = pwgraph_search_counts(asker->search);
    return (distances->levels != NULL || command_fail(error, "out of memory")) &&
           answer_graph_is_whole(asker->graph, error);
}

void answer_distances_close(struct answer_distances *distances)
{
    free(distances->levels);
    distances->levels = NULL;
}

/* A question ---------------------------------------------------------------------------------- */

bool asker_ask(struct asker *asker, struct question question, struct answer *answer,
               struct command_error *error)
{
    *answer = (struct answer){.question = question,
                              .hops_back = PWGRAPH_NONE,
                              .is_verified = asker->verify,
                              .avoided = asker->avoided,
                              .avoided_count = asker->avoided_count};
    if (!search(asker, question.source, question.target, &answer->hops, error)) {
        return false;
    }
    answer->found = answer->hops != PWGRAPH_NONE;
    answer->counts = pwgraph_search_counts(asker->search);
    if (answer->found && !take_path(asker, question, answer->hops, error)) {
        return false;
    }
    if (answer->found) {
        answer->path = asker->path;
        answer->nodes = asker->nodes;
    } else { /* the names are written */
        char label[PWGRAPH_TEXT_SIZE];
        pwgraph_label(asker->graph, question.source, label);
        pwgraph_label(asker->graph, question.target, label);
    }
    return answer_graph_is_whole(asker->graph, error) &&
           (!asker->verify || verify(asker, answer, error));
}

/* A number that is only beside the path may be missing: its memory or its time is too short. False
 * with error set for all other failures. */
static bool may_miss(struct answer *answer, const struct pwgraph_error *why,
                     struct command_error *error)
{
    answer->is_short |= why->code == PWGRAPH_NO_MEMORY;
    return why->code == PWGRAPH_NO_MEMORY || why->code == PWGRAPH_TIMED_OUT || fail(why, error);
}

static bool count_paths(struct asker *asker, struct answer *answer, struct command_error *error)
{
    struct pwgraph_error why;
    if (asker->verify) { /* the last call was another */
        uint32_t hops;
        if (!search(asker, answer->question.source, answer->question.target, &hops, error)) {
            return false;
        }
    }
    if (pwgraph_search_count(asker->search, COUNT_EDGES_MAX, &answer->path_count,
                             &answer->path_digits, &why)) {
        return true;
    }
    return answer->path_count > 0 ? may_miss(answer, &why, error) : fail(&why, error);
}

bool asker_complete(struct asker *asker, struct answer *answer, struct command_error *error)
{
    const struct question question = answer->question;
    struct pwgraph_error why;
    if (answer->found) {
        return count_paths(asker, answer, error);
    }
    if (asker->begin != NULL) {
        answer->is_begun = true;
        if (!asker->begin(asker->begin_context, answer, error)) {
            return false;
        }
    }
    if (question.source != question.target &&
        !search(asker, question.target, question.source, &answer->hops_back, error)) {
        return false;
    }
    return pwgraph_search_reached(asker->search, question.source, UINT64_MAX, &answer->reached,
                                  &why) ||
           may_miss(answer, &why, error);
}

/* Read what is written of a path, so that its blocks are checked. */
static bool read_names(void *context, const uint32_t *nodes, uint32_t hops)
{
    const struct asker *asker = context;
    char label[PWGRAPH_TEXT_SIZE];
    for (uint32_t i = 0; i <= hops; i++) {
        pwgraph_label(asker->graph, nodes[i], label);
        pwgraph_page(asker->graph, nodes[i]);
    }
    return asker->cancel == NULL || *asker->cancel == 0;
}

struct pwgraph_paths *asker_paths(struct asker *asker, const struct answer *answer, uint32_t longer,
                                  uint64_t list_limit, struct command_error *error)
{
    struct pwgraph_error why;
    struct pwgraph_paths *paths = pwgraph_search_longer_paths(
        asker->search, answer->question.source, answer->question.target, longer, &why);
    if (paths == NULL) {
        fail(&why, error);
        return NULL;
    }
    const bool is_read = pwgraph_paths_walk(paths, list_limit, read_names, asker);
    const bool is_cancelled = asker->cancel != NULL && *asker->cancel != 0;
    why.code = is_cancelled ? PWGRAPH_CANCELLED : PWGRAPH_NO_MEMORY;
    if (answer_graph_is_whole(asker->graph, error) &&
        ((is_read && !is_cancelled) || fail(&why, error))) {
        return paths;
    }
    pwgraph_paths_free(paths);
    return NULL;
}

bool answer_avoids(const struct answer *answer, uint32_t node)
{
    return is_among(answer->avoided, answer->avoided_count, node);
}

/* Names --------------------------------------------------------------------------------------- */

const char **answer_names(const struct pwgraph *graph, const uint32_t *nodes, size_t count)
{
    const size_t size = pwgraph_labels(graph, nodes, count, NULL, 0);
    const char **names = calloc(1, count * sizeof(*names) + size);
    char *text = names != NULL ? (char *)(names + count) : NULL;
    const size_t written = names != NULL ? pwgraph_labels(graph, nodes, count, text, size) : 0;
    for (size_t i = 0; names != NULL && i < count; i++) {
        names[i] = text;
        text += strlen(text) + 1;
    }
    pw_assert(names == NULL || written == size);
    (void)written;
    return names;
}
