/*
 * test_name_finder.c - names as people type them: forgiven, suggested, or explained.
 */
#include "base/macros.h"
#include "base/utf8.h"
#include "data/graph/graph_origin.h"
#include "data/load/graph_load.h"
#include "data/names/name_address.h"
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
    struct name_match match;
    enum name_fit fit = name_finder_find(finder, text, strlen(text), NULL, &match);
    ck_assert_msg(fit == expected, "%s: %d", text, fit);
    return fit == NAME_UNKNOWN || fit == NAME_NO_MEMORY
               ? ""
               : graph_label(finder->index.graph, match.node, label);
}

START_TEST(a_name_is_forgiven_where_only_one_fits)
{
    struct graph graph = load(links);
    struct name_finder finder;
    struct name_match match;
    ck_assert(name_finder_open(&finder, &graph));
    ck_assert_str_eq(find(&finder, "Laos", NAME_EXACT), "Laos");
    ck_assert_str_eq(find(&finder, "C%C3%B4te_d'Ivoire", NAME_EXACT), "Côte_d'Ivoire");
    ck_assert_ptr_null(finder.made); /* not needed so far */
    ck_assert_str_eq(find(&finder, "laos", NAME_FORGIVEN), "Laos");
    ck_assert_ptr_nonnull(finder.made);
    ck_assert_str_eq(find(&finder, " north korea", NAME_FORGIVEN), "North_Korea");
    ck_assert_str_eq(find(&finder, "COTE D'IVOIRE", NAME_FORGIVEN), "Côte_d'Ivoire");
    ck_assert_str_eq(find(&finder, "1066", NAME_EXACT), "1066");
    ck_assert_str_eq(find(&finder, "#0", NAME_EXACT), "Laos");
    find(&finder, "0", NAME_UNKNOWN); /* a number is a name first */
    find(&finder, "#11", NAME_UNKNOWN);
    find(&finder, "#", NAME_UNKNOWN);
    find(&finder, "#1x", NAME_UNKNOWN);
    ck_assert_str_eq(find(&finder, "New York", NAME_EXACT), "New York");
    ck_assert_str_eq(find(&finder, "foo", NAME_EXACT), "foo");
    ck_assert_str_eq(find(&finder, "https://en.wikipedia.org/wiki/Laos", NAME_FORGIVEN), "Laos");
    ck_assert_str_eq(find(&finder, "http://a.org/wiki/C%C3%B4te_d'Ivoire?x=1#y", NAME_FORGIVEN),
                     "Côte_d'Ivoire");
    find(&finder, "https://en.wikipedia.org/wiki/", NAME_UNKNOWN);
    find(&finder, "wiki/Laos", NAME_UNKNOWN);
    find(&finder, "new york", NAME_UNKNOWN); /* two fit */
    find(&finder, "FOO", NAME_UNKNOWN);
    find(&finder, "", NAME_UNKNOWN);
    find(&finder, "_", NAME_UNKNOWN);
    ck_assert_int_eq(name_finder_find(&finder, "laos", 4, NULL, &match), NAME_FORGIVEN);
    ck_assert_str_eq(match.message, "\"laos\" is taken for \"Laos\"");
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

static void assert_explained(const struct graph *graph, const char *text, const char *expected)
{
    struct name_finder finder;
    struct name_match match;
    ck_assert(name_finder_open(&finder, graph));
    ck_assert_int_eq(name_finder_find(&finder, text, strlen(text), NULL, &match), NAME_UNKNOWN);
    ck_assert_str_eq(match.message, expected);
    name_finder_close(&finder);
}

START_TEST(what_is_no_name_is_explained_with_what_may_be_meant)
{
    struct graph graph = load(links);
    assert_explained(&graph, "Chna", "no node is called \"Chna\"; did you mean China?");
    assert_explained(&graph, "korea",
                     "no node is called \"korea\"; did you mean North_Korea or South_Korea?");
    assert_explained(&graph, "new york",
                     "no node is called \"new york\"; did you mean New_York or New York?");
    assert_explained(&graph, "cote divoire",
                     "no node is called \"cote divoire\"; did you mean Côte_d'Ivoire?");
    assert_explained(&graph, "elephants", "no node is called \"elephants\"");
    assert_explained(&graph, "99999", "no node is called \"99999\"; numbers go from #0 to #10");
    assert_explained(&graph, "0", "no node is called \"0\"; #0 is the node of that number");
    assert_explained(&graph, "106", "no node is called \"106\"; did you mean 1066?");
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

START_TEST(equal_names_are_no_one_s_and_are_suggested_once)
{
    enum { EQUAL = 1000 };
    struct graph graph = load("1 2\n2 1000\n");
    struct name_finder finder;
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
    struct name_match match;
    const char *message = match.message;
    uint32_t code;
    ck_assert(name_finder_open(&finder, &graph));
    for (size_t length = 0; length < 600; length += 2) {
        memcpy(text + length, "é", 2);
        ck_assert_int_eq(name_finder_find(&finder, text, length + 2, NULL, &match), NAME_UNKNOWN);
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
        struct name_match match;
        snprintf(text, sizeof(text), "%u", pages[i]);
        ck_assert_int_eq(name_finder_find(&finder, text, strlen(text), NULL, &match), NAME_EXACT);
        ck_assert_uint_eq(match.node, i);
    }
    ck_assert_str_eq(find(&finder, "1066", NAME_EXACT), "1066");
    find(&finder, "https://en.wikipedia.org/wiki/900", NAME_UNKNOWN); /* a title */
    find(&finder, "0", NAME_UNKNOWN);
    find(&finder, "4", NAME_UNKNOWN);
    find(&finder, "70006", NAME_UNKNOWN);
    assert_explained(&graph, "70006", "no node is called \"70006\"");
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

static const char articles[] = "Ada Lovelace\tCôte_d'Ivoire\nC++\tAC/DC\nWhat?\t100%\n"
                               "New_York\tNew York\nWashington,_D.C.\tfoo bar\nFoo_bar\tLaos\n";

START_TEST(the_address_of_an_article_is_its_name)
{
    static const char *const addresses[][2] = {
        {"https://en.wikipedia.org/wiki/Ada_Lovelace", "Ada Lovelace"},
        {"http://en.wikipedia.org/wiki/Ada_Lovelace", "Ada Lovelace"},
        {"HTTPS://EN.M.Wikipedia.org/wiki/ada_lovelace", "Ada Lovelace"},
        {" https://en.m.wikipedia.org:443/wiki/Ada%20Lovelace \n", "Ada Lovelace"},
        {"https://a.org/wiki/Laos/wiki/Ada_Lovelace", "Ada Lovelace"},
        {"en.wikipedia.org/wiki/Ada_Lovelace#Early_life", "Ada Lovelace"},
        {"https://a.org/deep/wiki/Ada_Lovelace?oldid=1#/wiki/C++", "Ada Lovelace"},
        {"/wiki/Ada_Lovelace", "Ada Lovelace"},
        {"https://en.wikipedia.org/wiki/C%C3%B4te_d%27Ivoire", "Côte_d'Ivoire"},
        {"https://en.wikipedia.org/wiki/C%c3%b4te_d'Ivoire", "Côte_d'Ivoire"},
        {"https://en.wikipedia.org/wiki/c%C3%94te_D'ivoire", "Côte_d'Ivoire"},
        {"https://en.wikipedia.org/wiki/C++", "C++"},
        {"https://en.wikipedia.org/wiki/C%2B%2B", "C++"},
        {"https://en.wikipedia.org/wiki/AC/DC", "AC/DC"},
        {"https://en.wikipedia.org/wiki/What%3F", "What?"},
        {"https://en.wikipedia.org/wiki/100%25", "100%"},
        {"https://en.wikipedia.org/wiki/100%", "100%"},
        {"https://en.wikipedia.org/wiki/New_York", "New_York"},
        {"https://en.wikipedia.org/wiki/Washington,_D.C.", "Washington,_D.C."},
        {"https://en.wikipedia.org/wiki/foo_bar", "foo bar"},
        {"https://en.wikipedia.org/wiki/Foo%20bar", "Foo_bar"},
        {"[[Ada_Lovelace]]", "Ada Lovelace"},
        {" [[:New York]] ", "New_York"},
        {"[[what?#Ever|this]]", "What?"},
        {"[[AC/DC|the band]]", "AC/DC"},
        {"Washington,_D.C.#Parks", "Washington,_D.C."},
        {"ada lovelace#Early life", "Ada Lovelace"},
        {"C++#Class [x]", "C++"},
    };
    struct graph graph = load(articles);
    struct name_finder finder;
    ck_assert(name_finder_open(&finder, &graph));
    for (size_t i = 0; i < COUNT_OF(addresses); i++) {
        ck_assert_str_eq(find(&finder, addresses[i][0], NAME_FORGIVEN), addresses[i][1]);
    }
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

START_TEST(what_is_no_address_of_an_article_is_unknown)
{
    static const char *const texts[] = {
        "https://en.wikipedia.org/wiki/",
        "https://en.wikipedia.org/wiki/?title=Laos",
        "https://en.wikipedia.org/wiki/#Laos",
        "https://en.wikipedia.org/wiki/%",
        "https://en.wikipedia.org/wiki/%zz%4",
        "https://en.wikipedia.org/wiki/%00",
        "https://en.wikipedia.org/wiki/_",
        "https://en.wikipedia.org/wiki/\xff\xfe",
        "https://en.wikipedia.org/wiki/%FF%C3",
        "https://en.wikipedia.org/wiki/3",   /* a title, no id */
        "https://en.wikipedia.org/?curid=3", /* without page ids */
        "https://en.wikipedia.org/w/index.php?title=Laos",
        "https://a.org/?go=/wiki/Laos",
        "https://a.org/wiki/Laos,https://a.org/wiki/Laos", /* two */
        "[[Laos]], [[Laos]]",
        "[[Laos]",
        "[[]]",
        "[[|Laos]]",
        "[[#Laos]]",
        "Laos#", /* as "C#" */
        "Laos#East,Laos#West",
        "https://a.org/Laos#East",
        "https://",
        "wiki/Laos",
        "/wiki/",
        "/Wiki/Laos",
    };
    struct graph graph = load(articles);
    struct name_finder finder;
    ck_assert(name_finder_open(&finder, &graph));
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct name_match match;
        ck_assert_int_eq(name_finder_find(&finder, texts[i], strlen(texts[i]), NULL, &match),
                         NAME_UNKNOWN);
        ck_assert_ptr_eq(strstr(match.message, "no node is called \""), match.message);
        ck_assert_ptr_null(strchr(match.message, '\n'));
    }
    assert_explained(&graph, "https://en.wikipedia.org/wiki/Ada_Lovelase",
                     "no node is called \"https://en.wikipedia.org/wiki/Ada_Lovelase\"; did you "
                     "mean Ada Lovelace?");
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

START_TEST(an_address_may_have_any_length)
{
    static const char start[] = "https://en.wikipedia.org/wiki/Laos?";
    enum { LENGTH = 1 << 20 };
    struct graph graph = load(articles);
    struct name_finder finder;
    struct name_match match;
    char *text = malloc(LENGTH);
    ck_assert(text != NULL && name_finder_open(&finder, &graph));
    memset(text, '%', LENGTH);
    memcpy(text, start, sizeof(start) - 1);
    ck_assert_int_eq(name_finder_find(&finder, text, LENGTH, NULL, &match), NAME_FORGIVEN);
    text[sizeof(start) - 2] = '+'; /* now it is all title */
    ck_assert_int_eq(name_finder_find(&finder, text, LENGTH, NULL, &match), NAME_UNKNOWN);
    ck_assert_uint_lt(strlen(match.message), 200);
    memset(text + 8, '.', LENGTH - 8); /* all host */
    ck_assert_int_eq(name_finder_find(&finder, text, LENGTH, NULL, &match), NAME_UNKNOWN);
    memset(text + 8, '&', LENGTH - 8); /* all query, without a key */
    text[9] = '?';
    ck_assert_int_eq(name_finder_find(&finder, text, LENGTH, NULL, &match), NAME_UNKNOWN);
    free(text);
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

START_TEST(a_name_that_is_an_address_goes_before_the_article)
{
    struct graph graph = load("https://en.wikipedia.org/wiki/Laos\tLaos\n"
                              "http://a.org/wiki/x_y\tx y\n");
    struct name_finder finder;
    ck_assert(name_finder_open(&finder, &graph));
    ck_assert_str_eq(find(&finder, "https://en.wikipedia.org/wiki/Laos", NAME_EXACT),
                     "https://en.wikipedia.org/wiki/Laos");
    ck_assert_str_eq(find(&finder, "http://a.org/wiki/X y", NAME_FORGIVEN),
                     "http://a.org/wiki/x_y");
    ck_assert_str_eq(find(&finder, "https://de.wikipedia.org/wiki/Laos", NAME_FORGIVEN), "Laos");
    ck_assert_str_eq(find(&finder, "https://a.org/wiki/x_y", NAME_FORGIVEN), "x y");
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

START_TEST(the_host_of_a_wiki_follows_from_its_name)
{
    static const char *const hosts[][2] = {
        {"enwiki", "en.wikipedia.org"},           {"simplewiki", "simple.wikipedia.org"},
        {"commonswiki", "commons.wikimedia.org"}, {"metawiki", "meta.wikimedia.org"},
        {"specieswiki", "species.wikimedia.org"}, {"wikidatawiki", "www.wikidata.org"},
        {"mediawikiwiki", "www.mediawiki.org"},   {"be_x_oldwiki", "be-tarask.wikipedia.org"},
        {"zh_min_nanwiki", "nan.wikipedia.org"},  {"roa_rupwiktionary", "rup.wiktionary.org"},
        {"map_bmswiki", "map-bms.wikipedia.org"}, {"dewikivoyage", "de.wikivoyage.org"},
        {"nowiki", "nb.wikipedia.org"},
    };
    static const char *const unknown[] = {
        "",        "wiki",    "other",
        "En wiki", "enwiki2", "a_very_long_name_of_a_wiki_that_no_table_has_and_no_host_canwiki"};
    for (size_t i = 0; i < COUNT_OF(hosts); i++) {
        char host[NAME_ADDRESS_WIKI];
        ck_assert(name_address_host(hosts[i][0], host));
        ck_assert_str_eq(host, hosts[i][1]);
    }
    for (size_t i = 0; i < COUNT_OF(unknown); i++) {
        char host[NAME_ADDRESS_WIKI] = "x";
        ck_assert(!name_address_host(unknown[i], host));
        ck_assert_str_eq(host, "");
    }
}
END_TEST

/* The names that start with a prefix, by name, with commas. */
static const char *complete(struct name_finder *finder, const char *prefix)
{
    static char list[400];
    uint32_t nodes[NAME_SEARCH_MAX];
    size_t total, used = 0;
    const size_t count = name_search_first(name_finder_order(finder), prefix, NAME_FIRST_NAME,
                                           nodes, NAME_SEARCH_MAX, &total);
    ck_assert_uint_eq(count, total);
    list[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i > 0 ? "," : "",
                                 graph_name(finder->index.graph, nodes[i]));
    }
    return list;
}

START_TEST(completion_goes_by_the_letter_and_else_by_the_folded_name)
{
    struct graph graph = load(links);
    struct name_finder finder;
    ck_assert(name_finder_open(&finder, &graph));
    ck_assert_str_eq(complete(&finder, "New"), "New York,New_York");
    ck_assert_str_eq(complete(&finder, "New_"), "New_York");
    ck_assert_str_eq(complete(&finder, "cote"), "Côte_d'Ivoire");
    ck_assert_str_eq(complete(&finder, "new y"), "New York,New_York");
    ck_assert_str_eq(complete(&finder, "zz"), "");
    name_finder_close(&finder);
    graph_free(&graph);
    graph = load("1 2\n");
    ck_assert(name_finder_open(&finder, &graph));
    ck_assert_str_eq(complete(&finder, "1"), ""); /* ids are no names */
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

START_TEST(the_order_is_made_within_its_limit_and_until_it_is_cancelled)
{
    struct graph graph = load(links);
    struct name_finder finder;
    volatile sig_atomic_t cancel = 1;
    struct name_match match;
    ck_assert(name_finder_open(&finder, &graph));
    finder.memory_limit = 20;
    find(&finder, "laos", NAME_NO_MEMORY);
    ck_assert_str_eq(complete(&finder, "New"), "");
    ck_assert_int_eq(name_finder_find(&finder, "loas", 4, NULL, &match), NAME_NO_MEMORY);
    ck_assert_uint_eq(match.near_count, 0);
    ck_assert(!name_finder_sort(&finder, NULL));
    finder.memory_limit = 0;
    ck_assert(!name_finder_sort(&finder, &cancel));
    ck_assert_int_eq(name_finder_find(&finder, "laos", 4, &cancel, &match), NAME_NO_MEMORY);
    ck_assert_int_eq(name_finder_find(&finder, "Laos", 4, &cancel, &match), NAME_EXACT);
    ck_assert_ptr_null(finder.made); /* a name to the letter needs no order */
    cancel = 0;
    ck_assert_int_eq(name_finder_find(&finder, "laos", 4, &cancel, &match), NAME_FORGIVEN);
    cancel = 1;
    ck_assert(name_finder_sort(&finder, &cancel)); /* it is there now */
    ck_assert_str_eq(find(&finder, "LAOS", NAME_FORGIVEN), "Laos");
    ck_assert_int_eq(name_finder_find(&finder, "loas", 4, NULL, &match), NAME_UNKNOWN);
    ck_assert_uint_eq(match.near_count, 1);
    name_finder_close(&finder);
    graph_free(&graph);
}
END_TEST

int main(void)
{
    return suite_run(
        "name_finder", NULL, NULL,
        (const TTest *[]){
            case_accents_and_underscores_are_folded_away, a_name_is_forgiven_where_only_one_fits,
            what_is_no_name_is_explained_with_what_may_be_meant,
            equal_names_are_no_one_s_and_are_suggested_once,
            the_order_is_made_within_its_limit_and_until_it_is_cancelled,
            a_long_text_is_cut_in_the_middle_between_characters,
            where_pages_are_known_a_number_is_a_page_id, the_address_of_an_article_is_its_name,
            what_is_no_address_of_an_article_is_unknown, an_address_may_have_any_length,
            a_name_that_is_an_address_goes_before_the_article,
            the_host_of_a_wiki_follows_from_its_name,
            completion_goes_by_the_letter_and_else_by_the_folded_name, NULL});
}
