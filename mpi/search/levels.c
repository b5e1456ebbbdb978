/*
 * levels.c - the workspace, the levels of a search, and paths; see levels.h.
 */
#include "levels.h"
#include "base/array_reserve.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "bfs/search/direction.h"
#include "levels_state.h"
#include <stdlib.h>
#include <string.h>

#define WORD_COST 1.0  /* of gathering a word of the bitmap, in looks (direction.h) */
#define SAMPLE    1024 /* nodes of a frontier whose edges are counted; more are estimated */

void levels_destroy(struct levels *levels)
{
    if (levels == NULL) {
        return;
    }
    for (unsigned i = 0; levels->members != NULL && i < levels->threads; i++) {
        free(levels->members[i].found);
    }
    free(levels->members);
    team_destroy(levels->team);
    exchange_close(&levels->exchange);
    node_bits_close(&levels->bits);
    free(levels->maps.sinks);
    free(levels->maps.seen);
    free(levels->maps.frontier);
    free(levels->maps.own);
    free(levels->maps.candidates);
    free(levels->order);
    free(levels->starts);
    free(levels);
}

/* Room for one more level. False when out of memory. */
static bool level_make_room(struct levels *levels)
{
    return array_reserve(&levels->starts, &levels->level_room, levels->level_count + 3,
                         sizeof(*levels->starts));
}

static bool take_memory(struct levels *levels)
{
    const struct mpi_graph *graph = levels->graph;
    if (!node_bits_open(&levels->bits, graph) || !exchange_open(&levels->exchange, graph, 1) ||
        !level_make_room(levels)) {
        return false;
    }
    const size_t all = levels->bits.all_words + 1, own = levels->bits.own_words + 1;
    levels->maps.sinks = calloc(all, sizeof(*levels->maps.sinks));
    levels->maps.seen = calloc(all, sizeof(*levels->maps.seen));
    levels->maps.frontier = calloc(all, sizeof(*levels->maps.frontier));
    levels->maps.own = calloc(own, sizeof(*levels->maps.own));
    levels->maps.candidates = calloc(own, sizeof(*levels->maps.candidates));
    levels->order = calloc(graph->local_count + 2 * LEVELS_FAR_AHEAD, sizeof(*levels->order));
    levels->members =
        aligned_alloc(_Alignof(struct level_member), levels->threads * sizeof(*levels->members));
    if (levels->members == NULL) {
        return false;
    }
    memset(levels->members, 0, levels->threads * sizeof(*levels->members));
    levels->room = levels->exchange.room / levels->threads;
    bool made = levels->maps.sinks != NULL && levels->maps.seen != NULL &&
                levels->maps.frontier != NULL && levels->maps.own != NULL &&
                levels->maps.candidates != NULL && levels->order != NULL;
    for (unsigned i = 0; made && i < levels->threads; i++) {
        levels->members[i].found = malloc(levels->room * sizeof(*levels->members[i].found));
        made = levels->members[i].found != NULL;
    }
    if (made && levels->threads > 1) {
        levels->team = team_create(levels->threads);
        made = levels->team != NULL;
    }
    return made;
}

/* Which nodes need not be followed, and which can be reached. */
static void look_at_nodes(struct levels *levels)
{
    const struct mpi_graph *graph = levels->graph;
    struct level_cost unused = {0};
    uint64_t inner = 0;
    for (size_t i = 0; i < graph->local_count; i++) {
        const bool has_out = graph->out.offsets[i] < graph->out.offsets[i + 1];
        const bool has_in = graph->in.offsets[i] < graph->in.offsets[i + 1];
        levels->maps.own[i / 64] |= (uint64_t)!has_out << (i & 63);
        levels->maps.candidates[i / 64] |= (uint64_t)has_in << (i & 63);
        inner += has_out && has_in;
    }
    node_bits_gather(&levels->bits, levels->maps.own, levels->maps.sinks, &unused);
    MPI_Allreduce(&inner, &levels->inner_count, 1, MPI_UINT64_T, MPI_SUM, graph->comm);
}

struct levels *levels_create(const struct mpi_graph *graph, unsigned threads)
{
    struct levels *levels = calloc(1, sizeof(*levels));
    bool made = false;
    if (levels != NULL) {
        levels->graph = graph;
        levels->threads = threads;
        made = take_memory(levels);
    }
    if (!mpi_all_say(graph->comm, made) || levels == NULL) {
        levels_destroy(levels);
        return NULL;
    }
    look_at_nodes(levels);
    return levels;
}

/* All levels ---------------------------------------------------------------------------------- */

/* What all ranks must know of a level, in sums. */
struct level_sums {
    uint64_t nodes;  /* of the frontier */
    uint64_t edges;  /* out of it, estimated */
    uint64_t looked; /* entries examined to reach it */
    uint64_t found;  /* the target is among them */
    uint64_t timed_out, cancelled, no_memory;
};

/* Edges out of this rank's frontier; for a large one, estimated from a sample. */
static uint64_t edges_of_level(const struct levels *levels)
{
    const uint64_t *offsets = levels->graph->out.offsets;
    const size_t begin = levels->starts[levels->level_count];
    const size_t end = levels->starts[levels->level_count + 1];
    const size_t stride = 1 + (end - begin) / SAMPLE;
    uint64_t edges = 0;
    for (size_t i = begin; i < end; i += stride) {
        edges += offsets[levels->order[i] + 1] - offsets[levels->order[i]];
    }
    return edges * stride;
}

/* How to go on from a frontier. */
static enum level_way choose_way(const struct levels *levels, const struct level_sums *sums,
                                 uint64_t reached)
{
    const struct mpi_graph *graph = levels->graph;
    const double ranks = levels->exchange.ranks;
    const struct direction_state state = {
        .nodes = sums->nodes,
        .edges = sums->edges,
        .reached = reached,
        .candidates = levels->inner_count,
        .all_edges = graph->edge_count,
        .gathering = ranks > 1 ? (double)levels->bits.all_words * WORD_COST * ranks : 0,
    };
    return sums->nodes < graph->partition.node_limit / DIRECTION_DENSE_SHARE ? SPARSE
           : direction_is_bottom_up(&state)                                  ? BOTTOM_UP
                                                                             : DENSE_TOP_DOWN;
}

static void start(struct levels *levels, uint32_t source, uint32_t target)
{
    const struct mpi_partition *partition = &levels->graph->partition;
    const size_t bytes = levels->bits.all_words * sizeof(*levels->maps.seen);
    levels->target = target;
    levels->order_count = 0;
    levels->level_count = 0;
    levels->starts[0] = 0;
    levels->maps.own_is_frontier = false;
    atomic_store(&levels->status, SEARCH_DONE);
    memcpy(levels->maps.seen, levels->maps.sinks, bytes);
    mpi_bit_set(levels->maps.seen, source);
    if (mpi_owner(partition, source) == partition->rank) {
        levels->order[levels->order_count++] = (uint32_t)mpi_local(partition, source);
    }
    mpi_bit_clear(levels->maps.seen, target); /* also where it is the source */
    levels->starts[1] = levels->order_count;
    for (unsigned i = 0; i < levels->threads; i++) {
        levels->members[i].begin = levels->members[i].end = 0;
        levels->members[i].entry = 0;
    }
}

/* Sum up over all ranks what became of a level; the frontier is the next one now. */
static void sum_level(struct levels *levels, uint64_t looked, struct level_sums *sums)
{
    const uint32_t target = levels->target;
    const struct mpi_partition *partition = &levels->graph->partition;
    int status = atomic_load(&levels->status);
    if (status == SEARCH_DONE) {
        status = (int)search_stop_reason(&levels->clock);
    }
    const size_t begin = levels->starts[levels->level_count];
    const size_t end = levels->starts[levels->level_count + 1];
    const struct level_sums own = {
        .nodes = end - begin,
        .edges = edges_of_level(levels),
        .looked = looked,
        .found = levels->level_count > 0 && mpi_owner(partition, target) == partition->rank &&
                 mpi_bit_test(levels->maps.seen, target),
        .timed_out = status == SEARCH_TIMED_OUT,
        .cancelled = status == SEARCH_CANCELLED,
        .no_memory = status == SEARCH_NO_MEMORY,
    };
    MPI_Allreduce(&own, sums, sizeof(own) / sizeof(uint64_t), MPI_UINT64_T, MPI_SUM,
                  levels->graph->comm);
}

/* Expand the frontier by a level. Returns the entries that this rank looked at. */
static uint64_t step(struct levels *levels, enum level_way way)
{
    const uint64_t start_ns = clock_now_ns();
    struct level_cost *cost = level_costs_next(levels->costs);
    uint64_t looked = 0;
    levels->exchange.cost = cost;
    cost->nodes += levels->starts[levels->level_count + 1] - levels->starts[levels->level_count];
    cost->bottom_up += way == BOTTOM_UP;
    if (way == BOTTOM_UP) {
        level_bottom_up(levels);
    } else if (way == DENSE_TOP_DOWN) {
        level_top_down_dense(levels);
    } else {
        level_top_down_sparse(levels);
    }
    for (unsigned i = 0; i < levels->threads; i++) {
        looked += levels->members[i].edges;
        levels->members[i].edges = 0;
    }
    cost->edges += looked;
    levels->level_count++;
    if (!level_make_room(levels)) {
        atomic_store(&levels->status, SEARCH_NO_MEMORY);
    }
    levels->starts[levels->level_count + 1] = levels->order_count;
    cost->elapsed_ns += clock_now_ns() - start_ns;
    return looked;
}

void levels_search(struct levels *levels, uint32_t source, uint32_t target,
                   const struct search_limits *limits, struct level_costs *costs,
                   struct search_result *result)
{
    struct level_sums sums;
    costs->count = 0;
    levels->costs = costs;
    search_start(&levels->clock, limits, result);
    start(levels, source, target);
    sum_level(levels, 0, &sums);
    do {
        const uint64_t expanded = result->expanded + sums.nodes;
        const enum level_way way = choose_way(levels, &sums, expanded);
        sum_level(levels, step(levels, way), &sums);
        result->status = search_status_of(sums.no_memory, sums.cancelled, sums.timed_out);
        result->expanded = expanded;
        result->visited = expanded - 1;
        if (sums.found > 0 && result->status == SEARCH_DONE) {
            result->found = true;
            result->hops = (uint32_t)levels->level_count;
            break;
        }
        if (result->status != SEARCH_DONE) {
            break;
        }
        result->edges += sums.looked;
        result->pushed = expanded - 1 + sums.nodes;
        result->peak_queue = sums.nodes > result->peak_queue ? sums.nodes : result->peak_queue;
    } while (sums.nodes > 0);
    search_finish(&levels->clock, result);
}

/* Paths --------------------------------------------------------------------------------------- */

uint32_t levels_least(const struct mpi_graph *graph, const struct mpi_rows *rows,
                      const uint32_t *own, size_t count, uint32_t other)
{
    uint32_t least = GRAPH_NODE_NONE;
    for (size_t i = 0; i < count; i++) {
        const uint32_t id = (uint32_t)mpi_global(&graph->partition, graph->partition.rank, own[i]);
        const uint32_t *next = rows->neighbours + rows->offsets[own[i]];
        const uint32_t *end = rows->neighbours + rows->offsets[own[i] + 1];
        while (id < least && next < end && *next != other) {
            next++;
        }
        least = id < least && next < end ? id : least;
    }
    return least;
}

void levels_path(const struct levels *levels, uint32_t *nodes)
{
    const struct mpi_graph *graph = levels->graph;
    const uint32_t hops = (uint32_t)levels->level_count;
    nodes[hops] = levels->target;
    for (uint32_t distance = hops; distance-- > 0;) {
        const size_t *starts = levels->starts + distance;
        nodes[distance] = levels_least(graph, &graph->out, levels->order + starts[0],
                                       starts[1] - starts[0], nodes[distance + 1]);
        exchange_least(graph->comm, &nodes[distance], 1);
        pw_assert(nodes[distance] != GRAPH_NODE_NONE);
    }
}
