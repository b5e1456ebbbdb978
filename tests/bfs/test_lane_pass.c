/*
 * test_lane_pass.c - a level of many searches at once, by itself: when it looks at its limits. What
 * it finds is judged with the engine and with reach.
 */
#include "bfs/engines/parts/lane_pass.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/engines/parts/marks.h"
#include "tests/support/random_graph.h"
#include "tests/support/suite.h"

/* A list may be long, and each of its nodes in memory that is touched for the first time. */
START_TEST(searches_in_lanes_look_at_the_limits_within_a_list)
{
    enum { NODES = 20000, LONG_ROW = 10000, DEGREE = 10 };
    volatile sig_atomic_t cancel = 1;
    graph_rng = random_start("lane_pass");
    struct random_graph made = random_graph_begin(0, NODES, LONG_ROW + (NODES - 1) * DEGREE);
    for (uint32_t u = 0; u < NODES; u++) {
        made.graph.offsets[u + 1] = u == 0 ? LONG_ROW : DEGREE;
    }
    random_graph_end(&made, false);
    uint64_t *lanes = calloc(3 * NODES, sizeof(*lanes));
    uint32_t *lists = calloc(3 * NODES, sizeof(*lists));
    ck_assert(lanes != NULL && lists != NULL);
    struct lane_pass pass = {.graph = &made.graph,
                             .candidates = marks_create(&made.graph),
                             .active_bits = marks_create(&made.graph),
                             .seen = lanes,
                             .frontier = lanes + NODES,
                             .next = lanes + 2 * NODES,
                             .active = lists,
                             .active_next = lists + NODES,
                             .touched = lists + 2 * NODES,
                             .level.clock = {{.cancel = &cancel}, .deadline_ns = UINT64_MAX}};
    for (int round = 0; round < 2; round++, cancel = 0) {
        lane_pass_begin(&pass, 1);
        lane_pass_add(&pass, 0, 0);
        lane_pass_add(&pass, 1, round == 0 ? 1 : 0);
        lane_pass_level(&pass, lane_kernel_for(1));
        ck_assert_int_eq(pass.level.status, round == 0 ? SEARCH_CANCELLED : SEARCH_DONE);
        ck_assert_uint_eq(pass.live[0], 3); /* neither has reached all that it can */
        ck_assert_uint_le(pass.level.edges, round == 0 ? LONG_ROW / 10 : LONG_ROW);
    }
    ck_assert_uint_eq(pass.level.edges, LONG_ROW); /* the pass after a stopped one is whole */
    large_block_free(pass.candidates);
    large_block_free(pass.active_bits);
    free(lists);
    free(lanes);
    random_graph_free(&made);
}
END_TEST

int main(void)
{
    return suite_run("lane_pass", NULL, NULL,
                     (const TTest *[]){searches_in_lanes_look_at_the_limits_within_a_list, NULL});
}
