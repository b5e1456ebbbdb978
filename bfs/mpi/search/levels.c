/*
 * levels.c - see levels.h.
 */
#include "levels.h"
#include "base/array_reserve.h"
#include "base/macros.h"
#include "bfs/search/parents.h"
#include "bfs/search/team.h"
#include "perf/report/clock.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Costs in looks at an entry of an adjacency list; README.md says how they were measured. */
#define LIST_COST       7   /* of the first look at a list */
#define EDGE_COST       1.3 /* of a look that may also mark and send */
#define WORD_COST       1.0 /* of gathering a word of the bitmap */
#define CLEARLY         1.2 /* bottom up must look 20 % cheaper: the estimate is not more precise */
#define DENSE_SHARE     64  /* a frontier of less than this share of the nodes is sparse */
#define SAMPLE          1024 /* nodes of a frontier whose edges are counted; more are estimated */
#define NODES_PER_PIECE 256  /* nodes that a member takes at a time */
#define WORDS_PER_PIECE 64
#define FAR_AHEAD       24 /* places ahead in the frontier at which offsets are fetched */
#define NEAR_AHEAD      12 /* and neighbours */

/* What each thread has for itself. */
struct level_member {
    _Alignas(CACHE_LINE_BYTES) mpi_node *found; /* ids met for the first time in this round */
    size_t count;
    size_t begin, end; /* what is left of the piece that it took */
    uint64_t entry;    /* neighbours of begin that were read already */
    uint64_t edges;
};

struct levels {
    const struct mpi_graph *graph;
    struct node_bits bits;
    struct exchange exchange;
    struct team *team;
    struct level_member *members;
    unsigned threads;
    size_t room;          /* ids that a member may find per round */
    uint64_t *sinks;      /* of all nodes: those without out-edges */
    uint64_t *seen;       /* of all nodes: reached, or sent, or not to be followed */
    uint64_t *frontier;   /* of all nodes: the gathered frontier */
    uint64_t *own;        /* of own nodes: the frontier to gather, then the next */
    uint64_t *candidates; /* of own nodes: those with in-edges */
    uint64_t inner_count; /* of all ranks: nodes with edges in and out */
    mpi_node *order;      /* own nodes reached, by local number, level after level */
    size_t order_count;
    size_t *starts; /* of each level in order; one more than there are levels */
    size_t level_count, level_room;
    struct level_costs *costs;
    mpi_node target; /* of the last search */
    bool own_is_frontier;
    /* Of a level. */
    struct search_clock clock;
    atomic_size_t next; /* the first node or word that no member has taken */
    atomic_int status;  /* enum search_status of this rank */
};

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
    free(levels->sinks);
    free(levels->seen);
    free(levels->frontier);
    free(levels->own);
    free(levels->candidates);
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
    levels->sinks = calloc(all, sizeof(*levels->sinks));
    levels->seen = calloc(all, sizeof(*levels->seen));
    levels->frontier = calloc(all, sizeof(*levels->frontier));
    levels->own = calloc(own, sizeof(*levels->own));
    levels->candidates = calloc(own, sizeof(*levels->candidates));
    levels->order = calloc(graph->local_count + 2 * FAR_AHEAD, sizeof(*levels->order));
    levels->members =
        aligned_alloc(_Alignof(struct level_member), levels->threads * sizeof(*levels->members));
    if (levels->members == NULL) {
        return false;
    }
    memset(levels->members, 0, levels->threads * sizeof(*levels->members));
    levels->room = levels->exchange.room / levels->threads;
    bool made = levels->sinks != NULL && levels->seen != NULL && levels->frontier != NULL &&
                levels->own != NULL && levels->candidates != NULL && levels->order != NULL;
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
        levels->own[i / 64] |= (uint64_t)!has_out << (i & 63);
        levels->candidates[i / 64] |= (uint64_t)has_in << (i & 63);
        inner += has_out && has_in;
    }
    node_bits_gather(&levels->bits, levels->own, levels->sinks, &unused);
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

/* Take the next piece of the level. False when there is none, or when the search must stop. */
static bool take(struct levels *levels, size_t size, size_t items, size_t *begin, size_t *end)
{
    if (atomic_load_explicit(&levels->status, memory_order_relaxed) != SEARCH_DONE) {
        return false;
    }
    const enum search_status status = search_must_stop(&levels->clock);
    if (status != SEARCH_DONE) {
        atomic_store_explicit(&levels->status, (int)status, memory_order_relaxed);
        return false;
    }
    *begin = atomic_fetch_add_explicit(&levels->next, size, memory_order_relaxed);
    if (*begin >= items) {
        return false;
    }
    *end = items - *begin < size ? items : *begin + size;
    return true;
}

/* Whether this rank has come to the target, by its bit among those that are being set. That ends
 * the level. */
static inline bool has_met(const struct levels *levels, const uint64_t *bits)
{
    const mpi_node target = levels->target;
    const uint64_t bit = (uint64_t)1 << (target & 63);
    return target != NODE_ID_NONE &&
           (__atomic_load_n(&bits[target / 64], __ATOMIC_RELAXED) & bit) != 0;
}

/* Top down ------------------------------------------------------------------------------------ */

/* Set a node's bit; whether it was not set. shared: other threads do so, too. */
static inline bool see(uint64_t *seen, mpi_node node, bool shared)
{
    const uint64_t bit = (uint64_t)1 << (node & 63);
    uint64_t *word = &seen[node / 64];
    if (!shared) {
        const bool is_new = !(*word & bit);
        if (is_new) {
            *word |= bit;
        }
        return is_new;
    }
    return !(__atomic_load_n(word, __ATOMIC_RELAXED) & bit) &&
           !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit);
}

/* Fetch the offsets and neighbours of nodes behind a place of the frontier. Always inline: gcc
 * drops the call of a function that does nothing but prefetch. */
static inline __attribute__((always_inline)) void fetch_ahead(const struct levels *levels,
                                                              size_t place)
{
    const uint64_t *offsets = levels->graph->out.offsets;
    const mpi_node *order = levels->order + place;
    const mpi_node *ahead = levels->graph->out.neighbours + offsets[order[NEAR_AHEAD]];
    __builtin_prefetch(&offsets[order[FAR_AHEAD]]);
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + CACHE_LINE_BYTES / sizeof(*ahead));
}

/* Go on with the member's piece until it is done or the member has found as many as it may. */
static inline __attribute__((always_inline)) void
expand_piece(struct levels *levels, struct level_member *member, bool shared)
{
    const uint64_t *offsets = levels->graph->out.offsets;
    const mpi_node *neighbours = levels->graph->out.neighbours;
    uint64_t *seen = levels->seen;
    size_t count = member->count;
    while (member->begin < member->end && count < levels->room) {
        fetch_ahead(levels, member->begin);
        const mpi_node node = levels->order[member->begin];
        const uint64_t begin = offsets[node] + member->entry;
        uint64_t end = offsets[node + 1];
        const bool is_whole = end - begin <= levels->room - count;
        end = is_whole ? end : begin + (levels->room - count);
        for (uint64_t i = begin; i < end; i++) {
            if (see(seen, neighbours[i], shared)) {
                member->found[count++] = neighbours[i];
            }
        }
        member->edges += end - begin;
        member->entry = is_whole ? 0 : member->entry + (end - begin);
        member->begin += is_whole;
    }
    member->count = count;
}

static void expand_member(void *argument, unsigned index)
{
    struct levels *levels = argument;
    struct level_member *member = &levels->members[index];
    const size_t items = levels->starts[levels->level_count + 1];
    member->count = 0;
    while (!has_met(levels, levels->seen) &&
           (member->begin < member->end ||
            take(levels, NODES_PER_PIECE, items, &member->begin, &member->end))) {
        expand_piece(levels, member, levels->team != NULL);
        if (member->count == levels->room) {
            return;
        }
    }
}

/* Sort what was found into own nodes, which are reached, and those to be sent. */
static void sort_found(struct levels *levels)
{
    const struct mpi_partition *partition = &levels->graph->partition;
    struct exchange *exchange = &levels->exchange;
    for (unsigned i = 0; i < levels->threads; i++) {
        const struct level_member *member = &levels->members[i];
        size_t left = 0;
        if (partition->ranks == 1) { /* local numbers are ids */
            memcpy(levels->order + levels->order_count, member->found,
                   member->count * sizeof(*member->found));
            levels->order_count += member->count;
            levels->members[i].count = 0;
            continue;
        }
        for (size_t j = 0; j < member->count; j++) {
            const mpi_node node = member->found[j];
            const int owner = mpi_owner(partition, node);
            if (owner == partition->rank) {
                levels->order[levels->order_count++] = (mpi_node)mpi_local(partition, node);
            } else {
                mpi_round_count(&exchange->round, owner, 0);
                member->found[left++] = node;
            }
        }
        levels->members[i].count = left;
    }
    mpi_round_place(&exchange->round);
    for (unsigned i = 0; i < levels->threads; i++) {
        const struct level_member *member = &levels->members[i];
        for (size_t j = 0; j < member->count; j++) {
            exchange_put(exchange, mpi_owner(partition, member->found[j]), 0, member->found[j]);
        }
    }
}

/* Reach the own nodes that others sent. */
static void receive(struct levels *levels)
{
    const struct mpi_partition *partition = &levels->graph->partition;
    const struct exchange *exchange = &levels->exchange;
    for (int rank = 0; partition->ranks > 1 && rank < partition->ranks; rank++) {
        const mpi_node *nodes = exchange_received(exchange, rank);
        const size_t count = mpi_round_received(&exchange->round, rank, 0);
        for (size_t i = 0; i < count; i++) {
            if (see(levels->seen, nodes[i], false)) {
                levels->order[levels->order_count++] = (mpi_node)mpi_local(partition, nodes[i]);
            }
        }
    }
}

/* Whether this rank needs another round for the level. */
static bool has_more(const struct levels *levels)
{
    bool more = atomic_load(&levels->next) < levels->starts[levels->level_count + 1];
    for (unsigned i = 0; i < levels->threads; i++) {
        more |= levels->members[i].begin < levels->members[i].end;
    }
    return more && !has_met(levels, levels->seen) && atomic_load(&levels->status) == SEARCH_DONE;
}

static void top_down_sparse(struct levels *levels)
{
    bool more;
    atomic_store(&levels->next, levels->starts[levels->level_count]);
    do {
        mpi_round_start(&levels->exchange.round);
        team_run(levels->team, expand_member, levels);
        sort_found(levels);
        more = exchange_run(&levels->exchange, has_more(levels));
        receive(levels);
    } while (more);
    levels->own_is_frontier = false;
}

/* Set the bits of all neighbours of a piece, reached before or not: no branch to predict. */
static inline __attribute__((always_inline)) void
mark_piece(struct levels *levels, struct level_member *member, bool shared)
{
    const uint64_t *offsets = levels->graph->out.offsets;
    const mpi_node *neighbours = levels->graph->out.neighbours;
    uint64_t *marked = levels->frontier;
    for (; member->begin < member->end; member->begin++) {
        fetch_ahead(levels, member->begin);
        const mpi_node node = levels->order[member->begin];
        const uint64_t end = offsets[node + 1];
        for (uint64_t i = offsets[node]; i < end; i++) {
            if (shared) {
                see(marked, neighbours[i], true);
            } else {
                mpi_bit_set(marked, neighbours[i]);
            }
        }
        member->edges += end - offsets[node];
    }
}

static void mark_member(void *argument, unsigned index)
{
    struct levels *levels = argument;
    struct level_member *member = &levels->members[index];
    const size_t items = levels->starts[levels->level_count + 1];
    while (!has_met(levels, levels->frontier) &&
           take(levels, NODES_PER_PIECE, items, &member->begin, &member->end)) {
        mark_piece(levels, member, levels->team != NULL);
    }
}

/* The nodes in own that were not reached before are the next frontier. */
static void append_own(struct levels *levels)
{
    const size_t stride = levels->bits.own_stride;
    uint64_t *seen = levels->seen + levels->bits.own_first;
    mpi_node *order = levels->order;
    size_t count = levels->order_count;
    for (size_t word = 0; word < levels->bits.own_words; word++) {
        const uint64_t reached = levels->own[word] & ~seen[word * stride];
        levels->own[word] = reached;
        seen[word * stride] |= reached;
        for (uint64_t left = reached; left != 0; left &= left - 1) {
            order[count++] = (mpi_node)(word * 64 + (size_t)__builtin_ctzll(left));
        }
    }
    pw_assert(count <= levels->graph->local_count + 1); /* the source may be the target */
    levels->order_count = count;
    levels->own_is_frontier = true;
}

/* Every rank then also knows that the nodes are reached. */
static void see_all(struct levels *levels)
{
    for (size_t i = 0; levels->exchange.ranks > 1 && i < levels->bits.all_words; i++) {
        levels->seen[i] |= levels->frontier[i];
    }
}

static void top_down_dense(struct levels *levels)
{
    memset(levels->frontier, 0, levels->bits.all_words * sizeof(*levels->frontier));
    atomic_store(&levels->next, levels->starts[levels->level_count]);
    team_run(levels->team, mark_member, levels);
    node_bits_scatter(&levels->bits, levels->frontier, levels->own, levels->exchange.cost);
    append_own(levels);
    see_all(levels);
}

/* Bottom up ----------------------------------------------------------------------------------- */

static void bottom_up_member(void *argument, unsigned index)
{
    struct levels *levels = argument;
    const struct parents parents = {
        .offsets = levels->graph->in.offsets,
        .neighbours = levels->graph->in.neighbours,
        .candidates = levels->candidates,
        .seen = levels->seen + levels->bits.own_first,
        .stride = levels->bits.own_stride,
        .frontier = levels->frontier,
        .reached = levels->own,
    };
    size_t word, end;
    while (take(levels, WORDS_PER_PIECE, levels->bits.own_words, &word, &end)) {
        levels->members[index].edges += parents_look(&parents, word, end);
    }
}

/* Gather the frontier. */
static void gather_frontier(struct levels *levels)
{
    const size_t begin = levels->starts[levels->level_count];
    const size_t end = levels->starts[levels->level_count + 1];
    if (!levels->own_is_frontier) {
        memset(levels->own, 0, levels->bits.own_words * sizeof(*levels->own));
        for (size_t i = begin; i < end; i++) {
            mpi_bit_set(levels->own, levels->order[i]);
        }
    }
    node_bits_gather(&levels->bits, levels->own, levels->frontier, levels->exchange.cost);
    see_all(levels);
    if (levels->level_count == 0 && levels->target != NODE_ID_NONE) {
        mpi_bit_clear(levels->seen, levels->target); /* the source may be the target */
    }
}

/* Whether the target has a parent in the frontier: its owner looks before all others do. */
static bool look_for_target(struct levels *levels)
{
    const struct mpi_graph *graph = levels->graph;
    if (levels->target == NODE_ID_NONE) {
        return false;
    }
    const int owner = mpi_owner(&graph->partition, levels->target);
    int met = 0;
    if (owner == graph->partition.rank) {
        const uint64_t *offsets = graph->in.offsets + mpi_local(&graph->partition, levels->target);
        met = parents_find(graph->in.neighbours + offsets[0], graph->in.neighbours + offsets[1],
                           levels->frontier, &levels->members[0].edges);
    }
    MPI_Bcast(&met, 1, MPI_INT, owner, graph->comm);
    if (met) {
        mpi_bit_set(levels->seen, levels->target);
    }
    return met;
}

static void bottom_up(struct levels *levels)
{
    gather_frontier(levels);
    if (look_for_target(levels)) {
        return;
    }
    atomic_store(&levels->next, 0);
    team_run(levels->team, bottom_up_member, levels);
    if (atomic_load(&levels->status) != SEARCH_DONE) {
        return; /* not all words are those of the next frontier */
    }
    append_own(levels);
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

/* Edges out of this rank's frontier, those of a large one estimated from a sample. */
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

enum level_way { SPARSE, DENSE_TOP_DOWN, BOTTOM_UP };

/*
 * How to go on from a frontier. Bottom up, an entry of an adjacency list leads into
 * the frontier with about the frontier's share of all edges; nodes that many lists hold are reached
 * early, so that half the looks that chance would need are enough.
 */
static enum level_way choose_way(const struct levels *levels, const struct level_sums *sums,
                                 uint64_t reached)
{
    const struct mpi_graph *graph = levels->graph;
    const double all_edges = (double)graph->edge_count;
    const double ranks = levels->exchange.ranks;
    const double left = levels->inner_count > reached ? (double)(levels->inner_count - reached) : 0;
    const double edges = (double)sums->edges + 1;
    const double degree = all_edges / ((double)levels->inner_count + 1);
    const double looks = all_edges / edges < degree ? all_edges / edges : degree;
    const double top_down = (double)sums->nodes * LIST_COST + edges * EDGE_COST;
    const double gather = ranks > 1 ? (double)levels->bits.all_words * WORD_COST * ranks : 0;
    const double bottom_up = left * (LIST_COST + looks / 2) + gather;
    return sums->nodes < graph->partition.node_limit / DENSE_SHARE ? SPARSE
           : bottom_up * CLEARLY < top_down                        ? BOTTOM_UP
                                                                   : DENSE_TOP_DOWN;
}

static void start(struct levels *levels, mpi_node source, mpi_node target)
{
    const struct mpi_partition *partition = &levels->graph->partition;
    const size_t bytes = levels->bits.all_words * sizeof(*levels->seen);
    levels->target = target;
    levels->order_count = 0;
    levels->level_count = 0;
    levels->starts[0] = 0;
    levels->own_is_frontier = false;
    atomic_store(&levels->status, SEARCH_DONE);
    if (target == NODE_ID_NONE) {
        memset(levels->seen, 0, bytes);
    } else {
        memcpy(levels->seen, levels->sinks, bytes);
    }
    mpi_bit_set(levels->seen, source);
    if (mpi_owner(partition, source) == partition->rank) {
        levels->order[levels->order_count++] = (mpi_node)mpi_local(partition, source);
    }
    if (target != NODE_ID_NONE) {
        mpi_bit_clear(levels->seen, target); /* also where it is the source */
    }
    levels->starts[1] = levels->order_count;
    for (unsigned i = 0; i < levels->threads; i++) {
        levels->members[i].begin = levels->members[i].end = 0;
        levels->members[i].entry = 0;
    }
}

/* Sum up over all ranks what became of a level; the frontier is the next one now. */
static void sum_level(struct levels *levels, uint64_t looked, struct level_sums *sums)
{
    const mpi_node target = levels->target;
    const struct mpi_partition *partition = &levels->graph->partition;
    int status = atomic_load(&levels->status);
    if (status == SEARCH_DONE) {
        status = (int)search_must_stop(&levels->clock);
    }
    const size_t begin = levels->starts[levels->level_count];
    const size_t end = levels->starts[levels->level_count + 1];
    const struct level_sums own = {
        .nodes = end - begin,
        .edges = edges_of_level(levels),
        .looked = looked,
        .found = levels->level_count > 0 && target != NODE_ID_NONE &&
                 mpi_owner(partition, target) == partition->rank &&
                 mpi_bit_test(levels->seen, target),
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
        bottom_up(levels);
    } else if (way == DENSE_TOP_DOWN) {
        top_down_dense(levels);
    } else {
        top_down_sparse(levels);
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

void levels_search(struct levels *levels, mpi_node source, mpi_node target,
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

mpi_node levels_least(const struct mpi_graph *graph, const struct mpi_rows *rows,
                      const mpi_node *own, size_t count, mpi_node other)
{
    mpi_node least = NODE_ID_NONE;
    for (size_t i = 0; i < count; i++) {
        const mpi_node id = (mpi_node)mpi_global(&graph->partition, graph->partition.rank, own[i]);
        const mpi_node *next = rows->neighbours + rows->offsets[own[i]];
        const mpi_node *end = rows->neighbours + rows->offsets[own[i] + 1];
        while (id < least && next < end && *next != other) {
            next++;
        }
        least = id < least && next < end ? id : least;
    }
    return least;
}

void levels_path(const struct levels *levels, mpi_node *nodes)
{
    const struct mpi_graph *graph = levels->graph;
    const uint32_t hops = (uint32_t)levels->level_count;
    nodes[hops] = levels->target;
    for (uint32_t distance = hops; distance-- > 0;) {
        const size_t *starts = levels->starts + distance;
        nodes[distance] = levels_least(graph, &graph->out, levels->order + starts[0],
                                       starts[1] - starts[0], nodes[distance + 1]);
        exchange_least(graph->comm, &nodes[distance], 1);
        pw_assert(nodes[distance] != NODE_ID_NONE);
    }
}
