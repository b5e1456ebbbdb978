/*
 * test_library_redirects.c - the redirects of a node: of random snapshots, compared with a list of
 * them all.
 */
#include "bfs/pwgraph/pwgraph.h"
#include "data/graph/graph_origin.h"
#include "data/names/name_sort.h"
#include "data/names/node_aliases.h"
#include "data/store/graph_snapshot.h"
#include "tests/support/fixture_file.h"
#include "tests/support/random_graph.h"
#include "tests/support/suite.h"

#define ALIASES_MAX 400
#define TITLE_MAX   32

static uint32_t ids[ALIASES_MAX]; /* the node of each redirect */
static char titles[ALIASES_MAX][TITLE_MAX];

/* Without memory for an index, a question is a pass over all redirects. */
static void assert_the_index_changes_nothing(const struct graph *graph)
{
    const char *by_index[ALIASES_MAX], *by_pass[ALIASES_MAX];
    const struct node_aliases none = {.begins = NULL};
    struct node_aliases index;
    ck_assert_int_eq(node_aliases_open(&index, graph), graph->origin->aliases != NULL);
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        const size_t count = node_aliases_find(&index, graph, node, by_index, ALIASES_MAX);
        ck_assert_uint_eq(node_aliases_find(&none, graph, node, by_pass, ALIASES_MAX), count);
        ck_assert_int_eq(memcmp(by_index, by_pass, count * sizeof(*by_pass)), 0);
    }
    node_aliases_close(&index);
}

/* A snapshot of nodes with names and, if there is more than none, redirects, opened again. */
static struct pwgraph *wiki(uint32_t first, uint32_t nodes, size_t count)
{
    const char *path = fixture_path("wiki.pwg");
    struct random_graph made = random_graph_create(first, nodes, nodes, false);
    struct graph_origin *origin = calloc(1, sizeof(*origin));
    struct graph_names *names = graph_names_create();
    struct graph_error why = {0};
    ck_assert(origin != NULL && names != NULL);
    for (uint32_t i = 0; i < nodes; i++) {
        char name[TITLE_MAX];
        snprintf(name, sizeof(name), "Article %lu", (unsigned long)i);
        ck_assert(graph_names_add_plain(names, name, strlen(name)));
    }
    names->first_id = first;
    if (count > 0) {
        origin->aliases = graph_names_create();
        origin->alias_ids = calloc(count, sizeof(*origin->alias_ids));
        ck_assert(origin->aliases != NULL && origin->alias_ids != NULL);
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t few = 1 + draw(nodes); /* so that some have many */
        ids[i] = origin->alias_ids[i] = first + draw(few);
        snprintf(titles[i], TITLE_MAX, "Redirect %lu", (unsigned long)i);
        ck_assert(graph_names_add_plain(origin->aliases, titles[i], strlen(titles[i])));
    }
    made.graph.names = names;
    made.graph.origin = origin;
    ck_assert(name_order_make(&made.graph, 1));
    assert_the_index_changes_nothing(&made.graph);
    ck_assert_msg(graph_snapshot_save(&made.graph, path, NULL, 0, NULL, &why), "%s", why.message);
    graph_origin_free(origin);
    graph_names_free(names);
    made.graph.names = NULL;
    made.graph.origin = NULL;
    random_graph_free(&made);
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    const struct pwgraph_options options = {.size = sizeof(options), .by_block = draw(2) == 0};
    struct pwgraph *graph = pwgraph_open(path, &options, &error);
    ck_assert_msg(graph != NULL, "%s", error.text);
    return graph;
}

/* Assert that a node has the redirects of the list, in its order. */
static void assert_redirects(const struct pwgraph *graph, uint32_t node, size_t count)
{
    const char *found[ALIASES_MAX + 1] = {NULL};
    const size_t capacity = draw(2) == 0 ? ALIASES_MAX : draw(4);
    const size_t all = pwgraph_redirects(graph, node, found, capacity);
    size_t wanted = 0;
    for (size_t i = 0; i < count; i++) {
        if (ids[i] == node) {
            ck_assert(wanted >= capacity || strcmp(found[wanted], titles[i]) == 0);
            wanted++;
        }
    }
    ck_assert_uint_eq(all, wanted);
    ck_assert_ptr_null(found[wanted < capacity ? wanted : capacity]);
    ck_assert_uint_eq(pwgraph_redirects(graph, node, NULL, 7), wanted);
}

START_TEST(every_node_has_the_redirects_that_lead_to_it)
{
    graph_rng = random_start("redirects");
    for (int i = 0; i < 60; i++) {
        const uint32_t first = (uint32_t)i % 2, nodes = 1 + draw(40);
        const size_t count = i % 10 == 0 ? 0 : draw(ALIASES_MAX);
        struct pwgraph *graph = wiki(first, nodes, count);
        for (uint32_t node = 0; node < nodes + 3; node++) {
            assert_redirects(graph, node, count);
        }
        ck_assert_uint_eq(pwgraph_redirects(graph, PWGRAPH_NONE, NULL, 0), 0);
        pwgraph_free(graph);
    }
}
END_TEST

START_TEST(a_redirect_is_a_name_of_its_node)
{
    graph_rng = random_start("a redirect");
    struct pwgraph *graph = wiki(1, 9, 50);
    char message[PWGRAPH_TEXT_SIZE];
    struct pwgraph_match match;
    for (size_t i = 0; i < 50; i++) {
        uint32_t node = PWGRAPH_NONE;
        ck_assert(pwgraph_find(graph, titles[i], &node));
        ck_assert_uint_eq(node, ids[i]);
        ck_assert(pwgraph_resolve(graph, titles[i], NULL, &match));
        ck_assert_int_eq(match.fit, PWGRAPH_FORGIVEN);
        ck_assert_uint_eq(match.node, ids[i]);
        ck_assert_ptr_nonnull(strstr(match.text, " redirects to Article "));
    }
    pwgraph_free(graph);
    graph = pwgraph_load(fixture_text("graph.txt", "1 2\n"), message); /* no wiki */
    ck_assert_msg(graph != NULL, "%s", message);
    ck_assert_uint_eq(pwgraph_redirects(graph, 1, NULL, 0), 0);
    pwgraph_free(graph);
}
END_TEST

START_TEST(an_address_is_a_name_of_its_article)
{
    graph_rng = random_start("an address");
    struct pwgraph *graph = wiki(1, 9, 50);
    struct pwgraph_match match;
    uint32_t node = PWGRAPH_NONE;
    ck_assert(pwgraph_find(graph, "https://en.m.wikipedia.org/wiki/Article_5#Life", &node));
    ck_assert_uint_eq(node, 6);
    ck_assert(pwgraph_find(graph, "en.wikipedia.org/wiki/article%206", &node));
    ck_assert_uint_eq(node, 7);
    ck_assert(pwgraph_find(graph, "https://a.org/wiki/Redirect_7", &node));
    ck_assert_uint_eq(node, ids[7]);
    ck_assert(pwgraph_resolve(graph, "https://a.org/wiki/Redirect_7", NULL, &match));
    ck_assert_int_eq(match.fit, PWGRAPH_FORGIVEN);
    ck_assert_uint_eq(match.node, ids[7]);
    ck_assert_ptr_eq(strstr(match.text, "Redirect 7 redirects to Article "), match.text);
    ck_assert(!pwgraph_find(graph, "https://a.org/wiki/ARTICLE_7", &node)); /* not to the letter */
    ck_assert(pwgraph_resolve(graph, "https://a.org/wiki/ARTICLE_7", NULL, &match));
    ck_assert_int_eq(match.fit, PWGRAPH_FORGIVEN);
    ck_assert_uint_eq(match.node, 8);
    ck_assert(!pwgraph_find(graph, "https://a.org/wiki/", &node));
    pwgraph_free(graph);
}
END_TEST

int main(void)
{
    return suite_run("library_redirects", NULL, fixture_remove_folder,
                     (const TTest *[]){every_node_has_the_redirects_that_lead_to_it,
                                       a_redirect_is_a_name_of_its_node,
                                       an_address_is_a_name_of_its_article, NULL});
}
