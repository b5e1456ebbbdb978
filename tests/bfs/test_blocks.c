/*
 * test_blocks.c - a snapshot that is read by block: a wrong byte is refused or has no effect on the
 * answer, whatever happens to the file meanwhile.
 */
#include "base/macros.h"
#include "bfs/answers/answer.h"
#include "bfs/pwgraph/paths/path_count.h"
#include "bfs/pwgraph/pwgraph_hold.h"
#include "data/graph/graph_blocks.h"
#include "data/load/graph_load.h"
#include "data/load/pairs_load.h"
#include "data/make/graph_order.h"
#include "data/names/name_finder.h"
#include "data/store/graph_snapshot.h"
#include "tests/support/fixture_file.h"
#include "tests/support/random_graph.h"
#include "tests/support/suite.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NODES 4000
#define EDGES 40000

static const struct graph_options by_block = {.by_block = true, .build_reverse = true};

/* A name of a node, long enough that the names take many blocks. */
static void name_of(char text[64], uint32_t node)
{
    snprintf(text, 64, "The article %u of a small encyclopaedia", node);
}

static struct random_graph make_graph(uint64_t seed, bool has_names)
{
    graph_rng.state = seed;
    struct random_graph made = random_graph_create(0, NODES, EDGES, false);
    struct graph *graph = &made.graph;
    char text[64];
    graph->names = has_names ? graph_names_create() : NULL;
    require(graph->names != NULL || !has_names);
    for (uint32_t node = 0; graph->names != NULL && node < NODES; node++) {
        name_of(text, node);
        require(graph_names_add_plain(graph->names, text, strlen(text)));
    }
    return made;
}

static const char *save(const struct random_graph *made, const char *name)
{
    struct graph_error error = {0};
    const char *path = fixture_path(name);
    ck_assert_msg(graph_snapshot_save(&made->graph, path, NULL, 0, NULL, &error), "%s",
                  error.message);
    return path;
}

static struct graph load(const char *path, const struct graph_options *options)
{
    struct graph graph;
    struct graph_error error;
    require_msg(graph_load(path, options, &graph, &error), "%s", error.message);
    return graph;
}

/* The number of shortest paths in the graph that was made. */
static uint64_t count_paths(const struct random_graph *made, struct pair pair, uint32_t hops)
{
    struct path_count paths;
    uint64_t count = 0;
    require(path_count_open(&paths, &made->graph));
    require(path_count_find(&paths, pair.source, pair.target, hops, UINT64_MAX, &count));
    path_count_close(&paths);
    return count;
}

/* All shortest paths after a question. True if they were found, and are then right. */
static bool ask_for_all(struct asker *asker, const struct answer *answer, struct command_error *why)
{
    char count[24];
    struct pwgraph_paths *paths = asker_paths(asker, answer, 0, 3, why);
    if (paths == NULL) {
        return false;
    }
    snprintf(count, sizeof(count), "%llu", (unsigned long long)answer->path_count);
    require_equal(paths->hops, answer->hops);
    require_msg(strcmp(paths->count, count) == 0, "%s", paths->count);
    pwgraph_paths_free(paths);
    return true;
}

/* Ask for a path between two names, and for all. True if an answer came, which is then right. */
static bool ask(struct graph *graph, const struct random_graph *made, const uint32_t *hops,
                struct pair pair, struct graph_error *error)
{
    char from[64], to[64];
    struct asker asker;
    struct answer answer;
    struct pwgraph_error damage;
    struct command_error why = {""};
    struct question asked = {0, 0};
    name_of(from, pair.source);
    name_of(to, pair.target);
    *error = (struct graph_error){0};
    struct pwgraph *held = pwgraph_hold(graph, NULL, NULL);
    require(held != NULL);
    struct pwgraph_match source, target;
    if (!pwgraph_resolve(held, from, NULL, &source) || !pwgraph_resolve(held, to, NULL, &target)) {
        require(pwgraph_is_damaged(held, &damage));
        snprintf(error->message, sizeof(error->message), "%s", damage.text);
        pwgraph_free(held);
        return false;
    }
    require_equal(asked.source = source.node, pair.source);
    require_equal(asked.target = target.node, pair.target);
    require(asker_open(&asker, held, "bidirectional", 0, NULL, false, &why));
    const bool answered = asker_ask(&asker, asked, &answer, &why) &&
                          asker_complete(&asker, &answer, &why) &&
                          ask_for_all(&asker, &answer, &why);
    if (answered) {
        require_equal(answer.found, hops[pair.target] != SEARCH_HOPS_NONE);
        require_equal(answer.hops, hops[pair.target]);
        for (uint32_t i = 0; answer.found && i <= answer.hops; i++) {
            name_of(from, answer.nodes[i]);
            require_msg(strcmp(answer.path[i], from) == 0, "%s", answer.path[i]);
        }
        if (answer.found) {
            assert_path(&made->graph, pair.source, pair.target, answer.hops, answer.nodes);
            require_equal(answer.path_count, count_paths(made, pair, answer.hops));
        }
    } else {
        snprintf(error->message, sizeof(error->message), "%.400s", why.message);
    }
    asker_close(&asker);
    pwgraph_free(held);
    return answered;
}

/* The blocks of a file that were read. */
static uint64_t count_read(const struct graph *graph)
{
    uint64_t read = 0;
    for (uint64_t word = 0; word <= graph->blocks->length / GRAPH_BLOCK_BYTES / 64; word++) {
        read += (uint64_t)__builtin_popcountll(graph->blocks->good[word]);
    }
    return read;
}

START_TEST(a_question_reads_a_part_of_the_file_and_its_answer_is_right)
{
    struct random_graph made = make_graph(1, true);
    const char *path = save(&made, "graph.pwg");
    for (uint32_t i = 0; i < 40; i++) {
        struct graph graph = load(path, &by_block);
        struct graph_error error;
        struct stat status;
        const struct pair pair = {draw(NODES), draw(NODES)};
        uint32_t *hops = distances_from(&made, pair.source);
        ck_assert_ptr_nonnull(graph.blocks);
        ck_assert_msg(ask(&graph, &made, hops, pair, &error), "%s", error.message);
        const uint64_t read = count_read(&graph);
        ck_assert_int_eq(stat(path, &status), 0);
        if (hops[pair.target] != SEARCH_HOPS_NONE) { /* else all of it is searched */
            require(read > 0 && read * GRAPH_BLOCK_BYTES < (uint64_t)status.st_size);
        }
        free(hops);
        graph_free(&graph);
    }
    random_graph_free(&made);
}
END_TEST

/* The state of the file is good, except for the byte at a place. */
static void edit(int fd, off_t at, unsigned char change)
{
    unsigned char byte;
    require(pread(fd, &byte, 1, at) == 1);
    byte ^= change;
    require(pwrite(fd, &byte, 1, at) == 1);
}

START_TEST(a_name_is_found_in_few_blocks_and_in_a_bad_one_it_is_not_unknown)
{
    struct random_graph made = make_graph(10, true);
    const char *path = save(&made, "names.pwg");
    unsigned refused = 0;
    int fd = open(path, O_RDWR);
    for (uint32_t node = 0; node < NODES; node += 200) {
        struct graph graph = load(path, &by_block);
        struct name_finder finder;
        struct graph_error error = {0};
        char name[64];
        struct name_match match;
        name_of(name, node);
        require(name_finder_open(&finder, &graph));
        const uint64_t read = count_read(&graph);
        require_equal(name_finder_find(&finder, name, strlen(name), NULL, &match), NAME_EXACT);
        require_equal(match.node, node);
        require(count_read(&graph) <= read + 12 && !graph_is_damaged(&graph, NULL));
        const off_t buckets = (const unsigned char *)graph.names->buckets - graph.blocks->base;
        name_finder_close(&finder);
        graph_free(&graph);
        for (off_t block = 0; block < NODES / 10 * 64; block += (off_t)GRAPH_BLOCK_BYTES) {
            edit(fd, buckets + block + node % 64, 1);
            graph = load(path, &by_block);
            require(name_finder_open(&finder, &graph));
            const bool is_exact =
                name_finder_find(&finder, name, strlen(name), NULL, &match) == NAME_EXACT;
            require(is_exact != graph_is_damaged(&graph, &error));
            refused += !is_exact;
            name_finder_close(&finder);
            graph_free(&graph);
            edit(fd, buckets + block + node % 64, 1);
        }
    }
    ck_assert_uint_ge(refused, NODES / 200); /* for each name the block of its bucket */
    close(fd);
    random_graph_free(&made);
}
END_TEST

/* Write two circles of half the nodes, and a node that leads into the first. */
static const char *save_circles(void)
{
    static char text[NODES * 16];
    const uint32_t half = NODES / 2;
    const struct graph_options with_reverse = {.build_reverse = true};
    struct graph_error error = {0};
    size_t used = (size_t)snprintf(text, sizeof(text), "%d 0\n", NODES);
    for (uint32_t node = 0; node < NODES; node++) {
        const uint32_t next = node % half + 1 < half ? node + 1 : node + 1 - half;
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%u %u\n", node, next);
    }
    struct graph graph = load(fixture_text("circles.txt", text), &with_reverse);
    const char *path = fixture_path("circles.pwg");
    require(graph_snapshot_save(&graph, path, NULL, 0, NULL, &error));
    graph_free(&graph);
    return path;
}

static bool has_read_other_circle(const struct graph *graph)
{
    const uint64_t block =
        (uint64_t)((const unsigned char *)&graph->offsets[NODES * 3 / 4] - graph->blocks->base) /
        GRAPH_BLOCK_BYTES;
    return (graph->blocks->good[block / 64] >> block % 64 & 1) != 0;
}

START_TEST(counting_what_a_node_leads_to_reads_only_that_and_can_be_interrupted)
{
    const struct question to_itself = {NODES, NODES}; /* no edge leads there */
    const char *path = save_circles();
    for (int is_cancelled = 0; is_cancelled < 2; is_cancelled++) {
        volatile sig_atomic_t cancel = 0;
        struct graph graph = load(path, &by_block);
        struct pwgraph *held = pwgraph_hold(&graph, NULL, NULL);
        struct asker asker;
        struct answer answer;
        struct command_error error = {""};
        ck_assert(asker_open(&asker, held, "bidirectional", 0, &cancel, false, &error));
        ck_assert(asker_ask(&asker, to_itself, &answer, &error) && !answer.found);
        cancel = is_cancelled;
        ck_assert_int_eq(asker_complete(&asker, &answer, &error), !is_cancelled);
        ck_assert_str_eq(error.message, is_cancelled ? "interrupted" : "");
        ck_assert_uint_eq(answer.reached, is_cancelled ? 0 : NODES / 2 + 1);
        ck_assert(!has_read_other_circle(&graph));
        asker_close(&asker);
        pwgraph_free(held);
        graph_free(&graph);
    }
}
END_TEST

START_TEST(all_shortest_paths_read_the_lists_on_the_way_alone)
{
    const char *path = save_circles();
    struct graph graph = load(path, &by_block);
    struct asker asker;
    struct answer answer;
    struct command_error error = {""};
    struct pwgraph *held = pwgraph_hold(&graph, NULL, NULL);
    ck_assert(asker_open(&asker, held, "bidirectional", 0, NULL, false, &error));
    ck_assert(asker_ask(&asker, (struct question){1, 9}, &answer, &error) && answer.found);
    for (uint32_t longer = 0; longer < 2; longer++) {
        struct pwgraph_paths *paths = asker_paths(&asker, &answer, longer, 5, &error);
        ck_assert_str_eq(paths->count, longer > 0 ? "0" : "1");
        pwgraph_paths_free(paths);
    }
    ck_assert(!has_read_other_circle(&graph));
    asker_close(&asker);
    pwgraph_free(held);
    graph_free(&graph);
}
END_TEST

START_TEST(a_mapped_block_is_compared_with_what_was_checked)
{
    struct random_graph made = make_graph(11, false);
    struct graph graph = load(save(&made, "graph.pwg"), &by_block);
    struct graph_error error = {0};
    unsigned char *last = (unsigned char *)&graph.offsets[NODES] -
                          ((const unsigned char *)&graph.offsets[NODES] - graph.blocks->base) %
                              (ptrdiff_t)GRAPH_BLOCK_BYTES;
    graph.blocks->copied_max = 0;
    ck_assert(graph_allows(&graph, graph.offsets, sizeof(uint64_t))); /* the file is mapped now */
    ck_assert_uint_eq(graph.offsets[0], 0);
    /* Where the system shows another content in the mapping than it gave to read: */
    ck_assert(mmap(last, GRAPH_BLOCK_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                   0) == last);
    ck_assert(!graph_allows(&graph, last, sizeof(uint64_t)));
    ck_assert(graph_is_damaged(&graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "corrupt: block "));
    graph_free(&graph);
    random_graph_free(&made);
}
END_TEST

/* Renumber a graph and save it; with sparse ids and no names, or with names. */
static const char *save_renumbered(struct random_graph *made, bool is_sparse)
{
    struct graph_error error = {0};
    struct graph *graph = &made->graph;
    require(graph_renumber(graph, GRAPH_ORDER_DEGREE, &error));
    require(graph_add_reverse(graph, 1, NULL, &error));
    for (uint32_t node = 0; node < NODES && is_sparse; node++) {
        graph->original_ids[node] = 7 + 3 * graph->original_ids[node];
    }
    return save(made, "renumbered.pwg");
}

/* Find nodes by their names or ids. False if a block is bad; what is found is right. */
static bool find_nodes(const struct random_graph *made, const char *path)
{
    struct graph graph = load(path, &by_block);
    struct node_index index;
    char text[64];
    ck_assert_ptr_nonnull(graph.blocks);
    ck_assert(node_index_init(&index, &graph) && index.order == NULL);
    for (uint32_t node = 0; node < NODES; node++) {
        const uint32_t id = made->graph.original_ids[node];
        uint32_t found = GRAPH_NODE_NONE;
        if (made->graph.names != NULL) {
            name_of(text, id);
        } else {
            snprintf(text, sizeof(text), "%u", id);
        }
        const bool is_found = node_index_find(&index, text, strlen(text), &found);
        require(is_found ? found == node : graph_is_damaged(&graph, NULL));
        require(graph_original_id(&graph, node) == id || graph_is_damaged(&graph, NULL));
    }
    const bool good = !graph_is_damaged(&graph, NULL);
    require(!good ||
            (!node_index_find(&index, "8", 1, &(uint32_t){0}) || made->graph.names != NULL));
    node_index_free(&index);
    graph_free(&graph);
    return good;
}

START_TEST(nodes_of_a_renumbered_graph_are_found_by_block)
{
    for (int is_sparse = 0; is_sparse < 2; is_sparse++) {
        struct random_graph made = make_graph(12, !is_sparse);
        const char *path = save_renumbered(&made, is_sparse);
        struct graph graph = load(path, &by_block);
        const unsigned char *parts[] = {(const unsigned char *)graph.original_ids,
                                        (const unsigned char *)graph.id_order};
        const uint64_t read = count_read(&graph);
        ck_assert(find_nodes(&made, path));
        ck_assert_uint_lt(read, 12); /* opening has read no ids */
        int fd = open(path, O_RDWR);
        for (size_t part = 0; part < COUNT_OF(parts); part++) {
            for (off_t at = 0; at < NODES * 4; at += 999) {
                edit(fd, parts[part] - graph.blocks->base + at, 16);
                ck_assert(!find_nodes(&made, path));
                edit(fd, parts[part] - graph.blocks->base + at, 16);
            }
        }
        close(fd);
        graph_free(&graph);
        random_graph_free(&made);
    }
}
END_TEST

START_TEST(a_file_that_is_cut_short_or_replaced_while_it_is_open_gives_no_wrong_answer)
{
    struct random_graph made = make_graph(5, true), other = make_graph(6, true);
    struct graph_error error;
    struct stat status;
    uint32_t *hops = distances_from(&made, 5);
    unsigned refused = 0;
    const char *path = save(&made, "graph.pwg");
    ck_assert_int_eq(stat(path, &status), 0);
    for (off_t length = status.st_size; length > 0; length -= status.st_size / 20) {
        save(&made, "graph.pwg");
        struct graph graph = load(path, &by_block);
        const struct pair pair = {5, draw(NODES)};
        ck_assert_int_eq(truncate(path, length), 0);
        refused += !ask(&graph, &made, hops, pair, &error);
        graph_free(&graph);
        struct graph again;
        ck_assert(length == status.st_size || !graph_load(path, &by_block, &again, &error));
    }
    ck_assert_uint_gt(refused, 5);
    save(&made, "graph.pwg");
    struct graph graph = load(path, &by_block);
    save(&other, "graph.pwg"); /* another file under the name */
    for (uint32_t target = 0; target < NODES; target += 100) {
        const struct pair pair = {5, target};
        ck_assert_msg(ask(&graph, &made, hops, pair, &error), "%s", error.message);
    }
    graph_free(&graph);
    free(hops);
    random_graph_free(&made);
    random_graph_free(&other);
}
END_TEST

int main(void)
{
    return suite_run(
        "blocks", NULL, NULL,
        (const TTest *[]){
            a_question_reads_a_part_of_the_file_and_its_answer_is_right,
            a_name_is_found_in_few_blocks_and_in_a_bad_one_it_is_not_unknown,
            counting_what_a_node_leads_to_reads_only_that_and_can_be_interrupted,
            all_shortest_paths_read_the_lists_on_the_way_alone,
            a_mapped_block_is_compared_with_what_was_checked,
            nodes_of_a_renumbered_graph_are_found_by_block,
            a_file_that_is_cut_short_or_replaced_while_it_is_open_gives_no_wrong_answer, NULL});
}
