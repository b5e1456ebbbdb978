/*
 * test_library_make.c - libpwgraph makes graphs of arrays, and saves them.
 */
#include "tests/support/library_fixture.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define EDGES_MAX 100000

static struct edge_arrays {
    uint64_t count;
    uint32_t sources[EDGES_MAX], targets[EDGES_MAX];
    uint64_t sources_64[EDGES_MAX], targets_64[EDGES_MAX];
} edges;

static void draw_edges(struct rng *rng, uint64_t count, uint32_t nodes, uint32_t step)
{
    edges.count = count;
    for (uint64_t i = 0; i < count; i++) {
        edges.sources[i] = (uint32_t)random_below(rng, nodes) * step;
        edges.targets[i] = (uint32_t)random_below(rng, nodes) * step;
        edges.sources_64[i] = edges.sources[i];
        edges.targets_64[i] = edges.targets[i];
    }
}

/* The edges by way of a text. */
static struct pwgraph *of_text(const struct pwgraph_options *options)
{
    const char *path = fixture_path("edges.txt");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    for (uint64_t i = 0; i < edges.count; i++) {
        fprintf(file, "%u %u\n", edges.sources[i], edges.targets[i]);
    }
    ck_assert_int_eq(fclose(file), 0);
    struct pwgraph *graph = pwgraph_open(path, options, &error);
    ck_assert_msg(graph != NULL, "%s", error.text);
    return graph;
}

static struct pwgraph *of_edges(unsigned bits, uint64_t nodes,
                                const struct pwgraph_options *options)
{
    return bits == 64 ? pwgraph_from_edges(edges.sources_64, edges.targets_64, edges.count, 64,
                                           nodes, options, &error)
                      : pwgraph_from_edges(edges.sources, edges.targets, edges.count, 32, nodes,
                                           options, &error);
}

/* Assert that two graphs are one. A text without an id 0 counts from 1, which changes no array. */
static void assert_same(const struct pwgraph *one, const struct pwgraph *other)
{
    struct pwgraph_arrays a, b;
    ck_assert_msg(one != NULL && other != NULL, "%s", error.text);
    pwgraph_get_arrays(one, &a);
    pwgraph_get_arrays(other, &b);
    ck_assert_uint_eq(a.node_limit, b.node_limit);
    ck_assert_uint_eq(a.edge_count, b.edge_count);
    const size_t offsets = ((size_t)a.node_limit + 1) * sizeof(*a.offsets);
    const size_t lists = (size_t)a.edge_count * sizeof(*a.neighbours);
    ck_assert_int_eq(memcmp(a.offsets, b.offsets, offsets), 0);
    ck_assert_int_eq(memcmp(a.in_offsets, b.in_offsets, offsets), 0);
    ck_assert_int_eq(memcmp(a.neighbours, b.neighbours, lists), 0);
    ck_assert_int_eq(memcmp(a.in_neighbours, b.in_neighbours, lists), 0);
    ck_assert_int_eq(a.ids == NULL, b.ids == NULL);
    if (a.ids != NULL) {
        ck_assert_int_eq(memcmp(a.ids, b.ids, (size_t)a.node_limit * sizeof(*a.ids)), 0);
    }
}

START_TEST(edges_in_memory_give_the_graph_of_their_text)
{
    struct rng rng = random_start("edges in memory");
    for (unsigned i = 0; i < 24; i++) {
        const bool compact = i % 4 == 3;
        struct pwgraph_options options = {.size = sizeof(options),
                                          .undirected = i % 4 == 1,
                                          .reverse = i % 4 == 2,
                                          .compact = compact,
                                          .threads = 1 + i % 3};
        const uint32_t nodes = 1 + (uint32_t)random_below(&rng, i % 5 == 0 ? 5000 : 30);
        const uint64_t count = i < 4 ? EDGES_MAX : 1 + random_below(&rng, 3 * nodes);
        draw_edges(&rng, count, nodes, compact ? 77 : 1);
        struct pwgraph *text = of_text(&options);
        for (unsigned bits = 32; bits <= 64; bits += 32) {
            struct pwgraph *graph = of_edges(bits, 0, &options);
            assert_same(graph, text);
            pwgraph_free(graph);
        }
        pwgraph_free(text);
    }
}
END_TEST

START_TEST(lists_give_the_same_graph_copied_and_borrowed)
{
    struct rng rng = random_start("lists in memory");
    static uint32_t offsets_32[5001];
    static uint64_t neighbours_64[EDGES_MAX];
    for (unsigned i = 0; i < 12; i++) {
        const uint32_t nodes = 1 + (uint32_t)random_below(&rng, 5000);
        struct pwgraph_arrays arrays, borrowed;
        draw_edges(&rng, random_below(&rng, 2 * nodes), nodes, 1);
        struct pwgraph *sorted = of_edges(32, nodes, NULL);
        ck_assert_msg(sorted != NULL, "%s", error.text);
        pwgraph_get_arrays(sorted, &arrays);
        ck_assert_uint_eq(arrays.node_limit, nodes);
        for (uint32_t k = 0; k <= nodes; k++) {
            offsets_32[k] = (uint32_t)arrays.offsets[k];
        }
        for (uint64_t k = 0; k < arrays.edge_count; k++) {
            neighbours_64[k] = arrays.neighbours[k];
        }
        for (unsigned way = 0; way < 8; way++) {
            const enum pwgraph_keep keep = way & 1 ? PWGRAPH_BORROW : PWGRAPH_COPY;
            const void *offsets = way & 2 ? (const void *)offsets_32 : arrays.offsets;
            const void *neighbours = way & 4 ? (const void *)neighbours_64 : arrays.neighbours;
            struct pwgraph *graph = pwgraph_from_csr(offsets, way & 2 ? 32 : 64, neighbours,
                                                     way & 4 ? 64 : 32, nodes, keep, NULL, &error);
            assert_same(graph, sorted);
            pwgraph_get_arrays(graph, &borrowed);
            ck_assert((borrowed.offsets == arrays.offsets) == ((way & 3) == 1));
            if (arrays.edge_count > 0) {
                ck_assert((borrowed.neighbours == arrays.neighbours) == ((way & 5) == 1));
            }
            pwgraph_free(graph);
        }
        pwgraph_free(sorted);
    }
}
END_TEST

START_TEST(a_graph_is_saved_and_opened_again)
{
    struct rng rng = random_start("saved graphs");
    const char *path = fixture_path("saved.pwg");
    for (unsigned i = 0; i < 6; i++) {
        struct pwgraph_options options = {.size = sizeof(options), .compact = i % 2 == 1};
        draw_edges(&rng, 1 + random_below(&rng, 900), 300, 1 + i);
        struct pwgraph *graph = of_edges(64, 0, &options);
        ck_assert_msg(pwgraph_save(graph, path, NULL, &error), "%s", error.text);
        struct pwgraph *opened = pwgraph_open(path, NULL, &error);
        assert_same(opened, graph);
        pwgraph_free(opened);
        pwgraph_free(graph);
    }
    struct pwgraph *names = open_text("Laos\tChina\nChina\tLaos\n", NULL);
    volatile int cancel = 1;
    ck_assert(!pwgraph_save(names, path, &cancel, &error));
    assert_code(PWGRAPH_CANCELLED);
    ck_assert(!pwgraph_save(names, fixture_path("none/saved.pwg"), NULL, &error));
    assert_code(PWGRAPH_NOT_WRITTEN);
    ck_assert(!pwgraph_save(names, NULL, NULL, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert(pwgraph_save(names, path, NULL, NULL));
    pwgraph_free(names);
    for (unsigned by_block = 0; by_block < 2; by_block++) {
        const struct pwgraph_options options = {
            .size = sizeof(options), .cancel = &cancel, .by_block = by_block == 1};
        ck_assert_ptr_null(pwgraph_open(path, &options, &error));
        assert_code(PWGRAPH_CANCELLED);
    }
    uint32_t node;
    names = pwgraph_open(path, NULL, &error);
    ck_assert(names != NULL && pwgraph_find(names, "China", &node));
    pwgraph_free(names);
}
END_TEST

START_TEST(a_graph_may_have_nodes_without_edges_or_no_nodes)
{
    struct pwgraph *graph = pwgraph_from_edges(NULL, NULL, 0, 32, 5, NULL, &error);
    ck_assert_msg(graph != NULL, "%s", error.text);
    ck_assert_uint_eq(pwgraph_node_count(graph), 5);
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
    ck_assert_int_eq(pwgraph_search_run(search, 1, 4, NULL), PWGRAPH_NO_PATH);
    pwgraph_search_free(search);
    pwgraph_free(graph);
    const uint64_t none = 0;
    for (int i = 0; i < 2; i++) {
        graph = i == 0 ? pwgraph_from_edges(NULL, NULL, 0, 64, 0, NULL, &error)
                       : pwgraph_from_csr(&none, 64, NULL, 32, 0, PWGRAPH_BORROW, NULL, &error);
        ck_assert_msg(graph != NULL, "%s", error.text);
        ck_assert_uint_eq(pwgraph_node_count(graph), 0);
        search = pwgraph_search_create(graph, NULL, NULL);
        ck_assert(search == NULL || pwgraph_search_run(search, 0, 0, NULL) == PWGRAPH_FAILED);
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

/* Assert that lists of 32 bits are refused. */
static void assert_lists_refused(const uint32_t *offsets, uint64_t nodes,
                                 const uint32_t *neighbours)
{
    ck_assert_ptr_null(
        pwgraph_from_csr(offsets, 32, neighbours, 32, nodes, PWGRAPH_COPY, NULL, &error));
    assert_code(PWGRAPH_BAD_INPUT);
}

static void show_nothing(void *context, const struct pwgraph_progress *progress)
{
    (void)context;
    (void)progress;
}

static void note_nothing(void *context, const char *text)
{
    (void)context;
    (void)text;
}

START_TEST(options_that_arrays_do_not_use_are_refused)
{
    static const uint32_t ids[] = {0, 1};
    volatile int cancel = 1;
    for (unsigned i = 0; i < 6; i++) {
        struct pwgraph_options options = {.size = sizeof(options)};
        options.progress = i % 3 == 0 ? show_nothing : NULL;
        options.note = i % 3 == 1 ? note_nothing : NULL;
        options.cancel = i % 3 == 2 ? &cancel : NULL;
        ck_assert_ptr_null(
            i < 3 ? pwgraph_from_csr(ids, 32, ids, 32, 1, PWGRAPH_COPY, &options, &error)
                  : pwgraph_from_edges(ids, ids, 2, 32, 0, &options, &error));
        assert_code(i % 3 == 2 ? PWGRAPH_CANCELLED : PWGRAPH_BAD_ARGUMENT);
    }
    ck_assert_ptr_null(pwgraph_from_csr(ids, 32, ids, 32, 1, (enum pwgraph_keep)7, NULL, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert_ptr_null(pwgraph_from_edges(ids, ids, UINT64_MAX, 32, 0, NULL, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
}
END_TEST

START_TEST(arrays_that_are_no_graph_are_refused)
{
    static const int64_t negative[] = {0, -1};
    static const uint64_t large[] = {0, UINT64_C(1) << 32};
    static const uint32_t ids[] = {0, 1, 2, 3};
    struct pwgraph_options options = {.size = sizeof(options), .compact = true};
    ck_assert_ptr_null(pwgraph_from_edges(negative, negative, 2, 64, 0, NULL, &error));
    assert_code(PWGRAPH_BAD_INPUT);
    ck_assert_ptr_null(pwgraph_from_edges(ids, large, 2, 64, 0, &options, &error));
    assert_code(PWGRAPH_BAD_INPUT);
    ck_assert_ptr_null(pwgraph_from_edges(ids, ids, 4, 32, 3, NULL, &error));
    assert_code(PWGRAPH_BAD_INPUT);
    ck_assert_str_eq(error.text, "edges: id 3 is outside 0..2");
    ck_assert_ptr_null(pwgraph_from_edges(ids, ids, 4, 16, 0, NULL, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert_ptr_null(pwgraph_from_edges(ids, NULL, 4, 32, 0, NULL, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert_ptr_null(pwgraph_from_edges(ids, ids, 4, 32, UINT64_MAX, NULL, NULL));
    options = (struct pwgraph_options){.size = sizeof(options), .names = "names.txt"};
    ck_assert_ptr_null(pwgraph_from_edges(ids, ids, 4, 32, 0, &options, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    options = (struct pwgraph_options){.size = sizeof(options), .memory_limit = 10};
    ck_assert_ptr_null(pwgraph_from_edges(ids, ids, 4, 32, 0, &options, &error));
    assert_code(PWGRAPH_NO_MEMORY);
    volatile int cancel = 1;
    options = (struct pwgraph_options){.size = sizeof(options), .cancel = &cancel};
    ck_assert_ptr_null(pwgraph_from_edges(ids, ids, 4, 32, 0, &options, &error));
    assert_code(PWGRAPH_CANCELLED);
    assert_lists_refused((const uint32_t[]){1, 2}, 1, ids);
    assert_lists_refused((const uint32_t[]){0, 2, 1}, 2, ids);
    assert_lists_refused((const uint32_t[]){0, 1, 3}, 2, ids);
    assert_lists_refused((const uint32_t[]){0, 1, 2}, 2, NULL);
    options = (struct pwgraph_options){.size = sizeof(options), .reverse = true};
    ck_assert_ptr_null(
        pwgraph_from_csr((const uint32_t[]){0, 1}, 32, ids, 32, 1, PWGRAPH_COPY, &options, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert_ptr_null(pwgraph_from_csr((const uint64_t[]){0, 1}, 64, large + 1, 64, 1,
                                        PWGRAPH_COPY, NULL, &error));
    assert_code(PWGRAPH_BAD_INPUT);
}
END_TEST

int main(void)
{
    return suite_run("library_make", NULL, fixture_remove_folder,
                     (const TTest *[]){edges_in_memory_give_the_graph_of_their_text,
                                       lists_give_the_same_graph_copied_and_borrowed,
                                       a_graph_is_saved_and_opened_again,
                                       a_graph_may_have_nodes_without_edges_or_no_nodes,
                                       options_that_arrays_do_not_use_are_refused,
                                       arrays_that_are_no_graph_are_refused, NULL});
}
