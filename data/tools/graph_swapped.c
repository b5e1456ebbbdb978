/*
 * graph_swapped.c - detects that PAIRS is a graph, because the two arguments were swapped.
 */
#include "base/macros.h"
#include "data/load/graph_load.h"
#include "data/load/load_aids.h"
#include "data/load/pairs_load.h"
#include "data/store/graph_snapshot.h"
#include "graph_input.h"
#include <string.h>
#include <strings.h>

#define SIZE_RATIO 2 /* a graph is so much larger than its pairs; their ids may fit either way */

bool graph_input_declares(const char *path)
{
    static const char *const starts[] = {"%%MatrixMarket", "p sp ",   "<?xml",   "<graphml",
                                         "*Vertices",      "graph [", "digraph", "*Network"};
    struct text_source source;
    struct graph_error error = {0};
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false; /* a pipe can be read only once */
    }
    bool is_snapshot = false;
    if (graph_snapshot_recognise(path, &is_snapshot, &error) && is_snapshot) {
        return true;
    }
    if (!text_source_open(&source, path, &load_decoder, false, &error)) {
        return false;
    }
    bool declares = false;
    for (size_t i = 0; i < COUNT_OF(starts); i++) {
        const size_t length = strlen(starts[i]);
        declares |=
            source.head_length >= length && strncasecmp(source.head, starts[i], length) == 0;
    }
    text_source_close(&source, &error);
    return declares;
}

bool graph_input_swapped(const char *graph_path, const char *pairs_path,
                         const struct graph_options *options)
{
    struct graph_options read = *options;
    struct graph_error error = {0};
    struct graph graph;
    struct pairs pairs;
    struct stat small, large;
    read.names_path = NULL;
    if (stat(graph_path, &small) != 0 || stat(pairs_path, &large) != 0 ||
        large.st_size / SIZE_RATIO < small.st_size || !S_ISREG(small.st_mode) ||
        !S_ISREG(large.st_mode) || !graph_load(pairs_path, &read, &graph, &error)) {
        return false;
    }
    const bool fits = pairs_load(graph_path, &graph, &pairs, &error);
    pairs_free(&pairs);
    graph_free(&graph);
    return fits;
}
