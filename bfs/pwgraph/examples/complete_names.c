/*
 * complete_names.c - the names with a given start, and where each leads.
 *
 * Names and neighbours are read without a copy.
 * Usage: complete_names GRAPH PREFIX
 */
#include <pwgraph.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct pwgraph_error error;
    char text[PWGRAPH_TEXT_SIZE];
    uint32_t nodes[3];
    size_t total;
    struct pwgraph *graph = argc == 3 ? pwgraph_open(argv[1], NULL, &error) : NULL;
    if (graph == NULL) {
        fprintf(stderr, "complete_names: %s\n", argc == 3 ? error.text : "expected GRAPH PREFIX");
        return 1;
    }
    const size_t count = pwgraph_complete(graph, argv[2], PWGRAPH_BY_DEGREE, nodes, 3, &total);
    printf("%zu of %zu names:\n", count, total);
    for (size_t i = 0; i < count; i++) {
        uint64_t links;
        const uint32_t *out = pwgraph_out(graph, nodes[i], &links);
        printf("%s leads to", pwgraph_label(graph, nodes[i], text));
        for (uint64_t k = 0; k < links; k++) {
            printf(" %s", pwgraph_label(graph, out[k], text));
        }
        putchar('\n');
    }
    pwgraph_free(graph);
    return 0;
}
