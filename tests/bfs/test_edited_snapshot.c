/*
 * test_edited_snapshot.c - a snapshot is a file from a stranger: one whose checksums are right and
 * whose reverse adjacency contradicts the graph makes no search leave its memory.
 */
#include "bfs/engines/engines.h"
#include "bfs/pwgraph/pwgraph.h"
#include "data/store/graph_snapshot.h"
#include "tests/support/fixture_file.h"
#include "tests/support/random_graph.h"
#include "tests/support/suite.h"

static struct pwgraph *reload(const struct graph *graph)
{
    const char *path = fixture_path("edited.pwg");
    struct graph_error error = {0};
    char message[PWGRAPH_TEXT_SIZE];
    ck_assert_msg(graph_snapshot_save(graph, path, NULL, 0, NULL, &error), "%s", error.message);
    struct pwgraph *loaded = pwgraph_load(path, message);
    ck_assert_msg(loaded != NULL, "%s", message);
    return loaded;
}

/* A search, and its path into a buffer with room for that path and no more. */
static bool find_path(struct pwgraph_search *search, uint32_t from, uint32_t to, uint32_t *hops)
{
    bool has_path = false;
    if (pwgraph_search_run(search, from, to, hops) == PWGRAPH_FOUND) {
        uint32_t *nodes = malloc(((size_t)*hops + 1) * sizeof(*nodes));
        ck_assert_ptr_nonnull(nodes);
        has_path = pwgraph_search_path(search, nodes, (size_t)*hops + 1);
        ck_assert(!has_path || (nodes[0] == from && nodes[*hops] == to));
        free(nodes);
    }
    return has_path;
}

/* The diameter is found, or refused in one line; whichever it is, it ends. */
static void check_diameter(struct pwgraph *graph, uint32_t nodes)
{
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
    struct pwgraph_diameter found;
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    const bool done = pwgraph_search_diameter(search, &found, NULL, 0, &error);
    ck_assert(done ? found.diameter_min == found.diameter_max : error.code == PWGRAPH_BAD_INPUT);
    ck_assert(found.nodes <= nodes && found.walks <= 4 * nodes + 4);
    pwgraph_search_free(search);
}

START_TEST(a_path_longer_than_announced_is_refused_and_not_written)
{
    enum { NODES = 10 };
    struct random_graph made = random_graph_begin(0, NODES, NODES - 1);
    for (uint32_t u = 0; u < NODES; u++) { /* u -> u + 1 */
        made.graph.offsets[u + 1] = u + 1 < NODES;
    }
    random_graph_end(&made, false);
    for (uint32_t u = 0; u + 1 < NODES; u++) {
        made.graph.neighbours[u] = u + 1;
    }
    random_graph_add_reverse(&made);
    made.graph.in_neighbours[made.graph.in_offsets[NODES - 1]] = 0; /* a false short way */
    struct pwgraph *graph = reload(&made.graph);
    struct pwgraph_search *search = pwgraph_search_create(graph, "multi-source", NULL);
    uint32_t hops = 0;
    ck_assert(!find_path(search, 0, NODES - 1, &hops));
    ck_assert_uint_eq(hops, 1);
    ck_assert(find_path(search, 0, 4, &hops));
    ck_assert_uint_eq(hops, 4);
    pwgraph_search_free(search);
    pwgraph_free(graph);
    random_graph_free(&made);
}
END_TEST

START_TEST(no_engine_leaves_its_memory_when_the_reverse_adjacency_is_wrong)
{
    graph_rng = random_start("edited snapshots");
    for (int i = 0; i < 60; i++) {
        const uint32_t nodes = 1 + draw(i % 3 == 0 ? 2000 : 20);
        struct random_graph made =
            random_graph_create((uint32_t)i % 2, nodes, draw(4 * nodes), i % 4 == 0);
        for (uint32_t wrong = 1 + draw(3); made.graph.edge_count > 0 && wrong > 0; wrong--) {
            const uint32_t first = draw((uint32_t)made.graph.edge_count);
            const uint32_t last = draw(2) == 0 ? first : (uint32_t)made.graph.edge_count - 1;
            const uint32_t node = random_node(&made.graph, false);
            for (uint32_t edge = first; edge <= last; edge++) {
                made.graph.in_neighbours[edge] = node;
            }
        }
        struct pwgraph *graph = reload(&made.graph);
        check_diameter(graph, nodes);
        for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
            struct pwgraph_search *search = pwgraph_search_create(graph, (*engine)->name, NULL);
            ck_assert_ptr_nonnull(search);
            for (int round = 0; round < 20; round++) {
                uint32_t hops;
                find_path(search, random_node(&made.graph, false), random_node(&made.graph, false),
                          &hops);
            }
            pwgraph_search_free(search);
        }
        pwgraph_free(graph);
        random_graph_free(&made);
    }
}
END_TEST

int main(void)
{
    return suite_run(
        "edited snapshots", NULL, NULL,
        (const TTest *[]){a_path_longer_than_announced_is_refused_and_not_written,
                          no_engine_leaves_its_memory_when_the_reverse_adjacency_is_wrong, NULL});
}
