/*
 * allocbench_program_tables.c - the tables of the experiment "program".
 */
#include "allocbench_program.h"
#include "base/macros.h"
#include <math.h>

#define SHORT_S 0.1 /* of a program that runs for less, a share of its time is rough */

/* A figure of what a replay saves, and its spread; unclear where mapping the table of answers, up
 * to a millisecond, is more than a hundredth of the time. */
static void add_share(struct bench_table *table, double figure, double spread, double seconds)
{
    bench_add_number(table, figure);
    if (seconds < SHORT_S) {
        bench_mark_unclear(table);
    }
    bench_add_number(table, spread);
}

/* A row per case: time, and the share of it that a replay saves. */
static void add_costs(struct bench *bench, const struct program_samples *all,
                      const struct measured_program *command)
{
    static const struct bench_column columns[] = {
        {"allocator", "run", BENCH_TEXT},         {"processor_s", "CPU s", 4},
        BENCH_SPREAD("processor_spread_percent"), {"elapsed_s", "wall s", 4},
        {"share_percent", "allocation %", 1},     BENCH_SPREAD_UNIT("share_spread"),
        {"ns_per_request", "ns per call", 1},     BENCH_SPREAD_UNIT("ns_per_request_spread"),
        {"estimated_ns", "estimated", 1},         BENCH_SPREAD("estimated_spread_percent")};
    struct bench_table *table = bench_add_table(
        bench, "program", columns, COUNT_OF(columns),
        "What allocation costs: the share of the time that a replay without it saves");
    const bool has_replay = !bench->parameters.program.no_replay;
    const size_t replayed = has_replay ? AS_IT_IS + 1 : AS_IT_IS;
    double base[BENCH_RUNS_MAX];
    const size_t base_count = bench_values(all->timed, replayed, PROCESSOR_S, base);
    const double base_s = bench_median(all->timed, replayed, PROCESSOR_S);
    for (size_t i = 0; i < bench->case_count; i++) {
        double values[BENCH_RUNS_MAX];
        const size_t count = bench_values(all->timed, i, PROCESSOR_S, values);
        const double seconds = bench_median(all->timed, i, PROCESSOR_S);
        const bool is_replay = has_replay && i == replayed;
        const bool has_share = has_replay && !is_replay && count == base_count;
        bench_add_text(table, bench->cases[i].label);
        bench_add_summary(table, bench_summary(all->timed, i, PROCESSOR_S), 1);
        bench_add_number(table, bench_median(all->timed, i, ELAPSED_S));
        const double share = has_share ? 100 * (seconds - base_s) / seconds : NAN;
        const double spread = has_share ? bench_share_spread(values, base, count) : NAN;
        const double of_percent = seconds / 100 * 1e9 / (double)command->summary.requests;
        add_share(table, share, spread, seconds);
        add_share(table, share * of_percent, spread * of_percent, seconds);
        if (is_replay) {
            bench_add_number(table, NAN);
            bench_add_number(table, NAN);
        } else {
            bench_add_summary(table, bench_summary(all->estimates, i, 0), 1);
        }
    }
    if (has_replay && bench_median(all->timed, AS_IT_IS, PROCESSOR_S) < SHORT_S) {
        bench_note(bench, "the share of a command that runs for less than %g s is rough", SHORT_S);
    }
}

/* A row per case: memory. */
static void add_memory(struct bench *bench, const struct program_samples *all,
                       const struct measured_program *command)
{
    static const struct bench_column columns[] = {
        {"allocator", "run", BENCH_TEXT},  {"resident_mib", "resident MiB", 1},
        {"not_heap_mib", "not heap", 1},   {"held_mib", "held MiB", 1},
        {"held_end_mib", "at the end", 1}, {"fragmentation", "held per live", 2}};
    struct bench_table *table =
        bench_add_table(bench, "program-memory", columns, COUNT_OF(columns),
                        "Memory: resident at most; of that no heap, and held for malloc");
    bool has_less = false;
    bool is_known = true;
    for (size_t i = 0; i < bench->case_count; i++) {
        const double held = bench_median(all->memory, i, HELD_MOST);
        const double resident = bench_median(all->memory, i, RESIDENT);
        const double per_live = held / (double)command->summary.live_peak;
        has_less = has_less || per_live < 1;
        is_known = is_known && !isnan(resident);
        bench_add_row(table, bench->cases[i].label,
                      (double[]){resident / 1048576, (resident - held) / 1048576, held / 1048576,
                                 bench_median(all->memory, i, HELD_END) / 1048576,
                                 per_live >= 1 ? per_live : NAN});
    }
    if (has_less) {
        bench_note(bench, "no held per live where less is held than was asked for: the program did "
                          "not touch all of it");
    }
    if (!is_known) {
        bench_note(bench, "resident memory is known of a program that ends by exit(3); of another "
                          "one, held is the most of several looks");
    }
}

/* What the program asked for. */
static void add_requests(struct bench *bench, const struct measured_program *command)
{
    static const struct bench_column columns[] = {{"program", "program", BENCH_TEXT},
                                                  {"requests", "requests", 0},
                                                  {"callocs", "calloc", 0},
                                                  {"reallocs", "realloc", 0},
                                                  {"releases", "free", 0},
                                                  {"requested_mib", "MiB", 1},
                                                  {"live_peak_kib", "KiB alive", 0},
                                                  {"live_end_kib", "at end", 0},
                                                  {"threads", "threads", 0}};
    const struct recording_summary *s = &command->summary;
    struct bench_table *table =
        bench_add_table(bench, "program-requests", columns, COUNT_OF(columns),
                        "What it asks for: MiB in all, KiB alive at most and at the end");
    bench_add_row(table, command->header.program,
                  (double[]){(double)s->requests, (double)s->callocs, (double)s->reallocs,
                             (double)s->releases, (double)s->requested_bytes / 1048576,
                             (double)s->live_peak / 1024, (double)s->live_end / 1024,
                             (double)command->header.threads});
}

/* The histogram, as `estimate --histogram` reads it. */
static void add_sizes(struct bench *bench, const struct measured_program *command)
{
    static const struct bench_column columns[] = {
        {"size_from", "size from", 0}, {"size_to", "to", 0}, {"requests", "requests", 0}};
    struct bench_table *table = bench_add_table(bench, "program-histogram", columns,
                                                COUNT_OF(columns), "Sizes of the requests");
    for (size_t i = 0; i < 32; i++) {
        if (command->summary.buckets[i] > 0) {
            bench_add_number(table, (double)((uint64_t)1 << i));
            bench_add_number(table, (double)((uint64_t)2 << i) - (i == 31 ? 2 : 1));
            bench_add_number(table, (double)command->summary.buckets[i]);
        }
    }
}

static void add_times(struct bench *bench, const struct bench_samples *memory)
{
    static const struct bench_column columns[] = {
        {"allocator", "run", BENCH_TEXT}, {"seconds", "seconds", 4}, {"held_kib", "held KiB", 0}};
    struct bench_table *table = bench_add_table(bench, "program-memory-times", columns,
                                                COUNT_OF(columns), "Memory held over time");
    table->data_only = true;
    for (size_t i = 0; i < bench->case_count; i++) {
        const double count = bench_median(memory, i, TIMES_COUNT);
        for (size_t k = 0; k < (size_t)(isnan(count) ? 0 : count); k++) {
            bench_add_row(table, bench->cases[i].label,
                          (double[]){bench_median(memory, i, TIMES + k),
                                     bench_median(memory, i, HELD + k) / 1024});
        }
    }
}

void bench_add_program(struct bench *bench, const struct measured_program *command,
                       const struct program_samples *samples)
{
    add_costs(bench, samples, command);
    add_memory(bench, samples, command);
    add_requests(bench, command);
    add_sizes(bench, command);
    add_times(bench, samples->memory);
}
