/*
 * answer_report.c - writes answers in the format that is asked for.
 */
#include "answer_report.h"
#include "base/program/output.h"
#include "base/text/text_stream.h"
#include "bfs/answers/answer_csv.h"
#include "bfs/answers/answer_json.h"
#include "bfs/engines/engines.h"
#include "data/graph/graph_blocks.h"
#include "path_dot.h"
#include <errno.h>
#include <stdlib.h>

struct report_value path_count_value(const struct path_graph *paths)
{
    return paths == NULL ? report_unknown() /* the head of a table */
                         : answer_path_count(paths->count_at_most, paths->count);
}

struct answer answer_asked(const struct inputs *inputs, struct pair pair)
{
    return (struct answer){.pair = pair,
                           .hops_back = SEARCH_HOPS_NONE,
                           .avoided = inputs->avoided,
                           .avoided_count = inputs->avoided_count};
}

/* Write an answer; paths: all its shortest, if they were asked for. False with errno set: ENOMEM
 * when out of memory, or the error of writing. */
static bool write_answer(FILE *out, const struct options *options, const struct graph *graph,
                         const struct answer *answer, const struct path_graph *paths,
                         unsigned columns)
{
    const bool lists = options->answers.all_shortest;
    const uint64_t limit = options->answers.list_limit;
    bool done = true;
    errno = ENOMEM;
    if (options->report.format == REPORT_FORMAT_DOT) {
        path_dot_write(out, graph, paths);
        return true;
    }
    if (options->report.format == REPORT_FORMAT_CSV) {
        return answer_csv(out, graph, answer, lists ? paths : NULL, limit);
    }
    if (options->report.format == REPORT_FORMAT_JSON && lists) {
        done = answer_json_all(out, graph, answer, paths, limit);
    } else if (options->report.format == REPORT_FORMAT_JSON) {
        answer_json(out, graph, answer);
    } else if (lists) {
        done = answer_write_all(out, graph, answer, paths, limit, columns);
    } else {
        answer_write(out, graph, answer, columns);
    }
    return done;
}

/* The notes on the names of the question. */
static void take_notes(struct answer *answer, const struct inputs *inputs)
{
    for (size_t i = 0; i < 2; i++) {
        answer->notes[i] = inputs->notes[i][0] != '\0' ? inputs->notes[i] : NULL;
    }
}

/* What begin_words needs. */
struct begin_words {
    FILE *out;
    const struct graph *graph;
    const char *output;
};

/* Write the line that there is no path, before the asker counts what the source leads to. */
static bool begin_words(void *context, const struct answer *answer, struct command_error *error)
{
    const struct begin_words *words = context;
    return answer_begin(words->out, words->graph, answer) ||
           output_fail(words->output, errno, error);
}

/* Read the name of each node of a drawing, so that its block is checked. False with error set if
 * one is bad. */
static bool read_names(const struct graph *graph, const struct path_graph *paths,
                       struct command_error *error)
{
    struct graph_error damage = {0};
    char label[GRAPH_LABEL_SIZE];
    for (size_t i = 0; graph->blocks != NULL && i < paths->node_count; i++) {
        graph_label(graph, paths->nodes[i], label);
    }
    return !graph_is_damaged(graph, &damage) || command_fail(error, "%s", damage.message);
}

bool answer_alone(FILE *out, const struct options *options, const struct inputs *inputs,
                  struct asker *asker, struct progress *progress, struct command_error *error)
{
    const enum report_format format = options->report.format;
    struct path_graph paths = {.hops = SEARCH_HOPS_NONE};
    struct path_graph longer = {.hops = SEARCH_HOPS_NONE};
    struct answer answer;
    char source[GRAPH_LABEL_SIZE], target[GRAPH_LABEL_SIZE];
    struct begin_words words = {out, &inputs->graph, options->report.output};
    asker->begin = format == REPORT_FORMAT_TEXT ? begin_words : NULL;
    asker->begin_context = &words;
    if (!asker_ask(asker, inputs->pairs.items[0], &answer, error)) {
        return false;
    }
    take_notes(&answer, inputs);
    if (options->answers.all_shortest && answer.result.found
            ? !asker_all_paths(asker, &answer, options->answers.list_limit, &paths, error)
            : !asker_complete(asker, &answer, error)) {
        return false;
    }
    if (options->answers.longer > 0) {
        answer.longer = &longer;
        if (answer.result.found &&
            !asker_longer_paths(asker, &answer, options->answers.list_limit, &longer, error)) {
            path_graph_free(&paths);
            return false;
        }
    }
    if (format == REPORT_FORMAT_DOT && !read_names(&inputs->graph, &paths, error)) {
        path_graph_free(&paths);
        return false;
    }
    if (format == REPORT_FORMAT_DOT && !answer.result.found) {
        progress_note(progress, "%s does not lead to %s",
                      graph_label(&inputs->graph, answer.pair.source, source),
                      graph_label(&inputs->graph, answer.pair.target, target));
    }
    errno = ENOMEM;
    const bool done =
        (format == REPORT_FORMAT_TEXT || !answer.is_short) &&
        write_answer(out, options, &inputs->graph, &answer, &paths, text_columns_if_read(out));
    const int cause = errno;
    path_graph_free(&paths);
    path_graph_free(&longer);
    if (format == REPORT_FORMAT_JSON) {
        fputc('\n', out);
    }
    if (!done && cause != ENOMEM) {
        output_fail(options->report.output, cause, error);
    }
    return done || (cause == ENOMEM && command_fail(error, "out of memory"));
}

bool histogram_alone(FILE *out, const struct options *options, const struct inputs *inputs,
                     struct asker *asker, struct command_error *error)
{
    struct distances distances;
    struct search_result result;
    bool done = true;
    if (!asker_distances(asker, inputs->pairs.items[0].source, &distances, &result, error)) {
        return false;
    }
    if (options->report.format == REPORT_FORMAT_CSV) {
        done = answer_csv_histogram(out, &distances);
    } else if (options->report.format == REPORT_FORMAT_JSON) {
        answer_json_histogram(out, &distances, &result, inputs->avoided_count,
                              inputs->notes[0][0] != '\0' ? inputs->notes[0] : NULL);
        fputc('\n', out);
    } else {
        answer_write_histogram(out, &distances, text_columns(out));
    }
    if (!done) {
        output_fail(options->report.output, errno, error);
    }
    distances_close(&distances);
    return done;
}

char *answer_of_row(const struct options *options, const struct inputs *inputs,
                    const struct search_row *row, unsigned columns)
{
    const struct answer_options *answers = &options->answers;
    const struct search_limits limits = {.timeout_ns = options->timeout_ns};
    const struct graph *graph = &inputs->graph;
    struct answer answer = answer_asked(inputs, row->pair);
    struct path_graph paths = {.hops = SEARCH_HOPS_NONE};
    struct asker asker = {.graph = NULL};
    struct command_error unused;
    answer.result = row->result;
    answer.path = row->path;
    answer.nodes = row->nodes;
    answer.is_verified = answers->verify;
    take_notes(&answer, inputs);
    char *text = NULL;
    size_t length = 0;
    FILE *out = text_stream_open(&text, &length);
    bool done = out != NULL;
    if (done && answers->all_shortest && row->result.found) {
        done = answer_shortest_paths(graph, &answer, &paths);
    } else if (done && graph->in_offsets != NULL &&
               asker_open(&asker, graph, &bidirectional_engine, &limits, false) &&
               (answer.avoided_count == 0 ||
                asker_avoid(&asker, answer.avoided, answer.avoided_count))) {
        /* The details beside the path may be missing: no memory, or they took too long. */
        asker_complete(&asker, &answer, &unused);
    }
    done = done && write_answer(out, options, graph, &answer, &paths, columns);
    if (asker.graph != NULL) {
        asker_close(&asker);
    }
    path_graph_free(&paths);
    if (out != NULL && (fclose(out) != 0 || !done)) {
        free(text);
        text = NULL;
    }
    return text;
}
