/*
 * mpi_load.c - decides how a graph is loaded, and makes sure that every rank sees the same file.
 *
 * 1. Rank 0 looks at the file. What several ranks cannot read at once, it reads alone.
 * 2. Else all compare the size, and the first and last bytes. A snapshot has sums of its own.
 * 3. Of a text each rank reads a part only, so copies that differ elsewhere would be mixed. Ranks
 *    whose file has the same inode number and times see one file, perhaps through a network; if all
 *    do, that is all.
 * 4. Else each group of ranks with one file sums all of it, a share per rank, and compares.
 */
#include "mpi_load.h"
#include "data/make/generate.h"
#include "data/store/graph_snapshot.h"
#include "mpi_snapshot.h"
#include "mpi_whole.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define HEAD_SIZE 4096 /* bytes that the ranks compare */

/* The facts of a file that the ranks compare. */
struct file_view {
    uint64_t size, head, tail;
};

static bool view_file(const char *path, struct file_view *view, struct graph_error *error)
{
    char bytes[HEAD_SIZE];
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return graph_fail(error, path, "cannot be opened: %s", strerror(errno));
    }
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        view->size = (uint64_t)status.st_size;
        ssize_t got = pread(fd, bytes, sizeof(bytes), 0);
        view->head = XXH3_64bits(bytes, got > 0 ? (size_t)got : 0);
        const off_t end = status.st_size - (off_t)sizeof(bytes);
        got = pread(fd, bytes, sizeof(bytes), end > 0 ? end : 0);
        view->tail = XXH3_64bits(bytes, got > 0 ? (size_t)got : 0);
    }
    close(fd);
    return true;
}

/* True if all ranks see the same file as rank 0: same size, same first and last bytes. */
static bool is_same_file(MPI_Comm comm, const char *path, struct graph_error *error)
{
    struct file_view mine = {0};
    int rank;
    MPI_Comm_rank(comm, &rank);
    bool done = view_file(path, &mine, error);
    struct file_view first = mine;
    MPI_Bcast(&first, 3, MPI_UINT64_T, 0, comm);
    if (done && memcmp(&first, &mine, sizeof(mine)) != 0) {
        done = graph_fail(error, path,
                          "differs between the ranks: rank %d sees another file than rank 0", rank);
    }
    return mpi_all_agree(comm, done, error);
}

/* What one file has on every machine, and a copy has not. */
struct file_identity {
    uint64_t inode, changed_s, changed_ns, modified_s, modified_ns;
};
#define IDENTITY_WORDS 5

static struct file_identity identify(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return (struct file_identity){0};
    }
    return (struct file_identity){status.st_ino, (uint64_t)status.st_ctim.tv_sec,
                                  (uint64_t)status.st_ctim.tv_nsec, (uint64_t)status.st_mtim.tv_sec,
                                  (uint64_t)status.st_mtim.tv_nsec};
}

#define SUM_BLOCK (1 << 20)

/* Add up the sums of the blocks first, first + step, ... of a file. False with error set. */
static bool sum_blocks(const char *path, uint64_t first, uint64_t step,
                       const volatile sig_atomic_t *cancel, uint64_t *sum,
                       struct graph_error *error)
{
    char *block = malloc(SUM_BLOCK);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = block != NULL && fd >= 0 ? SUM_BLOCK : -1;
    *sum = 0;
    for (uint64_t i = first; got > 0 && (cancel == NULL || *cancel == 0); i += step) {
        got = pread(fd, block, SUM_BLOCK, (off_t)(i * SUM_BLOCK));
        *sum += got > 0 ? XXH3_64bits_withSeed(block, (size_t)got, i) : 0;
    }
    const int failure = errno;
    if (fd >= 0) {
        close(fd);
    }
    const bool has_block = block != NULL;
    free(block);
    return got >= 0 || graph_fail(error, path, has_block ? "cannot be read: %s" : "out of memory",
                                  strerror(failure));
}

/* True if all ranks have the same bytes in their file. */
static bool has_same_bytes(MPI_Comm comm, const char *path, const volatile sig_atomic_t *cancel,
                           struct graph_error *error)
{
    int rank, ranks, member, members, group = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const struct file_identity mine = identify(path);
    struct file_identity *all = calloc((size_t)ranks, sizeof(*all));
    if (!mpi_all_agree(comm, all != NULL || graph_fail(error, path, "out of memory"), error) ||
        all == NULL) { /* the second for the analyser: what all have, this rank has */
        free(all);
        return false;
    }
    MPI_Allgather(&mine, IDENTITY_WORDS, MPI_UINT64_T, all, IDENTITY_WORDS, MPI_UINT64_T, comm);
    bool is_one = true;
    for (int i = 0; i < ranks; i++) {
        is_one = is_one && memcmp(&all[i], &all[0], sizeof(mine)) == 0;
    }
    while (memcmp(&all[group], &mine, sizeof(mine)) != 0) { /* the first rank that sees it, too */
        group++;
    }
    free(all);
    if (is_one) {
        return true;
    }
    MPI_Comm together;
    MPI_Comm_split(comm, group, rank, &together);
    MPI_Comm_rank(together, &member);
    MPI_Comm_size(together, &members);
    uint64_t share, sum;
    bool done = sum_blocks(path, (uint64_t)member, (uint64_t)members, cancel, &share, error);
    MPI_Allreduce(&share, &sum, 1, MPI_UINT64_T, MPI_SUM, together);
    MPI_Comm_free(&together);
    uint64_t first = sum;
    MPI_Bcast(&first, 1, MPI_UINT64_T, 0, comm);
    int stops = cancel != NULL && *cancel != 0; /* some sums are incomplete; loading ends soon */
    MPI_Allreduce(MPI_IN_PLACE, &stops, 1, MPI_INT, MPI_MAX, comm);
    if (done && first != sum && !stops) {
        done = graph_fail(error, path,
                          "differs between the ranks: rank %d sees another file than rank 0", rank);
    }
    return mpi_all_agree(comm, done, error);
}

/* How a graph gets to the ranks. */
enum way { WAY_SNAPSHOT, WAY_TEXT, WAY_WHOLE };

/* Look at the file, at rank 0. */
static bool find_way(MPI_Comm comm, const char *path, const struct graph_options *options, int *way,
                     struct graph_error *error)
{
    bool is_snapshot, divides = false;
    int ranks;
    MPI_Comm_size(comm, &ranks);
    *way = WAY_WHOLE;
    if (graph_generate_is_spec(path)) {
        return true;
    }
    if (!graph_snapshot_recognise(path, &is_snapshot, error) ||
        (!is_snapshot && !mpi_text_divides(path, options, &divides, error))) {
        return false;
    }
    *way = is_snapshot ? WAY_SNAPSHOT : divides ? WAY_TEXT : WAY_WHOLE;
    if (*way == WAY_WHOLE && ranks > 1 && options->note != NULL) {
        options->note(options->context,
                      "rank 0 reads the graph alone; all ranks read a snapshot of graph-convert",
                      GRAPH_REMEDY_NONE);
    }
    return true;
}

static bool load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                 struct mpi_graph *graph, struct graph_error *error)
{
    int rank, way = WAY_WHOLE;
    MPI_Comm_rank(comm, &rank);
    if (!mpi_all_agree(comm, rank != 0 || find_way(comm, path, &options->input, &way, error),
                       error)) {
        return false;
    }
    MPI_Bcast(&way, 1, MPI_INT, 0, comm);
    if (way == WAY_WHOLE) {
        return mpi_whole_load(comm, path, options, graph, error);
    }
    return is_same_file(comm, path, error) &&
           (way == WAY_SNAPSHOT ? mpi_snapshot_load(comm, path, options, graph, error)
                                : has_same_bytes(comm, path, options->input.cancel, error) &&
                                      mpi_text_load(comm, path, options, graph, error));
}

bool mpi_graph_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                    struct mpi_graph *graph, struct graph_error *error)
{
    *graph = (struct mpi_graph){0};
    *error = (struct graph_error){0};
    if (!load(comm, path, options, graph, error)) {
        return graph_fail_at(error, path);
    }
    const struct mpi_partition *partition = &graph->partition;
    const uint64_t limit = partition->node_limit;
    graph->nodes.first_node = (uint32_t)partition->first_node;
    graph->nodes.node_limit = limit <= GRAPH_NODE_MAX ? (uint32_t)limit : GRAPH_NODE_MAX + 1;
    return true;
}
