/*
 * dense_frontier.c - the bitmaps of the members, combined and turned into nodes.
 */
#include "dense_frontier.h"
#include "adjacency.h"
#include "base/macros.h"
#include "large_block.h"

#define NODES_PER_PIECE   512 /* the most that a member takes at a time */
#define LEAST_PER_PIECE   8   /* the fewest: the reader looks ahead within a piece */
#define PIECES_PER_MEMBER 16  /* of a level with few nodes */
#define FEW_NEW           24  /* at most one new entry in 24: look before setting */
#define PROBE             64  /* entries of a buffer that are always looked at first */
#define FOUND_AHEAD       64  /* found entries from the fetch of a parent's place to its store */

/* The data of each member, on separate cache lines. */
struct dense_member {
    _Alignas(CACHE_LINE_BYTES) uint64_t *reached; /* bits of the nodes it reached in this search */
    size_t count; /* nodes of the next frontier in its share of the words */
    size_t place; /* of the first of them in the visit order */
};

void dense_frontier_destroy(struct dense_frontier *dense)
{
    if (dense == NULL) {
        return;
    }
    for (unsigned i = 0; dense->members != NULL && i < dense->member_count; i++) {
        large_block_free(dense->members[i].reached);
    }
    large_block_free(dense->members);
    large_block_free(dense->bits);
    large_block_free(dense->next);
    large_block_free(dense);
}

struct dense_frontier *dense_frontier_create(struct workspace *workspace, struct level *level,
                                             unsigned members)
{
    const struct graph *graph = workspace->graph;
    struct dense_frontier *dense = large_block_create(sizeof(*dense));
    if (dense == NULL) {
        return NULL;
    }
    *dense = (struct dense_frontier){
        .workspace = workspace,
        .level = level,
        .words = marks_words(graph),
        .bits = marks_create(graph),
        .next = marks_create(graph),
        .member_count = members,
        .members = large_block_create(members * sizeof(*dense->members)),
    };
    bool made = dense->bits != NULL && dense->next != NULL && dense->members != NULL;
    for (unsigned i = 0; made && i < members; i++) {
        dense->members[i].reached = marks_create(graph);
        made = dense->members[i].reached != NULL;
    }
    if (!made) {
        dense_frontier_destroy(dense);
        return NULL;
    }
    return dense;
}

void dense_frontier_start(struct dense_frontier *dense)
{
    dense->bits_begin = dense->bits_end = 0;
    dense->next_begin = dense->next_end = 0;
    if (dense->dirty) {
        for (unsigned i = 0; i < dense->member_count; i++) {
            memset(dense->members[i].reached, 0, dense->words * sizeof(uint64_t));
        }
        dense->dirty = false;
    }
}

/* Set those bits of some entries that are not set yet. Returns how many. */
static size_t reach_looking(uint64_t *reached, const uint32_t *entries, size_t count)
{
    size_t added = 0;
    for (size_t i = 0; i < count; i++) {
        if (!marks_test(reached, entries[i])) {
            marks_set(reached, entries[i]);
            added++;
        }
    }
    return added;
}

/*
 * Set the bits of all entries in the buffer. Setting blindly has one cost for all entries. But if
 * nearly all bits are set already, a test first is predicted well and saves a store, for which the
 * next entry would wait if its bit is in the same word. So the first entries are tested, and if few
 * of them are new, the others are, too.
 */
static void reach(uint64_t *reached, const struct neighbour_buffer *buffer)
{
    const size_t first = buffer->count < PROBE ? buffer->count : PROBE;
    const size_t added = reach_looking(reached, buffer->entries, first);
    if (added <= first / FEW_NEW) {
        reach_looking(reached, buffer->entries + first, buffer->count - first);
        return;
    }
    for (size_t i = first; i < buffer->count; i++) {
        marks_set(reached, buffer->entries[i]);
    }
}

/* The entries of a buffer that are nodes without a mark, and the nodes that lead to them. */
struct found_entries {
    uint16_t places[NEIGHBOUR_BUFFER_SIZE + FOUND_AHEAD];
    uint32_t owners[NEIGHBOUR_BUFFER_SIZE];
};

/*
 * Set the bits of the entries without one, and write their parents. First all bits of the buffer
 * are looked up, and none is set, so that no look waits for a store; then the few new ones are set.
 * Parents lie anywhere in memory, and stores wait for one another: their places are fetched ahead.
 * A node that is in the buffer twice gets the later parent. reached has the bits of all marks, so
 * that one array is looked up, which fits the second-level cache more often than two. Another
 * member may write another parent of the same node at the same time: either is right.
 */
static void reach_with_parents(const struct dense_frontier *dense, uint64_t *reached,
                               struct level_reader before, const struct neighbour_buffer *buffer,
                               struct found_entries *found)
{
    const struct workspace *workspace = dense->workspace;
    size_t count = 0;
    for (size_t i = 0; i < buffer->count; i++) {
        found->places[count] = (uint16_t)i;
        count += !marks_test(reached, buffer->entries[i]);
    }
    level_reader_owners(workspace->graph, workspace->order.nodes, before, found->places, count,
                        found->owners);
    for (size_t i = 0; count > 0 && i < FOUND_AHEAD; i++) {
        found->places[count + i] = found->places[count - 1];
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t node = buffer->entries[found->places[i]];
        __builtin_prefetch(&dense->parents[buffer->entries[found->places[i + FOUND_AHEAD]]], 1);
        marks_set(reached, node);
        __atomic_store_n(&dense->parents[node], found->owners[i], __ATOMIC_RELAXED);
    }
}

/* A level with few nodes is divided into smaller pieces: one node can have most of its edges. */
static size_t nodes_per_piece(const struct dense_frontier *dense)
{
    const struct level *level = dense->level;
    const size_t piece = (level->end - level->begin) / (dense->member_count * PIECES_PER_MEMBER);
    if (piece > NODES_PER_PIECE || dense->member_count == 1) {
        return NODES_PER_PIECE;
    }
    return piece > LEAST_PER_PIECE ? piece : LEAST_PER_PIECE;
}

/* Set the bits of all neighbours of some pieces of the frontier. found: NULL, which the compiler
 * then knows, if no parents are wanted. */
static inline __attribute__((always_inline)) void
scan_pieces(const struct dense_frontier *dense, unsigned index, struct found_entries *found)
{
    const struct workspace *workspace = dense->workspace;
    uint64_t *reached = dense->members[index].reached;
    struct level_reader reader = {0};
    struct neighbour_buffer buffer;
    const size_t piece = nodes_per_piece(dense);
    neighbour_buffer_open(&buffer, workspace->graph);
    while (level_take(dense->level, piece, &reader.head, &reader.end)) {
        while (reader.head < reader.end) {
            const struct level_reader before = reader;
            level_reader_fill(workspace->graph, workspace->order.nodes, &reader, &buffer);
            if (found != NULL) {
                reach_with_parents(dense, reached, before, &buffer, found);
            } else {
                reach(reached, &buffer);
            }
        }
        if (marks_test(reached, workspace->target)) {
            level_stop(dense->level);
        }
    }
    level_add_edges(dense->level, reader.edges);
}

static void scan_member(void *argument, unsigned index)
{
    scan_pieces(argument, index, NULL);
}

static void scan_member_for_parents(void *argument, unsigned index)
{
    const struct dense_frontier *dense = argument;
    uint64_t *reached = dense->members[index].reached;
    struct found_entries found = {0};
    for (size_t word = 0; word < dense->words; word++) {
        reached[word] |= dense->workspace->marks[word];
    }
    scan_pieces(dense, index, &found);
}

/* A member's share of the words: whole cache lines, so that no two members write to one line. */
static void share_of(const struct dense_frontier *dense, unsigned index, size_t *begin, size_t *end)
{
    const size_t line = CACHE_LINE_BYTES / sizeof(uint64_t);
    const size_t lines = dense->words / line;
    pw_assert(dense->words % line == 0 && index < dense->member_count);
    *begin = lines * index / dense->member_count * line;
    *end = lines * (index + 1) / dense->member_count * line;
}

/* Combine and mark the bits of a share. */
static void collect_share(struct dense_frontier *dense, uint64_t *marks, size_t begin, size_t end)
{
    uint64_t *next = dense->next;
    if (dense->combine) {
        memcpy(next + begin, dense->members[0].reached + begin, (end - begin) * sizeof(*next));
        for (unsigned member = 1; member < dense->member_count; member++) {
            const uint64_t *reached = dense->members[member].reached;
            for (size_t word = begin; word < end; word++) {
                next[word] |= reached[word];
            }
        }
        for (size_t word = begin; word < end; word++) {
            next[word] &= ~marks[word];
        }
    }
    for (size_t word = begin; word < end; word++) {
        pw_assert((marks[word] & next[word]) == 0);
        marks[word] |= next[word];
    }
}

/* Write the nodes of a share to their place; returns the place after the last. */
static uint32_t *emit_share(const uint64_t *next, size_t begin, size_t end, uint32_t *place)
{
    for (size_t word = begin; word < end; word++) {
        const uint32_t first = (uint32_t)(word * 64);
        for (uint64_t left = next[word]; left != 0; left &= left - 1) {
            *place++ = first + (uint32_t)__builtin_ctzll(left);
        }
    }
    return place;
}

static void collect_member(void *argument, unsigned index)
{
    struct dense_frontier *dense = argument;
    size_t begin, end;
    share_of(dense, index, &begin, &end);
    collect_share(dense, dense->workspace->marks, begin, end);
    dense->members[index].count = marks_count(dense->next + begin, end - begin);
}

static void emit_member(void *argument, unsigned index)
{
    const struct dense_frontier *dense = argument;
    const struct dense_member *member = &dense->members[index];
    uint32_t *first = dense->workspace->order.nodes + member->place;
    size_t begin, end;
    share_of(dense, index, &begin, &end);
    uint32_t *last = emit_share(dense->next, begin, end, first);
    pw_assert(last == first + member->count);
    (void)last;
}

static void append(struct dense_frontier *dense, bool combine)
{
    struct visit_order *order = &dense->workspace->order;
    dense->combine = combine;
    dense->next_begin = order->count;
    if (dense->member_count == 1) { /* no other member needs the number beforehand */
        collect_share(dense, dense->workspace->marks, 0, dense->words);
        const uint32_t *last =
            emit_share(dense->next, 0, dense->words, order->nodes + order->count);
        order->count = (size_t)(last - order->nodes);
    } else {
        team_run(dense->level->team, collect_member, dense);
        for (unsigned i = 0; i < dense->member_count; i++) {
            dense->members[i].place = order->count;
            order->count += dense->members[i].count;
        }
        team_run(dense->level->team, emit_member, dense);
    }
    dense->next_end = order->count;
    pw_assert(order->count <= order->limit);
    pw_assert(marks_count(dense->next, dense->words) == dense->next_end - dense->next_begin);
}

void dense_frontier_append(struct dense_frontier *dense)
{
    append(dense, false);
}

void dense_frontier_top_down(struct dense_frontier *dense, uint32_t *parents)
{
    struct level *level = dense->level;
    dense->parents = parents;
    dense->dirty = true;
    enum search_status status =
        level_work(level, level->begin, level->end,
                   parents != NULL ? scan_member_for_parents : scan_member, dense);
    for (unsigned i = 0; i < dense->member_count; i++) {
        level->found |= marks_test(dense->members[i].reached, dense->workspace->target);
    }
    if (!level->found && status == SEARCH_DONE) {
        append(dense, true);
    }
}

void dense_frontier_bits(struct dense_frontier *dense)
{
    const struct level *level = dense->level;
    if (dense->bits_begin == level->begin && dense->bits_end == level->end) {
        return;
    }
    if (dense->next_begin == level->begin && dense->next_end == level->end) {
        uint64_t *bits = dense->next;
        dense->next = dense->bits;
        dense->bits = bits;
    } else {
        memset(dense->bits, 0, dense->words * sizeof(*dense->bits));
        for (size_t i = level->begin; i < level->end; i++) {
            marks_set(dense->bits, dense->workspace->order.nodes[i]);
        }
    }
    dense->bits_begin = level->begin;
    dense->bits_end = level->end;
    pw_assert(marks_count(dense->bits, dense->words) == level->end - level->begin);
}
