/*
 * graph500.c - see graph500.h.
 */
#include "graph500.h"
#include "engine_tree.h"
#include "kernel_one.h"
#include "result.h"
#include "tree_search.h"
#include <stdlib.h>

_Static_assert(GRAPH500_KEYS <= RESULT_KEYS_MAX, "a result must hold all searches");

struct run {
    MPI_Comm comm;
    const struct graph500_options *options;
    struct mpi_graph graph;
    struct tree_search *search; /* of all ranks, or NULL */
    struct engine_tree *engine; /* of one */
    struct mpi_tree tree;
    struct graph500_result result;
};

/* The time when the last rank comes here. */
static double common_time(const struct run *run)
{
    MPI_Barrier(run->comm);
    return MPI_Wtime();
}

static double longest(const struct run *run, double elapsed_s)
{
    MPI_Allreduce(MPI_IN_PLACE, &elapsed_s, 1, MPI_DOUBLE, MPI_MAX, run->comm);
    return elapsed_s;
}

/* What is made of the edges before the first search: kernel 1. */
static bool construct(struct run *run, const struct edge_share *share, struct graph_error *error)
{
    const struct graph500_options *options = run->options;
    const double start = common_time(run);
    if (!edge_share_build(run->comm, options, share, &run->graph, error)) {
        return false;
    }
    const size_t nodes = (size_t)run->graph.local_count + 1;
    bool made = true;
    if (options->engine != NULL) {
        run->engine = engine_tree_create(options->engine, &run->graph, error);
        run->tree.levels = malloc(nodes * sizeof(*run->tree.levels));
        made = run->engine != NULL && run->tree.levels != NULL;
    } else {
        run->search = tree_search_create(&run->graph, error);
        made = run->search != NULL;
    }
    run->tree.parents = malloc(nodes * sizeof(*run->tree.parents));
    if (made && run->tree.parents == NULL) {
        made = graph_fail(error, "search", "out of memory");
    }
    made = mpi_all_agree(run->comm, made, error);
    run->result.construction_s = longest(run, MPI_Wtime() - start);
    return made;
}

static bool make_graph(struct run *run, struct graph_error *error)
{
    const struct graph500_options *options = run->options;
    const struct mpi_partition partition =
        mpi_partition_make(run->comm, 0, UINT64_C(1) << options->scale, false);
    struct edge_share share;
    /* The lists of both directions are one array instead of the two that are counted; the share of
     * the edges that were drawn is as large as the other. */
    if (!mpi_graph_fits(run->comm, "graph", &partition, 2 * options->edgefactor << options->scale,
                        options->memory_limit, error)) {
        return false;
    }
    const double start = common_time(run);
    if (!edge_share_draw(run->comm, options, &share, error)) {
        return false;
    }
    run->result.generation_s = longest(run, MPI_Wtime() - start);
    const bool made = construct(run, &share, error) && edge_share_check(&run->graph, &share, error);
    free(share.edges);
    return made;
}

/* Kernel 2 from one key, and its validation. */
static bool search(struct run *run, uint64_t key, struct graph_error *error)
{
    struct graph500_result *result = &run->result;
    const size_t number = result->count;
    struct tree_verdict verdict;
    bool done = true;
    run->tree.root = key;
    double start = common_time(run);
    if (run->engine != NULL) {
        done = engine_tree_run(run->engine, &run->tree, error);
    } else {
        tree_search_run(run->search, &run->tree);
    }
    result->search_s[number] = longest(run, MPI_Wtime() - start);
    start = common_time(run);
    if (!done || !tree_check(&run->graph, &run->tree, &verdict, error)) {
        return false;
    }
    result->validate_s[number] = longest(run, MPI_Wtime() - start);
    result->edges[number] = (double)verdict.edge_count;
    result->count++;
    return true;
}

static bool search_all(struct run *run, struct graph_error *error)
{
    uint64_t keys[GRAPH500_KEYS];
    const size_t count = draw_keys(&run->graph, run->options, keys, GRAPH500_KEYS);
    if (count == 0) {
        return graph_fail(error, "graph", "no node has an edge to another");
    }
    for (size_t i = 0; i < count; i++) {
        if (!search(run, keys[i], error)) {
            return false;
        }
    }
    return true;
}

bool graph500_run(MPI_Comm comm, const struct graph500_options *options, FILE *out,
                  struct graph_error *error)
{
    struct run run = {.comm = comm, .options = options};
    *error = (struct graph_error){.message = ""};
    run.result.scale = options->scale;
    run.result.edgefactor = options->edgefactor;
    MPI_Comm_size(comm, &run.result.ranks);
    bool done = true;
    if (options->engine != NULL && run.result.ranks > 1) {
        done = graph_fail(error, "search", "%s searches with one rank, not with %d",
                          options->engine->name, run.result.ranks);
    }
    done = done && make_graph(&run, error) && search_all(&run, error);
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (done && rank == 0) {
        graph500_result_write(out, &run.result);
    }
    tree_search_destroy(run.search);
    engine_tree_destroy(run.engine);
    free(run.tree.parents);
    free(run.tree.levels);
    mpi_graph_release(&run.graph);
    return done;
}
