/*
 * level_ways.c - three ways over a level: sparse top down, dense top down, bottom up (levels.h).
 */
#include "base/pw_assert.h"
#include "bfs/search/parents.h"
#include "levels_state.h"
#include <string.h>

#define NODES_PER_PIECE 256 /* nodes that a member takes at a time */
#define WORDS_PER_PIECE 64
#define NEAR_AHEAD      12 /* places ahead in the frontier at which neighbours are fetched */

/* Take the next piece of the level. False when no piece is left, or when the search must stop. */
static bool take(struct levels *levels, size_t size, size_t items, size_t *begin, size_t *end)
{
    if (atomic_load_explicit(&levels->status, memory_order_relaxed) != SEARCH_DONE) {
        return false;
    }
    const enum search_status status = search_stop_reason(&levels->clock);
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

/* True if this rank has reached the target: its bit is among the bits being set. That ends the
 * level. */
static inline bool has_met(const struct levels *levels, const uint64_t *bits)
{
    const uint32_t target = levels->target;
    const uint64_t bit = (uint64_t)1 << (target & 63);
    return (__atomic_load_n(&bits[target / 64], __ATOMIC_RELAXED) & bit) != 0;
}

/* Top down ------------------------------------------------------------------------------------ */

/* Set a node's bit; whether it was not set. shared: other threads do so, too. */
static inline bool see(uint64_t *seen, uint32_t node, bool shared)
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

/* Fetch the offsets and neighbours of nodes further along the frontier. Always inline: gcc drops
 * the call of a function that only prefetches. */
static inline __attribute__((always_inline)) void fetch_ahead(const struct levels *levels,
                                                              size_t place)
{
    const uint64_t *offsets = levels->graph->out.offsets;
    const uint32_t *order = levels->order + place;
    const uint32_t *ahead = levels->graph->out.neighbours + offsets[order[NEAR_AHEAD]];
    __builtin_prefetch(&offsets[order[LEVELS_FAR_AHEAD]]);
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + CACHE_LINE_BYTES / sizeof(*ahead));
}

/* Go on with the member's piece until it is done or the member has found as many as it may. */
static inline __attribute__((always_inline)) void
expand_piece(struct levels *levels, struct level_member *member, bool shared)
{
    const uint64_t *offsets = levels->graph->out.offsets;
    const uint32_t *neighbours = levels->graph->out.neighbours;
    uint64_t *seen = levels->maps.seen;
    size_t count = member->count;
    while (member->begin < member->end && count < levels->room) {
        fetch_ahead(levels, member->begin);
        const uint32_t node = levels->order[member->begin];
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
    while (!has_met(levels, levels->maps.seen) &&
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
            const uint32_t node = member->found[j];
            const int owner = mpi_owner(partition, node);
            if (owner == partition->rank) {
                levels->order[levels->order_count++] = (uint32_t)mpi_local(partition, node);
                continue;
            }
            mpi_round_count(&exchange->round, owner, 0);
            member->found[left++] = node;
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
        const uint32_t *nodes = exchange_received(exchange, rank);
        const size_t count = mpi_round_received(&exchange->round, rank, 0);
        for (size_t i = 0; i < count; i++) {
            if (see(levels->maps.seen, nodes[i], false)) {
                levels->order[levels->order_count++] = (uint32_t)mpi_local(partition, nodes[i]);
            }
        }
    }
}

/* True if this rank needs another round for the level. */
static bool has_more(const struct levels *levels)
{
    bool more = atomic_load(&levels->next) < levels->starts[levels->level_count + 1];
    for (unsigned i = 0; i < levels->threads; i++) {
        more |= levels->members[i].begin < levels->members[i].end;
    }
    return more && !has_met(levels, levels->maps.seen) &&
           atomic_load(&levels->status) == SEARCH_DONE;
}

void level_top_down_sparse(struct levels *levels)
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
    levels->maps.own_is_frontier = false;
}

/* Set the bits of all neighbours of a piece, reached before or not: no branch to predict. */
static inline __attribute__((always_inline)) void
mark_piece(struct levels *levels, struct level_member *member, bool shared)
{
    const uint64_t *offsets = levels->graph->out.offsets;
    const uint32_t *neighbours = levels->graph->out.neighbours;
    uint64_t *marked = levels->maps.frontier;
    for (; member->begin < member->end; member->begin++) {
        fetch_ahead(levels, member->begin);
        const uint32_t node = levels->order[member->begin];
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
    while (!has_met(levels, levels->maps.frontier) &&
           take(levels, NODES_PER_PIECE, items, &member->begin, &member->end)) {
        mark_piece(levels, member, levels->team != NULL);
    }
}

/* The nodes in own that were not reached before are the next frontier. */
static void append_own(struct levels *levels)
{
    const size_t stride = levels->bits.own_stride;
    uint64_t *seen = levels->maps.seen + levels->bits.own_first;
    uint32_t *order = levels->order;
    size_t count = levels->order_count;
    for (size_t word = 0; word < levels->bits.own_words; word++) {
        const uint64_t reached = levels->maps.own[word] & ~seen[word * stride];
        levels->maps.own[word] = reached;
        seen[word * stride] |= reached;
        for (uint64_t left = reached; left != 0; left &= left - 1) {
            order[count++] = (uint32_t)(word * 64 + (size_t)__builtin_ctzll(left));
        }
    }
    pw_assert(count <= levels->graph->local_count + 1); /* the source may be the target */
    levels->order_count = count;
    levels->maps.own_is_frontier = true;
}

/* Every rank then also knows that the nodes are reached. */
static void see_all(struct levels *levels)
{
    for (size_t i = 0; levels->exchange.ranks > 1 && i < levels->bits.all_words; i++) {
        levels->maps.seen[i] |= levels->maps.frontier[i];
    }
}

void level_top_down_dense(struct levels *levels)
{
    memset(levels->maps.frontier, 0, levels->bits.all_words * sizeof(*levels->maps.frontier));
    atomic_store(&levels->next, levels->starts[levels->level_count]);
    team_run(levels->team, mark_member, levels);
    node_bits_scatter(&levels->bits, levels->maps.frontier, levels->maps.own,
                      levels->exchange.cost);
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
        .candidates = levels->maps.candidates,
        .seen = levels->maps.seen + levels->bits.own_first,
        .stride = levels->bits.own_stride,
        .frontier = levels->maps.frontier,
        .reached = levels->maps.own,
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
    if (!levels->maps.own_is_frontier) {
        memset(levels->maps.own, 0, levels->bits.own_words * sizeof(*levels->maps.own));
        for (size_t i = begin; i < end; i++) {
            mpi_bit_set(levels->maps.own, levels->order[i]);
        }
    }
    node_bits_gather(&levels->bits, levels->maps.own, levels->maps.frontier, levels->exchange.cost);
    see_all(levels);
    if (levels->level_count == 0) {
        mpi_bit_clear(levels->maps.seen, levels->target); /* the source may be the target */
    }
}

/* True if the target has a parent in the frontier: its owner looks before all others do. */
static bool look_for_target(struct levels *levels)
{
    const struct mpi_graph *graph = levels->graph;
    const int owner = mpi_owner(&graph->partition, levels->target);
    int met = 0;
    if (owner == graph->partition.rank) {
        const uint64_t *offsets = graph->in.offsets + mpi_local(&graph->partition, levels->target);
        met = parents_find(graph->in.neighbours + offsets[0], graph->in.neighbours + offsets[1],
                           levels->maps.frontier, &levels->members[0].edges) != NULL;
    }
    MPI_Bcast(&met, 1, MPI_INT, owner, graph->comm);
    if (met) {
        mpi_bit_set(levels->maps.seen, levels->target);
    }
    return met;
}

void level_bottom_up(struct levels *levels)
{
    gather_frontier(levels);
    if (look_for_target(levels)) {
        return;
    }
    atomic_store(&levels->next, 0);
    team_run(levels->team, bottom_up_member, levels);
    if (atomic_load(&levels->status) != SEARCH_DONE) {
        return; /* not all words belong to the next frontier */
    }
    append_own(levels);
}
