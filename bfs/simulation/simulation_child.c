/*
 * simulation_child.c - hands loaded inputs to a child: the graph as a snapshot, and the pairs after
 * a small head. That is no file format, because the same program writes and reads it.
 */
#include "simulation_child.h"
#include "counters/simulated_counters.h"
#include "data/store/graph_snapshot.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 256

struct head {
    uint32_t folded_from;
    uint64_t load_ns;
    size_t pair_count;
};

const char *simulation_child_folder(void)
{
    return simulated_counters_running() ? getenv(SIMULATION_VARIABLE) : NULL;
}

static const char *path_in(const char *folder, const char *name, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    return path;
}

bool simulation_inputs_write(const char *folder, const struct inputs *inputs, uint32_t folded_from,
                             struct graph_error *error)
{
    char path[PATH_BYTES];
    const struct pairs *pairs = &inputs->pairs;
    const struct head head = {folded_from, inputs->load_ns, pairs->count};
    if (!graph_snapshot_save(&inputs->graph, path_in(folder, "graph", path), NULL, 0, NULL,
                             error)) {
        return false;
    }
    FILE *file = fopen(path_in(folder, "pairs", path), "w");
    bool written = file != NULL && fwrite(&head, sizeof(head), 1, file) == 1 &&
                   fwrite(pairs->items, sizeof(*pairs->items), pairs->count, file) == pairs->count;
    return (file != NULL && fclose(file) == 0 && written) ||
           graph_fail(error, path, "%s", strerror(errno));
}

bool simulation_inputs_read(const char *folder, struct inputs *inputs, uint32_t *folded_from,
                            struct graph_error *error)
{
    const struct graph_options options = {0};
    char path[PATH_BYTES];
    struct graph_source source;
    struct head head = {0};
    unsigned flags;
    memset(inputs, 0, sizeof(*inputs));
    if (graph_snapshot_open(path_in(folder, "graph", path), &options, &inputs->graph, &source,
                            &flags, error) != SNAPSHOT_GOOD) {
        return false;
    }
    FILE *file = fopen(path_in(folder, "pairs", path), "r");
    bool read = file != NULL && fread(&head, sizeof(head), 1, file) == 1;
    struct pair *items = read ? calloc(head.pair_count, sizeof(*items)) : NULL;
    read = items != NULL && fread(items, sizeof(*items), head.pair_count, file) == head.pair_count;
    inputs->pairs = (struct pairs){.items = items, .count = head.pair_count};
    inputs->load_ns = head.load_ns;
    *folded_from = head.folded_from;
    if (file != NULL) {
        fclose(file);
    }
    if (!read) {
        inputs_free(inputs);
        return graph_fail(error, path, "%s", strerror(errno));
    }
    return true;
}
