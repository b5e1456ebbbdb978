/*
 * mpi_snapshot.c - each rank reads or writes its part of a snapshot.
 *
 * 1. Ids are consecutive in a block partition, so a rank's part of each array is one piece of the
 *    file; in a dealt one there is a piece per 64 nodes.
 * 2. Offsets in the file count from its first edge, offsets in memory from the rank's first.
 * 3. A checksum is computed from the arrays in memory, rank after rank (mpi_walk.h), so that no
 *    byte is read twice.
 */
#include "mpi_snapshot.h"
#include "base/read_at.h"
#include "base/replace/file_replace.h"
#include "data/store/graph_snapshot.h"
#include "data/store/snapshot_parts.h"
#include "mpi_walk.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE        ((size_t)8192)    /* items converted at a time */
#define SUMS_AT_ONCE ((size_t)1 << 20) /* checksums of blocks collected by one call */

struct snapshot_file {
    const char *path;
    int fd;
    struct snapshot_parts parts;
    struct graph_error *error;
};

static bool read_piece(const struct snapshot_file *file, void *bytes, size_t length,
                       uint64_t offset)
{
    pw_assert(length > 0);
    return read_at(file->fd, bytes, length, offset) ||
           (errno == 0
                ? graph_fail(file->error, file->path, "changed while it was read")
                : graph_fail(file->error, file->path, "cannot be read: %s", strerror(errno)));
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
static bool read_offsets(const struct snapshot_file *file, enum snapshot_part part,
                         struct mpi_rows *rows, struct piece *piece)
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
                return graph_snapshot_name_damage(file->path, file->error);
            }
            rows->offsets[i + k + 1] = rows->offsets[i + k] + (values[k + 1] - values[k]);
        }
        i += count;
    }
    return true;
}

/* Read the neighbours of a piece; part: its offsets. */
static bool read_neighbours(const struct snapshot_file *file, enum snapshot_part part,
                            struct mpi_rows *rows, const struct piece *piece)
{
    uint32_t values[PIECE];
    uint64_t place = file->parts.arrays[part + 1].begin + piece->edges_begin * sizeof(*values);
    const uint32_t first = file->parts.first_node;
    const uint32_t span = file->parts.node_limit - first;
    bool holds = true;
    for (uint64_t i = rows->offsets[piece->begin]; i < rows->offsets[piece->end];) {
        const uint64_t left = rows->offsets[piece->end] - i;
        const size_t count = left < PIECE ? (size_t)left : PIECE;
        if (!read_piece(file, values, count * sizeof(*values), place)) {
            return false;
        }
        for (size_t k = 0; k < count; k++) {
            holds &= values[k] - first < span;
            rows->neighbours[i + k] = values[k];
        }
        i += count;
        place += count * sizeof(*values);
    }
    return holds || graph_snapshot_name_damage(file->path, file->error);
}

/* Read one direction into part and the part after it. Not collective. */
static bool read_rows(const struct snapshot_file *file, enum snapshot_part part,
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

/* The checksums of the arrays of one direction as they lie in memory. */
struct array_sum {
    struct snapshot_sum sum;
    struct snapshot_block_sum blocks;
    uint64_t edges; /* before the next node */
};

/* What a rank sums up: it gets passed from rank to rank, up to the rank's own. */
struct summing {
    struct array_sum passed; /* first */
    uint64_t *block_sums;    /* of all blocks of the file; NULL: not wanted */
    bool incoming;
};

static void add_bytes(struct summing *summing, const void *bytes, size_t length)
{
    snapshot_sum_add(&summing->passed.sum, bytes, length);
    if (summing->block_sums != NULL) {
        snapshot_block_sum_add(&summing->passed.blocks, bytes, length, summing->block_sums);
    }
}

static void sum_offsets(const struct mpi_graph *graph, uint64_t begin, uint64_t end, void *token)
{
    struct summing *summing = token;
    const uint64_t *offsets = summing->incoming ? graph->in.offsets : graph->out.offsets;
    uint64_t values[PIECE];
    for (uint64_t i = begin; i < end;) {
        size_t count = 0;
        for (; i < end && count < PIECE; i++) {
            values[count++] = summing->passed.edges;
            summing->passed.edges += offsets[i + 1] - offsets[i];
        }
        add_bytes(summing, values, count * sizeof(*values));
    }
}

static void sum_neighbours(const struct mpi_graph *graph, uint64_t begin, uint64_t end, void *token)
{
    struct summing *summing = token;
    const struct mpi_rows *rows = summing->incoming ? &graph->in : &graph->out;
    uint32_t values[PIECE];
    for (uint64_t i = rows->offsets[begin]; i < rows->offsets[end];) {
        size_t count = 0;
        for (; i < rows->offsets[end] && count < PIECE; i++) {
            values[count++] = (uint32_t)rows->neighbours[i];
        }
        add_bytes(summing, values, count * sizeof(*values));
    }
}

/*
 * The checksums of a direction, of its offsets, which must end at edge_count, and neighbours: into
 * its two places. block_sums: each rank sets the checksums of the blocks that it completes; NULL:
 * they are not wanted. Collective.
 */
static void sum_rows(const struct mpi_graph *graph, bool incoming, uint64_t *block_sums,
                     struct snapshot_part_place places[2])
{
    struct summing summing = {.incoming = incoming, .block_sums = block_sums};
    struct array_sum *passed = &summing.passed;
    for (int i = 0; i < 2; i++) {
        snapshot_sum_start(&passed->sum);
        snapshot_block_sum_start(&passed->blocks, places[i].begin);
        mpi_walk(graph, &summing, sizeof(*passed), i == 0 ? sum_offsets : sum_neighbours);
        if (i == 0) {
            add_bytes(&summing, &passed->edges, sizeof(passed->edges));
        }
        if (block_sums != NULL) {
            snapshot_block_sum_end(&passed->blocks, block_sums);
        }
        places[i].checksum = snapshot_sum_end(&passed->sum);
    }
}

/* True if a direction matches its checksums. Collective. */
static bool rows_hold(const struct snapshot_file *file, enum snapshot_part part,
                      const struct mpi_graph *graph)
{
    struct snapshot_part_place sums[2] = {{0}};
    sum_rows(graph, part == PART_IN_OFFSETS, NULL, sums);
    for (int i = 0; i < 2; i++) {
        const int array = (int)part + i;
        if (file->parts.arrays[array].length > 0 &&
            file->parts.arrays[array].checksum != sums[i].checksum) {
            return graph_snapshot_name_damage(file->path, file->error);
        }
    }
    return true;
}

static bool load_rows(const struct snapshot_file *file, enum snapshot_part part,
                      struct mpi_graph *graph)
{
    const bool incoming = part == PART_IN_OFFSETS;
    bool done = read_rows(file, part, graph, incoming ? &graph->in : &graph->out,
                          incoming ? &graph->local_in_edges : &graph->local_edges);
    return mpi_all_agree(graph->comm, done, file->error) && rows_hold(file, part, graph);
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
                             graph->partition.rank != 0 || !parts->has_names ||
                                 graph_snapshot_open_names(path, &graph->nodes, error),
                             error) &&
               mpi_graph_fits(comm, path, &graph->partition, parts->edge_count,
                              options->input.memory_limit, error) &&
               load_rows(&file, PART_OFFSETS, graph) &&
               (parts->arrays[PART_IN_OFFSETS].begin > 0
                    ? load_rows(&file, PART_IN_OFFSETS, graph)
                    : mpi_graph_add_in(graph, options->input.cancel, error));
    }
    if (file.fd >= 0) {
        close(file.fd);
    }
    if (!done) {
        mpi_graph_release(graph);
    }
    return done;
}

/* Writing ------------------------------------------------------------------------------------- */

static bool write_at(const struct snapshot_file *file, const void *bytes, size_t length,
                     uint64_t offset)
{
    for (size_t done = 0; done < length;) {
        ssize_t put =
            pwrite(file->fd, (const char *)bytes + done, length - done, (off_t)(offset + done));
        if (put < 0 && errno != EINTR) {
            return graph_fail(file->error, file->path, "cannot be written: %s", strerror(errno));
        }
        done += put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* Write this rank's part of a direction, whose first edge is the edges_before-th of the file. */
static bool write_rows(const struct snapshot_file *file, enum snapshot_part part,
                       const struct mpi_graph *graph, const struct mpi_rows *rows,
                       uint64_t edges_before)
{
    uint64_t values[PIECE];
    uint32_t ids[2 * PIECE];
    const struct mpi_partition *partition = &graph->partition;
    const uint64_t count = graph->local_count;
    const uint64_t first = count > 0 ? mpi_global(partition, partition->rank, 0) : 0;
    const uint64_t place = file->parts.arrays[part].begin + first * sizeof(*values);
    /* The last entry, the number of edges, belongs to the rank of the last node, or to rank 0. */
    const uint64_t more =
        partition->node_limit == 0 ? partition->rank == 0 : first + count == partition->node_limit;
    for (uint64_t i = 0; i < count + more;) {
        const uint64_t begin = i;
        size_t used = 0;
        for (; i < count + more && used < PIECE; i++) {
            values[used++] = edges_before + rows->offsets[i];
        }
        if (!write_at(file, values, used * sizeof(*values), place + begin * sizeof(*values))) {
            return false;
        }
    }
    for (uint64_t i = 0; i < rows->offsets[count];) {
        const uint64_t begin = i;
        size_t used = 0;
        for (; i < rows->offsets[count] && used < 2 * PIECE; i++) {
            ids[used++] = (uint32_t)rows->neighbours[i];
        }
        if (!write_at(file, ids, used * sizeof(*ids),
                      file->parts.arrays[part + 1].begin + (edges_before + begin) * sizeof(*ids))) {
            return false;
        }
    }
    return true;
}

/* Set the checksums of the arrays; rank 0 writes the checksums of the blocks. Collective. */
static bool sum_parts(struct snapshot_file *file, const struct mpi_graph *graph)
{
    struct snapshot_parts *parts = &file->parts;
    const size_t length = (size_t)parts->block_sums.length;
    uint64_t *own = calloc(1, length), *all = calloc(1, length);
    bool done =
        (own != NULL && all != NULL) || graph_fail(file->error, file->path, "out of memory");
    if (mpi_all_agree(graph->comm, done, file->error)) {
        for (int part = 0; part < PART_COUNT; part += 2) {
            sum_rows(graph, part == PART_IN_OFFSETS, own, &parts->arrays[part]);
        }
        for (size_t i = 0; i < length / sizeof(*own); i += SUMS_AT_ONCE) { /* 0 where none is */
            const size_t left = length / sizeof(*own) - i;
            MPI_Reduce(own + i, all + i, (int)(left < SUMS_AT_ONCE ? left : SUMS_AT_ONCE),
                       MPI_UINT64_T, MPI_MAX, 0, graph->comm);
        }
        struct snapshot_sum sum;
        snapshot_sum_start(&sum);
        snapshot_sum_add(&sum, all, length);
        parts->block_sums.checksum = snapshot_sum_end(&sum);
        done = graph->partition.rank != 0 || write_at(file, all, length, parts->block_sums.begin);
        done = mpi_all_agree(graph->comm, done, file->error);
    } else {
        done = false;
    }
    free(own);
    free(all);
    return done;
}

/* All ranks write their parts to the open file. Collective. */
static bool write_parts(struct snapshot_file *file, const struct mpi_graph *graph)
{
    const uint64_t counts[2] = {graph->local_edges, graph->local_in_edges};
    uint64_t before[2] = {0};
    MPI_Exscan(counts, before, 2, MPI_UINT64_T, MPI_SUM, graph->comm);
    before[0] = graph->partition.rank == 0 ? 0 : before[0];
    before[1] = graph->partition.rank == 0 ? 0 : before[1];
    bool done = write_rows(file, PART_OFFSETS, graph, &graph->out, before[0]) &&
                write_rows(file, PART_IN_OFFSETS, graph, &graph->in, before[1]) &&
                (fsync(file->fd) == 0 || errno == EINVAL ||
                 graph_fail(file->error, file->path, "cannot be written: %s", strerror(errno)));
    if (!mpi_all_agree(graph->comm, done, file->error)) {
        return false;
    }
    return sum_parts(file, graph);
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
    done = mpi_all_agree(graph->comm, done, error) && write_parts(&file, graph);
    if (partition->rank != 0) {
        if (file.fd >= 0) {
            close(file.fd);
        }
    } else if (done) {
        done =
            (snapshot_parts_write_header(file.fd, &file.parts) && file_replace_commit(&replaced)) ||
            graph_fail(error, path, "cannot be written: %s", strerror(errno));
    }
    if (partition->rank == 0) {
        file_replace_abandon(&replaced);
    }
    begun("");
    return mpi_all_agree(graph->comm, done, error);
}
