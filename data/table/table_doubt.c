/*
 * table_doubt.c - texts that look like a table of edges, and are something else.
 *
 * A dense matrix has as many rows as columns, or nothing but 0 and 1. A list of tuples has nodes in
 * parentheses. A dict of Python has brackets after a colon. Other signs than the separators may
 * divide its rows. A line of sizes gives the numbers of nodes and edges below it. A list of names
 * has a part that is a source, too. A printed table has rules.
 */
#include "base/macros.h"
#include "base/pw_assert.h"
#include "data/read/edge_line.h"
#include "table_sight.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MATRIX_SURE 5   /* rows and columns of a matrix whatever its numbers are */
#define MATRIX_WIDE 16  /* columns of a matrix that has more rows than are seen */
#define JUDGED_ROWS 256 /* whose targets may be lists, or rules */
#define LONE_SHARE  16  /* if more than one row in 16 has words of its own, there is no note */

/* What the numbers of a square of rows are like. */
struct square {
    bool is_binary;    /* only 0 and 1 */
    bool has_diagonal; /* a number on the diagonal is not 0 */
    bool has_words;
};

static bool is_text(const struct csv_column *cell, char digit)
{
    const char *p = cell->begin, *end = p + cell->length;
    if (p == end || *p != digit) {
        return false;
    }
    for (p++; p < end && (*p == '.' || *p == '0'); p++) {
    }
    return p == end && (cell->length == 1 || cell->begin[1] == '.');
}

/* Look at the rows from start on, without their first columns if these are names. */
static struct square look_at_square(const struct table_sight *sight, size_t start, size_t names)
{
    struct square square = {.is_binary = true};
    struct csv_column cells[SIGHT_COLUMNS];
    for (size_t r = start; r < sight->count; r++) {
        const size_t width = sight_cut(sight, &sight->rows[r], cells);
        for (size_t c = names; c < width && c < SIGHT_COLUMNS; c++) {
            uint32_t id;
            const enum table_cell_kind kind = table_cell_kind(&cells[c], &id);
            const bool is_zero = is_text(&cells[c], '0');
            square.has_words |= kind == CELL_WORD || kind == CELL_EMPTY;
            square.is_binary &= is_zero || is_text(&cells[c], '1');
            square.has_diagonal |= r - start == c - names && !is_zero;
        }
    }
    return square;
}

/* True if the first row names the columns as the first column names the rows. */
static bool has_equal_names(const struct table_sight *sight, size_t names)
{
    struct csv_column cells[SIGHT_COLUMNS];
    const size_t shift = sight->first_width - (sight->count - 1);
    for (size_t r = 1; r < sight->count && names > 0; r++) {
        if (sight_cut(sight, &sight->rows[r], cells) == 0 ||
            cells[0].length != sight->words[r - 1 + shift].length ||
            memcmp(cells[0].begin, sight->words[r - 1 + shift].begin, cells[0].length) != 0) {
            return false;
        }
    }
    return names > 0;
}

static bool is_matrix(const struct table_sight *sight, size_t *order)
{
    enum table_words sure;
    size_t ends[2];
    const size_t first = sight->first_width;
    bool has_head = false;
    for (size_t c = 0; c < first && c < SIGHT_COLUMNS; c++) {
        has_head |= sight->first[c] == CELL_WORD;
    }
    const size_t start = has_head, rows = sight->count - start;
    const size_t width = sight->count > 1 ? sight->width_max : first;
    if (rows < 2 || width < 3 || sight->width_min != width || width >= SIGHT_COLUMNS) {
        return false;
    }
    const size_t names = has_head && sight->head->is_all && width == rows + 1;
    if (first != width && !(names == 1 && first + 1 == width)) {
        return false;
    }
    const struct square square = look_at_square(sight, start, names);
    *order = rows;
    if (square.has_words) {
        return false;
    }
    if (!sight->head->is_all || sight->count == SIGHT_ROWS) {
        return !has_head && (width >= MATRIX_WIDE || (square.is_binary && rows > width));
    }
    if (names > 0) {
        return has_equal_names(sight, names);
    }
    if (has_head && table_ends_by_words(sight, ends, &sure) && sure != WORDS_LETTERS) {
        return false;
    }
    return rows == width ? rows >= MATRIX_SURE || square.is_binary || !square.has_diagonal
                         : square.is_binary && rows > 2 && !has_head;
}

/* True if a parenthesis opens in the first cell of each row and does not close there. */
static bool has_tuples(const struct table_sight *sight)
{
    struct csv_column cells[SIGHT_COLUMNS];
    for (size_t r = 0; r < sight->count; r++) {
        if (sight_cut(sight, &sight->rows[r], cells) < 2 || cells[0].is_quoted ||
            cells[0].length == 0 || (*cells[0].begin != '(' && *cells[0].begin != '[') ||
            memchr(cells[0].begin, *cells[0].begin == '(' ? ')' : ']', cells[0].length) != NULL) {
            return false;
        }
    }
    return sight->count > 0 && sight->look->cut.separator != '\t';
}

const char *table_doubt_bracket(const char *p, const char *end)
{
    p = memchr(p, ':', (size_t)(end - p));
    for (p = p != NULL ? p + 1 : end; p < end && (*p == ' ' || *p == '\t'); p++) {
    }
    return p < end && is_one_of(*p, "[({") ? p : NULL;
}

/* The first run of these signs between other characters of a row, or NULL. *length: of the run. */
static const char *find_signs(const struct sight_row *row, size_t *length)
{
    static const char signs[] = ":=->~|";
    const char *p = row->begin, *stop;
    while (p < row->end && !is_one_of(*p, signs)) {
        p++;
    }
    for (stop = p; stop < row->end && is_one_of(*stop, signs); stop++) {
    }
    *length = (size_t)(stop - p);
    return p > row->begin && stop > p && stop < row->end ? p : NULL;
}

/* Signs that divide each row of one word into cells, or NULL. *length: of them. */
static const char *find_joint(const struct table_sight *sight, size_t *length)
{
    const struct sight_row *row = &sight->rows[0];
    const char *joint = find_signs(row, length);
    for (size_t r = 0; r < sight->count && joint != NULL; r++) {
        size_t found;
        const char *other = find_signs(&sight->rows[r], &found);
        if (other == NULL || found != *length || memcmp(other, joint, found) != 0) {
            joint = NULL;
        }
    }
    return sight->first_width == 1 && !sight->look->has_any_cut ? joint : NULL;
}

static bool is_rule(const struct csv_column *cell)
{
    size_t i = 0;
    while (i < cell->length && is_one_of(cell->begin[i], "-=+:|")) {
        i++;
    }
    return i == cell->length && i > 1;
}

/* Set the error of a printed table. Returns false. */
static bool fail_rules(const struct table_sight *sight, const struct sight_row *row,
                       struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    return graph_fail_line(error, sight->head->path, sight->head->line,
                           "is a printed table with rules, found %s: grep -vE "
                           "'^[-+=:| ]*$' FILE drops them if they are of these signs; else export "
                           "it as CSV",
                           graph_quote(quoted, row->begin, (size_t)(row->end - row->begin)));
}

static bool is_dict(const struct table_sight *sight)
{
    return table_doubt_bracket(sight->rows[0].begin, sight->rows[0].end) != NULL;
}

/* The word before a sign = that has blanks around it, or a word of no length. */
static struct csv_column find_key(const struct sight_row *row)
{
    struct csv_column key = {.begin = row->begin, .length = 0};
    bool has_blanks = false;
    const char *sign = memmem(row->begin, (size_t)(row->end - row->begin), " =", 2);
    if (sign != NULL && (sign + 2 == row->end || sign[2] == ' ')) {
        csv_column_trim(row->begin, sign, &key, &has_blanks);
    }
    return key;
}

/* True for "from = 1", "to = 2", an empty line, and "from" again. */
static bool is_line_mode(const struct table_sight *sight)
{
    const struct csv_column first = find_key(&sight->rows[0]);
    for (size_t r = 1; r < sight->count && first.length > 0; r++) {
        const char *end = sight->rows[r - 1].end, *begin = sight->rows[r].begin;
        const char *newline = memchr(end, '\n', (size_t)(begin - end));
        const struct csv_column key = find_key(&sight->rows[r]);
        if (key.length == 0 || memchr(newline + 1, '\n', (size_t)(begin - newline) - 1) != NULL) {
            return r > 1 && key.length == first.length &&
                   memcmp(key.begin, first.begin, key.length) == 0;
        }
    }
    return false;
}

/* True if a letter follows \" in a first row that begins with a quote. */
static bool has_escapes(const struct table_sight *sight)
{
    const char *p = sight->rows[0].begin, *end = sight->rows[0].end;
    const char *escape = *p == '"' ? memmem(p, (size_t)(end - p), "\\\"", 2) : NULL;
    return escape != NULL && escape + 2 < end && !is_one_of(escape[2], "\",;|\t ");
}

/* True if the first row has its cells in single quotes. */
static bool has_single_quotes(const struct table_sight *sight)
{
    const char *begin = sight->rows[0].begin, *end = sight->rows[0].end;
    bool is_between = false;
    for (const char *p = begin; end - p > 2; p++) {
        is_between |= p[0] == '\'' && p[2] == '\'' && is_one_of(p[1], ",;|\t ");
    }
    return is_between && *begin == '\'' && end[-1] == '\'';
}

/* True if a cell of the first row below a heading is a node of Cypher: (:Person {name: "Ann"}). */
static bool has_cypher_nodes(const struct table_sight *sight)
{
    const struct sight_row *row = &sight->rows[sight->count > 1];
    for (const char *p = row->begin; row->end - p > 2; p++) {
        const bool begins = p == row->begin || is_one_of(p[-1], ",;|\t\"");
        if (begins && *p == '(' && (p[1] == '{' || (p[1] == ':' && isalpha((unsigned char)p[2]))) &&
            memchr(p, ')', (size_t)(row->end - p)) != NULL) {
            return true;
        }
    }
    return false;
}

/* Texts of other programs; the message shows their first row. */
static const struct {
    bool (*matches)(const struct table_sight *sight);
    bool may_be_names; /* if the caller chose the columns */
    const char *what, *way;
} kinds[] = {
    {is_dict, false, "is a dict of Python",
     "write a row per edge, or, in Python, Graph.from_edges takes pairs"},
    {has_cypher_nodes, true,
     "has whole nodes of Cypher, as (:Person {name: \"Ann\"}), below its first row",
     "RETURN a.name, b.name there gives names"},
    {has_tuples, false, "nodes in parentheses (tuples) are not read",
     "number the nodes, or write names without commas"},
    {is_line_mode, true, "is what DuckDB and SQLite print in line mode",
     ".mode csv there makes CSV of it"},
    {has_escapes, false, "has a quote after a backslash", TABLE_ESCAPED_WAY},
    {has_single_quotes, true, "has its cells in single quotes",
     "tr \"'\" '\"' < FILE > a.csv makes them double"},
};

bool table_doubt_check(const struct table_sight *sight, bool is_chosen, struct graph_error *error)
{
    const struct sight_row *row = &sight->rows[0];
    char quoted[GRAPH_QUOTE_SIZE];
    size_t order = 0, length;
    const char *joint = find_joint(sight, &length);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if ((!is_chosen || !kinds[i].may_be_names) && kinds[i].matches(sight)) {
            return graph_fail_line(
                error, sight->head->path, sight->head->line, "%s, found %s: %s", kinds[i].what,
                graph_quote(quoted, row->begin, (size_t)(row->end - row->begin)), kinds[i].way);
        }
    }
    if (joint != NULL) {
        return graph_fail_line(error, sight->head->path, sight->head->line,
                               "has \"%.*s\" between its cells: sed 's/%.*s/\\t/g' FILE > a.tsv "
                               "makes a table",
                               (int)length, joint, (int)length, joint);
    }
    const struct csv_column line = {.begin = row->begin, .length = (size_t)(row->end - row->begin)};
    if (is_rule(&line) || (line.length > 3 && memcmp(line.begin, "\xe2\x94", 2) == 0)) {
        return fail_rules(sight, row, error);
    }
    if (!is_chosen && is_matrix(sight, &order)) {
        error->remedy = GRAPH_REMEDY_COLUMNS;
        return graph_fail_line(error, sight->head->path, sight->head->line,
                               "looks like a dense matrix, %zu rows of %zu columns, which is not "
                               "read; if it is a list of edges, which columns are their ends",
                               order, sight->width_max);
    }
    return true;
}

/* Names ---------------------------------------------------------------------------------------- */

/* The ends of the first rows. */
struct ends {
    size_t count;
    struct csv_column sources[JUDGED_ROWS], targets[JUDGED_ROWS];
};

/* What divides a list in a cell: of numbers a blank, too, which may be in a name. */
static const char *set_of(const struct csv_column *cell)
{
    size_t i = 0;
    while (i < cell->length && is_one_of(cell->begin[i], "0123456789 ,;|")) {
        i++;
    }
    return i == cell->length ? " ,;|" : ",;|";
}

static bool may_be_list(const struct csv_column *cell)
{
    const char *set = set_of(cell);
    size_t i = 0;
    while (i < cell->length && !is_one_of(cell->begin[i], set)) {
        i++;
    }
    return i < cell->length;
}

static bool is_source(const struct ends *ends, const char *begin, size_t length)
{
    for (size_t r = 0; r < ends->count; r++) {
        if (ends->sources[r].length == length &&
            memcmp(ends->sources[r].begin, begin, length) == 0) {
            return true;
        }
    }
    return false;
}

/* True if a part of a cell is a source. */
static bool has_source(const struct ends *ends, const struct csv_column *cell)
{
    const char *p = cell->begin, *end = p + cell->length, *set = set_of(cell);
    while (p < end) {
        while (p < end && is_one_of(*p, " ,;|[]{}'\"")) { /* of a list of Python or JSON, too */
            p++;
        }
        const char *stop = p;
        while (stop < end && !is_one_of(*stop, set)) {
            stop++;
        }
        const char *last = stop;
        while (last > p && is_one_of(last[-1], " []{}'\"")) {
            last--;
        }
        if (is_source(ends, p, (size_t)(last - p))) {
            return true;
        }
        p = stop;
    }
    return false;
}

/* A target that is a list of nodes, or NULL. No source may be one, and half of what may be lists
 * has to be. */
static const struct csv_column *find_list(const struct ends *ends)
{
    const struct csv_column *found = NULL;
    size_t lists = 0, known = 0;
    for (size_t r = 0; r < ends->count; r++) {
        const struct csv_column *target = &ends->targets[r];
        if (may_be_list(&ends->sources[r])) {
            return NULL;
        }
        if (may_be_list(target)) {
            const bool is_known = has_source(ends, target);
            lists++;
            known += is_known;
            found = is_known && found == NULL ? target : found;
        }
    }
    return 2 * known >= lists ? found : NULL;
}

bool table_doubt_check_names(const struct table_sight *sight, bool is_chosen,
                             struct graph_error *error)
{
    struct csv_column cells[SIGHT_COLUMNS];
    struct ends ends = {.count = 0};
    const size_t *columns = sight->look->ends;
    char quoted[GRAPH_QUOTE_SIZE];
    for (size_t r = sight_start(sight); r < sight->count && ends.count < JUDGED_ROWS; r++) {
        const size_t width = sight_cut(sight, &sight->rows[r], cells);
        if (columns[0] >= width || columns[1] >= width) {
            continue;
        }
        ends.sources[ends.count] = cells[columns[0]];
        ends.targets[ends.count] = cells[columns[1]];
        if (is_rule(&ends.sources[ends.count]) && is_rule(&ends.targets[ends.count])) {
            return fail_rules(sight, &sight->rows[r], error);
        }
        ends.count++;
    }
    const struct csv_column *list = is_chosen ? NULL : find_list(&ends);
    if (list == NULL) {
        return true;
    }
    error->remedy = GRAPH_REMEDY_COLUMNS;
    return graph_fail_line(error, sight->head->path, sight->head->line,
                           "the target %s looks like a list, because a part of it is a source: "
                           "write a row per edge; if it is a name",
                           graph_quote(quoted, list->begin, list->length));
}

/* A row of its own ----------------------------------------------------------------------------- */

/* A cell, and its row. */
struct word {
    struct csv_column cell;
    size_t row;
};

static int compare_words(const void *first, const void *second)
{
    const struct csv_column *a = &((const struct word *)first)->cell;
    const struct csv_column *b = &((const struct word *)second)->cell;
    const size_t shorter = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->begin, b->begin, shorter);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

bool table_doubt_has_lone_row(const struct table_sight *sight)
{
    const struct table_look *look = sight->look;
    struct csv_column cells[SIGHT_COLUMNS];
    if (look->has_heading || look->has_ids || look->is_wide || look->width != 2 ||
        look->cut.separator == ' ' || sight->first[0] != CELL_WORD ||
        sight->first[1] != CELL_WORD) {
        return false;
    }
    struct word *words = calloc(2 * sight->count, sizeof(*words));
    bool is_met[SIGHT_ROWS] = {false}; /* a row has a word that another one has, too */
    size_t count = 0, lone = 0;
    for (size_t r = 0; r < sight->count && words != NULL && !is_met[0]; r++) {
        const size_t width = sight_cut(sight, &sight->rows[r], cells);
        for (size_t k = 0; k < 2 && k < width; k++) {
            words[count] = (struct word){cells[k], r};
            is_met[0] |= r > 0 && (compare_words(&words[0], &words[count]) == 0 ||
                                   compare_words(&words[1], &words[count]) == 0);
            count++;
        }
    }
    if (words == NULL || is_met[0]) { /* as in most lists of edges */
        free(words);
        return false;
    }
    qsort(words, count, sizeof(*words), compare_words);
    for (size_t i = 1; i < count; i++) {
        if (words[i].row != words[i - 1].row && compare_words(&words[i], &words[i - 1]) == 0) {
            is_met[words[i].row] = is_met[words[i - 1].row] = true;
        }
    }
    free(words);
    for (size_t r = 1; r < sight->count; r++) {
        lone += !is_met[r];
    }
    return sight->count > 2 && lone * LONE_SHARE <= sight->count;
}

/* A line of sizes ------------------------------------------------------------------------------ */

bool table_doubt_has_sizes(const struct table_sight *sight)
{
    struct csv_column cells[SIGHT_COLUMNS];
    uint32_t sizes[3], largest = 0, id;
    const size_t width = sight->first_width;
    if (sight->look->has_heading || width < 2 || width > 3 || !sight->head->is_all ||
        sight->count < 3 || sight->count == SIGHT_ROWS) {
        return false;
    }
    for (size_t c = 0; c < width; c++) {
        if (table_cell_kind(&sight->words[c], &sizes[c]) != CELL_ID) {
            return false;
        }
    }
    for (size_t r = 1; r < sight->count; r++) {
        const size_t cut = sight_cut(sight, &sight->rows[r], cells);
        for (size_t c = 0; c < 2; c++) {
            if (c >= cut || table_cell_kind(&cells[c], &id) != CELL_ID) {
                return false;
            }
            largest = id > largest ? id : largest;
        }
    }
    pw_assert(sight->count > 1);
    return sizes[width - 1] == sight->count - 1 && sizes[0] >= largest &&
           sizes[0] <= (uint64_t)largest + 1 + sight->count && (width == 2 || sizes[1] == sizes[0]);
}
