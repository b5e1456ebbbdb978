/*
 * snapshot_ahead.c - see snapshot_ahead.h.
 */
#include "snapshot_ahead.h"
#include "snapshot_layout.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

bool snapshot_ahead_start(struct snapshot_ahead *ahead, uint32_t node_limit)
{
    struct header header = {0}; /* with any number of neighbours */
    header.sections[SECTION_OFFSETS].length = ((uint64_t)node_limit + 1) * sizeof(uint64_t);
    header.sections[SECTION_NEIGHBOURS].length = 1;
    snapshot_place_sections(&header);
    ahead->begin = header.sections[SECTION_NEIGHBOURS].begin;
    ahead->count = 0;
    return ftruncate(ahead->fd, 0) == 0;
}

bool snapshot_ahead_add(struct snapshot_ahead *ahead, const uint32_t *neighbours, uint64_t count)
{
    const uint64_t place = ahead->begin + ahead->count * sizeof(*neighbours);
    const uint64_t length = count * sizeof(*neighbours);
    ahead->count += count;
    if (!snapshot_write_at(ahead->fd, neighbours, length, place, NULL)) {
        return false;
    }
#ifdef SYNC_FILE_RANGE_WRITE /* start writing to the disk, so that the end waits less */
    sync_file_range(ahead->fd, (off_t)place, (off_t)length, SYNC_FILE_RANGE_WRITE);
#endif
    return true;
}

void snapshot_ahead_rewind(struct snapshot_ahead *ahead)
{
    ahead->count = 0;
}

bool snapshot_ahead_cut(const struct snapshot_ahead *ahead)
{
    return ftruncate(ahead->fd, (off_t)(ahead->begin + ahead->count * sizeof(uint32_t))) == 0;
}

bool snapshot_ahead_map(const struct snapshot_ahead *ahead, struct graph *graph)
{
    graph->edge_count = ahead->count;
    if (ahead->count == 0) {
        graph->neighbours = graph_map_array(graph, 1, sizeof(*graph->neighbours));
        return graph->neighbours != NULL;
    }
    const size_t length = (size_t)ahead->count * sizeof(*graph->neighbours);
    void *base = mmap(NULL, length, PROT_READ, MAP_SHARED, ahead->fd, (off_t)ahead->begin);
    graph->neighbours = base != MAP_FAILED && graph_adopt(graph, base, length) ? base : NULL;
    return graph->neighbours != NULL;
}
