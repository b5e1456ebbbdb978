/*
 * bench_article.c - the article's own CSV of "sizes", "exhaustion" and "worst-case".
 */
#include "allocbench.h"
#include "base/pw_assert.h"
#include <math.h>
#include <string.h>

#define COARSE_NS 1e6 /* ten times the resolution of the article's times */

/* HH:MM:SS.ffff, the last four in tenths of a millisecond. */
static void write_hms(FILE *out, double ns)
{
    unsigned long long tenths_ms = isnan(ns) ? 0 : (unsigned long long)(ns / 1e5 + 0.5);
    unsigned long long seconds = tenths_ms / 10000;
    fprintf(out, ",%02llu:%02llu:%02llu.%04llu", seconds / 3600, seconds / 60 % 60, seconds % 60,
            tenths_ms % 10000);
}

static const char *const actions[] = {"Allocate", "Free"};

/* A line of times of one action and repeat count; in_ms: a comment, with more digits. Returns the
 * smallest time that is not zero, or infinity. */
static double write_times(FILE *out, const struct bench *bench, const struct bench_samples *samples,
                          size_t one, size_t action, size_t c, size_t width, bool in_ms)
{
    double least = INFINITY;
    fprintf(out, "%s%s,%llu", in_ms ? "# ms: " : "", actions[action],
            (unsigned long long)bench->parameters.fill.counts[c]);
    for (size_t k = 0; k < width; k++) {
        double ns = bench_median(samples, one, 2 * (c * width + k) + action);
        least = ns > 0 && ns < least ? ns : least;
        in_ms ? (void)fprintf(out, ",%.6f", ns / 1e6) : write_hms(out, ns);
    }
    fputs("\n", out);
    return least;
}

/* The lines of one case, in the article's order: by action if a line has several sizes, else by
 * count. Lines that have a time of few digits are repeated as comments. */
static void write_case(FILE *out, const struct bench *bench, const struct bench_samples *samples,
                       size_t one, size_t width)
{
    const size_t counts = bench->parameters.fill.count_count;
    bool is_coarse[2 * BENCH_COUNTS_MAX] = {false};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t line = 0; line < 2 * counts; line++) {
            size_t action = width > 1 ? line / counts : line % 2;
            size_t c = width > 1 ? line % counts : line / 2;
            if (pass == 0 || is_coarse[line]) {
                is_coarse[line] =
                    write_times(out, bench, samples, one, action, c, width, pass > 0) < COARSE_NS;
            }
        }
    }
}

void bench_write_article(struct bench *bench, const struct bench_samples *samples, const char *head,
                         size_t width)
{
    const struct bench_result *result = bench->result;
    size_t length = 0;
    FILE *out = open_memstream(&bench->result->article, &length);
    pw_assert(samples->count == 2 * width * bench->parameters.fill.count_count);
    if (out == NULL) {
        return; /* the table is then written in its place */
    }
    for (size_t i = 0; i < result->note_count; i++) {
        if (strstr(result->notes[i], " is left out: ") != NULL) {
            fprintf(out, "# %s\n", result->notes[i]);
        }
    }
    for (size_t i = 0; i < bench->case_count; i++) {
        if (isnan(bench_median(samples, i, 0))) {
            continue;
        }
        if (bench->case_count > 1) {
            fprintf(out, "# %s\n", bench->cases[i].label);
        }
        fprintf(out, "Action,%s\n", head);
        write_case(out, bench, samples, i, width);
    }
    fclose(out);
}
