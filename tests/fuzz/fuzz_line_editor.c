/*
 * fuzz_line_editor.c - keys typed at the prompt: every line read is text that fits, for any keys,
 * and a line read again from the history is the one that was typed.
 *
 * Each byte of an input is a byte from the terminal. Replaces terminal_mode.c.
 */
#include "bfs/interactive/line_editor.h"
#include "bfs/interactive/terminal_mode.h"
#include "fuzz.h"
#include <stdio.h>
#include <string.h>

static struct fuzz_input typed;
static struct line_editor editor;

int terminal_mode_read(void)
{
    return fuzz_left(&typed) > 0 ? fuzz_take(&typed) : -1;
}

void fuzz_setup(void)
{
    fuzz_require(freopen("/dev/null", "w", stdout) != NULL);
}

/* Completes to another text, or says that there are several. */
static void complete(void *context, char *text, size_t size)
{
    static const char whole[] = "\xc3\x89ire and \xe6\x97\xa5\xe6\x9c\xac";
    size_t length = strlen(text);
    fuzz_require(context == &editor && size == LINE_EDITOR_SIZE && length < size);
    if (length < sizeof(whole) && memcmp(text, whole, length) == 0) {
        memcpy(text, whole, sizeof(whole));
    } else {
        fputs("\n  several\n", stdout);
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    char text[LINE_EDITOR_SIZE];
    typed = (struct fuzz_input){bytes, bytes + length};
    memset(&editor, 0, sizeof(editor));
    memset(text, 0x55, sizeof(text));
    while (line_editor_read(&editor, "from: ", text, complete, &editor)) {
        fuzz_require(memchr(text, '\0', sizeof(text)) != NULL);
        for (const char *p = text; *p != '\0'; p++) {
            fuzz_require((unsigned char)*p >= ' ' && *p != 0x7f);
        }
        fuzz_require(editor.history_count <= LINE_EDITOR_HISTORY);
    }
}
