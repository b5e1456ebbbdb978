/*
 * direction_optimizing.c - the engine that turns a wide level round: nodes not yet reached look for
 * a parent, instead of the level looking at all its neighbours.
 *
 * 1. Narrow levels are searched top down, as the engine "array" does.
 * 2. When fewer looks are to be expected that way, each node still to be reached goes through its
 *    in-neighbours until it meets one in the level: most need only a few looks, and the rows are
 *    read in address order.
 * 3. When the level is narrow again, or few of its edges lead on, back to top down.
 * 4. Who has no in-neighbours or no out-neighbours is no candidate; the target is looked at first.
 * Bound: the reverse adjacency, and two more bits a node. Gain: most edges of a wide level are
 * never examined. Never slower than "array" by much: a switch is made only when the level is wide.
 * Source: Beamer, Asanovic & Patterson, "Direction-Optimizing Breadth-First Search", SC 2012.
 */
#include "large_block.h"
#include "level_search.h"

#define NARROW_SHARE   64   /* levels of less than this share of the nodes stay top down */
#define FETCH_DISTANCE 32   /* nodes ahead whose offsets are fetched */
#define WORDS_A_CHECK  4096 /* words of candidates between two looks at the deadline */
#define WORDS_A_PIECE  64   /* words that a member takes at a time */

struct direction {
    struct level_search search;
    uint64_t *level;      /* the nodes of the level, as bits */
    uint64_t *candidates; /* nodes with edges in and out; shared like search.sinks */
    uint32_t candidate_count;
    size_t level_begin, level_end; /* the stretch of the trail whose bits are on */
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
    marks_free(direction->level);
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
    if (!level_search_open(&direction->search, graph, from != NULL ? &from->search : NULL)) {
        large_block_free(direction);
        return NULL;
    }
    direction->level = marks_create(graph);
    direction->candidates = from != NULL ? from->candidates : marks_create_inner(graph);
    if (direction->level == NULL || direction->candidates == NULL) {
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

/* Turn the level's nodes into bits. */
static void set_level_bits(struct direction *direction)
{
    const struct level_search *search = &direction->search;
    const uint32_t *nodes = search->trail.nodes;
    size_t words = marks_words(search->graph);
    if (direction->level_end - direction->level_begin >= words / 8) {
        memset(direction->level, 0, words * sizeof(*direction->level));
    } else {
        for (size_t i = direction->level_begin; i < direction->level_end; i++) {
            direction->level[nodes[i] / 64] = 0;
        }
    }
    for (size_t i = search->begin; i < search->end; i++) {
        marks_set(direction->level, nodes[i]);
    }
    direction->level_begin = search->begin;
    direction->level_end = search->end;
}

/* Whether a node has an in-neighbour in the level; counts the entries looked at. */
static inline bool has_parent(const struct graph *graph, const uint64_t *level, uint32_t node,
                              uint64_t *edges)
{
    const uint32_t *row = graph->in_neighbours + graph->in_offsets[node];
    const uint32_t *row_end = graph->in_neighbours + graph->in_offsets[node + 1];
    for (const uint32_t *next = row; next < row_end; next++) {
        if (marks_test(level, *next)) {
            *edges += (uint64_t)(next - row) + 1;
            return true;
        }
    }
    *edges += (uint64_t)(row_end - row);
    return false;
}

/* The candidates of some words that have a parent go into the buffer, marked. Returns the edges. */
static uint64_t scan_candidates(struct direction *direction, size_t word, size_t word_end,
                                struct level_buffer *buffer)
{
    struct level_search *search = &direction->search;
    const struct graph *graph = search->graph;
    uint64_t edges = 0;
    for (; word < word_end; word++) {
        uint64_t reached = 0;
        uint64_t left = direction->candidates[word] & ~search->marks[word];
        for (; left != 0; left &= left - 1) {
            uint32_t node = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(left);
            if (has_parent(graph, direction->level, node, &edges)) {
                reached |= left & -left;
                level_buffer_add(buffer, search, node);
            }
        }
        search->marks[word] |= reached;
    }
    return edges;
}

static void bottom_up_member(void *argument, unsigned index)
{
    struct direction *direction = argument;
    struct level_search *search = &direction->search;
    const size_t words = marks_words(search->graph);
    struct level_buffer buffer;
    uint64_t edges = 0;
    size_t unchecked = 0;
    (void)index;
    buffer.count = 0;
    while (!atomic_load_explicit(&search->stop, memory_order_relaxed)) {
        size_t word = atomic_fetch_add_explicit(&search->next, WORDS_A_PIECE, memory_order_relaxed);
        if (word >= words) {
            break;
        }
        size_t word_end = words - word < WORDS_A_PIECE ? words : word + WORDS_A_PIECE;
        edges += scan_candidates(direction, word, word_end, &buffer);
        unchecked += WORDS_A_PIECE;
        if (unchecked >= WORDS_A_CHECK) {
            unchecked = 0;
            level_search_check_stop(search);
        }
    }
    level_buffer_flush(&buffer, search);
    atomic_fetch_add_explicit(&search->edges_together, edges, memory_order_relaxed);
}

static void bottom_up(struct direction *direction)
{
    struct level_search *search = &direction->search;
    set_level_bits(direction);
    search->edges = 0;
    if (has_parent(search->graph, direction->level, search->target, &search->edges)) {
        search->found = true;
        return;
    }
    level_search_together(search, bottom_up_member, 0);
}

/* Entries in the rows of the level's nodes. */
static uint64_t edges_of_level(const struct level_search *search)
{
    const uint64_t *offsets = search->graph->offsets;
    const uint32_t *nodes = search->trail.nodes;
    uint64_t edges = 0;
    for (size_t i = search->begin; i < search->end; i++) {
        __builtin_prefetch(&offsets[nodes[i + FETCH_DISTANCE]]);
        edges += offsets[nodes[i] + 1] - offsets[nodes[i]];
    }
    return edges;
}

/*
 * Whether the level is cheaper bottom up. Top down looks at its edges. Bottom up, an entry of a row
 * leads into the level with about the level's share of all edges, so a node not yet reached looks
 * at one over that share of its row, or at all of it.
 */
static bool choose_bottom_up(const struct direction *direction)
{
    const struct level_search *search = &direction->search;
    const struct graph *graph = search->graph;
    const size_t level = search->end - search->begin;
    const size_t candidates = direction->candidate_count;
    const size_t left = search->end < candidates ? candidates - search->end : 0;
    if (level < graph->node_limit / NARROW_SHARE) {
        return false;
    }
    const double edges = (double)edges_of_level(search) + 1;
    const double row = (double)graph->edge_count / (double)(candidates + 1);
    const double looks = (double)graph->edge_count / edges;
    return (double)left * (looks < row ? looks : row) < edges;
}

static void direction_search(void *workspace, uint32_t source, uint32_t target,
                             const struct search_limits *limits, struct search_result *result)
{
    struct direction *direction = workspace;
    struct level_search *search = &direction->search;
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    uint64_t start_ns = search_start(limits);
    /* The bits of the level are those of a stretch of the trail: off before it is forgotten. */
    search->begin = search->end = 0;
    set_level_bits(direction);
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
