/*
 * table_reader.c - one look at a table of edges, and what it says of it; see table_reader.h.
 */
#include "table_reader.h"
#include "data/read/graph_header.h"
#include "table_look.h"
#include "table_scan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LOOK_SIZE ((size_t)64 << 10)

/* Skip "sep=;", which Excel takes for the separator; the rows show it. */
static void skip_separator_line(struct graph_header *header)
{
    struct graph_header look = *header;
    struct graph_line line;
    if (graph_header_next(&look, &line) && line.end - line.begin > 4 &&
        strncasecmp(line.begin, "sep=", 4) == 0 && graph_line_start(line) + 6 >= line.end) {
        *header = look;
    }
}

/* Look at the table that begins with the next line: at 64 KiB, and at least two whole lines.
 * Afterwards the header is at the first row of edges. False with error set. */
static bool look_at_table(struct graph_header *header, struct table_look *look)
{
    struct text_source *source = header->source;
    struct graph_error ignored = {0};
    struct graph_header walk = *header;
    struct graph_line line;
    while (!source->head_is_all && source->head_length < LOOK_SIZE) {
        if (!text_source_grow_head(source, header->error)) {
            return false;
        }
    }
    if (graph_header_next(&walk, &line)) {
        walk.error = &ignored; /* the reader of the lines reports a fault after the first */
        graph_header_next(&walk, &line);
    }
    struct table_head head = {.path = source->name,
                              .begin = source->head + header->offset,
                              .end = source->head + source->head_length,
                              .is_all = source->head_is_all,
                              .line = header->line + 1};
    const char *last = memrchr(head.begin, '\n', (size_t)(head.end - head.begin));
    head.end = last != NULL && !head.is_all ? last + 1 : head.end;
    if (header->error->message[0] != '\0' ||
        !table_look_at(&head, header->options->format, header->options->columns, look,
                       header->error)) {
        return false;
    }
    for (size_t i = 0; i < look->heading_size; i++) {
        header->line += head.begin[i] == '\n';
    }
    header->offset += look->heading_size;
    return true;
}

/* Say what was decided, if it is more than two columns of ids. */
static void remark_look(const struct graph_header *header, const struct table_look *look)
{
    char text[TABLE_TEXT_SIZE], note[TABLE_TEXT_SIZE + 32];
    if (look->notes.has_sizes) {
        graph_header_remark(header,
                            "the first line gives the counts of nodes and edges below it, but is "
                            "read as an edge",
                            GRAPH_REMEDY_NONE);
    }
    if (look->notes.is_rounded) {
        graph_header_remark(
            header,
            "numbers such as 1.23E+05 may have lost digits in a spreadsheet, so that "
            "several nodes are one",
            GRAPH_REMEDY_NONE);
    }
    if (look->notes.has_lone_row) {
        graph_header_remark(header,
                            "no other row has a word of the first, which is read as an edge; if it "
                            "is a heading, name its words",
                            GRAPH_REMEDY_COLUMNS);
    }
    if (look->is_bipartite) {
        graph_header_remark(header,
                            "the file says that it is bipartite: node 1 of its first column is "
                            "\"left 1\", of its second column \"right 1\"",
                            GRAPH_REMEDY_NONE);
    } else if (!table_look_is_plain(look)) {
        snprintf(note, sizeof(note), "read as: %s", table_look_text(look, text));
        graph_header_remark(header, note, GRAPH_REMEDY_NONE);
    }
}

/* True if edge_scan.h reads each row: its first two columns are ids, whatever follows. */
static bool is_plain_lines(const struct table_look *look, const char *format)
{
    const bool is_csv = format != NULL && strcmp(format, "csv") == 0;
    return look->has_ids && look->ends[0] == 0 && look->ends[1] == 1 &&
           look->direction == TABLE_NO_COLUMN && !look->is_adjacency &&
           look->cut.separator != '|' && !look->is_bipartite && !look->has_points &&
           !(look->cut.separator == ' ' && look->cut.has_quotes) &&
           !(look->is_long || (is_csv && look->cut.has_quotes));
}

static bool look_at(struct graph_header *header, bool is_bipartite)
{
    struct graph_format *format = header->format;
    struct table_look *look = calloc(1, sizeof(*look));
    format->look = look;
    if (look == NULL) {
        return graph_fail(header->error, header->source->name, "out of memory");
    }
    skip_separator_line(header);
    if (!look_at_table(header, look)) {
        return false;
    }
    look->is_bipartite |= is_bipartite;
    look->has_ids &= !is_bipartite;
    format->kind = is_plain_lines(look, header->options->format) ? FORMAT_EDGE_LIST : FORMAT_TABLE;
    format->has_names = !look->has_ids;
    format->rules.has_no_commas =
        look->width > 1 && look->cut.separator != ',' && !look->has_any_cut;
    format->says_columns = look->width > 2;
    remark_look(header, look);
    return true;
}

const struct tables_aid table_reader = {look_at, table_scan_block, table_scan_fail_open};
