/*
 * fuzz_snapshot.c - a snapshot from a stranger: one of four good ones, edited, with its checksums
 * made right again; then searches, paths, labels and names on the opened graph.
 *
 * 1. An input: a byte that chooses the snapshot and what is checked, then edits of five bytes: the
 *    part (the header, or a section), the place in it (two bytes), what is done there, a value.
 * 2. PW_FUZZ_LIBRARY: the searches are made through libpwgraph.
 * fuzz_setup notices when the snapshots, unedited, are not opened any more.
 */
#include "base/macros.h"
#include "bfs/engines/engines.h"
#include "bfs/pwgraph/pwgraph.h"
#include "data/load/graph_load.h"
#include "data/names/node_index.h"
#include "data/reverse/graph_reverse.h"
#include "data/store/graph_checksum.h"
#include "data/store/graph_snapshot.h"
#include "data/store/snapshot_sums.h"
#include "fuzz.h"
#include "liblist/linked_list_more.h"
#include "tests/support/all_paths.h"
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#define CHECKSUM_AT 16
#define PATH_AT     offsetof(struct header, source.path)
#define IMAGE_MAX   ((size_t)600 << 10)
#define NODES_ASKED 6

static_assert(offsetof(struct header, checksum) == CHECKSUM_AT, "the place of its checksum");

/* The sections that are edited. */
static const enum section_kind kinds[] = {
    SECTION_OFFSETS,       SECTION_NEIGHBOURS,   SECTION_IN_OFFSETS,
    SECTION_IN_NEIGHBOURS, SECTION_ORIGINAL_IDS, SECTION_NAME_BEGINS,
    SECTION_NAME_TEXT,     SECTION_NAME_BUCKETS, SECTION_ID_ORDER};

struct image {
    alignas(struct header) unsigned char bytes[IMAGE_MAX];
    size_t length;
    struct section sections[SECTION_COUNT]; /* where the arrays are, whatever the header says */
    uint64_t block_count;
};

static struct image images[4], edited;
static struct fuzz_file file;

/* The header of an image, to be set. */
static struct header *header_of(struct image *image)
{
    return (struct header *)(void *)image->bytes;
}

static uint64_t header_hash(unsigned char *header)
{
    memset(header + CHECKSUM_AT, 0, 8);
    return XXH3_64bits(header, HEADER_SIZE);
}

static void read_image(const char *path, struct image *image)
{
    FILE *from = fopen(path, "rb");
    uint64_t checksum;
    fuzz_require(from != NULL);
    image->length = fread(image->bytes, 1, IMAGE_MAX, from);
    fuzz_require(image->length > HEADER_SIZE && image->length < IMAGE_MAX && fclose(from) == 0);
    memcpy(image->sections, header_of(image)->sections, sizeof(image->sections));
    image->block_count = header_of(image)->block_count;
    memcpy(&checksum, image->bytes + CHECKSUM_AT, 8);
    fuzz_require(header_hash(image->bytes) == checksum);
    memcpy(image->bytes + CHECKSUM_AT, &checksum, 8);
}

static void make_image(const char *folder, const char *text, struct graph_options options,
                       struct image *image)
{
    char path[300];
    struct graph graph;
    struct graph_error error = {0};
    options.threads = 1;
    fuzz_file_fill(&file, text, strlen(text));
    snprintf(path, sizeof(path), "%s/image.pwg", folder);
    fuzz_require_for(graph_load(file.path, &options, &graph, &error), error.message);
    fuzz_require_for(graph_snapshot_save(&graph, path, NULL, 0, NULL, &error), error.message);
    graph_free(&graph);
    read_image(path, image);
    unlink(path);
}

/* Change one place. Paths of sources stay, because the files they name would be opened. */
static void edit(struct fuzz_input *input)
{
    static const char source[] = "/proc/self/exe";
    unsigned part = fuzz_take(input) % (COUNT_OF(kinds) + 1);
    size_t at = fuzz_take_16(input);
    unsigned what = fuzz_take(input), value = fuzz_take(input);
    unsigned char *bytes = edited.bytes;
    size_t length = PATH_AT;
    if (part < COUNT_OF(kinds)) {
        bytes += edited.sections[kinds[part]].begin;
        length = (size_t)edited.sections[kinds[part]].length;
    }
    if (length < 8) {
        return;
    }
    at %= length - 7;
    uint32_t word = value;
    uint64_t large = value;
    switch (what % 8) {
    case 0:
        bytes[at] = (unsigned char)value;
        break;
    case 1:
        bytes[at] ^= (unsigned char)(1u << value % 8);
        break;
    case 2: /* a neighbour */
        memcpy(bytes + at / 4 * 4, &word, sizeof(word));
        break;
    case 3: /* an offset */
        memcpy(bytes + at / 8 * 8, &large, sizeof(large));
        break;
    case 4:
        large = UINT64_MAX - value;
        memcpy(bytes + at / 8 * 8, &large, sizeof(large));
        break;
    case 5:
        large = (uint64_t)value << 16;
        memcpy(bytes + at / 8 * 8, &large, sizeof(large));
        break;
    case 6:
        edited.length = value < 64 || edited.length < value ? value * 64 : edited.length - value;
        break;
    default:
        memcpy(edited.bytes + PATH_AT, source, sizeof(source));
    }
}

/* The checksums of the blocks of an image. */
static uint64_t *sums_of(struct image *image)
{
    return (uint64_t *)(void *)(image->bytes + image->block_count * GRAPH_BLOCK_BYTES);
}

/* Set the checksums to the actual content. */
static void repair(bool blocks)
{
    uint64_t hash;
    for (size_t i = 0; blocks && i < SECTION_COUNT; i++) {
        const struct section *section = &edited.sections[i];
        snapshot_sums_set(sums_of(&edited), edited.bytes + section->begin, section->length,
                          section->begin);
    }
    if (blocks) {
        header_of(&edited)->sums_checksum =
            XXH3_64bits(sums_of(&edited), (size_t)edited.block_count * sizeof(uint64_t));
    }
    hash = header_hash(edited.bytes);
    memcpy(edited.bytes + CHECKSUM_AT, &hash, sizeof(hash));
}

/* Write a part of the edited snapshot, if it is not cut off. */
static void store_part(uint64_t begin, uint64_t length)
{
    if (begin + length <= edited.length && length > 0) {
        fuzz_require(pwrite(file.fd, edited.bytes + begin, (size_t)length, (off_t)begin) ==
                     (ssize_t)length);
    }
}

/* Copy only the pages with content: the file is sparse. */
static void store(void)
{
    fuzz_require(ftruncate(file.fd, 0) == 0 && ftruncate(file.fd, (off_t)edited.length) == 0);
    size_t length = edited.length < HEADER_SIZE ? edited.length : HEADER_SIZE;
    fuzz_require(pwrite(file.fd, edited.bytes, length, 0) == (ssize_t)length);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        store_part(edited.sections[i].begin, edited.sections[i].length);
    }
    store_part(edited.block_count * GRAPH_BLOCK_BYTES, edited.block_count * sizeof(uint64_t));
}

#ifdef PW_FUZZ_LIBRARY

static void ask(struct pwgraph_search *search, uint32_t source, uint32_t target)
{
    uint32_t hops = 0;
    if (pwgraph_search_run(search, source, target, &hops) == PWGRAPH_FOUND) {
        uint32_t *nodes = malloc(((size_t)hops + 1) * sizeof(*nodes));
        fuzz_require(nodes != NULL && hops > 0);
        if (pwgraph_search_path(search, nodes, (size_t)hops + 1)) {
            fuzz_require(nodes[0] == source && nodes[hops] == target);
        }
        free(nodes);
    }
}

static void use(void)
{
    char message[PWGRAPH_TEXT_SIZE], text[PWGRAPH_TEXT_SIZE];
    struct pwgraph *graph = pwgraph_load(file.path, message);
    if (graph == NULL) {
        fuzz_require_line(message);
        return;
    }
    uint32_t count = pwgraph_node_count(graph), node;
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        struct pwgraph_search *search = pwgraph_search_create(graph, (*engine)->name, NULL);
        for (uint32_t i = 0; search != NULL && i < NODES_ASKED * NODES_ASKED; i++) {
            ask(search, i % NODES_ASKED, i / NODES_ASKED);
        }
        pwgraph_search_free(search);
    }
    for (uint32_t i = 0; i < count && i < 64; i++) {
        pwgraph_find(graph, pwgraph_label(graph, i, text), &node);
    }
    pwgraph_free(graph);
}

#else

static void ask(const struct search_engine *engine, void *workspace, uint32_t source,
                uint32_t target)
{
    struct search_result result;
    engine->search(workspace, source, target, NULL, &result);
    fuzz_require(result.status == SEARCH_DONE && result.found == (result.hops != UINT32_MAX));
    size_t room = result.found ? (size_t)result.hops + 1 : 1;
    uint32_t *nodes = malloc(room * sizeof(*nodes));
    fuzz_require(nodes != NULL);
    if (engine->path(workspace, nodes, room)) {
        fuzz_require(nodes[0] == source && nodes[result.hops] == target);
    }
    free(nodes);
}

/* A path of a damaged graph need not be a path; but its nodes must be the graph's. */
static bool look_at_path(void *context, const uint32_t *nodes, uint32_t hops)
{
    for (uint32_t i = 0; i <= hops; i++) {
        fuzz_require(graph_has_node(context, nodes[i]));
    }
    return true;
}

/* The paths that are one edge longer. */
static void list_longer(struct graph *graph, struct path_count *search, struct pair pair)
{
    struct path_graph paths;
    struct search_result result;
    fuzz_require(path_graph_make_longer(&paths, search, pair.source, pair.target, 1, NULL,
                                        &result) != PATH_GRAPH_NO_MEMORY);
    fuzz_require(path_graph_walk(&paths, 5, look_at_path, graph));
    path_graph_free(&paths);
}

static void list_paths(struct graph *graph)
{
    struct path_count search;
    fuzz_require(path_count_open(&search, graph));
    for (uint32_t i = 0; i < graph_node_count(graph) && i < NODES_ASKED; i++) {
        for (uint32_t j = 0; j < graph_node_count(graph) && j < NODES_ASKED; j++) {
            const struct pair pair = {graph->first_node + i, graph->first_node + j};
            struct path_graph paths;
            fuzz_require(all_paths_find(graph, pair, &paths));
            fuzz_require(path_graph_walk(&paths, 5, look_at_path, graph));
            path_graph_free(&paths);
            list_longer(graph, &search, pair);
        }
    }
    path_count_close(&search);
}

static void search(struct graph *graph)
{
    struct graph_error error = {0};
    struct node_index index;
    fuzz_require(graph_add_reverse(graph, 1, NULL, &error));
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        void *workspace = (*engine)->create(graph, NULL);
        fuzz_require(workspace != NULL);
        for (uint32_t i = 0; i < NODES_ASKED * NODES_ASKED; i++) {
            uint32_t source = graph->first_node + i % NODES_ASKED;
            uint32_t target = graph->first_node + i / NODES_ASKED;
            if (graph_has_node(graph, source) && graph_has_node(graph, target)) {
                ask(*engine, workspace, source, target);
            }
        }
        (*engine)->destroy(workspace);
    }
    fuzz_require(node_index_init(&index, graph));
    for (uint32_t i = graph->first_node; i < graph->node_limit; i++) {
        char text[GRAPH_LABEL_SIZE];
        uint32_t node;
        const char *label = graph_label(graph, i, text);
        if (node_index_find(&index, label, strlen(label), &node)) {
            fuzz_require(graph_has_node(graph, node));
        }
    }
    node_index_free(&index);
    list_paths(graph);
    graph_checksum(graph);
}

static void use(void)
{
    struct graph graph;
    struct graph_error error = {0};
    struct graph_source source;
    unsigned flags;
    struct graph_options options = {.threads = 1, .verify = edited.bytes[CHECKSUM_AT] & 1};
    if (graph_snapshot_open(file.path, &options, &graph, &source, &flags, &error) ==
        SNAPSHOT_GOOD) {
        fuzz_require(graph_check(&graph));
        search(&graph);
    } else {
        fuzz_require_line(error.message);
    }
    graph_free(&graph);
}

#endif

static void start_with(const struct image *image)
{
    memcpy(edited.bytes, image->bytes, HEADER_SIZE);
    memcpy(edited.sections, image->sections, sizeof(edited.sections));
    edited.length = image->length;
    edited.block_count = image->block_count;
    memcpy(sums_of(&edited), image->bytes + image->block_count * GRAPH_BLOCK_BYTES,
           (size_t)image->block_count * sizeof(uint64_t));
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        memcpy(edited.bytes + image->sections[i].begin, image->bytes + image->sections[i].begin,
               (size_t)image->sections[i].length);
    }
}

void fuzz_setup(void)
{
    static const char edges[] = "1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 8\n1 5\n3 3\n8 2\n4 1\n6 2\n";
    const char *parent = getenv("TMPDIR");
    char folder[256];
    snprintf(folder, sizeof(folder), "%s/fuzz-XXXXXX", parent != NULL ? parent : "/tmp");
    fuzz_require(mkdtemp(folder) != NULL);
    fuzz_file_create(&file);
    make_image(folder, edges, (struct graph_options){0}, &images[0]);
    make_image(folder, edges, (struct graph_options){.build_reverse = true}, &images[1]);
    make_image(folder, "Shoe\tLeather\nLeather\tCow\nCow\tShoe\nA, b\tCow\n",
               (struct graph_options){.build_reverse = true}, &images[2]);
    make_image(folder, "5 1000\n1000 7\n7 5\n7 4000\n",
               (struct graph_options){.build_reverse = true, .compact = true}, &images[3]);
    rmdir(folder);
    for (size_t i = 0; i < COUNT_OF(images); i++) {
        struct graph graph;
        struct graph_error error = {0};
        start_with(&images[i]);
        store();
        fuzz_require_for(graph_load(file.path, NULL, &graph, &error), error.message);
        graph_free(&graph);
    }
#ifndef PW_FUZZ_LIBRARY
    fuzz_require(linked_list_set_allocator("slab:chunk=64K"));
#endif
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input input = {bytes, bytes + length};
    unsigned choice = fuzz_take(&input);
    start_with(&images[choice % 4]);
    while (fuzz_left(&input) > 0) {
        edit(&input);
    }
    if (choice / 4 % 8 != 7) {
        repair(choice / 4 % 2 == 0);
    }
    store();
    use();
}
