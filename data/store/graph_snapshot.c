/*
 * graph_snapshot.c - save and map snapshots; see graph_snapshot.h.
 */
#include "graph_snapshot.h"

#include "checksum.h"
#include "data/graph/graph_error.h"
#include "data/graph/graph_memory.h"
#include "data/graph/graph_names.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_SIZE     4096
#define ALIGNMENT       ((uint64_t)64 << 10) /* the largest page size in use */
#define VERSION         1
#define BYTE_ORDER_MARK 0x01020304u
#define WRITE_SIZE      ((size_t)4 << 20)

static const char magic[8] = "PWGRAPH";

enum section_kind {
    SECTION_OFFSETS,
    SECTION_NEIGHBOURS,
    SECTION_IN_OFFSETS,
    SECTION_IN_NEIGHBOURS,
    SECTION_ORIGINAL_IDS,
    SECTION_NAME_BEGINS,
    SECTION_NAME_TEXT,
    SECTION_COUNT
};

struct section {
    uint64_t begin, length; /* bytes; begin 0: not there */
    uint64_t checksum;
};

struct header {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    uint64_t checksum; /* of the header with this field 0 */
    uint64_t file_size;
    uint32_t first_node, node_limit;
    uint64_t edge_count;
    uint32_t flags;
    uint32_t names_first_id, names_count;
    uint32_t reserved;
    struct section sections[SECTION_COUNT];
    struct graph_source source;
};

union header_page {
    struct header header;
    char bytes[HEADER_SIZE];
};

static_assert(sizeof(struct header) <= HEADER_SIZE, "the header fits its page");

bool graph_snapshot_is_magic(const char *bytes, size_t length)
{
    return length >= sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0;
}

bool graph_source_of(const char *path, bool hash, struct graph_source *source)
{
    struct stat status;
    char absolute[PATH_MAX];
    memset(source, 0, sizeof(*source));
    if (realpath(path, absolute) == NULL || strlen(absolute) >= sizeof(source->path) ||
        stat(absolute, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false;
    }
    memcpy(source->path, absolute, strlen(absolute));
    source->size = (uint64_t)status.st_size;
    source->modified_ns =
        (int64_t)status.st_mtim.tv_sec * 1000000000 + (int64_t)status.st_mtim.tv_nsec;
    if (!hash) {
        return true;
    }
    struct checksum sum;
    checksum_init(&sum);
    char *buffer = malloc(WRITE_SIZE);
    int fd = buffer != NULL ? open(absolute, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t got = -1;
    while (fd >= 0) {
        size_t used = 0;
        do {
            got = read(fd, buffer + used, WRITE_SIZE - used);
            used += got > 0 ? (size_t)got : 0;
        } while (got > 0 && used < WRITE_SIZE);
        checksum_add(&sum, buffer, used);
        if (got <= 0) {
            break;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    free(buffer);
    source->hash = checksum_end(&sum);
    return got == 0;
}

/* The arrays of a graph, in the order of the sections; an absent one has length 0. */
static void list_arrays(const struct graph *graph, const void *arrays[SECTION_COUNT],
                        uint64_t lengths[SECTION_COUNT])
{
    uint64_t offsets_length = ((uint64_t)graph->node_limit + 1) * sizeof(*graph->offsets);
    uint64_t neighbours_length = graph->edge_count * sizeof(*graph->neighbours);
    const struct graph_names *names = graph->names;
    memset(lengths, 0, SECTION_COUNT * sizeof(*lengths));
    arrays[SECTION_OFFSETS] = graph->offsets;
    lengths[SECTION_OFFSETS] = offsets_length;
    arrays[SECTION_NEIGHBOURS] = graph->neighbours;
    lengths[SECTION_NEIGHBOURS] = neighbours_length;
    arrays[SECTION_IN_OFFSETS] = graph->in_offsets;
    lengths[SECTION_IN_OFFSETS] = graph->in_offsets != NULL ? offsets_length : 0;
    arrays[SECTION_IN_NEIGHBOURS] = graph->in_neighbours;
    lengths[SECTION_IN_NEIGHBOURS] = graph->in_offsets != NULL ? neighbours_length : 0;
    arrays[SECTION_ORIGINAL_IDS] = graph->original_ids;
    lengths[SECTION_ORIGINAL_IDS] = graph->original_ids != NULL
                                        ? (uint64_t)graph->node_limit * sizeof(*graph->original_ids)
                                        : 0;
    arrays[SECTION_NAME_BEGINS] = names != NULL ? names->begins : NULL;
    lengths[SECTION_NAME_BEGINS] =
        names != NULL ? ((uint64_t)names->count + 1) * sizeof(*names->begins) : 0;
    arrays[SECTION_NAME_TEXT] = names != NULL ? names->text : NULL;
    lengths[SECTION_NAME_TEXT] = names != NULL ? names->begins[names->count] : 0;
}

static bool write_at(int fd, const void *bytes, uint64_t length, uint64_t offset,
                     const volatile sig_atomic_t *cancel)
{
    const char *at = bytes;
    while (length > 0) {
        size_t now = length < WRITE_SIZE ? (size_t)length : WRITE_SIZE;
        ssize_t put = pwrite(fd, at, now, (off_t)offset);
        if (cancel != NULL && *cancel) {
            errno = EINTR;
            return false;
        }
        if (put < 0 && errno != EINTR) {
            return false;
        }
        if (put > 0) {
            at += put;
            offset += (uint64_t)put;
            length -= (uint64_t)put;
        }
    }
    return true;
}

static bool write_snapshot(int fd, const struct graph *graph, const struct graph_source *source,
                           unsigned flags, const volatile sig_atomic_t *cancel)
{
    union header_page page;
    struct header *header = &page.header;
    const void *arrays[SECTION_COUNT];
    uint64_t lengths[SECTION_COUNT];
    uint64_t end = HEADER_SIZE;
    memset(&page, 0, sizeof(page));
    memcpy(header->magic, magic, sizeof(magic));
    header->version = VERSION;
    header->byte_order = BYTE_ORDER_MARK;
    header->first_node = graph->first_node;
    header->node_limit = graph->node_limit;
    header->edge_count = graph->edge_count;
    header->flags = flags;
    header->names_first_id = graph->names != NULL ? graph->names->first_id : 0;
    header->names_count = graph->names != NULL ? graph->names->count : 0;
    if (source != NULL) {
        header->source = *source;
    }
    list_arrays(graph, arrays, lengths);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (lengths[i] > 0) {
            struct section *section = &header->sections[i];
            section->begin = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            section->length = lengths[i];
            section->checksum = checksum_of(arrays[i], lengths[i]);
            end = section->begin + section->length;
            if (!write_at(fd, arrays[i], lengths[i], section->begin, cancel)) {
                return false;
            }
        }
    }
    header->file_size = end;
    header->checksum = checksum_of(&page, sizeof(page));
    return write_at(fd, &page, sizeof(page), 0, cancel);
}

/*
 * A file that has no name before it is complete, so that nothing is left of it whatever ends the
 * process; or a named one where the file system knows no such thing.
 */
static int open_part(const char *temporary, bool *is_named)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(temporary, '/');
    int length = slash != NULL ? (int)(slash - temporary) + 1 : 2;
    snprintf(folder, sizeof(folder), "%.*s", length, slash != NULL ? temporary : "./");
    bool has_names = access("/proc/self/fd", X_OK) == 0; /* to name it by */
    int fd = has_names ? open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666) : -1;
    *is_named = fd < 0;
    return fd >= 0 ? fd : open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static bool name_part(int fd, const char *temporary)
{
    char self[64];
    snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
    unlink(temporary);
    return linkat(AT_FDCWD, self, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0;
}

bool graph_snapshot_save(const struct graph *graph, const char *path,
                         const struct graph_source *source, unsigned flags,
                         const volatile sig_atomic_t *cancel, struct graph_error *error)
{
    char temporary[PATH_MAX];
    int length = snprintf(temporary, sizeof(temporary), "%s.part-%ld", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof(temporary)) {
        return graph_fail(error, path, "the name is too long");
    }
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) { /* nor rename over a device */
        return graph_fail(error, path, "cannot be written: it is no regular file");
    }
    bool is_named;
    int fd = open_part(temporary, &is_named);
    if (fd < 0) {
        return graph_fail(error, path, "cannot be written: %s", strerror(errno));
    }
    bool done =
        write_snapshot(fd, graph, source, flags, cancel) && (is_named || name_part(fd, temporary));
    int reason = errno;
    if (close(fd) != 0 && done) {
        done = false;
        reason = errno;
    }
    if (done && rename(temporary, path) != 0) {
        done = false;
        reason = errno;
    }
    if (!done) {
        unlink(temporary);
        return cancel != NULL && *cancel
                   ? graph_fail(error, path, "interrupted")
                   : graph_fail(error, path, "cannot be written: %s", strerror(reason));
    }
    return true;
}

static bool refuse(struct graph_error *error, const char *path, const char *what, const char *why)
{
    return graph_fail(error, path, "%s: %s", what, why);
}

/* The header, and that the file is as long as it says. The page is zeroed unless it is good. */
static bool read_header(int fd, const char *path, union header_page *page,
                        struct graph_error *error)
{
    struct stat status;
    struct header *header = &page->header;
    memset(page, 0, sizeof(*page));
    ssize_t got = pread(fd, page, sizeof(*page), 0);
    bool is_ours = got >= 0 && graph_snapshot_is_magic(page->bytes, (size_t)got);
    uint64_t checksum = header->checksum;
    if (!is_ours) {
        refuse(error, path, "foreign", "not a graph snapshot");
    } else if (got < (ssize_t)sizeof(*page)) {
        refuse(error, path, "truncated", "the snapshot ends inside its header");
    } else if (header->byte_order != BYTE_ORDER_MARK) {
        refuse(error, path, "foreign", "the snapshot is from a machine of another byte order");
    } else if (header->version != VERSION) {
        graph_fail(error, path, "foreign: snapshot version %lu, this program reads %d",
                   (unsigned long)header->version, VERSION);
    } else {
        header->checksum = 0;
        if (checksum_of(page, sizeof(*page)) != checksum) {
            refuse(error, path, "corrupt", "the header does not match its checksum");
        } else if (fstat(fd, &status) != 0 || (uint64_t)status.st_size < header->file_size) {
            graph_fail(error, path, "truncated: the snapshot has %llu of its %llu bytes",
                       (unsigned long long)status.st_size, (unsigned long long)header->file_size);
            return false; /* the header itself is good */
        } else {
            return true;
        }
    }
    memset(page, 0, sizeof(*page));
    return false;
}

static void *array_of(char *base, const struct section *section)
{
    return section->begin ? base + section->begin : NULL;
}

/* That all sections lie in the file, and are long enough for what is read before their lengths. */
static bool sections_are_inside(const struct header *header)
{
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const struct section *section = &header->sections[i];
        if (section->begin % ALIGNMENT != 0 || section->begin > header->file_size ||
            section->length > header->file_size - section->begin ||
            (section->begin == 0 && section->length > 0)) {
            return false;
        }
    }
    return header->names_count == 0 ||
           header->sections[SECTION_NAME_BEGINS].length / 8 == (uint64_t)header->names_count + 1;
}

/* Point the graph into the mapping. False when the sections cannot be those of the counts. */
static bool place_arrays(const struct header *header, char *base, struct graph *graph)
{
    struct graph_names *names = NULL;
    if (!sections_are_inside(header) || header->first_node > 1 ||
        header->first_node > header->node_limit) {
        return false;
    }
    graph->first_node = header->first_node;
    graph->node_limit = header->node_limit;
    graph->edge_count = header->edge_count;
    if (header->names_count > 0) {
        names = calloc(1, sizeof(*names));
        if (names == NULL) {
            return false;
        }
        names->is_mapped = true;
        names->first_id = header->names_first_id;
        names->count = header->names_count;
        names->begins = array_of(base, &header->sections[SECTION_NAME_BEGINS]);
        names->text = array_of(base, &header->sections[SECTION_NAME_TEXT]);
        graph->names = names;
        if (names->begins == NULL || names->text == NULL) {
            return false;
        }
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
    const void *arrays[SECTION_COUNT];
    uint64_t lengths[SECTION_COUNT];
    if (graph->offsets == NULL || graph->node_limit == UINT32_MAX ||
        graph->edge_count > UINT64_MAX / sizeof(uint32_t)) {
        return false;
    }
    list_arrays(graph, arrays, lengths);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (header->sections[i].length != lengths[i]) {
            return false;
        }
    }
    return true;
}

/* That no search can leave the arrays: offsets ascend to the number of edges, ids are nodes. */
static bool rows_are_safe(const struct graph *graph, const uint64_t *offsets,
                          const uint32_t *neighbours)
{
    uint32_t largest = 0;
    bool ascending = offsets[0] == 0 && offsets[graph->node_limit] == graph->edge_count;
    for (uint32_t u = 0; u < graph->node_limit; u++) {
        ascending &= offsets[u] <= offsets[u + 1];
    }
    for (uint64_t i = 0; i < graph->edge_count; i++) {
        largest = neighbours[i] > largest ? neighbours[i] : largest;
    }
    return ascending && (graph->edge_count == 0 || largest < graph->node_limit);
}

static bool names_are_safe(const struct graph_names *names)
{
    bool safe = names->begins[0] == 0;
    for (uint32_t i = 0; i < names->count && safe; i++) {
        safe = names->begins[i] < names->begins[i + 1] &&
               names->begins[i + 1] <= names->begins[names->count] &&
               names->text[names->begins[i + 1] - 1] == '\0';
    }
    return safe;
}

static bool arrays_are_good(const struct header *header, const char *base,
                            const struct graph *graph, bool verify)
{
    for (size_t i = 0; verify && i < SECTION_COUNT; i++) {
        const struct section *section = &header->sections[i];
        if (section->length > 0 &&
            checksum_of(base + section->begin, section->length) != section->checksum) {
            return false;
        }
    }
    return rows_are_safe(graph, graph->offsets, graph->neighbours) &&
           (graph->in_offsets == NULL ||
            rows_are_safe(graph, graph->in_offsets, graph->in_neighbours)) &&
           (graph->names == NULL || names_are_safe(graph->names));
}

/* Whether the source is still what it was; also when it is not there any more. */
static bool is_fresh(const struct graph_source *recorded)
{
    struct graph_source now;
    if (recorded->path[0] == '\0' || !graph_source_of(recorded->path, false, &now)) {
        return true;
    }
    if (now.size != recorded->size) {
        return false;
    }
    return now.modified_ns == recorded->modified_ns ||
           (graph_source_of(recorded->path, true, &now) && now.hash == recorded->hash);
}

enum graph_snapshot_state graph_snapshot_open(const char *path, const struct graph_options *options,
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
    bool good = read_header(fd, path, &page, error);
    page.header.source.path[sizeof(page.header.source.path) - 1] = '\0';
    *source = page.header.source;
    *flags = page.header.flags;
    struct graph_storage *storage = good ? graph_storage_get(graph) : NULL;
    size_t length = (size_t)page.header.file_size;
    char *base = storage != NULL ? mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    if (!good) {
        return SNAPSHOT_BAD;
    }
    if (base == MAP_FAILED) {
        graph_fail(error, path, "cannot be mapped: %s", strerror(errno));
        goto done;
    }
    storage->mappings[storage->mapping_count].base = base;
    storage->mappings[storage->mapping_count++].length = length;
#ifdef MADV_POPULATE_READ
    madvise(base, length, MADV_POPULATE_READ);
#endif
    if (!is_fresh(source)) {
        state = SNAPSHOT_STALE;
        graph_fail(error, path, "stale: %.300s has changed since", source->path);
    } else if (!place_arrays(&page.header, base, graph) ||
               !arrays_are_good(&page.header, base, graph, options->verify)) {
        graph_fail(error, path, "corrupt: the snapshot's arrays do not match its header");
    } else {
        state = SNAPSHOT_GOOD;
    }
done:
    if (state != SNAPSHOT_GOOD) {
        graph_free(graph);
    }
    return state;
}
