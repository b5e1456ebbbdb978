/*
 * link_table.c - append, count, place; sort, and drop duplicates.
 */
#include "link_table.h"
#include "base/pw_assert.h"
#include "base/splitmix.h"
#include "data/graph/graph_memory.h"
#include "data/graph/parallel.h"
#include "data/make/sort_ids.h"
#include "huge_array.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FIRST_SIZE   ((uint64_t)64 << 20) /* of address space; memory is taken as it is written */
#define NODES_A_TIME 4096

enum phase { APPEND, COUNT, PLACE };

bool link_table_open(struct link_table *table)
{
    table->phase = APPEND;
    table->passes = 1;
    table->size = FIRST_SIZE;
    table->offsets = calloc((size_t)table->node_count + 2, sizeof(*table->offsets));
    return table->offsets != NULL && huge_array_grow(&table->targets, 0, table->size);
}

static void drop_targets(struct link_table *table)
{
    memory_unmap(table->targets, table->size);
    table->targets = NULL;
    table->size = table->used = 0;
}

static bool append(struct link_table *table, uint32_t node, const uint32_t *targets, size_t count)
{
    const uint64_t wanted = (table->used + count) * sizeof(*targets);
    if (node < table->last_node || (table->limit > 0 && wanted > table->limit)) {
        drop_targets(table);
        table->phase = COUNT;
        return true;
    }
    if (wanted > table->size) {
        const uint64_t size = wanted > table->size * 2 ? wanted : table->size * 2;
        if (!huge_array_grow(&table->targets, table->size, size)) {
            return false;
        }
        table->size = size;
    }
    memcpy(table->targets + table->used, targets, count * sizeof(*targets));
    table->used += count;
    table->last_node = node;
    return true;
}

bool link_table_take(struct link_table *table, uint32_t node, const uint32_t *targets, size_t count)
{
    pw_assert(node < table->node_count);
    table->sum += splitmix_mix(node) * count;
    if (table->phase == PLACE) { /* offsets[node] is where its next link goes */
        if (node >= table->first && node < table->end) {
            if (table->offsets[node] - table->used + count > table->size / sizeof(*targets)) {
                errno = ESTALE;
                return false;
            }
            memcpy(table->targets + table->offsets[node] - table->used, targets,
                   count * sizeof(*targets));
            table->offsets[node] += count;
        }
        return true;
    }
    table->offsets[node + 1] += count;
    return table->phase != APPEND || append(table, node, targets, count);
}

const char *link_table_reason(void)
{
    return errno == ESTALE ? "the dump has changed" : strerror(errno);
}

/* Lists of some nodes, sorted, with GRAPH_NODE_NONE behind those that are left. */
struct sorting {
    struct link_table *table;
    const uint64_t *offsets;
    atomic_uint_least64_t next;
    atomic_uint_least64_t duplicates;
};

/* Sort a list and, unless they are kept, drop its duplicates. Returns how many there are. */
static uint64_t sort_list(uint32_t *list, size_t count, bool keep)
{
    size_t used = count > 0, repeats = 0;
    sort_ids(list, count);
    for (size_t i = 1; i < count; i++) {
        repeats += list[i] == list[i - 1];
    }
    if (keep || repeats == 0) {
        return repeats;
    }
    for (size_t i = 1; i < count; i++) {
        list[used] = list[i];
        used += list[i] != list[used - 1];
    }
    for (size_t i = used; i < count; i++) {
        list[i] = GRAPH_NODE_NONE;
    }
    return repeats;
}

static void sort_some(void *context, unsigned number)
{
    struct sorting *sorting = context;
    struct link_table *table = sorting->table;
    uint64_t duplicates = 0;
    (void)number;
    for (uint64_t first; (first = atomic_fetch_add(&sorting->next, NODES_A_TIME)) < table->end;) {
        const uint64_t left = table->end - first;
        const uint64_t end = first + (left < NODES_A_TIME ? left : NODES_A_TIME);
        for (uint64_t node = first; node < end; node++) {
            uint32_t *list = table->targets + sorting->offsets[node] - table->used;
            const size_t count = (size_t)(sorting->offsets[node + 1] - sorting->offsets[node]);
            duplicates += sort_list(list, count, table->keep_duplicates);
        }
    }
    atomic_fetch_add(&sorting->duplicates, duplicates);
}

/*
 * Sort the lists of the nodes from first to end, which begin at targets, and close the gaps. On
 * return offsets of these nodes are final; the last one's end is edge_count.
 */
static void finish_lists(struct link_table *table)
{
    struct sorting sorting = {.table = table, .offsets = table->offsets};
    atomic_init(&sorting.next, table->first);
    parallel_run(table->threads, sort_some, &sorting);
    table->duplicates += atomic_load(&sorting.duplicates);
    uint32_t *to = table->targets;
    uint64_t begin = table->offsets[table->first];
    for (uint32_t node = table->first; node < table->end; node++) {
        const uint32_t *list = table->targets + (begin - table->used);
        const uint64_t end = table->offsets[node + 1];
        uint64_t count = end - begin;
        while (count > 0 && list[count - 1] == GRAPH_NODE_NONE) {
            count--;
        }
        memmove(to, list, count * sizeof(*list));
        table->offsets[node] = table->edge_count;
        table->edge_count += count;
        to += count;
        begin = end;
    }
}

/* The next range of nodes whose links fit the limit, and room for them. */
static bool begin_range(struct link_table *table)
{
    uint64_t *offsets = table->offsets;
    table->first = table->end;
    table->used = offsets[table->first]; /* of the links before the range */
    uint64_t links = 0;
    while (table->end < table->node_count) {
        const uint64_t more = offsets[table->end + 1] - table->used;
        if (table->limit > 0 && more * sizeof(uint32_t) > table->limit &&
            table->end > table->first) {
            break;
        }
        links = more;
        table->end++;
    }
    table->size = (links > 0 ? links : 1) * sizeof(uint32_t);
    table->targets = memory_map(table->size, true);
    table->phase = PLACE;
    table->sum = 0;
    table->passes++;
    return table->targets != NULL;
}

/* A file without a name in the folder, or else in /tmp. */
static bool open_file(struct link_table *table)
{
    const int file = open(table->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    table->file = file >= 0 ? fdopen(file, "w+") : tmpfile();
    if (file >= 0 && table->file == NULL) {
        close(file);
    }
    return table->file != NULL;
}

/* The lists of a range are complete. */
static bool end_range(struct link_table *table, bool *again)
{
    /* Each offset has moved on to where the next node's links begin: move them back. */
    const uint64_t before = table->edge_count;
    bool same = table->sum == table->first_sum &&
                table->offsets[table->end - 1] == table->offsets[table->end];
    for (uint32_t node = table->end - 1; node > table->first; node--) {
        same &= table->offsets[node - 1] <= table->offsets[node];
        table->offsets[node] = table->offsets[node - 1];
    }
    if (!same) {
        errno = ESTALE;
        return false;
    }
    table->offsets[table->first] = table->used;
    finish_lists(table);
    *again = table->end < table->node_count;
    const size_t count = (size_t)(table->edge_count - before);
    if (!*again && table->file == NULL) {
        return true; /* all in one range */
    }
    if ((table->file == NULL && !open_file(table)) ||
        fwrite(table->targets, sizeof(uint32_t), count, table->file) != count ||
        fflush(table->file) != 0) {
        return false;
    }
    drop_targets(table);
    return true;
}

bool link_table_end_pass(struct link_table *table, bool *again)
{
    *again = false;
    if (table->phase == PLACE) {
        if (!end_range(table, again)) {
            return false;
        }
    } else {
        for (uint32_t node = 0; node < table->node_count; node++) {
            table->offsets[node + 1] += table->offsets[node];
        }
        *again = table->phase == COUNT && table->offsets[table->node_count] > 0;
        table->first_sum = table->sum;
        if (!*again) {
            table->used = 0;
            table->end = table->node_count;
            finish_lists(table);
        }
    }
    if (*again) {
        return begin_range(table);
    }
    table->offsets[table->node_count] = table->edge_count;
    if (table->file != NULL && table->edge_count > 0) {
        table->size = table->edge_count * sizeof(uint32_t);
        void *base = mmap(NULL, table->size, PROT_READ, MAP_SHARED, fileno(table->file), 0);
        table->targets = base != MAP_FAILED ? base : NULL;
        return table->targets != NULL;
    }
    return true;
}

void link_table_free(struct link_table *table)
{
    if (table->file != NULL) {
        fclose(table->file);
    }
    memory_unmap(table->targets, table->size);
    free(table->offsets);
    *table = (struct link_table){.phase = APPEND};
}
