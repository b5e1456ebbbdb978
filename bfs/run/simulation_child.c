/*
 * simulation_child.c - hand loaded inputs to a child: raw arrays behind a small head. Not a file
 * format: writer and reader are the same program.
 */
#include "simulation_child.h"
#include "base/pw_assert.h"
#include "perf/counters/simulated_counters.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct head {
    uint32_t first_node, node_limit, folded_from;
    bool is_renumbered; /* the ids of the graph's file follow */
    uint64_t edge_count, pair_count, load_ns;
};

/* The bytes of the arrays behind a head, in their order. */
struct sizes {
    size_t offsets, neighbours, original_ids, pairs;
};

static struct sizes sizes_of(const struct head *head)
{
    return (struct sizes){
        .offsets = ((size_t)head->node_limit + 1) * sizeof(uint64_t),
        .neighbours = (size_t)head->edge_count * sizeof(uint32_t),
        .original_ids = head->is_renumbered ? head->node_limit * sizeof(uint32_t) : 0,
        .pairs = (size_t)head->pair_count * sizeof(struct pair),
    };
}

bool simulation_child_read(struct simulation_child *child)
{
    const char *text = getenv(SIMULATION_VARIABLE);
    char *end;
    memset(child, 0, sizeof(*child));
    if (text == NULL || !simulated_counters_running()) {
        return false;
    }
    child->inputs = (int)strtol(text, &end, 10);
    if (*end != ':') {
        return false;
    }
    child->search_count = strtoull(end + 1, &end, 10);
    child->folder = end + 1;
    return *end == ':';
}

static bool write_bytes(FILE *file, const void *bytes, size_t size)
{
    return size == 0 || fwrite(bytes, size, 1, file) == 1;
}

bool simulation_inputs_write(int descriptor, const struct inputs *inputs, uint32_t folded_from)
{
    const struct graph *graph = &inputs->graph;
    const struct head head = {
        .first_node = graph->first_node,
        .node_limit = graph->node_limit,
        .folded_from = folded_from,
        .is_renumbered = graph->original_ids != NULL,
        .edge_count = graph->edge_count,
        .pair_count = inputs->pairs.count,
        .load_ns = inputs->load_ns,
    };
    const struct sizes sizes = sizes_of(&head);
    FILE *file = fdopen(dup(descriptor), "w");
    if (file == NULL) {
        return false;
    }
    bool written = write_bytes(file, &head, sizeof(head)) &&
                   write_bytes(file, graph->offsets, sizes.offsets) &&
                   write_bytes(file, graph->neighbours, sizes.neighbours) &&
                   write_bytes(file, graph->original_ids, sizes.original_ids) &&
                   write_bytes(file, inputs->pairs.items, sizes.pairs);
    return fclose(file) == 0 && written && lseek(descriptor, 0, SEEK_SET) == 0;
}

/* An array of so many bytes, one at least; NULL when it is not there. */
static void *read_bytes(FILE *file, size_t size)
{
    void *bytes = malloc(size > 0 ? size : 1);
    if (bytes != NULL && size > 0 && fread(bytes, size, 1, file) != 1) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

bool simulation_inputs_read(struct simulation_child *child, struct inputs *inputs,
                            struct graph_error *error)
{
    struct head head;
    struct graph *graph = &inputs->graph;
    FILE *file = fdopen(child->inputs, "r");
    memset(inputs, 0, sizeof(*inputs));
    if (file != NULL && setvbuf(file, NULL, _IONBF, 0) == 0 &&
        fread(&head, sizeof(head), 1, file) == 1) {
        const struct sizes sizes = sizes_of(&head);
        graph->first_node = head.first_node;
        graph->node_limit = head.node_limit;
        graph->edge_count = head.edge_count;
        graph->offsets = read_bytes(file, sizes.offsets);
        graph->neighbours = read_bytes(file, sizes.neighbours);
        graph->original_ids = head.is_renumbered ? read_bytes(file, sizes.original_ids) : NULL;
        inputs->pairs.items = read_bytes(file, sizes.pairs);
        inputs->pairs.count = inputs->pairs.items != NULL ? (size_t)head.pair_count : 0;
        inputs->load_ns = head.load_ns;
        child->folded_from = head.folded_from;
        if (graph->offsets != NULL && graph->neighbours != NULL && inputs->pairs.items != NULL &&
            (!head.is_renumbered || graph->original_ids != NULL)) {
            fclose(file);
            pw_assert(graph->offsets[graph->node_limit] == graph->edge_count);
            return true;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    inputs_free(inputs);
    snprintf(error->message, sizeof(error->message), "the inputs of the simulation are incomplete");
    return false;
}
