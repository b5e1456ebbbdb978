/*
 * report.c - sections and tables in the three formats.
 */
#include "report.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <string.h>

#define LABEL_WIDTH 32 /* text: where the values of sections and blocks begin */

/* A name of JSON, or a text, in quotes. */
static void write_name(FILE *out, const char *name)
{
    report_write_value(out, REPORT_FORMAT_JSON, report_text(name));
}

/* JSON: a comma if needed, a new line, and the name of a member of the top object. */
static void json_member(struct report *report, const char *name)
{
    fputs(report->member_count++ > 0 ? ",\n  " : "\n  ", report->out);
    write_name(report->out, name);
    fputs(": ", report->out);
}

void report_open(struct report *report, FILE *out, enum report_format format, const char *schema)
{
    *report = (struct report){.out = out, .format = format, .lines = true};
    if (format == REPORT_FORMAT_JSON) {
        fputc('{', out);
        json_member(report, "schema");
        write_name(out, schema);
    }
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
        write_name(out, field);
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
}

void report_members(struct report *report, const struct report_field *fields, size_t field_count)
{
    for (size_t i = 0; report->format == REPORT_FORMAT_JSON && i < field_count; i++) {
        json_member(report, fields[i].name);
        report_write_value(report->out, REPORT_FORMAT_JSON, fields[i].value);
    }
}

void report_texts(struct report *report, const char *name, const char *const *texts, size_t count)
{
    if (report->format != REPORT_FORMAT_JSON) {
        return;
    }
    json_member(report, name);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "[\n    " : ",\n    ", report->out);
        write_name(report->out, texts[i]);
    }
    fputs(count > 0 ? "\n  ]" : "[]", report->out);
}

void report_object_begin(struct report *report, const char *name)
{
    pw_assert(!report->in_table);
    if (report->format == REPORT_FORMAT_JSON) {
        json_member(report, name);
        fputc('{', report->out);
        report->member_count = 0;
    }
}

void report_object_end(struct report *report)
{
    if (report->format == REPORT_FORMAT_JSON) {
        fputs("\n  }", report->out);
        report->member_count = 1; /* the object itself, at least */
    }
}

static size_t column_width(const struct report_column *column)
{
    size_t length = strlen(column->title);
    size_t width = column->width % REPORT_LEFT;
    return column->width == 0 ? 0 : width > length ? width : length;
}

/* The titles of the columns as a line of text, or the values of a row under them. */
static void write_text_line(struct report *report, const struct report_cell *cells, bool titles)
{
    const char *space = "";
    for (size_t i = 0; i < report->column_count; i++) {
        const struct report_column *column = &cells[i].column;
        const struct report_value *value = &cells[i].value;
        char number[REPORT_NUMBER_SIZE] = "-";
        const char *text = number;
        if (column->title == NULL) {
            continue;
        }
        if (titles) {
            text = column->title;
        } else if (value->kind == REPORT_TEXT) {
            text = value->text;
        } else if (value->kind != REPORT_UNKNOWN) {
            report_number(number, *value, column->digits);
        }
        size_t length = report_plain_length(text);
        size_t width = column_width(column);
        int padding = width > length ? (int)(width - length) : 0;
        bool left = column->width >= REPORT_LEFT;
        fprintf(report->out, "%s%*s", space, left ? 0 : padding, "");
        report_write_value(report->out, REPORT_FORMAT_TEXT, report_text(text));
        fprintf(report->out, "%*s", left && i + 1 < report->column_count ? padding : 0, "");
        space = "  ";
    }
    fputc('\n', report->out);
}

static void write_text_block(struct report *report, const char *heading,
                             const struct report_cell *cells)
{
    if (heading != NULL) {
        report_write_value(report->out, REPORT_FORMAT_TEXT, report_text(heading));
        fputc('\n', report->out);
    }
    for (size_t i = 0; i < report->column_count; i++) {
        if (cells[i].column.label != NULL) {
            write_label(report->out, cells[i].column.label);
            report_write_value(report->out, REPORT_FORMAT_TEXT, cells[i].value);
            fputc('\n', report->out);
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
    pw_assert(!report->in_table);
    report->in_table = true;
    report->column_count = cell_count;
    report->row_count = 0;
    if (report->format == REPORT_FORMAT_JSON) {
        json_member(report, name);
        fputc('[', report->out);
    } else if (report->format == REPORT_FORMAT_CSV && !report->csv_done) {
        write_csv_line(report, cells, true);
    } else if (report->format == REPORT_FORMAT_TEXT && report->lines && !report->blocks) {
        write_text_line(report, cells, true);
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
        write_text_line(report, cells, false);
    }
    report->row_count++;
}

void report_table_end(struct report *report)
{
    if (report->format == REPORT_FORMAT_JSON) {
        fputs(report->row_count > 0 ? "\n  ]" : "]", report->out);
    } else if (report->format == REPORT_FORMAT_TEXT && report->lines && !report->blocks) {
        fputc('\n', report->out);
    }
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
