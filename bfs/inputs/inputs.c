/*
 * inputs.c - loads the files or specifications that GRAPH and PAIRS name.
 */
#include "inputs.h"
#include "alloc/specification.h"
#include "base/report/clock.h"
#include "bfs/options/operands.h"
#include "counters/resources.h"
#include "data/graph/graph_error.h"
#include "data/graph/graph_options.h"
#include "data/load/pairs_load.h"
#include "data/make/generate.h"
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

static void show_note(void *context, const char *text, enum graph_remedy remedy)
{
    (void)remedy;
    progress_note(context, "%s", text);
}

/* The options for nodes of the command line: what was forgiven is a note. */
static struct graph_options noted(const struct options *options, struct progress *progress)
{
    struct graph_options with_notes = options->input;
    with_notes.note = show_note;
    with_notes.context = progress;
    return with_notes;
}

/* The notes of a question are shown, and kept for its answer. */
struct question_notes {
    struct progress *progress;
    struct inputs *inputs;
};

static void keep_note(void *context, const char *text, enum graph_remedy remedy)
{
    static const char *const places[] = {"--from: ", "--to: "};
    const struct question_notes *notes = context;
    for (size_t i = 0; i < 2; i++) {
        const size_t length = strlen(places[i]);
        if (strncmp(text, places[i], length) == 0) {
            snprintf(notes->inputs->notes[i], INPUTS_NOTE_SIZE, "%s", text + length);
        }
    }
    show_note(notes->progress, text, remedy);
}

/* The one pair of --from and --to; without --to, the node and itself. */
static bool ask_pair(const struct options *options, struct progress *progress,
                     struct inputs *inputs, struct graph_error *error)
{
    const struct node_text from = {"--from", options->answers.from};
    const struct node_text to = {"--to", options->answers.to};
    struct question_notes notes = {progress, inputs};
    struct graph_options with_notes = options->input;
    with_notes.note = keep_note;
    with_notes.context = &notes;
    return pairs_load_question(&from, &to, &inputs->graph, &with_notes, &inputs->pairs, error);
}

/* The nodes of --without. */
static bool load_avoided(const struct options *options, struct progress *progress,
                         struct inputs *inputs, struct graph_error *error)
{
    const struct without_texts *without = &options->answers.without;
    const struct graph_options with_notes = noted(options, progress);
    return without->count == 0 ||
           pairs_load_nodes("--without", without->items, without->count, &inputs->graph,
                            &with_notes, &inputs->avoided, &inputs->avoided_count, error);
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
    if (options->pairs == NULL) {
        return true; /* --interactive */
    }
    if (!pairs_generate_is_spec(options->pairs)) {
        bool loaded = pairs_load_within(options->pairs, graph, &options->input, pairs, error);
        if (loaded && pairs->note[0] != '\0') {
            progress_note(progress, "%s", pairs->note);
        }
        return loaded;
    }
    return pairs_generate_parse(options->pairs, &generate_options, error) &&
           pairs_load_allows(generate_options.count, &options->input, options->pairs, error) &&
           pairs_generate(graph, &generate_options, pairs, error);
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
    if (!load_pairs(options, progress, inputs, error)) {
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
    pairs_free(&inputs->pairs);
    graph_free(&inputs->graph);
}
