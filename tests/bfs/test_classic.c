/*
 * test_classic.c - the plain and the classic search against an oracle that follows the rules of the
 * challenge to the letter, with another graph structure, another queue, and no cleverness.
 *
 * The oracle keeps the plain list of edges in file order, and its queue is an array that only
 * grows. Both read the same file.
 */
#include "alloc/block_marks.h"
#include "alloc/node_allocator.h"
#include "base/macros.h"
#include "bfs/engines/engines.h"
#include "bfs/search/search.h"
#include "data/load/graph_load.h"
#include "data/make/generate.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue.h"
#include "tests/support/fixture_file.h"
#include "tests/support/random.h"
#include "tests/support/random_graph.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"

#define NODES_MAX 40
#define EDGES_MAX 240

struct oracle_edge {
    unsigned source, target;
};

struct oracle {
    struct oracle_edge edges[EDGES_MAX];
    size_t edge_count;
    unsigned node_limit;
};

struct counts {
    bool found;
    uint64_t visited, expanded, pushed, peak_queue;
    uint32_t hops;
};

static uint64_t malloc_calls;
static uint64_t free_calls;

static void *counting_malloc(size_t size)
{
    malloc_calls++;
    return malloc(size);
}

static void counting_free(void *block)
{
    free_calls++;
    free(block);
}

static void register_counting(void)
{
    queue_register_malloc(counting_malloc);
    queue_register_free(counting_free);
}

static bool has_out_edges(const struct oracle *oracle, unsigned node)
{
    for (size_t i = 0; i < oracle->edge_count; i++) {
        if (oracle->edges[i].source == node) {
            return true;
        }
    }
    return false;
}

/* The rules of the challenge, step by step. A queue entry also knows its distance. */
static struct counts oracle_search(const struct oracle *oracle, unsigned source, unsigned target)
{
    struct entry {
        unsigned node, hops;
    };
    struct counts counts = {.hops = SEARCH_HOPS_NONE};
    bool marked[NODES_MAX + 1] = {false};
    struct entry *queue = malloc((oracle->edge_count + 1) * sizeof(*queue));
    size_t head = 0;
    size_t tail = 0;
    struct entry current = {source, 0};
    require(queue != NULL);
    for (;;) {
        while (marked[current.node] || !has_out_edges(oracle, current.node)) {
            counts.visited++;
            if (head == tail) {
                goto done;
            }
            current = queue[head++];
        }
        marked[current.node] = true;
        counts.expanded++;
        for (size_t i = 0; i < oracle->edge_count; i++) {
            if (oracle->edges[i].source != current.node) {
                continue;
            }
            queue[tail++] = (struct entry){oracle->edges[i].target, current.hops + 1};
            counts.pushed++;
            if (oracle->edges[i].target == target && !counts.found) {
                counts.found = true;
                counts.hops = current.hops + 1;
            }
        }
        if (tail - head > counts.peak_queue) {
            counts.peak_queue = tail - head;
        }
        if (head == tail) {
            goto done;
        }
        current = queue[head++];
        counts.visited++;
        if (counts.found) {
            goto done;
        }
    }
done:
    free(queue);
    return counts;
}

static void assert_equal(const struct counts *expected, const struct search_result *result,
                         unsigned source, unsigned target, const char *allocator)
{
    if (result->status != SEARCH_DONE || result->found != expected->found ||
        result->hops != expected->hops || result->visited != expected->visited ||
        result->expanded != expected->expanded || result->pushed != expected->pushed ||
        result->peak_queue != expected->peak_queue) {
        ck_abort_msg("%s, %u to %u: found %d hops %d visited %d expanded %d pushed %d peak %d, "
                     "expected %d %d %d %d %d %d",
                     allocator, source, target, (int)result->found, (int)result->hops,
                     (int)result->visited, (int)result->expanded, (int)result->pushed,
                     (int)result->peak_queue, (int)expected->found, (int)expected->hops,
                     (int)expected->visited, (int)expected->expanded, (int)expected->pushed,
                     (int)expected->peak_queue);
    }
}

static void write_edges(const struct oracle *oracle, struct graph *graph)
{
    struct graph_error error = {0};
    const char *path = fixture_path("graph.mtx");
    FILE *file = fopen(path, "w");
    require(file != NULL);
    fprintf(file, "%%%%MatrixMarket matrix coordinate pattern general\n%u %u %zu\n",
            oracle->node_limit - 1, oracle->node_limit - 1, oracle->edge_count);
    for (size_t i = 0; i < oracle->edge_count; i++) {
        fprintf(file, "%u %u\n", oracle->edges[i].source, oracle->edges[i].target);
    }
    fclose(file);
    const struct graph_options options = {.build_reverse = true}; /* which "challenge" needs */
    if (!graph_load(path, &options, graph, &error)) {
        ck_abort_msg("%s", error.message);
    }
}

/* Nodes 1..n, edges anywhere: self-loops, duplicates, nodes without edges. */
static void make_random(struct oracle *oracle, struct rng *rng)
{
    oracle->node_limit = 2 + (unsigned)random_below(rng, NODES_MAX - 1);
    oracle->edge_count = random_below(rng, (size_t)oracle->node_limit * 6);
    for (size_t i = 0; i < oracle->edge_count; i++) {
        unsigned source = 1 + (unsigned)random_below(rng, oracle->node_limit - 1);
        unsigned target = 1 + (unsigned)random_below(rng, oracle->node_limit - 1);
        oracle->edges[i] =
            (struct oracle_edge){source, random_below(rng, 8) == 0 ? source : target};
        if (i > 0 && random_below(rng, 8) == 0) {
            oracle->edges[i] = oracle->edges[i - 1];
        }
    }
}

/* Every pair of nodes, or as many as there is patience for, in one workspace. */
static void compare(const struct oracle *oracle, struct rng *rng, const char *name,
                    const char *allocator)
{
    const struct search_engine *engine = search_engine_find(name);
    struct graph graph;
    struct search_result result;
    write_edges(oracle, &graph);
    void *workspace = engine->create(&graph, NULL);
    require(workspace != NULL);
    for (int i = 0; i < 12; i++) {
        unsigned source = 1 + (unsigned)random_below(rng, oracle->node_limit - 1);
        unsigned target = i == 0 ? source : 1 + (unsigned)random_below(rng, oracle->node_limit - 1);
        struct counts expected = oracle_search(oracle, source, target);
        uint64_t mallocs_before = malloc_calls;
        uint64_t frees_before = free_calls;
        engine->search(workspace, source, target, NULL, &result);
        assert_equal(&expected, &result, source, target, allocator);
        if (strcmp(allocator, "malloc") == 0 || !(engine->flags & SEARCH_USES_LIST)) {
            require(malloc_calls - mallocs_before == expected.pushed + 2);
            require(free_calls - frees_before == expected.pushed + 2);
        }
    }
    engine->destroy(workspace);
    graph_free(&graph);
}

static const char *const allocators[] = {"malloc",          "pool",        "slab",
                                         "pool:order=fifo", "count(slab)", "slab:chunk=64K"};

static const char *const list_engines[] = {"plain", "classic"};

/* The loop index counts through allocators and engines. */
START_TEST(counts_equal_the_oracle_s_with_every_allocator)
{
    const char *allocator = allocators[(size_t)_i % COUNT_OF(allocators)];
    const char *engine = list_engines[(size_t)_i / COUNT_OF(allocators)];
    struct rng rng = random_start(engine);
    struct oracle oracle;
    register_counting();
    ck_assert_msg(linked_list_set_allocator(allocator), "%s", linked_list_error());
    for (size_t left = random_share(60); left > 0; left--) {
        make_random(&oracle, &rng);
        if (oracle.edge_count > 0) {
            compare(&oracle, &rng, engine, allocator);
        }
    }
    linked_list_final_cleanup();
}
END_TEST

/* One search of an engine on the allocator in use; the malloc and free calls are counted, too. */
static struct search_result search_counted(const char *name, const struct graph *graph,
                                           struct pair pair)
{
    const struct search_engine *engine = search_engine_find(name);
    void *workspace = engine->create(graph, NULL);
    struct search_result result;
    require(workspace != NULL);
    const uint64_t mallocs_before = malloc_calls, frees_before = free_calls;
    engine->search(workspace, pair.source, pair.target, NULL, &result);
    result.malloc_calls = malloc_calls - mallocs_before;
    result.free_calls = free_calls - frees_before;
    result.elapsed_ns = 0;
    engine->destroy(workspace);
    return result;
}

START_TEST(plain_and_classic_count_the_same_with_every_allocator_there_is)
{
    const struct node_allocator_type *type = node_allocator_types()[_i];
    graph_rng = random_start(type->name);
    register_counting();
    if (type->flags & (NODE_ALLOCATOR_GIVES_NONE | NODE_ALLOCATOR_NEEDS_FILE |
                       NODE_ALLOCATOR_MAY_BE_MISSING | NODE_ALLOCATOR_WRITES_RUN) ||
        !linked_list_set_allocator(type->name)) {
        return; /* it serves no search, or not by its name alone */
    }
    for (size_t left = random_share(20); left > 0; left--) {
        struct random_graph made = random_graph_create(0, 500, 500 * (1 + draw(8)), draw(2) == 0);
        const struct pair pair = {random_node(&made.graph, false), random_node(&made.graph, false)};
        search_counted("plain", &made.graph, pair); /* now the allocator keeps what it needs */
        const struct search_result plain = search_counted("plain", &made.graph, pair);
        const struct search_result classic = search_counted("classic", &made.graph, pair);
        ck_assert_uint_eq(plain.status, SEARCH_DONE);
        require(plain.found == classic.found && plain.hops == classic.hops);
        require(plain.visited == classic.visited && plain.expanded == classic.expanded);
        require(plain.pushed == classic.pushed && plain.peak_queue == classic.peak_queue);
        require(plain.edges == classic.edges);
        require(plain.malloc_calls == classic.malloc_calls);
        require(plain.free_calls == classic.free_calls || _i > 0); /* the others may keep some */
        random_graph_free(&made);
    }
    linked_list_final_cleanup();
}
END_TEST

START_TEST(the_challenge_engine_counts_as_classic_and_calls_malloc_once_per_push)
{
    struct rng rng = random_start("challenge");
    struct oracle oracle;
    register_counting();
    ck_assert(linked_list_set_allocator("slab")); /* which it leaves alone */
    for (size_t left = random_share(60); left > 0; left--) {
        make_random(&oracle, &rng);
        if (oracle.edge_count > 0) {
            compare(&oracle, &rng, "challenge", "slab");
        }
    }
    linked_list_final_cleanup();
}
END_TEST

START_TEST(a_path_from_a_node_to_itself_has_at_least_one_edge)
{
    static const struct oracle oracle = {
        .edges = {{1, 2}, {2, 3}, {3, 1}, {4, 4}, {5, 1}}, .edge_count = 5, .node_limit = 7};
    static const struct {
        unsigned node;
        uint32_t hops;
    } cases[] = {{1, 3}, {2, 3}, {4, 1}, {5, SEARCH_HOPS_NONE}, {6, SEARCH_HOPS_NONE}};
    const struct search_engine *engine = search_engine_find("classic");
    struct graph graph;
    struct search_result result;
    write_edges(&oracle, &graph);
    void *workspace = engine->create(&graph, NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct counts expected = oracle_search(&oracle, cases[i].node, cases[i].node);
        engine->search(workspace, cases[i].node, cases[i].node, NULL, &result);
        assert_equal(&expected, &result, cases[i].node, cases[i].node, "malloc");
        ck_assert_uint_eq(result.hops, cases[i].hops);
    }
    engine->destroy(workspace);
    graph_free(&graph);
}
END_TEST

START_TEST(with_the_pool_a_search_below_the_peak_so_far_makes_two_malloc_calls)
{
    struct rng rng = random_start("pool");
    const struct search_engine *engine = search_engine_find("classic");
    struct oracle oracle;
    struct graph graph;
    struct search_result result;
    uint64_t peak = 0;
    if (blocks_are_watched()) {
        return; /* pool keeps no block then */
    }
    register_counting();
    ck_assert(linked_list_set_allocator("pool"));
    do {
        make_random(&oracle, &rng);
    } while (oracle.edge_count < 20);
    write_edges(&oracle, &graph);
    void *workspace = engine->create(&graph, NULL);
    for (int i = 0; i < 200; i++) {
        unsigned source = 1 + (unsigned)random_below(&rng, oracle.node_limit - 1);
        unsigned target = 1 + (unsigned)random_below(&rng, oracle.node_limit - 1);
        uint64_t before = malloc_calls;
        engine->search(workspace, source, target, NULL, &result);
        uint64_t beyond = result.peak_queue > peak ? result.peak_queue - peak : 0;
        require(malloc_calls - before == 2 + beyond);
        peak += beyond;
    }
    engine->destroy(workspace);
    graph_free(&graph);
    linked_list_final_cleanup();
    ck_assert_uint_eq(malloc_calls, free_calls);
}
END_TEST

START_TEST(repeating_the_last_entry_adds_one_push_and_one_visit)
{
    const struct graph_options as_published = {.repeat_last_entry = true};
    const struct search_engine *engine = search_engine_find("classic");
    const char *path = fixture_text("edges.txt", "5 1\n1 2\n2 3\n3 1\n2 4\n");
    struct graph_error error = {0};
    struct search_result results[2];
    for (int i = 0; i < 2; i++) {
        struct graph graph;
        ck_assert(graph_load(path, i == 0 ? NULL : &as_published, &graph, &error));
        void *workspace = engine->create(&graph, NULL);
        engine->search(workspace, 1, 5, NULL, &results[i]);
        engine->destroy(workspace);
        graph_free(&graph);
        ck_assert(!results[i].found);
    }
    ck_assert_uint_eq(results[0].pushed, 4);
    ck_assert_uint_eq(results[0].visited, 5);
    ck_assert_uint_eq(results[1].pushed, 5);
    ck_assert_uint_eq(results[1].visited, 6);
}
END_TEST

/* On a generated graph, by the published counts of Wikipedia 2007. */
START_TEST(searches_of_a_generated_graph_go_as_in_the_real_one)
{
    struct graph_generate_options options = {.nodes = 30000, .edges = 378735, .seed = 1};
    const struct pairs_generate_options asked = {.count = 120, .seed = 1};
    const struct search_engine *engine = search_engine_find("classic");
    struct graph graph;
    struct pairs pairs;
    struct graph_error error;
    double peak = 0, reached = 0, pushed = 0, missed = 0;
    ck_assert(graph_generate(&options, &graph, &error));
    ck_assert(pairs_generate(&graph, &asked, &pairs, &error));
    void *workspace = engine->create(&graph, NULL);
    for (size_t i = 0; i < pairs.count; i++) {
        struct search_result result;
        engine->search(workspace, pairs.items[i].source, pairs.items[i].target, NULL, &result);
        const double share = (double)result.pushed / (double)graph.edge_count;
        const double queue = (double)result.peak_queue / (double)graph.edge_count;
        pushed += share / (double)pairs.count;
        missed += result.found ? 0 : 1 / (double)pairs.count;
        peak = queue > peak ? queue : peak;
        reached = !result.found && share > reached ? share : reached;
    }
    ck_assert_msg(reached > 0.91 && reached < 0.95, "%f, real 0.930", reached);
    ck_assert_msg(peak > 0.44 && peak < 0.51, "%f, real 0.468", peak);
    ck_assert_msg(missed > 0.22 && missed < 0.46, "%f, real a third", missed);
    ck_assert_msg(pushed > 0.33 && pushed < 0.58, "%f, real 0.453", pushed);
    engine->destroy(workspace);
    pairs_free(&pairs);
    graph_free(&graph);
}
END_TEST

int main(void)
{
    int types = 0;
    while (node_allocator_types()[types] != NULL) {
        types++;
    }
    return suite_run_cases(
        "classic", 3,
        (struct suite_case[]){
            {(const TTest *[]){counts_equal_the_oracle_s_with_every_allocator, NULL}, NULL, NULL, 0,
             (int)(COUNT_OF(allocators) * COUNT_OF(list_engines))},
            {(const TTest *[]){plain_and_classic_count_the_same_with_every_allocator_there_is,
                               NULL},
             NULL, NULL, 0, types},
            {(const TTest *[]){
                 the_challenge_engine_counts_as_classic_and_calls_malloc_once_per_push,
                 a_path_from_a_node_to_itself_has_at_least_one_edge,
                 with_the_pool_a_search_below_the_peak_so_far_makes_two_malloc_calls,
                 repeating_the_last_entry_adds_one_push_and_one_visit,
                 searches_of_a_generated_graph_go_as_in_the_real_one, NULL},
             NULL, NULL, 0, 0}});
}
