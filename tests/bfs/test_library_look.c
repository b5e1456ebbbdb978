/*
 * test_library_look.c - what libpwgraph shows of a graph: arrays, neighbours, names, completion.
 */
#include "data/graph/graph_origin.h"
#include "data/load/graph_load.h"
#include "data/names/name_sort.h"
#include "data/store/graph_snapshot.h"
#include "tests/support/library_fixture.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static const char borders[] = "Laos\tChina\nChina\tLaos\nChina\tIndia\nIndia\tChina\n"
                              "Chad\tNiger\nChile\tPeru\nPeru\tChile\nChina\tNepal\n";

static uint32_t find(const struct pwgraph *graph, const char *name)
{
    uint32_t node = PWGRAPH_NONE;
    ck_assert_msg(pwgraph_find(graph, name, &node), "%s", name);
    return node;
}

START_TEST(the_arrays_and_the_lists_are_one)
{
    struct pwgraph *graph = open_text("1 3\n1 2\n3 1\n3 3\n3 1\n", NULL);
    struct pwgraph_arrays arrays;
    uint64_t out = 0, in = 0, count;
    pwgraph_get_arrays(graph, &arrays);
    ck_assert_uint_eq(arrays.node_limit - arrays.first_node, pwgraph_node_count(graph));
    ck_assert_uint_eq(arrays.edge_count, 5);
    ck_assert_uint_eq(arrays.offsets[arrays.node_limit], 5);
    ck_assert_uint_eq(arrays.in_offsets[arrays.node_limit], 5);
    for (uint32_t node = arrays.first_node; node < arrays.node_limit; node++) {
        ck_assert(pwgraph_has_node(graph, node));
        ck_assert_ptr_eq(pwgraph_out(graph, node, &count),
                         arrays.neighbours + arrays.offsets[node]);
        ck_assert_uint_eq(count, pwgraph_out_degree(graph, node));
        out += count;
        ck_assert_ptr_eq(pwgraph_in(graph, node, &count),
                         arrays.in_neighbours + arrays.in_offsets[node]);
        ck_assert_uint_eq(count, pwgraph_in_degree(graph, node));
        in += count;
    }
    ck_assert(out == 5 && in == 5);
    const uint32_t *list = pwgraph_out(graph, find(graph, "1"), &count);
    ck_assert(count == 2 && list[0] == find(graph, "3") && list[1] == find(graph, "2"));
    list = pwgraph_in(graph, find(graph, "1"), &count);
    ck_assert(count == 2 && list[0] == find(graph, "3") && list[1] == find(graph, "3"));
    pwgraph_free(graph);
}
END_TEST

START_TEST(a_node_that_is_none_has_nothing)
{
    static const uint32_t none[] = {0, 4, 1000000, PWGRAPH_NONE};
    char text[PWGRAPH_TEXT_SIZE];
    struct pwgraph *graph = open_text("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n"
                                      "1 2\n2 3\n",
                                      NULL);
    ck_assert_msg(graph != NULL, "%s", error.text);
    for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
        uint64_t count = 1;
        ck_assert(!pwgraph_has_node(graph, none[i]));
        ck_assert(pwgraph_out(graph, none[i], &count) == NULL && count == 0);
        ck_assert(pwgraph_in(graph, none[i], &count) == NULL && count == 0);
        ck_assert(pwgraph_out_degree(graph, none[i]) == 0 && pwgraph_page(graph, none[i]) == 0);
        ck_assert_ptr_null(pwgraph_name(graph, none[i]));
        ck_assert_uint_eq(pwgraph_id(graph, none[i]), PWGRAPH_NONE);
        ck_assert_str_eq(pwgraph_label(graph, none[i], text), "");
    }
    ck_assert_ptr_null(pwgraph_name(graph, 1)); /* a node without a name has its id as label */
    ck_assert_str_eq(pwgraph_label(graph, 1, text), "1");
    ck_assert_uint_eq(pwgraph_id(graph, 1), 1);
    ck_assert(!pwgraph_fact(graph, "date", text) && text[0] == '\0');
    ck_assert(!pwgraph_fact(graph, "address", text) && text[0] == '\0');
    pwgraph_free(graph);
}
END_TEST

START_TEST(labels_and_pages_of_many_nodes_come_in_one_call)
{
    struct pwgraph *graph = open_text(borders, NULL);
    const uint32_t nodes[] = {find(graph, "China"), PWGRAPH_NONE, find(graph, "Chad"),
                              find(graph, "China")};
    const char all[] = "China\0\0Chad\0China";
    char text[64];
    uint32_t pages[] = {7, 7, 7, 7};
    ck_assert_uint_eq(pwgraph_labels(graph, nodes, 4, NULL, 0), sizeof(all));
    for (size_t capacity = 0; capacity <= sizeof(all) + 1; capacity++) {
        memset(text, '#', sizeof(text));
        ck_assert_uint_eq(pwgraph_labels(graph, nodes, 4, text, capacity), sizeof(all));
        const size_t kept = capacity < 6    ? 0
                            : capacity < 7  ? 6
                            : capacity < 12 ? 7
                            : capacity < 18 ? 12
                                            : 18;
        ck_assert_mem_eq(text, all, kept);
        ck_assert_int_eq(text[kept], '#');
    }
    pwgraph_pages(graph, nodes, 4, pages);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(pages[i], 0);
    }
    ck_assert_uint_eq(pwgraph_labels(graph, nodes, 0, NULL, 0), 0);
    pwgraph_free(graph);
}
END_TEST

START_TEST(a_renumbered_node_keeps_its_id)
{
    struct pwgraph_options options = {.size = sizeof(options), .compact = true};
    struct pwgraph *graph = open_text("70 5000\n5000 90\n", &options);
    struct pwgraph_arrays arrays;
    pwgraph_get_arrays(graph, &arrays);
    ck_assert_ptr_nonnull(arrays.ids);
    ck_assert_uint_eq(pwgraph_id(graph, find(graph, "5000")), 5000);
    ck_assert_uint_eq(arrays.ids[find(graph, "90")], 90);
    ck_assert_uint_eq(pwgraph_node_count(graph), 3);
    pwgraph_free(graph);
}
END_TEST

/* Assert that these names complete a prefix. */
static void assert_completes(const struct pwgraph *graph, const char *prefix,
                             enum pwgraph_order order, size_t capacity, const char *wanted,
                             size_t wanted_total)
{
    uint32_t nodes[8];
    size_t total;
    char found[256] = "";
    const size_t count = pwgraph_complete(graph, prefix, order, nodes, capacity, &total);
    ck_assert(count <= capacity && count <= total);
    for (size_t i = 0; i < count; i++) {
        strcat(found, i > 0 ? " " : "");
        strcat(found, pwgraph_name(graph, nodes[i]));
    }
    ck_assert_str_eq(found, wanted);
    ck_assert_uint_eq(total, wanted_total);
}

START_TEST(a_prefix_is_completed_by_name_or_by_degree)
{
    struct pwgraph *graph = open_text(borders, NULL);
    assert_completes(graph, "Ch", PWGRAPH_BY_NAME, 8, "Chad Chile China", 3);
    assert_completes(graph, "Ch", PWGRAPH_BY_DEGREE, 8, "China Chile Chad", 3);
    assert_completes(graph, "Ch", PWGRAPH_BY_NAME, 2, "Chad Chile", 3);
    assert_completes(graph, "Ch", PWGRAPH_BY_DEGREE, 1, "China", 3);
    assert_completes(graph, "ch", PWGRAPH_BY_DEGREE, 2, "China Chile", 3);
    assert_completes(graph, "zz", PWGRAPH_BY_DEGREE, 2, "", 0);
    assert_completes(graph, "", PWGRAPH_BY_NAME, 3, "Chad Chile China", 8);
    ck_assert_uint_eq(pwgraph_complete(graph, "", PWGRAPH_BY_NAME, NULL, 5, NULL), 0);
    pwgraph_free(graph);
}
END_TEST

/* Assert that these names are proposed for a text, which is no name. */
static void assert_suggests(const struct pwgraph *graph, const char *text, const char *wanted)
{
    struct pwgraph_match match;
    char found[256] = "";
    ck_assert(!pwgraph_resolve(graph, text, NULL, &match));
    ck_assert_int_eq(match.fit, PWGRAPH_UNKNOWN);
    ck_assert_uint_eq(match.node, PWGRAPH_NONE);
    ck_assert_uint_le(match.near_count, PWGRAPH_NEAR_MAX);
    for (uint32_t i = 0; i < match.near_count; i++) {
        strcat(found, i > 0 ? " " : "");
        strcat(found, pwgraph_name(graph, match.near[i]));
    }
    ck_assert_str_eq(found, wanted);
}

/* Assert that a text is taken for a node, and how. */
static void assert_taken(const struct pwgraph *graph, const char *text, enum pwgraph_fit fit)
{
    struct pwgraph_match match;
    ck_assert(pwgraph_resolve(graph, text, NULL, &match));
    ck_assert_int_eq(match.fit, fit);
    ck_assert_int_eq(match.code, PWGRAPH_OK);
    ck_assert_uint_eq(match.node, find(graph, "Laos"));
    ck_assert_uint_eq(match.near_count, 0);
    ck_assert_int_eq(match.text[0] == '\0', fit == PWGRAPH_EXACT);
}

START_TEST(a_misspelt_name_gets_the_nodes_that_the_message_proposes)
{
    struct pwgraph_match match;
    struct pwgraph *graph = open_text(borders, NULL);
    assert_suggests(graph, "Chna", "China Chad");
    assert_suggests(graph, "Indja", "India");
    assert_suggests(graph, "Chia", "China Chad Chile");
    assert_suggests(graph, "https://en.wikipedia.org/wiki/Indja", "India");
    assert_suggests(graph, "Constantinople", "");
    assert_suggests(graph, "", "");
    ck_assert(!pwgraph_resolve(graph, "Chia", NULL, &match));
    ck_assert_str_eq(match.text, "no node is called \"Chia\"; did you mean China, Chad or Chile?");
    pwgraph_free(graph);
    graph = open_text("Paris, France\tA, B or C\nA, B or C\tParis, France\n", NULL);
    assert_suggests(graph, "A, B or D", "A, B or C");
    assert_suggests(graph, "Paris", "Paris, France");
    pwgraph_free(graph);
    graph = open_text("1 2\n2 3\n", NULL); /* no names */
    assert_suggests(graph, "4", "");
    pwgraph_free(graph);
}
END_TEST

START_TEST(the_order_of_names_is_made_within_the_limit_of_memory)
{
    const char *path = fixture_path("limited.pwg");
    struct pwgraph_match match;
    struct pwgraph *graph = open_text(borders, NULL);
    ck_assert_msg(pwgraph_save(graph, path, NULL, &error), "%s", error.text);
    pwgraph_free(graph);
    struct pwgraph_options options = {.size = sizeof(options), .memory_limit = 7 * 20};
    graph = pwgraph_open(path, &options, &error); /* it is mapped */
    ck_assert_msg(graph != NULL, "%s", error.text);
    ck_assert(!pwgraph_resolve(graph, "laos", NULL, &match));
    ck_assert_int_eq(match.fit, PWGRAPH_UNKNOWN);
    ck_assert_int_eq(match.code, PWGRAPH_NO_MEMORY);
    ck_assert_str_eq(match.text, "out of memory for the names");
    ck_assert(!pwgraph_order_names(graph, NULL, &error));
    assert_code(PWGRAPH_NO_MEMORY);
    assert_suggests(graph, "Chna", "");
    assert_completes(graph, "Ch", PWGRAPH_BY_NAME, 2, "", 0);
    assert_taken(graph, "Laos", PWGRAPH_EXACT);
    pwgraph_free(graph);
    options.memory_limit = 8 * 20;
    graph = pwgraph_open(path, &options, &error);
    ck_assert_msg(graph != NULL, "%s", error.text);
    assert_taken(graph, "laos", PWGRAPH_FORGIVEN);
    assert_taken(graph, "Laos", PWGRAPH_EXACT);
    assert_suggests(graph, "Chna", "China Chad");
    ck_assert(pwgraph_order_names(graph, NULL, &error));
    pwgraph_free(graph);
}
END_TEST

START_TEST(the_order_of_names_is_cancelled_and_made_by_a_later_call)
{
    struct pwgraph_match match;
    volatile int cancel = 1;
    struct pwgraph *graph = open_text(borders, NULL);
    ck_assert(!pwgraph_resolve(graph, "laos", &cancel, &match));
    ck_assert_int_eq(match.code, PWGRAPH_CANCELLED);
    ck_assert(pwgraph_resolve(graph, "Laos", &cancel, &match)); /* needs no order */
    ck_assert(!pwgraph_order_names(graph, &cancel, &error));
    assert_code(PWGRAPH_CANCELLED);
    ck_assert(!pwgraph_order_names(graph, &cancel, NULL));
    cancel = 0;
    ck_assert(pwgraph_order_names(graph, &cancel, &error));
    cancel = 1; /* it is there now */
    ck_assert(pwgraph_order_names(graph, &cancel, &error));
    ck_assert(pwgraph_resolve(graph, "laos", &cancel, &match));
    assert_taken(graph, "laos", PWGRAPH_FORGIVEN);
    pwgraph_free(graph);
    graph = open_text("0 1\n", NULL); /* without names there is nothing to do */
    ck_assert(pwgraph_order_names(graph, &cancel, &error));
    pwgraph_free(graph);
}
END_TEST

/* Write a few syllables, so that many names are near to each other. */
static void random_name(char *name, struct rng *rng)
{
    static const char *const syllables[] = {"an", "be", "Lo", "ré", "to",
                                            "s",  "qu", "_",  "in", " "};
    *name = '\0';
    for (size_t more = 2 + random_below(rng, 5); more > 0; more--) { /* a blank only inside */
        strcat(name, syllables[random_below(rng, more == 1 || *name == '\0' ? 9 : 10)]);
    }
}

static struct pwgraph *save_and_open(const struct graph *graph, const char *name, bool by_block)
{
    const struct pwgraph_options options = {.size = sizeof(options), .by_block = by_block};
    const char *path = fixture_path(name);
    struct graph_error why = {0};
    ck_assert_msg(graph_snapshot_save(graph, path, NULL, 0, NULL, &why), "%s", why.message);
    struct pwgraph *opened = pwgraph_open(path, &options, &error);
    ck_assert_msg(opened != NULL, "%s", error.text);
    return opened;
}

START_TEST(a_stored_order_of_names_has_the_near_names_of_one_that_is_made)
{
    enum { NODES = 3000 };
    static char lines[NODES * 64];
    char text[64];
    size_t used = 0, near_count = 0;
    struct graph graph;
    struct graph_error why = {0};
    struct rng rng = random_start("near names");
    for (int i = 0; i < NODES; i++) {
        random_name(text, &rng);
        used += (size_t)sprintf(lines + used, "%s%c", text, i % 2 == 0 ? '\t' : '\n');
    }
    ck_assert_msg(graph_load(fixture_text("names.tsv", lines), NULL, &graph, &why), "%s",
                  why.message);
    ck_assert((graph.origin = calloc(1, sizeof(*graph.origin))) != NULL);
    struct pwgraph *without = save_and_open(&graph, "without.pwg", false);
    ck_assert(name_order_make(&graph, 1));
    struct pwgraph *with[] = {save_and_open(&graph, "with.pwg", false),
                              save_and_open(&graph, "with.pwg", true)};
    for (int i = 0; i < 600; i++) {
        struct pwgraph_match match[2];
        size_t total[3];
        random_name(text, &rng);
        pwgraph_complete(without, text, PWGRAPH_BY_NAME, NULL, 0, &total[0]);
        pwgraph_complete(with[0], text, PWGRAPH_BY_NAME, NULL, 0, &total[1]);
        pwgraph_complete(with[1], text, PWGRAPH_BY_NAME, NULL, 0, &total[2]);
        strcat(text, "q"); /* no name ends so */
        ck_assert(!pwgraph_resolve(without, text, NULL, &match[0]));
        near_count += match[0].near_count;
        for (size_t k = 0; k < 2; k++) {
            ck_assert_uint_eq(total[0], total[k + 1]);
            ck_assert(!pwgraph_resolve(with[k], text, NULL, &match[1]));
            ck_assert_str_eq(match[0].text, match[1].text);
            ck_assert_uint_eq(match[0].near_count, match[1].near_count);
            ck_assert_int_eq(memcmp(match[0].near, match[1].near, sizeof(match[0].near)), 0);
        }
    }
    ck_assert_uint_gt(near_count, 600);
    pwgraph_free(without);
    pwgraph_free(with[0]);
    pwgraph_free(with[1]);
    graph_free(&graph);
}
END_TEST

/* Completion of many names, compared with a sort of them all. */
static const struct pwgraph *sorted;

static int by_degree(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    const uint64_t left = pwgraph_out_degree(sorted, one) + pwgraph_in_degree(sorted, one);
    const uint64_t right = pwgraph_out_degree(sorted, other) + pwgraph_in_degree(sorted, other);
    return left != right ? (left < right) - (left > right) : (one > other) - (one < other);
}

START_TEST(the_first_of_many_names_are_the_first_of_a_sort)
{
    enum { NODES = 200 };
    static char text[1 << 16];
    uint32_t all[NODES], nodes[NODES + 5];
    size_t used = 0, total;
    for (unsigned i = 0; i < NODES; i++) {
        for (unsigned k = 0; k <= i * 7 % 13; k++) {
            used += (size_t)snprintf(text + used, sizeof(text) - used, "node %u\tnode %u\n", i,
                                     i * 31 % NODES);
        }
    }
    struct pwgraph *graph = open_text(text, NULL);
    sorted = graph;
    ck_assert_uint_eq(pwgraph_node_count(graph), NODES);
    for (uint32_t i = 0; i < NODES; i++) {
        all[i] = i;
    }
    qsort(all, NODES, sizeof(*all), by_degree);
    for (size_t capacity = 1; capacity <= NODES + 5; capacity += 1 + capacity / 3) {
        const size_t count =
            pwgraph_complete(graph, "node ", PWGRAPH_BY_DEGREE, nodes, capacity, &total);
        ck_assert_uint_eq(total, NODES);
        ck_assert_uint_eq(count, capacity < NODES ? capacity : NODES);
        ck_assert_int_eq(memcmp(nodes, all, count * sizeof(*nodes)), 0);
    }
    pwgraph_free(graph);
}
END_TEST

START_TEST(random_nodes_have_out_edges_and_come_all)
{
    struct pwgraph *graph = open_text(borders, NULL);
    uint32_t node, seen[16] = {0}, kinds = 0;
    uint64_t state = 7;
    for (int i = 0; i < 500; i++) {
        ck_assert(pwgraph_random_node(graph, &state, &node));
        ck_assert_uint_gt(pwgraph_out_degree(graph, node), 0);
        kinds += seen[node]++ == 0;
    }
    ck_assert_uint_eq(kinds, 6); /* not Niger and Nepal */
    pwgraph_free(graph);
    static const char rare[] = "%%MatrixMarket matrix coordinate pattern general\n"
                               "900000 900000 1\n31 2\n";
    graph = open_text(rare, NULL);
    for (int i = 0; i < 5; i++) {
        ck_assert(pwgraph_random_node(graph, &state, &node) && node == 31);
    }
    pwgraph_free(graph);
    graph = open_text("%%MatrixMarket matrix coordinate pattern general\n3 3 0\n", NULL);
    ck_assert_msg(graph != NULL, "%s", error.text);
    ck_assert(!pwgraph_random_node(graph, &state, &node));
    pwgraph_free(graph);
}
END_TEST

/* What leads where over any number of edges, by repeating one step: slow, and on its own. */
static void close_over(bool *leads, size_t nodes)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t u = 0; u < nodes; u++) {
            for (size_t v = 0; v < nodes; v++) {
                for (size_t w = 0; w < nodes && leads[u * nodes + v]; w++) {
                    changed |= leads[v * nodes + w] && !leads[u * nodes + w];
                    leads[u * nodes + w] |= leads[v * nodes + w];
                }
            }
        }
    }
}

/* Nodes share a component if and only if both lead to each other, components are numbered from 0
 * without a gap, and as their comment says. */
static void check_components(const struct pwgraph *graph, enum pwgraph_connection connection,
                             const bool *leads, const bool *edges, size_t nodes)
{
    uint32_t components[20], count = 0, largest = 0;
    ck_assert_msg(pwgraph_components(graph, connection, components, 20, &count, NULL, &error), "%s",
                  error.text);
    for (size_t u = 0; u < nodes; u++) {
        ck_assert_uint_lt(components[u], count);
        if (connection == PWGRAPH_WEAK) { /* by the smallest node */
            ck_assert_uint_le(components[u], u == 0 ? 0 : largest + 1);
        }
        largest = components[u] > largest ? components[u] : largest;
        for (size_t v = 0; v < nodes; v++) {
            const bool together = u == v || (leads[u * nodes + v] && leads[v * nodes + u]);
            ck_assert_int_eq(components[u] == components[v], together);
            if (connection == PWGRAPH_STRONG && edges[u * nodes + v]) {
                ck_assert_uint_ge(components[u], components[v]);
            }
        }
    }
    ck_assert_uint_eq(count, largest + 1);
}

START_TEST(components_are_what_a_slow_closure_finds)
{
    enum { NODES_MAX = 20 };
    struct rng rng = random_start("components");
    for (unsigned round = 0; round < 300; round++) {
        const uint32_t nodes = 1 + (uint32_t)random_below(&rng, NODES_MAX);
        const size_t count = random_below(&rng, 3 * nodes);
        uint32_t sources[3 * NODES_MAX], targets[3 * NODES_MAX];
        bool edges[NODES_MAX * NODES_MAX] = {0}, strong[NODES_MAX * NODES_MAX] = {0};
        bool weak[NODES_MAX * NODES_MAX] = {0};
        for (size_t i = 0; i < count; i++) {
            const uint32_t u = sources[i] = (uint32_t)random_below(&rng, nodes);
            const uint32_t v = targets[i] = (uint32_t)random_below(&rng, nodes);
            edges[u * nodes + v] = strong[u * nodes + v] = true;
            weak[u * nodes + v] = weak[v * nodes + u] = true;
        }
        close_over(strong, nodes);
        close_over(weak, nodes);
        struct pwgraph *graph =
            pwgraph_from_edges(sources, targets, count, 32, nodes, NULL, &error);
        ck_assert_msg(graph != NULL, "%s", error.text);
        check_components(graph, PWGRAPH_STRONG, strong, edges, nodes);
        check_components(graph, PWGRAPH_WEAK, weak, edges, nodes);
        pwgraph_free(graph);
    }
}
END_TEST

START_TEST(components_refuse_what_they_cannot_do)
{
    struct pwgraph *graph = open_text(borders, NULL);
    uint32_t components[16];
    volatile int flag = 1;
    ck_assert(!pwgraph_components(graph, (enum pwgraph_connection)2, components, 16, NULL, NULL,
                                  &error) &&
              error.code == PWGRAPH_BAD_ARGUMENT);
    ck_assert(!pwgraph_components(graph, PWGRAPH_WEAK, components, 7, NULL, NULL, &error) &&
              error.code == PWGRAPH_BAD_ARGUMENT);
    ck_assert(!pwgraph_components(graph, PWGRAPH_WEAK, NULL, 16, NULL, NULL, NULL));
    for (int connection = PWGRAPH_WEAK; connection <= PWGRAPH_STRONG; connection++) {
        ck_assert(!pwgraph_components(graph, (enum pwgraph_connection)connection, components, 16,
                                      NULL, &flag, &error) &&
                  error.code == PWGRAPH_CANCELLED);
    }
    ck_assert(pwgraph_components(graph, PWGRAPH_WEAK, components, 16, NULL, NULL, NULL));
    pwgraph_free(graph);
    graph = open_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", NULL);
    ck_assert(pwgraph_components(graph, PWGRAPH_STRONG, components, 16, NULL, NULL, NULL));
    ck_assert_uint_eq(components[0], PWGRAPH_NONE); /* ids from 1 */
    ck_assert(components[1] == 1 && components[2] == 0);
    pwgraph_free(graph);
}
END_TEST

int main(void)
{
    return suite_run("library_look", NULL, fixture_remove_folder,
                     (const TTest *[]){
                         the_arrays_and_the_lists_are_one, a_node_that_is_none_has_nothing,
                         labels_and_pages_of_many_nodes_come_in_one_call,
                         a_renumbered_node_keeps_its_id, a_prefix_is_completed_by_name_or_by_degree,
                         a_misspelt_name_gets_the_nodes_that_the_message_proposes,
                         the_order_of_names_is_made_within_the_limit_of_memory,
                         the_order_of_names_is_cancelled_and_made_by_a_later_call,
                         a_stored_order_of_names_has_the_near_names_of_one_that_is_made,
                         the_first_of_many_names_are_the_first_of_a_sort,
                         random_nodes_have_out_edges_and_come_all,
                         components_are_what_a_slow_closure_finds,
                         components_refuse_what_they_cannot_do, NULL});
}
