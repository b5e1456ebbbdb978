/*
 * prompt.c - see prompt.h. line_editor.h lists the keys.
 */
#include "prompt.h"
#include "base/program/interrupt.h"
#include "base/text/text_form.h"
#include "data/graph/graph_blocks.h"
#include "line_editor.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct prompt {
    struct conversation *talk;
    struct line_editor editor;
};

static void write_line(const char *text)
{
    text_write(stdout, text);
    putchar('\n');
}

/* A list of names, a line each, and how many more there are. */
static void write_names(const struct graph *graph, const uint32_t *nodes, size_t count,
                        size_t total)
{
    char label[GRAPH_LABEL_SIZE], more[TEXT_FORM_SIZE];
    for (size_t i = 0; i < count; i++) {
        fputs("  ", stdout);
        write_line(graph_label(graph, nodes[i], label));
    }
    if (total > count) {
        printf("  ... and %s more\n", text_count(more, total - count));
    }
}

/* Where the name being typed begins: after a command, and after an arrow. */
static char *last_name(char *text)
{
    if (!request_is_command(text)) {
        return text;
    }
    char *name = text + strcspn(text, " ");
    name += *name != '\0';
    char *arrow = strstr(name, " -> ");
    return arrow != NULL ? arrow + 4 : name;
}

/* Complete the typed name as far as the names agree; list them if they differ at once. */
static void complete(void *context, char *line, size_t line_size)
{
    const struct graph *graph = ((const struct prompt *)context)->talk->graph;
    struct name_matches matches;
    char *text = last_name(line);
    const size_t size = line_size - (size_t)(text - line);
    name_search_prefix(graph, text, &matches);
    if (graph_is_damaged(graph, NULL)) {
        return; /* the answer will say so */
    }
    if (matches.total > 0 && strlen(matches.common) >= strlen(text) &&
        strcmp(matches.common, text) != 0 && strlen(matches.common) < size) {
        memcpy(text, matches.common, strlen(matches.common) + 1);
        return;
    }
    if (matches.total > 1) {
        fputc('\n', stdout);
        write_names(graph, matches.nodes, matches.count, matches.total);
    }
}

static void write_help(void)
{
    puts("Two names are a question; :ask also takes a name that begins with a colon. Commands:");
    for (size_t i = 0; i < REQUEST_KINDS; i++) {
        printf("  %-36s%s\n", request_helps[i].usage, request_helps[i].does);
    }
    puts("Without nodes, :all and :histogram are about the last question.");
}

/* How names were spelt, if not as they are. */
static void write_notes(const struct reply *reply)
{
    for (size_t i = 0; i < 2; i++) {
        if (reply->notes[i][0] != '\0') {
            write_line(reply->notes[i]);
        }
    }
}

/* The first lines of an answer without a path, before the asker counts. A terminal that is gone is
 * met again by the next line. */
static bool begin_answer(void *context, const struct answer *answer, struct command_error *error)
{
    (void)error;
    for (size_t i = 0; i < 2; i++) {
        if (answer->notes[i] != NULL) {
            write_line(answer->notes[i]);
        }
    }
    answer_begin(stdout, ((const struct conversation *)context)->graph, answer);
    return true;
}

/* The reply in words. */
static void write_reply(const struct conversation *talk, struct reply *reply)
{
    const unsigned columns = text_columns_if_read(stdout);
    const struct graph *graph = talk->graph;
    name_note message;
    if (!reply->answer.is_begun) {
        write_notes(reply);
    }
    switch (reply->kind) {
    case REPLY_ANSWER:
        answer_write(stdout, graph, &reply->answer, columns);
        break;
    case REPLY_PATHS:
        if (!answer_write_all(stdout, graph, &reply->answer, &reply->paths, reply->limit,
                              columns)) {
            puts("out of memory");
        }
        break;
    case REPLY_HISTOGRAM:
        answer_write_histogram(stdout, &reply->distances, text_columns(stdout));
        break;
    case REPLY_COMPLETIONS:
        write_names(graph, reply->nodes, reply->node_count, reply->total);
        printf("%s", reply->total == 0 ? "no name begins so\n" : "");
        break;
    case REPLY_AVOIDED:
        puts(reply->node_count == 0 ? "no nodes to avoid" : "to avoid:");
        write_names(graph, reply->nodes, reply->node_count, reply->node_count);
        break;
    case REPLY_COUNT:
        puts(talk->is_quick ? "answers without counts" : "answers with counts");
        break;
    case REPLY_HELP:
        write_help();
        break;
    default:
        if (reply->unknown != NULL) {
            name_finder_explain(&talk->finder, reply->unknown, strlen(reply->unknown), message);
        }
        /* Looking for similar names may have met a bad block. */
        write_line(reply->unknown != NULL && conversation_reads(talk, NULL, 0, reply)
                       ? message
                       : reply->error.message);
    }
}

/* A line from the terminal. False at its end; a signal meanwhile ends the program. */
static bool edit_line(struct prompt *prompt, const char *shown, char text[LINE_EDITOR_SIZE])
{
    interrupt_arm(STDOUT_FILENO, "\n", 1, "interrupted");
    const bool done = line_editor_read(&prompt->editor, shown, text, complete, prompt);
    interrupt_disarm();
    return done;
}

/* Carry out a command. Returns the name after ":ask NAME", which answers the prompt; else NULL. */
static const char *obey(struct conversation *talk, char *line)
{
    struct reply reply = {.kind = REPLY_ERROR};
    struct request request;
    if (!request_read(line, &request, &reply.error)) {
        write_reply(talk, &reply);
        return NULL;
    }
    if (request.kind == REQUEST_ASK && request.text[0] != '\0' &&
        strstr(request.text, " -> ") == NULL) {
        return request.text;
    }
    conversation_do(talk, &request, &reply);
    write_reply(talk, &reply);
    reply_free(&reply);
    return NULL;
}

/* Ask until a node is named, and obey commands meanwhile. False at the end of the input. */
static bool ask(struct prompt *prompt, const char *shown, uint32_t *node)
{
    struct conversation *talk = prompt->talk;
    char text[LINE_EDITOR_SIZE];
    bool found = false;
    while (!found && *interrupt_flag() == 0 && edit_line(prompt, shown, text)) {
        struct reply reply = {.kind = REPLY_ERROR};
        const char *name = request_is_command(text) ? obey(talk, text) : text;
        if (name != NULL && name[0] != '\0') {
            found = conversation_find(talk, name, node, reply.notes[0], &reply);
            if (found) {
                write_notes(&reply);
            } else {
                write_reply(talk, &reply);
            }
        }
    }
    return found;
}

bool prompt_run(struct conversation *talk)
{
    struct prompt *prompt = calloc(1, sizeof(*prompt));
    struct pair pair;
    if (prompt == NULL) {
        return false;
    }
    prompt->talk = talk;
    talk->asker.begin = begin_answer;
    talk->asker.begin_context = talk;
    puts("Two nodes; Tab completes a name, :help lists commands, Ctrl-D ends.");
    while (ask(prompt, "from: ", &pair.source) && ask(prompt, "to:   ", &pair.target)) {
        struct reply reply = {.kind = REPLY_ERROR, .paths = {.hops = SEARCH_HOPS_NONE}};
        conversation_ask(talk, pair, &reply);
        write_reply(talk, &reply);
        reply_free(&reply);
    }
    free(prompt);
    return true;
}
