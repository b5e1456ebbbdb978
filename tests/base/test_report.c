/*
 * test_report.c - numbers, texts, sections and tables in the three formats.
 */
#include "base/report/report.h"
#include "base/text/text_form.h"
#include "base/text/text_stream.h"
#include "tests/support/json.h"
#include "tests/support/suite.h"
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>

static char *written;
static size_t written_size;
static FILE *out;

static void open_stream(void)
{
    out = open_memstream(&written, &written_size);
    ck_assert_ptr_nonnull(out);
}

static void close_stream(void)
{
    if (out != NULL) {
        fclose(out);
    }
    free(written);
    written = NULL;
}

/* What was written so far; the stream starts again. */
static char *take(void)
{
    fclose(out);
    char *text = written;
    written = NULL;
    open_stream();
    return text;
}

static void assert_written(const char *expected)
{
    char *text = take();
    ck_assert_str_eq(text, expected);
    free(text);
}

static void assert_value(enum report_format format, struct report_value value, const char *expected)
{
    report_write_value(out, format, value);
    assert_written(expected);
}

START_TEST(integers_and_decimals_are_plain_digits)
{
    for (enum report_format format = REPORT_FORMAT_TEXT; format <= REPORT_FORMAT_JSON; format++) {
        assert_value(format, report_integer(0), "0");
        assert_value(format, report_id(UINT64_MAX), "18446744073709551615");
        assert_value(format, report_decimal(5, 0), "5");
    }
    for (enum report_format format = REPORT_FORMAT_CSV; format <= REPORT_FORMAT_JSON; format++) {
        assert_value(format, report_integer(UINT64_MAX), "18446744073709551615");
        assert_value(format, report_seconds(0), "0.000000000");
        assert_value(format, report_seconds(1), "0.000000001");
        assert_value(format, report_seconds(12000000034), "12.000000034");
        assert_value(format, report_share(0.0125), "0.012500");
    }
}
END_TEST

START_TEST(text_has_separators_units_and_as_many_digits_as_matter)
{
    assert_value(REPORT_FORMAT_TEXT, report_integer(41908617), "41,908,617");
    assert_value(REPORT_FORMAT_TEXT, report_seconds(12000000034), "12.0 s");
    assert_value(REPORT_FORMAT_TEXT, report_rate(41908617, 3276800000), "12,789,495");
    assert_value(REPORT_FORMAT_TEXT, report_rate(1, 3000000000), "0.333");
    assert_value(REPORT_FORMAT_TEXT, report_real(-12.3456, 6), "-12.35");
    assert_value(REPORT_FORMAT_TEXT, report_share(0.0125), "1.25 %");
    assert_value(REPORT_FORMAT_TEXT, report_share(0.98765), "98.77 %");
    assert_value(REPORT_FORMAT_TEXT, report_share(9.98765), "998.77 %");
    assert_value(REPORT_FORMAT_TEXT, report_share(10.79912),
                 "1,080 %"); /* a column has its width */
    assert_value(REPORT_FORMAT_TEXT, report_share(NAN), "-");
}
END_TEST

START_TEST(numbers_have_a_point_in_any_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8"};
    for (size_t i = 0; i < 4 && setlocale(LC_ALL, names[i]) == NULL; i++) {
    }
    assert_value(REPORT_FORMAT_CSV, report_seconds(1500000000), "1.500000000");
    setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(unknown_values_are_dashes_empty_cells_or_null)
{
    assert_value(REPORT_FORMAT_TEXT, report_unknown(), "-");
    assert_value(REPORT_FORMAT_CSV, report_unknown(), "");
    assert_value(REPORT_FORMAT_JSON, report_unknown(), "null");
    assert_value(REPORT_FORMAT_JSON, report_text(NULL), "null");
}
END_TEST

START_TEST(bytes_have_a_unit_in_text_only)
{
    assert_value(REPORT_FORMAT_TEXT, report_bytes(1023), "1023 bytes");
    assert_value(REPORT_FORMAT_TEXT, report_bytes(1536), "1.5 KiB");
    assert_value(REPORT_FORMAT_TEXT, report_bytes(851443712), "812.0 MiB");
    assert_value(REPORT_FORMAT_TEXT, report_bytes(UINT64_C(5) << 30), "5.0 GiB");
    assert_value(REPORT_FORMAT_CSV, report_bytes(1536), "1536");
    assert_value(REPORT_FORMAT_JSON, report_bytes(1536), "1536");
}
END_TEST

START_TEST(a_rate_is_exact_to_three_digits_and_unknown_without_time)
{
    static const struct {
        uint64_t count, elapsed_ns;
        const char *rate;
    } cases[] = {
        {8146900, 1000000000, "8146900.000"},
        {1, 3, "333333333.333"},
        {1, 3000000000, "0.333"},
        {0, 5, "0.000"},
        {10, 2384, "4194630.872"},
        {41908617, 3276800000, "12789494.934"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct report_value rate = report_rate(cases[i].count, cases[i].elapsed_ns);
        assert_value(REPORT_FORMAT_CSV, rate, cases[i].rate);
    }
    ck_assert_int_eq(report_rate(5, 0).kind, REPORT_UNKNOWN);
    ck_assert_int_eq(report_rate(2038548095, 1).kind, REPORT_UNKNOWN); /* beyond 64 bits */
}
END_TEST

START_TEST(every_byte_gives_valid_json)
{
    for (unsigned first = 1; first < 256; first++) {
        for (unsigned second = 0; second < 256; second++) {
            char text[4] = {(char)first, (char)second, 'x', '\0'};
            report_write_value(out, REPORT_FORMAT_JSON, report_text(text));
            fputc('\0', out); /* the stream keeps what was written before the rewind */
            fflush(out);
            if (!json_is_valid(written)) {
                ck_abort_msg("bytes %02x %02x give %s", first, second, written);
            }
            rewind(out);
        }
    }
}
END_TEST

START_TEST(json_keeps_utf8_and_encodes_what_is_not)
{
    assert_value(REPORT_FORMAT_JSON, report_text("K\xc3\xa4se \xe2\x82\xac \xf0\x9f\xa7\x80"),
                 "\"K\xc3\xa4se \xe2\x82\xac \xf0\x9f\xa7\x80\"");
    assert_value(REPORT_FORMAT_JSON,
                 report_text("a\xff\xc3"
                             "b"),
                 "\"a%FF%C3b\"");
    assert_value(REPORT_FORMAT_JSON, report_text("\xed\xa0\x80"), "\"%ED%A0%80\"");
    assert_value(REPORT_FORMAT_JSON, report_text("\xc0\x80"), "\"%C0%80\"");
    assert_value(REPORT_FORMAT_JSON, report_text("\"\\\n\t"), "\"\\\"\\\\\\u000a\\u0009\"");
    assert_value(REPORT_FORMAT_JSON, report_text(""), "\"\"");
}
END_TEST

START_TEST(csv_quotes_what_needs_it)
{
    assert_value(REPORT_FORMAT_CSV, report_text("plain"), "plain");
    assert_value(REPORT_FORMAT_CSV, report_text("a,b"), "\"a,b\"");
    assert_value(REPORT_FORMAT_CSV, report_text("a\"b"), "\"a\"\"b\"");
    assert_value(REPORT_FORMAT_CSV, report_text("a\nb"), "\"a\nb\"");
}
END_TEST

START_TEST(a_line_of_text_stays_a_line)
{
    assert_value(REPORT_FORMAT_TEXT, report_text("a\nb\x1b[2J"), "a\\x0ab\\x1b[2J");
}
END_TEST

/* A small report of every part; blocks: text with one block per row. */
static void write_report(enum report_format format, bool lines, bool blocks)
{
    struct report report;
    const struct report_field context[] = {
        {"program", NULL, report_text("test")},
        {"graph.name", "graph", report_text("a \"b\"")},
        {"graph.nodes", "nodes", report_integer(3)},
        {"allocator.name", NULL, report_text("pool")},
        {NULL, "remark", report_text("only in text")},
    };
    const struct report_cell row[] = {
        {{"search", "search", NULL, 6, 0}, report_integer(1)},
        {{"secret", NULL, NULL, 0, 0}, report_integer(7)},
        {{"seconds", "seconds", "wall time [s]", 9, 3}, report_seconds(1234567890)},
        {{NULL, "outcome", "outcome", 0, 0}, report_text("found")},
    };
    const struct report_cell next[] = {
        {row[0].column, report_integer(2)},
        {row[1].column, report_integer(8)},
        {row[2].column, report_unknown()},
        {row[3].column, report_text("timed out")},
    };
    report_open(&report, out, format, "test/1");
    report_section(&report, "context", "Context", context, 5);
    report.lines = lines;
    report.blocks = blocks;
    report_table_begin(&report, "searches", row, 4);
    report_table_row(&report, "the first", row, 4);
    report_table_row(&report, "the second", next, 4);
    report_table_end(&report);
    report_table_begin(&report, "more", row, 4);
    report_table_end(&report);
    report_section(&report, "summary", NULL, context, 1);
    ck_assert(report_close(&report));
}

START_TEST(csv_is_the_first_table_and_nothing_else)
{
    write_report(REPORT_FORMAT_CSV, true, false);
    assert_written("search,secret,seconds\n1,7,1.234567890\n2,8,\n");
}
END_TEST

START_TEST(text_lines_are_aligned_and_rounded)
{
    write_report(REPORT_FORMAT_TEXT, true, false);
    char *text = take();
    const char *table = strstr(text, "search");
    ck_assert_ptr_nonnull(table);
    ck_assert_ptr_eq(strstr(table, "search    seconds  outcome\n"
                                   "     1    1.23 s   found\n"
                                   "     2          -  timed out\n"),
                     table);
    ck_assert_ptr_nonnull(strstr(text, "Context\n  graph"));
    ck_assert_ptr_nonnull(strstr(text, "only in text\n"));
    ck_assert_ptr_null(strstr(text, "pool"));
    free(text);
}
END_TEST

START_TEST(text_blocks_have_a_heading_and_one_line_per_value)
{
    write_report(REPORT_FORMAT_TEXT, true, true);
    char *text = take();
    const char *block = strstr(text, "the first\n  wall time [s]");
    ck_assert_ptr_nonnull(block);
    ck_assert_ptr_nonnull(strstr(block, " 1.23 s\n  outcome"));
    ck_assert_ptr_nonnull(strstr(block, " found\n\nthe second\n"));
    free(text);
}
END_TEST

START_TEST(a_text_in_a_row_or_its_heading_stays_on_its_line)
{
    const struct report_cell row[] = {{{"name", "name", "name", 8, 0}, report_text("a\nb")}};
    for (int blocks = 0; blocks < 2; blocks++) {
        struct report report;
        report_open(&report, out, REPORT_FORMAT_TEXT, "test/1");
        report.lines = true;
        report.blocks = blocks == 1;
        report_table_begin(&report, "searches", row, 1);
        report_table_row(&report, "from a\nb", row, 1);
        report_table_end(&report);
        ck_assert(report_close(&report));
        char *text = take();
        ck_assert_ptr_nonnull(strstr(text, blocks ? "from a\\x0ab\n" : "\n  a\\x0ab\n"));
        ck_assert_ptr_null(strstr(text, "a\nb"));
        free(text);
    }
}
END_TEST

START_TEST(text_may_leave_the_rows_out)
{
    write_report(REPORT_FORMAT_TEXT, false, false);
    char *text = take();
    ck_assert_ptr_null(strstr(text, "found"));
    ck_assert_ptr_null(strstr(text, "seconds"));
    free(text);
}
END_TEST

START_TEST(json_has_the_sections_as_objects_and_the_rows_in_an_array)
{
    write_report(REPORT_FORMAT_JSON, true, false);
    char *text = take();
    ck_assert_msg(json_is_valid(text), "%s", text);
    ck_assert_str_eq(json_at(text, "schema"), "\"test/1\"");
    ck_assert_str_eq(json_at(text, "context.graph.name"), "\"a \\\"b\\\"\"");
    ck_assert_str_eq(json_at(text, "context.graph.nodes"), "3");
    ck_assert_str_eq(json_at(text, "context.allocator.name"), "\"pool\"");
    ck_assert_str_eq(json_at(text, "searches.0.seconds"), "1.234567890");
    ck_assert_str_eq(json_at(text, "searches.0.secret"), "7");
    ck_assert_str_eq(json_at(text, "searches.1.seconds"), "null");
    ck_assert_str_eq(json_at(text, "searches.2"), "");
    ck_assert_str_eq(json_at(text, "more"), "[]");
    ck_assert_str_eq(json_at(text, "summary.program"), "\"test\"");
    free(text);
}
END_TEST

START_TEST(a_full_disk_is_noticed)
{
    struct report report;
    FILE *full = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(full);
    report_open(&report, full, REPORT_FORMAT_JSON, "test/1");
    ck_assert_int_ne(report_failed(&report), 0);
    ck_assert(!report_close(&report));
    fclose(full);
}
END_TEST

START_TEST(a_line_of_text_leaves_out_columns_without_a_title)
{
    struct report report;
    report_open(&report, out, REPORT_FORMAT_TEXT, "test/1");
    report.footnote = "a remark";
    for (int i = 0; i < 3; i++) {
        const struct report_cell row[] = {
            {{"source", "source", NULL, REPORT_LEFT + 23, 0},
             report_text(i == 0 ? "A-name-of-23-characters" : "K\xc3\xa4se")},
            {{"pushed", "pushed", NULL, 10, 0}, report_integer(1234567)},
            {{"empty", i == 1 ? NULL : "empty", NULL, 10, 0}, report_unknown()},
            {{"frees", "frees", NULL, 8, 0}, report_integer(2)},
            {{NULL, "end", NULL, 0, 0}, report_text("end")},
            {{"path", "path", NULL, REPORT_BELOW, 0}, report_text(i == 2 ? "a -> b" : NULL)},
        };
        if (i == 0) {
            report_table_begin(&report, "searches", row, 6);
        } else {
            report_table_row(&report, NULL, row, 6);
        }
    }
    report_table_end(&report);
    ck_assert(report_close(&report));
    assert_written("source                       pushed     frees  end\n"
                   "K\xc3\xa4se                      1,234,567         2  end\n"
                   "K\xc3\xa4se                      1,234,567         2  end\n"
                   "        a -> b\n"
                   "a remark\n\n");
}
END_TEST

START_TEST(counts_times_and_sizes_are_readable_in_text)
{
    char text[TEXT_FORM_SIZE];
    ck_assert_str_eq(text_count(text, 0), "0");
    ck_assert_str_eq(text_count(text, 999), "999");
    ck_assert_str_eq(text_count(text, 41908617), "41,908,617");
    ck_assert_str_eq(text_count(text, UINT64_MAX), "18,446,744,073,709,551,615");
    static const struct {
        uint64_t ns;
        const char *words;
    } times[] = {
        {0, "0 ns"},
        {999, "999 ns"},
        {1000, "1.00 us"},
        {20149, "20.1 us"},
        {999499, "999 us"},
        {999500, "1.00 ms"},
        {2648000, "2.65 ms"},
        {999999999, "1.00 s"},
        {3276800000, "3.28 s"},
        {999499999999, "999 s"},
        {1234500000000, "1,235 s"},
        {UINT64_MAX, "18,446,744,074 s"},
    };
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        ck_assert_str_eq(text_duration(text, times[i].ns), times[i].words);
    }
    ck_assert_str_eq(text_bytes(text, 1), "1 byte");
    ck_assert_str_eq(text_bytes(text, 1023), "1023 bytes");
    ck_assert_str_eq(text_bytes(text, 851443712), "812.0 MiB");
    ck_assert_str_eq(text_short(text, 999), "999");
    ck_assert_str_eq(text_short(text, 1000), "1.00 k");
    ck_assert_str_eq(text_short(text, 999500), "1.00 M");
    ck_assert_str_eq(text_short(text, 33678943), "33.7 M");
    ck_assert_str_eq(text_short(text, UINT64_MAX), "18.4 E");
}
END_TEST

START_TEST(text_and_csv_keep_utf8_and_encode_what_is_not)
{
    assert_value(REPORT_FORMAT_TEXT, report_text("K\xc3\xa4se \xff\xfe_\xf0\x9f\xa7\x80\xe2\x82"),
                 "K\xc3\xa4se %FF%FE_\xf0\x9f\xa7\x80%E2%82");
    assert_value(REPORT_FORMAT_CSV, report_text("K\xc3\xa4se \xff\xfe_100%\xe2\x82\x0e"),
                 "K\xc3\xa4se %FF%FE_100%%E2%82\x0e");
    assert_value(REPORT_FORMAT_CSV, report_text("\xff,\"\xc3\xa4\\\n"), "\"%FF,\"\"\xc3\xa4\\\n\"");
}
END_TEST

/* The second control set, and what changes the direction of the text after it. */
START_TEST(hidden_characters_are_escaped_in_text_and_json)
{
    assert_value(REPORT_FORMAT_TEXT, report_text("a\xc2\x9b\x33m"), "a\\u009b3m");
    assert_value(REPORT_FORMAT_JSON, report_text("a\xc2\x9b\x33m"), "\"a\\u009b3m\"");
    assert_value(REPORT_FORMAT_TEXT, report_text("\xe2\x80\xae\xe2\x81\xa6\xd8\x9c"),
                 "\\u202e\\u2066\\u061c");
    assert_value(REPORT_FORMAT_JSON, report_text("\xe2\x80\xae"), "\"\\u202e\"");
    assert_value(REPORT_FORMAT_TEXT, report_text("\xe2\x80\xa8\xe2\x80\xa9"), "\\u2028\\u2029");
    assert_value(REPORT_FORMAT_CSV, report_text("\xe2\x80\xae"), "\xe2\x80\xae"); /* exact */
    ck_assert_uint_eq(text_width("a\xc2\x9b\xe2\x80\xae"), 13);
}
END_TEST

START_TEST(the_width_of_a_text_is_counted_in_columns)
{
    ck_assert_uint_eq(text_width(""), 0);
    ck_assert_uint_eq(text_width("K\xc3\xa4se"), 4);
    ck_assert_uint_eq(text_width("Ka\xcc\x88se"), 4);
    ck_assert_uint_eq(text_width("\xe6\x9d\xb1\xe4\xba\xac"), 4);
    ck_assert_uint_eq(text_width("\xf0\x9f\xa7\x80"), 2);
    ck_assert_uint_eq(text_width("a\nb\xff"), 9);
    ck_assert_uint_eq(text_fitting("\xe6\x9d\xb1\xe4\xba\xac", 3), 3);
    ck_assert_uint_eq(text_fitting("Ka\xcc\x88se", 2), 4);
}
END_TEST

START_TEST(the_variable_sets_the_columns_else_there_are_eighty)
{
    setenv("COLUMNS", "120", 1);
    ck_assert_uint_eq(text_columns(out), 120);
    setenv("COLUMNS", "1", 1);
    ck_assert_uint_eq(text_columns(out), TEXT_COLUMNS_MIN);
    setenv("COLUMNS", "wide", 1);
    ck_assert_uint_eq(text_columns(out), 80);
    unsetenv("COLUMNS");
    ck_assert_uint_eq(text_columns(out), 80);
}
END_TEST

START_TEST(words_are_wrapped_after_an_indent)
{
    text_wrap(out, "one two three four", 4, 2, 12);
    assert_written("one two\n  three four\n");
    text_wrap(out, "unbreakable-word x", 0, 0, 10);
    assert_written("unbreakable-word\nx\n");
}
END_TEST

START_TEST(a_path_is_its_names_with_arrows_between_them)
{
    static const char *const names[] = {"Shoe", "Leather", "", "A -> B"};
    static const char *const paths[] = {"", "Shoe", "Shoe -> Leather", "Shoe -> Leather -> ",
                                        "Shoe -> Leather ->  -> A -> B"};
    for (size_t count = 0; count <= 4; count++) {
        char *text = text_path(names, count);
        ck_assert_str_eq(text, paths[count]);
        free(text);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        integers_and_decimals_are_plain_digits,
        text_has_separators_units_and_as_many_digits_as_matter,
        numbers_have_a_point_in_any_locale,
        unknown_values_are_dashes_empty_cells_or_null,
        bytes_have_a_unit_in_text_only,
        a_rate_is_exact_to_three_digits_and_unknown_without_time,
        every_byte_gives_valid_json,
        json_keeps_utf8_and_encodes_what_is_not,
        text_and_csv_keep_utf8_and_encode_what_is_not,
        csv_quotes_what_needs_it,
        a_line_of_text_stays_a_line,
        csv_is_the_first_table_and_nothing_else,
        text_lines_are_aligned_and_rounded,
        text_blocks_have_a_heading_and_one_line_per_value,
        text_may_leave_the_rows_out,
        a_line_of_text_leaves_out_columns_without_a_title,
        a_text_in_a_row_or_its_heading_stays_on_its_line,
        json_has_the_sections_as_objects_and_the_rows_in_an_array,
        a_full_disk_is_noticed,
        counts_times_and_sizes_are_readable_in_text,
        hidden_characters_are_escaped_in_text_and_json,
        the_width_of_a_text_is_counted_in_columns,
        the_variable_sets_the_columns_else_there_are_eighty,
        words_are_wrapped_after_an_indent,
        a_path_is_its_names_with_arrows_between_them,
        NULL,
    };
    return suite_run("report", open_stream, close_stream, tests);
}
