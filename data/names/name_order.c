/*
 * name_order.c - sorting by folded name, and the walk among near names; see name_order.h.
 *
 * To sort: numbers are put into buckets by the first two bytes of their folded names. In a bucket
 * the first sixteen bytes of each are its key. Names are sorted by the first byte in which their
 * keys differ (radix sort from the left), then those that have it in common, and so on; few names
 * are sorted by insertion. Where no key differs, the next sixteen bytes are the keys. Cost: 16
 * bytes per name, and 48 per name of the buckets at hand.
 */
#include "name_order.h"
#include "base/pw_assert.h"
#include "base/utf8.h"
#include "data/graph/graph_origin.h"
#include "data/graph/parallel.h"
#include "name_fold.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define FOLDED_MAX   512
#define BUCKETS      65536
#define KEY_BYTES    16
#define FEW          24 /* names are sorted by insertion */
#define KEYS_AT_ONCE 4096
#define LETTERS_MAX  64 /* of a text that is looked for */
#define MISTAKES_MAX 3
#define FREE_START   3     /* in as many first letters, or a third, one mistake is allowed */
#define STEPS_MAX    30000 /* names that are looked at with a number of mistakes */

bool name_order_is_there(const struct graph *graph)
{
    return graph->names != NULL && graph->origin != NULL && graph->origin->order != NULL;
}

static uint32_t count_of(const struct graph *graph)
{
    const struct graph_names *aliases = graph->origin->aliases;
    return graph->names->count + (aliases != NULL ? aliases->count : 0);
}

const char *name_order_text(const struct graph *graph, uint32_t number, size_t *length)
{
    const struct graph_names *names = graph->names;
    if (number >= names->count) {
        number -= names->count;
        names = graph->origin->aliases;
    }
    *length = (size_t)(names->begins[number + 1] - names->begins[number]) - 1;
    return names->text + names->begins[number];
}

uint32_t name_order_node(const struct graph *graph, uint32_t number)
{
    const uint32_t count = graph->names->count;
    const uint32_t id =
        number < count ? graph->names->first_id + number : graph->origin->alias_ids[number - count];
    if (graph->original_ids == NULL) {
        return graph_has_node(graph, id) ? id : GRAPH_NODE_NONE;
    }
    uint32_t node = graph->first_node;
    while (node < graph->node_limit && graph->original_ids[node] != id) {
        node++;
    }
    return node < graph->node_limit ? node : GRAPH_NODE_NONE;
}

static size_t fold(const struct graph *graph, uint32_t number, char folded[FOLDED_MAX])
{
    size_t length;
    const char *text = name_order_text(graph, number, &length);
    return name_fold(folded, FOLDED_MAX, text, length);
}

/* Sorting ------------------------------------------------------------------------------------- */

/* Bytes of a folded name, the first in the highest bits, so that numbers compare as names do. */
struct key {
    uint64_t words[KEY_BYTES / 8];
};

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the bytes of a key are reversed");

struct keyed {
    struct key key;
    uint32_t number;
};

struct ordering {
    const struct graph *graph;
    uint32_t *order;
    uint32_t *begins; /* of the buckets, and the end */
    struct key *keys; /* of the names: where they begin */
    uint32_t count;
    atomic_bool failed;
};

/* The bytes of a folded name from some place on. */
static struct key key_at(const struct graph *graph, uint32_t number, size_t at)
{
    char folded[FOLDED_MAX + KEY_BYTES];
    struct key key;
    const size_t length = fold(graph, number, folded);
    memset(folded + length, 0, KEY_BYTES);
    memcpy(&key, folded + (at < length ? at : length), KEY_BYTES);
    key.words[0] = __builtin_bswap64(key.words[0]);
    key.words[1] = __builtin_bswap64(key.words[1]);
    return key;
}

static unsigned byte_of(const struct key *key, size_t byte)
{
    return (unsigned)(key->words[byte / 8] >> (56 - byte % 8 * 8)) & 0xff;
}

/* The first byte in which not all keys are the same, KEY_BYTES where they are. */
static size_t first_difference(const struct keyed *items, size_t count)
{
    uint64_t high = 0, low = 0;
    for (size_t i = 1; i < count; i++) {
        high |= items[i].key.words[0] ^ items[0].key.words[0];
        low |= items[i].key.words[1] ^ items[0].key.words[1];
    }
    return high != 0  ? (size_t)__builtin_clzll(high) / 8
           : low != 0 ? (size_t)__builtin_clzll(low) / 8 + 8
                      : KEY_BYTES;
}

static bool is_less(const struct key *a, const struct key *b)
{
    return a->words[0] != b->words[0] ? a->words[0] < b->words[0] : a->words[1] < b->words[1];
}

/* Sort few items by their keys; equal ones stay in their order. */
static void sort_few(struct keyed *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct keyed item = items[i];
        size_t k = i;
        for (; k > 0 && is_less(&item.key, &items[k - 1].key); k--) {
            items[k] = items[k - 1];
        }
        items[k] = item;
    }
}

/* Sort items by one byte of their keys; equal ones stay in their order. */
static void sort_by_byte(struct keyed *items, struct keyed *spare, size_t count, size_t byte)
{
    uint32_t places[256 + 1] = {0};
    memcpy(spare, items, count * sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        places[byte_of(&spare[i].key, byte) + 1]++;
    }
    for (size_t i = 1; i < 256; i++) {
        places[i] += places[i - 1];
    }
    for (size_t i = 0; i < count; i++) {
        items[places[byte_of(&spare[i].key, byte)]++] = spare[i];
    }
}

/*
 * Sort names that are the same before the byte at, where their keys begin, and in the order of
 * their numbers, which equal ones keep. Calls itself at most once per byte of a name.
 */
static void sort_keyed(const struct graph *graph, struct keyed *items, struct keyed *spare,
                       size_t count, size_t at)
{
    size_t byte;
    pw_assert(count > 1);
    while ((byte = first_difference(items, count)) == KEY_BYTES) {
        if (byte_of(&items->key, KEY_BYTES - 1) == 0) {
            return; /* the names are equal */
        }
        at += KEY_BYTES;
        pw_assert(at <= FOLDED_MAX);
        for (size_t i = 0; i < count; i++) {
            items[i].key = key_at(graph, items[i].number, at);
        }
    }
    if (count > FEW) {
        sort_by_byte(items, spare, count, byte);
    } else {
        sort_few(items, count);
        byte = KEY_BYTES - 1;
    }
    for (size_t i = 0, end; i < count; i = end) { /* those that are the same through that byte */
        for (end = i + 1; end < count && first_difference(&items[end - 1], 2) > byte;) {
            end++;
        }
        if (end - i > 1) {
            sort_keyed(graph, items + i, spare, end - i, at);
        }
    }
}

static void sort_bucket(void *context, unsigned thread, size_t bucket)
{
    struct ordering *ordering = context;
    (void)thread;
    uint32_t *order = ordering->order + ordering->begins[bucket];
    const size_t count = ordering->begins[bucket + 1] - ordering->begins[bucket];
    struct keyed *items = count > 1 ? malloc(2 * count * sizeof(*items)) : NULL;
    if (items == NULL) {
        if (count > 1) {
            atomic_store(&ordering->failed, true);
        }
        return;
    }
    for (size_t k = 0; k < count; k++) {
        items[k] = (struct keyed){ordering->keys[order[k]], order[k]};
    }
    sort_keyed(ordering->graph, items, items + count, count, 0);
    for (size_t k = 0; k < count; k++) {
        order[k] = items[k].number;
    }
    free(items);
}

static void make_keys(void *context, unsigned thread, size_t index)
{
    struct ordering *ordering = context;
    (void)thread;
    uint64_t i = (uint64_t)index * KEYS_AT_ONCE;
    for (uint64_t end = i + KEYS_AT_ONCE; i < end && i < ordering->count; i++) {
        ordering->keys[i] = key_at(ordering->graph, (uint32_t)i, 0);
    }
}

/* Put the numbers into buckets: by the first two bytes of their keys. */
static void fill_buckets(struct ordering *ordering)
{
    uint32_t *begins = ordering->begins;
    for (uint32_t i = 0; i < ordering->count; i++) {
        begins[(ordering->keys[i].words[0] >> 48) + 2]++;
    }
    for (unsigned i = 2; i < BUCKETS + 2; i++) {
        begins[i] += begins[i - 1];
    }
    for (uint32_t i = 0; i < ordering->count; i++) {
        ordering->order[begins[(ordering->keys[i].words[0] >> 48) + 1]++] = i;
    }
}

bool name_order_make(struct graph *graph, unsigned threads)
{
    const uint32_t count = count_of(graph);
    struct ordering ordering = {.graph = graph, .count = count};
    threads = parallel_count(threads);
    ordering.order = calloc((size_t)count + 1, sizeof(*ordering.order));
    ordering.begins = calloc(BUCKETS + 2, sizeof(*ordering.begins));
    ordering.keys = malloc(((size_t)count + 1) * sizeof(*ordering.keys));
    bool done = ordering.order != NULL && ordering.begins != NULL && ordering.keys != NULL;
    if (done) {
        parallel_each(threads, count / KEYS_AT_ONCE + 1, make_keys, &ordering);
        fill_buckets(&ordering);
        parallel_each(threads, BUCKETS, sort_bucket, &ordering);
        done = !atomic_load(&ordering.failed);
    }
    free(ordering.keys);
    free(ordering.begins);
    if (!done) {
        free(ordering.order);
        return false;
    }
    graph->origin->order = ordering.order;
    return true;
}

/* Searching ----------------------------------------------------------------------------------- */

/* Whether the name at a place is before a text, or (past) begins with it, too. */
static bool is_before(const struct graph *graph, uint64_t place, const char *text, size_t length,
                      bool past)
{
    char folded[FOLDED_MAX];
    const size_t got = fold(graph, graph->origin->order[place], folded);
    const int order = memcmp(folded, text, got < length ? got : length);
    return order < 0 || (order == 0 && (past || got < length));
}

/* The first place from low on that is not before a text; see is_before. Quick where it is near. */
static uint64_t bound(const struct graph *graph, const char *text, size_t length, bool past,
                      uint64_t low)
{
    uint64_t high = count_of(graph);
    for (uint64_t step = 1; low + step < high; step *= 2) {
        if (is_before(graph, low + step, text, length, past)) {
            low += step;
        } else {
            high = low + step;
        }
    }
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (is_before(graph, middle, text, length, past)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void name_order_range(const struct graph *graph, const char *folded, size_t length, uint64_t *begin,
                      uint64_t *end)
{
    *begin = bound(graph, folded, length, false, 0);
    *end = bound(graph, folded, length, true, *begin);
}

/* A typed text as titles are: spaces for underscores. Returns its length. */
static size_t spaced(char out[FOLDED_MAX], const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        out[i] = (char)(text[i] == '_' ? ' ' : text[i]);
    }
    return length;
}

/* Whether a name that is the same when folded is a text but for the case of its first letter. */
static bool is_as_typed(const char *name, size_t name_length, const char *text, size_t length)
{
    uint32_t code;
    size_t x = utf8_decode(name, name_length, &code), y = utf8_decode(text, length, &code);
    x = x > 0 ? x : name_length > 0;
    y = y > 0 ? y : length > 0;
    return x == y && name_length == length && memcmp(name + x, text + x, length - x) == 0;
}

enum name_quality name_order_find(const struct graph *graph, const char *text, size_t length,
                                  uint32_t *number)
{
    char typed[FOLDED_MAX], wanted[FOLDED_MAX], own_folded[FOLDED_MAX];
    uint64_t begin, end;
    uint32_t best_node = GRAPH_NODE_NONE;
    int best = 0; /* quality, and in the last bits whether to the letter, and whether a name */
    bool is_several = false;
    if (length == 0 || length > FOLDED_MAX) {
        return NAME_OF_NONE;
    }
    length = spaced(typed, text, length);
    const size_t folded = name_fold(wanted, sizeof(wanted), typed, length);
    name_order_range(graph, wanted, folded, &begin, &end);
    for (uint64_t i = begin; i < end; i++) {
        size_t own_length;
        const uint32_t found = graph->origin->order[i];
        if (fold(graph, found, own_folded) != folded) {
            break; /* the longer ones are behind those that are it */
        }
        const char *own = name_order_text(graph, found, &own_length);
        const bool is_alias = found >= graph->names->count;
        const bool same = own_length == length && memcmp(own, typed, length) == 0;
        const bool typed_so = same || is_as_typed(own, own_length, typed, length);
        const int fit = (typed_so ? NAME_AS_TYPED : NAME_FOLDED) * 4 + same * 2 + !is_alias;
        const bool counts = fit > best || (fit == best && !is_several);
        const uint32_t node = counts ? name_order_node(graph, found) : GRAPH_NODE_NONE;
        if (node == GRAPH_NODE_NONE) {
            continue;
        }
        is_several = fit == best && node != best_node;
        best = fit;
        best_node = node;
        *number = found;
    }
    return best == 0 || is_several || folded == 0 ? NAME_OF_NONE : (enum name_quality)(best / 4);
}

/* The walk: a row of distances for each letter of the name at hand. */
struct walk {
    const struct graph *graph;
    const char *wanted;
    size_t length;
    unsigned most; /* mistakes */
    char name[FOLDED_MAX];
    size_t valid; /* letters of name whose rows stand */
    unsigned char rows[FOLDED_MAX + 1][LETTERS_MAX + 1];
};

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The row of the letter at depth. Returns the least distance that a longer name can still have. */
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

/* Look at the name at a place: its distance, or, with *dead set, how many letters are too far. */
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

bool name_is_among(const struct graph *graph, const uint32_t *nodes, size_t count, uint32_t node)
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
    if (node != GRAPH_NODE_NONE && *count < most && !name_is_among(graph, nodes, *count, node)) {
        nodes[(*count)++] = node;
    }
}

/*
 * Where to go on behind names that are too far for their first `dead` letters: at the next letter
 * in the place of the last that the text has, since any other is as far; else behind all names
 * that have the letters before it.
 */
static uint64_t pass_over(const struct walk *walk, const char *name, size_t dead, uint64_t place)
{
    char start[FOLDED_MAX];
    int next = 256;
    const int last = (unsigned char)name[dead - 1];
    for (size_t i = 0; i < walk->length && dead <= walk->length + walk->most; i++) {
        const int letter = (unsigned char)walk->wanted[i];
        next = letter > last && letter < next ? letter : next;
    }
    memcpy(start, name, dead);
    if (next < 256) {
        start[dead - 1] = (char)next;
        return bound(walk->graph, start, dead, false, place);
    }
    return bound(walk->graph, start, dead - 1, true, place);
}

/* The names with as many mistakes as walk->most. */
static void walk_names(struct walk *walk, uint32_t *nodes, size_t *count, size_t most)
{
    const struct graph *graph = walk->graph;
    const uint64_t end = count_of(graph);
    char folded[FOLDED_MAX];
    walk->valid = 0;
    for (size_t j = 0; j <= walk->length; j++) {
        walk->rows[0][j] = (unsigned char)j;
    }
    uint64_t place = 0;
    for (unsigned steps = 0; place < end && steps < STEPS_MAX && *count < most; steps++) {
        const uint32_t number = graph->origin->order[place];
        size_t dead;
        const size_t length = fold(graph, number, folded);
        const unsigned distance = measure(walk, folded, length, &dead);
        if (dead > 0) {
            place = pass_over(walk, folded, dead, place);
            continue;
        }
        if (distance == walk->most) {
            add_node(graph, name_order_node(graph, number), nodes, count, most);
        }
        place++;
    }
}

void name_order_similar(const struct graph *graph, const char *text, size_t length, uint32_t *nodes,
                        size_t *count, size_t most)
{
    char wanted[LETTERS_MAX];
    struct walk *walk = length > 0 && length <= LETTERS_MAX ? malloc(sizeof(*walk)) : NULL;
    uint64_t begin, end;
    *count = 0;
    if (walk == NULL) {
        return;
    }
    walk->graph = graph;
    walk->wanted = wanted;
    walk->length = name_fold(wanted, sizeof(wanted), text, length);
    const unsigned mistakes = smaller((unsigned)walk->length / 3 + 1, MISTAKES_MAX);
    for (walk->most = 0; walk->most <= mistakes && *count == 0; walk->most++) {
        walk_names(walk, nodes, count, most);
    }
    name_order_range(graph, wanted, walk->length, &begin, &end);
    for (uint64_t i = begin; walk->length > 2 && i < end && i < begin + 4 * most; i++) {
        add_node(graph, name_order_node(graph, graph->origin->order[i]), nodes, count, most);
    }
    free(walk);
}
