/*
 * make_ring.c - makes a graph from edges in memory, asks it, and saves it.
 *
 * Usage: make_ring [OUT]
 */
#include <pwgraph.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const int64_t sources[] = {0, 1, 2, 3}, targets[] = {1, 2, 3, 0};
    struct pwgraph_error error;
    uint32_t hops;
    struct pwgraph *ring = pwgraph_from_edges(sources, targets, 4, 64, 0, NULL, &error);
    struct pwgraph_search *search = ring != NULL ? pwgraph_search_create(ring, NULL, &error) : NULL;
    if (search == NULL || (argc == 2 && !pwgraph_save(ring, argv[1], NULL, &error))) {
        fprintf(stderr, "make_ring: %s\n", error.text);
        pwgraph_search_free(search);
        pwgraph_free(ring);
        return 1;
    }
    if (pwgraph_search_run(search, 1, 0, &hops) == PWGRAPH_FOUND) {
        printf("%u hops from 1 to 0\n", (unsigned)hops);
    }
    pwgraph_search_free(search);
    pwgraph_free(ring);
    return 0;
}
