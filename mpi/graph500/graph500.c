/*
 * graph500.c - see graph500.h.
 */
#include "graph500.h"
#include "engine_tree.h"
#include "kernel_one.h"
#include "mpi/search/levels.h"
#include "result.h"
#include <stdlib.h>

_Static_assert(GRAPH500_KEYS <= RESULT_KEYS_MAX, "a result must hold all searches");

struct graph500_state {
    MPI_Comm comm;
    const struct graph500_options *options;
    struct mpi_graph graph;
    struct levels *search;      /* of all ranks, or NULL */
    struct engine_tree *engine; /* of one */
    struct mpi_tree tree;
    struct graph500_result result;
};

/* The time when the last rank gets here. */
static double common_time(const struct graph500_state *state)
{
    MPI_Barrier(state->comm);
    return MPI_Wtime();
}

static double longest(const struct graph500_state *state, double elapsed_s)
{
    MPI_Allreduce(MPI_IN_PLACE, &elapsed_s, 1, MPI_DOUBLE, MPI_MAX, state->comm);
    return elapsed_s;
}

/* Kernel 1: turn the edges into a graph before the first search. */
static bool construct(struct graph500_state *state, const struct edge_share *share,
                      struct graph_error *error)
{
    const struct graph500_options *options = state->options;
    const double start = common_time(state);
    if (!edge_share_build(state->comm, options, share, &state->graph, error)) {
        return false;
    }
    const size_t nodes = (size_t)state->graph.local_count + 1;
    state->tree.parents = malloc(nodes * sizeof(*state->tree.parents));
    bool made = state->tree.parents != NULL;
    if (options->engine != NULL) {
        state->engine = engine_tree_create(options->engine, &state->graph, error);
        state->tree.levels = malloc(nodes * sizeof(*state->tree.levels));
        made = made && state->engine != NULL && state->tree.levels != NULL;
    } else if (mpi_all_say(state->comm, made) && put_hubs_first(&state->graph, error)) {
        state->search = levels_create(&state->graph, 1, state->tree.parents);
        made = state->search != NULL;
    }
    made = mpi_all_agree(state->comm, made || graph_fail(error, "search", "out of memory"), error);
    state->result.construction_s = longest(state, MPI_Wtime() - start);
    return made;
}

static bool make_graph(struct graph500_state *state, struct graph_error *error)
{
    const struct graph500_options *options = state->options;
    const struct mpi_partition partition =
        mpi_partition_make(state->comm, 0, UINT64_C(1) << options->scale, false);
    struct edge_share share;
    /* The estimate counts two arrays, one per direction, but both directions share one array. The
     * rank's share of the drawn edges takes the room of the other. */
    if (!mpi_graph_fits(state->comm, "graph", &partition, 2 * options->edgefactor << options->scale,
                        options->memory_limit, error)) {
        return false;
    }
    const double start = common_time(state);
    if (!edge_share_draw(state->comm, options, &share, error)) {
        return false;
    }
    state->result.generation_s = longest(state, MPI_Wtime() - start);
    const bool made =
        construct(state, &share, error) && edge_share_check(&state->graph, &share, error);
    free(share.edges);
    return made;
}

/* Kernel 2 from one key, and its validation. */
static bool search(struct graph500_state *state, uint64_t key, struct graph_error *error)
{
    struct graph500_result *result = &state->result;
    const size_t number = result->count;
    struct tree_verdict verdict;
    bool done = true;
    state->tree.root = key;
    double start = common_time(state);
    if (state->engine != NULL) {
        done = engine_tree_run(state->engine, &state->tree, error);
    } else {
        const struct search_limits limits = {.timeout_ns = 0};
        struct search_result found;
        struct level_costs costs;
        levels_search(state->search, (uint32_t)key, GRAPH_NODE_NONE, &limits, &costs, &found);
        done = found.status == SEARCH_DONE || graph_fail(error, "search", "out of memory");
    }
    result->search_s[number] = longest(state, MPI_Wtime() - start);
    start = common_time(state);
    if (!done || !tree_check(&state->graph, &state->tree, &verdict, error)) {
        return false;
    }
    result->validate_s[number] = longest(state, MPI_Wtime() - start);
    result->edges[number] = (double)verdict.edge_count;
    result->keys[number] = key;
    result->count++;
    return true;
}

static bool search_all(struct graph500_state *state, struct graph_error *error)
{
    uint64_t keys[GRAPH500_KEYS];
    const size_t count = draw_keys(&state->graph, state->options, keys, GRAPH500_KEYS);
    if (count == 0) {
        return graph_fail(error, "graph", "no node has an edge to another");
    }
    for (size_t i = 0; i < count; i++) {
        if (!search(state, keys[i], error)) {
            return false;
        }
    }
    return true;
}

bool graph500_run(MPI_Comm comm, const struct graph500_options *options, FILE *out,
                  struct graph_error *error)
{
    struct graph500_state state = {.comm = comm, .options = options};
    *error = (struct graph_error){.message = ""};
    state.result = (struct graph500_result){
        .program = options->program,
        .engine = options->engine != NULL ? options->engine->name : NULL,
        .scale = options->scale,
        .edgefactor = options->edgefactor,
        .seed = options->seed,
    };
    MPI_Comm_size(comm, &state.result.ranks);
    bool done = true;
    if (options->engine != NULL && state.result.ranks > 1) {
        done = graph_fail(error, "search", "%s searches with one rank, not with %d",
                          options->engine->name, state.result.ranks);
    }
    done = done && make_graph(&state, error) && search_all(&state, error);
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (done && rank == 0) {
        graph500_result_write(out, options->format, &state.result);
    }
    levels_destroy(state.search);
    engine_tree_destroy(state.engine);
    free(state.tree.parents);
    free(state.tree.levels);
    mpi_graph_release(&state.graph);
    return done;
}
