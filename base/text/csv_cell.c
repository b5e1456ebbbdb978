/*
 * csv_cell.c - see csv_cell.h.
 */
#include "csv_cell.h"
#include <stdbool.h>
#include <stddef.h>

char *csv_cell(char **at)
{
    char *cell = *at, *to = cell;
    const char *from = cell;
    bool quoted = false;
    for (; *from != '\0' && (quoted || *from != ','); from++) {
        if (*from != '"') {
            *to++ = *from;
        } else if (quoted && from[1] == '"') {
            *to++ = *from++;
        } else {
            quoted = !quoted;
        }
    }
    *at = *from == ',' ? cell + (from - cell) + 1 : NULL;
    *to = '\0';
    return cell;
}
