/*
 * allocbench_options.c - options, their defaults (as published), and the small sizes of `all`.
 */
#include "allocbench_options.h"
#include "allocbench_counters.h"
#include <stdlib.h>
#include <string.h>

static struct allocbench_options *all(void *options)
{
    return options;
}

static struct bench_parameters *parameters(void *options)
{
    return &all(options)->parameters;
}

/* A number with an optional k or M (thousands). */
static bool number(const char *name, const char *value, uint64_t min, uint64_t max, uint64_t *out,
                   struct command_error *error)
{
    char digits[32];
    size_t length = strlen(value);
    uint64_t unit = 1;
    if (length > 1 && length < sizeof(digits) && strchr("kM", value[length - 1]) != NULL) {
        unit = value[--length] == 'k' ? 1000 : 1000000;
    }
    snprintf(digits, sizeof(digits), "%.*s", (int)length, value);
    if (!command_number(name, digits, min / unit, max / unit, out, error)) {
        return false;
    }
    *out *= unit;
    return true;
}

static bool set_alloc(void *options, const char *value, struct command_error *error)
{
    (void)error;
    all(options)->allocators = value;
    return true;
}

static bool set_runs(void *options, const char *value, struct command_error *error)
{
    return number("runs", value, 1, BENCH_RUNS_MAX, &all(options)->runs, error);
}

static bool set_seed(void *options, const char *value, struct command_error *error)
{
    return command_number("seed", value, 0, UINT64_MAX, &all(options)->seed, error);
}

static bool set_published(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    all(options)->as_published = true;
    return true;
}

static bool set_quiet(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    all(options)->quiet = true;
    return true;
}

static bool set_help(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    all(options)->help = true;
    return true;
}

static bool set_list(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    all(options)->list_allocators = true;
    return true;
}

static bool set_format(void *options, const char *value, struct command_error *error)
{
    static const char *const formats[] = {"text", "csv", "json", "article", NULL};
    return command_choice("format", value, formats, &all(options)->format, error);
}

static bool set_output(void *options, const char *value, struct command_error *error)
{
    (void)error;
    all(options)->folder = value;
    return true;
}

static bool set_counts(void *options, const char *value, struct command_error *error)
{
    struct bench_parameters *p = parameters(options);
    p->count_count = 0;
    while (*value != '\0') {
        char one[32];
        size_t length = strcspn(value, ",");
        snprintf(one, sizeof(one), "%.*s", (int)length, value);
        if (p->count_count == BENCH_COUNTS_MAX) {
            return command_fail(error, "--counts takes at most %d numbers", BENCH_COUNTS_MAX);
        }
        if (!number("counts", one, 1, 1000000, &p->counts[p->count_count++], error)) {
            return false;
        }
        value += length + (value[length] == ',');
    }
    return p->count_count > 0 || command_fail(error, "--counts takes numbers with commas");
}

static bool set_allocations(void *options, const char *value, struct command_error *error)
{
    return number("allocations", value, 1000, 1000000000, &parameters(options)->allocations, error);
}

static bool set_interval(void *options, const char *value, struct command_error *error)
{
    return number("interval", value, 1, 16384, &parameters(options)->purge_interval, error);
}

static bool set_fraction(void *options, const char *value, struct command_error *error)
{
    char *end = NULL;
    double share = strtod(value, &end);
    if (end == value || *end != '\0' || !(share > 0 && share <= 1)) {
        return command_fail(error, "--fraction takes more than 0 and at most 1, found \"%s\"",
                            value);
    }
    parameters(options)->purge_share = share;
    return true;
}

static bool set_batch(void *options, const char *value, struct command_error *error)
{
    return number("batch", value, 1, 4096, &parameters(options)->batch, error);
}

static bool set_pause(void *options, const char *value, struct command_error *error)
{
    return number("pause", value, 0, 1000000, &parameters(options)->pause_us, error);
}

static bool set_rounds(void *options, const char *value, struct command_error *error)
{
    return number("rounds", value, 10, 1000000, &parameters(options)->rounds, error);
}

static bool set_touch(void *options, const char *value, struct command_error *error)
{
    static const char *const choices[] = {"none", "first", "all", NULL};
    unsigned index = 0;
    parameters(options)->touch = value;
    return command_choice("touch", value, choices, &index, error);
}

static bool set_sizes(void *options, const char *value, struct command_error *error)
{
    (void)error;
    parameters(options)->sizes_file = value;
    return true;
}

static bool set_histogram(void *options, const char *value, struct command_error *error)
{
    (void)error;
    parameters(options)->histogram = value;
    return true;
}

static bool set_count(void *options, const char *value, struct command_error *error)
{
    return number("count", value, 1, UINT64_C(1000000000000000),
                  &parameters(options)->estimate_count, error);
}

static bool set_depth(void *options, const char *value, struct command_error *error)
{
    return number("depth", value, 2, 1000000000, &parameters(options)->depth, error);
}

static bool set_length(void *options, const char *value, struct command_error *error)
{
    return number("length", value, 0, UINT64_C(100000000000), &parameters(options)->length, error);
}

static bool set_repeats(void *options, const char *value, struct command_error *error)
{
    return number("repeats", value, 1, 60, &parameters(options)->repeats, error);
}

static bool set_graph(void *options, const char *value, struct command_error *error)
{
    (void)error;
    parameters(options)->graph = value;
    return true;
}

static bool set_pairs(void *options, const char *value, struct command_error *error)
{
    (void)error;
    parameters(options)->pairs = value;
    return true;
}

static bool set_searches(void *options, const char *value, struct command_error *error)
{
    return number("searches", value, 1, 1000000, &parameters(options)->searches, error);
}

static bool set_workloads(void *options, const char *value, struct command_error *error)
{
    (void)error;
    parameters(options)->workloads = value;
    return true;
}

static bool set_counters(void *options, const char *value, struct command_error *error)
{
    parameters(options)->counters = value;
    return bench_counters_check(value, error);
}

static const struct command_option common[] = {
    {"alloc", 'a', "LIST",
     "allocators, with commas: malloc,slab:chunk=1M,lib:jemalloc,plugin:./mine.so\n"
     "(default: what suits the experiment; a library not installed is left out)",
     set_alloc},
    {"runs", 'r', "N", "runs of each allocator, taking turns (default: the experiment's)",
     set_runs},
    {"seed", 0, "N", "of the random numbers (default: 1)", set_seed},
    {"as-published", 0, NULL, "repeat the article's mistake where it made one", set_published},
    {"format", 'f', "F", "text, csv, json, or article: the article's own CSV (default: text)",
     set_format},
    {"output", 'o', "FOLDER",
     "write CSV, JSON and pictures (SVG and PNG, by gnuplot) there; all: the folder\n"
     "(default of all: allocbench-results)",
     set_output},
    {"list-allocs", 0, NULL, "the allocators, a line each", set_list},
    {"quiet", 'q', NULL, "no progress", set_quiet},
    {"help", 'h', NULL, "this text", set_help},
    {.name = NULL},
};

static const struct command_option blocks[] = {
    {"counts", 0, "N,...", "repeat counts (default: 1,10,100,1000,10000)", set_counts},
    {.name = NULL},
};

static const struct command_option purge[] = {
    {"allocations", 0, "N", "requests (default: 7500k)", set_allocations},
    {"interval", 0, "N", "requests between two purges, about (default: 256)", set_interval},
    {"fraction", 0, "X", "of the live blocks that a purge frees (default: 0.4)", set_fraction},
    {"batch", 0, "N", "requests between two pauses (default: 250)", set_batch},
    {"pause", 0, "US", "microseconds of a pause (default: 100)", set_pause},
    {.name = NULL},
};

static const struct command_option ring[] = {
    {"rounds", 0, "N", "rounds of 100 requests (default: 10k)", set_rounds},
    {"touch", 0, "WHAT", "write to no byte of a block, the first, or all (default: none)",
     set_touch},
    {"sizes", 0, "FILE", "sizes recorded from a workload: a script of record, or a size a line",
     set_sizes},
    {"histogram", 0, "FILE", "estimate: a size and a count a line", set_histogram},
    {"count", 0, "N", "estimate: allocations (default: those of the histogram)", set_count},
    {.name = NULL},
};

static const struct command_option fifo[] = {
    {"depth", 0, "N", "elements in the queue (default: 20M; ageing 2M)", set_depth},
    {"length", 0, "N", "pushes and pops at the steady depth (default: the depth)", set_length},
    {"repeats", 0, "N", "times in one process (default: 5; ageing 12)", set_repeats},
    {.name = NULL},
};

static const struct command_option job[] = {
    {"graph", 'g', "GRAPH", "file or generate:... (default: generate:nodes=400k)", set_graph},
    {"pairs", 0, "PAIRS", "file or random:... (default: random:100)", set_pairs},
    {"searches", 0, "N", "of the pairs, from the first (default: 100; replay 3, at most 10)",
     set_searches},
    {"workloads", 0, "LIST", "replay: bfs, queue, distributions, purge (default: all)",
     set_workloads},
    {"counters", 'c', "SPEC",
     "pointer-wars: processor counters of the chosen searches, as bfs takes them\n"
     "(default: pointer-wars)",
     set_counters},
    {.name = NULL},
};

static const struct command_group groups[] = {
    {"Options", common},     {"sizes, exhaustion, worst-case", blocks},
    {"purge", purge},        {"distributions, estimate", ring},
    {"queue, ageing", fifo}, {"replay, pointer-wars", job},
};

const struct command_group *const allocbench_groups[] = {
    &groups[0], &groups[1], &groups[2], &groups[3], &groups[4], &groups[5], NULL,
};

void allocbench_defaults(struct allocbench_options *options)
{
    *options = (struct allocbench_options){
        .seed = 1,
        .parameters = {.counts = {1, 10, 100, 1000, 10000},
                       .count_count = 5,
                       .allocations = 7500000,
                       .purge_interval = 256,
                       .purge_share = 0.4,
                       .batch = 250,
                       .pause_us = 100,
                       .rounds = 10000,
                       .touch = "none",
                       .graph = "generate:nodes=400k",
                       .pairs = "random:100",
                       .workloads = "all",
                       .counters = "pointer-wars"},
    };
}

void allocbench_complete(struct allocbench_options *options, const char *experiment)
{
    struct bench_parameters *p = &options->parameters;
    bool is_ageing = strcmp(experiment, "ageing") == 0;
    bool is_replay = strcmp(experiment, "replay") == 0;
    p->depth = p->depth > 0 ? p->depth : is_ageing ? 2000000 : 20000000;
    p->repeats = p->repeats > 0 ? p->repeats : is_ageing ? 12 : 5;
    p->searches = p->searches > 0 ? p->searches : is_replay ? 3 : 100;
}

void allocbench_quick(struct bench_parameters *p, const char *experiment)
{
    bool is_sizes = strcmp(experiment, "sizes") == 0;
    bool is_ageing = strcmp(experiment, "ageing") == 0;
    bool is_replay = strcmp(experiment, "replay") == 0;
    p->count_count = is_sizes ? 5 : 2;
    p->allocations = 1000000;
    p->pause_us = 20;
    p->rounds = 2000;
    p->depth = is_ageing ? 300000 : 2000000;
    p->repeats = is_ageing ? 12 : 3;
    p->length = 0;
    p->graph = "generate:nodes=200k";
    p->searches = is_replay ? 3 : 30;
}
