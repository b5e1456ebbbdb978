/*
 * level_search.c - goes from a level to the next, top down.
 *
 * The neighbours of many nodes are copied into a buffer (adjacency.h). Then the marks of the whole
 * buffer are looked up, and the unmarked nodes are added to the visit order. Of a team, each member
 * takes a part of the level; the member that sets the mark of a node has reached it.
 * Cost: one bit looked up per edge, in cache; per node, neighbours fetched from anywhere in memory.
 */
#include "level_search.h"
#include "adjacency.h"
#include "bfs/search/direction.h"
#include "data/graph/graph_blocks.h"
#include "large_block.h"

#define NODES_PER_CHECK       16384 /* nodes expanded between two looks at the deadline */
#define BLOCK_NODES_PER_CHECK 1024  /* if each list is asked for, perhaps from a disk */
#define DENSE_SHARE_TEAM      512   /* for a team, which divides the passes over the bits */
#define DENSE_NODES_TEAM      4096  /* with fewer, a team waits longer than it works */
#define DENSE_SHARE_EDGES     64    /* or of the edges: few nodes can have most of them */
#define SAMPLE                64    /* nodes of a level from which its edges are estimated */
#define TEAM_NODES            256   /* of a sparse level that a team divides, at least */
#define ALONE                 64    /* levels after one in which another program had a processor */

/* What a member of a team reaches from its part of a sparse frontier. */
struct team_share {
    _Alignas(CACHE_LINE_BYTES) uint32_t *nodes; /* room for all nodes */
    size_t count;
    size_t place; /* of the first of them in the visit order */
};

static void destroy_shares(struct team_share *shares, unsigned members)
{
    for (unsigned i = 0; shares != NULL && i < members; i++) {
        large_block_free(shares[i].nodes);
    }
    large_block_free(shares);
}

/* NULL when out of memory. */
static struct team_share *create_shares(const struct visit_order *order, unsigned members)
{
    struct team_share *shares = large_block_create(members * sizeof(*shares));
    for (unsigned i = 0; shares != NULL && i < members; i++) {
        shares[i].nodes = large_block_create(order->limit * sizeof(*shares[i].nodes));
        if (shares[i].nodes == NULL) {
            destroy_shares(shares, members);
            return NULL;
        }
    }
    return shares;
}

bool level_search_open(struct level_search *search, const struct graph *graph, const void *from,
                       enum level_kind kind, level_step *dense_step)
{
    if (!workspace_open(&search->base, graph, from)) {
        return false;
    }
    search->kind = kind;
    search->dense_step = dense_step;
    if (kind == LEVEL_DENSE && !level_search_set_threads(search, 1)) {
        level_search_close(search);
        return false;
    }
    return true;
}

void level_search_close(struct level_search *search)
{
    if (search->base.from == NULL) {
        large_block_free(search->candidates);
    }
    workspace_close(&search->base);
    destroy_shares(search->shares, search->dense != NULL ? search->dense->member_count : 0);
    dense_frontier_destroy(search->dense);
    team_destroy(search->level.team);
}

void *level_search_create(const struct graph *graph, const void *from, enum level_kind kind,
                          level_step *dense_step)
{
    struct level_search *search = large_block_create(sizeof(*search));
    if (search == NULL || !level_search_open(search, graph, from, kind, dense_step)) {
        large_block_free(search);
        return NULL;
    }
    return search;
}

void level_search_destroy(void *workspace)
{
    if (workspace != NULL) {
        level_search_close(workspace);
        large_block_free(workspace);
    }
}

bool level_search_set_threads(void *workspace, unsigned threads)
{
    struct level_search *search = workspace;
    const bool dense = threads > 1 || search->kind != LEVEL_SPARSE;
    struct dense_frontier *made =
        dense ? dense_frontier_create(&search->base, &search->level, threads) : NULL;
    struct team_share *shares = threads > 1 ? create_shares(&search->base.order, threads) : NULL;
    if ((dense && made == NULL) || (threads > 1 && shares == NULL) ||
        !level_set_threads(&search->level, threads)) {
        dense_frontier_destroy(made);
        destroy_shares(shares, threads);
        return false;
    }
    destroy_shares(search->shares, search->dense != NULL ? search->dense->member_count : 0);
    dense_frontier_destroy(search->dense);
    search->dense = made;
    search->shares = shares;
    search->alone = 0;
    return true;
}

bool level_search_check(const void *workspace)
{
    const struct level_search *search = workspace;
    return workspace_check(&search->base) && search->level.begin <= search->level.end &&
           search->level.end <= search->base.order.count;
}

void level_search_begin(struct level_search *search, uint32_t target)
{
    struct level *level = &search->level;
    workspace_start(&search->base, target);
    if (search->dense != NULL) {
        dense_frontier_start(search->dense);
    }
    marks_clear(search->base.marks, target);
    level->begin = level->end = 0;
    level->found = false;
    atomic_store_explicit(&level->status, SEARCH_DONE, memory_order_relaxed);
}

void level_search_add(struct level_search *search, uint32_t source)
{
    pw_assert(source < search->base.graph->node_limit);
    visit_order_add(&search->base.order, source);
    search->level.end = search->base.order.count;
    if (source != search->base.target) {
        marks_set(search->base.marks, source);
    }
}

/*
 * Note the node that led to each of the count nodes found. reader is the position from which their
 * buffer was filled; found_at has their places in that buffer. owners: room for them, or for as
 * many as a buffer has entries.
 */
static void note_parents(const struct level_search *search, struct level_reader reader,
                         const uint16_t *found_at, const uint32_t *found, size_t count,
                         uint32_t *owners)
{
    level_reader_owners(search->base.graph, search->base.order.nodes, reader, found_at, count,
                        owners);
    for (size_t i = 0; search->parents != NULL && i < count; i++) {
        search->parents[found[i]] = owners[i];
    }
}

/*
 * Expand the nodes head..end - 1 of the visit order, or fewer if the target gets marked. The last
 * two are constants, so that the compiler makes a loop without what is not wanted.
 */
static inline __attribute__((always_inline)) void
scan_as(struct level_search *search, size_t head, size_t end, bool wants_parents, bool by_block)
{
    struct workspace *base = &search->base;
    uint32_t *nodes = base->order.nodes;
    uint64_t *marks = base->marks;
    struct level_reader reader = {.head = head, .end = end};
    struct neighbour_buffer buffer;
    uint16_t found_at[NEIGHBOUR_BUFFER_SIZE];
    uint32_t owners[NEIGHBOUR_BUFFER_SIZE];
    size_t tail = base->order.count;
    neighbour_buffer_open(&buffer, base->graph);
    while (reader.head < end) {
        const struct level_reader before = reader;
        const size_t tail_before = tail;
        level_reader_fill_as(base->graph, nodes, &reader, &buffer, by_block);
        for (size_t i = 0; i < buffer.count; i++) {
            const uint32_t neighbour = buffer.entries[i];
            if (!marks_test(marks, neighbour)) {
                marks_set(marks, neighbour);
                if (wants_parents) {
                    found_at[tail - tail_before] = (uint16_t)i;
                }
                nodes[tail++] = neighbour;
            }
        }
        if (wants_parents) {
            note_parents(search, before, found_at, nodes + tail_before, tail - tail_before,
                         search->found_from != NULL ? search->found_from + tail_before : owners);
        }
        if (marks_test(marks, base->target)) {
            search->level.found = true;
            break;
        }
    }
    pw_assert(tail >= base->order.count && tail < base->order.limit);
    base->order.count = tail;
    level_add_edges(&search->level, reader.edges);
}

static void scan(struct level_search *search, size_t head, size_t end)
{
    scan_as(search, head, end, false, false);
}

static void scan_for_parents(struct level_search *search, size_t head, size_t end)
{
    scan_as(search, head, end, true, false);
}

/* Ask for the lists before they are read. */
static void scan_by_block(struct level_search *search, size_t head, size_t end)
{
    if (!graph_allows_lists(search->base.graph, search->base.order.nodes + head, end - head)) {
        atomic_store_explicit(&search->level.status, SEARCH_DAMAGED, memory_order_relaxed);
    } else if (search->parents != NULL || search->found_from != NULL) {
        scan_as(search, head, end, true, true);
    } else {
        scan_as(search, head, end, false, true);
    }
}

/* Expand the frontier node after node. */
static void expand_in_order(struct level_search *search)
{
    struct level *level = &search->level;
    const bool wants_parents = search->parents != NULL || search->found_from != NULL;
    const size_t most = search->by_block ? BLOCK_NODES_PER_CHECK : NODES_PER_CHECK;
    for (size_t head = level->begin; head < level->end && !level->found;) {
        const size_t left = level->end - head;
        const size_t count = left < most ? left : most;
        if (UNLIKELY(search->by_block)) {
            scan_by_block(search, head, head + count);
        } else if (UNLIKELY(wants_parents)) {
            scan_for_parents(search, head, head + count);
        } else {
            scan(search, head, head + count);
        }
        head += count;
        if ((count == most && level_must_stop(level)) ||
            atomic_load_explicit(&level->status, memory_order_relaxed) != SEARCH_DONE) {
            return;
        }
    }
}

static void expand_member(void *argument, unsigned index)
{
    struct level_search *search = argument;
    const struct workspace *base = &search->base;
    struct level *level = &search->level;
    struct team_share *share = &search->shares[index];
    const size_t frontier = level->end - level->begin, members = search->dense->member_count;
    const size_t end = level->begin + frontier * (index + 1) / members;
    struct level_reader reader = {.head = level->begin + frontier * index / members};
    struct neighbour_buffer buffer;
    uint16_t found_at[NEIGHBOUR_BUFFER_SIZE];
    uint32_t owners[NEIGHBOUR_BUFFER_SIZE];
    size_t tail = 0;
    neighbour_buffer_open(&buffer, base->graph);
    while (reader.head < end && !level_must_stop(level)) {
        reader.end = end - reader.head < NODES_PER_CHECK ? end : reader.head + NODES_PER_CHECK;
        while (reader.head < reader.end) {
            const struct level_reader before = reader;
            const size_t tail_before = tail;
            level_reader_fill(base->graph, base->order.nodes, &reader, &buffer);
            for (size_t i = 0; i < buffer.count; i++) {
                if (marks_claim(base->marks, buffer.entries[i])) {
                    found_at[tail - tail_before] = (uint16_t)i;
                    share->nodes[tail++] = buffer.entries[i];
                }
            }
            if (search->parents != NULL) {
                note_parents(search, before, found_at, share->nodes + tail_before,
                             tail - tail_before, owners);
            }
        }
    }
    share->count = tail;
    level_add_edges(level, reader.edges);
}

static void append_member(void *argument, unsigned index)
{
    const struct level_search *search = argument;
    const struct team_share *share = &search->shares[index];
    memcpy(search->base.order.nodes + share->place, share->nodes,
           share->count * sizeof(*share->nodes));
}

/*
 * Expand the frontier by the team. Each member takes as many nodes of it, and appends what it
 * reaches: most of this is its part of the next level, and then in its cache.
 */
static void expand_by_team(struct level_search *search)
{
    struct level *level = &search->level;
    struct visit_order *order = &search->base.order;
    pw_assert(!search->by_block && search->found_from == NULL);
    team_run(level->team, expand_member, search);
    search->alone = team_is_quick(level->team) ? 0 : ALONE;
    for (unsigned i = 0; i < search->dense->member_count; i++) {
        search->shares[i].place = order->count;
        order->count += search->shares[i].count;
    }
    pw_assert(order->count <= order->limit);
    team_run(level->team, append_member, search);
    level->found = marks_test(search->base.marks, search->base.target);
}

/* True if the frontier is large enough for a team, and the team may divide it. */
static bool suits_team(const struct level_search *search)
{
    const struct level *level = &search->level;
    return level->team != NULL && search->dense_step != NULL && !search->by_block &&
           level->end - level->begin >= TEAM_NODES;
}

/* Expand a sparse frontier. A team that was slow leaves the next such levels to one thread. */
static void expand_sparse(struct level_search *search)
{
    const bool suits = suits_team(search);
    if (suits && search->alone > 0) {
        search->alone--;
    }
    if (suits && search->alone == 0) {
        expand_by_team(search);
    } else {
        expand_in_order(search);
    }
}

/* True if the nodes of the level seem to have a large share of the edges. A few nodes can have
 * most. If their offsets are bad, the answer is no, and what expands the level will meet them. */
static bool has_many_edges(const struct level_search *search)
{
    const struct level *level = &search->level;
    const struct graph *graph = search->base.graph;
    const uint32_t *nodes = search->base.order.nodes + level->begin;
    const size_t count = level->end - level->begin;
    const size_t stride = 1 + count / SAMPLE;
    uint64_t edges = 0;
    if (UNLIKELY(search->by_block) && !graph_allows_offsets(graph, nodes, count, stride)) {
        return false;
    }
    for (size_t i = 0; i < count; i += stride) {
        edges += graph_out_degree(graph, nodes[i]);
    }
    return edges * stride > graph->edge_count / DENSE_SHARE_EDGES;
}

/* The nodes from which on a frontier is dense: for a team, at most as many as for one thread. */
static size_t least_dense_nodes(const struct level_search *search, bool for_team)
{
    const size_t limit = search->base.graph->node_limit;
    const size_t alone = limit / DIRECTION_DENSE_SHARE;
    const size_t team =
        limit / DENSE_SHARE_TEAM > DENSE_NODES_TEAM ? limit / DENSE_SHARE_TEAM : DENSE_NODES_TEAM;
    return for_team && team < alone ? team : alone;
}

bool level_search_is_sparse(const struct level_search *search, bool for_team)
{
    const struct level *level = &search->level;
    if (search->dense == NULL || search->dense_step == NULL) {
        return true;
    }
    if (level->end - level->begin >= least_dense_nodes(search, for_team)) {
        return false;
    }
    return !has_many_edges(search);
}

void level_search_top_down(struct level_search *search)
{
    pw_assert(!search->by_block && search->found_from == NULL);
    dense_frontier_top_down(search->dense, search->parents);
}

/* Count the level that was expanded and go on to the next. False when the search is over. */
static bool advance(struct level_search *search, struct search_result *result)
{
    struct visit_order *order = &search->base.order;
    struct level *level = &search->level;
    result->visited = level->end - 1;
    result->expanded = level->end;
    if (level->found) {
        result->found = true;
        result->hops = (uint32_t)order->level_count;
        search->base.hops = result->hops;
        return false;
    }
    result->status = (enum search_status)atomic_load_explicit(&level->status, memory_order_relaxed);
    if (result->status != SEARCH_DONE) {
        return false;
    }
    pw_assert(level->begin < level->end && level->end <= order->count);
    const size_t reached = order->count - level->end;
    result->edges += atomic_load_explicit(&level->edges, memory_order_relaxed);
    result->pushed = order->count - 1;
    result->peak_queue = reached > result->peak_queue ? reached : result->peak_queue;
    level->begin = level->end;
    level->end = order->count;
    if (reached == 0) {
        return false;
    }
    if (!visit_order_start_level(order, level->begin)) {
        result->status = SEARCH_NO_MEMORY;
        return false;
    }
    result->status = search_stop_reason(&level->clock);
    return result->status == SEARCH_DONE;
}

void level_search_run(struct level_search *search, uint32_t hops_max, struct search_result *result)
{
    const struct visit_order *order = &search->base.order;
    const bool has_team = search->level.team != NULL;
    while (order->level_count <= hops_max) {
        atomic_store_explicit(&search->level.edges, 0, memory_order_relaxed);
        if (level_search_is_sparse(search, has_team)) {
            expand_sparse(search);
        } else {
            search->dense_step(search);
        }
        if (!advance(search, result)) {
            break;
        }
    }
    pw_assert(workspace_check(search));
}

void level_search_search(void *workspace, uint32_t source, uint32_t target,
                         const struct search_limits *limits, struct search_result *result)
{
    struct level_search *search = workspace;
    pw_assert(target < search->base.graph->node_limit);
    search_start(&search->level.clock, limits, result);
    level_search_begin(search, target);
    level_search_add(search, source);
    level_search_run(search, SEARCH_HOPS_NONE, result);
    search_finish(&search->level.clock, result);
}
