/*
 * test_load_memory.c - the memory that loading takes, as `bfs --help` states it, against the
 * highest resident memory of a process that loads, for every way to load.
 */
#include "base/macros.h"
#include "data/graph/graph_names.h"
#include "data/load/graph_load.h"
#include "data/store/graph_snapshot.h"
#include "tests/support/fixture_file.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include <inttypes.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { EDGES = 1000000, NODES = 100000, FEW = 20000 };
#define MEBIBYTE ((uint64_t)1 << 20)

enum shape { PLAIN, MATRIX, DIMACS, METIS, NAMED, SPREAD, FAR, LATE, FEW_SPREAD, SHAPES };

/* The id of the graph number k in 0..NODES-1 of a shape. */
static uint32_t id_of(enum shape shape, uint64_t line, uint32_t k)
{
    bool spread = shape == SPREAD || shape == FEW_SPREAD || (shape == LATE && line >= EDGES / 2);
    return spread         ? (uint32_t)(k * UINT64_C(2654435761)) & ~(uint32_t)1
           : shape == FAR ? k * 1000 + 1000000000
                          : k + 1;
}

static void write_metis(FILE *file, struct rng *rng)
{
    fprintf(file, "%d %d\n", NODES, EDGES / 2);
    for (uint32_t u = 0; u < NODES; u++) {
        for (unsigned i = 0; i < EDGES / NODES; i++) {
            fprintf(file, "%zu ", random_below(rng, NODES) + 1);
        }
        fputc('\n', file);
    }
}

/* Write the graph of a shape; returns its path. */
static const char *write_graph(enum shape shape)
{
    struct rng rng = {1};
    const char *path = fixture_path("graph.txt");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    if (shape == MATRIX) {
        fprintf(file, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", NODES,
                NODES, EDGES);
    } else if (shape == DIMACS) {
        fprintf(file, "p sp %d %d\n", NODES, EDGES);
    } else if (shape == METIS) {
        write_metis(file, &rng);
    }
    for (uint64_t i = 0; shape != METIS && i < (shape == FEW_SPREAD ? FEW : EDGES); i++) {
        uint32_t source = id_of(shape, i, (uint32_t)random_below(&rng, NODES));
        uint32_t target = id_of(shape, i, (uint32_t)random_below(&rng, NODES));
        fprintf(file,
                shape == NAMED    ? "article %" PRIu32 "\tarticle %" PRIu32 "\n"
                : shape == DIMACS ? "a %" PRIu32 " %" PRIu32 " 1\n"
                                  : "%" PRIu32 " %" PRIu32 "\n",
                source, target);
    }
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

struct outcome {
    uint64_t nodes, edges, names_text, names;
    bool loaded;
};

/* The highest resident memory of a process that loads path, in bytes; NULL: that loads nothing. */
static uint64_t measure(const char *path, const struct graph_options *options,
                        struct outcome *outcome)
{
    int ends[2], status;
    struct rusage usage;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        struct graph graph = {0};
        struct graph_error error;
        struct outcome found = {.loaded =
                                    path == NULL || graph_load(path, options, &graph, &error)};
        if (!found.loaded) {
            fprintf(stderr, "%s\n", error.message);
        }
        found.nodes = graph.node_limit;
        found.edges = graph.edge_count;
        found.names = graph.names != NULL ? graph.names->count : 0;
        found.names_text = graph.names != NULL ? graph.names->begins[found.names] : 0;
        _exit(write(ends[1], &found, sizeof(found)) == sizeof(found) ? 0 : 1);
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], outcome, sizeof(*outcome)), sizeof(*outcome));
    close(ends[0]);
    ck_assert_int_eq(wait4(child, &status, 0, &usage), child);
    ck_assert_int_eq(status, 0);
    ck_assert(outcome->loaded);
    return (uint64_t)usage.ru_maxrss * 1024;
}

static const struct way {
    const char *name;
    enum shape shape;
    struct graph_options options;
    const char *packer;    /* a command that packs graph.txt, or NULL */
    const char *ending;    /* of the packed file */
    uint64_t packer_bytes; /* that unpacking takes */
    bool node_names;
} ways[] = {
    {.name = "one thread", .shape = PLAIN, .options = {.threads = 1}},
    {.name = "two threads", .shape = PLAIN, .options = {.threads = 2}},
    {.name = "eight threads", .shape = PLAIN, .options = {.threads = 8}},
    {.name = "Matrix Market", .shape = MATRIX, .options = {.threads = 1}},
    {.name = "Matrix Market, two threads", .shape = MATRIX, .options = {.threads = 2}},
    {.name = "reverse adjacency", .shape = PLAIN, .options = {.threads = 1, .build_reverse = true}},
    {.name = "reverse adjacency, two threads",
     .shape = MATRIX,
     .options = {.threads = 2, .build_reverse = true}},
    {.name = "reversed", .shape = PLAIN, .options = {.threads = 2, .reverse = true}},
    {.name = "undirected", .shape = PLAIN, .options = {.threads = 2, .undirected = true}},
    {.name = "undirected, reverse adjacency",
     .shape = PLAIN,
     .options = {.threads = 1, .undirected = true, .build_reverse = true}},
    {.name = "DIMACS", .shape = DIMACS, .options = {.threads = 2}},
    {.name = "METIS", .shape = METIS, .options = {.threads = 2}},
    {.name = "names", .shape = NAMED, .options = {.threads = 2}},
    {.name = "a file of names", .shape = PLAIN, .options = {.threads = 2}, .node_names = true},
    {.name = "compact", .shape = PLAIN, .options = {.threads = 1, .compact = true}},
    {.name = "compact, two threads", .shape = MATRIX, .options = {.threads = 2, .compact = true}},
    {.name = "compact, ids far apart", .shape = FAR, .options = {.threads = 1, .compact = true}},
    {.name = "compact, ids over 32 bits",
     .shape = SPREAD,
     .options = {.threads = 1, .compact = true}},
    {.name = "compact, ids over 32 bits, two threads",
     .shape = SPREAD,
     .options = {.threads = 2, .compact = true}},
    {.name = "compact, reverse adjacency",
     .shape = SPREAD,
     .options = {.threads = 2, .compact = true, .build_reverse = true}},
    {.name = "compact, far ids after near ones",
     .shape = LATE,
     .options = {.threads = 2, .compact = true}},
    {.name = "compact, few ids over 32 bits",
     .shape = FEW_SPREAD,
     .options = {.threads = 2, .compact = true}},
    {.name = "gzip",
     .shape = PLAIN,
     .options = {.threads = 2},
     .packer = "gzip -1kf",
     .ending = ".gz",
     .packer_bytes = 1 << 20},
    {.name = "bzip2",
     .shape = PLAIN,
     .options = {.threads = 2},
     .packer = "bzip2 -kf",
     .ending = ".bz2",
     .packer_bytes = 8 << 20},
    {.name = "xz",
     .shape = PLAIN,
     .options = {.threads = 2},
     .packer = "xz -0kf",
     .ending = ".xz",
     .packer_bytes = 16 << 20},
    {.name = "zstd",
     .shape = PLAIN,
     .options = {.threads = 2},
     .packer = "zstd -1qkf",
     .ending = ".zst",
     .packer_bytes = 16 << 20},
    {.name = "a snapshot",
     .shape = PLAIN,
     .options = {.threads = 2},
     .packer = "",
     .ending = ".pwg",
     .packer_bytes = 0},
};

static void pack(const struct way *way, const char *path, const char *packed)
{
    char command[600];
    if (way->packer[0] == '\0') {
        struct graph graph;
        struct graph_error error = {0};
        ck_assert(graph_load(path, NULL, &graph, &error) &&
                  graph_snapshot_save(&graph, packed, NULL, 0, NULL, &error));
        graph_free(&graph);
        return;
    }
    snprintf(command, sizeof(command), "%s %s", way->packer, path);
    ck_assert_int_eq(system(command), 0);
}

static bool can_pack(const struct way *way)
{
    char command[100];
    if (way->packer == NULL || way->packer[0] == '\0') {
        return true;
    }
    snprintf(command, sizeof(command), "command -v %.*s >/dev/null", (int)strcspn(way->packer, " "),
             way->packer);
    return system(command) == 0;
}

static const char *write_names(void)
{
    const char *path = fixture_path("names.txt");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    for (unsigned i = 0; i < NODES; i++) {
        fprintf(file, "article %u\n", i + 1);
    }
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

/* What `bfs --help` promises. */
static uint64_t promised(const struct way *way, const struct outcome *outcome)
{
    bool both = way->options.build_reverse;
    uint64_t per_thread = (way->options.compact ? 20 : 6) * MEBIBYTE;
    if (way->packer != NULL && way->packer[0] == '\0') { /* the file is what is mapped */
        return MEBIBYTE + outcome->edges * 4 + (outcome->nodes + 1) * 8 + 4 * 65536;
    }
    return outcome->edges * (both ? 14 : 9) + outcome->nodes * (both ? 24 : 16) +
           way->options.threads * per_thread + outcome->names_text + outcome->names * 24 +
           way->packer_bytes;
}

/* The memory of a process that loads nothing; or, to compare a snapshot with, a tiny one: the
 * code that opens it is mapped as it is, page by page, and is not part of the graph. */
static uint64_t measure_idle(const struct way *way)
{
    struct outcome outcome;
    if (way->packer == NULL || way->packer[0] != '\0') {
        return measure(NULL, NULL, &outcome);
    }
    const char *tiny = fixture_path("tiny.pwg");
    pack(way, fixture_text("tiny.txt", "1 2\n"), tiny);
    return measure(tiny, &way->options, &outcome);
}

static void check_way(const struct way *way, const char *path)
{
    struct outcome outcome;
    struct graph_options options = way->options;
    char packed[300];
    snprintf(packed, sizeof(packed), "%s%s", path, way->ending != NULL ? way->ending : "");
    if (way->packer != NULL) {
        pack(way, path, packed);
    }
    options.names_path = way->node_names ? write_names() : NULL;
    uint64_t idle = measure_idle(way);
    uint64_t peak = measure(packed, &options, &outcome) - idle;
    uint64_t most = promised(way, &outcome);
    printf("%-40s %6.1f MiB of %6.1f\n", way->name, (double)peak / MEBIBYTE,
           (double)most / MEBIBYTE);
    fflush(stdout);
    ck_assert_msg(peak <= most, "%s: %" PRIu64 " bytes, promised %" PRIu64, way->name, peak, most);
}

START_TEST(loading_takes_no_more_memory_than_the_help_says)
{
    const char *path = write_graph((enum shape)_i);
    for (const struct way *way = ways; way < ways + COUNT_OF(ways); way++) {
        if (way->shape == (enum shape)_i && can_pack(way)) {
            check_way(way, path);
        }
    }
}
END_TEST

int main(void)
{
    return suite_run_cases(
        "load memory", 1,
        &(struct suite_case){
            (const TTest *[]){loading_takes_no_more_memory_than_the_help_says, NULL}, NULL, NULL, 0,
            COUNT_OF(ways)});
}
