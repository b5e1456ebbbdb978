/*
 * interactive.c - the line protocol of a pipe, and the conversation on a terminal.
 */
#include "interactive.h"
#include "bfs/run/answer_check.h"
#include "data/graph/node_index.h"
#include "line_editor.h"
#include "name_search.h"
#include "perf/program/interrupt.h"
#include "perf/report/report.h"
#include "terminal_mode.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct conversation {
    const struct graph *graph;
    const struct search_engine *engine;
    FILE *out;
    const volatile sig_atomic_t *stop;
    void *workspace;
    struct answer_check check;
    struct node_index index;
    struct line_editor editor;
    int write_error; /* errno of the first answer that could not be written */
    bool no_memory;  /* for a line of the input */
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

static bool find(const struct conversation *talk, const char *text, uint32_t *node)
{
    return node_index_find(&talk->index, text, strlen(text), node);
}

/* Search and check the path. message: what is wrong, when false. */
static bool answer(struct conversation *talk, struct pair pair, struct search_result *result,
                   char *message, size_t message_size)
{
    const struct search_limits limits = {.cancel = talk->stop};
    talk->engine->search(talk->workspace, pair.source, pair.target, &limits, result);
    if (result->status != SEARCH_DONE) {
        snprintf(message, message_size, "%s",
                 result->status == SEARCH_NO_MEMORY ? "out of memory" : "interrupted");
        return false;
    }
    return answer_check(&talk->check, talk->engine, talk->workspace, pair, result, message,
                        message_size);
}

/* The pipe ------------------------------------------------------------------------------------ */

static void write_error(const struct conversation *talk, const char *message, const char *misspelt)
{
    report_json_member(talk->out, "{", "error", report_text(message));
    if (misspelt != NULL) {
        struct name_matches matches;
        name_search_similar(talk->graph, misspelt, &matches);
        write_nodes(talk, ",", "suggestions", matches.nodes, matches.count);
    }
    fputs("}\n", talk->out);
}

static void write_completions(const struct conversation *talk, const char *prefix)
{
    struct name_matches matches;
    name_search_prefix(talk->graph, prefix, &matches);
    write_nodes(talk, "{", "completions", matches.nodes, matches.count);
    report_json_member(talk->out, ",", "matches", report_integer(matches.total));
    fputs("}\n", talk->out);
}

static void write_answer(const struct conversation *talk, const char *from, const char *to,
                         const struct search_result *result)
{
    FILE *out = talk->out;
    const bool found = result->found;
    report_json_member(out, "{", "from", report_text(from));
    report_json_member(out, ",", "to", report_text(to));
    report_json_member(out, ",", "found", report_boolean(found));
    report_json_member(out, ",", "hops", report_if(found, report_integer(result->hops)));
    report_json_member(out, ",", "seconds", report_seconds(result->elapsed_ns));
    write_nodes(talk, ",", "path", talk->check.nodes, found ? (size_t)result->hops + 1 : 0);
    fputs("}\n", out);
}

/* Cut a line in two at a separator: a tab, an arrow, or a space that leaves two nodes. */
static bool split(const struct conversation *talk, char *line, char **from, char **to)
{
    static const char arrow[] = " -> ";
    char *at = strchr(line, '\t');
    size_t width = 1;
    uint32_t node;
    if (at == NULL && (at = strstr(line, arrow)) != NULL) {
        width = sizeof(arrow) - 1;
    }
    for (char *space = line; at == NULL && (space = strchr(space, ' ')) != NULL; space++) {
        *space = '\0';
        at = find(talk, line, &node) && find(talk, space + 1, &node) ? space : NULL;
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

static void answer_line(struct conversation *talk, char *line)
{
    char message[512];
    char *from = line;
    char *to = line;
    struct pair pair;
    struct search_result result;
    if (line[0] == '?') {
        write_completions(talk, line + 1);
        return;
    }
    if (!split(talk, line, &from, &to)) {
        write_error(talk, "expected two nodes with a tab between them", NULL);
        return;
    }
    bool from_known = find(talk, from, &pair.source);
    if (!from_known || !find(talk, to, &pair.target)) {
        const char *unknown = from_known ? to : from;
        snprintf(message, sizeof(message), "no node is called \"%.200s\"", unknown);
        write_error(talk, message, unknown);
        return;
    }
    if (!answer(talk, pair, &result, message, sizeof(message))) {
        write_error(talk, message, NULL);
        return;
    }
    write_answer(talk, from, to, &result);
}

/* The next line, or 0 or less at the end; a signal meanwhile ends the program. */
static ssize_t read_line(struct conversation *talk, char **line, size_t *size)
{
    interrupt_arm(fileno(talk->out), "", 0, interrupted);
    errno = 0;
    ssize_t length = getline(line, size, stdin);
    talk->no_memory = length < 0 && errno == ENOMEM;
    interrupt_disarm();
    return length;
}

static void answer_lines(struct conversation *talk)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while (*talk->stop == 0 && talk->write_error == 0 &&
           (length = read_line(talk, &line, &size)) > 0) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) {
            line[--length] = '\0';
        }
        if (length > 0) {
            errno = 0;
            answer_line(talk, line);
            if (fflush(talk->out) != 0 || ferror(talk->out)) {
                talk->write_error = errno != 0 ? errno : EIO;
            }
        }
    }
    free(line);
}

/* The terminal -------------------------------------------------------------------------------- */

/* Complete what is typed as far as the names agree; list them when they differ at once. */
static void complete(void *context, char *text, size_t size)
{
    const struct conversation *talk = context;
    struct name_matches matches;
    char label[GRAPH_LABEL_SIZE];
    name_search_prefix(talk->graph, text, &matches);
    if (matches.total > 0 && strlen(matches.common) > strlen(text) &&
        strlen(matches.common) < size) {
        memcpy(text, matches.common, strlen(matches.common) + 1);
        return;
    }
    if (matches.total > 1) {
        fputc('\n', stdout);
        for (size_t i = 0; i < matches.count; i++) {
            printf("  %s\n", graph_label(talk->graph, matches.nodes[i], label));
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
    char label[GRAPH_LABEL_SIZE];
    while (*talk->stop == 0 && edit_line(talk, prompt, text)) {
        struct name_matches matches;
        if (text[0] == '\0') {
            continue;
        }
        if (find(talk, text, node)) {
            return true;
        }
        name_search_similar(talk->graph, text, &matches);
        printf("no node is called \"%s\"%s", text, matches.count > 0 ? "; did you mean" : "");
        for (size_t i = 0; i < matches.count; i++) {
            printf("%s %s", i > 0 ? "," : "", graph_label(talk->graph, matches.nodes[i], label));
        }
        puts(matches.count > 0 ? "?" : "");
    }
    return false;
}

static void converse(struct conversation *talk)
{
    struct pair pair;
    puts("Two nodes; Tab completes a name, Ctrl-D ends.");
    while (ask(talk, "from: ", &pair.source) && ask(talk, "to:   ", &pair.target)) {
        struct search_result result;
        char message[512];
        if (!answer(talk, pair, &result, message, sizeof(message))) {
            printf("%s\n", message);
        } else if (!result.found) {
            printf("no path (%.6f s)\n", (double)result.elapsed_ns / 1e9);
        } else {
            char *path = answer_path_text(talk->graph, talk->check.nodes, result.hops);
            printf("%s\n%u hop%s (%.6f s)\n", path != NULL ? path : "out of memory for the path",
                   result.hops, result.hops == 1 ? "" : "s", (double)result.elapsed_ns / 1e9);
            free(path);
        }
    }
}

bool interactive_run(const struct graph *graph, const struct search_engine *engine, FILE *out,
                     const volatile sig_atomic_t *stop, int *write_error)
{
    struct conversation talk = {.graph = graph, .engine = engine, .out = out, .stop = stop};
    bool ready = node_index_init(&talk.index, graph);
    talk.workspace = engine->create(graph, NULL);
    ready = answer_check_open(&talk.check, graph, true, false) && ready && talk.workspace != NULL;
    if (ready && out == stdout && isatty(STDOUT_FILENO) && terminal_mode_enter()) {
        converse(&talk);
        terminal_mode_leave();
    } else if (ready) {
        answer_lines(&talk);
    }
    answer_check_close(&talk.check);
    if (talk.workspace != NULL) {
        engine->destroy(talk.workspace);
    }
    node_index_free(&talk.index);
    *write_error = talk.write_error;
    return ready && talk.write_error == 0 && !talk.no_memory;
}
