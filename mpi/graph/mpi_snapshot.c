/*
 * mpi_snapshot.c - each rank reads or writes its part of a snapshot.
 *
 * 1. Ids are consecutive in a block partition, so a rank's part of each array is one piece of the
 *    file; in a dealt one there is a piece per 64 nodes.
 * 2. Offsets in the file count from its first edge, offsets in memory from the rank's first.
 * 3. A rank compares the checksums of the blocks that it reads. When writing it sets the checksums
 *    of the blocks that its part fills; rank 0 puts the blocks together in which parts meet.
 */
#include "mpi_snapshot.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/read_at.h"
#include "base/replace/file_replace.h"
#include "data/store/graph_snapshot.h"
#include "data/store/snapshot_parts.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK GRAPH_BLOCK_BYTES
#define TAG   2
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

static bool open_snapshot(struct snapshot_file *file, const struct graph_options *options)
{
    if (graph_snapshot_flags(options) != 0 || options->names_path != NULL) {
        return graph_fail(file->error, file->path,
                          "a snapshot is used as it was made: convert the text again with the "
                          "direction or names wanted");
    }
    file->fd = open(file->path, O_RDONLY | O_CLOEXEC);
    if (file->fd < 0) {
        return graph_fail(file->error, file->path, "cannot be opened: %s", strerror(errno));
    }
    if (!snapshot_parts_read(file->fd, file->path, &file->parts, file->error)) {
        return false;
    }
    return !file->parts.is_renumbered || graph_fail(file->error, file->path, RENUMBERED_REFUSED);
}

bool mpi_snapshot_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                       struct mpi_graph *graph, struct graph_error *error)
{
    struct snapshot_file file = {.path = path, .fd = -1, .error = error};
    const struct snapshot_parts *parts = &file.parts;
    *graph = (struct mpi_graph){.comm = comm};
    bool done = mpi_all_agree(comm, open_snapshot(&file, &options->input), error);
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

/* Writing ------------------------------------------------------------------------------------- */

/* A rank's part of an array, as it is written: the checksums of the blocks that it fills, and the
 * bytes in blocks that it does not fill, at its start and its end. */
struct written {
    uint64_t place; /* in the file, of the next byte */
    uint64_t *sums;
    struct written_blocks {
        uint64_t first, count; /* of the blocks that have sums */
        uint64_t end_count;
        struct {
            uint64_t place, length;
            char bytes[BLOCK];
        } ends[2];
    } blocks;
};

/* Prepare to write length bytes at a place. False when out of memory. */
static bool written_start(struct written *written, uint64_t place, uint64_t length)
{
    *written = (struct written){.place = place};
    written->sums = malloc((length / BLOCK + 1) * sizeof(*written->sums));
    return written->sums != NULL;
}

/* Write bytes, which end at the end of the part or of a block. */
static bool write_piece(const struct snapshot_file *file, struct written *written,
                        const void *piece, size_t length)
{
    const char *bytes = piece;
    struct written_blocks *blocks = &written->blocks;
    if (!snapshot_write_at(file->fd, bytes, length, written->place, NULL)) {
        return graph_fail(file->error, file->path, "cannot be written: %s", strerror(errno));
    }
    for (size_t now; length > 0; length -= now) {
        const uint64_t left = BLOCK - written->place % BLOCK;
        now = length < left ? length : (size_t)left;
        if (now == BLOCK) {
            blocks->first = blocks->count == 0 ? written->place / BLOCK : blocks->first;
            written->sums[blocks->count++] = snapshot_sum(bytes);
        } else {
            pw_assert(blocks->end_count < COUNT_OF(blocks->ends));
            blocks->ends[blocks->end_count].place = written->place;
            blocks->ends[blocks->end_count].length = now;
            memcpy(blocks->ends[blocks->end_count++].bytes, bytes, now);
        }
        bytes += now;
        written->place += now;
    }
    return true;
}

/* The offsets that fit between the next byte and the end of what is written at once. */
static size_t room(const struct written *written)
{
    const size_t most = PIECE * sizeof(uint64_t);
    return (most - (size_t)(written->place % most)) / sizeof(uint64_t);
}

/* Write this rank's offsets of a direction; its first edge is the edges_before-th of the file. */
static bool write_offsets(const struct snapshot_file *file, const struct mpi_graph *graph,
                          const struct mpi_rows *rows, enum snapshot_part part,
                          uint64_t edges_before, struct written *written)
{
    uint64_t values[PIECE];
    const struct mpi_partition *partition = &graph->partition;
    const uint64_t count = graph->local_count;
    const uint64_t first = count > 0 ? mpi_global(partition, partition->rank, 0) : 0;
    /* The last entry, the number of edges, belongs to the rank of the last node, or to rank 0. */
    const uint64_t more =
        partition->node_limit == 0 ? partition->rank == 0 : first + count == partition->node_limit;
    if (!written_start(written, file->parts.arrays[part].begin + first * sizeof(*values),
                       (count + more) * sizeof(*values))) {
        return graph_fail(file->error, file->path, "out of memory");
    }
    for (uint64_t i = 0; i < count + more;) {
        size_t used = 0;
        for (const size_t most = room(written); i < count + more && used < most;) {
            values[used++] = edges_before + rows->offsets[i++];
        }
        if (!write_piece(file, written, values, used * sizeof(*values))) {
            return false;
        }
    }
    return true;
}

/* Write this rank's neighbours of a direction. */
static bool write_neighbours(const struct snapshot_file *file, const struct mpi_graph *graph,
                             const struct mpi_rows *rows, enum snapshot_part part,
                             uint64_t edges_before, struct written *written)
{
    const uint64_t length = rows->offsets[graph->local_count] * sizeof(*rows->neighbours);
    const uint64_t skipped = edges_before * sizeof(*rows->neighbours);
    if (!written_start(written, file->parts.arrays[part].begin + skipped, length)) {
        return graph_fail(file->error, file->path, "out of memory");
    }
    return write_piece(file, written, rows->neighbours, length);
}

/* All ranks write their parts to the open file. Collective. */
static bool write_parts(const struct snapshot_file *file, const struct mpi_graph *graph,
                        struct written written[PART_COUNT])
{
    const uint64_t counts[2] = {graph->local_edges, graph->local_in_edges};
    const struct mpi_rows *rows[2] = {&graph->out, &graph->in};
    uint64_t before[2] = {0};
    MPI_Exscan(counts, before, 2, MPI_UINT64_T, MPI_SUM, graph->comm);
    bool done = true;
    for (int i = 0; i < 2 && done; i++) {
        const enum snapshot_part part = i == 0 ? PART_OFFSETS : PART_IN_OFFSETS;
        const uint64_t edges_before = graph->partition.rank == 0 ? 0 : before[i];
        done = write_offsets(file, graph, rows[i], part, edges_before, &written[part]) &&
               write_neighbours(file, graph, rows[i], part + 1, edges_before, &written[part + 1]);
    }
    done = done && (fsync(file->fd) == 0 || errno == EINVAL ||
                    graph_fail(file->error, file->path, "cannot be written: %s", strerror(errno)));
    return mpi_all_agree(graph->comm, done, file->error);
}

/* Rank 0 puts the blocks together in which parts of an array meet; they come in ascending order. */
static void join_ends(const struct written_blocks *blocks, char joined[BLOCK], uint64_t *block,
                      uint64_t *sums)
{
    for (uint64_t i = 0; i < blocks->end_count; i++) {
        const uint64_t place = blocks->ends[i].place;
        if (*block != place / BLOCK) {
            memset(joined, 0, BLOCK);
            *block = place / BLOCK;
        }
        memcpy(joined + place % BLOCK, blocks->ends[i].bytes, blocks->ends[i].length);
        sums[*block] = snapshot_sum(joined);
    }
}

/* Rank 0 collects the checksums of the blocks of an array. Collective. */
static void collect_sums(MPI_Comm comm, const struct written *written, uint64_t *sums)
{
    struct written_blocks blocks = written->blocks;
    char joined[BLOCK];
    uint64_t block = 0;
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank > 0) {
        MPI_Send(&blocks, (int)sizeof(blocks), MPI_BYTE, 0, TAG, comm);
        MPI_Send(written->sums, (int)blocks.count, MPI_UINT64_T, 0, TAG, comm);
        return;
    }
    pw_assert(sums != NULL); /* rank 0 has room for all */
    memcpy(sums + blocks.first, written->sums, blocks.count * sizeof(*sums));
    join_ends(&blocks, joined, &block, sums);
    for (int from = 1; from < ranks; from++) {
        MPI_Recv(&blocks, (int)sizeof(blocks), MPI_BYTE, from, TAG, comm, MPI_STATUS_IGNORE);
        MPI_Recv(sums + blocks.first, (int)blocks.count, MPI_UINT64_T, from, TAG, comm,
                 MPI_STATUS_IGNORE);
        join_ends(&blocks, joined, &block, sums);
    }
}

/* Write all of the open file; rank 0 its header and checksums. Collective. */
static bool write_file(const struct snapshot_file *file, const struct mpi_graph *graph)
{
    struct written written[PART_COUNT] = {{0}};
    const bool is_first = graph->partition.rank == 0;
    uint64_t *sums = is_first ? malloc(file->parts.block_count * sizeof(*sums)) : NULL;
    bool done = !is_first || sums != NULL || graph_fail(file->error, file->path, "out of memory");
    done = mpi_all_agree(graph->comm, done, file->error) && write_parts(file, graph, written);
    if (done && is_first) {
        snapshot_sums_start(sums, file->parts.block_count);
    }
    for (int part = 0; part < PART_COUNT; part++) {
        if (done) {
            collect_sums(graph->comm, &written[part], sums);
        }
        free(written[part].sums);
    }
    if (done && is_first) {
        done = snapshot_parts_write(file->fd, &file->parts, sums) ||
               graph_fail(file->error, file->path, "cannot be written: %s", strerror(errno));
    }
    free(sums);
    return done;
}

bool mpi_snapshot_save(const struct mpi_graph *graph, const char *path,
                       const struct graph_options *options, void (*begun)(const char *temporary),
                       struct graph_error *error)
{
    const struct mpi_partition *partition = &graph->partition;
    struct snapshot_file file = {.path = path, .fd = -1, .error = error};
    struct file_replace replaced = {.fd = -1};
    char name[PATH_MAX] = "";
    bool done = graph->nodes.names == NULL || /* rank 0 alone has them */
                graph_fail(error, path, "graph-convert writes the snapshot of a graph with names");
    pw_assert(!partition->dealt);
    if (!mpi_all_agree(graph->comm, done, error)) {
        return false;
    }
    if (partition->node_limit > UINT32_MAX) {
        return graph_fail(error, path, "a snapshot has ids of 32 bits");
    }
    file.parts.first_node = (uint32_t)partition->first_node;
    file.parts.node_limit = (uint32_t)partition->node_limit;
    file.parts.edge_count = graph->edge_count;
    file.parts.flags = graph_snapshot_flags(options);
    snapshot_parts_place(&file.parts);
    if (partition->rank == 0) {
        done = file_replace_open(&replaced, path) && file_replace_name(&replaced);
        file.fd = replaced.fd;
        memcpy(name, replaced.temporary, sizeof(name));
        begun(done ? name : "");
    }
    MPI_Bcast(name, (int)sizeof(name), MPI_BYTE, 0, graph->comm);
    MPI_Bcast(&done, 1, MPI_C_BOOL, 0, graph->comm);
    if (done && partition->rank != 0) {
        begun(name);
        file.fd = open(name, O_WRONLY | O_CLOEXEC);
        done = file.fd >= 0;
    }
    done = done || graph_fail(error, path, "cannot be written: %s", strerror(errno));
    done = mpi_all_agree(graph->comm, done, error) && write_file(&file, graph);
    if (partition->rank != 0) {
        if (file.fd >= 0) {
            close(file.fd);
        }
    } else if (done) {
        done = file_replace_commit(&replaced) ||
               graph_fail(error, path, "cannot be written: %s", strerror(errno));
    }
    if (partition->rank == 0) {
        file_replace_abandon(&replaced);
    }
    begun("");
    return mpi_all_agree(graph->comm, done, error);
}
