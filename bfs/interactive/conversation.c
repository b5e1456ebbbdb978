/*
 * conversation.c - finds the nodes of a request, and has it answered.
 */
#include "conversation.h"
#include "base/program/interrupt.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "base/text/text_form.h"
#include "data/graph/graph_blocks.h"
#include "data/make/random_node.h"
#include <stdlib.h>
#include <string.h>

#define SPACED_BYTES_MAX 4096 /* of a text that may be cut at any of its spaces */
#define OTHER_DRAWS      100  /* for a target that is not the source */

bool conversation_open(struct conversation *talk, const struct graph *graph,
                       const struct search_engine *engine, const uint32_t *avoided,
                       size_t avoided_count, bool verify)
{
    const struct search_limits limits = {.cancel = interrupt_flag()};
    *talk = (struct conversation){.graph = graph, .avoided_count = avoided_count};
    talk->avoided = malloc((avoided_count + LIST_MAX) * sizeof(*talk->avoided));
    if (talk->avoided == NULL || !name_finder_open(&talk->finder, graph)) {
        free(talk->avoided);
        return false;
    }
    talk->finder.cancel = interrupt_flag();
    if (!asker_open(&talk->asker, graph, engine, &limits, verify)) {
        name_finder_close(&talk->finder);
        free(talk->avoided);
        return false;
    }
    if (avoided_count > 0) {
        memcpy(talk->avoided, avoided, avoided_count * sizeof(*avoided));
        if (!asker_avoid(&talk->asker, avoided, avoided_count)) {
            conversation_close(talk);
            return false;
        }
    }
    return true;
}

void conversation_close(struct conversation *talk)
{
    asker_close(&talk->asker);
    name_finder_close(&talk->finder);
    free(talk->avoided);
}

void reply_free(struct reply *reply)
{
    path_graph_free(&reply->paths);
    distances_close(&reply->distances);
}

/* Nodes ---------------------------------------------------------------------------------------- */

/* True if no bad block of the graph was met; else the reply is that error. */
static bool is_whole(const struct conversation *talk, struct reply *reply)
{
    struct graph_error damage = {0};
    return !graph_is_damaged(talk->graph, &damage) ||
           command_fail(&reply->error, "%s", damage.message);
}

bool conversation_reads(const struct conversation *talk, const uint32_t *nodes, size_t count,
                        struct reply *reply)
{
    char label[GRAPH_LABEL_SIZE];
    for (size_t i = 0; talk->graph->blocks != NULL && i < count; i++) {
        graph_label(talk->graph, nodes[i], label);
    }
    return is_whole(talk, reply);
}

/* Find the node that a text names. note: the spelling that was forgiven. False: the reply is the
 * error. */
static bool find(struct conversation *talk, const char *text, uint32_t *node, name_note note,
                 struct reply *reply)
{
    const size_t length = strlen(text);
    const enum name_fit fit = name_finder_find(&talk->finder, text, length, node);
    note[0] = '\0';
    if (!is_whole(talk, reply)) {
        return false;
    }
    if (fit == NAME_FORGIVEN) {
        name_finder_note(&talk->finder, text, length, *node, note);
    }
    if (fit == NAME_NO_MEMORY) {
        return command_fail(&reply->error, "out of memory");
    }
    if (fit != NAME_UNKNOWN) {
        return true;
    }
    reply->unknown = text;
    if (talk->graph->names == NULL || name_finder_is_elsewhere(&talk->finder, text, length)) {
        name_note why;
        return command_fail(&reply->error, "%s",
                            name_finder_explain(&talk->finder, text, length, why));
    }
    return command_fail(&reply->error, "no node is called \"%.*s\"", (int)text_fitting(text, 200),
                        text);
}

/* True if both texts are nodes. is_short: it is not known, for lack of memory. */
static bool are_known(struct conversation *talk, const char *from, const char *to, bool *is_short)
{
    uint32_t node;
    enum name_fit fit = name_finder_find(&talk->finder, from, strlen(from), &node);
    if (fit < NAME_UNKNOWN) {
        fit = name_finder_find(&talk->finder, to, strlen(to), &node);
    }
    *is_short = fit == NAME_NO_MEMORY;
    return fit < NAME_UNKNOWN;
}

/* Cut a text in two at a separator: a tab, an arrow, or a space between two nodes. False: the reply
 * is the error. */
static bool split(struct conversation *talk, char *text, char **from, char **to,
                  struct reply *reply)
{
    static const char arrow[] = " -> ";
    bool is_short = false;
    char *at = strchr(text, '\t');
    size_t width = 1;
    if (at == NULL && (at = strstr(text, arrow)) != NULL) {
        width = sizeof(arrow) - 1;
    }
    char *space = strlen(text) <= SPACED_BYTES_MAX ? text : NULL;
    for (; space != NULL && at == NULL && (space = strchr(space, ' ')) != NULL; space++) {
        *space = '\0';
        at = are_known(talk, text, space + 1, &is_short) ? space : NULL;
        *space = ' ';
        if (is_short) {
            return command_fail(&reply->error, "out of memory");
        }
    }
    if (at == NULL && (at = strchr(text, ' ')) == NULL) {
        return command_fail(&reply->error, "expected two nodes with a tab between them");
    }
    *at = '\0';
    *from = text;
    *to = at + width;
    return true;
}

/* The two nodes that a text names; without a text, the last question's. */
static bool find_pair(struct conversation *talk, char *text, struct pair *pair, struct reply *reply)
{
    char *from = text, *to = text;
    if (text[0] == '\0') {
        *pair = talk->last;
        return talk->has_last || command_fail(&reply->error, "there was no question yet");
    }
    return split(talk, text, &from, &to, reply) &&
           find(talk, from, &pair->source, reply->notes[0], reply) &&
           find(talk, to, &pair->target, reply->notes[1], reply);
}

/* Requests ------------------------------------------------------------------------------------- */

/* Search, and keep the question. False: the reply is the error. */
static bool search(struct conversation *talk, struct pair pair, struct reply *reply)
{
    if (!asker_ask(&talk->asker, pair, &reply->answer, &reply->error)) {
        return false;
    }
    talk->last = pair;
    talk->has_last = true;
    for (size_t i = 0; i < 2; i++) {
        reply->answer.notes[i] = reply->notes[i][0] != '\0' ? reply->notes[i] : NULL;
    }
    return true;
}

/* Answer the question of two nodes; notes: both "" if the names were as they are. */
static void ask(struct conversation *talk, struct pair pair, struct reply *reply)
{
    if (search(talk, pair, reply) &&
        (talk->is_quick || asker_complete(&talk->asker, &reply->answer, &reply->error))) {
        reply->kind = REPLY_ANSWER;
    }
}

/* True if the graph has its reverse adjacency, without which there is nothing to search back. */
static bool has_reverse(const struct conversation *talk, struct reply *reply)
{
    return talk->graph->in_offsets != NULL ||
           command_fail(&reply->error,
                        "this needs the reverse adjacency, which the engine %s does without",
                        talk->asker.engine->name);
}

static void ask_all(struct conversation *talk, const struct request *request, struct reply *reply)
{
    struct pair pair = {0, 0};
    reply->limit = request->limit;
    if (!has_reverse(talk, reply) || !find_pair(talk, request->text, &pair, reply) ||
        !search(talk, pair, reply)) {
        return;
    }
    if (reply->answer.result.found ? asker_all_paths(&talk->asker, &reply->answer, request->limit,
                                                     &reply->paths, &reply->error)
                                   : asker_complete(&talk->asker, &reply->answer, &reply->error)) {
        reply->kind = REPLY_PATHS;
    }
}

static void ask_back(struct conversation *talk, struct reply *reply)
{
    if (!talk->has_last) {
        command_fail(&reply->error, "there was no question yet");
        return;
    }
    ask(talk, (struct pair){talk->last.target, talk->last.source}, reply);
}

static void ask_histogram(struct conversation *talk, const struct request *request,
                          struct reply *reply)
{
    uint32_t node = talk->last.source;
    if (request->text[0] == '\0' && !talk->has_last) {
        command_fail(&reply->error, "there was no question yet");
        return;
    }
    if (request->text[0] != '\0' && !find(talk, request->text, &node, reply->notes[0], reply)) {
        return;
    }
    if (conversation_reads(talk, &node, 1, reply) &&
        asker_distances(&talk->asker, node, &reply->distances, &reply->walk, &reply->error)) {
        reply->kind = REPLY_HISTOGRAM;
    }
}

/* Read the nodes of a text, with tabs between them, to the end of the list. */
static bool find_avoided(struct conversation *talk, char *text, size_t *count, struct reply *reply)
{
    char *next = text;
    while (next != NULL) {
        uint32_t node;
        char *name = strsep(&next, "\t");
        if (*count >= LIST_MAX) {
            return command_fail(&reply->error, "at most %d nodes can be avoided", LIST_MAX);
        }
        if (!find(talk, name, &node, reply->notes[0], reply)) {
            return false;
        }
        size_t i = 0;
        while (i < *count && talk->avoided[i] != node) {
            i++;
        }
        talk->avoided[i] = node;
        *count += i == *count;
    }
    return true;
}

static void avoid(struct conversation *talk, const struct request *request, struct reply *reply)
{
    size_t count = request->clears ? 0 : talk->avoided_count;
    if (request->text[0] != '\0' &&
        (!has_reverse(talk, reply) || !find_avoided(talk, request->text, &count, reply))) {
        return;
    }
    if (count != talk->avoided_count && !asker_avoid(&talk->asker, talk->avoided, count)) {
        command_fail(&reply->error, "out of memory");
        return;
    }
    pw_assert(talk->asker.paths.avoided_count == count);
    talk->avoided_count = count;
    if (!conversation_reads(talk, talk->avoided, count, reply)) {
        return;
    }
    reply->kind = REPLY_AVOIDED;
    reply->nodes = talk->avoided;
    reply->node_count = reply->total = count;
}

static void complete(struct conversation *talk, const struct request *request, struct reply *reply)
{
    reply->nodes = talk->names;
    reply->node_count =
        name_search_first(name_finder_order(&talk->finder), request->text, request->order,
                          talk->names, request->limit, &reply->total);
    if (conversation_reads(talk, reply->nodes, reply->node_count, reply)) {
        reply->kind = REPLY_COMPLETIONS;
    }
}

static void ask_random(struct conversation *talk, const struct request *request,
                       struct reply *reply)
{
    struct pair pair = {0, 0};
    if (request->has_seed || !talk->has_seed) {
        talk->random_state = request->has_seed ? request->seed : clock_now_ns();
        talk->has_seed = true;
    }
    bool drawn = random_node_with_edges(talk->graph, &talk->random_state, &pair.source);
    pair.target = pair.source;
    for (int i = 0; drawn && i < OTHER_DRAWS && pair.target == pair.source; i++) {
        drawn = random_node_with_edges(talk->graph, &talk->random_state, &pair.target);
    }
    if (!is_whole(talk, reply) || (!drawn && !command_fail(&reply->error, "no node has edges"))) {
        return;
    }
    ask(talk, pair, reply);
}

void conversation_do(struct conversation *talk, const struct request *request, struct reply *reply)
{
    struct pair pair = {0, 0};
    *reply = (struct reply){.kind = REPLY_ERROR, .paths = {.hops = SEARCH_HOPS_NONE}};
    if (request->kind != REQUEST_COUNT && request->kind != REQUEST_HELP && !is_whole(talk, reply)) {
        return;
    }
    switch (request->kind) {
    case REQUEST_ASK:
        if (request->text[0] == '\0') {
            command_fail(&reply->error, "expected two nodes with a tab between them");
        } else if (find_pair(talk, request->text, &pair, reply)) {
            ask(talk, pair, reply);
        }
        break;
    case REQUEST_ALL:
        ask_all(talk, request, reply);
        break;
    case REQUEST_BACK:
        ask_back(talk, reply);
        break;
    case REQUEST_HISTOGRAM:
        ask_histogram(talk, request, reply);
        break;
    case REQUEST_AVOID:
        avoid(talk, request, reply);
        break;
    case REQUEST_COMPLETE:
        complete(talk, request, reply);
        break;
    case REQUEST_RANDOM:
        ask_random(talk, request, reply);
        break;
    case REQUEST_COUNT:
        if (request->count != COUNT_AS_BEFORE) {
            talk->is_quick = request->count == COUNT_NO;
        }
        reply->kind = REPLY_COUNT;
        break;
    default:
        reply->kind = REPLY_HELP;
    }
}
