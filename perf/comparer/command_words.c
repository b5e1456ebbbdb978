/*
 * command_words.c - see command_words.h. wordexp(3) has the grammar.
 */
#include "command_words.h"

bool command_words_split(wordexp_t *words, const char *text, struct command_error *error)
{
    switch (wordexp(text, words, WRDE_NOCMD)) {
    case 0:
        if (words->we_wordc > 0 && words->we_wordv[0][0] != '\0') {
            return true;
        }
        wordfree(words);
        return command_fail(error, "--command: \"%.100s\" names no program", text);
    case WRDE_BADCHAR:
    case WRDE_CMDSUB:
        return command_fail(error,
                            "--command: \"%.200s\" needs a shell; --command \"sh -c '...'\" runs "
                            "one, and measures it too",
                            text);
    case WRDE_NOSPACE:
        return command_fail(error, "out of memory for the words of a command");
    default:
        return command_fail(error, "--command: a quote of \"%.200s\" is not closed", text);
    }
}
