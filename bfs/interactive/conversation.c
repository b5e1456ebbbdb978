/*
 * conversation.c - finds the nodes of a request, and has it answered.
 */
#include "conversation.h"
#include "base/program/interrupt.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "base/text/text_form.h"
#include <stdlib.h>
#include <string.h>

#define SPACED_BYTES_MAX 4096 /* of a text that may be cut at any of its spaces */
#define NAME_SHOWN       200  /* columns of a name in a message */
#define OTHER_DRAWS      100  /* for a target that is not the source */

bool conversation_open(struct conversation *talk, const struct pwgraph *graph, const char *engine,
                       const uint32_t *avoided, size_t avoided_count, bool verify,
                       struct command_error *error)
{
    *talk = (struct conversation){.graph = graph, .avoided_count = avoided_count};
    if (!asker_open(&talk->asker, graph, engine, 0, interrupt_flag(), verify, error)) {
        return false;
    }
    talk->avoided = malloc((avoided_count + LIST_MAX) * sizeof(*talk->avoided));
    if (talk->avoided == NULL) {
        conversation_close(talk);
        return command_fail(error, "out of memory");
    }
    if (avoided_count > 0) {
        memcpy(talk->avoided, avoided, avoided_count * sizeof(*avoided));
    }
    if (!asker_avoid(&talk->asker, talk->avoided, avoided_count, error)) {
        conversation_close(talk);
        return false;
    }
    return true;
}

void conversation_close(struct conversation *talk)
{
    asker_close(&talk->asker);
    free(talk->avoided);
}

void reply_free(struct reply *reply)
{
    pwgraph_paths_free(reply->paths);
    answer_distances_close(&reply->distances);
}

/* Nodes ---------------------------------------------------------------------------------------- */

bool conversation_reads(const struct conversation *talk, const uint32_t *nodes, size_t count,
                        struct reply *reply)
{
    pwgraph_labels(talk->graph, nodes, count, NULL, 0);
    return answer_graph_is_whole(talk->graph, &reply->error);
}

/* Put the names in order if a text is no exact name; Ctrl-C ends it. False: the reply is the error.
 */
static bool is_ready(const struct conversation *talk, const char *text, struct reply *reply)
{
    struct pwgraph_error why;
    uint32_t node;
    return pwgraph_find(talk->graph, text, &node) ||
           pwgraph_order_names(talk->graph, interrupt_flag(), &why) ||
           command_fail(&reply->error, "%s", why.text);
}

/* Find the node that a text names. note: the spelling that was forgiven. False: the reply is the
 * error. */
static bool find(struct conversation *talk, const char *text, uint32_t *node, name_note note,
                 struct reply *reply)
{
    note[0] = '\0';
    if (!is_ready(talk, text, reply)) {
        return false;
    }
    const enum pwgraph_fit fit = pwgraph_resolve(talk->graph, text, node, NULL);
    if (fit == PWGRAPH_EXACT) {
        return true;
    }
    if (fit == PWGRAPH_UNKNOWN) {
        reply->near_count = pwgraph_suggest(talk->graph, text, reply->near, NEAR_MAX);
    }
    reply->is_unknown = fit == PWGRAPH_UNKNOWN && reply->near_count > 0;
    if (reply->is_unknown) { /* a list for a program has them, not a sentence */
        return conversation_reads(talk, reply->near, reply->near_count, reply) &&
               command_fail(&reply->error, "no node is called \"%.*s\"",
                            (int)text_fitting(text, NAME_SHOWN), text);
    }
    if (pwgraph_resolve(talk->graph, text, node, note) != PWGRAPH_UNKNOWN) {
        return true;
    }
    reply->is_unknown = true;
    return answer_graph_is_whole(talk->graph, &reply->error) &&
           command_fail(&reply->error, "%s", note);
}

/* True if both texts are nodes. */
static bool are_known(const struct conversation *talk, const char *from, const char *to,
                      struct reply *reply)
{
    uint32_t node;
    return is_ready(talk, from, reply) &&
           pwgraph_resolve(talk->graph, from, &node, NULL) != PWGRAPH_UNKNOWN &&
           is_ready(talk, to, reply) &&
           pwgraph_resolve(talk->graph, to, &node, NULL) != PWGRAPH_UNKNOWN;
}

/* Cut a text in two at a separator: a tab, an arrow, or a space between two nodes. False: the reply
 * is the error. */
static bool split(struct conversation *talk, char *text, char **from, char **to,
                  struct reply *reply)
{
    static const char arrow[] = " -> ";
    char *at = strchr(text, '\t');
    size_t width = 1;
    if (at == NULL && (at = strstr(text, arrow)) != NULL) {
        width = sizeof(arrow) - 1;
    }
    char *space = strlen(text) <= SPACED_BYTES_MAX ? text : NULL;
    for (; space != NULL && at == NULL && (space = strchr(space, ' ')) != NULL; space++) {
        *space = '\0';
        at = are_known(talk, text, space + 1, reply) ? space : NULL;
        *space = ' ';
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
static bool find_pair(struct conversation *talk, char *text, struct question *pair,
                      struct reply *reply)
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
static bool search(struct conversation *talk, struct question pair, struct reply *reply)
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
static void ask(struct conversation *talk, struct question pair, struct reply *reply)
{
    if (search(talk, pair, reply) &&
        (talk->is_quick || asker_complete(&talk->asker, &reply->answer, &reply->error))) {
        reply->kind = REPLY_ANSWER;
    }
}

static void ask_all(struct conversation *talk, const struct request *request, struct reply *reply)
{
    struct question pair = {0, 0};
    reply->limit = request->limit;
    if (!find_pair(talk, request->text, &pair, reply) || !search(talk, pair, reply) ||
        (!reply->answer.found && !asker_complete(&talk->asker, &reply->answer, &reply->error))) {
        return;
    }
    reply->paths = asker_paths(&talk->asker, &reply->answer, 0, request->limit, &reply->error);
    if (reply->paths != NULL) {
        reply->kind = REPLY_PATHS;
    }
}

static void ask_back(struct conversation *talk, struct reply *reply)
{
    if (!talk->has_last) {
        command_fail(&reply->error, "there was no question yet");
        return;
    }
    ask(talk, (struct question){talk->last.target, talk->last.source}, reply);
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
        asker_distances(&talk->asker, node, &reply->distances, &reply->error)) {
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
    if ((request->text[0] != '\0' && !find_avoided(talk, request->text, &count, reply)) ||
        (count != talk->avoided_count &&
         !asker_avoid(&talk->asker, talk->avoided, count, &reply->error))) {
        return;
    }
    pw_assert(talk->asker.avoided_count == count);
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
    struct pwgraph_error why;
    if (!pwgraph_order_names(talk->graph, interrupt_flag(), &why)) {
        command_fail(&reply->error, "%s", why.text);
        return;
    }
    reply->nodes = talk->names;
    reply->node_count = pwgraph_complete(talk->graph, request->text, request->order, talk->names,
                                         request->limit, &reply->total);
    if (conversation_reads(talk, reply->nodes, reply->node_count, reply)) {
        reply->kind = REPLY_COMPLETIONS;
    }
}

static void ask_random(struct conversation *talk, const struct request *request,
                       struct reply *reply)
{
    struct question pair = {0, 0};
    if (request->has_seed || !talk->has_seed) {
        talk->random_state = request->has_seed ? request->seed : clock_now_ns();
        talk->has_seed = true;
    }
    bool drawn = pwgraph_random_node(talk->graph, &talk->random_state, &pair.source);
    pair.target = pair.source;
    for (int i = 0; drawn && i < OTHER_DRAWS && pair.target == pair.source; i++) {
        drawn = pwgraph_random_node(talk->graph, &talk->random_state, &pair.target);
    }
    if (!answer_graph_is_whole(talk->graph, &reply->error) ||
        (!drawn && !command_fail(&reply->error, "no node has edges"))) {
        return;
    }
    ask(talk, pair, reply);
}

void conversation_do(struct conversation *talk, const struct request *request, struct reply *reply)
{
    struct question pair = {0, 0};
    *reply = (struct reply){.kind = REPLY_ERROR};
    if (request->kind != REQUEST_COUNT && request->kind != REQUEST_HELP &&
        !answer_graph_is_whole(talk->graph, &reply->error)) {
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
