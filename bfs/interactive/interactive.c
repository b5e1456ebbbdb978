/*
 * interactive.c - reads lines, and writes each reply as a line of JSON.
 */
#include "interactive.h"
#include "base/program/interrupt.h"
#include "base/text/text_stream.h"
#include "bfs/answers/answer_json.h"
#include "conversation.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES_MAX  ((size_t)1 << 20) /* a longer line is refused */
#define REACH_EDGES_MAX 4096              /* to count the nodes reached: some 0.05 ms */

static void write_error(FILE *out, const char *message)
{
    report_json_member(out, "{", "error", report_text(message));
    fputc('}', out);
}

/* The error of a reply; if no node has a name, with the nodes that may be meant. */
static void write_refusal(FILE *out, const struct conversation *talk, const struct reply *reply)
{
    report_json_member(out, "{", "error", report_text(reply->error.message));
    if (reply->is_unknown) {
        answer_json_nodes(out, ",", "suggestions", talk->graph, reply->near, reply->near_count);
    }
    fputc('}', out);
}

static void write_help(FILE *out)
{
    for (size_t i = 0; i < REQUEST_KINDS; i++) {
        char line[200];
        snprintf(line, sizeof(line), "%s: %s", request_helps[i].usage, request_helps[i].does);
        fputs(i == 0 ? "{\"commands\":[" : ",", out);
        report_write_value(out, REPORT_FORMAT_JSON, report_text(line));
    }
    fputs("]}", out);
}

/* An answer with all its paths, written only if there is memory for all of it. */
static void write_paths(FILE *out, const struct pwgraph *graph, const struct reply *reply)
{
    char *text = NULL;
    size_t length = 0;
    FILE *whole = text_stream_open(&text, &length);
    bool done =
        whole != NULL && answer_json_all(whole, graph, &reply->answer, reply->paths, reply->limit);
    if (whole != NULL && fclose(whole) != 0) {
        done = false;
    }
    if (done) {
        fwrite(text, 1, length, out);
    } else {
        write_error(out, "out of memory");
    }
    free(text);
}

static void write_reply(FILE *out, const struct conversation *talk, const struct reply *reply)
{
    const struct pwgraph *graph = talk->graph;
    const char *note = reply->notes[0][0] != '\0' ? reply->notes[0] : NULL;
    if (reply->answer.is_short) {
        write_error(out, "out of memory");
        return;
    }
    switch (reply->kind) {
    case REPLY_ANSWER:
        answer_json(out, graph, &reply->answer);
        break;
    case REPLY_PATHS:
        write_paths(out, graph, reply);
        break;
    case REPLY_HISTOGRAM:
        answer_json_histogram(out, &reply->distances, talk->avoided_count, note);
        break;
    case REPLY_COMPLETIONS:
        answer_json_nodes(out, "{", "completions", graph, reply->nodes, reply->node_count);
        report_json_member(out, ",", "matches", report_integer(reply->total));
        fputc('}', out);
        break;
    case REPLY_AVOIDED:
        answer_json_nodes(out, "{", "avoid", graph, reply->nodes, reply->node_count);
        fputc('}', out);
        break;
    case REPLY_COUNT:
        report_json_member(out, "{", "count", report_boolean(!talk->is_quick));
        fputc('}', out);
        break;
    case REPLY_HELP:
        write_help(out);
        break;
    default:
        write_refusal(out, talk, reply);
    }
}

static void answer_line(struct conversation *talk, FILE *out, char *line)
{
    struct reply reply = {.kind = REPLY_ERROR};
    struct request request;
    if (request_is_command(line) && !request_read(line, &request, &reply.error)) {
        write_error(out, reply.error.message);
    } else {
        if (line[0] == '?') {
            request = request_completion(line + 1);
        } else if (!request_is_command(line)) {
            request = request_question(line);
        }
        conversation_do(talk, &request, &reply);
        write_reply(out, talk, &reply);
        reply_free(&reply);
    }
    fputc('\n', out);
}

/* Read the next line, and at most one byte too many. False at the end of the input; a signal
 * meanwhile ends the program. read_error: errno of an input that could not be read. */
static bool read_line(FILE *out, char *line, size_t *length, int *read_error)
{
    int byte;
    *length = 0;
    interrupt_arm(fileno(out), "", 0, "interrupted");
    errno = 0;
    while ((byte = getc(stdin)) != EOF && byte != '\n') {
        line[*length] = (char)byte;
        *length += *length <= LINE_BYTES_MAX;
    }
    if (byte == EOF && *interrupt_flag() == 0 && ferror(stdin)) {
        *read_error = errno != 0 ? errno : EIO;
    }
    interrupt_disarm();
    return byte != EOF || *length > 0;
}

/* Answer the lines of standard input until it ends. Returns false as interactive_run does. */
static bool answer_lines(struct conversation *talk, FILE *out, int *error)
{
    char *line = calloc(1, LINE_BYTES_MAX + 2);
    size_t length;
    int read_error = line == NULL ? ENOMEM : 0;
    while (line != NULL && *interrupt_flag() == 0 && *error == 0 &&
           read_line(out, line, &length, &read_error)) {
        const bool is_too_long = length > LINE_BYTES_MAX;
        while (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        line[length] = '\0';
        errno = 0;
        if (is_too_long || length == 0) {
            write_error(out, length == 0 ? "the line is empty" : "a line is longer than 1 MiB");
            fputc('\n', out);
        } else {
            answer_line(talk, out, line);
        }
        if (fflush(out) != 0 || ferror(out)) {
            *error = errno != 0 ? errno : EIO;
        }
    }
    free(line);
    errno = read_error;
    return read_error == 0 && *error == 0;
}

bool interactive_run(const struct pwgraph *graph, const char *engine, const uint32_t *avoided,
                     size_t avoided_count, bool verify, FILE *out, int *error)
{
    struct conversation talk;
    struct command_error why;
    *error = 0;
    if (!conversation_open(&talk, graph, engine, avoided, avoided_count, verify, &why)) {
        errno = ENOMEM;
        return false;
    }
    talk.is_quick = true;
    talk.asker.reach_edges_max = REACH_EDGES_MAX;
    const bool done = answer_lines(&talk, out, error);
    const int cause = errno;
    conversation_close(&talk);
    errno = cause;
    return done;
}
