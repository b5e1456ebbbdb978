/*
 * test_target_order.c - which parts of edges count as sorted by target, and the reverse adjacency
 * that is made of them.
 */
#include "data/graph/graph_memory.h"
#include "data/reverse/target_order.h"
#include "tests/support/suite.h"

#define NODES 10
#define PARTS 3

struct edge {
    uint32_t source, target; /* a source of 0 ends a part */
};

static struct target_order order;
static atomic_int_least64_t memory_left = 1 << 30;

static void add_edges(struct target_part *part, const struct edge *edges)
{
    for (; edges->source != 0; edges++) {
        target_part_add(part, edges->source, edges->target);
    }
}

/* Fill the order; whether it holds. */
static bool holds(const struct edge parts[PARTS][4])
{
    ck_assert(target_order_init(&order, PARTS, 1, NODES, 3 * PARTS, &memory_left));
    for (size_t i = 0; i < PARTS; i++) {
        struct target_part *part = target_order_open(&order, i, 0);
        add_edges(part, parts[i]);
        target_order_close(&order, part);
    }
    return target_order_holds(&order);
}

START_TEST(edges_are_sorted_by_target_then_source_within_and_between_parts)
{
    static const struct {
        bool sorted;
        struct edge parts[PARTS][4];
    } cases[] = {
        {true, {{{1, 1}, {2, 1}}, {{3, 1}, {1, 2}}, {{1, 5}}}},
        {true, {{{1, 1}}, {{0, 0}}, {{1, 1}}}},          /* a repeat; an empty part */
        {false, {{{5, 1}, {3, 1}}, {{0, 0}}, {{0, 0}}}}, /* sources within a part */
        {false, {{{5, 1}}, {{3, 1}}, {{0, 0}}}},         /* sources between parts */
        {false, {{{1, 2}, {1, 1}}, {{0, 0}}, {{0, 0}}}}, /* targets within a part */
        {false, {{{1, 2}}, {{0, 0}}, {{1, 1}}}},         /* targets between parts */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ck_assert_msg(holds(cases[i].parts) == cases[i].sorted, "case %zu", i);
        target_order_free(&order);
    }
    ck_assert(!target_order_holds(&order)); /* none */
}
END_TEST

START_TEST(edges_that_memory_is_not_left_for_are_not_sorted)
{
    static const struct edge parts[PARTS][4] = {{{1, 1}}, {{2, 2}}, {{3, 3}}};
    const int_least64_t left = atomic_exchange(&memory_left, -1);
    ck_assert(!holds(parts));
    target_order_free(&order);
    atomic_store(&memory_left, left);
    ck_assert(holds(parts));
    target_order_free(&order);
}
END_TEST

START_TEST(edges_of_one_target_in_two_parts_become_its_list)
{
    static const struct edge parts[PARTS][4] = {{{1, 1}, {2, 1}}, {{3, 1}, {3, 1}}, {{0, 0}}};
    struct graph graph = {.node_limit = NODES, .edge_count = 4};
    struct edge_writer used = {0};
    uint64_t *offsets = graph_map_array(&graph, NODES + 1, sizeof(*offsets));
    uint32_t *neighbours = graph_map_array(&graph, 4, sizeof(*neighbours));
    ck_assert(offsets != NULL && neighbours != NULL);
    for (size_t node = 0; node <= NODES; node++) {
        offsets[node] = node < 2 ? 0 : node < 4 ? node - 1 : 4; /* 1, 2 once and 3 twice, to 1 */
    }
    for (size_t i = 0; i < 4; i++) {
        neighbours[i] = 1;
    }
    graph.offsets = offsets;
    graph.neighbours = neighbours;
    ck_assert(holds(parts));
    ck_assert(target_order_build(&order, &used, &graph));
    ck_assert_uint_eq(graph.in_offsets[1], 0);
    ck_assert_uint_eq(graph.in_offsets[2], 4);
    ck_assert_uint_eq(graph.in_offsets[NODES], 4);
    ck_assert_mem_eq(graph.in_neighbours, ((const uint32_t[]){1, 2, 3, 3}), 16);
    edge_writer_free(&used);
    target_order_free(&order);
    graph_free(&graph);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        edges_are_sorted_by_target_then_source_within_and_between_parts,
        edges_that_memory_is_not_left_for_are_not_sorted,
        edges_of_one_target_in_two_parts_become_its_list,
        NULL,
    };
    return suite_run("target order", NULL, NULL, tests);
}
