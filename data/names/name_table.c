/*
 * name_table.c - reads lines of names; the first line that is not a comment shows the layout.
 */
#include "name_table.h"
#include "base/array_reserve.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "data/graph/graph.h"
#include "data/graph/name_buckets.h"
#include "data/read/csv_column.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NO_COLUMN   SIZE_MAX
#define COLUMNS_MAX 32
#define WHOLE_LINE  '\0' /* no separator, and quotes are letters */
#define ONE_COLUMN  '\n' /* no line holds it: one column of CSV */

/* The column at *at. Moves *at after it and its separator; *at is NULL after the last. *is_bad is
 * set if its quotes are not closed, or closed before its end: then the rest of the line is the
 * column. */
static struct csv_column next_column(const char **at, const char *end, char separator, bool *is_bad)
{
    struct csv_column column = {.begin = *at, .length = (size_t)(end - *at)};
    const char *begin = *at;
    if (separator == WHOLE_LINE) {
        *at = NULL;
        return column;
    }
    const enum csv_cut cut = csv_column_cut(at, end, separator, &column);
    if (cut == CSV_OPEN || cut == CSV_BAD) {
        *is_bad = true;
        column = (struct csv_column){.begin = begin, .length = (size_t)(end - begin)};
    }
    *at = cut == CSV_MORE ? *at : NULL;
    return column;
}

static bool is_number(struct csv_column column)
{
    return column.length < 11 && csv_column_is_number(&column);
}

static bool is_one_of(struct csv_column column, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(words[i]) == column.length &&
            strncasecmp(words[i], column.begin, column.length) == 0) {
            return true;
        }
    }
    return false;
}

/* Read the line as a heading: find the first column called a name, and the column of ids. */
static bool read_heading(const char *begin, const char *end, char separator,
                         struct name_layout *layout)
{
    static const char *const names[] = {"name", "names", "title", "page_title", "label", "article"};
    static const char *const ids[] = {"id", "node", "node_id", "nodeid", "page_id"};
    struct name_layout found = {.name = NO_COLUMN, .id = NO_COLUMN, .is_heading = true};
    const char *at = begin;
    size_t column = 0;
    bool is_bad = false;
    for (; at != NULL; column++) {
        struct csv_column field = next_column(&at, end, separator, &is_bad);
        if (found.name == NO_COLUMN && is_one_of(field, names, COUNT_OF(names))) {
            found.name = column;
        } else if (found.id == NO_COLUMN && is_one_of(field, ids, COUNT_OF(ids))) {
            found.id = column;
        }
    }
    if (found.name != NO_COLUMN) {
        found.separator = (char)(column == 1 ? ONE_COLUMN : separator);
        *layout = found;
    }
    return found.name != NO_COLUMN;
}

/* The layout, taken from the first line. */
static struct name_layout find_layout(const char *begin, const char *end)
{
    struct name_layout layout = {.separator = WHOLE_LINE, .name = 0, .id = NO_COLUMN};
    const bool tabs = memchr(begin, '\t', (size_t)(end - begin)) != NULL;
    const bool semicolons = memchr(begin, ';', (size_t)(end - begin)) != NULL &&
                            memchr(begin, ',', (size_t)(end - begin)) == NULL;
    const char separator = (char)(tabs ? '\t' : semicolons ? ';' : ',');
    bool is_bad = false;
    if (read_heading(begin, end, separator, &layout)) {
        return layout;
    }
    const char *at = begin;
    struct csv_column first = next_column(&at, end, separator, &is_bad);
    if (at != NULL && is_number(first) && (tabs || *at == '"')) {
        return (struct name_layout){.separator = separator, .name = 1, .id = 0};
    }
    if (tabs || first.is_quoted || is_bad) {
        layout.separator = separator;
    }
    return layout;
}

/* True for a comment before the names; but a URL-encoded name may begin with a percent sign. */
static bool is_comment(const char *begin, const char *end)
{
    return begin < end &&
           (*begin == '#' ||
            (*begin == '%' && (end - begin == 1 || begin[1] == ' ' || begin[1] == '%')));
}

static bool add_id(struct name_table *table, struct csv_column field, struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    uint64_t id = is_number(field) ? strtoull(field.begin, NULL, 10) : UINT64_MAX;
    if (id >= UINT32_MAX) {
        return graph_fail_line(error, table->path, table->line,
                               "expected the id of a node, found %s",
                               graph_quote(quoted, field.begin, field.length));
    }
    if (!array_reserve(&table->ids, &table->id_capacity, (size_t)table->names->count + 1,
                       sizeof(*table->ids))) {
        return false;
    }
    table->ids[table->names->count] = (uint32_t)id;
    return true;
}

/* Write each doubled quote of a name as one. False when out of memory. */
static bool undouble(struct name_table *table, struct csv_column *name)
{
    if (!array_reserve(&table->unquoted, &table->unquoted_size, name->length, 1)) {
        return false;
    }
    *name = (struct csv_column){.begin = table->unquoted,
                                .length = csv_column_text(name, table->unquoted)};
    return true;
}

/* The length of "17 " if a text begins with this number and a blank; or 0. */
static size_t number_length(const char *begin, const char *end, uint32_t number)
{
    char text[16];
    const size_t length = (size_t)snprintf(text, sizeof(text), "%u ", number);
    const bool has_number = (size_t)(end - begin) >= length && memcmp(begin, text, length) == 0;
    return has_number ? length : 0;
}

/* See if the next line that has only a name begins with its number. */
static void follow_numbers(struct name_table *table, const char *begin, const char *end)
{
    const uint32_t line = table->names->count;
    if (line == 0) {
        table->first_number = number_length(begin, end, 1) > 0;
        table->is_numbered = table->layout.separator == WHOLE_LINE;
    }
    table->is_numbered =
        table->is_numbered && number_length(begin, end, table->first_number + line) > 0;
}

/* Add the name of a line. False with error set, or when out of memory. */
static bool add_line(struct name_table *table, const char *begin, const char *end,
                     struct graph_error *error)
{
    const struct name_layout *layout = &table->layout;
    struct csv_column name = {.begin = NULL};
    struct csv_column id = {.begin = begin};
    const char *at = begin;
    char quoted[GRAPH_QUOTE_SIZE];
    bool is_bad = false;
    for (size_t column = 0; at != NULL && column <= COLUMNS_MAX; column++) {
        struct csv_column field = next_column(&at, end, layout->separator, &is_bad);
        name = column == layout->name ? field : name;
        id = column == layout->id ? field : id;
    }
    if (is_bad) {
        const char *quote = memchr(begin, '"', (size_t)(end - begin));
        return graph_fail_line(error, table->path, table->line,
                               "expected a name in quotes that ends with one, found %s",
                               graph_quote(quoted, quote, (size_t)(end - quote)));
    }
    if (name.begin == NULL) {
        return graph_fail_line(error, table->path, table->line,
                               "expected a name in column %zu, found %s", layout->name + 1,
                               graph_quote(quoted, begin, (size_t)(end - begin)));
    }
    return (!name.has_doubled || undouble(table, &name)) &&
           (layout->id == NO_COLUMN || add_id(table, id, error)) &&
           graph_names_add(table->names, name.begin, name.length);
}

bool name_table_add(struct name_table *table, const char *begin, const char *end,
                    struct graph_error *error)
{
    table->line++;
    end -= end > begin && end[-1] == '\r';
    if (table->names == NULL && (table->names = graph_names_create()) == NULL) {
        return graph_fail(error, table->path, "out of memory for the names");
    }
    if (memchr(begin, '\0', (size_t)(end - begin)) != NULL) {
        return graph_fail_line(error, table->path, table->line, "a name holds a NUL byte");
    }
    if (!table->started) {
        if (is_comment(begin, end) || (begin == end && table->line > 1)) {
            return true;
        }
        table->started = true;
        table->layout = find_layout(begin, end);
        table->first_line = table->line + table->layout.is_heading;
        if (table->layout.is_heading) {
            return true;
        }
    }
    follow_numbers(table, begin, end);
    return add_line(table, begin, end, error) ||
           graph_fail(error, table->path, "out of memory for the names");
}

/* The names in the order of their ids; each id must occur once. NULL with error set, or when out of
 * memory. */
static struct graph_names *sort_names(const struct name_table *table, struct graph_error *error)
{
    const struct graph_names *names = table->names;
    pw_assert(names != NULL); /* there is an id, so there is a name */
    const uint32_t count = names->count;
    uint32_t first = UINT32_MAX;
    struct graph_names *sorted = graph_names_create();
    uint32_t *at = calloc((size_t)count + 1, sizeof(*at)); /* number + 1 of each id */
    bool done = sorted != NULL && at != NULL;
    for (uint32_t i = 0; i < count; i++) {
        first = table->ids[i] < first ? table->ids[i] : first;
    }
    for (uint32_t i = 0; done && i < count; i++) {
        const uint32_t id = table->ids[i];
        const char *why = id - first >= count  ? "has an id, but not every id before it is here"
                          : at[id - first] > 0 ? "has an id that an earlier line has"
                                               : NULL;
        if (why != NULL) {
            done =
                graph_fail_line(error, table->path, table->first_line + i, "node %u %s", id, why);
        } else {
            at[id - first] = i + 1;
        }
    }
    for (uint32_t i = 0; done && i < count; i++) {
        const char *text = names->text + names->begins[at[i] - 1];
        done = graph_names_add_plain(sorted, text, strlen(text));
    }
    free(at);
    if (!done) {
        graph_names_free(sorted);
        return NULL;
    }
    sorted->first_id = first;
    return sorted;
}

/* The names without the numbers before them, which are their ids. NULL when out of memory. */
static struct graph_names *cut_numbers(const struct name_table *table)
{
    const struct graph_names *names = table->names;
    struct graph_names *cut = graph_names_create();
    bool done = cut != NULL;
    for (uint32_t i = 0; done && i < names->count; i++) {
        const char *text = names->text + names->begins[i], *end = text + strlen(text);
        text += number_length(text, end, table->first_number + i);
        done = graph_names_add_plain(cut, text, (size_t)(end - text));
    }
    if (!done) {
        graph_names_free(cut);
        return NULL;
    }
    cut->first_id = table->first_number;
    return cut;
}

struct graph_names *name_table_take(struct name_table *table, bool *has_ids,
                                    struct graph_error *error)
{
    struct graph_names *names = table->names != NULL ? table->names : graph_names_create();
    table->names = names;
    const bool is_numbered = table->is_numbered && names != NULL && names->count > 1;
    *has_ids = table->ids != NULL || is_numbered;
    if (table->ids != NULL) {
        names = sort_names(table, error);
    } else if (is_numbered) {
        names = cut_numbers(table);
    } else {
        table->names = NULL;
    }
    if (names == NULL) {
        graph_fail(error, table->path, "out of memory for the names");
    }
    name_table_free(table);
    return names;
}

void name_table_free(struct name_table *table)
{
    graph_names_free(table->names);
    free(table->ids);
    free(table->unquoted);
    *table = (struct name_table){.path = table->path};
}

uint32_t name_table_repeats(struct graph_names *names, uint32_t *first)
{
    const struct graph named = {.names = names};
    uint32_t repeats = 0;
    for (uint32_t i = 0; name_buckets_prepare(names) && i < names->count; i++) {
        const size_t length = (size_t)(names->begins[i + 1] - names->begins[i]) - 1;
        uint32_t number = i;
        if (length > 0 &&
            name_buckets_find(&named, names->text + names->begins[i], length, &number) &&
            number != i && repeats++ == 0) {
            *first = i;
        }
    }
    return repeats;
}
