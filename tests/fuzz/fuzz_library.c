/*
 * fuzz_library.c - any sequence of calls of libpwgraph with any arguments; what its answers must
 * agree on: a pair's hops with the distances, with many pairs, and with all shortest paths.
 *
 * A byte chooses what is done next, the bytes after it with which arguments. There is one graph and
 * one search at a time; paths may outlive both.
 */
#include "bfs/pwgraph/pwgraph.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

#define EDGES_MAX 64
#define NODES_MAX 40
#define PAIRS_MAX 8
#define ROWS_MAX  16

static struct fuzz_file file;

/* What is alive. */
struct held {
    struct pwgraph *graph;
    struct pwgraph_search *search;
    struct pwgraph_paths *paths;
    volatile int cancel;
    uint64_t timeout_ns;
};

void fuzz_setup(void)
{
    fuzz_file_create(&file);
}

static void drop_graph(struct held *held)
{
    pwgraph_search_free(held->search);
    pwgraph_free(held->graph);
    held->search = NULL;
    held->graph = NULL;
    held->timeout_ns = 0;
}

/* A failure has a code and one line. */
static void require_error(bool done, const struct pwgraph_error *error)
{
    if (!done) {
        fuzz_require(error->code != PWGRAPH_OK);
        fuzz_require_line(error->text);
    }
}

static struct pwgraph_options take_options(struct fuzz_input *input)
{
    static const char *const formats[] = {NULL, NULL, "edges", "names", "nonsense"};
    const unsigned bits = fuzz_take(input);
    struct pwgraph_options options = {.size = sizeof(options), .threads = 1};
    options.undirected = bits & 1;
    options.reverse = bits & 2;
    options.compact = bits & 4;
    options.memory_limit = bits & 8 ? fuzz_take_32(input) : (uint64_t)1 << 25;
    options.format = (bits & 16) != 0 ? formats[bits / 32 % 5] : NULL;
    options.size = bits == 255 ? fuzz_take_16(input) % sizeof(options) : sizeof(options);
    return options;
}

static void open_text(struct held *held, struct fuzz_input *input)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    const struct pwgraph_options options = take_options(input);
    char text[3 * EDGES_MAX];
    size_t length = 0, wanted = fuzz_take(input) % sizeof(text);
    while (length < wanted && fuzz_left(input) > 0) {
        text[length++] = (char)fuzz_take(input);
    }
    drop_graph(held);
    fuzz_file_fill(&file, text, length);
    held->graph = pwgraph_open(file.path, &options, &error);
    require_error(held->graph != NULL, &error);
}

static void from_edges(struct held *held, struct fuzz_input *input)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    struct pwgraph_options options = take_options(input);
    const unsigned bits = fuzz_take(input) % 4 == 0 ? 64 : 32;
    const uint64_t nodes = fuzz_take(input) % NODES_MAX, count = fuzz_take(input) % EDGES_MAX;
    uint32_t sources[2 * EDGES_MAX], targets[2 * EDGES_MAX];
    for (size_t i = 0; i < 2 * EDGES_MAX; i++) {
        sources[i] = i % 2 == 0 || bits == 32 ? fuzz_take(input) % NODES_MAX : 0;
        targets[i] = i % 2 == 0 || bits == 32 ? fuzz_take(input) % NODES_MAX : 0;
    }
    options.format = options.size == sizeof(options) ? NULL : options.format;
    drop_graph(held);
    uint64_t wide[2][EDGES_MAX];
    memcpy(wide[0], sources, sizeof(wide[0]));
    memcpy(wide[1], targets, sizeof(wide[1]));
    held->graph = bits == 64
                      ? pwgraph_from_edges(wide[0], wide[1], count, 64, nodes, &options, &error)
                      : pwgraph_from_edges(sources, targets, count, 32, nodes, &options, &error);
    require_error(held->graph != NULL, &error);
}

/* Lists of any bytes: mostly refused, and copied where they are not. */
static void from_lists(struct held *held, struct fuzz_input *input)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    const uint64_t nodes = fuzz_take(input) % 8;
    const bool ascends = fuzz_take(input) % 4 != 0;
    uint32_t offsets[9] = {0}, neighbours[EDGES_MAX];
    for (size_t i = 1; i < 9; i++) {
        const uint32_t step = fuzz_take(input) % 8; /* 8 lists of 7 fit */
        offsets[i] = ascends ? offsets[i - 1] + step : step;
    }
    for (size_t i = 0; i < EDGES_MAX; i++) {
        neighbours[i] = fuzz_take(input) % 9;
    }
    drop_graph(held);
    held->graph = pwgraph_from_csr(offsets, 32, neighbours, 32, nodes, PWGRAPH_COPY, NULL, &error);
    require_error(held->graph != NULL, &error);
}

static void create_search(struct held *held, struct fuzz_input *input)
{
    static const char *const engines[] = {NULL,     "plain",        "classic", "array",
                                          "bitmap", "multi-source", "none",    ""};
    pwgraph_search_free(held->search);
    held->search = pwgraph_search_create(held->graph, engines[fuzz_take(input) % 8], NULL);
    held->timeout_ns = 0;
}

/* All answers on a pair agree. A search with a limit may give none. */
static void ask(struct held *held, struct fuzz_input *input)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    const uint32_t source = fuzz_take(input), target = fuzz_take(input);
    uint32_t hops = PWGRAPH_NONE, many = PWGRAPH_NOT_ASKED, nodes[256];
    const bool is_limited = held->timeout_ns > 0 || held->cancel != 0;
    const bool are_nodes =
        pwgraph_has_node(held->graph, source) && pwgraph_has_node(held->graph, target);
    const enum pwgraph_answer answer = pwgraph_search_run(held->search, source, target, &hops);
    fuzz_require(are_nodes || answer == PWGRAPH_FAILED);
    fuzz_require(!are_nodes || is_limited || answer != PWGRAPH_FAILED);
    if (answer == PWGRAPH_FOUND && pwgraph_search_path(held->search, nodes, 256)) {
        fuzz_require(nodes[0] == source && nodes[hops] == target);
    }
    const bool asked = pwgraph_search_pairs(held->search, &source, &target, 1, 1, &many, &error);
    require_error(asked, &error);
    struct pwgraph_paths *paths = pwgraph_search_all_paths(held->search, source, target, &error);
    require_error(paths != NULL, &error);
    fuzz_require(is_limited || (asked == are_nodes && (paths != NULL) == are_nodes));
    if (answer != PWGRAPH_FAILED && asked && paths != NULL) {
        fuzz_require(many == hops && paths->hops == hops);
        fuzz_require((strcmp(paths->count, "0") != 0) == (answer == PWGRAPH_FOUND));
        const uint64_t rows = pwgraph_paths_list(paths, fuzz_take(input) % ROWS_MAX, nodes, 256);
        fuzz_require(rows <= paths->count_at_most);
    }
    if (paths != NULL) {
        pwgraph_paths_free(held->paths);
        held->paths = paths;
    }
}

static void find_distances(struct held *held, struct fuzz_input *input)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    struct pwgraph_arrays arrays;
    const uint32_t node = fuzz_take(input);
    const unsigned how = fuzz_take(input);
    pwgraph_get_arrays(held->graph, &arrays);
    const size_t limit = (size_t)arrays.node_limit + 1;
    if (limit > 100000) {
        return;
    }
    uint32_t *hops = malloc(limit * sizeof(*hops)), *parents = malloc(limit * sizeof(*parents));
    fuzz_require(hops != NULL && parents != NULL);
    const bool done =
        pwgraph_search_distances(held->search, node, how & 1 ? PWGRAPH_TO : 0, hops,
                                 how & 2 ? parents : NULL, how & 4 ? limit : how / 8, &error);
    require_error(done, &error);
    for (uint32_t u = arrays.first_node; done && (how & 2) && u < arrays.node_limit; u++) {
        fuzz_require((parents[u] == PWGRAPH_NONE) == (hops[u] == PWGRAPH_NONE || u == node));
        fuzz_require(parents[u] == PWGRAPH_NONE || hops[parents[u]] + 1 == hops[u]);
    }
    free(hops);
    free(parents);
}

static void restrict_search(struct held *held, struct fuzz_input *input)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    const unsigned how = fuzz_take(input);
    uint32_t nodes[PAIRS_MAX];
    for (size_t i = 0; i < PAIRS_MAX; i++) {
        nodes[i] = fuzz_take(input);
    }
    if (how % 4 == 0) {
        held->cancel = how & 16 ? 1 : 0;
        held->timeout_ns = how & 32 ? 1 + how / 64 : 0;
        pwgraph_search_limit(held->search, held->timeout_ns, &held->cancel);
    } else {
        require_error(pwgraph_search_avoid(held->search, nodes, how / 4 % PAIRS_MAX, &error),
                      &error);
    }
}

static void look(struct held *held, struct fuzz_input *input)
{
    char text[PWGRAPH_TEXT_SIZE], name[9] = "";
    uint32_t nodes[PAIRS_MAX], node = fuzz_take(input);
    uint64_t count, state = fuzz_take(input);
    size_t total;
    const uint32_t *list = pwgraph_out(held->graph, node, &count);
    fuzz_require((list != NULL) == pwgraph_has_node(held->graph, node));
    fuzz_require(count == pwgraph_out_degree(held->graph, node));
    pwgraph_in(held->graph, node, &count);
    fuzz_require(count == pwgraph_in_degree(held->graph, node));
    fuzz_require(pwgraph_label(held->graph, node, text) != NULL);
    pwgraph_name(held->graph, node);
    pwgraph_page(held->graph, node);
    fuzz_require(pwgraph_labels(held->graph, &node, 1, text, sizeof(text)) == strlen(text) + 1);
    pwgraph_pages(held->graph, &node, 1, nodes);
    fuzz_require(pwgraph_redirects(held->graph, node, NULL, 0) == 0); /* of no wiki */
    fuzz_require((pwgraph_id(held->graph, node) == PWGRAPH_NONE) == (list == NULL));
    fuzz_require(!pwgraph_fact(held->graph, "date", text));
    if (pwgraph_components(held->graph, state % 2, nodes, PAIRS_MAX, &node, NULL, NULL)) {
        fuzz_require(node <= pwgraph_node_count(held->graph));
    }
    for (size_t i = 0; i < fuzz_take(input) % sizeof(name); i++) {
        name[i] = (char)fuzz_take(input);
    }
    name[8] = '\0';
    const size_t kept = pwgraph_complete(held->graph, name, state % 2, nodes, state % 8, &total);
    fuzz_require(kept <= state % 8 && kept <= total);
    fuzz_require(!pwgraph_random_node(held->graph, &state, &node) ||
                 pwgraph_out_degree(held->graph, node) > 0);
    fuzz_require(!pwgraph_find(held->graph, name, &node) || pwgraph_has_node(held->graph, node));
    if (pwgraph_resolve(held->graph, name, &node, text) == PWGRAPH_UNKNOWN) {
        fuzz_require_line(text);
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    static void (*const makers[])(struct held *, struct fuzz_input *) = {open_text, from_edges,
                                                                         from_lists};
    static void (*const users[])(struct held *, struct fuzz_input *) = {ask, find_distances,
                                                                        restrict_search, ask};
    struct fuzz_input input = {bytes, bytes + length};
    struct held held = {.graph = NULL};
    while (fuzz_left(&input) > 0) {
        const unsigned next = fuzz_take(&input) % 16;
        if (next < 3 || held.graph == NULL) {
            makers[next % 3](&held, &input);
        } else if (next < 5 || held.search == NULL) {
            create_search(&held, &input);
        } else if (next < 7) {
            look(&held, &input);
        } else if (next == 7) {
            drop_graph(&held);
        } else {
            users[next % 4](&held, &input);
        }
    }
    pwgraph_paths_free(held.paths);
    drop_graph(&held);
}
