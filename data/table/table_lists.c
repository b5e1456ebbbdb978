/*
 * table_lists.c - lists of neighbours, which have a colon after their node, or a separator of their
 * own between the neighbours. O(length of the text) per separator.
 */
#include "data/read/edge_line.h"
#include "table_sight.h"
#include <ctype.h>
#include <string.h>

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && isdigit((unsigned char)*p)) {
        p++;
    }
    return p;
}

/* The lines that have a node, a separator, and a list without that separator. */
struct lists {
    size_t count, least, most; /* numbers in the shortest and the longest list */
    char own;                  /* a separator in a list that is no blank, or 0 */
    bool is_wide;              /* a number is no id */
    bool has_zeros;            /* a number begins with 0 */
};

/* See if digits are too large for an id, or begin with 0. */
static void look_at_digits(const char *p, const char *end, struct lists *lists)
{
    const struct csv_column cell = {.begin = p, .length = (size_t)(end - p)};
    uint32_t id;
    lists->has_zeros |= table_cell_has_zeros(&cell);
    lists->is_wide |= lists->has_zeros || (p < end && table_cell_kind(&cell, &id) != CELL_ID);
}

/* True if a text is a list of numbers. */
static bool is_list(const char *p, const char *end, size_t *numbers, struct lists *lists)
{
    while (p < end) {
        const char *stop = skip_digits(p, end);
        *numbers += stop > p;
        look_at_digits(p, stop, lists);
        if (stop < end && !is_one_of(*stop, " \t,;\r")) {
            return false;
        }
        if (stop < end && (*stop == ',' || *stop == ';')) {
            lists->own = *stop;
        }
        p = stop + (stop < end);
    }
    return true;
}

/* True if a line has a node, a separator and a list. Counts it. */
static bool is_list_line(const char *p, const char *end, char separator, struct lists *lists)
{
    size_t numbers = 0;
    const char *stop = skip_digits(p, end);
    const bool has_node = stop > p;
    while (stop < end && *stop == ' ' && separator != ' ') {
        stop++;
    }
    if (!has_node || stop == end || *stop != separator ||
        memchr(stop + 1, separator, (size_t)(end - stop) - 1) != NULL ||
        !is_list(stop + 1, end, &numbers, lists)) {
        return false;
    }
    lists->most = numbers > lists->most ? numbers : lists->most;
    lists->least = numbers < lists->least ? numbers : lists->least;
    look_at_digits(p, skip_digits(p, end), lists);
    lists->count++;
    return true;
}

/* True if a line has a name, a colon and a blank or nothing after it. */
static bool is_colon_line(const char *p, const char *end)
{
    const char *colon = memchr(p, ':', (size_t)(end - p));
    return colon != NULL && colon > p && memchr(p, '\t', (size_t)(end - p)) == NULL &&
           memchr(p, ' ', (size_t)(colon - p)) == NULL &&
           memchr(p, '"', (size_t)(colon - p)) == NULL && table_doubt_bracket(p, end) == NULL &&
           (colon + 1 == end || colon[1] == ' ' || colon[1] == '\r');
}

bool table_lists_find(const char *begin, const char *end, struct table_look *look)
{
    static const char separators[] = {':', '\t', '|', ';', ',', ' '};
    struct lists lists[sizeof(separators)] = {{.count = 0}};
    size_t lines = 0, named = 0;
    char names_own = ' ';
    for (size_t i = 0; i < sizeof(separators); i++) {
        lists[i].least = SIZE_MAX;
    }
    for (const char *p = begin, *stop; p < end; p = stop + 1) {
        stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop != NULL ? stop : end;
        if (p == stop || *p == '#' || *p == '%' || *p == '\r') {
            continue;
        }
        bool fits = false;
        for (size_t i = 0; i < sizeof(separators); i++) {
            fits |= lists[i].count == lines && is_list_line(p, stop, separators[i], &lists[i]);
        }
        if (named == lines && is_colon_line(p, stop)) {
            named++;
            fits = true;
            if (memchr(p, ',', (size_t)(stop - p)) != NULL) {
                names_own = ',';
            }
        }
        lines++;
        if (!fits) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof(separators) && lines > 0; i++) {
        /* A tab and blanks may all be blanks: another separator, or different numbers of
         * neighbours, show a list; one or no number after a tab is a row with an empty cell. */
        const bool is_blank = separators[i] == '\t' || separators[i] == ' ';
        const bool is_sure =
            separators[i] == ':' || (is_blank ? lists[i].own != '\0' : lists[i].most > 1) ||
            (separators[i] == '\t' && lists[i].most > 1 && lists[i].least < lists[i].most);
        if (lists[i].count == lines && is_sure) {
            look->cut.separator = separators[i];
            look->list_separator = ' ';
            look->is_wide = lists[i].is_wide;
            look->notes.has_zeros = lists[i].has_zeros;
            look->has_ids = !look->is_wide;
            return true;
        }
    }
    if (lines > 0 && named == lines) {
        look->cut.separator = ':';
        look->list_separator = names_own;
    }
    return lines > 0 && named == lines;
}
