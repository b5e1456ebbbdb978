/*
 * test_library_levels.c - the whole-graph answers of libpwgraph: distances, parents, levels in any
 * order and in the order of a queue, with 1 to 4 threads, around nodes to avoid, both ways, and
 * with a limit of hops. The judge is a search with a queue that looks at one edge after the other.
 */
#include "base/macros.h"
#include "tests/support/library_fixture.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <stdlib.h>

enum { NODES_MAX = 2500, EDGES_MAX = 15000, AVOIDED_MAX = 9, SOURCES_MAX = 3 };

/* Shapes with sparse and with dense frontiers, with few levels and with thousands. */
enum shape { SPARSE, DENSE, HUB, GRID, LINE, SHAPES };

static struct {
    uint32_t nodes;
    uint32_t hops[NODES_MAX];  /* PWGRAPH_NONE: not reached */
    uint32_t queue[NODES_MAX]; /* the nodes reached, in the order of the queue ... */
    uint32_t from[NODES_MAX];  /* ... and what each was found from */
    size_t reached;
} right;

static uint32_t found_hops[NODES_MAX + 1], found_parents[NODES_MAX + 1];

static void draw_edge(struct rng *rng, enum shape shape, uint32_t count, size_t i, uint32_t *source,
                      uint32_t *target)
{
    const uint32_t any = (uint32_t)random_below(rng, count);
    const uint32_t next = (uint32_t)(i / 2 % count);
    *source = shape >= GRID ? next : (uint32_t)random_below(rng, count);
    *target = shape == GRID && i % 2 ? (next + 60) % count
              : shape >= GRID        ? (next + 1) % count
                                     : any;
    if (shape == HUB) { /* most edges begin or end at a few nodes */
        uint32_t *end = random_below(rng, 2) ? source : target;
        *end = (uint32_t)random_below(rng, 1 + count / 200);
    }
}

static struct pwgraph *draw(struct rng *rng, enum shape shape, uint32_t count)
{
    static uint32_t sources[EDGES_MAX], targets[EDGES_MAX];
    const size_t edges = shape == SPARSE                  ? 2 * count
                         : shape == GRID || shape == LINE ? 2 * count
                                                          : 6 * count;
    for (size_t i = 0; i < edges; i++) {
        draw_edge(rng, shape, count, i, &sources[i], &targets[i]);
    }
    struct pwgraph *graph = pwgraph_from_edges(sources, targets, edges, 32, count, NULL, &error);
    ck_assert_msg(graph != NULL, "%s", error.text);
    right.nodes = count;
    return graph;
}

static void judge(const struct pwgraph *graph, const uint32_t *sources, size_t source_count,
                  enum pwgraph_direction direction, uint32_t hops_max, const uint32_t *avoided,
                  size_t avoided_count)
{
    static bool closed[NODES_MAX];
    memset(closed, 0, sizeof(closed));
    memset(right.hops, 0xff, sizeof(right.hops));
    right.reached = 0;
    for (size_t i = 0; i < avoided_count; i++) {
        closed[avoided[i]] = true;
    }
    for (size_t i = 0; i < source_count; i++) {
        if (!closed[sources[i]]) {
            closed[sources[i]] = true;
            right.hops[sources[i]] = 0;
            right.queue[right.reached++] = sources[i];
        }
    }
    for (size_t i = 0; i < right.reached; i++) {
        const uint32_t node = right.queue[i];
        uint64_t count;
        const uint32_t *list = direction == PWGRAPH_FROM ? pwgraph_out(graph, node, &count)
                                                         : pwgraph_in(graph, node, &count);
        for (uint64_t k = 0; right.hops[node] < hops_max && k < count; k++) {
            if (!closed[list[k]]) {
                closed[list[k]] = true;
                right.hops[list[k]] = right.hops[node] + 1;
                right.from[right.reached] = node;
                right.queue[right.reached++] = list[k];
            }
        }
    }
}

static bool has(const uint32_t *list, uint64_t count, uint32_t node)
{
    while (count > 0 && list[count - 1] != node) {
        count--;
    }
    return count > 0;
}

/* Distances and parents together, and each alone. */
static void check_distances(const struct pwgraph *graph, struct pwgraph_search *search,
                            uint32_t node, enum pwgraph_direction direction, unsigned which)
{
    uint32_t *hops = which != 1 ? found_hops : NULL, *parents = which > 0 ? found_parents : NULL;
    found_hops[right.nodes] = found_parents[right.nodes] = 77;
    ck_assert_msg(
        pwgraph_search_distances(search, node, direction, hops, parents, right.nodes, &error), "%s",
        error.text);
    require(found_hops[right.nodes] == 77 && found_parents[right.nodes] == 77);
    require(hops == NULL || memcmp(hops, right.hops, right.nodes * sizeof(*hops)) == 0);
    for (uint32_t u = 0; parents != NULL && u < right.nodes; u++) {
        const uint32_t parent = parents[u];
        uint64_t count;
        if (right.hops[u] == PWGRAPH_NONE || right.hops[u] == 0) {
            require_equal(parent, PWGRAPH_NONE);
            continue;
        }
        require(parent < right.nodes && right.hops[parent] + 1 == right.hops[u]);
        const uint32_t *list = direction == PWGRAPH_FROM ? pwgraph_out(graph, parent, &count)
                                                         : pwgraph_in(graph, parent, &count);
        require(has(list, count, u));
    }
    require_equal(pwgraph_search_counts(search).nodes, right.reached);
}

static void check_levels(struct pwgraph_search *search, const uint32_t *sources,
                         size_t source_count, enum pwgraph_direction direction, uint32_t hops_max,
                         enum pwgraph_level_order order)
{
    struct pwgraph_levels levels;
    ck_assert_msg(pwgraph_search_levels(search, sources, source_count, direction, hops_max, order,
                                        &levels, &error),
                  "%s", error.text);
    const size_t reached = levels.begins[levels.level_count];
    require_equal(reached, right.reached);
    require_equal(levels.begins[0], 0);
    for (size_t level = 0; level < levels.level_count; level++) {
        require(levels.begins[level] < levels.begins[level + 1]);
        for (size_t i = levels.begins[level]; i < levels.begins[level + 1]; i++) {
            require_equal(right.hops[levels.nodes[i]], level);
            found_hops[levels.nodes[i]] = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < reached; i++) { /* no node twice */
        require_equal(found_hops[levels.nodes[i]], i);
        require(order == PWGRAPH_ANY_ORDER || levels.nodes[i] == right.queue[i]);
    }
    require((levels.found_from != NULL) == (order == PWGRAPH_QUEUE_TREE));
    for (size_t i = reached > 0 ? levels.begins[1] : 0; order == PWGRAPH_QUEUE_TREE && i < reached;
         i++) {
        require_equal(levels.found_from[i], right.from[i]);
    }
}

/* Ask a search everything, in both directions, and with one or several sources. */
static void check_search(struct rng *rng, const struct pwgraph *graph,
                         struct pwgraph_search *search, const uint32_t *avoided,
                         size_t avoided_count)
{
    uint32_t sources[SOURCES_MAX], reached;
    for (unsigned i = 0; i < 6; i++) {
        const enum pwgraph_direction direction = i % 2 ? PWGRAPH_TO : PWGRAPH_FROM;
        const size_t count = i < 4 ? 1 : 1 + random_below(rng, SOURCES_MAX);
        const uint32_t hops_max = i == 3 ? (uint32_t)random_below(rng, 5) : PWGRAPH_NONE;
        for (size_t k = 0; k < count; k++) {
            sources[k] = (uint32_t)random_below(rng, right.nodes);
        }
        judge(graph, sources, count, direction, hops_max, avoided, avoided_count);
        for (int order = PWGRAPH_ANY_ORDER; order <= PWGRAPH_QUEUE_TREE; order++) {
            check_levels(search, sources, count, direction, hops_max,
                         (enum pwgraph_level_order)order);
        }
        if (i < 3) {
            check_distances(graph, search, sources[0], direction, i);
        }
        if (i == 0) {
            ck_assert(pwgraph_search_reached(search, sources[0], UINT64_MAX, &reached, &error));
            ck_assert_uint_eq(reached, right.reached);
        }
    }
}

START_TEST(whole_graph_answers_hold_with_any_number_of_threads)
{
    struct rng rng = random_start("whole-graph answers");
    for (unsigned round = 0; round < random_share(4 * SHAPES); round++) {
        const uint32_t most = round % 3 == 0 ? 100 : NODES_MAX;
        const uint32_t nodes = 1 + (uint32_t)random_below(&rng, most);
        struct pwgraph *graph = draw(&rng, (enum shape)(round % SHAPES), nodes);
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
        for (unsigned threads = 1; threads <= 4; threads++) {
            uint32_t avoided[AVOIDED_MAX];
            const size_t count = threads % 2 ? 0 : random_below(&rng, AVOIDED_MAX + 1);
            for (size_t i = 0; i < count; i++) {
                avoided[i] = (uint32_t)random_below(&rng, nodes);
            }
            ck_assert(pwgraph_search_avoid(search, avoided, count, &error));
            ck_assert(pwgraph_search_threads(search, threads, &error));
            check_search(&rng, graph, search, avoided, count);
        }
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

START_TEST(levels_end_by_their_limits_and_refuse_what_is_wrong)
{
    const uint32_t nodes[] = {1, 9, 2};
    struct pwgraph *graph = open_text("0 1\n1 2\n2 3\n", NULL);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
    struct pwgraph_levels levels;
    volatile int flag = 1;
    ck_assert(!pwgraph_search_levels(search, nodes, 2, PWGRAPH_FROM, 9, PWGRAPH_ANY_ORDER, &levels,
                                     &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(!pwgraph_search_levels(search, nodes, 1, (enum pwgraph_direction)2, 9,
                                     PWGRAPH_ANY_ORDER, &levels, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(!pwgraph_search_levels(search, nodes, 1, PWGRAPH_TO, 9, (enum pwgraph_level_order)3,
                                     &levels, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(levels.level_count == 0 && levels.nodes == NULL);
    ck_assert(!pwgraph_search_threads(search, 1025, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(pwgraph_search_levels(search, NULL, 0, PWGRAPH_FROM, 9, PWGRAPH_QUEUE_TREE, &levels,
                                    &error));
    ck_assert(levels.level_count == 0 && levels.begins[0] == 0);
    ck_assert(pwgraph_search_avoid(search, nodes, 1, &error));
    ck_assert(pwgraph_search_levels(search, nodes, 1, PWGRAPH_FROM, 9, PWGRAPH_ANY_ORDER, &levels,
                                    &error));
    ck_assert(levels.level_count == 0 && levels.begins[0] == 0);
    ck_assert(pwgraph_search_avoid(search, NULL, 0, &error));
    pwgraph_search_limit(search, 0, &flag);
    ck_assert(!pwgraph_search_levels(search, nodes, 1, PWGRAPH_FROM, 9, PWGRAPH_QUEUE_ORDER,
                                     &levels, &error));
    assert_code(PWGRAPH_CANCELLED);
    ck_assert(levels.level_count == 1 && levels.nodes[0] == 1); /* the node itself */
    pwgraph_search_limit(search, 1, NULL);
    ck_assert(!pwgraph_search_levels(search, nodes, 1, PWGRAPH_FROM, 9, PWGRAPH_ANY_ORDER, &levels,
                                     &error));
    assert_code(PWGRAPH_TIMED_OUT);
    pwgraph_search_limit(search, 0, NULL);
    ck_assert(pwgraph_search_levels(search, nodes, 1, PWGRAPH_FROM, 1, PWGRAPH_ANY_ORDER, &levels,
                                    &error));
    ck_assert(levels.level_count == 2 && levels.nodes[1] == 2);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

/* What was reached when the time was over is right, and everything else is said to be not reached:
 * limits that end a walk at many of its levels. */
START_TEST(a_walk_that_ends_early_says_what_it_has_reached)
{
    struct rng rng = random_start("walks that end early");
    struct pwgraph *graph = draw(&rng, GRID, NODES_MAX);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, &error);
    const uint32_t source = 0;
    judge(graph, &source, 1, PWGRAPH_FROM, PWGRAPH_NONE, NULL, 0);
    for (uint64_t limit_ns = 1; limit_ns < 100000000; limit_ns += 1 + limit_ns / 8) {
        pwgraph_search_limit(search, limit_ns, NULL);
        const bool done = pwgraph_search_distances(search, source, PWGRAPH_FROM, found_hops,
                                                   found_parents, NODES_MAX, &error);
        size_t reached = 0;
        for (uint32_t u = 0; u < NODES_MAX; u++) {
            if (found_hops[u] != PWGRAPH_NONE) {
                reached++;
                require_equal(found_hops[u], right.hops[u]);
                require((found_parents[u] == PWGRAPH_NONE) == (u == source));
            } else {
                require_equal(found_parents[u], PWGRAPH_NONE);
            }
        }
        require(reached > 0 && (!done || reached == right.reached));
    }
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

int main(void)
{
    return suite_run("library_levels", NULL, fixture_remove_folder,
                     (const TTest *[]){whole_graph_answers_hold_with_any_number_of_threads,
                                       levels_end_by_their_limits_and_refuse_what_is_wrong,
                                       a_walk_that_ends_early_says_what_it_has_reached, NULL});
}
