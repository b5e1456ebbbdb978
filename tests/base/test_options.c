/*
 * test_options.c - the table of options: every kind of value, --help, "did you mean", and the same
 * rules in every program.
 */
#include "base/macros.h"
#include "bfs/options/options.h"
#include "tests/support/json.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

struct inner {
    const char *word;
    double share;
};

struct outer {
    unsigned action;
    bool flag, given;
    uint64_t number, bytes, ns;
    unsigned small;
    enum report_format choice;
    const char *text, *file;
    struct inner inner;
};

static bool read_own(const char *value, void *field, struct command_error *error)
{
    *(const char **)field = value;
    return value[0] == 'a' || command_fail(error, "expected an a, found \"%s\"", value);
}

static const struct option_row outer_rows[] = {
    {"flag", 'f', NULL, "a flag", OPTION_FLAG(struct outer, flag)},
    {"number", 'n', "N", "a number", OPTION_NUMBER(struct outer, number, 10, 2000),
     .given = offsetof(struct outer, given)},
    {"small", 0, "N", "a number of 4 bytes", OPTION_NUMBER(struct outer, small, 0, UINT32_MAX)},
    {"bytes", 0, "BYTES", "a size", OPTION_SIZE(struct outer, bytes)},
    {"wait", 0, "SECONDS", "a time", OPTION_SECONDS(struct outer, ns)},
    {"choice", 0, "[WHAT]", "an optional word", OPTION_CHOICE(struct outer, choice, "a, bb, c"),
     .implied = "bb"},
    {"text", 0, "TEXT", "a text", OPTION_TEXT(struct outer, text)},
    {"file", 0, "FILE", "a file", OPTION_FILE(struct outer, file)},
    {"own", 0, "VALUE",
     "a value in a language of its own, explained in so many words that its paragraph needs "
     "several lines, none of which is wider than a terminal",
     OPTION_OWN(struct outer, text, read_own)},
    OPTION_HELP_AND_VERSION(struct outer, action),
    {0},
};

static const struct option_row inner_rows[] = {
    {"word", 0, "WORD", "a word", OPTION_WORD(struct inner, word, "yes, no")},
    {"share", 0, "X", "a real number", OPTION_REAL(struct inner, share, 0, 1)},
    {"old-share", 0, "X", NULL, OPTION_REAL(struct inner, share, 0, 1)},
    {0},
};

static const struct option_group test_groups[] = {
    {"Outer", outer_rows, 0},
    {"Inner", inner_rows, offsetof(struct outer, inner)},
    {0},
};

static const struct command test_command = {
    .name = "test", .introduction = "Usage\n", .groups = test_groups, .epilogue = "End\n"};

static struct command_error error;

/* Parse up to two arguments; the number of operands, or -1. */
static int parse(struct outer *outer, const char *one, const char *two)
{
    const char *operand = NULL;
    char *arguments[] = {(char *)(uintptr_t) "test", (char *)(uintptr_t)one, (char *)(uintptr_t)two,
                         NULL};
    *outer = (struct outer){0};
    error.message[0] = '\0';
    return command_parse(&test_command, arguments, outer, &operand, 1, &error);
}

static void assert_refused(const char *argument, const char *message)
{
    struct outer outer;
    ck_assert_int_eq(parse(&outer, argument, NULL), -1);
    ck_assert_str_eq(error.message, message);
}

START_TEST(every_kind_of_value_goes_to_its_field)
{
    struct outer outer;
    ck_assert(parse(&outer, "--flag", "operand") == 1 && outer.flag);
    ck_assert(parse(&outer, "-n2k", "-f") == 0 && outer.number == 2000 && outer.given &&
              outer.flag);
    ck_assert(parse(&outer, "--small", "4294967295") == 0 && outer.small == UINT32_MAX);
    ck_assert(parse(&outer, "--bytes=2M", NULL) == 0 && outer.bytes == 2097152);
    ck_assert(parse(&outer, "--wait=0.25", NULL) == 0 && outer.ns == 250000000);
    ck_assert(parse(&outer, "--choice=c", NULL) == 0 && outer.choice == 2);
    ck_assert(parse(&outer, "--choice", NULL) == 0 && outer.choice == 1);
    ck_assert(parse(&outer, "--text=", NULL) == 0 && outer.text[0] == '\0');
    ck_assert(parse(&outer, "--own=abc", NULL) == 0 && strcmp(outer.text, "abc") == 0);
    ck_assert(parse(&outer, "--word=no", NULL) == 0 && strcmp(outer.inner.word, "no") == 0);
    ck_assert(parse(&outer, "--old-share=.5", NULL) == 0 && outer.inner.share == 0.5);
    ck_assert(parse(&outer, "-V", "-h") == 0 && outer.action == ACTION_VERSION);
    ck_assert(parse(&outer, "--", "--flag") == 1 && !outer.flag);
    ck_assert(parse(&outer, "--fl", NULL) == 0 && outer.flag);
    ck_assert(parse(&outer, "-fn20", NULL) == 0 && outer.flag && outer.number == 20);
    ck_assert(parse(&outer, "-fn", "20") == 0 && outer.flag && outer.number == 20);
    ck_assert(parse(&outer, "-", "-f") == 1 && outer.flag);
}
END_TEST

START_TEST(a_refused_value_is_one_sentence_with_option_rule_and_value)
{
    assert_refused("--number=9", "--number takes a number from 10 to 2000, found \"9\"");
    assert_refused("--number=3k", "--number takes a number from 10 to 2000, found \"3k\"");
    assert_refused("-n0.1k1", "--number takes a number from 10 to 2000, found \"0.1k1\"");
    assert_refused("--small=5G", "--small takes a number from 0 to 4294967295, found \"5G\"");
    assert_refused("--bytes=16777216T",
                   "--bytes takes bytes such as 8G or 512M, found \"16777216T\"");
    assert_refused("--choice=b", "--choice knows no \"b\"; there are a, bb, c");
    assert_refused("--choice=", "--choice knows no \"\"; there are a, bb, c");
    assert_refused("--file=", "--file needs the name of a file");
    assert_refused("--own=x", "--own: expected an a, found \"x\"");
    assert_refused("--share=0", "--share takes more than 0 and at most 1, found \"0\"");
    assert_refused("--share=nan", "--share takes more than 0 and at most 1, found \"nan\"");
    assert_refused("-fz", "unknown option \"-z\"; test --help lists them");
    assert_refused("-fn", "option \"--number\" needs a value");
    assert_refused("--number", "option \"--number\" needs a value");
    assert_refused("--flag=1", "option \"--flag\" takes no value, found \"1\"");
    assert_refused("--f", "option \"--f\" may be any of --flag, --file; write it out");
    struct outer outer;
    ck_assert_int_eq(parse(&outer, "one", "two"), -1);
    ck_assert_str_eq(error.message, "\"two\" is one argument too many");
}
END_TEST

START_TEST(a_mistyped_option_gets_one_or_two_suggestions_if_they_are_near)
{
    assert_refused("--nubmer=5", "unknown option \"--nubmer\"; did you mean --number?");
    assert_refused("--numbers", "unknown option \"--numbers\"; did you mean --number?");
    assert_refused("--filename=x", "unknown option \"--filename\"; did you mean --file?");
    assert_refused("--sxare=1", "unknown option \"--sxare\"; did you mean --share?");
    assert_refused("--fiag", "unknown option \"--fiag\"; did you mean --flag?");
    assert_refused("--fill", "unknown option \"--fill\"; did you mean --file?");
    assert_refused("--versoin", "unknown option \"--versoin\"; did you mean --version?");
    assert_refused("--elephant", "unknown option \"--elephant\"; test --help lists them");
    assert_refused("--xyz", "unknown option \"--xyz\"; test --help lists them");
    assert_refused("-z", "unknown option \"-z\"; test --help lists them");
}
END_TEST

/* The help of a command; freed by the caller. */
static char *help_of(const struct command *command)
{
    static char *text;
    static size_t length;
    FILE *out = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(out);
    command_write_help(out, command);
    fclose(out);
    return text;
}

static void assert_help_is_whole(const struct command *command)
{
    char *help = help_of(command);
    for (const struct option_group *group = command->groups; group->title != NULL; group++) {
        ck_assert_ptr_nonnull(strstr(help, group->title));
        for (const struct option_row *row = group->rows; row->name != NULL; row++) {
            char name[64];
            snprintf(name, sizeof(name), " --%s", row->name);
            const char *found = strstr(help, name);
            while (found != NULL && strchr(" =[\n", found[strlen(name)]) == NULL) {
                found = strstr(found + 1, name);
            }
            ck_assert_msg((found != NULL) == (row->help != NULL), "%s", name);
            ck_assert(row->help == NULL ||
                      (row->help[0] != '\0' && strchr(row->help, '\n') == NULL));
        }
    }
    for (const char *line = help; *line != '\0'; line = strchr(line, '\n') + 1) {
        ck_assert_msg(strcspn(line, "\n") <= 80, "%.100s", line);
    }
    free(help);
}

START_TEST(every_option_of_the_table_is_in_the_help_which_fits_80_columns)
{
    assert_help_is_whole(&test_command);
    assert_help_is_whole(&bfs_command);
    char *help = help_of(&test_command);
    ck_assert_ptr_nonnull(strstr(help, "  -n, --number=N          a number\n"));
    ck_assert_ptr_nonnull(strstr(help, "      --choice[=WHAT]     an optional word\n"));
    ck_assert_ptr_null(strstr(help, "old-share"));
    free(help);
}
END_TEST

START_TEST(the_table_is_written_as_json_for_manuals_and_completions)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    command_write_table(out, &test_command);
    fclose(out);
    static const char *const parts[] = {
        "{\"program\":\"test\",\n\"version\":\"",
        "\"introduction\":\"Usage\\u000a\",\n\"groups\":[\n{\"title\":\"Outer\",\"options\":[",
        "{\"name\":\"number\",\"letter\":\"n\",\"argument\":\"N\",\"optional\":false,"
        "\"kind\":\"number\",\"words\":[],\"help\":\"a number\"}",
        "{\"name\":\"choice\",\"letter\":null,\"argument\":\"WHAT\",\"optional\":true,"
        "\"kind\":\"choice\",\"words\":[\"a\",\"bb\",\"c\"],\"help\":\"an optional word\"}",
        "{\"name\":\"file\",\"letter\":null,\"argument\":\"FILE\",\"optional\":false,"
        "\"kind\":\"file\"",
        "\"epilogue\":\"End\\u000a\"}\n"};
    ck_assert(json_is_valid(text));
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        ck_assert_msg(strstr(text, parts[i]) != NULL, "%s\n%s", parts[i], text);
    }
    ck_assert_ptr_null(strstr(text, "old-share"));
    free(text);
}
END_TEST

static struct program_result run(const char *program, const char *one, const char *two)
{
    char path[512];
    const char *const arguments[] = {path, one, two, NULL};
    snprintf(path, sizeof(path), PW_PROGRAMS "/%s", program);
    return program_run_to(NULL, arguments);
}

static const char *const programs[] = {"bfs", "graph-convert", "graph-info", "allocbench"};

START_TEST(every_program_has_the_common_options_and_knows_what_its_help_lists)
{
    for (size_t i = 0; i < COUNT_OF(programs); i++) {
        struct program_result version = run(programs[i], "-V", NULL);
        struct program_result help = run(programs[i], "-h", NULL);
        ck_assert_int_eq(version.status, 0);
        ck_assert_int_eq(strncmp(version.out, programs[i], strlen(programs[i])), 0);
        ck_assert_ptr_nonnull(strstr(version.out, " (pointer_wars) "));
        ck_assert_ptr_nonnull(strstr(help.out, "-q, --quiet"));
        for (const char *at = help.out; (at = strstr(at, "  --")) != NULL; at++) {
            char name[64];
            snprintf(name, sizeof(name), "%.*s", (int)strcspn(at + 2, " =[\n"), at + 2);
            struct program_result known = run(programs[i], name, "--help");
            ck_assert_msg(strstr(known.err, "unknown option") == NULL, "%s %s", programs[i], name);
            program_free(&known);
        }
        struct program_result table = run(programs[i], "--option-table", NULL);
        ck_assert_int_eq(table.status, 0);
        ck_assert_ptr_nonnull(strstr(table.out, "\"name\":\"help\",\"letter\":\"h\""));
        program_free(&table);
        struct program_result wrong = run(programs[i], "--versoin", NULL);
        ck_assert_int_eq(wrong.status, 2);
        ck_assert_ptr_nonnull(strstr(wrong.err, "did you mean --version?"));
        ck_assert_uint_eq(program_line_count(wrong.err), 1);
        program_free(&wrong);
        program_free(&help);
        program_free(&version);
    }
}
END_TEST

START_TEST(a_suffix_means_the_same_in_every_program_and_the_range_is_of_the_product)
{
    static const struct {
        const char *program, *legal, *illegal;
    } cases[] = {
        {"bfs", "--trials=1M", "--trials=1.1M"},
        {"bfs", "--sim-nodes=4G", "--sim-nodes=5G"},
        {"bfs", "--memory-limit=16777215T", "--memory-limit=16777216T"},
        {"graph-convert", "--threads=0.2k", "--threads=1k"},
        {"graph-convert", "--memory-limit=16777215T", "--memory-limit=16777216T"},
        {"graph-convert", "--pairs=4G", "--pairs=5G"},
        {"graph-info", "--threads=0.2k", "--threads=1k"},
        {"graph-info", "--memory-limit=16777215T", "--memory-limit=16777216T"},
        {"allocbench", "--rounds=1M", "--rounds=1001k"},
        {"allocbench", "--counts=1,1M", "--counts=1,1.1M"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct program_result legal = run(cases[i].program, cases[i].legal, "--version");
        struct program_result illegal = run(cases[i].program, cases[i].illegal, "--version");
        ck_assert_msg(legal.status == 0, "%s: %s", cases[i].legal, legal.err);
        ck_assert_msg(illegal.status == 2, "%s %s", cases[i].program, cases[i].illegal);
        ck_assert_uint_eq(program_line_count(illegal.err), 1);
        program_free(&legal);
        program_free(&illegal);
    }
}
END_TEST

START_TEST(the_old_name_of_verify_snapshot_still_works_in_the_graph_programs)
{
    const char *graph = fixture_text("graph.txt", "1 2\n");
    struct program_result info = run("graph-info", "--verify", graph);
    ck_assert_int_eq(info.status, 0);
    program_free(&info);
}
END_TEST

int main(void)
{
    return suite_run(
        "options", NULL, NULL,
        (const TTest *[]){every_kind_of_value_goes_to_its_field,
                          a_refused_value_is_one_sentence_with_option_rule_and_value,
                          a_mistyped_option_gets_one_or_two_suggestions_if_they_are_near,
                          every_option_of_the_table_is_in_the_help_which_fits_80_columns,
                          the_table_is_written_as_json_for_manuals_and_completions,
                          every_program_has_the_common_options_and_knows_what_its_help_lists,
                          a_suffix_means_the_same_in_every_program_and_the_range_is_of_the_product,
                          the_old_name_of_verify_snapshot_still_works_in_the_graph_programs, NULL});
}
