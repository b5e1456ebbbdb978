/*
 * direction_optimizing.c - the engine that turns a wide level round: nodes not yet reached look for
 * a parent, instead of the level looking at all its neighbours.
 *
 * 1. Narrow levels are searched top down, as in "array"; wide ones, as in "bitmap", unless ...
 * 2. ... the other way seems cheaper: each node still to be reached goes through its
 *    in-neighbours until it meets one in the level: most need only a few looks, and the rows are
 *    read in address order.
 * 3. When the level is narrow again, or few of its edges lead on, back to top down.
 * 4. Who has no in-neighbours or no out-neighbours is no candidate; the target is looked at first.
 * Bound: the reverse adjacency, and four more bits a node. Gain: most edges of a wide level are
 * never examined. Never slower than "array" by much: a switch is made only when the level is wide.
 * Source: Beamer, Asanovic & Patterson, "Direction-Optimizing Breadth-First Search", SC 2012.
 */
#include "bfs/engines/parts/large_block.h"
#include "bfs/engines/parts/level_search.h"
#include "bfs/engines/parts/wide_level.h"
#include "bfs/search/search_limits.h"
#include "engines.h"

#define ROW_COST      7    /* of beginning with a row, in ns or in looks at an entry */
#define EDGE_COST     1.3  /* of setting a bit, likewise */
#define CLEARLY       1.2  /* by so much bottom up must seem cheaper; the estimate is no better */
#define SAMPLED_WORDS 1024 /* words of bits from which on the edges of a level are estimated */
#define SAMPLE_STRIDE 8
#define WORDS_A_CHECK 4096 /* words of candidates between two looks at the deadline */
#define WORDS_A_PIECE 64   /* words that a member takes at a time */
#define WORDS_A_BATCH 16   /* words whose candidates look together */
#define ROUNDS        4    /* looks that the candidates of a batch make in step */

struct direction {
    struct level_search search;
    uint64_t *candidates;  /* nodes with edges in and out; shared like search.sinks */
    const uint64_t *level; /* the nodes of the level, as bits */
    uint64_t *fresh;       /* those of the next */
    uint32_t candidate_count;
};

static void direction_destroy(void *workspace)
{
    struct direction *direction = workspace;
    if (direction == NULL) {
        return;
    }
    if (direction->search.from == NULL) {
        marks_free(direction->candidates);
    }
    level_search_close(&direction->search);
    large_block_free(direction);
}

static uint32_t count_marks(const uint64_t *marks, size_t words)
{
    uint32_t count = 0;
    for (size_t i = 0; i < words; i++) {
        count += (uint32_t)__builtin_popcountll(marks[i]);
    }
    return count;
}

static void *create(const struct graph *graph, const struct direction *from)
{
    struct direction *direction =
        graph->in_offsets != NULL ? large_block_create(sizeof(*direction)) : NULL;
    if (direction == NULL) {
        return NULL;
    }
    if (!level_search_open(&direction->search, graph, from != NULL ? &from->search : NULL, true)) {
        large_block_free(direction);
        return NULL;
    }
    direction->candidates = from != NULL ? from->candidates : marks_create_inner(graph);
    if (direction->candidates == NULL) {
        direction_destroy(direction);
        return NULL;
    }
    direction->candidate_count = count_marks(direction->candidates, marks_words(graph));
    return direction;
}

static void *direction_create(const struct graph *graph)
{
    return create(graph, NULL);
}

static void *direction_share(void *workspace)
{
    const struct direction *first = workspace;
    return create(first->search.graph, first);
}

/* Whether one of a row of in-neighbours is in the level; counts the entries looked at. */
static inline bool row_has_parent(const uint32_t *row, const uint32_t *row_end,
                                  const uint64_t *level, uint64_t *edges)
{
    for (const uint32_t *next = row; next < row_end; next++) {
        if (marks_test(level, *next)) {
            *edges += (uint64_t)(next - row) + 1;
            return true;
        }
    }
    *edges += (uint64_t)(row_end - row);
    return false;
}

/* Nodes that look for a parent, each with what is left of its row of in-neighbours. */
struct batch {
    size_t count;
    uint32_t nodes[WORDS_A_BATCH * 64];
    const uint32_t *next[WORDS_A_BATCH * 64];
    const uint32_t *ends[WORDS_A_BATCH * 64];
};

/* The candidates of some words that are not marked. */
static void batch_fill(struct batch *batch, const struct direction *direction, size_t word,
                       size_t word_end)
{
    const struct graph *graph = direction->search.graph;
    const uint64_t *marks = direction->search.marks;
    size_t count = 0;
    for (; word < word_end; word++) {
        const uint32_t first = (uint32_t)(word * 64);
        for (uint64_t left = direction->candidates[word] & ~marks[word]; left; left &= left - 1) {
            const uint32_t node = first + (uint32_t)__builtin_ctzll(left);
            batch->nodes[count++] = node;
            __builtin_prefetch(&graph->in_offsets[node]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t node = batch->nodes[i];
        batch->next[i] = graph->in_neighbours + graph->in_offsets[node];
        batch->ends[i] = graph->in_neighbours + graph->in_offsets[node + 1];
        __builtin_prefetch(batch->next[i]);
    }
    batch->count = count;
}

/* All of the batch look at one more entry of their rows; those that need no more leave it. */
static void batch_look(struct batch *batch, const uint64_t *level, uint64_t *fresh)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const uint32_t node = batch->nodes[i];
        const uint32_t *next = batch->next[i];
        const uint32_t *end = batch->ends[i];
        const uint64_t has_parent = marks_test(level, *next);
        fresh[node / 64] |= has_parent << (node & 63);
        batch->nodes[kept] = node;
        batch->next[kept] = next + 1;
        batch->ends[kept] = end;
        kept += !has_parent & (next + 1 < end);
    }
    batch->count = kept;
}

/* Fill in the fresh bits of some words. Returns the entries looked at. */
static uint64_t scan_candidates(struct direction *direction, size_t word, size_t word_end)
{
    const uint64_t *level = direction->level;
    uint64_t *fresh = direction->fresh;
    struct batch batch;
    uint64_t edges = 0;
    memset(fresh + word, 0, (word_end - word) * sizeof(*fresh));
    for (; word < word_end; word += WORDS_A_BATCH) {
        const size_t left = word_end - word;
        batch_fill(&batch, direction, word, word + (left < WORDS_A_BATCH ? left : WORDS_A_BATCH));
        for (int round = 0; round < ROUNDS; round++) {
            edges += batch.count;
            batch_look(&batch, level, fresh);
        }
        for (size_t i = 0; i < batch.count; i++) {
            if (row_has_parent(batch.next[i], batch.ends[i], level, &edges)) {
                marks_set(fresh, batch.nodes[i]);
            }
        }
    }
    return edges;
}

static void bottom_up_member(void *argument, unsigned index)
{
    struct direction *direction = argument;
    struct level_search *search = &direction->search;
    const size_t words = marks_words(search->graph);
    uint64_t edges = 0;
    size_t unchecked = 0;
    (void)index;
    while (!atomic_load_explicit(&search->stop, memory_order_relaxed)) {
        size_t word = atomic_fetch_add_explicit(&search->next, WORDS_A_PIECE, memory_order_relaxed);
        if (word >= words) {
            break;
        }
        size_t word_end = words - word < WORDS_A_PIECE ? words : word + WORDS_A_PIECE;
        edges += scan_candidates(direction, word, word_end);
        unchecked += WORDS_A_PIECE;
        if (unchecked >= WORDS_A_CHECK) {
            unchecked = 0;
            level_search_check_stop(search);
        }
    }
    atomic_fetch_add_explicit(&search->edges_together, edges, memory_order_relaxed);
}

static void bottom_up(struct direction *direction)
{
    struct level_search *search = &direction->search;
    const struct graph *graph = search->graph;
    const uint32_t *row = graph->in_neighbours + graph->in_offsets[search->target];
    const uint32_t *row_end = graph->in_neighbours + graph->in_offsets[search->target + 1];
    direction->fresh = wide_level_fresh(search);
    search->edges = 0;
    if (row_has_parent(row, row_end, direction->level, &search->edges)) {
        search->found = true;
        return;
    }
    level_search_begin_together(search, 0);
    level_search_all_work(search, bottom_up_member, direction);
    level_search_end_together(search);
    if (search->status == SEARCH_DONE) {
        wide_level_append(search);
    }
}

/* Entries in the rows of the level's nodes; in a large graph those of a sample, scaled up. */
static double edges_of_level(const struct direction *direction)
{
    const uint64_t *offsets = direction->search.graph->offsets;
    const size_t words = marks_words(direction->search.graph);
    const size_t stride = words < SAMPLED_WORDS ? 1 : SAMPLE_STRIDE;
    uint64_t edges = 0;
    for (size_t word = 0; word < words; word += stride) {
        const size_t first = word * 64;
        for (uint64_t left = direction->level[word]; left != 0; left &= left - 1) {
            const size_t node = first + (size_t)__builtin_ctzll(left);
            edges += offsets[node + 1] - offsets[node];
        }
    }
    return (double)edges * (double)stride;
}

/*
 * Whether the level is cheaper bottom up. Top down fetches its rows and sets a bit an edge. Bottom
 * up, an entry of a row leads into the level with about the level's share of all edges; nodes that
 * many rows hold are reached early, so that half the looks that chance would need are enough.
 */
static bool choose_bottom_up(struct direction *direction)
{
    struct level_search *search = &direction->search;
    const struct graph *graph = search->graph;
    const size_t level = search->end - search->begin;
    const size_t candidates = direction->candidate_count;
    const size_t left = search->end < candidates ? candidates - search->end : 0;
    if (level < graph->node_limit / LEVEL_WIDE_SHARE) {
        return false;
    }
    direction->level = wide_level_bits(search);
    const double edges = edges_of_level(direction) + 1;
    const double row = (double)graph->edge_count / (double)(candidates + 1);
    const double looks = (double)graph->edge_count / edges;
    const double top_down = (double)level * ROW_COST + edges * EDGE_COST;
    const double bottom_up = (double)left * (ROW_COST + (looks < row ? looks : row) / 2);
    return bottom_up * CLEARLY < top_down;
}

static void direction_search(void *workspace, uint32_t source, uint32_t target,
                             const struct search_limits *limits, struct search_result *result)
{
    struct direction *direction = workspace;
    struct level_search *search = &direction->search;
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    uint64_t start_ns = search_start(limits);
    level_search_begin(search, source, target, limits, start_ns);
    do {
        if (choose_bottom_up(direction)) {
            bottom_up(direction);
        } else {
            level_search_top_down(search);
        }
    } while (level_search_advance(search, result));
    result->elapsed_ns = search_stop(limits, start_ns);
}

static bool direction_path(void *workspace, uint32_t *nodes)
{
    struct direction *direction = workspace;
    return level_search_path(&direction->search, nodes);
}

static bool direction_set_threads(void *workspace, unsigned threads)
{
    struct direction *direction = workspace;
    return level_search_set_threads(&direction->search, threads);
}

static const struct search_engine engine = {
    .name = "direction-optimizing",
    .summary = "wide levels the other way round: nodes not yet reached look for a parent",
    .changes = "a wide level is searched bottom up, over the reverse adjacency",
    .keeps = "level by level from the source; narrow levels as in array",
    .flags = SEARCH_LEVELS | SEARCH_NEEDS_REVERSE,
    .create = direction_create,
    .share = direction_share,
    .search = direction_search,
    .path = direction_path,
    .set_threads = direction_set_threads,
    .destroy = direction_destroy,
};

const struct search_engine *direction_optimizing_engine(void)
{
    return &engine;
}
