/*
 * test_path.c - what only the files beneath libpwgraph show of a path: which lists are read, what
 * ends a count, graphs that contradict themselves; the plain search that judges answers; and bfs
 * asked a single question, in a pipe, or with several threads. Every question of the list
 * (path_questions.h) is asked in test_library_paths.c and test_answers.c.
 */
#include "base/macros.h"
#include "bfs/engines/engines.h"
#include "bfs/engines/parts/walk.h"
#include "bfs/run/answer_check.h"
#include "tests/support/all_paths.h"
#include "tests/support/path_questions.h"
#include "tests/support/program.h"
#include "tests/support/random_graph.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"

struct listing {
    const struct graph *graph;
    struct pair pair;
    uint64_t count;
    uint32_t last[NODES_MAX + 1];
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

/*
 * Node 0 leads to all of a layer. Each of them has a long list; only the last one of the layer
 * leads to the target. After the search the lists of the others are overwritten with the target.
 */
START_TEST(a_path_is_read_without_the_lists_of_nodes_that_do_not_lead_there)
{
    enum { WIDTH = 2000, DEGREE = 20, TARGET = WIDTH + 1, NODES = WIDTH + 2 + WIDTH };
    struct random_graph made = random_graph_begin(0, NODES, WIDTH + WIDTH * DEGREE);
    struct graph *graph = &made.graph;
    for (uint32_t u = 0; u <= WIDTH; u++) {
        graph->offsets[u + 1] = u == 0 ? WIDTH : DEGREE;
    }
    random_graph_end(&made, false);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        graph->neighbours[i] = i < WIDTH                   ? 1 + i
                               : i + 1 < graph->edge_count ? TARGET + 1 + i % WIDTH
                                                           : TARGET;
    }
    random_graph_add_reverse(&made);
    const size_t others = (WIDTH - 1) * (size_t)DEGREE;
    uint32_t *kept = malloc(others * sizeof(*kept));
    ck_assert_ptr_nonnull(kept);
    memcpy(kept, graph->neighbours + WIDTH, others * sizeof(*kept));
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        struct search_result result;
        uint32_t path[3] = {0};
        void *workspace = (*engine)->create(graph, NULL);
        (*engine)->search(workspace, 0, TARGET, NULL, &result);
        require_msg(result.hops == 2, "%s: %u hops", (*engine)->name, result.hops);
        for (size_t i = 0; i < others; i++) {
            graph->neighbours[WIDTH + i] = TARGET;
        }
        require((*engine)->path(workspace, path, COUNT_OF(path)));
        require_msg(path[0] == 0 && path[1] == WIDTH && path[2] == TARGET, "%s: by node %u",
                    (*engine)->name, path[1]);
        memcpy(graph->neighbours + WIDTH, kept, others * sizeof(*kept));
        (*engine)->destroy(workspace);
    }
    free(kept);
    random_graph_free(&made);
}
END_TEST

/* Also in a graph where several nodes have the same lowest bits. */
START_TEST(a_path_is_the_same_without_the_reverse_adjacency)
{
    uint32_t paths[2][256];
    graph_rng = random_start("paths without the reverse adjacency");
    for (int number = 0; number < 300; number++) {
        struct random_graph made =
            number == 0 ? random_graph_create(1, 150000, 250000, false)
                        : random_graph_create(draw(2), 1 + draw(200), draw(800), draw(2) == 0);
        struct graph forwards = made.graph;
        forwards.in_offsets = NULL;
        forwards.in_neighbours = NULL;
        for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
            void *left = (*engine)->create(&made.graph, NULL);
            void *right = (*engine)->create(&forwards, NULL);
            require(left != NULL);
            for (int i = 0; right != NULL && i < 8; i++) {
                const uint32_t source = random_node(&made.graph, false);
                const uint32_t target = random_node(&made.graph, false);
                struct search_result result;
                (*engine)->search(right, source, target, NULL, &result);
                (*engine)->search(left, source, target, NULL, &result);
                require_equal((*engine)->path(left, paths[0], COUNT_OF(paths[0])), result.found);
                require_equal((*engine)->path(right, paths[1], COUNT_OF(paths[1])), result.found);
                require_msg(!result.found || memcmp(paths[0], paths[1],
                                                    (result.hops + 1) * sizeof(**paths)) == 0,
                            "%s: %u to %u", (*engine)->name, source, target);
            }
            (*engine)->destroy(left);
            (*engine)->destroy(right);
        }
        random_graph_free(&made);
    }
}
END_TEST

/* Level k is a part of layer k. Levels of 256 nodes and more are divided, but not dense. */
START_TEST(a_walk_by_threads_through_sparse_levels_is_whole)
{
    enum { WIDTH = 300, NODES = 600 * WIDTH };
    struct random_graph made = layered_graph(WIDTH, 600);
    uint32_t *hops = malloc(2 * NODES * sizeof(*hops)), *parents = hops + NODES;
    ck_assert_ptr_nonnull(hops);
    for (unsigned threads = 1; threads <= 3; threads++) {
        const uint32_t source = 0;
        const struct walk_plan plan = {.sources = &source,
                                       .source_count = 1,
                                       .hops_max = SEARCH_HOPS_NONE,
                                       .parents = parents};
        struct search_result result;
        struct walk *walk = walk_create(&made.graph, threads);
        ck_assert_ptr_nonnull(walk);
        walk_find(walk, &plan, &result);
        walk_write_hops(walk, hops);
        for (uint32_t node = 0; node < NODES; node++) {
            const bool is_reached = node % WIDTH <= node / WIDTH;
            require_equal(hops[node], is_reached ? node / WIDTH : SEARCH_HOPS_NONE);
            require_equal(parents[node] != SEARCH_HOPS_NONE, is_reached && node > 0);
            require(!is_reached || node == 0 || hops[parents[node]] + 1 == hops[node]);
        }
        walk_destroy(walk);
    }
    free(hops);
    random_graph_free(&made);
}
END_TEST

/* Search with some nodes to avoid, and compare with a walk over everything. */
static void avoid_and_compare(struct path_count *paths, struct distances *distances,
                              const uint32_t *avoided, size_t avoided_count)
{
    const struct graph *graph = distances->graph;
    const struct distances_walk walk = {.avoided = avoided, .avoided_count = avoided_count};
    struct search_result result;
    uint32_t nodes[64];
    require(path_count_avoid(paths, avoided, avoided_count));
    for (int i = 0; i < 20; i++) {
        const uint32_t source = random_node(graph, false);
        distances_find_more(distances, source, &walk, &result);
        if (distances->reached > 0) { /* the source is not to be avoided */
            uint64_t reached = 0, within = 0;
            require(path_count_reach(paths, source, UINT64_MAX, &reached));
            require_equal(reached, distances->reached);
            require(path_count_reach(paths, source, draw(300), &within));
            require(within == 0 || within == reached);
        }
        for (int k = 0; k < 5; k++) {
            const uint32_t target = random_node(graph, false);
            uint64_t count = path_count_search(paths, source, target, NULL, &result);
            require_equal(result.status, SEARCH_DONE);
            require_equal(result.hops, distances_to(distances, target));
            require(result.found == (count > 0));
            require(result.pushed <= result.edges);        /* each was found by an edge ... */
            require(result.expanded <= result.pushed + 2); /* ... but for the two ends */
            if (result.found) {
                require(path_count_path(paths, nodes, COUNT_OF(nodes)));
                require(path_is_valid(graph, source, target, result.hops, nodes));
            }
            for (size_t a = 0; result.found && a < avoided_count; a++) {
                for (uint32_t at = 0; at <= result.hops; at++) {
                    require(nodes[at] != avoided[a]);
                }
            }
            if (result.found && avoided_count == 0) {
                struct path_graph all;
                require(all_paths_find(graph, (struct pair){source, target}, &all));
                require_equal(count, all.count_at_most);
                require(path_count_find(paths, source, target, result.hops, UINT64_MAX, &count));
                require_equal(count, all.count_at_most);
                path_graph_free(&all);
            }
        }
    }
    require(avoiding_engine.check(paths));
}

START_TEST(thousands_of_nodes_are_avoided_and_forgotten_again)
{
    enum { NODES = 6000 };
    static const size_t sizes[] = {0, 3, 2000, 1023, 0, 1024, 4000, 1, 0};
    graph_rng = random_start("avoided nodes of a large graph");
    struct random_graph made = random_graph_create(0, NODES, 5 * NODES, true);
    struct distances distances;
    struct path_count paths;
    uint32_t *avoided = malloc(NODES * sizeof(*avoided));
    random_graph_add_reverse(&made);
    ck_assert(distances_open(&distances, &made.graph) && path_count_open(&paths, &made.graph));
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        for (size_t k = 0; k < sizes[i]; k++) {
            avoided[k] = draw(NODES); /* also repeats */
        }
        avoid_and_compare(&paths, &distances, avoided, sizes[i]);
    }
    path_count_close(&paths);
    distances_close(&distances);
    free(avoided);
    random_graph_free(&made);
}
END_TEST

static struct random_graph ladder_graph(struct ladder ladder)
{
    uint32_t *targets, *sources = ladder_make(ladder, &targets);
    struct random_graph made =
        graph_of_edges(0, ladder_nodes(ladder), sources, targets, ladder_edges(ladder));
    free(sources);
    return made;
}

START_TEST(counting_ends_at_its_bound_and_at_the_largest_number)
{
    for (size_t i = 0; i < LADDERS; i++) {
        struct random_graph made = ladder_graph(ladders[i]);
        struct path_count paths;
        const uint32_t hops = ladders[i].layers + 1;
        char wanted[LADDER_DIGITS];
        ladder_power(ladders[i], wanted);
        ck_assert(path_count_open(&paths, &made.graph));
        for (int again = 0; again < 2; again++) {
            uint64_t counted = 0;
            ck_assert(path_count_find(&paths, 0, 1, hops, UINT64_MAX, &counted));
            ck_assert_uint_eq(counted, ladder_at_most(wanted));
            ck_assert(path_count_find(&paths, 0, 1, hops, hops - 1, &counted));
            ck_assert_uint_eq(counted, 0);
        }
        path_count_close(&paths);
        random_graph_free(&made);
    }
}
END_TEST

/* The search's region ends: from now on the rest is to stop. */
static void set_flag(void *flag)
{
    *(volatile sig_atomic_t *)flag = 1;
}

static void do_nothing(void *unused)
{
    (void)unused;
}

START_TEST(a_graph_of_paths_is_given_up_when_its_search_has_ended_and_the_limits_say_so)
{
    struct random_graph made = ladder_graph((struct ladder){20000, 2});
    volatile sig_atomic_t cancel = 0;
    const struct search_region region = {do_nothing, set_flag, (void *)(uintptr_t)&cancel};
    const struct search_limits limits = {.cancel = &cancel, .region = &region};
    struct path_count search;
    struct path_graph paths;
    struct search_result result;
    ck_assert(path_count_open(&search, &made.graph));
    for (uint32_t longer = 0; longer < 2; longer++) {
        cancel = 0;
        ck_assert_int_eq(path_graph_make_longer(&paths, &search, 0, 1, longer, &limits, &result),
                         PATH_GRAPH_ENDED);
        ck_assert_int_eq(result.status, SEARCH_CANCELLED);
        ck_assert(!result.found && paths.nodes == NULL && paths.count_at_most == 0);
    }
    path_count_close(&search);
    random_graph_free(&made);
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

START_TEST(adjacencies_that_contradict_each_other_give_no_shortest_path)
{
    uint64_t offsets[] = {0, 1, 2, 2};
    uint32_t neighbours[] = {1, 2};
    /* As in snapshots from strangers: 2 -> 2 for 1 -> 2; 1 -> 2 twice, no 0 -> 1; 2 -> 1 -> 2. */
    uint64_t in_offsets[][4] = {{0, 0, 1, 2}, {0, 0, 0, 2}, {0, 0, 1, 2}};
    uint32_t in_neighbours[][2] = {{0, 2}, {1, 1}, {2, 1}};
    for (size_t i = 0; i < COUNT_OF(in_offsets); i++) {
        struct graph graph = {.node_limit = 3,
                              .edge_count = 2,
                              .offsets = offsets,
                              .neighbours = neighbours,
                              .in_offsets = in_offsets[i],
                              .in_neighbours = in_neighbours[i]};
        struct listing listing = {.graph = &graph, .pair = {0, 2}};
        struct path_graph paths;
        ck_assert(all_paths_find(&graph, listing.pair, &paths));
        ck_assert(path_graph_walk(&paths, UINT64_MAX, check_path, &listing));
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
}
END_TEST

START_TEST(each_line_of_a_pipe_is_answered_before_the_next_one_comes)
{
    static const char talk[] = /* a child of a shell ignores SIGINT */
        "dir=$(mktemp -d); mkfifo $dir/in $dir/out; "
        "env --default-signal=INT $BFS $GRAPH - -f csv --path <$dir/in >$dir/out & "
        "exec 3>$dir/in 4<$dir/out; echo shoe milk >&3; read -r heading <&4; "
        "read -r first <&4; echo '# a comment' >&3; echo cheese shoe >&3; read -r second <&4; "
        "echo \"$heading\" | cut -d, -f 1-6; echo \"$first\" | cut -d, -f 1-6; "
        "echo \"$second\" | cut -d, -f 1-6; ";
    static const char said[] = "trial,search,source,target,found,hops\n"
                               "1,1,shoe,milk,1,2\n1,2,cheese,shoe,0,\n";
    char command[900];
    snprintf(command, sizeof(command), "%s exec 3>&-; wait $!; status=$?; rm -r $dir; exit $status",
             talk);
    assert_shell(command, 0, said);
    snprintf(command, sizeof(command),
             "%s kill -INT $!; wait $!; status=$?; rm -r $dir; exit $status", talk);
    assert_shell(command, 130, "bfs: interrupted after 2 searches");
    assert_shell("{ printf 'shoe\tmilk\n\n'; printf 'shoe\tmilk'; } | $BFS $GRAPH - --quiet", 0,
                 "searches                      2\n");
    assert_shell("printf 'shoe milk\nshoe chese\n' | $BFS $GRAPH - -f csv --path 2>&1", 1,
                 "bfs: standard input:2: target: no node is called \"chese\"; did you mean cheese");
    assert_shell("printf 'shoe milk\nshoe chese\n' | $BFS $GRAPH - -f csv --path", 1, "");
    assert_shell("echo shoe | $BFS $GRAPH -", 1, "standard input:1: expected two names or ids");
}
END_TEST

START_TEST(a_line_of_a_pipe_is_no_longer_than_a_mebibyte)
{
    static const struct {
        unsigned bytes;
        const char *wanted;
    } lines[] = {{1 << 20, "bfs: standard input:2: expected two names or ids"},
                 {(1 << 20) + 1, "bfs: standard input:2: the line is longer than 1.0 MiB"},
                 {9000000, "bfs: standard input:2: the line is longer than 1.0 MiB"}};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        char command[300];
        const char *const ends[] = {"\nshoe\tmilk\n", ""};
        for (size_t end = 0; end < 2; end++) {
            snprintf(command, sizeof(command),
                     "{ echo shoe milk; head -c %u /dev/zero | tr '\\0' x; printf '%s'; } | "
                     "$BFS $GRAPH - -f csv",
                     lines[i].bytes, ends[end]);
            assert_shell(command, 1, lines[i].wanted);
        }
    }
}
END_TEST

START_TEST(a_long_line_without_a_tab_is_refused_at_once)
{
    assert_shell("yes shoe | head -n 200000 | tr '\n' ' ' | { ulimit -t 20; $BFS $GRAPH -; }", 1,
                 "bfs: standard input:1: expected two names or ids, found \"shoe shoe");
}
END_TEST

START_TEST(pairs_of_a_pipe_are_searched_on_the_processor_that_is_asked_for)
{
    assert_shell(
        "dir=$(mktemp -d); mkfifo $dir/in $dir/out; "
        "cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/self/status); "
        "$BFS $GRAPH - -f csv --cpu $cpu <$dir/in >$dir/out & exec 3>$dir/in 4<$dir/out; "
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
        assert_shell("yes shoe milk | head -n 9 | $BFS $GRAPH - 2>&1 >/dev/full", 1, why);
        assert_shell("$BFS $GRAPH --from shoe --histogram 2>&1 >/dev/full", 1, why);
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
        (const TTest *[]){
            a_path_is_read_without_the_lists_of_nodes_that_do_not_lead_there,
            a_path_is_the_same_without_the_reverse_adjacency,
            a_walk_by_threads_through_sparse_levels_is_whole,
            thousands_of_nodes_are_avoided_and_forgotten_again,
            counting_ends_at_its_bound_and_at_the_largest_number,
            a_graph_of_paths_is_given_up_when_its_search_has_ended_and_the_limits_say_so,
            adjacencies_that_contradict_each_other_give_no_shortest_path,
            a_path_is_valid_only_if_every_edge_of_it_is_there,
            a_wrong_answer_and_a_wrong_path_are_caught,
            one_question_is_answered_with_its_path_by_every_engine,
            each_line_of_a_pipe_is_answered_before_the_next_one_comes,
            a_line_of_a_pipe_is_no_longer_than_a_mebibyte,
            a_long_line_without_a_tab_is_refused_at_once,
            pairs_of_a_pipe_are_searched_on_the_processor_that_is_asked_for,
            an_answer_that_cannot_be_written_is_a_failure_that_says_why,
            options_that_do_not_go_together_are_refused,
            the_report_is_the_same_for_any_number_of_threads, NULL});
}
