/*
 * fuzz_library.c - any sequence of calls of libpwgraph with any arguments; what its answers must
 * agree on: a pair's hops with the distances, with many pairs, and with all shortest paths.
 *
 * A byte chooses what is done next, the bytes after it with which arguments. There is one graph and
 * one search at a time; paths may outlive both. A saved graph is opened again, whole, by block, or
 * with a wrong byte.
 */
#include "bfs/pwgraph/pwgraph.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EDGES_MAX 64
#define NODES_MAX 40
#define PAIRS_MAX 8
#define ROWS_MAX  16

static struct fuzz_file file;
static char folder[200], saved[220]; /* a folder of this process's own, and a snapshot in it */

/* What is alive. */
struct held {
    struct pwgraph *graph;
    struct pwgraph_search *search;
    struct pwgraph_paths *paths;
    volatile int cancel;
    uint64_t timeout_ns;
    uint64_t offsets[9]; /* lists that the graph may have borrowed */
    uint32_t neighbours[EDGES_MAX];
};

static void remove_folder(void)
{
    unlink(saved);
    rmdir(folder);
}

void fuzz_setup(void)
{
    const char *parent = getenv("TMPDIR");
    fuzz_file_create(&file);
    snprintf(folder, sizeof(folder), "%.150s/pw-fuzz-XXXXXX", parent != NULL ? parent : "/tmp");
    fuzz_require(mkdtemp(folder) != NULL && atexit(remove_folder) == 0);
    snprintf(saved, sizeof(saved), "%s/saved.pwg", folder);
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

/* Lists of any bytes: mostly refused; else copied or borrowed. */
static void from_lists(struct held *held, struct fuzz_input *input)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    const uint64_t nodes = fuzz_take(input) % 8;
    const unsigned how = fuzz_take(input);
    const bool ascends = how % 4 != 0;
    uint32_t offsets[9] = {0}, neighbours[EDGES_MAX];
    for (size_t i = 1; i < 9; i++) {
        const uint32_t step = fuzz_take(input) % 8; /* 8 lists of 7 fit */
        offsets[i] = ascends ? offsets[i - 1] + step : step;
    }
    for (size_t i = 0; i < EDGES_MAX; i++) {
        neighbours[i] = fuzz_take(input) % 9;
    }
    drop_graph(held);
    for (size_t i = 0; i < 9; i++) {
        held->offsets[i] = offsets[i];
    }
    memcpy(held->neighbours, neighbours, sizeof(neighbours));
    held->graph =
        how & 16 ? pwgraph_from_csr(held->offsets, 64, held->neighbours, 32, nodes, PWGRAPH_BORROW,
                                    NULL, &error)
                 : pwgraph_from_csr(offsets, 32, neighbours, 32, nodes, PWGRAPH_COPY, NULL, &error);
    require_error(held->graph != NULL, &error);
}

static void create_search(struct held *held, struct fuzz_input *input)
{
    static const char *const engines[] = {
        NULL,           "plain", "classic", "array",        "bitmap",
        "multi-source", "none",  "",        "mark-on-push", "direction-optimizing"};
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    pwgraph_search_free(held->search);
    held->search = pwgraph_search_create(held->graph, engines[fuzz_take(input) % 10], &error);
    require_error(held->search != NULL, &error);
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
    const struct pwgraph_counts counts = pwgraph_search_counts(held->search);
    fuzz_require(are_nodes || answer == PWGRAPH_FAILED);
    fuzz_require((answer == PWGRAPH_FAILED) == (counts.code != PWGRAPH_OK));
    fuzz_require(are_nodes == (counts.code != PWGRAPH_BAD_ARGUMENT));
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

/* Many pairs, by several threads, are answered as one after the other. */
static void ask_many(struct held *held, struct fuzz_input *input)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    uint32_t sources[PAIRS_MAX], targets[PAIRS_MAX], hops[PAIRS_MAX];
    const unsigned how = fuzz_take(input);
    const size_t count = how % (PAIRS_MAX + 1);
    bool are_nodes = true;
    for (size_t i = 0; i < count; i++) {
        sources[i] = fuzz_take(input);
        targets[i] = fuzz_take(input);
        are_nodes &=
            pwgraph_has_node(held->graph, sources[i]) && pwgraph_has_node(held->graph, targets[i]);
    }
    const bool is_limited = held->timeout_ns > 0 || held->cancel != 0;
    const bool asked =
        pwgraph_search_pairs(held->search, sources, targets, count, 1 + how / 64, hops, &error);
    require_error(asked, &error);
    fuzz_require(is_limited || asked == are_nodes);
    for (size_t i = 0; i < count && asked; i++) {
        uint32_t one = PWGRAPH_NONE;
        if (pwgraph_search_run(held->search, sources[i], targets[i], &one) != PWGRAPH_FAILED) {
            fuzz_require(one == hops[i]);
        }
    }
}

/* Paths that are one edge longer than the shortest. */
static void find_longer(struct held *held, struct fuzz_input *input)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    const uint32_t source = fuzz_take(input), target = fuzz_take(input);
    const uint32_t longer = fuzz_take(input) % 3;
    uint32_t hops = PWGRAPH_NONE, nodes[256];
    struct pwgraph_paths *paths =
        pwgraph_search_longer_paths(held->search, source, target, longer, &error);
    require_error(paths != NULL, &error);
    fuzz_require(longer < 2 || paths == NULL);
    if (paths == NULL) {
        return;
    }
    fuzz_require((paths->hops == PWGRAPH_NONE) == (strcmp(paths->count, "0") == 0));
    if (paths->hops != PWGRAPH_NONE) {
        const enum pwgraph_answer answer = pwgraph_search_run(held->search, source, target, &hops);
        fuzz_require(answer == PWGRAPH_FAILED || paths->hops == hops + longer);
        pwgraph_paths_list(paths, ROWS_MAX, nodes, 256);
    }
    pwgraph_paths_free(held->paths);
    held->paths = paths;
}

/* Ask of a snapshot with a wrong byte, which is refused now or found when it is read. */
static void ask_damaged(long at, unsigned how)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK}, damage;
    const struct pwgraph_options options = {
        .size = sizeof(options), .threads = 1, .by_block = how & 1};
    FILE *edited = fopen(saved, "r+b");
    fuzz_require(edited != NULL && fseek(edited, 0, SEEK_END) == 0);
    const long length = ftell(edited);
    at %= length;
    fuzz_require(fseek(edited, at, SEEK_SET) == 0);
    const int byte = fgetc(edited);
    fuzz_require(fseek(edited, at, SEEK_SET) == 0 && fputc(byte ^ (int)(1 + how / 2), edited) >= 0);
    fuzz_require(fclose(edited) == 0);
    struct pwgraph *graph = pwgraph_open(saved, &options, &error);
    require_error(graph != NULL, &error);
    struct pwgraph_search *search =
        graph != NULL ? pwgraph_search_create(graph, how & 4 ? "array" : NULL, &error) : NULL;
    for (uint32_t i = 0; search != NULL && i < 4; i++) {
        const enum pwgraph_answer answer = pwgraph_search_run(search, i, i + 1, NULL);
        const enum pwgraph_code code = pwgraph_search_counts(search).code;
        fuzz_require(!pwgraph_is_damaged(graph, &damage) || answer == PWGRAPH_FAILED);
        fuzz_require(code != PWGRAPH_BAD_INPUT || pwgraph_is_damaged(graph, NULL));
    }
    fuzz_require(graph == NULL || options.by_block || !pwgraph_is_damaged(graph, NULL));
    pwgraph_search_free(search);
    pwgraph_free(graph);
}

/* Save the graph, and go on with what was saved, or look at it with a wrong byte. */
static void save(struct held *held, struct fuzz_input *input)
{
    struct pwgraph_error error = {.code = PWGRAPH_OK};
    const unsigned how = fuzz_take(input);
    const long at = (long)fuzz_take_32(input);
    const uint32_t nodes = pwgraph_node_count(held->graph);
    const uint64_t edges = pwgraph_edge_count(held->graph);
    const volatile int cancel = (how & 1) != 0;
    const bool done = pwgraph_save(held->graph, saved, &cancel, &error);
    require_error(done, &error);
    fuzz_require(done == !cancel);
    if (!done) {
        return;
    }
    if (how & 2) {
        ask_damaged(at, how / 4);
        return;
    }
    drop_graph(held);
    if (how & 4) {
        char message[PWGRAPH_TEXT_SIZE];
        held->graph = pwgraph_load(saved, message);
    } else {
        const struct pwgraph_options options = {
            .size = sizeof(options), .threads = 1, .by_block = how & 8};
        held->graph = pwgraph_open(saved, &options, &error);
    }
    fuzz_require(held->graph != NULL && !pwgraph_is_damaged(held->graph, NULL));
    fuzz_require(pwgraph_node_count(held->graph) == nodes);
    fuzz_require(pwgraph_edge_count(held->graph) == edges);
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
    struct pwgraph_reach reach[2];
    const uint32_t twice[] = {node, node};
    if (pwgraph_search_reach(held->search, twice, how & 16 ? 2 : 0, how & 1 ? PWGRAPH_TO : 0, reach,
                             NULL) &&
        done && (how & 16)) {
        uint32_t reached = 0;
        for (uint32_t u = arrays.first_node; u < arrays.node_limit; u++) {
            reached += hops[u] != PWGRAPH_NONE;
        }
        fuzz_require(reach[0].reached == reached && reach[1].farness == reach[0].farness);
    }
    struct pwgraph_diameter size;
    const bool is_whole = pwgraph_search_diameter(held->search, &size, parents, limit, &error);
    require_error(is_whole, &error);
    fuzz_require(size.diameter_min <= size.diameter_max && size.radius_min <= size.radius_max);
    fuzz_require(size.radius_min <= size.diameter_max && size.nodes <= limit);
    fuzz_require(!is_whole || size.diameter_min == size.diameter_max);
    fuzz_require(!is_whole || size.nodes == 0 || parents[size.center] <= size.radius_max);
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
        held->cancel = 0;
        if (how & 16) {
            pwgraph_cancel(&held->cancel);
        }
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
    struct pwgraph_match match;
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
    const volatile int cancel = state % 3 == 0;
    if (!pwgraph_order_names(held->graph, &cancel, NULL)) {
        fuzz_require(cancel);
    }
    const size_t kept = pwgraph_complete(held->graph, name, state % 2, nodes, state % 8, &total);
    fuzz_require(kept <= state % 8 && kept <= total);
    fuzz_require(!pwgraph_random_node(held->graph, &state, &node) ||
                 pwgraph_out_degree(held->graph, node) > 0);
    fuzz_require(!pwgraph_find(held->graph, name, &node) || pwgraph_has_node(held->graph, node));
    fuzz_require(pwgraph_resolve(held->graph, name, &cancel, &match) == (match.fit != 0));
    fuzz_require(match.fit == 0 ? match.node == PWGRAPH_NONE
                                : pwgraph_has_node(held->graph, match.node));
    fuzz_require(match.near_count <= PWGRAPH_NEAR_MAX && (match.fit == 0 || match.near_count == 0));
    for (uint32_t i = 0; i < match.near_count; i++) {
        fuzz_require(pwgraph_has_node(held->graph, match.near[i]));
    }
    if (match.fit != PWGRAPH_EXACT) {
        fuzz_require_line(match.text);
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    static void (*const makers[])(struct held *, struct fuzz_input *) = {open_text, from_edges,
                                                                         from_lists};
    static void (*const users[])(struct held *, struct fuzz_input *) = {
        ask, find_distances, restrict_search, ask, save, find_longer, ask_many, ask};
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
            users[next % 8](&held, &input);
        }
    }
    pwgraph_paths_free(held.paths);
    drop_graph(&held);
}
