/*
 * test_name_order.c - names are folded letter by letter, and ordered by what comes out.
 */
#include "base/edit_distance.h"
#include "base/macros.h"
#include "data/graph/graph_origin.h"
#include "data/names/name_finder.h"
#include "data/names/name_fold.h"
#include "data/names/name_near.h"
#include "data/names/name_sort.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <stdlib.h>
#include <string.h>

enum { FOLDED_MAX = 512, NAMES_MAX = 3000 };

/* Characters, and what each becomes. */
static const struct {
    const char *text, *folded;
} characters[] = {
    {"a", "a"},       {"z", "z"},       {"A", "a"},       {"Z", "z"},
    {"@", "@"},       {"[", "["},       {"`", "`"},       {"{", "{"},
    {"~", "~"},       {"7", "7"},       {"'", "'"},       {"-", "-"},
    {"\x7f", "\x7f"}, {"\x1f", "\x1f"}, {"\n", "\n"},     {"!", "!"},
    {" ", " "},       {"_", " "},       {"\t", " "},      {"é", "e"},
    {"Å", "a"},       {"ß", "ss"},      {"Æ", "ae"},      {"東", "東"},
    {"Д", "д"},       {"\u0301", ""},   {"\xff", "\xff"}, {"\U0001f600", "\U0001f600"},
};

/* Add a character to a name of *length bytes, and to its folded form of *used, which has room for
 * size. */
static void add(size_t character, char *name, size_t *length, char *folded, size_t *used,
                size_t size)
{
    const char *text = characters[character].text, *form = characters[character].folded;
    const bool is_accent = form[0] == '\0';
    const bool is_after_broken = *length > 0 && name[*length - 1] == '\xff';
    form = is_accent && is_after_broken ? text : form;
    for (; *text != '\0'; text++) {
        name[(*length)++] = *text;
    }
    if (form[0] == ' ' && (*used == 0 || folded[*used - 1] == ' ')) {
        return;
    }
    for (bool fits = *used + strlen(form) <= size; fits && *form != '\0'; form++) {
        folded[(*used)++] = *form;
    }
}

START_TEST(every_character_is_folded_wherever_it_is)
{
    struct rng rng = random_start("folding");
    for (size_t names = random_share(300000); names > 0; names--) {
        char name[200], expected[200], folded[64];
        size_t length = 0, used = 0;
        const size_t size = random_below(&rng, sizeof(folded) + 1);
        const size_t kinds = random_below(&rng, 2) == 0 ? COUNT_OF(characters) : 19;
        for (size_t left = random_below(&rng, 40); left > 0; left--) {
            add(random_below(&rng, kinds), name, &length, expected, &used, size);
        }
        char *text = malloc(length + 1); /* so that the sanitizers see reads past its end */
        memcpy(text, name, length);
        used -= used > 0 && expected[used - 1] == ' ';
        require(name_fold(folded, size, text, length) == used);
        require(memcmp(folded, expected, used) == 0 && used <= length);
        free(text);
    }
}
END_TEST

/* A folded name of the graph at hand. */
struct folded {
    size_t length;
    char text[FOLDED_MAX];
};
static struct folded forms[NAMES_MAX];

static int compare_forms(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const struct folded *x = &forms[i], *y = &forms[j];
    const int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    return order != 0               ? order
           : x->length != y->length ? (x->length < y->length ? -1 : 1)
                                    : (i > j) - (i < j);
}

/* Add names; many begin alike, and some are equal. */
static void add_names(struct graph_names *names, size_t count, struct rng *rng)
{
    const size_t letters = 1 + random_below(rng, COUNT_OF(characters) - 1);
    const size_t most = 1 + random_below(rng, 40);
    char name[1000], start[1000], ignored[1000];
    size_t start_length = 0, used = 0;
    for (size_t left = random_below(rng, random_below(rng, 8) == 0 ? 600 : 40); left > 0; left--) {
        add(random_below(rng, 12), start, &start_length, ignored, &used, sizeof(ignored));
    }
    for (size_t i = 0; i < count; i++) {
        size_t length =
            random_below(rng, 3) == 0 ? random_below(rng, start_length + 1) : start_length;
        used = 0;
        memcpy(name, start, length);
        for (size_t left = random_below(rng, most); left > 0; left--) {
            add(random_below(rng, letters), name, &length, ignored, &used, sizeof(ignored));
        }
        require(graph_names_add_plain(names, name, length));
    }
}

START_TEST(names_and_aliases_are_ordered_by_their_folded_forms)
{
    struct rng rng = random_start("name order");
    for (unsigned round = 0; round < random_share(300); round++) {
        static uint32_t wanted[NAMES_MAX];
        struct graph_origin *origin = calloc(1, sizeof(*origin));
        struct graph graph = {.names = graph_names_create(), .origin = origin};
        const size_t most = round % 8 == 0 ? NAMES_MAX / 2 : 1 + round;
        require(origin != NULL && graph.names != NULL);
        add_names(graph.names, random_below(&rng, most), &rng);
        if (round % 3 > 0) {
            origin->aliases = graph_names_create();
            require(origin->aliases != NULL);
            add_names(origin->aliases, random_below(&rng, most), &rng);
        }
        const uint32_t count =
            graph.names->count + (origin->aliases != NULL ? origin->aliases->count : 0);
        for (uint32_t i = 0; i < count; i++) {
            size_t length;
            const char *text = name_order_text(&graph, i, &length);
            forms[i].length = name_fold(forms[i].text, FOLDED_MAX, text, length);
            wanted[i] = i;
        }
        qsort(wanted, count, sizeof(*wanted), compare_forms);
        require(name_order_make(&graph, 1 + round % 4));
        require(memcmp(origin->order, wanted, count * sizeof(*wanted)) == 0);
        graph_origin_free(origin);
        graph_names_free(graph.names);
    }
}
END_TEST

/* A text like a name of the graph, with a letter replaced, or only a start of it. */
static size_t misspell(const struct graph *graph, char *text, struct rng *rng)
{
    size_t length;
    const uint32_t number = (uint32_t)random_below(rng, graph->names->count);
    const char *name = name_order_text(graph, number, &length);
    memcpy(text, name, length + 1);
    if (length > 0 && random_below(rng, 2) == 0) {
        text[random_below(rng, length)] = "azA _"[random_below(rng, 5)];
    } else if (random_below(rng, 2) == 0) {
        length = random_below(rng, length + 1);
        while (length > 0 && ((unsigned char)text[length] >> 6) == 2) {
            length--; /* to the start of the character */
        }
        text[length] = '\0';
    }
    return length;
}

/* Compare what is found for a text with a look at every name. */
static void check_text(struct name_finder *finder, const char *text, size_t length)
{
    static uint32_t nodes[NAMES_MAX];
    static bool is_match[NAMES_MAX];
    const struct graph *graph = finder->index.graph;
    char wanted[FOLDED_MAX];
    const size_t used = name_fold(wanted, sizeof(wanted), text, length);
    size_t starts[2] = {0, 0}, equal = 0, same = 0, near = 0, total;
    for (uint32_t i = 0; i < graph->names->count; i++) {
        size_t own_length;
        const char *own = name_order_text(graph, i, &own_length);
        same += own_length == length && memcmp(own, text, length) == 0;
        starts[0] += own_length >= length && memcmp(own, text, length) == 0;
        starts[1] += forms[i].length >= used && memcmp(forms[i].text, wanted, used) == 0;
        equal += forms[i].length == used && memcmp(forms[i].text, wanted, used) == 0;
        near += edit_distance(wanted, used, forms[i].text, forms[i].length, 1) <= 1;
    }
    struct name_match match;
    const enum name_fit fit = name_finder_find(finder, text, length, NULL, &match);
    const bool is_number = length > 0 && strspn(text, "0123456789") == length;
    require(is_number || (fit == NAME_EXACT) == (same > 0));
    require(is_number || same > 0 ||
            (fit == NAME_FORGIVEN) == (equal == 1 && used > 0 && length <= NAME_FOLDED_MAX));
    require(
        is_number || fit == NAME_UNKNOWN ||
        (forms[match.node].length == used && memcmp(forms[match.node].text, wanted, used) == 0));

    const bool is_folded = starts[0] == 0;
    const size_t count = name_search_first(name_finder_order(finder), text, NAME_FIRST_NAME, nodes,
                                           NAMES_MAX, &total);
    require(count == total && total == starts[is_folded]);
    memset(is_match, 0, sizeof(is_match));
    for (size_t i = 0; i < count; i++) {
        const char *own = graph->names->text + graph->names->begins[nodes[i]];
        require(!is_match[nodes[i]]);
        is_match[nodes[i]] = true;
        require(is_folded ? memcmp(forms[nodes[i]].text, wanted, used) == 0
                          : memcmp(own, text, length) == 0);
    }

    if (near > 0 && used > 0 && length <= 64) { /* the nearest is among the suggestions */
        const struct name_order *order = name_finder_order(finder);
        require(name_order_similar(order, text, length, nodes, NAME_SIMILAR_MAX) > 0);
        require(edit_distance(wanted, used, forms[nodes[0]].text, forms[nodes[0]].length, 1) <= 1);
    }
}

START_TEST(the_order_finds_what_a_look_at_every_name_finds)
{
    struct rng rng = random_start("search in the order");
    for (size_t left = random_share(200); left > 0; left--) {
        struct graph graph = {.names = graph_names_create()};
        struct name_finder finder;
        char text[2000];
        require(graph.names != NULL);
        add_names(graph.names, 1 + random_below(&rng, 300), &rng);
        graph.node_limit = graph.names->count;
        for (uint32_t i = 0; i < graph.names->count; i++) {
            forms[i].length = name_order_fold(&graph, i, forms[i].text);
        }
        require(name_finder_open(&finder, &graph));
        for (unsigned texts = 0; texts < 50; texts++) {
            check_text(&finder, text, misspell(&graph, text, &rng));
        }
        name_finder_close(&finder);
        graph_names_free(graph.names);
    }
}
END_TEST

int main(void)
{
    return suite_run("name order", NULL, NULL,
                     (const TTest *[]){every_character_is_folded_wherever_it_is,
                                       names_and_aliases_are_ordered_by_their_folded_forms,
                                       the_order_finds_what_a_look_at_every_name_finds, NULL});
}
