/*
 * lanes.c - see lanes.h.
 */
#include "lanes.h"
#include "base/splitmix.h"
#include "perf/report/clock.h"
#include <stdlib.h>
#include <string.h>

#define SLOTS      (2 * LANES_REMOTE)      /* a power of two */
#define PARCEL_IDS (1 + 64 / NODE_ID_BITS) /* a word goes as an id, or as two */
#define POLL_NODES 1024                    /* between looks at the clock; a power of two */

/* A node of another rank. known is 0 where the slot is empty. */
struct remote {
    uint64_t known;   /* the lanes that were sent, or wait to be */
    uint64_t pending; /* the lanes that wait */
    mpi_node node;
};

struct lanes {
    const struct mpi_graph *graph;
    struct exchange exchange;
    uint64_t *seen;     /* per own node */
    uint64_t *frontier; /* only those of active nodes count */
    uint64_t *next;     /* all zero between levels */
    mpi_node *active;   /* own nodes with out-edges, by local number */
    mpi_node *reached;  /* those whose next is not zero */
    size_t active_count, reached_count;
    struct remote *remotes; /* hashed by node */
    uint32_t *used;         /* slots, in the order of their first use; at most LANES_REMOTE */
    uint32_t *waiting;      /* slots whose lanes are pending */
    size_t used_count, waiting_count, sent_count;
    uint64_t live; /* the lanes that still search */
    uint64_t lists, edges;
    enum search_status status; /* of this rank */
    struct search_clock clock;
    struct level_costs *costs;
};

/* What all ranks must know after a level, joined by or. */
struct lane_words {
    uint64_t found, reached, timed_out, cancelled;
};

void lanes_destroy(struct lanes *lanes)
{
    if (lanes == NULL) {
        return;
    }
    exchange_close(&lanes->exchange);
    free(lanes->seen);
    free(lanes->frontier);
    free(lanes->next);
    free(lanes->active);
    free(lanes->reached);
    free(lanes->remotes);
    free(lanes->used);
    free(lanes->waiting);
    free(lanes);
}

static bool take_memory(struct lanes *lanes, const struct mpi_graph *graph)
{
    const size_t nodes = (size_t)graph->local_count + 1;
    lanes->graph = graph;
    lanes->seen = calloc(nodes, sizeof(*lanes->seen));
    lanes->frontier = calloc(nodes, sizeof(*lanes->frontier));
    lanes->next = calloc(nodes, sizeof(*lanes->next));
    lanes->active = malloc(nodes * sizeof(*lanes->active));
    lanes->reached = malloc(nodes * sizeof(*lanes->reached));
    lanes->remotes = calloc(SLOTS, sizeof(*lanes->remotes));
    lanes->used = malloc(LANES_REMOTE * sizeof(*lanes->used));
    lanes->waiting = malloc(LANES_REMOTE * sizeof(*lanes->waiting));
    return lanes->seen != NULL && lanes->frontier != NULL && lanes->next != NULL &&
           lanes->active != NULL && lanes->reached != NULL && lanes->remotes != NULL &&
           lanes->used != NULL && lanes->waiting != NULL &&
           exchange_open(&lanes->exchange, graph, 1);
}

struct lanes *lanes_create(const struct mpi_graph *graph)
{
    struct lanes *lanes = calloc(1, sizeof(*lanes));
    const bool made = lanes != NULL && take_memory(lanes, graph);
    if (!mpi_all_say(graph->comm, made) || lanes == NULL) {
        lanes_destroy(lanes);
        return NULL;
    }
    return lanes;
}

/* A level ------------------------------------------------------------------------------------- */

static void forget_remotes(struct lanes *lanes)
{
    for (size_t i = 0; i < lanes->used_count; i++) {
        lanes->remotes[lanes->used[i]] = (struct remote){0};
    }
    lanes->used_count = lanes->waiting_count = lanes->sent_count = 0;
}

/* Lanes have come to an own node. */
static void reach(struct lanes *lanes, mpi_node node, uint64_t word)
{
    const mpi_node local = (mpi_node)mpi_local(&lanes->graph->partition, node);
    word &= ~lanes->seen[local];
    if (word != 0 && lanes->next[local] == 0) {
        lanes->reached[lanes->reached_count++] = local;
    }
    lanes->next[local] |= word;
}

/* Lanes have come to a node of another rank. */
static void reach_remote(struct lanes *lanes, mpi_node node, uint64_t word)
{
    size_t at = (size_t)splitmix_mix(node) & (SLOTS - 1);
    while (lanes->remotes[at].known != 0 && lanes->remotes[at].node != node) {
        at = (at + 1) & (SLOTS - 1);
    }
    struct remote *remote = &lanes->remotes[at];
    if (remote->known == 0) {
        remote->node = node;
        lanes->used[lanes->used_count++] = (uint32_t)at;
    }
    word &= ~remote->known;
    if (word != 0 && remote->pending == 0) {
        lanes->waiting[lanes->waiting_count++] = (uint32_t)at;
    }
    remote->known |= word;
    remote->pending |= word;
}

/* Where the expansion of a level goes on. */
struct lanes_cursor {
    size_t node;
    uint64_t entry;
};

/* Follow edges of the active nodes. False when there is no more room for nodes of other ranks. */
static bool expand(struct lanes *lanes, struct lanes_cursor *cursor)
{
    const struct mpi_partition *partition = &lanes->graph->partition;
    const struct mpi_rows *rows = &lanes->graph->out;
    for (; cursor->node < lanes->active_count; cursor->node++, cursor->entry = 0) {
        const mpi_node local = lanes->active[cursor->node];
        const uint64_t word = lanes->frontier[local] & lanes->live;
        const uint64_t first = rows->offsets[local], end = rows->offsets[local + 1];
        if (cursor->node % POLL_NODES == 0 && lanes->status == SEARCH_DONE) {
            lanes->status = search_must_stop(&lanes->clock);
        }
        if (word == 0 || lanes->status != SEARCH_DONE) {
            continue;
        }
        for (uint64_t i = first + cursor->entry; i < end; i++) {
            const mpi_node node = rows->neighbours[i];
            if (partition->ranks == 1 || mpi_owner(partition, node) == partition->rank) {
                reach(lanes, node, word);
            } else if (lanes->used_count < LANES_REMOTE) {
                reach_remote(lanes, node, word);
            } else {
                cursor->entry = i - first;
                return false;
            }
        }
        lanes->lists++;
        lanes->edges += end - first;
    }
    return true;
}

/* Send some of the nodes that wait, and take in what came. True when a rank has more to do. */
static bool send_some(struct lanes *lanes, bool more)
{
    struct exchange *exchange = &lanes->exchange;
    const struct mpi_partition *partition = &lanes->graph->partition;
    const size_t left = lanes->waiting_count - lanes->sent_count;
    const size_t room = exchange->room / PARCEL_IDS;
    const size_t end = lanes->sent_count + (left < room ? left : room);
    mpi_round_start(&exchange->round);
    for (size_t i = lanes->sent_count; i < end; i++) {
        const int owner = mpi_owner(partition, lanes->remotes[lanes->waiting[i]].node);
        for (unsigned id = 0; id < PARCEL_IDS; id++) {
            mpi_round_count(&exchange->round, owner, 0);
        }
    }
    mpi_round_place(&exchange->round);
    for (; lanes->sent_count < end; lanes->sent_count++) {
        struct remote *remote = &lanes->remotes[lanes->waiting[lanes->sent_count]];
        const int owner = mpi_owner(partition, remote->node);
        exchange_put(exchange, owner, 0, remote->node);
        for (unsigned shift = 0; shift < 64; shift += NODE_ID_BITS) {
            exchange_put(exchange, owner, 0, (mpi_node)(remote->pending >> shift));
        }
        remote->pending = 0;
    }
    more = exchange_run(exchange, more || end < lanes->waiting_count);
    for (int rank = 0; rank < partition->ranks; rank++) {
        const size_t count = mpi_round_received(&exchange->round, rank, 0);
        const mpi_node *ids = exchange_received(exchange, rank);
        for (size_t i = 0; i < count; i += PARCEL_IDS) {
            uint64_t word = 0;
            for (unsigned id = 1; id < PARCEL_IDS; id++) {
                word |= (uint64_t)ids[i + id] << (id - 1) * NODE_ID_BITS;
            }
            reach(lanes, ids[i], word);
        }
    }
    return more;
}

/* Every lane goes on by one level. */
static void advance(struct lanes *lanes)
{
    struct lanes_cursor cursor = {0, 0};
    bool expanded = false;
    do {
        if (lanes->sent_count == lanes->waiting_count) {
            lanes->sent_count = lanes->waiting_count = 0;
            if (lanes->used_count == LANES_REMOTE) {
                forget_remotes(lanes);
            }
            expanded = expanded || expand(lanes, &cursor);
        }
    } while (send_some(lanes, !expanded));
}

/* The nodes that were reached become the frontier. The lanes of this rank that found or went on. */
static struct lane_words turn_over(struct lanes *lanes, const struct mpi_pair *pairs, size_t count)
{
    const struct mpi_partition *partition = &lanes->graph->partition;
    const uint64_t *offsets = lanes->graph->out.offsets;
    struct lane_words words = {
        .timed_out = lanes->status == SEARCH_TIMED_OUT,
        .cancelled = lanes->status == SEARCH_CANCELLED,
    };
    for (size_t lane = 0; lane < count; lane++) {
        const mpi_node target = pairs[lane].target;
        if (mpi_owner(partition, target) == partition->rank) {
            words.found |=
                lanes->next[mpi_local(partition, target)] & lanes->live & (uint64_t)1 << lane;
        }
    }
    lanes->active_count = 0;
    for (size_t i = 0; i < lanes->reached_count; i++) {
        const mpi_node local = lanes->reached[i];
        lanes->frontier[local] = lanes->next[local];
        lanes->seen[local] |= lanes->next[local];
        lanes->next[local] = 0;
        if (offsets[local] != offsets[local + 1]) {
            lanes->active[lanes->active_count++] = local;
            words.reached |= lanes->frontier[local];
        }
    }
    lanes->reached_count = 0;
    return words;
}

/* Searches ------------------------------------------------------------------------------------ */

/* Put every lane at its source, which is not seen by one that looks for a way back to it. */
static void start(struct lanes *lanes, const struct mpi_pair *pairs, size_t count)
{
    const struct mpi_partition *partition = &lanes->graph->partition;
    memset(lanes->seen, 0, (size_t)lanes->graph->local_count * sizeof(*lanes->seen));
    forget_remotes(lanes);
    lanes->live = 0;
    lanes->lists = lanes->edges = 0;
    lanes->status = SEARCH_DONE;
    for (size_t lane = 0; lane < count; lane++) {
        lanes->live |= (uint64_t)1 << lane;
        if (mpi_owner(partition, pairs[lane].source) == partition->rank) {
            reach(lanes, pairs[lane].source, (uint64_t)1 << lane);
        }
    }
    turn_over(lanes, pairs, 0);
    for (size_t lane = 0; lane < count; lane++) {
        if (pairs[lane].source == pairs[lane].target &&
            mpi_owner(partition, pairs[lane].source) == partition->rank) {
            lanes->seen[mpi_local(partition, pairs[lane].source)] &= ~((uint64_t)1 << lane);
        }
    }
}

/* One level of all lanes, and what all ranks found in it. */
static struct lane_words search_level(struct lanes *lanes, const struct mpi_pair *pairs,
                                      size_t count)
{
    const uint64_t start_ns = clock_now_ns(), lists = lanes->lists, edges = lanes->edges;
    struct level_cost *cost = level_costs_next(lanes->costs);
    lanes->exchange.cost = cost;
    advance(lanes);
    const struct lane_words own = turn_over(lanes, pairs, count);
    struct lane_words all;
    MPI_Allreduce(&own, &all, sizeof(all) / sizeof(uint64_t), MPI_UINT64_T, MPI_BOR,
                  lanes->graph->comm);
    cost->nodes += lanes->lists - lists;
    cost->edges += lanes->edges - edges;
    cost->elapsed_ns += clock_now_ns() - start_ns;
    return all;
}

/* Divide what all lanes cost among them. */
static void share_out(const struct lanes *lanes, uint64_t elapsed_ns, size_t count,
                      struct search_result *results)
{
    const uint64_t own[] = {lanes->lists, lanes->edges};
    uint64_t all[2];
    MPI_Allreduce(own, all, 2, MPI_UINT64_T, MPI_SUM, lanes->graph->comm);
    for (size_t i = 0; i < count; i++) {
        const uint64_t extra = i == 0;
        results[i].visited = all[0] / count + extra * (all[0] % count);
        results[i].expanded = results[i].visited;
        results[i].pushed = SEARCH_COUNT_UNKNOWN;
        results[i].peak_queue = SEARCH_COUNT_UNKNOWN;
        results[i].edges = all[1] / count + extra * (all[1] % count);
        results[i].elapsed_ns = elapsed_ns / count + extra * (elapsed_ns % count);
    }
}

void lanes_search(struct lanes *lanes, const struct mpi_pair *pairs, size_t count,
                  const struct search_limits *limits, struct level_costs *costs,
                  struct search_result *results)
{
    struct search_result whole;
    costs->count = 0;
    lanes->costs = costs;
    pw_assert(count > 0 && count <= FLIGHT_LANES);
    search_start(&lanes->clock, limits, &whole);
    start(lanes, pairs, count);
    for (size_t i = 0; i < count; i++) {
        results[i] = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    }
    enum search_status status = SEARCH_DONE;
    for (uint32_t hops = 1; lanes->live != 0 && status == SEARCH_DONE; hops++) {
        const struct lane_words words = search_level(lanes, pairs, count);
        status = search_status_of(0, words.cancelled, words.timed_out);
        for (size_t lane = 0; lane < count; lane++) {
            if (words.found >> lane & 1) {
                results[lane].found = true;
                results[lane].hops = hops;
            }
        }
        lanes->live &= ~words.found;
        lanes->live &= status == SEARCH_DONE ? words.reached : UINT64_MAX;
    }
    for (size_t lane = 0; lane < count; lane++) {
        results[lane].status = lanes->live >> lane & 1 ? status : SEARCH_DONE;
    }
    search_finish(&lanes->clock, &whole);
    share_out(lanes, whole.elapsed_ns, count, results);
}
