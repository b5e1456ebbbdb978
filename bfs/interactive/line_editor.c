/*
 * line_editor.c - keys change a line, and after each key the line is drawn again.
 *
 * Not libedit: with it half the tests of test_line_editor fail. A key that it does not know, such
 * as F5, leaves "5~" in the name; Alt-X opens a prompt of its own; a line has no limit, and one
 * wider than the terminal is wrapped. terminal_mode.c would stay for Ctrl-Z and for the end by a
 * signal.
 */
#include "line_editor.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/text/text_form.h"
#include "terminal_mode.h"
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_UNKNOWN 80

#define KEY_CTRL(letter) ((letter) - '@')

enum key {
    KEY_ESCAPE = 27,
    KEY_DELETE_BACK = 127,
    KEY_LEFT = 256, /* from here on no characters */
    KEY_RIGHT,
    KEY_UP,
    KEY_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_DELETE,
    KEY_NONE,
};

/* Characters --------------------------------------------------------------------------------- */

static bool is_inside(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* How many bytes follow the first of a character. */
static size_t bytes_after(unsigned char first)
{
    return first >= 0xf0 && first < 0xf8 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
}

static size_t before(const char *text, size_t at)
{
    while (at > 0 && is_inside(text[--at])) {
    }
    return at;
}

static size_t after(const char *text, size_t length, size_t at)
{
    at += at < length;
    while (at < length && is_inside(text[at])) {
        at++;
    }
    return at;
}

/* The screen ---------------------------------------------------------------------------------- */

static size_t terminal_width(void)
{
    struct winsize size = {0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : WIDTH_UNKNOWN;
}

/* The prompt and as much of the line, around the cursor, as the terminal is wide. */
static void draw(const struct line_editor *editor, const char *text)
{
    const size_t taken = strlen(editor->prompt) + 1; /* the last column is for the cursor */
    const size_t width = terminal_width();
    size_t room = width > taken ? width - taken : 1;
    size_t begin = editor->cursor;
    while (begin > 0 && text_character_width(text + before(text, begin)) <= room) {
        begin = before(text, begin);
        room -= text_character_width(text + begin);
    }
    size_t end = editor->cursor;
    while (end < editor->length && text_character_width(text + end) <= room) {
        room -= text_character_width(text + end);
        end = after(text, editor->length, end);
    }
    printf("\r\033[K%s", editor->prompt);
    text_write_part(stdout, text + begin, editor->cursor - begin);
    if (end > editor->cursor) { /* write the text after the cursor, and come back */
        fputs("\0337", stdout);
        text_write_part(stdout, text + editor->cursor, end - editor->cursor);
        fputs("\0338", stdout);
    }
    fflush(stdout);
}

/* The keyboard -------------------------------------------------------------------------------- */

/* The key for the bytes after an escape. A control character among them ends it. */
static int read_escape(void)
{
    static const struct {
        int byte;
        unsigned number; /* before a tilde */
        int key;
    } endings[] = {
        {'A', 0, KEY_UP},   {'B', 0, KEY_DOWN},   {'C', 0, KEY_RIGHT}, {'D', 0, KEY_LEFT},
        {'H', 0, KEY_HOME}, {'F', 0, KEY_END},    {'~', 1, KEY_HOME},  {'~', 7, KEY_HOME},
        {'~', 4, KEY_END},  {'~', 3, KEY_DELETE}, {'~', 8, KEY_END},
    };
    unsigned number = 0;
    int byte = terminal_mode_read();
    bool is_long = byte == '[' || byte == 'O';
    if (is_long) {
        byte = terminal_mode_read();
    }
    while (is_long && ((byte >= '0' && byte <= '9') || byte == ';')) {
        number = byte == ';' ? number * 1000 : number * 10 + (unsigned)(byte - '0');
        byte = terminal_mode_read();
    }
    if (byte < ' ' || !is_long) {
        return byte < ' ' ? byte : KEY_NONE;
    }
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        if (byte == endings[i].byte && (byte != '~' || number == endings[i].number)) {
            return endings[i].key;
        }
    }
    return KEY_NONE;
}

static int read_key(void)
{
    int key = terminal_mode_read();
    while (key == KEY_ESCAPE) {
        key = read_escape();
    }
    return key;
}

/* The line ------------------------------------------------------------------------------------ */

/* Remove the bytes from begin to end; the cursor moves there. */
static void remove_bytes(struct line_editor *editor, char *text, size_t begin, size_t end)
{
    memmove(text + begin, text + end, editor->length - end + 1);
    editor->length -= end - begin;
    editor->cursor = begin;
}

static size_t word_before(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] == ' ') {
        at--;
    }
    while (at > 0 && text[at - 1] != ' ') {
        at--;
    }
    return at;
}

/* A byte of the text. A character that does not fit is dropped, all its bytes. */
static void insert(struct line_editor *editor, char *text, char byte)
{
    if (!is_inside(byte)) {
        editor->needs = bytes_after((unsigned char)byte);
        editor->is_dropping = editor->length + editor->needs + 1 >= LINE_EDITOR_SIZE;
    } else if (editor->needs > 0) {
        editor->needs--;
    }
    if (!editor->is_dropping && editor->length + 1 < LINE_EDITOR_SIZE) {
        char *at = text + editor->cursor;
        memmove(at + 1, at, editor->length - editor->cursor + 1);
        *at = byte;
        editor->length++;
        editor->cursor++;
    }
}

static void replace(struct line_editor *editor, char *text, const char *with)
{
    memmove(text, with, strlen(with) + 1);
    editor->length = editor->cursor = strlen(text);
}

/* Show another line of the history; the new line is kept after the last. */
static void recall(struct line_editor *editor, char *text, size_t at)
{
    if (at <= editor->history_count) {
        if (editor->history_at == editor->history_count) {
            memcpy(editor->history[editor->history_at], text, editor->length + 1);
        }
        editor->history_at = at;
        replace(editor, text, editor->history[at]);
    }
}

static void remember(struct line_editor *editor, const char *text)
{
    size_t count = editor->history_count;
    if (text[0] == '\0' || (count > 0 && strcmp(editor->history[count - 1], text) == 0)) {
        return;
    }
    if (count == LINE_EDITOR_HISTORY) {
        memmove(editor->history[0], editor->history[1], --count * sizeof(editor->history[0]));
    }
    memcpy(editor->history[count], text, strlen(text) + 1);
    editor->history_count = count + 1;
    pw_assert(editor->history_count <= LINE_EDITOR_HISTORY);
}

/* What a key that neither ends nor completes the line does to it. */
static void press(struct line_editor *editor, char *text, int key)
{
    const size_t cursor = editor->cursor;
    const size_t length = editor->length;
    if (key < 0x80 || key > 0xff) {
        editor->needs = 0; /* the rest of an incomplete character will not come */
    }
    if (key == '\b' || key == KEY_DELETE_BACK) {
        remove_bytes(editor, text, before(text, cursor), cursor);
    } else if (key == KEY_DELETE || key == KEY_CTRL('D')) {
        remove_bytes(editor, text, cursor, after(text, length, cursor));
    } else if (key == KEY_CTRL('U')) {
        remove_bytes(editor, text, 0, cursor);
    } else if (key == KEY_CTRL('K')) {
        remove_bytes(editor, text, cursor, length);
    } else if (key == KEY_CTRL('W')) {
        remove_bytes(editor, text, word_before(text, cursor), cursor);
    } else if (key == KEY_LEFT) {
        editor->cursor = before(text, cursor);
    } else if (key == KEY_RIGHT) {
        editor->cursor = after(text, length, cursor);
    } else if (key == KEY_HOME || key == KEY_CTRL('A')) {
        editor->cursor = 0;
    } else if (key == KEY_END || key == KEY_CTRL('E')) {
        editor->cursor = length;
    } else if (key == KEY_UP) {
        recall(editor, text, editor->history_at - 1); /* from 0 it is past the end: nothing */
    } else if (key == KEY_DOWN) {
        recall(editor, text, editor->history_at + 1);
    } else if (key >= ' ' && key < KEY_LEFT) {
        insert(editor, text, (char)key);
    }
    pw_assert(editor->cursor <= editor->length && editor->length < LINE_EDITOR_SIZE);
    pw_assert(text[editor->length] == '\0');
}

bool line_editor_read(struct line_editor *editor, const char *prompt, char text[LINE_EDITOR_SIZE],
                      line_editor_complete *complete, void *context)
{
    editor->prompt = prompt;
    editor->length = editor->cursor = editor->needs = 0;
    editor->history_at = editor->history_count;
    text[0] = '\0';
    for (;;) {
        if (editor->needs == 0) {
            draw(editor, text);
        }
        int key = read_key();
        if (key == '\n' || key == '\r') {
            break;
        }
        if (key == TERMINAL_END || (key == KEY_CTRL('D') && editor->length == 0)) {
            putchar('\n');
            return false;
        }
        if (key == '\t') {
            complete(context, text, LINE_EDITOR_SIZE);
            replace(editor, text, text);
        } else {
            press(editor, text, key);
        }
    }
    putchar('\n');
    remember(editor, text);
    return true;
}
