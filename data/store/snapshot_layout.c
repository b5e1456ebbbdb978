/*
 * snapshot_layout.c - reads and writes the header of a snapshot.
 */
#include "snapshot_layout.h"
#include "base/cancel.h"
#include "data/graph/graph_memory.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define WRITE_SIZE ((size_t)4 << 20)
#define NODE_BYTES 16 /* at least, of a search; load_memory.c asks for as many */

static const char magic[8] = SNAPSHOT_MAGIC;

bool snapshot_write_at(int fd, const void *bytes, uint64_t length, uint64_t offset,
                       const volatile sig_atomic_t *cancel)
{
    for (uint64_t done = 0; done < length;) {
        uint64_t left = length - done;
        ssize_t put = pwrite(fd, (const char *)bytes + done,
                             left < WRITE_SIZE ? (size_t)left : WRITE_SIZE, (off_t)(offset + done));
        if (cancel_is_set(cancel)) {
            errno = EINTR;
            return false;
        }
        if (put < 0 && errno != EINTR) {
            return false;
        }
        done += put > 0 ? (uint64_t)put : 0;
    }
    return true;
}

/* A place in the file, rounded up to where a section may begin. */
static uint64_t aligned(uint64_t place)
{
    return (place + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void snapshot_place_sections(struct header *header)
{
    uint64_t end = HEADER_SIZE;
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        struct section *section = &header->sections[i];
        section->begin = section->length > 0 ? aligned(end) : 0;
        end = section->length > 0 ? section->begin + section->length : end;
    }
    header->block_count = aligned(end) / GRAPH_BLOCK_BYTES;
}

/* True if the sections are where they were placed: one after the other, and in the file. */
static bool sections_hold(const struct header *header)
{
    const uint64_t limit = snapshot_blocks_length(header);
    uint64_t end = HEADER_SIZE;
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const struct section *section = &header->sections[i];
        if (section->length == 0 ? section->begin != 0
                                 : section->begin != aligned(end) || section->begin > limit ||
                                       section->length > limit - section->begin) {
            return false;
        }
        end = section->length > 0 ? section->begin + section->length : end;
    }
    return aligned(end) == limit;
}

/* True if the counts are possible, and the lists as long as they require. */
static bool counts_hold(const struct header *header)
{
    const struct section *sections = header->sections;
    const uint64_t offsets = ((uint64_t)header->node_limit + 1) * sizeof(uint64_t);
    const uint64_t neighbours = header->edge_count * sizeof(uint32_t);
    const bool has_reverse = sections[SECTION_IN_OFFSETS].length > 0;
    return header->first_node <= 1 && header->first_node <= header->node_limit &&
           header->node_limit < UINT32_MAX && header->edge_count <= UINT64_MAX / sizeof(uint32_t) &&
           sections[SECTION_OFFSETS].length == offsets &&
           sections[SECTION_NEIGHBOURS].length == neighbours &&
           sections[SECTION_IN_OFFSETS].length == (has_reverse ? offsets : 0) &&
           sections[SECTION_IN_NEIGHBOURS].length == (has_reverse ? neighbours : 0);
}

size_t snapshot_section_at(const struct header *header, uint64_t place)
{
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const struct section *section = &header->sections[i];
        if (place >= section->begin && place - section->begin < section->length) {
            return i;
        }
    }
    return SECTION_COUNT;
}

void snapshot_start_header(union header_page *page)
{
    memset(page, 0, sizeof(*page));
    memcpy(page->header.magic, magic, sizeof(magic));
    page->header.version = VERSION;
    page->header.byte_order = BYTE_ORDER_MARK;
}

bool snapshot_write_header(int fd, union header_page *page)
{
    page->header.checksum = XXH3_64bits(page, sizeof(*page));
    return snapshot_write_at(fd, page, sizeof(*page), 0, NULL);
}

/* Check a header that has its checksum against the file. False with error set. */
static bool fits_file(int fd, const char *path, const struct header *header,
                      struct graph_error *error)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return graph_fail(error, path, "cannot be read: %s", strerror(errno));
    }
    const uint64_t most = UINT64_MAX / (GRAPH_BLOCK_BYTES + sizeof(uint64_t));
    const uint64_t size = (uint64_t)status.st_size;
    const uint64_t recorded = header->block_count <= most
                                  ? snapshot_blocks_length(header) + snapshot_sums_length(header)
                                  : UINT64_MAX;
    if (size < recorded) {
        return graph_fail(error, path, "truncated: the snapshot has %llu of its %llu bytes",
                          (unsigned long long)size, (unsigned long long)recorded);
    }
    if (size > recorded) {
        return graph_fail(error, path, "corrupt: %llu bytes follow the snapshot's end",
                          (unsigned long long)(size - recorded));
    }
    if (sections_hold(header) && counts_hold(header) &&
        (size > MEMORY_MAX || (uint64_t)header->node_limit * NODE_BYTES > MEMORY_MAX)) {
        return graph_fail(error, path, "%lu nodes and %llu edges are too many for 32 bits",
                          (unsigned long)header->node_limit,
                          (unsigned long long)header->edge_count);
    }
    return (sections_hold(header) && counts_hold(header)) ||
           graph_fail(error, path, "%s", SNAPSHOT_ARRAYS_WRONG);
}

bool snapshot_read_header(int fd, const char *path, union header_page *page,
                          struct graph_error *error)
{
    struct header *header = &page->header;
    memset(page, 0, sizeof(*page));
    ssize_t got = pread(fd, page, sizeof(*page), 0);
    bool is_ours = got >= (ssize_t)sizeof(magic) && memcmp(page, magic, sizeof(magic)) == 0;
    uint64_t checksum = header->checksum;
    if (got < 0) {
        graph_fail(error, path, "cannot be read: %s", strerror(errno));
    } else if (!is_ours) {
        graph_fail(error, path, "foreign: not a graph snapshot");
    } else if (got < (ssize_t)sizeof(*page)) {
        graph_fail(error, path, "truncated: the snapshot ends inside its header");
    } else if (header->byte_order != BYTE_ORDER_MARK) {
        graph_fail(error, path, "foreign: the snapshot is from a machine of another byte order");
    } else if (header->version != VERSION) {
        graph_fail(error, path, "foreign: snapshot version %lu, this program reads %d: %s",
                   (unsigned long)header->version, VERSION,
                   header->version < VERSION ? "make it again, with graph-convert from the graph's "
                                               "text or wikipedia-import from its dumps"
                                             : "a newer program made it");
    } else {
        header->checksum = 0;
        if (XXH3_64bits(page, sizeof(*page)) == checksum) {
            return fits_file(fd, path, header, error);
        }
        graph_fail(error, path, "corrupt: the header does not match its checksum");
    }
    memset(page, 0, sizeof(*page));
    return false;
}
