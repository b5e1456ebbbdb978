/*
 * result.c - see result.h.
 */
#include "result.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/report/report.h"
#include "build_info.h"
#include "counters/resources.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

struct result_statistics result_statistics(const double *values, size_t count)
{
    double sorted[RESULT_KEYS_MAX], squares = 0;
    struct result_statistics statistics = {.mean = 0};
    pw_assert(count > 0 && count <= RESULT_KEYS_MAX);
    for (size_t i = 0; i < count; i++) {
        statistics.mean += values[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - statistics.mean) * (values[i] - statistics.mean);
    }
    statistics.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    memcpy(sorted, values, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), compare);
    const size_t last = count - 1;
    statistics.minimum = sorted[0];
    statistics.first_quartile = (sorted[last / 4] + sorted[count / 4]) / 2;
    statistics.median = (sorted[last / 2] + sorted[count / 2]) / 2;
    statistics.third_quartile = (sorted[last - last / 4] + sorted[last - count / 4]) / 2;
    statistics.maximum = sorted[last];
    return statistics;
}

double result_harmonic_deviation(const struct result_statistics *inverses, size_t count)
{
    return count > 1
               ? inverses->deviation / (inverses->mean * inverses->mean * sqrt((double)(count - 1)))
               : 0;
}

/* A value: its key in the reference code's output, and its name in JSON. */
struct line {
    char key[40], name[40];
    double value;
    int digits;        /* in text */
    unsigned decimals; /* in JSON; 0: an integer */
};

#define LINES_MAX 40

struct lines {
    size_t count;
    struct line lines[LINES_MAX];
};

static struct line *add(struct lines *lines, const char *key, const char *name, double value,
                        unsigned decimals)
{
    pw_assert(lines->count < LINES_MAX);
    struct line *line = &lines->lines[lines->count++];
    *line = (struct line){.value = value, .digits = 6, .decimals = decimals};
    snprintf(line->key, sizeof(line->key), "%s:", key);
    snprintf(line->name, sizeof(line->name), "%s", name);
    return line;
}

/* A measured quantity: "bfs  min_time" is its minimum in text, "time.min" in JSON. */
struct quantity {
    const char *before, *name;
    int digits;
    unsigned decimals;
};

static void add_statistic(struct lines *lines, const struct quantity *quantity,
                          const char *statistic, double value)
{
    char key[36], name[36];
    snprintf(key, sizeof(key), "%s%s_%s", quantity->before, statistic, quantity->name);
    snprintf(name, sizeof(name), "%s.%s", quantity->name, statistic);
    add(lines, key, name, value, quantity->decimals)->digits = quantity->digits;
}

static void add_quartiles(struct lines *lines, const struct quantity *quantity,
                          const struct result_statistics *values)
{
    add_statistic(lines, quantity, "min", values->minimum);
    add_statistic(lines, quantity, "firstquartile", values->first_quartile);
    add_statistic(lines, quantity, "median", values->median);
    add_statistic(lines, quantity, "thirdquartile", values->third_quartile);
    add_statistic(lines, quantity, "max", values->maximum);
}

/* The statistics of a measured quantity, with mean and deviation. */
static void add_values(struct lines *lines, const struct quantity *quantity, const double *values,
                       size_t count)
{
    const struct result_statistics statistics = result_statistics(values, count);
    add_quartiles(lines, quantity, &statistics);
    add_statistic(lines, quantity, "mean", statistics.mean);
    add_statistic(lines, quantity, "stddev", statistics.deviation);
}

static void add_rates(struct lines *lines, const struct graph500_result *result)
{
    static const struct quantity teps = {"bfs  ", "TEPS", 6, 3};
    double inverses[RESULT_KEYS_MAX];
    for (size_t i = 0; i < result->count; i++) {
        inverses[i] = result->search_s[i] / result->edges[i];
    }
    const struct result_statistics seconds = result_statistics(inverses, result->count);
    const struct result_statistics rates = {
        .minimum = 1 / seconds.maximum,
        .first_quartile = 1 / seconds.third_quartile,
        .median = 1 / seconds.median,
        .third_quartile = 1 / seconds.first_quartile,
        .maximum = 1 / seconds.minimum,
    };
    add_quartiles(lines, &teps, &rates);
    add_statistic(lines, &teps, "harmonic_mean", 1 / seconds.mean);
    add_statistic(lines, &teps, "harmonic_stddev",
                  result_harmonic_deviation(&seconds, result->count));
}

/* All values, in the order of the reference code. */
static void list_lines(struct lines *lines, const struct graph500_result *result)
{
    static const struct quantity time = {"bfs  ", "time", 6, 9}, edges = {"", "nedge", 11, 3},
                                 validate = {"bfs  ", "validate", 6, 9};
    lines->count = 0;
    add(lines, "SCALE", "SCALE", result->scale, 0);
    add(lines, "edgefactor", "edgefactor", (double)result->edgefactor, 0);
    add(lines, "NBFS", "NBFS", (double)result->count, 0);
    add(lines, "graph_generation", "graph_generation", result->generation_s, 9);
    add(lines, "num_mpi_processes", "num_mpi_processes", result->ranks, 0);
    add(lines, "construction_time", "construction_time", result->construction_s, 9);
    add_values(lines, &time, result->search_s, result->count);
    add_values(lines, &edges, result->edges, result->count);
    add_rates(lines, result);
    add_values(lines, &validate, result->validate_s, result->count);
}

/* As the reference code prints it, which marks the figure that counts with "!". */
static void write_text(FILE *out, const struct lines *lines, size_t validated)
{
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->lines[i];
        const bool counts = strcmp(line->name, "TEPS.harmonic_mean") == 0;
        fprintf(out, "%-29s%s%.*g\n", line->key, counts ? "!  " : "   ", line->digits, line->value);
    }
    fprintf(out, "%-32s%zu of %zu\n", "bfs  validated:", validated, validated);
}

static size_t search_cells(const struct graph500_result *result, size_t index,
                           struct report_cell cells[6])
{
    const double seconds = result->search_s[index], edges = result->edges[index];
    const struct report_cell all[6] = {
        REPORT_DATA("search", report_id(index + 1)),
        REPORT_DATA("key", report_id(result->keys[index])),
        REPORT_DATA("seconds", report_real(seconds, 9)),
        REPORT_DATA("edges", report_integer((uint64_t)edges)),
        REPORT_DATA("TEPS", report_real(edges / seconds, 3)),
        REPORT_DATA("validate_seconds", report_real(result->validate_s[index], 9)),
    };
    memcpy(cells, all, sizeof(all));
    return COUNT_OF(all);
}

/* JSON: context, result and searches. CSV: the searches. */
static void write_report(FILE *out, enum report_format format, const struct lines *lines,
                         const struct graph500_result *result)
{
    const struct report_field context[] = {
        PROGRAM_FIELDS(result->program),
        COMPILER_FIELDS,
        MACHINE_FIELDS,
        {"engine", NULL, report_text(result->engine)},
        {"seed", NULL, report_integer(result->seed)},
    };
    struct report_field fields[LINES_MAX + 1];
    struct report_cell cells[6];
    struct report report;
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->lines[i];
        fields[i] =
            (struct report_field){line->name, NULL,
                                  line->decimals == 0 ? report_integer((uint64_t)line->value)
                                                      : report_real(line->value, line->decimals)};
    }
    fields[lines->count] = (struct report_field){"validated", NULL, report_integer(result->count)};
    report_open(&report, out, format, "pointer-wars-graph500/1");
    report_section(&report, "context", NULL, context, COUNT_OF(context));
    report_section(&report, "result", NULL, fields, lines->count + 1);
    for (size_t i = 0; i < result->count; i++) {
        const size_t count = search_cells(result, i, cells);
        if (i == 0) {
            report_table_begin(&report, "searches", cells, count);
        }
        report_table_row(&report, NULL, cells, count);
    }
    report_table_end(&report);
    report_close(&report); /* the caller closes the stream, and sees a failure then */
}

void graph500_result_write(FILE *out, enum report_format format,
                           const struct graph500_result *result)
{
    struct lines lines;
    list_lines(&lines, result);
    if (format == REPORT_FORMAT_TEXT) {
        write_text(out, &lines, result->count);
    } else {
        write_report(out, format, &lines, result);
    }
}
