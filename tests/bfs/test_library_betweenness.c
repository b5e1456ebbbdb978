/*
 * test_library_betweenness.c - how many shortest paths pass each node, by libpwgraph. The judge
 * multiplies the numbers of paths to and from each node, for each pair; NetworkX judges in
 * python/test_networkx_backend.py.
 */
#include "base/macros.h"
#include "tests/support/drawn_graph.h"
#include "tests/support/require.h"
#include <math.h>
#include <string.h>

enum { COUNT_MAX = 30 };

static struct {
    uint32_t hops[COUNT_MAX][NODES_MAX]; /* 0 from a node to itself */
    double ways[COUNT_MAX][COUNT_MAX];
} all;

static bool is_edge(uint32_t from, uint32_t to)
{
    for (uint64_t i = 0; i < drawn.count; i++) {
        if (drawn.sources[i] == from && drawn.targets[i] == to) {
            return true;
        }
    }
    return false;
}

/* The number of shortest paths of each pair: the sum over the nodes before the target. */
static void count_all(void)
{
    memset(&all, 0, sizeof(all));
    for (uint32_t s = 0; s < drawn.nodes; s++) {
        judge(s, false, all.hops[s]);
        all.hops[s][s] = drawn.avoided[s] ? PWGRAPH_NONE : 0;
        all.ways[s][s] = !drawn.avoided[s];
        for (uint32_t hops = 1; hops < drawn.nodes; hops++) {
            for (uint32_t t = 0; t < drawn.nodes; t++) {
                for (uint32_t v = 0; all.hops[s][t] == hops && v < drawn.nodes; v++) {
                    if (all.hops[s][v] == hops - 1 && is_edge(v, t)) {
                        all.ways[s][t] += all.ways[s][v];
                    }
                }
            }
        }
    }
}

static double right_sum(uint32_t v, const uint32_t *sources, size_t count, enum pwgraph_ends ends)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t s = sources[i];
        for (uint32_t t = 0; t < drawn.nodes; t++) {
            const bool is_end = v == s || v == t;
            if (s != t && all.ways[s][t] > 0 && all.ways[s][v] > 0 && all.ways[v][t] > 0 &&
                (ends == PWGRAPH_WITH_ENDS || !is_end) &&
                all.hops[s][v] + all.hops[v][t] == all.hops[s][t]) {
                sum += all.ways[s][v] * all.ways[v][t] / all.ways[s][t];
            }
        }
    }
    return sum;
}

START_TEST(the_sums_are_added_up_over_all_pairs)
{
    struct rng rng = random_start("betweenness");
    for (unsigned round = 0; round < 120; round++) {
        const uint32_t nodes = 1 + (uint32_t)random_below(&rng, COUNT_MAX);
        struct pwgraph *graph = draw_graph(&rng, nodes, random_below(&rng, 5 * nodes));
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
        uint32_t sources[2 * COUNT_MAX], avoided[3];
        double sums[COUNT_MAX + 1], again[COUNT_MAX + 1];
        const size_t count = random_below(&rng, 2 * COUNT_MAX);
        const size_t avoided_count = round % 2 * random_below(&rng, 3);
        const enum pwgraph_ends ends = round % 4 < 2 ? PWGRAPH_WITHOUT_ENDS : PWGRAPH_WITH_ENDS;
        for (size_t i = 0; i < count; i++) {
            sources[i] = (uint32_t)random_below(&rng, nodes);
        }
        for (size_t i = 0; i < avoided_count; i++) {
            avoided[i] = (uint32_t)random_below(&rng, nodes);
            drawn.avoided[avoided[i]] = true;
        }
        count_all();
        ck_assert(pwgraph_search_avoid(search, avoided, avoided_count, &error));
        ck_assert(pwgraph_search_threads(search, 1 + round % 4, &error));
        sums[nodes] = 7;
        ck_assert_msg(pwgraph_search_betweenness(search, sources, count, ends, sums, nodes, &error),
                      "%s", error.text);
        ck_assert(sums[nodes] == 7);
        for (uint32_t v = 0; v < nodes; v++) {
            const double wanted = right_sum(v, sources, count, ends);
            ck_assert_msg(fabs(sums[v] - wanted) < 1e-9 * (1 + wanted), "node %u: %g instead of %g",
                          v, sums[v], wanted);
        }
        ck_assert(pwgraph_search_betweenness(search, sources, count, ends, again, nodes, &error));
        ck_assert(memcmp(sums, again, nodes * sizeof(*sums)) == 0);
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

/* 2^3000 shortest paths: more than any floating-point number. */
START_TEST(the_number_of_paths_may_exceed_any_floating_point_number)
{
    enum { DIAMONDS = 3000, LENGTH = 3 * DIAMONDS + 1 };
    static uint32_t sources[4 * DIAMONDS], targets[4 * DIAMONDS];
    static double sums[LENGTH];
    const uint32_t first = 0;
    for (uint32_t i = 0; i < DIAMONDS; i++) { /* 3i to 3i + 1 and 3i + 2, both to 3i + 3 */
        for (uint32_t k = 0; k < 4; k++) {
            sources[4 * i + k] = 3 * i + (k < 2 ? 0 : k - 1);
            targets[4 * i + k] = 3 * i + (k < 2 ? k + 1 : 3);
        }
    }
    struct pwgraph *graph =
        pwgraph_from_edges(sources, targets, COUNT_OF(sources), 32, LENGTH, NULL, &error);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
    ck_assert(
        pwgraph_search_betweenness(search, &first, 1, PWGRAPH_WITHOUT_ENDS, sums, LENGTH, &error));
    for (uint32_t i = 0; i < DIAMONDS; i++) {
        const double after = LENGTH - 1 - 3.0 * (i + 1); /* nodes after the diamond's last */
        require(sums[3 * i] == (i == 0 ? 0 : after + 3));
        require(sums[3 * i + 1] == (after + 1) / 2 && sums[3 * i + 2] == (after + 1) / 2);
    }
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

START_TEST(betweenness_ends_by_its_limits_and_refuses_what_is_wrong)
{
    struct pwgraph *graph = open_text("0 1\n1 2\n2 3\n", NULL);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
    const uint32_t right[] = {0, 1}, wrong[] = {0, 4};
    double sums[4] = {0};
    volatile int flag = 1;
    ck_assert(!pwgraph_search_betweenness(search, wrong, 2, PWGRAPH_WITH_ENDS, sums, 4, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(!pwgraph_search_betweenness(search, right, 2, PWGRAPH_WITH_ENDS, sums, 3, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(!pwgraph_search_betweenness(search, NULL, 2, PWGRAPH_WITH_ENDS, sums, 4, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(!pwgraph_search_betweenness(search, right, 2, (enum pwgraph_ends)2, sums, 4, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    pwgraph_search_limit(search, 0, &flag);
    ck_assert(!pwgraph_search_betweenness(search, right, 2, PWGRAPH_WITH_ENDS, sums, 4, &error));
    assert_code(PWGRAPH_CANCELLED);
    pwgraph_search_limit(search, 1, NULL);
    ck_assert(!pwgraph_search_betweenness(search, right, 2, PWGRAPH_WITH_ENDS, sums, 4, &error));
    assert_code(PWGRAPH_TIMED_OUT);
    pwgraph_search_limit(search, 0, NULL);
    ck_assert(pwgraph_search_betweenness(search, NULL, 0, PWGRAPH_WITH_ENDS, sums, 4, &error));
    ck_assert(sums[1] == 0);
    ck_assert(pwgraph_search_betweenness(search, right, 2, PWGRAPH_WITHOUT_ENDS, sums, 4, &error));
    ck_assert(sums[0] == 0 && sums[1] == 2 && sums[2] == 2 && sums[3] == 0);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

int main(void)
{
    return suite_run("library_betweenness", NULL, fixture_remove_folder,
                     (const TTest *[]){the_sums_are_added_up_over_all_pairs,
                                       the_number_of_paths_may_exceed_any_floating_point_number,
                                       betweenness_ends_by_its_limits_and_refuses_what_is_wrong,
                                       NULL});
}
