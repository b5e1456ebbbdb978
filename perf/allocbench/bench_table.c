/*
 * bench_table.c - cells, and how they get into a report.
 */
#include "bench_table.h"
#include "base/array_reserve.h"
#include "base/pw_assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_table_close(struct bench_table *table)
{
    for (size_t i = 0; i < table->cell_count; i++) {
        free((char *)table->cells[i].text);
    }
    free(table->cells);
    memset(table, 0, sizeof(*table));
}

void bench_add_column(struct bench_table *table, const char *name, const char *head, int digits)
{
    pw_assert(table->cell_count == 0 && table->column_count < BENCH_COLUMNS_MAX);
    struct bench_column *column = &table->columns[table->column_count++];
    snprintf(column->name, sizeof(column->name), "%s", name != NULL ? name : head);
    snprintf(column->head, sizeof(column->head), "%s", head);
    column->digits = digits;
}

/* Digits after the point. */
static unsigned digits_of(const struct bench_column *column)
{
    pw_assert(column->digits != BENCH_TEXT);
    return column->digits >= 0 ? (unsigned)column->digits : 1;
}

/* The column of the next cell. */
static size_t next_column(const struct bench_table *table)
{
    return table->cell_count % table->column_count;
}

/* After a failure no more cells are added: they would end up in the wrong columns. */
static void add_cell(struct bench_table *table, struct report_value cell)
{
    if (!array_reserve(&table->cells, &table->cell_capacity, table->cell_count + 1, sizeof(cell))) {
        free((char *)cell.text);
        table->failed = true;
        return;
    }
    table->cells[table->cell_count++] = cell;
}

void bench_add_text(struct bench_table *table, const char *text)
{
    char *copy = text != NULL && !table->failed ? strdup(text) : NULL;
    table->failed = table->failed || (text != NULL && copy == NULL);
    if (!table->failed) {
        add_cell(table, report_text(copy));
    }
}

/* True if a spread is not smaller than its figure. */
static bool is_too_wide(int unit, double spread, double figure)
{
    return unit == BENCH_PERCENT ? spread >= 100
                                 : unit == BENCH_UNIT && spread > 0 && spread >= fabs(figure);
}

/* Mark the figure that was added last with "~", as one that is not larger than its spread. */
static void mark_unclear(struct bench_table *table)
{
    if (!table->failed) {
        table->cells[table->cell_count - 1].is_unclear = true;
    }
}

void bench_add_number(struct bench_table *table, double value)
{
    if (!table->failed) {
        const size_t place = next_column(table);
        const struct bench_column *column = &table->columns[place];
        if (place > 0 && is_too_wide(column->digits, value, table->last_number)) {
            mark_unclear(table);
        }
        add_cell(table, report_real(value, digits_of(column)));
        table->last_number = value;
    }
}

void bench_add_row(struct bench_table *table, const char *text, const double *values)
{
    bench_add_text(table, text);
    while (!table->failed && next_column(table) != 0) {
        bench_add_number(table, *values++);
    }
}

void bench_add_summary(struct bench_table *table, struct samples_summary summary, double unit)
{
    bench_add_number(table, summary.median / unit);
    if (table->columns[next_column(table)].digits == BENCH_PERCENT) {
        bench_add_number(table, 100 * summary.spread);
    }
}

size_t bench_table_rows(const struct bench_table *table)
{
    return table->column_count > 0 ? table->cell_count / table->column_count : 0;
}

/* The length of the longest cell of a column as text; 0: every row is empty. */
static unsigned column_width(const struct bench_table *table, size_t column)
{
    size_t width = 0;
    for (size_t i = column; i < table->cell_count; i += table->column_count) {
        const struct report_cell cell = {{.digits = 9}, table->cells[i]};
        const bool is_known = table->cells[i].kind != REPORT_UNKNOWN;
        const size_t length = is_known ? report_cell_width(&cell) : 0;
        width = length > width ? length : width;
    }
    return (unsigned)width;
}

void bench_table_write(const struct bench_table *table, struct report *report)
{
    struct report_cell cells[BENCH_COLUMNS_MAX] = {0};
    for (size_t i = 0; i < table->column_count; i++) {
        const struct bench_column *column = &table->columns[i];
        bool is_text = column->digits == BENCH_TEXT;
        unsigned width = column_width(table, i);
        cells[i].column = (struct report_column){.name = column->name,
                                                 .title = width > 0 ? column->head : NULL,
                                                 .width = width + (is_text ? REPORT_LEFT : 0),
                                                 .digits = is_text ? 0 : digits_of(column)};
    }
    if (report->format == REPORT_FORMAT_TEXT) {
        fprintf(report->out, "%s\n", table->title);
    }
    report_table_begin(report, table->name, cells, table->column_count);
    for (size_t row = 0; row < bench_table_rows(table); row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            cells[i].value = table->cells[row * table->column_count + i];
        }
        report_table_row(report, NULL, cells, table->column_count);
    }
    report_table_end(report);
}
