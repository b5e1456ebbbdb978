/*
 * value_tables.c - figures of measurements that somebody else made.
 *
 * A table is CSV with a heading. Its first column names the case; a column "round" numbers its
 * runs, otherwise they count from 1; every other column is a value, and an empty cell is a missing
 * one. An empty line ends a table, and another one may follow: each is answered when it is
 * complete, so a program can ask through two pipes.
 *
 * For each value and case: the median with its interval and spread, and the ratio to the first
 * case, of runs in the same round or, with --apart, of all runs with all.
 */
#include "base/array_reserve.h"
#include "base/macros.h"
#include "base/number.h"
#include "base/program/output.h"
#include "base/pw_assert.h"
#include "base/report/samples.h"
#include "base/text/csv_cell.h"
#include "comparer.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CASES_MAX  1024
#define VALUES_MAX 256

/* A run of a case: a line. */
struct line {
    size_t case_index;
    uint64_t round;
};

struct table {
    char *heading;
    const char *names[VALUES_MAX]; /* of the values, in the heading; the case's is no value */
    size_t columns;                /* all of them */
    size_t round_column;           /* SIZE_MAX: there is none */
    char *cases[CASES_MAX];
    uint64_t runs[CASES_MAX]; /* lines of each case */
    size_t case_count;
    struct line *lines;
    size_t line_count, line_capacity;
    double *values; /* line after line, a number per column */
    size_t value_capacity;
};

struct reader {
    FILE *in;
    const char *path;
    char *text;
    size_t text_size, number; /* of the line, from 1 */
    bool failed;              /* error is set */
    struct command_error *error;
};

/* Reading ------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *reader, const char *format,
                                                         ...)
{
    char why[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof(why), format, arguments);
    va_end(arguments);
    reader->failed = true;
    return command_fail(reader->error, "%.200s:%zu: %s", reader->path, reader->number, why);
}

/* Read a line, without its end. False at the end of the file. */
static bool next_line(struct reader *reader)
{
    errno = 0;
    const ssize_t length = getline(&reader->text, &reader->text_size, reader->in);
    if (length < 0) {
        if (errno != 0 && !feof(reader->in)) {
            reader->failed = true;
            command_fail(reader->error, "%.200s: %s", reader->path, strerror(errno));
        }
        return false;
    }
    reader->number++;
    reader->text[strcspn(reader->text, "\r\n")] = '\0';
    return true;
}

/* Read the heading of the next table. False at the end of the file, or with the error set. */
static bool read_heading(struct reader *reader, struct table *table)
{
    do {
        if (!next_line(reader)) {
            return false;
        }
    } while (reader->text[0] == '\0');
    table->heading = strdup(reader->text);
    table->round_column = SIZE_MAX;
    if (table->heading == NULL) {
        return refuse(reader, "out of memory");
    }
    for (char *at = table->heading; at != NULL; table->columns++) {
        const char *name = csv_cell(&at);
        if (table->columns == VALUES_MAX) {
            return refuse(reader, "more than %d columns", VALUES_MAX);
        }
        if (table->columns > 0 && strcmp(name, "round") == 0) {
            table->round_column = table->columns;
        }
        table->names[table->columns] = name;
    }
    return table->columns - (table->round_column != SIZE_MAX) > 1 ||
           refuse(reader, "a heading names the case and at least one value");
}

/* The index of a case, a new one if need be; SIZE_MAX with the error set. */
static size_t find_case(struct reader *reader, struct table *table, const char *name)
{
    size_t index = 0;
    while (index < table->case_count && strcmp(table->cases[index], name) != 0) {
        index++;
    }
    if (index < table->case_count) {
        return index;
    }
    if (index == CASES_MAX) {
        refuse(reader, "more cases than fit");
        return SIZE_MAX;
    }
    table->cases[index] = strdup(name);
    if (table->cases[index] == NULL) {
        refuse(reader, "out of memory");
        return SIZE_MAX;
    }
    table->case_count++;
    return index;
}

/* A cell as a number; an empty one is missing. */
static bool read_value(struct reader *reader, const char *cell, double *value)
{
    char *end;
    *value = NAN;
    if (cell[0] == '\0') {
        return true;
    }
    *value = strtod(cell, &end);
    return (*end == '\0' && isfinite(*value)) || refuse(reader, "\"%.60s\" is no number", cell);
}

/* Add the line that was read to the table. */
static bool read_row(struct reader *reader, struct table *table)
{
    char *at = reader->text;
    struct line line = {.case_index = find_case(reader, table, csv_cell(&at))};
    if (line.case_index == SIZE_MAX) {
        return false;
    }
    line.round = ++table->runs[line.case_index];
    if (!array_reserve(&table->values, &table->value_capacity,
                       (table->line_count + 1) * table->columns, sizeof(*table->values)) ||
        !array_reserve(&table->lines, &table->line_capacity, table->line_count + 1,
                       sizeof(*table->lines))) {
        return refuse(reader, "out of memory");
    }
    double *values = table->values + table->line_count * table->columns;
    for (size_t i = 1; i < table->columns; i++) {
        const char *cell = at != NULL ? csv_cell(&at) : NULL;
        if (cell == NULL) {
            return refuse(reader, "%zu columns, the heading has %zu", i, table->columns);
        }
        if (i != table->round_column) {
            if (!read_value(reader, cell, &values[i])) {
                return false;
            }
        } else if (!number_read(cell, strlen(cell), NUMBER_COUNT, &line.round)) {
            return refuse(reader, "\"%.60s\" is no round", cell);
        }
    }
    table->lines[table->line_count++] = line;
    return at == NULL || refuse(reader, "more columns than the %zu of the heading", table->columns);
}

/* Read a table up to the empty line after it. False at the end of the file, or with the error
 * set. */
static bool read_table(struct reader *reader, struct table *table)
{
    if (!read_heading(reader, table)) {
        return false;
    }
    while (next_line(reader) && reader->text[0] != '\0') {
        if (!read_row(reader, table)) {
            return false;
        }
    }
    return !reader->failed &&
           (table->case_count > 0 || refuse(reader, "a heading without a line of values"));
}

static void free_table(struct table *table)
{
    for (size_t i = 0; i < table->case_count; i++) {
        free(table->cases[i]);
    }
    free(table->heading);
    free(table->lines);
    free(table->values);
    memset(table, 0, sizeof(*table));
}

/* Figures ------------------------------------------------------------------------------------- */

/* The values of a case in its lines, with their rounds; missing ones are left out. */
static size_t take_values(const struct table *table, size_t case_index, size_t column,
                          double *values, uint64_t *rounds)
{
    size_t count = 0;
    pw_assert(values != NULL && rounds != NULL);
    for (size_t i = 0; i < table->line_count; i++) {
        const double value = table->values[i * table->columns + column];
        if (table->lines[i].case_index == case_index && !isnan(value)) {
            rounds[count] = table->lines[i].round;
            values[count++] = value;
        }
    }
    return count;
}

/* Room for the values of two cases, and for what is made of them. */
struct room {
    double *own, *base, *paired, *scratch;
    uint64_t *own_rounds, *base_rounds;
    double *numbers;
    uint64_t *rounds;
};

static bool open_room(struct room *room, size_t lines)
{
    room->numbers = calloc(4 * lines, sizeof(double));
    room->rounds = calloc(2 * lines, sizeof(uint64_t));
    if (room->numbers == NULL || room->rounds == NULL) {
        return false;
    }
    room->own = room->numbers;
    room->base = room->own + lines;
    room->paired = room->base + lines;
    room->scratch = room->paired + lines;
    room->own_rounds = room->rounds;
    room->base_rounds = room->rounds + lines;
    return true;
}

/* The ratio of count values to the base_count ones of the first case. */
static struct samples_interval ratio_of(const struct compare_options *options, struct room *room,
                                        size_t count, size_t base_count)
{
    if (options->apart) {
        return samples_ratio_apart(room->own, count, room->base, base_count, options->confidence);
    }
    for (size_t i = 0; i < count; i++) {
        room->paired[i] = NAN;
        for (size_t k = 0; k < base_count; k++) {
            if (room->base_rounds[k] == room->own_rounds[i]) {
                room->paired[i] = room->base[k];
            }
        }
    }
    return samples_ratio(room->own, room->paired, count, options->confidence, room->scratch);
}

/* "1.39 (1.37 to 1.42)"; a ratio of one run has no interval. */
static void describe_ratio(char text[4 * TEXT_FORM_SIZE], struct samples_interval ratio)
{
    char median[TEXT_FORM_SIZE], low[TEXT_FORM_SIZE], high[TEXT_FORM_SIZE];
    report_number(median, report_measured(ratio.median), 9);
    report_number(low, report_measured(ratio.low), 9);
    report_number(high, report_measured(ratio.high), 9);
    snprintf(text, 4 * TEXT_FORM_SIZE, ratio.confidence > 0 ? "%s (%s to %s)" : "%s", median, low,
             high);
}

#define FIGURE_CELLS 15

static void figure_cells(const struct compare_options *options, const struct table *table,
                         size_t column, size_t case_index, struct room *room,
                         char text[4 * TEXT_FORM_SIZE], struct report_cell cells[FIGURE_CELLS])
{
    const size_t base_count = take_values(table, 0, column, room->base, room->base_rounds);
    const size_t count = take_values(table, case_index, column, room->own, room->own_rounds);
    const struct samples_interval ratio = ratio_of(options, room, count, base_count);
    const struct samples_interval median = samples_interval(room->own, count, options->confidence);
    const struct samples_summary summary = samples_summarize(room->own, count);
    const bool with_interval = count > 1, is_known = !isnan(ratio.median);
    if (is_known) {
        describe_ratio(text, ratio);
    }
    const struct report_cell all[FIGURE_CELLS] = {
        {{"value", "value", NULL, REPORT_LEFT + 8, 0}, report_text(table->names[column])},
        {{"case", table->names[0], NULL, REPORT_LEFT + 12, 0},
         report_text(table->cases[case_index])},
        {{"runs", "runs", NULL, 4, 0}, report_integer(count)},
        {{"median", "median", NULL, 9, 9}, report_measured(summary.median)},
        {{"spread", "spread", NULL, 6, 1}, report_if(with_interval, report_share(summary.spread))},
        REPORT_DATA("min", report_measured(summary.low)),
        REPORT_DATA("max", report_measured(summary.high)),
        REPORT_DATA("low", report_if(with_interval, report_measured(median.low))),
        REPORT_DATA("high", report_if(with_interval, report_measured(median.high))),
        REPORT_DATA("confidence", report_if(with_interval, report_measured(median.confidence))),
        {{NULL, "to the first", NULL, 22, 0},
         report_text(case_index == 0 ? "1"
                     : is_known      ? text
                                     : NULL)},
        REPORT_DATA("ratio", report_measured(ratio.median)),
        REPORT_DATA("ratio_low", report_measured(ratio.low)),
        REPORT_DATA("ratio_high", report_measured(ratio.high)),
        REPORT_DATA("ratio_confidence", report_if(is_known, report_measured(ratio.confidence))),
    };
    memcpy(cells, all, sizeof(all));
}

static void explain(const struct compare_options *options, struct report *report,
                    const struct table *table)
{
    char note[600];
    snprintf(note, sizeof(note),
             "To the first: the median of the ratios to %.200s%s, and the interval that holds it "
             "with %.0f %% confidence, or less with few runs: one that includes 1 shows no "
             "difference. Spread: half the distance of the quartiles, as a share of the median.",
             table->cases[0], options->apart ? " of all runs with all" : " in the same round",
             100 * options->confidence);
    report_note(report, note);
}

/* Write the figures of a table as one report. */
static bool write_figures(const struct compare_options *options, const struct table *table,
                          FILE *out, struct command_error *error)
{
    struct report report;
    struct room room = {0};
    char text[4 * TEXT_FORM_SIZE];
    struct report_cell cells[FIGURE_CELLS];
    bool done =
        open_room(&room, table->line_count) || command_fail(error, "out of memory for the figures");
    if (done) {
        bool is_begun = false;
        report_open(&report, out, options->format, "pointer-wars-values/1");
        for (size_t column = 1; column < table->columns; column++) {
            for (size_t i = 0; column != table->round_column && i < table->case_count; i++) {
                figure_cells(options, table, column, i, &room, text, cells);
                if (!is_begun) {
                    report_table_begin(&report, "figures", cells, FIGURE_CELLS);
                }
                is_begun = true;
                report_table_row(&report, NULL, cells, FIGURE_CELLS);
            }
        }
        report_table_end(&report);
        if (!options->quiet) {
            explain(options, &report, table);
        }
        done = report_close(&report) || output_fail(options->output, report_failed(&report), error);
    }
    free(room.numbers);
    free(room.rounds);
    return done;
}

int compare_values(const struct compare_options *options, FILE *out, struct command_error *error)
{
    static struct table table;
    const bool is_input = strcmp(options->values, "-") == 0;
    struct reader reader = {.in = is_input ? stdin : fopen(options->values, "r"),
                            .path = is_input ? "standard input" : options->values,
                            .error = error};
    size_t tables = 0;
    bool done = true;
    if (reader.in == NULL) {
        command_fail(error, "%.200s: %s", options->values, strerror(errno));
        return EXIT_FAILED;
    }
    while (done && read_table(&reader, &table)) {
        if (tables > 0 && options->format == REPORT_FORMAT_TEXT) {
            fputc('\n', out);
        }
        done = write_figures(options, &table, out, error);
        free_table(&table);
        tables++;
    }
    free_table(&table);
    free(reader.text);
    if (!is_input) {
        fclose(reader.in);
    }
    if (done && !reader.failed && tables == 0) {
        done = command_fail(error, "%.200s: no table of values", reader.path);
    }
    return done && !reader.failed ? EXIT_OK : EXIT_FAILED;
}
