/*
 * test_line_editor.c - bfs --interactive on a terminal: its keys, its commands, its end, and what
 * it leaves.
 */
#include "tests/support/suite.h"
#include "tests/support/terminal.h"

#define LEFT   "\033[D"
#define RIGHT  "\033[C"
#define UP     "\033[A"
#define DOWN   "\033[B"
#define HOME   "\033[H"
#define END    "\033[F"
#define DELETE "\033[3~"

/* A ring and a dead end. Names that begin alike, one with a space, and characters of two, three and
 * four bytes. */
static const char edges[] =
    "shoe\tleather\nshoe\tsock\nleather\tmilk\nmilk\tblue cheese\n"
    "blue cheese\tcherry\ncherry\tcherry pie\ncherry pie\tcaf\u00e9\ncaf\u00e9\t\u6771\u4eac\n"
    "\u6771\u4eac\tna\u00efve\nna\u00efve\tna\u00eeve\n"
    "na\u00eeve\t\U0001f980\n\U0001f980\tshoe\n"
    "shoe\tzoo\033[31m\nshoe\tzoo\033[32m\n";

static struct terminal terminal;

static void start(void)
{
    const char *graph = fixture_text("graph.txt", edges);
    terminal_start(&terminal, (const char *const[]){PW_BFS, graph, "--interactive", NULL});
    terminal_wait_for(&terminal, "from: ");
}

static void stop(void)
{
    terminal_close(&terminal);
}

static void type(const char *text)
{
    terminal_type(&terminal, text);
}

static void shows(const char *text)
{
    terminal_wait_for(&terminal, text);
}

/* These keys name the node: it is asked for the other, and answers with its way round the ring. */
static void names(const char *keys, const char *node)
{
    char path[200];
    type(keys);
    type("\n");
    shows("to:   ");
    type(node);
    type("\n");
    snprintf(path, sizeof(path), "\n%s -> ", node);
    shows(path);
    shows("from: ");
}

START_TEST(two_names_typed_are_answered_by_the_path_between_them)
{
    type("shoe\n");
    shows("to:   ");
    type("blue cheese\n");
    shows("shoe -> leather -> milk -> blue cheese");
    shows("\r\n3 hops, ");
    shows("from: ");
    type("sock\nshoe\n");
    shows("does not lead to");
    type("\004");
    ck_assert_int_eq(terminal_end(&terminal), 0);
}
END_TEST

START_TEST(tab_completes_a_name_as_far_as_the_names_agree)
{
    type("bl\t");
    shows("from: blue cheese");
    type("\n");
    shows("to:   ");
    type("l\t\n");
    shows("-> shoe -> leather\r\n");
    type("che\t");
    shows("from: cherry");
}
END_TEST

START_TEST(tab_lists_the_names_where_they_differ)
{
    type("s\t");
    shows("\r\n  shoe\r\n  sock\r\n");
    shows("from: s");
    type("o\t\nleather\n");
    shows("does not lead to");
    type("x\t\n"); /* no name begins so */
    shows("no node is called \"x\"");
}
END_TEST

START_TEST(a_misspelt_name_is_answered_by_suggestions_and_asked_for_again)
{
    type("shoo\n");
    shows("no node is called \"shoo\"; did you mean shoe?");
    shows("from: ");
    type("shoe\n");
    shows("to:   ");
    type("zzzzzzzzzzzz\n");
    shows("no node is called \"zzzzzzzzzzzz\"");
    shows("to:   ");
    type("sock\n");
    shows("shoe -> sock");
}
END_TEST

START_TEST(the_line_is_edited_with_the_usual_keys)
{
    names("shock\b\b\b\177oe" LEFT "\177ho", "shoe"); /* backspace sends one or the other */
    names("hoe" HOME "s", "shoe");
    names("he" LEFT "o" LEFT LEFT "s" END, "shoe");
    names("hoes" LEFT DELETE "\001s" RIGHT RIGHT "\005", "shoe");
    names("xshoe\033[1~" DELETE "\033[4~", "shoe");
    names("xshoe\033OH\033[3~\033OF", "shoe");
    names("nothing of it \025shoe", "shoe");
    names("shoeless" LEFT LEFT LEFT LEFT "\013", "shoe");
    names("blue cheese cake\027\b", "blue cheese");
    names("sho" LEFT LEFT LEFT LEFT "\b" RIGHT RIGHT RIGHT RIGHT "e", "shoe");
    names("sh\033[15~\033[1;5P\033xoe", "shoe"); /* F5, some other key, Alt-x */
    names("sh\033[\177\033\177oe" HOME "\033" LEFT END "\be", "shoe");
}
END_TEST

START_TEST(up_and_down_bring_earlier_lines_back)
{
    type("shoe\nsock\n");
    shows("shoe -> sock");
    shows("from: ");
    type(UP);
    shows("from: sock");
    type(UP);
    shows("from: shoe");
    type(UP UP DOWN);
    shows("from: sock");
    type(DOWN "mi");
    shows("from: mi");
    type(UP DOWN "lk\nblue cheese\n"); /* what was being typed is there again */
    shows("milk -> blue cheese");
}
END_TEST

START_TEST(a_key_takes_a_whole_character)
{
    names("caf\u00e8\177\u00e9", "caf\u00e9");
    names("\u4eac" LEFT "\u6771", "\u6771\u4eac");
    names("\u6771x\u4eac" LEFT "\177", "\u6771\u4eac");
    names("\u4eac\u6771\u4eac" HOME DELETE, "\u6771\u4eac");
    names("\U0001f980\u4eac\u6771\177\177", "\U0001f980");
    names("\u6771" RIGHT LEFT RIGHT "\u4eac", "\u6771\u4eac");
}
END_TEST

START_TEST(completion_stops_between_characters)
{
    type("n\t");
    shows("from: na");
    type("\t");
    shows("\r\n  na\u00efve\r\n  na\u00eeve\r\n");
    type("\u00ee\t\n\U0001f980\n");
    shows("na\u00eeve -> \U0001f980");
}
END_TEST

START_TEST(control_characters_of_a_name_are_shown_escaped)
{
    type("zo\t");
    shows("from: zoo\\x1b[3");
    type("\t");
    shows("\r\n  zoo\\x1b[31m\r\n  zoo\\x1b[32m\r\n");
    type("1m\nshoe\n");
    shows("zoo\\x1b[31m does not lead to shoe");
}
END_TEST

START_TEST(ctrl_d_ends_on_an_empty_line_only)
{
    type("sho\004e\nsock\n");
    shows("shoe -> sock");
    type("shoe\n");
    shows("to:   ");
    type("\004");
    ck_assert_int_eq(terminal_end(&terminal), 0);
    ck_assert_int_eq(terminal.seen[terminal.length - 1], '\n');
}
END_TEST

START_TEST(ctrl_c_on_a_half_typed_line_ends_the_program)
{
    type("sh\003");
    ck_assert_int_eq(terminal_end(&terminal), 130);
    shows("\r\nbfs: interrupted\r\n");
}
END_TEST

START_TEST(ctrl_c_during_a_search_ends_the_program)
{
    struct terminal other;
    terminal_start(&other,
                   (const char *const[]){PW_BFS, "generate:nodes=20k", "--interactive", NULL});
    terminal_wait_for(&other, "from: ");
    terminal_type(&other, "1\n2\n\003");
    ck_assert_int_eq(terminal_end(&other), 130);
    terminal_wait_for(&other, "bfs: interrupted");
    terminal_close(&other);
}
END_TEST

START_TEST(sigterm_ends_the_program_and_the_terminal_is_as_before)
{
    type("sh");
    shows("from: sh");
    ck_assert(!terminal_is_as_before(&terminal));
    kill(terminal.program, SIGTERM);
    ck_assert_int_eq(terminal_end(&terminal), 128 + SIGTERM);
    shows("\r\nbfs: interrupted\r\n");
}
END_TEST

/* The terminal of a shell with job control, as a person uses it. */
START_TEST(ctrl_z_gives_the_terminal_back_and_fg_takes_it_again)
{
    struct terminal shell;
    setenv("BFS", PW_BFS, 1);
    setenv("GRAPH", fixture_path("graph.txt"), 1);
    terminal_start(&shell, (const char *const[]){"/bin/sh", "-c",
                                                 "set -m; \"$BFS\" $GRAPH --interactive\n"
                                                 "echo stopped $(($? > 128)); read line\n"
                                                 "fg; echo ended $?",
                                                 NULL});
    terminal_wait_for(&shell, "from: ");
    terminal_type(&shell, "sh");
    terminal_wait_for(&shell, "from: sh");
    terminal_type(&shell, "\032");
    terminal_wait_for(&shell, "stopped 1");
    ck_assert(terminal_is_as_before(&shell));
    terminal_type(&shell, "\n");
    terminal_wait_for(&shell, "from: sh"); /* drawn again by itself */
    ck_assert(!terminal_is_as_before(&shell));
    terminal_type(&shell, "oe\nsock\n");
    terminal_wait_for(&shell, "shoe -> sock");
    terminal_wait_for(&shell, "from: ");
    terminal_type(&shell, "\004");
    terminal_wait_for(&shell, "ended 0");
    ck_assert_int_eq(terminal_end(&shell), 0);
    terminal_close(&shell);
}
END_TEST

START_TEST(continued_after_sigstop_it_takes_the_terminal_again)
{
    type("sh");
    shows("from: sh");
    kill(terminal.program, SIGSTOP);
    ck_assert(WIFSTOPPED(terminal_wait_for_program(&terminal, WUNTRACED)));
    tcsetattr(terminal.line, TCSANOW, &terminal.before); /* as a shell does */
    kill(terminal.program, SIGCONT);
    shows("from: sh");
    ck_assert(!terminal_is_as_before(&terminal));
    type("oe\nsock\n\004");
    ck_assert_int_eq(terminal_end(&terminal), 0);
    shows("shoe -> sock");
}
END_TEST

START_TEST(a_stop_that_nobody_could_continue_changes_nothing)
{
    type("sh");
    shows("from: sh");
    kill(terminal.program, SIGTSTP); /* no shell above: the kernel does not stop it */
    shows("from: sh");
    ck_assert(!terminal_is_as_before(&terminal));
    type("oe\nsock\n\004");
    ck_assert_int_eq(terminal_end(&terminal), 0);
}
END_TEST

START_TEST(many_lines_pasted_at_once_are_all_answered)
{
    enum { PASTED = 500 };
    static const char lines[] = "shoe\nblue cheese\n";
    char *text = malloc(PASTED * (sizeof(lines) - 1) + 2);
    size_t length = 0;
    size_t answers = 0;
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < PASTED; i++) {
        memcpy(text + length, lines, sizeof(lines) - 1);
        length += sizeof(lines) - 1;
    }
    text[length++] = 4;
    terminal_type_bytes(&terminal, text, length);
    free(text);
    ck_assert_int_eq(terminal_end(&terminal), 0);
    for (const char *at = terminal.seen; (at = strstr(at, "shoe -> leather")) != NULL; at++) {
        answers++;
    }
    ck_assert_uint_eq(answers, PASTED);
    ck_assert_msg(strstr(terminal.seen, "\nshoe\r") == NULL, "pasted text was echoed too");
}
END_TEST

/* The most columns that the line took between two redraws: \r, an erase, the prompt, the text. */
static size_t widest_line(const char *seen)
{
    size_t widest = 0;
    while ((seen = strstr(seen, "\r\033[K")) != NULL) {
        size_t width = 0;
        for (seen += 4; *seen != '\r' && *seen != '\n' && *seen != '\0'; seen++) {
            if (seen[0] == '\033' && (seen[1] == '7' || seen[1] == '8')) {
                seen++;
            } else {
                unsigned char byte = (unsigned char)*seen;
                width += byte >= 0xe0 ? 2 : (byte & 0xc0) != 0x80; /* three bytes and four: wide */
            }
        }
        widest = width > widest ? width : widest;
    }
    return widest;
}

START_TEST(a_line_wider_than_the_terminal_is_scrolled)
{
    char line[301] = "";
    memset(line, 'x', 300);
    type(line);
    type("\u6771\u6771\u6771" HOME RIGHT RIGHT END LEFT LEFT "!\n");
    shows("no node is called \"");
    shows("from: ");
    ck_assert_uint_lt(widest_line(terminal.seen), TERMINAL_COLUMNS);
    ck_assert_uint_gt(widest_line(terminal.seen), TERMINAL_COLUMNS - 4);
}
END_TEST

START_TEST(a_line_that_never_ends_is_cut_between_characters)
{
    enum { TYPED = 3000 };
    char *line = malloc(TYPED * 2 + 3);
    ck_assert_ptr_nonnull(line);
    for (size_t i = 0; i < TYPED; i++) {
        memcpy(line + 2 * i, "\u00e9", 2);
    }
    memcpy(line + 2 * TYPED, "x\n", 3);
    type(line);
    free(line);
    shows("\u00e9x\"\r\n"); /* room for one byte was left, and none for half a character */
    type("shoe\nsock\n");
    shows("shoe -> sock");
}
END_TEST

START_TEST(commands_are_obeyed_at_both_prompts)
{
    ck_assert_ptr_nonnull(strstr(terminal.seen, ":help lists commands")); /* the first line */
    type(":help\n");
    shows(":all[=K] [FROM -> TO]");
    shows("from: ");
    type("shoe\nmilk\n");
    shows("shoe -> leather -> milk\r\n2 hops, ");
    shows("from: ");
    type(":all\n");
    shows("shoe -> leather -> milk\r\n2 hops, ");
    shows(" 1 shortest path\r\n");
    type(":back\n");
    shows("milk -> blue cheese -> ");
    shows("from: ");
    type("shoe\n");
    shows("to:   ");
    type(":histogram sh\t\n"); /* a name is completed there, too */
    shows("hops  nodes\r\n");
    shows("shoe reaches ");
    shows("to:   "); /* and the question goes on */
    type(":avoid leather\n");
    shows("to avoid:\r\n  leather\r\n");
    type("milk\n");
    shows("shoe does not lead to milk");
    shows("from: ");
    type(":avoid=none\n");
    shows("no nodes to avoid\r\n");
    type(":complete=name,1 ch\n");
    shows("  cherry\r\n  ... and 1 more\r\n");
    type(":random=1\n");
    shows(" -> ");
    shows("from: ");
    type(":nothing\n");
    shows("there is no command \":nothing\"; :help lists them");
    type(":all=3 shoe -> nowhere\n");
    shows("no node is called \"nowhere\"");
    shows("from: ");
    type(":ask shoe\n");
    shows("to:   ");
    type(":ask blue cheese\n");
    shows("shoe -> leather -> milk -> blue cheese");
    type(":ask SHOE -> sock\n");
    shows("\"SHOE\" is taken for \"shoe\"\r\nshoe -> sock");
    type("\004");
    ck_assert_int_eq(terminal_end(&terminal), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        two_names_typed_are_answered_by_the_path_between_them,
        tab_completes_a_name_as_far_as_the_names_agree,
        tab_lists_the_names_where_they_differ,
        a_misspelt_name_is_answered_by_suggestions_and_asked_for_again,
        the_line_is_edited_with_the_usual_keys,
        up_and_down_bring_earlier_lines_back,
        a_key_takes_a_whole_character,
        completion_stops_between_characters,
        control_characters_of_a_name_are_shown_escaped,
        ctrl_d_ends_on_an_empty_line_only,
        ctrl_c_on_a_half_typed_line_ends_the_program,
        ctrl_c_during_a_search_ends_the_program,
        sigterm_ends_the_program_and_the_terminal_is_as_before,
        ctrl_z_gives_the_terminal_back_and_fg_takes_it_again,
        continued_after_sigstop_it_takes_the_terminal_again,
        a_stop_that_nobody_could_continue_changes_nothing,
        many_lines_pasted_at_once_are_all_answered,
        a_line_wider_than_the_terminal_is_scrolled,
        a_line_that_never_ends_is_cut_between_characters,
        commands_are_obeyed_at_both_prompts,
        NULL,
    };
    return suite_run("line_editor", start, stop, tests);
}
