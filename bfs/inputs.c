/*
 * inputs.c - files, or what else GRAPH and PAIRS may name.
 */
#include "inputs.h"
#include "clock.h"
#include "generate.h"

static bool load_graph(const struct options *options, struct graph *graph,
                       struct graph_error *error)
{
    struct graph_options graph_options = {.repeat_last_entry = options->as_published};
    struct graph_generate_options generate_options;
    if (!graph_generate_is_spec(options->graph)) {
        return graph_load(options->graph, &graph_options, graph, error);
    }
    return graph_generate_parse(options->graph, &generate_options, error) &&
           graph_generate(&generate_options, graph, error);
}

static bool load_pairs(const struct options *options, const struct graph *graph,
                       struct pairs *pairs, struct graph_error *error)
{
    struct pairs_generate_options generate_options;
    if (!pairs_generate_is_spec(options->pairs)) {
        return pairs_load(options->pairs, graph, pairs, error);
    }
    return pairs_generate_parse(options->pairs, &generate_options, error) &&
           pairs_generate(graph, &generate_options, pairs, error);
}

bool inputs_check(const struct options *options, struct command_error *error)
{
    struct graph_error why = {""};
    struct graph_generate_options graph_options;
    struct pairs_generate_options pairs_options;
    bool is_generated = graph_generate_is_spec(options->graph);
    if ((is_generated && !graph_generate_parse(options->graph, &graph_options, &why)) ||
        (pairs_generate_is_spec(options->pairs) &&
         !pairs_generate_parse(options->pairs, &pairs_options, &why))) {
        return command_fail(error, "%s", why.message);
    }
    if (is_generated && options->as_published) {
        return command_fail(error,
                            "--as-published repeats the last entry of a file, and %.100s "
                            "is none",
                            options->graph);
    }
    return true;
}

bool inputs_load(const struct options *options, struct inputs *inputs, struct graph_error *error)
{
    uint64_t start_ns = clock_now_ns();
    *inputs = (struct inputs){0};
    *error = (struct graph_error){0};
    if (!load_graph(options, &inputs->graph, error) ||
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
