/*
 * line_editor.h - a line typed on a terminal, with completion on Tab and a history.
 *
 * Keys: Left, Right, Home, End, Ctrl-A and Ctrl-E move. Backspace, Delete, Ctrl-U (to the start),
 * Ctrl-K (to the end) and Ctrl-W (a word) delete. Up and Down bring earlier lines back. Tab
 * completes. Text is UTF-8: a key moves over, or deletes, a whole character. A line wider than the
 * terminal is scrolled. The caller switches the mode of the terminal (terminal_mode.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define LINE_EDITOR_SIZE    1024 /* bytes of a line and its NUL; what is typed beyond is dropped */
#define LINE_EDITOR_HISTORY 32

/* Complete text in place, in its room of size bytes; may print lines below. */
typedef void line_editor_complete(void *context, char *text, size_t size);

/* All zeros at first. */
struct line_editor {
    const char *prompt; /* of the line being read */
    size_t length;
    size_t cursor; /* bytes before it */
    size_t needs;  /* bytes that the character being typed still lacks */
    bool is_dropping;
    size_t history_count;
    size_t history_at; /* the line shown; history_count: the new one */
    char history[LINE_EDITOR_HISTORY + 1][LINE_EDITOR_SIZE];
};

/*
 * Read a line into text, without its newline. False at the end of the input: Ctrl-D on an empty
 * line, or an error.
 */
bool line_editor_read(struct line_editor *editor, const char *prompt, char text[LINE_EDITOR_SIZE],
                      line_editor_complete *complete, void *context);
