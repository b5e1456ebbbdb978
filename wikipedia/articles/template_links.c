/*
 * template_links.c - see template_links.h.
 */
#include "template_links.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include "data/make/sort_ids.h"
#include "huge_array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PUT_AT_ONCE ((size_t)1 << 18) /* links: a megabyte */
#define BITS        64

/* Bytes for a number of words of runs, and for the same links once they are sorted. */
static uint64_t memory_of(const struct template_links *templates, uint64_t words)
{
    return words == 0 ? 0
                      : 2 * words * sizeof(*templates->runs) +
                            ((uint64_t)templates->titles.count + 2) * sizeof(*templates->begins);
}

uint64_t template_links_memory(const struct template_links *templates)
{
    return memory_of(templates, templates->used);
}

bool template_links_take(struct template_links *templates, const uint32_t *words)
{
    const uint64_t count = 2 + (uint64_t)words[1], needed = templates->used + count;
    pw_assert(title_is_template(words[0]));
    if (memory_of(templates, needed) > templates->limit) {
        templates->memory = memory_of(templates, needed);
        errno = EDQUOT;
        return false;
    }
    if (needed > templates->room) {
        const uint64_t size = sizeof(*templates->runs), before = templates->room;
        const uint64_t room = 2 * before + count + HUGE_ARRAY_MIN / size;
        errno = ENOMEM;
        if (!huge_array_grow(&templates->runs, before * size, room * size)) {
            return false;
        }
        templates->room = room;
    }
    memcpy(templates->runs + templates->used, words, count * sizeof(*words));
    templates->used = needed;
    return true;
}

static void free_runs(struct template_links *templates)
{
    memory_unmap(templates->runs, templates->room * sizeof(*templates->runs));
    templates->runs = NULL;
    templates->used = templates->room = 0;
}

/* Sort the links of each template and leave out duplicates. begins[i + 1] is where the links of
 * template i end before; afterwards begins is final. */
static void sort_links(struct template_links *templates)
{
    uint64_t from = 0, used = 0;
    for (uint32_t i = 0; i < templates->titles.count; i++) {
        const uint64_t end = templates->begins[i + 1], begin = used;
        sort_ids(templates->links + from, (size_t)(end - from));
        for (; from < end; from++) {
            if (used == begin || templates->links[used - 1] != templates->links[from]) {
                templates->links[used++] = templates->links[from];
            }
        }
        templates->begins[i + 1] = used;
        templates->linking += used > begin;
    }
}

/* Bring the runs together by template. False when out of memory. */
static bool order_links(struct template_links *templates)
{
    const uint32_t *runs = templates->runs;
    const uint32_t count = templates->titles.count;
    templates->begins = calloc((size_t)count + 2, sizeof(*templates->begins));
    templates->links = malloc((templates->used + 1) * sizeof(*templates->links));
    if (templates->begins == NULL || templates->links == NULL) {
        return false;
    }
    uint64_t *begins = templates->begins;
    for (uint64_t at = 0; at < templates->used; at += 2 + (uint64_t)runs[at + 1]) {
        begins[(runs[at] & ~TITLE_TEMPLATE) + 2] += runs[at + 1];
    }
    for (uint32_t i = 0; i < count; i++) {
        begins[i + 2] += begins[i + 1];
    }
    for (uint64_t at = 0; at < templates->used; at += 2 + (uint64_t)runs[at + 1]) {
        uint64_t *to = &begins[(runs[at] & ~TITLE_TEMPLATE) + 1]; /* it moves on to the end */
        memcpy(templates->links + *to, runs + at + 2, runs[at + 1] * sizeof(*runs));
        *to += runs[at + 1];
    }
    free_runs(templates);
    sort_links(templates);
    return true;
}

bool template_links_open(struct template_links *templates, const struct snapshot_ahead *file,
                         const uint64_t *offsets, uint32_t node_count)
{
    templates->offsets = offsets;
    templates->graph.node_limit = node_count;
    templates->before = file->count;
    templates->bit_words = file->count / BITS + 1;
    templates->memory =
        template_links_memory(templates) + templates->bit_words * sizeof(*templates->bits);
    errno = templates->memory > templates->limit ? EDQUOT : ENOMEM;
    if (templates->memory > templates->limit || !order_links(templates) ||
        !snapshot_ahead_map(file, &templates->graph)) {
        return false;
    }
    templates->bits = memory_map(templates->bit_words * sizeof(*templates->bits), true);
    return templates->bits != NULL;
}

/* The first place from one on whose node is not below a node. Without a branch that depends on the
 * nodes: it would be predicted wrongly every other time. */
static size_t skip_to(const uint32_t *nodes, size_t at, size_t count, uint32_t node)
{
    for (size_t left = count - at; left > 0;) {
        const size_t half = (left + 1) / 2;
        at += nodes[at + half - 1] < node ? half : 0;
        left -= half;
    }
    return at;
}

/* The places in a list of the nodes that another list, without duplicates, has as well. Returns
 * their number. The nodes of the shorter list are looked for in the longer one. */
static size_t find_common(const uint32_t *list, size_t count, const uint32_t *other,
                          size_t other_count, uint32_t *places)
{
    size_t used = 0;
    for (size_t i = 0, k = 0; count <= other_count && i < count && k < other_count; i++) {
        k = skip_to(other, k, other_count, list[i]);
        if (k < other_count && other[k] == list[i]) {
            places[used++] = (uint32_t)i;
        }
    }
    for (size_t i = 0, k = 0; count > other_count && k < other_count && i < count; k++) {
        i = skip_to(list, i, count, other[k]);
        for (; i < count && list[i] == other[k]; i++) {
            places[used++] = (uint32_t)i;
        }
    }
    return used;
}

size_t template_links_degree(const struct template_links *templates, uint32_t node)
{
    pw_assert(node < templates->graph.node_limit);
    return (size_t)(templates->offsets[node + 1] - templates->offsets[node]);
}

size_t template_links_find(const struct template_links *templates, uint32_t node, uint32_t template,
                           uint32_t *places)
{
    pw_assert(template <templates->titles.count);
    const uint64_t begin = templates->begins[template];
    const size_t count = (size_t)(templates->begins[template + 1] - begin);
    return count == 0 ? 0
                      : find_common(templates->graph.neighbours + templates->offsets[node],
                                    template_links_degree(templates, node),
                                    templates->links + begin, count, places);
}

void template_links_mark(struct template_links *templates, uint32_t node, const uint32_t *places,
                         size_t count)
{
    const uint64_t begin = templates->offsets[node];
    for (size_t i = 0; i < count; i++) {
        const uint64_t link = begin + places[i], bit = UINT64_C(1) << link % BITS;
        pw_assert(link < templates->offsets[node + 1]);
        templates->dropped += (templates->bits[link / BITS] & bit) == 0;
        templates->bits[link / BITS] |= bit;
    }
}

/* Move up the links without a bit, through a buffer, and set the new offsets. */
static bool move_links(struct template_links *templates, struct snapshot_ahead *file,
                       uint64_t *offsets, uint32_t *buffer, const volatile sig_atomic_t *cancel)
{
    uint64_t link = 0;
    size_t used = 0;
    for (uint32_t node = 0; node < templates->graph.node_limit; node++) {
        const uint64_t begin = link, end = offsets[node + 1];
        uint64_t kept = 0;
        for (; link < end; link++) {
            if ((templates->bits[link / BITS] >> link % BITS & 1) != 0) {
                continue;
            }
            kept++;
            buffer[used++] = templates->graph.neighbours[link];
            if (used == PUT_AT_ONCE) {
                errno = ECANCELED;
                if (*cancel != 0 || !snapshot_ahead_add(file, buffer, used)) {
                    return false;
                }
                used = 0;
            }
        }
        templates->losers += kept < end - begin;
        offsets[node + 1] = offsets[node] + kept;
    }
    return snapshot_ahead_add(file, buffer, used);
}

bool template_links_drop(struct template_links *templates, struct snapshot_ahead *file,
                         uint64_t *offsets, const volatile sig_atomic_t *cancel)
{
    bool done = true;
    pw_assert(offsets == templates->offsets);
    if (templates->dropped > 0) {
        uint32_t *buffer = malloc(PUT_AT_ONCE * sizeof(*buffer));
        snapshot_ahead_rewind(file);
        done = buffer != NULL && move_links(templates, file, offsets, buffer, cancel);
        free(buffer);
        pw_assert(!done || file->count + templates->dropped == templates->before);
    }
    graph_free(&templates->graph); /* before the file is cut, because it maps all of it */
    return done && snapshot_ahead_cut(file);
}

void template_links_free(struct template_links *templates)
{
    title_table_free(&templates->titles);
    free_runs(templates);
    free(templates->begins);
    free(templates->links);
    graph_free(&templates->graph);
    memory_unmap(templates->bits, templates->bit_words * sizeof(*templates->bits));
    *templates = (struct template_links){0};
}
