/*
 * graph_format.c - tell the format of a text and read its header.
 *
 * 1. A Matrix Market banner, or DIMACS lines that open with "c" or "p", are unmistakable.
 * 2. METIS is recognised by a first line "nodes edges" that fits rows of uneven length below it.
 * 3. Text with tabs that does not open with a number is an edge list of names; a first line of
 * words above lines of numbers is a table's heading; all else is an edge list. Sources: the
 * formats' own pages; SNAP, KONECT, 9th DIMACS challenge, METIS manual 5.1.
 */
#include "graph_format.h"

#include "matrix_market.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char graph_format_names[] = "edges, matrix-market, dimacs, metis, names";

bool graph_format_is_known(const char *name)
{
    size_t length = strlen(name);
    for (const char *at = graph_format_names; length > 0 && *at; at += strspn(at, ", ")) {
        size_t known = strcspn(at, ",");
        if (known == length && memcmp(at, name, length) == 0) {
            return true;
        }
        at += known;
    }
    return false;
}

struct line {
    const char *begin, *end; /* without the newline */
};

/* The lines of the head, which grows as they are asked for. */
struct header {
    struct text_source *source;
    struct graph_format *format;
    graph_note *note;
    void *context;
    struct graph_error *error;
    size_t offset; /* where the next line begins */
    uint64_t line; /* its number, from 0; after header_next, from 1, that of the line given */
};

/* The next line. False at the end of the text, and with error set when reading fails. */
static bool header_next(struct header *header, struct line *line)
{
    struct text_source *source = header->source;
    for (;;) {
        const char *begin = source->head + header->offset;
        size_t left = source->head_length - header->offset;
        const char *newline = memchr(begin, '\n', left);
        if (newline != NULL || (source->head_is_all && left > 0)) {
            *line = (struct line){begin, newline != NULL ? newline : begin + left};
            header->offset += (size_t)(line->end - begin) + (newline != NULL);
            header->line++;
            return true;
        }
        if (source->head_is_all || !text_source_grow_head(source, header->error)) {
            return false;
        }
    }
}

static void remark(const struct header *header, const char *text, enum graph_remedy remedy)
{
    if (header->note != NULL) {
        header->note(header->context, text, remedy);
    }
}

static const char *skip_blanks(struct line line)
{
    const char *p = line.begin;
    while (p < line.end && (*p == ' ' || *p == '\t' || *p == '\r')) {
        p++;
    }
    return p;
}

/* An empty line, or one that opens with # or %, but for the % of a URL-encoded name before a tab.
 */
static bool is_comment(struct line line)
{
    const char *p = skip_blanks(line);
    if (p == line.end || *p == '#') {
        return true;
    }
    bool encoded = line.end - p > 3 && isxdigit((unsigned char)p[1]) &&
                   isxdigit((unsigned char)p[2]) && memchr(p, '\t', (size_t)(line.end - p)) != NULL;
    return *p == '%' && !encoded;
}

/* Numbers on a line, the first four of them in values; SIZE_MAX if anything else is there. */
static size_t count_numbers(struct line line, uint64_t values[4])
{
    size_t count = 0;
    const char *p = skip_blanks(line);
    while (p < line.end) {
        uint64_t value = 0;
        const char *begin = p;
        while (p < line.end && *p >= '0' && *p <= '9') {
            value = value < UINT64_MAX / 16 ? value * 10 + (uint64_t)(*p - '0') : UINT64_MAX / 16;
            p++;
        }
        if (p == begin) {
            return SIZE_MAX;
        }
        if (count < 4) {
            values[count] = value;
        }
        count++;
        p = skip_blanks((struct line){p, line.end});
    }
    return count;
}

static bool read_matrix_market(struct header *header)
{
    struct graph_format *format = header->format;
    struct matrix_market matrix;
    struct line line;
    const char *name = header->source->name;
    format->kind = FORMAT_MATRIX_MARKET;
    if (!header_next(header, &line) ||
        !matrix_market_read_banner(line.begin, line.end, name, &matrix, header->error)) {
        return false;
    }
    if (matrix.single_percent) {
        remark(header, "the Matrix Market banner has one % instead of two", GRAPH_REMEDY_NONE);
    }
    do {
        if (!header_next(header, &line)) {
            return graph_fail_line(header->error, name, header->line,
                                   "the file ends before the size line");
        }
    } while (is_comment(line));
    if (!matrix_market_read_size(line.begin, line.end, name, header->line, &matrix,
                                 header->error)) {
        return false;
    }
    format->rules.source_min = format->rules.target_min = 1;
    format->rules.source_max = matrix.rows;
    format->rules.target_max = matrix.columns;
    format->rules.value_count = matrix.value_count;
    format->symmetric = matrix.symmetric;
    format->has_counts = true;
    format->node_count = matrix.rows > matrix.columns ? matrix.rows : matrix.columns;
    format->entry_count = matrix.entry_count;
    return true;
}

static bool is_letter_line(struct line line, char letter)
{
    return line.begin < line.end && *line.begin == letter &&
           (line.begin + 1 == line.end || line.begin[1] == ' ' || line.begin[1] == '\t' ||
            line.begin[1] == '\r');
}

static bool read_dimacs(struct header *header)
{
    struct graph_format *format = header->format;
    struct line line;
    char quoted[GRAPH_QUOTE_SIZE];
    uint64_t values[4];
    const char *name = header->source->name;
    format->kind = FORMAT_DIMACS;
    do {
        if (!header_next(header, &line)) {
            return graph_fail_line(header->error, name, header->line,
                                   "the file ends before the line \"p sp nodes arcs\"");
        }
    } while (is_letter_line(line, 'c') || is_comment(line));
    const char *p = skip_blanks((struct line){line.begin + 1, line.end});
    bool is_problem = is_letter_line(line, 'p') && line.end - p > 2 && memcmp(p, "sp", 2) == 0;
    if (!is_problem || count_numbers((struct line){p + 2, line.end}, values) != 2 ||
        values[0] > GRAPH_NODE_MAX) {
        graph_quote(quoted, line.begin, (size_t)(line.end - line.begin));
        return graph_fail_line(header->error, name, header->line,
                               "expected \"p sp nodes arcs\", found %s", quoted);
    }
    format->rules.prefix = 'a';
    format->rules.comment = 'c';
    format->rules.source_min = format->rules.target_min = 1;
    format->rules.source_max = format->rules.target_max = values[0];
    format->has_counts = true;
    format->node_count = values[0];
    format->entry_count = values[1];
    return true;
}

static bool read_metis(struct header *header)
{
    struct graph_format *format = header->format;
    struct line line;
    char quoted[GRAPH_QUOTE_SIZE];
    uint64_t values[4] = {0, 0, 0, 1};
    const char *name = header->source->name;
    format->kind = FORMAT_METIS;
    do {
        if (!header_next(header, &line)) {
            return graph_fail_line(header->error, name, header->line,
                                   "the file ends before the line \"nodes edges\"");
        }
    } while (is_comment(line));
    size_t count = count_numbers(line, values);
    if (count < 2 || count > 4 || values[0] > GRAPH_NODE_MAX || values[2] > 111 ||
        values[3] > 1000 || values[1] > UINT64_MAX / 64) {
        graph_quote(quoted, line.begin, (size_t)(line.end - line.begin));
        return graph_fail_line(header->error, name, header->line,
                               "expected \"nodes edges [format [weights]]\", found %s", quoted);
    }
    format->rules.source_min = format->rules.target_min = 1;
    format->rules.source_max = format->rules.target_max = values[0];
    format->has_counts = true;
    format->node_count = values[0];
    format->entry_count = values[1] * 2;
    format->edge_weights = values[2] % 10 == 1;
    format->node_columns =
        (values[2] / 100 == 1) + (values[2] / 10 % 10 == 1 ? (unsigned)values[3] : 0);
    return true;
}

/* The third number of the first line: three digits, each 0 or 1. */
static bool is_metis_weighting(uint64_t value)
{
    return value <= 111 && value % 10 <= 1 && value / 10 % 10 <= 1;
}

/*
 * Whether the head fits METIS and not an edge list: "nodes edges", no more rows than nodes, ids of
 * other nodes, rows of uneven length, and, if all of the file is seen, the numbers declared. An
 * empty row is as well an empty line of an edge list.
 */
static bool looks_like_metis(const struct text_source *source)
{
    const char *end = source->head + source->head_length;
    uint64_t values[4], nodes = 0, edges = 0, rows = 0, numbers = 0;
    size_t columns = 0;
    bool uneven = false, has_format = false;
    for (const char *p = source->head; p < end;) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        if (newline == NULL && !source->head_is_all) {
            break;
        }
        struct line line = {p, newline != NULL ? newline : end};
        p = line.end + 1;
        const char *first = skip_blanks(line);
        if (first < line.end && (*first == '%' || *first == '#')) {
            continue;
        }
        size_t count = count_numbers(line, values);
        if (count == SIZE_MAX || (nodes == 0 && (count < 2 || count > 4))) {
            return false;
        }
        if (nodes == 0) {
            nodes = values[0];
            edges = values[1];
            has_format = count > 2;
            if (nodes == 0 || (has_format && !is_metis_weighting(values[2]))) {
                return false;
            }
            continue;
        }
        if (++rows > nodes) {
            return false;
        }
        for (size_t i = 0; i < count && i < 4 && !has_format; i++) {
            if (values[i] == 0 || values[i] > nodes || values[i] == rows) {
                return false;
            }
        }
        columns = columns == 0 ? count : columns;
        uneven |= count != columns && (count > 0 || source->head_is_all);
        numbers += count;
    }
    if (source->head_is_all) {
        return uneven && rows == nodes && (has_format || numbers == 2 * edges);
    }
    return uneven && rows > 0;
}

static bool starts_with_number(struct line line)
{
    const char *p = skip_blanks(line);
    return p < line.end && ((*p >= '0' && *p <= '9') || *p == '-' || *p == '+');
}

/* A token of digits only, up to a blank or comma. */
static bool first_is_number(struct line line)
{
    const char *p = skip_blanks(line);
    const char *begin = p;
    while (p < line.end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p > begin && (p == line.end || strchr(" \t\r,", *p) != NULL);
}

static bool is_heading(struct line line)
{
    bool has_separator = false;
    for (const char *p = line.begin; p < line.end; p++) {
        has_separator |= *p == ',' || *p == '\t';
        if (!isalpha((unsigned char)*p) && strchr("_ ,\t\r\"", *p) == NULL) {
            return false;
        }
    }
    return has_separator;
}

/* A word, a tab and a word, all of it text. */
static bool is_named_edge(struct line line)
{
    const char *tab = memchr(line.begin, '\t', (size_t)(line.end - line.begin));
    if (tab == NULL || tab == line.begin || tab + 1 >= line.end || tab[1] == '\r') {
        return false;
    }
    for (const char *p = line.begin; p < line.end; p++) {
        unsigned char c = (unsigned char)*p;
        if ((c < 0x20 && c != '\t' && c != '\r') || c == 0x7f) {
            return false;
        }
    }
    return true;
}

static void remark_undirected(const struct header *header, struct line line)
{
    static const char snap[] = "# Undirected graph";
    static const char konect[] = "% sym";
    size_t length = (size_t)(line.end - line.begin);
    if ((length >= sizeof(snap) - 1 && strncasecmp(line.begin, snap, sizeof(snap) - 1) == 0) ||
        (length >= sizeof(konect) - 1 && memcmp(line.begin, konect, sizeof(konect) - 1) == 0)) {
        remark(header, "the file says that its edges have no direction; it is read as it stands",
               GRAPH_REMEDY_UNDIRECTED);
    }
}

/* An edge list of ids or of names, with or without a heading. */
static bool read_edges(struct header *header, bool want_names)
{
    struct graph_format *format = header->format;
    struct line line = {NULL, NULL}, second;
    size_t offset;
    uint64_t line_number;
    do {
        offset = header->offset;
        line_number = header->line;
        if (!header_next(header, &line)) {
            format->data_offset = offset;
            format->data_line = line_number;
            return header->error->message[0] == '\0';
        }
        remark_undirected(header, line);
    } while (is_comment(line));
    format->data_offset = offset;
    format->data_line = line_number;
    if (want_names || (!first_is_number(line) && is_named_edge(line))) {
        format->kind = FORMAT_NAMED_EDGES;
    }
    /* header_next may move the head: what is needed of the line is asked before. */
    bool heading = !want_names && !starts_with_number(line) && is_heading(line);
    size_t next_offset = header->offset;
    uint64_t next_line = header->line;
    if (heading && header_next(header, &second) && first_is_number(second)) {
        format->kind = FORMAT_EDGE_LIST;
        format->data_offset = next_offset;
        format->data_line = next_line;
        remark(header, "the first line is taken for a heading", GRAPH_REMEDY_NONE);
    }
    return header->error->message[0] == '\0';
}

static bool is_dimacs(struct header *header)
{
    struct header look = *header;
    struct line line;
    while (header_next(&look, &line)) {
        if (is_letter_line(line, 'p')) {
            return true;
        }
        if (!is_letter_line(line, 'c') && !is_comment(line)) {
            return false;
        }
    }
    return false;
}

bool graph_format_read(struct text_source *source, const char *wanted, struct graph_format *format,
                       graph_note *note, void *context, struct graph_error *error)
{
    struct header header = {source, format, note, context, error, 0, 0};
    memset(format, 0, sizeof(*format));
    format->rules.source_max = format->rules.target_max = GRAPH_NODE_MAX;
    bool done;
    if (wanted != NULL ? strcmp(wanted, "matrix-market") == 0
                       : matrix_market_is_banner(source->head, source->head_length)) {
        done = read_matrix_market(&header);
    } else if (wanted != NULL ? strcmp(wanted, "dimacs") == 0 : is_dimacs(&header)) {
        done = read_dimacs(&header);
    } else if (wanted != NULL ? strcmp(wanted, "metis") == 0 : looks_like_metis(source)) {
        done = read_metis(&header);
    } else if (wanted == NULL || strcmp(wanted, "edges") == 0 || strcmp(wanted, "names") == 0) {
        bool names = wanted != NULL && strcmp(wanted, "names") == 0;
        done = read_edges(&header, names);
        if (wanted != NULL && !names) {
            format->kind = FORMAT_EDGE_LIST;
        }
        return done;
    } else {
        return graph_fail(error, source->name, "unknown format \"%.40s\"; known are %s", wanted,
                          graph_format_names);
    }
    format->header_line = header.line;
    format->data_offset = header.offset;
    format->data_line = header.line;
    return done && error->message[0] == '\0';
}

bool graph_format_looks_like_graph(const char *bytes, size_t length)
{
    struct line line = {bytes, bytes};
    const char *end = bytes + length;
    uint64_t values[4];
    if (matrix_market_is_banner(bytes, length)) {
        const char *newline = memchr(bytes, '\n', length);
        struct matrix_market matrix;
        return newline != NULL && matrix_market_read_banner(bytes, newline, "", &matrix, NULL);
    }
    for (const char *p = bytes; p < end; p = line.end + 1) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        line = (struct line){p, newline != NULL ? newline : end};
        if (is_letter_line(line, 'p')) {
            return true;
        }
        if (!is_letter_line(line, 'c') && !is_comment(line)) {
            for (const char *q = line.begin; q < line.end; q++) {
                if (*q == ',') {
                    return first_is_number(line);
                }
            }
            size_t count = count_numbers(line, values);
            return first_is_number(line) && (count == SIZE_MAX || count >= 2);
        }
    }
    return false;
}
