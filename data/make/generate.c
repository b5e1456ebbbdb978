/*
 * generate.c - a random directed graph shaped like Wikipedia's links of February 2007.
 *
 * 1. Every node has a rank. The labels (ids) are a random permutation of the ranks: no locality.
 * 2. Ranks fall into classes, each with a share of the nodes and of the in-links (the table below).
 *    In-degrees follow a power law; the classes with most nodes get one link or none.
 * 3. An out-degree is the mean of the class times a heavy-tailed factor of the node. Rounding the
 *    running sum scales them to the exact edge count.
 * 4. An edge draws a class by alias table and a place in it: half of them near the source's own
 *    place (topics, on a ring), the others anywhere. Then each node's list is sorted.
 * Cost: O(nodes + edges), about 45 ns per edge on one thread; 4 bytes per edge, 16 per node.
 * Not for: exact in-degrees, reciprocal links, clustering coefficients. Sources: Chung & Lu, 2002;
 * Bringmann, Keusch & Lengler, 2019; alias table: Walker, 1977, in the form of Vose, 1991.
 */
#include "generate.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/wide.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_memory.h"
#include "data/graph/parallel.h"
#include "data/names/node_index.h"
#include "drawn_graphs.h"
#include "random_stream.h"
#include "sort_ids.h"
#include <stdlib.h>
#include <string.h>

/* A class of nodes: its share of the nodes and of the in-links, and its mean out-degree. */
struct node_class {
    uint32_t node_share_ppm;
    uint32_t in_share_ppm;
    uint32_t out_mean_percent; /* at the real graph's 12.6 edges per node; 100 is one link */
};

/* Fitted to the published search counts, see README.md. Comments give the mean in-degree. */
static const struct node_class classes[] = {
    {24100, 0, 90},        /* 0: nothing links here */
    {229000, 9227, 130},   /* 0.5: redirects and stubs ... */
    {240856, 19409, 175},  /* 1 */
    {223000, 35941, 1300}, /* 2 */
    {138000, 44482, 2050}, /* 4 */
    {69700, 44934, 1700},  /* 8: ordinary articles ... */
    {36200, 46674, 8400},  /* 16 */
    {18800, 48479, 8400},  /* 33 */
    {9780, 50439, 1680},   /* 65: hubs, a power law of exponent 1.94 ... */
    {5080, 52399, 1680},   /* 130 */
    {2640, 54462, 1680},   /* 260 */
    {1370, 56525, 1680},   /* 521 */
    {712, 58753, 1680},    /* 1,042 */
    {370, 61063, 1680},    /* 2,083 */
    {192, 63374, 1680},    /* 4,167 */
    {100, 66015, 1680},    /* 8,334 */
    {52, 68655, 1680},     /* 16,668 */
    {27, 71296, 1680},     /* 33,336 */
    {14, 73936, 1680},     /* 66,672 */
    {7, 73937, 1680},      /* 133,343 */
};

/* The ratio of a node's out-degree to its class's mean, in units of about 1/63, equally likely. */
static const uint32_t out_factors[] = {12, 19, 26, 32, 37, 42,  47,  52,
                                       57, 63, 70, 78, 89, 104, 127, 169};

#define OUT_FACTOR_COUNT COUNT_OF(out_factors)
#define HUB_CLASS        8    /* the first class of hubs */
#define LOCAL_PERCENT    50   /* of the links go to the neighbourhood on the ring, */
#define LOCAL_NODES      4096 /* the width of that neighbourhood in nodes */
#define CLASS_COUNT      COUNT_OF(classes)
#define CLASS_NODES_MIN  8  /* a hub class with fewer nodes is left out */
#define CLASS_SLOTS      32 /* of the alias table: a power of two, at least CLASS_COUNT */
#define THREADS_MAX      64
#define PLACE            "generated graph" /* the place in error messages */
#define PLACE_PAIRS      "random pairs"
#define ROWS_PER_TAKE    4096 /* nodes whose lists a thread fills at a time */

/* The places of a class: ranks first .. first + count - 1, spread evenly over a ring of 2^64. */
struct places {
    uint32_t first;
    uint32_t count;
    uint64_t step; /* 2^64 / count */
};

struct model {
    const struct graph_generate_options *options;
    struct graph *graph;
    struct places places[CLASS_COUNT];
    uint64_t alias_limit[CLASS_SLOTS]; /* of 2^32: below it the class is the slot, else its alias */
    uint8_t alias[CLASS_SLOTS];
    uint64_t local_width; /* of the ring */
    uint32_t *label_of;   /* rank -> id */
    uint32_t *rank_of;    /* id - 1 -> rank */
};

/* Which ranks belong to which class: shares of the nodes, rounded along the running sum. */
static void place_classes(struct model *model)
{
    uint64_t nodes = model->options->nodes, total = 0, sum = 0;
    for (size_t c = 0; c < CLASS_COUNT; c++) {
        total += classes[c].node_share_ppm;
    }
    for (size_t c = 0; c < CLASS_COUNT; c++) {
        struct places *places = &model->places[c];
        places->first = (uint32_t)(nodes * sum / total);
        sum += classes[c].node_share_ppm;
        places->count = (uint32_t)(nodes * sum / total) - places->first;
        places->step = places->count == 0 ? 0 : UINT64_MAX / places->count;
    }
}

/*
 * The in-link weight of each class. At this graph's size, the classes of the largest hubs may be
 * too small; they leave their share to the other hub classes, so that the rest keeps its shape.
 */
static void weigh_classes(const struct model *model, uint64_t weights[CLASS_COUNT])
{
    uint64_t kept_hubs = 0, lost = 0, kept = 0;
    for (size_t c = 0; c < CLASS_COUNT; c++) {
        uint64_t count = model->places[c].count;
        bool hub = c >= HUB_CLASS;
        bool keep = count >= (hub ? CLASS_NODES_MIN : 1);
        weights[c] = keep ? classes[c].in_share_ppm : 0;
        lost += keep ? 0 : classes[c].in_share_ppm;
        kept += weights[c];
        kept_hubs += hub ? weights[c] : 0;
    }
    for (size_t c = 0; c < CLASS_COUNT; c++) {
        uint64_t share = weights[c] * 1000000;
        if (kept_hubs > 0 && c >= HUB_CLASS) {
            share += share / kept_hubs * lost;
        }
        weights[c] = kept > 0 ? share : model->places[c].count;
    }
}

/* Vose's construction in integers: slot s keeps its own class with probability limit / 2^32. */
static void build_alias(struct model *model)
{
    uint64_t weights[CLASS_COUNT], scaled[CLASS_SLOTS] = {0}, total = 0;
    weigh_classes(model, weights);
    for (size_t c = 0; c < CLASS_COUNT; c++) {
        total += weights[c];
        scaled[c] = weights[c] * CLASS_SLOTS;
    }
    uint8_t small[CLASS_SLOTS], large[CLASS_SLOTS];
    size_t small_count = 0, large_count = 0;
    for (size_t s = 0; s < CLASS_SLOTS; s++) {
        if (scaled[s] < total) {
            small[small_count++] = (uint8_t)s;
        } else {
            large[large_count++] = (uint8_t)s;
        }
    }
    while (small_count > 0 && large_count > 0) {
        uint8_t s = small[--small_count], l = large[large_count - 1];
        model->alias[s] = l;
        model->alias_limit[s] = wide_scale(scaled[s], UINT64_C(1) << 32, total);
        scaled[l] -= total - scaled[s];
        if (scaled[l] < total) {
            large_count--;
            small[small_count++] = l;
        }
    }
    while (large_count > 0) {
        model->alias_limit[large[--large_count]] = UINT64_C(1) << 32;
    }
}

/* Shuffle the labels (Fisher and Yates) and note the inverse. */
static void shuffle_labels(struct model *model)
{
    uint32_t nodes = model->options->nodes;
    uint64_t state = random_stream(model->options->seed, STREAM_LABELS, 0);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t j = (uint32_t)random_below(splitmix_next(&state), (uint64_t)i + 1);
        model->label_of[i] = model->label_of[j];
        model->label_of[j] = i + 1;
    }
    for (uint32_t rank = 0; rank < nodes; rank++) {
        model->rank_of[model->label_of[rank] - 1] = rank;
    }
}

static size_t class_of(const struct model *model, uint32_t rank)
{
    size_t c = 0;
    while (rank - model->places[c].first >= model->places[c].count) {
        c++;
    }
    pw_assert(c < CLASS_COUNT);
    return c;
}

/* The out-degree a node wants, in arbitrary units: its class's mean times its own factor. */
static uint64_t out_weight(const struct model *model, uint32_t rank)
{
    uint64_t random = splitmix_mix(random_stream(model->options->seed, STREAM_OUT_DEGREE, rank));
    uint64_t weight = (uint64_t)classes[class_of(model, rank)].out_mean_percent *
                      out_factors[random % OUT_FACTOR_COUNT];
    random >>= 8;
    if (random % 256 == 0) {
        /* One node in 256 has more: doubled, and with probability 1/4 doubled again, and so on. */
        random >>= 8;
        for (weight *= 2; random % 4 == 0 && random != 0; random >>= 2) {
            weight *= 2;
        }
    }
    return weight;
}

/* Offsets whose differences follow the weights and whose last is exactly the edge count. */
static void fill_offsets(const struct model *model)
{
    struct graph *graph = model->graph;
    uint32_t nodes = model->options->nodes;
    uint64_t total = 0;
    for (uint32_t id = 1; id <= nodes; id++) {
        total += out_weight(model, model->rank_of[id - 1]);
        graph->offsets[id + 1] = total;
    }
    graph->offsets[0] = graph->offsets[1] = 0;
    for (uint32_t id = 1; id <= nodes; id++) {
        uint64_t sum = total > 0 ? graph->offsets[id + 1] : id;
        graph->offsets[id + 1] = wide_scale(sum, graph->edge_count, total > 0 ? total : nodes);
    }
}

/* Draw the targets of one node's links. */
static void fill_row(const struct model *model, uint32_t id, uint32_t *row, size_t count)
{
    uint64_t state = random_stream(model->options->seed, STREAM_ROW, id);
    uint32_t rank = model->rank_of[id - 1];
    const struct places *home = &model->places[class_of(model, rank)];
    uint64_t position = (rank - home->first) * home->step + home->step / 2;
    for (size_t i = 0; i < count; i++) {
        uint64_t choice = splitmix_next(&state), place = splitmix_next(&state);
        size_t slot = choice % CLASS_SLOTS;
        bool own = choice >> 32 < model->alias_limit[slot];
        const struct places *places = &model->places[own ? slot : model->alias[slot]];
        if ((choice >> 8) % 1024 < LOCAL_PERCENT * 1024 / 100) {
            place = position + random_below(place, model->local_width) - model->local_width / 2;
        }
        row[i] = model->label_of[places->first + random_below(place, places->count)];
    }
    sort_ids(row, count);
}

static void fill_rows(void *context, unsigned number, size_t index)
{
    (void)number;
    const struct model *model = context;
    const struct graph *graph = model->graph;
    uint64_t id = (uint64_t)index * ROWS_PER_TAKE + 1;
    for (uint64_t end = id + ROWS_PER_TAKE; id < end && id < graph->node_limit; id++) {
        uint64_t begin = graph->offsets[id], count = graph->offsets[id + 1] - begin;
        fill_row(model, (uint32_t)id, graph->neighbours + begin, (size_t)count);
    }
}

/* True if the graph, and the memory to make it, fit in the available memory. */
static bool check_size(const struct graph_generate_options *options, struct graph_error *error)
{
    if (options->nodes == 0 || options->nodes > GRAPH_NODE_MAX) {
        return graph_fail(error, PLACE, "%lu nodes is outside 1..%lu",
                          (unsigned long)options->nodes, (unsigned long)GRAPH_NODE_MAX);
    }
    const bool both = options->model == GRAPH_MODEL_KRONECKER;
    const uint64_t most = UINT64_MAX / 16; /* edges whose bytes 64 bits can count */
    const uint64_t edges = options->model == GRAPH_MODEL_GRID ? (uint64_t)options->nodes * 4
                           : options->edges < most            ? options->edges << both
                                                              : most << both;
    const uint64_t bytes = edges * sizeof(uint32_t) + ((uint64_t)options->nodes + 2) *
                                                          (sizeof(uint64_t) + 2 * sizeof(uint32_t));
    uint64_t available = memory_available();
    if (bytes > available || bytes > SIZE_MAX / 2) {
        return graph_fail(error, PLACE,
                          "%lu nodes and %llu edges take %llu MiB, %llu MiB are available",
                          (unsigned long)options->nodes, (unsigned long long)options->edges,
                          (unsigned long long)(bytes >> 20), (unsigned long long)(available >> 20));
    }
    return true;
}

bool graph_generate(const struct graph_generate_options *options, struct graph *graph,
                    struct graph_error *error)
{
    memset(graph, 0, sizeof(*graph));
    *error = (struct graph_error){0};
    if (!check_size(options, error)) {
        return false;
    }
    if (options->model != GRAPH_MODEL_WIKIPEDIA) {
        return graph_draw(options, graph, error);
    }
    struct model model = {.options = options, .graph = graph};
    size_t nodes = options->nodes, edges = (size_t)options->edges;
    model.label_of = malloc(nodes * sizeof(*model.label_of));
    model.rank_of = malloc(nodes * sizeof(*model.rank_of));
    graph->offsets = graph_map_array(graph, nodes + 2, sizeof(*graph->offsets));
    graph->neighbours = graph_map_array(graph, edges, sizeof(*graph->neighbours));
    bool ok = model.label_of != NULL && model.rank_of != NULL && graph->offsets != NULL &&
              graph->neighbours != NULL;
    if (ok) {
        graph->first_node = 1;
        graph->node_limit = options->nodes + 1;
        graph->edge_count = options->edges;
        uint64_t width = UINT64_MAX / nodes;
        model.local_width = nodes > LOCAL_NODES ? width * LOCAL_NODES : UINT64_MAX;
        place_classes(&model);
        build_alias(&model);
        shuffle_labels(&model);
        fill_offsets(&model);
        unsigned threads = parallel_count(options->threads);
        parallel_each(threads < THREADS_MAX ? threads : THREADS_MAX, nodes / ROWS_PER_TAKE + 1,
                      fill_rows, &model);
        pw_assert(graph_check(graph));
    } else {
        graph_free(graph);
        graph_fail(error, PLACE, "out of memory for %zu nodes and %zu edges", nodes, edges);
    }
    free(model.rank_of);
    free(model.label_of);
    return ok;
}

bool pairs_generate(const struct graph *graph, const struct pairs_generate_options *options,
                    struct pairs *pairs, struct graph_error *error)
{
    memset(pairs, 0, sizeof(*pairs));
    *error = (struct graph_error){0};
    uint32_t nodes = graph_node_count(graph);
    if (nodes == 0) {
        return graph_fail(error, PLACE_PAIRS, "the graph has no nodes");
    }
    pw_assert(options->count > 0);
    pairs->items = calloc(options->count, sizeof(*pairs->items));
    if (pairs->items == NULL) {
        return graph_fail(error, PLACE_PAIRS, "out of memory for %zu pairs", options->count);
    }
    pairs->count = options->count;
    struct graph unnamed = *graph; /* its names are not looked up */
    struct node_index index;
    unnamed.names = NULL;
    if (!node_index_init(&index, &unnamed)) {
        pairs_free(pairs);
        return graph_fail(error, PLACE_PAIRS, "out of memory for the order of the ids");
    }
    uint64_t state = random_stream(options->seed, STREAM_PAIRS, 0);
    uint64_t source = 0; /* numbers of nodes, from 0, in ascending order of ids */
    bool found = true;
    for (size_t i = 0; found && i < options->count; i++) {
        if (options->targets <= 1 || i % options->targets == 0) {
            source = random_below(splitmix_next(&state), nodes);
        }
        const uint64_t target = random_below(splitmix_next(&state), nodes);
        found = node_index_at(&index, (uint32_t)source, &pairs->items[i].source) &&
                node_index_at(&index, (uint32_t)target, &pairs->items[i].target);
    }
    node_index_free(&index);
    if (!found) {
        pairs_free(pairs);
        return graph_is_damaged(graph, error)
                   ? false
                   : graph_fail(error, PLACE_PAIRS, "the order of the graph's ids is damaged");
    }
    return true;
}
