/*
 * allocbench_memory.c - the experiment "memory": where a program's memory is, at its peak and at
 * its end, and what would give it back.
 *
 * 1. The command runs once recorded with the call sites of its requests, and once as it is; or the
 *    recording is there already.
 * 2. The requests are replayed on each allocator, and on each with the settings that are said to
 *    help (allocbench_memory_replay.c); in other runs, without looks, they are timed.
 * 3. Held at the end = live blocks + the empty part of the pages with a live block
 *    (fragmentation) + the rest (cache of the allocator). Verdict and advice follow from these
 *    figures alone; the verdict is about the first allocator. Which call sites grow follows from
 *    the recording alone.
 */
#include "allocbench_memory.h"
#include "allocbench_recordings.h"
#include "allocbench_unseen.h"
#include "base/macros.h"
#include "data/graph/graph_memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SITES_SHOWN  3
#define SITES_LISTED 20
#define PARTS        GROWTH_PARTS /* rows of the table over time */

/* Recording ------------------------------------------------------------------------------------ */

/* Run the command recorded, then as it is, and read the recording. */
static bool record_command(struct bench *bench, struct recorded *recorded)
{
    const struct program_parameters *p = &bench->parameters.program;
    struct launch launch = {.command = p->command, .input = p->input};
    struct launch_outcome outcome;
    struct recordings all = {.count = 0};
    char path[sizeof(launch.folder) + 32];
    char end[100], unseen[UNSEEN_SIZE];
    if (!launch_open(&launch, bench->error)) {
        return false;
    }
    launch_choose(&launch, p->only);
    launch.control->sites = 1;
    recorded->memory.interval_s = 0.001;
    bool done = launch_run(&launch, LAUNCH_PRELOAD, PROGRAM_RECORD, NULL, &outcome, bench->error) &&
                recordings_load(&all, &launch, p->only, bench->error);
    if (done) {
        const struct recording_header *header = &all.list[all.chosen].header;
        snprintf(path, sizeof(path), "%s/%06u.log", launch.folder, header->number);
        recorded->threads = header->threads;
        bench_note_others(bench, &all);
        if (unseen_memory(header, &all.summaries[all.chosen], unseen) != UNSEEN_LITTLE) {
            bench_note(bench, "%s", unseen);
        }
        if (launch_bad_end(&outcome, end) != NULL) {
            bench_note(bench, "%s; its recording ends there", end);
        }
        launch.control->only.number = (uint32_t)all.number;
        done = launch_run(&launch, LAUNCH_PLAIN, PROGRAM_RECORD, &recorded->memory, &outcome,
                          bench->error) &&
               (!bench_is_cancelled() || command_fail(bench->error, "interrupted")) &&
               trace_open(bench, path, &recorded->trace);
        recorded->has_run = recorded->memory.end.resident_most > 0;
    }
    recordings_close(&all);
    launch_close(&launch);
    return done;
}

/* Add the settings of each allocator after it. */
static bool add_settings(struct bench *bench)
{
    static struct bench_case given[BENCH_CASES_MAX];
    const size_t count = bench->case_count;
    memcpy(given, bench->cases, sizeof(given));
    bench->case_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct memory_setting *setting = NULL; /* first as it is */
        for (size_t k = 0; k == 0 || (setting = memory_setting(k - 1)) != NULL; k++) {
            if (k > 0 && strcmp(given[i].specification, setting->allocator) != 0) {
                continue;
            }
            if (bench->case_count == BENCH_CASES_MAX) {
                return command_fail(bench->error, "--alloc: too many allocators");
            }
            struct bench_case *one = &bench->cases[bench->case_count++];
            *one = given[i];
            if (k > 0) {
                snprintf(one->label, sizeof(one->label), "%s", setting->label);
                memcpy(one->environment, setting->environment, sizeof(one->environment));
            }
        }
    }
    return true;
}

/* Tables --------------------------------------------------------------------------------------- */

static void add_requests(struct bench *bench, const struct recorded *recorded)
{
    static const struct bench_column columns[] = {
        {"requests", "requests", 0},         {"releases", "releases", 0},
        {"threads", "threads", 0},           {"live_peak_bytes", "live bytes", 0},
        {"live_end_bytes", "at the end", 0}, {"resident_peak_kib", "resident", 0},
        {"held_end_kib", "held end", 0}};
    const struct trace *trace = &recorded->trace;
    const struct program_memory *end = &recorded->memory.end;
    struct bench_table *table =
        bench_add_table(bench, "memory-program", columns, COUNT_OF(columns),
                        "The program: what it asks for; KiB resident and held as it is");
    bench_add_number(table, (double)trace->requests);
    bench_add_number(table, (double)trace->releases);
    bench_add_number(table, recorded->threads);
    bench_add_number(table, (double)trace->live_peak);
    bench_add_number(table, (double)trace->live_end);
    bench_add_number(table, recorded->has_run ? (double)end->resident_most / 1024 : NAN);
    bench_add_number(table, recorded->has_run ? (double)end->heap / 1024 : NAN);
}

static void add_allocators(struct bench *bench, const struct bench_samples *memory,
                           const struct bench_samples *timed, double requests)
{
    static const struct bench_column columns[] = {{"allocator", "allocator", BENCH_TEXT},
                                                  {"held_peak_kib", "held peak", 0},
                                                  {"held_end_kib", "held end", 0},
                                                  {"fragmentation_kib", "fragments", 0},
                                                  {"cache_kib", "cache", 0},
                                                  {"request_ns", "ns", 1},
                                                  BENCH_SPREAD("spread_percent")};
    struct bench_table *table = bench_add_table(
        bench, "memory", columns, COUNT_OF(columns),
        "KiB held at the peak and at the end, and what it consists of; ns per request");
    for (size_t i = 0; i < bench->case_count; i++) {
        const struct balance all = memory_balance(memory, i);
        bench_add_text(table, bench->cases[i].label);
        bench_add_number(table, all.held_peak / 1024);
        bench_add_number(table, all.held / 1024);
        bench_add_number(table, all.fragmentation / 1024);
        bench_add_number(table, all.cache / 1024);
        bench_add_summary(table, bench_summary(timed, i, 0), requests);
    }
}

/* What the kernel said of the program as it is, at a reading: seconds, KiB held, KiB resident. */
static void read_run(const struct recorded *recorded, size_t at, double figures[3])
{
    const struct launch_memory *memory = &recorded->memory;
    figures[0] = memory->seconds[at];
    figures[1] = fmax(0, memory->bytes[at] - (double)memory->end.others) / 1024;
    figures[2] = memory->resident[at] / 1024;
}

/* Memory over time in a few rows, for people. */
static void add_parts(struct bench *bench, const struct recorded *recorded,
                      const struct bench_samples *memory)
{
    static const struct bench_column columns[] = {{"part", "part", BENCH_TEXT},
                                                  {"requests", "calls", 0},
                                                  {"live_kib", "live", 0},
                                                  {"held_kib", "held", 0},
                                                  {"seconds", "seconds", 3},
                                                  {"run_held_kib", "held", 0},
                                                  {"run_resident_kib", "resident", 0}};
    const double steps = (double)recorded->trace.steps + 1; /* the last reading is one more */
    struct bench_table *table = bench_add_table(
        bench, "memory-parts", columns, COUNT_OF(columns),
        "KiB over time: replayed on %s, and the program as it is", bench->cases[0].label);
    size_t at = 0;
    for (size_t part = 1; part <= PARTS; part++) {
        const size_t readings = recorded->has_run ? recorded->memory.count : 0;
        double figures[] = {NAN, NAN, NAN, NAN, NAN, NAN};
        char name[16];
        for (size_t k = at; k < MEMORY_TIMES; k++) { /* the last reading of this part */
            const double done = bench_median(memory, 0, MEMORY_STEPS + k);
            at = done * PARTS <= steps * (double)part ? k : at;
        }
        figures[0] = bench_median(memory, 0, MEMORY_STEPS + at);
        figures[1] = bench_median(memory, 0, MEMORY_LIVE + at) / 1024;
        figures[2] = bench_median(memory, 0, MEMORY_HELD + at) / 1024;
        if (readings > 0) {
            read_run(recorded, (readings - 1) * part / PARTS, figures + 3);
        }
        snprintf(name, sizeof(name), "%zu/%d", part, PARTS);
        bench_add_row(table, name, figures);
    }
}

/* Memory over time, of each allocator. */
static void add_times(struct bench *bench, const struct recorded *recorded,
                      const struct bench_samples *memory)
{
    static const struct bench_column columns[] = {{"allocator", "allocator", BENCH_TEXT},
                                                  {"requests", "requests", 0},
                                                  {"live_kib", "live KiB", 0},
                                                  {"held_kib", "held KiB", 0},
                                                  {"seconds", "seconds", 3},
                                                  {"resident_kib", "resident KiB", 0}};
    struct bench_table *table =
        bench_add_table(bench, "memory-times", columns, COUNT_OF(columns), "Memory alive and held");
    table->data_only = true;
    for (size_t i = 0; i < bench->case_count; i++) {
        for (size_t k = 0; k < MEMORY_TIMES; k++) {
            const double held = bench_median(memory, i, MEMORY_HELD + k);
            if (!isnan(held)) {
                bench_add_row(table, bench->cases[i].label,
                              (double[]){bench_median(memory, i, MEMORY_STEPS + k),
                                         bench_median(memory, i, MEMORY_LIVE + k) / 1024,
                                         held / 1024, NAN, NAN});
            }
        }
    }
    for (size_t k = 0; recorded->has_run && k < recorded->memory.count; k++) {
        double figures[3];
        read_run(recorded, k, figures);
        bench_add_row(table, "as it is", (double[]){NAN, NAN, figures[1], figures[0], figures[2]});
    }
}

/* The sites that hold most of a kind at a moment: rows, and the first of them as notes. */
static bool add_moment(struct bench *bench, const struct trace *trace, struct bench_table *table,
                       const struct bench_samples *memory, enum moment moment, size_t kind,
                       size_t notes)
{
    static const char *const moments[] = {"peak", "end"};
    const size_t count = trace->site_count + 1;
    bool *taken = calloc(count, sizeof(*taken));
    size_t shown = 0;
    size_t site = 0;
    while (taken != NULL && shown < SITES_LISTED &&
           (site = memory_next_site(memory, 0, count, moment, kind, taken)) != SIZE_MAX) {
        char text[SITE_NAME_SIZE];
        char empty_text[32], live_text[32];
        double values[SITE_VALUES];
        for (size_t i = 0; i < SITE_VALUES; i++) {
            values[i] = bench_median(memory, 0, memory_site_value((uint32_t)site, moment, i));
        }
        memory_name_site(trace, site, text);
        bench_add_text(table, moments[moment]);
        bench_add_number(table, values[SITE_EMPTY] / 1024);
        bench_add_number(table, values[SITE_LIVE] / 1024);
        bench_add_number(table, values[SITE_BLOCKS]);
        bench_add_text(table, text);
        if (shown++ < notes) {
            bench_answer(bench, "at the %s %.0f %s with %s pin %s of empty pages: %.280s",
                         moments[moment], values[SITE_BLOCKS],
                         values[SITE_BLOCKS] == 1 ? "block" : "blocks",
                         memory_text(live_text, (uint64_t)values[SITE_LIVE]),
                         memory_text(empty_text, (uint64_t)values[SITE_EMPTY]), text);
        }
    }
    free(taken);
    return taken != NULL || command_fail(bench->error, "out of memory");
}

/* The sites that grow, whatever the verdict is. */
static bool say_growth(struct bench *bench, const struct trace *trace)
{
    double *growth = memory_growth(trace);
    for (int shown = 0; growth != NULL && shown < SITES_SHOWN; shown++) {
        size_t best = 0;
        char text[SITE_NAME_SIZE], bytes[32];
        for (size_t i = 1; i <= trace->site_count; i++) {
            best = growth[i] > growth[best] ? i : best;
        }
        if (!(growth[best] > 0)) {
            break;
        }
        memory_name_site(trace, best, text);
        bench_answer(bench, "grows: %s more alive with each eighth of the calls, from %.280s",
                     memory_text(bytes, (uint64_t)growth[best]), text);
        growth[best] = 0;
    }
    free(growth);
    return growth != NULL || command_fail(bench->error, "out of memory");
}

static bool add_sites(struct bench *bench, const struct trace *trace,
                      const struct bench_samples *memory, const struct balance *all)
{
    static const struct bench_column columns[] = {{"moment", "moment", BENCH_TEXT},
                                                  {"pinned_kib", "pinned KiB", 1},
                                                  {"live_kib", "live KiB", 1},
                                                  {"blocks", "blocks", 0},
                                                  {"site", "call site", BENCH_TEXT}};
    struct bench_table *table = bench_add_table(bench, "memory-sites", columns, COUNT_OF(columns),
                                                "Who pins the pages, and who holds most");
    table->data_only = true;
    const enum memory_verdict verdict = memory_verdict(all);
    const size_t kind = verdict == MEMORY_ALIVE ? SITE_LIVE : SITE_EMPTY;
    const bool is_theirs = kind == SITE_LIVE || verdict == MEMORY_FRAGMENTED;
    const size_t notes = is_theirs ? SITES_SHOWN : 0; /* else it is no site that keeps the pages */
    return trace->site_count == 0 ||
           (add_moment(bench, trace, table, memory, AT_END, kind, notes) &&
            add_moment(bench, trace, table, memory, AT_PEAK, kind, 0));
}

/* The experiment ------------------------------------------------------------------------------- */

static bool report_all(struct bench *bench, const struct recorded *recorded,
                       const struct bench_input *input)
{
    const struct trace *trace = &recorded->trace;
    const double requests = (double)trace->requests;
    const struct bench_samples *memory =
        bench_measure_all(bench, bench_memory_replay, input,
                          memory_site_value((uint32_t)trace->site_count + 1, 0, 0));
    const struct bench_samples *timed = bench_measure_all(bench, bench_memory_time, input, 1);
    if (memory->values == NULL || timed->values == NULL) {
        return true; /* reported by the caller */
    }
    const struct balance all = memory_balance(memory, 0);
    if (isnan(all.held)) {
        return bench_is_cancelled() ||
               command_fail(bench->error, "%s: nothing could be measured", bench->cases[0].label);
    }
    memory_say_verdict(bench, &all);
    if (memory_verdict(&all) != MEMORY_FINE) {
        memory_say_advice(bench, memory, timed, requests);
    }
    if (!say_growth(bench, trace) || !add_sites(bench, trace, memory, &all)) {
        return false;
    }
    if (trace->site_count == 0) {
        bench_answer(bench, "the recording has no call sites; record --sites keeps them");
    }
    memory_say_difference(bench, recorded, &all);
    add_allocators(bench, memory, timed, requests);
    add_requests(bench, recorded);
    add_parts(bench, recorded, memory);
    add_times(bench, recorded, memory);
    return true;
}

static bool run_memory(struct bench *bench)
{
    static struct recorded recorded;
    const struct program_parameters *p = &bench->parameters.program;
    if (p->command == NULL && p->trace == NULL) {
        bench->failure = EXIT_USAGE;
        return command_fail(bench->error,
                            "memory: of what? allocbench memory -- sort words.txt, or "
                            "allocbench memory sort.rec");
    }
    if (!(p->trace != NULL ? recorded_read(bench, p->trace, &recorded)
                           : record_command(bench, &recorded))) {
        trace_close(&recorded.trace);
        return false;
    }
    struct bench_input input = {.items = NULL};
    const bool done = recorded_words(bench, &recorded, &input) && add_settings(bench) &&
                      report_all(bench, &recorded, &input);
    bench_about(bench, "%.200s, its requests replayed in their recorded order, %u thread%s",
                recorded.trace.program, recorded.threads, recorded.threads == 1 ? "" : "s");
    recorded_close(&recorded, &input);
    return done;
}

const struct bench_experiment bench_memory = {
    .name = "memory",
    .summary =
        "where a program's memory is, and what gives it back: memory [OPTION]... -- COMMAND...",
    .source = "Johnstone and Wilson, \"The Memory Fragmentation Problem: Solved?\"",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,slab,block",
    .default_runs = 3,
    .run = run_memory,
    .bodies = {bench_memory_replay, bench_memory_time},
};
