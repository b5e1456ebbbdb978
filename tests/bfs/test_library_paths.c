/*
 * test_library_paths.c - all shortest paths from libpwgraph, and paths that are one edge longer:
 * their nodes, links, number and order, for every question of the list (path_questions.h); and
 * numbers that need many words.
 */
#include "tests/support/drawn_graph.h"
#include <pthread.h>
#include <time.h>

#define SMALL 30 /* nodes: every way of one edge more is tried up to that size */

static void check_places(const struct pwgraph_paths *paths, uint32_t from, uint32_t to)
{
    require(paths->nodes[0] == from && paths->nodes[paths->node_count - 1] == to);
    require(paths->levels[0] == 0 && paths->levels[1] == 1);
    require_equal(paths->levels[paths->hops], paths->node_count - 1);
    require_equal(paths->levels[paths->hops + 1], paths->node_count);
    require_equal(paths->link_begins[1], 0);
    for (uint32_t level = 1; level <= paths->hops; level++) {
        for (size_t p = paths->levels[level]; p < paths->levels[level + 1]; p++) {
            require(p == paths->levels[level] || paths->nodes[p - 1] < paths->nodes[p]);
            require(paths->link_begins[p] < paths->link_begins[p + 1]);
            for (size_t link = paths->link_begins[p]; link < paths->link_begins[p + 1]; link++) {
                const uint32_t before = paths->links[link];
                require(before >= paths->levels[level - 1] && before < paths->levels[level]);
                require(link == paths->link_begins[p] || paths->links[link - 1] < before);
                require(drawn.has_edge[paths->nodes[before]][paths->nodes[p]]);
            }
        }
    }
}

/* True if a row comes before another, read from the target's end. */
static bool is_before(const uint32_t *a, const uint32_t *b, uint32_t hops)
{
    while (hops > 0 && a[hops] == b[hops]) {
        hops--;
    }
    return a[hops] < b[hops];
}

/* The first paths are paths from one node to another, in order, and none has a node twice, except
 * that the source may be the target. nodes: room for most of them. */
static void check_rows(const struct pwgraph_paths *paths, uint32_t from, uint32_t to, uint64_t most,
                       uint32_t *nodes, size_t room)
{
    const uint32_t hops = paths->hops;
    const uint64_t count = paths->count_at_most,
                   rows = pwgraph_paths_list(paths, most, nodes, room);
    require_equal(rows, count < most ? count : most);
    for (uint64_t row = 0; row < rows; row++) {
        const uint32_t *path = nodes + row * (hops + 1);
        require(path[0] == from && path[hops] == to);
        require(row == 0 || is_before(path - (hops + 1), path, hops));
        for (uint32_t i = 1; i <= hops; i++) {
            require(drawn.has_edge[path[i - 1]][path[i]] && !drawn.avoided[path[i]]);
            for (uint32_t k = i == hops; k < i; k++) {
                require(path[k] != path[i]);
            }
        }
    }
}

static void check_shortest(struct pwgraph_search *search, const struct path_question *asked)
{
    enum { ROWS = 1000 }; /* most questions have fewer paths, and all are listed */
    static uint32_t nodes[ROWS * (NODES_MAX + 1)];
    uint32_t hops = PWGRAPH_NONE;
    uint64_t counted = 0;
    const char *digits = NULL;
    char wanted[32];
    snprintf(wanted, sizeof(wanted), "%llu", (unsigned long long)asked->count);
    require(pwgraph_search_run(search, asked->from, asked->to, &hops) ==
            (asked->count > 0 ? PWGRAPH_FOUND : PWGRAPH_NO_PATH));
    require_equal(hops, asked->hops);
    if (asked->count > 0) {
        require(pwgraph_search_path(search, nodes, hops + 1));
        require(nodes[0] == asked->from && nodes[hops] == asked->to);
        for (uint32_t i = 1; i <= hops; i++) {
            require(drawn.has_edge[nodes[i - 1]][nodes[i]] && !drawn.avoided[nodes[i]]);
        }
        require(pwgraph_search_count(search, UINT64_MAX, &counted, &digits, &error));
        require_equal(counted, asked->count);
        require(digits != NULL && strcmp(digits, wanted) == 0);
    }
    struct pwgraph_paths *paths = pwgraph_search_all_paths(search, asked->from, asked->to, &error);
    require_msg(paths != NULL, "%s", error.text);
    require_equal(paths->hops, asked->hops);
    require_msg(strcmp(paths->count, wanted) == 0, "%s paths, not %s", paths->count, wanted);
    require_equal(paths->count_at_most, asked->count);
    if (asked->count > 0) {
        check_places(paths, asked->from, asked->to);
    }
    check_rows(paths, asked->from, asked->to, ROWS, nodes, sizeof(nodes) / sizeof(*nodes));
    require_equal(pwgraph_paths_list(paths, ROWS, nodes, asked->count == 0 ? 9 : paths->hops), 0);
    pwgraph_paths_free(paths);
}

static uint64_t check_longer(struct pwgraph_search *search, const struct path_question *asked)
{
    enum { ROWS = 200 };
    static uint32_t nodes[ROWS * (SMALL + 1)];
    bool used[NODES_MAX] = {false};
    used[asked->from] = true;
    const uint64_t count =
        asked->count > 0 ? try_every_way(asked->from, asked->to, asked->hops + 1, used) : 0;
    struct pwgraph_paths *paths =
        pwgraph_search_longer_paths(search, asked->from, asked->to, 1, &error);
    require_msg(paths != NULL, "%s", error.text);
    require_equal(paths->count_at_most, count);
    require_equal(strtoull(paths->count, NULL, 10), count);
    require_equal(paths->hops, count > 0 ? asked->hops + 1 : PWGRAPH_NONE);
    if (count > 0) {
        check_places(paths, asked->from, asked->to);
    }
    check_rows(paths, asked->from, asked->to, ROWS, nodes, sizeof(nodes) / sizeof(*nodes));
    pwgraph_paths_free(paths);
    return count;
}

START_TEST(all_shortest_paths_and_all_one_edge_longer_are_there_once)
{
    struct rng rng = random_start("paths from libpwgraph");
    uint64_t longer = 0, around = 0;
    for (size_t number = 0; number < PATH_GRAPHS; number++) {
        uint32_t avoided[NODES_MAX];
        path_graph_take(number, &rng);
        struct pwgraph *graph = drawn_graph();
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
        const size_t avoided_count = drawn_avoided(avoided);
        require(avoided_count == 0 || pwgraph_search_avoid(search, avoided, avoided_count, NULL));
        for (struct path_question asked = {0}; path_question_next(&asked);) {
            check_shortest(search, &asked);
            if (drawn.nodes <= SMALL) {
                const uint64_t count = check_longer(search, &asked);
                longer += count;
                around += asked.from == asked.to ? count : 0;
            }
        }
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
    ck_assert(longer > 0 && around > 0);
}
END_TEST

/* Layers of two nodes that lead to each other: a longer path has a step aside in one of them. */
START_TEST(longer_paths_are_counted_in_numbers_of_any_size)
{
    enum { LAYERS = 70 };
    uint32_t sources[6 * LAYERS], targets[6 * LAYERS];
    uint64_t used = 0;
    for (uint32_t layer = 0; layer < LAYERS; layer++) { /* nodes 2 * layer and the one after it */
        for (uint32_t i = 0; i < 2; i++) {
            sources[used] = 2 * layer + i;
            targets[used++] = 2 * layer + 1 - i;
            for (uint32_t k = 0; k < 2 && layer + 1 < LAYERS; k++) {
                sources[used] = 2 * layer + i;
                targets[used++] = 2 * layer + 2 + k;
            }
        }
    }
    struct pwgraph *graph = pwgraph_from_edges(sources, targets, used, 32, 0, NULL, &error);
    ck_assert_ptr_nonnull(graph);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
    struct pwgraph_paths *paths = pwgraph_search_longer_paths(search, 0, 2 * LAYERS - 1, 1, &error);
    ck_assert_ptr_nonnull(paths);
    /* Of the 2^(LAYERS - 2) choices in the layers between, each with a step aside in any layer. */
    ck_assert_uint_eq(paths->hops, LAYERS);
    ck_assert_uint_eq(paths->count_at_most, UINT64_MAX);
    ck_assert_str_eq(paths->count, "20660353362554697809920");
    pwgraph_paths_free(paths);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

static struct pwgraph *make_ladder(struct ladder ladder)
{
    uint32_t *targets, *sources = ladder_make(ladder, &targets);
    struct pwgraph *graph =
        pwgraph_from_edges(sources, targets, ladder_edges(ladder), 32, 0, NULL, &error);
    free(sources);
    return graph;
}

/* From 1 to 0 by each node of a level; the numbers of its nodes need three digits. */
START_TEST(the_nodes_of_a_large_level_are_in_order_whatever_their_numbers)
{
    enum { LEVEL = 5000, NUMBERS = 1 << 23 };
    static uint32_t sources[2 * LEVEL], targets[2 * LEVEL];
    struct rng rng = random_start("nodes of a large level");
    for (size_t i = 0; i < LEVEL; i++) {
        const uint32_t node = 2 + (uint32_t)random_below(&rng, NUMBERS - 2);
        sources[2 * i] = 1;
        targets[2 * i] = sources[2 * i + 1] = node;
        targets[2 * i + 1] = 0;
    }
    struct pwgraph *graph = pwgraph_from_edges(sources, targets, 2 * LEVEL, 32, 0, NULL, &error);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
    struct pwgraph_paths *paths = pwgraph_search_all_paths(search, 1, 0, &error);
    ck_assert_msg(paths != NULL, "%s", error.text);
    ck_assert_uint_eq(paths->hops, 2);
    ck_assert_uint_gt(paths->node_count, LEVEL - 50); /* few are drawn twice */
    for (size_t place = 2; place + 1 < paths->node_count; place++) {
        ck_assert_uint_lt(paths->nodes[place - 1], paths->nodes[place]);
    }
    pwgraph_paths_free(paths);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

START_TEST(the_number_of_paths_is_exact_in_128_bits)
{
    char wanted[LADDER_DIGITS];
    for (size_t i = 0; i < LADDERS; i++) {
        struct pwgraph *graph = make_ladder(ladders[i]);
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
        struct pwgraph_paths *paths = pwgraph_search_all_paths(search, 0, 1, &error);
        ck_assert_msg(paths != NULL, "%s", error.text);
        ladder_power(ladders[i], wanted);
        ck_assert_str_eq(paths->count, wanted);
        ck_assert_uint_eq(paths->count_at_most, ladder_at_most(wanted));
        ck_assert_uint_eq(paths->hops, ladders[i].layers + 1);
        ck_assert_uint_eq(paths->node_count, ladder_nodes(ladders[i]));
        for (size_t p = 2; p < paths->levels[2]; p++) {
            ck_assert_uint_lt(paths->nodes[p - 1], paths->nodes[p]);
        }
        pwgraph_paths_free(paths);
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

START_TEST(limits_and_wrong_nodes_give_no_paths_but_a_code)
{
    volatile int cancel = 1;
    struct pwgraph *graph = open_text("0 1\n1 2\n", NULL);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
    ck_assert_ptr_null(pwgraph_search_all_paths(search, 0, 9, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert_ptr_null(pwgraph_search_longer_paths(search, 0, 2, 2, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    pwgraph_search_limit(search, 0, &cancel);
    ck_assert_ptr_null(pwgraph_search_all_paths(search, 0, 2, &error));
    assert_code(PWGRAPH_CANCELLED);
    pwgraph_search_limit(search, 1, NULL);
    ck_assert_ptr_null(pwgraph_search_all_paths(search, 0, 2, &error));
    assert_code(PWGRAPH_TIMED_OUT);
    pwgraph_search_limit(search, 0, NULL);
    struct pwgraph_paths *paths = pwgraph_search_all_paths(search, 2, 0, NULL);
    ck_assert(paths != NULL && paths->hops == PWGRAPH_NONE && paths->node_count == 0);
    ck_assert_str_eq(paths->count, "0");
    pwgraph_search_free(search);
    pwgraph_paths_free(paths); /* it may outlive the search */
    pwgraph_paths_free(NULL);
    pwgraph_free(graph);
}
END_TEST

static volatile int end_of_call;
static clock_t whole_call; /* its processor time */

/* Cancel when the process has used half the processor time of the call. */
static void *cancel_soon(void *unused)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (clock_t until = clock() + whole_call / 2; clock() < until;) {
        nanosleep(&moment, NULL);
    }
    pwgraph_cancel(&end_of_call);
    return unused;
}

START_TEST(limits_hold_for_all_that_is_done_after_the_search)
{
    struct pwgraph *graph = make_ladder((struct ladder){300000, 3});
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
    pthread_t thread;
    const clock_t began = clock();
    struct pwgraph_paths *paths = pwgraph_search_all_paths(search, 0, 1, &error);
    whole_call = clock() - began;
    ck_assert_ptr_nonnull(paths);
    ck_assert_str_eq(paths->count, "more than 3.4e38");
    pwgraph_paths_free(paths);
    pwgraph_search_limit(search, (uint64_t)whole_call * 1000 / 2, NULL);
    ck_assert_ptr_null(pwgraph_search_all_paths(search, 0, 1, &error));
    assert_code(PWGRAPH_TIMED_OUT);
    ck_assert_int_eq(pwgraph_search_counts(search).code, PWGRAPH_TIMED_OUT);
    end_of_call = 0;
    pwgraph_search_limit(search, 0, &end_of_call);
    ck_assert_int_eq(pthread_create(&thread, NULL, cancel_soon, NULL), 0);
    ck_assert_ptr_null(pwgraph_search_all_paths(search, 0, 1, &error));
    assert_code(PWGRAPH_CANCELLED);
    pthread_join(thread, NULL);
    pwgraph_search_free(search);
    pwgraph_free(graph);
}
END_TEST

int main(void)
{
    return suite_run(
        "library_paths", NULL, fixture_remove_folder,
        (const TTest *[]){all_shortest_paths_and_all_one_edge_longer_are_there_once,
                          longer_paths_are_counted_in_numbers_of_any_size,
                          the_nodes_of_a_large_level_are_in_order_whatever_their_numbers,
                          the_number_of_paths_is_exact_in_128_bits,
                          limits_and_wrong_nodes_give_no_paths_but_a_code,
                          limits_hold_for_all_that_is_done_after_the_search, NULL});
}
