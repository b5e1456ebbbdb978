/*
 * test_library_blocks.c - a snapshot that libpwgraph reads by block: a call answers as if it had
 * been read whole, or says which block is bad. And eight threads that ask one graph at once, which
 * is read whole or by block; another one is cancelled.
 */
#include "bfs/pwgraph/pwgraph_hold.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_names.h"
#include "data/graph/graph_origin.h"
#include "data/load/graph_load.h"
#include "data/names/name_sort.h"
#include "data/store/graph_snapshot.h"
#include "tests/support/library_fixture.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#define NODES      2000
#define EDGES      20000
#define BLOCK      4096
#define THREADS    8
#define NAME_SIZE  64
#define CALLS      10
#define SAVE       (CALLS - 1) /* the slowest call */
#define PAIRS      40
#define ROUNDS     1000 /* per snapshot */
#define LISTED_MAX 50
#define NEAR       5 /* names near to a misspelt one */

static const struct pwgraph_options by_block = {.size = sizeof(by_block), .by_block = true};

/* The graph as it was opened whole, and what is right. */
static struct {
    struct pwgraph *graph;
    struct pwgraph_arrays arrays;
    struct pwgraph_search *search;
    uint32_t hops[NODES];   /* from node 5 */
    char path[256];         /* its snapshot */
    char ordered[256];      /* and with the names in order, with pages, as an importer makes it */
    struct pwgraph *listed; /* the graph, or one with the names in order: equally near names come in
                               that order then */
} whole;

static struct rng rng;

static uint32_t draw(uint32_t limit)
{
    return (uint32_t)random_below(&rng, limit);
}

static void name_of(char name[NAME_SIZE], uint32_t number)
{
    snprintf(name, NAME_SIZE, "The article %u of an encyclopaedia", number);
}

/* Two of them lead to each node of the first half. */
static void redirect_of(char name[NAME_SIZE], uint32_t number)
{
    snprintf(name, NAME_SIZE, "Redirect %u", number);
}

static uint32_t page_of(uint32_t node)
{
    return 10 + 3 * node;
}

/* Save a snapshot again, with the names in order, a page of each, and redirects. */
static void save_ordered(const char *from, const char *to)
{
    struct graph graph;
    struct graph_error why = {0};
    require_msg(graph_load(from, NULL, &graph, &why), "%s", why.message);
    graph.origin = calloc(1, sizeof(*graph.origin));
    require(graph.origin != NULL);
    graph.origin->page_ids = calloc(graph.names->count, sizeof(uint32_t));
    graph.origin->aliases = graph_names_create();
    graph.origin->alias_ids = calloc(NODES, sizeof(uint32_t));
    require(graph.origin->page_ids != NULL && graph.origin->aliases != NULL &&
            graph.origin->alias_ids != NULL);
    for (uint32_t i = 0; i < NODES; i++) {
        char redirect[NAME_SIZE];
        redirect_of(redirect, i);
        graph.origin->alias_ids[i] = i / 2;
        graph.origin->page_ids[i] = page_of(i);
        require(graph_names_add_plain(graph.origin->aliases, redirect, strlen(redirect)));
    }
    require(name_order_make(&graph, 1));
    require_msg(graph_snapshot_save(&graph, to, NULL, 0, NULL, &why), "%s", why.message);
    graph_free(&graph);
}

static void make_whole(void)
{
    static char text[EDGES * 2 * NAME_SIZE];
    char from[NAME_SIZE], to[NAME_SIZE];
    size_t used = 0;
    rng = random_start("a snapshot by block");
    for (uint32_t i = 0; i < EDGES; i++) { /* a circle, so that every node has a name */
        name_of(from, i < NODES ? i : draw(NODES));
        name_of(to, i < NODES ? (i + 1) % NODES : draw(NODES));
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s\t%s\n", from, to);
    }
    struct pwgraph *made = open_text(text, NULL);
    snprintf(whole.path, sizeof(whole.path), "%s", fixture_path("graph.pwg"));
    ck_assert_msg(made != NULL && pwgraph_save(made, whole.path, NULL, &error), "%s", error.text);
    snprintf(whole.ordered, sizeof(whole.ordered), "%s", fixture_path("ordered.pwg"));
    save_ordered(whole.path, whole.ordered);
    whole.graph = made;
    pwgraph_get_arrays(whole.graph, &whole.arrays);
    ck_assert_uint_eq(whole.arrays.node_limit, NODES);
    whole.listed = whole.graph;
    whole.search = pwgraph_search_create(whole.graph, NULL, NULL);
    ck_assert(
        pwgraph_search_distances(whole.search, 5, PWGRAPH_FROM, whole.hops, NULL, NODES, NULL));
}

static void free_whole(void)
{
    pwgraph_search_free(whole.search);
    if (whole.listed != whole.graph) {
        pwgraph_free(whole.listed);
    }
    pwgraph_free(whole.graph);
}

/* Look at a node. True if all of it was there, and then right. */
static bool look(const struct pwgraph *graph, uint32_t node)
{
    const struct pwgraph_arrays *arrays = &whole.arrays;
    struct pwgraph_match match;
    uint64_t out = 0, in = 0;
    uint32_t found = PWGRAPH_NONE;
    const uint32_t *to = pwgraph_out(graph, node, &out), *from = pwgraph_in(graph, node, &in);
    const char *name = pwgraph_name(graph, node);
    const char *right = pwgraph_name(whole.graph, node);
    const bool is_found = pwgraph_find(graph, right, &found);
    const uint64_t degrees = pwgraph_out_degree(graph, node) + pwgraph_in_degree(graph, node);
    const bool is_exact = pwgraph_resolve(graph, right, NULL, &match) && match.node == node;
    if (pwgraph_is_damaged(graph, NULL)) {
        require(name == NULL || strcmp(name, right) == 0);
        require(!is_found || found == node);
        require(match.code == PWGRAPH_BAD_INPUT && strstr(match.text, "corrupt: block ") != NULL);
        require(match.fit == PWGRAPH_UNKNOWN && match.near_count == 0);
        require(!pwgraph_order_names(graph, NULL, NULL));
        return false;
    }
    require(name != NULL && strcmp(name, right) == 0 && is_found && found == node);
    require_equal(out, pwgraph_out_degree(whole.graph, node));
    require_equal(in, pwgraph_in_degree(whole.graph, node));
    require_equal(degrees, out + in);
    require(is_exact && match.fit == PWGRAPH_EXACT && match.code == PWGRAPH_OK);
    require(memcmp(to, arrays->neighbours + arrays->offsets[node], (size_t)out * sizeof(*to)) == 0);
    require(memcmp(from, arrays->in_neighbours + arrays->in_offsets[node],
                   (size_t)in * sizeof(*from)) == 0);
    return true;
}

/* Search for a path from node 5. True if there was an answer, and then right. */
static bool search_path(struct pwgraph_search *search, uint32_t target)
{
    uint32_t hops = 0, nodes[NODES];
    const enum pwgraph_answer answer = pwgraph_search_run(search, 5, target, &hops);
    if (answer == PWGRAPH_FAILED) {
        require_equal(pwgraph_search_counts(search).code, PWGRAPH_BAD_INPUT);
        return false;
    }
    require(answer == PWGRAPH_FOUND); /* they are on a circle */
    require(target == 5 || hops == whole.hops[target]);
    if (!pwgraph_search_path(search, nodes, NODES)) {
        return false;
    }
    for (uint32_t i = 0; i < hops; i++) {
        uint64_t count, at = 0;
        const uint32_t *list = pwgraph_out(whole.graph, nodes[i], &count);
        while (at < count && list[at] != nodes[i + 1]) {
            at++;
        }
        require(at < count);
    }
    return true;
}

static bool ask_pairs(struct pwgraph_search *search, struct rng *own, struct pwgraph_error *why)
{
    uint32_t sources[PAIRS], targets[PAIRS], hops[PAIRS];
    for (uint32_t i = 0; i < PAIRS; i++) {
        sources[i] = 5;
        targets[i] = (uint32_t)random_below(own, NODES - 6) + 6;
    }
    const bool done = pwgraph_search_pairs(search, sources, targets, PAIRS, 2, hops, why);
    for (uint32_t i = 0; i < PAIRS; i++) {
        require(hops[i] == whole.hops[targets[i]] || (!done && hops[i] == PWGRAPH_NOT_ASKED));
    }
    return done;
}

static bool find_distances(struct pwgraph_search *search, struct pwgraph_error *why)
{
    uint32_t hops[NODES];
    const bool done = pwgraph_search_distances(search, 5, PWGRAPH_FROM, hops, NULL, NODES, why);
    require(!done || memcmp(hops, whole.hops, sizeof(hops)) == 0);
    return done;
}

/* The nodes within some hops of node 5, in any order or in queue order. number: chooses how. */
static bool find_levels(struct pwgraph_search *search, uint32_t number, struct pwgraph_error *why)
{
    const uint32_t source = 5, hops_max = number % 7 < 6 ? number % 7 : PWGRAPH_NONE;
    const enum pwgraph_level_order order = (enum pwgraph_level_order)(number / 7 % 3);
    struct pwgraph_levels levels;
    size_t wanted = 0;
    require(pwgraph_search_threads(search, 1 + number / 21 % 3, NULL));
    const bool done =
        pwgraph_search_levels(search, &source, 1, PWGRAPH_FROM, hops_max, order, &levels, why);
    for (uint32_t node = 0; node < NODES; node++) {
        wanted += whole.hops[node] <= hops_max;
    }
    for (size_t level = 0; level < levels.level_count; level++) {
        for (size_t i = levels.begins[level]; i < levels.begins[level + 1]; i++) {
            require_equal(whole.hops[levels.nodes[i]], level);
            if (order == PWGRAPH_QUEUE_TREE && level > 0) {
                require(levels.found_from[i] < NODES);
                require_equal(whole.hops[levels.found_from[i]], level - 1);
            }
        }
    }
    require(!done || levels.begins[levels.level_count] == wanted);
    return done;
}

static bool find_all_paths(struct pwgraph_search *search, struct pwgraph_error *why)
{
    const uint32_t target = draw(NODES);
    struct pwgraph_paths *paths = pwgraph_search_all_paths(search, 5, target, why);
    struct pwgraph_paths *right = pwgraph_search_all_paths(whole.search, 5, target, NULL);
    require(right != NULL && (paths == NULL || strcmp(paths->count, right->count) == 0));
    const bool done = paths != NULL;
    pwgraph_paths_free(paths);
    pwgraph_paths_free(right);
    return done;
}

static bool save_again(const struct pwgraph *graph, struct pwgraph_error *why)
{
    const char *path = fixture_path("again.pwg");
    struct stat status;
    if (!pwgraph_save(graph, path, NULL, why)) {
        return false;
    }
    struct pwgraph *again = pwgraph_open(path, NULL, why);
    require_msg(again != NULL, "%s", why->text);
    pwgraph_free(again);
    require(stat(path, &status) == 0 && unlink(path) == 0);
    return true;
}

static bool complete(const struct pwgraph *graph, struct pwgraph_error *why)
{
    uint32_t nodes[LISTED_MAX], right[LISTED_MAX];
    const enum pwgraph_order order = draw(2) == 0 ? PWGRAPH_BY_NAME : PWGRAPH_BY_DEGREE;
    const size_t listed = pwgraph_complete(graph, "The article 1", order, nodes, LISTED_MAX, NULL);
    require_equal(pwgraph_complete(whole.listed, "The article 1", order, right, LISTED_MAX, NULL),
                  LISTED_MAX);
    struct pwgraph_match near, right_near;
    const char *misspelt = draw(20) == 0 ? "The artcle 12 of an encyclopedia" : ""; /* takes ms */
    require(!pwgraph_resolve(graph, misspelt, NULL, &near));
    require(!pwgraph_resolve(whole.listed, misspelt, NULL, &right_near));
    require((right_near.near_count > 0) == (misspelt[0] != '\0'));
    const bool damaged = pwgraph_is_damaged(graph, why);
    require(damaged || (listed == LISTED_MAX && memcmp(nodes, right, sizeof(nodes)) == 0));
    require(damaged ||
            (near.near_count == right_near.near_count &&
             memcmp(near.near, right_near.near, near.near_count * sizeof(*near.near)) == 0));
    return !damaged;
}

static bool get_arrays(const struct pwgraph *graph, struct pwgraph_error *why)
{
    struct pwgraph_arrays arrays;
    pwgraph_get_arrays(graph, &arrays);
    if (pwgraph_is_damaged(graph, why)) {
        require(arrays.node_limit == 0 && arrays.edge_count == 0 && arrays.offsets == NULL);
        return false;
    }
    require(memcmp(arrays.offsets, whole.arrays.offsets, (NODES + 1) * sizeof(uint64_t)) == 0);
    require(memcmp(arrays.in_neighbours, whole.arrays.in_neighbours, EDGES * sizeof(uint32_t)) ==
            0);
    return true;
}

static bool draw_node(const struct pwgraph *graph, struct pwgraph_error *why)
{
    uint32_t node;
    uint64_t state = draw(1000);
    if (!pwgraph_random_node(graph, &state, &node)) {
        return !pwgraph_is_damaged(graph, why);
    }
    return true;
}

/* Use another engine, which reads all. */
static bool search_plainly(const struct pwgraph *graph, struct pwgraph_error *why)
{
    struct pwgraph_error again;
    struct pwgraph_search *search = pwgraph_search_create(graph, "direction-optimizing", why);
    const bool done = search != NULL && search_path(search, draw(NODES));
    require(search != NULL ||
            (pwgraph_is_damaged(graph, &again) && why->code == PWGRAPH_BAD_INPUT &&
             strcmp(why->text, again.text) == 0));
    pwgraph_search_free(search);
    return done;
}

/* Make a call of the library. True if it was answered, and then right; else why is set. */
static bool call(struct pwgraph *graph, struct pwgraph_search *search, unsigned which,
                 struct pwgraph_error *why)
{
    switch (which) {
    case 0:
        return ask_pairs(search, &rng, why);
    case 1:
        return draw(2) ? find_distances(search, why) : find_levels(search, draw(63), why);
    case 2:
        return find_all_paths(search, why);
    case 3:
        return search_path(search, draw(NODES)) || !pwgraph_is_damaged(graph, why);
    case 4:
        return complete(graph, why);
    case 5:
        return get_arrays(graph, why);
    case 6:
        return draw_node(graph, why);
    case 7:
        return search_plainly(graph, why);
    case 8:
        return look(graph, draw(NODES)) || !pwgraph_is_damaged(graph, why);
    default:
        return save_again(graph, why);
    }
}

/* From now on the snapshot with the names in order is asked. */
static void ask_ordered(void)
{
    const char *other = fixture_path("right.pwg"); /* no byte of this one is changed */
    save_ordered(whole.path, other);
    whole.listed = pwgraph_open(other, NULL, &error);
    ck_assert_ptr_nonnull(whole.listed);
}

START_TEST(each_call_answers_as_if_the_snapshot_were_read_whole)
{
    for (unsigned which = 0; which < 2 * CALLS; which++) {
        const char *path = which < CALLS ? whole.path : whole.ordered;
        if (which == CALLS) {
            ask_ordered();
        }
        struct pwgraph *graph = pwgraph_open(path, &by_block, &error);
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
        ck_assert_ptr_nonnull(search);
        ck_assert_msg(call(graph, search, which % CALLS, &error), "%u: %s", which, error.text);
        for (unsigned others = 0; others < CALLS; others++) {
            ck_assert_msg(call(graph, search, draw(CALLS), &error), "%s", error.text);
        }
        ck_assert(!pwgraph_is_damaged(graph, &error));
        pwgraph_search_free(search);
        pwgraph_free(graph);
    }
}
END_TEST

static void edit(int fd, off_t at, unsigned char change)
{
    unsigned char byte;
    require(pread(fd, &byte, 1, at) == 1);
    byte ^= change;
    require(pwrite(fd, &byte, 1, at) == 1);
}

/* Ask of a file with a wrong byte until it is found; at most a number of calls. */
static bool find_damage(struct pwgraph *graph, const char *path, off_t at)
{
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
    bool is_found = false;
    require(search != NULL);
    for (unsigned i = 0; i < 3; i++) {
        struct pwgraph_error why = {.code = PWGRAPH_OK}, again;
        char place[64];
        const unsigned which = draw(100) == 0 ? SAVE : draw(SAVE);
        if (call(graph, search, which, &why)) {
            require(!is_found || which == 6); /* later ones are refused, too */
            continue;
        }
        is_found = true;
        snprintf(place, sizeof(place), "corrupt: block %lld, ", (long long)at / BLOCK);
        require_msg(why.code == PWGRAPH_BAD_INPUT && strstr(why.text, path) != NULL &&
                        strstr(why.text, place) != NULL,
                    "call %u, byte %lld: %s", which, (long long)at, why.text);
        require(pwgraph_is_damaged(graph, &again) && strcmp(again.text, why.text) == 0);
        require(!search_path(search, 7));
    }
    pwgraph_search_free(search);
    return is_found;
}

/* Write wrong bytes into a snapshot, one at a time, and ask. */
static void ask_with_wrong_bytes(const char *path)
{
    const size_t rounds = random_share(ROUNDS);
    size_t at_opening = 0, later = 0, untouched = 0;
    struct stat status;
    const int fd = open(path, O_RDWR);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fstat(fd, &status), 0);
    for (size_t i = 0; i < rounds; i++) {
        const off_t at = (off_t)random_below(&rng, i % 20 == 0 ? BLOCK : (size_t)status.st_size);
        const unsigned char change = (unsigned char)(1 + draw(255));
        edit(fd, at, change);
        struct pwgraph *graph = pwgraph_open(path, &by_block, &error);
        if (graph == NULL) {
            at_opening++;
            require_msg(at < 8 || error.code == PWGRAPH_BAD_INPUT, "%s", error.text);
        } else if (find_damage(graph, path, at)) {
            later++;
        } else {
            untouched++;
        }
        pwgraph_free(graph);
        edit(fd, at, change);
    }
    ck_assert_uint_gt(later, rounds / 10);
    ck_assert_uint_gt(untouched, rounds / 10);
    ck_assert_uint_gt(at_opening, rounds / 40); /* the header, and the checksums of the blocks */
    close(fd);
}

START_TEST(of_2000_wrong_bytes_each_is_refused_or_has_no_effect)
{
    rng = random_start("wrong bytes");
    ask_with_wrong_bytes(whole.path);
    ask_ordered();
    ask_with_wrong_bytes(whole.ordered);
}
END_TEST

/* What the threads share. */
static struct {
    const struct pwgraph *graph;
    bool is_wiki; /* has pages and redirects */
    volatile int end_of_long_call;
    atomic_uint wrong;
} shared;

/* The first question for redirects makes an index of all. */
static bool has_its_page_and_redirects(uint32_t node)
{
    const char *found[3];
    char wanted[2][NAME_SIZE];
    redirect_of(wanted[0], node * 2);
    redirect_of(wanted[1], node * 2 + 1);
    const size_t count = pwgraph_redirects(shared.graph, node, found, 3);
    const uint32_t page = pwgraph_page(shared.graph, node);
    return !shared.is_wiki
               ? page == 0 && count == 0
               : page == page_of(node) && count == 2 && strcmp(found[0], wanted[0]) == 0 &&
                     strcmp(found[1], wanted[1]) == 0;
}

/* Make calls for which something is made once, or drawn. */
static bool use_names(struct rng *own)
{
    uint32_t node = PWGRAPH_NONE, nodes[4];
    uint64_t state = own->state;
    struct pwgraph_match match;
    return !pwgraph_resolve(shared.graph, "nobody", NULL, &match) && match.code == PWGRAPH_OK &&
           pwgraph_complete(shared.graph, "The article 1", PWGRAPH_BY_DEGREE, nodes, 4, NULL) ==
               4 &&
           pwgraph_random_node(shared.graph, &state, &node) && node < NODES;
}

/* Nodes that one search avoids do not matter to other searches. */
static bool avoid_some(struct pwgraph_search *search, struct rng *own)
{
    uint32_t hops, nodes[2] = {(uint32_t)random_below(own, NODES), (uint32_t)random_below(own, 5)};
    return pwgraph_search_avoid(search, nodes, 2, NULL) &&
           pwgraph_search_run(search, 5, 6 + (uint32_t)random_below(own, NODES - 6), &hops) !=
               PWGRAPH_FAILED &&
           pwgraph_search_avoid(search, NULL, 0, NULL);
}

static void *use_graph(void *number)
{
    const uint32_t own = *(const uint32_t *)number;
    struct rng own_rng = {own + 1};
    struct pwgraph_search *search = pwgraph_search_create(shared.graph, NULL, NULL);
    bool right = search != NULL;
    for (uint32_t i = 0; right && i < 60; i++) {
        right = has_its_page_and_redirects((own * 31 + i) % (NODES / 2)) &&
                look(shared.graph, (own * 997 + i * 131) % NODES) &&
                search_path(search, (own * 31 + i * 17) % NODES) &&
                (i % 20 != own || (use_names(&own_rng) && avoid_some(search, &own_rng)));
    }
    right = right && find_levels(search, own * 9, NULL) && find_distances(search, NULL) &&
            ask_pairs(search, &own_rng, NULL);
    atomic_fetch_add(&shared.wrong, !right);
    pwgraph_search_free(search);
    return NULL;
}

static void *call_until_cancelled(void *unused)
{
    (void)unused;
    struct pwgraph_search *search = pwgraph_search_create(shared.graph, NULL, NULL);
    struct pwgraph_error why = {.code = PWGRAPH_OK};
    pwgraph_search_limit(search, 0, &shared.end_of_long_call);
    while (find_distances(search, &why)) {
    }
    atomic_fetch_add(&shared.wrong, why.code != PWGRAPH_CANCELLED);
    pwgraph_search_free(search);
    return NULL;
}

static void ask_by_threads(const struct pwgraph *graph, bool is_wiki)
{
    pthread_t threads[THREADS], last;
    uint32_t numbers[THREADS];
    shared.graph = graph;
    shared.is_wiki = is_wiki;
    shared.end_of_long_call = 0;
    ck_assert_int_eq(pthread_create(&last, NULL, call_until_cancelled, NULL), 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        numbers[i] = i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use_graph, &numbers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    pwgraph_cancel(&shared.end_of_long_call);
    pthread_join(last, NULL);
    ck_assert_uint_eq(atomic_load(&shared.wrong), 0);
}

START_TEST(eight_threads_ask_one_graph_and_one_more_is_cancelled)
{
    enum { WHOLE, COPIED, MAPPED_MEANWHILE, WAYS };
    for (int round = 0; round < 2 * WAYS; round++) {
        const bool is_wiki = round >= WAYS;
        const struct graph_options options = {.by_block = round % WAYS != WHOLE,
                                              .build_reverse = true};
        struct graph graph;
        struct graph_error why = {0};
        ck_assert_msg(graph_load(is_wiki ? whole.ordered : whole.path, &options, &graph, &why),
                      "%s", why.message);
        if (round % WAYS == MAPPED_MEANWHILE) {
            graph.blocks->copied_max = 30;
        }
        struct pwgraph *held = pwgraph_hold(&graph, NULL, &error);
        ck_assert_msg(held != NULL, "%s", error.text);
        ask_by_threads(held, is_wiki);
        pwgraph_free(held);
        graph_free(&graph);
    }
}
END_TEST

START_TEST(texts_and_callers_without_the_option_are_read_whole)
{
    struct pwgraph_options options = by_block;
    struct pwgraph *graph = open_text("1 2\n2 3\n", &options);
    ck_assert_msg(graph != NULL, "%s", error.text);
    ck_assert(!pwgraph_is_damaged(graph, NULL));
    pwgraph_free(graph);
    options.size = offsetof(struct pwgraph_options, by_block); /* by_block is not given */
    const int fd = open(whole.path, O_RDWR);
    edit(fd, BLOCK * 16, 1); /* the first offset */
    ck_assert_ptr_null(pwgraph_open(whole.path, &options, &error));
    options.size = sizeof(options);
    graph = pwgraph_open(whole.path, &options, &error);
    ck_assert_msg(graph != NULL, "%s", error.text);
    pwgraph_free(graph);
    edit(fd, BLOCK * 16, 1);
    close(fd);
    static const uint32_t edge[] = {1};
    ck_assert_ptr_null(pwgraph_from_edges(edge, edge, 1, 32, 0, &by_block, &error));
    ck_assert_int_eq(error.code, PWGRAPH_BAD_ARGUMENT);
}
END_TEST

/* The ends of the list of node 511 are in two blocks. A walk that looks at its length before both
 * are there takes it for long, and then reads all lists. */
START_TEST(a_short_walk_reads_no_other_list)
{
    const uint32_t source = BLOCK / sizeof(uint64_t) - 1;
    const off_t last_list = BLOCK * 16 + (NODES + 1) * 8 + (EDGES + NODES) * 4;
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct pwgraph_levels levels;
        const int fd = open(whole.path, O_RDWR);
        edit(fd, last_list, 1);
        struct pwgraph *graph = pwgraph_open(whole.path, &by_block, &error);
        ck_assert_msg(graph != NULL, "%s", error.text);
        struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
        ck_assert(search != NULL && pwgraph_search_threads(search, threads, NULL));
        ck_assert_uint_gt(pwgraph_out_degree(graph, source + 1), 0);
        ck_assert_msg(pwgraph_search_levels(search, &source, 1, PWGRAPH_FROM, 1, PWGRAPH_ANY_ORDER,
                                            &levels, &error),
                      "%u threads: %s", threads, error.text);
        ck_assert(!pwgraph_is_damaged(graph, NULL));
        pwgraph_search_free(search);
        pwgraph_free(graph);
        edit(fd, last_list, 1);
        close(fd);
    }
}
END_TEST

/* To make the lists of what leads to a node, all edges are used. */
START_TEST(a_snapshot_without_the_reverse_is_read_whole)
{
    struct graph graph;
    struct graph_error why = {0};
    const char *path = fixture_path("forward.pwg");
    ck_assert(graph_load(fixture_text("forward.txt", "0 1\n1 2\n2 0\n"), NULL, &graph, &why));
    ck_assert_msg(graph_snapshot_save(&graph, path, NULL, 0, NULL, &why), "%s", why.message);
    graph_free(&graph);
    struct pwgraph *opened = pwgraph_open(path, &by_block, &error);
    ck_assert_msg(opened != NULL, "%s", error.text);
    pwgraph_free(opened);
    const int fd = open(path, O_RDWR);
    edit(fd, BLOCK * 17, 1); /* the first neighbour: an edge to node 0 */
    close(fd);
    ck_assert_ptr_null(pwgraph_open(path, &by_block, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "corrupt"));
}
END_TEST

int main(void)
{
    return suite_run("library_blocks", make_whole, free_whole,
                     (const TTest *[]){each_call_answers_as_if_the_snapshot_were_read_whole,
                                       of_2000_wrong_bytes_each_is_refused_or_has_no_effect,
                                       eight_threads_ask_one_graph_and_one_more_is_cancelled,
                                       texts_and_callers_without_the_option_are_read_whole,
                                       a_short_walk_reads_no_other_list,
                                       a_snapshot_without_the_reverse_is_read_whole, NULL});
}
