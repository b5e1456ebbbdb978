/*
 * inputs.c - the files or specifications that GRAPH and PAIRS name.
 */
#include "inputs.h"
#include "alloc/specification.h"
#include "data/graph/graph_error.h"
#include "data/graph/node_index.h"
#include "data/make/generate.h"
#include "data/tools/graph_input.h"
#include "perf/report/clock.h"
#include <stdlib.h>
#include <string.h>

static bool load_graph(const struct options *options, unsigned threads, bool with_reverse,
                       struct progress *progress, struct graph *graph, struct graph_error *error)
{
    struct graph_options graph_options = options->input;
    graph_options.repeat_last_entry = options->as_published;
    graph_options.threads = options->input.threads ? options->input.threads : threads;
    graph_options.build_reverse = with_reverse;
    struct graph_generate_options generate_options;
    if (!graph_generate_is_spec(options->graph)) {
        return graph_input_load(options->graph, &graph_options, progress, graph, error);
    }
    if (!graph_generate_parse(options->graph, &generate_options, error)) {
        return false;
    }
    generate_options.threads = threads;
    if (!graph_generate(&generate_options, graph, error)) {
        return false;
    }
    return !with_reverse || graph_add_reverse(graph, threads, error) ||
           graph_fail_at(error, options->graph);
}

/* The node that an option names. */
static bool find_node(const struct node_index *index, const char *option, const char *text,
                      uint32_t *node, struct graph_error *error)
{
    if (!node_index_find(index, text, strlen(text), node)) {
        snprintf(error->message, sizeof(error->message),
                 "%s: no node of the graph is called \"%.200s\"", option, text);
        return false;
    }
    return true;
}

/* The one pair that --from and --to ask for; without --to, the node and itself. */
static bool ask_pair(const struct answer_options *answers, const struct graph *graph,
                     struct pairs *pairs, struct graph_error *error)
{
    struct node_index index;
    struct pair *pair = malloc(sizeof(*pair));
    if (pair == NULL || !node_index_init(&index, graph)) {
        free(pair);
        snprintf(error->message, sizeof(error->message), "out of memory for the nodes' names");
        return false;
    }
    bool found = find_node(&index, "--from", answers->from, &pair->source, error);
    pair->target = pair->source;
    if (answers->to != NULL) {
        found = found && find_node(&index, "--to", answers->to, &pair->target, error);
    }
    node_index_free(&index);
    if (!found) {
        free(pair);
        return false;
    }
    *pairs = (struct pairs){.count = 1, .items = pair};
    return true;
}

static bool load_pairs(const struct options *options, const struct graph *graph,
                       struct pairs *pairs, struct graph_error *error)
{
    struct pairs_generate_options generate_options;
    if (options->answers.from != NULL) {
        return ask_pair(&options->answers, graph, pairs, error);
    }
    if (options->pairs == NULL) {
        return true; /* --interactive */
    }
    if (!pairs_generate_is_spec(options->pairs)) {
        return pairs_load(options->pairs, graph, pairs, error);
    }
    return pairs_generate_parse(options->pairs, &generate_options, error) &&
           pairs_generate(graph, &generate_options, pairs, error);
}

bool inputs_check(const struct options *options, struct command_error *error)
{
    struct graph_error why = {0};
    struct graph_generate_options graph_options;
    struct pairs_generate_options pairs_options;
    bool is_generated = graph_generate_is_spec(options->graph);
    if ((is_generated && !graph_generate_parse(options->graph, &graph_options, &why)) ||
        (options->pairs != NULL && pairs_generate_is_spec(options->pairs) &&
         !pairs_generate_parse(options->pairs, &pairs_options, &why))) {
        return command_fail(error, "%s", why.message);
    }
    if (is_generated && options->as_published) {
        return command_fail(error,
                            "--as-published repeats the last entry of a file, and %.100s "
                            "is none",
                            options->graph);
    }
    if (is_generated &&
        (options->input.format || options->input.names_path || options->input.compact ||
         options->input.reverse || options->input.undirected || options->input.cache)) {
        return command_fail(error, "%.100s is no file: the options for reading one do not apply",
                            options->graph);
    }
    return true;
}

unsigned inputs_threads(const char *allocator)
{
    return node_specification_has(allocator, NODE_ALLOCATOR_ASKS_RARELY) ? 0 : 1;
}

bool inputs_load(const struct options *options, unsigned threads, bool with_reverse,
                 struct progress *progress, struct inputs *inputs, struct graph_error *error)
{
    uint64_t start_ns = clock_now_ns();
    *inputs = (struct inputs){0};
    *error = (struct graph_error){0};
    if (!load_graph(options, threads, with_reverse, progress, &inputs->graph, error) ||
        !load_pairs(options, &inputs->graph, &inputs->pairs, error)) {
        inputs_free(inputs);
        return false;
    }
    inputs->load_ns = clock_now_ns() - start_ns;
    return true;
}

void inputs_free(struct inputs *inputs)
{
    pairs_free(&inputs->pairs);
    graph_free(&inputs->graph);
}
