/*
 * table_text.c - says in one line what a look at a table decided.
 */
#include "base/one_line.h"
#include "table_look.h"
#include "table_words.h"
#include <stdio.h>
#include <string.h>

bool table_look_is_plain(const struct table_look *look)
{
    const bool has_words =
        look->has_heading &&
        table_words_compare(look->words[0], strlen(look->words[0]), look->words[1],
                            strlen(look->words[1])) == WORDS_KNOWN;
    return look->width <= 2 && (!look->has_heading || has_words) && !look->is_wide &&
           !look->is_adjacency && look->ends[0] == 0 && !look->has_index &&
           (look->has_ids || look->cut.separator != ' ');
}

const char *table_look_text(const struct table_look *look, char text[TABLE_TEXT_SIZE])
{
    const char separator = look->cut.separator;
    size_t used = (size_t)snprintf(text, TABLE_TEXT_SIZE, "%s%s",
                                   look->is_adjacency  ? "lists of neighbours"
                                   : separator == ','  ? "CSV"
                                   : separator == ';'  ? "CSV with semicolons"
                                   : separator == '|'  ? "a table with |"
                                   : separator == '\t' ? "TSV"
                                                       : "a table with blanks",
                                   !look->has_heading ? ""
                                   : separator == ';' || separator == '|' || separator == ' '
                                       ? " and a heading"
                                       : " with a heading");
    const size_t others = look->width - 2 - (look->direction != TABLE_NO_COLUMN);
    if (look->is_adjacency) {
        used += (size_t)snprintf(text + used, TABLE_TEXT_SIZE - used, " after a %s",
                                 separator == ':'    ? "colon"
                                 : separator == '\t' ? "tab"
                                 : separator == ' '  ? "blank"
                                 : separator == ','  ? "comma"
                                 : separator == ';'  ? "semicolon"
                                                     : "|");
    } else if (look->words[0][0] != '\0' && look->words[1][0] != '\0') {
        used += (size_t)snprintf(text + used, TABLE_TEXT_SIZE - used, ", from \"%s\" to \"%s\"",
                                 look->words[0], look->words[1]);
    } else {
        used +=
            (size_t)snprintf(text + used, TABLE_TEXT_SIZE - used, ", from column %zu to column %zu",
                             look->ends[0] + 1, look->ends[1] + 1);
    }
    if (!look->is_adjacency && look->direction != TABLE_NO_COLUMN) {
        used +=
            (size_t)snprintf(text + used, TABLE_TEXT_SIZE - used, ", directed as \"Type\" says");
    }
    if (!look->is_adjacency && look->width > 2 && others > 0) {
        used += (size_t)snprintf(text + used, TABLE_TEXT_SIZE - used,
                                 ", %zu other column%s ignored", others, others > 1 ? "s" : "");
    }
    snprintf(text + used, TABLE_TEXT_SIZE - used, ", %s",
             look->has_ids           ? "ids"
             : look->notes.has_zeros ? "names (a number begins with 0)"
             : look->is_wide         ? "names (a number is not an id: below 0, or beyond 32 bits)"
                                     : "names");
    one_line(text);
    return text;
}
