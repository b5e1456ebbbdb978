/*
 * level_search.c - from a level to the next, top down.
 *
 * 1. The rows of many nodes are copied into a buffer (level_reader.h), then the marks of the whole
 *    buffer are looked up and what was not marked goes behind the trail (row_buffer.h says why).
 * 2. Wide levels, and all that several threads share, are searched as bits (wide_level.h).
 * Cost: a bit looked up an edge, in cache; a row fetched from anywhere in memory a node.
 */
#include "level_search.h"
#include "bfs/search/search_limits.h"
#include "large_block.h"
#include "level_reader.h"
#include "wide_level.h"

#define ROWS_A_CHECK    16384 /* rows between two looks at the deadline */
#define WIDE_SHARE_TEAM 512   /* for a team, which passes over the bits in a fraction of the time */

bool level_search_open(struct level_search *search, const struct graph *graph,
                       const struct level_search *from, bool wide)
{
    search->graph = graph;
    search->from = from;
    search->hops = SEARCH_HOPS_NONE;
    search->marks = marks_create(graph);
    search->sinks = from != NULL ? from->sinks : marks_create_sinks(graph);
    search->wide_alone = wide;
    search->wide = wide ? wide_level_create(graph, 1) : NULL;
    if (!trail_open(&search->trail, graph) || search->marks == NULL || search->sinks == NULL ||
        (wide && search->wide == NULL)) {
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
    wide_level_destroy(search->wide);
    team_destroy(search->team);
}

struct level_search *level_search_create(const struct graph *graph, const struct level_search *from,
                                         bool wide)
{
    struct level_search *search = large_block_create(sizeof(*search));
    if (search != NULL && !level_search_open(search, graph, from, wide)) {
        large_block_free(search);
        return NULL;
    }
    return search;
}

void level_search_destroy(void *workspace)
{
    struct level_search *search = workspace;
    if (search != NULL) {
        level_search_close(search);
        large_block_free(search);
    }
}

bool level_search_set_threads(void *workspace, unsigned threads)
{
    struct level_search *search = workspace;
    const bool together = threads > 1;
    const bool wide = together || search->wide_alone;
    struct wide_level *new_wide =
        wide ? wide_level_create(search->graph, together ? threads : 1) : NULL;
    struct team *new_team = together ? team_create(threads) : NULL;
    if ((wide && new_wide == NULL) || (together && new_team == NULL)) {
        wide_level_destroy(new_wide);
        team_destroy(new_team);
        return false;
    }
    wide_level_destroy(search->wide);
    team_destroy(search->team);
    search->wide = new_wide;
    search->team = new_team;
    return true;
}

bool level_search_path(void *workspace, uint32_t *nodes)
{
    const struct level_search *search = workspace;
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

    if (search->wide != NULL) {
        wide_level_begin(search->wide);
    }
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

/* Search the rows of the trail's nodes head..end - 1, or until the target is marked. */
static void scan_rows(struct level_search *search, size_t head, size_t end)
{
    uint32_t *nodes = search->trail.nodes;
    uint64_t *marks = search->marks;
    const uint64_t *target_word = &marks[search->target / 64];
    const uint64_t target_bit = marks_bit(search->target);
    struct level_reader reader = {.head = head, .end = end};
    struct row_buffer rows;
    size_t tail = search->trail.count;
    row_buffer_open(&rows, search->graph);
    while (reader.head < end) {
        level_reader_fill(search->graph, nodes, &reader, &rows);
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

static void top_down_narrow(struct level_search *search)
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

void level_search_all_work(struct level_search *search, team_work *work, void *argument)
{
    if (search->team != NULL) {
        team_run(search->team, work, argument);
    } else {
        work(argument, 0);
    }
}

void level_search_begin_together(struct level_search *search, size_t first)
{
    atomic_store_explicit(&search->next, first, memory_order_relaxed);
    atomic_store_explicit(&search->stop, false, memory_order_relaxed);
    atomic_store_explicit(&search->edges_together, 0, memory_order_relaxed);
    atomic_store_explicit(&search->status_together, SEARCH_DONE, memory_order_relaxed);
}

void level_search_end_together(struct level_search *search)
{
    search->edges += atomic_load_explicit(&search->edges_together, memory_order_relaxed);
    search->status =
        (enum search_status)atomic_load_explicit(&search->status_together, memory_order_relaxed);
}

/* Whether the level has enough nodes to be searched as bits. */
static bool is_wide(const struct level_search *search)
{
    const size_t share = search->team != NULL ? WIDE_SHARE_TEAM : LEVEL_WIDE_SHARE;
    return search->end - search->begin >= search->graph->node_limit / share;
}

void level_search_top_down(struct level_search *search)
{
    search->edges = 0;
    if (search->wide != NULL && is_wide(search)) {
        wide_level_top_down(search);
    } else {
        top_down_narrow(search);
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

void level_search_search(void *workspace, uint32_t source, uint32_t target,
                         const struct search_limits *limits, struct search_result *result)
{
    struct level_search *search = workspace;
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    uint64_t start_ns = search_start(limits);
    level_search_begin(search, source, target, limits, start_ns);
    do {
        level_search_top_down(search);
    } while (level_search_advance(search, result));
    result->elapsed_ns = search_stop(limits, start_ns);
}
