/*
 * inputs.c - loads the files or specifications that GRAPH and PAIRS name.
 */
#include "inputs.h"
#include "alloc/specification.h"
#include "base/program/interrupt.h"
#include "base/report/clock.h"
#include "bfs/options/operands.h"
#include "bfs/pwgraph/pwgraph_hold.h"
#include "counters/resources.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_error.h"
#include "data/graph/graph_options.h"
#include "data/make/generate.h"
#include "data/read/load_memory.h"
#include "data/tools/graph_input.h"
#include <stdlib.h>
#include <string.h>

static bool load_graph(const struct options *options, unsigned threads, bool with_reverse,
                       struct progress *progress, struct graph *graph, struct graph_error *error)
{
    struct graph_options graph_options = options->input;
    graph_options.repeat_last_entry = options->as_published;
    graph_options.threads = options->input.threads ? options->input.threads : threads;
    graph_options.build_reverse = with_reverse;
    graph_options.search_order = options->order == ORDER_AUTO;
    if (!graph_input_load(options->graph, &graph_options, progress, graph, error)) {
        return false;
    }
    if (options->order == ORDER_AUTO && graph->original_ids == NULL) {
        progress_note(progress,
                      "--order=auto: %.200s keeps its order; with --cache, or as a "
                      "snapshot of graph-convert --order=bfs, it is renumbered once",
                      options->graph);
    }
    return true;
}

/* Nodes of the command line ------------------------------------------------------------------- */

/* Look for the node that a text names; Ctrl-C ends it. False with error set: it could not be looked
 * for. */
static bool look(const char *place, const char *text, struct progress *progress,
                 const struct inputs *inputs, struct pwgraph_match *match,
                 struct graph_error *error)
{
    progress_show(progress, true, "looking for \"%.100s\" among the names", text);
    pwgraph_resolve(inputs->asked, text, interrupt_flag(), match);
    return match->code == PWGRAPH_OK || (!graph_is_damaged(&inputs->graph, error) &&
                                         graph_fail(error, place, "%s", match->text));
}

/* Take the node that was found; another spelling of its name is noted. note: room for it; NULL: it
 * is only said. False with error set if none was found. */
static bool take(const char *place, const struct pwgraph_match *match, struct progress *progress,
                 uint32_t *node, char *note, struct graph_error *error)
{
    if (match->fit == PWGRAPH_UNKNOWN) {
        return graph_fail(error, place, "%s", match->text);
    }
    if (match->fit == PWGRAPH_FORGIVEN) {
        progress_note(progress, "%s: %s", place, match->text);
        if (note != NULL) {
            memcpy(note, match->text, sizeof(match->text));
        }
    }
    *node = match->node;
    return true;
}

/* The one pair of --from and --to; without --to, the node and itself. */
static bool ask_pair(const struct options *options, struct progress *progress,
                     struct inputs *inputs, struct graph_error *error)
{
    struct pair *pair = malloc(sizeof(*pair));
    if (pair == NULL) {
        return graph_fail(error, "--from", "out of memory");
    }
    *pair = (struct pair){.source = 0};
    inputs->pairs = (struct pairs){.count = 1, .items = pair};
    struct pwgraph_match match;
    if (!look("--from", options->answers.from, progress, inputs, &match, error) ||
        !take("--from", &match, progress, &pair->source, inputs->notes[0], error)) {
        return false;
    }
    pair->target = pair->source;
    return options->answers.to == NULL ||
           (look("--to", options->answers.to, progress, inputs, &match, error) &&
            take("--to", &match, progress, &pair->target, inputs->notes[1], error));
}

/* Append the nodes of a text: one, if all of it is a name, else those between the commas. The text
 * is changed. */
static bool add_avoided(char *text, struct progress *progress, struct inputs *inputs,
                        struct graph_error *error)
{
    static const char place[] = "--without";
    struct pwgraph_match match;
    if (!look(place, text, progress, inputs, &match, error)) {
        return false;
    }
    const bool is_one = match.fit != PWGRAPH_UNKNOWN || strchr(text, ',') == NULL;
    for (char *next = text; next != NULL;) {
        const char *name = is_one ? next : strsep(&next, ",");
        next = is_one ? NULL : next;
        if (name[0] == '\0') {
            error->remedy = GRAPH_REMEDY_LIST;
            return graph_fail(error, place,
                              "expected nodes with commas between them, found no node");
        }
        if ((!is_one && !look(place, name, progress, inputs, &match, error)) ||
            !take(place, &match, progress, inputs->avoided + inputs->avoided_count, NULL, error)) {
            return false;
        }
        inputs->avoided_count++;
    }
    return true;
}

/* The nodes of --without. */
static bool load_avoided(const struct options *options, struct progress *progress,
                         struct inputs *inputs, struct graph_error *error)
{
    const struct without_texts *without = &options->answers.without;
    size_t bytes = 0;
    for (size_t i = 0; i < without->count; i++) {
        bytes += strlen(without->items[i]) + 1; /* at least as many as there are nodes */
    }
    bool found = true;
    inputs->avoided = without->count > 0 ? malloc(bytes * sizeof(*inputs->avoided)) : NULL;
    for (size_t i = 0; i < without->count && found; i++) {
        char *text = inputs->avoided != NULL ? strdup(without->items[i]) : NULL;
        found = text != NULL ? add_avoided(text, progress, inputs, error)
                             : graph_fail(error, "--without", "out of memory for the nodes' names");
        free(text);
    }
    return found;
}

/* Hold the graph for questions, which --without asks, too. */
static bool hold(const struct options *options, unsigned threads, struct inputs *inputs,
                 struct graph_error *error)
{
    struct pwgraph_error why;
    const struct pwgraph_options limits = {
        .threads = options->input.threads ? options->input.threads : threads,
        .memory_limit = graph_memory_limit(&options->input)};
    if (answer_options_ask(&options->answers) || options->answers.without.count > 0) {
        inputs->asked = pwgraph_hold(&inputs->graph, &limits, &why);
        return inputs->asked != NULL || graph_fail(error, options->graph, "%s", why.text);
    }
    return true;
}

static bool load_pairs(const struct options *options, struct progress *progress,
                       struct inputs *inputs, struct graph_error *error)
{
    const struct graph *graph = &inputs->graph;
    struct pairs *pairs = &inputs->pairs;
    struct pairs_generate_options generate_options;
    if (options->answers.from != NULL) {
        return ask_pair(options, progress, inputs, error);
    }
    if (options->report.answers_at_once) {
        struct graph_options until_cancelled = options->input;
        until_cancelled.cancel = interrupt_flag();
        inputs->stream = pairs_stream_open(options->pairs, graph, &until_cancelled, pairs, error);
        if (inputs->stream != NULL && pairs->read_as[0] != '\0') {
            progress_note(progress, "%s", pairs->read_as);
        }
        return inputs->stream != NULL;
    }
    if (!pairs_generate_is_spec(options->pairs)) {
        bool loaded = pairs_load_within(options->pairs, graph, &options->input, pairs, error);
        if (loaded && pairs->read_as[0] != '\0') {
            progress_note(progress, "%s", pairs->read_as);
        }
        if (loaded && pairs->note[0] != '\0') {
            progress_note(progress, "%s", pairs->note);
        }
        return loaded;
    }
    return pairs_generate_parse(options->pairs, &generate_options, error) &&
           pairs_load_allows(generate_options.count, &options->input, options->pairs, error) &&
           pairs_generate(graph, &generate_options, pairs, error);
}

bool inputs_next_pair(struct inputs *inputs, struct progress *progress, struct graph_error *error)
{
    const bool has_one = pairs_stream_next(inputs->stream, error);
    if (has_one && inputs->pairs.note[0] != '\0') {
        progress_note(progress, "%s", inputs->pairs.note);
    }
    return has_one;
}

unsigned inputs_threads(const char *allocator)
{
    return node_specification_has(allocator, NODE_ALLOCATOR_ASKS_RARELY) ? 0 : 1;
}

bool inputs_load(const struct options *options, unsigned threads, bool with_reverse,
                 struct progress *progress, struct inputs *inputs, struct graph_error *error)
{
    uint64_t start_ns = clock_now_ns(), start_faults = resources_minor_faults();
    *inputs = (struct inputs){0};
    *error = (struct graph_error){0};
    if (!load_graph(options, threads, with_reverse, progress, &inputs->graph, error)) {
        return false;
    }
    if (!hold(options, threads, inputs, error) || !load_pairs(options, progress, inputs, error)) {
        inputs_free(inputs);
        operands_explain(options, error);
        return false;
    }
    if (!load_avoided(options, progress, inputs, error)) {
        inputs_free(inputs);
        return false;
    }
    inputs->load_ns = clock_now_ns() - start_ns;
    inputs->load_faults = resources_minor_faults() - start_faults;
    inputs->load_peak_bytes = resources_peak_rss_bytes();
    return true;
}

void inputs_free(struct inputs *inputs)
{
    free(inputs->avoided);
    inputs->avoided = NULL;
    pairs_stream_close(inputs->stream);
    inputs->stream = NULL;
    pairs_free(&inputs->pairs);
    pwgraph_free(inputs->asked);
    inputs->asked = NULL;
    graph_free(&inputs->graph);
}
