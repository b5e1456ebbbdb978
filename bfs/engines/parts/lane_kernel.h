/*
 * lane_kernel.h - push and pull of lane_pass.c for one width of lanes.
 *
 * Included once per width, with LANE_WORDS, LANE_SUFFIX (of the names) and perhaps LANE_TARGET (an
 * attribute for the instruction set) defined; it gives kernel_SUFFIX. The words of a node are one
 * vector; the compiler makes it one wide register or several narrow ones, on any processor.
 */
#define LANE_PASTE(name, suffix)  name##_##suffix
#define LANE_EXPAND(name, suffix) LANE_PASTE(name, suffix)
#define LANE_NAME(name)           LANE_EXPAND(name, LANE_SUFFIX)
#ifndef LANE_TARGET
#define LANE_TARGET
#endif

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

/* The lanes that reached a node, from all members together. */
static LANE_TARGET void LANE_NAME(finish)(struct lane_pass *pass, const LANE_NAME(lanes) * any)
{
    for (int i = 0; i < LANE_WORDS; i++) {
        atomic_fetch_or_explicit(&pass->any[i], (*any)[i], memory_order_relaxed);
    }
}

/* Give lanes to the neighbours from entry to end - 1. A neighbour without lanes so far is appended
 * to the nodes of the next level; reached: how many these were. Returns how many they are now. */
static inline LANE_TARGET size_t LANE_NAME(push_piece)(struct lane_pass *pass,
                                                       const LANE_NAME(lanes) * lanes,
                                                       const uint32_t *entry, const uint32_t *end,
                                                       size_t reached)
{
    const LANE_NAME(lanes) *seen = (const LANE_NAME(lanes) *)pass->seen;
    LANE_NAME(lanes) *next = (LANE_NAME(lanes) *)pass->next;
    for (; entry < end; entry++) {
        if (entry + LANE_PREFETCH < end) {
            __builtin_prefetch(&seen[entry[LANE_PREFETCH]]);
            __builtin_prefetch(&next[entry[LANE_PREFETCH]], 1);
        }
        const LANE_NAME(lanes) found = *lanes & ~seen[*entry];
        if (!LANE_NAME(is_zero)(&found)) {
            const LANE_NAME(lanes) before = next[*entry];
            pass->active_next[reached] = *entry;
            reached += LANE_NAME(is_zero)(&before);
            next[*entry] = before | found;
        }
    }
    return reached;
}

static LANE_TARGET void LANE_NAME(push)(struct lane_pass *pass)
{
    const struct graph *graph = pass->graph;
    LANE_NAME(lanes) *seen = (LANE_NAME(lanes) *)pass->seen;
    LANE_NAME(lanes) *frontier = (LANE_NAME(lanes) *)pass->frontier;
    LANE_NAME(lanes) *next = (LANE_NAME(lanes) *)pass->next;
    const LANE_NAME(lanes) live = *(LANE_NAME(lanes) *)pass->live;
    LANE_NAME(lanes) any = {0};
    struct look look = {.due = STEPS_FIRST};
    size_t reached = 0;
    size_t touched = pass->touched_count;
    uint64_t edges = 0, lists = 0;
    for (size_t i = 0; i < pass->active_count && !must_stop(pass, &look, 1); i++) {
        const uint32_t node = pass->active[i];
        const LANE_NAME(lanes) lanes = frontier[node] & live;
        if (LANE_NAME(is_zero)(&lanes)) {
            continue;
        }
        const uint32_t *entry = graph->neighbours + graph->offsets[node];
        const uint32_t *entry_end = graph->neighbours + graph->offsets[node + 1];
        lists++;
        for (size_t count = 0; entry < entry_end && !must_stop(pass, &look, count);
             entry += count) {
            count = least((size_t)(entry_end - entry), look.due);
            reached = LANE_NAME(push_piece)(pass, &lanes, entry, entry + count, reached);
            edges += count;
        }
    }
    for (size_t i = 0; i < reached && !must_stop(pass, &look, 1); i++) {
        const uint32_t node = pass->active_next[i];
        const LANE_NAME(lanes) before = seen[node];
        pass->touched[touched] = node;
        touched += LANE_NAME(is_zero)(&before);
        seen[node] = before | next[node];
        any |= next[node];
    }
    pw_assert(reached <= graph->node_limit && touched <= graph->node_limit);
    atomic_store(&pass->active_tail, reached);
    atomic_store(&pass->touched_tail, touched);
    LANE_NAME(finish)(pass, &any);
    level_add_edges(&pass->level, edges);
    atomic_fetch_add_explicit(&pass->lists, lists, memory_order_relaxed);
}

/* The candidates from node begin to end - 1. Their new lanes are added to *any. bits: of the active
 * nodes if these are few; else NULL. */
static inline LANE_TARGET void LANE_NAME(pull_piece)(struct lane_pass *pass, const uint64_t *bits,
                                                     uint32_t begin, uint32_t end,
                                                     struct lane_buffer *buffer,
                                                     LANE_NAME(lanes) * any)
{
    const struct graph *graph = pass->graph;
    LANE_NAME(lanes) *seen = (LANE_NAME(lanes) *)pass->seen;
    const LANE_NAME(lanes) *frontier = (LANE_NAME(lanes) *)pass->frontier;
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
        const uint32_t *entry = graph->in_neighbours + graph->in_offsets[node];
        const uint32_t *entry_begin = entry;
        const uint32_t *entry_end = graph->in_neighbours + graph->in_offsets[node + 1];
        LANE_NAME(lanes) found = {0};
        while (entry < entry_end) {
            /* After the end of this list comes the next node's list: prefetching pays there,
             * too. */
            if (entry < fetch_end && (bits == NULL || marks_test(bits, entry[LANE_PREFETCH]))) {
                __builtin_prefetch(&frontier[entry[LANE_PREFETCH]]);
            }
            if (bits != NULL && !marks_test(bits, *entry)) {
                entry++;
                continue;
            }
            found |= frontier[*entry++];
            const LANE_NAME(lanes) missing = wanted & ~found;
            if (LANE_NAME(is_zero)(&missing)) {
                break;
            }
        }
        buffer->edges += (uint64_t)(entry - entry_begin);
        buffer->lists++;
        found &= wanted;
        if (!LANE_NAME(is_zero)(&found)) {
            next[node] = found;
            seen[node] = before | found;
            *any |= found;
            lane_buffer_add(buffer, pass, node, LANE_NAME(is_zero)(&before));
        }
        if (must_stop(pass, &buffer->look, (size_t)(entry - entry_begin))) {
            return;
        }
    }
}

static LANE_TARGET void LANE_NAME(pull)(void *argument, unsigned index)
{
    struct lane_pass *pass = argument;
    struct lane_buffer buffer = {.look.due = STEPS_FIRST};
    const uint64_t *bits = pass->few_active ? pass->active_bits : NULL;
    LANE_NAME(lanes) any;
    (void)index;
    memset(&any, 0, sizeof(any));
    size_t begin, end;
    while (level_take(&pass->level, NODES_PER_PIECE, &begin, &end)) {
        LANE_NAME(pull_piece)(pass, bits, (uint32_t)begin, (uint32_t)end, &buffer, &any);
    }
    lane_buffer_finish(&buffer, pass);
    LANE_NAME(finish)(pass, &any);
}

static const struct lane_kernel LANE_NAME(kernel) = {LANE_NAME(push), LANE_NAME(pull)};

#undef LANE_PASTE
#undef LANE_EXPAND
#undef LANE_NAME
#undef LANE_WORDS
#undef LANE_SUFFIX
#undef LANE_TARGET
