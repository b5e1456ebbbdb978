/*
 * name_near.c - the walk among near names; see name_near.h.
 */
#include "name_near.h"
#include "base/pw_assert.h"
#include "data/graph/graph_origin.h"
#include "name_fold.h"
#include <string.h>

#define LETTERS_MAX  64 /* of a text to look for */
#define MISTAKES_MAX 3
#define FREE_START   3     /* in this number of first letters, or a third, one mistake is allowed */
#define STEPS_MAX    30000 /* names to look at per number of mistakes */
#define STEPS_FEW                                                                                  \
    3000 /* so quick were the names that are there, that further ones are looked for */
#define FEW_NAMES   30000 /* are all looked at */
#define WORD_LENGTH 3     /* of a text that may be the start or a word of a name */

/* The walk: a row of distances for each letter of the current name. */
struct walk {
    const struct name_order *order;
    const char *wanted;
    size_t length;
    unsigned most; /* mistakes */
    char name[NAME_FOLDED_MAX];
    size_t valid;   /* letters of name whose rows are valid */
    unsigned steps; /* of all walks */
    unsigned char rows[NAME_FOLDED_MAX + 1][LETTERS_MAX + 1];
};

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Compute the row of the letter at depth. Returns the least distance of any longer name. */
static unsigned add_letter(struct walk *walk, size_t depth, char letter)
{
    unsigned char *row = walk->rows[depth + 1];
    const unsigned char *above = walk->rows[depth];
    unsigned least = row[0] = (unsigned char)(depth + 1);
    for (size_t j = 1; j <= walk->length; j++) {
        const bool same = walk->wanted[j - 1] == letter;
        unsigned cost = smaller(above[j - 1] + !same, smaller(above[j], row[j - 1]) + 1U);
        if (depth > 0 && j > 1 && letter == walk->wanted[j - 2] &&
            walk->name[depth - 1] == walk->wanted[j - 1]) {
            cost = smaller(cost, walk->rows[depth - 1][j - 2] + 1U);
        }
        row[j] = (unsigned char)cost;
        least = smaller(least, cost);
    }
    return least;
}

/* Compute the distance of the name at a place. Or set *dead: how many letters are too far. */
static unsigned measure(struct walk *walk, const char *name, size_t length, size_t *dead)
{
    size_t depth = 0;
    while (depth < walk->valid && depth < length && walk->name[depth] == name[depth]) {
        depth++;
    }
    *dead = 0;
    for (; depth < length; depth++) {
        walk->name[depth] = name[depth];
        const bool at_start = depth < FREE_START || depth < walk->length / 3;
        const unsigned most = at_start ? smaller(walk->most, 1) : walk->most;
        if (depth >= walk->length + walk->most || add_letter(walk, depth, name[depth]) > most) {
            *dead = depth + 1;
            walk->valid = depth;
            return walk->most + 1;
        }
    }
    walk->valid = length;
    return walk->rows[length][walk->length];
}

/* True if one of several nodes has the same name as a node. */
static bool is_among(const struct graph *graph, const uint32_t *nodes, size_t count, uint32_t node)
{
    char text[2][GRAPH_LABEL_SIZE];
    const char *name = graph_label(graph, node, text[0]);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(graph_label(graph, nodes[i], text[1]), name) == 0) {
            return true;
        }
    }
    return false;
}

/* Add a node unless its name is there already. */
static void add_node(const struct graph *graph, uint32_t node, uint32_t *nodes, size_t *count,
                     size_t most)
{
    if (node != GRAPH_NODE_NONE && *count < most && !is_among(graph, nodes, *count, node)) {
        nodes[(*count)++] = node;
    }
}

/*
 * Where to continue after names that are too far for their first `dead` letters: at the text's next
 * letter in the last of these places, because any other letter is as far; else after all names that
 * share the letters before it.
 */
static uint64_t pass_over(const struct walk *walk, const char *name, size_t dead, uint64_t place)
{
    char start[NAME_FOLDED_MAX];
    int next = 256;
    const int last = (unsigned char)name[dead - 1];
    for (size_t i = 0; i < walk->length && dead <= walk->length + walk->most; i++) {
        const int letter = (unsigned char)walk->wanted[i];
        next = letter > last && letter < next ? letter : next;
    }
    memcpy(start, name, dead);
    if (next < 256) {
        start[dead - 1] = (char)next;
        return name_order_bound(walk->order, start, dead, false, place);
    }
    return name_order_bound(walk->order, start, dead - 1, true, place);
}

/* Find the names with exactly walk->most mistakes. */
static void walk_names(struct walk *walk, uint32_t *nodes, size_t *count, size_t most)
{
    const struct graph *graph = walk->order->index->graph;
    const uint64_t end = name_order_count(graph);
    char folded[NAME_FOLDED_MAX];
    walk->valid = 0;
    for (size_t j = 0; j <= walk->length; j++) {
        walk->rows[0][j] = (unsigned char)j;
    }
    uint64_t place = 0;
    for (unsigned steps = 0; place < end && steps < STEPS_MAX && *count < most; steps++) {
        walk->steps++;
        const uint32_t number = name_order_at(walk->order, place);
        size_t dead;
        const size_t length = name_order_fold(graph, number, folded);
        const unsigned distance = measure(walk, folded, length, &dead);
        if (dead > 0) {
            const uint64_t next = pass_over(walk, folded, dead, place);
            pw_assert(next > place);
            place = next;
            continue;
        }
        if (distance == walk->most) {
            add_node(graph, name_order_node(walk->order, number), nodes, count, most);
        }
        place++;
    }
}

/* True if a text is a word of a folded name, or several words. */
static bool has_word(const char *name, size_t name_length, const char *text, size_t length)
{
    const char *at = name;
    const char *end = name + name_length;
    while ((at = memmem(at, (size_t)(end - at), text, length)) != NULL) {
        if ((at == name || at[-1] == ' ') && (at + length == end || strchr(" ,", at[length]))) {
            return true;
        }
        at++;
    }
    return false;
}

/* Find the names that have the text as a word, in a graph of few names. */
static void find_words(struct walk *walk, uint32_t *nodes, size_t *count, size_t most)
{
    const struct graph *graph = walk->order->index->graph;
    const uint64_t end = name_order_count(graph);
    char folded[NAME_FOLDED_MAX];
    for (uint64_t place = 0; end <= FEW_NAMES && place < end && *count < most; place++) {
        const uint32_t number = name_order_at(walk->order, place);
        const size_t length = name_order_fold(graph, number, folded);
        if (has_word(folded, length, walk->wanted, walk->length)) {
            add_node(graph, name_order_node(walk->order, number), nodes, count, most);
        }
    }
}

size_t name_order_similar(const struct name_order *order, const char *text, size_t length,
                          uint32_t *nodes, size_t most)
{
    const struct graph *graph = order->index->graph;
    char wanted[LETTERS_MAX];
    struct walk walk; /* 33 KiB; a block could fail, and the names near would be lost in silence */
    uint64_t begin, end;
    size_t count = 0;
    if (length == 0 || length > LETTERS_MAX) {
        return 0;
    }
    walk.order = order;
    walk.wanted = wanted;
    walk.length = name_fold(wanted, sizeof(wanted), text, length);
    const unsigned mistakes = smaller((unsigned)walk.length / 3 + 1, MISTAKES_MAX);
    walk.steps = 0;
    for (walk.most = 0; walk.most <= mistakes && (count == 0 || walk.steps < STEPS_FEW);
         walk.most++) {
        walk_names(&walk, nodes, &count, most);
    }
    if (walk.length >= WORD_LENGTH) {
        name_order_range(order, wanted, walk.length, &begin, &end);
        for (uint64_t i = begin; i < end && i < begin + 4 * most; i++) {
            add_node(graph, name_order_node(order, name_order_at(order, i)), nodes, &count, most);
        }
        find_words(&walk, nodes, &count, most);
    }
    return count;
}
