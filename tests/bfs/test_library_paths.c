/*
 * test_library_paths.c - all shortest paths from libpwgraph, and paths that are one edge longer:
 * their nodes, links, number and order, against distances along the list of edges and against
 * trying every way; and numbers that need many words.
 */
#include "tests/support/drawn_graph.h"
#include <pthread.h>
#include <time.h>

#define SMALL 64 /* nodes: the judge of numbers looks at every pair of them */

static bool has_edge(uint32_t from, uint32_t to)
{
    for (uint64_t i = 0; i < drawn.count; i++) {
        if (drawn.sources[i] == from && drawn.targets[i] == to) {
            return true;
        }
    }
    return false;
}

/* The length of a path with at least one edge; and the number of shortest ones, by distance. */
static uint64_t judge_count(uint32_t from, uint32_t to, uint32_t *hops)
{
    uint32_t down[NODES_MAX];
    uint64_t ways[NODES_MAX] = {0}, total = 0;
    judge(to, true, down); /* the first edge, then the distances to the target */
    down[to] = drawn.avoided[to] ? PWGRAPH_NONE : 0;
    *hops = PWGRAPH_NONE;
    for (uint32_t next = 0; next < drawn.nodes && !drawn.avoided[from]; next++) {
        if (has_edge(from, next) && down[next] != PWGRAPH_NONE && !drawn.avoided[next] &&
            down[next] + 1 < *hops) {
            *hops = down[next] + 1;
        }
    }
    if (*hops == PWGRAPH_NONE) {
        return 0;
    }
    ways[to] = 1;
    for (uint32_t distance = 1; distance < *hops; distance++) {
        for (uint32_t u = 0; u < drawn.nodes; u++) {
            for (uint32_t v = 0; down[u] == distance && v < drawn.nodes; v++) {
                ways[u] += down[v] == distance - 1 && has_edge(u, v) ? ways[v] : 0;
            }
        }
    }
    for (uint32_t next = 0; next < drawn.nodes; next++) {
        total += down[next] + 1 == *hops && has_edge(from, next) ? ways[next] : 0;
    }
    return total;
}

static void check_places(const struct pwgraph_paths *paths, uint32_t from, uint32_t to)
{
    ck_assert(paths->nodes[0] == from && paths->nodes[paths->node_count - 1] == to);
    ck_assert(paths->levels[0] == 0 && paths->levels[1] == 1);
    ck_assert_uint_eq(paths->levels[paths->hops], paths->node_count - 1);
    ck_assert_uint_eq(paths->levels[paths->hops + 1], paths->node_count);
    ck_assert_uint_eq(paths->link_begins[1], 0);
    for (uint32_t level = 1; level <= paths->hops; level++) {
        for (size_t p = paths->levels[level]; p < paths->levels[level + 1]; p++) {
            ck_assert(p == paths->levels[level] || paths->nodes[p - 1] < paths->nodes[p]);
            ck_assert_uint_lt(paths->link_begins[p], paths->link_begins[p + 1]);
            for (size_t link = paths->link_begins[p]; link < paths->link_begins[p + 1]; link++) {
                const uint32_t before = paths->links[link];
                ck_assert(before >= paths->levels[level - 1] && before < paths->levels[level]);
                ck_assert(link == paths->link_begins[p] || paths->links[link - 1] < before);
                ck_assert(has_edge(paths->nodes[before], paths->nodes[p]));
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
    ck_assert_uint_eq(rows, count < most ? count : most);
    for (uint64_t row = 0; row < rows; row++) {
        const uint32_t *path = nodes + row * (hops + 1);
        ck_assert(path[0] == from && path[hops] == to);
        ck_assert(row == 0 || is_before(path - (hops + 1), path, hops));
        for (uint32_t i = 1; i <= hops; i++) {
            ck_assert(has_edge(path[i - 1], path[i]) && !drawn.avoided[path[i]]);
            for (uint32_t k = i == hops; k < i; k++) {
                ck_assert(path[k] != path[i]);
            }
        }
    }
}

static void check_pair(struct pwgraph_search *search, uint32_t from, uint32_t to)
{
    enum { ROWS = 40 };
    static uint32_t nodes[ROWS * (NODES_MAX + 1)];
    uint32_t hops;
    char wanted[32];
    const uint64_t count = judge_count(from, to, &hops);
    struct pwgraph_paths *paths = pwgraph_search_all_paths(search, from, to, &error);
    ck_assert_msg(paths != NULL, "%s", error.text);
    snprintf(wanted, sizeof(wanted), "%llu", (unsigned long long)count);
    ck_assert_uint_eq(paths->hops, hops);
    ck_assert_str_eq(paths->count, wanted);
    ck_assert_uint_eq(paths->count_at_most, count);
    if (count > 0) {
        check_places(paths, from, to);
    }
    check_rows(paths, from, to, ROWS, nodes, sizeof(nodes) / sizeof(*nodes));
    ck_assert_uint_eq(pwgraph_paths_list(paths, ROWS, nodes, hops == PWGRAPH_NONE ? 9 : hops), 0);
    pwgraph_paths_free(paths);
}

/* The number of paths with `hops` edges from a node to the target, by trying every way; none has a
 * node twice, except that the source may be the target. */
static uint64_t try_every_way(uint32_t from, uint32_t to, uint32_t hops, bool used[SMALL])
{
    uint64_t count = 0;
    for (uint32_t next = 0; next < drawn.nodes; next++) {
        if (drawn.avoided[next] || (next == to) != (hops == 1) || (used[next] && hops > 1) ||
            !has_edge(from, next)) {
            continue;
        }
        if (hops == 1) {
            return 1;
        }
        used[next] = true;
        count += try_every_way(next, to, hops - 1, used);
        used[next] = false;
    }
    return count;
}

static uint64_t check_longer(struct pwgraph_search *search, uint32_t from, uint32_t to)
{
    enum { ROWS = 200 };
    static uint32_t nodes[ROWS * (SMALL + 1)];
    bool used[SMALL] = {false};
    uint32_t shortest;
    const bool found = judge_count(from, to, &shortest) > 0;
    used[from] = true;
    const uint64_t count = found ? try_every_way(from, to, shortest + 1, used) : 0;
    struct pwgraph_paths *paths = pwgraph_search_longer_paths(search, from, to, 1, &error);
    ck_assert_msg(paths != NULL, "%s", error.text);
    ck_assert_uint_eq(paths->count_at_most, count);
    ck_assert_uint_eq(strtoull(paths->count, NULL, 10), count);
    const uint32_t hops = paths->hops;
    ck_assert_uint_eq(hops, count > 0 ? shortest + 1 : PWGRAPH_NONE);
    if (count > 0) {
        check_places(paths, from, to);
    }
    check_rows(paths, from, to, ROWS, nodes, sizeof(nodes) / sizeof(*nodes));
    pwgraph_paths_free(paths);
    return count;
}

START_TEST(all_paths_one_edge_longer_are_there_once)
{
    struct rng rng = random_start("longer paths");
    uint64_t count = 0, around = 0;
    for (int i = 0; i < 200; i++) {
        const uint32_t nodes = 1 + (uint32_t)random_below(&rng, i % 4 == 0 ? 30 : 12);
        struct pwgraph *graph = draw_graph(&rng, nodes, random_below(&rng, nodes * 3));
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
        if (i % 3 == 2) {
            const uint32_t node = (uint32_t)random_below(&rng, drawn.nodes);
            drawn.avoided[node] = true;
            ck_assert(pwgraph_search_avoid(search, &node, 1, NULL));
        }
        for (int k = 0; k < 30; k++) {
            const uint32_t from = (uint32_t)random_below(&rng, drawn.nodes);
            count += check_longer(search, from, (uint32_t)random_below(&rng, drawn.nodes));
            around += check_longer(search, from, from);
            check_pair(search, from, (uint32_t)random_below(&rng, drawn.nodes));
        }
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
    ck_assert(count > 0 && around > 0);
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

START_TEST(all_shortest_paths_of_random_graphs_are_there_once)
{
    struct rng rng = random_start("all shortest paths");
    for (int i = 0; i < 120; i++) {
        const uint32_t nodes = 1 + (uint32_t)random_below(&rng, i % 4 == 0 ? SMALL : 12);
        struct pwgraph *graph = draw_graph(&rng, nodes, random_below(&rng, nodes * 4));
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
        if (i % 3 == 2) {
            const uint32_t node = (uint32_t)random_below(&rng, drawn.nodes);
            drawn.avoided[node] = true;
            ck_assert(pwgraph_search_avoid(search, &node, 1, NULL));
        }
        for (int k = 0; k < 40; k++) {
            check_pair(search, (uint32_t)random_below(&rng, drawn.nodes),
                       (uint32_t)random_below(&rng, drawn.nodes));
        }
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

/* `layers` layers of `width` nodes each, all of a layer linked to all of the next: the number of
 * paths from node 0 to node 1 is a power. */
static struct pwgraph *make_layers(uint32_t layers, uint32_t width)
{
    const uint64_t count = 2 * (uint64_t)width + (uint64_t)(layers - 1) * width * width;
    uint32_t *sources = malloc(count * sizeof(*sources));
    uint32_t *targets = malloc(count * sizeof(*targets));
    uint64_t used = 0;
    ck_assert(sources != NULL && targets != NULL);
    for (uint32_t i = 0; i < width; i++) {
        sources[used] = 0;
        targets[used++] = 2 + i;
        sources[used] = 2 + (layers - 1) * width + i;
        targets[used++] = 1;
        for (uint32_t layer = 1; layer < layers; layer++) {
            for (uint32_t k = 0; k < width; k++) {
                sources[used] = 2 + (layer - 1) * width + i;
                targets[used++] = 2 + layer * width + k;
            }
        }
    }
    ck_assert_uint_eq(used, count);
    struct pwgraph *graph = pwgraph_from_edges(sources, targets, count, 32, 0, NULL, &error);
    free(sources);
    free(targets);
    return graph;
}

/* power as a decimal text, by multiplying digit by digit. */
static void power(char text[2000], uint32_t base, uint32_t exponent)
{
    unsigned char digits[2000] = {1};
    size_t length = 1;
    for (uint32_t i = 0; i < exponent; i++) {
        uint32_t carry = 0;
        for (size_t k = 0; k < length || carry > 0; k++) {
            carry += (k < length ? digits[k] : 0) * base;
            digits[k] = (unsigned char)(carry % 10);
            carry /= 10;
            length = k + 1 > length ? k + 1 : length;
        }
    }
    for (size_t k = 0; k < length; k++) {
        text[k] = (char)('0' + digits[length - 1 - k]);
    }
    text[length] = '\0';
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

START_TEST(the_number_of_paths_is_exact_at_any_size)
{
    static const struct {
        uint32_t layers, width;
    } sizes[] = {{1, 1},   {63, 2},  {64, 2},  {65, 2},  {10, 10},  {19, 10},
                 {20, 10}, {40, 10}, {130, 7}, {700, 2}, {300, 29}, {1, 9000}};
    char wanted[2000];
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        struct pwgraph *graph = make_layers(sizes[i].layers, sizes[i].width);
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
        struct pwgraph_paths *paths = pwgraph_search_all_paths(search, 0, 1, &error);
        ck_assert_msg(paths != NULL, "%s", error.text);
        power(wanted, sizes[i].width, sizes[i].layers);
        ck_assert_str_eq(paths->count, wanted);
        ck_assert_uint_eq(paths->count_at_most, strtoull(wanted, NULL, 10)); /* at most */
        ck_assert_uint_eq(paths->hops, sizes[i].layers + 1);
        ck_assert_uint_eq(paths->node_count, (size_t)sizes[i].layers * sizes[i].width + 2);
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

/* Cancel when the process has used so much more processor time that the search is over. */
static void *cancel_soon(void *unused)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (clock_t until = clock() + 3 * CLOCKS_PER_SEC / 10; clock() < until;) {
        nanosleep(&moment, NULL);
    }
    pwgraph_cancel(&end_of_call);
    return unused;
}

/* To search this ladder takes a fraction of a second, and to add up the number of its paths, of
 * 140,000 digits, many seconds. */
START_TEST(limits_hold_for_all_that_is_done_after_the_search)
{
    struct pwgraph *graph = make_layers(300000, 3);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
    pthread_t thread;
    pwgraph_search_limit(search, 400000000, NULL);
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
        (const TTest *[]){all_shortest_paths_of_random_graphs_are_there_once,
                          all_paths_one_edge_longer_are_there_once,
                          longer_paths_are_counted_in_numbers_of_any_size,
                          the_nodes_of_a_large_level_are_in_order_whatever_their_numbers,
                          the_number_of_paths_is_exact_at_any_size,
                          limits_and_wrong_nodes_give_no_paths_but_a_code,
                          limits_hold_for_all_that_is_done_after_the_search, NULL});
}
