/*
 * lane_kernel.h - push and pull of the engine "multi-source" for one width of lanes.
 *
 * Included once a width, with LANE_WORDS, LANE_NAME(function) and LANE_TARGET (an attribute for the
 * instruction set, or nothing) defined. The words of a node are one vector; the compiler makes of
 * it one wide register or several narrow ones, on any processor.
 */

typedef uint64_t LANE_NAME(lanes)
    __attribute__((vector_size(LANE_WORDS * 8), aligned(8), may_alias));

static inline LANE_TARGET bool LANE_NAME(is_zero)(const LANE_NAME(lanes) * lanes)
{
    uint64_t all = 0;
    for (int i = 0; i < LANE_WORDS; i++) {
        all |= (*lanes)[i];
    }
    return all == 0;
}

static LANE_TARGET void LANE_NAME(push)(struct multi_source *pass)
{
    const struct graph *graph = pass->graph;
    LANE_NAME(lanes) *seen = (LANE_NAME(lanes) *)pass->seen;
    LANE_NAME(lanes) *front = (LANE_NAME(lanes) *)pass->front;
    LANE_NAME(lanes) *next = (LANE_NAME(lanes) *)pass->next;
    const LANE_NAME(lanes) live = *(LANE_NAME(lanes) *)pass->live;
    LANE_NAME(lanes) any = live ^ live;
    size_t reached = 0;
    for (size_t i = 0; i < pass->active_count; i++) {
        const uint32_t node = pass->active[i];
        const LANE_NAME(lanes) lanes = front[node] & live;
        if (LANE_NAME(is_zero)(&lanes)) {
            continue;
        }
        const uint32_t *row = graph->neighbours + graph->offsets[node];
        const uint32_t *row_end = graph->neighbours + graph->offsets[node + 1];
        pass->edges += (uint64_t)(row_end - row);
        pass->rows++;
        for (; row < row_end; row++) {
            if (row + LANE_PREFETCH < row_end) {
                __builtin_prefetch(&seen[row[LANE_PREFETCH]]);
                __builtin_prefetch(&next[row[LANE_PREFETCH]], 1);
            }
            const LANE_NAME(lanes) found = lanes & ~seen[*row];
            if (!LANE_NAME(is_zero)(&found)) {
                const LANE_NAME(lanes) before = next[*row];
                pass->active_next[reached] = *row;
                reached += LANE_NAME(is_zero)(&before);
                next[*row] = before | found;
            }
        }
    }
    for (size_t i = 0; i < reached; i++) {
        const uint32_t node = pass->active_next[i];
        const LANE_NAME(lanes) before = seen[node];
        pass->touched[pass->touched_count] = node;
        pass->touched_count += LANE_NAME(is_zero)(&before);
        seen[node] = before | next[node];
        any |= next[node];
    }
    pass->active_count = reached;
    *(LANE_NAME(lanes) *)pass->any = any;
}

/* The candidates from node begin to end - 1. Their new lanes are added to *any. */
static inline LANE_TARGET void LANE_NAME(pull_piece)(struct multi_source *pass, uint32_t begin,
                                                     uint32_t end, struct lane_buffer *buffer,
                                                     LANE_NAME(lanes) * any)
{
    const struct graph *graph = pass->graph;
    LANE_NAME(lanes) *seen = (LANE_NAME(lanes) *)pass->seen;
    const LANE_NAME(lanes) *front = (LANE_NAME(lanes) *)pass->front;
    LANE_NAME(lanes) *next = (LANE_NAME(lanes) *)pass->next;
    const LANE_NAME(lanes) live = *(LANE_NAME(lanes) *)pass->live;
    const uint32_t *fetch_end =
        graph->in_neighbours +
        (graph->edge_count > LANE_PREFETCH ? graph->edge_count - LANE_PREFETCH : 0);
    for (uint32_t node = begin; node < end; node++) {
        const LANE_NAME(lanes) before = seen[node];
        const LANE_NAME(lanes) wanted = live & ~before;
        if (LANE_NAME(is_zero)(&wanted) || !marks_test(pass->candidates, node)) {
            continue;
        }
        const uint32_t *row = graph->in_neighbours + graph->in_offsets[node];
        const uint32_t *row_begin = row;
        const uint32_t *row_end = graph->in_neighbours + graph->in_offsets[node + 1];
        LANE_NAME(lanes) found = live ^ live;
        while (row < row_end) {
            /* The rows of the next nodes stand behind this one: past its end it pays as well. */
            if (row < fetch_end) {
                __builtin_prefetch(&front[row[LANE_PREFETCH]]);
            }
            found |= front[*row++];
            const LANE_NAME(lanes) missing = wanted & ~found;
            if (LANE_NAME(is_zero)(&missing)) {
                break;
            }
        }
        buffer->edges += (uint64_t)(row - row_begin);
        buffer->rows++;
        found &= wanted;
        if (!LANE_NAME(is_zero)(&found)) {
            next[node] = found;
            seen[node] = before | found;
            *any |= found;
            lane_buffer_add(buffer, pass, node, LANE_NAME(is_zero)(&before));
        }
    }
}

static LANE_TARGET void LANE_NAME(pull)(void *argument, unsigned index)
{
    struct multi_source *pass = argument;
    struct lane_buffer buffer = {0};
    LANE_NAME(lanes) any;
    (void)index;
    memset(&any, 0, sizeof(any));
    for (;;) {
        size_t begin = atomic_fetch_add_explicit(&pass->piece, NODES_A_PIECE, memory_order_relaxed);
        if (begin >= pass->graph->node_limit || lane_must_stop(pass)) {
            break;
        }
        size_t left = pass->graph->node_limit - begin;
        size_t end = begin + (left < NODES_A_PIECE ? left : NODES_A_PIECE);
        LANE_NAME(pull_piece)(pass, (uint32_t)begin, (uint32_t)end, &buffer, &any);
    }
    lane_buffer_finish(&buffer, pass);
    for (int i = 0; i < LANE_WORDS; i++) {
        atomic_fetch_or_explicit(&pass->any_together[i], any[i], memory_order_relaxed);
    }
}

#undef LANE_WORDS
#undef LANE_NAME
#undef LANE_TARGET
