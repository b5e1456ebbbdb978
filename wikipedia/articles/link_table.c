/*
 * link_table.c - append; or count, place, sort, and drop duplicates.
 */
#include "link_table.h"
#include "base/pw_assert.h"
#include "base/splitmix.h"
#include "data/graph/graph_memory.h"
#include "data/make/sort_ids.h"
#include "huge_array.h"
#include <errno.h>
#include <string.h>

#define PUT_AT_ONCE ((uint64_t)1 << 18) /* links: a megabyte, which is still cached */

enum phase {
    APPEND,     /* the dump is in order */
    DISORDERED, /* it is not: the first pass only counts */
    COUNT,
    PLACE
};

bool link_table_open(struct link_table *table)
{
    table->phase = APPEND;
    table->passes = 1;
    table->room = 2 * PUT_AT_ONCE;
    return huge_array_grow(&table->targets, 0, table->room * sizeof(*table->targets)) &&
           snapshot_ahead_start(table->out, table->node_count);
}

static void drop_targets(struct link_table *table)
{
    memory_unmap(table->targets, table->room * sizeof(*table->targets));
    table->targets = NULL;
    table->room = table->used = 0;
}

/* Sort a list, unless it is sorted already, and drop duplicates, unless they are kept. Returns how
 * many links are left. */
static size_t finish_list(struct link_table *table, uint32_t *list, size_t count)
{
    size_t descents = 0, duplicates = 0, used = count > 0;
    for (size_t i = 1; i < count; i++) {
        descents += list[i] < list[i - 1];
    }
    if (descents > 0) {
        sort_ids(list, count);
    }
    for (size_t i = 1; i < count; i++) {
        duplicates += list[i] == list[i - 1];
    }
    table->duplicates += duplicates;
    if (duplicates == 0 || table->keep_duplicates) {
        return count;
    }
    for (size_t i = 1; i < count; i++) {
        list[used] = list[i];
        used += list[i] != list[used - 1];
    }
    return used;
}

/* Write the complete lists in memory to the file. */
static bool put_lists(struct link_table *table)
{
    const uint64_t count = table->used;
    table->used = 0;
    return snapshot_ahead_add(table->out, table->targets, count);
}

/* Room for that many links more. */
static bool reserve(struct link_table *table, uint64_t count)
{
    if (table->room - table->used >= count) {
        return true;
    }
    const uint64_t size = (2 * table->room + count) * sizeof(*table->targets);
    if (!huge_array_grow(&table->targets, table->room * sizeof(*table->targets), size)) {
        return false;
    }
    table->room = size / sizeof(*table->targets);
    table->size = size;
    return true;
}

/* The last node's list is complete. */
static void end_list(struct link_table *table)
{
    table->used -= table->last_length;
    const size_t length =
        finish_list(table, table->targets + table->used, (size_t)table->last_length);
    table->used += length;
    table->offsets[table->last_node + 1] = length;
    table->last_length = 0;
}

/* Append links of a node to its list. */
static bool append(struct link_table *table, uint32_t node, const uint32_t *targets, size_t count)
{
    if (node != table->last_node) {
        end_list(table);
        table->last_node = node;
        if (table->used >= PUT_AT_ONCE && !put_lists(table)) {
            return false;
        }
    }
    if (!reserve(table, count)) {
        return false;
    }
    memcpy(table->targets + table->used, targets, count * sizeof(*targets));
    table->used += count;
    table->last_length += count;
    return true;
}

bool link_table_take(struct link_table *table, uint32_t node, const uint32_t *targets, size_t count)
{
    pw_assert(node < table->node_count);
    table->sum += splitmix_mix(node) * count;
    if (table->phase == APPEND && node < table->last_node) {
        table->phase = DISORDERED;
        drop_targets(table);
    }
    if (table->phase == APPEND) {
        return append(table, node, targets, count);
    }
    if (table->phase == COUNT) {
        table->offsets[node + 1] += count;
    } else if (table->phase == PLACE && node >= table->first && node < table->end) {
        /* offsets[node] is where its next link goes */
        if (table->offsets[node] - table->used + count > table->room) {
            errno = ESTALE;
            return false;
        }
        memcpy(table->targets + table->offsets[node] - table->used, targets,
               count * sizeof(*targets));
        table->offsets[node] += count;
    }
    return true;
}

const char *link_table_reason(void)
{
    return errno == ESTALE ? "the dump has changed" : strerror(errno);
}

/* Sort the lists of the nodes from first to end, which begin at targets, and write them to the
 * file. Afterwards the offsets of these nodes are final. */
static bool finish_lists(struct link_table *table)
{
    uint32_t *to = table->targets;
    uint64_t begin = table->offsets[table->first];
    for (uint32_t node = table->first; node < table->end; node++) {
        uint32_t *list = table->targets + (begin - table->used);
        const uint64_t end = table->offsets[node + 1];
        const size_t count = finish_list(table, list, (size_t)(end - begin));
        memmove(to, list, count * sizeof(*list));
        table->offsets[node] = table->out->count + (uint64_t)(to - table->targets);
        to += count;
        begin = end;
    }
    return snapshot_ahead_add(table->out, table->targets, (uint64_t)(to - table->targets));
}

/* Choose the next range of nodes whose links fit the limit, and make room for them. */
static bool begin_range(struct link_table *table)
{
    uint64_t *offsets = table->offsets;
    drop_targets(table);
    table->first = table->end;
    table->used = offsets[table->first]; /* of the links before the range */
    uint64_t links = 0;
    while (table->end < table->node_count) {
        const uint64_t more = offsets[table->end + 1] - table->used;
        if (more * sizeof(uint32_t) > table->limit && table->end > table->first) {
            break;
        }
        links = more;
        table->end++;
    }
    table->room = links > 0 ? links : 1;
    const uint64_t size = table->room * sizeof(*table->targets);
    table->size = size > table->size ? size : table->size;
    table->targets = memory_map(size, true);
    table->phase = PLACE;
    return table->targets != NULL;
}

/* The lists of a range are complete. */
static bool end_range(struct link_table *table)
{
    /* Each offset has moved on to where the next node's links begin: move them back. */
    bool same = table->offsets[table->end - 1] == table->offsets[table->end];
    for (uint32_t node = table->end - 1; node > table->first; node--) {
        same &= table->offsets[node - 1] <= table->offsets[node];
        table->offsets[node] = table->offsets[node - 1];
    }
    table->offsets[table->first] = table->used;
    errno = same ? 0 : ESTALE;
    return same && finish_lists(table);
}

/* Begin to count: what was appended no longer counts. */
static bool begin_count(struct link_table *table)
{
    memset(table->offsets, 0, ((size_t)table->node_count + 1) * sizeof(*table->offsets));
    table->duplicates = 0;
    table->phase = COUNT;
    return snapshot_ahead_start(table->out, table->node_count);
}

bool link_table_end_pass(struct link_table *table, bool *again)
{
    table->first_sum = table->passes == 1 ? table->sum : table->first_sum;
    if (table->sum != table->first_sum) {
        errno = ESTALE;
        return false;
    }
    if (table->phase == APPEND) {
        end_list(table);
    }
    if ((table->phase == APPEND && !put_lists(table)) ||
        (table->phase == PLACE && !end_range(table))) {
        return false;
    }
    for (uint32_t node = 0; table->phase != PLACE && node < table->node_count; node++) {
        table->offsets[node + 1] += table->offsets[node];
    }
    *again = table->phase != APPEND && table->end < table->node_count;
    if (!*again) {
        table->offsets[table->node_count] = table->out->count;
        drop_targets(table);
        return true;
    }
    table->passes++;
    table->sum = 0;
    return table->phase == DISORDERED ? begin_count(table) : begin_range(table);
}

void link_table_free(struct link_table *table)
{
    drop_targets(table);
    *table = (struct link_table){.phase = APPEND};
}
