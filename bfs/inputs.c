/*
 * inputs.c - files, or what else GRAPH and PAIRS may name.
 */
#include "inputs.h"
#include "clock.h"

static bool load_graph(const struct options *options, struct graph *graph,
                       struct graph_error *error)
{
    struct graph_options graph_options = {.repeat_last_entry = options->as_published};
    return graph_load(options->graph, &graph_options, graph, error);
}

static bool load_pairs(const struct options *options, const struct graph *graph,
                       struct pairs *pairs, struct graph_error *error)
{
    return pairs_load(options->pairs, graph, pairs, error);
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
