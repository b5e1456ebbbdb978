/*
 * test_name_finder.c - names as people type them: forgiven, suggested, or explained.
 */
#include "base/macros.h"
#include "base/utf8.h"
#include "data/graph/graph_origin.h"
#include "data/load/graph_load.h"
#include "data/names/name_finder.h"
#include "data/names/name_fold.h"
#include "data/names/name_search.h"
#include "tests/support/fixture_file.h"
#include "tests/support/suite.h"

static void assert_folded(const char *name, const char *expected)
{
    char folded[200] = "";
    folded[name_fold(folded, sizeof(folded) - 1, name, strlen(name))] = '\0';
    ck_assert_str_eq(folded, expected);
}

START_TEST(case_accents_and_underscores_are_folded_away)
{
    assert_folded("Côte_d'Ivoire", "cote d'ivoire");
    assert_folded("_A__b  C_", "a b c");
    assert_folded("ÉIRE", "eire");
    assert_folded("E\u0301ire", "eire");
    assert_folded("Łódź", "lodz");
    assert_folded("Straße", "strasse");
    assert_folded("Ænima Œuvre Þórr", "aenima oeuvre thorr");
    assert_folded("Việt Nam", "viet nam");
    assert_folded("L\u2019Île\u2013Bizard", "l'ile-bizard");
    assert_folded("МОСКВА ΑΘΗΝΑ", "москва αθηνα");
    assert_folded("東京", "東京");
    assert_folded("a\xff\xc3", "a\xff\xc3");
    assert_folded("", "");
    char few[3];
    ck_assert_uint_eq(name_fold(few, sizeof(few), "abcdef", 6), 3);
}
END_TEST

static struct graph load(const char *text)
{
    struct graph graph;
    struct graph_error error;
    bool loaded = graph_load(fixture_text("links.tsv", text), NULL, &graph, &error);
    ck_assert_msg(loaded, "%s", error.message);
    return graph;
}

static const char links[] = "Laos\tCôte_d'Ivoire\nNorth_Korea\tSouth_Korea\nChina\tGhana\n"
                            "New_York\tNew York\nFoo\tfoo\n1066\tLaos\n";

/* Look a text up; the name of its node, or "". */
static const char *find(struct name_finder *finder, const char *text, enum name_fit expected)
{
    static char label[GRAPH_LABEL_SIZE];
    uint32_t node = 0;
    enum name_fit fit = name_finder_find(finder, text, strlen(text), &node);
    ck_assert_msg(fit == expected, "%s: %d", text, fit);
    return fit == NAME_UNKNOWN ? "" : graph_label(finder->index.graph, node, label);
}

START_TEST(a_name_is_forgiven_where_only_one_fits)
{
    struct graph graph = load(links);
    struct name_finder finder;
    char message[NAME_MESSAGE_SIZE];
    ck_assert(name_finder_open(&finder, &graph));
    ck_assert_str_eq(find(&finder, "Laos", NAME_EXACT), "Laos");
    ck_assert_str_eq(find(&finder, "C%C3%B4te_d'Ivoire", NAME_EXACT), "Côte_d'Ivoire");
    ck_assert_ptr_null(finder.slots); /* not needed so far */
    ck_assert_str_eq(find(&finder, "laos", NAME_FORGIVEN), "Laos");
    ck_assert_str_eq(find(&finder, " north korea", NAME_FORGIVEN), "North_Korea");
    ck_assert_str_eq(find(&finder, "COTE D'IVOIRE", NAME_FORGIVEN), "Côte_d'Ivoire");
    ck_assert_str_eq(find(&finder, "1066", NAME_EXACT), "1066");
    ck_assert_str_eq(find(&finder, "0", NAME_EXACT), "Laos");
    ck_assert_str_eq(find(&finder, "New York", NAME_EXACT), "New York");
    ck_assert_str_eq(find(&finder, "foo", NAME_EXACT), "foo");
    ck_assert_str_eq(find(&finder, "https://en.wikipedia.org/wiki/Laos", NAME_FORGIVEN), "Laos");
    ck_assert_str_eq(find(&finder, "http://a.org/wiki/C%C3%B4te_d'Ivoire?x=1#y", NAME_FORGIVEN),
                     "Côte_d'Ivoire");
    find(&finder, "https://en.wikipedia.org/wiki/", NAME_UNKNOWN);
    find(&finder, "ftp://en.wikipedia.org/wiki/Laos", NAME_UNKNOWN);
    find(&finder, "new york", NAME_UNKNOWN); /* two fit */
    find(&finder, "FOO", NAME_UNKNOWN);
    find(&finder, "", NAME_UNKNOWN);
    find(&finder, "_", NAME_UNKNOWN);
    ck_assert_str_eq(name_finder_note(&finder, "laos", 4, 0, message),
                     "\"laos\" is taken for \"Laos\"");
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

static void assert_explained(const struct graph *graph, const char *text, const char *expected)
{
    struct name_finder finder;
    char message[NAME_MESSAGE_SIZE];
    ck_assert(name_finder_open(&finder, graph));
    ck_assert_str_eq(name_finder_explain(&finder, text, strlen(text), message), expected);
    name_finder_close(&finder);
}

START_TEST(what_is_no_name_is_explained_with_what_may_be_meant)
{
    struct graph graph = load(links);
    assert_explained(&graph, "Chna", "no node is called \"Chna\"; did you mean China or Ghana?");
    assert_explained(&graph, "korea",
                     "no node is called \"korea\"; did you mean North_Korea or South_Korea?");
    assert_explained(&graph, "new york",
                     "no node is called \"new york\"; did you mean New_York or New York?");
    assert_explained(&graph, "cote divoire",
                     "no node is called \"cote divoire\"; did you mean Côte_d'Ivoire?");
    assert_explained(&graph, "elephants", "no node is called \"elephants\"");
    assert_explained(&graph, "99999", "no node is called \"99999\"; ids go from 0 to 10");
    graph_free(&graph);
    graph = load("1 2\n2 7\n");
    assert_explained(&graph, "8", "no node has the id \"8\"; ids go from 1 to 7");
    assert_explained(&graph, "0", "no node has the id \"0\"; ids go from 1 to 7");
    assert_explained(
        &graph, "Laos",
        "the graph has no names, so a node is an id, not \"Laos\"; ids go from 1 to 7");
    graph_free(&graph);
}
END_TEST

/* A table with every one of them would be searched from its start to its end for each. */
START_TEST(equal_names_take_two_places_and_are_suggested_once)
{
    enum { EQUAL = 1000 };
    struct graph graph = load("1 2\n2 1000\n");
    struct name_finder finder;
    size_t used = 0;
    graph.names = graph_names_create();
    ck_assert_ptr_nonnull(graph.names);
    graph.names->first_id = graph.first_node;
    for (size_t i = 1; i < EQUAL; i++) {
        ck_assert(graph_names_add_plain(graph.names, "cat", 3));
    }
    ck_assert(graph_names_add_plain(graph.names, "Dog", 3));
    ck_assert(name_finder_open(&finder, &graph));
    find(&finder, "Cat", NAME_UNKNOWN);
    ck_assert_str_eq(find(&finder, "cat", NAME_EXACT), "cat");
    ck_assert_str_eq(find(&finder, "dog", NAME_FORGIVEN), "Dog");
    for (size_t i = 0; i < finder.slot_count; i++) {
        used += finder.slots[i] != 0;
    }
    ck_assert_uint_eq(used, 3);
    assert_explained(&graph, "Cat", "no node is called \"Cat\"; did you mean cat?");
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

START_TEST(a_long_text_is_cut_in_the_middle_between_characters)
{
    struct graph graph = load(links);
    struct name_finder finder;
    char text[601] = "";
    char message[NAME_MESSAGE_SIZE];
    uint32_t code;
    ck_assert(name_finder_open(&finder, &graph));
    for (size_t length = 0; length < 600; length += 2) {
        memcpy(text + length, "é", 2);
        uint32_t node = 0;
        ck_assert_int_eq(name_finder_find(&finder, text, length + 2, &node), NAME_UNKNOWN);
        name_finder_explain(&finder, text, length + 2, message);
        ck_assert_uint_lt(strlen(message), 200);
        for (size_t i = 0, bytes; message[i] != '\0'; i += bytes) {
            bytes = utf8_decode(message + i, strlen(message + i), &code);
            ck_assert_uint_gt(bytes, 0);
        }
    }
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

/* Without the order of the names; with it, bfs is asked in wikipedia/test_wikipedia.py. */
START_TEST(where_pages_are_known_a_number_is_a_page_id)
{
    static const uint32_t pages[] = {3,     5,     900,   901,   4000, 70000,
                                     70001, 70002, 70003, 70004, 70005};
    struct graph graph = load(links);
    struct name_finder finder;
    graph.origin = calloc(1, sizeof(*graph.origin));
    ck_assert_ptr_nonnull(graph.origin);
    graph.origin->page_ids = malloc(sizeof(pages));
    ck_assert_ptr_nonnull(graph.origin->page_ids);
    memcpy(graph.origin->page_ids, pages, sizeof(pages));
    ck_assert_uint_eq(graph.names->count, COUNT_OF(pages));
    ck_assert(name_finder_open(&finder, &graph));
    for (uint32_t i = 0; i < COUNT_OF(pages); i++) {
        char text[11];
        uint32_t node;
        snprintf(text, sizeof(text), "%u", pages[i]);
        ck_assert_int_eq(name_finder_find(&finder, text, strlen(text), &node), NAME_EXACT);
        ck_assert_uint_eq(node, i);
    }
    ck_assert_str_eq(find(&finder, "1066", NAME_EXACT), "1066");
    find(&finder, "0", NAME_UNKNOWN);
    find(&finder, "4", NAME_UNKNOWN);
    find(&finder, "70006", NAME_UNKNOWN);
    assert_explained(&graph, "70006", "no node is called \"70006\"");
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

START_TEST(completion_goes_by_the_letter_and_else_by_the_folded_name)
{
    struct graph graph = load(links);
    struct name_matches matches;
    name_search_prefix(&graph, "New", &matches);
    ck_assert_uint_eq(matches.total, 2);
    ck_assert_str_eq(matches.common, "New");
    name_search_prefix(&graph, "cote", &matches);
    ck_assert_uint_eq(matches.total, 1);
    ck_assert_str_eq(matches.common, "Côte_d'Ivoire");
    name_search_prefix(&graph, "new y", &matches);
    ck_assert_uint_eq(matches.total, 2);
    name_search_prefix(&graph, "zz", &matches);
    ck_assert_uint_eq(matches.total, 0);
    graph_free(&graph);
}
END_TEST

int main(void)
{
    return suite_run("name_finder", NULL, NULL,
                     (const TTest *[]){case_accents_and_underscores_are_folded_away,
                                       a_name_is_forgiven_where_only_one_fits,
                                       what_is_no_name_is_explained_with_what_may_be_meant,
                                       equal_names_take_two_places_and_are_suggested_once,
                                       a_long_text_is_cut_in_the_middle_between_characters,
                                       where_pages_are_known_a_number_is_a_page_id,
                                       completion_goes_by_the_letter_and_else_by_the_folded_name,
                                       NULL});
}
