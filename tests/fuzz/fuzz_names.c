/*
 * fuzz_names.c - a file of names, one per line, for the nodes of a small graph: every name is found
 * again, as written and by its number, and so is any text.
 *
 * An input is the file; what stands behind its first NUL byte, if any, is looked up.
 */
#include "data/graph/graph.h"
#include "data/graph/node_index.h"
#include "data/read/names_file.h"
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

/* A name is found, and what is found has that name. The first of equal names wins. */
static void find_all(struct graph_names *names)
{
    fuzz_require(graph_names_check(names));
    fuzz_require(graph_names_prepare(names));
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = names->text + names->begins[i];
        uint32_t number;
        if (name[0] != '\0') {
            fuzz_require(graph_names_find(names, name, strlen(name), &number));
            fuzz_require(number <= i && strcmp(names->text + names->begins[number], name) == 0);
        }
    }
}

static void find(struct graph *graph, struct fuzz_input wanted)
{
    struct node_index index;
    uint32_t node;
    char *text = malloc(fuzz_left(&wanted) + 1);
    fuzz_require(text != NULL && node_index_init(&index, graph) && node_index_check(&index));
    if (fuzz_left(&wanted) > 0) {
        memcpy(text, wanted.next, fuzz_left(&wanted));
    }
    if (node_index_find(&index, text, fuzz_left(&wanted), &node)) {
        char label[GRAPH_LABEL_SIZE];
        fuzz_require(graph_has_node(graph, node));
        fuzz_require(graph_label(graph, node, label)[0] != '\0');
    }
    free(text);
    node_index_free(&index);
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
        names_file_load(names_file.path, &has_ids, UINT64_MAX, NULL, &error);
    if (names == NULL) {
        fuzz_require_line(error.message);
    } else {
        find_all(names);
        graph_names_free(names);
    }
    struct graph_options options = {
        .threads = 1, .memory_limit = (uint64_t)3 << 20, .names_path = names_file.path};
    error = (struct graph_error){0};
    if (graph_load(graph_file.path, &options, &graph, &error)) {
        find(&graph, wanted);
        find(&graph, text);
    } else {
        fuzz_require_line(error.message);
    }
    graph_free(&graph);
}
