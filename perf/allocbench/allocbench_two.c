/*
 * allocbench_two.c - "trace A B": two recordings beside each other, as before and after a change.
 *
 * Both are replayed on the first allocator of the list (allocbench_memory_replay.c), in turns. Call
 * sites are compared by the names of their functions, because a change moves lines; named are the
 * largest of each recording and moment, so a site that is in one of them only has 0 or little in
 * the other.
 */
#include "allocbench_memory.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define NAMED 20 /* of each recording and moment */
#define ROWS  (4 * NAMED)

/* The bytes that the sites of a name have alive. */
struct named {
    char name[SITE_NAME_SIZE];
    double live[2][MOMENTS]; /* by recording */
};

/* The growth of a name at the moment at which it is larger. */
static double growth_of(const struct named *named)
{
    return fmax(named->live[1][AT_PEAK] - named->live[0][AT_PEAK],
                named->live[1][AT_END] - named->live[0][AT_END]);
}

static int compare_growth(const void *a, const void *b)
{
    const double left = growth_of(a), right = growth_of(b);
    return (left < right) - (left > right);
}

/* Take the lines out of a name: "keep (list.c:20) < main" becomes "keep < main". */
static void drop_lines(char *name)
{
    char *to = name;
    for (const char *from = name; *from != '\0'; from++) {
        if (strncmp(from, " (", 2) == 0 && strchr(from, ')') != NULL) {
            from = strchr(from, ')');
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

/* Add the largest sites of one recording to the names. Returns their number; 0: out of memory. */
static size_t add_names(struct named *all, size_t count, const struct trace *trace,
                        const struct bench_samples *memory, size_t which)
{
    bool *taken = calloc(trace->site_count + 1, sizeof(*taken));
    for (int moment = 0; taken != NULL && moment < MOMENTS; moment++) {
        for (size_t i = 0; i < NAMED; i++) {
            const size_t site = memory_next_site(memory, which, trace->site_count + 1,
                                                 (enum moment)moment, SITE_LIVE, taken);
            if (site == SIZE_MAX) {
                break;
            }
            char name[SITE_NAME_SIZE];
            size_t row = 0;
            memory_name_site(trace, site, name);
            drop_lines(name);
            while (row < count && strcmp(all[row].name, name) != 0) {
                row++;
            }
            pw_assert(row < ROWS);
            count += row == count;
            memcpy(all[row].name, name, sizeof(name));
            for (int k = 0; k < MOMENTS; k++) {
                all[row].live[which][k] += bench_median(
                    memory, which, memory_site_value((uint32_t)site, (enum moment)k, SITE_LIVE));
            }
        }
    }
    free(taken);
    return count;
}

static void add_recordings(struct bench *bench, const struct recorded both[2],
                           const char *const paths[2], const struct bench_samples *memory)
{
    static const struct bench_column columns[] = {{"recording", "recording", BENCH_TEXT},
                                                  {"requests", "requests", 0},
                                                  {"releases", "releases", 0},
                                                  {"live_peak_kib", "live peak", 0},
                                                  {"held_peak_kib", "held peak", 0},
                                                  {"live_end_kib", "live end", 0},
                                                  {"held_end_kib", "held end", 0}};
    struct bench_table *table =
        bench_add_table(bench, "trace", columns, COUNT_OF(columns),
                        "Two recordings; memory in KiB, on %s", bench->cases[0].label);
    for (size_t i = 0; i < 2; i++) {
        const struct trace *trace = &both[i].trace;
        bench_add_row(table, paths[i],
                      (double[]){(double)trace->requests, (double)trace->releases,
                                 (double)trace->live_peak / 1024,
                                 bench_median(memory, i, MEMORY_HELD_PEAK) / 1024,
                                 (double)trace->live_end / 1024,
                                 bench_median(memory, i, MEMORY_HELD_AT + AT_END) / 1024});
    }
}

/* A row per name, the one that grew most first. */
static void add_growth(struct bench *bench, const struct recorded both[2],
                       const struct bench_samples *memory)
{
    static const struct bench_column columns[] = {
        {"grew_kib", "grew KiB", 1},   {"peak_before_kib", "at peak", 1},
        {"peak_after_kib", "then", 1}, {"end_before_kib", "at end", 1},
        {"end_after_kib", "then", 1},  {"site", "call site", BENCH_TEXT}};
    static struct named all[ROWS];
    size_t count = 0;
    for (size_t i = 0; i < 2; i++) {
        count = add_names(all, count, &both[i].trace, memory, i);
    }
    qsort(all, count, sizeof(*all), compare_growth);
    struct bench_table *table = bench_add_table(bench, "trace-sites", columns, COUNT_OF(columns),
                                                "Call sites, by how much more they have alive");
    table->data_only = true;
    for (size_t i = 0; i < count; i++) {
        bench_add_number(table, growth_of(&all[i]) / 1024);
        for (int moment = 0; moment < MOMENTS; moment++) {
            for (int k = 0; k < 2; k++) {
                bench_add_number(table, all[i].live[k][moment] / 1024);
            }
        }
        bench_add_text(table, all[i].name);
        if (i < 3 && growth_of(&all[i]) > 0) {
            bench_note(bench, "%.1f KiB more alive: %.300s", growth_of(&all[i]) / 1024,
                       all[i].name);
        }
    }
}

bool bench_trace_two(struct bench *bench, const char *const paths[2])
{
    static struct recorded both[2];
    struct bench_input inputs[2] = {{.items = NULL}, {.items = NULL}};
    const void *const parameters[] = {&inputs[0], &inputs[1]};
    size_t sites = 0;
    bool done = true;
    bench->case_count = 1;
    for (size_t i = 0; done && i < 2; i++) {
        done =
            recorded_read(bench, paths[i], &both[i]) && recorded_words(bench, &both[i], &inputs[i]);
        sites = both[i].trace.site_count > sites ? both[i].trace.site_count : sites;
    }
    if (done) {
        const struct bench_samples *memory =
            bench_measure_variants(bench, bench_memory_replay, parameters, 2,
                                   memory_site_value((uint32_t)sites + 1, 0, 0));
        if (memory->values != NULL) {
            add_recordings(bench, both, paths, memory);
            if (sites > 0) {
                add_growth(bench, both, memory);
            }
        }
        bench_about(bench, "%.200s, then %.200s", paths[0], paths[1]);
    }
    for (size_t i = 0; i < 2; i++) {
        recorded_close(&both[i], &inputs[i]);
    }
    return done;
}
