/*
 * simulation_child.c - hand loaded inputs to a child: raw arrays behind a small head. Not a file
 * format: writer and reader are the same program.
 */
#include "simulation_child.h"
#include "perf/counters/simulated_counters.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct head {
    uint32_t first_node, node_limit, folded_from;
    uint64_t edge_count, pair_count, load_ns;
    uint64_t original_count; /* node_limit when the nodes have been renumbered, else 0 */
};

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

static bool write_all(int descriptor, const void *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size < 1u << 30 ? size : 1u << 30);
        if (written <= 0) {
            if (written < 0 && errno == EINTR) {
                continue;
            }
            return false;
        }
        bytes = (const char *)bytes + written;
        size -= (size_t)written;
    }
    return true;
}

static bool read_all(int descriptor, void *bytes, size_t size)
{
    while (size > 0) {
        ssize_t got = read(descriptor, bytes, size < 1u << 30 ? size : 1u << 30);
        if (got <= 0) {
            if (got < 0 && errno == EINTR) {
                continue;
            }
            return false;
        }
        bytes = (char *)bytes + got;
        size -= (size_t)got;
    }
    return true;
}

bool simulation_inputs_write(int descriptor, const struct inputs *inputs, uint32_t folded_from)
{
    const struct graph *graph = &inputs->graph;
    const struct head head = {
        .first_node = graph->first_node,
        .node_limit = graph->node_limit,
        .folded_from = folded_from,
        .edge_count = graph->edge_count,
        .pair_count = inputs->pairs.count,
        .load_ns = inputs->load_ns,
        .original_count = graph->original_ids != NULL ? graph->node_limit : 0,
    };
    return write_all(descriptor, &head, sizeof(head)) &&
           write_all(descriptor, graph->offsets,
                     ((size_t)graph->node_limit + 1) * sizeof(*graph->offsets)) &&
           write_all(descriptor, graph->neighbours,
                     (size_t)graph->edge_count * sizeof(*graph->neighbours)) &&
           write_all(descriptor, graph->original_ids,
                     (size_t)head.original_count * sizeof(*graph->original_ids)) &&
           write_all(descriptor, inputs->pairs.items,
                     inputs->pairs.count * sizeof(*inputs->pairs.items)) &&
           lseek(descriptor, 0, SEEK_SET) == 0;
}

bool simulation_inputs_read(struct simulation_child *child, struct inputs *inputs,
                            struct graph_error *error)
{
    struct head head;
    struct graph *graph = &inputs->graph;
    memset(inputs, 0, sizeof(*inputs));
    if (read_all(child->inputs, &head, sizeof(head))) {
        size_t offset_bytes = ((size_t)head.node_limit + 1) * sizeof(*graph->offsets);
        size_t edge_bytes = (size_t)head.edge_count * sizeof(*graph->neighbours);
        size_t original_bytes = (size_t)head.original_count * sizeof(*graph->original_ids);
        size_t pair_bytes = (size_t)head.pair_count * sizeof(*inputs->pairs.items);
        graph->first_node = head.first_node;
        graph->node_limit = head.node_limit;
        graph->edge_count = head.edge_count;
        graph->offsets = malloc(offset_bytes);
        graph->neighbours = malloc(edge_bytes > 0 ? edge_bytes : 1);
        inputs->pairs.count = (size_t)head.pair_count;
        inputs->pairs.items = malloc(pair_bytes > 0 ? pair_bytes : 1);
        graph->original_ids = original_bytes > 0 ? malloc(original_bytes) : NULL;
        inputs->load_ns = head.load_ns;
        child->folded_from = head.folded_from;
        bool originals = original_bytes == 0 || graph->original_ids != NULL;
        if (originals && graph->offsets != NULL && graph->neighbours != NULL &&
            inputs->pairs.items != NULL && read_all(child->inputs, graph->offsets, offset_bytes) &&
            read_all(child->inputs, graph->neighbours, edge_bytes) &&
            read_all(child->inputs, graph->original_ids, original_bytes) &&
            read_all(child->inputs, inputs->pairs.items, pair_bytes)) {
            close(child->inputs);
            return true;
        }
    }
    inputs_free(inputs);
    snprintf(error->message, sizeof(error->message), "the inputs of the simulation are incomplete");
    return false;
}
