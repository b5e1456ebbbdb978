/*
 * level_search.c - from a level to the next, top down, with one thread or several.
 *
 * 1. The rows of many nodes are copied into a buffer, then the marks of the whole buffer are looked
 *    up and what was not marked goes behind the trail (row_buffer.h says why).
 * 2. The offsets of a row are prefetched FAR_DISTANCE places ahead in the level, the row itself
 *    NEAR_DISTANCE places ahead.
 * 3. Several: each takes pieces of the level, marks with an atomic or, keeps what it marked first
 *    in a buffer, and appends the buffer to the trail a stretch at a time. Which nodes make up the
 *    next level does not depend on who was first, only their order in it does.
 * Cost: a bit looked up an edge, in cache; a row fetched from anywhere in memory a node.
 * Source: Ainsworth & Jones, "Graph Prefetching Using Data Structure Knowledge", ICS 2016;
 * Leiserson & Schardl, "A Work-Efficient Parallel Breadth-First Search Algorithm", SPAA 2010 (the
 * harmless race on order).
 */
#include "level_search.h"
#include "clock.h"
#include "row_buffer.h"
#include <stdlib.h>

#define FAR_DISTANCE  64
#define NEAR_DISTANCE 32
#define ROWS_A_CHECK  16384 /* rows between two looks at the deadline */
#define ROWS_A_PIECE  128   /* rows that a member takes at a time */
#define TEAM_MIN_ROWS 1024  /* smaller levels are not worth waking the team */

bool level_search_open(struct level_search *search, const struct graph *graph,
                       const struct level_search *from)
{
    search->graph = graph;
    search->from = from;
    search->hops = SEARCH_HOPS_NONE;
    search->marks = marks_create(graph);
    search->sinks = from != NULL ? from->sinks : marks_create_sinks(graph);
    if (!trail_open(&search->trail, graph) || search->marks == NULL || search->sinks == NULL) {
        level_search_close(search);
        return false;
    }
    memcpy(search->marks, search->sinks, marks_words(graph) * sizeof(*search->marks));
    return true;
}

void level_search_close(struct level_search *search)
{
    if (search->from == NULL) {
        marks_free((uint64_t *)(uintptr_t)search->sinks);
    }
    marks_free(search->marks);
    trail_close(&search->trail);
    team_destroy(search->team);
}

bool level_search_set_threads(struct level_search *search, unsigned threads)
{
    struct team *team = NULL;
    if (threads > 1) {
        team = team_create(threads);
        if (team == NULL) {
            return false;
        }
    }
    team_destroy(search->team);
    search->team = team;
    return true;
}

bool level_search_path(const struct level_search *search, uint32_t *nodes)
{
    return search->hops != SEARCH_HOPS_NONE &&
           trail_path(&search->trail, search->graph, search->target, search->hops, nodes);
}

void level_search_begin(struct level_search *search, uint32_t source, uint32_t target,
                        const struct search_limits *limits, uint64_t start_ns)
{
    struct trail *trail = &search->trail;
    size_t words = marks_words(search->graph);
    marks_reset(search->marks, search->sinks, words, trail->nodes, trail->count);
    search->marks[search->target / 64] = search->sinks[search->target / 64];

    trail_clear(trail);
    trail_begin_level(trail, 0);
    trail_add(trail, source);
    marks_set(search->marks, source);
    marks_clear(search->marks, target);
    search->begin = 0;
    search->end = 1;
    search->target = target;
    search->hops = SEARCH_HOPS_NONE;
    search->found = false;
    search->status = SEARCH_DONE;
    search->limits = limits;
    search->deadline_ns = search_deadline_ns(limits, start_ns);
}

/* Where a member of the search stands in its stretch of the level. */
struct reader {
    size_t head, end;
    size_t entry; /* entries of head's row that were read already */
    size_t last;  /* the furthest node that may be fetched ahead */
    uint64_t edges;
};

/* Fill the buffer with the rows of the next nodes, and fetch those behind them. */
static inline void read_rows(const struct graph *graph, const uint32_t *nodes,
                             struct reader *reader, struct row_buffer *rows)
{
    const uint64_t *offsets = graph->offsets;
    const uint32_t *neighbours = graph->neighbours;
    const size_t last = reader->last;
    size_t head = reader->head;
    rows->count = 0;
    while (head < reader->end && rows->count < ROW_BUFFER_FULL) {
        const size_t far = head + FAR_DISTANCE;
        const size_t near = head + NEAR_DISTANCE;
        __builtin_prefetch(&offsets[nodes[far < last ? far : last]]);
        const uint32_t *ahead = neighbours + offsets[nodes[near < last ? near : last]];
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + 16);

        const uint32_t node = nodes[head];
        const size_t degree = (size_t)(offsets[node + 1] - offsets[node]);
        const size_t left = degree - reader->entry;
        const size_t added = row_buffer_add(rows, neighbours + offsets[node] + reader->entry, left);
        if (__builtin_expect(added < left, 0)) {
            reader->entry += added; /* a long row: the buffer is full */
            break;
        }
        reader->edges += degree;
        reader->entry = 0;
        head++;
    }
    reader->head = head;
}

/* Search the rows of the trail's nodes head..end - 1, or until the target is marked. */
static void scan_rows(struct level_search *search, size_t head, size_t end)
{
    uint32_t *nodes = search->trail.nodes;
    uint64_t *marks = search->marks;
    const uint64_t *target_word = &marks[search->target / 64];
    const uint64_t target_bit = marks_bit(search->target);
    struct reader reader = {.head = head, .end = end};
    struct row_buffer rows;
    size_t tail = search->trail.count;
    row_buffer_open(&rows, search->graph);
    while (reader.head < end) {
        reader.last = tail - 1;
        read_rows(search->graph, nodes, &reader, &rows);
        for (size_t i = 0; i < rows.count; i++) {
            const uint32_t neighbour = rows.entries[i];
            if (!marks_test(marks, neighbour)) {
                marks_set(marks, neighbour);
                nodes[tail++] = neighbour;
            }
        }
        if (*target_word & target_bit) {
            search->found = true;
            break;
        }
    }
    search->trail.count = tail;
    search->edges += reader.edges;
}

static void top_down_alone(struct level_search *search)
{
    for (size_t head = search->begin; head < search->end && !search->found;) {
        size_t rows = search->end - head;
        rows = rows < ROWS_A_CHECK ? rows : ROWS_A_CHECK;
        scan_rows(search, head, head + rows);
        head += rows;
        if (rows == ROWS_A_CHECK) {
            search->status = search_must_stop(search->limits, search->deadline_ns);
            if (search->status != SEARCH_DONE) {
                return;
            }
        }
    }
}

void level_buffer_flush(struct level_buffer *buffer, struct level_search *search)
{
    size_t at = atomic_fetch_add_explicit(&search->tail, buffer->count, memory_order_relaxed);
    memcpy(search->trail.nodes + at, buffer->nodes, buffer->count * sizeof(*buffer->nodes));
    buffer->count = 0;
}

bool level_search_check_stop(struct level_search *search)
{
    enum search_status status = search_must_stop(search->limits, search->deadline_ns);
    if (status != SEARCH_DONE) {
        atomic_store_explicit(&search->status_together, (int)status, memory_order_relaxed);
        atomic_store_explicit(&search->stop, true, memory_order_relaxed);
        return true;
    }
    return false;
}

/* The entries that this member is the first to mark. */
static void mark_together(struct level_search *search, const struct row_buffer *rows,
                          struct level_buffer *buffer)
{
    uint64_t *marks = search->marks;
    for (size_t i = 0; i < rows->count; i++) {
        const uint32_t neighbour = rows->entries[i];
        uint64_t *word = &marks[neighbour / 64];
        const uint64_t bit = marks_bit(neighbour);
        if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit) &&
            !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit)) {
            level_buffer_add(buffer, search, neighbour);
        }
    }
}

static void top_down_member(void *argument, unsigned index)
{
    struct level_search *search = argument;
    const uint32_t *nodes = search->trail.nodes;
    const uint64_t *target_word = &search->marks[search->target / 64];
    const uint64_t target_bit = marks_bit(search->target);
    struct reader reader = {.last = search->end - 1};
    struct level_buffer buffer;
    struct row_buffer rows;
    size_t rows_unchecked = 0;
    (void)index;

    buffer.count = 0;
    row_buffer_open(&rows, search->graph);
    while (!atomic_load_explicit(&search->stop, memory_order_relaxed)) {
        reader.head = atomic_fetch_add_explicit(&search->next, ROWS_A_PIECE, memory_order_relaxed);
        if (reader.head >= search->end) {
            break;
        }
        size_t left = search->end - reader.head;
        reader.end = reader.head + (left < ROWS_A_PIECE ? left : ROWS_A_PIECE);
        while (reader.head < reader.end) {
            read_rows(search->graph, nodes, &reader, &rows);
            mark_together(search, &rows, &buffer);
        }
        if (__atomic_load_n(target_word, __ATOMIC_RELAXED) & target_bit) {
            atomic_store_explicit(&search->stop, true, memory_order_relaxed);
        }
        rows_unchecked += ROWS_A_PIECE;
        if (rows_unchecked >= ROWS_A_CHECK) {
            rows_unchecked = 0;
            level_search_check_stop(search);
        }
    }
    level_buffer_flush(&buffer, search);
    atomic_fetch_add_explicit(&search->edges_together, reader.edges, memory_order_relaxed);
}

void level_search_together(struct level_search *search, team_work *work, size_t first)
{
    atomic_store_explicit(&search->next, first, memory_order_relaxed);
    atomic_store_explicit(&search->tail, search->trail.count, memory_order_relaxed);
    atomic_store_explicit(&search->stop, false, memory_order_relaxed);
    atomic_store_explicit(&search->edges_together, 0, memory_order_relaxed);
    atomic_store_explicit(&search->status_together, SEARCH_DONE, memory_order_relaxed);
    if (search->team != NULL) {
        team_run(search->team, work, search);
    } else {
        work(search, 0);
    }
    search->trail.count = atomic_load_explicit(&search->tail, memory_order_relaxed);
    search->edges += atomic_load_explicit(&search->edges_together, memory_order_relaxed);
    search->status =
        (enum search_status)atomic_load_explicit(&search->status_together, memory_order_relaxed);
}

static void top_down_together(struct level_search *search)
{
    level_search_together(search, top_down_member, search->begin);
    search->found = marks_test(search->marks, search->target);
}

void level_search_top_down(struct level_search *search)
{
    search->edges = 0;
    if (search->team != NULL && search->end - search->begin >= TEAM_MIN_ROWS) {
        top_down_together(search);
    } else {
        top_down_alone(search);
    }
}

bool level_search_advance(struct level_search *search, struct search_result *result)
{
    struct trail *trail = &search->trail;
    result->status = search->found ? SEARCH_DONE : search->status;
    result->visited = search->end - 1;
    result->expanded = search->end;
    if (search->found) {
        result->found = true;
        result->hops = (uint32_t)trail->level_count;
        search->hops = result->hops;
        return false;
    }
    if (search->status != SEARCH_DONE) {
        return false;
    }
    result->edges += search->edges;
    result->pushed = trail->count - 1;
    size_t reached = trail->count - search->end;
    result->peak_queue = reached > result->peak_queue ? reached : result->peak_queue;
    search->begin = search->end;
    search->end = trail->count;
    if (reached == 0) {
        return false;
    }
    if (!trail_begin_level(trail, search->begin)) {
        result->status = SEARCH_NO_MEMORY;
        return false;
    }
    result->status = search_must_stop(search->limits, search->deadline_ns);
    return result->status == SEARCH_DONE;
}
