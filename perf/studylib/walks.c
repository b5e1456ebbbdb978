/*
 * walks.c - the parents of all nodes from each of some sources, by libpwgraph, timed; for peers.py.
 *
 * Usage: walks GRAPH THREADS SOURCES          SOURCES: a file of numbers of nodes
 *        walks GRAPH THREADS SOURCES check
 * Prints, per source, its number, the nodes that have a path, and the seconds of four questions:
 * the parents, whose array is made within the time, as other programs do; a walk, which is the
 * levels alone; the distances; both. The last two have their arrays. With check, each parent must
 * be one hop nearer to the source, and an edge must lead from it; what has a distance must have a
 * parent.
 */
#include "bfs/pwgraph/pwgraph.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool are_right(const struct pwgraph *graph, uint32_t source, const uint32_t *parents,
                      const uint32_t *hops)
{
    bool right = true;
    for (uint32_t node = 0; right && node < pwgraph_node_limit(graph); node++) {
        const uint32_t parent = parents[node];
        right = parent == PWGRAPH_NONE ? node == source || hops[node] == PWGRAPH_NONE
                                       : hops[parent] + 1 == hops[node] &&
                                             pwgraph_is_path(graph, (uint32_t[]){parent, node}, 2);
    }
    return right;
}

/* Ask for what is not NULL, or for the levels. Returns the seconds, or -1 with error set. */
static double ask(struct pwgraph_search *search, uint32_t source, size_t limit, uint32_t *hops,
                  uint32_t *parents, struct pwgraph_error *error)
{
    const double begin = seconds_now();
    struct pwgraph_levels levels;
    const bool done =
        hops == NULL && parents == NULL
            ? pwgraph_search_levels(search, &source, 1, PWGRAPH_FROM, PWGRAPH_NONE,
                                    PWGRAPH_ANY_ORDER, &levels, error)
            : pwgraph_search_distances(search, source, PWGRAPH_FROM, hops, parents, limit, error);
    return done ? seconds_now() - begin : -1;
}

/* Ask all four questions about a source. False if an answer is wrong or missing. hops and
 * parents: room for the answers that need it, except for the parents alone. */
static bool walk(const struct pwgraph *graph, struct pwgraph_search *search, uint32_t source,
                 bool checks, uint32_t *hops, uint32_t *parents, struct pwgraph_error *error)
{
    const size_t limit = pwgraph_node_limit(graph);
    const double begin = seconds_now();
    uint32_t *made = malloc(limit * sizeof(*made));
    bool done = made != NULL && ask(search, source, limit, NULL, made, error) >= 0;
    const double alone = seconds_now() - begin;
    const double levels = ask(search, source, limit, NULL, NULL, error);
    const double distances = ask(search, source, limit, hops, NULL, error);
    done =
        done && levels >= 0 && distances >= 0 && (!checks || are_right(graph, source, made, hops));
    size_t reached = 1;
    for (size_t node = 0; done && node < limit; node++) {
        reached += made[node] != PWGRAPH_NONE;
    }
    free(made);
    const double both = ask(search, source, limit, hops, parents, error);
    printf("%u %zu %.9f %.9f %.9f %.9f\n", source, reached, alone, levels, distances, both);
    return done && both >= 0 && (!checks || are_right(graph, source, parents, hops));
}

int main(int count, char **words)
{
    struct pwgraph_error error = {.text = "a wrong answer, or too few arguments"};
    FILE *file = count >= 4 ? fopen(words[3], "r") : NULL;
    struct pwgraph *graph = file != NULL ? pwgraph_open(words[1], NULL, &error) : NULL;
    struct pwgraph_search *search =
        graph != NULL ? pwgraph_search_create(graph, NULL, &error) : NULL;
    const size_t limit = graph != NULL ? pwgraph_node_limit(graph) : 0;
    uint32_t *hops = calloc(limit + 1, sizeof(*hops)), *parents = calloc(limit + 1, sizeof(*hops));
    bool done = search != NULL && hops != NULL && parents != NULL &&
                pwgraph_search_threads(search, (unsigned)strtoul(words[2], NULL, 10), &error);
    unsigned long source;
    while (done && fscanf(file, "%lu", &source) == 1) {
        done = walk(graph, search, (uint32_t)source, count > 4, hops, parents, &error);
    }
    if (!done) {
        fprintf(stderr, "walks: %s\n", error.text);
    }
    free(hops);
    free(parents);
    pwgraph_search_free(search);
    pwgraph_free(graph);
    if (file != NULL) {
        fclose(file);
    }
    return done ? 0 : 1;
}
