/*
 * mpi_snapshot.c - each rank reads its part of a snapshot.
 *
 * 1. Ids are consecutive in a block partition, so a rank's part of each array is one piece of the
 *    file; in a dealt one there is a piece per 64 nodes.
 * 2. Offsets in the file count from its first edge, offsets in memory from the rank's first.
 * 3. A rank compares the checksums of the blocks that it reads.
 */
#include "mpi_snapshot.h"
#include "base/pw_assert.h"
#include "base/read_at.h"
#include "data/store/graph_snapshot.h"
#include "data/store/snapshot_parts.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BLOCK GRAPH_BLOCK_BYTES
#define PIECE ((size_t)8192) /* offsets converted at a time */

struct snapshot_file {
    const char *path;
    int fd;
    struct snapshot_parts parts;
    uint64_t kept; /* the number of the block in kept_bytes; 0: no block */
    char kept_bytes[BLOCK];
    struct graph_error *error;
};

/* Read some blocks and compare their checksums. */
static bool read_blocks(const struct snapshot_file *file, char *bytes, uint64_t first,
                        uint64_t count)
{
    if (!read_at(file->fd, bytes, (size_t)(count * BLOCK), first * BLOCK)) {
        return errno == 0
                   ? graph_fail(file->error, file->path, "changed while it was read")
                   : graph_fail(file->error, file->path, "cannot be read: %s", strerror(errno));
    }
    for (uint64_t i = 0; i < count; i++) {
        if (snapshot_sum(bytes + i * BLOCK) != file->parts.sums[first + i]) {
            return graph_block_fail(file->error, file->path, first + i, GRAPH_BLOCK_WRONG);
        }
    }
    return true;
}

/* Read bytes of an array. The last block that is read in part is kept: the next piece may begin in
 * it. */
static bool read_piece(struct snapshot_file *file, void *bytes, size_t length, uint64_t offset)
{
    char *to = bytes;
    pw_assert(length > 0);
    while (length > 0) {
        const uint64_t block = offset / BLOCK, skipped = offset % BLOCK;
        const uint64_t left = BLOCK - skipped;
        size_t now = length < left ? length : (size_t)left;
        if (block != file->kept && skipped == 0 && length >= BLOCK) {
            now = length - length % BLOCK;
            if (!read_blocks(file, to, block, now / BLOCK)) {
                return false;
            }
        } else {
            if (block != file->kept) {
                file->kept = 0;
                if (!read_blocks(file, file->kept_bytes, block, 1)) {
                    return false;
                }
                file->kept = block;
            }
            memcpy(to, file->kept_bytes + skipped, now);
        }
        to += now;
        offset += now;
        length -= now;
    }
    return true;
}

/* Where a piece of a rank's lists lies in the file. */
struct piece {
    uint64_t begin, end;  /* local numbers */
    uint64_t first;       /* id of the first */
    uint64_t edges_begin; /* of the first, counted from the file's first edge */
};

/* The piece that starts at a local number. */
static struct piece piece_at(const struct mpi_graph *graph, uint64_t begin)
{
    const struct mpi_partition *partition = &graph->partition;
    const uint64_t size = partition->dealt ? PARTITION_WORD : graph->local_count;
    const uint64_t left = graph->local_count - begin;
    return (struct piece){.begin = begin,
                          .end = begin + (left < size ? left : size),
                          .first = mpi_global(partition, partition->rank, begin)};
}

/* Read the offsets of a piece and append them. */
static bool read_offsets(struct snapshot_file *file, enum snapshot_part part, struct mpi_rows *rows,
                         struct piece *piece)
{
    uint64_t values[PIECE + 1];
    const uint64_t place = file->parts.arrays[part].begin + piece->first * sizeof(*values);
    for (uint64_t i = piece->begin; i < piece->end;) {
        const size_t count = piece->end - i < PIECE ? (size_t)(piece->end - i) : PIECE;
        if (!read_piece(file, values, (count + 1) * sizeof(*values),
                        place + (i - piece->begin) * sizeof(*values))) {
            return false;
        }
        piece->edges_begin = i == piece->begin ? values[0] : piece->edges_begin;
        for (size_t k = 0; k < count; k++) {
            if (values[k + 1] < values[k] || values[k + 1] > file->parts.edge_count) {
                return graph_fail(file->error, file->path, "%s", SNAPSHOT_ARRAYS_WRONG);
            }
            rows->offsets[i + k + 1] = rows->offsets[i + k] + (values[k + 1] - values[k]);
        }
        i += count;
    }
    return true;
}

/* Read the neighbours of a piece; part: its offsets. */
static bool read_neighbours(struct snapshot_file *file, enum snapshot_part part,
                            struct mpi_rows *rows, const struct piece *piece)
{
    uint32_t *ids = rows->neighbours + rows->offsets[piece->begin];
    const uint64_t count = rows->offsets[piece->end] - rows->offsets[piece->begin];
    const uint64_t place = file->parts.arrays[part + 1].begin + piece->edges_begin * sizeof(*ids);
    const uint32_t first = file->parts.first_node;
    const uint32_t span = file->parts.node_limit - first;
    bool holds = true;
    if (count > 0 && !read_piece(file, ids, count * sizeof(*ids), place)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        holds &= ids[i] - first < span;
    }
    return holds || graph_fail(file->error, file->path, "%s", SNAPSHOT_ARRAYS_WRONG);
}

/* Read one direction into part and the part after it. Not collective. */
static bool read_rows(struct snapshot_file *file, enum snapshot_part part,
                      const struct mpi_graph *graph, struct mpi_rows *rows, uint64_t *edge_count)
{
    if (!mpi_rows_map_offsets(rows, graph->local_count)) {
        return graph_fail(file->error, file->path, "out of memory");
    }
    struct piece piece = {0};
    for (uint64_t i = 0; i < graph->local_count; i = piece.end) {
        piece = piece_at(graph, i);
        if (!read_offsets(file, part, rows, &piece)) {
            return false;
        }
    }
    const uint64_t edges = rows->offsets[graph->local_count];
    if (!mpi_rows_map_neighbours(rows, edges)) {
        return graph_fail(file->error, file->path, "out of memory");
    }
    *edge_count = edges;
    for (uint64_t i = 0; i < graph->local_count; i = piece.end) {
        piece = piece_at(graph, i);
        if (!read_piece(file, &piece.edges_begin, sizeof(piece.edges_begin),
                        file->parts.arrays[part].begin + piece.first * sizeof(uint64_t)) ||
            !read_neighbours(file, part, rows, &piece)) {
            return false;
        }
    }
    return true;
}

static bool load_rows(struct snapshot_file *file, enum snapshot_part part, struct mpi_graph *graph)
{
    const bool incoming = part == PART_IN_OFFSETS;
    const bool done = read_rows(file, part, graph, incoming ? &graph->in : &graph->out,
                                incoming ? &graph->local_in_edges : &graph->local_edges);
    return mpi_all_agree(graph->comm, done, file->error);
}

static bool open_snapshot(struct snapshot_file *file)
{
    file->fd = open(file->path, O_RDONLY | O_CLOEXEC);
    if (file->fd < 0) {
        return graph_fail(file->error, file->path, "cannot be opened: %s", strerror(errno));
    }
    if (!snapshot_parts_read(file->fd, file->path, &file->parts, file->error)) {
        return false;
    }
    return !file->parts.is_renumbered ||
           graph_fail(file->error, file->path,
                      "a snapshot of renumbered nodes cannot be used by several ranks: convert the "
                      "graph again without renumbering");
}

bool mpi_snapshot_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                       struct mpi_graph *graph, struct graph_error *error)
{
    struct snapshot_file file = {.path = path, .fd = -1, .error = error};
    const struct snapshot_parts *parts = &file.parts;
    *graph = (struct mpi_graph){.comm = comm};
    bool done = mpi_all_agree(comm, open_snapshot(&file), error);
    if (done) {
        graph->partition =
            mpi_partition_make(comm, parts->first_node, parts->node_limit, options->dealt);
        graph->local_count = mpi_local_count(&graph->partition, graph->partition.rank);
        graph->edge_count = parts->edge_count;
        done = mpi_all_agree(comm,
                             graph->partition.rank != 0 ||
                                 graph_snapshot_open_nodes(path, &graph->nodes, error),
                             error) &&
               mpi_graph_fits(comm, path, &graph->partition, parts->edge_count,
                              options->input.memory_limit, error) &&
               load_rows(&file, PART_OFFSETS, graph) &&
               (parts->arrays[PART_IN_OFFSETS].begin > 0
                    ? load_rows(&file, PART_IN_OFFSETS, graph)
                    : mpi_graph_add_in(graph, options->input.cancel, error));
    }
    snapshot_parts_release(&file.parts);
    if (file.fd >= 0) {
        close(file.fd);
    }
    if (!done) {
        mpi_graph_release(graph);
    }
    return done;
}
