/*
 * operands.c - see operands.h.
 */
#include "operands.h"
#include "alloc/specification.h"
#include "base/macros.h"
#include "base/program/file_claims.h"
#include "data/graph/graph_error.h"
#include "data/make/generate.h"
#include "data/tools/graph_input.h"
#include <stdio.h>
#include <stdlib.h>

static bool fail_swapped(const char *pairs, struct command_error *error)
{
    return command_fail(error, "%.200s: PAIRS is a graph; GRAPH comes first", pairs);
}

void operands_explain(const struct options *options, struct graph_error *error)
{
    struct command_error swapped;
    if (options->pairs == NULL || pairs_generate_is_spec(options->pairs) ||
        graph_generate_is_spec(options->graph) ||
        !graph_input_swapped(options->graph, options->pairs, &options->input)) {
        return;
    }
    fail_swapped(options->pairs, &swapped);
    *error = (struct graph_error){.remedy = GRAPH_REMEDY_SWAP};
    snprintf(error->message, sizeof(error->message), "%.500s", swapped.message);
}

bool operands_check(const struct options *options, struct command_error *error)
{
    struct graph_error why = {0};
    struct graph_generate_options graph_options;
    struct pairs_generate_options pairs_options;
    bool is_generated = graph_generate_is_spec(options->graph);
    if (options->pairs != NULL &&
        (graph_generate_is_spec(options->pairs) || pairs_generate_is_spec(options->graph) ||
         graph_input_declares(options->pairs))) {
        return fail_swapped(options->pairs, error);
    }
    if ((is_generated && !graph_generate_parse(options->graph, &graph_options, &why)) ||
        (options->pairs != NULL && pairs_generate_is_spec(options->pairs) &&
         !pairs_generate_parse(options->pairs, &pairs_options, &why))) {
        return command_fail(error, "%s", why.message);
    }
    if (is_generated && options->as_published) {
        return command_fail(error,
                            "--as-published repeats the last entry of a file, and %.100s "
                            "is not a file",
                            options->graph);
    }
    return graph_input_applies(&options->input, options->graph, error);
}

bool operands_spare(const struct options *options, struct command_error *error)
{
    const char *const inputs[] = {options->graph, options->pairs, options->input.names_path};
    const char *environment = getenv("LINKED_LIST_ALLOC");
    const char *allocators = options->allocator != NULL ? options->allocator : environment;
    struct file_claims claims = {.count = 0};
    char path[512];
    bool is_written;
    for (size_t i = 0; i < COUNT_OF(inputs); i++) {
        file_claims_add(&claims, inputs[i], false);
    }
    bool legal = file_claims_have(&claims, options->report.output, true, error);
    for (size_t i = 0; legal && allocators != NULL &&
                       node_specification_file(allocators, i, path, sizeof(path), &is_written);
         i++) {
        legal = file_claims_have(&claims, path, is_written, error);
    }
    return legal;
}
