/*
 * reach.c - the reach of many nodes; reach.h has the idea.
 */
#include "reach.h"
#include "base/pw_assert.h"
#include "bfs/engines/parts/lane_pass.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/engines/parts/marks.h"
#include "data/graph/graph_blocks.h"
#include <string.h>

#define WORDS      LANE_WORDS_MAX
#define LANES      (64 * WORDS) /* searches of a pass */
#define LANES_MIN  128          /* searches from which on a pass is faster than as many walks */
#define LOOK_NODES 8192         /* counted between two looks at the limits */
#define SHARED_MIN 16           /* searches at a node at once, in the mean */
#define PLANES     33           /* of a vertical counter: up to 2^32 nodes */

struct pass {
    struct lane_pass lanes;
    struct graph graph;             /* whose lists the searches follow */
    uint64_t *room;                 /* for seen, frontier and next */
    uint32_t *node_lists;           /* for active, active_next and touched */
    uint64_t planes[PLANES][WORDS]; /* bit k of the counts of 64 lanes per word */
};

static bool open_pass(struct pass *pass, const struct graph *graph, bool is_backwards)
{
    const size_t nodes = (size_t)graph->node_limit + 1;
    struct lane_pass *lanes = &pass->lanes;
    pass->graph = is_backwards ? graph_backwards(graph) : *graph;
    lanes->graph = &pass->graph;
    pass->room = large_block_create(3 * nodes * WORDS * sizeof(*pass->room));
    pass->node_lists = large_block_create(3 * nodes * sizeof(*pass->node_lists));
    lanes->active_bits = marks_create(graph);
    lanes->candidates = marks_create(graph);
    if (pass->room == NULL || pass->node_lists == NULL || lanes->active_bits == NULL ||
        lanes->candidates == NULL) {
        return false;
    }
    memset(lanes->candidates, 0xff, marks_words(graph) * sizeof(*lanes->candidates));
    lanes->seen = pass->room;
    lanes->frontier = pass->room + nodes * WORDS;
    lanes->next = pass->room + 2 * nodes * WORDS;
    lanes->active = pass->node_lists;
    lanes->active_next = pass->node_lists + nodes;
    lanes->touched = pass->node_lists + 2 * nodes;
    return true;
}

static void close_pass(struct pass *pass)
{
    large_block_free(pass->room);
    large_block_free(pass->node_lists);
    large_block_free(pass->lanes.active_bits);
    large_block_free(pass->lanes.candidates);
}

/* Put a search at each node; what to avoid is seen already. */
static void begin_pass(struct pass *pass, const uint32_t *nodes, size_t count,
                       const struct reach_plan *plan, struct reach *reach)
{
    struct lane_pass *lanes = &pass->lanes;
    pw_assert(count > 0 && count <= LANES);
    lane_pass_begin(lanes, WORDS);
    for (size_t i = 0; i < plan->avoided_count; i++) {
        uint64_t *seen = lanes->seen + (size_t)plan->avoided[i] * WORDS;
        if (lane_all_zero(seen, WORDS)) { /* no repeat */
            lanes->touched[lanes->touched_count++] = plan->avoided[i];
            memset(seen, 0xff, WORDS * sizeof(*seen));
        }
    }
    for (size_t lane = 0; lane < count; lane++) {
        const uint64_t *seen = lanes->seen + (size_t)nodes[lane] * WORDS;
        if ((seen[lane / 64] >> lane % 64 & 1) == 0) { /* else it is one to avoid */
            lane_pass_add(lanes, lane, nodes[lane]);
            reach[lane].reached = 1;
        }
    }
}

/* Add one to the count of each lane that is set. */
static inline void count_lanes(struct pass *pass, const uint64_t *lanes)
{
    for (size_t w = 0; w < WORDS; w++) {
        uint64_t carry = lanes[w];
        for (size_t k = 0; carry != 0; k++) {
            const uint64_t both = pass->planes[k][w] & carry;
            pw_assert(k < PLANES);
            pass->planes[k][w] ^= carry;
            carry = both;
        }
    }
}

/* The searches that reached the i-th node of the new level. */
static inline const uint64_t *reached_at(const struct pass *pass, size_t i)
{
    return pass->lanes.frontier + (size_t)pass->lanes.active[i] * WORDS;
}

/* True if the pass must stop: time passes also while nodes are counted. i: the next node. */
static inline bool stops_at(struct pass *pass, size_t i)
{
    return i % LOOK_NODES == LOOK_NODES - 1 && level_must_stop(&pass->lanes.level);
}

/* Count the nodes that each search reaches in a level one by one: less work if they are few. */
static void count_each(struct pass *pass, uint32_t level, struct reach *reach)
{
    for (size_t i = 0; i < pass->lanes.active_count && !stops_at(pass, i); i++) {
        const uint64_t *reached = reached_at(pass, i);
        for (size_t w = 0; w < WORDS; w++) {
            for (uint64_t bits = reached[w]; bits != 0; bits &= bits - 1) {
                struct reach *one = &reach[64 * w + (size_t)__builtin_ctzll(bits)];
                one->reached++;
                one->farness += level;
                one->harmonic += 1.0 / level;
                one->eccentricity = level;
            }
        }
    }
}

/* Count the nodes that each search reaches in a level with vertical counters. planes: bits of the
 * largest count that there may be. */
static void count_all(struct pass *pass, uint32_t level, size_t planes, size_t count,
                      struct reach *reach)
{
    memset(pass->planes, 0, sizeof(pass->planes));
    for (size_t i = 0; i < pass->lanes.active_count && !stops_at(pass, i); i++) {
        count_lanes(pass, reached_at(pass, i));
    }
    for (size_t lane = 0; lane < count; lane++) {
        uint32_t nodes = 0;
        for (size_t k = 0; k < planes; k++) {
            nodes |= (uint32_t)(pass->planes[k][lane / 64] >> lane % 64 & 1) << k;
        }
        reach[lane].reached += nodes;
        reach[lane].farness += (uint64_t)nodes * level;
        reach[lane].harmonic += (double)nodes / level;
        reach[lane].eccentricity = nodes > 0 ? level : reach[lane].eccentricity;
    }
}

/* Give the counts of the new level to the searches. */
static void count_level(struct pass *pass, uint32_t level, size_t count, struct reach *reach)
{
    const size_t nodes = pass->lanes.active_count;
    size_t planes = 0, bits = 0;
    while (nodes >> planes != 0) {
        planes++;
    }
    const size_t few = LANES * planes;
    for (size_t i = 0; i < nodes && bits < few; i++) {
        const uint64_t *reached = reached_at(pass, i);
        for (size_t w = 0; w < WORDS; w++) {
            bits += (size_t)__builtin_popcountll(reached[w]);
        }
    }
    if (bits < few) {
        count_each(pass, level, reach);
    } else {
        count_all(pass, level, planes, count, reach);
    }
}

/* The searches from up to LANES nodes. */
static void run_pass(struct pass *pass, const uint32_t *nodes, size_t count,
                     const struct reach_plan *plan, struct reach *reach,
                     struct search_result *result)
{
    struct lane_pass *lanes = &pass->lanes;
    const struct lane_kernel *kernel = lane_kernel_for(WORDS);
    begin_pass(pass, nodes, count, plan, reach);
    for (uint32_t level = 1; lanes->active_count > 0 && !level_must_stop(&lanes->level); level++) {
        const size_t visits = lanes->active_count;
        lane_pass_level(lanes, kernel);
        if (atomic_load(&lanes->level.status) != SEARCH_DONE) {
            break;
        }
        result->expanded += visits;
        count_level(pass, level, count, reach);
    }
    result->edges += atomic_load(&lanes->level.edges);
    result->status = (enum search_status)atomic_load(&lanes->level.status);
}

/* True if few searches of a pass were at the same node at the same time, as in a graph of many
 * levels: then they had better be made one by one. visits: of nodes, by any number of searches. */
static bool shares_little(const struct reach *reach, size_t count, uint64_t visits)
{
    uint64_t reached = 0;
    for (size_t i = 0; i < count; i++) {
        reached += reach[i].reached;
    }
    return reached < SHARED_MIN * visits;
}

/* The reach of the source of a walk, from its levels. */
static struct reach reach_of(const struct walk *walk)
{
    const size_t *begins = walk_level_begins(walk);
    const size_t levels = walk_level_count(walk);
    struct reach reach = {.reached = (uint32_t)begins[levels]};
    for (size_t level = 1; level < levels; level++) {
        const size_t nodes = begins[level + 1] - begins[level];
        reach.farness += nodes * level;
        reach.harmonic += (double)nodes / (double)level;
        reach.eccentricity = (uint32_t)level;
    }
    return reach;
}

/* A walk per node. */
static void find_one_by_one(struct walk *walk, const uint32_t *nodes, size_t count,
                            const struct reach_plan *plan, const struct search_clock *clock,
                            struct reach *reach, struct search_result *result)
{
    const struct search_limits limits = search_limits_of_part(clock);
    struct walk_plan one = {.source_count = 1,
                            .is_backwards = plan->is_backwards,
                            .hops_max = SEARCH_HOPS_NONE,
                            .avoided = plan->avoided,
                            .avoided_count = plan->avoided_count,
                            .limits = &limits};
    for (size_t i = 0; i < count && result->status == SEARCH_DONE; i++) {
        struct search_result found;
        one.sources = &nodes[i];
        walk_find(walk, &one, &found);
        result->expanded += found.expanded;
        result->edges += found.edges;
        result->status = found.status;
        if (found.status == SEARCH_DONE) {
            reach[i] = reach_of(walk);
        }
    }
}

/* The searches of as many passes as pay. Returns how many nodes have their answer. */
static size_t find_by_lanes(const struct graph *graph, const uint32_t *nodes, size_t count,
                            const struct reach_plan *plan, const struct search_clock *clock,
                            struct reach *reach, struct search_result *result)
{
    struct pass pass = {.lanes = {.lane_words = 0}};
    bool is_shared = true;
    size_t done = 0;
    pass.lanes.level.clock = *clock;
    if (!graph_allows_all(graph)) {
        result->status = SEARCH_DAMAGED;
    } else if (!open_pass(&pass, graph, plan->is_backwards)) {
        result->status = SEARCH_NO_MEMORY;
    }
    while (count - done >= LANES_MIN && is_shared && result->status == SEARCH_DONE) {
        const size_t lanes = count - done < LANES ? count - done : LANES;
        const uint64_t before = result->expanded;
        run_pass(&pass, nodes + done, lanes, plan, reach + done, result);
        if (result->status != SEARCH_DONE) {
            memset(reach + done, 0, lanes * sizeof(*reach));
        }
        is_shared = !shares_little(reach + done, lanes, result->expanded - before);
        done += lanes;
    }
    close_pass(&pass);
    return done;
}

void reach_find(const struct graph *graph, const uint32_t *nodes, size_t count,
                const struct reach_plan *plan, struct reach *reach, struct search_result *result)
{
    struct search_clock clock;
    size_t done = 0;
    search_start(&clock, plan->limits, result);
    for (size_t i = 0; i < count; i++) { /* without nodes reach may be NULL, which memset refuses */
        reach[i] = (struct reach){0};
    }
    result->status = search_stop_reason(&clock);
    if (result->status == SEARCH_DONE && count >= LANES_MIN) {
        done = find_by_lanes(graph, nodes, count, plan, &clock, reach, result);
    }
    if (result->status == SEARCH_DONE && done < count) {
        if (walk_prepare(plan->walk, graph, plan->threads)) {
            find_one_by_one(*plan->walk, nodes + done, count - done, plan, &clock, reach + done,
                            result);
        } else {
            result->status = SEARCH_NO_MEMORY;
        }
    }
    if (graph_is_damaged(graph, NULL)) { /* also if another search has met it */
        result->status = SEARCH_DAMAGED;
    }
    result->visited = result->pushed = result->expanded;
    search_finish(&clock, result);
}
