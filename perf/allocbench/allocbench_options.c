/*
 * allocbench_options.c - options and their defaults (as published).
 */
#include "allocbench_options.h"
#include "base/macros.h"
#include "base/number.h"
#include "base/pw_assert.h"
#include <string.h>

#define COUNT_MAX 1000000

#define FLAG(member)               OPTION_FLAG(struct allocbench_options, member)
#define FLAG_OF_PARAMETERS(member) OPTION_FLAG(struct bench_parameters, member)
#define TEXT(member)               OPTION_TEXT(struct bench_parameters, member)
#define NUMBER(member, ...)        OPTION_NUMBER(struct bench_parameters, member, __VA_ARGS__)

/* Numbers with commas, from 1 to COUNT_MAX. */
static bool read_counts(const char *value, void *parameters, struct command_error *error)
{
    struct fill_parameters *p = parameters;
    p->count_count = 0;
    do {
        size_t length = strcspn(value, ",");
        if (p->count_count == COUNT_OF(p->counts)) {
            return command_fail(error, "at most %zu numbers", COUNT_OF(p->counts));
        }
        uint64_t *number = &p->counts[p->count_count++];
        if (!number_read(value, length, NUMBER_COUNT, number) || *number < 1 ||
            *number > COUNT_MAX) {
            return command_fail(error, "expected numbers from 1 to %d with commas, found \"%.60s\"",
                                COUNT_MAX, value);
        }
        value += length + (value[length] == ',');
    } while (*value != '\0');
    return true;
}

static const struct option_row common[] = {
    {"alloc", 'a', "LIST",
     "allocators, with commas, like malloc,slab:chunk=1M,lib:jemalloc,plugin:./mine.so (default: "
     "what suits the experiment; a library not installed is left out)",
     OPTION_TEXT(struct allocbench_options, allocators)},
    {"runs", 'r', "N", "runs of each allocator, taking turns (default: the experiment's)",
     OPTION_NUMBER(struct allocbench_options, runs, 1, BENCH_RUNS_MAX)},
    {"seed", 0, "N", "seed of the random numbers (default: 1)",
     OPTION_NUMBER(struct allocbench_options, seed, 0, UINT64_MAX)},
    {"as-published", 0, NULL, "repeat the article's mistake if it made one", FLAG(as_published)},
    {"format", 'f', "F", "text or csv (default: text)",
     OPTION_CHOICE(struct allocbench_options, format, "text, csv")},
    {"output", 'o', "FOLDER",
     "write each table there as CSV, and the article's own CSV if it has one",
     OPTION_FILE(struct allocbench_options, folder)},
    {"list-allocs", 0, NULL, "list the allocators, one per line",
     OPTION_ACTION(struct allocbench_options, action, ACTION_LIST_ALLOCATORS)},
    {"quiet", 'q', NULL, "no progress", FLAG(quiet)},
    OPTION_HELP_AND_VERSION(struct allocbench_options, action),
    {0},
};

static const struct option_row blocks[] = {
    {"counts", 0, "N,...", "repeat counts (default: 1,10,100,1000,10000)",
     OPTION_OWN(struct bench_parameters, fill, read_counts)},
    {0},
};

static const struct option_row purge[] = {
    {"allocations", 0, "N", "requests (default: 7500k)",
     NUMBER(purge.allocations, 1000, 1000000000)},
    {"interval", 0, "N", "requests between two purges, about (default: 256)",
     NUMBER(purge.interval, 1, 16384)},
    {"fraction", 0, "X", "share of the live blocks that a purge frees (default: 0.4)",
     OPTION_REAL(struct bench_parameters, purge.share, 0, 1)},
    {"batch", 0, "N", "requests between two pauses (default: 250)", NUMBER(purge.batch, 1, 4096)},
    {"pause", 0, "US", "microseconds of a pause (default: 100)",
     NUMBER(purge.pause_us, 0, 1000000)},
    {0},
};

static const struct option_row ring[] = {
    {"rounds", 0, "N", "rounds of 100 requests (default: 10k)",
     NUMBER(distributions.rounds, 10, 1000000)},
    {"touch", 0, "WHAT",
     "which bytes of a block are written: none, first (only the first) or all (default: none)",
     OPTION_CHOICE(struct bench_parameters, distributions.touch, "none, first, all")},
    {"sizes", 0, "FILE", "sizes recorded from a workload: a script of record, or one size per line",
     TEXT(distributions.sizes_file)},
    {"histogram", 0, "FILE",
     "estimate: a size and a count per line, or the histogram that distributions wrote",
     TEXT(estimate.histogram)},
    {"count", 0, "N", "estimate: allocations (default: all of the histogram)",
     NUMBER(estimate.count, 1, UINT64_C(1000000000000000))},
    {0},
};

static const struct option_row fifo[] = {
    {"depth", 0, "N", "elements in the queue (default: 20M; ageing 2M)",
     NUMBER(queue.depth, 2, 1000000000)},
    {"length", 0, "N", "pushes and pops at the steady depth (default: the depth)",
     NUMBER(queue.length, 0, UINT64_C(100000000000))},
    {"repeats", 0, "N", "times in one process (default: 5; ageing 12)",
     NUMBER(queue.repeats, 1, 60)},
    {0},
};

static const struct option_row job[] = {
    {"graph", 'g', "GRAPH", "file or generate:... (default: generate:nodes=400k)", TEXT(job.graph)},
    {"pairs", 0, "PAIRS", "file or random:... (default: random:100)", TEXT(job.pairs)},
    {"searches", 0, "N",
     "searches to run, beginning with the first pair (default: 100; replay 3, at most 10)",
     NUMBER(job.searches, 1, 1000000)},
    {"workloads", 0, "LIST", "replay: bfs, queue, distributions, purge (default: all)",
     TEXT(replay.workloads)},
    {0},
};

static const struct option_row program[] = {
    {"only", 0, "NAME",
     "program, record, memory: of the programs that the command starts, the one of this name that "
     "asks most (default: the command itself)",
     OPTION_FILE(struct bench_parameters, program.only)},
    {"input", 0, "FILE", "program, memory: standard input of the command (default: empty)",
     OPTION_FILE(struct bench_parameters, program.input)},
    {"no-replay", 0, NULL, "program: compare allocators only; for commands that do not repeat",
     FLAG_OF_PARAMETERS(program.no_replay)},
    {"sites", 0, NULL, "record: keep the call site of each request, for memory",
     FLAG_OF_PARAMETERS(program.sites)},
    {0},
};

#define PARAMETERS offsetof(struct allocbench_options, parameters)

static const struct option_group groups[] = {
    {"Options", common, 0},
    {"sizes, exhaustion, worst-case", blocks, PARAMETERS},
    {"purge", purge, PARAMETERS},
    {"distributions, estimate", ring, PARAMETERS},
    {"queue, ageing", fifo, PARAMETERS},
    {"replay, pointer-wars", job, PARAMETERS},
    {"program, record, trace, memory", program, PARAMETERS},
    {0},
};

const struct command allocbench_command = {
    .name = "allocbench",
    .introduction = "",
    .groups = groups,
    .epilogue = "\nExamples:\n"
                "  allocbench queue --alloc malloc,slab,lib:mimalloc --depth 1M\n"
                "  allocbench purge --format csv > purge.csv\n"
                "  allocbench sizes --output results --alloc block:small=no\n"
                "  allocbench replay --graph wikipedia.mtx --pairs pairs.txt --output results\n"
                "  allocbench estimate --histogram sizes.txt --count 1000000\n"
                "  allocbench program --alloc lib:mimalloc -- sort words.txt\n"
                "  allocbench record -o sort.rec -- sort words.txt\n"
                "  allocbench trace sort.rec --alloc malloc,slab,first-fit:heap=1G\n"
                "  allocbench trace before.rec after.rec\n"
                "  allocbench memory -- sort words.txt\n"
                "  allocbench check --alloc plugin:./mine.so\n",
};

/* Options of all that these do not have. */
static const struct {
    const char *option, *lacks;
} limits[] = {{"alloc", "record"},
              {"runs", "record"},
              {"seed", "record, program, trace, memory"},
              {"as-published", "record, check, program, trace, memory"},
              {"format", "record, check"},
              {"list-allocs", "record"},
              {"output", "check"}};

/* True if a list with commas has a name. length: of the list. */
static bool lists(const char *list, size_t length, const char *name)
{
    const size_t size = strlen(name);
    for (size_t at = 0; at < length; at += strspn(list + at, ", ")) {
        const size_t word = strcspn(list + at, ", :");
        if (word == size && strncmp(list + at, name, size) == 0) {
            return true;
        }
        at += word + (word == 0);
    }
    return false;
}

/* What an option is for in one experiment: its help, without the names of its experiments; NULL:
 * this one does not. */
static const char *help_of(const struct option_row *row, const char *name)
{
    const char *colon = row->help != NULL ? strstr(row->help, ": ") : NULL;
    const char *blank = row->help != NULL ? strpbrk(row->help, "(;") : NULL;
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        if (strcmp(limits[i].option, row->name) == 0 &&
            lists(limits[i].lacks, strlen(limits[i].lacks), name)) {
            return NULL;
        }
    }
    if (colon == NULL || (blank != NULL && blank < colon)) {
        return row->help;
    }
    return lists(row->help, (size_t)(colon - row->help), name) ? colon + 2 : NULL;
}

void allocbench_write_help(FILE *out, const char *name)
{
    static struct option_row rows[COUNT_OF(groups)][20];
    struct option_group own[COUNT_OF(groups)] = {{0}};
    size_t used = 0;
    for (size_t i = 0; groups[i].title != NULL; i++) {
        size_t count = 0;
        const bool is_meant = i == 0 || lists(groups[i].title, strlen(groups[i].title), name);
        for (const struct option_row *row = groups[i].rows; is_meant && row->name != NULL; row++) {
            const char *help = help_of(row, name);
            if (help != NULL) {
                pw_assert(count < COUNT_OF(rows[i]) - 1);
                const bool is_file =
                    strcmp(row->name, "output") == 0 && strcmp(name, "record") == 0;
                rows[i][count] = *row;
                rows[i][count].argument = is_file ? "FILE" : row->argument;
                rows[i][count++].help = is_file ? "the recording" : help;
            }
        }
        if (count > 0) {
            own[used++] =
                (struct option_group){i == 0 ? "Options" : "Options of its own", rows[i], 0};
        }
    }
    command_write_help(out, &(struct command){.introduction = "", .groups = own, .epilogue = ""});
}

void allocbench_defaults(struct allocbench_options *options)
{
    *options = (struct allocbench_options){
        .seed = 1,
        .parameters = {.fill = {.counts = {1, 10, 100, 1000, 10000}, .count_count = 5},
                       .purge = {.allocations = 7500000,
                                 .interval = 256,
                                 .share = 0.4,
                                 .batch = 250,
                                 .pause_us = 100},
                       .distributions = {.rounds = 10000, .touch = RING_TOUCH_NONE},
                       .job = {.graph = "generate:nodes=400k", .pairs = "random:100"},
                       .replay = {.workloads = "all"}},
    };
}

void allocbench_complete(struct allocbench_options *options, const char *experiment)
{
    struct bench_parameters *p = &options->parameters;
    bool is_ageing = strcmp(experiment, "ageing") == 0;
    bool is_replay = strcmp(experiment, "replay") == 0;
    const uint64_t depth = is_ageing ? 2000000 : 20000000;
    p->queue.depth = p->queue.depth > 0 ? p->queue.depth : depth;
    p->queue.repeats = p->queue.repeats > 0 ? p->queue.repeats : is_ageing ? 12 : 5;
    p->job.searches = p->job.searches > 0 ? p->job.searches : is_replay ? 3 : 100;
}
