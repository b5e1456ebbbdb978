/*
 * path_graph_count.c - counts the paths of a graph of paths, in numbers of as many words as the
 * largest of a level needs, and writes their number in decimal.
 */
#include "base/pw_assert.h"
#include "path_graph.h"
#include "path_making.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_PER_PART 9 /* a part of a decimal text is half a word */
#define PART            UINT64_C(1000000000)

/* Write a number of several words, lowest first, as a decimal text; the words are lost. NULL when
 * out of memory, or if the limits say to stop. */
static char *decimal(struct path_making *making, uint64_t *words, size_t count)
{
    const size_t size = count * 20 + DIGITS_PER_PART + 2;
    char *text = malloc(size), part[DIGITS_PER_PART + 2];
    size_t at = size;
    if (text == NULL) {
        return NULL;
    }
    text[--at] = '\0';
    do {
        uint64_t rest = 0;
        if (!path_may_go_on(making, count)) {
            free(text);
            return NULL;
        }
        for (size_t i = count; i-- > 0;) {
            const uint64_t high = rest << 32 | words[i] >> 32;
            const uint64_t low = high % PART << 32 | (words[i] & UINT32_MAX);
            words[i] = high / PART << 32 | low / PART;
            rest = low % PART;
        }
        while (count > 0 && words[count - 1] == 0) {
            count--;
        }
        const int length =
            snprintf(part, sizeof(part), count > 0 ? "%09llu" : "%llu", (unsigned long long)rest);
        pw_assert(length > 0 && (size_t)length <= at);
        at -= (size_t)length;
        memcpy(text + at, part, (size_t)length);
    } while (count > 0);
    memmove(text, text + at, size - at);
    return text;
}

/* Add a number of `count` words to one that has at least as many, and room for the carry. */
static void add_number(uint64_t *sum, const uint64_t *number, size_t count)
{
    bool carry = false;
    for (size_t i = 0; i < count || carry; i++) {
        const uint64_t before = sum[i], more = (i < count ? number[i] : 0);
        sum[i] += more + carry;
        carry = sum[i] < before || (carry && sum[i] == before);
    }
}

/*
 * The numbers of ways to the nodes of a level, from the numbers of the level before, `width` words
 * each. Returns words of *next_width each: one more if a number might not fit. NULL when out of
 * memory, if the limits say to stop, or if no more words may be added.
 */
static uint64_t *ways_of_level(struct path_making *making, uint32_t level, const uint64_t *before,
                               size_t width, size_t *next_width)
{
    const struct path_graph *paths = making->paths;
    const size_t first = paths->levels[level - 1], begin = paths->levels[level];
    const size_t count = paths->levels[level + 1] - begin;
    bool is_full = false; /* 2^32 numbers whose last word is 0 fit in the same width */
    for (size_t i = 0; i < begin - first; i++) {
        is_full = is_full || before[i * width + width - 1] != 0;
    }
    *next_width = width + is_full;
    const uint64_t links = paths->begins[begin + count] - paths->begins[begin];
    if (links >= making->words_left / *next_width) {
        making->words_left = 0;
        return NULL;
    }
    making->words_left -= making->words_left != UINT64_MAX ? links * *next_width : 0;
    uint64_t *ways = calloc(count, *next_width * sizeof(*ways));
    for (size_t i = 0; ways != NULL && i < count; i++) {
        for (size_t link = paths->begins[begin + i]; link < paths->begins[begin + i + 1]; link++) {
            add_number(ways + i * *next_width, before + (paths->links[link] - first) * width,
                       width);
            if (!path_may_go_on(making, width)) {
                free(ways);
                return NULL;
            }
        }
    }
    return ways;
}

bool path_count_links(struct path_making *making)
{
    struct path_graph *paths = making->paths;
    size_t width = 2; /* the upper word is 0 */
    uint64_t *ways = calloc(1, width * sizeof(*ways));
    if (ways != NULL) {
        ways[0] = 1;
    }
    for (uint32_t level = 1; ways != NULL && level <= paths->hops; level++) {
        size_t next_width;
        uint64_t *next = ways_of_level(making, level, ways, width, &next_width);
        free(ways);
        ways = next;
        width = next_width;
    }
    if (ways == NULL) {
        paths->count_at_most = UINT64_MAX;
        return making->words_left == 0;
    }
    paths->count_at_most = ways[0];
    for (size_t i = 1; i < width; i++) {
        paths->count_at_most = ways[i] != 0 ? UINT64_MAX : paths->count_at_most;
    }
    paths->count = decimal(making, ways, width);
    free(ways);
    return paths->count != NULL;
}

bool path_graph_walk(const struct path_graph *paths, uint64_t limit, path_graph_emit *emit,
                     void *context)
{
    const uint32_t hops = paths->hops;
    if (hops == SEARCH_HOPS_NONE || limit == 0) {
        return true;
    }
    size_t *next = malloc(((size_t)hops + 1) * sizeof(*next)); /* the link to take at each level */
    size_t *places = malloc(((size_t)hops + 1) * sizeof(*places));
    uint32_t *nodes = malloc(((size_t)hops + 1) * sizeof(*nodes));
    const bool ready = next != NULL && places != NULL && nodes != NULL;
    if (ready) {
        uint32_t level = hops;
        places[hops] = paths->node_count - 1;
        nodes[hops] = paths->nodes[places[hops]];
        next[hops] = paths->begins[places[hops]];
        while (limit > 0) {
            if (level == 0) {
                limit = emit(context, nodes, hops) ? limit - 1 : 0;
                level++;
            } else if (next[level] < paths->begins[places[level] + 1]) {
                places[level - 1] = paths->links[next[level]++];
                level--;
                nodes[level] = paths->nodes[places[level]];
                next[level] = paths->begins[places[level]];
            } else if (level++ == hops) {
                break;
            }
        }
    }
    free(next);
    free(places);
    free(nodes);
    return ready;
}
