/*
 * count_graph.c - opens a graph with options, shows progress, and prints its size.
 *
 * The options are a struct whose first member is its size, so that a program built today runs
 * with a later library. An error has a code and a text.
 * Usage: count_graph GRAPH
 */
#include <pwgraph.h>
#include <stdio.h>

static void show(void *context, const struct pwgraph_progress *progress)
{
    fprintf(context, "%s: %.0f s\n", progress->phase, progress->seconds);
}

int main(int argc, char **argv)
{
    struct pwgraph_error error;
    const struct pwgraph_options options = {
        .size = sizeof(options), .undirected = true, .progress = show, .context = stderr};
    struct pwgraph *graph = argc == 2 ? pwgraph_open(argv[1], &options, &error) : NULL;
    if (graph == NULL) {
        fprintf(stderr, "count_graph: %s\n", argc == 2 ? error.text : "expected GRAPH");
        return argc != 2 || error.code == PWGRAPH_BAD_ARGUMENT ? 2 : 1;
    }
    printf("%lu nodes, %llu edges\n", (unsigned long)pwgraph_node_count(graph),
           (unsigned long long)pwgraph_edge_count(graph));
    pwgraph_free(graph);
    return 0;
}
