/*
 * test_generate.c - the generated graphs and pairs: exact sizes, the same bits everywhere, the
 * shape of the real graph, files that load to the same graph, and refusals of what makes no sense.
 */
#include "base/macros.h"
#include "data/formats/graph_write.h"
#include "data/load/graph_load.h"
#include "data/load/pairs_load.h"
#include "data/make/generate.h"
#include "data/make/graph_stats.h"
#include "data/reverse/graph_reverse.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include "tests/support/temporary_folder.h"
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

static char folder[TEMPORARY_FOLDER_SIZE];

static void make_folder(void)
{
    temporary_folder_make(folder, "generate");
}

static void remove_folder(void)
{
    temporary_folder_remove(folder);
}

/* A path in the test's folder, valid until the next call. */
static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static int count_files(void)
{
    int count = 0;
    DIR *open_folder = opendir(folder);
    ck_assert_ptr_nonnull(open_folder);
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(open_folder);
    return count;
}

static struct graph generate(uint32_t nodes, uint64_t edges, uint64_t seed, unsigned threads)
{
    struct graph_generate_options options = {
        .nodes = nodes, .edges = edges, .seed = seed, .threads = threads};
    struct graph graph;
    struct graph_error error;
    ck_assert_msg(graph_generate(&options, &graph, &error), "%s", error.message);
    return graph;
}

static bool same(const struct graph *a, const struct graph *b)
{
    return a->first_node == b->first_node && a->node_limit == b->node_limit &&
           a->edge_count == b->edge_count &&
           memcmp(a->offsets, b->offsets, ((size_t)a->node_limit + 1) * sizeof(*a->offsets)) == 0 &&
           memcmp(a->neighbours, b->neighbours, (size_t)a->edge_count * sizeof(*a->neighbours)) ==
               0;
}

static bool write_graph(const struct graph *graph, enum graph_output format, bool by_target,
                        const char *path, struct graph_error *error)
{
    struct graph_write_options options = {
        .format = format, .by_target = by_target, .comment = "a comment"};
    return graph_write(graph, &options, path, error);
}

/* FNV-1a over the numbers of a graph. */
static uint64_t checksum(const struct graph *graph)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i <= graph->node_limit; i++) {
        sum = (sum ^ graph->offsets[i]) * UINT64_C(0x100000001b3);
    }
    for (uint64_t i = 0; i < graph->edge_count; i++) {
        sum = (sum ^ graph->neighbours[i]) * UINT64_C(0x100000001b3);
    }
    return sum;
}

static void check_rows(const struct graph *graph, uint32_t nodes, uint64_t edges)
{
    ck_assert_uint_eq(graph->first_node, 1);
    ck_assert_uint_eq(graph_node_count(graph), nodes);
    ck_assert_uint_eq(graph->edge_count, edges);
    ck_assert_uint_eq(graph->offsets[0], 0);
    ck_assert_uint_eq(graph->offsets[1], 0);
    ck_assert_uint_eq(graph->offsets[graph->node_limit], edges);
    for (uint32_t node = 1; node < graph->node_limit; node++) {
        require(graph->offsets[node] <= graph->offsets[node + 1]);
        for (uint64_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
            require(graph_has_node(graph, graph->neighbours[e]));
            require(e == graph->offsets[node] || graph->neighbours[e - 1] <= graph->neighbours[e]);
        }
    }
}

START_TEST(nodes_and_edges_are_exactly_as_asked_and_rows_ascend)
{
    static const struct {
        uint32_t nodes;
        uint64_t edges;
    } sizes[] = {{1, 0}, {1, 1},      {1, 9},        {2, 1},     {3, 1000},    {10, 0},
                 {7, 7}, {100, 1262}, {1000, 12600}, {5000, 17}, {257, 65537}, {4096, 51707}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct graph graph = generate(sizes[i].nodes, sizes[i].edges, i, 0);
        check_rows(&graph, sizes[i].nodes, sizes[i].edges);
        graph_free(&graph);
    }
}
END_TEST

START_TEST(the_same_seed_gives_the_same_bits_on_every_machine)
{
    struct graph graph = generate(1000, 12600, 1, 0);
    ck_assert_uint_eq(checksum(&graph), UINT64_C(10658196213644423652));
    graph_free(&graph);
    graph = generate(20000, 252000, 42, 0);
    ck_assert_uint_eq(checksum(&graph), UINT64_C(17592046726732301974));
    graph_free(&graph);
}
END_TEST

START_TEST(the_graph_does_not_depend_on_the_number_of_threads)
{
    struct graph one = generate(20000, 252000, 3, 1);
    for (unsigned threads = 2; threads <= 7; threads += 5) {
        struct graph many = generate(20000, 252000, 3, threads);
        ck_assert(same(&one, &many));
        graph_free(&many);
    }
    graph_free(&one);
}
END_TEST

START_TEST(another_seed_gives_another_graph)
{
    struct graph one = generate(1000, 12600, 1, 1), two = generate(1000, 12600, 2, 1);
    ck_assert(!same(&one, &two));
    graph_free(&one);
    graph_free(&two);
}
END_TEST

START_TEST(a_matrix_market_file_loads_to_the_very_same_graph_in_either_order)
{
    static const uint32_t nodes[] = {1, 1, 2, 2, 50, 50, 3000, 3000};
    for (size_t i = 0; i < COUNT_OF(nodes); i++) {
        struct graph graph = generate(nodes[i], nodes[i] * UINT64_C(12), 5, 0), loaded;
        struct graph_error error;
        const char *path = path_of("graph.mtx");
        ck_assert_msg(write_graph(&graph, GRAPH_OUTPUT_MATRIX_MARKET, i % 2 == 1, path, &error),
                      "%s", error.message);
        ck_assert_msg(graph_load(path, NULL, &loaded, &error), "%s", error.message);
        ck_assert(same(&graph, &loaded));
        ck_assert_int_eq(count_files(), 1);
        graph_free(&loaded);
        graph_free(&graph);
    }
}
END_TEST

START_TEST(an_edge_list_has_the_same_edges)
{
    struct graph graph = generate(500, 6000, 5, 0), loaded;
    struct graph_error error;
    const char *path = path_of("graph.txt");
    ck_assert(write_graph(&graph, GRAPH_OUTPUT_EDGES, false, path, &error));
    ck_assert_msg(graph_load(path, NULL, &loaded, &error), "%s", error.message);
    ck_assert_uint_eq(loaded.edge_count, graph.edge_count);
    ck_assert_mem_eq(loaded.neighbours, graph.neighbours,
                     (size_t)graph.edge_count * sizeof(uint32_t));
    ck_assert_mem_eq(loaded.offsets, graph.offsets, loaded.node_limit * sizeof(uint64_t));
    graph_free(&loaded);
    graph_free(&graph);
}
END_TEST

START_TEST(a_graph_with_node_0_is_written_with_ids_from_1_in_matrix_market)
{
    uint64_t offsets[] = {0, 2, 3};
    uint32_t neighbours[] = {1, 0, 1};
    struct graph graph = {
        .node_limit = 2, .edge_count = 3, .offsets = offsets, .neighbours = neighbours};
    struct graph loaded;
    struct graph_error error;
    const char *path = path_of("graph.mtx");
    ck_assert(write_graph(&graph, GRAPH_OUTPUT_MATRIX_MARKET, true, path, &error));
    ck_assert(graph_load(path, NULL, &loaded, &error));
    ck_assert_uint_eq(loaded.node_limit, 3);
    ck_assert_uint_eq(loaded.edge_count, 3);
    ck_assert_uint_eq(loaded.neighbours[0], 1);
    ck_assert_uint_eq(loaded.neighbours[1], 2);
    ck_assert_uint_eq(loaded.neighbours[2], 2);
    graph_free(&loaded);
}
END_TEST

START_TEST(a_failed_write_leaves_the_old_file_and_nothing_else)
{
    struct graph graph = generate(20000, 252000, 1, 0);
    struct graph_error error;
    const char *path = path_of("graph.mtx");
    FILE *old = fopen(path, "w");
    ck_assert_ptr_nonnull(old);
    fputs("old\n", old);
    fclose(old);
    struct rlimit limit, saved;
    getrlimit(RLIMIT_FSIZE, &saved);
    limit = saved;
    limit.rlim_cur = 1500000;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool done = write_graph(&graph, GRAPH_OUTPUT_MATRIX_MARKET, false, path, &error);
    setrlimit(RLIMIT_FSIZE, &saved);
    ck_assert(!done);
    ck_assert_ptr_nonnull(strstr(error.message, "graph.mtx: cannot write: "));
    ck_assert_int_eq(count_files(), 1);
    char line[8] = "";
    old = fopen(path, "r");
    ck_assert_ptr_nonnull(old);
    ck_assert_ptr_nonnull(fgets(line, sizeof(line), old));
    fclose(old);
    ck_assert_str_eq(line, "old\n");
    graph_free(&graph);
}
END_TEST

START_TEST(a_full_device_and_a_missing_folder_are_errors_with_the_path)
{
    struct graph graph = generate(100, 1000, 1, 0);
    struct graph_error error;
    ck_assert(!write_graph(&graph, GRAPH_OUTPUT_EDGES, false, "/dev/full", &error));
    ck_assert_str_eq(error.message, "/dev/full: cannot write: No space left on device");
    const char *path = path_of("missing/graph.mtx");
    ck_assert(!write_graph(&graph, GRAPH_OUTPUT_EDGES, false, path, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "missing/graph.mtx: cannot create: No such file"));
    graph_free(&graph);
}
END_TEST

static struct graph make(struct graph_generate_options options)
{
    struct graph graph;
    struct graph_error error;
    ck_assert_msg(graph_generate(&options, &graph, &error), "%s", error.message);
    ck_assert(graph_check(&graph));
    return graph;
}

static uint64_t largest_degree(const struct graph *graph)
{
    uint64_t most = 0;
    for (uint32_t node = 1; node < graph->node_limit; node++) {
        most = graph_out_degree(graph, node) > most ? graph_out_degree(graph, node) : most;
    }
    return most;
}

START_TEST(a_kronecker_graph_has_the_degrees_that_graph500_gives_it)
{
    const struct graph_generate_options options = {
        .model = GRAPH_MODEL_KRONECKER, .nodes = 1 << 14, .edges = 16 << 14, .seed = 1};
    struct graph graph = make(options);
    uint64_t loops = 0, isolated = 0;
    ck_assert_uint_eq(graph_node_count(&graph), 1 << 14);
    for (uint32_t node = 1; node < graph.node_limit; node++) {
        isolated += graph_out_degree(&graph, node) == 0;
        for (uint64_t e = graph.offsets[node]; e < graph.offsets[node + 1]; e++) {
            loops += graph.neighbours[e] == node;
        }
    }
    ck_assert_uint_eq(graph.edge_count, 2 * options.edges - loops);
    /* A loop falls into the quarters A and D at every level: 16 * 2^14 * 0.62^14. */
    ck_assert_double_eq_tol((double)loops, 325, 5 * 18);
    /* The largest hub is in the quarters A and B, or A and C, at every level. */
    ck_assert_double_eq_tol((double)largest_degree(&graph), 2 * 262144 * 0.0214485, 500);
    ck_assert_double_eq_tol((double)isolated / graph_node_count(&graph), 0.235, 0.02);
    /* Each edge has its opposite. */
    struct graph_error error = {0};
    ck_assert(graph_add_reverse(&graph, 0, NULL, &error));
    ck_assert_mem_eq(graph.offsets, graph.in_offsets, (graph.node_limit + 1) * sizeof(uint64_t));
    ck_assert_mem_eq(graph.neighbours, graph.in_neighbours,
                     (size_t)graph.edge_count * sizeof(uint32_t));
    graph_free(&graph);
}
END_TEST

START_TEST(a_uniform_graph_has_degrees_like_a_poisson_distribution)
{
    struct graph graph = make((struct graph_generate_options){
        .model = GRAPH_MODEL_UNIFORM, .nodes = 20000, .edges = 200000, .seed = 1});
    double squares = 0;
    uint32_t empty = 0;
    check_rows(&graph, 20000, 200000);
    for (uint32_t node = 1; node < graph.node_limit; node++) {
        double off = (double)graph_out_degree(&graph, node) - 10;
        squares += off * off;
        empty += graph_out_degree(&graph, node) == 0;
    }
    ck_assert_double_eq_tol(squares / 20000, 10, 0.5); /* the variance is the mean */
    ck_assert_uint_le(empty, 8);                       /* 20000 / e^10 is 0.9 */
    ck_assert_uint_le(largest_degree(&graph), 35);
    graph_free(&graph);
}
END_TEST

START_TEST(a_grid_links_each_node_to_those_beside_above_and_below)
{
    struct graph graph =
        make((struct graph_generate_options){.model = GRAPH_MODEL_GRID, .nodes = 12, .columns = 4});
    static const uint32_t middle[] = {2, 5, 7, 10};
    uint64_t degrees[5] = {0};
    ck_assert_uint_eq(graph.edge_count, 34);
    for (uint32_t node = 1; node < graph.node_limit; node++) {
        degrees[graph_out_degree(&graph, node)]++;
    }
    ck_assert(degrees[2] == 4 && degrees[3] == 6 && degrees[4] == 2);
    ck_assert_mem_eq(graph.neighbours + graph.offsets[6], middle, sizeof(middle));
    graph_free(&graph);
    graph =
        make((struct graph_generate_options){.model = GRAPH_MODEL_GRID, .nodes = 3, .columns = 3});
    ck_assert_uint_eq(graph.edge_count, 4);
    graph_free(&graph);
    graph =
        make((struct graph_generate_options){.model = GRAPH_MODEL_GRID, .nodes = 1, .columns = 1});
    ck_assert_uint_eq(graph.edge_count, 0);
    graph_free(&graph);
}
END_TEST

START_TEST(every_model_gives_the_same_bits_on_every_machine_and_with_any_threads)
{
    static const struct {
        struct graph_generate_options options;
        uint64_t checksum;
    } cases[] = {
        {{.model = GRAPH_MODEL_KRONECKER, .nodes = 4096, .edges = 65536, .seed = 1},
         UINT64_C(7728890831099508976)},
        {{.model = GRAPH_MODEL_KRONECKER, .nodes = 2, .edges = 9, .seed = 7},
         UINT64_C(11109973278064393718)},
        {{.model = GRAPH_MODEL_UNIFORM, .nodes = 5000, .edges = 70000, .seed = 1},
         UINT64_C(1742488181275710777)},
        {{.model = GRAPH_MODEL_GRID, .nodes = 600, .columns = 20}, UINT64_C(14470116299620961133)},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (unsigned threads = 1; threads <= 3; threads++) {
            struct graph_generate_options options = cases[i].options;
            options.threads = threads;
            struct graph graph = make(options);
            ck_assert_msg(checksum(&graph) == cases[i].checksum, "%zu: %llu", i,
                          (unsigned long long)checksum(&graph));
            graph_free(&graph);
        }
    }
}
END_TEST

START_TEST(sizes_that_make_no_sense_or_do_not_fit_are_refused)
{
    struct graph graph;
    struct graph_error error;
    struct graph_generate_options none = {.nodes = 0, .edges = 0};
    ck_assert(!graph_generate(&none, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "0 nodes is outside 1..4294967294"));
    struct graph_generate_options huge = {.nodes = 10, .edges = UINT64_MAX};
    ck_assert(!graph_generate(&huge, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "MiB are available"));
    ck_assert_ptr_null(graph.offsets);
    ck_assert_ptr_null(graph.neighbours);
    if (SIZE_MAX == UINT32_MAX) { /* of which a process of 32 bits can address a few */
        struct graph_generate_options many = {.nodes = (uint32_t)1 << 26};
        ck_assert(!graph_generate(&many, &graph, &error));
        ck_assert_ptr_nonnull(strstr(error.message, "MiB are available"));
    }
    struct graph_generate_options odd = {.model = GRAPH_MODEL_KRONECKER, .nodes = 12};
    ck_assert(!graph_generate(&odd, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "12 nodes, which is not a power of 2"));
    struct graph_generate_options ragged = {.model = GRAPH_MODEL_GRID, .nodes = 12, .columns = 5};
    ck_assert(!graph_generate(&ragged, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "12 nodes, which 5 columns do not divide"));
}
END_TEST

START_TEST(a_spec_gives_the_options_and_leaves_defaults_for_the_rest)
{
    static const struct {
        const char *spec;
        uint32_t nodes;
        uint64_t edges, seed;
    } cases[] = {
        {"generate:nodes=400k,edges=5M,seed=1", 400000, 5000000, 1},
        {"generate:seed=9,edges=12.6M,nodes=1M", 1000000, 12600000, 9},
        {"generate:", 400000, 5049796, 1},
        {"generate:nodes=3566907", 3566907, 45030389, 1},
        {"generate:wikipedia", 3566907, 45030389, 1},
        {"generate:wikipedia,seed=18446744073709551615", 3566907, 45030389, UINT64_MAX},
        {"generate:nodes=1,edges=0", 1, 0, 1},
        {"generate:kronecker", 65536, 1048576, 1},
        {"generate:kronecker,seed=3,scale=10", 1024, 16384, 3},
        {"generate:uniform,nodes=1k", 1000, 16000, 1},
        {"generate:uniform,edges=5M,seed=2", 400000, 5000000, 2},
        {"generate:grid,rows=30,columns=40", 1200, 0, 0},
        {"generate:grid,rows=30", 900, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph_generate_options options;
        struct graph_error error;
        ck_assert(graph_generate_is_spec(cases[i].spec));
        ck_assert_msg(graph_generate_parse(cases[i].spec, &options, &error), "%s", error.message);
        ck_assert_uint_eq(options.nodes, cases[i].nodes);
        ck_assert_uint_eq(options.edges, cases[i].edges);
        ck_assert_uint_eq(options.seed, cases[i].seed);
        ck_assert_uint_eq(options.threads, 0);
    }
    ck_assert(!graph_generate_is_spec("generate.mtx"));
    ck_assert(!pairs_generate_is_spec("random.txt"));
}
END_TEST

START_TEST(junk_in_a_spec_is_refused_with_what_was_found)
{
    static const struct {
        const char *spec, *message;
    } cases[] = {
        {"generate:nodes=0", "nodes 0 is outside 1..4294967294"},
        {"generate:nodes=4294967295", "nodes 4294967295 is outside"},
        {"generate:nodes=-1", "found \"-1\""},
        {"generate:nodes=", "found \"\""},
        {"generate:nodes", "found \"nodes\""},
        {"generate:nodes=1k,nodes=2k", "nodes is given twice"},
        {"generate:edges=1.5", "found \"1.5\""},
        {"generate:edges=1.2345k", "found \"1.2345k\""},
        {"generate:edges=1.k", "found \"1.k\""},
        {"generate:edges=k", "found \"k\""},
        {"generate:edges=12 ", "found \"12 \""},
        {"generate:edges=99999999999999999999", "found \"99999999999999999999\""},
        {"generate:edges=99999999999999999G", "found \"99999999999999999G\""},
        {"generate:edges=18446744073709551615", "is outside 0..18446744073709551614"},
        {"generate:uniform,edges=18446744073709551615", "is outside 0..18446744073709551614"},
        {"generate:colour=red", "found \"colour=red\""},
        {"generate:wikipedia,nodes=5", "nodes is given twice"},
        {"generate:nodes=5,wikipedia", "found \"wikipedia\""},
        {"generate:seed=1,", "found \"\""},
        {"generate:,", "found \"\""},
        {"graph.mtx", "expected generate:"},
        {"generate:kronecker,scale=32", "scale 32 is outside 1..31"},
        {"generate:kronecker,nodes=5", "expected scale=N, seed=N, found"},
        {"generate:kronecker,", "found \"\""},
        {"generate:kroneckers", "found \"kroneckers\""},
        {"generate:scale=5", "or first kronecker, uniform or grid, found \"scale=5\""},
        {"generate:grid,seed=5", "expected rows=N, columns=N, found \"seed=5\""},
        {"generate:grid,rows=1M,columns=1M", "more than 4294967294 nodes"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph_generate_options options;
        struct graph_error error;
        ck_assert_msg(!graph_generate_parse(cases[i].spec, &options, &error), "%s", cases[i].spec);
        ck_assert_msg(strstr(error.message, cases[i].message) != NULL, "%s", error.message);
        ck_assert_int_eq(strncmp(error.message, cases[i].spec, strlen(cases[i].spec)), 0);
    }
}
END_TEST

START_TEST(a_pairs_spec_is_read_and_junk_refused)
{
    struct pairs_generate_options options;
    struct graph_error error;
    ck_assert(pairs_generate_parse("random:100,seed=7", &options, &error));
    ck_assert_uint_eq(options.count, 100);
    ck_assert_uint_eq(options.seed, 7);
    ck_assert(pairs_generate_parse("random:seed=3,2k", &options, &error));
    ck_assert_uint_eq(options.count, 2000);
    ck_assert(pairs_generate_parse("random:1M,targets=4k", &options, &error));
    ck_assert_uint_eq(options.targets, 4000);
    ck_assert(pairs_generate_parse("random:", &options, &error));
    ck_assert_uint_eq(options.count, 100);
    static const char *const junk[] = {
        "random:0",  "random:x",          "random:1,2", "random:=5",
        "random:1,", "random:seed=",      "random:n=5", "random:1,seed=1,seed=2",
        "pairs.txt", "random:1,targets=0"};
    for (size_t i = 0; i < COUNT_OF(junk); i++) {
        ck_assert_msg(!pairs_generate_parse(junk[i], &options, &error), "%s", junk[i]);
        ck_assert_int_eq(strncmp(error.message, junk[i], strlen(junk[i])), 0);
    }
}
END_TEST

START_TEST(random_pairs_cover_all_nodes_evenly_and_follow_the_seed)
{
    enum { NODES = 50, COUNT = 50000 };
    struct graph graph = {.first_node = 1, .node_limit = NODES + 1};
    struct pairs_generate_options options = {COUNT, 7, 1}, other = {COUNT, 8, 1};
    struct pairs pairs, again, different;
    struct graph_error error;
    size_t sources[NODES + 1] = {0}, targets[NODES + 1] = {0};
    ck_assert(pairs_generate(&graph, &options, &pairs, &error));
    ck_assert(pairs_generate(&graph, &options, &again, &error));
    ck_assert(pairs_generate(&graph, &other, &different, &error));
    ck_assert_uint_eq(pairs.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        require(graph_has_node(&graph, pairs.items[i].source));
        require(graph_has_node(&graph, pairs.items[i].target));
        sources[pairs.items[i].source]++;
        targets[pairs.items[i].target]++;
    }
    for (size_t node = 1; node <= NODES; node++) {
        /* 1000 each on average, 31 standard deviation */
        ck_assert(sources[node] > 800 && sources[node] < 1200);
        ck_assert(targets[node] > 800 && targets[node] < 1200);
    }
    ck_assert_mem_eq(pairs.items, again.items, COUNT * sizeof(*pairs.items));
    ck_assert_mem_ne(pairs.items, different.items, COUNT * sizeof(*pairs.items));
    pairs_free(&pairs);
    pairs_free(&again);
    pairs_free(&different);
    struct graph empty = {0};
    ck_assert(!pairs_generate(&empty, &options, &pairs, &error));
    ck_assert_str_eq(error.message, "random pairs: the graph has no nodes");
}
END_TEST

START_TEST(pairs_are_written_one_a_line)
{
    struct graph graph = {.first_node = 1, .node_limit = 1001};
    struct pairs_generate_options options = {.count = 300, .seed = 7};
    struct pairs pairs, loaded;
    struct graph_error error;
    const char *path = path_of("pairs.txt");
    ck_assert(pairs_generate(&graph, &options, &pairs, &error));
    ck_assert(pairs_write(&graph, &pairs, "a comment", path, &error));
    ck_assert_msg(pairs_load(path, &graph, &loaded, &error), "%s", error.message);
    ck_assert_uint_eq(loaded.count, 300);
    ck_assert_mem_eq(loaded.items, pairs.items, 300 * sizeof(*pairs.items));
    pairs_free(&loaded);
    pairs_free(&pairs);
}
END_TEST

START_TEST(degrees_are_as_in_the_real_graph)
{
    struct graph graph = generate(30000, 378735, 1, 0);
    struct graph_stats degrees = {0};
    uint32_t small_rows = 0;
    ck_assert(graph_stats_degrees(&graph, &degrees));
    for (uint32_t node = graph.first_node; node < graph.node_limit; node++) {
        small_rows += graph_out_degree(&graph, node) >= 1 && graph_out_degree(&graph, node) <= 4;
    }
    ck_assert_uint_gt(degrees.in_degree_max, 1000);
    ck_assert_uint_gt(degrees.out_degree_max, 100);
    ck_assert_uint_gt(small_rows, 30000 / 3);
    ck_assert_uint_gt(degrees.sinks, 30000 / 20);
    graph_free(&graph);
}
END_TEST

/* Run graph-convert with these arguments, its output to a file; returns the exit status. */
static int run_program(const char *arguments)
{
    char command[1000];
    snprintf(command, sizeof(command), "'%s' %s >'%s/out' 2>'%s/err'", PW_GRAPH_CONVERT, arguments,
             folder, folder);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(the_program_writes_what_the_function_generates)
{
    if (getenv("PW_EMULATED") != NULL) {
        return; /* an emulator runs this suite, but not what it starts */
    }
    char arguments[300];
    snprintf(arguments, sizeof(arguments), "generate:nodes=2k,edges=25k,seed=3 '%s/graph.mtx'",
             folder);
    ck_assert_int_eq(run_program(arguments), 0);
    struct graph graph = generate(2000, 25000, 3, 0), loaded;
    struct graph_error error;
    ck_assert_msg(graph_load(path_of("graph.mtx"), NULL, &loaded, &error), "%s", error.message);
    ck_assert(same(&graph, &loaded));
    graph_free(&loaded);
    ck_assert_int_eq(run_program("generate:nodes=2k,edges=25k,seed=3 - --to=matrix-market"), 0);
    ck_assert(graph_load(path_of("out"), NULL, &loaded, &error));
    ck_assert(same(&graph, &loaded));
    graph_free(&loaded);
    struct pairs pairs;
    ck_assert_int_eq(run_program("generate:nodes=2k - --pairs 40 --seed 7"), 0);
    ck_assert(pairs_load(path_of("out"), &graph, &pairs, &error));
    struct pairs wanted;
    const struct pairs_generate_options forty = {.count = 40, .seed = 7};
    ck_assert(pairs_generate(&graph, &forty, &wanted, &error));
    ck_assert_uint_eq(pairs.count, 40);
    ck_assert_mem_eq(pairs.items, wanted.items, 40 * sizeof(*pairs.items));
    pairs_free(&wanted);
    pairs_free(&pairs);
    graph_free(&graph);
}
END_TEST

START_TEST(the_program_refuses_with_the_right_exit_status)
{
    if (getenv("PW_EMULATED") != NULL) {
        return; /* an emulator runs this suite, but not what it starts */
    }
    char arguments[300];
    ck_assert_int_eq(run_program("--help"), 0);
    ck_assert_int_eq(run_program("--version"), 0);
    ck_assert_int_eq(run_program("generate:nodes=0 - --to edges"), 1);
    ck_assert_int_eq(run_program("generate:nodes=9"), 2);
    ck_assert_int_eq(run_program("generate:nodes=9 - --colour red"), 2);
    ck_assert_int_eq(run_program("generate:nodes=9 - --to xml"), 2);
    ck_assert_int_eq(run_program("generate:nodes=9 - --pairs 0"), 2);
    ck_assert_int_eq(run_program("generate:nodes=9 - --pairs 5 --to edges"), 2);
    ck_assert_int_eq(run_program("generate:nodes=9 - --pairs 5 --with-reverse"), 2);
    ck_assert_int_eq(run_program("generate:nodes=9 - --pairs 5 --write-names=names"), 2);
    ck_assert_int_eq(run_program("generate:nodes=9 - --to dimacs --by-target"), 2);
    ck_assert_int_eq(run_program("generate:nodes=9 - --to edges --by-target --order bfs"), 1);
    ck_assert_int_eq(run_program("generate:nodes=10,edges=10000000000000 - --to edges"), 1);
    snprintf(arguments, sizeof(arguments), "generate:nodes=10 '%s/missing/x.pwg'", folder);
    ck_assert_int_eq(run_program(arguments), 1);
}
END_TEST

int main(void)
{
    return suite_run("generate", make_folder, remove_folder,
                     (const TTest *[]){
                         nodes_and_edges_are_exactly_as_asked_and_rows_ascend,
                         the_same_seed_gives_the_same_bits_on_every_machine,
                         the_graph_does_not_depend_on_the_number_of_threads,
                         another_seed_gives_another_graph,
                         sizes_that_make_no_sense_or_do_not_fit_are_refused,
                         a_kronecker_graph_has_the_degrees_that_graph500_gives_it,
                         a_uniform_graph_has_degrees_like_a_poisson_distribution,
                         a_grid_links_each_node_to_those_beside_above_and_below,
                         every_model_gives_the_same_bits_on_every_machine_and_with_any_threads,
                         a_spec_gives_the_options_and_leaves_defaults_for_the_rest,
                         junk_in_a_spec_is_refused_with_what_was_found,
                         a_pairs_spec_is_read_and_junk_refused,
                         random_pairs_cover_all_nodes_evenly_and_follow_the_seed,
                         degrees_are_as_in_the_real_graph,
                         a_matrix_market_file_loads_to_the_very_same_graph_in_either_order,
                         an_edge_list_has_the_same_edges,
                         a_graph_with_node_0_is_written_with_ids_from_1_in_matrix_market,
                         a_failed_write_leaves_the_old_file_and_nothing_else,
                         a_full_device_and_a_missing_folder_are_errors_with_the_path,

                         pairs_are_written_one_a_line,
                         the_program_writes_what_the_function_generates,
                         the_program_refuses_with_the_right_exit_status,
                         NULL,
                     });
}
