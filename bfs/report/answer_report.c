/*
 * answer_report.c - writes answers in the format that is asked for.
 */
#include "answer_report.h"
#include "base/program/output.h"
#include "base/text/text_stream.h"
#include "bfs/answers/answer_json.h"
#include "bfs/engines/engines.h"
#include "path_dot.h"
#include <errno.h>
#include <stdlib.h>

/* Write an answer; paths: all its shortest, if they were asked for. False when out of memory. */
static bool write_answer(FILE *out, const struct options *options, const struct pwgraph *graph,
                         const struct answer *answer, const struct pwgraph_paths *paths,
                         unsigned columns)
{
    const bool lists = options->answers.all_shortest;
    const uint64_t limit = options->answers.list_limit;
    bool done = true;
    if (options->report.format == REPORT_FORMAT_DOT) {
        path_dot_write(out, graph, paths);
    } else if (options->report.format == REPORT_FORMAT_JSON && lists) {
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

/* Where only the way back exists, the edges may be meant both ways; links of a wiki never are. */
static void note_one_way(struct progress *progress, const struct options *options,
                         const struct pwgraph *graph, const struct answer *answer)
{
    char wiki[PWGRAPH_TEXT_SIZE];
    if (!answer->found && answer->hops_back != PWGRAPH_NONE && !options->input.undirected &&
        options->report.format == REPORT_FORMAT_TEXT && !pwgraph_fact(graph, "wiki", wiki)) {
        progress_note(progress, "an edge leads one way; --undirected takes every edge in both "
                                "directions");
    }
}

/* What begin_words needs. */
struct begin_words {
    FILE *out;
    const struct pwgraph *graph;
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
static bool read_names(const struct pwgraph *graph, const struct pwgraph_paths *paths,
                       struct command_error *error)
{
    pwgraph_labels(graph, paths->nodes, paths->node_count, NULL, 0);
    return answer_graph_is_whole(graph, error);
}

/* The paths that are asked for beside the answer. */
struct path_lists {
    struct pwgraph_paths *shortest, *longer; /* NULL: not asked for */
};

static void free_lists(struct path_lists *lists)
{
    pwgraph_paths_free(lists->shortest);
    pwgraph_paths_free(lists->longer);
}

/* Ask for all that the answer has. False with error set. */
static bool find_answer(struct asker *asker, const struct options *options,
                        struct question question, struct answer *answer, struct path_lists *lists,
                        struct command_error *error)
{
    const struct answer_options *wanted = &options->answers;
    if (!asker_ask(asker, question, answer, error)) {
        return false;
    }
    if (!(wanted->all_shortest && answer->found) && !asker_complete(asker, answer, error)) {
        return false;
    }
    if (wanted->all_shortest) {
        lists->shortest = asker_paths(asker, answer, 0, wanted->list_limit, error);
    }
    if (wanted->longer > 0 && (lists->shortest != NULL || !wanted->all_shortest)) {
        answer->longer = lists->longer = asker_paths(asker, answer, 1, wanted->list_limit, error);
    }
    return (lists->shortest != NULL || !wanted->all_shortest) &&
           (lists->longer != NULL || wanted->longer == 0);
}

bool answer_alone(FILE *out, const struct options *options, const struct inputs *inputs,
                  struct asker *asker, struct progress *progress, struct command_error *error)
{
    const enum report_format format = options->report.format;
    const struct pwgraph *graph = inputs->asked;
    const struct pair pair = inputs->pairs.items[0];
    struct path_lists lists = {NULL, NULL};
    struct answer answer;
    char source[PWGRAPH_TEXT_SIZE], target[PWGRAPH_TEXT_SIZE];
    struct begin_words words = {out, graph, options->report.output};
    asker->begin = format == REPORT_FORMAT_TEXT ? begin_words : NULL;
    asker->begin_context = &words;
    if (!find_answer(asker, options, (struct question){pair.source, pair.target}, &answer, &lists,
                     error) ||
        (format == REPORT_FORMAT_DOT && lists.shortest != NULL &&
         !read_names(graph, lists.shortest, error))) {
        free_lists(&lists);
        return false;
    }
    take_notes(&answer, inputs);
    if (format == REPORT_FORMAT_DOT && !answer.found) {
        progress_note(progress, "%s does not lead to %s", pwgraph_label(graph, pair.source, source),
                      pwgraph_label(graph, pair.target, target));
    }
    const bool done =
        (format == REPORT_FORMAT_TEXT || !answer.is_short) &&
        write_answer(out, options, graph, &answer, lists.shortest, text_columns_if_read(out));
    free_lists(&lists);
    note_one_way(progress, options, graph, &answer);
    if (format == REPORT_FORMAT_JSON) {
        fputc('\n', out);
    }
    return done || command_fail(error, "out of memory");
}

bool histogram_alone(FILE *out, const struct options *options, const struct inputs *inputs,
                     struct asker *asker, struct command_error *error)
{
    struct answer_distances distances;
    if (!asker_distances(asker, inputs->pairs.items[0].source, &distances, error)) {
        answer_distances_close(&distances);
        return false;
    }
    if (options->report.format == REPORT_FORMAT_JSON) {
        answer_json_histogram(out, &distances, inputs->avoided_count,
                              inputs->notes[0][0] != '\0' ? inputs->notes[0] : NULL);
        fputc('\n', out);
    } else {
        answer_write_histogram(out, &distances, text_columns(out));
    }
    answer_distances_close(&distances);
    return true;
}

/* Ask for what a report says beside the row of its search, which may be missing: no memory, or it
 * took too long. The asker is to be closed. */
static void ask_beside(struct asker *asker, const struct options *options,
                       const struct inputs *inputs, const struct search_row *row,
                       struct answer *answer)
{
    const struct question question = {row->pair.source, row->pair.target};
    struct command_error unused;
    *answer = (struct answer){.hops_back = PWGRAPH_NONE};
    if (asker_open(asker, inputs->asked, SEARCH_ENGINE_FOR_QUESTION, options->timeout_ns, NULL,
                   false, &unused) &&
        (inputs->avoided_count == 0 ||
         asker_avoid(asker, inputs->avoided, inputs->avoided_count, &unused)) &&
        asker_ask(asker, question, answer, &unused)) {
        asker_complete(asker, answer, &unused);
    }
    const struct search_result *result = &row->result;
    answer->question = question;
    answer->found = result->found;
    answer->hops = result->hops;
    answer->counts = (struct pwgraph_counts){
        .nodes = result->expanded, .edges = result->edges, .nanoseconds = result->elapsed_ns};
    answer->path = row->path;
    answer->nodes = row->nodes;
    answer->is_verified = options->answers.verify;
    answer->avoided = inputs->avoided;
    answer->avoided_count = inputs->avoided_count;
    take_notes(answer, inputs);
}

struct pwgraph_paths *answer_paths_of_row(const struct inputs *inputs, const struct search_row *row)
{
    struct pwgraph_search *search = pwgraph_search_create(inputs->asked, NULL, NULL);
    struct pwgraph_paths *paths = NULL;
    if (search != NULL &&
        pwgraph_search_avoid(search, inputs->avoided, inputs->avoided_count, NULL)) {
        paths = pwgraph_search_all_paths(search, row->pair.source, row->pair.target, NULL);
    }
    pwgraph_search_free(search);
    return paths;
}

char *answer_of_row(const struct options *options, const struct inputs *inputs,
                    const struct search_row *row, unsigned columns)
{
    const bool lists = options->answers.all_shortest;
    struct pwgraph_paths *paths = lists ? answer_paths_of_row(inputs, row) : NULL;
    struct answer answer;
    struct asker asker;
    char *text = NULL;
    size_t length = 0;
    FILE *out = text_stream_open(&text, &length);
    ask_beside(&asker, options, inputs, row, &answer);
    const bool done = out != NULL && (paths != NULL || !lists) &&
                      write_answer(out, options, inputs->asked, &answer, paths, columns);
    asker_close(&asker);
    pwgraph_paths_free(paths);
    if (out != NULL && (fclose(out) != 0 || !done)) {
        free(text);
        text = NULL;
    }
    return text;
}
