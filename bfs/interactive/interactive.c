/*
 * interactive.c - the line protocol of a pipe, and the conversation on a terminal.
 */
#include "interactive.h"
#include "base/program/interrupt.h"
#include "base/report/report.h"
#include "base/text/text_form.h"
#include "bfs/answers/answer.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include "data/names/name_finder.h"
#include "data/names/name_search.h"
#include "line_editor.h"
#include "terminal_mode.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES_MAX   ((size_t)1 << 20) /* in a pipe; a longer line is refused */
#define SPACED_BYTES_MAX 4096              /* of a line that may be cut at any of its spaces */

struct conversation {
    const struct graph *graph;
    FILE *out;
    struct asker asker;
    struct name_finder finder;
    struct line_editor editor;
    int write_error; /* errno of the first answer that could not be written */
    int read_error;  /* errno of an input that could not be read; 0: none */
};

static const char interrupted[] = "interrupted";

/* A member that is an array of nodes. */
static void write_nodes(const struct conversation *talk, const char *before, const char *name,
                        const uint32_t *nodes, size_t count)
{
    char label[GRAPH_LABEL_SIZE];
    fprintf(talk->out, "%s\"%s\":[", before, name);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", talk->out);
        report_write_value(talk->out, REPORT_FORMAT_JSON,
                           report_text(graph_label(talk->graph, nodes[i], label)));
    }
    fputc(']', talk->out);
}

static enum name_fit find(struct conversation *talk, const char *text, uint32_t *node)
{
    return name_finder_find(&talk->finder, text, strlen(text), node);
}

/* The pipe ------------------------------------------------------------------------------------ */

/* An answer that is an error: that the graph is damaged, if it is, else the message. */
static void write_error(const struct conversation *talk, const char *message, const char *misspelt)
{
    struct name_matches matches;
    struct graph_error damage = {0};
    if (misspelt != NULL) {
        name_search_similar(talk->graph, misspelt, strlen(misspelt), &matches);
    }
    if (graph_is_damaged(talk->graph, &damage)) {
        message = damage.message;
        misspelt = NULL;
    }
    report_json_member(talk->out, "{", "error", report_text(message));
    if (misspelt != NULL) {
        write_nodes(talk, ",", "suggestions", matches.nodes, matches.count);
    }
    fputs("}\n", talk->out);
}

static void write_completions(const struct conversation *talk, const char *prefix)
{
    struct name_matches matches;
    name_search_prefix(talk->graph, prefix, &matches);
    if (graph_is_damaged(talk->graph, NULL)) {
        write_error(talk, "", NULL);
        return;
    }
    write_nodes(talk, "{", "completions", matches.nodes, matches.count);
    report_json_member(talk->out, ",", "matches", report_integer(matches.total));
    fputs("}\n", talk->out);
}

/* A note on a name in another spelling; "" for none. */
typedef char name_note[NAME_MESSAGE_SIZE];

static void write_answer(const struct conversation *talk, const char *from, const char *to,
                         const struct answer *answer, const name_note notes[2])
{
    FILE *out = talk->out;
    const struct search_result *result = &answer->result;
    const bool found = result->found;
    char date[32];
    report_json_member(out, "{", "from", report_text(from));
    report_json_member(out, ",", "to", report_text(to));
    report_json_member(out, ",", "found", report_boolean(found));
    report_json_member(out, ",", "hops", report_if(found, report_integer(result->hops)));
    report_json_member(out, ",", "seconds", report_seconds(result->elapsed_ns));
    write_nodes(talk, ",", "path", answer->nodes, found ? (size_t)result->hops + 1 : 0);
    if (found && answer_page(talk->graph, answer->pair.source) != 0) {
        fputs(",\"page_ids\":[", out);
        for (size_t i = 0; i <= result->hops; i++) {
            fprintf(out, "%s%u", i > 0 ? "," : "", answer_page(talk->graph, answer->nodes[i]));
        }
        fputc(']', out);
    }
    for (size_t i = 0; i < 2; i++) {
        if (notes[i][0] != '\0') {
            report_json_member(out, ",", i == 0 ? "from_note" : "to_note", report_text(notes[i]));
        }
    }
    if (graph_origin_fact(talk->graph->origin, "date", date, sizeof(date)) && date[0] != '\0') {
        report_json_member(out, ",", "date", report_text(date));
    }
    fputs("}\n", out);
}

/* Cut a line in two at a separator: a tab, an arrow, or a space between two nodes. */
static bool split(struct conversation *talk, char *line, char **from, char **to)
{
    static const char arrow[] = " -> ";
    char *at = strchr(line, '\t');
    size_t width = 1;
    uint32_t node;
    if (at == NULL && (at = strstr(line, arrow)) != NULL) {
        width = sizeof(arrow) - 1;
    }
    char *space = strlen(line) <= SPACED_BYTES_MAX ? line : NULL;
    for (; space != NULL && at == NULL && (space = strchr(space, ' ')) != NULL; space++) {
        *space = '\0';
        at = find(talk, line, &node) != NAME_UNKNOWN && find(talk, space + 1, &node) != NAME_UNKNOWN
                 ? space
                 : NULL;
        *space = ' ';
    }
    if (at == NULL && (at = strchr(line, ' ')) == NULL) {
        return false;
    }
    *at = '\0';
    *from = line;
    *to = at + width;
    return true;
}

/* Find a node; note: the spelling that was forgiven. On failure, answers with the error; false. */
static bool find_or_say(struct conversation *talk, const char *text, uint32_t *node, name_note note)
{
    const enum name_fit fit = find(talk, text, node);
    note[0] = '\0';
    if (graph_is_damaged(talk->graph, NULL)) {
        write_error(talk, "", NULL);
        return false;
    }
    switch (fit) {
    case NAME_EXACT:
        return true;
    case NAME_FORGIVEN:
        name_finder_note(&talk->finder, text, strlen(text), *node, note);
        return true;
    default:
        if (talk->graph->names == NULL) {
            name_finder_explain(&talk->finder, text, strlen(text), note);
            write_error(talk, note, NULL);
        } else {
            snprintf(note, NAME_MESSAGE_SIZE, "no node is called \"%.*s\"",
                     (int)text_fitting(text, 200), text);
            write_error(talk, note, text);
        }
        return false;
    }
}

static void answer_line(struct conversation *talk, char *line)
{
    struct command_error error;
    char *from = line;
    char *to = line;
    struct pair pair;
    struct answer answer;
    name_note notes[2];
    if (line[0] == '?') {
        write_completions(talk, line + 1);
        return;
    }
    if (!split(talk, line, &from, &to)) {
        write_error(talk, "expected two nodes with a tab between them", NULL);
        return;
    }
    if (!find_or_say(talk, from, &pair.source, notes[0]) ||
        !find_or_say(talk, to, &pair.target, notes[1])) {
        return;
    }
    if (!asker_ask(&talk->asker, pair, &answer, &error)) {
        write_error(talk, error.message, NULL);
        return;
    }
    write_answer(talk, from, to, &answer, (const name_note *)notes);
}

/* Read the next line, and at most one byte too many. False at the end of the input; a signal
 * meanwhile ends the program. */
static bool read_line(struct conversation *talk, char *line, size_t *length)
{
    int byte;
    *length = 0;
    interrupt_arm(fileno(talk->out), "", 0, interrupted);
    errno = 0;
    while ((byte = getc(stdin)) != EOF && byte != '\n') {
        line[*length] = (char)byte;
        *length += *length <= LINE_BYTES_MAX;
    }
    if (byte == EOF && *interrupt_flag() == 0 && ferror(stdin)) {
        talk->read_error = errno != 0 ? errno : EIO;
    }
    interrupt_disarm();
    return byte != EOF || *length > 0;
}

static void answer_lines(struct conversation *talk)
{
    char *line = malloc(LINE_BYTES_MAX + 2);
    size_t length;
    talk->read_error = line == NULL ? ENOMEM : 0;
    while (line != NULL && *interrupt_flag() == 0 && talk->write_error == 0 &&
           read_line(talk, line, &length)) {
        const bool is_too_long = length > LINE_BYTES_MAX;
        while (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        line[length] = '\0';
        if (length > 0) {
            errno = 0;
            if (is_too_long) {
                write_error(talk, "a line is longer than 1 MiB", NULL);
            } else {
                answer_line(talk, line);
            }
            if (fflush(talk->out) != 0 || ferror(talk->out)) {
                talk->write_error = errno != 0 ? errno : EIO;
            }
        }
    }
    free(line);
}

/* The terminal -------------------------------------------------------------------------------- */

/* Complete the typed text as far as the names agree; list them if they differ at once. */
static void complete(void *context, char *text, size_t size)
{
    const struct conversation *talk = context;
    struct name_matches matches;
    char label[GRAPH_LABEL_SIZE];
    name_search_prefix(talk->graph, text, &matches);
    if (graph_is_damaged(talk->graph, NULL)) {
        return; /* the answer will say so */
    }
    if (matches.total > 0 && strlen(matches.common) >= strlen(text) &&
        strcmp(matches.common, text) != 0 && strlen(matches.common) < size) {
        memcpy(text, matches.common, strlen(matches.common) + 1);
        return;
    }
    if (matches.total > 1) {
        fputc('\n', stdout);
        for (size_t i = 0; i < matches.count; i++) {
            fputs("  ", stdout);
            text_write(stdout, graph_label(talk->graph, matches.nodes[i], label));
            putchar('\n');
        }
        if (matches.total > matches.count) {
            printf("  ... and %zu more\n", matches.total - matches.count);
        }
    }
}

/* A line from the terminal. False at its end; a signal meanwhile ends the program. */
static bool edit_line(struct conversation *talk, const char *prompt, char *text)
{
    interrupt_arm(STDOUT_FILENO, "\n", 1, interrupted);
    bool done = line_editor_read(&talk->editor, prompt, text, complete, talk);
    interrupt_disarm();
    return done;
}

/* Ask until a node is named. False at the end of the input. */
static bool ask(struct conversation *talk, const char *prompt, uint32_t *node)
{
    char text[LINE_EDITOR_SIZE];
    char message[NAME_MESSAGE_SIZE];
    struct graph_error damage = {0};
    while (*interrupt_flag() == 0 && edit_line(talk, prompt, text)) {
        const size_t length = strlen(text);
        if (length == 0) {
            continue;
        }
        const enum name_fit fit = find(talk, text, node);
        if (graph_is_damaged(talk->graph, &damage)) {
            puts(damage.message);
            continue;
        }
        if (fit != NAME_EXACT) {
            text_write(stdout, fit == NAME_FORGIVEN
                                   ? name_finder_note(&talk->finder, text, length, *node, message)
                                   : name_finder_explain(&talk->finder, text, length, message));
            putchar('\n');
        }
        if (fit != NAME_UNKNOWN) {
            return true;
        }
    }
    return false;
}

static void converse(struct conversation *talk)
{
    struct pair pair;
    puts("Two nodes; Tab completes a name, Ctrl-D ends.");
    while (ask(talk, "from: ", &pair.source) && ask(talk, "to:   ", &pair.target)) {
        struct answer answer;
        struct command_error error;
        if (asker_ask(&talk->asker, pair, &answer, &error) &&
            asker_complete(&talk->asker, &answer, &error)) {
            answer_write(stdout, talk->graph, &answer, text_columns_if_read(stdout));
        } else {
            puts(error.message);
        }
    }
}

bool interactive_run(const struct graph *graph, const struct search_engine *engine,
                     const uint32_t *avoided, size_t avoided_count, FILE *out, int *write_error)
{
    struct conversation talk = {.graph = graph, .out = out};
    const struct search_limits limits = {.cancel = interrupt_flag()};
    const bool named = name_finder_open(&talk.finder, graph);
    const bool opened = named && asker_open(&talk.asker, graph, engine, &limits, false);
    const bool ready =
        opened && (avoided_count == 0 || asker_avoid(&talk.asker, avoided, avoided_count));
    if (ready && out == stdout && isatty(STDOUT_FILENO) && terminal_mode_enter()) {
        converse(&talk);
        terminal_mode_leave();
    } else if (ready) {
        answer_lines(&talk);
    }
    if (opened) {
        asker_close(&talk.asker);
    }
    if (named) {
        name_finder_close(&talk.finder);
    }
    *write_error = talk.write_error;
    errno = ready ? talk.read_error : ENOMEM;
    return errno == 0 && talk.write_error == 0;
}
