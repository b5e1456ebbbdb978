/*
 * test_library_search.c - searches of libpwgraph: many pairs, all distances, nodes to avoid,
 * limits; and threads that share the lists' allocator. The judge is a search over the list of
 * edges.
 */
#include "base/macros.h"
#include "liblist/linked_list_more.h"
#include "tests/support/drawn_graph.h"
#include <pthread.h>

static bool has_edge(const struct pwgraph *graph, uint32_t from, uint32_t to)
{
    uint64_t count;
    const uint32_t *list = pwgraph_out(graph, from, &count);
    while (count > 0 && list[count - 1] != to) {
        count--;
    }
    return count > 0;
}

/* Avoid some nodes, and note them for the judge. */
static void avoid_some(struct rng *rng, struct pwgraph_search *search, size_t count)
{
    uint32_t nodes[8];
    memset(drawn.avoided, 0, sizeof(drawn.avoided));
    for (size_t i = 0; i < count; i++) {
        nodes[i] = (uint32_t)random_below(rng, drawn.nodes);
        drawn.avoided[nodes[i]] = true;
    }
    ck_assert_msg(pwgraph_search_avoid(search, nodes, count, &error), "%s", error.text);
}

static void check_pair(const struct pwgraph *graph, struct pwgraph_search *search, uint32_t from,
                       uint32_t to, uint32_t wanted)
{
    uint32_t hops = 77, nodes[NODES_MAX + 1], again[NODES_MAX + 1];
    const enum pwgraph_answer answer = pwgraph_search_run(search, from, to, &hops);
    ck_assert_int_eq(answer, wanted == PWGRAPH_NONE ? PWGRAPH_NO_PATH : PWGRAPH_FOUND);
    ck_assert_int_eq(pwgraph_search_counts(search).code, PWGRAPH_OK);
    ck_assert_uint_eq(hops, wanted == PWGRAPH_NONE ? 77 : wanted);
    if (answer == PWGRAPH_FOUND) {
        ck_assert(!pwgraph_search_path(search, nodes, hops));
    }
    if (pwgraph_search_run(search, from, to, &hops) == PWGRAPH_FOUND) {
        ck_assert(pwgraph_search_path(search, again, hops + 1)); /* more than once is fine */
        ck_assert(pwgraph_search_path(search, nodes, hops + 1));
        ck_assert(memcmp(nodes, again, (hops + 1) * sizeof(*nodes)) == 0);
        ck_assert(nodes[0] == from && nodes[hops] == to);
        for (uint32_t i = 0; i <= hops; i++) {
            ck_assert(!drawn.avoided[nodes[i]]);
            ck_assert(i == 0 || has_edge(graph, nodes[i - 1], nodes[i]));
        }
    }
}

START_TEST(nodes_that_are_avoided_are_on_no_path)
{
    struct rng rng = random_start("avoided nodes");
    for (size_t left = random_share(150); left > 0; left--) {
        const uint32_t nodes = 1 + (uint32_t)random_below(&rng, 40);
        struct pwgraph *graph = draw_graph(&rng, nodes, random_below(&rng, 4 * nodes));
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
        for (int k = 0; k < 4; k++) {
            avoid_some(&rng, search, k == 2 ? 0 : random_below(&rng, 6));
            for (uint32_t from = 0; from < nodes; from += 1 + nodes / 9) {
                uint32_t wanted[NODES_MAX];
                judge(from, false, wanted);
                for (uint32_t to = 0; to < nodes; to += 1 + nodes / 9) {
                    check_pair(graph, search, from, to, wanted[to]);
                }
            }
        }
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

/* Check distances against the judge, and that each parent is one step nearer. */
static void check_distances(const struct pwgraph *graph, struct pwgraph_search *search,
                            uint32_t node, enum pwgraph_direction direction)
{
    uint32_t wanted[NODES_MAX], hops[NODES_MAX], parents[NODES_MAX];
    judge(node, direction == PWGRAPH_TO, wanted);
    wanted[node] = drawn.avoided[node] ? PWGRAPH_NONE : 0;
    ck_assert_msg(
        pwgraph_search_distances(search, node, direction, hops, parents, NODES_MAX, &error), "%s",
        error.text);
    for (uint32_t u = 0; u < drawn.nodes; u++) {
        ck_assert_uint_eq(hops[u], wanted[u]);
        if (hops[u] == PWGRAPH_NONE || u == node) {
            ck_assert_uint_eq(parents[u], PWGRAPH_NONE);
        } else {
            ck_assert_uint_eq(hops[parents[u]], hops[u] - 1);
            ck_assert(direction == PWGRAPH_TO ? has_edge(graph, u, parents[u])
                                              : has_edge(graph, parents[u], u));
        }
    }
    ck_assert(pwgraph_search_distances(search, node, direction, parents, NULL, NODES_MAX, NULL));
    ck_assert_int_eq(memcmp(parents, hops, drawn.nodes * sizeof(*hops)), 0);
}

START_TEST(distances_and_parents_hold_in_both_directions)
{
    struct rng rng = random_start("all distances");
    for (size_t i = 0; i < random_share(80); i++) {
        const uint32_t nodes = 1 + (uint32_t)random_below(&rng, NODES_MAX);
        struct pwgraph *graph = draw_graph(&rng, nodes, random_below(&rng, 4 * nodes));
        struct pwgraph_search *search = pwgraph_search_create(graph, i % 2 ? "array" : NULL, NULL);
        for (int k = 0; k < 4; k++) {
            avoid_some(&rng, search, k < 2 ? 0 : random_below(&rng, 8));
            const uint32_t node = (uint32_t)random_below(&rng, nodes);
            check_distances(graph, search, node, PWGRAPH_FROM);
            check_distances(graph, search, node, PWGRAPH_TO);
        }
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

START_TEST(many_pairs_get_the_answers_of_single_ones_with_any_engine_and_threads)
{
    enum { PAIRS = 300 };
    static const char *const engines[] = {NULL, "array", "classic", "multi-source"};
    uint32_t sources[PAIRS], targets[PAIRS], hops[PAIRS];
    struct rng rng = random_start("many pairs");
    for (unsigned i = 0; i < 24; i++) {
        const uint32_t nodes = 1 + (uint32_t)random_below(&rng, NODES_MAX);
        struct pwgraph *graph = draw_graph(&rng, nodes, random_below(&rng, 4 * nodes));
        struct pwgraph_search *search = pwgraph_search_create(graph, engines[i % 4], NULL);
        avoid_some(&rng, search, i % 3 == 2 ? 3 : 0);
        for (size_t k = 0; k < PAIRS; k++) {
            sources[k] = (uint32_t)random_below(&rng, nodes);
            targets[k] = (uint32_t)random_below(&rng, nodes);
        }
        ck_assert_msg(
            pwgraph_search_pairs(search, sources, targets, PAIRS, 1 + i % 5, hops, &error), "%s",
            error.text);
        ck_assert_int_eq(pwgraph_search_counts(search).code, PWGRAPH_OK);
        for (size_t k = 0; k < PAIRS; k++) {
            uint32_t wanted[NODES_MAX];
            judge(sources[k], false, wanted);
            ck_assert_uint_eq(hops[k], wanted[targets[k]]);
        }
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

START_TEST(many_pairs_look_at_as_much_as_single_ones_with_any_number_of_threads)
{
    enum { PAIRS = 300 };
    static const char *const engines[] = {NULL, "array", "classic"};
    static uint32_t sources[PAIRS], targets[PAIRS], hops[PAIRS];
    struct rng rng = random_start("counts of many pairs");
    struct pwgraph *graph = draw_graph(&rng, NODES_MAX, 4 * NODES_MAX);
    for (size_t k = 0; k < PAIRS; k++) {
        sources[k] = (uint32_t)random_below(&rng, NODES_MAX);
        targets[k] = (uint32_t)random_below(&rng, NODES_MAX);
    }
    for (size_t i = 0; i < COUNT_OF(engines); i++) {
        struct pwgraph_search *search = pwgraph_search_create(graph, engines[i], NULL);
        struct pwgraph_counts wanted = {0};
        for (size_t k = 0; k < PAIRS; k++) {
            ck_assert_int_ne(pwgraph_search_run(search, sources[k], targets[k], NULL),
                             PWGRAPH_FAILED);
            wanted.nodes += pwgraph_search_counts(search).nodes;
            wanted.edges += pwgraph_search_counts(search).edges;
        }
        ck_assert_uint_gt(wanted.edges, PAIRS);
        for (unsigned threads = 1; threads <= 4; threads++) {
            ck_assert(pwgraph_search_pairs(search, sources, targets, PAIRS, threads, hops, &error));
            ck_assert_uint_eq(pwgraph_search_counts(search).nodes, wanted.nodes);
            ck_assert_uint_eq(pwgraph_search_counts(search).edges, wanted.edges);
        }
        pwgraph_search_free(search);
    }
    pwgraph_free(graph);
}
END_TEST

START_TEST(an_unknown_engine_is_named_with_the_known_engines)
{
    struct pwgraph *graph = open_text("0 1\n", NULL);
    ck_assert_ptr_null(pwgraph_search_create(graph, "fast", &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert_msg(strstr(error.text, "there is no engine \"fast\"; there are plain, ") != NULL &&
                      strstr(error.text, "bidirectional") != NULL &&
                      strstr(error.text, "multi-source") != NULL,
                  "%s", error.text);
    ck_assert_ptr_null(pwgraph_search_create(graph, "", NULL));
    pwgraph_free(graph);
}
END_TEST

START_TEST(the_engines_are_named_one_by_one)
{
    struct pwgraph *graph = open_text("0 1\n", NULL);
    size_t count = 0;
    for (const char *name; (name = pwgraph_engine(count)) != NULL; count++) {
        struct pwgraph_search *search = pwgraph_search_create(graph, name, &error);
        ck_assert_msg(search != NULL, "%s: %s", name, error.text);
        pwgraph_search_free(search);
    }
    ck_assert_str_eq(pwgraph_engine(0), "plain");
    ck_assert_uint_ge(count, 9);
    ck_assert_ptr_null(pwgraph_engine(SIZE_MAX));
    pwgraph_free(graph);
}
END_TEST

START_TEST(a_search_says_what_it_looked_at)
{
    struct pwgraph *graph = open_text("0 1\n1 2\n2 3\n3 4\n0 5\n", NULL);
    struct pwgraph_search *search = pwgraph_search_create(graph, "array", NULL);
    uint32_t hops[6];
    ck_assert(pwgraph_search_distances(search, 0, PWGRAPH_FROM, hops, NULL, 6, NULL));
    struct pwgraph_counts counts = pwgraph_search_counts(search);
    ck_assert(counts.nodes == 6 && counts.edges >= 5 && counts.code == PWGRAPH_OK);
    ck_assert_int_eq(pwgraph_search_run(search, 0, 4, NULL), PWGRAPH_FOUND);
    counts = pwgraph_search_counts(search);
    ck_assert(counts.nodes >= 4 && counts.edges >= 4 && counts.edges <= 5);
    ck_assert_int_eq(pwgraph_search_run(search, 0, 9, NULL), PWGRAPH_FAILED);
    ck_assert_int_eq(pwgraph_search_counts(search).code, PWGRAPH_BAD_ARGUMENT);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

START_TEST(limits_and_wrong_arguments_end_a_call_with_their_code)
{
    const uint32_t sources[] = {0, 1, 9}, targets[] = {2, 0, 0};
    volatile int cancel = 0;
    uint32_t hops[3] = {7, 7, 7};
    struct pwgraph *graph = open_text("0 1\n1 2\n", NULL);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
    ck_assert(!pwgraph_search_pairs(search, sources, targets, 3, 1, hops, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert_str_eq(error.text, "pair 2: 9 is not a node of the graph");
    ck_assert_uint_eq(hops[0], 7);
    ck_assert(!pwgraph_search_avoid(search, &sources[2], 1, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(!pwgraph_search_distances(search, 0, PWGRAPH_FROM, hops, NULL, 2, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(
        !pwgraph_search_distances(search, 0, (enum pwgraph_direction)9, hops, NULL, 3, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    pwgraph_search_limit(search, 0, &cancel);
    ck_assert(pwgraph_search_pairs(search, sources, targets, 2, 2, hops, &error));
    ck_assert(hops[0] == 2 && hops[1] == PWGRAPH_NONE);
    pwgraph_cancel(&cancel);
    ck_assert(!pwgraph_search_pairs(search, sources, targets, 2, 2, hops, &error));
    assert_code(PWGRAPH_CANCELLED);
    ck_assert(hops[0] == PWGRAPH_NOT_ASKED && hops[1] == PWGRAPH_NOT_ASKED);
    ck_assert(!pwgraph_search_distances(search, 0, PWGRAPH_FROM, hops, NULL, 3, &error));
    assert_code(PWGRAPH_CANCELLED);
    ck_assert_int_eq(pwgraph_search_run(search, 0, 1, NULL), PWGRAPH_FAILED);
    ck_assert_int_eq(pwgraph_search_counts(search).code, PWGRAPH_CANCELLED);
    pwgraph_search_limit(search, 1, NULL); /* a nanosecond is over at once */
    for (int i = 0; i < 2; i++) {          /* the next call has the limit, too */
        ck_assert(!pwgraph_search_pairs(search, sources, targets, 2, 2, hops, &error));
        assert_code(PWGRAPH_TIMED_OUT);
    }
    ck_assert(!pwgraph_search_distances(search, 0, PWGRAPH_TO, hops, NULL, 3, &error));
    assert_code(PWGRAPH_TIMED_OUT);
    pwgraph_search_limit(search, 0, NULL);
    ck_assert_int_eq(pwgraph_search_run(search, 0, 1, NULL), PWGRAPH_FOUND);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

/* Search pairs in an eighth of the time that the call needs without a limit. True: it timed out. */
static bool times_out(struct pwgraph_search *search, const uint32_t *sources,
                      const uint32_t *targets, size_t count, uint32_t *hops)
{
    pwgraph_search_limit(search, 0, NULL);
    ck_assert(pwgraph_search_pairs(search, sources, targets, count, 1, hops, &error));
    pwgraph_search_limit(search, pwgraph_search_counts(search).nanoseconds / 8, NULL);
    return !pwgraph_search_pairs(search, sources, targets, count, 1, hops, &error);
}

START_TEST(a_limit_of_time_is_of_the_whole_call_with_any_engine)
{
    enum { PAIRS = 1024, NODES = 20000, EDGES = 200000, TRIES = 20 };
    static const char *const engines[] = {"multi-source", "array", NULL};
    static uint32_t sources[EDGES], targets[EDGES], hops[PAIRS];
    struct rng rng = random_start("a limit of the whole call");
    for (size_t i = 0; i < EDGES; i++) {
        sources[i] = (uint32_t)random_below(&rng, NODES);
        targets[i] = (uint32_t)random_below(&rng, NODES);
    }
    struct pwgraph *graph = pwgraph_from_edges(sources, targets, EDGES, 32, NODES, NULL, &error);
    for (size_t i = 0; i < COUNT_OF(engines); i++) {
        struct pwgraph_search *search = pwgraph_search_create(graph, engines[i], NULL);
        const size_t count = i == 1 ? 64 : PAIRS; /* "array" is slow */
        unsigned tries = 0; /* the first call makes room, and on a busy machine any may wait */
        while (!times_out(search, sources, targets, count, hops)) {
            ck_assert_uint_lt(++tries, TRIES);
        }
        assert_code(PWGRAPH_TIMED_OUT);
        ck_assert_uint_eq(hops[count - 1], PWGRAPH_NOT_ASKED);
        pwgraph_search_free(search);
    }
    pwgraph_free(graph);
}
END_TEST

static struct pwgraph *shared;

/* Searches whose queues share the list's allocator, a slab that serves one thread at a time. */
static void *search_by_lists(void *argument)
{
    static const char *const engines[] = {"plain", "classic", "mark-on-push"};
    struct rng rng = {(uint64_t)(uintptr_t)argument};
    struct pwgraph_search *search = pwgraph_search_create(shared, engines[rng.state % 3], NULL);
    struct pwgraph_search *judge = pwgraph_search_create(shared, NULL, NULL);
    bool sound = search != NULL && judge != NULL;
    for (int i = 0; sound && i < 300; i++) {
        const uint32_t from = (uint32_t)random_below(&rng, NODES_MAX);
        const uint32_t to = (uint32_t)random_below(&rng, NODES_MAX);
        uint32_t wanted = PWGRAPH_NONE, hops = PWGRAPH_NONE, many;
        pwgraph_search_run(judge, from, to, &wanted);
        sound = pwgraph_search_run(search, from, to, &hops) != PWGRAPH_FAILED && hops == wanted &&
                (i % 50 != 0 ||
                 (pwgraph_search_pairs(search, &from, &to, 1, 2, &many, NULL) && many == wanted));
    }
    pwgraph_search_free(search);
    pwgraph_search_free(judge);
    return sound ? NULL : argument;
}

START_TEST(searches_that_share_the_lists_allocator_take_turns)
{
    enum { THREADS = 6 };
    pthread_t threads[THREADS];
    void *failed;
    struct rng rng = random_start("shared allocator");
    ck_assert(linked_list_set_allocator("slab"));
    shared = draw_graph(&rng, NODES_MAX, EDGES_MAX);
    for (uintptr_t i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, search_by_lists, (void *)(i + 1)), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &failed);
        ck_assert_ptr_null(failed);
    }
    pwgraph_free(shared);
    ck_assert_uint_eq(linked_list_live_nodes(), 0);
}
END_TEST

int main(void)
{
    return suite_run(
        "library_search", NULL, fixture_remove_folder,
        (const TTest *[]){
            nodes_that_are_avoided_are_on_no_path, distances_and_parents_hold_in_both_directions,
            many_pairs_get_the_answers_of_single_ones_with_any_engine_and_threads,
            many_pairs_look_at_as_much_as_single_ones_with_any_number_of_threads,
            an_unknown_engine_is_named_with_the_known_engines, the_engines_are_named_one_by_one,
            a_search_says_what_it_looked_at, limits_and_wrong_arguments_end_a_call_with_their_code,
            a_limit_of_time_is_of_the_whole_call_with_any_engine,
            searches_that_share_the_lists_allocator_take_turns, NULL});
}
