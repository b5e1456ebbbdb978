/*
 * test_library_diameter.c - the diameter, the radius and a centre of a graph by libpwgraph. The
 * judge knows the list of edges only, and finds all distances.
 */
#include "tests/support/drawn_graph.h"
#include <stdlib.h>

enum { ROUNDS = 400, COUNT_MAX = 40, LARGE = 500 };

enum shape { SPARSE, DENSE, HUBS, RING, CHAIN, TREE, GRID, ISLANDS, TAILS, SHAPES };

static uint32_t hops[COUNT_MAX][NODES_MAX]; /* from each node to each node */

/* An edge, and in every other graph the way back. */
static void add(uint32_t from, uint32_t to, bool both_ways)
{
    drawn_add(from, to);
    if (both_ways) {
        drawn_add(to, from);
    }
}

/* Edges between the nodes from begin to end. */
static void draw_part(struct rng *rng, uint32_t begin, uint32_t end, size_t edges, bool both_ways)
{
    for (size_t i = 0; i < edges && end > begin; i++) {
        add(begin + (uint32_t)random_below(rng, end - begin),
            begin + (uint32_t)random_below(rng, end - begin), both_ways);
    }
}

static void draw_shape(struct rng *rng, enum shape shape, uint32_t nodes, bool both_ways)
{
    const uint32_t width = 1 + (uint32_t)random_below(rng, 9);
    drawn_begin(nodes);
    switch (shape) {
    case SPARSE:
    case DENSE:
        draw_part(rng, 0, nodes, nodes * (shape == SPARSE ? 1 : 6), both_ways);
        break;
    case ISLANDS: /* two, and a way from the one to the other */
        draw_part(rng, 0, nodes / 2, 2 * nodes, both_ways);
        draw_part(rng, nodes / 2, nodes, 2 * nodes, both_ways);
        drawn_add(0, nodes - 1);
        break;
    case TAILS: /* into a middle that is dense, and out of it, and one that goes around */
        draw_part(rng, nodes / 3, nodes / 2, 2 * nodes, both_ways);
        for (uint32_t u = 0; u + 1 < nodes; u++) {
            add(u, u + 1, both_ways && u % 2 == 0);
        }
        add(nodes - 1 - (uint32_t)random_below(rng, nodes), nodes / 3, both_ways);
        break;
    default:
        for (uint32_t u = 1; u < nodes; u++) {
            const uint32_t to = shape == HUBS   ? (uint32_t)random_below(rng, 3) % u
                                : shape == TREE ? (uint32_t)random_below(rng, u)
                                : shape == GRID ? u - (u < width ? 1 : width)
                                                : u - 1;
            add(u, to, both_ways || shape == CHAIN);
            if (shape == GRID && u % width > 0) {
                add(u - 1, u, both_ways);
            }
        }
        if (shape == RING) {
            add(0, nodes - 1, both_ways);
        }
        for (size_t i = random_below(rng, 4); i > 0; i--) { /* short cuts */
            draw_part(rng, 0, nodes, 1, both_ways);
        }
    }
}

static void judge_all(void)
{
    for (uint32_t u = 0; u < drawn.nodes; u++) {
        judge(u, false, hops[u]);
        hops[u][u] = 0;
    }
}

static bool are_together(uint32_t u, uint32_t v)
{
    return hops[u][v] != NO_PATH && hops[v][u] != NO_PATH;
}

static uint32_t eccentricity_of(uint32_t node, uint32_t *component_nodes)
{
    uint32_t largest = 0;
    *component_nodes = 0;
    for (uint32_t v = 0; v < drawn.nodes; v++) {
        if (are_together(node, v)) {
            ++*component_nodes;
            largest = hops[node][v] > largest ? hops[node][v] : largest;
        }
    }
    return largest;
}

/* All that was found, against all distances. */
static void check_found(const struct pwgraph_diameter *found, const uint32_t *least)
{
    uint32_t diameter = 0, radius = UINT32_MAX, nodes;
    require_equal(found->diameter_min, found->diameter_max);
    require_equal(found->radius_min, found->radius_max);
    require(found->center < drawn.nodes && found->from < drawn.nodes && found->to < drawn.nodes);
    for (uint32_t u = 0; u < drawn.nodes; u++) {
        const uint32_t eccentricity = eccentricity_of(u, &nodes);
        require(nodes <= found->nodes);
        if (!are_together(u, found->center)) {
            require_equal(least[u], PWGRAPH_NONE);
            continue;
        }
        require_equal(nodes, found->nodes);
        require_msg(least[u] <= eccentricity, "node %u: least %u, eccentricity %u", u, least[u],
                    eccentricity);
        diameter = eccentricity > diameter ? eccentricity : diameter;
        radius = eccentricity < radius ? eccentricity : radius;
    }
    require_equal(found->diameter_max, diameter);
    require_equal(found->radius_max, radius);
    require_equal(eccentricity_of(found->center, &nodes), radius);
    require(are_together(found->from, found->center) && are_together(found->to, found->center));
    require_equal(hops[found->from][found->to], diameter);
}

START_TEST(diameter_radius_and_centre_follow_from_all_distances)
{
    struct rng rng = random_start("diameter");
    for (size_t round = 0; round < random_share(ROUNDS); round++) {
        const uint32_t nodes = round < 30 ? 1 + (uint32_t)round % 3 : /* tiny ones, then larger */
                                   1 + (uint32_t)random_below(&rng, COUNT_MAX);
        struct pwgraph_diameter found;
        uint32_t least[COUNT_MAX + 1];
        draw_shape(&rng, (enum shape)(round / 2 % SHAPES), nodes, round % 2 == 1);
        judge_all();
        struct pwgraph *graph = drawn_graph();
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
        least[nodes] = 7;
        require(pwgraph_search_threads(search, 1 + (unsigned)round % 3, &error));
        require_msg(pwgraph_search_diameter(search, &found, least, nodes, &error), "%s",
                    error.text);
        require_equal(least[nodes], 7);
        check_found(&found, least);
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

START_TEST(a_graph_without_nodes_or_edges_has_a_diameter_of_0)
{
    struct pwgraph_diameter found;
    for (uint32_t nodes = 0; nodes < 3; nodes++) {
        const uint64_t offsets[3] = {0};
        struct pwgraph *graph =
            pwgraph_from_csr(offsets, 64, offsets, 32, nodes, PWGRAPH_COPY, NULL, &error);
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
        ck_assert_msg(pwgraph_search_diameter(search, &found, NULL, 0, &error), "%s", error.text);
        ck_assert_uint_eq(found.nodes, nodes > 0);
        ck_assert_uint_eq(found.diameter_max, 0);
        ck_assert_uint_eq(found.radius_max, 0);
        ck_assert_uint_eq(found.center == PWGRAPH_NONE, nodes == 0);
        ck_assert(found.from == found.center && found.to == found.center);
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

/* Edges from each node to the next, and to some others. */
static struct pwgraph *large_graph(struct rng *rng, uint32_t others)
{
    static uint32_t sources[5 * LARGE], targets[5 * LARGE];
    uint32_t count = 0;
    for (uint32_t u = 0; u < LARGE; u++) {
        for (uint32_t i = 0; i <= others; i++) {
            sources[count] = u;
            targets[count++] = i == 0 ? (u + 1) % LARGE : (uint32_t)random_below(rng, LARGE);
        }
    }
    return pwgraph_from_edges(sources, targets, count, 32, LARGE, NULL, &error);
}

START_TEST(bounds_at_a_limit_enclose_what_is_found_without_one)
{
    static uint32_t least[LARGE], least_then[LARGE];
    struct rng rng = random_start("diameter with limits");
    struct pwgraph *graph = large_graph(&rng, 3);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
    struct pwgraph_diameter found, then;
    ck_assert(pwgraph_search_diameter(search, &found, least, LARGE, &error));
    bool is_done = false;
    for (uint64_t limit_ns = 1; !is_done; limit_ns *= 3) {
        pwgraph_search_limit(search, limit_ns, NULL);
        is_done = pwgraph_search_diameter(search, &then, least_then, LARGE, &error);
        if (!is_done) {
            assert_code(PWGRAPH_TIMED_OUT);
            ck_assert_int_eq(pwgraph_search_counts(search).code, PWGRAPH_TIMED_OUT);
        }
        require_equal(then.nodes, LARGE);
        require(then.diameter_min <= found.diameter_min && then.diameter_max >= found.diameter_max);
        require(then.radius_min <= found.radius_min && then.radius_max >= found.radius_max);
        require(then.diameter_min >= 1 && then.diameter_max < LARGE);
        require((then.from == PWGRAPH_NONE) == (then.walks == 0));
        require((then.to == PWGRAPH_NONE) == (then.walks == 0));
        for (uint32_t u = 0; u < LARGE; u++) {
            require(least_then[u] <= least[u] || !is_done);
        }
        ck_assert(limit_ns > 1 || then.walks == 0);
    }
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

/* A chain there and back. */
START_TEST(few_walks_are_enough_where_nodes_differ)
{
    struct pwgraph_diameter found;
    uint32_t sources[2 * LARGE], targets[2 * LARGE];
    for (uint32_t u = 0; u + 1 < LARGE; u++) {
        sources[2 * u] = targets[2 * u + 1] = u;
        targets[2 * u] = sources[2 * u + 1] = u + 1;
    }
    struct pwgraph *graph =
        pwgraph_from_edges(sources, targets, 2 * (LARGE - 1), 32, LARGE, NULL, &error);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
    ck_assert(pwgraph_search_diameter(search, &found, NULL, 0, &error));
    ck_assert_uint_eq(found.diameter_max, LARGE - 1);
    ck_assert_uint_eq(found.radius_max, LARGE / 2);
    ck_assert_uint_le(found.walks, 12);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

START_TEST(the_diameter_can_be_cancelled_and_refuses_what_is_wrong)
{
    struct pwgraph *graph = open_text("0 1\n1 2\n2 0\n", NULL);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
    struct pwgraph_diameter found;
    uint32_t least[3];
    const uint32_t avoided = 2;
    volatile int flag = 1;
    pwgraph_search_limit(search, 0, &flag);
    ck_assert(!pwgraph_search_diameter(search, &found, least, 3, &error));
    assert_code(PWGRAPH_CANCELLED);
    ck_assert(found.walks == 0 && found.from == PWGRAPH_NONE);
    pwgraph_search_limit(search, 0, NULL);
    ck_assert(!pwgraph_search_diameter(search, &found, least, 2, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert_int_eq(pwgraph_search_counts(search).code, PWGRAPH_BAD_ARGUMENT);
    ck_assert(pwgraph_search_avoid(search, &avoided, 1, &error));
    ck_assert(!pwgraph_search_diameter(search, &found, least, 3, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(pwgraph_search_avoid(search, NULL, 0, &error));
    ck_assert(pwgraph_search_diameter(search, &found, least, 3, &error));
    ck_assert(found.diameter_max == 2 && found.radius_max == 2 && found.nodes == 3);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

int main(void)
{
    return suite_run("library_diameter", NULL, fixture_remove_folder,
                     (const TTest *[]){diameter_radius_and_centre_follow_from_all_distances,
                                       a_graph_without_nodes_or_edges_has_a_diameter_of_0,
                                       bounds_at_a_limit_enclose_what_is_found_without_one,
                                       few_walks_are_enough_where_nodes_differ,
                                       the_diameter_can_be_cancelled_and_refuses_what_is_wrong,
                                       NULL});
}
