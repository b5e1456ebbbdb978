/*
 * test_name_order.c - names are folded letter by letter, and ordered by what comes out.
 */
#include "base/macros.h"
#include "data/graph/graph_origin.h"
#include "data/names/name_fold.h"
#include "data/names/name_order.h"
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
    for (size_t round = 0; round < 300000; round++) {
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

/* Some names, of which many begin alike and some are the same. */
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
    for (unsigned round = 0; round < 300; round++) {
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

int main(void)
{
    return suite_run("name order", NULL, NULL,
                     (const TTest *[]){every_character_is_folded_wherever_it_is,
                                       names_and_aliases_are_ordered_by_their_folded_forms, NULL});
}
