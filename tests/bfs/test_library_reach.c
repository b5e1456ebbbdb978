/*
 * test_library_reach.c - what libpwgraph says each of many nodes reaches. The judge is the plain
 * search for the distances of one node.
 */
#include "tests/support/library_fixture.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include <stdlib.h>

enum { NODES_MAX = 1400, AVOIDED_MAX = 5 };

static uint32_t nodes[NODES_MAX + 50], hops[NODES_MAX];
static struct pwgraph_reach reach[NODES_MAX + 50];

/* A graph of one of several shapes. The searches on a ring are never at the same node. */
enum shape { SPARSE, DENSE, RING, STAR, SHAPES };

static struct pwgraph *draw(struct rng *rng, uint32_t count, enum shape shape)
{
    static uint32_t sources[8 * NODES_MAX], targets[8 * NODES_MAX];
    const size_t edges =
        shape <= DENSE ? random_below(rng, (shape == SPARSE ? 2 : 8) * count) : count;
    for (size_t i = 0; i < edges; i++) {
        sources[i] = shape == STAR ? 0 : (uint32_t)(shape == RING ? i : random_below(rng, count));
        targets[i] = (uint32_t)(shape <= DENSE ? random_below(rng, count) : (i + 1) % count);
    }
    struct pwgraph *graph = pwgraph_from_edges(sources, targets, edges, 32, count, NULL, &error);
    ck_assert_msg(graph != NULL, "%s", error.text);
    return graph;
}

static void check_node(struct pwgraph_search *search, uint32_t node, uint32_t count,
                       enum pwgraph_direction direction, const struct pwgraph_reach *found)
{
    struct pwgraph_reach wanted = {0};
    ck_assert(pwgraph_search_distances(search, node, direction, hops, NULL, NODES_MAX, &error));
    for (uint32_t u = 0; u < count; u++) {
        if (hops[u] != PWGRAPH_NONE) {
            wanted.reached++;
            wanted.farness += hops[u];
            wanted.harmonic += hops[u] > 0 ? 1.0 / hops[u] : 0;
            wanted.eccentricity = hops[u] > wanted.eccentricity ? hops[u] : wanted.eccentricity;
        }
    }
    ck_assert_uint_eq(found->reached, wanted.reached);
    ck_assert_uint_eq(found->farness, wanted.farness);
    ck_assert_uint_eq(found->eccentricity, wanted.eccentricity);
    ck_assert_double_eq_tol(found->harmonic, wanted.harmonic, 1e-9 * (1 + wanted.harmonic));
}

START_TEST(what_many_nodes_reach_follows_from_their_distances)
{
    struct rng rng = random_start("reach");
    for (unsigned round = 0; round < random_share(40); round++) {
        const uint32_t most = round < random_share(2 * SHAPES) ? NODES_MAX : 90;
        const uint32_t count = most - (uint32_t)random_below(&rng, 89);
        struct pwgraph *graph = draw(&rng, count, (enum shape)(round % SHAPES));
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
        const size_t asked = count + random_below(&rng, 50); /* repeats, and several passes */
        uint32_t avoided[AVOIDED_MAX];
        for (size_t i = 0; i < asked; i++) {
            nodes[i] = (uint32_t)(i < count ? i : random_below(&rng, count));
        }
        for (size_t i = 0; i < AVOIDED_MAX; i++) {
            avoided[i] = (uint32_t)random_below(&rng, count);
        }
        ck_assert(pwgraph_search_avoid(search, avoided, round % 2 * AVOIDED_MAX, &error));
        for (int direction = PWGRAPH_FROM; direction <= PWGRAPH_TO; direction++) {
            memset(reach, 0xff, sizeof(reach));
            ck_assert_msg(pwgraph_search_reach(search, nodes, asked,
                                               (enum pwgraph_direction)direction, reach, &error),
                          "%s", error.text);
            ck_assert_int_eq(pwgraph_search_counts(search).code, PWGRAPH_OK);
            ck_assert_uint_eq(reach[asked].reached, UINT32_MAX); /* nothing after the last */
            for (size_t i = 0; i < asked; i += 1 + asked / 97) {
                check_node(search, nodes[i], count, (enum pwgraph_direction)direction, &reach[i]);
            }
        }
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

/* Each node reached but the first was found along an edge; no edge is looked at again by one search
 * at one level. */
START_TEST(reach_says_how_much_it_looked_at)
{
    struct rng rng = random_start("counts of reach");
    for (unsigned round = 0; round < random_share(8 * SHAPES); round++) {
        const enum shape shape = (enum shape)(round % SHAPES);
        const uint32_t count = NODES_MAX - (uint32_t)random_below(&rng, 89);
        struct pwgraph *graph = draw(&rng, count, shape);
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
        const size_t asked = round < random_share(4 * SHAPES) ? 1 : count;
        uint64_t reached = 0, levels = 0;
        for (size_t i = 0; i < asked; i++) {
            nodes[i] = (uint32_t)(asked > 1 ? i : random_below(&rng, count));
        }
        ck_assert(pwgraph_search_reach(search, nodes, asked, PWGRAPH_FROM, reach, &error));
        const struct pwgraph_counts counts = pwgraph_search_counts(search);
        for (size_t i = 0; i < asked; i++) {
            reached += reach[i].reached;
            levels += reach[i].eccentricity + 1;
        }
        ck_assert_uint_le(counts.nodes, reached);
        ck_assert_uint_le(counts.edges, levels * pwgraph_edge_count(graph));
        if (asked == 1) {
            ck_assert_uint_eq(counts.nodes, reached);
            ck_assert_uint_ge(counts.edges, reached - 1);
        } else if (shape == RING) { /* no two searches are at the same node */
            ck_assert_uint_eq(counts.nodes, reached);
            ck_assert_uint_ge(counts.edges, reached - asked);
        } else {
            ck_assert_uint_gt(counts.nodes, 0);
        }
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

START_TEST(reach_ends_by_its_limits_and_refuses_what_is_wrong)
{
    struct pwgraph *graph = open_text("%%MatrixMarket matrix coordinate pattern general\n"
                                      "3 3 2\n1 2\n2 3\n",
                                      NULL);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
    const uint32_t wrong[] = {1, 0}, right[] = {1, 2, 3};
    volatile int flag = 1;
    ck_assert(!pwgraph_search_reach(search, wrong, 2, PWGRAPH_FROM, reach, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT); /* nodes count from 1 here */
    ck_assert(!pwgraph_search_reach(search, right, 3, (enum pwgraph_direction)2, reach, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(!pwgraph_search_reach(search, NULL, 3, PWGRAPH_TO, reach, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(!pwgraph_search_reach(search, right, 3, PWGRAPH_TO, NULL, NULL));
    ck_assert(pwgraph_search_reach(search, NULL, 0, PWGRAPH_TO, NULL, &error));
    pwgraph_search_limit(search, 0, &flag);
    ck_assert(!pwgraph_search_reach(search, right, 3, PWGRAPH_FROM, reach, &error));
    assert_code(PWGRAPH_CANCELLED);
    ck_assert(reach[0].reached == 0 && reach[2].reached == 0);
    pwgraph_search_limit(search, 1, NULL);
    ck_assert(!pwgraph_search_reach(search, right, 3, PWGRAPH_FROM, reach, &error));
    assert_code(PWGRAPH_TIMED_OUT);
    pwgraph_search_limit(search, 0, NULL);
    ck_assert(pwgraph_search_reach(search, right, 3, PWGRAPH_FROM, reach, &error));
    ck_assert(reach[0].reached == 3 && reach[0].farness == 3 && reach[0].eccentricity == 2);
    ck_assert(reach[2].reached == 1 && reach[2].farness == 0 && reach[2].eccentricity == 0);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

/* Nodes without an edge come first: the searches from them share nothing, so that the rest, which
 * would take seconds, is searched one by one. */
START_TEST(searches_one_by_one_end_at_the_limit_of_time)
{
    enum { ALONE = 1100, ROUND = 1000, ASKED = 1000 * 1000 };
    static uint32_t sources[ROUND], targets[ROUND], asked[ASKED];
    for (uint32_t i = 0; i < ROUND; i++) {
        sources[i] = ALONE + i;
        targets[i] = ALONE + (i + 1) % ROUND;
    }
    for (uint32_t i = 0; i < ASKED; i++) {
        asked[i] = i < ALONE ? i : ALONE + i % ROUND;
    }
    struct pwgraph *graph =
        pwgraph_from_edges(sources, targets, ROUND, 32, ALONE + ROUND, NULL, &error);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
    struct pwgraph_reach *found = malloc(ASKED * sizeof(*found));
    ck_assert(search != NULL && found != NULL);
    pwgraph_search_limit(search, 50 * 1000 * 1000, NULL);
    ck_assert(!pwgraph_search_reach(search, asked, ASKED, PWGRAPH_FROM, found, &error));
    assert_code(PWGRAPH_TIMED_OUT);
    ck_assert_uint_eq(found[ASKED - 1].reached, 0);
    free(found);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

int main(void)
{
    return suite_run("library_reach", NULL, fixture_remove_folder,
                     (const TTest *[]){what_many_nodes_reach_follows_from_their_distances,
                                       reach_says_how_much_it_looked_at,
                                       reach_ends_by_its_limits_and_refuses_what_is_wrong,
                                       searches_one_by_one_end_at_the_limit_of_time, NULL});
}
