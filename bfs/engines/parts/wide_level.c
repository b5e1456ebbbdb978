/*
 * wide_level.c - the bitmaps of the members, combined and turned into nodes.
 */
#include "wide_level.h"
#include "large_block.h"
#include "level_reader.h"

#define ROWS_A_PIECE 512   /* rows that a member takes at a time */
#define ROWS_A_CHECK 16384 /* rows between two looks at the deadline */
#define CACHE_LINE   64
#define FEW_NEW      24 /* of so many entries of a buffer one is new: it pays to look first */
#define PROBE        64 /* entries of a buffer that are always looked at first */

/* What a member has to itself, on cache lines of its own. */
struct seat {
    _Alignas(CACHE_LINE) uint64_t *reached; /* what it reached in this search */
    size_t count;                           /* nodes of the next level in its share of the words */
    size_t place;                           /* of the first of them in the trail */
};

struct wide_level {
    size_t words;
    unsigned members;
    bool dirty;                    /* there are bits in reached */
    bool combine;                  /* fresh is to be made from reached */
    size_t fresh_begin, fresh_end; /* the stretch of the trail that fresh shows */
    uint64_t *level;               /* the level before fresh, for those who ask */
    uint64_t *fresh;               /* the level last appended */
    struct seat seats[];
};

void wide_level_destroy(struct wide_level *wide)
{
    if (wide == NULL) {
        return;
    }
    for (unsigned i = 0; i < wide->members; i++) {
        marks_free(wide->seats[i].reached);
    }
    marks_free(wide->level);
    marks_free(wide->fresh);
    large_block_free(wide);
}

struct wide_level *wide_level_create(const struct graph *graph, unsigned members)
{
    struct wide_level *wide =
        large_block_create(sizeof(*wide) + (size_t)members * sizeof(struct seat));
    if (wide == NULL) {
        return NULL;
    }
    wide->words = marks_words(graph);
    wide->members = members;
    wide->level = marks_create(graph);
    wide->fresh = marks_create(graph);
    bool made = wide->level != NULL && wide->fresh != NULL;
    for (unsigned i = 0; i < members; i++) {
        wide->seats[i].reached = marks_create(graph);
        made = made && wide->seats[i].reached != NULL;
    }
    if (!made) {
        wide_level_destroy(wide);
        return NULL;
    }
    return wide;
}

void wide_level_begin(struct wide_level *wide)
{
    wide->fresh_begin = wide->fresh_end = 0;
    if (wide->dirty) {
        for (unsigned i = 0; i < wide->members; i++) {
            memset(wide->seats[i].reached, 0, wide->words * sizeof(uint64_t));
        }
        wide->dirty = false;
    }
}

/* Set the bits of some entries that are not set; how many. */
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
 * Set the bits of all entries in the buffer. Blindly, which costs the same whatever they are; but
 * where nearly all are set already, a look first is predicted well, and a store less to wait for
 * when the next entry's bit is in the same word. So the first entries are looked at first, and as
 * long as few of them are new the others are, too.
 */
static void reach(uint64_t *reached, const struct row_buffer *rows)
{
    const size_t first = rows->count < PROBE ? rows->count : PROBE;
    const size_t added = reach_looking(reached, rows->entries, first);
    if (added <= first / FEW_NEW) {
        reach_looking(reached, rows->entries + first, rows->count - first);
        return;
    }
    for (size_t i = first; i < rows->count; i++) {
        marks_set(reached, rows->entries[i]);
    }
}

/* Set the bits of all neighbours of some pieces of the level. */
static void scan_member(void *argument, unsigned index)
{
    struct level_search *search = argument;
    const uint32_t *nodes = search->trail.nodes;
    uint64_t *reached = search->wide->seats[index].reached;
    struct level_reader reader = {0};
    struct row_buffer rows;
    size_t rows_unchecked = 0;
    row_buffer_open(&rows, search->graph);
    while (!atomic_load_explicit(&search->stop, memory_order_relaxed)) {
        reader.head = atomic_fetch_add_explicit(&search->next, ROWS_A_PIECE, memory_order_relaxed);
        if (reader.head >= search->end) {
            break;
        }
        size_t left = search->end - reader.head;
        reader.end = reader.head + (left < ROWS_A_PIECE ? left : ROWS_A_PIECE);
        while (reader.head < reader.end) {
            level_reader_fill(search->graph, nodes, &reader, &rows);
            reach(reached, &rows);
        }
        if (marks_test(reached, search->target)) {
            atomic_store_explicit(&search->stop, true, memory_order_relaxed);
        }
        rows_unchecked += ROWS_A_PIECE;
        if (rows_unchecked >= ROWS_A_CHECK) {
            rows_unchecked = 0;
            level_search_check_stop(search);
        }
    }
    atomic_fetch_add_explicit(&search->edges_together, reader.edges, memory_order_relaxed);
}

/* The words that are a member's share: whole cache lines, so that no two write to the same. */
static void share_of(const struct wide_level *wide, unsigned index, size_t *begin, size_t *end)
{
    const size_t line = CACHE_LINE / sizeof(uint64_t);
    const size_t lines = wide->words / line;
    *begin = lines * index / wide->members * line;
    *end = lines * (index + 1) / wide->members * line;
}

/* Combine and mark the bits of a share. */
static void collect_share(struct level_search *search, size_t begin, size_t end)
{
    struct wide_level *wide = search->wide;
    uint64_t *marks = search->marks;
    uint64_t *fresh = wide->fresh;
    if (wide->combine) {
        memcpy(fresh + begin, wide->seats[0].reached + begin, (end - begin) * sizeof(*fresh));
        for (unsigned member = 1; member < wide->members; member++) {
            const uint64_t *reached = wide->seats[member].reached;
            for (size_t word = begin; word < end; word++) {
                fresh[word] |= reached[word];
            }
        }
        for (size_t word = begin; word < end; word++) {
            fresh[word] &= ~marks[word];
        }
    }
    for (size_t word = begin; word < end; word++) {
        marks[word] |= fresh[word];
    }
}

/* Write the nodes of a share to their place; returns the place after the last. */
static uint32_t *emit_share(const uint64_t *fresh, size_t begin, size_t end, uint32_t *place)
{
    for (size_t word = begin; word < end; word++) {
        const uint32_t first = (uint32_t)(word * 64);
        for (uint64_t left = fresh[word]; left != 0; left &= left - 1) {
            *place++ = first + (uint32_t)__builtin_ctzll(left);
        }
    }
    return place;
}

static void collect_member(void *argument, unsigned index)
{
    struct level_search *search = argument;
    struct wide_level *wide = search->wide;
    size_t begin, end, count = 0;
    share_of(wide, index, &begin, &end);
    collect_share(search, begin, end);
    for (size_t word = begin; word < end; word++) {
        count += (size_t)__builtin_popcountll(wide->fresh[word]);
    }
    wide->seats[index].count = count;
}

static void emit_member(void *argument, unsigned index)
{
    struct level_search *search = argument;
    const struct wide_level *wide = search->wide;
    size_t begin, end;
    share_of(wide, index, &begin, &end);
    emit_share(wide->fresh, begin, end, search->trail.nodes + wide->seats[index].place);
}

static void append(struct level_search *search, bool combine)
{
    struct wide_level *wide = search->wide;
    struct trail *trail = &search->trail;
    wide->combine = combine;
    wide->fresh_begin = trail->count;
    if (wide->members == 1) { /* nobody has to know beforehand how many there are */
        uint32_t *place = trail->nodes + trail->count;
        collect_share(search, 0, wide->words);
        place = emit_share(wide->fresh, 0, wide->words, place);
        trail->count = (size_t)(place - trail->nodes);
    } else {
        level_search_all_work(search, collect_member, search);
        for (unsigned i = 0; i < wide->members; i++) {
            wide->seats[i].place = trail->count;
            trail->count += wide->seats[i].count;
        }
        level_search_all_work(search, emit_member, search);
    }
    wide->fresh_end = trail->count;
}

void wide_level_append(struct level_search *search)
{
    append(search, false);
}

void wide_level_top_down(struct level_search *search)
{
    struct wide_level *wide = search->wide;
    wide->dirty = true;
    level_search_begin_together(search, search->begin);
    level_search_all_work(search, scan_member, search);
    level_search_end_together(search);
    for (unsigned i = 0; i < wide->members; i++) {
        search->found = search->found || marks_test(wide->seats[i].reached, search->target);
    }
    if (!search->found && search->status == SEARCH_DONE) {
        append(search, true);
    }
}

const uint64_t *wide_level_bits(struct level_search *search)
{
    struct wide_level *wide = search->wide;
    if (wide->fresh_begin == search->begin && wide->fresh_end == search->end) {
        uint64_t *level = wide->fresh;
        wide->fresh = wide->level;
        wide->level = level;
        return level;
    }
    memset(wide->level, 0, wide->words * sizeof(*wide->level));
    for (size_t i = search->begin; i < search->end; i++) {
        marks_set(wide->level, search->trail.nodes[i]);
    }
    return wide->level;
}

uint64_t *wide_level_fresh(struct level_search *search)
{
    return search->wide->fresh;
}
