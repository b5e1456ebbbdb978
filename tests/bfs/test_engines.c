/*
 * test_engines.c - every engine gives the right answer: found and hops, for any graph, threads or
 * order of searches; three of them to the last count.
 */
#include "base/macros.h"
#include "bfs/engines/engines.h"
#include "bfs/search/direction.h"
#include "liblist/linked_list_more.h"
#include "tests/support/random_graph.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <stdio.h>

#define SMALL_GRAPHS 1500
#define SEARCHES     8

static void seed_random(void)
{
    graph_rng = random_start("engines");
}

static struct random_graph small_graph(void)
{
    uint32_t nodes = 1 + draw(draw(4) == 0 ? 200 : 12);
    uint32_t edges = draw(nodes * (1 + draw(6)) + 1);
    return random_graph_create(draw(2), nodes, edges, draw(2) == 0);
}

/* A pair; some are a node and itself, and some have the first and last ids. */
static struct pair random_pair(const struct graph *graph)
{
    struct pair pair = {random_node(graph, false), random_node(graph, false)};
    switch (draw(6)) {
    case 0:
        pair.target = pair.source;
        break;
    case 1:
        pair.source = graph->first_node;
        pair.target = graph->node_limit - 1;
        break;
    case 2:
        pair.source = graph->node_limit - 1;
        pair.target = graph->first_node;
        break;
    default:
        break;
    }
    return pair;
}

static void assert_answer(const struct search_engine *engine, struct pair pair, uint32_t expected,
                          const struct search_result *result)
{
    require_msg(result->status == SEARCH_DONE, "%s: %u to %u: status %d", engine->name, pair.source,
                pair.target, (int)result->status);
    require_msg(result->found == (expected != SEARCH_HOPS_NONE) && result->hops == expected,
                "%s: %u to %u: found %d in %u hops, expected %u", engine->name, pair.source,
                pair.target, (int)result->found, result->hops, expected);
}

/* Search with one engine, and compare the answer and the path. */
static void check_search(const struct search_engine *engine, void *workspace,
                         const struct random_graph *made, struct pair pair, uint32_t expected)
{
    struct search_result result;
    engine->search(workspace, pair.source, pair.target, NULL, &result);
    assert_answer(engine, pair, expected, &result);
    require_msg(engine->check(workspace), "%s: %u to %u: an unsound workspace", engine->name,
                pair.source, pair.target);
    uint32_t *nodes = malloc(((size_t)made->graph.node_limit + 1) * sizeof(*nodes));
    require(nodes != NULL);
    require(engine->path(workspace, nodes, (size_t)result.hops + 1) == result.found);
    if (result.found) {
        assert_path(&made->graph, pair.source, pair.target, result.hops, nodes);
    }
    free(nodes);
}

/* Searches with all engines, one workspace each, so that one search follows on another. */
static void check_graph(const struct random_graph *made, unsigned threads)
{
    void *workspaces[16];
    const struct search_engine *const *engines = search_engines();
    for (size_t i = 0; engines[i] != NULL; i++) {
        workspaces[i] = engines[i]->create(&made->graph, NULL);
        require(workspaces[i] != NULL);
        if (threads > 1 && engines[i]->set_threads != NULL) {
            require(engines[i]->set_threads(workspaces[i], threads));
        }
    }
    for (int round = 0; round < SEARCHES; round++) {
        struct pair pair = random_pair(&made->graph);
        uint32_t *hops = distances_from(made, pair.source);
        for (size_t i = 0; engines[i] != NULL; i++) {
            check_search(engines[i], workspaces[i], made, pair, hops[pair.target]);
        }
        free(hops);
    }
    for (size_t i = 0; engines[i] != NULL; i++) {
        engines[i]->destroy(workspaces[i]);
    }
}

START_TEST(every_engine_agrees_with_the_edge_list_on_thousands_of_small_graphs)
{
    seed_random();
    for (size_t left = random_share(SMALL_GRAPHS); left > 0; left--) {
        struct random_graph made = small_graph();
        check_graph(&made, 1);
        random_graph_free(&made);
    }
}
END_TEST

START_TEST(every_engine_agrees_on_graphs_wide_enough_for_dense_frontiers)
{
    static const unsigned threads[] = {1, 2, 7};
    seed_random();
    for (size_t i = 0; i < 6; i++) {
        struct random_graph made =
            random_graph_create((uint32_t)(i % 2), 20000, i < 3 ? 120000 : 40000, i % 2 == 0);
        check_graph(&made, threads[i % 3]);
        random_graph_free(&made);
    }
}
END_TEST

START_TEST(every_engine_agrees_on_a_chain_as_long_as_the_graph)
{
    enum { NODES = 3000 };
    struct random_graph made = random_graph_create(0, NODES, NODES - 1, false);
    for (uint32_t u = 0; u < NODES; u++) { /* u -> u + 1, the ids scattered by 7 u mod NODES */
        made.graph.offsets[u] = u;
    }
    made.graph.offsets[NODES] = NODES - 1;
    for (uint32_t u = 0; u + 1 < NODES; u++) {
        made.sources[u] = u;
        made.graph.neighbours[u] = u + 1;
    }
    random_graph_add_reverse(&made);
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        void *workspace = (*engine)->create(&made.graph, NULL);
        check_search(*engine, workspace, &made, (struct pair){0, NODES - 1}, NODES - 1);
        check_search(*engine, workspace, &made, (struct pair){1, 0}, SEARCH_HOPS_NONE);
        (*engine)->destroy(workspace);
    }
    random_graph_free(&made);
}
END_TEST

START_TEST(every_engine_finds_the_one_way_on_from_a_level_of_dead_ends)
{
    enum { FAN = 200, WAY_ON = 2, BEYOND = 201, TARGET = 202, NODES = 600 };
    struct random_graph made = random_graph_begin(0, NODES, FAN + 2 + (NODES - TARGET - 1));
    for (uint32_t u = 0; u < NODES; u++) { /* many nodes lead to the target, none can be reached */
        made.graph.offsets[u + 1] = u == 0 ? FAN : u == WAY_ON || u == BEYOND || u > TARGET;
    }
    random_graph_end(&made, false);
    for (uint64_t i = 0; i < made.graph.edge_count; i++) {
        made.graph.neighbours[i] = i < FAN ? (uint32_t)i + 1 : i == FAN ? BEYOND : TARGET;
    }
    random_graph_add_reverse(&made);
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        void *workspace = (*engine)->create(&made.graph, NULL);
        check_search(*engine, workspace, &made, (struct pair){0, TARGET}, 3);
        (*engine)->destroy(workspace);
    }
    random_graph_free(&made);
}
END_TEST

START_TEST(every_engine_agrees_where_one_row_is_longer_than_any_buffer)
{
    enum { NODES = 12000, LONG_ROW = 20000, DEGREE = 1 };
    seed_random();
    struct random_graph made = random_graph_begin(0, NODES, LONG_ROW + (NODES - 1) * DEGREE);
    for (uint32_t u = 0; u < NODES; u++) {
        made.graph.offsets[u + 1] = u == 0 ? LONG_ROW : DEGREE;
    }
    random_graph_end(&made, false);
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        void *workspace = (*engine)->create(&made.graph, NULL);
        for (uint32_t i = 0; i < SEARCHES; i++) {
            struct pair pair = {i % 2 == 0 ? 0 : draw(NODES), draw(NODES)};
            uint32_t *hops = distances_from(&made, pair.source);
            check_search(*engine, workspace, &made, pair, hops[pair.target]);
            free(hops);
        }
        (*engine)->destroy(workspace);
    }
    random_graph_free(&made);
}
END_TEST

START_TEST(a_batch_gives_each_pair_the_answer_of_its_own_search)
{
    static const uint32_t counts[] = {1, 63, 64, 65, 130, 300, 1100};
    seed_random();
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        struct random_graph made = random_graph_create(i % 2, 400, 700, i % 3 == 0);
        struct pair *pairs = malloc(counts[i] * sizeof(*pairs));
        struct search_result *results = malloc(counts[i] * sizeof(*results));
        uint32_t *expected = malloc(counts[i] * sizeof(*expected));
        ck_assert(pairs != NULL && results != NULL && expected != NULL);
        for (uint32_t j = 0; j < counts[i]; j++) {
            pairs[j] = random_pair(&made.graph);
            uint32_t *hops = distances_from(&made, pairs[j].source);
            expected[j] = hops[pairs[j].target];
            free(hops);
        }
        for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
            if ((*engine)->batch == NULL) {
                continue;
            }
            void *workspace = (*engine)->create(&made.graph, NULL);
            ck_assert((*engine)->set_threads(workspace, 1 + (unsigned)i % 3));
            for (int again = 0; again < 2; again++) {
                (*engine)->batch(workspace, pairs, counts[i], NULL, results);
                for (uint32_t j = 0; j < counts[i]; j++) {
                    assert_answer(*engine, pairs[j], expected[j], &results[j]);
                }
            }
            (*engine)->destroy(workspace);
        }
        free(pairs);
        free(results);
        free(expected);
        random_graph_free(&made);
    }
}
END_TEST

/*
 * Every node but the hubs leads to hubs only, so the second level is a few hubs with most
 * of the edges: small in nodes, cheaper bottom up. Nothing leads to the upper half of the nodes.
 */
static struct random_graph few_hubs(void)
{
    enum { NODES = 6000, HUBS = 40, HUB_DEGREE = 3000, DEGREE = 20 };
    struct random_graph made =
        random_graph_begin(0, NODES, HUBS * HUB_DEGREE + (NODES - HUBS) * DEGREE);
    for (uint32_t u = 0; u < NODES; u++) {
        made.graph.offsets[u + 1] = u < HUBS ? HUB_DEGREE : DEGREE;
    }
    random_graph_end(&made, false);
    for (uint64_t i = 0; i < made.graph.edge_count; i++) {
        made.graph.neighbours[i] = draw(i < made.graph.offsets[HUBS] ? NODES / 2 : HUBS);
    }
    random_graph_add_reverse(&made);
    return made;
}

/* Check that two workspaces return the same path for the last search of both. */
static void assert_same_path(const struct search_engine *engine, void *left, void *right,
                             const struct search_result *result)
{
    const size_t count = result->found ? (size_t)result->hops + 1 : 0;
    uint32_t *paths[2] = {calloc(count + 1, sizeof(uint32_t)), calloc(count + 1, sizeof(uint32_t))};
    require(paths[0] != NULL && paths[1] != NULL);
    require(engine->path(left, paths[0], count) == result->found);
    require(engine->path(right, paths[1], count) == result->found);
    require_msg(memcmp(paths[0], paths[1], count * sizeof(uint32_t)) == 0, "%s", engine->name);
    free(paths[0]);
    free(paths[1]);
}

static void check_counts_with_threads(const struct random_graph *made, int searches)
{
    static const unsigned threads[] = {2, 7};
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        if ((*engine)->set_threads == NULL) {
            continue;
        }
        void *alone = (*engine)->create(&made->graph, NULL);
        void *together = (*engine)->create(&made->graph, alone);
        require(alone != NULL && together != NULL);
        for (int i = 0; i < searches; i++) {
            struct pair pair = random_pair(&made->graph);
            struct search_result one, many;
            (*engine)->search(alone, pair.source, pair.target, NULL, &one);
            require((*engine)->set_threads(together, threads[i % 2]));
            (*engine)->search(together, pair.source, pair.target, NULL, &many);
            one.elapsed_ns = many.elapsed_ns = 0;
            require_msg(one.found == many.found && one.hops == many.hops &&
                            one.visited == many.visited && one.expanded == many.expanded &&
                            one.pushed == many.pushed && one.peak_queue == many.peak_queue &&
                            one.edges == many.edges,
                        "%s: %u to %u with %u threads", (*engine)->name, pair.source, pair.target,
                        threads[i % 2]);
            assert_same_path(*engine, alone, together, &one);
        }
        (*engine)->destroy(together);
        (*engine)->destroy(alone);
    }
}

/* Levels of 256 nodes and more, which are less than 1 in 512 of all, are divided but not dense. */
START_TEST(a_sparse_level_that_threads_divide_has_the_same_counts_and_paths)
{
    struct random_graph made = layered_graph(300, 600);
    seed_random();
    check_counts_with_threads(&made, 4);
    random_graph_free(&made);
}
END_TEST

/* Node 0 leads to a layer, each node of which leads to all of the next; those lead to one node. */
START_TEST(a_node_that_all_searches_have_reached_looks_at_no_more_edges)
{
    enum { WIDTH = 300, NODES = 2 * WIDTH + 2, SEARCHES_AT_ONCE = 64 };
    struct random_graph made = random_graph_begin(0, NODES, WIDTH + WIDTH * WIDTH + WIDTH);
    for (uint32_t u = 0; u <= 2 * WIDTH; u++) {
        made.graph.offsets[u + 1] = u > WIDTH ? 1 : WIDTH;
    }
    random_graph_end(&made, false);
    for (uint64_t i = 0; i < made.graph.edge_count; i++) {
        made.graph.neighbours[i] = i < WIDTH                   ? 1 + (uint32_t)i
                                   : i < WIDTH + WIDTH * WIDTH ? 1 + WIDTH + (uint32_t)(i % WIDTH)
                                                               : NODES - 1;
    }
    random_graph_add_reverse(&made);
    struct pair pairs[SEARCHES_AT_ONCE];
    struct search_result results[SEARCHES_AT_ONCE];
    for (uint32_t i = 0; i < SEARCHES_AT_ONCE; i++) {
        pairs[i] = (struct pair){0, NODES - 1};
    }
    void *workspace = multi_source_engine.create(&made.graph, NULL);
    ck_assert_ptr_nonnull(workspace);
    multi_source_engine.batch(workspace, pairs, SEARCHES_AT_ONCE, NULL, results);
    uint64_t edges = 0;
    for (uint32_t i = 0; i < SEARCHES_AT_ONCE; i++) {
        assert_answer(&multi_source_engine, pairs[i], 3, &results[i]);
        edges += results[i].edges;
    }
    ck_assert_uint_gt(edges, WIDTH);
    ck_assert_uint_lt(edges,
                      10 * WIDTH); /* one in-neighbour answers all, of WIDTH that there are */
    multi_source_engine.destroy(workspace);
    random_graph_free(&made);
}
END_TEST

START_TEST(counts_and_paths_do_not_depend_on_the_number_of_threads)
{
    seed_random();
    struct random_graph made = random_graph_create(1, 30000, 200000, true);
    check_counts_with_threads(&made, 40);
    random_graph_free(&made);
    made = few_hubs();
    check_counts_with_threads(&made, 40);
    random_graph_free(&made);
}
END_TEST

/* The rules of the challenge's search, step by step, on a plain array. */
static struct search_result count_by_the_rules(const struct graph *graph, struct pair pair)
{
    struct search_result result = {.hops = SEARCH_HOPS_NONE};
    bool *visited = calloc((size_t)graph->node_limit, sizeof(*visited));
    uint32_t *queue = malloc(((size_t)graph->edge_count + 1) * sizeof(*queue));
    size_t head = 0, tail = 0;
    uint32_t current = pair.source;
    require(visited != NULL && queue != NULL);
    for (;;) {
        while (graph_out_degree(graph, current) == 0 || visited[current]) {
            result.visited++;
            if (head == tail) {
                goto done;
            }
            current = queue[head++];
        }
        visited[current] = true;
        result.expanded++;
        for (uint64_t i = graph->offsets[current]; i < graph->offsets[current + 1]; i++) {
            queue[tail++] = graph->neighbours[i];
            result.pushed++;
            result.found |= graph->neighbours[i] == pair.target;
        }
        if (tail - head > result.peak_queue) {
            result.peak_queue = tail - head;
        }
        if (head == tail) {
            break;
        }
        current = queue[head++];
        result.visited++;
        if (result.found) {
            break;
        }
    }
done:
    free(visited);
    free(queue);
    return result;
}

static void check_exact_counts(const struct search_engine *engine, const struct graph *graph)
{
    void *workspace = engine->create(graph, NULL);
    for (int i = 0; i < SEARCHES; i++) {
        struct pair pair = random_pair(graph);
        struct search_result expected = count_by_the_rules(graph, pair);
        struct search_result result;
        engine->search(workspace, pair.source, pair.target, NULL, &result);
        require_equal(result.found, expected.found);
        require_equal(result.visited, expected.visited);
        require_equal(result.expanded, expected.expanded);
        require_equal(result.pushed, expected.pushed);
        require_equal(result.peak_queue, expected.peak_queue);
    }
    engine->destroy(workspace);
}

START_TEST(exact_counts_follow_the_rules_of_the_challenge)
{
    seed_random();
    for (size_t left = random_share(SMALL_GRAPHS); left > 0; left--) {
        struct random_graph made = small_graph();
        for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
            if ((*engine)->flags & SEARCH_EXACT_COUNTS) {
                check_exact_counts(*engine, &made.graph);
            }
        }
        random_graph_free(&made);
    }
}
END_TEST

START_TEST(a_search_that_is_cancelled_or_late_says_so_and_the_next_one_is_whole)
{
    seed_random();
    struct random_graph made = random_graph_create(0, 100000, 400000, false);
    const volatile sig_atomic_t cancel = 1;
    const struct search_limits cancelled = {.cancel = &cancel};
    const struct search_limits late = {.timeout_ns = 1};
    struct pair pair = {0, 1};
    for (uint32_t u = 0; u < 100000; u++) { /* a target that is never reached, a wide source */
        if (made.graph.in_offsets[u + 1] == made.graph.in_offsets[u]) {
            pair.target = u;
        }
        if (graph_out_degree(&made.graph, u) > graph_out_degree(&made.graph, pair.source)) {
            pair.source = u;
        }
    }
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        if (strcmp((*engine)->name, "bidirectional") == 0) {
            continue; /* it knows at once that nothing leads to the target */
        }
        void *workspace = (*engine)->create(&made.graph, NULL);
        struct search_result result;
        (*engine)->search(workspace, pair.source, pair.target, &cancelled, &result);
        ck_assert_msg(result.status == SEARCH_CANCELLED, "%s", (*engine)->name);
        (*engine)->search(workspace, pair.source, pair.target, &late, &result);
        ck_assert_msg(result.status == SEARCH_TIMED_OUT, "%s", (*engine)->name);
        (*engine)->search(workspace, pair.source, pair.target, NULL, &result);
        ck_assert_msg(result.status == SEARCH_DONE && !result.found, "%s", (*engine)->name);
        (*engine)->destroy(workspace);
    }
    random_graph_free(&made);
}
END_TEST

/* 0 leads to the next fan nodes, each of which leads to a dead end of its own. */
static struct random_graph fan_graph(uint32_t fan, bool dead)
{
    struct random_graph made = random_graph_begin(0, 2 * fan + 2, dead ? fan : 2 * fan);
    for (uint32_t u = 0; u < made.graph.node_limit; u++) {
        made.graph.offsets[u + 1] = u == 0 ? fan : u <= fan && !dead;
    }
    random_graph_end(&made, false);
    for (uint64_t i = 0; i < made.graph.edge_count; i++) {
        made.graph.neighbours[i] = (uint32_t)i + 1;
    }
    random_graph_add_reverse(&made);
    return made;
}

START_TEST(the_queue_of_a_search_peaks_at_what_it_held)
{
    enum { FAN = 5 };
    for (int dead = 0; dead < 2; dead++) {
        struct random_graph made = fan_graph(FAN, dead);
        for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
            if ((*engine)->flags & (SEARCH_USES_LIST | SEARCH_EXACT_COUNTS)) {
                const bool pushes_dead_ends = (*engine)->flags & SEARCH_EXACT_COUNTS;
                void *workspace = (*engine)->create(&made.graph, NULL);
                struct search_result result;
                (*engine)->search(workspace, 0, made.graph.node_limit - 1, NULL, &result);
                ck_assert(!result.found);
                ck_assert_msg(result.peak_queue == (dead && !pushes_dead_ends ? 0 : FAN),
                              "%s: peak %llu", (*engine)->name,
                              (unsigned long long)result.peak_queue);
                (*engine)->destroy(workspace);
            }
        }
        random_graph_free(&made);
    }
}
END_TEST

START_TEST(a_search_through_sparse_frontiers_notices_that_it_is_cancelled)
{
    enum { NODES = 200000 };
    const volatile sig_atomic_t cancel = 1;
    const struct search_limits limits = {.cancel = &cancel};
    struct random_graph made = random_graph_begin(0, NODES, NODES - 1);
    for (uint32_t u = 0; u < NODES; u++) { /* u -> u + 1 */
        made.graph.offsets[u + 1] = u + 1 < NODES;
    }
    random_graph_end(&made, false);
    for (uint32_t u = 0; u + 1 < NODES; u++) {
        made.graph.neighbours[u] = u + 1;
    }
    random_graph_add_reverse(&made);
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        void *workspace = (*engine)->create(&made.graph, NULL);
        struct search_result result;
        (*engine)->search(workspace, 0, NODES - 1, &limits, &result);
        ck_assert_msg(result.status == SEARCH_CANCELLED, "%s: status %d", (*engine)->name,
                      (int)result.status);
        (*engine)->destroy(workspace);
    }
    random_graph_free(&made);
}
END_TEST

static uint64_t requests_granted; /* further requests for memory that succeed */

static void *malloc_running_out(size_t size)
{
    return requests_granted-- > 0 ? malloc(size) : (requests_granted = 0, NULL);
}

static void count_call(void *context)
{
    ++*(int *)context;
}

START_TEST(a_search_out_of_memory_says_so_ends_its_region_and_frees_everything)
{
    struct random_graph made = random_graph_create(0, 3000, 12000, false);
    int begun = 0;
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        if (!((*engine)->flags & (SEARCH_USES_LIST | SEARCH_EXACT_COUNTS))) {
            continue;
        }
        void *workspace = (*engine)->create(&made.graph, NULL);
        struct search_result whole, result = {.status = SEARCH_NO_MEMORY};
        (*engine)->search(workspace, 0, 1, NULL, &whole);
        ck_assert(linked_list_register_malloc(malloc_running_out));
        for (uint64_t k = 0; result.status != SEARCH_DONE; k += k < 20 ? 1 : k / 2) {
            struct search_region region = {count_call, count_call, &begun};
            const struct search_limits limits = {.region = &region};
            begun = 0;
            requests_granted = k;
            (*engine)->search(workspace, 0, 1, &limits, &result);
            ck_assert_int_eq(begun, 2);
            ck_assert_uint_eq(linked_list_live_nodes(), 0);
            ck_assert(result.status == SEARCH_NO_MEMORY || result.status == SEARCH_DONE);
            ck_assert_msg((*engine)->check(workspace), "%s: %llu requests", (*engine)->name,
                          (unsigned long long)k);
            ck_assert(result.found == (result.status == SEARCH_DONE && whole.found));
        }
        ck_assert_uint_eq(result.hops, whole.hops);
        ck_assert_uint_eq(result.visited, whole.visited);
        ck_assert_uint_eq(result.pushed, whole.pushed);
        ck_assert_uint_eq(result.peak_queue, whole.peak_queue);
        ck_assert(linked_list_register_malloc(malloc));
        (*engine)->destroy(workspace);
    }
    random_graph_free(&made);
}
END_TEST

START_TEST(there_is_no_path_of_a_search_that_found_none)
{
    const volatile sig_atomic_t cancel = 1;
    const struct search_limits limits = {.cancel = &cancel};
    struct random_graph made = fan_graph(3, false);
    uint32_t nodes[8];
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        void *workspace = (*engine)->create(&made.graph, NULL);
        struct search_result result;
        ck_assert_msg(!(*engine)->path(workspace, nodes, COUNT_OF(nodes)), "%s: before a search",
                      (*engine)->name);
        (*engine)->search(workspace, 0, 6, NULL, &result);
        ck_assert(result.found && (*engine)->path(workspace, nodes, COUNT_OF(nodes)));
        (*engine)->search(workspace, 0, 7, NULL, &result);
        ck_assert(!result.found && !(*engine)->path(workspace, nodes, COUNT_OF(nodes)));
        (*engine)->search(workspace, 0, 6, &limits, &result);
        ck_assert_msg((*engine)->path(workspace, nodes, COUNT_OF(nodes)) == result.found,
                      "%s: after a cut one", (*engine)->name);
        (*engine)->destroy(workspace);
    }
    random_graph_free(&made);
}
END_TEST

START_TEST(engines_have_names_of_their_own_and_say_what_they_change_and_keep)
{
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        ck_assert_ptr_eq(search_engine_find((*engine)->name), *engine);
        ck_assert(strlen((*engine)->summary) > 0 && strlen((*engine)->changes) > 0 &&
                  strlen((*engine)->keeps) > 0);
        ck_assert((*engine)->create != NULL && (*engine)->path != NULL && (*engine)->check != NULL);
    }
    ck_assert_ptr_null(search_engine_find("quantum"));
}
END_TEST

/* 0 leads to 5 nodes, and all of these to the first of a chain: the queue is longest early. */
START_TEST(a_queue_that_gets_shorter_keeps_its_peak)
{
    struct random_graph made = random_graph_begin(0, 14, 16);
    for (uint32_t u = 0; u < made.graph.node_limit; u++) {
        made.graph.offsets[u + 1] = u == 0 ? 5 : u < 12;
    }
    random_graph_end(&made, false);
    for (uint32_t i = 0; i < 16; i++) {
        made.graph.neighbours[i] = i < 5 ? i + 1 : i < 10 ? 6 : i - 3;
    }
    random_graph_add_reverse(&made);
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        if ((*engine)->flags & (SEARCH_USES_LIST | SEARCH_EXACT_COUNTS)) {
            void *workspace = (*engine)->create(&made.graph, NULL);
            struct search_result result;
            (*engine)->search(workspace, 0, 13, NULL, &result);
            ck_assert(!result.found);
            ck_assert_msg(result.peak_queue == 5, "%s: peak %llu", (*engine)->name,
                          (unsigned long long)result.peak_queue);
            (*engine)->destroy(workspace);
        }
    }
    random_graph_free(&made);
}
END_TEST

START_TEST(a_dense_frontier_is_expanded_bottom_up_and_a_sparse_one_top_down)
{
    struct direction_state state = {.candidates = 1000000, .all_edges = 12000000};
    state.nodes = 100;
    state.edges = 1200;
    state.reached = 200;
    ck_assert(!direction_is_bottom_up(&state));
    state.nodes = 400000;
    state.edges = 6000000;
    state.reached = 600000;
    ck_assert(direction_is_bottom_up(&state));
    state.gathering = 1e9; /* so expensive that it stays top down */
    ck_assert(!direction_is_bottom_up(&state));
}
END_TEST

START_TEST(bottom_up_begins_earlier_if_parents_are_wanted)
{
    struct direction_state state = {.nodes = 30000,
                                    .edges = 700000,
                                    .reached = 45000,
                                    .candidates = 160000,
                                    .all_edges = 2100000};
    ck_assert(!direction_is_bottom_up(&state));
    state.wants_parents = true;
    ck_assert(direction_is_bottom_up(&state));
}
END_TEST

int main(void)
{
    return suite_run(
        "engines", NULL, NULL,
        (const TTest *[]){every_engine_agrees_with_the_edge_list_on_thousands_of_small_graphs,
                          every_engine_agrees_on_graphs_wide_enough_for_dense_frontiers,
                          every_engine_agrees_on_a_chain_as_long_as_the_graph,
                          every_engine_finds_the_one_way_on_from_a_level_of_dead_ends,
                          every_engine_agrees_where_one_row_is_longer_than_any_buffer,
                          a_batch_gives_each_pair_the_answer_of_its_own_search,
                          a_node_that_all_searches_have_reached_looks_at_no_more_edges,
                          counts_and_paths_do_not_depend_on_the_number_of_threads,
                          a_sparse_level_that_threads_divide_has_the_same_counts_and_paths,
                          exact_counts_follow_the_rules_of_the_challenge,
                          a_search_that_is_cancelled_or_late_says_so_and_the_next_one_is_whole,
                          the_queue_of_a_search_peaks_at_what_it_held,
                          a_queue_that_gets_shorter_keeps_its_peak,
                          a_dense_frontier_is_expanded_bottom_up_and_a_sparse_one_top_down,
                          bottom_up_begins_earlier_if_parents_are_wanted,
                          a_search_through_sparse_frontiers_notices_that_it_is_cancelled,
                          a_search_out_of_memory_says_so_ends_its_region_and_frees_everything,
                          there_is_no_path_of_a_search_that_found_none,
                          engines_have_names_of_their_own_and_say_what_they_change_and_keep,
                          NULL});
}
