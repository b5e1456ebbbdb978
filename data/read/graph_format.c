/*
 * graph_format.c - recognises the format of a text and reads its header.
 *
 * 1. The readers of further formats are asked first, then what is known and not read
 *    (graph_reader.h).
 * 2. A Matrix Market banner, or DIMACS lines that open with "c" or "p", are unmistakable.
 * 3. METIS is recognised by a first line "nodes edges" that fits lines of uneven length below it,
 *    or by its ending.
 * 4. Anything else is a table of edges: two ids per line, or what the reader of tables that the
 *    caller lends (text_aids.h) makes of it.
 * Sources: the formats' own pages; SNAP, KONECT, 9th DIMACS challenge, METIS manual 5.1.
 */
#include "graph_format.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "matrix_market.h"
#include "metis.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Find the first line that is not a comment (also not one of DIMACS), without moving the walk. */
static bool find_data(const struct graph_header *header, struct graph_line *line)
{
    struct graph_error ignored = {0};
    struct graph_header look = *header;
    look.error = &ignored;
    return graph_header_next_data(&look, 'c', "", line);
}

/* True for "p sp 3 2" and other problems, not for a heading of a table that is called p. */
static bool is_problem(struct graph_line line)
{
    const char *p = line.end;
    while (p > line.begin && is_one_of(p[-1], " \t\r")) {
        p--;
    }
    return graph_line_has_letter(line, 'p') && p[-1] >= '0' && p[-1] <= '9';
}

static bool dimacs_matches(const struct graph_header *header)
{
    struct graph_line line;
    return find_data(header, &line) && is_problem(line);
}

static bool dimacs_read(struct graph_header *header)
{
    static const char problem[] = "line \"p sp nodes arcs\"";
    struct graph_line line;
    uint64_t values[4];
    if (!graph_header_next_data(header, 'c', problem, &line)) {
        return false;
    }
    struct graph_line rest = {line.begin + 1, line.end};
    rest.begin = graph_line_start(rest);
    bool is_shortest = graph_line_has_letter(line, 'p') && rest.end - rest.begin > 2 &&
                       memcmp(rest.begin, "sp", 2) == 0;
    rest.begin += is_shortest ? 2 : 0;
    if (!is_shortest || graph_line_numbers(rest, values) != 2 || values[0] > GRAPH_NODE_MAX) {
        return graph_header_fail(header, problem + strlen("line "), line);
    }
    header->format->kind = FORMAT_DIMACS;
    header->format->rules.prefix = 'a';
    header->format->rules.comment = 'c';
    graph_header_remark_weights(header);
    graph_header_declare(header, values[0], values[0], values[1]);
    return true;
}

/* True if the first token, up to a blank or comma, is of digits only. */
static bool first_is_number(struct graph_line line)
{
    const char *begin = graph_line_start(line);
    const char *p = begin;
    while (p < line.end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p > begin && (p == line.end || is_one_of(*p, " \t\r,;"));
}

static bool begins_with(struct graph_line line, const char *start)
{
    const size_t length = strlen(start);
    return (size_t)(line.end - line.begin) >= length && strncasecmp(line.begin, start, length) == 0;
}

static void remark_undirected(const struct graph_header *header, struct graph_line line)
{
    if (begins_with(line, "# Undirected graph") || begins_with(line, "% sym") ||
        begins_with(line, "% bip")) {
        graph_header_remark(header,
                            "the file says that its edges have no direction; it is read as it "
                            "is",
                            GRAPH_REMEDY_UNDIRECTED);
    }
}

/* SNAP's files give the number of nodes, including nodes without an edge, in a comment. */
static void remark_nodes(struct graph_format *format, struct graph_line line)
{
    static const char snap[] = "# Nodes:";
    const size_t length = sizeof(snap) - 1;
    uint64_t count;
    if ((size_t)(line.end - line.begin) > length && memcmp(line.begin, snap, length) == 0) {
        line.begin += length;
        format->declared_nodes = graph_line_number(&line, &count) ? count : 0;
    }
}

/* A table of edges: ids or names, with or without a heading. Afterwards the header is at the first
 * line of edges. */
static bool edges_read(struct graph_header *header)
{
    bool is_bipartite = false;
    struct graph_header start;
    struct graph_line line;
    header->format->rules.is_table = true;
    do {
        start = *header;
        if (!graph_header_next(header, &line)) {
            return header->error->message[0] == '\0';
        }
        remark_undirected(header, line);
        is_bipartite |= begins_with(line, "% bip");
        remark_nodes(header->format, line);
    } while (graph_line_is_comment(line));
    *header = start;
    return header->tables == NULL || header->tables->look(header, is_bipartite);
}

/* True if a path ends in ending (".graph"), with or without the ending of a compression. */
static bool path_ends(const char *path, const char *ending)
{
    static const char *const packed[] = {"", ".gz", ".bz2", ".xz", ".zst"};
    size_t length = strlen(path), wanted = strlen(ending);
    for (size_t i = 0; i < COUNT_OF(packed); i++) {
        size_t more = strlen(packed[i]);
        if (length > wanted + more && strcmp(path + length - more, packed[i]) == 0 &&
            strncasecmp(path + length - more - wanted, ending, wanted) == 0) {
            return true;
        }
    }
    return false;
}

/* In gapbs and the 10th DIMACS challenge, the ending .graph means METIS. */
static bool metis_matches_or_ends(const struct graph_header *header)
{
    return path_ends(header->source->name, ".graph") || metis_matches(header);
}

/* The further format that has this name or matches, or NULL. */
static const struct graph_reader *find_reader(const struct graph_readers *readers,
                                              const struct graph_head *head, const char *format)
{
    for (const struct graph_reader *reader = readers->list; reader->name != NULL; reader++) {
        if (format != NULL ? strcmp(reader->name, format) == 0 : reader->matches(head)) {
            return reader;
        }
    }
    return NULL;
}

/* In the order in which they are tried; the first that matches wins. */
static const struct text_format {
    const char *name;
    bool (*matches)(const struct graph_header *header); /* NULL: any text */
    bool (*read)(struct graph_header *header);
} text_formats[] = {
    {"matrix-market", matrix_market_matches, matrix_market_read},
    {"dimacs", dimacs_matches, dimacs_read},
    {"metis", metis_matches_or_ends, metis_read},
    {"edges", NULL, edges_read},
    {"names", NULL, edges_read},
    {"csv", NULL, edges_read},
    {"adjacency", NULL, edges_read},
};

void graph_format_note_columns(const struct graph_options *options)
{
    if (options->columns != NULL && options->note != NULL) {
        options->note(options->context, "the chosen columns do not count: the graph is not a table",
                      GRAPH_REMEDY_NONE);
    }
}

bool graph_format_read(struct text_source *source, const struct graph_options *options,
                       const struct text_aids *aids, struct graph_format *format,
                       struct graph_error *error)
{
    struct graph_header header = {source, options, aids->tables, format, error, 0, 0};
    const struct graph_readers *readers = aids->readers;
    const struct text_format *known = text_formats;
    const struct text_format *end = text_formats + COUNT_OF(text_formats);
    memset(format, 0, sizeof(*format));
    format->rules.source_max = format->rules.target_max = GRAPH_NODE_MAX;
    const struct graph_head head = {source->head, source->head_length};
    const struct graph_reader *own = find_reader(readers, &head, options->format);
    if (own != NULL) { /* it reads the whole text, from its first line on */
        graph_format_note_columns(options);
        format->kind = FORMAT_OWN_READER;
        format->reader = own;
        return true;
    }
    const bool is_binary = memchr(head.bytes, '\0', head.length) != NULL;
    const char *refusal = options->format == NULL || is_binary ? readers->refuse(&head) : NULL;
    if (refusal != NULL) {
        return graph_fail(error, source->name, "%s", refusal);
    }
    while (known < end &&
           (options->format != NULL ? strcmp(known->name, options->format) != 0
                                    : known->matches != NULL && !known->matches(&header))) {
        known++;
    }
    if (known == end) {
        error->is_option = true;
        return graph_fail(error, source->name, "unknown format \"%.40s\"", options->format);
    }
    if (known->read != edges_read) {
        graph_format_note_columns(options);
    }
    bool done = known->read(&header);
    pw_assert(header.offset <= source->head_length);
    format->data_offset = header.offset;
    format->data_line = header.line;
    return done && error->message[0] == '\0';
}

bool graph_format_looks_like_graph(const void *readers, const char *bytes, size_t length)
{
    struct text_source source = {.name = "", .head_length = length, .head_is_all = true};
    struct graph_options options = {0};
    struct graph_format format;
    struct graph_error error = {0};
    struct graph_header header = {&source, &options, NULL, &format, &error, 0, 0};
    struct graph_line line;
    uint64_t values[4];
    pw_assert(bytes[length] == '\0');
    source.head = (char *)(uintptr_t)bytes; /* only read */
    if (matrix_market_matches(&header)) {
        return matrix_market_read_banner(&header);
    }
    const struct graph_head head = {bytes, length};
    if (find_reader(readers, &head, NULL) != NULL) {
        return true;
    }
    if (((const struct graph_readers *)readers)->refuse(&head) != NULL ||
        !find_data(&header, &line)) {
        return false;
    }
    bool has_comma = memchr(line.begin, ',', (size_t)(line.end - line.begin)) != NULL;
    return graph_line_has_letter(line, 'p') ||
           (first_is_number(line) && (has_comma || graph_line_numbers(line, values) != 1));
}

bool graph_format_check_part(const struct graph_format *format, const struct edge_scan *scan,
                             uint64_t lines, uint64_t entries, const char *name,
                             struct graph_error *error)
{
    uint64_t line = format->entry_count - entries; /* in the part, if all of them gave an edge */
    if (!format->has_counts || format->kind == FORMAT_METIS || entries > format->entry_count ||
        scan->entry_count <= line) {
        return true;
    }
    pw_assert(entries <= format->entry_count && scan->line_count >= scan->skipped_count);
    for (size_t i = 0; i < scan->skipped_count && scan->skipped[i] <= line; i++) {
        line++;
    }
    *error = (struct graph_error){0}; /* an error further down counts for nothing */
    return graph_fail_line(
        error, name, lines + line + 1, "more entries than the %llu declared in line %llu",
        (unsigned long long)format->entry_count, (unsigned long long)format->header_line);
}

/* Remark on a number of lines or cells, if there are any. */
static void remark_count(const struct graph_options *options, uint64_t count, const char *one,
                         const char *more)
{
    char text[160];
    if (count > 0) {
        snprintf(text, sizeof(text), "%llu %s", (unsigned long long)count, count > 1 ? more : one);
        options->note(options->context, text, GRAPH_REMEDY_NONE);
    }
}

/* Remark on what the rows of a table have. */
static void remark_rows(const struct graph_options *options, const struct edge_notes *seen,
                        bool has_names)
{
    remark_count(options, seen->comment_count, "line is left out: # or % opens a comment",
                 "lines are left out: # or % opens a comment");
    remark_count(options, seen->heading_count, "line is left out: the heading comes again",
                 "lines are left out: the heading comes again");
    remark_count(options, seen->node_count,
                 "row is of a node, and left out: both of its ends are empty",
                 "rows are of nodes, and left out: both of their ends are empty");
    remark_count(options, seen->missing_count,
                 "cell says NULL, NA or nan, and is a node; does it mean that a value is missing?",
                 "cells say NULL, NA or nan, and are nodes; do they mean that a value is missing?");
    remark_count(options, options->compact ? seen->empty_count : 0,
                 "list is empty: without an edge its node is left out, as the ids are renumbered",
                 "lists are empty: without an edge their nodes are left out, as the ids are "
                 "renumbered");
    if (seen->has_blanks && has_names) {
        options->note(options->context, "blanks around names are cut", GRAPH_REMEDY_NONE);
    }
}

bool graph_format_check_whole(const struct graph_format *format,
                              const struct graph_options *options, uint64_t lines, uint64_t entries,
                              const struct edge_notes *seen, const char *name,
                              struct graph_error *error)
{
    if (format->has_counts && entries != format->entry_count) {
        return graph_fail_line(error, name, lines,
                               "the file ends after %llu of the %llu entries declared in line %llu",
                               (unsigned long long)entries, (unsigned long long)format->entry_count,
                               (unsigned long long)format->header_line);
    }
    if (!format->has_counts && entries == 0) {
        return graph_fail_line(error, name, lines, "no edge in the file");
    }
    const bool is_table = format->kind == FORMAT_EDGE_LIST || format->kind == FORMAT_TABLE;
    if (options->note == NULL) {
        return true;
    }
    if (seen->has_more && format->kind != FORMAT_DIMACS && !(is_table && format->says_columns)) {
        options->note(options->context, "columns after the two ids are ignored", GRAPH_REMEDY_NONE);
    }
    if (is_table) {
        remark_rows(options, seen, format->has_names);
    }
    return true;
}
