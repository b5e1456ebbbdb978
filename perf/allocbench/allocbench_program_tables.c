/*
 * allocbench_program_tables.c - the tables of the experiment "program".
 */
#include "allocbench_program.h"
#include "base/macros.h"
#include <math.h>
#include <stdio.h>

#define NO_CASE SIZE_MAX
#define SHORT_S 0.1 /* of a program that runs for less, a share of its time is rough */

/* The figures of a case, each the median of its rounds and the interval of that. */
struct costs {
    struct samples_interval processor_s, share_percent, ns_per_request, estimated_ns;
};

static struct samples_interval interval_of(const struct bench_samples *samples, size_t one,
                                           size_t index)
{
    double values[BENCH_RUNS_MAX];
    return samples_interval(values, bench_values(samples, one, index, values), SAMPLES_CONFIDENCE);
}

/* base: the case without allocation, of as many rounds, or there is no share. */
static struct costs costs_of(const struct program_samples *all, size_t one, size_t base,
                             uint64_t requests)
{
    double values[BENCH_RUNS_MAX], bases[BENCH_RUNS_MAX], scratch[BENCH_RUNS_MAX];
    const size_t count = bench_values(all->timed, one, PROCESSOR_S, values);
    const bool has_share = base != one && base != NO_CASE &&
                           bench_values(all->timed, base, PROCESSOR_S, bases) == count;
    const struct samples_interval rest =
        samples_ratio(bases, values, has_share ? count : 0, SAMPLES_CONFIDENCE, scratch);
    for (size_t i = 0; has_share && i < count; i++) {
        scratch[i] = (values[i] - bases[i]) * 1e9 / (double)requests;
    }
    return (struct costs){.processor_s = interval_of(all->timed, one, PROCESSOR_S),
                          .share_percent = {100 * (1 - rest.median), 100 * (1 - rest.high),
                                            100 * (1 - rest.low), rest.confidence},
                          .ns_per_request =
                              samples_interval(scratch, has_share ? count : 0, SAMPLES_CONFIDENCE),
                          .estimated_ns = interval_of(all->estimates, one, 0)};
}

/* Three digits: "0.953", "24.8", "1234". */
static const char *figure_text(char text[24], double value)
{
    const double size = fabs(value);
    snprintf(text, 24, "%.*f", size < 1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0, value);
    return text;
}

/* The figure and its interval; a share whose interval holds 0 is "none seen". */
static void add_interval(struct bench_table *table, struct samples_interval figure, bool is_rough)
{
    char text[100], median[24], low[24], high[24];
    if (isnan(figure.median)) {
        bench_add_text(table, "-");
        return;
    }
    const bool has_none = figure.confidence > 0 && figure.low <= 0 && figure.high >= 0;
    const int used = snprintf(text, sizeof(text), "%s%s", is_rough && !has_none ? "~" : "",
                              has_none ? "none seen" : figure_text(median, figure.median));
    if (figure.confidence > 0) {
        snprintf(text + used, sizeof(text) - (size_t)used, " (%s to %s)",
                 figure_text(low, figure.low), figure_text(high, figure.high));
    }
    bench_add_text(table, text);
}

/* For people: a row per case, the share of its time that a replay saves. */
static void add_shares(struct bench *bench, const struct costs *costs)
{
    static const struct bench_column columns[] = {{"allocator", "run", BENCH_TEXT},
                                                  {"processor_ms", "CPU ms", BENCH_TEXT},
                                                  {"share_percent", "allocation %", BENCH_TEXT},
                                                  {"ns_per_request", "ns per call", BENCH_TEXT},
                                                  {"estimated_ns", "estimated", BENCH_TEXT}};
    struct bench_table *table = bench_add_table(
        bench, "program-shares", columns, COUNT_OF(columns),
        "What allocation costs: the share of the time that a replay without it saves");
    char text[24];
    for (size_t i = 0; i < bench->case_count; i++) {
        const bool is_rough = costs[i].processor_s.median < SHORT_S;
        const double estimated = costs[i].estimated_ns.median;
        bench_add_text(table, bench->cases[i].label);
        bench_add_text(table, figure_text(text, 1e3 * costs[i].processor_s.median));
        add_interval(table, costs[i].share_percent, is_rough);
        add_interval(table, costs[i].ns_per_request, is_rough);
        bench_add_text(table, estimated > 0 ? figure_text(text, estimated) : "-");
    }
    const double confidence = costs[AS_IT_IS].share_percent.confidence;
    if (confidence > 0) {
        bench_note(bench,
                   "in brackets is the interval that holds the median with %.0f %% confidence; a "
                   "share whose interval holds 0 is called none seen",
                   100 * confidence);
    }
    if (!isnan(costs[AS_IT_IS].share_percent.median) &&
        costs[AS_IT_IS].processor_s.median < SHORT_S) {
        bench_note(bench, "the share of a command that runs for less than %g s is rough", SHORT_S);
    }
}

/* The same figures as numbers, with all intervals. */
static void add_costs(struct bench *bench, const struct program_samples *all,
                      const struct measured_program *command)
{
    static const struct bench_column columns[] = {{"allocator", "run", BENCH_TEXT},
                                                  {"processor_s", "CPU s", 4},
                                                  {"processor_low_s", "from", 4},
                                                  {"processor_high_s", "to", 4},
                                                  {"elapsed_s", "wall s", 4},
                                                  {"share_percent", "allocation %", 3},
                                                  {"share_low", "from", 3},
                                                  {"share_high", "to", 3},
                                                  {"ns_per_request", "ns per call", 1},
                                                  {"ns_low", "from", 1},
                                                  {"ns_high", "to", 1},
                                                  {"estimated_ns", "estimated", 1},
                                                  {"estimated_low_ns", "from", 1},
                                                  {"estimated_high_ns", "to", 1},
                                                  {"confidence", "confidence", 4}};
    struct bench_table *table =
        bench_add_table(bench, "program", columns, COUNT_OF(columns), "What allocation costs");
    const bool has_share = !bench->parameters.program.no_replay && command->is_most;
    struct costs costs[BENCH_CASES_MAX] = {0};
    table->data_only = true;
    for (size_t i = 0; i < bench->case_count; i++) {
        costs[i] = costs_of(all, i, has_share ? AS_IT_IS + 1 : NO_CASE, command->summary.requests);
        const struct samples_interval *parts[] = {&costs[i].processor_s, &costs[i].share_percent,
                                                  &costs[i].ns_per_request, &costs[i].estimated_ns};
        bench_add_text(table, bench->cases[i].label);
        for (size_t k = 0; k < COUNT_OF(parts); k++) {
            const bool is_none = k == 3 && !(parts[k]->median > 0); /* a replay has no estimate */
            bench_add_number(table, is_none ? NAN : parts[k]->median);
            bench_add_number(table, is_none ? NAN : parts[k]->low);
            bench_add_number(table, is_none ? NAN : parts[k]->high);
            if (k == 0) {
                bench_add_number(table, bench_median(all->timed, i, ELAPSED_S));
            }
        }
        bench_add_number(table, costs[i].processor_s.confidence);
    }
    add_shares(bench, costs);
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
                        "Memory: most resident; its part outside of the heap; held for malloc");
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
        bench_note(
            bench,
            "held per live is left out where less is held than was asked for: the program did "
            "not touch all of it");
    }
    if (!is_known) {
        bench_note(bench, "resident memory is exact for a program that ends by itself; for another "
                          "one, held is the most that several looks saw");
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
