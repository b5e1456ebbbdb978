/*
 * line_editor.c - the terminal without its own line discipline for the time of one line.
 */
#include "line_editor.h"
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum {
    KEY_CTRL_C = 3,
    KEY_CTRL_D = 4,
    KEY_BACKSPACE = 8,
    KEY_TAB = 9,
    KEY_CTRL_U = 21,
    KEY_CTRL_W = 23,
    KEY_ESCAPE = 27,
    KEY_DELETE = 127,
};

static void show(const char *prompt, const char *text)
{
    printf("\r\033[K%s%s", prompt, text);
    fflush(stdout);
}

/* The next byte typed; -1 at the end or when a signal came. */
static int read_key(void)
{
    unsigned char key;
    return read(STDIN_FILENO, &key, 1) == 1 ? key : -1;
}

/* Take the last character off, all its bytes in UTF-8. */
static size_t without_last(const char *text, size_t length)
{
    while (length > 0 && ((unsigned char)text[--length] & 0xc0) == 0x80) {
    }
    return length;
}

static size_t without_word(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    while (length > 0 && text[length - 1] != ' ') {
        length--;
    }
    return length;
}

/* Arrow keys and the like: the bytes up to a letter are passed over. */
static void skip_escape(void)
{
    int key = read_key();
    while (key == '[' || key == 'O' || key == ';' || (key >= '0' && key <= '9')) {
        key = read_key();
    }
}

/* Edit until the line ends. False at the end of the input. */
static bool edit(const char *prompt, char *text, size_t size, line_editor_complete *complete,
                 void *context)
{
    size_t length = 0;
    for (;;) {
        text[length] = '\0';
        show(prompt, text);
        int key = read_key();
        if (key < 0 || key == KEY_CTRL_C || (key == KEY_CTRL_D && length == 0)) {
            return false;
        } else if (key == '\n' || key == '\r') {
            return true;
        } else if (key == KEY_BACKSPACE || key == KEY_DELETE) {
            length = without_last(text, length);
        } else if (key == KEY_CTRL_U) {
            length = 0;
        } else if (key == KEY_CTRL_W) {
            length = without_word(text, length);
        } else if (key == KEY_ESCAPE) {
            skip_escape();
        } else if (key == KEY_TAB) {
            complete(context, text, size);
            length = strlen(text);
        } else if (key >= ' ' && length + 1 < size) {
            text[length++] = (char)key;
        }
    }
}

bool line_editor_read(const char *prompt, char *text, size_t size, line_editor_complete *complete,
                      void *context)
{
    struct termios before;
    if (tcgetattr(STDIN_FILENO, &before) != 0) {
        return false;
    }
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    bool done = edit(prompt, text, size, complete, context);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    putchar('\n');
    return done;
}
