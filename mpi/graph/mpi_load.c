/*
 * mpi_load.c - decides how a graph is loaded, and makes sure that every rank sees the same file.
 *
 * All ranks compare the size, and the first and last bytes; a snapshot has sums of its own.
 */
#include "mpi_load.h"
#include "data/make/generate.h"
#include "data/store/graph_snapshot.h"
#include "mpi_snapshot.h"
#include "mpi_whole.h"
#include <errno.h>
#include <fcntl.h>
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

static bool load_file(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                      struct mpi_graph *graph, struct graph_error *error)
{
    bool is_snapshot = true;
    int rank;
    MPI_Comm_rank(comm, &rank);
    const bool is_right =
        rank != 0 ||
        (graph_snapshot_recognise(path, &is_snapshot, error) &&
         (is_snapshot ||
          graph_fail(error, path, "is not a snapshot: graph-convert makes one of any graph file")));
    return mpi_all_agree(comm, is_right, error) && is_same_file(comm, path, error) &&
           mpi_snapshot_load(comm, path, options, graph, error);
}

bool mpi_graph_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                    struct mpi_graph *graph, struct graph_error *error)
{
    *graph = (struct mpi_graph){0};
    *error = (struct graph_error){0};
    const bool done = graph_generate_is_spec(path)
                          ? mpi_whole_load(comm, path, options, graph, error)
                          : load_file(comm, path, options, graph, error);
    if (!done) {
        return graph_fail_at(error, path);
    }
    const struct mpi_partition *partition = &graph->partition;
    const uint64_t limit = partition->node_limit;
    graph->nodes.first_node = (uint32_t)partition->first_node;
    graph->nodes.node_limit = limit <= GRAPH_NODE_MAX ? (uint32_t)limit : GRAPH_NODE_MAX + 1;
    return true;
}
