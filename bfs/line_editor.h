/*
 * line_editor.h - a line typed on a terminal, with completion on Tab.
 */
#ifndef PW_LINE_EDITOR_H
#define PW_LINE_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

/* Complete text in place, in its room of size bytes; may print lines below. */
typedef void line_editor_complete(void *context, char *text, size_t size);

/*
 * Read a line into text, without its newline. Backspace, Ctrl-U and Ctrl-W take back; the terminal
 * is as it was before when this returns. False at the end of the input (Ctrl-D, Ctrl-C, an error).
 */
bool line_editor_read(const char *prompt, char *text, size_t size, line_editor_complete *complete,
                      void *context);

#endif
