/*
 * test_path.c - paths, all shortest paths, the plain search that judges answers, and bfs asked a
 * single question, in a pipe, or with several threads.
 */
#include "bfs/engines/engines.h"
#include "bfs/run/answer_check.h"
#include "tests/support/all_paths.h"
#include "tests/support/program.h"
#include "tests/support/random_graph.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"

#define PATHS_MAX 100000

/* All shortest paths by trying every way out of the source, without the reverse adjacency. */
static uint64_t count_by_trying(const struct graph *graph, uint32_t node, uint32_t target,
                                uint32_t hops)
{
    uint64_t count = 0;
    if (hops == 0) {
        return node == target;
    }
    for (uint64_t i = graph->offsets[node]; i < graph->offsets[node + 1]; i++) {
        bool seen = false;
        for (uint64_t j = graph->offsets[node]; j < i; j++) {
            seen = seen || graph->neighbours[j] == graph->neighbours[i];
        }
        count += seen ? 0 : count_by_trying(graph, graph->neighbours[i], target, hops - 1);
    }
    return count;
}

struct listing {
    const struct graph *graph;
    struct pair pair;
    uint64_t count;
    uint32_t last[64];
};

static bool check_path(void *context, const uint32_t *nodes, uint32_t hops)
{
    struct listing *listing = context;
    require(path_is_valid(listing->graph, listing->pair.source, listing->pair.target, hops, nodes));
    size_t bytes = (hops + 1) * sizeof(*nodes);
    require(bytes <= sizeof(listing->last));
    require(listing->count == 0 || memcmp(listing->last, nodes, bytes) != 0);
    memcpy(listing->last, nodes, bytes);
    listing->count++;
    return true;
}

START_TEST(all_shortest_paths_are_counted_and_listed_as_by_trying_every_way)
{
    for (uint64_t seed = 1; seed < 400; seed++) {
        graph_rng.state = seed;
        uint32_t nodes = 1 + draw(12);
        struct random_graph made =
            random_graph_create((uint32_t)seed % 2, nodes, draw(nodes * 4), seed % 3 == 0);
        struct distances distances;
        ck_assert(distances_open(&distances, &made.graph));
        for (uint32_t s = made.graph.first_node; s < made.graph.node_limit; s++) {
            distances_find(&distances, s);
            uint32_t *expected = distances_from(&made, s);
            for (uint32_t t = made.graph.first_node; t < made.graph.node_limit; t++) {
                struct listing listing = {.graph = &made.graph, .pair = {s, t}};
                uint64_t count = 0;
                uint32_t hops = distances_to(&distances, t);
                require_equal(hops, expected[t]);
                struct path_graph paths;
                require(all_paths_find(&made.graph, (struct pair){s, t}, &paths));
                require(path_graph_walk(&paths, PATHS_MAX, check_path, &listing));
                count = paths.count_at_most;
                path_graph_free(&paths);
                require_equal(count, listing.count);
                require_equal(
                    count, hops == SEARCH_HOPS_NONE ? 0 : count_by_trying(&made.graph, s, t, hops));
            }
            free(expected);
        }
        distances_close(&distances);
        random_graph_free(&made);
    }
}
END_TEST

START_TEST(a_path_is_valid_only_if_every_edge_of_it_is_there)
{
    uint64_t offsets[] = {0, 1, 3, 3};
    uint32_t neighbours[] = {1, 2, 1};
    struct graph graph = {
        .node_limit = 3, .edge_count = 3, .offsets = offsets, .neighbours = neighbours};
    ck_assert(path_is_valid(&graph, 0, 2, 2, (const uint32_t[]){0, 1, 2}));
    ck_assert(path_is_valid(&graph, 1, 1, 1, (const uint32_t[]){1, 1}));
    ck_assert(!path_is_valid(&graph, 0, 2, 1, (const uint32_t[]){0, 2}));
    ck_assert(!path_is_valid(&graph, 0, 1, 2, (const uint32_t[]){0, 1, 2}));
    ck_assert(!path_is_valid(&graph, 1, 2, 2, (const uint32_t[]){0, 1, 2}));
    ck_assert(!path_is_valid(&graph, 0, 0, 0, (const uint32_t[]){0}));
}
END_TEST

START_TEST(a_reverse_adjacency_without_the_way_back_gives_no_shortest_path)
{
    uint64_t offsets[] = {0, 1, 2, 2};
    uint32_t neighbours[] = {1, 2};
    /* As in snapshots from strangers: 2 -> 2 for 1 -> 2; and 1 -> 2 twice, no 0 -> 1. */
    uint64_t in_offsets[][4] = {{0, 0, 1, 2}, {0, 0, 0, 2}};
    uint32_t in_neighbours[][2] = {{0, 2}, {1, 1}};
    for (size_t i = 0; i < 2; i++) {
        struct graph graph = {.node_limit = 3,
                              .edge_count = 2,
                              .offsets = offsets,
                              .neighbours = neighbours,
                              .in_offsets = in_offsets[i],
                              .in_neighbours = in_neighbours[i]};
        struct listing listing = {.graph = &graph, .pair = {0, 2}};
        struct path_graph paths;
        ck_assert(all_paths_find(&graph, listing.pair, &paths));
        ck_assert(path_graph_walk(&paths, PATHS_MAX, check_path, &listing));
        ck_assert_uint_eq(paths.count_at_most, 0);
        ck_assert_uint_eq(listing.count, 0);
        path_graph_free(&paths);
    }
}
END_TEST

/* An engine that answers wrongly: a hop too many, or nodes that are no path. */
static void lie(void *workspace, uint32_t source, uint32_t target,
                const struct search_limits *limits, struct search_result *result)
{
    (void)workspace;
    (void)source;
    (void)target;
    (void)limits;
    *result = (struct search_result){.found = true, .hops = 2};
}

static bool lie_path(void *workspace, uint32_t *nodes, size_t capacity)
{
    (void)workspace;
    ck_assert_uint_ge(capacity, 3);
    nodes[0] = 0;
    nodes[1] = 2;
    nodes[2] = 1;
    return true;
}

START_TEST(a_wrong_answer_and_a_wrong_path_are_caught)
{
    uint64_t offsets[] = {0, 1, 3, 3};
    uint32_t neighbours[] = {1, 2, 1};
    struct graph graph = {
        .node_limit = 3, .edge_count = 3, .offsets = offsets, .neighbours = neighbours};
    const struct search_engine liar = {.name = "liar", .search = lie, .path = lie_path};
    struct search_result result;
    struct answer_check check;
    struct command_error error;
    ck_assert(answer_check_open(&check, &graph, false, true));
    liar.search(&check, 0, 1, NULL, &result);
    ck_assert(!answer_check(&check, &liar, &check, (struct pair){0, 1}, &result, &error));
    ck_assert_str_eq(error.message, "0 to 1: liar says 2 hops, the check 1 hops");
    ck_assert(!answer_check(&check, &liar, &check, (struct pair){2, 1}, &result, &error));
    ck_assert_str_eq(error.message, "2 to 1: liar says 2 hops, the check no path");
    ck_assert(!answer_check(&check, &liar, &check, (struct pair){0, 2}, &result, &error));
    ck_assert_str_eq(error.message, "0 to 2: the path of liar is not in the graph");
    answer_check_close(&check);
}
END_TEST

static const char *links(void)
{
    return fixture_text("links.tsv", "shoe\tleather\nshoe\tfoot\nleather\tmilk\nfoot\tmilk\n"
                                     "milk\tcheese\ncheese\tmilk\nshoe\tfoot\nsocks\tshoe\n");
}

/* Run a line of shell, with $BFS and $GRAPH; assert its status and what its output has. */
static void assert_shell(const char *line, int status, const char *expected)
{
    char command[4000];
    snprintf(command, sizeof(command),
             "PATH=\"$(dirname '%s'):$PATH\"; BFS=bfs; GRAPH=%s; { %s; } 2>&1", PW_BFS, links(),
             line);
    struct program_result result =
        program_run_to(NULL, (const char *const[]){"/bin/sh", "-c", command, NULL});
    ck_assert_msg(result.status == status, "%s\n%d: %s", line, result.status, result.out);
    ck_assert_msg(strstr(result.out, expected) != NULL, "%s\nexpected: %s\nfound: %s", line,
                  expected, result.out);
    program_free(&result);
}

START_TEST(one_question_is_answered_with_its_path_by_every_engine)
{
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        char line[300];
        snprintf(line, sizeof(line), "$BFS $GRAPH --from socks --to cheese --path --engine=%s",
                 (*engine)->name);
        assert_shell(line, 0, "socks -> shoe -> ");
        assert_shell(line, 0, " -> milk -> cheese");
        snprintf(line, sizeof(line), "$BFS $GRAPH --from milk --to milk -f csv --path -e %s",
                 (*engine)->name);
        assert_shell(line, 0, "milk -> cheese -> milk");
    }
    assert_shell(
        "$BFS $GRAPH --from cheese --to socks", 0,
        "cheese does not lead to socks\nsocks leads to cheese in 4 hops\ncheese leads to ");
}
END_TEST

START_TEST(all_shortest_paths_and_the_nodes_at_each_distance_are_reported)
{
    assert_shell("$BFS $GRAPH --from shoe --to cheese --all-shortest", 0,
                 "shoe -> leather -> milk -> cheese");
    assert_shell("$BFS $GRAPH --from shoe --to cheese --all-shortest", 0,
                 "shoe -> foot -> milk -> cheese");
    assert_shell("$BFS $GRAPH --from shoe --to cheese --all-shortest=1 -f json -e classic", 0,
                 "\"shortest_path_count\":2,");
    assert_shell("$BFS $GRAPH --from shoe --histogram -f csv | tr '\\n' ' '", 0,
                 "hops,nodes,nodes_so_far 0,1,1 1,2,3 2,1,4 3,1,5 ");
}
END_TEST

START_TEST(questions_in_a_pipe_are_answered_by_a_line_of_json_each)
{
    assert_shell(
        "printf 'shoe\\tmilk\\n' | $BFS $GRAPH --interactive | sed 's/\"seconds\":[0-9.]*,//'", 0,
        "{\"from\":\"shoe\",\"to\":\"milk\",\"found\":true,\"hops\":2,\"path\":[\"shoe\",");
    assert_shell("echo cheese shoe | $BFS $GRAPH --interactive", 0,
                 "\"found\":false,\"hops\":null");
    assert_shell("echo shoe chese | $BFS $GRAPH --interactive", 0,
                 "{\"error\":\"no node is called \\\"chese\\\"\",\"suggestions\":[\"cheese\"");
    assert_shell("echo '?sh' | $BFS $GRAPH --interactive", 0, "{\"completions\":[\"shoe\"]");
    assert_shell("echo shoe | $BFS $GRAPH --interactive", 0, "{\"error\":\"expected two nodes");
    assert_shell("{ printf 'shoe\tmilk\n\n'; printf 'shoe\tmilk'; } | $BFS $GRAPH --interactive |"
                 " grep -c '\"hops\":2'",
                 0, "2\n");
    assert_shell(
        "dir=$(mktemp -d); mkfifo $dir/in $dir/out; " /* a child of a shell ignores SIGINT */
        "env --default-signal=INT $BFS $GRAPH --interactive <$dir/in >$dir/out & "
        "exec 3>$dir/in 4<$dir/out; echo shoe milk >&3; read -r answer <&4; kill -INT $!; "
        "wait $!; status=$?; rm -r $dir; exit $status",
        130, "bfs: interrupted");
}
END_TEST

START_TEST(a_question_is_no_longer_than_a_mebibyte)
{
    static const struct {
        unsigned bytes;
        const char *wanted;
    } lines[] = {{1 << 20, "{\"error\":\"expected two nodes with a tab"},
                 {(1 << 20) + 1, "{\"error\":\"a line is longer than 1 MiB\"}\n"},
                 {9000000, "{\"error\":\"a line is longer than 1 MiB\"}\n"}};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        char command[300];
        const char *const ends[] = {"\\nshoe\\tmilk\\n", "\\nshoe\\tmilk", ""};
        for (size_t end = 0; end < 3; end++) {
            snprintf(command, sizeof(command),
                     "{ head -c %u /dev/zero | tr '\\0' x; printf '%s'; } | "
                     "$BFS $GRAPH --interactive | cut -c -60",
                     lines[i].bytes, ends[end]);
            assert_shell(command, 0, lines[i].wanted);
            if (end < 2) {
                assert_shell(command, 0, "\n{\"from\":\"shoe\",\"to\":\"milk\",\"found\":true");
            }
        }
    }
}
END_TEST

START_TEST(a_long_question_without_a_tab_is_answered_at_once)
{
    assert_shell("yes shoe | head -n 200000 | tr '\\n' ' ' | "
                 "{ ulimit -t 20; $BFS $GRAPH --interactive; }",
                 0, "{\"error\":\"no node is called \\\"shoe shoe");
}
END_TEST

START_TEST(questions_are_answered_on_the_processor_that_is_asked_for)
{
    assert_shell(
        "dir=$(mktemp -d); mkfifo $dir/in $dir/out; "
        "cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/self/status); "
        "$BFS $GRAPH --interactive --cpu $cpu <$dir/in >$dir/out & exec 3>$dir/in 4<$dir/out; "
        "echo shoe milk >&3; read -r answer <&4; "
        "grep -w \"^Cpus_allowed_list:.$cpu$\" /proc/$!/status && echo pinned; "
        "exec 3>&-; wait $!; status=$?; rm -r $dir; exit $status",
        0, "pinned");
}
END_TEST

START_TEST(an_answer_that_cannot_be_written_is_a_failure_that_says_why)
{
    static const char why[] = "bfs: cannot write standard output: No space left on device\n";
    if (access("/dev/full", W_OK) == 0) {
        assert_shell("yes shoe milk | head -n 9 | $BFS $GRAPH --interactive 2>&1 >/dev/full", 1,
                     why);
        assert_shell("$BFS $GRAPH --from shoe --histogram 2>&1 >/dev/full", 1, why);
        assert_shell("$BFS $GRAPH --from shoe --histogram -f csv 2>&1 >/dev/full", 1, why);
        assert_shell("$BFS $GRAPH --from shoe --to milk 2>&1 >/dev/full", 1, why);
        assert_shell("$BFS $GRAPH --from shoe --to milk --all-shortest 2>&1 >/dev/full", 1, why);
    }
}
END_TEST

START_TEST(options_that_do_not_go_together_are_refused)
{
    assert_shell("$BFS $GRAPH --from shoe", 2, "--from needs --to");
    assert_shell("$BFS $GRAPH --to shoe --histogram", 2, "--histogram needs --from");
    assert_shell("$BFS $GRAPH pairs --from shoe --to milk", 2, "one too many");
    assert_shell("$BFS $GRAPH pairs --all-shortest", 2, "needs --from and --to");
    assert_shell("$BFS $GRAPH --from shoe --to slipper", 1,
                 "bfs: --to: no node is called \"slipper\"");
}
END_TEST

START_TEST(the_report_is_the_same_for_any_number_of_threads)
{
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        char line[900];
        snprintf(line, sizeof(line),
                 "run() { $BFS generate:nodes=20k,edges=250k random:16 --engine=%s --alloc=slab "
                 "--verify --format csv \"$@\" | cut -d, -f1-10; }; run > $GRAPH.1; "
                 "for o in '--threads 2' '--threads 7' '--threads 2 --parallel %s' "
                 "'--threads 2 --pin --huge-pages' --huge-pages=none; do run $o > $GRAPH.n; "
                 "cmp $GRAPH.1 $GRAPH.n || exit 1; done; wc -l < $GRAPH.1",
                 (*engine)->name, (*engine)->set_threads != NULL ? "search" : "pairs");
        assert_shell(line, 0, "17\n");
    }
}
END_TEST

int main(void)
{
    return suite_run(
        "paths", NULL, NULL,
        (const TTest *[]){all_shortest_paths_are_counted_and_listed_as_by_trying_every_way,
                          a_reverse_adjacency_without_the_way_back_gives_no_shortest_path,
                          a_path_is_valid_only_if_every_edge_of_it_is_there,
                          a_wrong_answer_and_a_wrong_path_are_caught,
                          one_question_is_answered_with_its_path_by_every_engine,
                          all_shortest_paths_and_the_nodes_at_each_distance_are_reported,
                          questions_in_a_pipe_are_answered_by_a_line_of_json_each,
                          a_question_is_no_longer_than_a_mebibyte,
                          a_long_question_without_a_tab_is_answered_at_once,
                          questions_are_answered_on_the_processor_that_is_asked_for,
                          an_answer_that_cannot_be_written_is_a_failure_that_says_why,
                          options_that_do_not_go_together_are_refused,
                          the_report_is_the_same_for_any_number_of_threads, NULL});
}
