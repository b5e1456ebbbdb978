/*
 * test_tree_check.c - each of Graph500's rules rejects a tree in which one parent was changed to
 * break that rule and no other. Run by any number of ranks.
 *
 * All ranks find the same change: each knows the whole small graph and, gathered, the whole tree.
 */
#include "mpi/graph500/kernel_one.h"
#include "mpi/graph500/tree_check.h"
#include "mpi/search/levels.h"
#include "tests/support/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALE 9
#define NODES (1 << SCALE)

static const struct graph500_options options = {.scale = SCALE, .edgefactor = 4, .seed = 1};
static struct mpi_graph graph;
static struct levels *search;
static struct mpi_tree tree;

/* What every rank knows. */
static bool joined[NODES][NODES];
static uint32_t parents[NODES];
static uint32_t levels[NODES];

static uint64_t global(uint64_t local)
{
    return mpi_global(&graph.partition, graph.partition.rank, local);
}

/* The levels of a plain search, which shares nothing with the one under test. */
static void find_levels(uint64_t root)
{
    memset(levels, 0xff, sizeof(levels));
    levels[root] = 0;
    for (uint32_t level = 0; level < NODES; level++) {
        for (size_t from = 0; from < NODES; from++) {
            for (size_t to = 0; levels[from] == level && to < NODES; to++) {
                if (joined[from][to] && levels[to] == TREE_LEVEL_NONE) {
                    levels[to] = level + 1;
                }
            }
        }
    }
}

static void open_graph(void)
{
    struct graph_error error = {.message = ""};
    struct edge_share share;
    ck_assert(edge_share_draw(MPI_COMM_SELF, &options, &share, &error));
    for (size_t i = 0; i < share.count; i++) {
        const struct mpi_edge edge = share.edges[i];
        joined[edge.from][edge.to] = joined[edge.to][edge.from] = edge.from != edge.to;
    }
    free(share.edges);
    ck_assert(edge_share_draw(MPI_COMM_WORLD, &options, &share, &error));
    ck_assert(edge_share_build(MPI_COMM_WORLD, &options, &share, &graph, &error));
    ck_assert_msg(edge_share_check(&graph, &share, &error), "%s", error.message);
    if (share.count > 0 && graph.partition.rank == graph.partition.ranks - 1) {
        size_t i = 0;
        while (share.edges[i].from == share.edges[i].to) {
            i++;
        }
        share.edges[i].to ^= 1;
    }
    ck_assert(!edge_share_check(&graph, &share, &error));
    free(share.edges);
    ck_assert(put_hubs_first(&graph, &error));
    tree.parents = malloc((size_t)graph.local_count * sizeof(*tree.parents) + 1);
    tree.levels = malloc((size_t)graph.local_count * sizeof(*tree.levels) + 1);
    search = levels_create(&graph, 1, tree.parents);
    ck_assert(search != NULL && tree.parents != NULL && tree.levels != NULL);
}

static void close_graph(void)
{
    levels_destroy(search);
    free(tree.parents);
    free(tree.levels);
    mpi_graph_release(&graph);
}

/* Search, and let every rank know the tree. */
static void start(void)
{
    const struct search_limits limits = {.timeout_ns = 0};
    struct search_result result;
    struct level_costs costs;
    uint64_t key;
    ck_assert_uint_eq(draw_keys(&graph, &options, &key, 1), 1);
    tree.root = key;
    levels_search(search, (uint32_t)key, GRAPH_NODE_NONE, &limits, &costs, &result);
    ck_assert_int_eq(result.status, SEARCH_DONE);
    find_levels(key);
    memset(parents, 0, sizeof(parents));
    for (uint64_t local = 0; local < graph.local_count; local++) {
        parents[global(local)] = tree.parents[local] + 1;
        tree.levels[local] = levels[global(local)];
    }
    MPI_Allreduce(MPI_IN_PLACE, parents, NODES, MPI_UINT32_T, MPI_MAX, MPI_COMM_WORLD);
    for (size_t node = 0; node < NODES; node++) {
        parents[node]--;
    }
}

static void change(uint64_t node, uint32_t parent, uint32_t level)
{
    if (mpi_owner(&graph.partition, node) == graph.partition.rank) {
        tree.parents[mpi_local(&graph.partition, node)] = parent;
        tree.levels[mpi_local(&graph.partition, node)] = level;
    }
}

/* The rules that the check finds broken, one bit each; with_levels: the search kept levels. */
static unsigned broken(bool with_levels)
{
    struct mpi_tree checked = tree;
    struct tree_verdict verdict;
    struct graph_error error = {.message = ""};
    checked.levels = with_levels ? tree.levels : NULL;
    const bool sound = tree_check(&graph, &checked, &verdict, &error);
    ck_assert(sound == (verdict.broken == 0));
    for (unsigned rule = 1; rule <= TREE_RULES && !sound; rule++) {
        char text[32];
        snprintf(text, sizeof(text), "rule %u is broken", rule);
        if (verdict.broken == 1U << rule) {
            ck_assert_msg(strstr(error.message, text) != NULL, "%s", error.message);
        }
    }
    return verdict.broken;
}

/* A pair of nodes of the tree that a change needs. */
typedef bool fits(size_t node, size_t other);

static void find(fits *fit, size_t *node, uint32_t *other)
{
    for (*node = 0; *node < NODES; (*node)++) {
        for (*other = 0; *other < NODES; (*other)++) {
            if (levels[*node] != TREE_LEVEL_NONE && levels[*node] > 0 && fit(*node, *other)) {
                return;
            }
        }
    }
    ck_abort_msg("the graph has no such pair");
}

static bool is_child(size_t node, size_t other)
{
    return parents[other] == node;
}

static bool is_beside(size_t node, size_t other)
{
    return joined[node][other] && levels[other] == levels[node];
}

static bool is_below_another(size_t node, size_t other)
{
    return levels[other] == levels[node] + 1 && joined[node][other] && parents[other] != node;
}

static bool is_leaf(size_t node, size_t other)
{
    for (size_t i = 0; i < NODES; i++) {
        if (parents[i] == node) {
            return false;
        }
    }
    return other == 0;
}

static bool is_above_but_not_joined(size_t node, size_t other)
{
    return levels[node] > 1 && levels[other] == levels[node] - 1 && !joined[node][other];
}

START_TEST(a_tree_of_the_search_keeps_all_rules)
{
    start();
    ck_assert_uint_eq(broken(true), 0);
    ck_assert_uint_eq(broken(false), 0);
}
END_TEST

START_TEST(a_parent_that_is_a_child_breaks_rule_1)
{
    size_t node;
    uint32_t other;
    start();
    find(is_child, &node, &other);
    change(node, other, levels[node]);
    ck_assert_uint_eq(broken(true), 1U << 1);
    start();
    change(tree.root, (uint32_t)node, 0);
    ck_assert_uint_eq(broken(false), 1U << 1);
}
END_TEST

START_TEST(a_parent_of_the_same_level_breaks_rule_2)
{
    size_t node;
    uint32_t other;
    start();
    find(is_beside, &node, &other);
    change(node, other, levels[node]);
    ck_assert_uint_eq(broken(true), 1U << 2);
}
END_TEST

START_TEST(a_parent_further_away_breaks_rule_3)
{
    size_t node;
    uint32_t other;
    start();
    find(is_below_another, &node, &other);
    change(node, other, levels[node]);
    ck_assert_uint_eq(broken(false), 1U << 3);
}
END_TEST

START_TEST(a_parent_that_is_missing_breaks_rule_4)
{
    size_t node;
    uint32_t other;
    start();
    find(is_leaf, &node, &other);
    change(node, GRAPH_NODE_NONE, TREE_LEVEL_NONE);
    ck_assert_uint_eq(broken(true), 1U << 4);
}
END_TEST

START_TEST(a_parent_without_an_edge_breaks_rule_5)
{
    size_t node;
    uint32_t other;
    start();
    find(is_above_but_not_joined, &node, &other);
    change(node, other, levels[node]);
    ck_assert_uint_eq(broken(true), 1U << 5);
    change(node, NODES, levels[node]);
    ck_assert_uint_eq(broken(false), 1U << 5);
}
END_TEST

int main(int argument_count, char **arguments)
{
    MPI_Init(&argument_count, &arguments);
    setenv("CK_FORK", "no", 1); /* the ranks are processes already */
    const int status = suite_run(
        "tree_check", open_graph, close_graph,
        (const TTest *[]){
            a_tree_of_the_search_keeps_all_rules, a_parent_that_is_a_child_breaks_rule_1,
            a_parent_of_the_same_level_breaks_rule_2, a_parent_further_away_breaks_rule_3,
            a_parent_that_is_missing_breaks_rule_4, a_parent_without_an_edge_breaks_rule_5, NULL});
    MPI_Finalize();
    return status;
}
