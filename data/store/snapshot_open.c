/*
 * snapshot_open.c - maps a snapshot and checks it; see graph_snapshot.h.
 *
 * 1. The header is read, and the file mapped.
 * 2. The arrays are placed in the mapping, each as long as the counts require.
 * 3. Each array is checked by a thread: its checksum, and that nothing in it leads outside.
 */
#include "base/pw_assert.h"
#include "data/graph/graph_origin.h"
#include "data/graph/parallel.h"
#include "graph_snapshot.h"
#include "snapshot_arrays.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_SIZE    ((uint64_t)128 << 10) /* checked at a time; fits the second-level cache */
#define PARALLEL_SIZE ((uint64_t)4 << 20)   /* of a file worth a second thread */

static const char magic[8] = SNAPSHOT_MAGIC;

bool graph_snapshot_begins(const char *bytes, size_t length)
{
    return length >= sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0;
}

bool graph_snapshot_recognise(const char *path, bool *is_one, struct graph_error *error)
{
    char bytes[sizeof(magic)];
    struct stat status;
    ssize_t got = 0;
    *is_one = false;
    if (strcmp(path, "-") == 0) {
        return true;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return graph_fail(error, path, "cannot be opened: %s", strerror(errno));
    }
    if (fstat(fd, &status) != 0) {
        got = -1;
    } else if (S_ISREG(status.st_mode)) {
        got = read(fd, bytes, sizeof(bytes));
    }
    int reason = errno;
    close(fd);
    *is_one = got > 0 && graph_snapshot_begins(bytes, (size_t)got);
    return got >= 0 || graph_fail(error, path, "cannot be read: %s", strerror(reason));
}

static const struct section *snapshot_section(const struct header *header, size_t kind)
{
    return kind < SECTIONS_OF_ALL ? &header->sections[kind] : &header->more[kind - SECTIONS_OF_ALL];
}

static void *array_of(char *base, const struct section *section)
{
    return section->begin ? base + section->begin : NULL;
}

/* True if all sections lie in the file, and are long enough to read their lengths. */
static bool sections_are_inside(const struct header *header)
{
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const struct section *section = snapshot_section(header, i);
        if (section->begin % ALIGNMENT != 0 || section->begin > header->file_size ||
            section->length > header->file_size - section->begin ||
            (section->begin == 0 && section->length > 0)) {
            return false;
        }
    }
    return header->names_count == 0 ||
           header->sections[SECTION_NAME_BEGINS].length / 8 == (uint64_t)header->names_count + 1;
}

/* Point a zeroed origin into the mapping. False if the sections do not fit. */
static bool place_origin(const struct header *header, char *base, struct graph_origin *origin)
{
    const struct section *begins = snapshot_section(header, SECTION_ALIAS_BEGINS);
    const struct section *facts = snapshot_section(header, SECTION_FACTS);
    origin->is_mapped = true;
    origin->facts = array_of(base, facts);
    origin->facts_length = facts->length;
    origin->page_ids = array_of(base, snapshot_section(header, SECTION_PAGE_IDS));
    origin->alias_ids = array_of(base, snapshot_section(header, SECTION_ALIAS_IDS));
    origin->order = array_of(base, snapshot_section(header, SECTION_NAME_ORDER));
    if (begins->begin != 0) {
        if (begins->length < 16 || begins->length / 8 > UINT32_MAX - header->names_count) {
            return false;
        }
        origin->aliases = calloc(1, sizeof(*origin->aliases));
        if (origin->aliases == NULL) {
            return false;
        }
        *origin->aliases = (struct graph_names){
            .is_mapped = true,
            .count = (uint32_t)(begins->length / 8 - 1),
            .begins = array_of(base, begins),
            .text = array_of(base, snapshot_section(header, SECTION_ALIAS_TEXT)),
        };
        return origin->aliases->text != NULL && origin->alias_ids != NULL;
    }
    return true;
}

/* True if an origin has sections in a file. */
static bool has_origin(const struct header *header)
{
    uint64_t any = 0;
    for (size_t i = SECTIONS_OF_ALL; i < SECTION_COUNT; i++) {
        any |= snapshot_section(header, i)->begin;
    }
    return any != 0;
}

/* True if no number of an origin leads out of the names and nodes, and the facts are a text. */
static bool origin_holds(const struct graph *graph)
{
    const struct graph_origin *origin = graph->origin;
    const struct graph_names *aliases = origin->aliases;
    pw_assert(graph->names != NULL);
    const uint32_t names = graph->names->count;
    const uint32_t all = names + (aliases != NULL ? aliases->count : 0);
    bool holds = origin->facts == NULL || origin->facts[origin->facts_length - 1] == '\0';
    if (aliases != NULL && !graph_names_check(aliases)) {
        return false;
    }
    for (uint32_t i = 0; aliases != NULL && i < aliases->count; i++) {
        holds &= origin->alias_ids[i] - graph->names->first_id < names;
    }
    for (uint32_t i = 0; origin->order != NULL && i < all; i++) {
        holds &= origin->order[i] < all;
    }
    return holds;
}

/*
 * Point the graph, and its names if it has any, into the mapping. False if the sections do not
 * match the counts.
 */
static bool place_arrays(const struct header *header, char *base, struct graph *graph)
{
    if (!sections_are_inside(header) || header->first_node > 1 ||
        header->first_node > header->node_limit || header->node_limit == UINT32_MAX ||
        header->edge_count > UINT64_MAX / sizeof(uint32_t)) {
        return false;
    }
    graph->first_node = header->first_node;
    graph->node_limit = header->node_limit;
    graph->edge_count = header->edge_count;
    if (header->names_count > 0) {
        struct graph_names *names = graph->names;
        *names = (struct graph_names){
            .is_mapped = true,
            .first_id = header->names_first_id,
            .count = header->names_count,
            .begins = array_of(base, &header->sections[SECTION_NAME_BEGINS]),
            .text = array_of(base, &header->sections[SECTION_NAME_TEXT]),
        };
        if (names->text == NULL) { /* begins exist: sections_are_inside */
            return false;
        }
    }
    if (graph->origin != NULL && !place_origin(header, base, graph->origin)) {
        return false;
    }
    graph->offsets = array_of(base, &header->sections[SECTION_OFFSETS]);
    graph->neighbours = array_of(base, &header->sections[SECTION_NEIGHBOURS]);
    graph->in_offsets = array_of(base, &header->sections[SECTION_IN_OFFSETS]);
    graph->in_neighbours = array_of(base, &header->sections[SECTION_IN_NEIGHBOURS]);
    graph->original_ids = array_of(base, &header->sections[SECTION_ORIGINAL_IDS]);
    if (graph->edge_count == 0) { /* no section, but never NULL */
        graph->neighbours = (uint32_t *)(void *)base;
        graph->in_neighbours = graph->in_offsets != NULL ? graph->neighbours : NULL;
    }
    struct snapshot_array arrays[SECTION_COUNT];
    snapshot_list_arrays(graph, arrays);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (snapshot_section(header, i)->length != arrays[i].length) {
            return false;
        }
    }
    return true;
}

/* The checks of a snapshot's arrays, one section per thread. */
struct inspection {
    size_t first_kind; /* of the sections that are checked */
    const struct header *header;
    const struct graph *graph;
    const char *base;
    atomic_bool failed;
};

/* True if a block of a section cannot lead a search out of the arrays. begin, end: in bytes. */
static bool block_holds(const struct graph *graph, size_t kind, const char *items, uint64_t begin,
                        uint64_t end)
{
    const uint64_t *offsets = (const uint64_t *)(const void *)items;
    const uint32_t *nodes = (const uint32_t *)(const void *)items;
    uint64_t first, count;
    switch (kind) {
    case SECTION_OFFSETS:
    case SECTION_IN_OFFSETS:
        first = begin > 0 ? begin / 8 - 1 : 0; /* the last of the block before, too */
        return graph_offsets_ascend(offsets + first, end / 8 - first) &&
               (begin > 0 || (offsets[0] == 0 && offsets[graph->first_node] == 0)) &&
               (end / 8 <= graph->node_limit || offsets[graph->node_limit] == graph->edge_count);
    case SECTION_NEIGHBOURS:
    case SECTION_IN_NEIGHBOURS:
        first = begin / 4;
        count = (end - begin) / 4;
        return graph_holds_nodes(graph, nodes + first, count);
    default:
        return true;
    }
}

/* True if a section has its checksum and holds: each block is in the cache for both. */
static bool section_holds(const struct inspection *inspection, size_t kind)
{
    const struct section *section = snapshot_section(inspection->header, kind);
    const char *items = inspection->base + section->begin;
    struct snapshot_sum sum;
    bool holds = true;
    snapshot_sum_start(&sum);
    for (uint64_t begin = 0; begin < section->length && holds;) {
        uint64_t left = section->length - begin;
        uint64_t end = begin + (left < BLOCK_SIZE ? left : BLOCK_SIZE);
        snapshot_sum_add(&sum, items + begin, (size_t)(end - begin));
        holds = block_holds(inspection->graph, kind, items, begin, end);
        begin = end;
    }
    return holds && snapshot_sum_end(&sum) == section->checksum;
}

static void inspect_section(void *context, unsigned number, size_t index)
{
    (void)number;
    struct inspection *inspection = context;
    const size_t kind = inspection->first_kind + index;
    if (snapshot_section(inspection->header, kind)->length > 0 &&
        !section_holds(inspection, kind)) {
        atomic_store(&inspection->failed, true);
    }
}

/* True if every array from first_kind on has its checksum, and no offset, neighbour or name leads
 * out of them. */
static bool arrays_hold(const struct header *header, size_t first_kind, const char *base,
                        unsigned threads, const struct graph *graph)
{
    struct inspection inspection = {
        .first_kind = first_kind, .header = header, .graph = graph, .base = base};
    threads = header->file_size < PARALLEL_SIZE ? 1 : parallel_count(threads);
    parallel_each(threads, SECTION_COUNT - first_kind, inspect_section, &inspection);
    return !atomic_load(&inspection.failed) &&
           (graph->names == NULL || graph_names_check(graph->names)) &&
           (graph->origin == NULL || origin_holds(graph));
}

/* Open a snapshot, and check its sections from first_kind on. */
static enum graph_snapshot_state open_checked(const char *path, size_t first_kind,
                                              const struct graph_options *options,
                                              struct graph *graph, struct graph_source *source,
                                              unsigned *flags, struct graph_error *error)
{
    union header_page page;
    enum graph_snapshot_state state = SNAPSHOT_BAD;
    memset(graph, 0, sizeof(*graph));
    memset(source, 0, sizeof(*source));
    *flags = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        graph_fail(error, path, "cannot be opened: %s", strerror(errno));
        return SNAPSHOT_BAD;
    }
    bool good = snapshot_read_header(fd, path, &page, error);
    page.header.source.path[sizeof(page.header.source.path) - 1] = '\0';
    *source = page.header.source;
    *flags = page.header.flags;
    size_t length = (size_t)page.header.file_size;
    char *base = good ? mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    if (!good) {
        return SNAPSHOT_BAD;
    }
    if (base == MAP_FAILED || !graph_adopt(graph, base, length)) {
        graph_fail(error, path, "cannot be mapped: %s", strerror(errno));
        return SNAPSHOT_BAD;
    }
#ifdef MADV_POPULATE_READ
    if (first_kind == 0) {
        madvise(base, length, MADV_POPULATE_READ);
    }
#endif
    if (!graph_source_is_fresh(source, options->verify)) {
        state = SNAPSHOT_STALE;
        graph_fail(error, path, "stale: %.300s has changed since", source->path);
    } else if (page.header.names_count > 0 &&
               ((graph->names = calloc(1, sizeof(*graph->names))) == NULL ||
                (has_origin(&page.header) &&
                 (graph->origin = calloc(1, sizeof(*graph->origin))) == NULL))) {
        graph_fail(error, path, "out of memory for the names");
    } else if (!place_arrays(&page.header, base, graph) ||
               !arrays_hold(&page.header, first_kind, base, options->threads, graph)) {
        graph_fail(error, path, "corrupt: the snapshot's arrays do not match its header");
    } else {
        state = SNAPSHOT_GOOD;
    }
    if (state != SNAPSHOT_GOOD) {
        graph_free(graph);
    }
    return state;
}

enum graph_snapshot_state graph_snapshot_open(const char *path, const struct graph_options *options,
                                              struct graph *graph, struct graph_source *source,
                                              unsigned *flags, struct graph_error *error)
{
    return open_checked(path, 0, options, graph, source, flags, error);
}

bool graph_snapshot_open_names(const char *path, struct graph *graph, struct graph_error *error)
{
    static const struct graph_options options;
    struct graph_source source;
    unsigned flags;
    if (open_checked(path, SECTION_ORIGINAL_IDS, &options, graph, &source, &flags, error) !=
        SNAPSHOT_GOOD) {
        return false;
    }
    graph->offsets = graph->in_offsets = NULL; /* they were not checked */
    graph->neighbours = graph->in_neighbours = NULL;
    return true;
}
