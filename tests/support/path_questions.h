/*
 * path_questions.h - one list of graphs and questions for whoever finds paths: libpwgraph, the
 * answers of bfs; and ladders, whose number of paths is a power.
 *
 * A graph is its list of edges in `drawn`, and the judge knows nothing else: distances spread along
 * the edges until nothing changes; then the ways to a node are a sum over the nodes before it.
 * A path has at least one edge.
 */
#pragma once

#include "random.h"
#include "require.h"
#include <stdbool.h>
#include <string.h>

#define NODES_MAX 200
#define EDGES_MAX 1000
#define NO_PATH   UINT32_MAX

static struct {
    uint32_t nodes;
    uint64_t count;
    uint32_t sources[EDGES_MAX], targets[EDGES_MAX];
    bool has_edge[NODES_MAX][NODES_MAX];
    bool avoided[NODES_MAX];
} drawn;

/* Begin a graph without edges, and without nodes to avoid. */
static inline void drawn_begin(uint32_t nodes)
{
    require(nodes <= NODES_MAX);
    drawn.nodes = nodes;
    drawn.count = 0;
    memset(drawn.has_edge, 0, sizeof(drawn.has_edge));
    memset(drawn.avoided, 0, sizeof(drawn.avoided));
}

static inline void drawn_add(uint32_t from, uint32_t to)
{
    require(drawn.count < EDGES_MAX && from < drawn.nodes && to < drawn.nodes);
    drawn.sources[drawn.count] = from;
    drawn.targets[drawn.count++] = to;
    drawn.has_edge[from][to] = true;
}

/* hubs: edges prefer the nodes with small numbers. */
static inline void draw_edges(struct rng *rng, uint32_t nodes, uint64_t count, bool hubs)
{
    drawn_begin(nodes);
    for (uint64_t i = 0; i < count; i++) {
        const size_t from = random_below(rng, nodes), to = random_below(rng, nodes);
        drawn_add((uint32_t)(hubs ? random_below(rng, from + 1) : from),
                  (uint32_t)(hubs ? random_below(rng, to + 1) : to));
    }
}

/* The nodes to avoid into nodes; returns how many. */
static inline size_t drawn_avoided(uint32_t nodes[NODES_MAX])
{
    size_t count = 0;
    for (uint32_t node = 0; node < drawn.nodes; node++) {
        nodes[count] = node;
        count += drawn.avoided[node];
    }
    return count;
}

/* The judge ------------------------------------------------------------------------------------ */

/* The hops of paths with at least one edge, by spreading along the edges until nothing changes. */
static inline void judge(uint32_t from, bool backwards, uint32_t hops[NODES_MAX])
{
    memset(hops, 0xff, NODES_MAX * sizeof(*hops));
    for (bool changed = !drawn.avoided[from]; changed;) {
        changed = false;
        for (uint64_t i = 0; i < drawn.count; i++) {
            const uint32_t a = backwards ? drawn.targets[i] : drawn.sources[i];
            const uint32_t b = backwards ? drawn.sources[i] : drawn.targets[i];
            const uint32_t before = a == from ? 0 : hops[a];
            if (!drawn.avoided[a] && !drawn.avoided[b] && before != NO_PATH &&
                before + 1 < hops[b]) {
                hops[b] = before + 1;
                changed = true;
            }
        }
    }
}

/* The number of paths with `hops` edges from a node to the target, by trying every way; none has a
 * node twice, except that the source may be the target. used: the nodes on the way so far. */
static inline uint64_t try_every_way(uint32_t from, uint32_t to, uint32_t hops,
                                     bool used[NODES_MAX])
{
    uint64_t count = 0;
    for (uint32_t next = 0; next < drawn.nodes; next++) {
        if (drawn.avoided[next] || (next == to) != (hops == 1) || (used[next] && hops > 1) ||
            !drawn.has_edge[from][next]) {
            continue;
        }
        if (hops == 1) {
            return 1;
        }
        used[next] = true;
        count += try_every_way(next, to, hops - 1, used);
        used[next] = false;
    }
    return count;
}

/* The length of a shortest path, and the number of the shortest ones. */
static inline uint64_t judge_count(uint32_t from, uint32_t to, uint32_t *hops)
{
    uint32_t down[NODES_MAX];
    uint64_t ways[NODES_MAX] = {0}, total = 0;
    judge(to, true, down); /* the first edge, then the distances to the target */
    *hops = down[from];
    down[to] = 0;
    ways[to] = 1;
    for (uint32_t distance = 1; *hops != NO_PATH && distance < *hops; distance++) {
        for (uint32_t u = 0; u < drawn.nodes; u++) {
            for (uint32_t v = 0; down[u] == distance && v < drawn.nodes; v++) {
                ways[u] += down[v] == distance - 1 && drawn.has_edge[u][v] ? ways[v] : 0;
            }
        }
    }
    for (uint32_t next = 0; *hops != NO_PATH && next < drawn.nodes; next++) {
        total += down[next] == *hops - 1 && drawn.has_edge[from][next] ? ways[next] : 0;
    }
    if (*hops <= 5) {
        bool used[NODES_MAX] = {[0] = false};
        used[from] = true;
        require_equal(try_every_way(from, to, *hops, used), total);
    }
    return total;
}

/* The list ------------------------------------------------------------------------------------- */

static const struct {
    const char *about;
    uint32_t nodes, count;
    unsigned char edges[12][2];
} graphs_by_hand[] = {
    {"a node", 1, 0, {{0}}},
    {"a node with an edge to itself", 1, 1, {{0, 0}}},
    {"an edge that is there twice", 2, 2, {{0, 1}, {0, 1}}},
    {"there and back", 2, 2, {{0, 1}, {1, 0}}},
    {"two parts", 5, 4, {{0, 1}, {1, 0}, {2, 3}, {3, 4}}},
    {"a ring", 5, 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}},
    {"two diamonds", 7, 8, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 6}, {5, 6}}},
    {"a way aside", 4, 5, {{0, 1}, {1, 2}, {0, 3}, {3, 1}, {2, 2}}},
    {"links", 6, 8, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 3}, {0, 2}, {5, 0}}},
    {"nothing to follow", 9, 0, {{0}}},
};

#define GRAPHS_BY_HAND (sizeof(graphs_by_hand) / sizeof(graphs_by_hand[0]))
#define PATH_GRAPHS    (GRAPHS_BY_HAND + 300)
#define QUESTIONS_MAX  200 /* of a graph: each pair of nodes, or else so many pairs */

/* Make `drawn` the graph of that number: by hand, of a fixed seed, or (the last third) of rng. */
static inline void path_graph_take(size_t number, struct rng *rng)
{
    struct rng fixed = {number};
    rng = number < GRAPHS_BY_HAND + 200 ? &fixed : rng;
    if (number < GRAPHS_BY_HAND) {
        drawn_begin(graphs_by_hand[number].nodes);
        for (uint32_t i = 0; i < graphs_by_hand[number].count; i++) {
            drawn_add(graphs_by_hand[number].edges[i][0], graphs_by_hand[number].edges[i][1]);
        }
        return;
    }
    const uint32_t nodes = 1 + (uint32_t)random_below(rng, number % 8 == 0 ? 64 : 14);
    draw_edges(rng, nodes, random_below(rng, nodes * 4), number % 3 == 0);
    for (size_t i = number % 5 == 2 ? random_below(rng, 4) : 0; i > 0; i--) {
        drawn.avoided[random_below(rng, nodes)] = true;
    }
}

struct path_question {
    uint32_t next; /* the number of the next question; 0 at first */
    uint32_t from, to;
    uint32_t hops;  /* of a shortest path; NO_PATH */
    uint64_t count; /* of shortest paths */
};

/* The next question about `drawn`, with its answer. False after the last. */
static inline bool path_question_next(struct path_question *question)
{
    const uint32_t pairs = drawn.nodes * drawn.nodes;
    struct rng rng = {question->next};
    require(pairs > 0);
    if (question->next == (pairs < QUESTIONS_MAX ? pairs : QUESTIONS_MAX)) {
        return false;
    }
    const uint32_t pair =
        pairs <= QUESTIONS_MAX ? question->next : (uint32_t)random_below(&rng, pairs);
    question->next++;
    question->from = pair / drawn.nodes;
    question->to = pair % drawn.nodes;
    question->count = judge_count(question->from, question->to, &question->hops);
    return true;
}

/* Ladders -------------------------------------------------------------------------------------- */

/*
 * `layers` layers of `width` nodes each, with an edge from each node of a layer to each of the
 * next; all paths from node 0 to node 1 go through them. Their number is width to the power of
 * layers.
 */
struct ladder {
    uint32_t layers, width;
};

static const struct ladder ladders[] = {
    {1, 1},   {10, 2},  {63, 2},  {64, 2},  {65, 2},  {115, 2},  {10, 10},  {19, 10},
    {20, 10}, {38, 10}, {39, 10}, {127, 2}, {128, 2}, {300, 29}, {1, 9000},
};

#define LADDERS       (sizeof(ladders) / sizeof(ladders[0]))
#define LADDER_DIGITS 2000 /* room for the number of paths of any of them, and more */

static inline uint32_t ladder_nodes(struct ladder ladder)
{
    return 2 + ladder.layers * ladder.width;
}

static inline uint64_t ladder_edges(struct ladder ladder)
{
    return 2 * (uint64_t)ladder.width + (uint64_t)(ladder.layers - 1) * ladder.width * ladder.width;
}

/* Its edges, freed by the caller: all sources, and after them *targets. */
static inline uint32_t *ladder_make(struct ladder ladder, uint32_t **targets)
{
    const uint32_t width = ladder.width, last = 2 + (ladder.layers - 1) * width;
    uint32_t *sources = calloc(2 * (size_t)ladder_edges(ladder), sizeof(*sources));
    require(sources != NULL);
    uint32_t *from = sources, *to = *targets = sources + ladder_edges(ladder);
    for (uint32_t i = 0; i < width; i++) {
        *from++ = 0;
        *to++ = 2 + i;
        *from++ = last + i;
        *to++ = 1;
        for (uint32_t layer = 2; layer < last; layer += width) {
            for (uint32_t k = 0; k < width; k++) {
                *from++ = layer + i;
                *to++ = layer + width + k;
            }
        }
    }
    require(from == *targets);
    return sources;
}

/* The number of its paths as pwgraph.h writes it, by multiplying digit by digit. */
static inline void ladder_power(struct ladder ladder, char text[LADDER_DIGITS])
{
    static const char limit[] = "340282366920938463463374607431768211455"; /* 2^128 - 1 */
    unsigned char digits[LADDER_DIGITS] = {1};
    size_t length = 1;
    for (uint32_t i = 0; i < ladder.layers; i++) {
        uint32_t carry = 0;
        for (size_t k = 0; k < length || carry > 0; k++) {
            carry += (k < length ? digits[k] : 0) * ladder.width;
            digits[k] = (unsigned char)(carry % 10);
            carry /= 10;
            length = k + 1 > length ? k + 1 : length;
        }
    }
    for (size_t k = 0; k < length; k++) {
        text[k] = (char)('0' + digits[length - 1 - k]);
    }
    text[length] = '\0';
    if (length > strlen(limit) || (length == strlen(limit) && strcmp(text, limit) >= 0)) {
        strcpy(text, "more than 3.4e38");
    }
}

/* The number of paths of a text, or UINT64_MAX if there are more. */
static inline uint64_t ladder_at_most(const char *text)
{
    return text[0] == 'm' ? UINT64_MAX : strtoull(text, NULL, 10);
}
