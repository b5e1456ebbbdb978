/*
 * report.c - sections and tables in each format.
 */
#include "report.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <string.h>

#define LABEL_WIDTH  32    /* text: where the values of sections and blocks begin */
#define GAP          2     /* between two columns */
#define BELOW_INDENT 8     /* of text below a line */
#define CUT          "..." /* the end of a text that was too long */

/* A name of JSON, or a text, in quotes. */
static void write_name(FILE *out, const char *name)
{
    report_write_value(out, REPORT_FORMAT_JSON, report_text(name));
}

/* JSON: a comma if needed, a new line, and the name of a member of the top object. */
static void json_member(struct report *report, const char *name)
{
    pw_assert(report->format == REPORT_FORMAT_JSON && name != NULL);
    fputs(report->member_count++ > 0 ? ",\n  " : "\n  ", report->out);
    write_name(report->out, name);
    fputs(": ", report->out);
}

void report_open(struct report *report, FILE *out, enum report_format format, const char *schema)
{
    pw_assert(out != NULL);
    *report = (struct report){.out = out,
                              .format = format,
                              .lines = true,
                              .columns = text_columns(out),
                              .path_columns = text_columns_if_read(out)};
    if (format == REPORT_FORMAT_JSON) {
        fputc('{', out);
        json_member(report, "schema");
        write_name(out, schema);
    }
}

static void write_json_section(struct report *report, const char *name,
                               const struct report_field *fields, size_t field_count)
{
    FILE *out = report->out;
    const char *before = ""; /* the previous field */
    size_t open = 0;         /* the length of the open object's name in it */
    const char *separator = "";
    json_member(report, name);
    fputc('{', out);
    for (size_t i = 0; i < field_count; i++) {
        const char *field = fields[i].name;
        if (field == NULL) {
            continue;
        }
        const char *dot = strchr(field, '.');
        const size_t length = dot != NULL ? (size_t)(dot - field) : 0; /* of its object's name */
        if (length > 0 && length == open && memcmp(field, before, length) == 0) {
            fputs(", ", out);
        } else {
            fprintf(out, "%s%s\n    ", open > 0 ? "}" : "", separator);
            if (length > 0) {
                fprintf(out, "\"%.*s\": {", (int)length, field);
            }
        }
        pw_assert(length == 0 || field[length] == '.');
        before = field;
        open = length;
        write_name(out, length > 0 ? field + length + 1 : field);
        fputs(": ", out);
        report_write_value(out, REPORT_FORMAT_JSON, fields[i].value);
        separator = ",";
    }
    fputs(open > 0 ? "}\n  }" : "\n  }", out);
}

/* Text: a label and its value on a line; a value of several words may take further lines if they
 * would be more than columns. */
static void write_labelled(struct report *report, const char *label, struct report_value value,
                           unsigned columns)
{
    fprintf(report->out, "  %-*s", LABEL_WIDTH - 2, label);
    if (value.kind == REPORT_TEXT) {
        text_wrap(report->out, value.text, LABEL_WIDTH, LABEL_WIDTH, columns);
    } else {
        report_write_value(report->out, REPORT_FORMAT_TEXT, value);
        fputc('\n', report->out);
    }
}

void report_note(struct report *report, const char *text)
{
    if (report->format == REPORT_FORMAT_TEXT) {
        text_wrap(report->out, text, 0, 0, report->columns);
    }
}

void report_section(struct report *report, const char *name, const char *title,
                    const struct report_field *fields, size_t field_count)
{
    pw_assert(!report->in_table);
    if (report->format == REPORT_FORMAT_JSON) {
        write_json_section(report, name, fields, field_count);
    } else if (report->format == REPORT_FORMAT_TEXT) {
        if (title != NULL) {
            fprintf(report->out, "%s\n", title);
        }
        for (size_t i = 0; i < field_count; i++) {
            if (fields[i].label != NULL) {
                write_labelled(report, fields[i].label, fields[i].value, report->columns);
            }
        }
    }
}

void report_json(struct report *report, const char *name, const char *value)
{
    pw_assert(!report->in_table);
    if (report->format == REPORT_FORMAT_JSON) {
        json_member(report, name);
        fputs(value, report->out);
    }
}

static unsigned short column_width(const struct report_column *column)
{
    size_t length = text_width(column->title);
    size_t width = column->width % REPORT_LEFT;
    return (unsigned short)(width > length ? width : length);
}

static bool is_shown(const struct report *report, size_t i)
{
    return report->widths[i] > 0;
}

/* Choose the columns that the lines of a table show, and their widths. */
static void lay_out(struct report *report, const struct report_cell *cells)
{
    pw_assert(report->in_table && report->row_count == 0);
    for (size_t i = 0; i < report->column_count; i++) {
        const struct report_column *column = &cells[i].column;
        bool shown = column->title != NULL && column->width != REPORT_BELOW;
        report->widths[i] = shown ? column_width(column) : 0;
        report->last_shown = shown ? i : report->last_shown;
    }
    pw_assert(report->column_count == 0 || report->last_shown < report->column_count);
}

/* The text of a cell in a line. */
static const char *plain_text(const struct report_cell *cell, char number[REPORT_NUMBER_SIZE])
{
    pw_assert(cell->value.kind != REPORT_ARRAY);
    if (cell->value.kind == REPORT_TEXT) {
        return cell->value.text;
    }
    if (cell->value.kind == REPORT_UNKNOWN) {
        return "-";
    }
    report_number(number, cell->value, cell->column.digits);
    if (cell->value.is_unclear) {
        pw_assert(strlen(number) + 1 < REPORT_NUMBER_SIZE);
        memmove(number + 1, number, strlen(number) + 1);
        number[0] = '~';
    }
    return number;
}

/* The same, with units of one letter filled up, so that numbers are aligned. */
static const char *cell_text(const struct report_cell *cell, char number[REPORT_NUMBER_SIZE])
{
    const char *text = plain_text(cell, number);
    if (text != number) {
        return text;
    }
    size_t length = strlen(number);
    if (cell->value.kind == REPORT_SECONDS && length > 1 && number[length - 2] == ' ') {
        text_append(number, " ");
    } else if (cell->column.digits == REPORT_SHORT && strchr(number, ' ') == NULL) {
        text_append(number, "  ");
    }
    return number;
}

size_t report_cell_width(const struct report_cell *cell)
{
    char number[REPORT_NUMBER_SIZE];
    return text_width(cell_text(cell, number));
}

/* The titles of the columns as a line of text, or the values of a row under them. */
static void write_text_line(struct report *report, const struct report_cell *cells, bool titles)
{
    FILE *out = report->out;
    for (size_t i = 0; i < report->column_count; i++) {
        char number[REPORT_NUMBER_SIZE];
        const struct report_column *column = &cells[i].column;
        if (!is_shown(report, i)) {
            continue;
        }
        pw_assert(column->title != NULL);
        const char *text = titles ? column->title : cell_text(&cells[i], number);
        size_t width = report->widths[i];
        size_t length = text_width(text);
        bool left = column->width >= REPORT_LEFT || column->width == 0;
        bool cut = left && length > width && column->width > 0 && width > sizeof(CUT);
        size_t bytes = cut ? text_fitting(text, width - strlen(CUT)) : strlen(text);
        int padding = width > length ? (int)(width - length) : 0;
        fprintf(out, "%*s", left ? 0 : padding, "");
        text_write_part(out, text, bytes);
        fputs(cut ? CUT : "", out);
        if (i < report->last_shown) {
            fprintf(out, "%*s", (left ? padding : 0) + GAP, "");
        }
    }
    fputc('\n', out);
    for (size_t i = 0; i < report->column_count && !titles; i++) {
        if (cells[i].column.width == REPORT_BELOW && cells[i].value.kind == REPORT_TEXT) {
            fprintf(out, "%*s", BELOW_INDENT, "");
            text_wrap(out, cells[i].value.text, BELOW_INDENT, BELOW_INDENT, report->path_columns);
        }
    }
}

static void write_text_block(struct report *report, const char *heading,
                             const struct report_cell *cells)
{
    if (heading != NULL) {
        report_write_value(report->out, REPORT_FORMAT_TEXT, report_text(heading));
        fputc('\n', report->out);
    }
    for (size_t i = 0; i < report->column_count; i++) {
        const bool is_below = cells[i].column.width == REPORT_BELOW;
        if (cells[i].column.label != NULL) {
            write_labelled(report, cells[i].column.label, cells[i].value,
                           is_below ? report->path_columns : report->columns);
        }
    }
    fputc('\n', report->out);
}

/* The names of the columns, or the values of a row, as one line of CSV. */
static void write_csv_line(struct report *report, const struct report_cell *cells, bool names)
{
    const char *comma = "";
    for (size_t i = 0; i < report->column_count; i++) {
        const struct report_column *column = &cells[i].column;
        if (column->name != NULL && column->digits != REPORT_JSON_ONLY) {
            fputs(comma, report->out);
            comma = ",";
            report_write_value(report->out, REPORT_FORMAT_CSV,
                               names ? report_text(column->name) : cells[i].value);
        }
    }
    fputc('\n', report->out);
}

static void write_json_row(struct report *report, const struct report_cell *cells)
{
    const char *separator = "{";
    fputs(report->row_count > 0 ? ",\n    " : "\n    ", report->out);
    for (size_t i = 0; i < report->column_count; i++) {
        if (cells[i].column.name != NULL) {
            fputs(separator, report->out);
            separator = ", ";
            write_name(report->out, cells[i].column.name);
            fputs(": ", report->out);
            report_write_value(report->out, REPORT_FORMAT_JSON, cells[i].value);
        }
    }
    fputc('}', report->out);
}

void report_table_begin(struct report *report, const char *name, const struct report_cell *cells,
                        size_t cell_count)
{
    pw_assert(!report->in_table && cell_count <= REPORT_CELLS_MAX);
    report->in_table = true;
    report->column_count = cell_count;
    report->row_count = 0;
    if (report->format == REPORT_FORMAT_JSON) {
        json_member(report, name);
        fputc('[', report->out);
    } else if (report->format == REPORT_FORMAT_CSV && !report->csv_done) {
        write_csv_line(report, cells, true);
    }
}

void report_table_row(struct report *report, const char *heading, const struct report_cell *cells,
                      size_t cell_count)
{
    pw_assert(report->in_table && cell_count == report->column_count);
    (void)cell_count;
    if (report->format == REPORT_FORMAT_JSON) {
        write_json_row(report, cells);
    } else if (report->format == REPORT_FORMAT_CSV && !report->csv_done) {
        write_csv_line(report, cells, false);
    } else if (report->format == REPORT_FORMAT_TEXT && report->blocks) {
        write_text_block(report, heading, cells);
    } else if (report->format == REPORT_FORMAT_TEXT && report->lines) {
        if (report->row_count == 0) {
            lay_out(report, cells);
            write_text_line(report, cells, true);
        }
        write_text_line(report, cells, false);
    }
    report->row_count++;
}

void report_table_end(struct report *report)
{
    pw_assert(report->in_table);
    if (report->format == REPORT_FORMAT_JSON) {
        fputs(report->row_count > 0 ? "\n  ]" : "]", report->out);
    } else if (report->format == REPORT_FORMAT_TEXT && report->row_count > 0 && report->lines &&
               !report->blocks) {
        if (report->footnote != NULL) {
            text_wrap(report->out, report->footnote, 0, 0, report->path_columns);
        }
        fputc('\n', report->out);
    }
    report->footnote = NULL;
    report->in_table = false;
    report->csv_done = true;
}

int report_failed(struct report *report)
{
    errno = 0;
    if (report->error == 0 && (fflush(report->out) != 0 || ferror(report->out))) {
        report->error = errno != 0 ? errno : EIO;
    }
    return report->error;
}

bool report_close(struct report *report)
{
    pw_assert(!report->in_table);
    if (report->format == REPORT_FORMAT_JSON) {
        fputs("\n}\n", report->out);
    }
    return report_failed(report) == 0;
}

void report_json_member(FILE *out, const char *before, const char *name, struct report_value value)
{
    fputs(before, out);
    write_name(out, name);
    fputc(':', out);
    report_write_value(out, REPORT_FORMAT_JSON, value);
}
