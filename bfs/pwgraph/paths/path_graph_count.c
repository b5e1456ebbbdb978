/*
 * path_graph_count.c - counts the paths of a graph of paths, in numbers of 128 bits, and writes
 * their number in decimal.
 */
#include "base/pw_assert.h"
#include "path_graph.h"
#include "path_making.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART        UINT64_C(1000000000) /* nine digits of a decimal text */
#define PART_DIGITS 9
#define PARTS       5 /* of 39 digits */

/* A number of paths; all bits set: that many or more. */
struct ways {
    uint64_t low, high;
};

static bool are_too_many(struct ways ways)
{
    return ways.low == UINT64_MAX && ways.high == UINT64_MAX;
}

static struct ways sum(struct ways a, struct ways b)
{
    const struct ways all = {a.low + b.low, a.high + b.high};
    const bool carry = all.low < a.low;
    return all.high < a.high || (carry && all.high == UINT64_MAX)
               ? (struct ways){UINT64_MAX, UINT64_MAX}
               : (struct ways){all.low, all.high + carry};
}

static void write_decimal(char text[PATH_COUNT_SIZE], struct ways ways)
{
    uint32_t words[] = {(uint32_t)(ways.high >> 32), (uint32_t)ways.high,
                        (uint32_t)(ways.low >> 32), (uint32_t)ways.low};
    uint32_t parts[PARTS];
    if (are_too_many(ways)) {
        snprintf(text, PATH_COUNT_SIZE, "more than 3.4e38");
        return;
    }
    for (size_t i = PARTS; i-- > 0;) {
        uint64_t rest = 0;
        for (size_t k = 0; k < 4; k++) {
            rest = rest << 32 | words[k];
            words[k] = (uint32_t)(rest / PART);
            rest %= PART;
        }
        parts[i] = (uint32_t)rest;
    }
    size_t first = 0;
    while (first < PARTS - 1 && parts[first] == 0) {
        first++;
    }
    int length = snprintf(text, PATH_COUNT_SIZE, "%lu", (unsigned long)parts[first]);
    for (size_t i = first + 1; i < PARTS; i++) {
        length += snprintf(text + length, PATH_COUNT_SIZE - (size_t)length, "%0*lu", PART_DIGITS,
                           (unsigned long)parts[i]);
    }
    pw_assert(length > 0 && length < PATH_COUNT_SIZE);
}

/* The numbers of ways to the nodes of a level, from the numbers of the level before. NULL when out
 * of memory, or if the limits say to stop. */
static struct ways *ways_of_level(struct path_making *making, uint32_t level,
                                  const struct ways *before)
{
    const struct path_graph *paths = making->paths;
    const size_t first = paths->levels[level - 1], begin = paths->levels[level];
    const size_t count = paths->levels[level + 1] - begin;
    struct ways *ways = calloc(count, sizeof(*ways));
    for (size_t i = 0; ways != NULL && i < count; i++) {
        for (size_t link = paths->begins[begin + i]; link < paths->begins[begin + i + 1]; link++) {
            ways[i] = sum(ways[i], before[paths->links[link] - first]);
        }
        if (!path_may_go_on(making, paths->begins[begin + i + 1] - paths->begins[begin + i])) {
            free(ways);
            return NULL;
        }
    }
    return ways;
}

bool path_count_links(struct path_making *making)
{
    struct path_graph *paths = making->paths;
    struct ways *ways = malloc(sizeof(*ways));
    if (ways != NULL) {
        *ways = (struct ways){.low = 1};
    }
    for (uint32_t level = 1; ways != NULL && level <= paths->hops; level++) {
        struct ways *next = ways_of_level(making, level, ways);
        free(ways);
        ways = next;
    }
    if (ways == NULL) {
        return false;
    }
    paths->count_at_most = ways->high == 0 ? ways->low : UINT64_MAX;
    write_decimal(paths->count, *ways);
    free(ways);
    return true;
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
