/*
 * flight.c - see flight.h.
 */
#include "flight.h"
#include "base/array_reserve.h"
#include "base/macros.h"
#include "base/report/clock.h"
#include <stdlib.h>
#include <string.h>

#define AHEAD 8 /* places ahead in a level at which adjacency lists are fetched */

_Static_assert(2 * FLIGHT_LANES <= LEAST_MAX, "a minimum per end");

enum { FORWARD, BACKWARD };

/* One end of a pair: the own nodes that it has reached, by local number, level after level. */
struct lane_side {
    uint32_t *nodes;
    size_t count, room;
    size_t *starts; /* of each level; the last is being filled */
    size_t start_room;
    uint32_t depth;       /* levels that are complete, but for the node itself */
    uint64_t level_edges; /* of all ranks: out of the level at depth */
    uint64_t level_nodes;
};

struct lane {
    struct pair pair;
    struct lane_side sides[2];
    unsigned which;   /* the end that goes on in this round, or did so last */
    bool is_alive;    /* goes on in this round */
    uint32_t meeting; /* the least node in which the ends meet; GRAPH_NODE_NONE: none yet */
};

/* The facts of a pair after a round for all ranks: sums, and the least meeting. */
struct lane_sums {
    uint64_t edges; /* out of the level reached */
    uint64_t nodes; /* in it */
    uint64_t timed_out, cancelled, no_memory;
    uint64_t meeting; /* UINT64_MAX: none */
};

/* An id for another rank. */
struct parcel {
    uint32_t node;
    uint8_t lane;
};

struct flight {
    const struct mpi_graph *graph;
    struct exchange exchange;
    uint64_t *marks[2]; /* of own nodes: the pairs that reached it forwards, backwards */
    struct lane lanes[FLIGHT_LANES];
    size_t lane_count;
    struct parcel *parcels; /* of a round */
    size_t parcel_count;
    size_t at_lane, at_node; /* where the next round continues */
    uint64_t at_entry;
    enum search_status status; /* of this rank */
    struct search_clock clock;
    struct level_costs *costs;
    MPI_Datatype sums_type;
    MPI_Op sums_add;
};

static void add_sums(void *from, void *into, int *count, MPI_Datatype *type)
{
    const struct lane_sums *one = from;
    struct lane_sums *all = into;
    (void)type;
    for (int i = 0; i < *count; i++) {
        all[i].edges += one[i].edges;
        all[i].nodes += one[i].nodes;
        all[i].timed_out += one[i].timed_out;
        all[i].cancelled += one[i].cancelled;
        all[i].no_memory += one[i].no_memory;
        all[i].meeting = one[i].meeting < all[i].meeting ? one[i].meeting : all[i].meeting;
    }
}

void flight_destroy(struct flight *flight)
{
    if (flight == NULL) {
        return;
    }
    for (size_t i = 0; i < 2 * FLIGHT_LANES; i++) {
        free(flight->lanes[i / 2].sides[i % 2].nodes);
        free(flight->lanes[i / 2].sides[i % 2].starts);
    }
    exchange_close(&flight->exchange);
    free(flight->marks[FORWARD]);
    free(flight->marks[BACKWARD]);
    free(flight->parcels);
    if (flight->graph != NULL) {
        MPI_Type_free(&flight->sums_type);
        MPI_Op_free(&flight->sums_add);
    }
    free(flight);
}

static bool take_memory(struct flight *flight, const struct mpi_graph *graph)
{
    const size_t nodes = (size_t)graph->local_count + 1;
    flight->graph = graph;
    MPI_Type_contiguous(sizeof(struct lane_sums) / sizeof(uint64_t), MPI_UINT64_T,
                        &flight->sums_type);
    MPI_Type_commit(&flight->sums_type);
    MPI_Op_create(add_sums, 1, &flight->sums_add);
    flight->marks[FORWARD] = calloc(nodes, sizeof(**flight->marks));
    flight->marks[BACKWARD] = calloc(nodes, sizeof(**flight->marks));
    flight->parcels = malloc(exchange_room(graph->partition.ranks) * sizeof(*flight->parcels));
    return flight->marks[FORWARD] != NULL && flight->marks[BACKWARD] != NULL &&
           flight->parcels != NULL && exchange_open(&flight->exchange, graph, FLIGHT_LANES);
}

struct flight *flight_create(const struct mpi_graph *graph)
{
    struct flight *flight = calloc(1, sizeof(*flight));
    const bool made = flight != NULL && take_memory(flight, graph);
    if (!mpi_all_say(graph->comm, made) || flight == NULL) {
        flight_destroy(flight);
        return NULL;
    }
    return flight;
}

/* The adjacency that an end follows. */
static const struct mpi_rows *rows_of(const struct flight *flight, unsigned side)
{
    return side == FORWARD ? &flight->graph->out : &flight->graph->in;
}

/* Add an own node to the level being filled. */
static void add_node(struct flight *flight, struct lane_side *side, uint32_t local)
{
    if (array_reserve(&side->nodes, &side->room, side->count + 1, sizeof(*side->nodes))) {
        side->nodes[side->count++] = local;
    } else {
        flight->status = SEARCH_NO_MEMORY;
    }
}

/* Complete the current level and start another. */
static void start_level(struct flight *flight, struct lane_side *side)
{
    const size_t level = (size_t)side->depth + 1;
    if (array_reserve(&side->starts, &side->start_room, level + 2, sizeof(*side->starts))) {
        side->starts[level] = side->count;
    } else {
        flight->status = SEARCH_NO_MEMORY;
    }
}

/* Handle an own node that an end of a pair has reached. */
static void reach(struct flight *flight, size_t index, uint32_t node)
{
    struct lane *lane = &flight->lanes[index];
    const uint32_t local = (uint32_t)mpi_local(&flight->graph->partition, node);
    const uint64_t bit = (uint64_t)1 << index;
    if (flight->marks[!lane->which][local] & bit) {
        lane->meeting = node < lane->meeting ? node : lane->meeting;
    } else if (!(flight->marks[lane->which][local] & bit) && lane->meeting == GRAPH_NODE_NONE) {
        flight->marks[lane->which][local] |= bit;
        add_node(flight, &lane->sides[lane->which], local);
    }
}

/* Follow edges of the own nodes of a pair's level. False if there is no more room for parcels. */
static bool expand_lane(struct flight *flight, size_t index)
{
    const struct mpi_partition *partition = &flight->graph->partition;
    const struct lane *lane = &flight->lanes[index];
    const struct lane_side *side = &lane->sides[lane->which];
    const struct mpi_rows *rows = rows_of(flight, lane->which);
    const size_t end = side->starts[side->depth + 1];
    struct level_cost *cost = flight->exchange.cost;
    for (; flight->at_node < end; flight->at_node++, flight->at_entry = 0) {
        const uint64_t *offsets = rows->offsets + side->nodes[flight->at_node];
        const uint64_t list_end = offsets[1];
        if (flight->at_node + AHEAD < end) {
            __builtin_prefetch(rows->neighbours +
                               rows->offsets[side->nodes[flight->at_node + AHEAD]]);
        }
        for (uint64_t i = offsets[0] + flight->at_entry; i < list_end; i++) {
            const uint32_t node = rows->neighbours[i];
            const int owner = partition->ranks == 1 ? 0 : mpi_owner(partition, node);
            if (owner == partition->rank) {
                reach(flight, index, node);
            } else if (flight->parcel_count == flight->exchange.room) {
                flight->at_entry = i - offsets[0];
                return false;
            } else {
                mpi_round_count(&flight->exchange.round, owner, index);
                flight->parcels[flight->parcel_count++] = (struct parcel){node, (uint8_t)index};
            }
            cost->edges++;
        }
    }
    return true;
}

/* Continue the level of all pairs. False if there is no more room for parcels. */
static bool expand(struct flight *flight)
{
    for (; flight->at_lane < flight->lane_count; flight->at_lane++) {
        const struct lane *lane = &flight->lanes[flight->at_lane];
        if (flight->status == SEARCH_DONE) {
            flight->status = search_stop_reason(&flight->clock);
        }
        if (lane->is_alive && flight->status == SEARCH_DONE) {
            const struct lane_side *side = &lane->sides[lane->which];
            const size_t first = side->starts[side->depth];
            flight->at_node = flight->at_node > first ? flight->at_node : first;
            if (!expand_lane(flight, flight->at_lane)) {
                return false;
            }
        }
        flight->at_node = 0;
        flight->at_entry = 0;
    }
    return true;
}

/* Advance every pair by one level. */
static void advance(struct flight *flight)
{
    const struct mpi_partition *partition = &flight->graph->partition;
    struct exchange *exchange = &flight->exchange;
    bool more;
    flight->at_lane = flight->at_node = 0;
    flight->at_entry = 0;
    do {
        flight->parcel_count = 0;
        mpi_round_start(&exchange->round);
        more = !expand(flight);
        mpi_round_place(&exchange->round);
        for (size_t i = 0; i < flight->parcel_count; i++) {
            const struct parcel *parcel = &flight->parcels[i];
            exchange_put(exchange, mpi_owner(partition, parcel->node), parcel->lane, parcel->node);
        }
        more = exchange_run(exchange, more);
        for (int rank = 0; partition->ranks > 1 && rank < partition->ranks; rank++) {
            const uint32_t *nodes = exchange_received(exchange, rank);
            for (size_t lane = 0; lane < flight->lane_count; lane++) {
                const size_t count = mpi_round_received(&exchange->round, rank, lane);
                for (size_t i = 0; i < count; i++) {
                    reach(flight, lane, nodes[i]);
                }
                nodes += count;
            }
        }
    } while (more);
}

/* Rounds -------------------------------------------------------------------------------------- */

/* This rank's share of the facts about the level that an end has reached. */
static struct lane_sums sums_of(const struct flight *flight, const struct lane *lane, unsigned end)
{
    const struct lane_side *side = &lane->sides[end];
    const uint64_t *offsets = rows_of(flight, end)->offsets;
    struct lane_sums sums = {
        .timed_out = flight->status == SEARCH_TIMED_OUT,
        .cancelled = flight->status == SEARCH_CANCELLED,
        .no_memory = flight->status == SEARCH_NO_MEMORY,
        .meeting = lane->meeting == GRAPH_NODE_NONE ? UINT64_MAX : lane->meeting,
    };
    if (flight->status == SEARCH_DONE) {
        const size_t first = side->starts[side->depth];
        sums.nodes = side->starts[side->depth + 1] - first;
        for (size_t i = first; i < side->count; i++) {
            sums.edges += offsets[side->nodes[i] + 1] - offsets[side->nodes[i]];
        }
    }
    return sums;
}

static void sum_all(const struct flight *flight, struct lane_sums *own, struct lane_sums *all,
                    size_t count)
{
    MPI_Allreduce(own, all, (int)count, flight->sums_type, flight->sums_add, flight->graph->comm);
}

/* Put every pair at its ends. */
static void start(struct flight *flight, const struct pair *pairs, size_t count)
{
    const struct mpi_partition *partition = &flight->graph->partition;
    struct lane_sums own[2 * FLIGHT_LANES] = {{0}}, all[2 * FLIGHT_LANES];
    flight->lane_count = count;
    flight->status = SEARCH_DONE;
    for (size_t i = 0; i < 2 * count; i++) {
        struct lane *lane = &flight->lanes[i / 2];
        struct lane_side *side = &lane->sides[i % 2];
        lane->pair = pairs[i / 2];
        lane->meeting = GRAPH_NODE_NONE;
        const uint32_t node = i % 2 == FORWARD ? lane->pair.source : lane->pair.target;
        side->count = 0;
        side->depth = 0;
        if (mpi_owner(partition, node) == partition->rank) {
            const uint32_t local = (uint32_t)mpi_local(partition, node);
            add_node(flight, side, local);
            flight->marks[i % 2][local] |= (uint64_t)1 << i / 2;
        }
        start_level(flight, side);
        if (flight->status == SEARCH_DONE) {
            side->starts[0] = 0;
        }
        own[i] = sums_of(flight, lane, i % 2);
    }
    sum_all(flight, own, all, 2 * count);
    for (size_t i = 0; i < 2 * count; i++) {
        struct lane_side *side = &flight->lanes[i / 2].sides[i % 2];
        side->level_edges = all[i].edges;
        side->level_nodes = all[i].nodes;
        flight->status = all[i].no_memory > 0 ? SEARCH_NO_MEMORY : flight->status;
    }
}

/* Choose the pairs that go on, and at which end. Returns how many. */
static size_t choose_ends(struct flight *flight, const struct search_result *results)
{
    size_t alive = 0;
    for (size_t i = 0; i < flight->lane_count; i++) {
        struct lane *lane = &flight->lanes[i];
        const struct lane_side *sides = lane->sides;
        lane->which = lane->meeting != GRAPH_NODE_NONE                            ? lane->which
                      : sides[FORWARD].level_edges <= sides[BACKWARD].level_edges ? FORWARD
                                                                                  : BACKWARD;
        /* A level without edges is the last of its end. */
        lane->is_alive = results[i].status == SEARCH_DONE && !results[i].found &&
                         sides[FORWARD].level_edges > 0 && sides[BACKWARD].level_edges > 0;
        alive += lane->is_alive;
    }
    return alive;
}

/* Take the result of a pair's round from all ranks. */
static void settle(struct lane *lane, const struct lane_sums *sums, struct search_result *result)
{
    struct lane_side *side = &lane->sides[lane->which];
    result->status = search_status_of(sums->no_memory, sums->cancelled, sums->timed_out);
    result->expanded += side->level_nodes;
    result->edges += side->level_edges;
    if (result->status != SEARCH_DONE) {
        return;
    }
    if (sums->meeting != UINT64_MAX) {
        lane->meeting = (uint32_t)sums->meeting;
        result->found = true;
        result->hops = lane->sides[FORWARD].depth + lane->sides[BACKWARD].depth;
        return;
    }
    side->level_edges = sums->edges;
    side->level_nodes = sums->nodes;
    result->pushed += sums->nodes;
    const uint64_t waiting = lane->sides[FORWARD].level_nodes + lane->sides[BACKWARD].level_nodes;
    result->peak_queue = waiting > result->peak_queue ? waiting : result->peak_queue;
}

/* Make one round of all live pairs. */
static void round_of_all(struct flight *flight, struct search_result *results)
{
    struct lane_sums own[FLIGHT_LANES], all[FLIGHT_LANES];
    const uint64_t start_ns = clock_now_ns();
    struct level_cost *cost = level_costs_next(flight->costs);
    flight->exchange.cost = cost;
    for (size_t i = 0; i < flight->lane_count; i++) {
        const struct lane_side *side = &flight->lanes[i].sides[flight->lanes[i].which];
        if (flight->lanes[i].is_alive) {
            cost->nodes += side->starts[side->depth + 1] - side->starts[side->depth];
        }
    }
    advance(flight);
    size_t live = 0;
    for (size_t i = 0; i < flight->lane_count; i++) {
        struct lane *lane = &flight->lanes[i];
        if (lane->is_alive) {
            lane->sides[lane->which].depth++;
            start_level(flight, &lane->sides[lane->which]);
            own[live++] = sums_of(flight, lane, lane->which);
        }
    }
    sum_all(flight, own, all, live);
    live = 0;
    for (size_t i = 0; i < flight->lane_count; i++) {
        if (flight->lanes[i].is_alive) {
            settle(&flight->lanes[i], &all[live++], &results[i]);
        }
    }
    cost->elapsed_ns += clock_now_ns() - start_ns;
}

/* Clear the marks of the pairs. */
static void clear_marks(struct flight *flight)
{
    size_t touched = 0;
    for (size_t i = 0; i < 2 * flight->lane_count; i++) {
        touched += flight->lanes[i / 2].sides[i % 2].count;
    }
    for (unsigned end = FORWARD; end <= BACKWARD; end++) {
        if (touched > flight->graph->local_count / 8) {
            memset(flight->marks[end], 0, flight->graph->local_count * sizeof(**flight->marks));
            continue;
        }
        for (size_t i = 0; i < flight->lane_count; i++) {
            const struct lane_side *side = &flight->lanes[i].sides[end];
            for (size_t j = 0; j < side->count; j++) {
                flight->marks[end][side->nodes[j]] = 0;
            }
        }
    }
}

void flight_search(struct flight *flight, const struct pair *pairs, size_t count,
                   const struct search_limits *limits, struct level_costs *costs,
                   struct search_result *results)
{
    struct search_result whole;
    costs->count = 0;
    flight->costs = costs;
    pw_assert(count > 0 && count <= FLIGHT_LANES);
    search_start(&flight->clock, limits, &whole);
    start(flight, pairs, count);
    for (size_t i = 0; i < count; i++) {
        results[i] = (struct search_result){.status = flight->status, .hops = SEARCH_HOPS_NONE};
    }
    while (choose_ends(flight, results) > 0) {
        round_of_all(flight, results);
    }
    clear_marks(flight);
    search_finish(&flight->clock, &whole);
    for (size_t i = 0; i < count; i++) {
        results[i].visited = results[i].expanded;
        results[i].elapsed_ns = whole.elapsed_ns / count;
    }
}

/* Paths --------------------------------------------------------------------------------------- */

/* The least own node at that depth of an end with an edge to the next node of the path. */
static uint32_t least_at(const struct flight *flight, const struct lane_side *side, unsigned end,
                         uint32_t depth, uint32_t from)
{
    const size_t first = side->starts[depth];
    return levels_least(flight->graph, rows_of(flight, end), side->nodes + first,
                        side->starts[depth + 1] - first, from);
}

void flight_paths(const struct flight *flight, uint32_t *const *paths)
{
    uint32_t least[2 * FLIGHT_LANES];
    for (uint32_t step = 0;; step++) {
        size_t count = 0;
        for (int pass = 0; pass < 2; pass++) { /* ask all ranks, then write down */
            if (pass == 1 && count > 0) {
                exchange_least(flight->graph->comm, least, count);
            } else if (pass == 1) {
                return;
            }
            size_t at = 0;
            for (size_t i = 0; i < 2 * flight->lane_count; i++) {
                const struct lane *lane = &flight->lanes[i / 2];
                const struct lane_side *side = &lane->sides[i % 2];
                if (paths[i / 2] == NULL || step >= side->depth) {
                    continue;
                }
                uint32_t *here = paths[i / 2] + lane->sides[FORWARD].depth;
                here[0] = lane->meeting;
                here = i % 2 == FORWARD ? here - step : here + step;
                if (pass == 0) {
                    least[at++] = least_at(flight, side, i % 2, side->depth - step - 1, *here);
                } else {
                    here[i % 2 == FORWARD ? -1 : 1] = least[at++];
                }
            }
            count = at;
        }
    }
}
