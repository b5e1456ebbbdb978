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

void bench_add_number(struct bench_table *table, double value)
{
    if (!table->failed) {
        int digits = table->columns[next_column(table)].digits;
        pw_assert(digits != BENCH_TEXT);
        add_cell(table, report_real(value, (unsigned)digits));
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
    if (strcmp(table->columns[next_column(table)].head, BENCH_SPREAD) == 0) {
        bench_add_number(table, 100 * summary.spread);
    }
}

size_t bench_table_rows(const struct bench_table *table)
{
    return table->column_count > 0 ? table->cell_count / table->column_count : 0;
}

/* The value of a cell with a number; NaN: none. */
static double number_of(struct report_value cell)
{
    double number = cell.kind == REPORT_DECIMAL ? (double)cell.number : NAN;
    for (unsigned i = 0; i < cell.digits; i++) {
        number /= 10;
    }
    return number;
}

/* True if the column after a cell's holds its spread, and the spread is not smaller. */
static bool is_unclear(const struct bench_table *table, size_t cell)
{
    size_t column = cell % table->column_count + 1;
    if (column == table->column_count) {
        return false;
    }
    double spread = number_of(table->cells[cell + 1]);
    if (strcmp(table->columns[column].head, BENCH_SPREAD) == 0) {
        return spread >= 100;
    }
    return strcmp(table->columns[column].head, BENCH_SPREAD_UNIT) == 0 && spread > 0 &&
           spread >= number_of(table->cells[cell]); /* without its sign */
}

/* A cell as text. */
static const char *cell_text(const struct bench_table *table, size_t cell,
                             char number[REPORT_NUMBER_SIZE + 1])
{
    const struct report_value *value = &table->cells[cell];
    bool unclear = is_unclear(table, cell);
    if (value->text != NULL) {
        return value->text;
    }
    memcpy(number, unclear ? "~" : "-", 2);
    if (value->kind == REPORT_DECIMAL) {
        report_number(number + unclear, *value, value->digits);
    }
    return number;
}

/* The length of the longest cell of a column as text; 0: every row is empty. */
static unsigned column_width(const struct bench_table *table, size_t column)
{
    size_t width = 0;
    for (size_t i = column; i < table->cell_count; i += table->column_count) {
        char number[REPORT_NUMBER_SIZE + 1];
        bool is_known = table->cells[i].kind != REPORT_UNKNOWN;
        size_t length = is_known ? text_width(cell_text(table, i, number)) : 0;
        width = length > width ? length : width;
    }
    return (unsigned)width;
}

void bench_table_write(const struct bench_table *table, struct report *report)
{
    struct report_cell cells[BENCH_COLUMNS_MAX] = {0};
    char marked[BENCH_COLUMNS_MAX][REPORT_NUMBER_SIZE + 1];
    for (size_t i = 0; i < table->column_count; i++) {
        const struct bench_column *column = &table->columns[i];
        bool is_text = column->digits == BENCH_TEXT;
        unsigned width = column_width(table, i);
        cells[i].column = (struct report_column){.name = column->name,
                                                 .title = width > 0 ? column->head : NULL,
                                                 .width = width + (is_text ? REPORT_LEFT : 0),
                                                 .digits = is_text ? 0 : (unsigned)column->digits};
    }
    if (report->format == REPORT_FORMAT_TEXT) {
        fprintf(report->out, "%s\n", table->title);
    }
    report_table_begin(report, table->name, cells, table->column_count);
    for (size_t row = 0; row < bench_table_rows(table); row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            size_t at = row * table->column_count + i;
            bool is_marked = report->format == REPORT_FORMAT_TEXT && is_unclear(table, at);
            cells[i].value =
                is_marked ? report_text(cell_text(table, at, marked[i])) : table->cells[at];
        }
        report_table_row(report, NULL, cells, table->column_count);
    }
    report_table_end(report);
}
