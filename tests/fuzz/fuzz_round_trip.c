/*
 * fuzz_round_trip.c - a graph that is written in each format and read again is the same graph.
 *
 * The last byte of an input holds the options, as in fuzz_graph_text.c; before it is a graph.
 */
#include "base/macros.h"
#include "data/formats/graph_write.h"
#include "data/graph/graph_names.h"
#include "data/load/graph_load.h"
#include "data/names/node_index.h"
#include "fuzz.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The room of a pipe, enough for any format. */
#define EDGES_MAX  2000
#define NODES_MAX  2000
#define PIPE_BYTES (1 << 20)

static struct fuzz_file file;

void fuzz_setup(void)
{
    fuzz_file_create(&file);
}

/* True if the names survive any format: no two are the same, and each is plain text. */
static bool has_plain_names(const struct graph *graph)
{
    const struct graph_names *names = graph->names;
    for (uint32_t i = 0; names != NULL && i < names->count; i++) {
        const char *name = names->text + names->begins[i];
        bool is_word = name[0] > ' ' && name[0] != '#' && name[0] != '%';
        for (; *name != '\0'; name++) {
            is_word = is_word && *name >= ' ' && *name < 0x7f && strchr("\"%&\\", *name) == NULL;
        }
        if (!is_word || name[-1] == ' ') {
            return false;
        }
    }
    return true;
}

/* Check that node u of the graph is node u + shift of the graph read again, names included. */
static void require_same_lists(const struct graph *graph, const struct graph *again, uint32_t shift,
                               bool named)
{
    char label[GRAPH_LABEL_SIZE], label_again[GRAPH_LABEL_SIZE];
    fuzz_require(again->edge_count == graph->edge_count);
    for (uint32_t u = graph->first_node; u < graph->node_limit; u++) {
        uint64_t degree = graph_out_degree(graph, u);
        if (u + shift >= again->node_limit) { /* an edge list cannot show its last nodes */
            fuzz_require(degree == 0);
            continue;
        }
        fuzz_require(graph_out_degree(again, u + shift) == degree);
        for (uint64_t i = 0; i < degree; i++) {
            fuzz_require(again->neighbours[again->offsets[u + shift] + i] ==
                         graph->neighbours[graph->offsets[u] + i] + shift);
        }
        fuzz_require(!named || strcmp(graph_label(graph, u, label),
                                      graph_label(again, u + shift, label_again)) == 0);
    }
}

/* In an edge list of names the nodes are numbered as they occur; the edges are the same by name. */
static void require_same_by_name(const struct graph *graph, struct graph *again)
{
    struct node_index index;
    char label[GRAPH_LABEL_SIZE], label_again[GRAPH_LABEL_SIZE];
    uint32_t v;
    fuzz_require(again->edge_count == graph->edge_count && node_index_init(&index, again));
    for (uint32_t u = graph->first_node; u < graph->node_limit; u++) {
        const char *name = graph_label(graph, u, label);
        uint64_t degree = graph_out_degree(graph, u);
        if (degree > 0) {
            fuzz_require(node_index_find(&index, name, strlen(name), &v));
            fuzz_require(graph_out_degree(again, v) == degree);
        }
        for (uint64_t i = 0; i < degree; i++) {
            uint32_t target = graph->neighbours[graph->offsets[u] + i];
            uint32_t target_again = again->neighbours[again->offsets[v] + i];
            fuzz_require(strcmp(graph_label(graph, target, label),
                                graph_label(again, target_again, label_again)) == 0);
        }
    }
    node_index_free(&index);
}

static void note(void *context, const char *text)
{
    (void)context;
    fuzz_require_line(text);
}

static const struct format {
    enum graph_output output;
    const char *name;
    bool by_target, keeps_names, from_one;
} formats[] = {
    {GRAPH_OUTPUT_EDGES, "edges", false, false, false},
    {GRAPH_OUTPUT_EDGES, "edges", true, false, false},
    {GRAPH_OUTPUT_MATRIX_MARKET, "matrix-market", false, false, true},
    {GRAPH_OUTPUT_MATRIX_MARKET, "matrix-market", true, false, true},
    {GRAPH_OUTPUT_NAMES, "names", false, true, false},
    {GRAPH_OUTPUT_GRAPHML, "graphml", false, true, false},
    {GRAPH_OUTPUT_CSV, "names", false, true, false},
};

static void compare(const struct graph *graph, struct graph *again, const struct format *format)
{
    if (format->output == GRAPH_OUTPUT_NAMES || format->output == GRAPH_OUTPUT_CSV) {
        require_same_by_name(graph, again);
        return;
    }
    bool edges = format->output == GRAPH_OUTPUT_EDGES;
    fuzz_require(edges || graph_node_count(graph) == graph_node_count(again));
    fuzz_require(!format->from_one || again->first_node == 1);
    uint32_t shift = edges ? 0 : again->first_node - graph->first_node;
    require_same_lists(graph, again, shift, format->keeps_names && graph->names != NULL);
}

static void write_and_read(const struct graph *graph, const struct format *format)
{
    struct graph_write_options options = {.format = format->output,
                                          .by_target = format->by_target,
                                          .comment = "made\tby -- a \"fuzzer\" -->",
                                          .note = note};
    struct graph_options reading = {
        .threads = 1, .memory_limit = (uint64_t)8 << 20, .format = format->name};
    struct graph_error error = {0};
    struct graph again = {0};
    char path[40];
    int ends[2];
    fuzz_require(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES) >= PIPE_BYTES);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[1]);
    bool written = graph_write(graph, &options, path, &error);
    close(ends[1]);
    fuzz_require_for(written, error.message);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    if (graph_load(path, &reading, &again, &error)) {
        compare(graph, &again, format);
    } else { /* a list of edges has at least one */
        bool needs_edges = !format->from_one && graph->edge_count == 0;
        fuzz_require_for(needs_edges, error.message);
    }
    graph_free(&again);
    close(ends[0]);
}

/* Each list in ascending order, as writing by target gives it. */
static bool is_sorted(const struct graph *graph)
{
    for (uint32_t u = 0; u < graph->node_limit; u++) {
        for (uint64_t i = graph->offsets[u]; i + 1 < graph->offsets[u + 1]; i++) {
            if (graph->neighbours[i] > graph->neighbours[i + 1]) {
                return false;
            }
        }
    }
    return true;
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input text = {bytes, bytes + length};
    unsigned bits = fuzz_take_last(&text) ^ (length > 0 ? '\n' : 0u);
    struct graph_options options = {.threads = 1,
                                    .memory_limit = (uint64_t)3 << 20,
                                    .reverse = bits & 1,
                                    .undirected = bits & 2,
                                    .build_reverse = bits & 4};
    struct graph_error error = {0};
    struct graph graph;
    fuzz_file_fill(&file, text.next, fuzz_left(&text));
    if (graph_load(file.path, &options, &graph, &error) && graph.edge_count <= EDGES_MAX &&
        graph.node_limit <= NODES_MAX && graph.original_ids == NULL && has_plain_names(&graph)) {
        bool sorted = is_sorted(&graph);
        for (size_t i = 0; i < COUNT_OF(formats); i++) {
            if (sorted || !formats[i].by_target) {
                write_and_read(&graph, &formats[i]);
            }
        }
    }
    graph_free(&graph);
}
