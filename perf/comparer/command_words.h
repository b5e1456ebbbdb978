/*
 * command_words.h - the words of a command that was typed as one text.
 */
#pragma once

#include "base/program/command_error.h"
#include <wordexp.h>

/*
 * Split a command as a shell does: blanks, quotes, backslashes, $NAME and * have their meaning.
 * What needs a running shell (pipes, redirections, several commands, $(...)) is refused, because
 * the shell would be measured too. False with error set; otherwise wordfree frees the words.
 */
bool command_words_split(wordexp_t *words, const char *text, struct command_error *error);
