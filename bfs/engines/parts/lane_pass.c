/*
 * lane_pass.c - the kernels, compiled for each number of words per node; see lane_pass.h.
 */
#include "lane_pass.h"
#include "base/pw_assert.h"
#include "marks.h"
#include <string.h>

#define FEW_ACTIVE      8    /* if at most 1/8 is active, test a bit before fetching lanes */
#define PULL_SHARE      16   /* pull when active nodes have more than 1/16 of all edges */
#define LANE_PREFETCH   24   /* neighbours ahead whose lanes are fetched */
#define NODES_PER_PIECE 8192 /* nodes that a member of the team pulls for at a time */
#define STEPS_FIRST     64   /* nodes and edges before the first look at the limits in a level: */
#define STEPS_MOST      4096 /* each may touch a huge page that is new. Later ones: twice as many */

/* When a member looks at the limits. */
struct look {
    size_t steps; /* since the last look */
    size_t due;   /* steps from one look to the next; 0: the level has been stopped */
};

/* Nodes that a member of the team collects before appending them for all. */
#define LANE_BUFFER 1024
struct lane_buffer {
    uint64_t edges;
    uint64_t lists;
    size_t active_count;
    size_t touched_count;
    struct look look;
    uint32_t active[LANE_BUFFER];
    uint32_t touched[LANE_BUFFER];
};

static void append(uint32_t *list, atomic_size_t *tail, const uint32_t *nodes, size_t *count)
{
    size_t at = atomic_fetch_add_explicit(tail, *count, memory_order_relaxed);
    memcpy(list + at, nodes, *count * sizeof(*nodes));
    *count = 0;
}

static inline void lane_buffer_add(struct lane_buffer *buffer, struct lane_pass *pass,
                                   uint32_t node, bool first_touch)
{
    pw_assert(buffer->active_count < LANE_BUFFER && buffer->touched_count < LANE_BUFFER);
    buffer->active[buffer->active_count++] = node;
    if (buffer->active_count == LANE_BUFFER) {
        append(pass->active_next, &pass->active_tail, buffer->active, &buffer->active_count);
    }
    buffer->touched[buffer->touched_count] = node;
    buffer->touched_count += first_touch;
    if (buffer->touched_count == LANE_BUFFER) {
        append(pass->touched, &pass->touched_tail, buffer->touched, &buffer->touched_count);
    }
}

static void lane_buffer_finish(struct lane_buffer *buffer, struct lane_pass *pass)
{
    append(pass->active_next, &pass->active_tail, buffer->active, &buffer->active_count);
    append(pass->touched, &pass->touched_tail, buffer->touched, &buffer->touched_count);
    level_add_edges(&pass->level, buffer->edges);
    atomic_fetch_add_explicit(&pass->lists, buffer->lists, memory_order_relaxed);
}

static inline size_t least(size_t one, size_t other)
{
    return one < other ? one : other;
}

/* Count further steps of a member, and look at the limits if a look is due. True: it must stop. */
static inline bool must_stop(struct lane_pass *pass, struct look *look, size_t steps)
{
    look->steps += steps;
    if (look->steps < look->due) {
        return false;
    }
    look->steps = 0;
    look->due = level_must_stop(&pass->level) ? 0 : least(2 * look->due, STEPS_MOST);
    return look->due == 0;
}

#define LANE_WORDS  1
#define LANE_SUFFIX 64
#include "lane_kernel.h"
#define LANE_WORDS  2
#define LANE_SUFFIX 128
#include "lane_kernel.h"
#define LANE_WORDS  4
#define LANE_SUFFIX 256
#include "lane_kernel.h"
#define LANE_WORDS  8
#define LANE_SUFFIX 512
#include "lane_kernel.h"

#if defined(__x86_64__)
#define LANE_WORDS  4
#define LANE_SUFFIX 256_avx2
#define LANE_TARGET __attribute__((target("avx2")))
#include "lane_kernel.h"
#define LANE_WORDS  8
#define LANE_SUFFIX 512_avx512
#define LANE_TARGET __attribute__((target("avx512f")))
#include "lane_kernel.h"
#endif

const struct lane_kernel *lane_kernel_for(size_t lane_words)
{
#if defined(__x86_64__)
    if (lane_words == 4 && __builtin_cpu_supports("avx2")) {
        return &kernel_256_avx2;
    }
    if (lane_words == 8 && __builtin_cpu_supports("avx512f")) {
        return &kernel_512_avx512;
    }
#endif
    return lane_words == 1   ? &kernel_64
           : lane_words == 2 ? &kernel_128
           : lane_words == 4 ? &kernel_256
                             : &kernel_512;
}

/* A pass --------------------------------------------------------------------------------------- */

bool lane_all_zero(const uint64_t *lanes, size_t words)
{
    uint64_t all = 0;
    for (size_t i = 0; i < words; i++) {
        all |= lanes[i];
    }
    return all == 0;
}

static void zero_lanes(uint64_t *lanes, size_t lane_words, size_t node_limit, const uint32_t *nodes,
                       size_t count)
{
    if (count > node_limit / 4) {
        memset(lanes, 0, node_limit * lane_words * sizeof(*lanes));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        memset(lanes + nodes[i] * lane_words, 0, lane_words * sizeof(*lanes));
    }
}

void lane_pass_begin(struct lane_pass *pass, size_t lane_words)
{
    const size_t limit = pass->graph->node_limit;
    if (pass->lane_words != 0) {
        zero_lanes(pass->seen, pass->lane_words, limit, pass->touched, pass->touched_count);
        zero_lanes(pass->frontier, pass->lane_words, limit, pass->active, pass->active_count);
        zero_lanes(pass->next, pass->lane_words, limit, pass->active_next, pass->left_count);
    }
    pass->lane_words = lane_words;
    pass->touched_count = 0;
    pass->active_count = 0;
    pass->left_count = 0;
    pw_assert(lane_all_zero(pass->seen, limit * lane_words));
    pw_assert(lane_all_zero(pass->frontier, limit * lane_words));
    pw_assert(lane_all_zero(pass->next, limit * lane_words));
    atomic_store(&pass->level.edges, 0);
    atomic_store(&pass->level.status, SEARCH_DONE);
    atomic_store(&pass->lists, 0);
    memset(pass->live, 0, sizeof(pass->live));
}

void lane_pass_add(struct lane_pass *pass, size_t lane, uint32_t source)
{
    uint64_t *seen = pass->seen + source * pass->lane_words;
    uint64_t *frontier = pass->frontier + source * pass->lane_words;
    const uint64_t bit = UINT64_C(1) << lane % 64;
    pw_assert(lane < 64 * pass->lane_words);
    if (lane_all_zero(seen, pass->lane_words)) {
        pass->active[pass->active_count++] = source;
        pass->touched[pass->touched_count++] = source;
    }
    seen[lane / 64] |= bit;
    frontier[lane / 64] |= bit;
    pass->live[lane / 64] |= bit;
}

static bool pull_pays(const struct lane_pass *pass)
{
    const struct graph *graph = pass->graph;
    uint64_t edges = 0;
    if (pass->active_count > graph->node_limit / PULL_SHARE) {
        return true;
    }
    for (size_t i = 0; i < pass->active_count; i++) {
        edges += graph_out_degree(graph, pass->active[i]);
    }
    return edges > graph->edge_count / PULL_SHARE;
}

/* The bits of all nodes lie in a cache near the core, their lanes do not. */
static void set_active_bits(struct lane_pass *pass)
{
    pw_assert(pass->active_count <= pass->graph->node_limit);
    pass->few_active = pass->active_count <= pass->graph->node_limit / FEW_ACTIVE;
    if (pass->few_active) {
        memset(pass->active_bits, 0, marks_words(pass->graph) * sizeof(*pass->active_bits));
        for (size_t i = 0; i < pass->active_count; i++) {
            marks_set(pass->active_bits, pass->active[i]);
        }
    }
}

void lane_pass_level(struct lane_pass *pass, const struct lane_kernel *kernel)
{
    const size_t limit = pass->graph->node_limit;
    const size_t before = pass->active_count;
    atomic_store(&pass->active_tail, 0);
    atomic_store(&pass->touched_tail, pass->touched_count);
    for (size_t i = 0; i < LANE_WORDS_MAX; i++) {
        atomic_store(&pass->any[i], 0);
    }
    if (pull_pays(pass)) {
        set_active_bits(pass);
        level_work(&pass->level, 0, limit, kernel->pull, pass);
    } else {
        kernel->push(pass);
    }
    pass->touched_count = atomic_load(&pass->touched_tail);
    if (atomic_load(&pass->level.status) != SEARCH_DONE) { /* time is up: clear nothing now */
        pass->left_count = atomic_load(&pass->active_tail);
        return;
    }
    pass->active_count = atomic_load(&pass->active_tail);
    pw_assert(pass->active_count <= limit && pass->touched_count <= limit);
    zero_lanes(pass->frontier, pass->lane_words, limit, pass->active, before);
    uint64_t *lanes = pass->frontier;
    pass->frontier = pass->next;
    pass->next = lanes;
    uint32_t *list = pass->active;
    pass->active = pass->active_next;
    pass->active_next = list;
    for (size_t i = 0; i < LANE_WORDS_MAX; i++) {
        pass->live[i] &= atomic_load(&pass->any[i]);
    }
}
