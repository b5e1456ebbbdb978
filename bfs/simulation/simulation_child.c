/*
 * simulation_child.c - hand loaded inputs to a child: raw arrays behind a small head. This is not a
 * file format, because writer and reader are the same program.
 */
#include "simulation_child.h"
#include "base/pw_assert.h"
#include "perf/counters/simulated_counters.h"
#include <stdlib.h>
#include <unistd.h>

enum part { OFFSETS, NEIGHBOURS, ORIGINAL_IDS, PAIRS, PART_COUNT };

struct head {
    uint32_t first_node, node_limit, folded_from;
    uint64_t edge_count, load_ns;
    size_t search_count, pair_count;
    size_t bytes[PART_COUNT]; /* of the arrays behind the head; 0: no array */
};

const char *simulation_child_folder(void)
{
    return simulated_counters_running() ? getenv(SIMULATION_VARIABLE) : NULL;
}

bool simulation_inputs_write(int descriptor, const struct inputs *inputs,
                             const struct simulation_child *child)
{
    const struct graph *graph = &inputs->graph;
    const bool is_renumbered = graph->original_ids != NULL;
    const void *const parts[PART_COUNT] = {graph->offsets, graph->neighbours, graph->original_ids,
                                           inputs->pairs.items};
    const struct head head = {
        .first_node = graph->first_node,
        .node_limit = graph->node_limit,
        .folded_from = child->folded_from,
        .edge_count = graph->edge_count,
        .load_ns = inputs->load_ns,
        .search_count = child->search_count,
        .pair_count = inputs->pairs.count,
        .bytes = {((size_t)graph->node_limit + 1) * sizeof(*graph->offsets),
                  (size_t)graph->edge_count * sizeof(*graph->neighbours),
                  is_renumbered ? graph->node_limit * sizeof(*graph->original_ids) : 0,
                  inputs->pairs.count * sizeof(*inputs->pairs.items)},
    };
    FILE *file = fdopen(dup(descriptor), "w");
    bool written = file != NULL && fwrite(&head, sizeof(head), 1, file) == 1;
    for (size_t i = 0; i < PART_COUNT && written; i++) {
        written = head.bytes[i] == 0 || fwrite(parts[i], head.bytes[i], 1, file) == 1;
    }
    return file != NULL && fclose(file) == 0 && written && lseek(descriptor, 0, SEEK_SET) == 0;
}

bool simulation_inputs_read(struct simulation_child *child, struct inputs *inputs,
                            struct graph_error *error)
{
    struct head head = {0};
    void *parts[PART_COUNT] = {NULL};
    FILE *file = fdopen(SIMULATION_DESCRIPTOR, "r");
    bool read = file != NULL && setvbuf(file, NULL, _IONBF, 0) == 0 &&
                fread(&head, sizeof(head), 1, file) == 1;
    for (size_t i = 0; i < PART_COUNT && read; i++) {
        if (head.bytes[i] > 0) {
            parts[i] = malloc(head.bytes[i]);
            read = parts[i] != NULL && fread(parts[i], head.bytes[i], 1, file) == 1;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    *inputs = (struct inputs){
        .graph = {.first_node = head.first_node,
                  .node_limit = head.node_limit,
                  .edge_count = head.edge_count,
                  .offsets = parts[OFFSETS],
                  .neighbours = parts[NEIGHBOURS],
                  .original_ids = parts[ORIGINAL_IDS]},
        .pairs = {.count = head.pair_count, .items = parts[PAIRS]},
        .load_ns = head.load_ns,
    };
    child->search_count = head.search_count;
    child->folded_from = head.folded_from;
    if (!read) {
        inputs_free(inputs);
        snprintf(error->message, sizeof(error->message),
                 "the inputs of the simulation are incomplete");
        return false;
    }
    pw_assert(inputs->graph.offsets[head.node_limit] == head.edge_count);
    return true;
}
