/*
 * column_layout.c - looks at the first sixteen lines of a table of edges.
 *
 * 1. The separator is a tab if the first line has one; else the semicolon or the comma, whichever
 *    divides more lines into the same number of columns; else blanks divide ids.
 * 2. The nodes are ids if the first two columns of the first line are numbers. A first line without
 *    a number above lines of ids is a heading. Everything else is a name, and blanks do not divide
 *    names.
 * 3. A heading above names has two words for the ends of an edge ("from, to"), or two words that
 *    differ in these or in a number ("person_1, person_2") and that no further line has, nor
 *    another name with that beginning.
 * Any other word above names is taken for a node, because nothing shows that it is not one.
 */
#include "column_layout.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "csv_column.h"
#include "text_reader.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

#define LINES_MAX 16
#define WORD_SIZE 40 /* of a column in a heading */

/* A record, and its first two columns. */
struct row {
    struct csv_column columns[2];
    size_t count;     /* columns: 0 to 2, or more than 2 */
    bool has_letters; /* a column is no number of digits */
    bool has_fault;   /* a quote is in a column without quotes, or closes too early */
};

struct sample {
    struct row rows[LINES_MAX];
    size_t count;
    bool is_long;           /* a record has several lines */
    const char *next;       /* where the second record begins */
    uint64_t lines_to_next; /* the lines of the first */
};

static void add_column(struct row *row, const struct csv_column *column)
{
    if (row->count < 2) {
        row->columns[row->count] = *column;
    }
    row->count++;
    row->has_letters |= !csv_column_is_number(column);
    row->has_fault |= !column->is_quoted && column->length > 0 &&
                      memchr(column->begin, '"', column->length) != NULL;
}

/* Cut a row of CSV. Returns its newline, or end; NULL if a quote stays open. */
static const char *cut_quoted(const char *at, const char *end, char separator, struct row *row)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    enum csv_cut cut;
    do {
        struct csv_column column;
        cut = csv_column_cut(&at, end, separator, &column);
        if (cut != CSV_OPEN) {
            add_column(row, &column);
        }
    } while (cut == CSV_MORE);
    row->has_fault |= cut == CSV_BAD;
    if (cut == CSV_BAD) {
        return newline != NULL ? newline : end;
    }
    return cut == CSV_LAST ? at : NULL;
}

/* Cut a row whose quotes are letters. Returns its newline, or end. */
static const char *cut_plain(const char *at, const char *end, char separator, struct row *row)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    newline = newline != NULL ? newline : end;
    const char *last = newline - (newline > at && newline[-1] == '\r');
    while (at <= last) {
        while (separator == ' ' && at < last && (*at == ' ' || *at == '\t')) {
            at++;
        }
        if (separator == ' ' && at == last) {
            break;
        }
        const char *stop = at;
        while (stop < last && *stop != separator && (separator != ' ' || *stop != '\t')) {
            stop++;
        }
        const struct csv_column column = {.begin = at, .length = (size_t)(stop - at)};
        add_column(row, &column);
        at = stop + 1;
    }
    return newline;
}

static bool is_quoted_separator(char separator)
{
    return separator == ',' || separator == ';';
}

/* Cut the records of a text, without comments and empty lines. most: of rows; the records after
 * them are cut, too, to see if one has several lines. */
static void take_sample(struct sample *sample, const char *begin, const char *end, char separator,
                        bool has_quotes, size_t most)
{
    *sample = (struct sample){.count = 0};
    for (const char *p = begin; p < end;) {
        struct row row = {.count = 0};
        const bool is_comment =
            *p == '\n' || *p == '\r' || *p == '#' || (*p == '%' && sample->count > 0);
        const char *newline = has_quotes && !is_comment ? cut_quoted(p, end, separator, &row)
                                                        : cut_plain(p, end, separator, &row);
        const char *line = memchr(p, '\n', (size_t)(end - p));
        sample->is_long |= newline == NULL || (line != NULL && line < newline);
        if (newline == NULL) {
            return;
        }
        if (!is_comment && sample->count < most) {
            sample->rows[sample->count++] = row;
        }
        const char *next = newline + (newline < end);
        for (; sample->count == 1 && p < next && sample->next == NULL; p = line + 1) {
            line = memchr(p, '\n', (size_t)(next - p));
            sample->lines_to_next++;
            line = line != NULL ? line : next - 1;
        }
        if (sample->count == 1 && sample->next == NULL) {
            sample->next = next;
        }
        if (sample->count == most && !has_quotes) {
            return;
        }
        p = next;
    }
}

/* How many rows a separator does not fit: they have one column, a fault in their quotes, or another
 * number of columns than the first. SIZE_MAX if it does not divide the first. */
static size_t count_unfit(const struct sample *sample)
{
    size_t unfit = 0;
    for (size_t i = 0; i < sample->count; i++) {
        const struct row *row = &sample->rows[i];
        unfit += row->count < 2 || row->has_fault || row->count != sample->rows[0].count;
    }
    return sample->count > 0 && sample->rows[0].count > 1 ? unfit : SIZE_MAX;
}

/* What a column reads as. An id is digits; a number may have a sign, a point or an exponent. */
static bool is_numeric(const struct csv_column *column)
{
    static const char number[] = "0123456789+-.eE \t";
    bool has_digit = false;
    for (size_t i = 0; i < column->length; i++) {
        if (!is_one_of(column->begin[i], number)) {
            return false;
        }
        has_digit |= isdigit((unsigned char)column->begin[i]) != 0;
    }
    return has_digit || column->length == 0;
}

/* True if a row begins with two ids: in two columns, or with a blank between them in the first. */
static bool has_ids(const struct row *row)
{
    static const struct edge_rules any = {.source_max = UINT32_MAX, .target_max = UINT32_MAX};
    const struct csv_column *first = &row->columns[0];
    struct edge_line line;
    return (row->count > 1 && csv_column_is_number(first) &&
            csv_column_is_number(&row->columns[1])) ||
           (row->count > 0 && edge_line_read(first->begin, first->begin + first->length, &any,
                                             &line) == EDGE_LINE_EDGE);
}

static bool has_words(const struct row *row)
{
    return row->count > 1 && !is_numeric(&row->columns[0]) && !is_numeric(&row->columns[1]);
}

/* True if the first row has no number and all others have ids. */
static bool is_heading_of_ids(const struct sample *sample)
{
    size_t i = 1;
    while (i < sample->count && has_ids(&sample->rows[i])) {
        i++;
    }
    return i > 1 && i == sample->count && has_words(&sample->rows[0]);
}

/* True if a row is longer than an edge, and all rows have nothing but ids. */
static bool may_be_adjacency(const struct sample *sample)
{
    bool is_long = false, has_letters = false;
    for (size_t i = is_heading_of_ids(sample); i < sample->count; i++) {
        is_long |= sample->rows[i].count > 2;
        has_letters |= sample->rows[i].has_letters;
    }
    return is_long && !has_letters;
}

/* Headings above names ------------------------------------------------------------------------- */

/* True if two parts of words are for the two ends of an edge. */
static bool are_ends(const char *first, size_t first_length, const char *second,
                     size_t second_length)
{
    static const char *const ends[][2] = {
        {"source", "target"},
        {"from", "to"},
        {"src", "dst"},
        {"src", "dest"},
        {"start", "end"},
        {"citing", "cited"},
        {"parent", "child"},
        {"left", "right"},
        {"head", "tail"},
        {"follower", "followee"},
        {"origin", "destination"},
        {"source", "destination"},
        {"subject", "object"},
        {"a", "b"},
        {"u", "v"},
        {"x", "y"},
        {"i", "j"},
        {"0", "1"},
        {"1", "2"},
    };
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        if (strlen(ends[i][0]) == first_length && strlen(ends[i][1]) == second_length &&
            strncasecmp(first, ends[i][0], first_length) == 0 &&
            strncasecmp(second, ends[i][1], second_length) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_word(const struct csv_column *column)
{
    for (size_t i = 0; i < column->length; i++) {
        const unsigned char c = (unsigned char)column->begin[i];
        if (!isalnum(c) && c != '_' && c != '-' && c != ' ') {
            return false;
        }
    }
    return column->length > 0 && column->length < WORD_SIZE;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * True if two words are equal but for a part that says which end of an edge they are for. *stem:
 * the letters before that part; *is_numbered: the part is one letter.
 */
static bool name_ends(const struct csv_column *first, const struct csv_column *second, size_t *stem,
                      bool *is_numbered)
{
    const char *a = first->begin, *b = second->begin;
    if (!is_word(first) || !is_word(second)) {
        return false;
    }
    /* The part may share letters with the rest ("start", "stop"), so each stem is tried. */
    for (size_t same = 0; same < first->length && same < second->length; same++) {
        if (same > 0 && !same_letter(a[same - 1], b[same - 1])) {
            return false;
        }
        for (size_t end = 0; same + end < first->length && same + end < second->length; end++) {
            const size_t a_rest = first->length - end, b_rest = second->length - end;
            if (are_ends(a + same, a_rest - same, b + same, b_rest - same)) {
                *stem = same;
                *is_numbered = a_rest - same == 1;
                return !*is_numbered || (same > 0 && !memchr(a, ' ', first->length));
            }
            if (!same_letter(a[a_rest - 1], b[b_rest - 1])) {
                break;
            }
        }
    }
    return false;
}

static bool is_equal(const struct csv_column *column, const struct csv_column *other)
{
    return column->length == other->length &&
           memcmp(column->begin, other->begin, column->length) == 0;
}

static bool is_heading_of_names(const struct sample *sample)
{
    const struct csv_column *ends = sample->rows[0].columns;
    size_t stem;
    bool is_numbered;
    if (sample->count < 2 || sample->rows[0].count < 2 ||
        !name_ends(&ends[0], &ends[1], &stem, &is_numbered)) {
        return false;
    }
    const bool is_known = stem == 0 && !is_numbered; /* no node is called "source" */
    for (size_t i = 1; i < sample->count && !is_known; i++) {
        for (size_t k = 0; k < 2 && k < sample->rows[i].count; k++) {
            const struct csv_column *name = &sample->rows[i].columns[k];
            if (is_equal(name, &ends[0]) || is_equal(name, &ends[1]) ||
                (is_numbered && name->length >= stem &&
                 memcmp(name->begin, ends[0].begin, stem) == 0)) {
                return false;
            }
        }
    }
    return true;
}

/* The head of a file --------------------------------------------------------------------------- */

/* The first lines, or the whole of a longer first record. False with error set. */
static bool take_lines(const struct graph_header *header, const char **begin, const char **end)
{
    struct graph_error ignored = {0};
    struct graph_header look = *header;
    struct graph_line line;
    const uint64_t most = header->line + LINES_MAX;
    bool is_there = graph_header_next(&look, &line);
    look.error = &ignored; /* the reader of the lines reports a fault after the first */
    while (is_there && look.line < most) {
        is_there = graph_header_next(&look, &line);
    }
    pw_assert(header->offset <= look.offset);
    *begin = header->source->head + header->offset;
    *end = header->source->head + look.offset;
    return header->error->message[0] == '\0';
}

static bool holds(const char *begin, const char *end, char c)
{
    return begin < end && memchr(begin, c, (size_t)(end - begin)) != NULL;
}

/* True if a tab divides the first line: outside of quotes, or also in them. */
static bool has_tab(const char *begin, const char *end, bool also_quoted)
{
    bool in_quotes = false;
    for (const char *p = begin; p < end && *p != '\n'; p++) {
        if (*p == '\t' && (also_quoted || !in_quotes)) {
            return true;
        }
        in_quotes ^= *p == '"';
    }
    return false;
}

/* The separator of a table: tab, semicolon, comma, or a blank for all else. */
static char find_separator(const char *begin, const char *end)
{
    static const char separators[] = {';', ','};
    struct sample sample;
    size_t unfit[2];
    if (has_tab(begin, end, false)) {
        return '\t';
    }
    for (size_t i = 0; i < sizeof(separators); i++) {
        take_sample(&sample, begin, end, separators[i], true, LINES_MAX);
        unfit[i] = count_unfit(&sample);
    }
    if (unfit[0] == SIZE_MAX && unfit[1] == SIZE_MAX) {
        return has_tab(begin, end, true) ? '\t' : ' ';
    }
    /* If both fit: a name holds a comma rather than a semicolon. */
    return separators[unfit[0] <= unfit[1] ? 0 : 1];
}

/* The separator of adjacency lists, whose rows have any number of columns. */
static char find_adjacency_separator(const char *begin, const char *end)
{
    static const char separators[] = {'\t', ';', ','};
    for (size_t i = 0; i < sizeof(separators); i++) {
        if (holds(begin, end, separators[i])) {
            return separators[i];
        }
    }
    return ' ';
}

/* True if the text is no table: control characters, which no name holds. */
static bool is_binary(const char *begin, const char *end)
{
    for (const char *p = begin; p < end && *p != '\n'; p++) {
        const unsigned char c = (unsigned char)*p;
        if ((c < 0x20 && c != '\t' && c != '\r') || c == 0x7f) {
            return true;
        }
    }
    return false;
}

/* Refuse names with blanks between them, and say what to do. Fine if the line has no such names. */
static bool refuse_blanks(const struct graph_header *header, const char *begin, const char *end)
{
    const char *newline = memchr(begin, '\n', (size_t)(end - begin));
    struct graph_line line = {begin, newline != NULL ? newline : end};
    char quote[GRAPH_QUOTE_SIZE];
    line.begin = graph_line_start(line);
    const unsigned char first = line.begin < line.end ? (unsigned char)*line.begin : 0;
    if ((!isalpha(first) && first != '"' && first < 0x80) || !holds(line.begin, line.end, ' ')) {
        return true;
    }
    return graph_fail_line(header->error, header->source->name, header->line + 1,
                           first == '"' ? "expected two node ids, found %s; names have a tab, a "
                                          "comma or a semicolon between them"
                                        : "expected two node ids, found %s; names have one tab "
                                          "between them: tr ' ' '\\t' makes it",
                           graph_quote(quote, begin, (size_t)(line.end - begin)));
}

static void skip_heading(struct graph_header *header, const char *begin,
                         const struct sample *sample)
{
    header->offset += (size_t)(sample->next - begin);
    header->line += sample->lines_to_next;
    graph_header_remark(header, "the first line is taken for a heading", GRAPH_REMEDY_NONE);
}

static bool read_adjacency(struct graph_header *header, const char *begin, const char *end)
{
    struct sample sample;
    struct edge_columns *columns = &header->format->columns;
    const char separator = find_adjacency_separator(begin, end);
    const bool has_quotes = is_quoted_separator(separator);
    take_sample(&sample, begin, end, separator, has_quotes, LINES_MAX);
    *columns = (struct edge_columns){
        .separator = separator, .has_quotes = has_quotes, .has_ids = true, .is_adjacency = true};
    for (size_t i = 0; i < sample.count; i++) {
        const struct row *row = &sample.rows[i];
        for (size_t k = 0; k < row->count && k < 2; k++) {
            columns->has_ids &= is_numeric(&row->columns[k]);
        }
    }
    header->format->kind = FORMAT_COLUMNS;
    return true;
}

/* True if quotes are quotes: between commas, or if a tab divides two columns in quotes. */
static bool find_quotes(const char *begin, const char *end, char separator, bool is_csv)
{
    struct sample sample;
    if (separator != '\t' || is_csv) {
        return separator != ' ';
    }
    take_sample(&sample, begin, end, separator, true, 1);
    const struct row *row = &sample.rows[0];
    return sample.count == 1 && row->count > 1 && row->columns[0].is_quoted &&
           row->columns[1].is_quoted;
}

bool column_layout_read(struct graph_header *header, const char *format)
{
    struct graph_format *found = header->format;
    struct sample sample;
    const char *begin, *end;
    if (!take_lines(header, &begin, &end)) {
        return false;
    }
    if (format != NULL && strcmp(format, "adjacency") == 0) {
        return read_adjacency(header, begin, end);
    }
    const bool is_csv = format != NULL && strcmp(format, "csv") == 0;
    const bool want_names = format != NULL && strcmp(format, "names") == 0;
    const bool want_ids = format != NULL && strcmp(format, "edges") == 0;
    const char separator = find_separator(begin, end);
    const bool has_quotes = find_quotes(begin, end, separator, is_csv);
    const char *head_end = header->source->head + header->source->head_length;
    const bool sees_all = has_quotes && holds(begin, head_end, '"');
    take_sample(&sample, begin, sees_all ? head_end : end, separator, has_quotes, LINES_MAX);
    const bool is_text = !is_binary(begin, end);
    const bool heads_ids = is_text && is_heading_of_ids(&sample);
    const struct row *first = &sample.rows[0];
    const bool has_numbers =
        heads_ids || sample.count == 0 || has_ids(first) ||
        (is_numeric(&first->columns[0]) && (first->count < 2 || is_numeric(&first->columns[1])));
    const bool named = want_names || (!want_ids && !has_numbers && separator != ' ' &&
                                      first->count > 1 && is_text);
    if (!named && !has_numbers && format == NULL && is_text && separator == ' ' &&
        !refuse_blanks(header, begin, end)) {
        return false;
    }
    found->columns =
        (struct edge_columns){.separator = separator, .has_quotes = has_quotes, .has_ids = !named};
    if (separator == ' ') {
        found->columns.separator = '\t'; /* which a line of names lacks */
    }
    found->rules.are_names = want_names && has_numbers && separator == ' ';
    found->kind = (named && !found->rules.are_names) || ((is_csv || sample.is_long) && has_quotes)
                      ? FORMAT_COLUMNS
                      : FORMAT_EDGE_LIST;
    found->may_be_adjacency = !named && may_be_adjacency(&sample);
    if (named ? is_heading_of_names(&sample) : heads_ids) {
        skip_heading(header, begin, &sample);
    }
    return true;
}
