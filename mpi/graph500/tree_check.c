/*
 * tree_check.c - see tree_check.h.
 *
 * Depths by pointer doubling: each node knows an ancestor and its distance; in a round it takes
 * over its ancestor's ancestor. So a path of any length takes a logarithm of rounds, and a node
 * that has not met the root by then is in a cycle.
 */
#include "tree_check.h"
#include "node_block.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct check {
    const struct mpi_graph *graph;
    const struct mpi_tree *tree;
    uint32_t *ancestors; /* of local nodes; GRAPH_NODE_NONE: not in the tree */
    uint32_t *depths;    /* hops to that ancestor */
    struct node_block block;
    uint32_t *block_ancestors;
    uint32_t *block_depths;
    unsigned broken;
    struct graph_error error; /* of this rank: the first rule broken here */
};

static void fail(struct check *check, unsigned rule, uint64_t node, const char *what,
                 uint64_t other)
{
    check->broken |= 1U << rule;
    graph_fail(&check->error, "search",
               "from node %" PRIu64 ": rule %u is broken: %s: %" PRIu64 " and %" PRIu64,
               check->tree->root, rule, what, node, other);
}

static uint64_t global(const struct check *check, uint64_t local)
{
    const struct mpi_partition *partition = &check->graph->partition;
    return mpi_global(partition, partition->rank, local);
}

static bool in_tree(const struct check *check, uint64_t local)
{
    return check->tree->parents[local] != GRAPH_NODE_NONE;
}

/* Blocks ------------------------------------------------------------------------------------- */

/* Show the ancestors and depths of the block's nodes to all ranks. */
static void share_ancestors(struct check *check)
{
    const struct node_block *block = &check->block;
    const size_t count = (size_t)(block->end - block->first);
    memset(check->block_ancestors, 0, count * sizeof(*check->block_ancestors));
    memset(check->block_depths, 0, count * sizeof(*check->block_depths));
    for (uint64_t local = block->local_first; local < block->local_end; local++) {
        const uint64_t place = global(check, local) - block->first;
        check->block_ancestors[place] = check->ancestors[local] + 1; /* none is 0 */
        check->block_depths[place] = check->depths[local];
    }
    node_block_share(block, check->block_ancestors, MPI_UINT32_T);
    node_block_share(block, check->block_depths, MPI_UINT32_T);
}

/* The levels plus one of the block's nodes; 0: not in the tree. */
static void share_levels(struct check *check, const uint32_t *levels)
{
    const struct node_block *block = &check->block;
    const size_t count = (size_t)(block->end - block->first);
    memset(check->block_depths, 0, count * sizeof(*check->block_depths));
    for (uint64_t local = block->local_first; local < block->local_end; local++) {
        check->block_depths[global(check, local) - block->first] =
            in_tree(check, local) ? levels[local] + 1 : 0;
    }
    node_block_share(block, check->block_depths, MPI_UINT32_T);
}

/* Rules -------------------------------------------------------------------------------------- */

/* Each node's first ancestor is its parent. Finds loops, and parents that are not nodes. */
static void start_ancestors(struct check *check)
{
    const struct mpi_partition *partition = &check->graph->partition;
    for (uint64_t local = 0; local < check->graph->local_count; local++) {
        const uint32_t parent = check->tree->parents[local];
        const uint64_t node = global(check, local);
        const bool is_root = node == check->tree->root;
        check->ancestors[local] = parent;
        check->depths[local] = !is_root && in_tree(check, local);
        if (is_root ? parent != node : parent == node) {
            fail(check, 1, node, is_root ? "the root's parent is not the root" : "a loop", parent);
        } else if (in_tree(check, local) && parent >= partition->node_limit) {
            fail(check, 5, node, "the parent is no node of the graph", parent);
        }
    }
}

/* One round of doubling for the nodes whose ancestor is in the block. */
static void double_block(struct check *check)
{
    for (uint64_t local = 0; local < check->graph->local_count; local++) {
        const uint32_t ancestor = check->ancestors[local];
        if (ancestor == check->tree->root || !node_block_has(&check->block, ancestor)) {
            continue;
        }
        const uint32_t next = check->block_ancestors[ancestor - check->block.first];
        if (next == 0) {
            fail(check, 1, global(check, local), "parents lead out of the tree", ancestor);
            continue;
        }
        check->ancestors[local] = next - 1;
        check->depths[local] += check->block_depths[ancestor - check->block.first];
    }
}

static bool all_sound(struct check *check)
{
    MPI_Allreduce(MPI_IN_PLACE, &check->broken, 1, MPI_UNSIGNED, MPI_BOR, check->graph->comm);
    return check->broken == 0;
}

/* Rule 1; afterwards depths are distances from the root along parents. */
static bool find_depths(struct check *check)
{
    start_ancestors(check);
    unsigned rounds = 2;
    for (uint64_t nodes = check->graph->partition.node_limit; nodes > 0; nodes /= 2) {
        rounds++;
    }
    uint64_t left = 1;
    while (all_sound(check) && left > 0) {
        for (check->block = node_block_start(check->graph); node_block_next(&check->block);) {
            share_ancestors(check);
            double_block(check);
        }
        left = 0;
        for (uint64_t local = 0; local < check->graph->local_count; local++) {
            if (in_tree(check, local) && check->ancestors[local] != check->tree->root) {
                left++;
                if (rounds == 0) {
                    fail(check, 1, global(check, local), "a cycle of parents",
                         check->tree->parents[local]);
                }
            }
        }
        rounds -= rounds > 0;
        MPI_Allreduce(MPI_IN_PLACE, &left, 1, MPI_UINT64_T, MPI_SUM, check->graph->comm);
    }
    return check->broken == 0;
}

/* Rules 2 and 5, which need no other rank. Returns the entries of the lists in the tree. */
static uint64_t check_parents(struct check *check)
{
    const struct mpi_rows *rows = &check->graph->out;
    uint64_t entries = 0;
    for (uint64_t local = 0; local < check->graph->local_count; local++) {
        const uint64_t node = global(check, local);
        const uint32_t *levels = check->tree->levels;
        const uint32_t level = in_tree(check, local) ? check->depths[local] : TREE_LEVEL_NONE;
        if (levels != NULL && levels[local] != level) {
            fail(check, 2, node, "levels of the node and along its parents", levels[local]);
        }
        if (!in_tree(check, local)) {
            continue;
        }
        uint64_t entry = rows->offsets[local], end = rows->offsets[local + 1];
        const uint32_t parent = check->tree->parents[local];
        entries += end - entry;
        while (entry < end && rows->neighbours[entry] != parent) {
            entry++;
        }
        if (entry == end && node != check->tree->root) {
            fail(check, 5, node, "no edge joins the node and its parent", parent);
        }
    }
    return entries;
}

/* Rules 3 and 4 for the edges into the block. */
static void check_edges(struct check *check, const uint32_t *levels)
{
    const struct mpi_rows *rows = &check->graph->out;
    for (uint64_t local = 0; local < check->graph->local_count; local++) {
        const uint32_t level = in_tree(check, local) ? levels[local] + 1 : 0;
        for (uint64_t entry = rows->offsets[local]; entry < rows->offsets[local + 1]; entry++) {
            const uint32_t other = rows->neighbours[entry];
            if (!node_block_has(&check->block, other)) {
                continue;
            }
            const uint32_t beside = check->block_depths[other - check->block.first];
            if ((level == 0) != (beside == 0)) {
                fail(check, 4, global(check, local), "an edge leads out of the tree", other);
            } else if (level > beside + 1 || beside > level + 1) {
                fail(check, 3, global(check, local), "levels of the ends of an edge", other);
            }
        }
    }
}

static void check_rules(struct check *check, struct tree_verdict *verdict)
{
    if (!find_depths(check)) {
        return;
    }
    uint64_t sums[2] = {0, check_parents(check)};
    for (uint64_t local = 0; local < check->graph->local_count; local++) {
        sums[0] += in_tree(check, local);
    }
    const uint32_t *levels = check->tree->levels != NULL ? check->tree->levels : check->depths;
    for (check->block = node_block_start(check->graph); node_block_next(&check->block);) {
        share_levels(check, levels);
        check_edges(check, levels);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, check->graph->comm);
    verdict->node_count = sums[0];
    verdict->edge_count = sums[1] / 2;
}

bool tree_check(const struct mpi_graph *graph, const struct mpi_tree *tree,
                struct tree_verdict *verdict, struct graph_error *error)
{
    const size_t local = (size_t)graph->local_count + 1;
    const size_t block = node_block_size(graph);
    struct check check = {.graph = graph, .tree = tree};
    *verdict = (struct tree_verdict){.broken = 0};
    check.ancestors = malloc(local * sizeof(*check.ancestors));
    check.depths = malloc(local * sizeof(*check.depths));
    check.block_ancestors = malloc(block * sizeof(*check.block_ancestors));
    check.block_depths = malloc(block * sizeof(*check.block_depths));
    bool done = check.ancestors != NULL && check.depths != NULL && check.block_ancestors != NULL &&
                check.block_depths != NULL;
    if (!done) {
        graph_fail(&check.error, "search", "out of memory to validate a tree");
    }
    done = mpi_all_agree(graph->comm, done, &check.error);
    if (done) {
        check_rules(&check, verdict);
        const bool sound = all_sound(&check);
        verdict->broken = check.broken;
        done = mpi_all_agree(graph->comm, sound || check.error.message[0] == '\0', &check.error);
    }
    if (!done && error != NULL && error->message[0] == '\0') {
        *error = check.error;
    }
    free(check.ancestors);
    free(check.depths);
    free(check.block_ancestors);
    free(check.block_depths);
    return done;
}
