/*
 * fuzz_names.c - a file of names, one per line, for the nodes of a small graph: every name is found
 * again, as written and by its number, and so is any text.
 *
 * An input is the file; the text after its first NUL byte, if any, is looked up.
 */
#include "data/graph/name_buckets.h"
#include "data/load/graph_load.h"
#include "data/load/load_aids.h"
#include "data/names/name_finder.h"
#include "data/names/name_fold.h"
#include "data/names/name_near.h"
#include "data/names/names_file.h"
#include "data/names/node_index.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

static struct fuzz_file names_file, graph_file;

void fuzz_setup(void)
{
    fuzz_file_create(&names_file);
    fuzz_file_create(&graph_file);
    fuzz_file_fill(&graph_file, "1 2\n2 3\n", 8);
}

/* Check that a name is found, and that the result has that name. The first of equal names wins. */
static void find_all(struct graph_names *names)
{
    const struct graph named = {.names = names};
    fuzz_require(graph_names_check(names));
    fuzz_require(name_buckets_prepare(names));
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = names->text + names->begins[i];
        uint32_t number;
        if (name[0] != '\0') {
            fuzz_require(name_buckets_find(&named, name, strlen(name), &number));
            fuzz_require(number <= i && strcmp(names->text + names->begins[number], name) == 0);
        }
    }
}

/* Check that a folded name fits its room, and is its own folded name. */
static void fold(const char *text, size_t length)
{
    char once[300], twice[300];
    fuzz_require(name_fold(once, length % 40, text, length) <= length % 40);
    size_t used = name_fold(once, sizeof(once), text, length);
    fuzz_require(used <= sizeof(once));
    if (used < sizeof(once) - 8) {
        fuzz_require(name_fold(twice, sizeof(twice), once, used) == used);
        fuzz_require(memcmp(once, twice, used) == 0);
    }
}

static void require_nodes(const struct graph *graph, const uint32_t *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fuzz_require(graph_has_node(graph, nodes[i]));
    }
}

/* Look a text up in every possible way. */
static void find(struct graph *graph, struct fuzz_input wanted)
{
    struct name_finder finder;
    uint32_t nodes[NAME_SEARCH_MAX];
    size_t total;
    struct name_match match;
    uint32_t again;
    size_t length = fuzz_left(&wanted);
    char *text = fuzz_text(wanted);
    fuzz_require(name_finder_open(&finder, graph) && node_index_check(&finder.index));
    enum name_fit fit = name_finder_find(&finder, text, length, NULL, &match);
    bool exact = node_index_find(&finder.index, text, length, &again);
    fuzz_require(exact == (fit == NAME_EXACT) && (!exact || match.node == again));
    fuzz_require(fit == NAME_UNKNOWN || graph_has_node(graph, match.node));
    require_nodes(graph, match.near, match.near_count);
    if (fit != NAME_EXACT) {
        fuzz_require_line(match.message);
    }
    size_t count = name_search_first(name_finder_order(&finder), text, NAME_FIRST_NAME, nodes,
                                     NAME_SEARCH_MAX, &total);
    fuzz_require(count <= NAME_SEARCH_MAX && count <= total);
    require_nodes(graph, nodes, count);
    const struct name_order *order = name_finder_order(&finder);
    count = order == NULL ? 0 : name_order_similar(order, text, length, nodes, NAME_SIMILAR_MAX);
    fuzz_require(count <= NAME_SIMILAR_MAX);
    require_nodes(graph, nodes, count);
    fold(text, length);
    free(text);
    name_finder_close(&finder);
}

/* A graph of nodes with these names, without an edge. */
static void find_in(struct graph_names *names, struct fuzz_input wanted)
{
    struct graph graph = {.node_limit = names->count, .names = names};
    uint32_t neighbour = 0;
    names->first_id = 0;
    graph.offsets = calloc((size_t)names->count + 1, sizeof(*graph.offsets));
    fuzz_require(graph.offsets != NULL);
    graph.neighbours = &neighbour;
    find(&graph, wanted);
    free(graph.offsets);
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    const uint8_t *cut = length > 0 ? memchr(bytes, '\0', length) : NULL;
    struct fuzz_input text = {bytes, cut != NULL ? cut : bytes + length};
    struct fuzz_input wanted = {cut != NULL ? cut + 1 : text.end, bytes + length};
    struct graph_error error = {0};
    struct graph graph;
    fuzz_file_fill(&names_file, text.next, fuzz_left(&text));
    bool has_ids = false;
    struct graph_names *names =
        names_file_load(names_file.path, &load_decoder, &has_ids, UINT64_MAX, NULL, &error);
    if (names == NULL) {
        fuzz_require_line(error.message);
    } else {
        find_all(names);
        find_in(names, wanted);
        graph_names_free(names);
    }
    struct graph_options options = {
        .threads = 1, .memory_limit = (uint64_t)3 << 20, .names_path = names_file.path};
    error = (struct graph_error){0};
    if (graph_load(graph_file.path, &options, &graph, &error)) {
        find(&graph, wanted);
    } else {
        fuzz_require_line(error.message);
    }
    graph_free(&graph);
}
