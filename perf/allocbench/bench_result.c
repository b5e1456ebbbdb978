/*
 * bench_result.c - the parts of a result, and its files.
 */
#include "allocbench.h"
#include "base/macros.h"
#include "base/program/output.h"
#include "base/pw_assert.h"
#include "counters/pmu.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct bench_table *bench_add_table(struct bench *bench, const char *name,
                                    const struct bench_column *columns, size_t column_count,
                                    const char *title, ...)
{
    va_list arguments;
    pw_assert(bench->result->table_count < BENCH_TABLES_MAX && column_count <= BENCH_COLUMNS_MAX);
    struct bench_table *table = &bench->result->tables[bench->result->table_count++];
    table->name = name;
    table->column_count = column_count;
    memcpy(table->columns, columns, column_count * sizeof(*columns));
    va_start(arguments, title);
    vsnprintf(table->title, sizeof(table->title), title, arguments);
    va_end(arguments);
    return table;
}

void bench_note(struct bench *bench, const char *format, ...)
{
    struct bench_result *result = bench->result;
    if (result->note_count == BENCH_NOTES_MAX) {
        return;
    }
    char *note = result->notes[result->note_count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof(result->notes[0]), format, arguments);
    va_end(arguments);
    size_t same = 0;
    while (strcmp(result->notes[same], note) != 0) {
        same++;
    }
    result->note_count += same == result->note_count; /* said once */
}

void bench_answer(struct bench *bench, const char *format, ...)
{
    struct bench_result *result = bench->result;
    va_list arguments;
    pw_assert(result->answer_count < BENCH_ANSWERS_MAX);
    va_start(arguments, format);
    vsnprintf(result->answers[result->answer_count++], sizeof(result->answers[0]), format,
              arguments);
    va_end(arguments);
}

void bench_about(struct bench *bench, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(bench->result->about, sizeof(bench->result->about), format, arguments);
    va_end(arguments);
}

void bench_write_bytes(char *text, size_t size, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    uint64_t rounded = bytes >= 4088 ? (bytes + 8) & ~(uint64_t)15 : bytes;
    while (unit + 1 < COUNT_OF(units) && rounded >= 1024 && rounded % 1024 == 0) {
        rounded /= 1024;
        unit++;
    }
    snprintf(text, size, "%llu %s", (unsigned long long)rounded, units[unit]);
}

void bench_result_close(struct bench_result *result)
{
    for (size_t i = 0; i < result->table_count; i++) {
        bench_table_close(&result->tables[i]);
    }
    for (size_t i = 0; i < result->samples_count; i++) {
        free(result->samples[i].values);
    }
    free(result->article);
    memset(result, 0, sizeof(*result));
}

/* The unit of the spread that a column holds of the column before it; unknown for a figure. */
static struct report_value spread_unit(const struct bench_column *column)
{
    return report_text(column->digits == BENCH_PERCENT ? "percent"
                       : column->digits == BENCH_UNIT  ? "own"
                                                       : NULL);
}

/* What a page needs beside the tables: their titles, the heads of their columns, and which of them
 * are spreads. */
static void write_heads(const struct bench *bench, struct report *report)
{
    const struct bench_result *result = bench->result;
    struct report_cell cells[] = {
        {.column = {.name = "table"}},     {.column = {.name = "title"}},
        {.column = {.name = "column"}},    {.column = {.name = "head"}},
        {.column = {.name = "data_only"}}, {.column = {.name = "spread"}}};
    report_table_begin(report, "heads", cells, COUNT_OF(cells));
    for (size_t i = 0; i < result->table_count; i++) {
        const struct bench_table *table = &result->tables[i];
        for (size_t k = 0; k < table->column_count; k++) {
            cells[0].value = report_text(table->name);
            cells[1].value = report_text(table->title);
            cells[2].value = report_text(table->columns[k].name);
            cells[3].value = report_text(table->columns[k].head);
            cells[4].value = report_boolean(table->data_only);
            cells[5].value = spread_unit(&table->columns[k]);
            report_table_row(report, NULL, cells, COUNT_OF(cells));
        }
    }
    report_table_end(report);
}

/* What was measured, where and how, and the notes. */
static void write_about(const struct bench *bench, struct report *report)
{
    const struct bench_result *result = bench->result;
    const struct bench_experiment *experiment = bench->experiment;
    struct pmu_host host;
    pmu_host_read(&host, "");
    const struct report_field facts[] = {
        {.name = "experiment", .value = report_text(experiment->name)},
        {.name = "summary", .value = report_text(experiment->summary)},
        {.name = "source", .value = report_text(experiment->source)},
        {.name = "published", .value = report_text(experiment->published)},
        {.name = "measured", .value = report_text(result->about)},
        {.name = "processor", .value = report_text(host.processor)},
        {.name = "virtual", .value = report_boolean(host.is_virtual)},
        {.name = "runs", .value = report_integer(bench->runs)},
        {.name = "seed", .value = report_integer(bench->seed)},
        {.name = "as_published", .value = report_boolean(bench->as_published)},
        {.name = "complete", .value = report_boolean(!result->incomplete)},
        {.name = "clock", .value = report_text(bench->clock.name)},
        {.name = "ns_per_tick", .value = report_real(bench->clock.ns_per_tick, 6)},
        {.name = "reading_ticks", .value = report_integer(bench->clock.reading_ticks)},
    };
    struct report_cell cells[] = {{.column = {.name = "name"}}, {.column = {.name = "value"}}};
    report_table_begin(report, "about", cells, COUNT_OF(cells));
    for (size_t i = 0; i < COUNT_OF(facts); i++) {
        cells[0].value = report_text(facts[i].name);
        cells[1].value = facts[i].value;
        report_table_row(report, NULL, cells, COUNT_OF(cells));
    }
    for (size_t i = 0; i < result->answer_count; i++) {
        cells[0].value = report_text("note");
        cells[1].value = report_text(result->answers[i]);
        report_table_row(report, NULL, cells, COUNT_OF(cells));
    }
    for (size_t i = 0; i < result->note_count; i++) {
        cells[0].value = report_text("note");
        cells[1].value = report_text(result->notes[i]);
        report_table_row(report, NULL, cells, COUNT_OF(cells));
    }
    report_table_end(report);
}

/* Open a file of the folder; NULL with bench->error set. */
static FILE *open_file(struct bench *bench, const char *path)
{
    return file_claims_have(&bench->claims, path, true, bench->error)
               ? output_open(path, bench->error)
               : NULL;
}

/* Write a table into a file: one of the result, else what write writes. */
static bool write_file(struct bench *bench, const char *folder, const char *name,
                       const struct bench_table *table,
                       void (*write)(const struct bench *bench, struct report *report))
{
    char path[800];
    struct report report;
    snprintf(path, sizeof(path), "%.600s/%s.csv", folder, name);
    FILE *out = open_file(bench, path);
    if (out == NULL) {
        return false;
    }
    report_open(&report, out, REPORT_FORMAT_CSV, "");
    if (table != NULL) {
        bench_table_write(table, &report);
    } else {
        write(bench, &report);
    }
    report_close(&report);
    return output_close(out, path, true, bench->error); /* false if a write failed */
}

/* Write the article's own CSV, if the experiment has it. */
static bool write_article_file(struct bench *bench, const char *folder)
{
    char path[800];
    if (bench->result->article == NULL) {
        return true;
    }
    snprintf(path, sizeof(path), "%.600s/%s.article.csv", folder, bench->experiment->name);
    FILE *out = open_file(bench, path);
    if (out == NULL) {
        return false;
    }
    fputs(bench->result->article, out);
    return output_close(out, path, true, bench->error);
}

bool bench_write_files(struct bench *bench, const char *folder)
{
    const struct bench_result *result = bench->result;
    char name[64];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return command_fail(bench->error, "%s: cannot be made: %s", folder, strerror(errno));
    }
    snprintf(name, sizeof(name), "%s.about", bench->experiment->name);
    bool written = write_file(bench, folder, name, NULL, write_about);
    snprintf(name, sizeof(name), "%s.heads", bench->experiment->name);
    written = written && write_file(bench, folder, name, NULL, write_heads);
    for (size_t i = 0; written && i < result->table_count; i++) {
        written = write_file(bench, folder, result->tables[i].name, &result->tables[i], NULL);
    }
    return written && write_article_file(bench, folder);
}
