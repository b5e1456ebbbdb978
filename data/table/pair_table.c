/*
 * pair_table.c - see pair_tables in data/read/pairs.h.
 */
#include "pair_table.h"
#include "data/read/edge_line.h"
#include "data/read/text_source.h"
#include "table_look.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines of a text that are there, from the first that is no comment. */
static struct table_head head_of(const struct text_source *source)
{
    struct table_head head = {.path = source->name,
                              .begin = source->head,
                              .end = source->head + source->head_length,
                              .is_all = source->head_is_all,
                              .is_pairs = true,
                              .line = 1};
    while (head.begin < head.end && is_one_of(*head.begin, "#%\n\r")) {
        const char *newline = memchr(head.begin, '\n', (size_t)(head.end - head.begin));
        head.begin = newline != NULL ? newline + 1 : head.end;
        head.line++;
    }
    return head;
}

static bool look_at(const struct text_source *source, const char *columns,
                    struct table_look **found, bool *is_table, char read_as[PAIR_READ_AS_SIZE],
                    struct graph_error *error)
{
    struct graph_error why = {0};
    const struct table_head head = head_of(source);
    struct table_look *look = calloc(1, sizeof(*look));
    char text[TABLE_TEXT_SIZE];
    *found = look;
    *is_table = false;
    if (look == NULL) {
        return graph_fail(error, source->name, "out of memory");
    }
    if (!table_look_at(&head, NULL, columns, look, &why)) {
        if (look->width <= 2 || (columns == NULL && look->cut.separator == ' ')) {
            free(look);
            *found = NULL;
            return true;
        }
        *error = why;
        return false;
    }
    const bool has_others = look->width > 2 || look->ends[0] != 0 || look->ends[1] != 1;
    *is_table = has_others || columns != NULL || (look->has_heading && look->cut.separator != ' ');
    if (has_others || (look->has_heading && !table_look_is_plain(look))) {
        snprintf(read_as, PAIR_READ_AS_SIZE, "%.60s: read as: %s", source->name,
                 table_look_text(look, text));
    }
    return true;
}

static bool is_heading(const struct table_look *look, const char *begin, const char *end,
                       const char *words[2])
{
    words[0] = look->words[0];
    words[1] = look->words[1];
    return look->has_heading && look->head != NULL && (size_t)(end - begin) == look->head_length &&
           memcmp(begin, look->head, look->head_length) == 0;
}

static bool cut(const struct table_look *look, const char *begin, const char *end,
                struct pair_cell cells[2], const char *path, uint64_t line,
                struct graph_error *error)
{
    const char *at = begin;
    char quoted[GRAPH_QUOTE_SIZE];
    enum csv_cut how = CSV_MORE;
    bool has_blanks = false;
    struct csv_column cell;
    cells[0] = cells[1] = (struct pair_cell){.id = 0};
    for (size_t c = 0;
         how == CSV_MORE && table_cell_cut(&look->cut, &at, end, &cell, &how, &has_blanks) &&
         how != CSV_OPEN && how != CSV_BAD;
         c++) {
        for (size_t side = 0; side < 2; side++) {
            if (c == look->ends[side]) {
                cells[side].text = cell;
                cells[side].is_id = table_cell_kind(&cell, &cells[side].id) == CELL_ID;
            }
        }
    }
    return (cells[0].text.length > 0 && cells[1].text.length > 0) ||
           graph_fail_line(error, path, line, "expected nodes in columns %zu and %zu, found %s",
                           look->ends[0] + 1, look->ends[1] + 1,
                           graph_quote(quoted, begin, (size_t)(end - begin)));
}

const struct pair_tables pair_table = {look_at, is_heading, cut};
