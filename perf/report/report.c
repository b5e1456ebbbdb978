/*
 * report.c - sections and tables in the three formats.
 */
#include "report.h"
#include "report_value.h"
#include <errno.h>
#include <string.h>

#define LABEL_WIDTH 32 /* text: where the values of sections and blocks begin */

/* Remember the first write that failed; errno is that of the call just made. */
static void note_error(struct report *report)
{
    if (report->error == 0 && ferror(report->out)) {
        report->error = errno != 0 ? errno : EIO;
    }
}

/* JSON: a comma if needed, a new line, and the name of a member of the top object. */
static void json_member(struct report *report, const char *name)
{
    fputs(report->member_count++ > 0 ? ",\n  " : "\n  ", report->out);
    report_json_string(report->out, name);
    fputs(": ", report->out);
}

void report_open(struct report *report, FILE *out, enum report_format format, const char *schema)
{
    *report = (struct report){.out = out, .format = format, .lines = true};
    errno = 0;
    if (format == REPORT_FORMAT_JSON) {
        fputc('{', out);
        json_member(report, "schema");
        report_json_string(out, schema);
    }
    note_error(report);
}

/* How much of a field's name is the object it is in: the length before the dot, or 0. */
static size_t object_length(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot != NULL ? (size_t)(dot - name) : 0;
}

static void write_json_section(struct report *report, const char *name,
                               const struct report_field *fields, size_t field_count)
{
    FILE *out = report->out;
    const char *object = "";
    size_t length = 0; /* of the name of the object that is open, or 0 */
    const char *separator = "";
    json_member(report, name);
    fputc('{', out);
    for (size_t i = 0; i < field_count; i++) {
        const char *field = fields[i].name;
        if (field == NULL) {
            continue;
        }
        size_t field_length = object_length(field);
        if (length > 0 && (field_length != length || memcmp(field, object, length) != 0)) {
            fputc('}', out);
            length = 0;
        }
        if (field_length > 0 && length > 0) {
            fputs(", ", out);
        } else {
            fprintf(out, "%s\n    ", separator);
        }
        if (field_length > 0) {
            if (length == 0) {
                fprintf(out, "\"%.*s\": {", (int)field_length, field);
            }
            object = field;
            length = field_length;
            field += field_length + 1;
        }
        report_json_string(out, field);
        fputs(": ", out);
        report_write_value(out, REPORT_FORMAT_JSON, fields[i].value);
        separator = ",";
    }
    fputs(length > 0 ? "}\n  }" : "\n  }", out);
}

static void write_label(FILE *out, const char *label)
{
    fprintf(out, "  %-*s", LABEL_WIDTH - 2, label);
}

void report_section(struct report *report, const char *name, const char *title,
                    const struct report_field *fields, size_t field_count)
{
    errno = 0;
    if (report->format == REPORT_FORMAT_JSON) {
        write_json_section(report, name, fields, field_count);
    } else if (report->format == REPORT_FORMAT_TEXT) {
        if (title != NULL) {
            fprintf(report->out, "%s\n", title);
        }
        for (size_t i = 0; i < field_count; i++) {
            if (fields[i].label != NULL) {
                write_label(report->out, fields[i].label);
                report_write_value(report->out, REPORT_FORMAT_TEXT, fields[i].value);
                fputc('\n', report->out);
            }
        }
    }
    note_error(report);
}

static int column_width(const struct report_column *column)
{
    size_t length = strlen(column->title);
    return column->width > length ? (int)column->width : (int)length;
}

static void write_text_heading(struct report *report)
{
    const char *space = "";
    for (size_t i = 0; i < report->column_count; i++) {
        const struct report_column *column = &report->columns[i];
        if (column->title != NULL) {
            int width = column->width > 0 ? column_width(column) : 0;
            fprintf(report->out, "%s%*s", space, width, column->title);
            space = "  ";
        }
    }
    fputc('\n', report->out);
}

static void write_text_line(struct report *report, const struct report_value *values)
{
    const char *space = "";
    for (size_t i = 0; i < report->column_count; i++) {
        const struct report_column *column = &report->columns[i];
        if (column->title == NULL) {
            continue;
        }
        char number[REPORT_NUMBER_SIZE] = "-";
        const char *text = number;
        if (values[i].kind == REPORT_TEXT) {
            text = values[i].text;
        } else if (values[i].kind != REPORT_UNKNOWN) {
            report_number(number, values[i], column->digits);
        }
        size_t length = report_plain_length(text);
        size_t width = column->width > 0 ? (size_t)column_width(column) : 0;
        fprintf(report->out, "%s%*s", space, width > length ? (int)(width - length) : 0, "");
        report_write_value(report->out, REPORT_FORMAT_TEXT, report_text(text));
        space = "  ";
    }
    fputc('\n', report->out);
}

static void write_text_block(struct report *report, const char *heading,
                             const struct report_value *values)
{
    if (heading != NULL) {
        report_write_value(report->out, REPORT_FORMAT_TEXT, report_text(heading));
        fputc('\n', report->out);
    }
    for (size_t i = 0; i < report->column_count; i++) {
        if (report->columns[i].label != NULL) {
            write_label(report->out, report->columns[i].label);
            report_write_value(report->out, REPORT_FORMAT_TEXT, values[i]);
            fputc('\n', report->out);
        }
    }
    fputc('\n', report->out);
}

/* The names of the columns, or the values of a row, as one line of CSV. */
static void write_csv_line(struct report *report, const struct report_value *values)
{
    const char *comma = "";
    for (size_t i = 0; i < report->column_count; i++) {
        if (report->columns[i].name == NULL || report->columns[i].digits == REPORT_JSON_ONLY) {
            continue;
        }
        fputs(comma, report->out);
        comma = ",";
        report_write_value(report->out, REPORT_FORMAT_CSV,
                           values != NULL ? values[i] : report_text(report->columns[i].name));
    }
    fputc('\n', report->out);
}

static void write_json_row(struct report *report, const struct report_value *values)
{
    const char *separator = "{";
    fputs(report->row_count > 0 ? ",\n    " : "\n    ", report->out);
    for (size_t i = 0; i < report->column_count; i++) {
        if (report->columns[i].name != NULL) {
            fputs(separator, report->out);
            separator = ", ";
            report_json_string(report->out, report->columns[i].name);
            fputs(": ", report->out);
            report_write_value(report->out, REPORT_FORMAT_JSON, values[i]);
        }
    }
    fputc('}', report->out);
}

void report_table_begin(struct report *report, const char *name,
                        const struct report_column *columns, size_t column_count)
{
    report->columns = columns;
    report->column_count = column_count;
    report->row_count = 0;
    errno = 0;
    switch (report->format) {
    case REPORT_FORMAT_TEXT:
        if (report->lines && !report->blocks) {
            write_text_heading(report);
        }
        break;
    case REPORT_FORMAT_CSV:
        if (!report->csv_done) {
            write_csv_line(report, NULL);
        }
        break;
    case REPORT_FORMAT_JSON:
        json_member(report, name);
        fputc('[', report->out);
        break;
    }
    note_error(report);
}

void report_table_row(struct report *report, const char *heading, const struct report_value *values)
{
    errno = 0;
    switch (report->format) {
    case REPORT_FORMAT_TEXT:
        if (report->blocks) {
            write_text_block(report, heading, values);
        } else if (report->lines) {
            write_text_line(report, values);
        }
        break;
    case REPORT_FORMAT_CSV:
        if (!report->csv_done) {
            write_csv_line(report, values);
        }
        break;
    case REPORT_FORMAT_JSON:
        write_json_row(report, values);
        break;
    }
    report->row_count++;
    note_error(report);
}

void report_table_end(struct report *report)
{
    errno = 0;
    if (report->format == REPORT_FORMAT_JSON) {
        fputs(report->row_count > 0 ? "\n  ]" : "]", report->out);
    } else if (report->format == REPORT_FORMAT_TEXT && report->lines && !report->blocks) {
        fputc('\n', report->out);
    }
    report->csv_done = true;
    note_error(report);
}

int report_failed(struct report *report)
{
    errno = 0;
    if (report->error == 0 && fflush(report->out) != 0) {
        report->error = errno != 0 ? errno : EIO;
    }
    return report->error;
}

bool report_close(struct report *report)
{
    errno = 0;
    if (report->format == REPORT_FORMAT_JSON) {
        fputs("\n}\n", report->out);
    }
    note_error(report);
    return report_failed(report) == 0;
}
