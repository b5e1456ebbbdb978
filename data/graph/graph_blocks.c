/*
 * graph_blocks.c - the bits of the blocks, and what is asked of the system; see graph_blocks.h.
 */
#include "graph_blocks.h"
#include "base/pw_assert.h"
#include <stdlib.h>
#include <string.h>

#define BAD_ERROR_SHIFT 48 /* of graph_blocks.bad: errno above the number of the block, and 1 */

static uint64_t block_of(const struct graph_blocks *blocks, const void *at)
{
    return (uint64_t)((const unsigned char *)at - blocks->base) / GRAPH_BLOCK_BYTES;
}

static bool is_good(const struct graph_blocks *blocks, uint64_t block)
{
    return atomic_load_explicit(&blocks->good[block / 64], memory_order_acquire) >> block % 64 & 1;
}

void graph_blocks_set_good(struct graph_blocks *blocks, uint64_t block)
{
    atomic_fetch_or_explicit(&blocks->good[block / 64], (uint64_t)1 << block % 64,
                             memory_order_release);
}

void *graph_blocks_create(size_t size, const unsigned char *base, uint64_t length, const char *path)
{
    struct graph_blocks *blocks = calloc(1, size);
    pw_assert(size >= sizeof(*blocks));
    if (blocks == NULL) {
        return NULL;
    }
    blocks->base = base;
    blocks->length = length;
    blocks->good = calloc((size_t)(length / GRAPH_BLOCK_BYTES / 64 + 1), sizeof(*blocks->good));
    blocks->path = strdup(path);
    if (blocks->good == NULL || blocks->path == NULL) {
        graph_blocks_free(blocks);
        return NULL;
    }
    return blocks;
}

void graph_blocks_free(struct graph_blocks *blocks)
{
    if (blocks != NULL) {
        free(blocks->good);
        free(blocks->path);
        free(blocks);
    }
}

void graph_blocks_forget(struct graph_blocks *blocks)
{
    for (uint64_t i = 0; i <= blocks->length / GRAPH_BLOCK_BYTES / 64; i++) {
        atomic_store(&blocks->good[i], 0);
    }
}

void graph_blocks_set_bad(struct graph_blocks *blocks, uint64_t block, int outcome)
{
    const uint64_t error = outcome == GRAPH_BLOCK_BAD ? 0 : (uint64_t)outcome;
    uint64_t none = 0;
    pw_assert(block + 1 < (uint64_t)1 << BAD_ERROR_SHIFT && error <= UINT16_MAX);
    atomic_compare_exchange_strong(&blocks->bad, &none, error << BAD_ERROR_SHIFT | (block + 1));
}

/* True if the bytes lie in the blocks. */
static bool is_inside(const struct graph_blocks *blocks, const void *begin, uint64_t length)
{
    const uint64_t at = (uint64_t)((const unsigned char *)begin - blocks->base);
    return at <= blocks->length && length <= blocks->length - at;
}

bool graph_blocks_check(struct graph_blocks *blocks, const void *begin, uint64_t length)
{
    if (length == 0) {
        return true;
    }
    if (!is_inside(blocks, begin, length)) { /* offsets of a forged file */
        graph_blocks_set_bad(blocks, blocks->length / GRAPH_BLOCK_BYTES, GRAPH_BLOCK_BAD);
        return false;
    }
    const uint64_t last = block_of(blocks, (const unsigned char *)begin + length - 1);
    for (uint64_t block = block_of(blocks, begin); block <= last; block++) {
        const int outcome =
            is_good(blocks, block) ? GRAPH_BLOCK_GOOD : blocks->check(blocks, block);
        if (outcome != GRAPH_BLOCK_GOOD) {
            graph_blocks_set_bad(blocks, block, outcome);
            return false;
        }
    }
    return true;
}

bool graph_allows_ends(const struct graph *graph, const uint64_t *offsets, uint32_t node)
{
    const uint64_t *ends = offsets + node;
    pw_assert(node < graph->node_limit);
    if (graph->blocks == NULL) {
        return true;
    }
    if (!graph_allows(graph, ends, 2 * sizeof(*ends))) {
        return false;
    }
    if (ends[0] <= ends[1] && ends[1] <= graph->edge_count) {
        return true;
    }
    /* the blocks of a forged file may be good apart, and not together */
    graph_blocks_set_bad(graph->blocks, block_of(graph->blocks, ends), GRAPH_BLOCK_BAD);
    return false;
}

/* The bytes of a list, and the slack. */
static uint64_t list_bytes(const struct graph *graph, uint32_t node)
{
    const uint64_t begin = graph->offsets[node], end = graph->offsets[node + 1];
    const uint64_t left = graph->edge_count - end;
    const uint64_t slack = left < GRAPH_LIST_SLACK ? left : GRAPH_LIST_SLACK;
    return end > begin ? (end - begin + slack) * sizeof(*graph->neighbours) : 0;
}

bool graph_allows_list(const struct graph *graph, uint32_t node)
{
    return graph->blocks == NULL ||
           (graph_allows_ends(graph, graph->offsets, node) &&
            graph_allows(graph, graph->neighbours + graph->offsets[node], list_bytes(graph, node)));
}

/* Ask the system for the blocks of some bytes that were not checked: they may be on a disk. */
static void ask_for(struct graph_blocks *blocks, const void *begin, uint64_t length)
{
    if (length == 0 || !is_inside(blocks, begin, length)) {
        return;
    }
    const uint64_t end = block_of(blocks, (const unsigned char *)begin + length - 1) + 1;
    uint64_t block = block_of(blocks, begin);
    while (block < end && is_good(blocks, block)) {
        block++;
    }
    if (block < end) {
        blocks->ask(blocks, block, end);
    }
}

bool graph_allows_offsets(const struct graph *graph, const uint32_t *nodes, size_t count,
                          size_t stride)
{
    bool allowed = true;
    pw_assert(stride > 0);
    for (size_t i = 0; graph->blocks != NULL && i < count; i += stride) {
        ask_for(graph->blocks, graph->offsets + nodes[i], 2 * sizeof(*graph->offsets));
    }
    for (size_t i = 0; graph->blocks != NULL && allowed && i < count; i += stride) {
        allowed = graph_allows_ends(graph, graph->offsets, nodes[i]);
    }
    return allowed;
}

bool graph_allows_lists(const struct graph *graph, const uint32_t *nodes, size_t count)
{
    if (graph->blocks == NULL) {
        return true;
    }
    bool allowed = graph_allows_offsets(graph, nodes, count, 1);
    for (size_t i = 0; allowed && i < count; i++) {
        ask_for(graph->blocks, graph->neighbours + graph->offsets[nodes[i]],
                list_bytes(graph, nodes[i]));
    }
    for (size_t i = 0; allowed && i < count; i++) {
        allowed = graph_allows_list(graph, nodes[i]);
    }
    return allowed;
}

bool graph_allows_all(const struct graph *graph)
{
    return graph->blocks == NULL ||
           (!graph_is_damaged(graph, NULL) && graph->blocks->check_all(graph->blocks));
}

bool graph_block_fail(struct graph_error *error, const char *path, uint64_t block, const char *why)
{
    return graph_fail(error, path, "corrupt: block %llu, the bytes from %llu on, %s",
                      (unsigned long long)block, (unsigned long long)(block * GRAPH_BLOCK_BYTES),
                      why);
}

bool graph_is_damaged(const struct graph *graph, struct graph_error *error)
{
    const struct graph_blocks *blocks = graph->blocks;
    const uint64_t bad = blocks != NULL ? atomic_load(&blocks->bad) : 0;
    const int cause = (int)(bad >> BAD_ERROR_SHIFT);
    if (cause != 0) {
        graph_fail(error, blocks->path, "cannot be read: %s", strerror(cause));
    } else if (bad > 0) {
        graph_block_fail(error, blocks->path, bad - 1, GRAPH_BLOCK_WRONG);
    }
    return bad > 0;
}
