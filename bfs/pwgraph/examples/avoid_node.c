/*
 * avoid_node.c - all distances, a pair, and the pair without a node.
 *
 * Usage: avoid_node GRAPH FROM TO AVOIDED
 */
#include <pwgraph.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct pwgraph_error error = {PWGRAPH_OK, "expected GRAPH FROM TO AVOIDED"};
    const char *why = error.text;
    struct pwgraph_arrays arrays;
    struct pwgraph_match match;
    uint32_t node[3], hops = 0, *distances = NULL;
    struct pwgraph *graph = argc == 5 ? pwgraph_open(argv[1], NULL, &error) : NULL;
    struct pwgraph_search *search =
        graph != NULL ? pwgraph_search_create(graph, NULL, &error) : NULL;
    int status = 1;
    for (int i = 0; search != NULL && i < 3; i++) {
        if (!pwgraph_resolve(graph, argv[2 + i], NULL, &match)) {
            why = match.text;
            goto end;
        }
        node[i] = match.node;
    }
    if (search == NULL) {
        goto end;
    }
    pwgraph_get_arrays(graph, &arrays);
    distances = malloc(arrays.node_limit * sizeof(*distances));
    pwgraph_search_limit(search, UINT64_C(1000000000), NULL);
    if (distances == NULL ||
        !pwgraph_search_distances(search, node[0], PWGRAPH_FROM, distances, NULL, arrays.node_limit,
                                  &error) ||
        !pwgraph_search_pairs(search, &node[0], &node[1], 1, 1, &hops, &error)) {
        goto end;
    }
    printf("%d hops; by the distances %d\n", (int)hops, (int)distances[node[1]]);
    if (!pwgraph_search_avoid(search, &node[2], 1, &error) ||
        !pwgraph_search_pairs(search, &node[0], &node[1], 1, 1, &hops, &error)) {
        goto end;
    }
    printf("without %s: %d hops, %llu nodes looked at\n", argv[4],
           hops == PWGRAPH_NONE ? -1 : (int)hops,
           (unsigned long long)pwgraph_search_counts(search).nodes);
    status = 0;
end:
    if (status != 0) {
        fprintf(stderr, "avoid_node: %s\n", why);
    }
    free(distances);
    pwgraph_search_free(search);
    pwgraph_free(graph);
    return status;
}
