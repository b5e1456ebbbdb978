/*
 * bench_table.c - cells, and the five ways to write them.
 */
#include "bench_table.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void bench_table_open(struct bench_table *table, const char *name, const char *title, ...)
{
    memset(table, 0, sizeof(*table));
    snprintf(table->name, sizeof(table->name), "%s", name);
    va_list arguments;
    va_start(arguments, title);
    vsnprintf(table->title, sizeof(table->title), title, arguments);
    va_end(arguments);
}

void bench_table_close(struct bench_table *table)
{
    for (size_t i = 0; i < table->cell_count; i++) {
        free(table->cells[i]);
    }
    free(table->cells);
    memset(table, 0, sizeof(*table));
}

void bench_table_column(struct bench_table *table, const char *name, const char *head)
{
    if (table->column_count < BENCH_COLUMNS_MAX) {
        struct bench_column *column = &table->columns[table->column_count++];
        snprintf(column->name, sizeof(column->name), "%s", name);
        snprintf(column->head, sizeof(column->head), "%s", head);
    }
}

static void add_cell(struct bench_table *table, char *cell)
{
    if (table->cell_count == table->cell_capacity) {
        size_t capacity = table->cell_capacity ? table->cell_capacity * 2 : 64;
        char **cells = realloc(table->cells, capacity * sizeof(*cells));
        if (cells == NULL) {
            free(cell);
            table->failed = true;
            return;
        }
        table->cells = cells;
        table->cell_capacity = capacity;
    }
    table->cells[table->cell_count++] = cell;
}

void bench_table_text(struct bench_table *table, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    char *cell = strdup(text);
    table->failed = table->failed || cell == NULL;
    add_cell(table, cell);
}

void bench_table_number(struct bench_table *table, double value, int digits)
{
    if (isnan(value)) {
        bench_table_unknown(table);
    } else {
        bench_table_text(table, "%.*f", digits, value);
    }
}

void bench_table_unknown(struct bench_table *table)
{
    add_cell(table, NULL);
}

size_t bench_table_rows(const struct bench_table *table)
{
    return table->column_count > 0 ? table->cell_count / table->column_count : 0;
}

const char *bench_table_cell(const struct bench_table *table, size_t row, size_t column)
{
    return table->cells[row * table->column_count + column];
}

/* Whether a cell can stand in JSON as a number, and on the right of its column. */
static bool is_number(const char *cell)
{
    char *end = NULL;
    if (cell[0] == '\0' || strchr("-0123456789", cell[0]) == NULL) {
        return false;
    }
    double value = strtod(cell, &end);
    bool leading_zero = cell[0] == '0' && cell[1] >= '0' && cell[1] <= '9';
    return *end == '\0' && isfinite(value) && !leading_zero && strpbrk(cell, "xXpP") == NULL;
}

static bool column_is_numeric(const struct bench_table *table, size_t column)
{
    bool numeric = false;
    for (size_t row = 0; row < bench_table_rows(table); row++) {
        const char *cell = bench_table_cell(table, row, column);
        if (cell != NULL && !is_number(cell)) {
            return false;
        }
        numeric = true;
    }
    return numeric;
}

static void write_text(const struct bench_table *table, FILE *out)
{
    size_t widths[BENCH_COLUMNS_MAX];
    bool right[BENCH_COLUMNS_MAX];
    for (size_t column = 0; column < table->column_count; column++) {
        widths[column] = strlen(table->columns[column].head);
        right[column] = column_is_numeric(table, column);
        for (size_t row = 0; row < bench_table_rows(table); row++) {
            const char *cell = bench_table_cell(table, row, column);
            size_t width = cell != NULL ? strlen(cell) : 1;
            widths[column] = width > widths[column] ? width : widths[column];
        }
    }
    fprintf(out, "%s\n", table->title);
    for (size_t row = 0; row <= bench_table_rows(table); row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            const char *cell =
                row == 0 ? table->columns[column].head : bench_table_cell(table, row - 1, column);
            bool last = column + 1 == table->column_count;
            int width = right[column] ? (int)widths[column] : last ? 0 : -(int)widths[column];
            fprintf(out, "%s%*s%s", column == 0 ? "  " : "", width, cell != NULL ? cell : "-",
                    last ? "\n" : "  ");
        }
    }
}

static void write_csv_cell(FILE *out, const char *cell)
{
    if (cell == NULL) {
        return;
    }
    if (strpbrk(cell, ",\"\n") == NULL) {
        fputs(cell, out);
        return;
    }
    putc('"', out);
    for (; *cell != '\0'; cell++) {
        if (*cell == '"') {
            putc('"', out);
        }
        putc(*cell, out);
    }
    putc('"', out);
}

static void write_csv(const struct bench_table *table, FILE *out)
{
    for (size_t row = 0; row <= bench_table_rows(table); row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            write_csv_cell(out, row == 0 ? table->columns[column].name
                                         : bench_table_cell(table, row - 1, column));
            putc(column + 1 == table->column_count ? '\n' : ',', out);
        }
    }
}

void bench_write_json_string(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\') {
            fprintf(out, "\\%c", *at);
        } else if (*at < 0x20) {
            fprintf(out, "\\u%04x", *at);
        } else {
            putc(*at, out);
        }
    }
    putc('"', out);
}

static void write_json(const struct bench_table *table, FILE *out)
{
    fputs("[", out);
    for (size_t row = 0; row < bench_table_rows(table); row++) {
        fputs(row > 0 ? ",\n  {" : "\n  {", out);
        for (size_t column = 0; column < table->column_count; column++) {
            const char *cell = bench_table_cell(table, row, column);
            fputs(column > 0 ? ", " : "", out);
            bench_write_json_string(out, table->columns[column].name);
            fputs(": ", out);
            if (cell == NULL) {
                fputs("null", out);
            } else if (is_number(cell)) {
                fputs(cell, out);
            } else {
                bench_write_json_string(out, cell);
            }
        }
        fputs("}", out);
    }
    fputs("\n]", out);
}

static void write_markdown(const struct bench_table *table, FILE *out)
{
    for (size_t column = 0; column < table->column_count; column++) {
        fprintf(out, "| %s ", table->columns[column].head);
    }
    fputs("|\n", out);
    for (size_t column = 0; column < table->column_count; column++) {
        fputs(column_is_numeric(table, column) ? "|---:" : "|---", out);
    }
    fputs("|\n", out);
    for (size_t row = 0; row < bench_table_rows(table); row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            const char *cell = bench_table_cell(table, row, column);
            fprintf(out, "| %s ", cell != NULL ? cell : "-");
        }
        fputs("|\n", out);
    }
}

void bench_write_html(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        default:
            putc(*text, out);
        }
    }
}

static void write_html(const struct bench_table *table, FILE *out)
{
    fputs("<table>\n", out);
    for (size_t row = 0; row <= bench_table_rows(table); row++) {
        fputs("<tr>", out);
        for (size_t column = 0; column < table->column_count; column++) {
            const char *cell =
                row == 0 ? table->columns[column].head : bench_table_cell(table, row - 1, column);
            const char *tag = row == 0 ? "th" : "td";
            fprintf(out, column_is_numeric(table, column) ? "<%s class=\"n\">" : "<%s>", tag);
            bench_write_html(out, cell != NULL ? cell : "-");
            fprintf(out, "</%s>", tag);
        }
        fputs("</tr>\n", out);
    }
    fputs("</table>\n", out);
}

void bench_table_write(const struct bench_table *table, enum bench_format format, FILE *out)
{
    static void (*const writers[])(const struct bench_table *, FILE *) = {
        [BENCH_TEXT] = write_text,         [BENCH_CSV] = write_csv,   [BENCH_JSON] = write_json,
        [BENCH_MARKDOWN] = write_markdown, [BENCH_HTML] = write_html,
    };
    writers[format](table, out);
}
