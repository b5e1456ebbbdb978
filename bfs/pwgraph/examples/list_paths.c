/*
 * list_paths.c - the number of all shortest paths, and the first of them.
 *
 * Usage: list_paths GRAPH FROM TO
 */
#include <pwgraph.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct pwgraph_error error = {PWGRAPH_OK, "expected GRAPH FROM TO"};
    char text[PWGRAPH_TEXT_SIZE];
    const char *why = error.text;
    struct pwgraph_match from, to;
    uint32_t first[64];
    struct pwgraph *graph = argc == 4 ? pwgraph_open(argv[1], NULL, &error) : NULL;
    struct pwgraph_search *search =
        graph != NULL ? pwgraph_search_create(graph, NULL, &error) : NULL;
    struct pwgraph_paths *paths = NULL;
    if (search != NULL && !pwgraph_resolve(graph, argv[2], NULL, &from)) {
        why = from.text;
    } else if (search != NULL && !pwgraph_resolve(graph, argv[3], NULL, &to)) {
        why = to.text;
    } else if (search != NULL) {
        paths = pwgraph_search_all_paths(search, from.node, to.node, &error);
    }
    if (paths == NULL) {
        fprintf(stderr, "list_paths: %s\n", why);
    } else {
        printf("%s paths through %zu nodes\n", paths->count, paths->node_count);
        if (pwgraph_paths_list(paths, 1, first, 64) == 1) {
            for (uint32_t i = 0; i <= paths->hops; i++) {
                printf("%s%s", i > 0 ? " -> " : "", pwgraph_label(graph, first[i], text));
            }
            putchar('\n');
        }
    }
    const int status = paths == NULL;
    pwgraph_paths_free(paths);
    pwgraph_search_free(search);
    pwgraph_free(graph);
    return status;
}
