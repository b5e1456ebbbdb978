/*
 * fuzz_pairs.c - a file of pairs for a graph of ids, a renumbered one and one of names.
 *
 * The last byte of an input, exclusive-or a newline, chooses the graph.
 */
#include "data/load/graph_load.h"
#include "data/load/pairs_load.h"
#include "fuzz.h"
#include <string.h>

static struct fuzz_file file;
static struct graph graphs[4];

static void make_graph(struct graph *graph, const char *text, bool compact)
{
    struct graph_options options = {.threads = 1, .compact = compact};
    struct graph_error error = {0};
    fuzz_file_fill(&file, text, strlen(text));
    fuzz_require_for(graph_load(file.path, &options, graph, &error), error.message);
}

void fuzz_setup(void)
{
    fuzz_file_create(&file);
    make_graph(&graphs[0], "1 2\n2 3\n3 9\n", false);
    make_graph(&graphs[1], "0 100000\n7 12\n", true);
    make_graph(&graphs[2], "Shoe\tLeather\nLeather\tCow\nCow\t17\n%C3%89ire\tA, b\n", false);
    make_graph(&graphs[3], "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", false);
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input text = {bytes, bytes + length};
    const struct graph *graph = &graphs[(fuzz_take_last(&text) ^ (length > 0 ? '\n' : 0u)) % 4];
    struct graph_error error;
    struct pairs pairs;
    fuzz_file_fill(&file, text.next, fuzz_left(&text));
    if (pairs_load(file.path, graph, &pairs, &error)) {
        fuzz_require(pairs.count > 0 && pairs.count <= fuzz_left(&text));
        for (size_t i = 0; i < pairs.count; i++) {
            fuzz_require(graph_has_node(graph, pairs.items[i].source));
            fuzz_require(graph_has_node(graph, pairs.items[i].target));
        }
    } else {
        fuzz_require_line(error.message);
        fuzz_require(pairs.items == NULL);
    }
    pairs_free(&pairs);
}
